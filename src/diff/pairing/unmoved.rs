//! Equal elements of a list: those that keep their order, and those that moved.

use std::collections::HashMap;

use crate::diff::align;
use crate::diff::intern::numbers;

/// The elements of a list that do not move relative to the others.
pub(super) struct Unmoved {
    /// Their indices, ascending on both sides.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The search was cut short: a longer sequence may exist.
    pub(super) is_approximate: bool,
}

impl Unmoved {
    /// The elements of a longest common subsequence.
    pub(super) fn along_common_subsequence(before: &[u32], after: &[u32]) -> Self {
        // The limit is linear in the length of the list, so that all lists together take linear time.
        let max_work = (1 << 22) + 256 * (before.len() + after.len()) as u64;
        let common = align::common_within(before, after, max_work);
        let mut pairs = Vec::with_capacity(common.values.len());
        let (mut b, mut a) = (0, 0);
        for value in common.values {
            while before[b] != value {
                b += 1;
            }
            while after[a] != value {
                a += 1;
            }
            pairs.push((b, a));
            (b, a) = (b + 1, a + 1);
        }
        Self { pairs, is_approximate: common.is_approximate }
    }

    /// Keeps the elements with the same index on both sides, and as many as possible between two of them.
    pub(super) fn around_equal_indices(before: &[u32], after: &[u32]) -> Self {
        let mut is_approximate = false;
        let fixed = (0..before.len().min(after.len())).filter(|at| before[*at] == after[*at]);
        let mut from = 0;
        let mut gap = |from: usize, b: &[u32], a: &[u32], pairs: &mut Vec<(usize, usize)>| {
            if b.is_empty() || a.is_empty() {
                return;
            }
            let (b, a) = numbers(b, a);
            let found = Self::along_common_subsequence(&b, &a);
            is_approximate |= found.is_approximate;
            pairs.extend(found.pairs.into_iter().map(|(b, a)| (from + b, from + a)));
        };
        let mut pairs = Vec::new();
        for at in fixed {
            gap(from, &before[from..at], &after[from..at], &mut pairs);
            pairs.push((at, at));
            from = at + 1;
        }
        gap(from, &before[from.min(before.len())..], &after[from.min(after.len())..], &mut pairs);
        Self { pairs, is_approximate }
    }

    /// The remaining pairs of equal elements, the first before with the first after.
    pub(super) fn moved(&self, before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
        let (mut unmoved_before, mut unmoved_after) = (vec![false; before.len()], vec![false; after.len()]);
        for (b, a) in &self.pairs {
            (unmoved_before[*b], unmoved_after[*a]) = (true, true);
        }
        equal_pairs(before, after, |b| !unmoved_before[b], |a| !unmoved_after[a]).collect()
    }

    /// Whether a moved element could be unmoved instead, because it only moves across equal elements.
    pub(super) fn could_be_unmoved(&self, (b, a): (usize, usize), before: &[u32]) -> bool {
        let one = self.pairs.partition_point(|(other, _)| *other < b);
        let other = self.pairs.partition_point(|(_, other)| *other < a);
        let between = &self.pairs[one.min(other)..one.max(other)];
        between.iter().all(|(at, _)| before[*at] == before[b])
    }
}

/// Pairs equal elements of two lists in order, each element at most once.
pub(super) fn equal_pairs(
    before: &[u32],
    after: &[u32],
    is_free_before: impl Fn(usize) -> bool,
    is_free_after: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, usize)> {
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, number) in after.iter().enumerate().rev().filter(|(at, _)| is_free_after(*at)) {
        places.entry(*number).or_default().push(at);
    }
    before
        .iter()
        .enumerate()
        .filter(move |(at, _)| is_free_before(*at))
        .filter_map(move |(at, number)| Some((at, places.get_mut(number)?.pop()?)))
}
