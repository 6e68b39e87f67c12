//! A JSON value borrowed from the input.
//!
//! Invariants: numbers keep the text they were written with. An object's members are sorted by key
//! (bytewise) and unique; of several equal keys the last one is kept, as in Go's decoder. All slices
//! point into the input or the arena, so values are `Copy` and need no drop.

use std::cmp::Ordering;

use bumpalo::Bump;
use serde::{Serialize, Serializer};

use super::Raw;

/// One JSON value. 24 bytes, `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Value<'a> {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written in the input. Two numbers are equal if their texts are equal.
    Number(&'a str),
    /// A string, with its escapes resolved.
    String(&'a str),
    /// An array.
    Array(&'a [Self]),
    /// An object.
    Object(Object<'a>),
}

/// An object's members, sorted by key and unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Object<'a>(pub(super) &'a [(&'a str, Value<'a>)]);

impl<'a> Object<'a> {
    /// An object of members that are already sorted by key and unique.
    pub fn from_sorted(members: &'a [(&'a str, Value<'a>)]) -> Self {
        debug_assert!(members.windows(2).all(|pair| pair[0].0 < pair[1].0));
        Self(members)
    }

    /// An object of these members. Of equal names the last one wins.
    pub fn from_members(mut members: Vec<(&'a str, Value<'a>)>, arena: &'a Bump) -> Self {
        members.reverse();
        crate::sort::by_key(&mut members, |(name, _)| *name);
        members.dedup_by_key(|(name, _)| *name);
        Self(arena.alloc_slice_copy(&members))
    }

    /// The member called `key`.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        if self.0.len() <= 8 {
            return self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        }
        self.0.binary_search_by(|(name, _)| (*name).cmp(key)).ok().map(|at| self.0[at].1)
    }

    /// A cursor over the members, for lookups in ascending key order.
    pub fn walk(self) -> Walk<'a> {
        Walk(self.0)
    }

    /// The members, sorted by key.
    pub fn members(self) -> &'a [(&'a str, Value<'a>)] {
        self.0
    }
}

/// A cursor over an object's members. Lookups in ascending order visit each member once; separate
/// binary searches would jump around in a large object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk<'a>(&'a [(&'a str, Value<'a>)]);

impl<'a> Walk<'a> {
    /// The member called `key`. Keys must be looked up in ascending order.
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
    /// Whether this is `null`.
    pub fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text of a string.
    pub fn as_str(self) -> Option<&'a str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The elements of an array.
    pub fn as_array(self) -> Option<&'a [Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    /// The members of an object.
    pub fn as_object(self) -> Option<Object<'a>> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// The elements of an array, or the members of an object.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let members = self.as_object().unwrap_or_default().members().iter().map(|(_, member)| *member);
        self.as_array().unwrap_or_default().iter().copied().chain(members)
    }

    /// The member `key` of an object; `None` for anything else.
    pub fn get(self, key: &str) -> Option<Self> {
        self.as_object()?.get(key)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => serialize_number(text, serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(*items),
            Self::Object(object) => {
                serializer.collect_map(object.members().iter().map(|(name, member)| (*name, member)))
            }
        }
    }
}

/// Serializes the text of a number unchanged; conversion to a floating-point number would lose digits.
pub fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Raw::new(text).serialize(serializer)
}
