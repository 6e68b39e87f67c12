//! Decodes the values in a saved plan, which are in cty's form of MessagePack.
//!
//! In this form, an unknown value is an extension; a number that no binary number equals is a string; a value of
//! dynamic type is an array of its type (JSON in a binary) and the value.
//!
//! Invariants: nothing is allocated for more elements than there are bytes left; values nest at most [`MAX_DEPTH`]
//! levels deep; all values of a plan together are within a `ValueLimit`.
//!
//! ```text
//! 82 a1 61 01 a1 62 d4 00 00    {"a": 1, "b": unknown}
//! ```

use std::cell::Cell;

use bumpalo::Bump;
use rmp::{Marker, decode};

use super::Error;
use super::value::Node;
use crate::json::{self, MAX_DEPTH, Value};
use crate::schema::{Position, Type, cty_type};

/// The number of values that all parts of a plan may have together, which depends on its size.
///
/// A number takes one byte in the file but several hundred on the way to the text of a review. In plans of real
/// objects, a value takes more than ten bytes in the file, because each attribute is named.
pub(super) struct ValueLimit {
    limit: usize,
    left: Cell<usize>,
}

impl ValueLimit {
    /// The number of values that a plan of any size may have.
    const OF_ANY_PLAN: usize = 350_000;
    /// The number of bytes of the plan for which one more value is accepted.
    const BYTES_FOR_ANOTHER: usize = 5;

    /// Makes the limit for a plan of `size` bytes.
    pub(super) fn new(size: usize) -> Self {
        let limit = Self::OF_ANY_PLAN + size / Self::BYTES_FOR_ANOTHER;
        Self {
            limit,
            left: Cell::new(limit),
        }
    }

    /// Counts a value.
    ///
    /// # Errors
    /// If the limit is exceeded.
    fn count_one(&self) -> Result<(), Error> {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Error::TooManyValues { limit: self.limit }),
        }
    }
}

/// Decodes a whole value of a plan whose type is at `position` in a schema.
///
/// # Errors
/// If the bytes are not one valid value, it nests too deep, or the plan has too many values.
pub(super) fn read_value<'a>(
    bytes: &'a [u8],
    position: Position<'a>,
    limit: &'a ValueLimit,
    arena: &'a Bump,
) -> Result<Node<'a>, Error> {
    let mut reader = Reader {
        rest: bytes,
        limit,
        arena,
    };
    let value = reader.value(position, 0)?;
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(fault("bytes after the value"))
    }
}

fn truncated() -> Error {
    fault("it is truncated")
}

fn fault(problem: &str) -> Error {
    Error::malformed("", format!("the value is not valid MessagePack: {problem}"))
}

