//! The plan of a run, and the one that was given with `--plan`.

use std::collections::{HashMap, HashSet};

use crate::model::message::PlannedChange;
use crate::model::plan::{Plan, ResourceChange};
use crate::model::{Action, ResourceMode};
use crate::stream::event::{Event, EventKind, Summary, SummarySubject};

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
