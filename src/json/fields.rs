//! Field types for models: text that is parsed on demand ([`Raw`]), borrowed strings ([`Str`]) and
//! objects used as maps ([`Pairs`]).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use bumpalo::Bump;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer, ser};
use serde_json::value::RawValue;

use super::de::from_str;
use super::parse::parse_unique;
use super::{Error, Value, parse};

/// The text of one value, checked but not yet parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The value with this text, which a reader has checked.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The value's text.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// Parses the value. The text was checked when the document was read, so this does not fail for a
    /// `Raw` that was read from a document.
    pub fn value(self, arena: &'a Bump) -> Result<Value<'a>, Error> {
        parse(self.0, arena)
    }

    /// Parses a value; null if there is none.
    pub fn value_or_null(raw: Option<Self>, arena: &'a Bump) -> Result<Value<'a>, Error> {
        raw.map_or(Ok(Value::Null), |raw| raw.value(arena))
    }

    /// Parses a tree of marks; null if there is none. In values, the last of several equal members wins as in
    /// Go. In marks they decide what is shown, so a member that occurs twice is an error.
    pub fn marks_or_null(raw: Option<Self>, arena: &'a Bump) -> Result<Value<'a>, Error> {
        raw.map_or(Ok(Value::Null), |raw| parse_unique(raw.0, arena))
    }

    /// Deserializes the value. Offsets in errors are relative to the start of the value.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, Error> {
        from_str(self.0)
    }
}

impl fmt::Debug for Raw<'_> {
    // Values may be sensitive: `Debug` output of a model must not contain them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raw({} bytes)", self.0.len())
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(self.0).map_err(ser::Error::custom)?.serialize(serializer)
    }
}

/// The newtype name that asks the deserializer for the text of a value.
pub(super) const RAW: &str = "$tfview::Raw";

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Raw<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Raw<'de>, E> {
                Ok(Raw(text))
            }
        }
        deserializer.deserialize_newtype_struct(RAW, Text)
    }
}

/// A string that borrows from the input unless it contains escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Str<'a>(pub Cow<'a, str>);

impl Deref for Str<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Str<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Str<'de>, E> {
                Ok(Str(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Str<'de>, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
            fn visit_string<E>(self, text: String) -> Result<Str<'de>, E> {
                Ok(Str(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// The name that asks the deserializer for the name of the member of a map that occurs twice.
pub(super) const IN_A_MAP: &str = "";

/// An object used as a map, sorted by key. A key that occurs twice is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs<'a, T>(Vec<(Str<'a>, T)>);

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> Pairs<'a, T> {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.binary_search_by(|(name, _)| (**name).cmp(key)).ok().map(|at| &self.0[at].1)
    }

    /// The members themselves.
    pub fn into_pairs(self) -> Vec<(Str<'a>, T)> {
        self.0
    }
}

impl<'a, T> From<BTreeMap<Str<'a>, T>> for Pairs<'a, T> {
    fn from(members: BTreeMap<Str<'a>, T>) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, member)| (name, member)))
    }
}

impl<'a, T> Deref for Pairs<'a, T> {
    type Target = [(Str<'a>, T)];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Pairs<'a, T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Pairs<'de, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Str<'de>, T)> = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                crate::sort::by(&mut pairs, |a, b| a.0.cmp(&b.0));
                if pairs.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                    // The reader finds its name, which serde does not take from a map.
                    return Err(de::Error::duplicate_field(IN_A_MAP));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}
