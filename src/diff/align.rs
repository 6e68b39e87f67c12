//! Alignment of two sequences by a longest common subsequence, with the tie-break of upstream (the renderers of the
//! tools): of several subsequences of the same length, the one that upstream chooses.
//!
//! Invariant: the result is the subsequence that upstream chooses, unless it is marked as approximate.
//!
//! Upstream fills a table of the lengths `L(i, j)` of the longest common subsequence of the first `i` elements of
//! *before* and the first `j` of *after*, and traces it back from the far corner. Equal elements are taken; otherwise
//! an element of *after* is dropped, unless dropping one of *before* keeps a longer subsequence. Only the values
//! taken matter, and a shorter walk takes the same ones. Let `T(i, l)` be the smallest `j` with `L(i, j) = l`:
//!
//! > Start with `i` at the end of *before* and `l` as the full length. The next value is the element of *after* at
//! > `T(i, l)`. It is matched with its last occurrence `k <= i` in *before*. Continue with `i = k - 1` and `l - 1`.
//!
//! Proof: in row `i`, with `l` elements left to take, upstream's walk moves left until it reaches `before[i]` or
//! `T(i, l)`. If `before[i]` occurs on that way, it also occurs at `T(i, l)` (otherwise that threshold would equal
//! the one of row `i - 1`, and the match would make a longer subsequence), and the column in which it was taken does
//! not affect the rest. If it does not occur, `T(i - 1, l) = T(i, l)`.
//!
//! It follows that common prefixes and suffixes can be cut off, and elements that occur on one side only can be
//! removed: neither changes a threshold of the rest. The rest is aligned by the cheapest algorithm for it: `by_edits`
//! takes about `n + d²` steps for `d` edits, `by_pairs` takes `r log n` for `r` equal pairs, and `by_bits` takes
//! `n m / 64`. If each of them exceeds [`MAX_STEPS`], elements that are unique on both sides are aligned, then the gaps
//! between them; only this may choose another subsequence than upstream. All memory is about linear: `by_pairs`, which
//! keeps each pair, is used only if there are few pairs for each element.
//!
//! For example, with elements as numbers:
//!
//! ```text
//! before   1  2  3
//! after    2  3  4
//! pairs    (1, 0) (2, 1)
//! ```

use std::borrow::Cow;

/// The maximum number of steps of an exact alignment. A step takes about a nanosecond.
pub const MAX_STEPS: u64 = 1 << 31;

/// The maximum number of equal pairs for each element of both lists with which [`by_pairs`] is used, so that its memory is
/// linear: it keeps 12 bytes for each pair.
const MAX_PAIRS_OF_ELEMENT: usize = 4;

/// The number of equal pairs up to which [`by_pairs`] may be used for lists of any length.
const FEW_PAIRS: usize = 1 << 20;

/// The number of steps up to which `by_pairs` or `by_bits` is used without trying [`by_edits`] first.
const FIRST_TRY: u64 = 1 << 16;

/// The elements that two sequences have in common, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// The common elements.
    pub values: Vec<u32>,
    /// Whether the values may be neither a longest common subsequence nor the one that upstream chooses.
    pub is_approximate: bool,
}

/// Returns a longest common subsequence, the one that upstream chooses. Elements are given as numbers, which must not
/// be larger than about the number of elements, because tables are indexed by them.
pub fn common(before: &[u32], after: &[u32]) -> Common {
    common_within(before, after, MAX_STEPS)
}

/// The indices of equal elements in *before* and *after*, ascending on both sides.
type Pairs = Vec<(usize, usize)>;

