//! Converts saved plans and raw states into the documents that `show -json` writes of them.
//!
//! Source: `planfile.proto` and the state format, version 4, of both tools. What the file itself does not say, such as
//! the types of values, comes from the available schemas.
//!
//! Invariants: the result is a document of the JSON output format. A value that no available schema knows is marked as
//! sensitive, because a saved plan holds only the marks that come from the configuration. The field `private`, which may
//! hold credentials, is not read; of the arguments of the backend, which may be credentials, only hashes are kept.
//!
//! ```text
//! the archive that `terraform plan -out=tfplan` writes      {"format_version": "1.2", "resource_changes": […], …}
//! terraform.tfstate, {"version": 4, "resources": […]}       {"format_version": "1.0", "values": {"root_module": {…}}}
//! ```

mod address;
mod archive;
mod configuration;
mod directory;
mod facts;
mod message;
mod msgpack;
mod plan;
mod schemas;
mod state;
mod value;

use std::fmt;

use bumpalo::Bump;

pub use archive::{is_archive, lock_file, plan_within};
pub use configuration::{Snapshot, SnapshotFile, SnapshotModule};
pub use plan::SavedPlan;
pub use state::RawState;

use crate::schema::{Known, Position, Schemas};

/// The type of a resource or action in a plan or state: the key by which its schema is found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectType {
    /// The source address of the provider.
    pub provider: String,
    /// The mode of a resource, or `action`.
    pub mode: String,
    /// The name of the type, such as `aws_vpc`.
    pub name: String,
}

/// Returns the error for a bookmark: the small JSON file that a remote run leaves instead of a saved plan.
pub fn bookmark(text: &str) -> Error {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Bookmark {
        run_id: String,
        hostname: String,
    }
    match serde_json::from_str(text) {
        Ok(Bookmark { run_id, hostname }) => Error::Unsupported {
            problem: format!(
                "a bookmark of the run {run_id} on {hostname}, which keeps the plan itself"
            ),
            tip: "use the output of `terraform show -json`, with the right to read that run",
        },
        Err(error) => Error::malformed("the bookmark", error),
    }
}

/// The available schemas, with the arena that holds the types of their attributes.
pub struct Knowledge<'k, 's> {
    schemas: &'k Schemas<'s>,
    arena: &'s Bump,
}

impl<'k, 's> Knowledge<'k, 's> {
    /// Wraps the schemas, of which there may be none. The arena keeps the types of their attributes.
    pub fn new(schemas: &'k Schemas<'s>, arena: &'s Bump) -> Self {
        Self { schemas, arena }
    }

    /// Returns whether a schema knows a type: `has("registry.terraform.io/hashicorp/aws", "managed", "aws_vpc")`.
    pub fn has(&self, provider: &str, mode: &str, kind: &str) -> bool {
        self.position(provider, mode, kind)
            .is_ok_and(|position| position != Position::Inferred)
    }

    /// Returns where the values of a type are described. If no schema has the type, that is `Position::Inferred`,
    /// with which every attribute is marked as sensitive.
    fn position(&self, provider: &str, mode: &str, kind: &str) -> Result<Position<'s>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena);
        known
            .map(Known::position)
            .map_err(|error| Error::malformed("", error))
    }
}

/// The reason why a saved plan or a raw state cannot be read.
///
/// The text is a sentence fragment for the end of "cannot read FILE: ". It does not include the tip, which
/// [`Error::tip`] returns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A part of the file is not what its format requires.
    #[error("{}{problem}", as_prefix(subject))]
    Malformed {
        /// The address or the member of the plan where the problem is; empty for the archive as a whole.
        subject: String,
        /// The problem.
        problem: String,
    },
    /// The archive unpacks to far more than its own size, as if it had been made to fill the memory.
    #[error(
        "the saved plan unpacks to more than {limit} bytes, up to `{entry}`: far more than its size allows"
    )]
    TooLarge {
        /// The file of the archive with which the limit was exceeded.
        entry: String,
        /// The limit for all files of the archive together, in bytes.
        limit: u64,
    },
    /// The archive is small but holds very many values.
    #[error("the saved plan holds more than {limit} values: far more than its size allows")]
    TooManyValues {
        /// The largest number of values that is accepted in a file of this size.
        limit: usize,
    },
    /// A ZIP archive without a plan in it.
    #[error("a ZIP archive without a plan; it holds {files}")]
    NoPlan {
        /// The names of its first files, and how many more there are.
        files: String,
    },
    /// A file in a form that is not supported.
    #[error("{problem}")]
    Unsupported {
        /// A description of the file, such as `encrypted`.
        problem: String,
        /// The advice to the user.
        tip: &'static str,
    },
}

/// Returns the place as a prefix for a problem, with a colon; empty for the whole file.
fn as_prefix(subject: &str) -> String {
    match subject {
        "" => String::new(),
        _ => format!("{subject}: "),
    }
}

/// The advice for a file of a release whose format is not read.
const OTHER_VERSION: &str =
    "use the output of `terraform show -json` (or `tofu show -json`) of a release that reads it";

impl Error {
    /// Returns the error for a file that OpenTofu has encrypted.
    pub fn encrypted() -> Self {
        let tip = "use the output of `tofu show -json`, in a folder with the key";
        Self::Unsupported {
            problem: "encrypted".to_owned(),
            tip,
        }
    }

    /// Returns the error for a file of another version of its format; `what` is a noun, such as `state`.
    fn version(what: &str, version: u64, supported: u64) -> Self {
        let problem =
            format!("a {what} of version {version}; only version {supported} is supported");
        Self::Unsupported {
            problem,
            tip: OTHER_VERSION,
        }
    }

    /// Returns the error for a saved plan of a release before Terraform 1.1, which wrote plans in another form.
    fn old_plan(release: &str) -> Self {
        let problem = format!(
            "a saved plan of Terraform {release}; those of Terraform 1.1 and later, and of OpenTofu, are read"
        );
        Self::Unsupported {
            problem,
            tip: "use the output of `terraform show -json` of the release that wrote it",
        }
    }

    fn malformed(subject: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::Malformed {
            subject: subject.into(),
            problem: problem.to_string(),
        }
    }

    /// Adds the place to an error that does not have one yet, so that the innermost place is kept.
    fn with_subject(mut self, subject: &str) -> Self {
        if let Self::Malformed { subject: inner, .. } = &mut self
            && inner.is_empty()
        {
            subject.clone_into(inner);
        }
        self
    }

    /// Returns the advice to the user.
    pub fn tip(&self) -> &'static str {
        match self {
            Self::Malformed { .. } | Self::TooLarge { .. } | Self::TooManyValues { .. } => {
                "is the file complete? The tool that wrote it may still read it: `--via-tool`"
            }
            Self::NoPlan { .. } => "a saved plan is the file that `plan -out=FILE` writes",
            Self::Unsupported { tip, .. } => tip,
        }
    }
}

/// Writes a value as JSON.
fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::malformed("", error))
}
