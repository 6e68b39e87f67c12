//! The events of a run.
//!
//! Invariants: an event is made from one message by a pure function, [`Event::from_message`], or from other
//! input by [`Event::new`]. The set of events is closed: a message that cannot be understood is an event too,
//! which is shown by its `@message`. The matches of the state and of the tool's text have no wildcard, so that
//! the compiler names both for a new event.

mod message;
mod operation;
mod plan;
mod test;
mod text;

use std::borrow::Cow;

use crate::dialect::Tool;
use crate::json::Raw;
use crate::model::diagnostic::{Diagnostic, Validation};
use crate::model::message::{ListMessage, Message, PolicyInfo, PolicyQuerySummary, PolicyResult};

use super::diagnostics::DiagnosticGroup;
use super::time::Moment;

pub(super) use operation::{Invocation, Provisioner, Stage, Step, Target};
pub(super) use plan::{Outputs, PlanEvent, Summary, SummarySubject};
pub(super) use test::{Leftovers, TestEvent, TestName, leftover_names};
pub(super) use text::{LongLineKind, TextEvent};

/// An event, with the message that it was made from, if any.
#[derive(Debug)]
pub(super) struct Event<'e> {
    /// The event itself.
    pub(super) kind: EventKind<'e>,
    message: Option<&'e Message<'e>>,
}

