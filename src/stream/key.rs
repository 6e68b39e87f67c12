//! Keys for operations and addresses.

use std::hash::{BuildHasher, Hash};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use crate::text::stream::Operation;

/// Identifies an operation by the address of its resource and its kind, or a planned change by its address.
///
/// Keys are hashes with a random seed, so that no input can be crafted whose names collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    /// The key of an operation on a resource instance.
    pub(super) fn operation(address: &str, operation: Operation) -> Self {
        Self::new(&(address, operation))
    }

    /// The key of an operation with two names, such as a provisioner of a resource.
    pub(super) fn named(address: &str, name: &str) -> Self {
        Self::new(&(address, name))
    }

    /// The key of a resource instance.
    pub(super) fn address(address: &str) -> Self {
        Self::new(&address)
    }

    fn new(value: &impl Hash) -> Self {
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(STATE.hash_one(value))
    }
}
