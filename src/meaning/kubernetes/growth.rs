//! What a set gains and loses.

use crate::direction::{Direction, Directions};

/// What a comparison of two sets says: whether the set after has more, or less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Growth {
    /// Something is only in the set after.
    pub(super) grew: bool,
    /// Something is only in the set before.
    pub(super) shrank: bool,
}

impl Growth {
    /// Returns what holds of either.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            grew: self.grew || other.grew,
            shrank: self.shrank || other.shrank,
        }
    }

    /// Returns the directions, where a larger set means `larger`; `same` if the sets are equal.
    pub(super) fn directions(self, larger: Direction) -> Directions {
        let mut directions = Directions::default();
        if self.grew {
            directions.insert(larger);
        }
        if self.shrank {
            directions.insert(larger.reverse());
        }
        if directions.is_empty() {
            directions.insert(Direction::Same);
        }
        directions
    }
}