/// The kind of an event, with its data.
#[derive(Debug)]
pub(super) enum EventKind<'e> {
    /// The tool and its versions.
    Version(Version<'e>),
    /// A line of the tool's log.
    Log,
    /// A state that the tool could not save. It contains all sensitive values.
    UnsavedState(Raw<'e>),
    /// An operation on a resource instance; `None` if the payload is malformed.
    Operation(Stage, Option<Target<'e>>),
    /// A provisioner; `None` if the payload is malformed.
    Provisioner(Step, Option<Provisioner<'e>>),
    /// An action; `None` if the payload is malformed.
    Action(Step, Option<Invocation<'e>>),
    /// A part of the plan.
    Plan(PlanEvent<'e>),
    /// The tool's summary of a plan or an apply.
    Summary(Summary<'e>),
    /// Outputs.
    Outputs(Outputs<'e>),
    /// A message of `init` with this code for its text (Terraform).
    InitOutput(&'e str),
    /// A message without a type, such as those of `init` (OpenTofu).
    Untyped,
    /// A message of `test`.
    Test(TestEvent<'e>),
    /// A message of `query`.
    Query(QueryEvent<'e>),
    /// A message about policies.
    Policy(PolicyEvent<'e>),
    /// A state migration failed.
    MigrationErrored,
    /// A message of a known type with a malformed payload.
    Malformed,
    /// A message of another type.
    Unknown,
    /// A diagnostic arrived. It is shown later, by [`EventKind::Diagnostics`].
    Diagnostic(Box<DiagnosticMessage<'e>>),
    /// Diagnostics to be shown.
    Diagnostics(&'e DiagnosticGroup<'e>),
    /// The document of `validate -json`, or why it cannot be read. Its diagnostics were shown before.
    Validation(Result<&'e Validation<'e>, String>),
    /// Text that is not a message.
    Text(TextEvent<'e>),
    /// A phase of the run begins.
    Phase(Phase),
    /// The input pauses, so pending output should be shown.
    Tick {
        /// The time since the start of the display.
        elapsed: std::time::Duration,
    },
}

/// The tool and the format of its messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'e> {
    /// The tool and its release.
    pub(super) tool: Option<(Tool, &'e str)>,
    /// The version of the format.
    pub(super) format: Option<&'e str>,
}

impl Version<'_> {
    /// Whether the format is newer than those that are known.
    pub(super) fn is_foreign(&self) -> bool {
        let major = self.format.and_then(|format| format.split('.').next()?.parse::<u64>().ok());
        major.is_some_and(|major| major > 1)
    }
}

/// A message of `query`.
#[derive(Clone, Copy, Debug)]
pub(super) enum QueryEvent<'e> {
    /// A list block begins; `None` if the payload is malformed.
    Started(Option<&'e ListMessage<'e>>),
    /// A result.
    Result(&'e ListMessage<'e>),
    /// A list block ends.
    Complete(&'e ListMessage<'e>),
}

/// A message about policies.
#[derive(Debug)]
pub(super) enum PolicyEvent<'e> {
    /// A message from a policy.
    Info(Box<PolicyInfo<'e>>),
    /// The result of a policy for a resource.
    Result(PolicyResult<'e>),
    /// The results of policies for a list block.
    QuerySummary(PolicyQuerySummary<'e>),
}

/// A diagnostic, unchanged and parsed.
#[derive(Debug)]
pub(super) struct DiagnosticMessage<'e> {
    /// The JSON.
    pub(super) json: Raw<'e>,
    /// The parsed diagnostic.
    pub(super) diagnostic: Diagnostic<'e>,
}

/// A phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Refreshing the state.
    Refresh,
    /// The text of the plan.
    Plan,
    /// Applying changes.
    Apply,
    /// The summary and the outputs.
    Result,
}

impl<'e> Event<'e> {
    /// An event without a message.
    pub(super) fn new(kind: EventKind<'e>) -> Self {
        Self { kind, message: None }
    }

    /// The event of a message.
    pub(super) fn from_message(message: &'e Message<'e>) -> Self {
        Self { kind: EventKind::from_message(message), message: Some(message) }
    }

    /// The event of a message that is shown by its `@message` alone.
    pub(super) fn opaque(message: &'e Message<'e>) -> Self {
        Self { kind: EventKind::Unknown, message: Some(message) }
    }

    /// The type of the message; `None` if there is no message.
    pub(super) fn message_type(&self) -> Option<&'e str> {
        self.message.map(|message| &*message.message_type)
    }

    /// The `@message`; empty if there is no message.
    pub(super) fn text(&self) -> Cow<'e, str> {
        self.message.map(Message::text).unwrap_or_default()
    }

    /// Whether the message is about an error, by its level.
    pub(super) fn is_error(&self) -> bool {
        self.message.is_some_and(Message::is_error)
    }

    /// The time of the message.
    pub(super) fn moment(&self) -> Option<Moment> {
        self.message.and_then(|message| Moment::parse(&message.timestamp))
    }

    /// The file and run of the test that the message belongs to; empty if there is none.
    pub(super) fn test(&self) -> (&'e str, &'e str) {
        self.message.map_or(("", ""), |message| (&message.test_file_name, &message.test_run_name))
    }

    /// Whether it has outputs that change.
    pub(super) fn has_output_changes(&self) -> bool {
        if let EventKind::Outputs(outputs) = &self.kind { outputs.has_changes() } else { false }
    }

    /// The phases that begin with this event, unless they have already begun.
    pub(super) fn phases(&self) -> &'static [Phase] {
        let kind = &self.kind;
        if matches!(kind, EventKind::Operation(Stage::RefreshStarted, _)) {
            &[Phase::Refresh]
        } else if let EventKind::Operation(stage, Some(target)) = kind {
            if stage.is_progress() && target.operation.is_change() { &[Phase::Apply] } else { &[] }
        } else if let EventKind::Plan(plan) = kind {
            if plan.is_listed() { &[Phase::Plan] } else { &[] }
        } else if let EventKind::Summary(summary) = kind {
            if summary.subject == SummarySubject::Apply { &[Phase::Apply, Phase::Result] } else { &[] }
        } else if let EventKind::Outputs(outputs) = kind {
            if outputs.are_planned { &[] } else { &[Phase::Result] }
        } else if let EventKind::Provisioner(Step::Started, Some(_)) | EventKind::Action(Step::Started, _) =
            kind
        {
            &[Phase::Apply]
        } else {
            &[]
        }
    }

    /// Whether the apply has begun at this event at the latest.
    pub(super) fn is_in_apply(&self) -> bool {
        self.phases().contains(&Phase::Apply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_its_payload_is_an_event_too() {
        let types = [
            ("change_summary", "Malformed"),
            ("outputs", "Malformed"),
            ("test_file", "Malformed"),
            ("test_plan", "Malformed"),
            ("test_summary", "Unknown"),
            ("list_complete", "Malformed"),
            ("policy_info", "Malformed"),
            ("diagnostic", "Unknown"),
            ("policy_diagnostic", "Unknown"),
            ("apply_start", "Operation(Started, None)"),
            ("apply_errored", "Operation(Errored, None)"),
            ("refresh_start", "Operation(RefreshStarted, None)"),
            ("ephemeral_action_started", "Operation(EphemeralStarted, None)"),
            ("provision_progress", "Provisioner(Progress, None)"),
            ("action_errored", "Action(Errored, None)"),
            ("planned_change", "Plan(Change(None))"),
            ("planned_action_invocation", "Plan(Invocation(None))"),
            ("list_start", "Query(Started(None))"),
            ("log", "Log"),
            ("", "Untyped"),
            ("a_type_of_the_future", "Unknown"),
        ];
        for (message_type, expected) in types {
            let line = format!("{{\"@message\":\"m\",\"type\":\"{message_type}\"}}");
            let message = Message::parse(&line).unwrap();
            let event = Event::from_message(&message);
            assert_eq!((format!("{:?}", event.kind).as_str(), &*event.text()), (expected, "m"));
        }
    }

    #[test]
    fn the_apply_begins_with_the_first_change_and_not_with_a_read() {
        for (hook, expected) in [
            (r#"{"resource":{"addr":"a"},"action":"create"}"#, &[Phase::Apply][..]),
            (r#"{"resource":{"addr":"a"},"action":"remove"}"#, &[Phase::Apply]),
            (r#"{"resource":{"addr":"a"},"action":"read"}"#, &[]),
            (r#"{"resource":{"addr":"a"},"action":"open"}"#, &[]),
            (r#"{"resource":{"addr":"a"},"action":"unheard-of"}"#, &[]),
        ] {
            let line = format!("{{\"@message\":\"m\",\"type\":\"apply_start\",\"hook\":{hook}}}");
            let message = Message::parse(&line).unwrap();
            assert_eq!(Event::from_message(&message).phases(), expected, "{hook}");
        }
    }
}
