//! The serde deserializer over [`Reader`]. Models of documents derive `Deserialize`; their payloads
//! stay text ([`Raw`](super::Raw)).
//!
//! Every derived struct follows the rules of Go's decoder: `null` counts as absent, unknown members are
//! skipped (but checked), and the last of several equal members wins. The last rule takes a second pass
//! over every object, so a text is first read without it, and read again only if a member occurs twice.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::fields::RAW;
use super::parse::resolve_escapes;
use super::reader::RawString;
use super::{Error, ErrorKind, Reader};

/// Deserializes a whole JSON text. If a member occurs twice, the last one wins.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    let mut reader = Reader::new(text);
    match read(reader.clone()) {
        Err(Error { kind: ErrorKind::Duplicate, .. }) => {
            reader.last_wins = true;
            read(reader)
        }
        result => result,
    }
}

/// Deserializes without the rule for duplicates: fails with [`ErrorKind::Duplicate`] if a member of the
/// model occurs twice, unless `last_wins` is set.
fn read<'a, T: Deserialize<'a>>(mut reader: Reader<'a>) -> Result<T, Error> {
    let value = T::deserialize(&mut reader).map_err(|mut error| {
        error.offset = error.offset.min(reader.pos());
        error
    })?;
    reader.end()?;
    Ok(value)
}

impl<'de> Reader<'de> {
    #[inline]
    fn visit_text<V: Visitor<'de>>(raw: RawString<'de>, visitor: V) -> Result<V::Value, Error> {
        if raw.escaped {
            visitor.visit_string(resolve_escapes(raw.text))
        } else {
            visitor.visit_borrowed_str(raw.text)
        }
    }

    fn visit_object<V: Visitor<'de>>(&mut self, fields: Fields, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let done = self.open(b'}')?;
        let members = if self.last_wins && !done { Some(self.last_members()?) } else { None };
        let result = visitor.visit_map(Members { reader: self, done, fields, members, first: true })?;
        self.leave();
        Ok(result)
    }

    /// The positions of the last member of each name, in reverse order of position; the first entry is the
    /// end of the object. The cursor is on the first member, and moves to the end of the object.
    fn last_members(&mut self) -> Result<Vec<usize>, Error> {
        let mut seen: Vec<(Cow<'de, str>, usize)> = Vec::new();
        loop {
            let at = self.pos();
            let key = self.key()?;
            let key =
                if key.escaped { Cow::Owned(resolve_escapes(key.text)) } else { Cow::Borrowed(key.text) };
            self.skip()?;
            seen.push((key, at));
            if !self.more(b'}', "`,` or `}` after a member")? {
                break;
            }
        }
        let end = self.pos();
        seen.reverse();
        seen.sort_by(|a, b| a.0.cmp(&b.0));
        seen.dedup_by(|next, kept| next.0 == kept.0);
        let mut at: Vec<usize> = seen.into_iter().map(|(_, at)| at).collect();
        at.push(end);
        at.sort_unstable();
        at.reverse();
        Ok(at)
    }
}

#[derive(Clone, Copy)]
enum Fields {
    /// A derived struct: a `null` member counts as absent.
    Struct,
    /// A map: `null` members are kept.
    Map,
}

struct Members<'r, 'de> {
    reader: &'r mut Reader<'de>,
    done: bool,
    fields: Fields,
    members: Option<Vec<usize>>,
    first: bool,
}

impl<'de> Members<'_, 'de> {
    /// Moves past the name of the next member that is not skipped. Not generic, so that it is compiled
    /// once instead of for each model: reading messages spends most of its time on names.
    fn next_name(&mut self) -> Result<Option<RawString<'de>>, Error> {
        while self.advance()? {
            let name = self.reader.key()?;
            match self.fields {
                Fields::Struct if self.reader.peek() == Some(b'n') => self.reader.literal("null")?,
                Fields::Struct | Fields::Map => return Ok(Some(name)),
            }
        }
        Ok(None)
    }

    /// Moves to the next member's name; false at the end.
    #[inline]
    fn advance(&mut self) -> Result<bool, Error> {
        if self.done {
            return Ok(false);
        }
        if self.members.is_some() {
            return Ok(self.seek_next());
        }
        if !self.first && !self.reader.more(b'}', "`,` or `}` after a member")? {
            self.done = true;
            return Ok(false);
        }
        self.first = false;
        Ok(true)
    }

    /// Moves to the next member that is the last of its name.
    #[cold]
    fn seek_next(&mut self) -> bool {
        let members = self.members.as_mut();
        let (at, last) = members.map_or((None, true), |members| (members.pop(), members.is_empty()));
        self.reader.seek(at.unwrap_or(self.reader.pos()));
        self.done = last;
        !last
    }
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
        let start = {
            self.peek();
            self.pos()
        };
        let result = match self.peek() {
            Some(b'"') => {
                let raw = self.string()?;
                Reader::visit_text(raw, visitor)
            }
            Some(b'{') => self.visit_object(Fields::Map, visitor),
            Some(b'[') => {
                self.enter()?;
                let done = self.open(b']')?;
                let result = visitor.visit_seq(Elements { reader: self, done, first: true })?;
                self.leave();
                Ok(result)
            }
            Some(b't') => self.literal("true").and_then(|()| visitor.visit_bool(true)),
            Some(b'f') => self.literal("false").and_then(|()| visitor.visit_bool(false)),
            Some(b'n') => self.literal("null").and_then(|()| visitor.visit_unit()),
            Some(b'-' | b'0'..=b'9') => {
                let text = self.number()?;
                if let Ok(number) = text.parse::<u64>() {
                    visitor.visit_u64(number)
                } else if let Ok(number) = text.parse::<i64>() {
                    visitor.visit_i64(number)
                } else {
                    visitor.visit_f64(text.parse().unwrap_or(f64::NAN))
                }
            }
            _ => self.fail(ErrorKind::Expected("a value")),
        };
        // A type error is reported at the start of the value.
        result.map_err(|error| Error {
            offset: error.offset.min(if error.offset == usize::MAX { start } else { error.offset }),
            ..error
        })
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
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.peek() {
            Some(b'{') => self.visit_object(Fields::Struct, visitor),
            // Derived structs would accept an array and fill their fields from its elements in order.
            Some(b'[') => {
                let error: Error = de::Error::invalid_type(de::Unexpected::Seq, &visitor);
                Err(Error { offset: self.pos(), ..error })
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.skip()?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map enum identifier
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
        let model: Model<'_> = from_str(r#"{"name":"a","count":null,"raw":[1, {"x":2}],"other":{"deep":[1]},"name":"b","map":{"b":true,"a":false,"b":false}}"#).unwrap();
        assert_eq!(&*model.name, "b");
        assert_eq!(model.count, 0);
        assert_eq!(model.raw.unwrap().text(), r#"[1, {"x":2}]"#);
        assert_eq!(model.map.get("b"), Some(&false));
    }

    #[test]
    fn a_wrong_type_is_found_where_it_begins() {
        let error = from_str::<Model<'_>>(r#"{"name": "a", "count": "five"}"#).unwrap_err();
        assert_eq!(error.offset, 23);
        assert_eq!(error.to_string(), "expected u64, found a string");
    }
}
