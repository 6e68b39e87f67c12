//! What the comparison of one entry may take of the memory.
//!
//! A value takes far more memory than its text where the text is dense (`[1,1,1,…]`), and an edit more than
//! both of its values. Each entry has an allowance by the size of its text; where that does not suffice, the
//! largest attributes are not compared part by part, and their edits say so.

use std::collections::HashMap;

use crate::diff::overlay::Unread;
use crate::json::{Error, Members, count_values};

/// About the memory that a value takes: itself, its place while its container is read, what pairs it.
const VALUE: usize = 88;

/// About the memory that an edit takes, with its path and its place in the text.
pub(super) const EDIT: usize = 400;

/// So many edits are found in any entry.
const FEW_EDITS: usize = 1_000;

/// Entries with less text than this are read as they are.
const SMALL: usize = 32 << 10;

/// So many bytes are shared by all entries of a document.
const SHARED: usize = 40 << 20;

/// About the memory that an edit takes in a comparison of two plans, which keeps it with its class, its
/// object and the values before.
const DIFFERENCE: usize = 1_000;

/// How much memory an entry may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    bytes: usize,
    /// What an edit takes of it.
    edit: usize,
}

impl Allowance {
    /// Without a limit.
    pub(crate) const ALL: Self = Self { bytes: usize::MAX, edit: EDIT };

    /// That of an entry with `size` bytes of values, in a document of `total` bytes.
    pub(crate) fn for_entry(size: usize, total: usize) -> Self {
        let share = SHARED as u128 * size as u128 / total.max(1) as u128;
        Self { bytes: 6 * size + usize::try_from(share).unwrap_or(SHARED), edit: EDIT }
    }

    /// That of an entry of two plans that are compared.
    pub(crate) fn for_pair(size: usize, total: usize) -> Self {
        Self { edit: DIFFERENCE, ..Self::for_entry(size, total) }
    }

    /// How many edits there may be.
    pub(super) fn edits(self) -> usize {
        (self.bytes / self.edit).max(FEW_EDITS)
    }

    /// What must not be read of the values with these texts: as much as does not fit, the largest members
    /// first.
    pub(crate) fn unread<'a>(
        self,
        texts: &[Option<&'a str>],
        arena: &'a bumpalo::Bump,
    ) -> Result<Unread<'a>, Error> {
        let size: usize = texts.iter().flatten().map(|text| text.len()).sum();
        if size < SMALL || self.bytes == usize::MAX {
            return Ok(Unread::Nothing);
        }
        let all: usize = texts.iter().flatten().map(|text| count_values(text)).sum();
        if all.saturating_mul(VALUE) <= self.bytes {
            return Ok(Unread::Nothing);
        }
        let is_object = |text: &&str| text.trim_ascii_start().starts_with('{');
        if !texts.iter().flatten().any(is_object) {
            return Ok(Unread::All);
        }
        let mut sizes: HashMap<&'a str, usize> = HashMap::new();
        for text in texts.iter().copied().flatten().filter(is_object) {
            let mut members = Members::new(text);
            while let Some(key) = members.next_key()? {
                *sizes.entry(arena.alloc_str(&key)).or_default() += count_values(members.value()?);
            }
        }
        Ok(Unread::Members(arena.alloc_slice_copy(&largest(sizes, all, self.bytes / VALUE))))
    }
}

/// The largest parts, until the rest is not more than `most`. A part of one is none to leave out.
pub(super) fn largest(sizes: HashMap<&str, usize>, all: usize, most: usize) -> Vec<&str> {
    let mut sizes: Vec<_> = sizes.into_iter().filter(|(_, size)| *size > 1).collect();
    sizes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut rest = all;
    let larger = sizes.into_iter().take_while(|(_, size)| {
        let is_too_much = rest > most;
        rest = rest.saturating_sub(*size);
        is_too_much
    });
    larger.map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_parts_are_left_out_until_the_rest_fits() {
        let sizes = HashMap::from([("a", 5), ("b", 90), ("c", 40), ("d", 1)]);
        assert_eq!(largest(sizes.clone(), 136, 50), ["b"]);
        assert_eq!(largest(sizes.clone(), 136, 10), ["b", "c"]);
        assert!(largest(sizes, 136, 136).is_empty());
    }
}
