//! Diffs of lists and sets. In a set, equal elements are unchanged, and all others are removed or added.
//!
//! Invariant: elements are paired as upstream does it, so that the text is the same. Lists and sets take about linear
//! time, apart from the alignment of lists.
//!
//! ```text
//! a set before   ["a", "b"]
//! after          ["b", "c"]
//! diff           "a" is removed, "b" is unchanged, "c" is added
//! ```

use std::cell::RefCell;
use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::align::{common, occurring_in};
use super::tree::{Diff, DiffAction, Node};
use super::{Cursor, Differ, Mark, elements};
use crate::dialect::ListPairing;
use crate::json::Value;
use crate::schema::Type;

/// The indices of an element before and after. `NONE` means that a side lacks it.
pub(super) type Pair = (u32, u32);

/// The index of a missing element.
pub(super) const NONE: u32 = u32::MAX;

impl<'a> Differ<'a> {
    /// Computes the diff of a list whose elements have one type.
    pub(super) fn list(self, change: Cursor<'a>, element: Type<'a>) -> Diff<'a> {
        let is_object = matches!(element, Type::Object(_));
        let pairs = self.pair_elements(
            change,
            if element == Type::String {
                None
            } else {
                Some(is_object)
            },
        );
        let (items, action) = self.paired(change, pairs.into_iter(), |_, child| {
            self.typed(child.always_relevant(), element)
        });
        Self::container(
            change,
            action,
            Node::List {
                items,
                nested: false,
            },
        )
    }

    /// Pairs the elements of two lists. `are_pairs` says whether different elements may be shown as one changed
    /// element; `None` leaves that to each pair.
    pub(super) fn pair_elements(self, change: Cursor<'a>, are_pairs: Option<bool>) -> Vec<Pair> {
        let (before, after) = elements(change);
        // Neither case needs the numbers of the elements, which take memory.
        if before.is_empty() || after.is_empty() {
            return unpaired(before.len(), after.len());
        }
        if before == after {
            return by_index(before.len());
        }
        let (before_numbers, after_numbers) = numbers(before, after);
        let lines = Lines::default();
        self.pair(&before_numbers, &after_numbers, |b, a| {
            are_pairs.unwrap_or_else(|| self.may_pair(before[b], after[a], &lines))
        })
    }

    /// Pairs the elements of two lists as the dialect does it. Elements are given as numbers that are equal for equal
    /// elements.
    ///
    /// `may_pair` returns whether two different elements, given by their indices, may be shown as one changed element.
    pub(super) fn pair(
        self,
        before: &[u32],
        after: &[u32],
        may_pair: impl Fn(usize, usize) -> bool,
    ) -> Vec<Pair> {
        let pairing = self.dialect.list_pairing();
        let is_same_length = before.len() == after.len();
        if pairing == ListPairing::ByIndexFirst
            && is_same_length
            && occurring_in(before, after).len() < before.len()
        {
            return by_index(before.len());
        }
        let common = common(before, after);
        self.is_approximate
            .set(self.is_approximate.get() || common.is_approximate);
        walk(before, after, &common.values, pairing, may_pair)
    }

    /// Whether two different elements may be shown as one changed element: two objects, or, depending on the dialect,
    /// two strings that share a line if at least one of them has several lines.
    fn may_pair(self, before: Value<'a>, after: Value<'a>, lines: &Lines<'a>) -> bool {
        match (before, after) {
            (Value::Object(_), Value::Object(_)) => true,
            (Value::String(before), Value::String(after)) => {
                self.dialect.list_pairing() == ListPairing::ByCommonSubsequenceAndLine
                    && lines.are_shared(before, after)
            }
            _ => false,
        }
    }

    /// Computes the diff of a set whose elements have one type.
    pub(super) fn set(self, change: Cursor<'a>, element: Type<'a>) -> Diff<'a> {
        let (items, action) = self.matched(change, |child| self.typed(child, element));
        Self::container(
            change,
            action,
            Node::Set {
                items,
                nested: false,
            },
        )
    }

    /// Computes the diffs of the elements of a set: those before in their order, then the added ones.
    ///
    /// An element before matches an element after that is equal, known, and equally sensitive. If there are several, it
    /// is paired with the last one and consumes all of them, as upstream does. The elements of a relevant set are
    /// relevant with all of their parts.
    pub(super) fn matched(
        self,
        change: Cursor<'a>,
        compute: impl Fn(Cursor<'a>) -> Diff<'a>,
    ) -> (&'a mut [Diff<'a>], DiffAction) {
        self.paired(change, self.matches(change).into_iter(), |_, child| {
            compute(child.always_relevant())
        })
    }

    /// Pairs the equal elements of two sets. All others are removed or added. Takes linear time.
    fn matches(self, change: Cursor<'_>) -> Vec<Pair> {
        let (before, after) = elements(change);
        if before.is_empty() || after.is_empty() {
            return unpaired(before.len(), after.len());
        }
        let (before_numbers, after_numbers) = numbers(before, after);
        // If a single element is marked and the shape is a guess, the values are a list, because the tools mark a set
        // as a whole. Equal elements are then paired despite different marks: otherwise the value that one side hides
        // would be shown as removed or added on the other side.
        let is_sensitive = |mark: Mark<'_>, value| !self.is_guess && mark.covers(value);
        // `last` has, for each distinct element before, the last index after of an equal and known element, separately
        // for elements that are not sensitive and that are. `earlier` links each such index to the previous one. Both
        // count from 1, so that 0 means none: of zeroed memory, only the pages that are written to take memory.
        let mut last = [vec![0u32; before.len()], vec![0; before.len()]];
        let mut earlier = vec![0u32; after.len()];
        for ((index, value), number) in after.iter().enumerate().zip(after_numbers) {
            let number = number as usize;
            if number < before.len() && !change.unknown.index(index).is_whole() {
                let sensitive = is_sensitive(change.after.mark.index(index), *value);
                earlier[index] =
                    std::mem::replace(&mut last[usize::from(sensitive)][number], index as u32 + 1);
            }
        }
        let mut used = vec![false; after.len()];
        let mut pairs = Vec::with_capacity(before.len());
        for ((index, value), number) in before.iter().enumerate().zip(before_numbers) {
            let sensitive = is_sensitive(change.before.mark.index(index), *value);
            let partner = std::mem::take(&mut last[usize::from(sensitive)][number as usize]);
            pairs.push((index as u32, partner.checked_sub(1).unwrap_or(NONE)));
            let mut place = partner;
            while let Some(index) = place.checked_sub(1) {
                used[index as usize] = true;
                place = earlier[index as usize];
            }
        }
        pairs.extend(
            (0u32..)
                .zip(&used)
                .filter(|(_, used)| !**used)
                .map(|(index, _)| (NONE, index)),
        );
        pairs
    }
}

