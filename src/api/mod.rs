//! The interface for other programs: parse a plan, compare it, write it.
//!
//! Invariants: callers need no arena, large stack or terminal. Sensitive values are omitted from every format
//! and from serialized trees unless an option requests them.
//!
//! A document borrows its text and is parsed once. What is made of it is computed on a thread with a large stack,
//! because documents may be deeply nested.

mod diff;
mod review;

use std::panic::resume_unwind;
use std::{io, thread};

use crate::json::{self, STACK};
use crate::model::{self, state::StateDocument};
use crate::{schema, show};

pub use diff::{PlanDiff, ResourceDiff, TextOptions};
pub use review::{Finding, Format, Review, ReviewEntry, ReviewOptions};

/// A plan, as `terraform show -json` or `tofu show -json` writes it.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// let plan = tfview::Plan::parse(r#"{"format_version":"1.2","resource_changes":[]}"#)?;
/// assert!(!plan.has_changes()?);
/// assert!(tfview::Plan::parse("{}").is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Plan<'a> {
    text: &'a str,
    document: model::plan::Plan<'a>,
}

impl<'a> Plan<'a> {
    /// Parses a plan. Values are parts of the text; those that nothing asks for are only checked.
    ///
    /// # Errors
    /// If the text is not JSON, not a plan, or has a newer major version of the format.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        with_stack(|| {
            let document = model::plan::Plan::parse_with_configuration(text)?;
            check_version(&document.format_version, "format_version")?;
            Ok(Self { text, document })
        })
    }

    /// Whether there is something to apply: changes to resources or outputs, or actions to invoke.
    ///
    /// # Errors
    /// If a value of the plan is malformed.
    pub fn has_changes(&self) -> Result<bool, Error> {
        with_stack(|| {
            let options = TextOptions::default().for_plan(&self.document);
            Ok(show::has_changes(&self.document, &options)?)
        })
    }

    /// The text that was parsed.
    pub fn text(&self) -> &'a str {
        self.text
    }
}

/// A state, as `terraform show -json` or `tofu show -json` writes it.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// let state = tfview::State::parse(r#"{"format_version":"1.0","values":{"outputs":{
///     "region":{"sensitive":false,"value":"eu-west-1","type":"string"}}}}"#)?;
/// let mut text = Vec::new();
/// state.write_text(&tfview::Schemas::new(), &tfview::TextOptions::default(), &mut text)?;
/// assert!(String::from_utf8_lossy(&text).contains("region = \"eu-west-1\""));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct State<'a> {
    document: StateDocument<'a>,
}

impl<'a> State<'a> {
    /// Parses a state.
    ///
    /// # Errors
    /// If the text is not JSON, not a state, or has a newer major version of the format.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        with_stack(|| {
            let document: StateDocument<'a> = json::from_str(text)?;
            check_version(&document.format_version, "format_version")?;
            Ok(Self { document })
        })
    }
}

/// Provider schemas and Provider Code Specifications. The shapes of other resource types are inferred from
/// the plan.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// let mut schemas = tfview::Schemas::new();
/// schemas.add(r#"{"format_version":"1.0","provider_schemas":{}}"#)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    texts: Vec<String>,
}

impl Schemas {
    /// No schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the output of `providers schema -json`, or a Provider Code Specification. If a type has several
    /// schemas, the first one is used.
    ///
    /// # Errors
    /// If the text is not JSON, or neither of the two.
    pub fn add(&mut self, text: impl Into<String>) -> Result<(), Error> {
        let text = text.into();
        with_stack(|| Ok(schema::Schemas::new().add(&text)?))?;
        self.texts.push(text);
        Ok(())
    }

    /// Parses these schemas, followed by those that a redacted document contains.
    fn read<'s>(&'s self, brought: Option<json::Raw<'s>>) -> Result<schema::Schemas<'s>, Error> {
        let mut schemas = schema::Schemas::new();
        for text in &self.texts {
            schemas.add(text)?;
        }
        if let Some(brought) = brought {
            schemas.add_provider_schemas(brought)?;
        }
        Ok(schemas)
    }
}

/// Checks the format version, which is required.
fn check_version(version: &str, member: &'static str) -> Result<(), Error> {
    let major = version.split('.').next().unwrap_or_default();
    match major {
        "" => Err(Error::NotExpected(member)),
        "0" | "1" => Ok(()),
        _ => Err(Error::Version(version.to_owned())),
    }
}

/// Runs `work` on a thread whose stack suffices for the deepest document that is accepted.
fn with_stack<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The reason why a document could not be parsed, compared or written. Messages may contain text from the
/// document: print them as untrusted data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The document is not JSON, or does not conform to its format.
    #[error("{0}, at byte {offset}", offset = .0.offset)]
    Json(#[from] json::Error),
    /// The document is JSON, but of another kind than expected: this member is missing.
    #[error("the document has no {0}")]
    NotExpected(&'static str),
    /// The format has an unknown, newer major version.
    #[error("format version {0} is not supported, 0.1 to 1.x are")]
    Version(String),
    /// A schema is malformed.
    #[error(transparent)]
    Schema(#[from] schema::Error),
    /// A value has too many parts to show.
    #[error("{}", crate::diff::Error::TooLarge)]
    TooLarge,
    /// Writing or starting a thread failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<crate::diff::Error> for Error {
    fn from(error: crate::diff::Error) -> Self {
        match error {
            crate::diff::Error::Value(error) | crate::diff::Error::Configuration(error) => {
                Self::Json(error)
            }
            crate::diff::Error::Schema(error) => Self::Schema(error),
            crate::diff::Error::TooLarge => Self::TooLarge,
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
