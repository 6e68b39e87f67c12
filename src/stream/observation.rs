//! The events and the progress of a run as other programs see them, through the library.
//!
//! Invariant: an event contains nothing that the text of the run hides. Events of outputs contain no values.
//!
//! ```text
//! {"type":"apply_start","hook":{"resource":{"addr":"a.b",…},"action":"create"},…}
//!
//! RunEvent { unit: None, kind: Operation { address: "a.b", operation: "create", stage: Started, … } }
//! ```

use std::time::Duration;

use super::event::{
    Event, EventKind, PlanEvent, Provisioner, Stage, Step, SummarySubject, Target, TestEvent,
    TextEvent,
};
use super::state::State;
use crate::dialect::Tool;
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::PlannedChange;

/// An event in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunEvent {
    /// The name of the unit, in a log of several runs; `None` in the log of one run.
    pub unit: Option<String>,
    /// The kind of the event, with its details.
    pub kind: RunEventKind,
}

/// The kinds of events. All texts are untrusted data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunEventKind {
    /// The tool began a command.
    Version {
        /// The tool, if it is known.
        tool: Option<Tool>,
        /// The version of the tool.
        version: String,
    },
    /// A change is planned.
    PlannedChange {
        /// The address of the resource instance.
        address: String,
        /// The address before a move.
        previous_address: Option<String>,
        /// The action in the word of the message, such as `create`.
        action: String,
        /// The reason in the word of the message, such as `tainted`.
        reason: Option<String>,
    },
    /// An object changed outside of the tool.
    Drift {
        /// The address of the resource instance.
        address: String,
        /// The change of the object, in the word of the message, such as `update`.
        action: String,
    },
    /// An object is created, changed, destroyed, read or refreshed.
    Operation {
        /// The address of the resource instance.
        address: String,
        /// The operation: `create`, `update`, `delete`, `read`, `refresh`, …
        operation: &'static str,
        /// The stage of the operation.
        stage: RunStage,
        /// The duration so far, as far as the message contains it.
        elapsed: Duration,
        /// The attribute that identifies the object, such as `id=vpc-1`.
        id: Option<String>,
    },
    /// A provisioner runs.
    Provisioner {
        /// The address of the resource instance.
        address: String,
        /// The name of the provisioner.
        name: String,
        /// The stage of the provisioner.
        stage: RunStage,
    },
    /// An action is invoked.
    Action {
        /// The address of the action.
        address: String,
        /// The stage of the action.
        stage: RunStage,
    },
    /// An error or a warning.
    Diagnostic {
        /// Whether it is an error.
        is_error: bool,
        /// The problem in a few words.
        summary: String,
        /// The explanation; may be empty.
        detail: String,
        /// The address of the resource instance that the diagnostic is about.
        address: Option<String>,
        /// The file that the diagnostic is about, and the line number in it.
        place: Option<(String, u64)>,
    },
    /// The plan or the apply has ended.
    Summary {
        /// Whether it is the summary of the apply.
        is_applied: bool,
        /// The summary in words.
        text: String,
    },
    /// Outputs are planned, or their values are known.
    Outputs {
        /// The names of the outputs.
        names: Vec<String>,
        /// Whether the outputs are planned, and their values not known yet.
        are_planned: bool,
    },
    /// A test file or a run block has a result.
    Test {
        /// The test file.
        file: String,
        /// The run block; `None` for the whole file.
        run: Option<String>,
        /// `pass`, `fail`, `error`, `skip` or `pending`.
        status: String,
    },
    /// A line that is not a message.
    Text {
        /// The line.
        text: String,
    },
    /// Another message.
    Other {
        /// The type; may be empty.
        message_type: String,
        /// The text.
        text: String,
    },
}

/// The stage of an operation, a provisioner or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunStage {
    /// The operation has just begun.
    Started,
    /// The operation is still running.
    Running,
    /// The operation is complete.
    Complete,
    /// The operation failed.
    Failed,
}

/// The progress of a run: what is running, and how much is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunProgress {
    /// The running operations, in the order in which they began.
    pub running: Vec<OperationProgress>,
    /// The number of completed operations that changed something.
    pub done: usize,
    /// The number of operations that failed.
    pub failed: usize,
    /// The number of operations that the plan needs, once the apply has begun.
    pub planned: Option<usize>,
}

/// A running operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationProgress {
    /// The name of the unit, in a log of several runs.
    pub unit: Option<String>,
    /// The address of the resource instance.
    pub address: String,
    /// The operation: `create`, `update`, `delete`, `read`, …
    pub operation: &'static str,
    /// The duration so far.
    pub elapsed: Duration,
}

impl RunEvent {
    /// Returns an event as other programs see it; `None` if another event covers it.
    pub(super) fn new(event: &Event<'_>, unit: Option<&str>) -> Option<Self> {
        Some(Self {
            unit: unit.map(str::to_owned),
            kind: RunEventKind::new(event)?,
        })
    }
}

