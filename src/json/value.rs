//! A JSON value borrowed from the input.
//!
//! Invariants: numbers keep the text they were written with; an object's members are sorted by
//! key (bytewise) and unique, the last of several equal keys having won, as in Go's decoder; all
//! slices live in the input or in the arena, so that a value is `Copy` and dropping it is free.

use std::cmp::Ordering;

/// One JSON value. 24 bytes, `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Value<'a> {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as the text that the input has for it. Equality is equality of that text.
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

    /// The member called `key`.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        if self.0.len() <= 8 {
            return self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        }
        self.0.binary_search_by(|(name, _)| (*name).cmp(key)).ok().map(|at| self.0[at].1)
    }

    /// A walk through the members, for keys that are asked for in order.
    pub fn walk(self) -> Walk<'a> {
        Walk(self.0)
    }

    /// Members in order of their keys.
    pub fn members(self) -> &'a [(&'a str, Value<'a>)] {
        self.0
    }
}

/// What is left of an object's members. Each member is passed once, where a search for each key would
/// go all over a large object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk<'a>(&'a [(&'a str, Value<'a>)]);

impl<'a> Walk<'a> {
    /// The member called `key`, which comes after all keys that were asked for before.
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

    /// The member `key` of an object; `None` for anything else.
    pub fn get(self, key: &str) -> Option<Self> {
        self.as_object()?.get(key)
    }
}
