//! Builds marked values directly from JSON text.
//!
//! A [`MarkedValue`] combines three trees of a plan, and the value is by far the largest of them, so no tree of its own
//! is built for it.
//!
//! Invariant: everything that the plan, the schema or a mismatch hides has `is_hidden` set, and its parents have
//! `has_marks` set.
//!
//! ```text
//! after            {"name":"a","token":"x"}
//! after_unknown    {"id":true}
//! after_sensitive  {"token":true}
//!
//! marked value     { id: unknown, name: "a", token: "x" (sensitive) }
//! ```

use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::{Content, MarkedValue, Unmarked, present, replaced, union};
use crate::json::{self, Construct, Error, Object, Parsed, Value};
use crate::model::plan::NO_SCHEMA;
use crate::schema::Position;

/// Builds marked values in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'b, 'a> {
    arena: &'a Bump,
    hasher: &'b RandomState,
}

impl<'b, 'a> Builder<'b, 'a> {
    /// Creates a builder. Values that are compared with each other must be built with the same `hasher`, because their
    /// hashes are compared.
    pub fn new(arena: &'a Bump, hasher: &'b RandomState) -> Self {
        Self { arena, hasher }
    }

    /// Returns the arena.
    pub fn arena(self) -> &'a Bump {
        self.arena
    }

    /// Returns a value that is known and not sensitive.
    pub fn known(self, content: Content<'a>) -> MarkedValue<'a> {
        self.finish(content, false, false)
    }

    /// Returns null.
    pub fn null(self) -> MarkedValue<'a> {
        self.known(Content::Null)
    }

    /// Builds the value of a JSON text without marks; null if there is no text. Fails if the text is malformed.
    pub fn parse(self, text: impl Into<Option<&'a str>>) -> Result<MarkedValue<'a>, Error> {
        self.build(text.into(), Value::Null, Value::Null, Position::Unspecified)
    }

    /// Builds the value of a JSON text with its unknown and sensitive marks, and hides what the schema at `position`
    /// declares as sensitive.
    ///
    /// # Errors
    /// Returns an error if the text is malformed.
    pub fn build(
        self,
        text: Option<&'a str>,
        unknown: Value<'a>,
        mark: Value<'a>,
        position: Position<'a>,
    ) -> Result<MarkedValue<'a>, Error> {
        let unknown = pruned(unknown, false, self.arena).unwrap_or(unknown);
        let mark = pruned(mark, true, self.arena).unwrap_or(mark);
        let overlay = Overlay {
            build: self,
            unknown,
            mark,
            position,
        };
        text.map_or_else(
            || Ok(overlay.make(Parsed::Null)),
            |text| json::parse_as(text, self.arena, overlay),
        )
    }

    /// Returns a value with its content and marks, and the hash of both.
    fn finish(self, content: Content<'a>, is_sensitive: bool, is_hidden: bool) -> MarkedValue<'a> {
        let mut hasher = self.hasher.build_hasher();
        discriminant(&content).hash(&mut hasher);
        match content {
            Content::Null | Content::Unknown | Content::Redacted => {}
            Content::Bool(value) => hasher.write_u8(u8::from(value)),
            Content::Number(text) | Content::String(text) => hasher.write(text.as_bytes()),
            Content::Array(items) => {
                hasher.write_usize(items.len());
                items.iter().for_each(|item| hasher.write_u64(item.hash));
            }
            Content::Object(members) => {
                for (key, member) in present(members) {
                    hasher.write(key.as_bytes());
                    hasher.write_u64(member.hash);
                }
            }
        }
        hasher.write_u8(u8::from(is_sensitive));
        let hash = hasher.finish();
        let has_marks = is_sensitive || is_hidden;
        let value = MarkedValue {
            content,
            is_sensitive,
            is_hidden,
            has_marks,
            lacks_schema: false,
            hash,
        };
        MarkedValue {
            has_marks: has_marks || value.children().any(|part| part.has_marks),
            ..value
        }
    }

    /// Sorts the elements of all sets in a value by their content, so that their order does not depend on anything
    /// else.
    pub fn with_sorted_sets(
        self,
        value: MarkedValue<'a>,
        position: Position<'_>,
    ) -> MarkedValue<'a> {
        self.changed_by_sorting(value, position).unwrap_or(value)
    }

    /// Does the work of `with_sorted_sets`.
    ///
    /// `None` if the value contains no sets, so that no copy is needed.
    fn changed_by_sorting(
        self,
        value: MarkedValue<'a>,
        position: Position<'_>,
    ) -> Option<MarkedValue<'a>> {
        if matches!(position, Position::Unspecified | Position::Inferred) {
            return None;
        }
        let sort = |index, name: Option<&str>, part| {
            let position =
                name.map_or_else(|| position.element(index), |name| position.member(name));
            self.changed_by_sorting(part, position)
        };
        let mut content = value.with_parts(self.arena, &sort);
        if let (true, Content::Array(items)) = (position.is_set(), content.unwrap_or(value.content))
        {
            let mut items: Vec<_> = items.iter().map(|item| (order_key(*item), *item)).collect();
            items.sort_by(|(one, _), (other, _)| one.cmp(other));
            let items = self
                .arena
                .alloc_slice_fill_iter(items.into_iter().map(|(_, item)| item));
            content = Some(Content::Array(items));
        }
        Some(self.finish(content?, value.is_sensitive, value.is_hidden))
    }

    /// Hides every part of `value` that `other` hides at the same path, or in an equal element of a list, which may be
    /// at another place. Both may be equal, so showing one would reveal the other. Hiding does not change equality.
    pub fn redact_like(self, value: MarkedValue<'a>, other: MarkedValue<'a>) -> MarkedValue<'a> {
        self.changed_by_redacting(value, other).unwrap_or(value)
    }

    /// Does the work of `redact_like`.
    ///
    /// `None` if nothing more is hidden, so that no copy is needed.
    fn changed_by_redacting(
        self,
        value: MarkedValue<'a>,
        other: MarkedValue<'a>,
    ) -> Option<MarkedValue<'a>> {
        if !other.has_marks || value.is_hidden || value.is_null() {
            return None;
        }
        if other.is_hidden {
            return Some(MarkedValue {
                is_hidden: true,
                has_marks: true,
                ..value
            });
        }
        let mut equal: HashMap<Unmarked<'a>, MarkedValue<'a>> = HashMap::new();
        for other in other
            .as_array()
            .unwrap_or_default()
            .iter()
            .filter(|other| other.has_marks)
        {
            equal.entry(Unmarked(*other)).or_insert(*other);
        }
        let hide = |index: usize, name: Option<&str>, part| {
            let other = match name {
                Some(name) => other.get(name),
                None => equal
                    .get(&Unmarked(part))
                    .or_else(|| other.as_array()?.get(index))
                    .copied(),
            };
            self.changed_by_redacting(part, other?)
        };
        let content = value.with_parts(self.arena, &hide)?;
        Some(MarkedValue {
            content,
            has_marks: true,
            ..value
        })
    }
}

