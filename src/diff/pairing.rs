//! Pairs the elements of lists and sets for reviews: by content, by name, by similarity.
//!
//! Invariants: each element occurs once in the result, alone or in a pair. Unmoved elements ([`Match::Same`]) are equal
//! and, in a list, in the same order on both sides. As few elements as possible are reported as moved. The work is
//! about n log n; if that does not suffice, [`Pairing::approximate`] is set.
//!
//! ```text
//! a list before   ["a", "b", "c"]
//! after           ["c", "b", "a"]
//! pairs           "a" moved from 0 to 2, "b" is the same, "c" moved from 2 to 0
//! ```

mod identity;

pub use identity::{is_similar, name_value, names};

use std::collections::HashMap;

use super::align;
use super::list::numbers;
use super::value::{MarkedValue, Unmarked};

/// The meaning of the order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order matters: in a list or tuple.
    Matters,
    /// The order is ignored: in a set.
    Ignored,
    /// The order matters, and a moved element counts as removed and added: in the lines of a text.
    Lines,
}

/// An element that is on both sides, or on one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The index before; `None` if the element is added.
    pub before: Option<usize>,
    /// The index after; `None` if the element is removed.
    pub after: Option<usize>,
    /// The relation of the two.
    pub how: Match,
}

/// The relation of an element before to the same element after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// They are equal, and not moved relative to the others.
    Same,
    /// They are equal, and at another place among the others.
    Moved,
    /// They differ, and are identified by a name, by similarity or by their index. Also for an element on one side.
    Changed,
}

/// The pairs of the elements of two lists or sets.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The pairs in the order of the elements before. Added elements are at their position.
    pub pairs: Vec<Pair>,
    /// Whether more elements than necessary may be reported as removed and added.
    pub approximate: bool,
}

/// Pairs the elements before with those after.
pub fn pair(before: &[MarkedValue<'_>], after: &[MarkedValue<'_>], order: Order) -> Pairing {
    let head = before.iter().zip(after).take_while(|(b, a)| b == a).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(rest)
        .take_while(|(b, a)| b == a)
        .count();
    let mut pairer = Pairer {
        before,
        after,
        partner_before: vec![None; before.len()],
        partner_after: vec![None; after.len()],
        approximate: false,
    };
    (0..head).for_each(|index| pairer.set(index, index, Match::Same));
    (0..tail)
        .for_each(|back| pairer.set(before.len() - 1 - back, after.len() - 1 - back, Match::Same));
    let (from, to_before, to_after) = (head, before.len() - tail, after.len() - tail);
    if from < to_before && from < to_after {
        pairer.pair_equal(from, to_before, to_after, order);
        if order != Order::Lines {
            pairer.pair_differently_marked();
            pairer.pair_by_name();
            pairer.pair_by_similarity();
        }
        match order {
            Order::Matters => pairer.pair_by_index(),
            Order::Ignored => pairer.pair_last_objects(),
            Order::Lines => {}
        }
    }
    pairer.finish()
}

/// The index of the partner of an element and its relation to it; `None` if the element is free.
pub(super) type Partner = Option<(usize, Match)>;

/// A pairing in progress. Each `pair_…` method pairs elements that are still free.
pub(super) struct Pairer<'v, 'a> {
    /// The elements before.
    pub(super) before: &'v [MarkedValue<'a>],
    /// The elements after.
    pub(super) after: &'v [MarkedValue<'a>],
    /// The partner of each element before.
    pub(super) partner_before: Vec<Partner>,
    /// The partner of each element after.
    pub(super) partner_after: Vec<Partner>,
    /// Whether not all pairs of elements were tried.
    pub(super) approximate: bool,
}

