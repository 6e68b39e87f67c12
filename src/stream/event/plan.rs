//! Planned changes, summaries and outputs.

use crate::json::Pairs;
use crate::model::message::{ChangeSummary, Message, Output, PlannedChange, PlannedInvocation};

/// A part of the plan. Without a payload, the payload is malformed.
#[derive(Debug)]
pub(in crate::stream) enum PlanEvent<'e> {
    /// A planned change.
    Change(Option<&'e PlannedChange<'e>>),
    /// A change outside of the tool.
    Drift(Option<&'e PlannedChange<'e>>),
    /// The planned invocation of an action.
    Invocation(Option<PlannedInvocation<'e>>),
    /// The text of the plan belongs here, if the plan is known.
    Text,
    /// The plan that was summarised last has no changes.
    NoChanges {
        /// The text of the summary.
        summary: &'e str,
        /// Whether outputs change.
        has_output_changes: bool,
    },
}

impl PlanEvent<'_> {
    /// Whether it is a line of the list of changes.
    pub(super) fn is_listed(&self) -> bool {
        match self {
            Self::Change(_) | Self::Drift(_) | Self::Invocation(_) => true,
            Self::Text | Self::NoChanges { .. } => false,
        }
    }
}

/// The change of a message, if it names a resource.
pub(super) fn planned_change<'e>(message: &'e Message<'_>) -> Option<&'e PlannedChange<'e>> {
    message.change.as_deref().filter(|change| !change.resource.addr.is_empty())
}

/// The tool's summary of a plan or an apply.
#[derive(Clone, Copy, Debug)]
pub(in crate::stream) struct Summary<'e> {
    /// The operation that the summary is about.
    pub(in crate::stream) subject: SummarySubject,
    /// The counts.
    pub(in crate::stream) changes: &'e ChangeSummary<'e>,
}

impl<'e> Summary<'e> {
    pub(super) fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let changes = message.changes.as_deref()?;
        let subject = match &*changes.operation {
            "plan" => SummarySubject::Plan,
            "apply" | "destroy" => SummarySubject::Apply,
            _ => SummarySubject::Unknown,
        };
        Some(Self { subject, changes })
    }

    /// Whether there are objects to change or actions to invoke.
    pub(in crate::stream) fn has_changes(&self) -> bool {
        let ChangeSummary { add, change, import, remove, forget, action_invocation, .. } = self.changes;
        [add, change, import, remove, forget, action_invocation].iter().any(|count| **count > 0)
    }
}

/// The operation that a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum SummarySubject {
    /// A plan.
    Plan,
    /// An apply or a destroy.
    Apply,
    /// An operation that neither tool has so far.
    Unknown,
}

/// Outputs, either planned or with their values.
#[derive(Debug)]
pub(in crate::stream) struct Outputs<'e> {
    /// The outputs by name.
    pub(in crate::stream) all: Pairs<'e, Output<'e>>,
    /// Whether they are planned. Messages have only their actions then, not their values.
    pub(in crate::stream) are_planned: bool,
}

impl<'e> Outputs<'e> {
    pub(super) fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let all = message.outputs?.read::<Pairs<'e, Output<'e>>>().ok()?;
        let are_planned = all.iter().any(|(_, output)| output.action.is_some());
        Some(Self { all, are_planned })
    }

    /// Whether a planned output changes.
    pub(in crate::stream) fn has_changes(&self) -> bool {
        let changes = |output: &Output<'_>| output.action.as_deref().is_some_and(|action| action != "noop");
        self.all.iter().any(|(_, output)| changes(output))
    }
}
