//! Saved plans and raw states, as the documents that `show -json` writes of them.
//!
//! Source: `planfile.proto` and the state format, version 4, of both tools. No tool, no provider and no
//! configuration is needed, so what the file does not say comes from the schemas at hand.
//!
//! Invariants: the result is a document of the JSON output format, so that everything behind it is the same
//! for all inputs; a value that no schema at hand knows is marked as sensitive, because a saved plan holds the
//! marks of the configuration only; fields that may hold credentials (`private`, the backend) are not read.

mod address;
mod archive;
mod error;
mod json;
mod message;
mod msgpack;
mod plan;
mod schemas;
mod state;
mod value;

use bumpalo::Bump;

pub use error::Error;
pub use plan::SavedPlan;
pub use state::RawState;

use crate::schema::{Known, Position, Schemas};

/// Whether these are the bytes of a ZIP archive, as a saved plan is.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
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

    /// The schema of a resource type. Of a type that none has, every attribute is marked.
    fn resource(&self, provider: &str, mode: &str, kind: &str) -> Result<Position<'s>, Error> {
        let known = self.schemas.known_resource(provider, mode, kind, self.arena);
        Ok(position(known.map_err(|error| Error::malformed("", error))?))
    }

    /// The schema of the configuration of an action.
    fn action(&self, provider: &str, kind: &str) -> Result<Position<'s>, Error> {
        let known = self.schemas.known_action(provider, kind, self.arena);
        Ok(position(known.map_err(|error| Error::malformed("", error))?))
    }
}

fn position(known: Known<'_>) -> Position<'_> {
    match known {
        Known::Given(block) => Position::Block(block),
        // They may be of another version of the provider, which lacks attributes of the file.
        Known::Stored(block) | Known::Marks(block) | Known::BuiltIn(block) => Position::BuiltIn(block),
        Known::Nothing => Position::Inferred,
    }
}