impl<'a> Pairer<'_, 'a> {
    /// Pairs two elements.
    pub(super) fn set(&mut self, before: usize, after: usize, how: Match) {
        // After an approximate search, equal elements may be left over. They are reported as removed and added, never
        // as changed.
        if how == Match::Changed && self.before[before] == self.after[after] {
            return;
        }
        self.partner_before[before] = Some((after, how));
        self.partner_after[after] = Some((before, how));
    }

    pub(super) fn is_free(&self, before: usize, after: usize) -> bool {
        self.partner_before[before].is_none() && self.partner_after[after].is_none()
    }

    /// Returns the indices of the elements without a partner.
    pub(super) fn free(partners: &[Partner]) -> impl Iterator<Item = usize> {
        partners
            .iter()
            .enumerate()
            .filter(|(_, partner)| partner.is_none())
            .map(|(index, _)| index)
    }

    /// Pairs equal elements of two ranges, which begin at `from` and end before `to_before` and `to_after`.
    ///
    /// Where the order matters, the elements of a common subsequence are unmoved, and other equal elements are moved.
    fn pair_equal(&mut self, from: usize, to_before: usize, to_after: usize, order: Order) {
        let (before, after) = numbers(&self.before[from..to_before], &self.after[from..to_after]);
        if order == Order::Ignored {
            equal_pairs(&before, &after, |_| true, |_| true)
                .for_each(|(b, a)| self.set(from + b, from + a, Match::Same));
            return;
        }
        let mut unmoved = Unmoved::along_common_subsequence(&before, &after);
        if order == Order::Matters && !unmoved.is_approximate {
            let mut moved = unmoved.moved(&before, &after);
            // An element that keeps its index must not be reported as moved.
            if moved.iter().any(|(b, a)| b == a) {
                let anchored = Unmoved::around_equal_indices(&before, &after);
                let moved_around = anchored.moved(&before, &after);
                if anchored.is_approximate
                    || moved_around
                        .iter()
                        .any(|pair| anchored.could_be_unmoved(*pair, &before))
                {
                    moved.retain(|(b, a)| b != a);
                } else {
                    (unmoved, moved) = (anchored, moved_around);
                }
            }
            moved
                .into_iter()
                .for_each(|(b, a)| self.set(from + b, from + a, Match::Moved));
        }
        self.approximate = unmoved.is_approximate;
        unmoved
            .pairs
            .into_iter()
            .for_each(|(b, a)| self.set(from + b, from + a, Match::Same));
    }

    /// Pairs free elements that differ only in their marks.
    fn pair_differently_marked(&mut self) {
        let free =
            |values: &[MarkedValue<'a>], partners: &[Partner]| -> (Vec<usize>, Vec<Unmarked<'a>>) {
                Self::free(partners)
                    .map(|index| (index, Unmarked(values[index])))
                    .unzip()
            };
        let (places_before, before) = free(self.before, &self.partner_before);
        let (places_after, after) = free(self.after, &self.partner_after);
        if !before.iter().chain(&after).any(|value| value.0.has_marks) {
            return;
        }
        let (before, after) = numbers(&before, &after);
        equal_pairs(&before, &after, |_| true, |_| true)
            .for_each(|(b, a)| self.set(places_before[b], places_after[a], Match::Changed));
    }

    /// Pairs free elements by their order in the gaps between unmoved elements, in each gap with the same number of
    /// them on both sides.
    fn pair_by_index(&mut self) {
        let is_unmoved = |partner: &Partner| matches!(partner, Some((_, Match::Same)));
        let end = |partners: &[Partner], from: usize| {
            partners
                .iter()
                .skip(from)
                .position(is_unmoved)
                .map_or(partners.len(), |index| from + index)
        };
        let (mut b, mut a) = (0, 0);
        while b < self.before.len() || a < self.after.len() {
            let (end_b, end_a) = (end(&self.partner_before, b), end(&self.partner_after, a));
            let gap_b: Vec<usize> = (b..end_b)
                .filter(|index| self.partner_before[*index].is_none())
                .collect();
            let gap_a: Vec<usize> = (a..end_a)
                .filter(|index| self.partner_after[*index].is_none())
                .collect();
            if gap_b.len() == gap_a.len() {
                for (b, a) in gap_b.into_iter().zip(gap_a) {
                    if may_replace(self.before[b], self.after[a]) {
                        self.set(b, a, Match::Changed);
                    }
                }
            }
            (b, a) = (end_b + 1, end_a + 1);
        }
    }

    /// Pairs the last free elements of a set, if each side has one and both are objects.
    fn pair_last_objects(&mut self) {
        let only = |partners: &[Partner]| {
            let mut free = Self::free(partners);
            free.next().filter(|_| free.next().is_none())
        };
        if let (Some(b), Some(a)) = (only(&self.partner_before), only(&self.partner_after))
            && self.before[b].as_object().is_some()
            && self.after[a].as_object().is_some()
        {
            self.set(b, a, Match::Changed);
        }
    }

    /// Returns the pairs in the order of the elements before, with added elements at their position in the value after.
    fn finish(self) -> Pairing {
        let mut pairs = Vec::with_capacity(self.before.len().max(self.after.len()));
        let mut added = Self::free(&self.partner_after).peekable();
        let add = |after| Pair {
            before: None,
            after: Some(after),
            how: Match::Changed,
        };
        for (before, partner) in self.partner_before.iter().enumerate() {
            if let Some((after, Match::Same)) = partner {
                while let Some(index) = added.next_if(|index| index < after) {
                    pairs.push(add(index));
                }
            }
            let how = partner.map_or(Match::Changed, |(_, how)| how);
            pairs.push(Pair {
                before: Some(before),
                after: partner.map(|(after, _)| after),
                how,
            });
        }
        pairs.extend(added.map(add));
        Pairing {
            pairs,
            approximate: self.approximate,
        }
    }
}

