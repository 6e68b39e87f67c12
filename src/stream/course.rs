//! The progress of a run, which determines whether its messages are complete.
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

use super::End;
use super::record::Key;

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
    fn open(&mut self) {
        if *self == Self::Pending {
            *self = Self::Open;
        }
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
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
    pub(super) fn is_failure(self) -> bool {
        self != Self::Fine
    }
}

/// The progress of a run.
#[derive(Debug, Default)]
pub(super) struct Course {
    messages: u64,
    plan: Part,
    apply: Part,
    init: Part,
    refreshing: HashSet<Key>,
    refreshed: usize,
    provisioning: HashSet<Key>,
    lists: HashSet<Key>,
    actions: usize,
    /// Whether there has been no message of an operation since the last `version` message.
    only_version: bool,
    is_foreign: bool,
    /// Whether the input ends within a line.
    ends_in_line: bool,
}

impl Course {
    /// Records a message of this type.
    pub(super) fn message(&mut self, kind: &str) {
        self.messages += 1;
        if self.only_version {
            let is_preamble = matches!(
                kind,
                "version" | "log" | "state_lock_acquire" | "state_lock_release" | "diagnostic"
            );
            self.only_version = is_preamble;
        }
    }

    /// Records the start of a run. Returns whether no part of an earlier run is open.
    pub(super) fn version(&mut self, running: bool) -> bool {
        self.only_version = true;
        // The messages of concurrent runs may be interleaved, so only a complete run is discarded.
        let is_next = !self.is_open(running);
        if is_next {
            let Self { messages, is_foreign, .. } = *self;
            *self = Self { messages, is_foreign, only_version: true, ..Self::default() };
        }
        is_next
    }

    pub(super) fn foreign(&mut self) {
        self.is_foreign = true;
    }

    pub(super) fn ended_in_line(&mut self) {
        self.ends_in_line = true;
    }

    pub(super) fn has_messages(&self) -> bool {
        self.messages > 0
    }

    pub(super) fn plan_began(&mut self) {
        self.plan.open();
    }

    pub(super) fn plan_ended(&mut self) {
        self.plan = Part::Closed;
        self.refreshing.clear();
    }

    pub(super) fn apply_began(&mut self) {
        self.plan = Part::Closed;
        self.apply.open();
    }

    /// Records the summary of an apply.
    pub(super) fn apply_ended(&mut self) {
        self.plan_ended();
        self.apply = Part::Closed;
        self.provisioning.clear();
        self.actions = 0;
    }

    /// Whether the tool has printed the summary of an apply.
    pub(super) fn is_over(&self) -> bool {
        self.apply == Part::Closed
    }

    /// Whether the apply has begun.
    pub(super) fn is_applying(&self) -> bool {
        self.apply != Part::Pending
    }

    /// Whether the tool is planning, or nothing has begun since the `version` message.
    pub(super) fn is_planning(&self) -> bool {
        self.plan == Part::Open || (self.plan == Part::Pending && self.only_version)
    }

    /// Whether `init` is running.
    pub(super) fn is_initializing(&self) -> bool {
        self.init == Part::Open
    }

    pub(super) fn init_began(&mut self) {
        self.init.open();
    }

    pub(super) fn init_ended(&mut self) {
        self.init = Part::Closed;
    }

    pub(super) fn refresh_began(&mut self, key: Key) {
        self.plan_began();
        self.refreshing.insert(key);
    }

    pub(super) fn refresh_ended(&mut self, key: Key) {
        self.plan_began();
        self.refreshing.remove(&key);
        self.refreshed += 1;
    }

    /// The number of refreshed objects, and of those being refreshed.
    pub(super) fn refreshes(&self) -> (usize, usize) {
        (self.refreshed, self.refreshing.len())
    }

    pub(super) fn provisioner_began(&mut self, key: Key) {
        self.apply_began();
        self.provisioning.insert(key);
    }

    pub(super) fn provisioner_ended(&mut self, key: Key) {
        self.provisioning.remove(&key);
    }

    pub(super) fn list_began(&mut self, key: Key) {
        self.lists.insert(key);
    }

    pub(super) fn list_ended(&mut self, key: Key) {
        self.lists.remove(&key);
    }

    pub(super) fn action_began(&mut self) {
        self.actions += 1;
    }

    pub(super) fn action_ended(&mut self) {
        self.actions = self.actions.saturating_sub(1);
    }

    /// Whether a part of the run is open. `running` tells whether an operation on an object is.
    fn is_open(&self, running: bool) -> bool {
        running
            || [self.plan, self.apply, self.init].contains(&Part::Open)
            || !(self.refreshing.is_empty() && self.provisioning.is_empty() && self.lists.is_empty())
            || self.actions > 0
    }

    /// The outcome of the run. `failed` tells whether there was an error, `running` whether an operation is
    /// open, and `tests` is the result of the tests.
    pub(super) fn verdict(&self, end: End, failed: bool, running: bool, tests: Tested) -> Verdict {
        let cut = match end {
            End::Closed => self.ends_in_line,
            End::Interrupted | End::Unreadable => return Verdict::CutOff,
        };
        match tests {
            Tested::Passed if !failed && !cut => return Verdict::Fine,
            Tested::Passed | Tested::Failed if !cut => return Verdict::Failed,
            Tested::Unfinished if !failed => return Verdict::CutOff,
            Tested::Nothing | Tested::Passed | Tested::Failed | Tested::Unfinished => {}
        }
        if failed {
            Verdict::Failed
        } else if self.messages == 0 {
            Verdict::NoMessage
        } else if cut || self.is_open(running) {
            Verdict::CutOff
        } else if self.is_foreign {
            Verdict::Foreign
        } else if self.only_version {
            Verdict::NothingBegan
        } else {
            Verdict::Fine
        }
    }
}

/// The result of the tests of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tested {
    /// There are no tests.
    Nothing,
    /// There is no summary yet.
    Unfinished,
    /// All passed.
    Passed,
    /// Some failed.
    Failed,
}
