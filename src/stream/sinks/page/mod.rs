//! The page of a run: its timeline, which is kept while the run is shown, and the HTML that is written of it.

mod html;
mod timeline;

use std::io;

use crate::model::diagnostic::Severity;
use crate::stream::Ending;
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::event::{
    EventKind, Invocation, PlanEvent, Provisioner, Stage, Step, Target, TestEvent, TestName, Version,
};
use crate::stream::key::Key;
use crate::stream::output::Output;

use super::diagnostic::plain_text;
use super::junit::Status;
use super::outcome::headline;
use super::{Context, RunEnd, Sink};
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

    /// Records a step of a provisioner or an action.
    fn step(&mut self, step: Step, key: Key, address: &str, task: Task, context: &Context<'_, '_>) {
        let moment = context.event.moment();
        match step {
            Step::Started => self.timeline.start(key, address, task, moment),
            Step::Progress => {}
            Step::Complete => self.timeline.end(key, address, task, moment, None, Fate::Done),
            Step::Errored => self.timeline.end(key, address, task, moment, None, Fate::Failed),
        }
    }
}

impl Sink for PageSink {
    fn any(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let Context { event, state, .. } = context;
        if let Some(moment) = event.moment() {
            self.timeline.add_moment(moment);
        }
        // A failure that no diagnostic explains. An action has a text of its own.
        let is_action = matches!(event.kind, EventKind::Action(_, Some(_)));
        if state.is_failure && event.message_type().is_some() && !is_action {
            self.timeline.add_problem(true, "", event.text().into_owned());
        }
        Ok(())
    }

    fn version(&mut self, version: &Version<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        if let Some((tool, release)) = version.tool {
            self.timeline.tool = format!("{} {release}", tool.product());
        }
        if context.state.begins_run {
            self.timeline.begin_run();
        }
        Ok(())
    }

    fn operation(
        &mut self,
        stage: Stage,
        target: &Target<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let (key, address, task) = (target.key(), target.address, Task::Operation(target.operation));
        let moment = context.event.moment();
        let (elapsed, fate) = match stage {
            Stage::Started | Stage::RefreshStarted | Stage::EphemeralStarted => {
                if stage == Stage::Started {
                    self.timeline.start_step(address);
                }
                self.timeline.start(key, address, task, moment);
                return Ok(());
            }
            Stage::Progress => return Ok(()),
            // The duration is rounded by the tools, so it is used only if messages have no timestamps.
            Stage::Complete => (Some(target.millis()), Fate::Done),
            Stage::Errored | Stage::EphemeralErrored => (Some(target.millis()), Fate::Failed),
            Stage::RefreshComplete | Stage::EphemeralComplete => (None, Fate::Done),
        };
        self.timeline.end(key, address, task, moment, elapsed, fate);
        Ok(())
    }

    fn provisioner(
        &mut self,
        step: Step,
        provisioner: &Provisioner<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let task = Task::Provisioner(provisioner.name.to_owned());
        self.step(step, provisioner.key(), provisioner.address, task, context);
        Ok(())
    }

    fn action(
        &mut self,
        step: Step,
        invocation: &Invocation<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        self.step(step, invocation.key(), invocation.action, Task::Action, context);
        if step == Step::Errored {
            let text = format!("Action failed: {}", invocation.error);
            self.timeline.add_problem(true, invocation.action, text);
        }
        Ok(())
    }

    fn plan(&mut self, plan: &PlanEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        match plan {
            PlanEvent::Change(Some(change)) => self.timeline.add_planned(change),
            PlanEvent::Text => self.timeline.other_plan = context.state.plan.mismatch.clone(),
            PlanEvent::Change(None)
            | PlanEvent::Drift(_)
            | PlanEvent::Invocation(_)
            | PlanEvent::NoChanges { .. } => {}
        }
        Ok(())
    }

    fn test(&mut self, test: &TestEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        let TestEvent::Run(run) = test else { return Ok(()) };
        let (file, _) = context.event.test();
        let address = TestName { file: file.to_owned(), run: run.run.to_string() }.path();
        let (key, moment) = (Key::new((file, &*run.run)), context.event.moment());
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
        Ok(())
    }

    fn diagnostics(&mut self, group: &DiagnosticGroup<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        for (diagnostic, similar) in &group.merged {
            let text = plain_text(diagnostic, *similar, self.width, context)?;
            let is_error = diagnostic.severity() != Severity::Warning;
            // A failed assertion belongs to its run, whatever resource it looks at.
            let test = group.test.path();
            let address = if test.is_empty() { &*diagnostic.address } else { &*test };
            self.timeline.add_problem(is_error, address, text);
        }
        Ok(())
    }

    fn finish(&mut self, end: RunEnd<'_>, _: &mut Output<'_>, ending: &mut Ending) -> io::Result<()> {
        let mut timeline = std::mem::take(&mut self.timeline);
        timeline.headline = headline(end);
        timeline.failed = end.verdict.is_failure();
        timeline.is_applying = end.state.parts.is_applying();
        ending.timeline = Some(timeline);
        Ok(())
    }
}
