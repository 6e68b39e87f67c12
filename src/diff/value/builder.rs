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

    /// Builds the value for the trees `value`, `unknown` and `mark` of a plan.
    ///
    /// [`Builder::read`] does the same without a tree for the value, directly from its text.
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

    /// Combines the trees. `unknown` and `mark` must be [`pruned`], so that subtrees without marks are null.
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

    /// The value with this content and mark.
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
        self.changed_by_sorting(value, position).unwrap_or(value)
    }

    /// The value with sorted sets; `None` if it has none, and needs no copy.
    fn changed_by_sorting(self, value: MarkedValue<'a>, position: Position<'_>) -> Option<MarkedValue<'a>> {
        if matches!(position, Position::Unspecified | Position::Inferred) {
            return None;
        }
        let content = match value.content {
            Content::Array(items) => {
                let sort = |(at, item): (usize, &MarkedValue<'a>)| {
                    self.changed_by_sorting(*item, position.element(at))
                };
                let mut rest = items.iter().enumerate();
                let first = rest.find_map(|(at, item)| Some((at, sort((at, item))?)));
                if first.is_none() && !position.is_set() {
                    return None;
                }
                let (same, changed) = match first {
                    Some((at, item)) => (items.get(..at).unwrap_or_default(), Some(item)),
                    None => (items, None),
                };
                let later = rest.map(|(at, item)| sort((at, item)).unwrap_or(*item));
                let all: Vec<_> = same.iter().copied().chain(changed).chain(later).collect();
                let sorted = self.arena.alloc_slice_copy(&all);
                if position.is_set() {
                    sorted.sort_by_key(|item| item.hash);
                }
                Content::Array(sorted)
            }
            Content::Object(members) => {
                let sort = |name: &str, member: MarkedValue<'a>| {
                    self.changed_by_sorting(member, position.member(name))
                };
                let mut rest = members.iter().enumerate();
                let (at, changed) =
                    rest.find_map(|(at, (name, member))| Some((at, (*name, sort(name, *member)?))))?;
                let same = members.get(..at).unwrap_or_default();
                let later = rest.map(|(_, (name, member))| (*name, sort(name, *member).unwrap_or(*member)));
                let all: Vec<_> = same.iter().copied().chain([changed]).chain(later).collect();
                Content::Object(self.arena.alloc_slice_copy(&all))
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_) => return None,
        };
        Some(self.finish(content, value.is_sensitive, value.is_hidden))
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

/// The minimum length of a list with these unknown elements. Trailing known ones do not count, because only
/// the value itself shows whether they exist.
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
            let prune = |item: &Value<'a>| changed_by_pruning(*item, of, arena);
            let first = items.iter().enumerate().find_map(|(at, item)| Some((at, prune(item)?)));
            let Some((at, item)) = first else {
                return items.iter().all(|item| item.is_null()).then_some(Value::Null);
            };
            let (same, later) = items.split_at(at);
            let later = later.iter().skip(1).map(|item| prune(item).unwrap_or(*item));
            let kept: Vec<_> = same.iter().copied().chain([item]).chain(later).collect();
            Some(if kept.iter().all(|item| item.is_null()) {
                Value::Null
            } else {
                Value::Array(arena.alloc_slice_copy(&kept))
            })
        }
        Value::Object(object) => {
            let members = object.members();
            let prune = |member: Value<'a>| changed_by_pruning(member, of, arena);
            let first = members.iter().enumerate().find_map(|(at, (_, member))| {
                let pruned = if member.is_null() { Some(Value::Null) } else { prune(*member) };
                Some((at, pruned?))
            });
            let Some((at, member)) = first else {
                return members.is_empty().then_some(Value::Null);
            };
            let (same, later) = members.split_at(at);
            let later = later.iter().skip(1).map(|(key, member)| (*key, prune(*member).unwrap_or(*member)));
            let pruned = members.get(at).map(|(key, _)| (*key, member));
            let all = same.iter().copied().chain(pruned).chain(later);
            let kept: Vec<_> = all.filter(|(_, member)| !member.is_null()).collect();
            Some(if kept.is_empty() {
                Value::Null
            } else {
                Value::Object(crate::json::Object::from_sorted(arena.alloc_slice_copy(&kept)))
            })
        }
    }
}
