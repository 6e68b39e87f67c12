//! The serde deserializer over [`Reader`].
//!
//! Models of documents derive `Deserialize`, and the values in them remain text. As in Go's decoder, `null` counts as
//! absent, and unknown members are skipped, but checked. In one rule, models are stricter: a member that occurs twice
//! is an error, because either of the two may decide what is destroyed or shown. So is a member whose name differs from
//! a known one only in the case of letters. In values, the last of equal members wins, as in Go.

use serde::Deserialize;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Expected, MapAccess, SeqAccess, Unexpected, Visitor};

use super::reader::{RawString, resolve_escapes};
use super::{Error, ErrorKind, Reader};

/// The name by which [`Raw`](super::Raw) requests the text of a value from the deserializer.
const RAW: &str = "$tfview::Raw";

/// Deserializes a document.
///
/// # Errors
/// Returns an error if the text is not valid JSON, does not fit the model, or has more text after the value.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    let mut reader = Reader::new(text);
    let result = T::deserialize(&mut reader);
    ended(reader, result)
}

/// Deserializes a document into `place`, which keeps the parts that were read if there is an error. Nothing is moved,
/// because the model of messages is large.
///
/// # Errors
/// Returns the same errors as `from_str`.
pub fn read_into<'a, T: Deserialize<'a>>(text: &'a str, place: &mut T) -> Result<(), Error> {
    let mut reader = Reader::new(text);
    let result = T::deserialize_in_place(&mut reader, place);
    ended(reader, result)
}

/// Checks that nothing follows the value. The offset of an error is at most the position of the reader.
#[inline]
fn ended<T>(mut reader: Reader<'_>, mut result: Result<T, Error>) -> Result<T, Error> {
    match &mut result {
        Ok(_) => reader.end()?,
        Err(error) => error.offset = error.offset.min(reader.pos()),
    }
    result
}

impl<'de> Reader<'de> {
    /// Reads an object. `names` are the names of a struct's members; `None` for a map.
    fn visit_object<V: Visitor<'de>>(
        &mut self,
        names: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let result = visitor.visit_map(Members {
            reader: self,
            is_first: true,
            names,
            seen: 0,
            last: 0,
        });
        result.map_err(|error| self.with_name(error))
    }

    /// Adds the name and position of a member to the error that it occurs twice. Other errors are returned unchanged.
    #[cold]
    fn with_name(&self, error: Error) -> Error {
        if error.offset != usize::MAX || !matches!(error.kind, ErrorKind::Duplicate(_)) {
            return error;
        }
        let name = self
            .at_name()
            .key()
            .map(|name| name.resolved().into_owned());
        Error {
            kind: ErrorKind::Duplicate(name.unwrap_or_default()),
            offset: self.pos(),
        }
    }

    /// Fails because the next value has another type than expected. The error names its type, never its content.
    #[cold]
    fn mismatch<T>(&mut self, expected: &dyn Expected) -> Result<T, Error> {
        let unexpected = match self.peek() {
            Some(b'"') => Unexpected::Str(""),
            Some(b'{') => Unexpected::Map,
            Some(b'[') => Unexpected::Seq,
            Some(b't' | b'f') => Unexpected::Bool(true),
            Some(b'n') => Unexpected::Unit,
            Some(b'-' | b'0'..=b'9') => Unexpected::Unsigned(0),
            _ => return self.fail(ErrorKind::Expected("a value")),
        };
        Err(Error {
            offset: self.pos(),
            ..de::Error::invalid_type(unexpected, expected)
        })
    }
}

/// The members of an object, as they are read.
struct Members<'r, 'de> {
    /// The reader, which is at the next member.
    reader: &'r mut Reader<'de>,
    /// Whether no member was read yet, so that the next one has no comma before it.
    is_first: bool,
    /// The names of the members of a derived struct, in which a `null` member counts as absent; `None` for a map.
    names: Option<&'static [&'static str]>,
    /// The members of a struct that were read so far, as bits by their index in `names`. This includes those that are
    /// `null`, which the model does not see.
    seen: u64,
    /// The index in `names` of the last member. Most documents have their members in the same order.
    last: usize,
}

