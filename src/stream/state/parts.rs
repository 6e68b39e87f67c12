//! The parts of a run, which determine whether its messages are complete, and its outcome.
//!
//! Invariant: a run counts as complete only if its last part was closed by the message with which the tools
//! close it. `docs/ci.md` lists what messages cannot show.
//!
//! | part | begins with | ends with |
//! |---|---|---|
//! | plan | a planned change, drift, a refresh, a data read | `change_summary` of a plan; applied outputs (`refresh`) |
//! | apply | the first change of an object | `change_summary` of an apply or a destroy |
//! | init | its first section | "successfully initialized", "initialized in an empty directory" |
//! | test | `test_abstract` | `test_summary` |
//! | refresh of an object, provisioner, list block, action | its start | its end, or the end of the part |

use foldhash::HashSet;

use super::State;
use crate::stream::End;
use crate::stream::event::Key;

/// A part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    /// There is no message of it yet.
    #[default]
    Pending,
    /// It has begun, but not ended.
    Open,
    /// It has ended.
    Closed,
}

impl Part {
    pub(super) fn begin(&mut self) {
        if *self == Self::Pending {
            *self = Self::Open;
        }
    }
}

/// The parts of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct Parts {
    messages: u64,
    pub(super) plan: Part,
    apply: Part,
    pub(super) init: Part,
    refreshing: HashSet<Key>,
    refreshed: usize,
    pub(super) provisioning: HashSet<Key>,
    pub(super) lists: HashSet<Key>,
    /// The number of actions that have started, but not ended.
    pub(super) actions: usize,
    /// Whether there has been no message of an operation since the last `version` message.
    pub(super) only_version: bool,
    /// Whether the format of the messages is unknown.
    pub(in crate::stream) is_foreign: bool,
    /// The number of runs whose messages alternate without a label, and of their parts that have ended.
    runs: usize,
    plans_ended: usize,
    applies_ended: usize,
    tests_ended: usize,
    /// Whether the input ends within a line.
    pub(super) is_cut_off: bool,
}

impl Parts {
    /// Counts a message of this type.
    pub(super) fn count_message(&mut self, message_type: &str) {
        self.messages += 1;
        if self.only_version {
            let is_preamble = matches!(
                message_type,
                "version" | "log" | "state_lock_acquire" | "state_lock_release" | "diagnostic"
            );
            self.only_version = is_preamble;
        }
    }

    /// Begins a run, unless a part of an earlier one is open; returns whether it did.
    pub(super) fn begin_run(&mut self, running: bool) -> bool {
        // The messages of concurrent runs may be interleaved, so only a complete run is discarded. One that has not done
        // anything yet is not complete either.
        let has_begun = self.runs > 0 && self.only_version && self.init == Part::Pending;
        let is_next = !self.is_open(running) && !has_begun;
        self.only_version = true;
        if is_next {
            let Self { messages, is_foreign, .. } = *self;
            *self = Self { messages, is_foreign, only_version: true, runs: 1, ..Self::default() };
        } else {
            self.runs += 1;
        }
        is_next
    }

    pub(in crate::stream) fn has_messages(&self) -> bool {
        self.messages > 0
    }

    /// Ends the plan, with its summary. Of several runs, the last one ends it; returns whether it did.
    pub(super) fn end_plan(&mut self) -> bool {
        self.plans_ended += 1;
        if self.plans_ended < self.runs {
            self.plan = Part::Open;
            return false;
        }
        self.plan = Part::Closed;
        self.refreshing.clear();
        true
    }

    pub(super) fn begin_apply(&mut self) {
        if !self.are_several() {
            self.plan = Part::Closed;
        }
        self.apply.begin();
    }

    /// Opens the part that a summary was to end, because the summary cannot be read.
    pub(super) fn reopen(&mut self) {
        match self.plan {
            Part::Closed => self.apply = Part::Open,
            Part::Pending | Part::Open => self.plan = Part::Open,
        }
    }

    /// Ends the apply, with its summary. Of several runs, the last one ends it; returns whether it did.
    pub(super) fn end_apply(&mut self) -> bool {
        self.applies_ended += 1;
        if self.applies_ended < self.runs {
            self.apply = Part::Open;
            return false;
        }
        self.plan = Part::Closed;
        self.refreshing.clear();
        self.apply = Part::Closed;
        self.provisioning.clear();
        self.actions = 0;
        true
    }

    /// Counts a summary of tests. Returns whether it is that of the last run.
    pub(super) fn end_tests(&mut self) -> bool {
        self.tests_ended += 1;
        self.tests_ended >= self.runs
    }

    /// Whether the messages of several runs alternate.
    pub(in crate::stream) fn are_several(&self) -> bool {
        self.runs > 1
    }

    /// Whether the tool has printed the summary of an apply.
    pub(in crate::stream) fn is_over(&self) -> bool {
        self.apply == Part::Closed
    }

    pub(in crate::stream) fn is_applying(&self) -> bool {
        self.apply != Part::Pending
    }

    /// Whether the tool is planning, or nothing has begun since the `version` message.
    pub(in crate::stream) fn is_planning(&self) -> bool {
        self.plan == Part::Open || (self.plan == Part::Pending && self.only_version)
    }

    pub(in crate::stream) fn is_initializing(&self) -> bool {
        self.init == Part::Open
    }

    pub(super) fn begin_refresh(&mut self, key: Key) {
        self.plan.begin();
        self.refreshing.insert(key);
    }

    pub(super) fn end_refresh(&mut self, key: Key) {
        self.plan.begin();
        self.refreshing.remove(&key);
        self.refreshed += 1;
    }

    /// The number of refreshed objects, and of those being refreshed.
    pub(in crate::stream) fn refreshes(&self) -> (usize, usize) {
        (self.refreshed, self.refreshing.len())
    }

    /// Whether a part of the run is open. `running` is whether an operation on an object is.
    pub(super) fn is_open(&self, running: bool) -> bool {
        running
            || [self.plan, self.apply, self.init].contains(&Part::Open)
            || !(self.refreshing.is_empty() && self.provisioning.is_empty() && self.lists.is_empty())
            || self.actions > 0
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Verdict {
    /// It succeeded, as far as its messages show.
    Fine,
    Failed,
    /// Its messages end before the run did.
    CutOff,
    /// There are messages, but none of them belongs to an operation.
    NothingBegan,
    /// The messages have an unknown format, so their end cannot be recognised.
    Foreign,
    NoMessage,
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
