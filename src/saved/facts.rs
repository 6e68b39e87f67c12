//! Reads what a saved plan has besides its changes, and what decides its apply: the backend with its workspace, and the
//! dependency lock file.
//!
//! Invariant: the document has no argument of a backend, because it may be a credential; it has hashes.

use std::collections::BTreeMap;

use bumpalo::Bump;
use sha2::{Digest as _, Sha256};

use super::Error;
use super::configuration::locked_providers;
use super::message;
use super::msgpack::{ValueLimit, read_value};
use super::value::Node;
use crate::json::{Pairs, Str, Value};
use crate::model::plan::{Backend, LockedProvider};
use crate::schema::Position;

/// Returns where the apply of a plan writes the state; `None` if the plan names no place.
///
/// # Errors
/// If the arguments are malformed, or there are too many values.
pub(super) fn backend<'a>(
    plan: &message::Plan,
    limit: &ValueLimit,
) -> Result<Option<Backend<'a>>, Error> {
    let Some(place) = plan.backend.as_ref().or(plan.state_store.as_ref()) else {
        return Ok(None);
    };
    let mut arguments = BTreeMap::new();
    if let Some(config) = &place.config {
        let arena = Bump::new();
        let value = read_value(&config.msgpack, Position::Unspecified, limit, &arena)?;
        match value {
            Node::Members(members) => {
                for (name, member) in members {
                    if !is_unset(*member) {
                        let hash = hash(member.known().as_bytes());
                        arguments.insert(Str::from((*name).to_owned()), Str::from(hash));
                    }
                }
            }
            Node::Leaf(_) | Node::Unknown(_) | Node::List(_) | Node::Set(_) => {
                arguments.insert(Str::from(""), Str::from(hash(&config.msgpack)));
            }
        }
    }
    if !place.provider.is_empty() {
        let hash = hash(&place.provider);
        arguments.insert(Str::from("provider"), Str::from(hash));
    }
    Ok(Some(Backend {
        kind: Str::from(place.r#type.clone()),
        workspace: Str::from(place.workspace.clone()),
        arguments: Pairs(arguments),
    }))
}

/// Whether an argument has no value: null, or a block that does not occur.
fn is_unset(value: Node<'_>) -> bool {
    match value {
        Node::Leaf(Value::Null) => true,
        Node::List(items) | Node::Set(items) => items.is_empty(),
        Node::Leaf(_) | Node::Unknown(_) | Node::Members(_) => false,
    }
}

/// Returns a SHA-256 hash in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns the providers of a dependency lock file, by source address. A file that is not in its syntax becomes one
/// provider without a name, whose version is the hash of the file: only an equal one is the same.
pub(super) fn locked<'a>(lock_file: &str) -> Pairs<'a, LockedProvider<'a>> {
    let mut providers = BTreeMap::new();
    match locked_providers(lock_file) {
        Some(blocks) => {
            for mut block in blocks {
                block.hashes.sort_unstable();
                let locked = LockedProvider {
                    version: Str::from(block.version),
                    hashes: block.hashes.into_iter().map(Str::from).collect(),
                };
                providers.insert(Str::from(block.address), locked);
            }
        }
        None => {
            let locked = LockedProvider {
                version: Str::from(hash(lock_file.as_bytes())),
                hashes: Vec::new(),
            };
            providers.insert(Str::from(""), locked);
        }
    }
    Pairs(providers)
}
