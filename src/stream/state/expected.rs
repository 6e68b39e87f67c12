//! The changes of a plan, for comparison with those that a run reports as planned.

use std::collections::{HashMap, HashSet};

use crate::model::plan::{Plan, ResourceChange};
use crate::model::{Action, ResourceMode};

/// The changes of a plan, with the words of the stream for their actions.
#[derive(Debug, Default)]
pub struct Expected {
    changes: HashSet<(String, &'static str)>,
    /// The key of the deposed object that is destroyed at an address, if nothing else is destroyed there.
    deposed: HashMap<String, String>,
    unexpected: usize,
    example: Option<String>,
    /// Whether the run has planned a change.
    has_planned: bool,
    is_unchecked: bool,
}

impl Expected {
    /// The changes of `plan`.
    pub fn new(plan: &Plan<'_>) -> Self {
        let changes = plan
            .resource_changes
            .iter()
            .filter_map(|change| Some((change.address.to_string(), word(change)?)))
            .collect();
        Self { changes, deposed: deposed(plan), ..Self::default() }
    }

    /// The key of the deposed object whose destruction the plan names at an address. Messages do not name it.
    pub(super) fn deposed(&self, address: &str) -> Option<&str> {
        self.deposed.get(address).map(|key| &**key)
    }

    /// No expectations, because the plan was made by the run itself.
    pub fn unchecked() -> Self {
        Self { is_unchecked: true, ..Self::default() }
    }

    /// Adds a change that the run has planned.
    pub(super) fn add_planned(&mut self, address: &str, action: &str) {
        self.has_planned = true;
        let known = WORDS.iter().find(|word| **word == action);
        if !known.is_some_and(|word| self.changes.remove(&(address.to_owned(), *word))) && action != "noop" {
            self.unexpected += 1;
            self.example.get_or_insert_with(|| address.to_owned());
        }
    }

    /// A description of the difference, if there is one.
    pub(super) fn difference(&self) -> Option<String> {
        if self.is_unchecked {
            return None;
        }
        // Moves and imports without other changes have a message when planning, but not when a saved plan is
        // applied.
        let has_message = |word: &str| !matches!(word, "noop" | "move" | "import");
        let mut missing: Vec<&str> = self
            .changes
            .iter()
            .filter(|(_, word)| has_message(word))
            .map(|(address, _)| &**address)
            .collect();
        missing.sort_unstable();
        if (missing.is_empty() && self.unexpected == 0) || (!self.has_planned && missing.is_empty()) {
            return None;
        }
        let mut parts = Vec::new();
        if let Some(example) = &self.example {
            parts.push(format!("{} of the run are not in the plan (such as {example})", self.unexpected));
        }
        if let Some(example) = missing.first() {
            parts.push(format!("{} of the plan are not in the run (such as {example})", missing.len()));
        }
        Some(format!(
            "the plan given with --plan is not the one of this run: of the changes, {}",
            parts.join(", ")
        ))
    }
}

fn deposed(plan: &Plan<'_>) -> HashMap<String, String> {
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

fn may_destroy(action: &Action) -> bool {
    *action.worst_case() == Action::Delete || action.is_replace()
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
