//! Diffs of lists: pairs the elements of both sides.

use std::cell::RefCell;

use foldhash::{HashMap, HashSet};

use super::align::common;
use super::intern::numbers;
use super::{Differ, elements};
use crate::dialect::ListPairing;
use crate::diff::Cursor;
use crate::diff::tree::{Diff, Node};
use crate::json::Value;
use crate::schema::Type;

/// The indices of two paired elements; [`NONE`] on one side for an added or removed element.
pub(super) type Pair = (u32, u32);

/// The index that stands for no element.
pub(super) const NONE: u32 = u32::MAX;

/// The minimum length of lists that are checked for being equal before their elements are paired.
const MANY: usize = 4 << 10;

impl<'a> Differ<'a> {
    /// The diff of a list with elements of type `element`.
    pub(super) fn list(self, change: Cursor<'a>, element: Type<'a>) -> Diff<'a> {
        let (before, after) = elements(change);
        let is_object = matches!(element, Type::Object(_));
        let is_string = element == Type::String;
        let lines = Lines::default();
        let pairs = self.pair_elements(before, after, |before, after| {
            is_object || (is_string && self.may_pair(before, after, &lines))
        });
        // The elements of a relevant list are relevant with all of their parts.
        let (items, action) =
            self.paired(change, pairs.into_iter(), |child| self.typed(child.always_relevant(), element));
        Self::container(change, action, Node::List { items, nested: false })
    }

    /// Pairs the elements of a list or JSON array.
    pub(super) fn pair_elements(
        self,
        before: &[Value<'a>],
        after: &[Value<'a>],
        may_pair: impl Fn(&Value<'a>, &Value<'a>) -> bool,
    ) -> Vec<Pair> {
        // Neither needs the numbers of the elements, which take memory.
        if before.is_empty() || after.is_empty() {
            let removed = (0..before.len() as u32).map(|at| (at, NONE));
            return removed.chain((0..after.len() as u32).map(|at| (NONE, at))).collect();
        }
        if before.len() >= MANY && before == after {
            return by_index(before.len());
        }
        let (before_numbers, after_numbers) = numbers(before, after);
        self.pair(&before_numbers, &after_numbers, |at_before, at_after| {
            may_pair(&before[at_before], &after[at_after])
        })
    }

    /// Pairs elements given by their numbers; equal elements have equal numbers.
    pub(super) fn pair(
        self,
        before: &[u32],
        after: &[u32],
        may_pair: impl Fn(usize, usize) -> bool,
    ) -> Vec<Pair> {
        let pairing = self.dialect.list_pairing();
        if pairing == ListPairing::ByIndexFirst && before.len() == after.len() && !is_contained(before, after)
        {
            return by_index(before.len());
        }
        let common = common(before, after);
        self.is_approximate.set(self.is_approximate.get() || common.is_approximate);
        walk(before, after, &common.values, pairing, may_pair)
    }

    /// Whether two different elements may be shown as one changed element: two objects, or, depending on the
    /// dialect, two strings that share a line if one of them has several.
    pub(super) fn may_pair(self, before: &Value<'a>, after: &Value<'a>, lines: &Lines<'a>) -> bool {
        match (before, after) {
            (Value::Object(_), Value::Object(_)) => true,
            (Value::String(before), Value::String(after)) => {
                self.dialect.list_pairing() == ListPairing::ByCommonSubsequenceAndLine
                    && lines.are_shared(before, after)
            }
            _ => false,
        }
    }
}

/// All elements of two lists of `length` elements, paired by index.
fn by_index(length: usize) -> Vec<Pair> {
    (0..length as u32).map(|at| (at, at)).collect()
}

/// Whether every number of `before` occurs in `after`.
fn is_contained(before: &[u32], after: &[u32]) -> bool {
    let most = after.iter().max().map_or(0, |most| *most as usize + 1);
    let mut present = vec![false; most];
    for number in after {
        present[*number as usize] = true;
    }
    before.iter().all(|number| present.get(*number as usize).is_some_and(|present| *present))
}

/// A cache of the lines of long strings: a long string may be compared with very many others.
#[derive(Default)]
pub(super) struct Lines<'a>(RefCell<HashMap<*const str, LinesOf<'a>>>);

/// The lines of one string.
struct LinesOf<'a> {
    unique: HashSet<&'a str>,
    /// Whether there is more than one line, counting equal lines.
    are_several: bool,
}

impl<'a> Lines<'a> {
    /// Strings up to this length, in bytes, are not cached.
    const SHORT: usize = 128;

    /// Whether two strings, at least one with several lines, have a line in common. Takes time linear in
    /// the shorter one once the lines of the longer one are cached.
    fn are_shared(&self, before: &'a str, after: &'a str) -> bool {
        if !self.are_several(before) && !self.are_several(after) {
            return false;
        }
        let (short, long) = if before.len() < after.len() { (before, after) } else { (after, before) };
        if long.len() <= Self::SHORT {
            return short.split('\n').any(|line| long.split('\n').any(|other| other == line));
        }
        self.with(long, |lines| short.split('\n').any(|line| lines.unique.contains(line)))
    }

    fn are_several(&self, text: &'a str) -> bool {
        if text.len() <= Self::SHORT {
            return text.contains('\n');
        }
        self.with(text, |lines| lines.are_several)
    }

    fn with<T>(&self, text: &'a str, ask: impl Fn(&LinesOf<'a>) -> T) -> T {
        let lines = || LinesOf { unique: text.split('\n').collect(), are_several: text.contains('\n') };
        ask(self.0.borrow_mut().entry(std::ptr::from_ref(text)).or_insert_with(lines))
    }
}

/// Walks both sides along their common values. Elements before the next common value are removed, added
/// or paired. Upstream's algorithm has only the common *values*, not their indices, so the first equal
/// element on each side is used.
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
            if pairing == ListPairing::ByCommonSubsequenceAndLine && b < before.len() && may_pair(b, a) {
                pairs.push((b as u32, a as u32));
                b += 1;
            } else {
                pairs.push((NONE, a as u32));
            }
            a += 1;
        }
        if next.is_some() {
            // Pairing may have consumed the element on one side; the other one is then added or removed.
            let place = |at: usize, side: &[u32]| if at < side.len() { at as u32 } else { NONE };
            pairs.push((place(b, before), place(a, after)));
            b += 1;
            a += 1;
            c += 1;
        }
    }
    pairs
}
