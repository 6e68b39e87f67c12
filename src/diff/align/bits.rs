//! Bit-parallel alignment: 64 cells of upstream's table in a word.
//!
//! A row has one bit for each element of *after*: 0 where the length increases, that is at each
//! `T(i, l)`, and 1 elsewhere. The next row is computed from it and the occurrences of `before[i]` by one
//! addition with carry (Crochemore, Iliopoulos, Pinzon and Reid).

use super::{Pairs, Places};

/// The number of steps that [`align`] takes for sequences of these lengths.
pub(super) fn steps(before: usize, after: usize) -> u64 {
    // Each row is computed twice and read once.
    (before as u64).saturating_mul(after.div_ceil(64) as u64 + 8).saturating_mul(2)
}

/// The chosen pairs, in order. All elements are less than `numbers`.
///
/// The walk needs the rows from last to first. Of `n` rows, every `√n`-th is kept; the rows between two
/// kept ones are computed again when the walk reaches them.
pub(super) fn align(before: &[u32], after: &[u32], numbers: usize) -> Pairs {
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let table = Table::new(after, numbers);
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
            let Some(at) = end else { break };
            if after[at] == *number {
                pairs.push((from + i, at));
                end = last_zero(&rows[i], at);
            }
        }
    }
    pairs.reverse();
    pairs
}

/// The last position before `end` at which the length increases.
fn last_zero(row: &[u64], end: usize) -> Option<usize> {
    let (mut word, bit) = (end / 64, end % 64);
    let mut zeros = if bit == 0 { 0 } else { !row[word] & ((1 << bit) - 1) };
    while zeros == 0 {
        word = word.checked_sub(1)?;
        zeros = !row[word];
    }
    Some(word * 64 + 63 - zeros.leading_zeros() as usize)
}

/// The occurrences of each element in *after*: bits if they are many, otherwise a list.
struct Table {
    words: usize,
    places: Places,
    dense: Vec<Option<Box<[u64]>>>,
}

impl Table {
    fn new(after: &[u32], numbers: usize) -> Self {
        let words = after.len().div_ceil(64);
        let places = Places::new(after, numbers);
        let dense = (0u32..)
            .take(numbers)
            .map(|number| {
                let places = places.get(number);
                (places.len() > words / 8).then(|| {
                    let mut mask = vec![0u64; words].into_boxed_slice();
                    for place in places {
                        mask[*place as usize / 64] |= 1 << (place % 64);
                    }
                    mask
                })
            })
            .collect();
        Self { words, places, dense }
    }

    /// Replaces `row` by the next row.
    fn advance(&self, row: &mut [u64], number: u32) {
        if let Some(mask) = &self.dense[number as usize] {
            let mut carry = false;
            for (word, mask) in row.iter_mut().zip(mask) {
                carry = grow(word, *mask, carry);
            }
            return;
        }
        let places = self.places.get(number);
        let mut at = 0; // the next of `places`
        let mut next = 0; // the word that a carry goes into
        let mut carry = false;
        loop {
            if !carry {
                let Some(place) = places.get(at) else { return };
                next = *place as usize / 64;
            }
            let Some(word) = row.get_mut(next) else { return };
            let mut mask = 0;
            while let Some(place) = places.get(at).filter(|place| **place as usize / 64 == next) {
                mask |= 1 << (place % 64);
                at += 1;
            }
            carry = grow(word, mask, carry);
            next += 1;
        }
    }
}

/// Adds one word and returns the carry.
fn grow(word: &mut u64, mask: u64, carry: bool) -> bool {
    let (sum, over) = word.overflowing_add(*word & mask);
    let (sum, again) = sum.overflowing_add(u64::from(carry));
    *word = sum | (*word & !mask);
    over | again
}
