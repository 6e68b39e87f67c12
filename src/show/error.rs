//! Errors of rendering a document.

use std::{fmt, io};

use crate::{diff, json, schema};

/// The reason why a document could not be shown.
#[derive(Debug)]
pub enum Error {
    /// Writing failed.
    Write(io::Error),
    /// A value of the document is malformed.
    Value(json::Error),
    /// A schema is malformed.
    Schema(schema::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot write: {error}"),
            Self::Value(error) => write!(f, "{error}"),
            Self::Schema(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::Value(error) => Some(error),
            Self::Schema(error) => Some(error),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Value(error)
    }
}

impl From<schema::Error> for Error {
    fn from(error: schema::Error) -> Self {
        Self::Schema(error)
    }
}

impl From<diff::Error> for Error {
    fn from(error: diff::Error) -> Self {
        match error {
            diff::Error::Value(error) => Self::Value(error),
            diff::Error::Schema(error) => Self::Schema(error),
        }
    }
}
