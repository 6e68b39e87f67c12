//! Longest common subsequences with upstream's tie-break: of several subsequences of the same length,
//! the one that upstream chooses.
//!
//! Upstream fills a table of the lengths `L(i, j)` of the longest common subsequence of the first `i`
//! elements of *before* and the first `j` of *after*, and traces it back from the far corner. Equal
//! elements are taken; otherwise an element of *after* is dropped, unless dropping one of *before* keeps
//! a longer subsequence. Only the values taken matter. A shorter walk takes the same values, and all
//! algorithms here are based on it. Let `T(i, l)` be the smallest `j` with `L(i, j) = l`:
//!
//! > Start with `i` at the end of *before* and `l` as the full length. The next value is the element of
//! > *after* at `T(i, l)`. It is matched with its last occurrence `k <= i` in *before*. Continue with
//! > `i = k - 1` and `l - 1`.
//!
//! Proof: in row `i`, with `l` elements left to take, upstream's walk moves left until it reaches
//! `before[i]` or `T(i, l)`. If `before[i]` occurs on that way, it also occurs at `T(i, l)` (otherwise
//! that threshold would equal the one of row `i - 1`, and the match would make a longer subsequence),
//! and the column in which it was taken does not affect the rest. If it does not occur,
//! `T(i - 1, l) = T(i, l)`.
//!
//! It follows that common prefixes and suffixes can be cut off, and elements that occur on one side only
//! can be removed: neither changes a threshold of the rest. The rest is aligned by the cheapest
//! algorithm for it:
//!
//! | input | algorithm | time |
//! |---|---|---|
//! | few edits `d` | `edits`: furthest reaching points for each number of edits | about `n + d²` |
//! | few equal pairs `r` (elements rarely repeat) | `sparse`: thresholds updated pair by pair | `r log n` |
//! | many edits among often repeated elements | `bits`: table rows as bit vectors | `n m / 64` |
//! | more than [`MAX_STEPS`] for each of these | rare elements first, then the gaps in pieces | linear |
//!
//! All of them use linear or nearly linear memory. Only the last one may choose a different subsequence
//! than upstream; it then sets [`Common::is_approximate`].

mod bits;
mod edits;
mod sparse;

use std::borrow::Cow;

/// The maximum number of steps of an exact alignment. A step takes about a nanosecond.
pub const MAX_STEPS: u64 = 1 << 31;

/// A common subsequence of two sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// The common values, in order.
    pub values: Vec<u32>,
    /// An exact alignment would have exceeded the step limit: the values are a common subsequence, but
    /// maybe neither a longest one nor the one that upstream chooses.
    pub is_approximate: bool,
}

/// The longest common subsequence of `before` and `after` that upstream chooses, within [`MAX_STEPS`].
pub fn common(before: &[u32], after: &[u32]) -> Common {
    common_within(before, after, MAX_STEPS)
}

/// The pairs of equal elements that an alignment chose, by index in both sequences.
type Pairs = Vec<(usize, usize)>;

/// Like [`common`], with a limit of `max_steps` steps.
pub fn common_within(before: &[u32], after: &[u32], max_steps: u64) -> Common {
    let mut tails: Vec<Vec<u32>> = Vec::new();
    let mut values = Vec::new();
    let mut is_approximate = false;
    let (mut before, mut after) = (Cow::Borrowed(before), Cow::Borrowed(after));
    // Removing elements that one side lacks may make more elements at the ends equal, and cutting those off
    // may leave others without a partner. A few rounds suffice; more would only reduce the cost.
    for round in 0.. {
        let (head, tail) = common_ends(&before, &after);
        values.extend_from_slice(&before[..head]);
        tails.push(before[before.len() - tail..].to_vec());
        let middle = Middle::new(&before[head..before.len() - tail], &after[head..after.len() - tail]);
        let same_size = middle.before.len() == before.len() && middle.after.len() == after.len();
        if middle.before.is_empty() {
            break;
        }
        if same_size || round == 7 {
            let (pairs, cut) = middle.align(max_steps);
            values.extend(pairs.iter().filter_map(|(at, _)| middle.value(*at)));
            is_approximate = cut;
            break;
        }
        (before, after) = middle.restored();
    }
    values.extend(tails.into_iter().rev().flatten());
    Common { values, is_approximate }
}

/// The lengths of the common prefix and suffix. The suffix is matched first, because upstream's walk
/// begins at the end.
fn common_ends(before: &[u32], after: &[u32]) -> (usize, usize) {
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[..before.len() - tail], &after[..after.len() - tail]);
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    (head, tail)
}

/// Two sequences reduced to the elements that occur in both, renumbered densely from 0.
struct Middle {
    before: Vec<u32>,
    after: Vec<u32>,
    /// The caller's number for each of these.
    names: Vec<u32>,
    /// The number of occurrences of each in `before` and in `after`.
    counts: Vec<(u32, u32)>,
}

