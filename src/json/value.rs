//! JSON values that borrow from the input, and their parser.
//!
//! Invariants: numbers keep the text with which they were written. The members of an object are sorted by key
//! (bytewise) and unique; of several equal keys the last one is kept, as in Go's decoder. All slices point into the
//! input or the arena, so values are `Copy` and need no drop.

use std::cell::Cell;
use std::cmp::Ordering;

use bumpalo::Bump;
use serde::{Serialize, Serializer};

use super::reader::{RawString, resolve_escapes};
use super::{Error, ErrorKind, Reader, verbatim};

/// A JSON value, which borrows from the input or an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Value<'a> {
    /// `null`. It is also used for a missing value.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written. Two numbers are equal if their texts are equal.
    Number(&'a str),
    /// A string, with its escapes resolved.
    String(&'a str),
    /// The elements of an array.
    Array(&'a [Self]),
    /// The members of an object.
    Object(Object<'a>),
}

/// The members of an object, sorted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Object<'a>(&'a [(&'a str, Value<'a>)]);

impl<'a> Object<'a> {
    /// Creates an object of members that are sorted by name, each name once.
    pub fn from_sorted(members: &'a [(&'a str, Value<'a>)]) -> Self {
        debug_assert!(members.windows(2).all(|pair| pair[0].0 < pair[1].0));
        Self(members)
    }

    /// Creates an object of members, which are sorted by name. The last of equal names wins, as for the tools.
    pub fn from_members(mut members: Vec<(&'a str, Value<'a>)>, arena: &'a Bump) -> Self {
        let kept = sort_last_wins(&mut members);
        Self(arena.alloc_slice_copy(&members[..kept]))
    }

    /// Returns the value of the member with a name.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        if self.0.len() <= 8 {
            return self
                .0
                .iter()
                .find(|(name, _)| *name == key)
                .map(|(_, value)| *value);
        }
        self.0
            .binary_search_by(|(name, _)| (*name).cmp(key))
            .ok()
            .map(|index| self.0[index].1)
    }

    /// Returns a cursor for lookups of names in ascending order.
    pub fn walk(self) -> Walk<'a> {
        Walk(self.0)
    }

    /// Returns the members with their names, sorted by name.
    pub fn members(self) -> &'a [(&'a str, Value<'a>)] {
        self.0
    }
}

/// A cursor for lookups of names in ascending order. All lookups together visit each member once; separate binary
/// searches would jump around in a large object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk<'a>(&'a [(&'a str, Value<'a>)]);

impl<'a> Walk<'a> {
    /// Returns the value of the member with a name. Names must be looked up in ascending order.
    pub fn get(&mut self, key: &str) -> Option<Value<'a>> {
        while let [(name, value), rest @ ..] = self.0 {
            match (*name).cmp(key) {
                Ordering::Less => self.0 = rest,
                Ordering::Equal => {
                    self.0 = rest;
                    return Some(*value);
                }
                Ordering::Greater => break,
            }
        }
        None
    }
}

impl<'a> Value<'a> {
    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether the value or anything in it is `true`, as in a tree of marks.
    pub fn has_true(self) -> bool {
        match self {
            Self::Bool(is_true) => is_true,
            Self::Array(items) => items.iter().any(|item| item.has_true()),
            Self::Object(object) => object.members().iter().any(|(_, member)| member.has_true()),
            Self::Null | Self::Number(_) | Self::String(_) => false,
        }
    }

    /// Returns the text of a string; `None` if it is another value.
    pub fn as_str(self) -> Option<&'a str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// Returns the elements of an array; `None` if it is another value.
    pub fn as_array(self) -> Option<&'a [Self]> {
        if let Self::Array(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// Returns the object; `None` if it is another value.
    pub fn as_object(self) -> Option<Object<'a>> {
        if let Self::Object(object) = self {
            Some(object)
        } else {
            None
        }
    }

    /// Returns the elements of an array, or the values of the members of an object; nothing for other values.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let members = self
            .as_object()
            .unwrap_or_default()
            .members()
            .iter()
            .map(|(_, member)| *member);
        self.as_array()
            .unwrap_or_default()
            .iter()
            .copied()
            .chain(members)
    }

    /// Returns the member of an object with a name; `None` if there is none, or the value is not an object.
    pub fn get(self, key: &str) -> Option<Self> {
        self.as_object()?.get(key)
    }
}

impl Serialize for Value<'_> {
    /// Writes the value as JSON, with numbers as they were written.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // A conversion to a floating-point number would lose digits.
            Self::Number(text) => verbatim::serialize(text, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(*items),
            Self::Object(object) => serializer.collect_map(
                object
                    .members()
                    .iter()
                    .map(|(name, member)| (*name, member)),
            ),
        }
    }
}

