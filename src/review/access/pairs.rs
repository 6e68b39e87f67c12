//! Pairs the rules or statements before with those after.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The partner of each rule, by index before and after; `None` for removed and added rules.
pub(super) struct Pairs {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Pairs {
    pub(super) fn new(before: usize, after: usize) -> Self {
        Self { before: vec![None; before], after: vec![None; after] }
    }

    /// Pairs free rules with equal keys, in order.
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
                self.pair(partner, at);
            }
        }
    }

    /// Pairs two rules if both are free.
    pub(super) fn pair(&mut self, before: usize, after: usize) {
        if let (Some(old @ None), Some(new @ None)) = (self.before.get_mut(before), self.after.get_mut(after))
        {
            *old = Some(after);
            *new = Some(before);
        }
    }

    /// The indices without a partner, before and after.
    pub(super) fn alone(&self) -> (Vec<usize>, Vec<usize>) {
        let alone = |partners: &[Option<usize>]| {
            let places = partners.iter().enumerate();
            places.filter(|(_, partner)| partner.is_none()).map(|(at, _)| at).collect()
        };
        (alone(&self.before), alone(&self.after))
    }

    /// All pairs, ordered by index before.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.before.iter().enumerate().filter_map(|(at, partner)| Some((at, (*partner)?)))
    }

    /// Whether the paired rules change their order.
    pub(super) fn is_reordered(&self) -> bool {
        !self.pairs().map(|(_, after)| after).is_sorted()
    }
}
