//! The errors of a comparison.
//!
//! ```text
//! "before": {"a":1,"a":      a value of a change is malformed: Error::Value
//! [1,1,1,… 3 million]        Error::TooLarge
//! ```

use crate::{json, schema};

/// The reason why a plan could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A value of a change is malformed.
    #[error("{0}")]
    Value(#[from] json::Error),
    /// The configuration is malformed.
    #[error(
        "the `configuration`, which says what provisioners run and how providers are configured, cannot be read: {0}"
    )]
    Configuration(#[source] json::Error),
    /// A schema is malformed.
    #[error("{0}")]
    Schema(#[from] schema::Error),
    /// A value has too many parts to be shown part by part.
    #[error(
        "a value has more than 2,000,000 parts, too many to show; `tfview review` compares it as a whole"
    )]
    TooLarge,
}
