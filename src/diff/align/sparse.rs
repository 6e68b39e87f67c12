//! Alignment by equal pairs (Hunt and Szymanski): quick where elements seldom repeat.

use super::{Pairs, Places};

/// Steps that `align` takes for so many equal pairs.
pub(super) fn steps(equal_pairs: u64) -> u64 {
    equal_pairs.saturating_mul(16)
}

/// An equal pair that moved a threshold, or met it again, and the pair that it follows.
#[derive(Clone, Copy)]
struct Link {
    before: u32,
    after: u32,
    previous: u32,
}

const NONE: u32 = u32::MAX;

/// The chosen pairs, in order. Numbers lie below `numbers`.
///
/// Row by row, an equal pair `(i, j)` belongs to the length `l` with `T(l - 1) < j <= T(l)` and
/// moves that threshold to `j`. Its predecessor in the walk is whatever stands at `T(l - 1)` when
/// the row begins, which holds as the pairs of a row come with `j` falling. A pair that meets its
/// threshold exactly replaces what stood there: it is the later place of the same value.
pub(super) fn align(before: &[u32], after: &[u32], numbers: usize) -> Pairs {
    let places = Places::of(after, numbers);
    let mut links: Vec<Link> = Vec::new();
    let mut ends: Vec<u32> = Vec::new(); // thresholds, by length - 1
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

/// The index of the first threshold that is not before `j`.
fn threshold(ends: &[u32], j: u32) -> usize {
    // Sequences that are much alike move the last thresholds.
    match ends.last() {
        Some(last) if *last < j => ends.len(),
        _ => ends.partition_point(|end| *end < j),
    }
}
