//! The events of a run.
//!
//! Invariants: [`Event::from_message`] is a pure function of one message. The set of events is closed: a message
//! that cannot be understood is an event too, which is shown by its `@message`. The matches of the state and of
//! the tool's text have no wildcard, so that the compiler names both for a new event.
//!
//! ```text
//! {"@message":"a.b: Creating...","type":"apply_start","hook":{"resource":{"addr":"a.b",…},"action":"create"}}
//!     the event of an operation that begins: a.b, create
//! {"@message":"something new","type":"other"}
//!     an event of text: something new
//! ```

mod message;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::sync::LazyLock;

use foldhash::quality::RandomState;

use super::diagnostics::{DiagnosticGroup, TestName};
use super::moment::Moment;
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str};
use crate::model::diagnostic::{Diagnostic, Validation};
use crate::model::message::{
    ChangeSummary, ListMessage, Message, Output, PlannedChange, PlannedInvocation, PolicyInfo,
    PolicyQuerySummary, TestCleanup, TestFile, TestInterrupt, TestRun,
};
use crate::text::stream::Operation;

/// An event, and the message that it comes from, if any.
#[derive(Debug)]
pub(super) struct Event<'e> {
    pub(super) kind: EventKind<'e>,
    message: Option<&'e Message<'e>>,
}

