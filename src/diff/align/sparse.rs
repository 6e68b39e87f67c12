//! Alignment by equal pairs (Hunt and Szymanski): fast if elements rarely repeat.

use super::{Pairs, Places};

/// The number of steps that [`align`] takes for this many equal pairs.
pub(super) fn steps(equal_pairs: u64) -> u64 {
    equal_pairs.saturating_mul(16)
}

/// An equal pair that lowered a threshold, or matched it, with its predecessor.
#[derive(Clone, Copy)]
struct Link {
    before: u32,
    after: u32,
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// The chosen pairs, in order. All elements are less than `numbers`.
///
/// In each row, an equal pair `(i, j)` belongs to the length `l` with `T(l - 1) < j <= T(l)` and moves
/// that threshold to `j`. Its predecessor is the pair at `T(l - 1)` at the start of the row; the pairs of
/// a row are processed by descending `j`, so that pair is still there. A pair that equals its threshold
/// replaces the pair there, because it is a later occurrence of the same value.
pub(super) fn align(before: &[u32], after: &[u32], numbers: usize) -> Pairs {
    let places = Places::new(after, numbers);
    let mut links: Vec<Link> = Vec::new();
    let mut ends: Vec<u32> = Vec::new(); // the thresholds, by length - 1
    let mut tops: Vec<u32> = Vec::new(); // the link at each threshold
    for (i, number) in (0u32..).zip(before) {
        for &j in places.get(*number).iter().rev() {
            let at = threshold(&ends, j);
            let previous = if at == 0 { NONE } else { tops[at - 1] };
            let link = u32::try_from(links.len()).unwrap_or(NONE);
            links.push(Link { before: i, after: j, previous });
            if at == ends.len() {
                ends.push(j);
                tops.push(link);
            } else {
                ends[at] = j;
                tops[at] = link;
            }
        }
    }
    let mut pairs = Vec::with_capacity(ends.len());
    let mut top = tops.last().copied().unwrap_or(NONE);
    while let Some(link) = links.get(top as usize) {
        pairs.push((link.before as usize, link.after as usize));
        top = link.previous;
    }
    pairs.reverse();
    pairs
}

/// The index of the first threshold that is at least `j`.
fn threshold(ends: &[u32], j: u32) -> usize {
    // In similar sequences, most pairs extend the last threshold.
    match ends.last() {
        Some(last) if *last < j => ends.len(),
        _ => ends.partition_point(|end| *end < j),
    }
}