/// Parses a whole text. Strings with escapes, arrays and objects are allocated in `arena`.
///
/// # Errors
/// Returns an error if the text is not valid JSON.
pub fn parse<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    parse_as(text, arena, Plain)
}

/// Parses a whole text in which no object may have two members with the same name.
///
/// # Errors
/// Returns an error if the text is not valid JSON, or an object has such members.
pub fn parse_unique<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    Parser {
        is_unique: true,
        ..Parser::new(text, arena)
    }
    .whole(Plain)
}

/// Parses the value at the beginning of a text. The text after the value is ignored.
///
/// # Errors
/// Returns an error if the value is not valid JSON.
pub fn parse_prefix<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    Parser::new(text, arena).value(Plain)
}

/// Parses a part of a text as a sample: only the first 16,384 elements or members of each array and object, and at most
/// `left` values, which are subtracted from it so that several samples can share the limit. The rest is only checked.
///
/// # Errors
/// Returns an error if the text is not valid JSON.
pub fn sample<'a>(text: &'a str, left: &Cell<usize>, arena: &'a Bump) -> Result<Value<'a>, Error> {
    let mut parser = Parser {
        most: 1 << 14,
        left: left.get(),
        ..Parser::new(text, arena)
    };
    let value = parser.value(Plain)?;
    left.set(parser.left);
    parser.reader.end()?;
    Ok(value)
}

/// Parses a whole text into the nodes that `construct` makes. No tree of [`Value`]s is built besides the result.
///
/// # Errors
/// Returns an error if the text is not valid JSON.
pub fn parse_as<'a, C: Construct<'a>>(
    text: &'a str,
    arena: &'a Bump,
    construct: C,
) -> Result<C::Node, Error> {
    Parser::new(text, arena).whole(construct)
}

/// A way to turn parsed values into nodes, so that one parser serves plain values and values with marks. An
/// implementation belongs to one position in the document.
pub trait Construct<'a>: Copy {
    /// The node that is made of a value.
    type Node: Copy + 'a;
    /// Returns the implementation for the member with a name.
    fn member(self, key: &'a str) -> Self;
    /// Returns the implementation for the element with an index, from 0.
    fn element(self, index: usize) -> Self;
    /// Makes the node of the value at this position.
    fn make(self, parsed: Parsed<'a, Self::Node>) -> Self::Node;
}

/// A parsed value, whose parts are nodes already.
#[derive(Clone, Copy, Debug)]
pub enum Parsed<'a, N> {
    /// `null`
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// A string, with its escapes resolved.
    String(&'a str),
    /// The nodes of the elements of an array.
    Array(&'a [N]),
    /// The nodes of the members of an object, with their names and sorted by name.
    Object(&'a [(&'a str, N)]),
}

/// The construction of plain values.
#[derive(Clone, Copy)]
struct Plain;

impl<'a> Construct<'a> for Plain {
    type Node = Value<'a>;
    fn member(self, _: &'a str) -> Self {
        self
    }
    fn element(self, _: usize) -> Self {
        self
    }
    fn make(self, parsed: Parsed<'a, Value<'a>>) -> Value<'a> {
        match parsed {
            Parsed::Null => Value::Null,
            Parsed::Bool(value) => Value::Bool(value),
            Parsed::Number(text) => Value::Number(text),
            Parsed::String(text) => Value::String(text),
            Parsed::Array(items) => Value::Array(items),
            Parsed::Object(members) => Value::Object(Object(members)),
        }
    }
}

/// The state of parsing one text.
struct Parser<'a, N> {
    /// The reader, which is at the next value.
    reader: Reader<'a>,
    /// The arena for arrays, objects and strings with escapes.
    arena: &'a Bump,
    // Two stacks, instead of a vector for each container.
    /// The elements that were read so far, of all arrays that are open.
    items: Vec<N>,
    /// The members that were read so far, of all objects that are open.
    members: Vec<(&'a str, N)>,
    /// Whether an object must not have two members with the same name.
    is_unique: bool,
    /// The maximum number of parts of an array or object that are kept. Further ones are only checked.
    most: usize,
    /// The number of values that may still be kept.
    left: usize,
}

