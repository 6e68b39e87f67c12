//! Builds marked values, and sorts their sets.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher};

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::{Content, MarkedValue, replaced};
use crate::json::Value;
use crate::schema::{NO_SCHEMA, Position};

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

    /// `null`.
    pub fn null(self) -> MarkedValue<'a> {
        self.finish(Content::Null, false, false)
    }

    /// A value that is known and not sensitive.
    pub fn plain(self, value: Value<'a>) -> MarkedValue<'a> {
        let content = match value {
            Value::Null => Content::Null,
            Value::Bool(value) => Content::Bool(value),
            Value::Number(text) => Content::Number(text),
            Value::String(text) => Content::String(text),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.plain(*item));
                Content::Array(self.arena.alloc_slice_fill_iter(items))
            }
            Value::Object(object) => {
                let members = object.members().iter().map(|(key, member)| (*key, self.plain(*member)));
                Content::Object(self.arena.alloc_slice_fill_iter(members))
            }
        };
        self.finish(content, false, false)
    }

    /// A string that is known and not sensitive.
    pub fn string(self, text: &'a str) -> MarkedValue<'a> {
        self.finish(Content::String(text), false, false)
    }

    /// A list of known values.
    pub fn array(self, items: &'a [MarkedValue<'a>]) -> MarkedValue<'a> {
        self.finish(Content::Array(items), false, false)
    }

    /// The value with this content and mark.
    pub(in crate::diff) fn marked(
        self,
        content: Content<'a>,
        mark: Value<'a>,
        position: Position<'_>,
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
        let lacks_schema = mark == Value::String(NO_SCHEMA);
        let value =
            self.finish(content, is_sensitive, is_sensitive || is_misshapen || hides(position, content));
        MarkedValue { lacks_schema, ..value }
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
        let content = if let Some(items) = value.as_array() {
            let mut sorted = replaced(items, |at, item| self.changed_by_sorting(*item, position.element(at)));
            if position.is_set() {
                let items = sorted.get_or_insert_with(|| items.to_vec());
                crate::sort::by(items, |one, other| content_order(*one, *other));
            }
            Content::Array(self.arena.alloc_slice_copy(&sorted?))
        } else {
            let sort = |_, (name, member): &(&'a str, _)| {
                Some((*name, self.changed_by_sorting(*member, position.member(name))?))
            };
            Content::Object(self.arena.alloc_slice_copy(&replaced(value.as_object()?, sort)?))
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
        let hash = hasher.finish();
        let has_marks = is_sensitive || is_hidden;
        let value = MarkedValue { content, is_sensitive, is_hidden, has_marks, lacks_schema: false, hash };
        MarkedValue { has_marks: has_marks || value.children().any(|part| part.has_marks), ..value }
    }
}

/// Whether a value at this position is sensitive as a whole: because the schema declares it so, or because it
/// declares parts sensitive that cannot be found, as the value does not match its schema.
fn hides(position: Position<'_>, content: Content<'_>) -> bool {
    if position.is_sensitive() {
        return true;
    }
    let is_misfit = match content {
        Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) => false,
        Content::Bool(_) | Content::Number(_) | Content::String(_) => true,
        Content::Object(members) => {
            !members.is_empty() && members.iter().all(|(name, _)| position.member(name).is_missing())
        }
    };
    is_misfit && position.holds_secrets()
}

/// An order that is the same in every run, unlike that of hashes. Equal values are equal in it.
fn content_order(one: MarkedValue<'_>, other: MarkedValue<'_>) -> Ordering {
    let rank = |content| match content {
        Content::Null => 0,
        Content::Unknown => 1,
        Content::Redacted => 2,
        Content::Bool(_) => 3,
        Content::Number(_) => 4,
        Content::String(_) => 5,
        Content::Array(_) => 6,
        Content::Object(_) => 7,
    };
    let by_content = match (one.content, other.content) {
        (Content::Bool(one), Content::Bool(other)) => one.cmp(&other),
        (Content::Number(one), Content::Number(other)) | (Content::String(one), Content::String(other)) => {
            one.cmp(other)
        }
        (Content::Array(_), Content::Array(_)) | (Content::Object(_), Content::Object(_)) => {
            let (mut parts, mut others) = (parts(one), parts(other));
            loop {
                let order = match (parts.next(), others.next()) {
                    (None, None) => break Ordering::Equal,
                    (None, Some(_)) => Ordering::Less,
                    (Some(_), None) => Ordering::Greater,
                    (Some((name, one)), Some((other_name, other))) => {
                        name.cmp(other_name).then_with(|| content_order(one, other))
                    }
                };
                if order.is_ne() {
                    break order;
                }
            }
        }
        (one, other) => rank(one).cmp(&rank(other)),
    };
    by_content.then(one.is_sensitive.cmp(&other.is_sensitive))
}

/// The elements, or the members that are not null, with their names.
fn parts<'a>(value: MarkedValue<'a>) -> impl Iterator<Item = (&'a str, MarkedValue<'a>)> {
    let members = value.as_object().unwrap_or_default().iter().filter(|(_, member)| !member.is_null());
    value.as_array().unwrap_or_default().iter().map(|item| ("", *item)).chain(members.copied())
}
