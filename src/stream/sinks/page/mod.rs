//! The page of a run: its timeline, which is kept while the run is shown, and the HTML that is written of it.

mod html;
mod timeline;

use std::io;

use crate::dialect::Tool;
use crate::model::diagnostic::Severity;
use crate::stream::Ending;
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::event::{
    Event, EventKind, Invocation, OperationEvent, PlanEvent, Provisioner, Step, Target, TestEvent, TestName,
    Version,
};
use crate::stream::key::Key;
use crate::stream::output::Output;
use crate::stream::state::State;
use crate::stream::time::Moment;

use super::diagnostic::plain_text;
use super::junit::Status;
use super::outcome::headline;
use super::{RunEnd, Sink};
use timeline::{Fate, Task};

pub use html::{RunPage, page};
pub use timeline::Timeline;

/// Keeps the timeline of a run.
#[derive(Debug)]
pub(in crate::stream) struct PageSink {
    timeline: Timeline,
    width: usize,
}

impl PageSink {
    /// Continues `timeline`, with texts wrapped at `width`.
    pub(in crate::stream) fn new(timeline: Timeline, width: usize) -> Self {
        Self { timeline, width }
    }

    fn version(&mut self, version: &Version<'_>, state: &State) {
        if let Some((tool, release)) = version.tool {
            let tool = match tool {
                Tool::OpenTofu => "OpenTofu",
                Tool::Terraform => "Terraform",
            };
            self.timeline.tool = format!("{tool} {release}");
        }
        if state.begins_run() {
            self.timeline.begin_run();
        }
    }

    fn operation(&mut self, operation: &OperationEvent<'_>, moment: Option<Moment>) {
        let Some(target) = operation.target() else { return };
        let task = Task::Operation(target.operation);
        let mut end = |target: &Target<'_>, elapsed, fate| {
            self.timeline.end(target.key(), target.address, task.clone(), moment, elapsed, fate);
        };
        match operation {
            // The duration is rounded by the tools, so it is used only if messages have no timestamps.
            OperationEvent::Complete(_) => end(target, Some(target.millis()), Fate::Done),
            OperationEvent::Errored(_) => end(target, Some(target.millis()), Fate::Failed),
            OperationEvent::EphemeralErrored(_) => end(target, Some(target.millis()), Fate::Failed),
            OperationEvent::RefreshComplete(_) | OperationEvent::EphemeralComplete(_) => {
                end(target, None, Fate::Done);
            }
            OperationEvent::Started(_) => {
                self.timeline.start_step(target.address);
                self.timeline.start(target.key(), target.address, task, moment);
            }
            OperationEvent::RefreshStarted(_) | OperationEvent::EphemeralStarted(_) => {
                self.timeline.start(target.key(), target.address, task, moment);
            }
            OperationEvent::Progress(_) => {}
        }
    }

    fn provisioner(&mut self, step: Step, provisioner: &Provisioner<'_>, moment: Option<Moment>) {
        let (key, address) = (provisioner.key(), provisioner.address);
        let task = Task::Provisioner(provisioner.name.to_owned());
        match step {
            Step::Started => self.timeline.start(key, address, task, moment),
            Step::Progress => {}
            Step::Complete => self.timeline.end(key, address, task, moment, None, Fate::Done),
            Step::Errored => self.timeline.end(key, address, task, moment, None, Fate::Failed),
        }
    }

    fn test(&mut self, test: &TestEvent<'_>, event: &Event<'_>) {
        match test {
            TestEvent::Run(run) => {
                let (file, _) = event.test();
                let address = TestName { file: file.to_owned(), run: run.run.to_string() }.path();
                let (key, moment) = (Key::named(file, &run.run), event.moment());
                if run.is_end() {
                    let fate = match Status::parse(&run.status) {
                        Some(Status::Pass) => Fate::Done,
                        Some(Status::Skip) => Fate::Skipped,
                        Some(Status::Fail | Status::Error | Status::Other(_)) => Fate::Failed,
                        None => Fate::Unfinished,
                    };
                    self.timeline.end(key, &address, Task::Test, moment, None, fate);
                } else if run.is_start() {
                    self.timeline.start(key, &address, Task::Test, moment);
                }
            }
            TestEvent::Abstract(_)
            | TestEvent::File(_)
            | TestEvent::Plan(_)
            | TestEvent::State(_)
            | TestEvent::Cleanup(_)
            | TestEvent::Interrupt(_)
            | TestEvent::Summary { .. }
            | TestEvent::Retry => {}
        }
    }

    fn action(&mut self, step: Step, invocation: &Invocation<'_>, moment: Option<Moment>) {
        let (key, address) = (invocation.key(), invocation.action);
        match step {
            Step::Started => self.timeline.start(key, address, Task::Action, moment),
            Step::Progress => {}
            Step::Complete => self.timeline.end(key, address, Task::Action, moment, None, Fate::Done),
            Step::Errored => {
                self.timeline.end(key, address, Task::Action, moment, None, Fate::Failed);
                let text = format!("Action failed: {}", invocation.error);
                self.timeline.add_problem(true, address, text);
            }
        }
    }

    fn diagnostics(
        &mut self,
        group: &DiagnosticGroup<'_>,
        state: &State,
        output: &mut Output<'_>,
    ) -> io::Result<()> {
        for (diagnostic, similar) in &group.merged {
            let text = plain_text(diagnostic, *similar, self.width, state, output)?;
            let is_error = diagnostic.severity() != Severity::Warning;
            // A failed assertion belongs to its run, whatever resource it looks at.
            let test = group.test.path();
            let address = if test.is_empty() { &*diagnostic.address } else { &*test };
            self.timeline.add_problem(is_error, address, text);
        }
        Ok(())
    }

    /// Adds the text of a failure that no diagnostic explains.
    fn failure(&mut self, event: &Event<'_>, state: &State) {
        if state.is_failure() && event.message_type().is_some() {
            self.timeline.add_problem(true, "", event.text().into_owned());
        }
    }
}

