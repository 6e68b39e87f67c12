//! Builds marked values from the three trees of a plan.

use std::hash::{BuildHasher, Hasher};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::{Content, MarkedValue, SensitiveShape, union};
use crate::json::Value;
use crate::schema::Position;

/// Builds marked values in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'b, 'a> {
    arena: &'a Bump,
    hasher: &'b RandomState,
}

impl<'b, 'a> Builder<'b, 'a> {
    /// A builder. Values that are compared with each other must be built with the same `hasher`.
    pub fn new(arena: &'a Bump, hasher: &'b RandomState) -> Self {
        Self { arena, hasher }
    }

    /// The arena in which values are built.
    pub fn arena(self) -> &'a Bump {
        self.arena
    }

    /// Builds the value that a plan writes as `value`, `unknown` and `mark`.
    ///
    /// Where `value` is not needed for itself, [`Builder::read`] builds without it.
    pub fn build(
        self,
        value: Value<'a>,
        unknown: Value<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        let unknown = pruned(unknown, Tree::Unknown, self.arena);
        self.overlaid(value, unknown, pruned(mark, Tree::Mark, self.arena), shape)
    }

    /// `null`.
    pub fn null(self) -> MarkedValue<'a> {
        self.finish(Content::Null, false, false)
    }

    /// A value that is known and not sensitive.
    pub fn plain(self, value: Value<'a>) -> MarkedValue<'a> {
        self.overlaid(value, Value::Null, Value::Null, NoShape)
    }

    /// A string that is known and not sensitive.
    pub fn string(self, text: &'a str) -> MarkedValue<'a> {
        self.finish(Content::String(text), false, false)
    }

    /// A list of known values.
    pub fn array(self, items: &'a [MarkedValue<'a>]) -> MarkedValue<'a> {
        self.finish(Content::Array(items), false, false)
    }

    /// Overlays the trees, of which `unknown` and `mark` are [`pruned`]: subtrees that mark nothing are
    /// null.
    pub(in crate::diff) fn overlaid(
        self,
        value: Value<'a>,
        unknown: Value<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        let content = match unknown {
            Value::Bool(true) => Content::Unknown,
            // Where the value does not have the shape of `unknown`, `unknown` takes precedence.
            Value::Object(unknown) => {
                let members = value.as_object().unwrap_or_default().members();
                self.object(members, unknown.members(), mark, shape)
            }
            Value::Array(unknown) => self.list(value.as_array().unwrap_or_default(), unknown, mark, shape),
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) => match value {
                Value::Null => Content::Null,
                Value::Bool(value) => Content::Bool(value),
                Value::Number(text) => Content::Number(text),
                Value::String(text) => Content::String(text),
                Value::Array(items) => self.list(items, &[], mark, shape),
                Value::Object(object) => self.object(object.members(), &[], mark, shape),
            },
        };
        self.marked(content, mark, shape)
    }

    /// The value of a content under its mark.
    pub(in crate::diff) fn marked(
        self,
        content: Content<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> MarkedValue<'a> {
        if matches!(content, Content::Null) {
            return self.finish(content, false, false);
        }
        let is_sensitive = mark == Value::Bool(true);
        let is_misshapen = match (mark, content) {
            (Value::Null | Value::Bool(_), _) | (Value::Object(_), Content::Object(_)) => false,
            (Value::Array(marks), Content::Array(items)) => {
                marks.iter().skip(items.len()).any(|mark| !mark.is_null())
            }
            (Value::Array(_) | Value::Object(_) | Value::Number(_) | Value::String(_), _) => true,
        };
        self.finish(content, is_sensitive, is_sensitive || is_misshapen || shape.hides(content))
    }

    fn list(
        self,
        items: &'a [Value<'a>],
        unknown: &'a [Value<'a>],
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> Content<'a> {
        let at = |list: &'a [Value<'a>], index: usize| list.get(index).copied().unwrap_or_default();
        let built = (0..items.len().max(unknown_len(unknown))).map(|index| {
            let mark = element_mark(mark, index);
            self.overlaid(at(items, index), at(unknown, index), mark, shape.element(index))
        });
        Content::Array(self.arena.alloc_slice_fill_iter(built))
    }

    fn object(
        self,
        members: &'a [(&'a str, Value<'a>)],
        unknown: &'a [(&'a str, Value<'a>)],
        mark: Value<'a>,
        shape: impl SensitiveShape,
    ) -> Content<'a> {
        let mut marks = mark.as_object().unwrap_or_default().walk();
        if unknown.is_empty() {
            let built = members.iter().map(|(key, value)| {
                let mark = marks.get(key).unwrap_or_default();
                (*key, self.overlaid(*value, Value::Null, mark, shape.member(key)))
            });
            return Content::Object(self.arena.alloc_slice_fill_iter(built));
        }
        let built: Vec<_> = union(members, unknown)
            .map(|(key, value, unknown)| {
                let (value, unknown) = (value.unwrap_or_default(), unknown.unwrap_or_default());
                let mark = marks.get(key).unwrap_or_default();
                (key, self.overlaid(value, unknown, mark, shape.member(key)))
            })
            .collect();
        Content::Object(self.arena.alloc_slice_copy(&built))
    }

    /// The value with the elements of its sets in an order that depends only on the elements.
    pub fn with_sorted_sets(self, value: MarkedValue<'a>, position: Position<'_>) -> MarkedValue<'a> {
        if position == Position::Unspecified {
            return value;
        }
        let content = match value.content {
            Content::Array(items) => {
                let sorted = items.iter().enumerate();
                let sorted = sorted.map(|(at, item)| self.with_sorted_sets(*item, position.element(at)));
                let sorted = self.arena.alloc_slice_fill_iter(sorted);
                if position.is_set() {
                    sorted.sort_by_key(|item| item.hash);
                }
                Content::Array(sorted)
            }
            Content::Object(members) => {
                let members = members
                    .iter()
                    .map(|(name, member)| (*name, self.with_sorted_sets(*member, position.member(name))));
                Content::Object(self.arena.alloc_slice_fill_iter(members))
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => return value,
        };
        self.finish(content, value.is_sensitive, value.is_hidden)
    }

    fn finish(self, content: Content<'a>, is_sensitive: bool, is_hidden: bool) -> MarkedValue<'a> {
        let mut hasher = self.hasher.build_hasher();
        match content {
            Content::Null => hasher.write_u8(0),
            Content::Unknown => hasher.write_u8(1),
            Content::Redacted => hasher.write_u8(2),
            Content::Bool(value) => hasher.write_u8(3 + u8::from(value)),
            Content::Number(text) => {
                hasher.write_u8(5);
                hasher.write(text.as_bytes());
            }
            Content::String(text) => {
                hasher.write_u8(6);
                hasher.write(text.as_bytes());
            }
            Content::Array(items) => {
                hasher.write_u8(7);
                hasher.write_usize(items.len());
                items.iter().for_each(|item| hasher.write_u64(item.hash));
            }
            Content::Object(members) => {
                hasher.write_u8(8);
                for (key, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    hasher.write(key.as_bytes());
                    hasher.write_u64(member.hash);
                }
            }
        }
        hasher.write_u8(u8::from(is_sensitive));
        let has_marks = is_sensitive
            || is_hidden
            || match content {
                Content::Array(items) => items.iter().any(|item| item.has_marks),
                Content::Object(members) => members.iter().any(|(_, member)| member.has_marks),
                Content::Null
                | Content::Unknown
                | Content::Redacted
                | Content::Bool(_)
                | Content::Number(_)
                | Content::String(_) => false,
            };
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash: hasher.finish() }
    }
}