/// Returns a key by which values are sorted in the same way in every run, unlike by their hashes. Equal values have the
/// same key.
fn order_key(value: MarkedValue<'_>) -> String {
    /// Appends the key of a value: a digit for its kind, its content, and whether it is sensitive.
    fn write(value: MarkedValue<'_>, key: &mut String) {
        match value.content {
            Content::Null => key.push('0'),
            Content::Unknown => key.push('1'),
            Content::Redacted => key.push('2'),
            Content::Bool(value) => key.push(if value { '4' } else { '3' }),
            Content::Number(text) => key.extend(["5", text]),
            Content::String(text) => key.extend(["6", text]),
            Content::Array(items) => {
                key.push('7');
                items.iter().for_each(|item| write(*item, key));
            }
            Content::Object(members) => {
                key.push('8');
                for (name, member) in present(members) {
                    key.extend([name, "\0"]);
                    write(*member, key);
                }
            }
        }
        key.push_str(if value.is_sensitive {
            "\0\u{1}"
        } else {
            "\0\0"
        });
    }
    let mut key = String::new();
    write(value, &mut key);
    key
}

/// Whether the schema declares the value sensitive, or declares parts of it sensitive that cannot be found, because the
/// value does not match its schema.
fn hides(position: Position<'_>, content: Content<'_>) -> bool {
    if position.is_sensitive() {
        return true;
    }
    let is_misfit = match content {
        Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) => false,
        Content::Bool(_) | Content::Number(_) | Content::String(_) => true,
        Content::Object(members) => {
            !members.is_empty()
                && members
                    .iter()
                    .all(|(name, _)| position.member(name).is_missing())
        }
    };
    is_misfit && position.holds_secrets()
}

/// The marks and the schema of a value, which are known before it is parsed. Both trees of marks are pruned.
#[derive(Clone, Copy)]
struct Overlay<'b, 'a> {
    /// The builder of the values.
    build: Builder<'b, 'a>,
    /// The marks of unknown parts of the value (`after_unknown`).
    unknown: Value<'a>,
    /// The marks of sensitive parts of the value.
    mark: Value<'a>,
    /// The position in the schema.
    position: Position<'a>,
}

impl<'a> Construct<'a> for Overlay<'_, 'a> {
    type Node = MarkedValue<'a>;

    fn member(self, key: &'a str) -> Self {
        let of = |tree: Value<'a>| tree.get(key).unwrap_or_default();
        Self {
            unknown: of(self.unknown),
            mark: of(self.mark),
            position: self.position.member(key),
            ..self
        }
    }

    /// Returns the overlay of an element.
    fn element(self, index: usize) -> Self {
        let of = |tree: Value<'a>| tree.as_array().unwrap_or_default().get(index).copied();
        // If anything is marked, an element past the marks has no mark of its own. It is hidden, but does not count as
        // marked by the plan.
        let past = if matches!(self.mark, Value::Array([_, ..])) {
            Value::String("")
        } else {
            Value::Null
        };
        let (unknown, mark) = (
            of(self.unknown).unwrap_or_default(),
            of(self.mark).unwrap_or(past),
        );
        Self {
            unknown,
            mark,
            position: self.position.element(index),
            ..self
        }
    }

