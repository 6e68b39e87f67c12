//! Values that remain text until they are needed.
//!
//! Most of a plan consists of values of providers, and most commands do not need most of these.

use std::fmt;

use bumpalo::Bump;
use serde::{Deserialize, Serialize, Serializer};

use super::de::from_str;
use super::value::{parse, parse_unique};
use super::{Error, Value, verbatim};

/// The text of one value, which was checked but not parsed.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename = "$tfview::Raw")]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Creates a value from a text, which must be valid JSON.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// Returns the JSON text of the value as it was written.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// Parses the value.
    ///
    /// # Errors
    /// Returns an error if the text is not valid JSON, which cannot be for a `Raw` that was read from a document.
    pub fn value(self, arena: &'a Bump) -> Result<Value<'a>, Error> {
        parse(self.0, arena)
    }

    /// Parses the value, or returns null if it is missing.
    pub fn value_or_null(raw: Option<Self>, arena: &'a Bump) -> Result<Value<'a>, Error> {
        raw.map_or(Ok(Value::Null), |raw| raw.value(arena))
    }

    /// Parses a tree of marks, or returns null if it is missing. In values, the last of several equal members wins, as
    /// in Go. Marks decide what is shown, so a member that occurs twice is an error in them.
    pub fn marks_or_null(raw: Option<Self>, arena: &'a Bump) -> Result<Value<'a>, Error> {
        raw.map_or(Ok(Value::Null), |raw| parse_unique(raw.0, arena))
    }

    /// Reads the value into a model.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the model.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, Error> {
        from_str(self.0)
    }
}

impl fmt::Debug for Raw<'_> {
    // Values may be sensitive, so the `Debug` output of a model must not contain them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Raw({} bytes)", self.0.len())
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        verbatim::serialize(self.0, serializer)
    }
}
