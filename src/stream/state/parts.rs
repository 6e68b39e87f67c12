//! The parts of a run, which determine whether its messages are complete; also the outcome of the run, and its plan.
//!
//! Invariant: a run counts as complete only if its last part was closed by the message with which the tools close it.
//! `docs/ci.md` lists what messages cannot show.
//!
//! | part | begins with | ends with |
//! |---|---|---|
//! | plan | a planned change, drift, a refresh, a data read, an ephemeral resource | `change_summary` of a plan; applied outputs (`refresh`) |
//! | apply | the first change of an object; an ephemeral resource after the plan | `change_summary` of an apply or a destroy |
//! | init | its first section | "successfully initialized", "initialized in an empty directory" |
//! | test | `test_abstract` | `test_summary` |
//! | refresh of an object, provisioner, list block, action | its start | its end, or the end of the part |

use foldhash::{HashMap, HashSet};

use super::State;
use crate::model::message::PlannedChange;
use crate::model::plan::{Plan, ResourceChange};
use crate::model::{Action, ResourceMode};
use crate::stream::event::{Event, EventKind, Key, Summary, SummarySubject};

/// The state of a part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Pending,
    Open,
    Closed,
}

impl Part {
    /// Begins the part, unless it has begun before.
    pub(super) fn begin(&mut self) {
        if *self == Self::Pending {
            *self = Self::Open;
        }
    }
}

/// The parts of a run, and which of them have begun and ended.
#[derive(Debug, Default)]
pub(in crate::stream) struct Parts {
    /// Whether there was a message.
    pub(in crate::stream) has_messages: bool,
    /// The plan.
    pub(super) plan: Part,
    /// The apply.
    apply: Part,
    /// The `init`.
    pub(super) init: Part,
    /// The objects that are being refreshed.
    refreshing: HashSet<Key>,
    /// The number of objects that were refreshed.
    refreshed: usize,
    /// The provisioners, actions and list blocks that have begun and not ended.
    pub(super) steps: HashSet<Key>,
    /// Whether only preliminary messages, such as logs and locks, have come since the last `version` message.
    pub(super) only_version: bool,
    /// Whether the messages have a format that is newer than the known one.
    pub(in crate::stream) is_foreign: bool,
    /// The number of runs whose messages alternate without a label.
    runs: usize,
    /// The number of plans that have ended.
    plans_ended: usize,
    /// The number of applies that have ended.
    applies_ended: usize,
    /// The number of test summaries that have come.
    tests_ended: usize,
    /// Whether a message or document of the run was cut off.
    pub(in crate::stream) is_cut_off: bool,
}

impl Parts {
    /// Records that a message has come.
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

    /// Begins a run, with a `version` message. Returns whether the earlier one was complete, so that it was replaced;
    /// otherwise the messages of both alternate.
    pub(super) fn begin_run(&mut self, running: bool) -> bool {
        // The messages of concurrent runs may be interleaved, so only a complete run is replaced. A run that has not
        // done anything yet is not complete either.
        let has_begun = self.runs > 0 && self.only_version && self.init == Part::Pending;
        let is_next = !self.is_open(running) && !has_begun;
        self.only_version = true;
        if is_next {
            let Self {
                has_messages,
                is_foreign,
                ..
            } = *self;
            *self = Self {
                has_messages,
                is_foreign,
                only_version: true,
                runs: 1,
                ..Self::default()
            };
        } else {
            self.runs += 1;
        }
        is_next
    }

    /// Ends a plan. Of several runs, the last one ends it; returns whether this was the last one.
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

    /// Begins the apply. In a single run, this ends the plan.
    pub(super) fn begin_apply(&mut self) {
        if !self.are_several() {
            self.plan = Part::Closed;
        }
        self.apply.begin();
    }

    /// Records that an ephemeral resource was opened or closed. A plan and an apply both do so, and both close what they
    /// opened before their summary: without a plan, the plan has begun, and after a plan, the apply.
    pub(super) fn begin_ephemeral(&mut self) {
        match self.plan {
            Part::Pending | Part::Open => self.plan.begin(),
            Part::Closed => self.apply.begin(),
        }
    }

