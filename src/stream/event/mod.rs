//! The events of a run.
//!
//! Invariants: an event is made from one message by a pure function, [`Event::from_message`], or from other
//! input by [`Event::new`]. The set of events is closed: a message that cannot be understood is an event too,
//! which is shown by its `@message`. The matches of the state and of the tool's text have no wildcard, so that
//! the compiler names both for a new event.

mod message;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use super::diagnostics::DiagnosticGroup;
use super::output::Moment;
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str};
use crate::model::diagnostic::{Diagnostic, Validation};
use crate::model::message::{
    ChangeSummary, ListMessage, Message, Output, PlannedChange, PlannedInvocation, PolicyInfo,
    PolicyQuerySummary, PolicyResult, TestCleanup, TestFile, TestInterrupt, TestRun,
};
use crate::text::stream::Operation;

/// An event, with the message that it was made from, if any.
#[derive(Debug)]
pub(super) struct Event<'e> {
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
    /// An operation on a resource instance.
    Operation(Stage, Target<'e>),
    /// A provisioner.
    Provisioner(Step, Provisioner<'e>),
    /// An action.
    Action(Step, Invocation<'e>),
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
    /// A message of which only the type is known, because its payload is malformed or is not shown.
    Malformed,
    /// A message of another type.
    Unknown,
    /// A diagnostic arrived, with its JSON. It is shown later, by [`EventKind::Diagnostics`].
    Diagnostic(Raw<'e>, Box<Diagnostic<'e>>),
    /// Diagnostics to be shown.
    Diagnostics(&'e DiagnosticGroup<'e>),
    /// The document of `validate -json`, or why it cannot be read. Its diagnostics were shown before.
    Validation(Result<&'e Validation<'e>, String>),
    /// Text that is not a message.
    Text(TextEvent<'e>),
}

/// The tool and the format of its messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'e> {
    /// The tool and its release.
    pub(super) tool: Option<(Tool, &'e str)>,
    /// The version of the format.
    pub(super) format: Option<&'e str>,
}

/// What happened in an operation on a resource instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Started,
    Progress,
    Complete,
    /// It failed. The diagnostic that follows has the reason.
    Errored,
    RefreshStarted,
    RefreshComplete,
    /// An operation on an ephemeral resource started (OpenTofu).
    EphemeralStarted,
    /// An operation on an ephemeral resource ended (OpenTofu).
    EphemeralComplete,
    /// An operation on an ephemeral resource failed. Only the diagnostic that follows fails the run.
    EphemeralErrored,
}

/// The progress of a provisioner or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Started,
    /// It printed something.
    Progress,
    Complete,
    Errored,
}

/// The resource instance of an operation, and its progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'e> {
    pub(super) address: &'e str,
    pub(super) operation: Operation,
    /// The name and value of the attribute that identifies the object.
    pub(super) id: Option<(&'e str, &'e str)>,
    /// The duration so far, in seconds, as the tool rounded it.
    elapsed: f64,
}

/// A provisioner of a resource instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provisioner<'e> {
    pub(super) address: &'e str,
    /// The type of the provisioner.
    pub(super) name: &'e str,
    pub(super) output: &'e str,
}

/// The invocation of an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Invocation<'e> {
    /// The address of the action.
    pub(super) action: &'e str,
    /// The trigger: the address of the resource instance whose change triggers it, or the command line.
    pub(super) trigger: &'e str,
    /// The text about its progress.
    pub(super) message: &'e str,
    /// The text about its failure.
    pub(super) error: &'e str,
}

/// A part of the plan.
#[derive(Debug)]
pub(super) enum PlanEvent<'e> {
    Change(&'e PlannedChange<'e>),
    /// A change outside of the tool.
    Drift(&'e PlannedChange<'e>),
    /// The planned invocation of an action.
    Invocation(PlannedInvocation<'e>),
    /// The text of the plan belongs here, if the plan is known.
    Text,
    /// The plan with this summary, which came last, has no changes of objects.
    NoChanges {
        summary: &'e str,
        has_output_changes: bool,
    },
}

/// The tool's summary of a plan or an apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary<'e> {
    pub(super) subject: SummarySubject,
    pub(super) changes: &'e ChangeSummary<'e>,
}

/// The operation that a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SummarySubject {
    Plan,
    /// An apply or a destroy.
    Apply,
    /// An operation that neither tool has so far.
    Unknown,
}

/// Outputs, either planned or with their values.
#[derive(Debug)]
pub(super) struct Outputs<'e> {
    pub(super) all: Pairs<'e, Output<'e>>,
    /// Whether they are planned. Messages have only their actions then, not their values.
    pub(super) are_planned: bool,
}

