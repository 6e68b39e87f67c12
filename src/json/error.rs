//! What is wrong with a JSON text, and where.

use std::fmt;

use serde::de::{Expected, Unexpected};

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// Something else than what the grammar asks for stands here.
    Expected(&'static str),
    /// A raw control character inside a string.
    ControlCharacter,
    /// An escape that JSON does not have.
    BadEscape,
    /// Not a number that JSON has.
    BadNumber,
    /// More nesting than [`super::MAX_DEPTH`].
    TooDeep,
    /// Something follows the document's end.
    TrailingData,
    /// A value of another type than the format asks for; the text says which.
    Type(String),
    /// A member stands twice. Never leaves this module: the text is then read again, slower.
    Duplicate,
}

/// An error in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the text.
    pub offset: usize,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::UnexpectedEnd => f.write_str("the document ends in the middle of a value"),
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::ControlCharacter => f.write_str("a raw control character stands inside a string"),
            ErrorKind::BadEscape => f.write_str("a string holds an escape that JSON does not have"),
            ErrorKind::BadNumber => f.write_str("not a number"),
            ErrorKind::TooDeep => write!(f, "values are nested more than {} deep", super::MAX_DEPTH),
            ErrorKind::TrailingData => f.write_str("something follows the end of the document"),
            ErrorKind::Type(message) => f.write_str(message),
            ErrorKind::Duplicate => f.write_str("a member stands twice"),
        }
    }
}

impl std::error::Error for Error {}

/// What a value is.
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
        Self { kind: ErrorKind::Type(message.to_string()), offset: usize::MAX }
    }

    // What stands there may be a secret: the message says what it is, never what it says.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        // A model is called by its name in the code, a list `a sequence`: the formats have other words.
        let expected = match expected.to_string() {
            model if model.starts_with("struct ") => "an object".to_owned(),
            list if list == "a sequence" => "an array".to_owned(),
            other => other,
        };
        Self::custom(format_args!("expected {expected}, found {}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {expected}, found {} that is none", kind(found)))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("expected one of {}", expected.join(", ")))
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self { kind: ErrorKind::Duplicate, offset: usize::MAX }
    }
}