    /// Opens the part that a summary was to end, because the summary cannot be read.
    pub(super) fn reopen(&mut self) {
        match self.plan {
            Part::Closed => self.apply = Part::Open,
            Part::Pending | Part::Open => self.plan = Part::Open,
        }
    }

    /// Ends an apply, like [`Self::end_plan`].
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

    /// Records a summary of tests. Returns whether all runs have had theirs.
    pub(super) fn end_tests(&mut self) -> bool {
        self.tests_ended += 1;
        self.tests_ended >= self.runs
    }

    pub(in crate::stream) fn are_several(&self) -> bool {
        self.runs > 1
    }

    pub(in crate::stream) fn is_over(&self) -> bool {
        self.apply == Part::Closed
    }

    pub(in crate::stream) fn is_applying(&self) -> bool {
        self.apply != Part::Pending
    }

    /// Whether a plan is being made, or nothing has begun since the `version` message.
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

    /// Returns the number of objects that were refreshed, and of those that are being refreshed.
    pub(in crate::stream) fn refreshes(&self) -> (usize, usize) {
        (self.refreshed, self.refreshing.len())
    }

    /// Whether at least one part has begun and not ended. `running` says whether operations are running.
    pub(super) fn is_open(&self, running: bool) -> bool {
        running
            || [self.plan, self.apply, self.init].contains(&Part::Open)
            || !(self.refreshing.is_empty() && self.steps.is_empty())
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Verdict {
    Fine,
    Failed,
    /// The messages end before the run did.
    CutOff,
    /// The tool reported its version, and nothing else.
    NothingBegan,
    /// The message format is unknown, so the end of the run cannot be recognized.
    Foreign,
    /// The input contained no messages.
    NoMessage,
}

/// The outcome of the tests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::stream) enum Tested {
    #[default]
    Nothing,
    Unfinished,
    Passed,
    Failed,
}

/// The reason why a run has no more input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The input was read to its end.
    Closed,
    /// The user interrupted the display of the run.
    Interrupted,
    /// Reading the input failed.
    Unreadable,
}

impl State {
    /// Decides the outcome of a run whose input has ended. The exit status is decided from this alone.
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

/// The plan that belongs to a run, as far as it is known.
#[derive(Debug, Default)]
pub(in crate::stream) struct PlanState {
    /// The messages that the given plan makes one expect; `None` if no plan is given.
    pub(super) expected: Option<Expected>,
    /// Whether the text of the plan was shown.
    pub(super) is_shown: bool,
    /// The reason why the given plan is not that of the run.
    pub(in crate::stream) mismatch: Option<String>,
    /// Whether there was a message of a change, of drift or of an action, so that the plan is not one without changes.
    pub(super) has_effect: bool,
    /// The summary of a plan without changes. How it is shown depends on the outputs that may follow it.
    pub(in crate::stream) no_changes: Option<String>,
}

impl PlanState {
    /// Returns the key of the deposed object that is destroyed at an address. Messages do not contain it, but the plan
    /// does.
    pub(in crate::stream) fn deposed(&self, address: &str) -> Option<&str> {
        self.expected
            .as_ref()?
            .deposed
            .get(address)
            .map(|key| &**key)
    }

    /// Records a message of a planned change.
    pub(super) fn add_change(&mut self, change: &PlannedChange<'_>) {
        self.has_effect |= &*change.action != "noop";
        if let Some(expected) = &mut self.expected {
            expected.add_planned(&change.resource.addr, &change.action);
        }
    }

    /// Records that the text of the plan was shown, and compares the plan with the messages so far.
    pub(super) fn set_shown(&mut self) {
        self.is_shown = true;
        self.mismatch = self.expected.as_ref().and_then(Expected::difference);
    }

    /// Records the summary of a plan. It is kept if nothing changes and the plan is not known.
    pub(super) fn summarize(&mut self, summary: &Summary<'_>, event: &Event<'_>) {
        let has_effect = std::mem::take(&mut self.has_effect) || summary.has_changes();
        if !self.is_known() && !has_effect {
            self.no_changes = Some(event.text().into_owned());
        }
    }

    /// Whether a plan is given.
    pub(in crate::stream) fn is_known(&self) -> bool {
        self.expected.is_some()
    }