/// Returns a longest common subsequence like [`common`], with another limit of steps instead of [`MAX_STEPS`].
pub fn common_within(before: &[u32], after: &[u32], max_steps: u64) -> Common {
    let mut tails: Vec<Vec<u32>> = Vec::new();
    let mut values = Vec::new();
    let (mut before, mut after) = (Cow::Borrowed(before), Cow::Borrowed(after));
    // Removing elements may make more elements at the ends equal, and cutting those off may leave other elements
    // without a partner. A few rounds suffice.
    for _ in 0..8 {
        let size = before.len() + after.len();
        let (head, tail) = common_ends(&before, &after);
        values.extend_from_slice(&before[..head]);
        tails.push(before[before.len() - tail..].to_vec());
        let inner_before = &before[head..before.len() - tail];
        let inner_after = &after[head..after.len() - tail];
        let rest = (
            occurring_in(inner_before, inner_after),
            occurring_in(inner_after, inner_before),
        );
        (before, after) = (rest.0.into(), rest.1.into());
        if before.len() + after.len() == size {
            break;
        }
    }
    let (pairs, is_approximate) = align(&before, &after, max_steps);
    values.extend(pairs.into_iter().map(|(index, _)| before[index]));
    values.extend(tails.into_iter().rev().flatten());
    Common {
        values,
        is_approximate,
    }
}

/// Returns the lengths of the common prefix and the common suffix, which do not overlap. The suffix is matched first,
/// because upstream's walk begins at the end.
fn common_ends(before: &[u32], after: &[u32]) -> (usize, usize) {
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (before, after) = (&before[..before.len() - tail], &after[..after.len() - tail]);
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    (head, tail)
}

/// Returns the elements of `side` that also occur in `other`.
pub(super) fn occurring_in(side: &[u32], other: &[u32]) -> Vec<u32> {
    let mut occurs = vec![false; numbers(side, other)];
    other
        .iter()
        .for_each(|number| occurs[*number as usize] = true);
    side.iter()
        .copied()
        .filter(|number| occurs[*number as usize])
        .collect()
}

/// Returns a number that is larger than all elements, as the size of tables that are indexed by elements.
fn numbers(before: &[u32], after: &[u32]) -> usize {
    before
        .iter()
        .chain(after)
        .max()
        .map_or(0, |most| *most as usize + 1)
}

/// Returns the pairs of equal elements of a longest common subsequence, and whether they are only an approximation.
///
/// The steps of each algorithm are estimated first. The cheapest one is used, or [`around_unique`] if all need more
/// than `max_steps`.
fn align(before: &[u32], after: &[u32], max_steps: u64) -> (Pairs, bool) {
    let occurrences = Occurrences::new(after, numbers(before, after));
    let equal_pairs: usize = before
        .iter()
        .map(|number| occurrences.get(*number).len())
        .sum();
    // A step of `by_bits` is a word; each row is computed twice and read once.
    let max_pairs = MAX_PAIRS_OF_ELEMENT * (before.len() + after.len());
    let pairs_steps = if equal_pairs > max_pairs.max(FEW_PAIRS) {
        u64::MAX
    } else {
        equal_pairs as u64 * 16
    };
    let bits_steps = (before.len() as u64)
        .saturating_mul(after.len().div_ceil(64) as u64 + 8)
        .saturating_mul(2);
    let steps = pairs_steps.min(bits_steps);
    if steps > FIRST_TRY
        && let Some(pairs) = by_edits(before, after, steps.min(max_steps))
    {
        (pairs, false)
    } else if steps > max_steps {
        (around_unique(before, after), true)
    } else if steps == pairs_steps {
        (by_pairs(before, &occurrences), false)
    } else {
        (by_bits(before, after, occurrences), false)
    }
}

/// Aligns by the elements that occur once on each side, then by few edits in the gaps between them.
///
/// The result is a common subsequence, but not always a longest one. The work is linear, apart from sorting the unique
/// elements.
fn around_unique(before: &[u32], after: &[u32]) -> Pairs {
    let numbers = numbers(before, after);
    let occurrences = [before, after].map(|side| Occurrences::new(side, numbers));
    let is_unique = |number: &u32| {
        occurrences
            .iter()
            .all(|occurrences| occurrences.get(*number).len() == 1)
    };
    let unique: Vec<u32> = before.iter().copied().filter(is_unique).collect();
    let partners: Vec<u32> = after.iter().copied().filter(is_unique).collect();
    let fixed = by_pairs(&unique, &Occurrences::new(&partners, numbers))
        .into_iter()
        .map(|(index, _)| {
            let [b, a] = occurrences
                .each_ref()
                .map(|occurrences| occurrences.get(unique[index])[0] as usize);
            (b, a)
        });
    let (mut pairs, mut from) = (Pairs::new(), (0, 0));
    for (b, a) in fixed.chain([(before.len(), after.len())]) {
        let gap = (&before[from.0..b], &after[from.1..a]);
        let most = 256 * (gap.0.len() + gap.1.len()) as u64;
        let inner = by_edits(gap.0, gap.1, most).unwrap_or_default();
        pairs.extend(inner.into_iter().map(|(x, y)| (from.0 + x, from.1 + y)));
        pairs.extend((b < before.len()).then_some((b, a)));
        from = (b + 1, a + 1);
    }
    pairs
}