/// What happened.
#[derive(Debug)]
pub(super) enum EventKind<'e> {
    Version(Version<'e>),
    Log,
    /// The state contains all sensitive values.
    UnsavedState(Raw<'e>),
    Operation(Stage, Target<'e>),
    Provisioner(Step, Provisioner<'e>),
    Action(Step, Invocation<'e>),
    Plan(PlanEvent<'e>),
    Summary(Summary<'e>),
    Outputs(Outputs<'e>),
    /// The code of a text (Terraform).
    InitOutput(&'e str),
    /// OpenTofu's `init` writes such messages.
    Untyped,
    Test(TestEvent<'e>),
    Query(QueryEvent<'e>),
    Policy(PolicyEvent<'e>),
    /// A message of which only the type is known, because the payload is malformed or is not shown.
    Malformed,
    Unknown,
    /// It is shown later, by [`EventKind::Diagnostics`].
    Diagnostic(Raw<'e>, Box<Diagnostic<'e>>),
    Diagnostics(&'e DiagnosticGroup<'e>),
    /// The document of `validate -json`, or why it cannot be read. Its diagnostics were shown before.
    Validation(Result<&'e Validation<'e>, String>),
    Text(TextEvent<'e>),
}

/// The release of the tool and the version of the format, as far as the message has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'e> {
    pub(super) tool: Option<(Tool, &'e str)>,
    pub(super) format: Option<&'e str>,
}

/// A stage of an operation. Those of refreshing and of ephemeral resources have messages of their
/// own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Started,
    Progress,
    Complete,
    /// The diagnostic that follows has the reason.
    Errored,
    RefreshStarted,
    RefreshComplete,
    EphemeralStarted,
    EphemeralComplete,
    /// An ephemeral resource failed. The diagnostic that follows fails the run, this message does not.
    EphemeralErrored,
}

/// A stage of a provisioner or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Started,
    Progress,
    Complete,
    Errored,
}

/// The object of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'e> {
    /// The address of the resource instance.
    pub(super) address: &'e str,
    /// What is done to it.
    pub(super) operation: Operation,
    /// Name and value of the attribute that identifies the object.
    pub(super) id: Option<(&'e str, &'e str)>,
    /// The duration in seconds, as the tool rounded it.
    elapsed: f64,
}

/// A provisioner of a resource instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provisioner<'e> {
    pub(super) address: &'e str,
    pub(super) name: &'e str,
    pub(super) output: &'e str,
}

/// The invocation of an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Invocation<'e> {
    /// The address of the action.
    pub(super) action: &'e str,
    /// The address of the resource instance whose change triggers it, or the command line.
    pub(super) trigger: &'e str,
    /// What the provider says about its progress.
    pub(super) message: &'e str,
    /// Why it failed.
    pub(super) error: &'e str,
}

/// A message about the plan.
#[derive(Debug)]
pub(super) enum PlanEvent<'e> {
    Change(&'e PlannedChange<'e>),
    Drift(&'e PlannedChange<'e>),
    Invocation(PlannedInvocation<'e>),
    /// The text of the plan belongs here, if it is known.
    Text,
    /// The summary came last, and no object changes. If planning failed, that is not known.
    NoChanges {
        summary: &'e str,
        has_output_changes: bool,
        has_failed: bool,
    },
}

/// A summary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary<'e> {
    pub(super) subject: SummarySubject,
    pub(super) changes: &'e ChangeSummary<'e>,
}

/// What a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SummarySubject {
    Plan,
    Apply,
    Unknown,
}

/// The outputs, with their values or planned actions.
#[derive(Debug)]
pub(super) struct Outputs<'e> {
    pub(super) all: Pairs<'e, Output<'e>>,
    /// Messages have only their actions then, not their values.
    pub(super) are_planned: bool,
}

/// `Plan` and `State` are documents of `-verbose`. `Cleanup` is shown after the diagnostics that follow.
#[derive(Clone, Copy, Debug)]
pub(super) enum TestEvent<'e> {
    Abstract(&'e Pairs<'e, Option<Vec<Str<'e>>>>),
    File(&'e TestFile<'e>),
    Run(&'e TestRun<'e>),
    Plan(Raw<'e>),
    State(Raw<'e>),
    Cleanup(&'e TestCleanup<'e>),
    Interrupt(&'e TestInterrupt<'e>),
    Summary { has_passed: bool },
    Retry,
}

/// A message of a query.
#[derive(Clone, Copy, Debug)]
pub(super) enum QueryEvent<'e> {
    Started(&'e ListMessage<'e>),
    Result(&'e ListMessage<'e>),
    Complete(&'e ListMessage<'e>),
}

/// A message about a policy.
#[derive(Debug)]
pub(super) enum PolicyEvent<'e> {
    Info(Box<PolicyInfo<'e>>),
    Result,
    QuerySummary(PolicyQuerySummary<'e>),
}

/// `Shown` is a line with its line feed, or a part of one. `Withheld` may contain sensitive values; `message` is
/// the `@message` in it. `AroundMessages` is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEvent<'t> {
    Shown(&'t str),
    Withheld {
        length: usize,
        message: Option<&'t str>,
        is_error: bool,
    },
    AroundMessages,
    CutOff,
    Archive,
}

/// A phase of a run, in order; each has a fold in CI systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Refresh,
    Plan,
    Apply,
    Result,
}

impl<'e> Event<'e> {
    pub(super) fn new(kind: EventKind<'e>) -> Self {
        Self {
            kind,
            message: None,
        }
    }

    pub(super) fn from_message(message: &'e Message<'e>) -> Self {
        Self {
            kind: EventKind::from_message(message),
            message: Some(message),
        }
    }

    pub(super) fn opaque(message: &'e Message<'e>) -> Self {
        Self {
            kind: EventKind::Unknown,
            message: Some(message),
        }
    }

    pub(super) fn message_type(&self) -> Option<&'e str> {
        self.message.map(|message| &*message.message_type)
    }

    pub(super) fn text(&self) -> Cow<'e, str> {
        self.message.map(Message::text).unwrap_or_default()
    }

    pub(super) fn is_error(&self) -> bool {
        self.message.is_some_and(Message::is_error)
    }

    /// The test that the message belongs to; both names are empty for one that belongs to none.
    pub(super) fn test_name(&self) -> TestName {
        let (file, run) = self.test();
        TestName {
            file: file.to_owned(),
            run: run.to_owned(),
        }
    }

    pub(super) fn moment(&self) -> Option<Moment> {
        self.message
            .and_then(|message| Moment::parse(&message.timestamp))
    }

    pub(super) fn test(&self) -> (&'e str, &'e str) {
        self.message.map_or(("", ""), |message| {
            (&message.test_file_name, &message.test_run_name)
        })
    }

    /// Returns the phases that an event begins.
    pub(super) fn phases(&self) -> &'static [Phase] {
        let kind = &self.kind;
        if let EventKind::Operation(Stage::RefreshStarted, _) = kind {
            &[Phase::Refresh]
        } else if let EventKind::Operation(stage, target) = kind {
            if stage.is_progress() && target.operation.is_change() {
                &[Phase::Apply]
            } else {
                &[]
            }
        } else if let EventKind::Plan(plan) = kind {
            if matches!(plan, PlanEvent::NoChanges { .. }) {
                &[]
            } else {
                &[Phase::Plan]
            }
        } else if let EventKind::Summary(summary) = kind {
            if summary.subject == SummarySubject::Apply {
                &[Phase::Apply, Phase::Result]
            } else {
                &[]
            }
        } else if let EventKind::Outputs(outputs) = kind {
            if outputs.are_planned {
                &[]
            } else {
                &[Phase::Result]
            }
        } else if let EventKind::Provisioner(Step::Started, _)
        | EventKind::Action(Step::Started, _) = kind
        {
            &[Phase::Apply]
        } else {
            &[]
        }
    }

    /// The apply has begun at this event at the latest.
    pub(super) fn is_in_apply(&self) -> bool {
        self.phases().contains(&Phase::Apply)
    }
}

impl Version<'_> {
    pub(super) fn is_foreign(&self) -> bool {
        let major = self
            .format
            .and_then(|format| format.split('.').next()?.parse::<u64>().ok());
        major.is_some_and(|major| major > 1)
    }
}

impl Stage {
    /// An operation of an apply has such a stage before it fails.
    pub(super) fn is_progress(self) -> bool {
        matches!(self, Self::Started | Self::Progress | Self::Complete)
    }
}

impl Target<'_> {
    pub(super) fn key(&self) -> Key {
        Key::new((self.address, self.operation))
    }

    /// Negative and excessive values saturate.
    pub(super) fn seconds(&self) -> u64 {
        self.elapsed.round() as u64
    }

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
    pub(super) fn has_changes(&self) -> bool {
        let ChangeSummary {
            add,
            change,
            import,
            remove,
            forget,
            action_invocation,
            ..
        } = self.changes;
        [add, change, import, remove, forget, action_invocation]
            .iter()
            .any(|count| **count > 0)
    }
}

impl Outputs<'_> {
    pub(super) fn has_changes(&self) -> bool {
        let changes = |output: &Output<'_>| {
            output
                .action
                .as_deref()
                .is_some_and(|action| action != "noop")
        };
        self.all.iter().any(|(_, output)| changes(output))
    }
}

/// A hash with a random seed, so that no input can be crafted whose names collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(names: impl Hash) -> Self {
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(STATE.hash_one(names))
    }
}