/// Whether `after` may well be the new value of the element `before` at the same position.
fn may_replace(before: MarkedValue<'_>, after: MarkedValue<'_>) -> bool {
    let form = |value: MarkedValue<'_>| (value.as_array().is_some(), value.as_object().is_some());
    (form(before) == form(after) && !before.is_unknown())
        || after.is_unknown()
        || before.is_null()
        || after.is_null()
}

/// Pairs of equal elements that are in the same order on both sides, so they count as unmoved.
struct Unmoved {
    pairs: Vec<(usize, usize)>,
    is_approximate: bool,
}

impl Unmoved {
    /// Takes the pairs of a longest common subsequence, or of an approximation if that would exceed a limit.
    fn along_common_subsequence(before: &[u32], after: &[u32]) -> Self {
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
        Self {
            pairs,
            is_approximate: common.is_approximate,
        }
    }

    /// Takes all elements that keep their index, and common subsequences in the gaps between them.
    fn around_equal_indices(before: &[u32], after: &[u32]) -> Self {
        let end = before.len().min(after.len());
        let fixed = (0..end).filter(|index| before[*index] == after[*index]);
        let (mut pairs, mut is_approximate, mut from) = (Vec::new(), false, 0);
        for index in fixed.chain([usize::MAX]) {
            let (b, a) = (
                &before[from..index.min(before.len())],
                &after[from..index.min(after.len())],
            );
            if !b.is_empty() && !a.is_empty() {
                let (b, a) = numbers(b, a);
                let inner = Self::along_common_subsequence(&b, &a);
                is_approximate |= inner.is_approximate;
                pairs.extend(inner.pairs.into_iter().map(|(b, a)| (from + b, from + a)));
            }
            if index < end {
                pairs.push((index, index));
                from = index + 1;
            }
        }
        Self {
            pairs,
            is_approximate,
        }
    }

    /// Returns the pairs of equal elements that are not unmoved.
    fn moved(&self, before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
        let (mut unmoved_before, mut unmoved_after) =
            (vec![false; before.len()], vec![false; after.len()]);
        for (b, a) in &self.pairs {
            (unmoved_before[*b], unmoved_after[*a]) = (true, true);
        }
        equal_pairs(before, after, |b| !unmoved_before[b], |a| !unmoved_after[a]).collect()
    }

    /// Whether a moved element only moves across equal elements, so that it could be unmoved.
    fn could_be_unmoved(&self, (b, a): (usize, usize), before: &[u32]) -> bool {
        let one = self.pairs.partition_point(|(other, _)| *other < b);
        let other = self.pairs.partition_point(|(_, other)| *other < a);
        let between = &self.pairs[one.min(other)..one.max(other)];
        between.iter().all(|(index, _)| before[*index] == before[b])
    }
}

/// Pairs each free number before with the first number after that is equal, free, and not paired yet. Takes linear
/// time.
fn equal_pairs(
    before: &[u32],
    after: &[u32],
    is_free_before: impl Fn(usize) -> bool,
    is_free_after: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, usize)> {
    let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, number) in after
        .iter()
        .enumerate()
        .rev()
        .filter(|(index, _)| is_free_after(*index))
    {
        places.entry(*number).or_default().push(index);
    }
    before
        .iter()
        .enumerate()
        .filter(move |(index, _)| is_free_before(*index))
        .filter_map(move |(index, number)| Some((index, places.get_mut(number)?.pop()?)))
}

#[cfg(test)]
mod tests;
