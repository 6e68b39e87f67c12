//! Marked values, built directly from JSON text.
//!
//! A [`MarkedValue`] combines three trees of a plan, and the value is by far the largest of them. No separate
//! tree is built for it: the parser creates each value with its marks.

use bumpalo::Bump;

use super::value::{Builder, Content, MarkedValue, replaced, union};
use crate::json::{self, Construct, Error, Object, Parsed, Value};
use crate::schema::Position;

impl<'a> Builder<'_, 'a> {
    /// Parses a value that is known and not sensitive.
    ///
    /// # Errors
    /// If the text is malformed.
    pub fn parse(self, text: &'a str) -> Result<MarkedValue<'a>, Error> {
        self.build(Some(text), Value::Null, Value::Null, Position::Unspecified)
    }

    /// The value of the JSON `text`, with the parts in `unknown` and `mark`. Without a text, the value is
    /// null.
    ///
    /// # Errors
    /// If the text is not JSON.
    pub fn build(
        self,
        text: Option<&'a str>,
        unknown: Value<'a>,
        mark: Value<'a>,
        position: Position<'a>,
    ) -> Result<MarkedValue<'a>, Error> {
        let unknown = pruned(unknown, Tree::Unknown, self.arena());
        let mark = pruned(mark, Tree::Mark, self.arena());
        let overlay = Overlay { build: self, unknown, mark, position };
        text.map_or_else(
            || Ok(overlay.make(Parsed::Null)),
            |text| json::parse_as(text, self.arena(), overlay),
        )
    }
}

/// The marks that apply to a value, known before it is parsed.
#[derive(Clone, Copy)]
struct Overlay<'b, 'a> {
    build: Builder<'b, 'a>,
    unknown: Value<'a>,
    mark: Value<'a>,
    position: Position<'a>,
}

impl<'a> Construct<'a> for Overlay<'_, 'a> {
    type Node = MarkedValue<'a>;

    fn member(self, key: &'a str) -> Self {
        let of = |tree: Value<'a>| tree.get(key).unwrap_or_default();
        Self { unknown: of(self.unknown), mark: of(self.mark), position: self.position.member(key), ..self }
    }

    fn element(self, index: usize) -> Self {
        let unknown = self.unknown.as_array().and_then(|unknown| unknown.get(index));
        Self {
            unknown: unknown.copied().unwrap_or_default(),
            mark: element_mark(self.mark, index),
            position: self.position.element(index),
            ..self
        }
    }

    fn make(self, parsed: Parsed<'a, MarkedValue<'a>>) -> MarkedValue<'a> {
        let content = match self.unknown {
            Value::Bool(true) => Content::Unknown,
            // If the value does not have the shape of `unknown`, `unknown` takes precedence.
            Value::Object(unknown) => {
                let members = if let Parsed::Object(members) = parsed { members } else { &[] };
                self.with_unknown_members(members, unknown.members())
            }
            Value::Array(unknown) => {
                let items = if let Parsed::Array(items) = parsed { items } else { &[] };
                self.with_unknown_elements(items, unknown)
            }
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) => match parsed {
                Parsed::Null => Content::Null,
                Parsed::Bool(value) => Content::Bool(value),
                Parsed::Number(text) => Content::Number(text),
                Parsed::String(text) => Content::String(text),
                Parsed::Array(items) => Content::Array(items),
                Parsed::Object(members) => Content::Object(members),
            },
        };
        self.build.marked(content, self.mark, self.position)
    }
}

impl<'a> Overlay<'_, 'a> {
    /// The members, including those that only `unknown` has.
    fn with_unknown_members(
        self,
        members: &'a [(&'a str, MarkedValue<'a>)],
        unknown: &'a [(&'a str, Value<'a>)],
    ) -> Content<'a> {
        if unknown.iter().all(|(key, _)| members.binary_search_by(|(name, _)| (*name).cmp(key)).is_ok()) {
            return Content::Object(members);
        }
        let members: Vec<_> = union(members, unknown)
            .map(|(key, made, _)| (key, made.unwrap_or_else(|| self.member(key).make(Parsed::Null))))
            .collect();
        Content::Object(self.build.arena().alloc_slice_copy(&members))
    }

    /// The elements, including those after the last one that only `unknown` has.
    fn with_unknown_elements(self, items: &'a [MarkedValue<'a>], unknown: &[Value<'a>]) -> Content<'a> {
        let len = unknown_len(unknown);
        if len <= items.len() {
            return Content::Array(items);
        }
        let mut all = bumpalo::collections::Vec::with_capacity_in(len, self.build.arena());
        all.extend_from_slice_copy(items);
        all.extend((items.len()..len).map(|index| self.element(index).make(Parsed::Null)));
        Content::Array(all.into_bump_slice())
    }
}

/// A malformed mark: it hides the value, which does not count as marked by the plan.
const UNREADABLE: Value<'static> = Value::String("");

/// The mark of an element.
fn element_mark(mark: Value<'_>, index: usize) -> Value<'_> {
    let marks = mark.as_array().unwrap_or_default();
    // If anything is marked, an element past the marks cannot be matched and is hidden.
    let is_past = index >= marks.len() && !marks.is_empty();
    if is_past { UNREADABLE } else { marks.get(index).copied().unwrap_or_default() }
}

/// The minimum length of a list with these unknown elements. Trailing known ones do not count, because only
/// the value itself shows whether they exist.
fn unknown_len(unknown: &[Value<'_>]) -> usize {
    unknown.iter().rposition(|unknown| !unknown.is_null()).map_or(0, |last| last + 1)
}

/// The meaning of a tree that accompanies a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tree {
    /// It marks unknown parts.
    Unknown,
    /// It marks sensitive parts.
    Mark,
}

/// `tree` with every part that marks nothing (`false`, and containers of nothing else) replaced by null.
/// A number or string in it is malformed: it does not make a value unknown, but counts as a sensitive mark.
fn pruned<'a>(tree: Value<'a>, of: Tree, arena: &'a Bump) -> Value<'a> {
    changed_by_pruning(tree, of, arena).unwrap_or(tree)
}

/// The pruned tree; `None` if it is the tree itself, which needs no copy then.
fn changed_by_pruning<'a>(tree: Value<'a>, of: Tree, arena: &'a Bump) -> Option<Value<'a>> {
    match tree {
        Value::Null => None,
        Value::Bool(false) => Some(Value::Null),
        Value::Number(_) | Value::String(_) if of == Tree::Unknown => Some(Value::Null),
        Value::Bool(true) | Value::Number(_) | Value::String(_) => None,
        Value::Array(items) => {
            let pruned = replaced(items, |_, item| changed_by_pruning(*item, of, arena));
            if pruned.as_deref().unwrap_or(items).iter().all(|item| item.is_null()) {
                return Some(Value::Null);
            }
            Some(Value::Array(arena.alloc_slice_copy(&pruned?)))
        }
        Value::Object(object) => {
            if object.members().is_empty() {
                return Some(Value::Null);
            }
            let mut kept = replaced(object.members(), |_, (key, member)| {
                let pruned =
                    if member.is_null() { Some(Value::Null) } else { changed_by_pruning(*member, of, arena) };
                Some((*key, pruned?))
            })?;
            kept.retain(|(_, member)| !member.is_null());
            Some(match &*kept {
                [] => Value::Null,
                kept => Value::Object(Object::from_sorted(arena.alloc_slice_copy(kept))),
            })
        }
    }
}
