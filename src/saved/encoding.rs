//! The two encodings in a saved plan: messages of protocol buffers, and values in MessagePack.
//!
//! Fields of messages are named by their numbers in `planfile.proto` and `tfschemas.proto` of the tools,
//! which are never reused. As in other readers, the last field of a number counts unless it is repeated, and
//! one of another type is none.
//!
//! In the MessagePack of cty values, unknown values are extensions; a number without an equal binary number
//! is a string; a value of dynamic type is an array of its type, as a binary, and the value.
//!
//! Invariants: nothing is allocated for more elements than there are bytes left; values nest at most
//! [`MAX_DEPTH`] deep.

use bumpalo::Bump;
use rmp::{Marker, decode};

use super::Error;
use super::value::Node;
use crate::json::{self, MAX_DEPTH, Value};
use crate::schema::{Position, Type, cty_type};

/// The maximum depth of messages.
const MAX_MESSAGE_DEPTH: u8 = 100;

pub(super) struct Message<'a> {
    fields: Vec<(u64, Field<'a>)>,
    depth: u8,
}

#[derive(Clone, Copy)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Message<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::at_depth(bytes, 0)
    }

    fn at_depth(bytes: &'a [u8], depth: u8) -> Result<Self, Error> {
        if depth > MAX_MESSAGE_DEPTH {
            return Err(Error::malformed("", "messages are nested too deep"));
        }
        let (mut rest, mut fields) = (bytes, Vec::new());
        while !rest.is_empty() {
            let field = field(&mut rest);
            fields.push(
                field.ok_or_else(|| Error::malformed("", "a message is damaged or truncated"))?,
            );
        }
        Ok(Self { fields, depth })
    }

    fn all(&self, number: u64) -> impl DoubleEndedIterator<Item = Field<'a>> {
        self.fields
            .iter()
            .filter(move |(found, _)| *found == number)
            .map(|(_, field)| *field)
    }

    fn all_bytes(&self, number: u64) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        self.all(number).filter_map(|field| {
            if let Field::Bytes(bytes) = field {
                Some(bytes)
            } else {
                None
            }
        })
    }

    pub(super) fn number(&self, number: u64) -> u64 {
        let mut all = self.all(number).rev();
        all.find_map(|field| {
            if let Field::Number(found) = field {
                Some(found)
            } else {
                None
            }
        })
        .unwrap_or(0)
    }

    pub(super) fn flag(&self, number: u64) -> bool {
        self.number(number) != 0
    }

    /// A name of a closed set, the first of which is 0.
    pub(super) fn name<T: Copy>(&self, number: u64, names: &[T], what: &str) -> Result<T, Error> {
        let found = self.number(number);
        let name = usize::try_from(found)
            .ok()
            .and_then(|at| names.get(at))
            .copied();
        name.ok_or_else(|| {
            Error::malformed("", format!("{what} {found} is not known; update tfview"))
        })
    }

    pub(super) fn bytes(&self, number: u64) -> &'a [u8] {
        self.all_bytes(number).next_back().unwrap_or_default()
    }

    pub(super) fn text(&self, number: u64) -> Result<&'a str, Error> {
        text(self.bytes(number))
    }

    pub(super) fn texts(&self, number: u64) -> Result<Vec<&'a str>, Error> {
        self.all_bytes(number).map(text).collect()
    }

    pub(super) fn message(&self, number: u64) -> Result<Option<Self>, Error> {
        let last = self.all_bytes(number).next_back();
        last.map(|bytes| Self::at_depth(bytes, self.depth + 1))
            .transpose()
    }

    pub(super) fn required(&self, number: u64, what: &str) -> Result<Self, Error> {
        self.message(number)?
            .ok_or_else(|| Error::malformed("", format!("{what} is incomplete")))
    }

    pub(super) fn messages(&self, number: u64) -> Result<Vec<Self>, Error> {
        self.all_bytes(number)
            .map(|bytes| Self::at_depth(bytes, self.depth + 1))
            .collect()
    }
}

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::malformed("", "a text is not UTF-8"))
}

fn field<'a>(rest: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let tag = varint(rest)?;
    let length = match tag & 7 {
        0 => return Some((tag >> 3, Field::Number(varint(rest)?))),
        1 => 8,
        2 => varint(rest)?,
        5 => 4,
        _ => return None,
    };
    let (bytes, left) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = left;
    // Plans have no numbers of fixed length.
    Some((
        tag >> 3,
        Field::Bytes(if tag & 7 == 2 { bytes } else { &[] }),
    ))
}

/// Groups of 7 bits, the lowest first.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for at in 0..10 {
        let (byte, left) = rest.split_first()?;
        *rest = left;
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

pub(super) fn read_value<'a>(
    bytes: &'a [u8],
    position: Position<'a>,
    arena: &'a Bump,
) -> Result<Node<'a>, Error> {
    let mut reader = Reader { rest: bytes, arena };
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

struct Reader<'a> {
    rest: &'a [u8],
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

    fn value(&mut self, position: Position<'a>, depth: usize) -> Result<Node<'a>, Error> {
        if depth > MAX_DEPTH {
            return Err(fault(&format!(
                "values are nested more than {MAX_DEPTH} deep"
            )));
        }
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
                // A number may be written as a string.
                match position.value_type() {
                    Some(Type::Number) if is_number(text) => Ok(Node::Leaf(Value::Number(text))),
                    Some(Type::Number) => Err(fault("a number is not one")),
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
            // An unknown value. What else is known of it is not shown.
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
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => Err(fault("a type without a value")),
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

    /// Nothing is allocated for more items than there are bytes.
    fn list<T>(&self, length: u32) -> bumpalo::collections::Vec<'a, T> {
        let length = usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(self.rest.len());
        bumpalo::collections::Vec::with_capacity_in(length, self.arena)
    }

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
        Ok(Node::Members(members.into_bump_slice()))
    }
}

pub(super) fn is_number(text: &str) -> bool {
    let is_number =
        json::parse(text, &Bump::new()).is_ok_and(|value| matches!(value, Value::Number(_)));
    is_number && text.trim() == text
}
