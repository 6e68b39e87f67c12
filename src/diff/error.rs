//! Errors of the diff engine.

use std::fmt;

use crate::{json, schema};

/// The reason why a document could not be compared.
#[derive(Debug)]
pub enum Error {
    /// A value of the document is malformed.
    Value(json::Error),
    /// A schema is malformed.
    Schema(schema::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(error) => write!(f, "{error}"),
            Self::Schema(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Value(error) => Some(error),
            Self::Schema(error) => Some(error),
        }
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
