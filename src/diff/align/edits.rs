//! Alignment by edits (Myers): fast if there are few edits, however long the sequences are.
//!
//! `D(i, j)` is the number of edits between the first `i` elements of *before* and the first `j` of
//! *after*. It never decreases along a diagonal `i - j`, so the furthest point reached on each diagonal
//! with each number of edits determines `D` everywhere. Upstream's walk only needs to know whether
//! dropping an element of *after* leaves fewer edits.

use super::Pairs;

/// If another algorithm takes at most this many steps, it is used without trying this one first.
pub(super) const FIRST_TRY: u64 = 1 << 16;

/// The distance between two rows of furthest points that are kept.
const BLOCK: usize = 128;

/// The furthest `i` on each diagonal for one number of edits `d`: index `p` is diagonal `2 p - d`.
type Row = Vec<u32>;

/// The chosen pairs, in order; `None` if finding them would take more than `most` steps.
pub(super) fn align(before: &[u32], after: &[u32], most: u64) -> Option<Pairs> {
    let kept = reach(before, after, most)?;
    let mut rows: Vec<Row> = Vec::new(); // the block of rows from `first` on
    let mut first = usize::MAX;
    let mut pairs = Vec::new();
    let (mut i, mut j) = (before.len(), after.len());
    let mut d = kept.edits;
    while i > 0 && j > 0 {
        if before[i - 1] == after[j - 1] {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
            continue;
        }
        d = d.checked_sub(1)?; // where elements differ, at least one edit is left
        if d / BLOCK * BLOCK != first {
            first = d / BLOCK * BLOCK;
            rows = kept.block(first, before, after);
        }
        // The diagonal of (i, j - 1) in the row of `d` edits.
        let up = rows.get(d - first).and_then(|row| row.get((i + 1 + d).checked_sub(j)? / 2));
        if up.is_some_and(|furthest| i <= *furthest as usize) {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    pairs.reverse();
    Some(pairs)
}

struct Kept {
    edits: usize,
    /// Every [`BLOCK`]th row.
    rows: Vec<Row>,
}

impl Kept {
    /// The rows from `first`, which is a kept row, up to the next kept row.
    fn block(&self, first: usize, before: &[u32], after: &[u32]) -> Vec<Row> {
        let mut rows = vec![self.rows[first / BLOCK].clone()];
        while rows.len() < BLOCK && first + rows.len() < self.edits {
            let mut row = Row::new();
            next_row(&rows[rows.len() - 1], &mut row, before, after);
            rows.push(row);
        }
        rows
    }
}

/// Computes the number of edits, and the rows to keep.
fn reach(before: &[u32], after: &[u32], most: u64) -> Option<Kept> {
    let mut row: Row = vec![run(before, after, 0, 0)];
    let mut next = Row::new();
    let mut rows = Vec::new();
    // Rows may compare the same elements again, so comparisons count as steps.
    let mut steps = 0u64;
    for d in 0.. {
        if d % BLOCK == 0 {
            rows.push(row.clone());
        }
        let end = (before.len() + d).checked_sub(after.len()).and_then(|at| row.get(at / 2));
        let even = (before.len() + d + after.len()).is_multiple_of(2);
        if even && end.is_some_and(|furthest| *furthest as usize >= before.len()) {
            return Some(Kept { edits: d, rows });
        }
        steps += next_row(&row, &mut next, before, after);
        if steps.saturating_mul(2) > most {
            return None;
        }
        std::mem::swap(&mut row, &mut next);
    }
    None
}

/// Computes the furthest points for one more edit. Returns the number of steps it took.
fn next_row(row: &Row, next: &mut Row, before: &[u32], after: &[u32]) -> u64 {
    let d = row.len(); // the row of `d - 1` edits has `d` diagonals
    let mut steps = 4 * d as u64;
    next.clear();
    for p in 0..=d {
        let added = row.get(p).copied();
        let removed = p.checked_sub(1).and_then(|p| row.get(p)).map(|i| i + 1);
        let i = added.max(removed).unwrap_or(0);
        let furthest = run(before, after, i as usize, (i as usize + d).saturating_sub(2 * p));
        steps += u64::from(furthest - i);
        next.push(furthest);
    }
    steps
}

/// The `i` after the run of equal elements that starts at `(i, j)`.
fn run(before: &[u32], after: &[u32], i: usize, j: usize) -> u32 {
    let rest = before.get(i..).unwrap_or_default().iter().zip(after.get(j..).unwrap_or_default());
    u32::try_from(i + rest.take_while(|(a, b)| a == b).count()).unwrap_or(u32::MAX)
}
