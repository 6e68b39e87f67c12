//! The serde deserializer over [`Reader`]. Models of documents derive `Deserialize`; their payloads
//! stay text ([`Raw`](super::Raw)).
//!
//! Every derived struct follows the rules of Go's decoder: `null` counts as absent, and unknown members are
//! skipped (but checked). In one rule it is stricter: a member of a model that occurs twice is an error,
//! because either of them may decide what is destroyed or shown; so is one whose name differs in its letters'
//! case, which Go's decoder would read. In values, the last one wins as in Go.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Expected, MapAccess, SeqAccess, Visitor};

use super::fields::{IN_A_MAP, RAW};
use super::parse::resolve_escapes;
use super::reader::RawString;
use super::{Error, ErrorKind, Reader};

/// Deserializes a whole JSON text. If a member occurs twice, the last one wins.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    read(Reader::new(text))
}

/// Deserializes a whole JSON text into `place`, which keeps parts of the text if there is an error. Nothing is moved:
/// the model of messages is large.
pub fn read_into<'a, T: Deserialize<'a>>(text: &'a str, place: &mut T) -> Result<(), Error> {
    let mut reader = Reader::new(text);
    let result = T::deserialize_in_place(&mut reader, place);
    ended(reader, result)
}

/// Deserializes the text of `reader` up to its end.
pub(super) fn read<'a, T: Deserialize<'a>>(mut reader: Reader<'a>) -> Result<T, Error> {
    let result = T::deserialize(&mut reader);
    ended(reader, result)
}

/// The result, if the text ends behind it. Models are large, so the result is not moved.
#[inline]
fn ended<T>(mut reader: Reader<'_>, mut result: Result<T, Error>) -> Result<T, Error> {
    match &mut result {
        Ok(_) => reader.end()?,
        Err(error) => error.offset = error.offset.min(reader.pos()),
    }
    result
}

impl<'de> Reader<'de> {
    #[inline]
    fn visit_text<V: Visitor<'de>>(raw: RawString<'de>, visitor: V) -> Result<V::Value, Error> {
        if raw.is_escaped() {
            visitor.visit_string(resolve_escapes(raw.text))
        } else {
            visitor.visit_borrowed_str(raw.text)
        }
    }

    fn visit_array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let done = self.open(b']')?;
        let result = visitor.visit_seq(Elements { reader: self, done, first: true })?;
        self.leave();
        Ok(result)
    }

    fn visit_object<V: Visitor<'de>>(&mut self, fields: Fields, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let done = self.open(b'}')?;
        let members = self.pos();
        let result = visitor.visit_map(Members { reader: self, done, fields, seen: 0, last: 0, first: true });
        let result = result.map_err(|error| self.error_in_object(members, error))?;
        self.leave();
        Ok(result)
    }

    /// Adds a position to an error in an object. `members` is the offset of its first member.
    #[cold]
    fn error_in_object(&self, members: usize, error: Error) -> Error {
        let ErrorKind::Duplicate(name) = &error.kind else { return error };
        if error.offset == usize::MAX && **name == *IN_A_MAP {
            return self.duplicate(members);
        }
        // The cursor is behind the name of the second member.
        Error { offset: error.offset.min(self.pos()), ..error }
    }

    /// Moves past a value without parts. Stops before the elements and members of others. Not generic, so that it
    /// is compiled once.
    fn token(&mut self) -> Result<Token<'de>, Error> {
        Ok(match self.peek() {
            Some(b'"') => Token::Text(self.string()?),
            Some(b'{') => Token::Object,
            Some(b'[') => Token::Array,
            Some(b't') => {
                self.literal("true")?;
                Token::Bool(true)
            }
            Some(b'f') => {
                self.literal("false")?;
                Token::Bool(false)
            }
            Some(b'n') => {
                self.literal("null")?;
                Token::Null
            }
            Some(b'-' | b'0'..=b'9') => {
                let text = self.number()?;
                if let Ok(number) = text.parse() {
                    Token::Unsigned(number)
                } else if let Ok(number) = text.parse() {
                    Token::Signed(number)
                } else {
                    Token::Float(text.parse().unwrap_or(f64::NAN))
                }
            }
            _ => return self.fail(ErrorKind::Expected("a value")),
        })
    }

    /// The error for a value of another type than `expected`.
    #[cold]
    fn mismatch(&mut self, expected: &dyn Expected) -> Error {
        match de::Deserializer::deserialize_any(self, Nothing(expected)) {
            Ok(never) => match never {},
            Err(error) => error,
        }
    }

    /// The error for the first of the members from `start` on whose name occurred before.
    fn duplicate(&self, start: usize) -> Error {
        let mut reader = self.at(start);
        let mut names = HashSet::new();
        // The object was read before, so nothing fails here.
        while let Ok(name) = reader.key() {
            let name = resolve_escapes(name.text);
            if !names.insert(name.clone()) {
                return Error { kind: ErrorKind::Duplicate(name), offset: reader.pos() };
            }
            if reader.skip().is_err() || !reader.more(b'}', "").is_ok_and(|more| more) {
                break;
            }
        }
        Error { kind: ErrorKind::Duplicate(String::new()), offset: start }
    }
}

