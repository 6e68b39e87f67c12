//! Errors of reviews.

use std::fmt;

use super::findings::TableError;
use crate::diff::Error;

/// The reason why a plan cannot be reviewed.
#[derive(Debug)]
pub enum ReviewError {
    /// A value or a schema is malformed.
    Read(Error),
    /// A rule of the built-in table is malformed, which is a bug.
    Rules(TableError),
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "{error}"),
            Self::Rules(error) => write!(f, "internal error in the table of findings, {error}"),
        }
    }
}

impl From<Error> for ReviewError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<TableError> for ReviewError {
    fn from(error: TableError) -> Self {
        Self::Rules(error)
    }
}
