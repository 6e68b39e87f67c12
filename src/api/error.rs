//! The error type of the interface.
//!
//! Errors of all readers become variants of this one type, so that callers match on one enum.

use std::io;

#[cfg(feature = "review")]
use crate::document::Incomparable;
use crate::input::kind;
use crate::{diff, json, schema, show};

/// The reason why a document could not be read, compared or written.
///
/// Messages may contain names from the document, but never a value. Print them as untrusted data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The document is not JSON, or does not conform to its format.
    #[error("{problem}, at byte {offset}")]
    Json {
        /// The problem in words.
        problem: String,
        /// The offset in the text, in bytes.
        offset: usize,
    },
    /// The document is JSON of another kind.
    #[error("the document is {actual}, not {expected}")]
    WrongKind {
        /// The expected kind, such as `a plan`.
        expected: &'static str,
        /// The actual kind, such as `a state`.
        actual: &'static str,
    },
    /// The format has an unknown, newer major version.
    #[error("format version {0} is not supported, only {supported}", supported = kind::SUPPORTED)]
    Version(String),
    /// The bytes are neither UTF-8 nor UTF-16, or are damaged gzip data.
    #[error("{0}")]
    Encoding(String),
    /// A saved plan or a raw state that cannot be read: damaged, encrypted, or of another version.
    #[error("{0}")]
    Saved(String),
    /// A schema is malformed.
    #[error("{0}")]
    Schema(String),
    /// One of two plans contains more facts than the other, so a difference would prove nothing.
    #[error("{0}")]
    Incomparable(String),
    /// A value has too many parts to show.
    #[error("{}", diff::Error::TooLarge)]
    TooLarge,
    /// The requested data was not kept, such as the page of a run.
    #[error("{0}")]
    NotKept(&'static str),
    /// Reading, writing or starting a thread failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Json {
            problem: error.to_string(),
            offset: error.offset,
        }
    }
}

impl From<schema::Error> for Error {
    fn from(error: schema::Error) -> Self {
        match error {
            schema::Error::Json(error) => error.into(),
            schema::Error::NotASchema(_)
            | schema::Error::Version(_)
            | schema::Error::Shape { .. } => Self::Schema(error.to_string()),
        }
    }
}

impl From<diff::Error> for Error {
    fn from(error: diff::Error) -> Self {
        match error {
            diff::Error::Value(error) | diff::Error::Configuration(error) => error.into(),
            diff::Error::Schema(error) => error.into(),
            diff::Error::TooLarge => Self::TooLarge,
        }
    }
}

#[cfg(feature = "review")]
impl From<Incomparable> for Error {
    fn from(error: Incomparable) -> Self {
        Self::Incomparable(error.to_string())
    }
}

impl From<show::Error> for Error {
    fn from(error: show::Error) -> Self {
        match error {
            show::Error::Read(error) => error.into(),
            show::Error::Write(error) => Self::Io(error),
        }
    }
}

#[cfg(feature = "saved")]
impl From<crate::saved::Error> for Error {
    fn from(error: crate::saved::Error) -> Self {
        Self::Saved(error.to_string())
    }
}