/// A value without parts, or the kind of one that has them.
enum Token<'de> {
    Text(RawString<'de>),
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Null,
    Array,
    Object,
}

/// Takes no value, so that each one is of another type than was expected.
struct Nothing<'e>(&'e dyn Expected);

impl Visitor<'_> for Nothing<'_> {
    type Value = Infallible;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Copy)]
enum Fields {
    /// A derived struct with members of these names: a `null` member counts as absent.
    Struct(&'static [&'static str]),
    /// A map: `null` members are kept.
    Map,
}

struct Members<'r, 'de> {
    reader: &'r mut Reader<'de>,
    done: bool,
    fields: Fields,
    /// The members of a struct so far, as bits. The model does not see those that are `null`.
    seen: u64,
    /// The position of the last one in the list of names. Documents mostly have them in the same order.
    last: usize,
    first: bool,
}

impl<'de> Members<'_, 'de> {
    /// Moves past the name of the next member that is not skipped. Not generic, so that it is compiled
    /// once instead of for each model: reading messages spends most of its time on names.
    fn next_name(&mut self) -> Result<Option<RawString<'de>>, Error> {
        while self.advance()? {
            let name = self.reader.key()?;
            match self.fields {
                Fields::Struct(names) => {
                    self.note_member(names, name)?;
                    if self.reader.peek() != Some(b'n') {
                        return Ok(Some(name));
                    }
                    self.reader.literal("null")?;
                }
                Fields::Map => return Ok(Some(name)),
            }
        }
        Ok(None)
    }

    /// Records a member of a struct. Fails if there was one of the same name.
    #[inline]
    fn note_member(&mut self, names: &'static [&'static str], name: RawString<'de>) -> Result<(), Error> {
        let at = match name.is_escaped() {
            false => index_of(names, self.last, name.text),
            true => index_of(names, self.last, &name.resolved()),
        };
        let Some(at) = at else { return refuse_variant(names, name) };
        let bit = u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0);
        if self.seen & bit != 0 {
            return Err(de::Error::duplicate_field(names[at]));
        }
        self.seen |= bit;
        self.last = at;
        Ok(())
    }

    /// Moves to the next member's name; false at the end.
    #[inline]
    fn advance(&mut self) -> Result<bool, Error> {
        if self.done {
            return Ok(false);
        }
        if !self.first && !self.reader.more(b'}', "`,` or `}` after a member")? {
            self.done = true;
            return Ok(false);
        }
        self.first = false;
        Ok(true)
    }
}

/// Fails if `name` is one of `names` in other letters. Go's decoder takes them for the same, and a plan whose
/// `Resource_Changes` are skipped would pass every gate.
#[inline(never)]
fn refuse_variant(names: &[&str], name: RawString<'_>) -> Result<(), Error> {
    let text = name.resolved();
    let folded = || text.chars().map(fold);
    match names.iter().find(|known| known.chars().map(fold).eq(folded())) {
        Some(known) => Err(de::Error::custom(format_args!(
            "the member `{known}` is written with other letters, which tools may read as the same"
        ))),
        None => Ok(()),
    }
}

/// The letter that Go's decoder takes a letter for.
fn fold(c: char) -> char {
    match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    }
}

/// The index of `name` in `names`, searched from `start` on.
fn index_of(names: &[&str], start: usize, name: &str) -> Option<usize> {
    let (before, after) = names.split_at(start);
    let is_it = |known: &&str| *known == name;
    after.iter().position(is_it).map(|at| start + at).or_else(|| before.iter().position(is_it))
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.next_name()? {
            Some(name) => seed.deserialize(Key(name)).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(&mut *self.reader)
    }
}

struct Elements<'r, 'de> {
    reader: &'r mut Reader<'de>,
    done: bool,
    first: bool,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if !self.done && !self.first && !self.reader.more(b']', "`,` or `]` after an element")? {
            self.done = true;
        }
        self.first = false;
        if self.done { Ok(None) } else { seed.deserialize(&mut *self.reader).map(Some) }
    }
}