impl RunEventKind {
    /// Returns the event for other programs. `None` for events that others cover or that may not be shown.
    fn new(event: &Event<'_>) -> Option<Self> {
        Some(match &event.kind {
            EventKind::Version(version) => Self::Version {
                tool: version.tool.map(|(tool, _)| tool),
                version: version.tool.map_or("", |(_, version)| version).to_owned(),
            },
            EventKind::Operation(stage, target) => operation(*stage, target),
            EventKind::Provisioner(step, Provisioner { address, name, .. }) => Self::Provisioner {
                address: (*address).to_owned(),
                name: (*name).to_owned(),
                stage: RunStage::of_step(*step),
            },
            EventKind::Action(step, invocation) => Self::Action {
                address: invocation.action.to_owned(),
                stage: RunStage::of_step(*step),
            },
            EventKind::Plan(PlanEvent::Change(change)) => planned(change),
            EventKind::Plan(PlanEvent::Drift(change)) => Self::Drift {
                address: change.resource.addr.to_string(),
                action: change.action.to_string(),
            },
            EventKind::Summary(summary) => Self::Summary {
                is_applied: summary.subject == SummarySubject::Apply,
                text: event.text().trim().to_owned(),
            },
            EventKind::Outputs(outputs) => Self::Outputs {
                names: outputs.all.keys().map(ToString::to_string).collect(),
                are_planned: outputs.are_planned,
            },
            EventKind::Test(test) => return tested(test, event),
            EventKind::Diagnostic(_, found) => diagnostic(found),
            EventKind::Text(TextEvent::Shown(text)) => Self::Text {
                text: text.trim_end_matches(['\r', '\n']).to_owned(),
            },
            EventKind::Log
            | EventKind::Plan(PlanEvent::Invocation(_))
            | EventKind::InitOutput(_)
            | EventKind::Untyped
            | EventKind::Query(_)
            | EventKind::Unknown => Self::Other {
                message_type: event.message_type().unwrap_or_default().to_owned(),
                text: event.text().into_owned(),
            },
            // The first two are derived from other events. For the rest, only the text decides what is shown.
            EventKind::Plan(PlanEvent::Text | PlanEvent::NoChanges { .. })
            | EventKind::Diagnostics(_)
            | EventKind::UnsavedState(_)
            | EventKind::Policy(_)
            | EventKind::Malformed
            | EventKind::Validation(_)
            | EventKind::Text(
                TextEvent::Withheld { .. }
                | TextEvent::AroundMessages
                | TextEvent::CutOff
                | TextEvent::Archive,
            ) => return None,
        })
    }
}

impl RunStage {
    fn of_step(step: Step) -> Self {
        match step {
            Step::Started => Self::Started,
            Step::Progress => Self::Running,
            Step::Complete => Self::Complete,
            Step::Errored => Self::Failed,
        }
    }

    fn of_stage(stage: Stage) -> Self {
        match stage {
            Stage::Started | Stage::RefreshStarted | Stage::EphemeralStarted => Self::Started,
            Stage::Progress => Self::Running,
            Stage::Complete | Stage::RefreshComplete | Stage::EphemeralComplete => Self::Complete,
            Stage::Errored | Stage::EphemeralErrored => Self::Failed,
        }
    }
}

/// Returns the text, or `None` if it is empty.
fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn operation(stage: Stage, target: &Target<'_>) -> RunEventKind {
    RunEventKind::Operation {
        address: target.address.to_owned(),
        operation: target.operation.word(),
        stage: RunStage::of_stage(stage),
        elapsed: Duration::from_millis(target.millis()),
        id: target.id.map(|(key, value)| format!("{key}={value}")),
    }
}

fn planned(change: &PlannedChange<'_>) -> RunEventKind {
    let previous = change.previous_resource.as_ref();
    RunEventKind::PlannedChange {
        address: change.resource.addr.to_string(),
        previous_address: previous.and_then(|previous| some(&previous.addr)),
        action: change.action.to_string(),
        reason: some(&change.reason),
    }
}

fn diagnostic(diagnostic: &Diagnostic<'_>) -> RunEventKind {
    let range = diagnostic.range.as_ref();
    RunEventKind::Diagnostic {
        is_error: diagnostic.severity() != Severity::Warning,
        summary: diagnostic.summary.to_string(),
        detail: diagnostic.detail.to_string(),
        address: some(&diagnostic.address),
        place: range.map(|range| (range.filename.to_string(), range.start.line)),
    }
}

/// Returns the event of a test file or run that has ended. `None` for all other messages of tests.
fn tested(test: &TestEvent<'_>, event: &Event<'_>) -> Option<RunEventKind> {
    let (file, run, status) = match test {
        TestEvent::File(file) => (&*file.path, None, &file.status),
        TestEvent::Run(run) if run.is_end() => (event.test().0, some(&run.run), &run.status),
        TestEvent::Abstract(_)
        | TestEvent::Run(_)
        | TestEvent::Plan(_)
        | TestEvent::State(_)
        | TestEvent::Cleanup(_)
        | TestEvent::Interrupt(_)
        | TestEvent::Summary { .. }
        | TestEvent::Retry => return None,
    };
    Some(RunEventKind::Test {
        file: file.to_owned(),
        run,
        status: status.to_string(),
    })
}

impl RunProgress {
    /// Adds the progress of one run; those of all runs are summed up.
    pub(super) fn add(&mut self, unit: &str, state: &State) {
        for running in state.operations.first_running(usize::MAX) {
            self.running.push(OperationProgress {
                unit: some(unit),
                address: running.address.clone(),
                operation: running.operation.word(),
                elapsed: Duration::from_secs(running.seconds(state.now)),
            });
        }
        self.done += state.done();
        self.failed += state.failures.operation_count;
        if let Some((_, planned)) = state.share() {
            *self.planned.get_or_insert(0) += planned;
        }
    }
}
