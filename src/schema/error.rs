//! Errors in schema files.

use std::fmt;

use crate::json;

/// An error in a schema file. Messages may contain text from the file: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Not JSON. The offset is relative to the start of the added text.
    Json(json::Error),
    /// JSON, but not a source of schemas; the text names what it looks like.
    NotASchema(&'static str),
    /// A `format_version` with an unknown, newer major version.
    Version(String),
    /// A part of a schema does not conform to the format.
    Shape {
        /// The path, from the provider on: `aws.resource_schemas.aws_vpc.block.…`.
        path: String,
        /// The problem at that path.
        problem: String,
    },
}

impl Error {
    pub(super) fn shape(problem: impl Into<String>) -> Self {
        Self::Shape { path: String::new(), problem: problem.into() }
    }

    /// Prepends a step to the path of the error.
    pub(super) fn inside(self, step: &str) -> Self {
        match self {
            Self::Shape { path, problem } => {
                let dot = if path.is_empty() { "" } else { "." };
                Self::Shape { path: format!("{step}{dot}{path}"), problem }
            }
            Self::Json(error) => {
                Self::Shape { path: step.to_owned(), problem: format!("cannot be read: {error}") }
            }
            Self::NotASchema(_) | Self::Version(_) => self,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::NotASchema(looks_like) => write!(
                f,
                "{looks_like}, not a schema: expected the output of `providers schema -json`, or a Provider Code Specification"
            ),
            Self::Version(version) => {
                write!(f, "provider schemas of format version {version} are not supported; 0.1 to 1.x are")
            }
            Self::Shape { path, problem } => write!(f, "{path}: {problem}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Json(error)
    }
}