impl<'a, N: Copy + 'a> Parser<'a, N> {
    /// Creates a parser of a text that keeps all values.
    fn new(text: &'a str, arena: &'a Bump) -> Self {
        let capacity = (text.len() / 32).min(64);
        let (items, members) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        let reader = Reader::new(text);
        Self {
            reader,
            arena,
            items,
            members,
            is_unique: false,
            most: usize::MAX,
            left: usize::MAX,
        }
    }

    /// Parses a text that contains nothing but one value.
    fn whole(mut self, place: impl Construct<'a, Node = N>) -> Result<N, Error> {
        let value = self.value(place)?;
        self.reader.end()?;
        Ok(value)
    }

    /// Parses the next value, and returns the node that `place` makes of it.
    fn value(&mut self, place: impl Construct<'a, Node = N>) -> Result<N, Error> {
        let parsed = match self.reader.peek() {
            Some(b'"') => {
                let text = self.reader.string()?;
                Parsed::String(self.text(text))
            }
            Some(b'{') => {
                let members = self.parts(
                    b'}',
                    |parser| &mut parser.members,
                    |parser, index| {
                        let key = parser.reader.key()?;
                        if index >= parser.most || parser.left == 0 {
                            return parser.reader.skip().map(|_| None);
                        }
                        let key = parser.text(key);
                        Ok(Some((key, parser.value(place.member(key))?)))
                    },
                )?;
                let kept = sort_last_wins(members);
                if self.is_unique && kept < members.len() {
                    // Names of members may be hidden, so the message contains none.
                    let message = "an object has two members with the same name, which tools may read as either";
                    return self.reader.fail(ErrorKind::Type(message.to_owned()));
                }
                Parsed::Object(&members[..kept])
            }
            Some(b'[') => Parsed::Array(self.parts(
                b']',
                |parser| &mut parser.items,
                |parser, index| {
                    if index >= parser.most || parser.left == 0 {
                        return parser.reader.skip().map(|_| None);
                    }
                    parser.value(place.element(index)).map(Some)
                },
            )?),
            first => {
                let text = self.reader.skip()?;
                match first {
                    Some(b't' | b'f') => Parsed::Bool(first == Some(b't')),
                    Some(b'n') => Parsed::Null,
                    _ => Parsed::Number(text),
                }
            }
        };
        self.left = self.left.saturating_sub(1);
        Ok(place.make(parsed))
    }

    fn text(&self, raw: RawString<'a>) -> &'a str {
        match raw {
            RawString::Plain(text) => text,
            RawString::Escaped(text) => self.arena.alloc_str(&resolve_escapes(text)),
        }
    }

    /// Parses the parts of a container, and returns them as a slice in the arena. `part` reads one part, and receives
    /// the number of parts before it; it returns `None` for one that is left out. `stack` is the stack that the parts
    /// are collected on.
    fn parts<T: Copy>(
        &mut self,
        close: u8,
        stack: fn(&mut Self) -> &mut Vec<T>,
        mut part: impl FnMut(&mut Self, usize) -> Result<Option<T>, Error>,
    ) -> Result<&'a mut [T], Error> {
        // A single vector of all parts would exist besides their copy in the arena. Parts are therefore moved to
        // vectors so large that allocators return their memory to the system at once when it is freed.
        let most = (33 << 20) / size_of::<T>();
        let (mut full, mut count, mut is_first): (Vec<Vec<T>>, _, _) = (Vec::new(), 0, true);
        let base = stack(self).len();
        while self.reader.next_part(&mut is_first, close)? {
            let Some(part) = part(self, count)? else {
                continue;
            };
            count += 1;
            let parts = stack(self);
            parts.push(part);
            if parts.len() - base == most {
                full.push(parts.split_off(base));
            }
        }
        let arena = self.arena;
        let last = stack(self);
        let parts = if full.is_empty() {
            arena.alloc_slice_copy(&last[base..])
        } else {
            let mut parts = bumpalo::collections::Vec::with_capacity_in(count, arena);
            full.into_iter()
                .for_each(|full| parts.extend_from_slice_copy(&full));
            parts.extend_from_slice_copy(&last[base..]);
            parts.into_bump_slice_mut()
        };
        last.truncate(base);
        Ok(parts)
    }
}

/// Sorts members by key, and moves those that are kept to the start: the last one of equal keys. Returns their number.
fn sort_last_wins<N: Copy>(members: &mut [(&str, N)]) -> usize {
    if members.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return members.len();
    }
    members.sort_by(|a, b| a.0.cmp(b.0)); // stable: equal keys keep the order of the text
    let mut kept = 0;
    for index in 0..members.len() {
        if kept > 0 && members[kept - 1].0 == members[index].0 {
            members[kept - 1] = members[index];
        } else {
            members[kept] = members[index];
            kept += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_text_and_the_last_key_wins() {
        let arena = Bump::new();
        let value = parse(r#"{"b":1.10,"a":1e21,"b":-0}"#, &arena).unwrap();
        assert_eq!(value.get("a"), Some(Value::Number("1e21")));
        assert_eq!(value.get("b"), Some(Value::Number("-0")));
        assert_eq!(value.as_object().unwrap().members().len(), 2);
    }
}