    /// Combines a parsed value with its marks.
    ///
    /// A sensitive mark whose shape does not match the value hides all of it.
    fn make(self, parsed: Parsed<'a, MarkedValue<'a>>) -> MarkedValue<'a> {
        let content = match self.unknown {
            Value::Bool(true) => Content::Unknown,
            // If the value does not have the shape of `unknown`, `unknown` takes precedence.
            Value::Object(unknown) => {
                let members = if let Parsed::Object(members) = parsed {
                    members
                } else {
                    &[]
                };
                self.with_unknown_members(members, unknown.members())
            }
            Value::Array(unknown) => {
                let items = if let Parsed::Array(items) = parsed {
                    items
                } else {
                    &[]
                };
                self.with_unknown_elements(items, unknown)
            }
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) => {
                match parsed {
                    Parsed::Null => Content::Null,
                    Parsed::Bool(value) => Content::Bool(value),
                    Parsed::Number(text) => Content::Number(text),
                    Parsed::String(text) => Content::String(text),
                    Parsed::Array(items) => Content::Array(items),
                    Parsed::Object(members) => Content::Object(members),
                }
            }
        };
        if matches!(content, Content::Null) {
            return self.build.null();
        }
        let is_sensitive = self.mark == Value::Bool(true);
        let is_misshapen = match (self.mark, content) {
            (Value::Null | Value::Bool(_), _) | (Value::Object(_), Content::Object(_)) => false,
            (Value::Array(marks), Content::Array(items)) => {
                marks.iter().skip(items.len()).any(|mark| !mark.is_null())
            }
            _ => true,
        };
        let is_hidden = is_sensitive || is_misshapen || hides(self.position, content);
        let lacks_schema = self.mark == Value::String(NO_SCHEMA);
        MarkedValue {
            lacks_schema,
            ..self.build.finish(content, is_sensitive, is_hidden)
        }
    }
}

impl<'a> Overlay<'_, 'a> {
    /// Adds the members that occur only in `unknown`.
    fn with_unknown_members(
        self,
        members: &'a [(&'a str, MarkedValue<'a>)],
        unknown: &'a [(&'a str, Value<'a>)],
    ) -> Content<'a> {
        if unknown.iter().all(|(key, _)| {
            members
                .binary_search_by(|(name, _)| (*name).cmp(key))
                .is_ok()
        }) {
            return Content::Object(members);
        }
        let members: Vec<_> = union(members, unknown)
            .map(|(key, made, _)| {
                (
                    key,
                    made.unwrap_or_else(|| self.member(key).make(Parsed::Null)),
                )
            })
            .collect();
        Content::Object(self.build.arena.alloc_slice_copy(&members))
    }

    /// Adds the elements that occur only in `unknown`. Known elements at its end do not count, because only the value
    /// itself shows whether they exist.
    fn with_unknown_elements(
        self,
        items: &'a [MarkedValue<'a>],
        unknown: &[Value<'a>],
    ) -> Content<'a> {
        let len = unknown
            .iter()
            .rposition(|part| !part.is_null())
            .map_or(0, |last| last + 1);
        if len <= items.len() {
            return Content::Array(items);
        }
        let mut all = bumpalo::collections::Vec::with_capacity_in(len, self.build.arena);
        all.extend_from_slice_copy(items);
        all.extend((items.len()..len).map(|index| self.element(index).make(Parsed::Null)));
        Content::Array(all.into_bump_slice())
    }
}

/// Replaces the parts of a tree of marks that mark nothing (`false`, and containers of nothing else) by null. `None` if
/// there are no such parts, so that no copy is needed. A number or string is malformed: it does not make a value
/// unknown, but counts as a sensitive mark.
fn pruned<'a>(tree: Value<'a>, of_sensitive: bool, arena: &'a Bump) -> Option<Value<'a>> {
    match tree {
        Value::Bool(false) => Some(Value::Null),
        Value::Number(_) | Value::String(_) if !of_sensitive => Some(Value::Null),
        Value::Null | Value::Bool(true) | Value::Number(_) | Value::String(_) => None,
        Value::Array(items) => {
            let pruned = replaced(items, |_, item| pruned(*item, of_sensitive, arena));
            if pruned
                .as_deref()
                .unwrap_or(items)
                .iter()
                .all(|item| item.is_null())
            {
                return Some(Value::Null);
            }
            Some(Value::Array(arena.alloc_slice_copy(&pruned?)))
        }
        Value::Object(object) => {
            if object.members().is_empty() {
                return Some(Value::Null);
            }
            let mut kept = replaced(object.members(), |_, (key, member)| {
                let pruned = if member.is_null() {
                    Some(Value::Null)
                } else {
                    pruned(*member, of_sensitive, arena)
                };
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