/// A message of `test`.
#[derive(Clone, Copy, Debug)]
pub(super) enum TestEvent<'e> {
    /// The files that are about to be run, with the names of their runs.
    Abstract(&'e Pairs<'e, Option<Vec<Str<'e>>>>),
    /// The progress or result of a file.
    File(&'e TestFile<'e>),
    /// The progress or result of a run.
    Run(&'e TestRun<'e>),
    /// A plan document, with `-verbose`.
    Plan(Raw<'e>),
    /// A state document, with `-verbose`.
    State(Raw<'e>),
    /// Objects were left behind. They are shown after the diagnostics that follow.
    Cleanup(&'e TestCleanup<'e>),
    /// The tests were interrupted.
    Interrupt(&'e TestInterrupt<'e>),
    /// All tests have ended.
    Summary { has_passed: bool },
    /// A run is tried again.
    Retry,
}

/// A message of `query`.
#[derive(Clone, Copy, Debug)]
pub(super) enum QueryEvent<'e> {
    /// A list block begins.
    Started(&'e ListMessage<'e>),
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

/// Text that is not a message, or what is to be noted about such text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEvent<'t> {
    /// A line with its line feed, or a part of one, to be shown unchanged.
    Shown(&'t str),
    /// Text that is not shown, because it may contain sensitive values. `message` is the `@message` in it.
    Withheld { length: usize, message: Option<&'t str>, is_error: bool },
    /// There is other text around messages on their lines. Reported once.
    AroundMessages,
    /// The input ends within a line.
    CutOff,
    /// The input is an archive, such as a saved plan.
    Archive,
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

    /// The phases that begin with this event, unless they have already begun.
    pub(super) fn phases(&self) -> &'static [Phase] {
        let kind = &self.kind;
        if let EventKind::Operation(Stage::RefreshStarted, _) = kind {
            &[Phase::Refresh]
        } else if let EventKind::Operation(stage, target) = kind {
            if stage.is_progress() && target.operation.is_change() { &[Phase::Apply] } else { &[] }
        } else if let EventKind::Plan(plan) = kind {
            if matches!(plan, PlanEvent::NoChanges { .. }) { &[] } else { &[Phase::Plan] }
        } else if let EventKind::Summary(summary) = kind {
            if summary.subject == SummarySubject::Apply { &[Phase::Apply, Phase::Result] } else { &[] }
        } else if let EventKind::Outputs(outputs) = kind {
            if outputs.are_planned { &[] } else { &[Phase::Result] }
        } else if let EventKind::Provisioner(Step::Started, _) | EventKind::Action(Step::Started, _) = kind {
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

impl Version<'_> {
    /// Whether the format is newer than those that are known.
    pub(super) fn is_foreign(&self) -> bool {
        let major = self.format.and_then(|format| format.split('.').next()?.parse::<u64>().ok());
        major.is_some_and(|major| major > 1)
    }
}

impl Stage {
    /// Whether it is one of the stages that an operation of an apply has before it fails.
    pub(super) fn is_progress(self) -> bool {
        matches!(self, Self::Started | Self::Progress | Self::Complete)
    }
}

impl Target<'_> {
    pub(super) fn key(&self) -> Key {
        Key::new((self.address, self.operation))
    }

    /// The duration so far, in seconds. Negative and excessive values saturate.
    pub(super) fn seconds(&self) -> u64 {
        self.elapsed.round() as u64
    }

    /// The duration so far, in milliseconds. Negative and excessive values saturate.
    pub(super) fn millis(&self) -> u64 {
        (self.elapsed * 1000.0) as u64
    }
}

impl Provisioner<'_> {
    pub(super) fn key(&self) -> Key {
        Key::new((self.address, self.name))
    }
}

impl Invocation<'_> {
    pub(super) fn key(&self) -> Key {
        Key::new((self.action, self.trigger))
    }
}

impl Summary<'_> {
    /// Whether there are objects to change or actions to invoke.
    pub(super) fn has_changes(&self) -> bool {
        let ChangeSummary { add, change, import, remove, forget, action_invocation, .. } = self.changes;
        [add, change, import, remove, forget, action_invocation].iter().any(|count| **count > 0)
    }
}

impl Outputs<'_> {
    /// Whether a planned output changes.
    pub(super) fn has_changes(&self) -> bool {
        let changes = |output: &Output<'_>| output.action.as_deref().is_some_and(|action| action != "noop");
        self.all.iter().any(|(_, output)| changes(output))
    }
}

/// Identifies an operation, a planned change, or something else that has one name or two.
///
/// Keys are hashes with a random seed, so that no input can be crafted whose names collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(names: impl Hash) -> Self {
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(STATE.hash_one(names))
    }
}