/// A type error, which has no offset, is reported at the start of the value.
fn type_error_at(start: usize, error: Error) -> Error {
    Error { offset: if error.offset == usize::MAX { start } else { error.offset }, ..error }
}

struct Key<'de>(RawString<'de>);

impl<'de> de::Deserializer<'de> for Key<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Reader::visit_text(self.0, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.peek();
        let start = self.pos();
        let result = match self.token()? {
            Token::Text(raw) => Reader::visit_text(raw, visitor),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Unsigned(number) => visitor.visit_u64(number),
            Token::Signed(number) => visitor.visit_i64(number),
            Token::Float(number) => visitor.visit_f64(number),
            Token::Null => visitor.visit_unit(),
            Token::Array => self.visit_array(visitor),
            Token::Object => self.visit_object(Fields::Map, visitor),
        };
        result.map_err(|error| type_error_at(start, error))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'{') => self.visit_object(Fields::Map, visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'[') => self.visit_array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// Most members of messages are strings, for which there is a shorter way.
    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() != Some(b'"') {
            return self.deserialize_any(visitor);
        }
        let start = self.pos();
        let raw = self.string()?;
        Reader::visit_text(raw, visitor).map_err(|error| type_error_at(start, error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek() == Some(b'n') {
            self.literal("null")?;
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
            let text = self.skip()?;
            return visitor.visit_borrowed_str(text);
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
            Some(b'{') => self.visit_object(Fields::Struct(names), visitor),
            // Derived structs would accept an array and fill their fields from its elements in order.
            _ => Err(self.mismatch(&visitor)),
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
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::json::{Pairs, Raw, Str};

    #[derive(Deserialize, Debug, PartialEq, Default)]
    #[serde(default)]
    struct Model<'a> {
        #[serde(borrow)]
        name: Str<'a>,
        count: u64,
        #[serde(borrow)]
        raw: Option<Raw<'a>>,
        #[serde(borrow)]
        map: Pairs<'a, bool>,
    }

    #[test]
    fn go_rules_hold() {
        let model: Model<'_> = from_str(r#"{"name":"a","count":null,"raw":[1, {"x":2}],"other":{"deep":[1],"deep":2},"other":1,"map":{"b":true,"a":false}}"#).unwrap();
        assert_eq!(&*model.name, "a");
        assert_eq!(model.count, 0);
        assert_eq!(model.raw.unwrap().text(), r#"[1, {"x":2}]"#);
        assert_eq!(model.map.get("b"), Some(&true));
    }

    #[test]
    fn member_of_a_model_that_occurs_twice_is_an_error_where_it_is() {
        for (text, second) in [
            (r#"{"name":"a","count":1,"name":"b"}"#, r#""b"}"#),
            (r#"{"name":"a","n\u0061me":"b"}"#, r#""b"}"#),
            (r#"{"name":"a","count":1,"name":null}"#, "null}"),
            (r#"{"count":null,"x":[],"x":1,"count":2}"#, "2}"),
            (r#"{"raw":null,"raw":null}"#, "null}"),
            (r#"{"map":{"a":true,"b":true,"a":false},"count":1}"#, "false}"),
        ] {
            let error = from_str::<Model<'_>>(text).unwrap_err();
            assert!(matches!(error.kind, ErrorKind::Duplicate(_)), "{text}: {error:?}");
            let at = text.rfind(second).unwrap();
            assert!((at - 1..=at).contains(&error.offset), "{text}: {error:?}");
        }
        let error = from_str::<Model<'_>>(r#"{"raw":[],"raw":{}}"#).unwrap_err();
        assert_eq!(error.to_string(), "the member `raw` occurs twice");
    }

    #[test]
    fn member_of_a_model_in_other_letters_is_an_error() {
        for name in ["Name", "NAME", "naM\\u0065", "name\":\"a\",\"MAP"] {
            let error = from_str::<Model<'_>>(&format!("{{\"{name}\":null}}")).unwrap_err();
            assert!(error.to_string().contains("with other letters"), "{name}: {error}");
        }
        assert!(from_str::<Model<'_>>(r#"{"names":1,"map":{"Name":true}}"#).is_ok());
        assert_eq!("re\u{17f}ource\u{212a}".chars().map(fold).collect::<String>(), "resourcek");
    }

    #[test]
    fn a_wrong_type_is_found_where_it_begins() {
        let error = from_str::<Model<'_>>(r#"{"name": "a", "count": "five"}"#).unwrap_err();
        assert_eq!(error.offset, 23);
        assert_eq!(error.to_string(), "expected u64, found a string");
    }
}
