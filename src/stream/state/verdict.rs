//! The outcome of a run.

use super::State;
use crate::stream::End;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Verdict {
    /// It succeeded, as far as its messages show.
    Fine,
    /// It failed.
    Failed,
    /// Its messages end before the run did.
    CutOff,
    /// There are messages, but none of them belongs to an operation.
    NothingBegan,
    /// The messages have an unknown format, so their end cannot be recognised.
    Foreign,
    /// There are no messages.
    NoMessage,
}

impl Verdict {
    pub(in crate::stream) fn is_failure(self) -> bool {
        self != Self::Fine
    }
}

/// The result of the tests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::stream) enum Tested {
    /// There are no tests.
    #[default]
    Nothing,
    /// There is no summary yet.
    Unfinished,
    /// All passed.
    Passed,
    /// Some failed.
    Failed,
}

impl State {
    /// The outcome of the run, if its input ended with `end`.
    pub(in crate::stream) fn verdict(&self, end: End) -> Verdict {
        let is_cut_off = match end {
            End::Closed => self.parts.is_cut_off,
            End::Interrupted | End::Unreadable => return Verdict::CutOff,
        };
        let has_failed = self.failures.has_any();
        match self.tests {
            Tested::Passed if !has_failed && !is_cut_off => return Verdict::Fine,
            Tested::Passed | Tested::Failed if !is_cut_off => return Verdict::Failed,
            Tested::Unfinished if !has_failed => return Verdict::CutOff,
            Tested::Nothing | Tested::Passed | Tested::Failed | Tested::Unfinished => {}
        }
        if has_failed {
            Verdict::Failed
        } else if !self.parts.has_messages() {
            Verdict::NoMessage
        } else if is_cut_off || self.parts.is_open(self.operations.is_running()) {
            Verdict::CutOff
        } else if self.parts.is_foreign {
            Verdict::Foreign
        } else if self.parts.only_version {
            Verdict::NothingBegan
        } else {
            Verdict::Fine
        }
    }
}
