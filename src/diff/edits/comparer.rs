//! Compares values, and keeps their differences as edits.

use std::sync::OnceLock;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::walk::Walk;
use super::{Edit, Place};
use crate::diff::Error;
use crate::diff::parallel::{self, Storage};
use crate::diff::size::TooLarge;
use crate::diff::value::{Builder, MarkedValue, Redactor};

/// The hash function of this process, whose keys are random. All plans have the same, so that equal changes of several
/// plans have equal hashes.
fn hasher() -> &'static RandomState {
    static HASHER: OnceLock<RandomState> = OnceLock::new();
    HASHER.get_or_init(RandomState::default)
}

/// The minimum size of values to be compared in place, in bytes of text.
const MIN_IN_PLACE: usize = 1 << 20;

/// The memory that each entry has for texts that are compressed in strings, in bytes.
const MIN_UNPACKED: usize = 8 << 10;

/// Settings for the comparison of many values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    /// The documents with the values. Edits borrow their texts.
    pub(crate) texts: [&'a str; 3],
    /// Whether to keep sensitive values.
    pub(crate) show_sensitive: bool,
    /// The memory for texts that are compressed in strings, in bytes, in addition to four times the size of the
    /// values.
    pub(crate) decoded: usize,
}

impl<'a> Settings<'a> {
    /// Keeps values in this arena.
    pub(crate) fn redactor(self, arena: &'a Bump) -> Redactor<'a> {
        Redactor { texts: self.texts, arena, show_sensitive: self.show_sensitive }
    }

    /// Applies `work` to all `items` on all processors and returns the results in order. `size` is the length
    /// of an item's values in bytes of text.
    ///
    /// # Errors
    /// The first error of `work`.
    pub(crate) fn compare_all<T: Sync, R: Send>(
        self,
        items: &[T],
        size: impl Fn(&T) -> usize + Sync,
        storage: &'a mut Storage,
        work: impl for<'w> Fn(&T, Comparer<'w, 'a>) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let share = (self.decoded / items.len().max(1)).max(MIN_UNPACKED);
        let hasher = hasher();
        parallel::map_into(storage, items, &size, |item, scratch: &Bump, kept: &'a Bump| {
            let redactor = self.redactor(kept);
            let size = size(item);
            let budget = share + 4 * size;
            if size >= MIN_IN_PLACE {
                return work(item, Comparer::in_place(hasher, redactor, budget));
            }
            work(item, Comparer::new(scratch, hasher, redactor, budget))
        })
    }
}

/// Compares the values of one entry.
#[derive(Debug)]
pub(crate) struct Comparer<'w, 'a: 'w> {
    /// Builds the values to compare, in an arena that is reset after the entry.
    pub(crate) build: Builder<'w, 'w>,
    /// Copies the values of edits to the arena of the edits, without sensitive parts.
    pub(crate) redactor: Redactor<'a>,
    /// The remaining bytes for texts that are compressed in strings.
    pub(super) budget: usize,
    pub(super) depth: usize,
    /// Copies a value without marks to the arena of the edits.
    keep_value: fn(Redactor<'a>, MarkedValue<'w>) -> MarkedValue<'a>,
}

/// The differences of two values.
pub(crate) struct Differences<'a> {
    pub(crate) edits: &'a [Edit<'a>],
    /// The number of unchanged scalars.
    pub(crate) unchanged: usize,
}

impl<'a> Comparer<'a, 'a> {
    /// Compares values in the arena of the edits, so that edits refer to the values instead of copying them.
    /// Everything that was read stays in memory: this is for entries so large that a copy would need more.
    fn in_place(hasher: &'a RandomState, redactor: Redactor<'a>, budget: usize) -> Self {
        Self { keep_value: |_, value| value, ..Self::new(redactor.arena, hasher, redactor, budget) }
    }
}

impl<'w, 'a: 'w> Comparer<'w, 'a> {
    /// Compares values in the arena `scratch`, and copies those of edits by `redactor`. `budget` is the
    /// number of bytes for texts that are compressed in strings.
    pub(crate) fn new(
        scratch: &'w Bump,
        hasher: &'w RandomState,
        redactor: Redactor<'a>,
        budget: usize,
    ) -> Self {
        let keep_value = |redactor: Redactor<'a>, value: MarkedValue<'w>| redactor.value(value);
        Self { build: Builder::new(scratch, hasher), redactor, budget, depth: 0, keep_value }
    }

    /// Copies a value to the arena of the edits. Whatever is sensitive in it or in the value of the other side
    /// is removed, unless the user asks for sensitive values.
    pub(crate) fn keep_beside(&self, value: MarkedValue<'w>, other: MarkedValue<'w>) -> MarkedValue<'a> {
        if value.has_marks || other.has_marks {
            self.redactor.beside(value, Some(other))
        } else {
            (self.keep_value)(self.redactor, value)
        }
    }

    /// Compares two values. At the root, null stands for an object that does not exist.
    pub(crate) fn compare(
        &mut self,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
        place: Place<'w>,
    ) -> Differences<'a> {
        let mut walk = Walk::new(self, TooLarge::of([before, after]));
        walk.compare(before, after, place);
        let unchanged = walk.unchanged;
        Differences { edits: walk.finish(), unchanged }
    }
}
