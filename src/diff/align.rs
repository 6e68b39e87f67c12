//! Which elements two sequences have in common, by the choice that upstream makes among equally
//! long answers.
//!
//! Upstream fills a table of the lengths `L(i, j)` of the longest common subsequence of the first
//! `i` elements before and the first `j` after, and walks it from the far corner: equal elements
//! are taken; else an element of *after* is dropped, unless dropping one of *before* keeps a longer
//! subsequence. Only the values that the walk takes matter. They are the same as those of a
//! shorter walk, on which all the algorithms here are built. Let `T(i, l)` be the smallest `j` with
//! `L(i, j) = l`:
//!
//! > Start with `i` = all of *before*, `l` the whole length. The next value is the one that
//! > *after* has at `T(i, l)`; it is taken at its last place `k <= i` in *before*. Go on with
//! > `i = k - 1`, `l - 1`.
//!
//! Upstream's walk, once in row `i` with `l` to go, goes left until it finds `before[i]` or stands
//! at `T(i, l)`. If `before[i]` stands anywhere on that way, it stands at `T(i, l)` too (else that
//! threshold would be that of row `i - 1`, and the match would make a longer subsequence), and
//! where it was taken does not matter for what follows. If it does not, `T(i - 1, l) = T(i, l)`.
//!
//! Hence common ends may be cut off first, and elements that only one side has may be left out:
//! neither moves a threshold of what remains. What is left is aligned by whichever way is the
//! cheapest for it:
//!
//! | what is left | way | time |
//! |---|---|---|
//! | few edits `d` | [`edits`]: furthest reaching points of each number of edits | about `n + d²` |
//! | few equal pairs `r` (elements seldom repeat) | [`sparse`]: thresholds moved pair by pair | `r log n` |
//! | many edits in much repeated elements | [`bits`]: rows of the table as bits | `n m / 64` |
//! | more than [`MOST_STEPS`] by each of them | seldom repeated elements first, then pieces between them | linear |
//!
//! All of them need memory that is linear, or nearly so. Only the last one may choose another
//! subsequence than upstream; [`Common::bounded`] says so.

mod bits;
mod edits;
mod sparse;

use std::borrow::Cow;

/// Steps (of about a nanosecond) that an exact alignment may take.
pub const MOST_STEPS: u64 = 1 << 31;

/// What two sequences have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// The common values, in order.
    pub values: Vec<u32>,
    /// An exact answer would have taken too long: the values are a common subsequence, but maybe
    /// not the one that upstream chooses, nor a longest one.
    pub bounded: bool,
}

/// The values that `before` and `after` have in common: those that upstream's table gives.
pub fn common(before: &[u32], after: &[u32]) -> Common {
    common_within(before, after, MOST_STEPS)
}

/// Pairs of equal elements that an alignment chose, by their places in both sequences.
type Pairs = Vec<(usize, usize)>;

/// The same with a bound of one's own.
pub fn common_within(before: &[u32], after: &[u32], most: u64) -> Common {
    let mut tails: Vec<Vec<u32>> = Vec::new();
    let mut values = Vec::new();
    let mut bounded = false;
    let (mut before, mut after) = (Cow::Borrowed(before), Cow::Borrowed(after));
    // Leaving out what one side lacks may bring equal elements to the ends, and cutting these off
    // may leave others without a partner. A few rounds do; the rest is a matter of cost only.
    for round in 0.. {
        let (head, tail) = common_ends(&before, &after);
        values.extend_from_slice(&before[..head]);
        tails.push(before[before.len() - tail..].to_vec());
        let middle = Middle::of(&before[head..before.len() - tail], &after[head..after.len() - tail]);
        let same_size = middle.before.len() == before.len() && middle.after.len() == after.len();
        if middle.before.is_empty() {
            break;
        }
        if same_size || round == 7 {
            let (pairs, cut) = middle.align(most);
            values.extend(pairs.iter().filter_map(|(at, _)| middle.value(*at)));
            bounded = cut;
            break;
        }
        (before, after) = middle.restored();
    }
    values.extend(tails.into_iter().rev().flatten());
    Common { values, bounded }
}

/// How many elements are equal at the start and, of the rest, at the end. The end is cut first, as
/// upstream's walk begins there.
fn common_ends(before: &[u32], after: &[u32]) -> (usize, usize) {
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[..before.len() - tail], &after[..after.len() - tail]);
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    (head, tail)
}

/// Two sequences of elements that both sides have, numbered densely from 0.
struct Middle {
    before: Vec<u32>,
    after: Vec<u32>,
    /// The caller's number of each of ours.
    names: Vec<u32>,
    /// How often each stands in `before` and in `after`.
    counts: Vec<(u32, u32)>,
}

impl Middle {
    fn of(before: &[u32], after: &[u32]) -> Self {
        /// What a value has instead of a number of ours.
        const MISSING: u32 = u32::MAX;
        const IN_AFTER: u32 = u32::MAX - 1;
        // By value: the caller's numbers are places of elements, and no more than there are of these.
        let most = before.iter().chain(after).max().map_or(0, |most| *most as usize + 1);
        let mut numbers = vec![MISSING; most];
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

    /// The chosen pairs in order, and whether the bound cut in.
    fn align(&self, most: u64) -> (Pairs, bool) {
        let (before, after) = (&self.before[..], &self.after[..]);
        let equal_pairs =
            self.counts.iter().fold(0u64, |sum, (b, a)| sum.saturating_add(u64::from(*b) * u64::from(*a)));
        let steps = sparse::steps(equal_pairs).min(bits::steps(before.len(), after.len()));
        if steps > edits::FIRST_TRY
            && let Some(pairs) = edits::align(before, after, steps.min(most))
        {
            return (pairs, false);
        }
        if steps > most {
            return (self.align_in_pieces(most), true);
        }
        if steps == sparse::steps(equal_pairs) {
            (sparse::align(before, after, self.counts.len()), false)
        } else {
            (bits::align(before, after, self.counts.len()), false)
        }
    }

    /// Aligns elements that seldom repeat, then what lies between them, piece by piece.
    fn align_in_pieces(&self, most: u64) -> Pairs {
        let seldom = self.seldom(most / 64);
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

    /// Which elements make, all together, no more than `most` steps of the sparse way.
    fn seldom(&self, most: u64) -> Vec<bool> {
        let mut by_cost: Vec<(u64, usize)> = self
            .counts
            .iter()
            .enumerate()
            .map(|(number, (b, a))| (sparse::steps(u64::from(*b) * u64::from(*a)), number))
            .collect();
        by_cost.sort_unstable();
        let mut seldom = vec![false; by_cost.len()];
        let mut left = most;
        for (cost, number) in by_cost {
            let Some(rest) = left.checked_sub(cost) else { break };
            left = rest;
            seldom[number] = true;
        }
        seldom
    }

    /// Aligns what lies between two fixed pairs, both sides cut into pieces of the same size.
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

/// The places of each element, in order: `starts[number]..starts[number + 1]` in `places`.
struct Places {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    fn of(side: &[u32], numbers: usize) -> Self {
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