impl<'de> Members<'_, 'de> {
    /// Reads the name of the next member. This is not generic, so that it is compiled once instead of for each model:
    /// most of the time of reading messages is spent on names.
    fn next_name(&mut self) -> Result<Option<RawString<'de>>, Error> {
        match (self.any_name()?, self.names) {
            (Some(name), Some(names)) => self.present_name(names, name),
            (name, _) => Ok(name),
        }
    }

    #[inline(always)]
    /// Reads the name of the next member, even if its value is `null`.
    fn any_name(&mut self) -> Result<Option<RawString<'de>>, Error> {
        if self.reader.next_part(&mut self.is_first, b'}')? {
            self.reader.key().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns the name of the current member of a struct, or of the next one that is not `null`.
    #[inline(never)]
    fn present_name(
        &mut self,
        names: &'static [&'static str],
        name: RawString<'de>,
    ) -> Result<Option<RawString<'de>>, Error> {
        let mut next = Some(name);
        while let Some(name) = next {
            self.note_member(names, name)?;
            if self.reader.peek() != Some(b'n') {
                break;
            }
            self.reader.skip()?;
            next = self.any_name()?;
        }
        Ok(next)
    }

    /// Records a member of a struct. It is an error if the member occurs twice, or its name differs from a known one
    /// only in case.
    #[inline]
    fn note_member(
        &mut self,
        names: &'static [&'static str],
        name: RawString<'de>,
    ) -> Result<(), Error> {
        let index = match name {
            RawString::Plain(text) => index_of(names, self.last, text),
            RawString::Escaped(text) => index_of(names, self.last, &resolve_escapes(text)),
        };
        let Some(index) = index else {
            return refuse_variant(names, name);
        };
        let bit = u32::try_from(index)
            .ok()
            .and_then(|index| 1_u64.checked_shl(index))
            .unwrap_or(0);
        if self.seen & bit != 0 {
            return Err(de::Error::duplicate_field(""));
        }
        self.seen |= bit;
        self.last = index;
        Ok(())
    }
}

/// Returns an error if an unknown name differs from a known one only in the case of letters. Go's decoder treats such
/// names as equal, and a plan whose `Resource_Changes` were skipped would pass every gate.
fn refuse_variant(names: &[&str], name: RawString<'_>) -> Result<(), Error> {
    let text = name.resolved();
    let is_variant = |known: &&&str| {
        if text.is_ascii() {
            known.eq_ignore_ascii_case(&text)
        } else {
            known.chars().map(fold).eq(text.chars().map(fold))
        }
    };
    match names.iter().find(is_variant) {
        Some(known) => Err(de::Error::custom(format_args!(
            "the member `{text}`, which tools may read as `{known}`, is written with other letters"
        ))),
        None => Ok(()),
    }
}

/// Folds a letter as Go's decoder does: besides ASCII, two letters fold to an ASCII one.
fn fold(c: char) -> char {
    match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    }
}

/// Returns the index of a name. The search begins at `start`.
fn index_of(names: &[&str], start: usize, name: &str) -> Option<usize> {
    let (before, after) = names.split_at(start);
    let is_it = |known: &&str| *known == name;
    after
        .iter()
        .position(is_it)
        .map(|index| start + index)
        .or_else(|| before.iter().position(is_it))
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        match self.next_name()? {
            Some(name) => seed.deserialize(Text(name)).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(&mut *self.reader)
    }
}

/// The elements of an array, as they are read.
struct Elements<'r, 'de> {
    reader: &'r mut Reader<'de>,
    is_first: bool,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if !self.reader.next_part(&mut self.is_first, b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

/// Sets the offset of an error to `start`, unless it has one.
fn type_error_at(start: usize, error: Error) -> Error {
    Error {
        offset: if error.offset == usize::MAX {
            start
        } else {
            error.offset
        },
        ..error
    }
}

/// A deserializer of a string or name that was read.
struct Text<'de>(RawString<'de>);

impl<'de> de::Deserializer<'de> for Text<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            RawString::Plain(text) => visitor.visit_borrowed_str(text),
            RawString::Escaped(text) => visitor.visit_string(resolve_escapes(text)),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    /// Reads a value of any type, for models that accept several types. A number that fits no integer type becomes a
    /// floating-point number.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let first = self.peek();
        let start = self.pos();
        let result = match first {
            Some(b'"') => return self.deserialize_str(visitor),
            Some(b'{') => self.visit_object(None, visitor),
            Some(b'[') => visitor.visit_seq(Elements {
                reader: self,
                is_first: true,
            }),
            first => {
                let text = self.skip()?;
                if let Some(b't' | b'f') = first {
                    visitor.visit_bool(first == Some(b't'))
                } else if first == Some(b'n') {
                    visitor.visit_unit()
                } else if let Ok(number) = text.parse() {
                    visitor.visit_u64(number)
                } else if let Ok(number) = text.parse() {
                    visitor.visit_i64(number)
                } else {
                    visitor.visit_f64(text.parse().unwrap_or(f64::NAN))
                }
            }
        };
        result.map_err(|error| type_error_at(start, error))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'{') => self.visit_object(None, visitor),
            _ => self.mismatch(&visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'[') => visitor.visit_seq(Elements {
                reader: self,
                is_first: true,
            }),
            _ => self.mismatch(&visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() != Some(b'"') {
            return self.mismatch(&visitor);
        }
        let start = self.pos();
        Text(self.string()?)
            .deserialize_any(visitor)
            .map_err(|error| type_error_at(start, error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() == Some(b'n') {
            self.skip()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == RAW {
            return visitor.visit_newtype_struct(BorrowedStrDeserializer::new(self.skip()?));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'{') => self.visit_object(Some(names), visitor),
            // Derived structs would also accept an array, and fill their fields from its elements in order.
            _ => self.mismatch(&visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip()?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf unit unit_struct
        tuple tuple_struct enum identifier
    }
}

#[cfg(test)]
mod tests;
