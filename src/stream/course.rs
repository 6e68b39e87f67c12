//! How far a run has come, and from it whether its messages end where a run ends.
//!
//! Invariant: a run counts as complete only if its last part was closed by the message that the tools
//! close it with. What messages cannot show is listed in `docs/ci.md`.
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
    /// No message of it has come.
    #[default]
    Pending,
    /// It has begun and not ended.
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

/// How the run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It succeeded, as far as its messages show.
    Fine,
    /// It failed.
    Failed,
    /// Its messages end before the run did.
    CutOff,
    /// There are messages, and none of them belongs to an operation.
    NothingBegan,
    /// The messages have a format whose end is not known.
    Foreign,
    /// There is no message.
    NoMessage,
}

impl Verdict {
    pub(super) fn is_failure(self) -> bool {
        self != Self::Fine
    }
}

/// How far a run has come.
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
    /// A `version` message came, and since then nothing that belongs to an operation.
    only_version: bool,
    is_foreign: bool,
    /// The input ends inside a line.
    ends_in_line: bool,
}

impl Course {
    /// A message of this type has come.
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

    /// A run begins: the first one, or another one after it. Gives whether nothing of one before is open.
    pub(super) fn version(&mut self, running: bool) -> bool {
        self.only_version = true;
        // The messages of runs at the same time may alternate: only a run that is complete is left behind.
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

    /// The tool has summed up what it did.
    pub(super) fn apply_ended(&mut self) {
        self.plan_ended();
        self.apply = Part::Closed;
        self.provisioning.clear();
        self.actions = 0;
    }

    /// Whether the tool has summed up what it did.
    pub(super) fn is_over(&self) -> bool {
        self.apply == Part::Closed
    }

    /// Whether changes have begun to be made.
    pub(super) fn is_applying(&self) -> bool {
        self.apply != Part::Pending
    }

    /// Whether a plan is being made, or nothing else has begun.
    pub(super) fn is_planning(&self) -> bool {
        self.plan == Part::Open || (self.plan == Part::Pending && self.only_version)
    }

    /// Whether `init` is going on.
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

    /// How many objects were refreshed, and how many are being.
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

    /// Whether a part of the run is open. `running`: an operation on an object is.
    fn is_open(&self, running: bool) -> bool {
        running
            || [self.plan, self.apply, self.init].contains(&Part::Open)
            || !(self.refreshing.is_empty() && self.provisioning.is_empty() && self.lists.is_empty())
            || self.actions > 0
    }

    /// How the run went. `failed`: an error says that it failed. `running`: an operation is open.
    /// `tests`: what the summary of the tests says, [`Part::Open`] where none came.
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

/// What is known of the tests of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tested {
    /// It has none.
    Nothing,
    /// Their summary has not come.
    Unfinished,
    /// All passed.
    Passed,
    /// Some failed.
    Failed,
}
