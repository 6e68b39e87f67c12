//! The values of documents, as other programs get them.
//!
//! Numbers are texts, so that no digit is lost. Values that a plan does not know or must not show have their own
//! variants.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json;

/// A value of a document.
///
/// It is displayed as JSON, with `(known after apply)` and `(sensitive value)` for values that are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// Null.
    Null,
    /// A bool.
    Bool(bool),
    /// A number, as it is written in the document, so that no digit is lost.
    Number(String),
    /// A string.
    String(String),
    /// A list, set or tuple.
    List(Vec<Self>),
    /// An object, map or block.
    Object(BTreeMap<String, Self>),
    /// A value that is known after apply.
    Unknown,
    /// A sensitive value, which is left out.
    Sensitive,
}

impl Value {
    /// Returns the text of a string; `None` for other values.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// Returns the elements of a list; `None` for other values.
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// Returns a member of an object; `None` if there is none, or this is another value.
    pub fn get(&self, name: &str) -> Option<&Self> {
        if let Self::Object(members) = self {
            members.get(name)
        } else {
            None
        }
    }
}

impl From<json::Value<'_>> for Value {
    /// Copies a value of a document.
    fn from(value: json::Value<'_>) -> Self {
        match value {
            json::Value::Null => Self::Null,
            json::Value::Bool(value) => Self::Bool(value),
            json::Value::Number(text) => Self::Number(text.to_owned()),
            json::Value::String(text) => Self::String(text.to_owned()),
            json::Value::Array(items) => {
                Self::List(items.iter().map(|item| (*item).into()).collect())
            }
            json::Value::Object(object) => Self::Object(
                object
                    .members()
                    .iter()
                    .map(|(name, member)| ((*name).to_owned(), (*member).into()))
                    .collect(),
            ),
        }
    }
}

#[cfg(feature = "review")]
impl From<crate::diff::value::MarkedValue<'_>> for Value {
    /// Copies a value of a review, whose parts may be unknown or hidden.
    fn from(value: crate::diff::value::MarkedValue<'_>) -> Self {
        use crate::diff::value::Content;
        match value.content {
            Content::Null => Self::Null,
            Content::Unknown => Self::Unknown,
            Content::Redacted => Self::Sensitive,
            Content::Bool(value) => Self::Bool(value),
            Content::Number(text) => Self::Number(text.to_owned()),
            Content::String(text) => Self::String(text.to_owned()),
            Content::Array(items) => Self::List(items.iter().map(|item| (*item).into()).collect()),
            Content::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, member)| ((*name).to_owned(), (*member).into()))
                    .collect(),
            ),
        }
    }
}

impl fmt::Display for Value {
    /// Writes the value as JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let string = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(text) => f.write_str(text),
            Self::String(text) => f.write_str(&string(text)),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (index, (name, member)) in members.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{}: {member}", string(name))?;
                }
                f.write_str("}")
            }
            Self::Unknown => f.write_str("(known after apply)"),
            Self::Sensitive => f.write_str("(sensitive value)"),
        }
    }
}

/// Serializes to JSON, in which unknown and sensitive values are null.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null | Self::Unknown | Self::Sensitive => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // A conversion to a floating-point number would lose digits.
            Self::Number(text) => match RawValue::from_string(text.clone()) {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
            Self::String(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Object(members) => members.serialize(serializer),
        }
    }
}
