//! Errors in JSON texts: the problem, and the offset of the byte where it is.
//!
//! Invariant: no message contains a value, which may be sensitive. It names the type of the value instead.

use std::fmt;

use serde::de::{Expected, Unexpected};

use super::MAX_DEPTH;

/// The problem of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// The text ends before the value does.
    #[error("the document ends in the middle of a value")]
    UnexpectedEnd,
    /// Something else was expected, such as `a value`.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A character below U+0020 in a string is not escaped.
    #[error("a string contains a raw control character")]
    ControlCharacter,
    /// A backslash is not followed by an escape that JSON has.
    #[error("a string contains an escape that JSON does not have")]
    BadEscape,
    /// A number is written in a form that JSON does not have, such as `01` or `1.`.
    #[error("not a number")]
    BadNumber,
    /// Arrays and objects are nested more than [`MAX_DEPTH`] deep.
    #[error("values are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// Something other than white space follows the value.
    #[error("there is more text after the end of the document")]
    TrailingData,
    /// The value has another type than the model. The message names both.
    #[error("{0}")]
    Type(String),
    /// The member with this name occurs twice, where only one of them can count.
    #[error("the member `{0}` occurs twice")]
    Duplicate(String),
}

/// An error in a JSON text. Its message does not contain the position; see [`locate`](super::locate) for that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Error {
    /// The problem.
    pub kind: ErrorKind,
    /// The offset in bytes from the beginning of the text.
    pub offset: usize,
}

/// Returns the type of a value in words, with an article.
fn kind(unexpected: Unexpected<'_>) -> &'static str {
    match unexpected {
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

    // The value may be sensitive, so messages name its type and never its content.
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            model if model.starts_with("struct ") => "an object".to_owned(),
            list if list == "a sequence" => "an array".to_owned(),
            other => other,
        };
        Self::custom(format_args!(
            "expected {expected}, found {}",
            kind(unexpected)
        ))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "expected {expected}, found another value: {}",
            kind(unexpected)
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
