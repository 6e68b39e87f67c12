//! The errors of reading schemas.

use crate::json;

/// The reason why schemas cannot be read. Messages may contain text from the file: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is not JSON. The offset is relative to the start of the added text.
    #[error(transparent)]
    Json(#[from] json::Error),
    /// The document is of another kind, such as `a plan without provider schemas`.
    #[error(
        "{0}, not a schema: expected the output of `providers schema -json`, or a Provider Code Specification"
    )]
    NotASchema(&'static str),
    /// The format version of the document is too new.
    #[error("provider schemas of format version {0} are not supported; 0.1 to 1.x are")]
    Version(String),
    /// A part of a schema is not as the format has it.
    #[error("{path}: {problem}")]
    Shape {
        /// The path from the provider on: `aws.resource_schemas.aws_vpc.block.…`.
        path: String,
        /// The problem at the path.
        problem: String,
    },
}

impl Error {
    /// Makes an error whose path is still empty.
    pub(super) fn shape(problem: impl Into<String>) -> Self {
        Self::Shape {
            path: String::new(),
            problem: problem.into(),
        }
    }

    /// Prepends a step to the path of an error in a part of a schema. An error of JSON becomes one with a path.
    pub(super) fn inside(self, step: &str) -> Self {
        match self {
            Self::Shape { path, problem } => {
                let dot = if path.is_empty() { "" } else { "." };
                Self::Shape {
                    path: format!("{step}{dot}{path}"),
                    problem,
                }
            }
            Self::Json(error) => Self::Shape {
                path: step.to_owned(),
                problem: format!("cannot be read: {error}"),
            },
            Self::NotASchema(_) | Self::Version(_) => self,
        }
    }
}

/// Adds a step to the path of an error while it is passed to the callers.
pub(super) trait Inside {
    fn inside(self, step: &str) -> Self;
}

impl<T> Inside for Result<T, Error> {
    fn inside(self, step: &str) -> Self {
        self.map_err(|error| error.inside(step))
    }
}
