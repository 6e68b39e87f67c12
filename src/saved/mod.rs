//! Saved plans and raw states, as the documents that `show -json` writes of them.
//!
//! Source: `planfile.proto` and the state format, version 4, of both tools. No tool and no provider is needed, so what
//! the file does not say comes from the schemas at hand.
//!
//! Invariants: the result is a document of the JSON output format, so that everything behind it is the same
//! for all inputs; a value that no schema at hand knows is marked as sensitive, because a saved plan holds the
//! marks of the configuration only; fields that may hold credentials (`private`, the backend) are not read.

mod address;
mod archive;
mod configuration;
mod encoding;
mod plan;
mod state;
mod value;

use std::fmt;

use bumpalo::Bump;

pub use archive::{is_archive, lock_file, plan_within};
pub use configuration::{Snapshot, SnapshotModule};
pub use plan::SavedPlan;
pub use state::RawState;

use crate::schema::{Known, Position, Schemas};

/// The error for a bookmark of a plan that a remote system keeps.
pub fn bookmark(text: &str) -> Error {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Bookmark {
        run_id: String,
        hostname: String,
    }
    match serde_json::from_str(text) {
        Ok(Bookmark { run_id, hostname }) => Error::Unsupported {
            problem: format!("a bookmark of the run {run_id} on {hostname}, which keeps the plan itself"),
            tip: "use the output of `terraform show -json`, with the right to read that run",
        },
        Err(error) => Error::malformed("the bookmark", error),
    }
}

/// The schemas at hand.
pub struct Knowledge<'k, 's> {
    schemas: &'k Schemas<'s>,
    arena: &'s Bump,
}

impl<'k, 's> Knowledge<'k, 's> {
    /// The schemas at hand: those in `schemas`, and the built-in ones.
    pub fn new(schemas: &'k Schemas<'s>, arena: &'s Bump) -> Self {
        Self { schemas, arena }
    }

    /// Whether a schema at hand knows a type: its provider, mode (or `action`) and name.
    pub fn has(&self, provider: &str, mode: &str, kind: &str) -> bool {
        self.position(provider, mode, kind).is_ok_and(|position| position != Position::Inferred)
    }

    /// The schema of a type. Of one that none has, every attribute is marked.
    fn position(&self, provider: &str, mode: &str, kind: &str) -> Result<Position<'s>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena);
        known.map(Known::position).map_err(|error| Error::malformed("", error))
    }
}

/// The reason why a file cannot be read. Its text is a sentence fragment that follows "cannot read FILE: ".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The archive, a message or a value is damaged, truncated or malformed.
    Malformed {
        /// Where: an address, or a member of the plan; empty for the archive.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// An entry is larger, when decompressed, than the archive can hold.
    TooLarge {
        /// The name of the entry.
        entry: String,
        /// The largest accepted size, in bytes.
        limit: u64,
    },
    /// It is of another kind or version, or what it holds cannot be read here.
    Unsupported {
        /// What it is.
        problem: String,
        /// What to try.
        tip: &'static str,
    },
}

/// What to try with a file of another version.
const OTHER_VERSION: &str =
    "use the output of `terraform show -json` (or `tofu show -json`) of a release that reads it";

impl Error {
    /// The error for an encrypted plan or state.
    pub fn encrypted() -> Self {
        let tip = "use the output of `tofu show -json`, in a folder with the key";
        Self::Unsupported { problem: "encrypted".to_owned(), tip }
    }

    /// Another version of the format.
    fn version(what: &str, version: u64, supported: u64) -> Self {
        let problem = format!("a {what} of version {version}; only version {supported} is supported");
        Self::Unsupported { problem, tip: OTHER_VERSION }
    }

    /// A malformed message or value.
    fn malformed(place: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::Malformed { place: place.into(), problem: problem.to_string() }
    }

    /// The same error at a place, if it does not name one yet.
    fn at(mut self, place: &str) -> Self {
        if let Self::Malformed { place: inner, .. } = &mut self
            && inner.is_empty()
        {
            place.clone_into(inner);
        }
        self
    }

    /// What to try.
    pub fn tip(&self) -> &'static str {
        match self {
            Self::Malformed { .. } | Self::TooLarge { .. } => {
                "is the file complete? The tool that wrote it may still read it: `--via-tool`"
            }
            Self::Unsupported { tip, .. } => tip,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { place, problem } if place.is_empty() => f.write_str(problem),
            Self::Malformed { place, problem } => write!(f, "{place}: {problem}"),
            Self::TooLarge { entry, limit } => {
                write!(f, "`{entry}` in the saved plan is larger than {limit} bytes when decompressed")
            }
            Self::Unsupported { problem, .. } => f.write_str(problem),
        }
    }
}

impl std::error::Error for Error {}
