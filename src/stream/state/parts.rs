//! The parts of a run, which determine whether its messages are complete; its outcome; and its plan, which is compared
//! with the one that was given with `--plan`.
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

use foldhash::{HashMap, HashSet};

use super::State;
use crate::model::message::PlannedChange;
use crate::model::plan::{Plan, ResourceChange};
use crate::model::{Action, ResourceMode};
use crate::stream::End;
use crate::stream::event::{Event, EventKind, Key, Summary, SummarySubject};

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
    pub(in crate::stream) has_messages: bool,
    pub(super) plan: Part,
    apply: Part,
    pub(super) init: Part,
    refreshing: HashSet<Key>,
    refreshed: usize,
    /// The provisioners, actions and list blocks that have started, but not ended.
    pub(super) steps: HashSet<Key>,
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
        self.has_messages = true;
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
            let Self { has_messages, is_foreign, .. } = *self;
            *self = Self { has_messages, is_foreign, only_version: true, runs: 1, ..Self::default() };
        } else {
            self.runs += 1;
        }
        is_next
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
        self.steps.clear();
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
            || !(self.refreshing.is_empty() && self.steps.is_empty())
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
        } else if !self.parts.has_messages {
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

/// The plan of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct PlanState {
    /// The expected changes, if the text of the plan is known.
    pub(super) expected: Option<Expected>,
    /// Whether the text of the plan was shown.
    pub(super) is_shown: bool,
    /// How the changes of the run differ from those of the given plan.
    pub(in crate::stream) mismatch: Option<String>,
    /// Whether there is a change that is not listed, or an action, so that the plan has an effect.
    pub(super) has_effect: bool,
    /// The summary of a plan without changes. How it is shown depends on the outputs that may follow.
    pub(in crate::stream) no_changes: Option<String>,
}

impl PlanState {
    /// The key of the deposed object whose destruction the plan names at an address. Messages do not name it.
    pub(in crate::stream) fn deposed(&self, address: &str) -> Option<&str> {
        self.expected.as_ref()?.deposed.get(address).map(|key| &**key)
    }

    /// Adds a planned change.
    pub(super) fn add_change(&mut self, change: &PlannedChange<'_>) {
        self.has_effect |= &*change.action != "noop";
        if let Some(expected) = &mut self.expected {
            expected.add_planned(&change.resource.addr, &change.action);
        }
    }

    /// Records that the text of the plan is shown, after all changes of the run.
    pub(super) fn set_shown(&mut self) {
        self.is_shown = true;
        self.mismatch = self.expected.as_ref().and_then(Expected::difference);
    }

    /// Ends the plan, with its summary.
    pub(super) fn summarize(&mut self, summary: &Summary<'_>, event: &Event<'_>) {
        let has_effect = std::mem::take(&mut self.has_effect) || summary.has_changes();
        if !self.is_known() && !has_effect {
            self.no_changes = Some(event.text().into_owned());
        }
    }

    /// Whether the text of the plan is known, so that its changes are not listed.
    pub(in crate::stream) fn is_known(&self) -> bool {
        self.expected.is_some()
    }

    /// Whether the text of the plan is to be shown before this event.
    pub(in crate::stream) fn is_due(&self, event: &Event<'_>) -> bool {
        let is_summary =
            matches!(&event.kind, EventKind::Summary(summary) if summary.subject == SummarySubject::Plan);
        self.is_known() && !self.is_shown && (is_summary || event.is_in_apply())
    }
}

/// The changes of a plan, for comparison with those that a run reports as planned.
#[derive(Debug, Default)]
pub struct Expected {
    /// The address of each change, and the word of the stream for its action.
    changes: HashSet<(String, &'static str)>,
    /// The key of the deposed object that is destroyed at an address, if nothing else is destroyed there.
    deposed: HashMap<String, String>,
    /// The number of changes of the run that are not in the plan, and the address of the first.
    unexpected: usize,
    example: Option<String>,
    /// Whether the run has planned a change.
    has_planned: bool,
    is_unchecked: bool,
}

impl Expected {
    /// The changes of `plan`.
    pub fn new(plan: &Plan<'_>) -> Self {
        let changes = plan.resource_changes.iter();
        let changes = changes.filter_map(|change| Some((change.address.to_string(), word(change)?)));
        Self { changes: changes.collect(), deposed: deposed(plan), ..Self::default() }
    }

    /// No expectations, because the plan was made by the run itself.
    pub fn unchecked() -> Self {
        Self { is_unchecked: true, ..Self::default() }
    }

    /// Adds a change that the run has planned.
    fn add_planned(&mut self, address: &str, action: &str) {
        self.has_planned = true;
        let known = WORDS.iter().find(|word| **word == action);
        if !known.is_some_and(|word| self.changes.remove(&(address.to_owned(), *word))) && action != "noop" {
            self.unexpected += 1;
            self.example.get_or_insert_with(|| address.to_owned());
        }
    }

    /// A description of the difference, if there is one.
    fn difference(&self) -> Option<String> {
        if self.is_unchecked {
            return None;
        }
        // Moves and imports without other changes have a message when planning, but not when a saved plan is
        // applied.
        let has_message = |word: &str| !matches!(word, "noop" | "move" | "import");
        let missing =
            || self.changes.iter().filter(|(_, word)| has_message(word)).map(|(address, _)| address);
        let count = missing().count();
        if count == 0 && (self.unexpected == 0 || !self.has_planned) {
            return None;
        }
        let mut parts = Vec::new();
        if let Some(example) = &self.example {
            parts.push(format!("{} of the run are not in the plan (such as {example})", self.unexpected));
        }
        if let Some(example) = missing().min() {
            parts.push(format!("{count} of the plan are not in the run (such as {example})"));
        }
        let parts = parts.join(", ");
        Some(format!("the plan given with --plan is not the one of this run: of the changes, {parts}"))
    }
}

fn deposed(plan: &Plan<'_>) -> HashMap<String, String> {
    let may_destroy = |action: &Action| *action.worst_case() == Action::Delete || action.is_replace();
    let destroyed = || plan.resource_changes.iter().filter(|change| may_destroy(&change.change.actions));
    let mut keys: HashMap<String, String> = destroyed()
        .filter(|change| !change.deposed.is_empty())
        .map(|change| (change.address.to_string(), change.deposed.to_string()))
        .collect();
    if !keys.is_empty() {
        for change in destroyed() {
            if keys.get(&*change.address).is_some_and(|key| **key != *change.deposed) {
                keys.remove(&*change.address);
            }
        }
    }
    keys
}

const WORDS: [&str; 9] =
    ["noop", "create", "read", "update", "replace", "delete", "move", "import", "remove"];

/// The stream's word for the action; `None` if it has no message.
fn word(change: &ResourceChange<'_>) -> Option<&'static str> {
    Some(match change.change.actions {
        Action::NoOp if change.is_moved() => "move",
        Action::NoOp if change.is_imported() => "import",
        Action::NoOp | Action::Open => return None,
        Action::Delete if change.mode == ResourceMode::Data => return None,
        Action::Create => "create",
        Action::Read => "read",
        Action::Update => "update",
        Action::Delete => "delete",
        Action::DeleteThenCreate | Action::CreateThenDelete | Action::CreateThenForget => "replace",
        Action::Forget => "remove",
        // OpenTofu has no word for the first one, and the word for the other one is unknown.
        Action::ForgetThenCreate | Action::Unknown(_) => "noop",
    })
}
