//! The error type of the library.

use std::{fmt, io};

use crate::{diff, json, schema, show};

/// The reason why a document could not be parsed, compared or written. Messages may contain text from the
/// document: print them as untrusted data.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The document is not JSON, or does not conform to its format.
    Json(json::Error),
    /// The document is JSON, but of another kind than expected: this member is missing.
    NotExpected(&'static str),
    /// The format has an unknown, newer major version.
    Version(String),
    /// A schema is malformed.
    Schema(schema::Error),
    /// A value has too many parts to show.
    TooLarge,
    /// Writing or starting a thread failed.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}, at byte {}", error.offset),
            Self::NotExpected(missing) => write!(f, "the document has no {missing}"),
            Self::Version(version) => {
                write!(f, "format version {version} is not supported, 0.1 to 1.x are")
            }
            Self::Schema(error) => error.fmt(f),
            Self::TooLarge => diff::Error::TooLarge.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Schema(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::NotExpected(_) | Self::Version(_) | Self::TooLarge => None,
        }
    }
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<schema::Error> for Error {
    fn from(error: schema::Error) -> Self {
        Self::Schema(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<diff::Error> for Error {
    fn from(error: diff::Error) -> Self {
        match error {
            diff::Error::Value(error) | diff::Error::Configuration(error) => Self::Json(error),
            diff::Error::Schema(error) => Self::Schema(error),
            diff::Error::TooLarge => Self::TooLarge,
        }
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