/// Pairs the elements at equal indices.
pub(super) fn by_index(length: usize) -> Vec<Pair> {
    (0..length as u32).map(|index| (index, index)).collect()
}

/// Returns all elements as removed and added.
fn unpaired(before: usize, after: usize) -> Vec<Pair> {
    let removed = (0..before as u32).map(|index| (index, NONE));
    removed
        .chain((0..after as u32).map(|index| (NONE, index)))
        .collect()
}

/// The lines of the strings of a list, by the address of the string. Each string is split once, when it is first
/// compared.
#[derive(Default)]
struct Lines<'a>(RefCell<HashMap<*const str, HashSet<&'a str>>>);

impl<'a> Lines<'a> {
    /// Whether two strings, at least one of which has several lines, have a line in common. Takes time linear in the
    /// shorter string, once the lines of the longer one are cached.
    fn are_shared(&self, before: &'a str, after: &'a str) -> bool {
        /// The maximum length of strings whose lines are not cached, in bytes.
        const SHORT: usize = 128;
        let (short, long) = if before.len() < after.len() {
            (before, after)
        } else {
            (after, before)
        };
        let has_several = |text: &str| text.contains('\n');
        if long.len() <= SHORT {
            return (has_several(short) || has_several(long))
                && short
                    .split('\n')
                    .any(|line| long.split('\n').any(|other| other == line));
        }
        let mut cache = self.0.borrow_mut();
        let lines = cache
            .entry(std::ptr::from_ref(long))
            .or_insert_with(|| long.split('\n').collect());
        let long_has_several = lines
            .iter()
            .next()
            .is_some_and(|line| line.len() < long.len());
        (has_several(short) || long_has_several)
            && short.split('\n').any(|line| lines.contains(line))
    }
}

/// Pairs elements along a common subsequence. Upstream's algorithm knows only the common *values*, not their indices,
/// so the first equal element on each side is used.
fn walk(
    before: &[u32],
    after: &[u32],
    common: &[u32],
    pairing: ListPairing,
    may_pair: impl Fn(usize, usize) -> bool,
) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(before.len().max(after.len()));
    let (mut b, mut a, mut c) = (0, 0, 0);
    while b < before.len() || a < after.len() || c < common.len() {
        let next = common.get(c);
        while b < before.len() && Some(&before[b]) != next {
            if a < after.len() && Some(&after[a]) != next && may_pair(b, a) {
                pairs.push((b as u32, a as u32));
                a += 1;
            } else {
                pairs.push((b as u32, NONE));
            }
            b += 1;
        }
        while a < after.len() && Some(&after[a]) != next {
            if pairing == ListPairing::ByCommonSubsequenceAndLine
                && b < before.len()
                && may_pair(b, a)
            {
                pairs.push((b as u32, a as u32));
                b += 1;
            } else {
                pairs.push((NONE, a as u32));
            }
            a += 1;
        }
        if next.is_some() {
            // Pairing may have consumed the element on one side; the element of the other side is then added or
            // removed.
            let place = |index: usize, side: &[u32]| {
                if index < side.len() {
                    index as u32
                } else {
                    NONE
                }
            };
            pairs.push((place(b, before), place(a, after)));
            b += 1;
            a += 1;
            c += 1;
        }
    }
    pairs
}

/// Returns a number for each element of both lists. Two elements have the same number if and only if they are equal: it
/// is the index of the first equal element in the concatenation of both lists, so results do not depend on hash values,
/// whose seed is random.
pub(super) fn numbers<K: Hash + Eq>(before: &[K], after: &[K]) -> (Vec<u32>, Vec<u32>) {
    let mut first: HashMap<&K, u32> = HashMap::with_capacity(before.len() + after.len());
    let of_before: Vec<u32> = before
        .iter()
        .zip(0..)
        .map(|(key, place)| *first.entry(key).or_insert(place))
        .collect();
    // After most elements comes the same element on both sides. Comparing with it is cheaper than a lookup in a table
    // that exceeds the cache.
    let mut next = 0;
    let after_places = before.len() as u32..;
    let of_after = after.iter().zip(after_places).map(|(key, place)| {
        if before.get(next) == Some(key) {
            next += 1;
            return of_before[next - 1];
        }
        let number = *first.entry(key).or_insert(place);
        if (number as usize) < before.len() {
            next = number as usize + 1;
        }
        number
    });
    let of_after = of_after.collect();
    (of_before, of_after)
}

#[cfg(test)]
mod tests;
