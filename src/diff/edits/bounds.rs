//! Memory limits for the comparison of one entry.
//!
//! Dense text (`[1,1,1,…]`) takes many times its own size once it is read, and an edit takes more than the
//! values that it holds. Each entry therefore has an [`Allowance`] in proportion to the size of its text.
//! Where that does not suffice, the largest attributes are compared as a whole instead of part by part, and
//! their edits have a note about it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diff::overlay::Unread;
use crate::json::{Error, Members, count_values};

/// The approximate memory of a value in bytes: the value, its slot while its container is read, and its entry
/// in the pairing of elements.
const VALUE_BYTES: usize = 88;

/// The approximate memory of a value in bytes once it is read.
const READ_VALUE_BYTES: usize = 48;

/// The approximate memory of a sensitive mark in bytes, with its copy without the parts that mark nothing.
pub(super) const MARK_BYTES: usize = 64;

/// The approximate memory of an unknown part in bytes: a mark, and the unknown value.
pub(super) const UNKNOWN_BYTES: usize = 112;

/// Text with fewer bytes for each value than this is dense.
const DENSE_BYTES: usize = 5;

/// The approximate memory of an edit in bytes, with its path and its place in the text.
const EDIT_BYTES: usize = 680;

/// The number of edits that every entry may have, whatever its size.
const MIN_EDITS: usize = 1_000;

/// Entries with less text than this, in bytes, are always read completely, unless the text is dense.
const MIN_SIZE: usize = 32 << 10;

/// The bytes that all entries of a document share, in addition to what each has for its own size.
const SHARED_BYTES: usize = 40 << 20;

/// The approximate memory of an edit in bytes when two plans are compared: it is kept with its class, its
/// object and the old values.
const DIFFERENCE_BYTES: usize = 1_000;

/// The memory that the comparison of an entry may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    bytes: usize,
    /// The memory of one edit, in bytes.
    edit_bytes: usize,
}

impl Allowance {
    /// No limit.
    pub(super) const ALL: Self = Self { bytes: usize::MAX, edit_bytes: EDIT_BYTES };

    /// The allowance of an entry with `size` bytes of values, in a document of `total` bytes.
    pub(crate) fn for_entry(size: usize, total: usize) -> Self {
        let share = SHARED_BYTES as u128 * size as u128 / total.max(1) as u128;
        Self { bytes: 6 * size + usize::try_from(share).unwrap_or(SHARED_BYTES), edit_bytes: EDIT_BYTES }
    }

    /// The allowance of an entry in a comparison of two plans.
    pub(super) fn for_pair(size: usize, total: usize) -> Self {
        Self { edit_bytes: DIFFERENCE_BYTES, ..Self::for_entry(size, total) }
    }

    /// The maximum number of edits.
    pub(super) fn edits(self) -> usize {
        (self.bytes / self.edit_bytes).max(MIN_EDITS)
    }

    /// The parts of the values that must not be read, because not all of them fit: the largest members.
    pub(crate) fn unread<'a>(
        self,
        texts: &[Option<&'a str>],
        arena: &'a bumpalo::Bump,
    ) -> Result<Unread<'a>, Error> {
        if self.bytes == usize::MAX {
            return Ok(Unread::Nothing);
        }
        let size: usize = texts.iter().flatten().map(|text| text.len()).sum();
        let all: usize = texts.iter().flatten().map(|text| count_values(text)).sum();
        // Text that is not dense takes less memory than a document may.
        if size < MIN_SIZE && all * DENSE_BYTES <= size {
            return Ok(Unread::Nothing);
        }
        if all.saturating_mul(VALUE_BYTES) <= self.bytes {
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
                let key = match key {
                    Cow::Borrowed(key) => key,
                    Cow::Owned(key) => arena.alloc_str(&key),
                };
                *sizes.entry(key).or_default() += count_values(members.value()?);
            }
        }
        let max_values = self.bytes / VALUE_BYTES;
        // Too many members of one value each: leaving out the larger ones is not enough.
        if sizes.len() > max_values {
            return Ok(Unread::All);
        }
        Ok(Unread::Members(arena.alloc_slice_copy(&largest(sizes, all, max_values))))
    }

    /// Whether the unknown parts with this text fit. They take memory also where there is no value yet.
    pub(super) fn has_room_for_unknown(self, text: &str) -> bool {
        text.len() < MIN_SIZE || count_values(text).saturating_mul(UNKNOWN_BYTES) <= self.bytes
    }

    /// What is left when the values of these texts take `each` bytes.
    pub(super) fn less(self, texts: &[Option<&str>], each: usize) -> Self {
        if self.bytes == usize::MAX {
            return self;
        }
        let count: usize = texts.iter().flatten().map(|text| count_values(text)).sum();
        Self { bytes: self.bytes.saturating_sub(count * each), ..self }
    }

    /// What is left for edits when `unread` is not read of the values with these texts.
    pub(super) fn for_edits(self, texts: &[Option<&str>], unread: Unread<'_>) -> Self {
        match unread {
            Unread::Nothing => self.less(texts, READ_VALUE_BYTES),
            Unread::Members(_) | Unread::All if self.bytes == usize::MAX => self,
            Unread::Members(_) | Unread::All => Self { bytes: self.bytes / 2, ..self },
        }
    }
}

/// The names of the largest members, as many as must be left out for the rest to be at most `limit`. A member
/// of size 1 is never left out, because that saves nothing.
pub(super) fn largest(sizes: HashMap<&str, usize>, all: usize, limit: usize) -> Vec<&str> {
    let mut sizes: Vec<_> = sizes.into_iter().filter(|(_, size)| *size > 1).collect();
    sizes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut rest = all;
    let left_out = sizes.into_iter().take_while(|(_, size)| {
        let is_too_much = rest > limit;
        rest = rest.saturating_sub(*size);
        is_too_much
    });
    left_out.map(|(name, _)| name).collect()
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
