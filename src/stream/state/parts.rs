//! The parts of a run, which determine whether its messages are complete; its outcome; and its plan.
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
    pub(super) fn begin(&mut self) {
        if *self == Self::Pending {
            *self = Self::Open;
        }
    }
}

/// Which parts of a run have begun and ended.
#[derive(Debug, Default)]
pub(in crate::stream) struct Parts {
    /// Whether there was a message at all.
    pub(in crate::stream) has_messages: bool,
    /// The plan.
    pub(super) plan: Part,
    /// The apply.
    apply: Part,
    /// The `init`.
    pub(super) init: Part,
    /// What is being refreshed.
    refreshing: HashSet<Key>,
    /// How many objects were refreshed.
    refreshed: usize,
    /// The provisioners and actions that have begun and not ended.
    pub(super) steps: HashSet<Key>,
    /// There has been no message of an operation since the last `version` message.
    pub(super) only_version: bool,
    /// The messages have a format that is newer than this program.
    pub(in crate::stream) is_foreign: bool,
    /// The number of runs whose messages alternate without a label, and of their parts that have ended.
    runs: usize,
    /// Plans that have ended.
    plans_ended: usize,
    /// Applies that have ended.
    applies_ended: usize,
    /// Tests that have ended.
    tests_ended: usize,
    /// Whether a message or document of the run was cut off.
    pub(in crate::stream) is_cut_off: bool,
}

impl Parts {
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

    /// The run begins unless a part of an earlier one is open; returns whether it did.
    pub(super) fn begin_run(&mut self, running: bool) -> bool {
        // The messages of concurrent runs may be interleaved, so only a complete run is discarded. One that has not done
        // anything yet is not complete either.
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

    /// Of several runs, the last one ends the plan; returns whether it did.
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

    /// The summary that was to end a part cannot be read.
    pub(super) fn reopen(&mut self) {
        match self.plan {
            Part::Closed => self.apply = Part::Open,
            Part::Pending | Part::Open => self.plan = Part::Open,
        }
    }

    /// Like [`Self::end_plan`].
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

    pub(in crate::stream) fn refreshes(&self) -> (usize, usize) {
        (self.refreshed, self.refreshing.len())
    }

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
    NothingBegan,
    /// The format is unknown, so the end cannot be recognised.
    Foreign,
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

/// Why there is no more input of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was read to its end.
    Closed,
    /// The user stopped the run.
    Interrupted,
    /// Reading it failed.
    Unreadable,
}

impl State {
    /// Decides the outcome of a run whose input has ended. The exit status follows from it alone.
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

/// The plan that belongs to a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct PlanState {
    /// What the plan at hand leads one to expect of the messages.
    pub(super) expected: Option<Expected>,
    /// Whether its text was shown.
    pub(super) is_shown: bool,
    /// Why the plan at hand is not that of the run.
    pub(in crate::stream) mismatch: Option<String>,
    /// There is a change that is not listed, or an action.
    pub(super) has_effect: bool,
    /// The display of this summary depends on the outputs that may follow.
    pub(in crate::stream) no_changes: Option<String>,
}

impl PlanState {
    /// Messages do not name the key of a deposed object, but the plan does.
    pub(in crate::stream) fn deposed(&self, address: &str) -> Option<&str> {
        self.expected
            .as_ref()?
            .deposed
            .get(address)
            .map(|key| &**key)
    }

    pub(super) fn add_change(&mut self, change: &PlannedChange<'_>) {
        self.has_effect |= &*change.action != "noop";
        if let Some(expected) = &mut self.expected {
            expected.add_planned(&change.resource.addr, &change.action);
        }
    }

    pub(super) fn set_shown(&mut self) {
        self.is_shown = true;
        self.mismatch = self.expected.as_ref().and_then(Expected::difference);
    }

    pub(super) fn summarize(&mut self, summary: &Summary<'_>, event: &Event<'_>) {
        let has_effect = std::mem::take(&mut self.has_effect) || summary.has_changes();
        if !self.is_known() && !has_effect {
            self.no_changes = Some(event.text().into_owned());
        }
    }

    pub(in crate::stream) fn is_known(&self) -> bool {
        self.expected.is_some()
    }

    pub(in crate::stream) fn is_due(&self, event: &Event<'_>) -> bool {
        let is_summary = matches!(&event.kind, EventKind::Summary(summary) if summary.subject == SummarySubject::Plan);
        self.is_known() && !self.is_shown && (is_summary || event.is_in_apply())
    }
}

/// What the messages of a run must say if it applies the plan at hand.
#[derive(Debug, Default)]
pub struct Expected {
    /// Addresses, and the word of the stream for the action.
    changes: HashSet<(String, &'static str)>,
    /// The key of the only deposed object that is destroyed at an address; nothing else is
    /// destroyed there.
    deposed: HashMap<String, String>,
    /// The changes of the run that are not in the plan, and the address of the first.
    unexpected: usize,
    /// The address of the first change that is not in the plan.
    example: Option<String>,
    /// Whether there was a message of a planned change.
    has_planned: bool,
    /// The messages are not compared with the plan.
    is_unchecked: bool,
}

impl Expected {
    /// Collects what the run of a plan must say.
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

    /// Makes an expectation with which every run agrees.
    pub fn unchecked() -> Self {
        Self {
            is_unchecked: true,
            ..Self::default()
        }
    }

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

    /// Returns how the messages differ from the plan, as part of a sentence. `None` if they do not.
    fn difference(&self) -> Option<String> {
        if self.is_unchecked {
            return None;
        }
        // Moves and imports without other changes have a message when planning, but not when a saved plan is
        // applied.
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

/// Finds the addresses at which a single deposed object is destroyed and nothing else, with its
/// key.
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

const WORDS: [&str; 9] = [
    "noop", "create", "read", "update", "replace", "delete", "move", "import", "remove",
];

/// Returns the word of the messages for the action. `None` if the action has no message.
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
