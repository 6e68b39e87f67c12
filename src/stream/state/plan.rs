//! The plan of a run.

use super::Expected;
use crate::model::message::PlannedChange;
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
    /// The key of the deposed object whose destruction the plan names at an address.
    pub(in crate::stream) fn deposed(&self, address: &str) -> Option<&str> {
        self.expected.as_ref()?.deposed(address)
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

/// The number of operations for a planned change. A replacement takes two.
pub(in crate::stream) fn steps(action: &str) -> usize {
    match action {
        "create" | "update" | "delete" => 1,
        "replace" => 2,
        _ => 0,
    }
}
