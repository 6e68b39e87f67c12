//! Errors of rendering a document.

use std::{fmt, io};

use crate::{diff, json};

/// The reason why a document could not be shown.
#[derive(Debug)]
pub enum Error {
    /// Writing failed.
    Write(io::Error),
    /// A value or a schema is malformed.
    Read(diff::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot write: {error}"),
            Self::Read(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::Read(error) => Some(error),
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
        Self::Read(error.into())
    }
}

impl From<diff::Error> for Error {
    fn from(error: diff::Error) -> Self {
        Self::Read(error)
    }
}
