//! Reads the MessagePack of a saved plan into [`Node`]s.
//!
//! Source: the encoding of cty values in MessagePack. Unknown values are extensions; a number without an equal
//! binary number is a string; a value of dynamic type is an array of its type, as a binary, and the value.
//!
//! Invariants: nothing is allocated for more elements than there are bytes left; values nest at most
//! [`MAX_DEPTH`] deep.

use bumpalo::Bump;
use rmp::Marker;

use super::Error;
use super::value::{Node, UnknownShape};
use crate::json::{self, MAX_DEPTH, Value};
use crate::schema::{Position, Type, cty_type};

/// Reads the one value of a message.
pub(super) fn value<'a>(bytes: &'a [u8], position: Position<'a>, arena: &'a Bump) -> Result<Node<'a>, Error> {
    let mut reader = Reader { rest: bytes, arena };
    let value = reader.value(position, 0)?;
    if reader.rest.is_empty() { Ok(value) } else { Err(fault("bytes after the value")) }
}

fn fault(problem: &str) -> Error {
    Error::malformed("", format!("the value is not valid MessagePack: {problem}"))
}

struct Reader<'a> {
    rest: &'a [u8],
    arena: &'a Bump,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| fault("it is truncated"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    /// A length in one, two or four bytes.
    fn length<const N: usize>(&mut self) -> Result<usize, Error> {
        let bytes = self.array::<N>()?;
        Ok(bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)))
    }

    fn text(&mut self, length: usize) -> Result<&'a str, Error> {
        std::str::from_utf8(self.take(length)?).map_err(|_| fault("a string is not UTF-8"))
    }

    fn value(&mut self, position: Position<'a>, depth: usize) -> Result<Node<'a>, Error> {
        if depth > MAX_DEPTH {
            return Err(fault(&format!("values are nested more than {MAX_DEPTH} deep")));
        }
        let [first] = self.array()?;
        Ok(match Marker::from_u8(first) {
            Marker::Null => Node::Leaf(Value::Null),
            Marker::True => Node::Leaf(Value::Bool(true)),
            Marker::False => Node::Leaf(Value::Bool(false)),
            Marker::FixPos(value) => self.number(&value),
            Marker::U8 => self.array().map(|bytes| self.number(&u8::from_be_bytes(bytes)))?,
            Marker::U16 => self.array().map(|bytes| self.number(&u16::from_be_bytes(bytes)))?,
            Marker::U32 => self.array().map(|bytes| self.number(&u32::from_be_bytes(bytes)))?,
            Marker::U64 => self.array().map(|bytes| self.number(&u64::from_be_bytes(bytes)))?,
            Marker::FixNeg(value) => self.number(&value),
            Marker::I8 => self.array().map(|bytes| self.number(&i8::from_be_bytes(bytes)))?,
            Marker::I16 => self.array().map(|bytes| self.number(&i16::from_be_bytes(bytes)))?,
            Marker::I32 => self.array().map(|bytes| self.number(&i32::from_be_bytes(bytes)))?,
            Marker::I64 => self.array().map(|bytes| self.number(&i64::from_be_bytes(bytes)))?,
            Marker::F32 => self.array().and_then(|bytes| self.float(f32::from_be_bytes(bytes).into()))?,
            Marker::F64 => self.array().and_then(|bytes| self.float(f64::from_be_bytes(bytes)))?,
            Marker::FixStr(length) => self.string(length.into(), position)?,
            Marker::Str8 => self.length::<1>().and_then(|length| self.string(length, position))?,
            Marker::Str16 => self.length::<2>().and_then(|length| self.string(length, position))?,
            Marker::Str32 => self.length::<4>().and_then(|length| self.string(length, position))?,
            Marker::FixArray(length) => self.elements(length.into(), position, depth)?,
            Marker::Array16 => {
                self.length::<2>().and_then(|length| self.elements(length, position, depth))?
            }
            Marker::Array32 => {
                self.length::<4>().and_then(|length| self.elements(length, position, depth))?
            }
            Marker::FixMap(length) => self.members(length.into(), position, depth)?,
            Marker::Map16 => self.length::<2>().and_then(|length| self.members(length, position, depth))?,
            Marker::Map32 => self.length::<4>().and_then(|length| self.members(length, position, depth))?,
            Marker::FixExt1 => self.unknown(1, position)?,
            Marker::FixExt2 => self.unknown(2, position)?,
            Marker::FixExt4 => self.unknown(4, position)?,
            Marker::FixExt8 => self.unknown(8, position)?,
            Marker::FixExt16 => self.unknown(16, position)?,
            Marker::Ext8 => self.length::<1>().and_then(|length| self.unknown(length, position))?,
            Marker::Ext16 => self.length::<2>().and_then(|length| self.unknown(length, position))?,
            Marker::Ext32 => self.length::<4>().and_then(|length| self.unknown(length, position))?,
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => return Err(fault("a type without a value")),
            Marker::Reserved => return Err(fault("a reserved code")),
        })
    }

    fn number(&self, number: &impl ToString) -> Node<'a> {
        Node::Leaf(Value::Number(self.arena.alloc_str(&number.to_string())))
    }

    /// Floating-point numbers are displayed without an exponent, in their shortest form.
    fn float(&self, value: f64) -> Result<Node<'a>, Error> {
        if value.is_finite() { Ok(self.number(&value)) } else { Err(fault("a number is not finite")) }
    }

    /// A string, or a number that is written as one.
    fn string(&mut self, length: usize, position: Position<'a>) -> Result<Node<'a>, Error> {
        let text = self.text(length)?;
        Ok(if is_number(position) { number(text)? } else { Node::Leaf(Value::String(text)) })
    }

    /// An unknown value. What else is known of it is not shown.
    fn unknown(&mut self, length: usize, position: Position<'a>) -> Result<Node<'a>, Error> {
        self.take(1 + length)?;
        Ok(Node::Unknown(UnknownShape::new(position)))
    }

    fn elements(&mut self, length: usize, position: Position<'a>, depth: usize) -> Result<Node<'a>, Error> {
        if length == 2
            && let Some(of) = self.type_of_dynamic()?
        {
            return self.value(Position::Type(of), depth + 1);
        }
        let mut items = bumpalo::collections::Vec::with_capacity_in(length.min(self.rest.len()), self.arena);
        for at in 0..length {
            items.push(self.value(position.element(at), depth + 1)?);
        }
        let items = items.into_bump_slice();
        Ok(if position.is_set() { Node::Set(items) } else { Node::List(items) })
    }

    /// The type in front of a dynamic value. Only types are binaries.
    fn type_of_dynamic(&mut self) -> Result<Option<Type<'a>>, Error> {
        let length = match self.rest.first().map(|first| Marker::from_u8(*first)) {
            Some(Marker::Bin8) => self.take(1).and_then(|_| self.length::<1>())?,
            Some(Marker::Bin16) => self.take(1).and_then(|_| self.length::<2>())?,
            Some(Marker::Bin32) => self.take(1).and_then(|_| self.length::<4>())?,
            _ => return Ok(None),
        };
        let text = self.text(length)?;
        let of =
            json::parse(text, self.arena).map_err(|error| fault(&format!("a type is not JSON: {error}")))?;
        Ok(Some(cty_type(of, self.arena)))
    }

    fn members(&mut self, length: usize, position: Position<'a>, depth: usize) -> Result<Node<'a>, Error> {
        let mut members =
            bumpalo::collections::Vec::with_capacity_in(length.min(self.rest.len()), self.arena);
        for _ in 0..length {
            let Node::Leaf(Value::String(key)) = self.value(Position::Unspecified, depth + 1)? else {
                return Err(fault("a key is not a string"));
            };
            members.push((key, self.value(position.member(key), depth + 1)?));
        }
        crate::sort::by_key(&mut members, |(key, _)| *key);
        Ok(Node::Members(members.into_bump_slice()))
    }
}

/// A number as it is written in the file.
pub(super) fn number(text: &str) -> Result<Node<'_>, Error> {
    let is_number = json::parse(text, &Bump::new()).is_ok_and(|value| matches!(value, Value::Number(_)));
    if is_number && text.trim() == text {
        Ok(Node::Leaf(Value::Number(text)))
    } else {
        Err(fault("a number is not one"))
    }
}

fn is_number(position: Position<'_>) -> bool {
    position.value_type() == Some(Type::Number)
}
