//! Pairs the items of two lists, such as the rules before with those after, by one key after another.
//!
//! ```text
//! before [a, b, b]    join by name    (a, a), (b, b)
//! after  [b, a, c]    the rest        before: b, after: c
//! ```
//!
//! Cost: linear in both lists for each key.

use std::collections::VecDeque;
use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};

/// An item that is on both sides, or on one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pair<T> {
    Both(T, T),
    Before(T),
    After(T),
}

/// The partner of each item, as an index in the other list.
pub(crate) struct Pairs {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Pairs {
    /// Creates lists of these lengths without any pair.
    pub(crate) fn new(before: usize, after: usize) -> Self {
        Self {
            before: vec![None; before],
            after: vec![None; after],
        }
    }

    /// Pairs the items that have no partner yet and have equal keys, in the order of the lists. An item without a key
    /// is not paired.
    pub(crate) fn join<K: Hash + Eq>(
        &mut self,
        old: impl Fn(usize) -> Option<K>,
        new: impl Fn(usize) -> Option<K>,
    ) {
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
        for index in (0..self.before.len()).filter(|index| self.before.get(*index) == Some(&None)) {
            if let Some(key) = old(index) {
                places.entry(key).or_default().push_back(index);
            }
        }
        for index in (0..self.after.len())
            .filter(|index| self.after.get(*index) == Some(&None))
            .collect::<Vec<_>>()
        {
            let partner = new(index).and_then(|key| places.get_mut(&key)?.pop_front());
            if let Some(partner) = partner {
                self.pair(partner, index);
            }
        }
    }

    /// Pairs two items, unless one of them has a partner or does not exist.
    pub(crate) fn pair(&mut self, before: usize, after: usize) {
        if let (Some(old @ None), Some(new @ None)) =
            (self.before.get_mut(before), self.after.get_mut(after))
        {
            *old = Some(after);
            *new = Some(before);
        }
    }

    /// Returns the items without a partner, before and after.
    pub(crate) fn alone(&self) -> (Vec<usize>, Vec<usize>) {
        let alone = |partners: &[Option<usize>]| {
            let places = partners.iter().enumerate();
            places
                .filter(|(_, partner)| partner.is_none())
                .map(|(index, _)| index)
                .collect()
        };
        (alone(&self.before), alone(&self.after))
    }

    /// Returns all pairs and the items only after, in the order after, then the items that are only before.
    pub(crate) fn all(&self) -> impl Iterator<Item = Pair<usize>> {
        let after = self.after.iter().enumerate();
        let after =
            after.map(|(new, old)| old.map_or(Pair::After(new), |old| Pair::Both(old, new)));
        after.chain(self.alone().0.into_iter().map(Pair::Before))
    }

    /// Returns all pairs, in the order before.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.before
            .iter()
            .enumerate()
            .filter_map(|(index, partner)| Some((index, (*partner)?)))
    }

    /// Whether paired items have another order after than before.
    pub(crate) fn is_reordered(&self) -> bool {
        !self.pairs().map(|(_, after)| after).is_sorted()
    }
}
