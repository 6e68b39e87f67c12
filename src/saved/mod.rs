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
mod error;
mod msgpack;
mod plan;
mod protobuf;
mod state;
mod value;

use bumpalo::Bump;

use archive::Archive;
pub use configuration::{Snapshot, SnapshotModule};
pub use error::Error;
pub use plan::SavedPlan;
pub use state::RawState;

use crate::schema::{Known, Position, Schemas};

/// Whether these are the bytes of a ZIP archive, as a saved plan is.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The one plan in a ZIP archive that is not a saved plan itself, with its name: a saved plan, or one for which
/// `is_plan` holds. `None` for a saved plan.
///
/// # Errors
/// If the archive is damaged, or does not hold exactly one.
pub fn plan_within(
    bytes: &[u8],
    is_plan: impl Fn(&[u8]) -> bool,
) -> Result<Option<(String, Vec<u8>)>, Error> {
    /// How many names of files an error lists.
    const MAX_NAMES: usize = 5;
    let mut archive = Archive::open(bytes)?;
    if archive.is_plan() {
        return Ok(None);
    }
    let files = archive.below("")?;
    let names = files.keys().take(MAX_NAMES).cloned().collect();
    let more = files.len().saturating_sub(MAX_NAMES);
    let is_saved =
        |bytes: &[u8]| is_archive(bytes) && Archive::open(bytes).is_ok_and(|inner| inner.is_plan());
    let mut plans: Vec<(String, Vec<u8>)> =
        files.into_iter().filter(|(_, bytes)| is_saved(bytes) || is_plan(bytes)).collect();
    if plans.len() == 1 {
        return Ok(plans.pop());
    }
    let plans = plans.into_iter().map(|(name, _)| name).take(MAX_NAMES).collect();
    Err(Error::OtherArchive { names, more, plans })
}

/// The dependency lock file in a saved plan; `None` if it cannot be read.
pub fn lock_file(bytes: &[u8]) -> Option<String> {
    Archive::open(bytes).and_then(|mut archive| archive.lock_file()).ok()
}

/// The error for a bookmark of a plan that a remote system keeps.
pub fn bookmark(text: &str) -> Error {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Bookmark {
        run_id: String,
        hostname: String,
    }
    match serde_json::from_str(text) {
        Ok(Bookmark { run_id: run, hostname: host }) => Error::Bookmark { host, run },
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
