//! Sets of small numbers, as the values of a dimension that a rule allows.

use super::growth::Growth;

/// A set of numbers below a limit, which its maker knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Returns the set of the numbers below `limit` for which `holds` is true.
    pub(super) fn new(limit: usize, holds: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self(vec![0; limit.div_ceil(64)]);
        for index in (0..limit).filter(|index| holds(*index)) {
            if let Some(word) = bits.0.get_mut(index / 64) {
                *word |= 1 << (index % 64);
            }
        }
        bits
    }

    /// Adds the numbers of another set.
    pub(super) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Returns the numbers that are in both sets.
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// Whether a number is in the set.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.0
            .get(index / 64)
            .is_some_and(|word| word & (1 << (index % 64)) != 0)
    }

    /// Returns what a set that becomes `after` gains and loses.
    pub(super) fn growth(&self, after: &Self) -> Growth {
        let words = self.0.len().max(after.0.len());
        let word = |bits: &Self, index: usize| bits.0.get(index).copied().unwrap_or(0);
        Growth {
            grew: (0..words).any(|index| word(after, index) & !word(self, index) != 0),
            shrank: (0..words).any(|index| word(self, index) & !word(after, index) != 0),
        }
    }
}
