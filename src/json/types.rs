//! The strings and maps of the models. Strings borrow from the text that they were read from.
//!
//! Invariant: the values that a model skips were checked, so that a damaged document is an error wherever the damage
//! is.

use std::borrow::{Borrow, Cow};
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// A string that borrows from the input, unless it contains escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Str<'a>(#[serde(borrow)] pub Cow<'a, str>);

impl Deref for Str<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Str<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Str<'a> {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

/// An object that is used as a map, sorted by name. A name that occurs twice is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pairs<'a, T>(pub BTreeMap<Str<'a>, T>);

impl<T> Default for Pairs<'_, T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'a, T> Deref for Pairs<'a, T> {
    type Target = BTreeMap<Str<'a>, T>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Pairs<'a, T> {
    /// Reads an object as pairs, sorted by name. A name that occurs twice is an error.
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Map<T> {
            type Value = Pairs<'de, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = BTreeMap::new();
                while let Some(name) = map.next_key::<Str<'de>>()? {
                    match pairs.entry(name) {
                        btree_map::Entry::Vacant(place) => place.insert(map.next_value()?),
                        btree_map::Entry::Occupied(_) => {
                            // The reader adds the name, because serde accepts only names of struct fields for this
                            // error.
                            return Err(de::Error::duplicate_field(""));
                        }
                    };
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Map(PhantomData))
    }
}
