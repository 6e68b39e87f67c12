//! Detects refusals at the beginning of a run, after which the run is repeated in another way: a variable
//! has no value, for which the tool asks only without `-json`, or the backend cannot save a plan.
//! Diagnostics are withheld until the tool begins to work.
//!
//! Invariants: all other messages are shown immediately, so that the user sees what the tool is waiting for.
//! Only the summary of the first diagnostic is a refusal, because other texts may come from anywhere.

use std::borrow::Cow;

use serde::Deserialize;

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Refusal {
    /// A required variable has no value.
    Variable,
    /// The backend cannot save a plan to a file.
    SavedPlan,
}

/// The summaries of both tools for these.
const VARIABLE: &str = "No value for required variable";
const SAVED_PLAN: &str = "Saving a generated plan is currently not supported";

/// The members of a message that are read here.
#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Cow<'m, str>,
    diagnostic: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    summary: String,
}

/// The withheld lines.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// Those that may be a part of a refusal.
    kept: Vec<u8>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    /// Whether the tool has begun to work.
    released: bool,
}

impl Withheld {
    /// Adds messages and returns those that can be shown.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let lines = [&*std::mem::take(&mut self.begun), bytes].concat();
        let mut shown = Vec::new();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            if self.released {
                shown.extend_from_slice(line);
                continue;
            }
            if !line.ends_with(b"\n") {
                self.begun = line.to_vec();
                break;
            }
            let message = serde_json::from_slice::<Message<'_>>(line);
            match message.as_ref().map_or("diagnostic", |message| &message.kind) {
                "diagnostic" => self.kept.extend_from_slice(line),
                // These precede the work, such as the wait for a lock.
                "" | "version" | "log" | "state_lock_acquire" | "state_lock_release" => {
                    shown.extend_from_slice(line);
                }
                _ => {
                    self.released = true;
                    shown.append(&mut self.kept);
                    shown.extend_from_slice(line);
                }
            }
        }
        shown
    }

    /// The reason of the refusal, if the tool did nothing else. `can_ask` is whether somebody could answer if the tool
    /// asked for variables.
    pub(super) fn refusal(&self, can_ask: bool) -> Option<Refusal> {
        let mut lines = self.kept.split(|byte| *byte == b'\n');
        let first = lines.find(|line| line.trim_ascii_start().starts_with(b"{"))?;
        match &*serde_json::from_slice::<Message<'_>>(first).ok()?.diagnostic?.summary {
            SAVED_PLAN => Some(Refusal::SavedPlan),
            VARIABLE if can_ask => Some(Refusal::Variable),
            _ => None,
        }
    }

    /// The messages that have not been returned.
    pub(super) fn into_rest(self) -> Vec<u8> {
        [self.kept, self.begun].concat()
    }
}

#[cfg(test)]
mod tests;