    /// Whether the text of the plan must be shown before an event, which is the summary of the plan or belongs to the
    /// apply.
    pub(in crate::stream) fn is_due(&self, event: &Event<'_>) -> bool {
        let is_summary = matches!(&event.kind, EventKind::Summary(summary) if summary.subject == SummarySubject::Plan);
        self.is_known() && !self.is_shown && (is_summary || event.is_in_apply())
    }
}

/// The messages that a run must have if it applies the given plan.
#[derive(Debug, Default)]
pub struct Expected {
    /// The address of each change, with the action in the word of the messages. Those that came are removed.
    changes: HashSet<(String, &'static str)>,
    /// The key of the deposed object that is destroyed at an address. Addresses at which anything else is destroyed are
    /// left out.
    deposed: HashMap<String, String>,
    /// The number of changes of the run that are not in the plan.
    unexpected: usize,
    /// The address of the first change that is not in the plan.
    example: Option<String>,
    /// Whether there was a message of a planned change.
    has_planned: bool,
    /// Whether the messages are not compared with the plan.
    is_unchecked: bool,
}

impl Expected {
    /// Collects the messages that a run of the plan must have.
    pub fn new(plan: &Plan<'_>) -> Self {
        let changes = plan.resource_changes.iter();
        let changes =
            changes.filter_map(|change| Some((change.address.to_string(), word(change)?)));
        Self {
            changes: changes.collect(),
            deposed: deposed(plan),
            ..Self::default()
        }
    }

    /// Returns an expectation that all runs meet.
    pub fn unchecked() -> Self {
        Self {
            is_unchecked: true,
            ..Self::default()
        }
    }

    /// Records a message of a planned change.
    fn add_planned(&mut self, address: &str, action: &str) {
        self.has_planned = true;
        let known = WORDS.iter().find(|word| **word == action);
        if !known.is_some_and(|word| self.changes.remove(&(address.to_owned(), *word)))
            && action != "noop"
        {
            self.unexpected += 1;
            self.example.get_or_insert_with(|| address.to_owned());
        }
    }

    /// Returns how the messages differ from the plan, as a sentence. `None` if they do not differ.
    fn difference(&self) -> Option<String> {
        if self.is_unchecked {
            return None;
        }
        // Moves and imports without other changes have a message when planning, but not when a saved plan is applied.
        let has_message = |word: &str| !matches!(word, "noop" | "move" | "import");
        let missing = || {
            self.changes
                .iter()
                .filter(|(_, word)| has_message(word))
                .map(|(address, _)| address)
        };
        let count = missing().count();
        if count == 0 && (self.unexpected == 0 || !self.has_planned) {
            return None;
        }
        let mut parts = Vec::new();
        if let Some(example) = &self.example {
            parts.push(format!(
                "{} of the run are not in the plan (such as {example})",
                self.unexpected
            ));
        }
        if let Some(example) = missing().min() {
            parts.push(format!(
                "{count} of the plan are not in the run (such as {example})"
            ));
        }
        let parts = parts.join(", ");
        Some(format!(
            "the plan given with --plan is not the one of this run: of the changes, {parts}"
        ))
    }
}

/// Returns the addresses at which a single deposed object is destroyed and nothing else, each with the key of that
/// object.
fn deposed(plan: &Plan<'_>) -> HashMap<String, String> {
    let may_destroy =
        |action: &Action| *action.worst_case() == Action::Delete || action.is_replace();
    let destroyed = || {
        plan.resource_changes
            .iter()
            .filter(|change| may_destroy(&change.change.actions))
    };
    let mut keys: HashMap<String, String> = destroyed()
        .filter(|change| !change.deposed.is_empty())
        .map(|change| (change.address.to_string(), change.deposed.to_string()))
        .collect();
    if !keys.is_empty() {
        for change in destroyed() {
            if keys
                .get(&*change.address)
                .is_some_and(|key| **key != *change.deposed)
            {
                keys.remove(&*change.address);
            }
        }
    }
    keys
}

/// The words of the messages for actions, as `word` returns them.
const WORDS: [&str; 9] = [
    "noop", "create", "read", "update", "replace", "delete", "move", "import", "remove",
];

/// Returns the action of a change in the word of the messages. `None` if the change has no message.
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
        // OpenTofu has no word for the first one, and the word for an unknown action is unknown too.
        Action::ForgetThenCreate | Action::Unknown(_) => "noop",
    })
}
