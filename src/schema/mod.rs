//! The shapes of blocks, from provider schemas, a Provider Code Specification, the built-in schemas, or
//! inference. They live in an arena and are `Copy`.

mod builtin;
pub mod catalog;
pub mod check;
pub mod compare;
pub mod infer;
mod provider;
mod sensitive;
mod shape;
mod source;
mod specification;

use std::fmt;

pub use builtin::{
    BuiltIn, document as built_in_document, has_type as has_built_in,
    providers as built_in_providers,
};
pub use provider::{Known, SchemaIndex, Schemas};
pub(crate) use shape::find;
pub use shape::{Attribute, AttributeKind, Block, Facts, NestedBlock, Nesting, Position, Type};

use crate::json;

/// A malformed type, or none as in older formats, counts as dynamic: the value is then compared by its own
/// shape.
pub fn cty_type<'s>(value: json::Value<'s>, arena: &'s bumpalo::Bump) -> Type<'s> {
    source::cty(value, arena).unwrap_or(Type::Dynamic)
}

/// Messages may contain text from the file: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The offset is relative to the start of the added text.
    Json(json::Error),
    NotASchema(&'static str),
    Version(String),
    Shape {
        /// From the provider on: `aws.resource_schemas.aws_vpc.block.…`.
        path: String,
        problem: String,
    },
}

impl Error {
    fn shape(problem: impl Into<String>) -> Self {
        Self::Shape {
            path: String::new(),
            problem: problem.into(),
        }
    }

    fn inside(self, step: &str) -> Self {
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

trait Inside {
    fn inside(self, step: &str) -> Self;
}

impl<T> Inside for Result<T, Error> {
    fn inside(self, step: &str) -> Self {
        self.map_err(|error| error.inside(step))
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
                write!(
                    f,
                    "provider schemas of format version {version} are not supported; 0.1 to 1.x are"
                )
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
