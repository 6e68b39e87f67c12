//! Which of the rules or statements before is which after.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The places before and after of what is the same thing; one of them where it is added or removed. In the
/// order of the places after; what is removed comes first.
pub(super) struct Pairs {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Pairs {
    pub(super) fn new(before: usize, after: usize) -> Self {
        Self { before: vec![None; before], after: vec![None; after] }
    }

    /// Pairs what has no partner yet and an equal key, the first with the first.
    pub(super) fn join<K: Hash + Eq>(
        &mut self,
        old: impl Fn(usize) -> Option<K>,
        new: impl Fn(usize) -> Option<K>,
    ) {
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
        for at in (0..self.before.len()).filter(|at| self.before.get(*at) == Some(&None)) {
            if let Some(key) = old(at) {
                places.entry(key).or_default().push_back(at);
            }
        }
        for at in (0..self.after.len()).filter(|at| self.after.get(*at) == Some(&None)).collect::<Vec<_>>() {
            let partner = new(at).and_then(|key| places.get_mut(&key)?.pop_front());
            if let Some(partner) = partner {
                self.put(partner, at);
            }
        }
    }

    /// Makes two a pair, if neither is part of one.
    pub(super) fn put(&mut self, before: usize, after: usize) {
        if let (Some(old @ None), Some(new @ None)) = (self.before.get_mut(before), self.after.get_mut(after))
        {
            *old = Some(after);
            *new = Some(before);
        }
    }

    /// The places that have no partner.
    pub(super) fn alone(&self) -> (Vec<usize>, Vec<usize>) {
        let alone = |partners: &[Option<usize>]| {
            let places = partners.iter().enumerate();
            places.filter(|(_, partner)| partner.is_none()).map(|(at, _)| at).collect()
        };
        (alone(&self.before), alone(&self.after))
    }

    /// All pairs, in the order of the places before.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.before.iter().enumerate().filter_map(|(at, partner)| Some((at, (*partner)?)))
    }

    /// Whether those that stay have another order.
    pub(super) fn is_reordered(&self) -> bool {
        !self.pairs().map(|(_, after)| after).is_sorted()
    }
}