impl Middle {
    fn new(before: &[u32], after: &[u32]) -> Self {
        /// Marks values that do not have a new number.
        const MISSING: u32 = u32::MAX;
        const IN_AFTER: u32 = u32::MAX - 1;
        // Indexed by value: the caller's numbers are indices of elements, so they are bounded by their count.
        let len = before.iter().chain(after).max().map_or(0, |max| *max as usize + 1);
        let mut numbers = vec![MISSING; len];
        for value in after {
            numbers[*value as usize] = IN_AFTER;
        }
        let mut middle =
            Self { before: Vec::new(), after: Vec::new(), names: Vec::new(), counts: Vec::new() };
        for value in before {
            let number = &mut numbers[*value as usize];
            if *number == MISSING {
                continue;
            }
            if *number == IN_AFTER {
                *number = middle.names.len() as u32;
                middle.names.push(*value);
                middle.counts.push((0, 0));
            }
            middle.before.push(*number);
            middle.counts[*number as usize].0 += 1;
        }
        for value in after {
            let number = numbers[*value as usize];
            if number != IN_AFTER {
                middle.after.push(number);
                middle.counts[number as usize].1 += 1;
            }
        }
        middle
    }

    fn value(&self, at: usize) -> Option<u32> {
        self.names.get(*self.before.get(at)? as usize).copied()
    }

    fn restored(&self) -> (Cow<'static, [u32]>, Cow<'static, [u32]>) {
        let name = |number: &u32| self.names[*number as usize];
        (self.before.iter().map(name).collect(), self.after.iter().map(name).collect())
    }

    /// The chosen pairs in order, and whether the step limit was exceeded.
    fn align(&self, max_steps: u64) -> (Pairs, bool) {
        let (before, after) = (&self.before[..], &self.after[..]);
        let equal_pairs =
            self.counts.iter().fold(0u64, |sum, (b, a)| sum.saturating_add(u64::from(*b) * u64::from(*a)));
        let steps = sparse::steps(equal_pairs).min(bits::steps(before.len(), after.len()));
        if steps > edits::FIRST_TRY
            && let Some(pairs) = edits::align(before, after, steps.min(max_steps))
        {
            return (pairs, false);
        }
        if steps > max_steps {
            return (self.align_in_pieces(max_steps), true);
        }
        if steps == sparse::steps(equal_pairs) {
            (sparse::align(before, after, self.counts.len()), false)
        } else {
            (bits::align(before, after, self.counts.len()), false)
        }
    }

    /// Aligns elements that rarely repeat, then the gaps between them, piece by piece.
    fn align_in_pieces(&self, max_steps: u64) -> Pairs {
        let seldom = self.seldom(max_steps / 64);
        let places = |side: &[u32]| -> (Vec<usize>, Vec<u32>) {
            side.iter()
                .enumerate()
                .filter(|(_, number)| seldom[**number as usize])
                .map(|(at, n)| (at, *n))
                .unzip()
        };
        let (at_before, before) = places(&self.before);
        let (at_after, after) = places(&self.after);
        let fixed = sparse::align(&before, &after, self.counts.len());
        let fixed = fixed.into_iter().map(|(b, a)| (at_before[b], at_after[a]));
        let mut pairs = Vec::new();
        let (mut from_before, mut from_after) = (0, 0);
        for (to_before, to_after) in fixed.chain([(self.before.len(), self.after.len())]) {
            self.align_gap(from_before..to_before, from_after..to_after, &mut pairs);
            if to_before < self.before.len() {
                pairs.push((to_before, to_after));
            }
            (from_before, from_after) = (to_before + 1, to_after + 1);
        }
        pairs
    }

    /// Marks the elements, cheapest first, that together take at most `max_steps` steps in [`sparse`].
    fn seldom(&self, max_steps: u64) -> Vec<bool> {
        let mut by_cost: Vec<(u64, usize)> = self
            .counts
            .iter()
            .enumerate()
            .map(|(number, (b, a))| (sparse::steps(u64::from(*b) * u64::from(*a)), number))
            .collect();
        by_cost.sort_unstable();
        let mut seldom = vec![false; by_cost.len()];
        let mut left = max_steps;
        for (cost, number) in by_cost {
            let Some(rest) = left.checked_sub(cost) else { break };
            left = rest;
            seldom[number] = true;
        }
        seldom
    }

    /// Aligns the gap between two fixed pairs, with both sides cut into pieces of the same size.
    fn align_gap(&self, before: std::ops::Range<usize>, after: std::ops::Range<usize>, pairs: &mut Pairs) {
        const PIECE: usize = 8192;
        let pieces = self.before[before.clone()].chunks(PIECE).zip(self.after[after.clone()].chunks(PIECE));
        for (piece, (b, a)) in pieces.enumerate() {
            let (from_b, from_a) = (before.start + piece * PIECE, after.start + piece * PIECE);
            let (head, tail) = common_ends(b, a);
            let inner = bits::align(&b[head..b.len() - tail], &a[head..a.len() - tail], self.counts.len());
            pairs.extend((0..head).map(|at| (from_b + at, from_a + at)));
            pairs.extend(inner.into_iter().map(|(x, y)| (from_b + head + x, from_a + head + y)));
            pairs.extend(
                (0..tail).rev().map(|back| (from_b + b.len() - 1 - back, from_a + a.len() - 1 - back)),
            );
        }
    }
}

/// The indices of each element in ascending order: `places[starts[number]..starts[number + 1]]`.
struct Places {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    fn new(side: &[u32], numbers: usize) -> Self {
        let mut starts = vec![0u32; numbers + 1];
        for number in side {
            starts[*number as usize + 1] += 1;
        }
        for at in 0..numbers {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut places = vec![0u32; side.len()];
        for (at, number) in (0u32..).zip(side) {
            let slot = &mut next[*number as usize];
            places[*slot as usize] = at;
            *slot += 1;
        }
        Self { starts, places }
    }

    fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

#[cfg(test)]
mod tests;