/// The indices of each element in a sequence, ascending: `occurrences[starts[number]..starts[number + 1]]`.
struct Occurrences {
    starts: Vec<u32>,
    occurrences: Vec<u32>,
}

impl Occurrences {
    /// Lists the indices of each number below `numbers` in `side`, by counting sort.
    fn new(side: &[u32], numbers: usize) -> Self {
        let mut starts = vec![0u32; numbers + 1];
        for number in side {
            starts[*number as usize + 1] += 1;
        }
        for index in 0..numbers {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut occurrences = vec![0u32; side.len()];
        for (index, number) in (0u32..).zip(side) {
            let slot = &mut next[*number as usize];
            occurrences[*slot as usize] = index;
            *slot += 1;
        }
        Self {
            starts,
            occurrences,
        }
    }

    fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.occurrences[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// The index of a missing element.
const NONE: u32 = u32::MAX;

/// Aligns by all pairs of equal elements (Hunt and Szymanski), which is fast if elements rarely repeat: `r log n` steps
/// for `r` pairs. It takes memory for each pair.
///
/// In each row, an equal pair `(i, j)` belongs to the length `l` with `T(l - 1) < j <= T(l)` and moves that threshold
/// to `j`. Its predecessor is the pair at `T(l - 1)` at the start of the row; the pairs of a row are processed by
/// descending `j`, so that pair is still there. A pair that equals its threshold replaces the pair there, because it
/// is a later occurrence of the same value.
fn by_pairs(before: &[u32], occurrences: &Occurrences) -> Pairs {
    /// A pair of a common subsequence, linked to the pair before it.
    struct Link {
        before: u32,
        after: u32,
        previous: u32,
    }
    let mut links: Vec<Link> = Vec::new();
    let mut ends: Vec<u32> = Vec::new(); // the thresholds, by length - 1
    let mut tops: Vec<u32> = Vec::new(); // the link at each threshold
    for (i, number) in (0u32..).zip(before) {
        for &j in occurrences.get(*number).iter().rev() {
            let index = match ends.last() {
                Some(last) if *last < j => ends.len(),
                _ => ends.partition_point(|end| *end < j),
            };
            let previous = if index == 0 { NONE } else { tops[index - 1] };
            let link = u32::try_from(links.len()).unwrap_or(NONE);
            links.push(Link {
                before: i,
                after: j,
                previous,
            });
            if index == ends.len() {
                ends.push(j);
                tops.push(link);
            } else {
                ends[index] = j;
                tops[index] = link;
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

/// Aligns with one bit for each element of *after* in each row, in about `n m / 64` steps.
///
/// The bit is 0 where the length increases, that is at each `T(i, l)`, and 1 elsewhere. The next row is computed from a
/// row and the occurrences of `before[i]` by one addition with carry (Crochemore, Iliopoulos, Pinzon and Reid).
///
/// The walk needs the rows from last to first. Every `√n`-th row is kept, and the rows between are computed again.
fn by_bits(before: &[u32], after: &[u32], occurrences: Occurrences) -> Pairs {
    let table = Table::new(after, occurrences);
    let block = before.len().isqrt().max(1);
    // `kept[b]` is the row above `before[b * block]`.
    let mut kept: Vec<Vec<u64>> = Vec::new();
    let mut row = vec![!0u64; table.words];
    for (i, number) in before.iter().enumerate() {
        if i % block == 0 {
            kept.push(row.clone());
        }
        table.advance(&mut row, *number);
    }

    let mut pairs = Vec::new();
    let mut end = last_zero(&row, after.len());
    let mut rows: Vec<Vec<u64>> = Vec::new();
    for (b, first) in kept.iter().enumerate().rev() {
        let from = b * block;
        let numbers = &before[from..before.len().min(from + block)];
        rows.resize_with(block, Vec::new);
        row.clone_from(first);
        for (i, number) in numbers.iter().enumerate() {
            rows[i].clone_from(&row); // the row above `before[from + i]`
            table.advance(&mut row, *number);
        }
        for (i, number) in numbers.iter().enumerate().rev() {
            let Some(index) = end else { break };
            if after[index] == *number {
                pairs.push((from + i, index));
                end = last_zero(&rows[i], index);
            }
        }
    }
    pairs.reverse();
    pairs
}

/// Returns the index of the last bit before `end` that is 0.
fn last_zero(row: &[u64], end: usize) -> Option<usize> {
    let (mut word, bit) = (end / 64, end % 64);
    let mut zeros = if bit == 0 {
        0
    } else {
        !row[word] & ((1 << bit) - 1)
    };
    while zeros == 0 {
        word = word.checked_sub(1)?;
        zeros = !row[word];
    }
    Some(word * 64 + 63 - zeros.leading_zeros() as usize)
}

/// The occurrences of each number in *after*: as a bit mask if it occurs often, otherwise as a list.
struct Table {
    /// The number of words in a row.
    words: usize,
    occurrences: Occurrences,
    /// The bit masks, by number.
    dense: Vec<Option<Box<[u64]>>>,
}

impl Table {
    /// Builds the table for `after`, with a bit mask for each number that occurs often.
    fn new(after: &[u32], occurrences: Occurrences) -> Self {
        let words = after.len().div_ceil(64);
        let mask = |number: u32| {
            let occurrences = occurrences.get(number);
            (occurrences.len() > words / 8).then(|| {
                let mut mask = vec![0u64; words].into_boxed_slice();
                for index in occurrences {
                    mask[*index as usize / 64] |= 1 << (index % 64);
                }
                mask
            })
        };
        let dense = (0u32..)
            .take(occurrences.starts.len() - 1)
            .map(mask)
            .collect();
        Self {
            words,
            occurrences,
            dense,
        }
    }

    /// Replaces `row` by the next row, which includes the element `number` of *before*.
    fn advance(&self, row: &mut [u64], number: u32) {
        if let Some(mask) = &self.dense[number as usize] {
            let mut carry = false;
            for (word, mask) in row.iter_mut().zip(mask) {
                carry = grow(word, *mask, carry);
            }
            return;
        }
        let occurrences = self.occurrences.get(number);
        let mut next_occurrence = 0; // its index in `occurrences`
        let mut next = 0; // the word that a carry goes into
        let mut carry = false;
        loop {
            if !carry {
                let Some(bit) = occurrences.get(next_occurrence) else {
                    return;
                };
                next = *bit as usize / 64;
            }
            let Some(word) = row.get_mut(next) else {
                return;
            };
            let mut mask = 0;
            while let Some(bit) = occurrences
                .get(next_occurrence)
                .filter(|bit| **bit as usize / 64 == next)
            {
                mask |= 1 << (bit % 64);
                next_occurrence += 1;
            }
            carry = grow(word, mask, carry);
            next += 1;
        }
    }
}

/// Computes one word of the next row. `mask` has the occurrences in this word; returns the carry into the next word.
fn grow(word: &mut u64, mask: u64, carry: bool) -> bool {
    let (sum, over) = word.overflowing_add(*word & mask);
    let (sum, again) = sum.overflowing_add(u64::from(carry));
    *word = sum | (*word & !mask);
    over | again
}

/// The interval at which rows of furthest points are kept.
const BLOCK: usize = 128;

/// The furthest `i` on each diagonal for one number of edits `d`. Index `p` is that of diagonal `2 p - d`.
type Row = Vec<u32>;

/// Aligns by the fewest edits (Myers), which is fast if there are few edits, however long the sequences are. `None` if
/// it would take more than `most` steps.
///
/// `D(i, j)` is the number of edits between the first `i` elements of *before* and the first `j` of *after*. It never
/// decreases along a diagonal `i - j`, so the furthest point reached on each diagonal with each number of edits
/// determines `D` everywhere. Upstream's walk only needs to know whether dropping an element of *after* leaves fewer
/// edits.
fn by_edits(before: &[u32], after: &[u32], most: u64) -> Option<Pairs> {
    if before.is_empty() || after.is_empty() {
        return Some(Pairs::new());
    }
    let (edits, kept) = reach(before, after, most)?;
    let mut rows: Vec<Row> = Vec::new(); // the block of rows from `first` on
    let mut first = usize::MAX;
    let mut pairs = Vec::new();
    let (mut i, mut j) = (before.len(), after.len());
    let mut d = edits;
    while i > 0 && j > 0 {
        if before[i - 1] == after[j - 1] {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
            continue;
        }
        d = d.checked_sub(1)?; // where elements differ, at least one edit is left
        if d / BLOCK * BLOCK != first {
            first = d / BLOCK * BLOCK;
            rows = vec![kept[first / BLOCK].clone()];
            while rows.len() < BLOCK && first + rows.len() < edits {
                let mut row = Row::new();
                next_row(&rows[rows.len() - 1], &mut row, before, after);
                rows.push(row);
            }
        }
        // The diagonal of (i, j - 1) in the row of `d` edits.
        let up = rows
            .get(d - first)
            .and_then(|row| row.get((i + 1 + d).checked_sub(j)? / 2));
        if up.is_some_and(|furthest| i <= *furthest as usize) {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    pairs.reverse();
    Some(pairs)
}

/// Finds the smallest number of edits from `before` to `after`. Returns it with every [`BLOCK`]th row of furthest
/// points.
///
/// `None` if this takes more than `most` steps.
fn reach(before: &[u32], after: &[u32], most: u64) -> Option<(usize, Vec<Row>)> {
    let mut row: Row = vec![run(before, after, 0, 0)];
    let mut next = Row::new();
    let mut rows = Vec::new();
    // Rows may compare the same elements again, so comparisons count as steps.
    let mut steps = 0u64;
    for d in 0.. {
        if d % BLOCK == 0 {
            rows.push(row.clone());
        }
        let end = (before.len() + d)
            .checked_sub(after.len())
            .and_then(|index| row.get(index / 2));
        let even = (before.len() + d + after.len()).is_multiple_of(2);
        if even && end.is_some_and(|furthest| *furthest as usize >= before.len()) {
            return Some((d, rows));
        }
        steps += next_row(&row, &mut next, before, after);
        if steps.saturating_mul(2) > most {
            return None;
        }
        std::mem::swap(&mut row, &mut next);
    }
    None
}

/// Computes the furthest points with one more edit than those in `row`. Returns the number of steps.
fn next_row(row: &Row, next: &mut Row, before: &[u32], after: &[u32]) -> u64 {
    let d = row.len(); // the row of `d - 1` edits has `d` diagonals
    let mut steps = 4 * d as u64;
    next.clear();
    for p in 0..=d {
        let added = row.get(p).copied();
        let removed = p.checked_sub(1).and_then(|p| row.get(p)).map(|i| i + 1);
        let i = added.max(removed).unwrap_or(0);
        let furthest = run(
            before,
            after,
            i as usize,
            (i as usize + d).saturating_sub(2 * p),
        );
        steps += u64::from(furthest - i);
        next.push(furthest);
    }
    steps
}

/// Returns the end in *before* of the run of equal elements that begins at `(i, j)`.
fn run(before: &[u32], after: &[u32], i: usize, j: usize) -> u32 {
    let rest = before
        .get(i..)
        .unwrap_or_default()
        .iter()
        .zip(after.get(j..).unwrap_or_default());
    u32::try_from(i + rest.take_while(|(a, b)| a == b).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
