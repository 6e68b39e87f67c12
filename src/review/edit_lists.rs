//! The two lists of edits that an entry has: with all values, and as texts show them. They are two types, so that what may
//! hold a credential cannot reach a writer.
//!
//! ```text
//! ExactEdits   token "ghp_A1b2…" -> "ghp_Z1b2…"              compared, judged, and written as JSON
//! ShownEdits   token "(GitHub token 1)" -> "(GitHub token 2)"  what texts and pages are made of
//! ```

use std::ops::Deref;

use crate::diff::edits::Edit;

/// The edits of a change with all values, credentials included. Outside of the review nobody can read them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactEdits<'a>(&'a [Edit<'a>]);

impl<'a> ExactEdits<'a> {
    /// Holds edits as they were found.
    pub(in crate::review) fn new(edits: &'a [Edit<'a>]) -> Self {
        Self(edits)
    }

    /// Returns the edits for code that compares or judges values, and for the JSON of a review, which has all of them. No
    /// code that makes a text may call this, as a test makes sure.
    pub(in crate::review) fn exact(self) -> &'a [Edit<'a>] {
        self.0
    }
}

/// The edits of a change as texts show them, with masks for credentials and for copies of sensitive values. There are
/// none until the last step of a review.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownEdits<'a>(&'a [Edit<'a>]);

impl<'a> ShownEdits<'a> {
    /// Holds edits in which everything is masked that texts must not show. Only `masks` calls this.
    pub(in crate::review) fn masked(edits: &'a [Edit<'a>]) -> Self {
        Self(edits)
    }

    /// Returns the edits for as long as the review lives.
    pub fn list(self) -> &'a [Edit<'a>] {
        self.0
    }
}

impl<'a> Deref for ShownEdits<'a> {
    type Target = [Edit<'a>];

    fn deref(&self) -> &Self::Target {
        self.0
    }
}
