//! Compares values, and keeps their differences as edits.

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::bounds::{self, Allowance, MARK_BYTES, UNKNOWN_BYTES};
use super::walk::{Walk, Whole};
use super::{Edit, Place, Sides, Texts};
use crate::diff::Error;
use crate::diff::overlay::Unread;
use crate::diff::parallel::{self, Storage};
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json::Raw;
use crate::schema::Position;

/// The minimum size of values to be compared in place, in bytes of text.
const MIN_IN_PLACE: usize = 1 << 20;

/// Settings for the comparison of many values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    /// The documents with the values. Edits borrow their texts.
    pub(crate) texts: [&'a str; 3],
    /// Whether to keep sensitive values.
    pub(crate) show_sensitive: bool,
    /// The memory for documents decoded from strings, in bytes, in addition to four times the size of the
    /// values.
    pub(crate) decoded: usize,
    /// The memory for values and edits.
    pub(crate) limits: Limits,
}

/// The limits of the memory that values and edits take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// No limits.
    None,
    /// In proportion to the values.
    OnePlan,
    /// In proportion to the values, for edits that are kept with the values of two plans.
    TwoPlans,
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
        arena: &'a Bump,
        storage: &'a mut Storage,
        work: impl for<'w> Fn(&T, Comparer<'w, 'a>) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let share = self.decoded / items.len().max(1);
        let total = self.texts.iter().map(|text| text.len()).sum();
        let hasher = &*arena.alloc(RandomState::default());
        parallel::map_into(storage, items, &size, |item, scratch: &Bump, kept: &'a Bump| {
            let redactor = self.redactor(kept);
            let size = size(item);
            let budget = share + 4 * size;
            let allowance = match self.limits {
                Limits::None => return work(item, Comparer::new(scratch, hasher, redactor, budget)),
                Limits::OnePlan => Allowance::for_entry(size, total),
                Limits::TwoPlans => Allowance::for_pair(size, total),
            };
            if size >= MIN_IN_PLACE {
                return work(item, Comparer::in_place(hasher, redactor, budget).within(allowance));
            }
            work(item, Comparer::new(scratch, hasher, redactor, budget).within(allowance))
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
    /// The remaining bytes for decoding documents in strings.
    pub(super) budget: usize,
    pub(super) depth: usize,
    /// Copies a value without marks to the arena of the edits.
    keep_value: fn(Redactor<'a>, MarkedValue<'w>) -> MarkedValue<'a>,
    /// The memory that the edits of the entry may take.
    allowance: Allowance,
    /// The parts of the values that are not read.
    unread: Unread<'w>,
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
    /// number of bytes for decoding documents in strings.
    pub(crate) fn new(
        scratch: &'w Bump,
        hasher: &'w RandomState,
        redactor: Redactor<'a>,
        budget: usize,
    ) -> Self {
        let keep_value = |redactor: Redactor<'a>, value: MarkedValue<'w>| redactor.value(value);
        let (build, allowance) = (Builder::new(scratch, hasher), Allowance::ALL);
        Self { build, redactor, budget, depth: 0, keep_value, allowance, unread: Unread::Nothing }
    }

    /// Limits the memory for values and edits.
    fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// Decides which parts of the values of an entry are read, and how many edits it may have.
    ///
    /// # Errors
    /// If a value is malformed.
    pub(crate) fn limit<const N: usize>(&mut self, changes: [Texts<'w>; N]) -> Result<(), Error> {
        let (values, marks) = (changes.map(Texts::values), changes.map(Texts::marks));
        let unknown = changes.map(|texts| texts.unknown.map(Raw::text));
        let values = values.as_flattened();
        let fits = unknown.iter().flatten().all(|text| self.allowance.has_room_for_unknown(text));
        let allowance = self.allowance.less(marks.as_flattened(), MARK_BYTES).less(&unknown, UNKNOWN_BYTES);
        self.unread = if fits { allowance.unread(values, self.build.arena())? } else { Unread::All };
        self.allowance = allowance.for_edits(values, self.unread);
        Ok(())
    }

    /// Parses both sides of a change, as far as [`Self::limit`] allows.
    ///
    /// # Errors
    /// If a value is malformed.
    pub(crate) fn sides(&self, texts: Texts<'w>, position: Position<'w>) -> Result<Sides<'w>, Error> {
        Sides::read(texts, position, self.build, self.unread)
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
        let max_edits = self.allowance.edits();
        let (scratch, mut whole) = (self.build.arena(), Whole { unread: self.unread, ..Whole::default() });
        let mut walk = Walk::new(self, max_edits);
        walk.whole = whole;
        walk.compare(before, after, place);
        if walk.overflowed {
            // Too many edits: compare again, with the attributes that have the most as a whole.
            let (all, found) = (walk.attempted, std::mem::take(&mut walk.by_member));
            match (before.as_object(), after.as_object()) {
                // Members of one edit each cannot be left out.
                (Some(_), Some(_))
                    if all.saturating_sub(found.values().sum::<usize>()) + found.len() <= max_edits =>
                {
                    whole.members = scratch.alloc_slice_copy(&bounds::largest(found, all, max_edits));
                }
                _ => whole.is_all = true,
            }
            walk = Walk::new(self, usize::MAX);
            walk.whole = whole;
            walk.compare(before, after, place);
        }
        let unchanged = walk.unchanged;
        Differences { edits: walk.finish().unwrap_or_default(), unchanged }
    }
}
