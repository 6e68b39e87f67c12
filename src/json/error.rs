//! Errors in JSON texts: what is wrong, and the offset of the byte where it is.
//!
//! No message contains a value, which may be sensitive: it names the type of the value.

use std::fmt;

use serde::de::{Expected, Unexpected};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    UnexpectedEnd,
    Expected(&'static str),
    ControlCharacter,
    BadEscape,
    BadNumber,
    TooDeep,
    TrailingData,
    Type(String),
    /// The member with this name occurs twice, where only one of them can count.
    Duplicate(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub offset: usize,
}

impl fmt::Display for Error {
    /// Writes what is wrong, without the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::UnexpectedEnd => f.write_str("the document ends in the middle of a value"),
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::ControlCharacter => f.write_str("a string contains a raw control character"),
            ErrorKind::BadEscape => {
                f.write_str("a string contains an escape that JSON does not have")
            }
            ErrorKind::BadNumber => f.write_str("not a number"),
            ErrorKind::TooDeep => {
                write!(f, "values are nested more than {} deep", super::MAX_DEPTH)
            }
            ErrorKind::TrailingData => f.write_str("something follows the end of the document"),
            ErrorKind::Type(message) => f.write_str(message),
            ErrorKind::Duplicate(name) => write!(f, "the member `{name}` occurs twice"),
        }
    }
}

impl std::error::Error for Error {}

/// Returns what a value is, in words, for an error about its type.
fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "true or false",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "something else",
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            kind: ErrorKind::Type(message.to_string()),
            offset: usize::MAX,
        }
    }

    // The value may be sensitive: messages name its type, never its content.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            model if model.starts_with("struct ") => "an object".to_owned(),
            list if list == "a sequence" => "an array".to_owned(),
            other => other,
        };
        Self::custom(format_args!("expected {expected}, found {}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "expected {expected}, found another value: {}",
            kind(found)
        ))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("expected one of {}", expected.join(", ")))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self {
            kind: ErrorKind::Duplicate(name.to_owned()),
            offset: usize::MAX,
        }
    }
}
