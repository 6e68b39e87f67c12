//! Compares the two sides of a change and records their differences as edits.
//!
//! Invariants. True: an edit has the values that both sides have at its path. Complete: whatever differs has
//! an edit. Minimal: an edit has a whole object or list only where its parts cannot be compared. Nothing is
//! compared below a value that is sensitive as a whole, and sensitive values are kept only if the user asks
//! for them.

pub(crate) mod bounds;
mod elements;
mod inside;
mod labels;
mod place;
mod rule;
mod walk;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use self::bounds::Allowance;
pub(crate) use self::place::Place;
use self::walk::{Walk, Whole};
use super::edit::Edit;
use crate::diff::overlay::Unread;
use crate::diff::value::{Builder, MarkedValue, Redactor};

/// Compares the values of one entry.
#[derive(Debug)]
pub(crate) struct Comparer<'w, 'a> {
    /// Builds the values to compare, in an arena that is reset after the entry.
    pub(crate) build: Builder<'w, 'w>,
    /// Copies the values of edits to the review's arena, without sensitive parts.
    pub(crate) redactor: Redactor<'a>,
    /// The remaining bytes for decoding documents in strings.
    budget: usize,
    depth: usize,
    /// Copies a value without marks to the review's arena.
    keep_value: fn(Redactor<'a>, MarkedValue<'w>) -> MarkedValue<'a>,
    /// The memory that the edits of the entry may take.
    pub(crate) allowance: Allowance,
    /// The parts of the values that were not read.
    pub(crate) unread: Unread<'w>,
}

impl<'a> Comparer<'a, 'a> {
    /// Compares values in the arena of the edits, so that edits refer to the values instead of copying them.
    /// Everything that was read stays in memory: this is for entries so large that a copy would need more.
    pub(crate) fn in_place(hasher: &'a RandomState, redactor: Redactor<'a>, budget: usize) -> Self {
        Self { keep_value: |_, value| value, ..Self::new(redactor.arena, hasher, redactor, budget) }
    }
}

/// The result of comparing two values.
pub(crate) struct Compared<'a> {
    pub(crate) edits: &'a [Edit<'a>],
    /// The number of unchanged scalars.
    pub(crate) unchanged: usize,
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

    /// Limits the number of edits.
    pub(crate) fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// Copies a value to the review's arena. Whatever is sensitive in it or in the value of the other side is
    /// removed, unless the user asks for sensitive values.
    pub(crate) fn keep_beside(&self, value: MarkedValue<'w>, other: MarkedValue<'w>) -> MarkedValue<'a> {
        if value.has_marks || other.has_marks {
            self.redactor.beside(value, other)
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
    ) -> Compared<'a> {
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
        Compared { edits: walk.finish().unwrap_or_default(), unchanged }
    }
}