/// A malformed mark: it hides the value, which does not count as marked by the plan.
const UNREADABLE: Value<'static> = Value::String("");

/// The mark of an element.
pub(in crate::diff) fn element_mark(mark: Value<'_>, index: usize) -> Value<'_> {
    let marks = mark.as_array().unwrap_or_default();
    // If anything is marked, an element past the marks cannot be matched and is hidden.
    let is_past = index >= marks.len() && !marks.is_empty();
    if is_past { UNREADABLE } else { marks.get(index).copied().unwrap_or_default() }
}

/// How many elements a list has at least: trailing ones that are known are no part of the value.
pub(in crate::diff) fn unknown_len(unknown: &[Value<'_>]) -> usize {
    unknown.iter().rposition(|unknown| !unknown.is_null()).map_or(0, |last| last + 1)
}

#[derive(Clone, Copy)]
pub(in crate::diff) struct NoShape;

impl SensitiveShape for NoShape {
    fn member(self, _: &str) -> Self {
        self
    }
    fn element(self, _: usize) -> Self {
        self
    }
    fn hides(self, _: Content<'_>) -> bool {
        false
    }
}

/// The meaning of a tree that accompanies a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::diff) enum Tree {
    /// It marks unknown parts.
    Unknown,
    /// It marks sensitive parts.
    Mark,
}

/// `tree` with every part that marks nothing (`false`, and containers of nothing else) replaced by null.
/// A number or string in it is malformed: it does not make a value unknown, but counts as a sensitive mark.
pub(in crate::diff) fn pruned<'a>(tree: Value<'a>, of: Tree, arena: &'a Bump) -> Value<'a> {
    match tree {
        Value::Null | Value::Bool(false) => Value::Null,
        Value::Number(_) | Value::String(_) if of == Tree::Unknown => Value::Null,
        Value::Bool(true) | Value::Number(_) | Value::String(_) => tree,
        Value::Array(items) => {
            let kept: Vec<_> = items.iter().map(|item| pruned(*item, of, arena)).collect();
            if kept.iter().all(|item| item.is_null()) {
                Value::Null
            } else {
                Value::Array(arena.alloc_slice_copy(&kept))
            }
        }
        Value::Object(object) => {
            let members = object.members().iter().map(|(key, member)| (*key, pruned(*member, of, arena)));
            let kept: Vec<_> = members.filter(|(_, member)| !member.is_null()).collect();
            if kept.is_empty() {
                Value::Null
            } else {
                Value::Object(crate::json::Object::from_sorted(arena.alloc_slice_copy(&kept)))
            }
        }
    }
}
