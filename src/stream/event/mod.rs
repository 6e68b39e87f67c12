//! The events of a run: what each message means for the state of the run and for its output.
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

/// An event, with the message that it was created from, if any.
#[derive(Debug)]
pub(super) struct Event<'e> {
    pub(super) kind: EventKind<'e>,
    message: Option<&'e Message<'e>>,
}

/// The kinds of events.
#[derive(Debug)]
pub(super) enum EventKind<'e> {
    Version(Version<'e>),
    Log,
    /// The state that the tool could not save, as JSON. It contains all sensitive values.
    UnsavedState(Raw<'e>),
    Operation(Stage, Target<'e>),
    Provisioner(Step, Provisioner<'e>),
    Action(Step, Invocation<'e>),
    Plan(PlanEvent<'e>),
    Summary(Summary<'e>),
    Outputs(Outputs<'e>),
    /// An output of Terraform's `init`, with the code of its text.
    InitOutput(&'e str),
    /// A message without a type, as OpenTofu's `init` writes them.
    Untyped,
    Test(TestEvent<'e>),
    Query(QueryEvent<'e>),
    Policy(PolicyEvent<'e>),
    /// A message with a known type whose payload is malformed or not shown. It is shown by its `@message`.
    Malformed,
    /// A message with an unknown type.
    Unknown,
    /// A diagnostic, with its JSON. It is held back, and shown later by [`EventKind::Diagnostics`].
    Diagnostic(Raw<'e>, Box<Diagnostic<'e>>),
    /// Consecutive diagnostics, which are due to be shown.
    Diagnostics(&'e DiagnosticGroup<'e>),
    /// The document of `validate -json`, or the reason why it cannot be read. Its diagnostics are events before this
    /// one.
    Validation(Result<&'e Validation<'e>, String>),
    Text(TextEvent<'e>),
}

/// The release of the tool and the version of the message format, as far as the message contains them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'e> {
    pub(super) tool: Option<(Tool, &'e str)>,
    pub(super) format: Option<&'e str>,
}

/// A stage of an operation. Refreshing and ephemeral resources have their own stages, because they have their own
/// messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Started,
    Progress,
    Complete,
    /// The operation failed. The diagnostic that follows has the reason.
    Errored,
    RefreshStarted,
    RefreshComplete,
    EphemeralStarted,
    EphemeralComplete,
    /// An operation on an ephemeral resource failed. This message does not fail the run; the diagnostic that follows
    /// does.
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

/// The object of an operation, and what is done to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'e> {
    /// The address of the resource instance.
    pub(super) address: &'e str,
    /// The operation on the object.
    pub(super) operation: Operation,
    /// The name and value of the attribute that identifies the object.
    pub(super) id: Option<(&'e str, &'e str)>,
    /// The duration in seconds, as the tool rounded it.
    elapsed: f64,
}

/// A provisioner of a resource instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Provisioner<'e> {
    pub(super) address: &'e str,
    /// The name of the provisioner, such as `local-exec`.
    pub(super) name: &'e str,
    /// A line that the provisioner wrote.
    pub(super) output: &'e str,
}

/// The invocation of an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Invocation<'e> {
    /// The address of the action.
    pub(super) action: &'e str,
    /// The address of the resource instance whose change triggers the action, or `CLI` for the command line.
    pub(super) trigger: &'e str,
    /// The provider's message about the progress.
    pub(super) message: &'e str,
    /// The reason for a failure.
    pub(super) error: &'e str,
}

/// An event about the plan.
#[derive(Debug)]
pub(super) enum PlanEvent<'e> {
    Change(&'e PlannedChange<'e>),
    Drift(&'e PlannedChange<'e>),
    Invocation(PlannedInvocation<'e>),
    /// The position where the text of the plan belongs, if the plan is known.
    Text,
    /// The end of a plan in which no object changes. The summary is the last message about it. If planning failed, it
    /// is not known whether objects change.
    NoChanges {
        summary: &'e str,
        has_output_changes: bool,
        has_failed: bool,
    },
}

/// The counts of a plan or an apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary<'e> {
    pub(super) subject: SummarySubject,
    pub(super) changes: &'e ChangeSummary<'e>,
}

/// The subject of a summary.
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
    /// Whether the outputs are those of a plan. Then messages contain only their actions, not their values.
    pub(super) are_planned: bool,
}

/// An event of `test`. `Plan` and `State` are the documents that `-verbose` adds. `Cleanup` is shown after the
/// diagnostics that follow it.
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

/// An event of `query`.
#[derive(Clone, Copy, Debug)]
pub(super) enum QueryEvent<'e> {
    Started(&'e ListMessage<'e>),
    Result(&'e ListMessage<'e>),
    Complete(&'e ListMessage<'e>),
}

/// An event about a policy.
#[derive(Debug)]
pub(super) enum PolicyEvent<'e> {
    Info(Box<PolicyInfo<'e>>),
    Result,
    QuerySummary(PolicyQuerySummary<'e>),
}

/// Text that is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEvent<'t> {
    /// A line with its line feed, or a part of one.
    Shown(&'t str),
    /// Text of `length` bytes that is not shown, because it may contain sensitive values. `message` is the `@message`
    /// in it.
    Withheld {
        length: usize,
        message: Option<&'t str>,
        is_error: bool,
    },
    /// A note that text around messages is left out. It is given once for a run.
    AroundMessages,
    /// A note that the input ends in the middle of a line or of JSON.
    CutOff,
    /// A note that the input is an archive, such as a saved plan.
    Archive,
}

/// A phase of a run. The order is that of a run, and each phase has a fold in CI systems.
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

    /// Returns an event for a message whose meaning is not considered: it is shown by its `@message`.
    pub(super) fn opaque(message: &'e Message<'e>) -> Self {
        Self {
            kind: EventKind::Unknown,
            message: Some(message),
        }
    }

    pub(super) fn message_type(&self) -> Option<&'e str> {
        self.message.map(|message| &*message.message_type)
    }

    /// Returns the `@message`; empty for an event without a message.
    pub(super) fn text(&self) -> Cow<'e, str> {
        self.message.map(Message::text).unwrap_or_default()
    }

    pub(super) fn is_error(&self) -> bool {
        self.message.is_some_and(Message::is_error)
    }

    /// Returns the test that the message belongs to. Both names are empty if it belongs to none.
    pub(super) fn test_name(&self) -> TestName {
        let (file, run) = self.test();
        TestName {
            file: file.to_owned(),
            run: run.to_owned(),
        }
    }

    /// Returns the time of the message. `None` if it has none, or an invalid one.
    pub(super) fn moment(&self) -> Option<Moment> {
        self.message
            .and_then(|message| Moment::parse(&message.timestamp))
    }

    /// Returns the names of the file and the run of the test that the message belongs to.
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

    /// Whether the event shows that the apply has begun, with it or before it.
    pub(super) fn is_in_apply(&self) -> bool {
        self.phases().contains(&Phase::Apply)
    }
}

impl Version<'_> {
    /// Whether the major version of the format is newer than the one that is known, which is 1.
    pub(super) fn is_foreign(&self) -> bool {
        let major = self
            .format
            .and_then(|format| format.split('.').next()?.parse::<u64>().ok());
        major.is_some_and(|major| major > 1)
    }
}

impl Stage {
    /// Whether the stage is one that an operation of an apply goes through without a failure.
    pub(super) fn is_progress(self) -> bool {
        matches!(self, Self::Started | Self::Progress | Self::Complete)
    }
}

impl Target<'_> {
    /// Returns the key of the operation: the object and what is done to it.
    pub(super) fn key(&self) -> Key {
        Key::new((self.address, self.operation))
    }

    /// Returns the duration in whole seconds, rounded. Negative and excessive values saturate.
    pub(super) fn seconds(&self) -> u64 {
        self.elapsed.round() as u64
    }

    /// Returns the duration in milliseconds. Negative and excessive values saturate.
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
    /// Whether at least one of the counts is not zero.
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
    /// Whether a planned action changes an output.
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

/// A hash that identifies an operation, a provisioner or an action. Its seed is random, so that nobody can craft an
/// input with names that collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(names: impl Hash) -> Self {
        /// The seed of all keys, which is chosen when the first key is created.
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self(STATE.hash_one(names))
    }
}