impl Sink for PageSink {
    fn event(&mut self, event: &Event<'_>, state: &State, output: &mut Output<'_>) -> io::Result<()> {
        let moment = event.moment();
        if let Some(moment) = moment {
            self.timeline.add_moment(moment);
        }
        match &event.kind {
            EventKind::Version(version) => self.version(version, state),
            EventKind::Operation(operation) => self.operation(operation, moment),
            EventKind::Provisioner(step, Some(provisioner)) => self.provisioner(*step, provisioner, moment),
            EventKind::Action(step, Some(invocation)) => {
                self.action(*step, invocation, moment);
                return Ok(());
            }
            EventKind::Plan(PlanEvent::Change(Some(change))) => self.timeline.add_planned(change),
            EventKind::Plan(PlanEvent::Text) => {
                self.timeline.other_plan = state.plan.mismatch().map(str::to_owned);
            }
            EventKind::Test(test) => self.test(test, event),
            EventKind::Diagnostics(group) => self.diagnostics(group, state, output)?,
            EventKind::Provisioner(_, None)
            | EventKind::Action(_, None)
            | EventKind::Plan(
                PlanEvent::Change(None)
                | PlanEvent::Drift(_)
                | PlanEvent::Invocation(_)
                | PlanEvent::NoChanges { .. },
            )
            | EventKind::Log
            | EventKind::UnsavedState(_)
            | EventKind::Summary(_)
            | EventKind::Outputs(_)
            | EventKind::InitOutput(_)
            | EventKind::Untyped
            | EventKind::Query(_)
            | EventKind::Policy(_)
            | EventKind::MigrationErrored
            | EventKind::Malformed
            | EventKind::Unknown
            | EventKind::Diagnostic(_)
            | EventKind::Validation(_)
            | EventKind::Text(_)
            | EventKind::Phase(_)
            | EventKind::Tick { .. } => {}
        }
        self.failure(event, state);
        Ok(())
    }

    fn finish(
        &mut self,
        end: RunEnd,
        state: &State,
        _: &mut Output<'_>,
        ending: &mut Ending,
    ) -> io::Result<()> {
        let mut timeline = std::mem::take(&mut self.timeline);
        timeline.headline = headline(end, state);
        timeline.failed = end.verdict.is_failure();
        timeline.is_applying = state.parts.is_applying();
        ending.timeline = Some(timeline);
        Ok(())
    }
}