/// A cursor over MessagePack.
struct Reader<'a> {
    rest: &'a [u8],
    limit: &'a ValueLimit,
    arena: &'a Bump,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: u32) -> Result<&'a [u8], Error> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn text(&mut self, length: u32) -> Result<&'a str, Error> {
        std::str::from_utf8(self.take(length)?).map_err(|_| fault("a string is not UTF-8"))
    }

    /// Reads a value. The position in a schema distinguishes sets from lists, and numbers that are written as strings
    /// from strings.
    fn value(&mut self, position: Position<'a>, depth: usize) -> Result<Node<'a>, Error> {
        if depth > MAX_DEPTH {
            return Err(fault(&format!(
                "values are nested more than {MAX_DEPTH} deep"
            )));
        }
        self.limit.count_one()?;
        let first = *self.rest.first().ok_or_else(truncated)?;
        let rest = &mut self.rest;
        match Marker::from_u8(first) {
            Marker::Null => self.take(1).map(|_| Node::Leaf(Value::Null)),
            Marker::True => self.take(1).map(|_| Node::Leaf(Value::Bool(true))),
            Marker::False => self.take(1).map(|_| Node::Leaf(Value::Bool(false))),
            Marker::FixPos(_) | Marker::U8 | Marker::U16 | Marker::U32 | Marker::U64 => {
                let number: u64 = decode::read_int(rest).map_err(|_| truncated())?;
                Ok(self.number(&number))
            }
            Marker::FixNeg(_) | Marker::I8 | Marker::I16 | Marker::I32 | Marker::I64 => {
                let number: i64 = decode::read_int(rest).map_err(|_| truncated())?;
                Ok(self.number(&number))
            }
            Marker::F32 => {
                let number = decode::read_f32(rest).map_err(|_| truncated())?;
                self.float(number.into())
            }
            Marker::F64 => {
                let number = decode::read_f64(rest).map_err(|_| truncated())?;
                self.float(number)
            }
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                let length = decode::read_str_len(rest).map_err(|_| truncated())?;
                let text = self.text(length)?;
                // A number that no binary number equals is written as a string.
                match position.value_type() {
                    Some(Type::Number) if is_number(text) => Ok(Node::Leaf(Value::Number(text))),
                    Some(Type::Number) => Err(fault("expected a number, found another text")),
                    _ => Ok(Node::Leaf(Value::String(text))),
                }
            }
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                let length = decode::read_array_len(rest).map_err(|_| truncated())?;
                self.elements(length, position, depth)
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                let length = decode::read_map_len(rest).map_err(|_| truncated())?;
                self.members(length, position, depth)
            }
            // An unknown value. What the extension says about it (a refinement) is not shown.
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => {
                let length = decode::read_ext_meta(rest).map_err(|_| truncated())?.size;
                self.take(length).map(|_| Node::unknown_at(position))
            }
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
                Err(fault("a type is not followed by a value"))
            }
            Marker::Reserved => Err(fault("a reserved code")),
        }
    }

    fn number(&self, number: &impl ToString) -> Node<'a> {
        Node::Leaf(Value::Number(self.arena.alloc_str(&number.to_string())))
    }

    fn float(&self, value: f64) -> Result<Node<'a>, Error> {
        if value.is_finite() {
            Ok(self.number(&value))
        } else {
            Err(fault("a number is not finite"))
        }
    }

    /// Reads the elements of a list, set or tuple. An array of a type and a value is instead a value of dynamic type.
    fn elements(
        &mut self,
        length: u32,
        position: Position<'a>,
        depth: usize,
    ) -> Result<Node<'a>, Error> {
        if length == 2
            && let Some(of) = self.type_of_dynamic()?
        {
            return self.value(Position::Type(of), depth + 1);
        }
        let mut items = self.list(length);
        for _ in 0..length {
            items.push(self.value(position.element(items.len()), depth + 1)?);
        }
        let items = items.into_bump_slice();
        Ok(if position.is_set() {
            Node::Set(items)
        } else {
            Node::List(items)
        })
    }

    /// Returns an empty list with capacity for `length` items, but for no more than there are bytes left.
    fn list<T>(&self, length: u32) -> bumpalo::collections::Vec<'a, T> {
        let length = usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(self.rest.len());
        bumpalo::collections::Vec::with_capacity_in(length, self.arena)
    }

    /// Reads the type of a value of dynamic type, if a binary is next; otherwise reads nothing.
    fn type_of_dynamic(&mut self) -> Result<Option<Type<'a>>, Error> {
        let marker = self.rest.first().map(|first| Marker::from_u8(*first));
        let Some(Marker::Bin8 | Marker::Bin16 | Marker::Bin32) = marker else {
            return Ok(None);
        };
        let length = decode::read_bin_len(&mut self.rest).map_err(|_| truncated())?;
        let text = self.text(length)?;
        let of = json::parse(text, self.arena)
            .map_err(|error| fault(&format!("a type is not JSON: {error}")))?;
        Ok(Some(cty_type(of, self.arena)))
    }

    /// Reads an object or a map, and sorts its members by key. A key that occurs twice is an error.
    fn members(
        &mut self,
        length: u32,
        position: Position<'a>,
        depth: usize,
    ) -> Result<Node<'a>, Error> {
        let mut members = self.list(length);
        for _ in 0..length {
            let Node::Leaf(Value::String(key)) = self.value(Position::Unspecified, depth + 1)?
            else {
                return Err(fault("a key is not a string"));
            };
            members.push((key, self.value(position.member(key), depth + 1)?));
        }
        members.sort_by_key(|(key, _)| *key);
        if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(fault("a key occurs twice"));
        }
        Ok(Node::Members(members.into_bump_slice()))
    }
}

/// Whether a text is a number in the syntax of JSON, without spaces around it.
pub(super) fn is_number(text: &str) -> bool {
    let is_number =
        json::parse(text, &Bump::new()).is_ok_and(|value| matches!(value, Value::Number(_)));
    is_number && text.trim() == text
}
