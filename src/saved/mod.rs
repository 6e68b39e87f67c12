//! Saved plans and raw states, as the documents that `show -json` writes of them.
//!
//! Source: `planfile.proto` and the state format, version 4, of both tools. What the file does not say comes from the available schemas.
//!
//! Invariants: the result is a document of the JSON output format; a value that no available schema knows is marked as sensitive, because a saved plan holds the marks of the configuration only; fields that may hold
//! credentials (`private`, the backend) are not read.
//!
//! ```text
//! the archive that `terraform plan -out=tfplan` writes      {"format_version": "1.2", "resource_changes": […], …}
//! terraform.tfstate, {"version": 4, "resources": […]}       {"format_version": "1.0", "values": {"root_module": {…}}}
//! ```

mod address;
mod archive;
mod configuration;
mod directory;
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

/// The type of an object of a plan or state, by which its schema is found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectType {
    /// The source address of the provider.
    pub provider: String,
    /// The mode of a resource, or `action`.
    pub mode: String,
    /// The name of the type, such as `aws_vpc`.
    pub name: String,
}

/// Returns the error for a bookmark, which a remote run leaves in the place of a saved plan.
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

/// The schemas that are available, with the arena for their types.
pub struct Knowledge<'k, 's> {
    schemas: &'k Schemas<'s>,
    arena: &'s Bump,
}

impl<'k, 's> Knowledge<'k, 's> {
    /// Makes the knowledge of schemas, of which there may be none. The arena keeps the types of their attributes.
    pub fn new(schemas: &'k Schemas<'s>, arena: &'s Bump) -> Self {
        Self { schemas, arena }
    }

    /// Returns whether a schema knows a type: `has("registry.terraform.io/hashicorp/aws", "managed", "aws_vpc")`.
    pub fn has(&self, provider: &str, mode: &str, kind: &str) -> bool {
        self.position(provider, mode, kind)
            .is_ok_and(|position| position != Position::Inferred)
    }

    /// Returns the schema of a type. If no schema has the type, every attribute is marked as
    /// sensitive.
    fn position(&self, provider: &str, mode: &str, kind: &str) -> Result<Position<'s>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena);
        known
            .map(Known::position)
            .map_err(|error| Error::malformed("", error))
    }
}

/// Why a saved plan or a raw state cannot be read. The text is a fragment of a sentence that begins with
/// "cannot read FILE: ", without the tip, which [`Error::tip`] returns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A part of the file is not as the format has it.
    #[error("{}{problem}", as_prefix(subject))]
    Malformed {
        /// An address, or a member of the plan; empty for the archive.
        subject: String,
        /// What is wrong there.
        problem: String,
    },
    /// The archive unpacks to far more than its own size, as if it was made to fill the memory.
    #[error(
        "the saved plan unpacks to more than {limit} bytes, up to `{entry}`: far more than its size allows"
    )]
    TooLarge {
        /// The file of the archive that is too large.
        entry: String,
        /// In bytes, of all files of the archive.
        limit: u64,
    },
    /// The archive is small, but holds very many values.
    #[error("the saved plan holds more than {limit} values: far more than its size allows")]
    TooManyValues {
        /// The largest number for a file of this size.
        limit: usize,
    },
    /// A ZIP archive of other files.
    #[error("a ZIP archive without a plan; it holds {files}")]
    NoPlan {
        /// The first names of these, and how many more there are.
        files: String,
    },
    /// A file of a form that is not read.
    #[error("{problem}")]
    Unsupported {
        /// What the file is, such as `encrypted`.
        problem: String,
        /// What to try.
        tip: &'static str,
    },
}

/// Returns a place as it precedes a problem; nothing for the whole file.
fn as_prefix(subject: &str) -> String {
    match subject {
        "" => String::new(),
        _ => format!("{subject}: "),
    }
}

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

    fn version(what: &str, version: u64, supported: u64) -> Self {
        let problem =
            format!("a {what} of version {version}; only version {supported} is supported");
        Self::Unsupported {
            problem,
            tip: OTHER_VERSION,
        }
    }

    /// A saved plan of a release that wrote it in another form.
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

    fn with_subject(mut self, subject: &str) -> Self {
        if let Self::Malformed { subject: inner, .. } = &mut self
            && inner.is_empty()
        {
            subject.clone_into(inner);
        }
        self
    }

    /// Returns what to try.
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
