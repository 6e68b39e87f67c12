//! Keys for operations and addresses.

use std::hash::{BuildHasher, Hash};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

/// Identifies an operation by the address of its resource and its kind, or a planned change by its address.
///
/// Keys are hashes with a random seed, so that no input can be crafted whose names collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    /// The key of a resource instance, given its address; of an operation on it, given the operation too; or of what
    /// has two names, such as a provisioner of a resource.
    pub(super) fn new(value: impl Hash) -> Self {
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(STATE.hash_one(value))
    }
}
