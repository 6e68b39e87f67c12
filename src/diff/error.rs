//! Errors of the diff engine.

use std::fmt;

use crate::{json, schema};

/// The reason why a document could not be compared.
#[derive(Debug)]
pub enum Error {
    /// A value of the document is malformed.
    Value(json::Error),
    /// The configuration in a plan is malformed.
    Configuration(json::Error),
    /// A schema is malformed.
    Schema(schema::Error),
    /// A value has too many parts to show.
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(error) => write!(f, "{error}"),
            Self::Configuration(error) => write!(
                f,
                "the `configuration`, which says what provisioners run and how providers are configured, cannot be read: {error}"
            ),
            Self::Schema(error) => write!(f, "{error}"),
            Self::TooLarge => {
                f.write_str("a value has more than 2,000,000 parts, too many to show; `tfview review` compares it as a whole")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Value(error) | Self::Configuration(error) => Some(error),
            Self::Schema(error) => Some(error),
            Self::TooLarge => None,
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
