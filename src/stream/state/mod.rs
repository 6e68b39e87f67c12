//! The state of a run: what is open, what failed, how it ended so far.
//!
//! Invariants: the state changes only by [`State::update`], so that the same events give the same state.
//! Sinks receive an event after the state was updated. A message at the level `error` is a failure, unless it
//! is known to be reported by another one.

mod expected;
mod failures;
mod operations;
mod parts;
mod plan;
mod verdict;

use std::time::Duration;

use crate::dialect::{Dialect, DialectChoice};
use crate::model::diagnostic::Severity;
use crate::text::stream::{Operation, is_init_section, is_init_success, provider_line, tofu_provider_line};

use super::event::{
    DiagnosticMessage, Event, EventKind, LongLineKind, PlanEvent, Provisioner, QueryEvent, Stage, Step,
    Summary, SummarySubject, Target, TestEvent, TextEvent, Version,
};
use super::key::Key;
use failures::Failures;
use operations::Operations;
use parts::{Part, Parts};
use plan::PlanState;

pub use expected::Expected;
pub(super) use plan::steps;
pub(super) use verdict::{Tested, Verdict};

/// The state of a run.
#[derive(Debug, Default)]
pub(super) struct State {
    dialect_choice: DialectChoice,
    /// The dialect of the tool, as far as it is known.
    pub(super) dialect: Dialect,
    /// The parts that have begun and ended.
    pub(super) parts: Parts,
    /// The operations.
    pub(super) operations: Operations,
    /// The failures.
    pub(super) failures: Failures,
    /// The plan.
    pub(super) plan: PlanState,
    /// The result of tests.
    pub(super) tests: Tested,
    /// The current phase.
    pub(super) phase: Option<super::event::Phase>,
    /// Whether the run is an `init`.
    pub(super) is_init: bool,
    /// Whether the tool has announced that it is stopping.
    pub(super) is_interrupted: bool,
    /// Whether the current event begins a run, rather than another part of an open one.
    pub(super) begins_run: bool,
    /// Whether the current event is a failure that no diagnostic explains, so its text must be visible.
    pub(super) is_failure: bool,
    /// The tool's own summary. The last one wins.
    pub(super) tool_summary: Option<String>,
    /// The clock of the live region.
    now: Duration,
}

impl State {
    /// The state before the first event.
    pub(super) fn new(dialect_choice: DialectChoice, expected: Option<Expected>) -> Self {
        Self {
            dialect_choice,
            dialect: dialect_choice.for_document(None, ""),
            plan: PlanState { expected, ..PlanState::default() },
            ..Self::default()
        }
    }

    /// Updates the state by an event.
    pub(super) fn update(&mut self, event: &Event<'_>) {
        self.operations.ended = None;
        self.begins_run = false;
        self.is_failure = false;
        if let Some(message_type) = event.message_type() {
            self.parts.count_message(message_type);
        }
        if event.is_in_apply() {
            self.parts.begin_apply();
        }
        match &event.kind {
            EventKind::Version(version) => self.version(version),
            EventKind::Log => {
                let text = event.text();
                self.is_interrupted |= text.contains("nterrupt") && text.contains(" received");
                self.fail_if(event.is_error() && !(self.is_init && provider_line(&text).is_some()));
            }
            EventKind::Operation(stage, Some(target)) => self.operation(*stage, target, event),
            EventKind::Operation(Stage::Started, None) => self.parts.begin_apply(),
            EventKind::Operation(stage, None) => self.fail_if(*stage == Stage::Errored),
            EventKind::Provisioner(step, Some(provisioner)) => self.provisioner(*step, provisioner),
            EventKind::Action(step, invocation) => {
                let actions = &mut self.parts.actions;
                match step {
                    Step::Started => *actions += usize::from(invocation.is_some()),
                    Step::Complete if invocation.is_none() => {}
                    Step::Complete | Step::Errored => *actions = actions.saturating_sub(1),
                    Step::Progress => {}
                }
                self.fail_if(*step == Step::Errored);
            }
            EventKind::Plan(plan) => self.plan_event(plan),
            EventKind::Summary(summary) => self.summary(summary, event),
            EventKind::Outputs(outputs) => {
                // After a summary, they end nothing that it has not ended.
                if !outputs.are_planned && !self.parts.are_several() {
                    self.end_apply();
                }
            }
            EventKind::InitOutput(_) => {
                self.is_init = true;
                self.init_message(&event.text());
            }
            EventKind::Untyped => self.untyped(&event.text(), event.is_error()),
            EventKind::Test(test) => self.test(test, event),
            EventKind::Query(query) => self.query(query),
            EventKind::Diagnostic(message) => self.diagnostic(message, event),
            EventKind::Validation(document) => {
                self.parts.count_message("validate");
                self.fail_if(document.as_ref().map_or(true, |it| !it.valid || it.error_count > 0));
            }
            EventKind::Text(text) => self.text(text),
            EventKind::Phase(phase) => self.phase = Some(*phase),
            EventKind::Tick { elapsed } => self.now = *elapsed,
            EventKind::UnsavedState(_) | EventKind::MigrationErrored => self.fail_if(true),
            EventKind::Unknown => self.fail_if(event.is_error()),
            EventKind::Malformed => {
                if event.message_type() == Some("change_summary") {
                    self.parts.reopen();
                }
            }
            EventKind::Provisioner(_, None) | EventKind::Policy(_) | EventKind::Diagnostics(_) => {}
        }
    }

    /// Records that the current event is a failure that no diagnostic explains, if it is one.
    fn fail_if(&mut self, is_failure: bool) {
        if is_failure {
            self.is_failure = true;
            self.failures.has_unexplained = true;
        }
    }

    fn version(&mut self, version: &Version<'_>) {
        if let Some((tool, release)) = version.tool {
            self.dialect = self.dialect_choice.for_document(Some(tool), release);
        }
        self.begins_run = self.parts.begin_run(self.operations.is_running());
        if self.begins_run {
            self.operations.begin_run();
        }
        if version.is_foreign() {
            self.parts.is_foreign = true;
        }
    }

    fn operation(&mut self, stage: Stage, target: &Target<'_>, event: &Event<'_>) {
        // A read belongs to the plan, unless an apply is open. Changes begin the apply; ephemeral resources are opened
        // in any part.
        if target.operation == Operation::Read && stage.is_progress() {
            self.parts.plan.begin();
        }
        match stage {
            Stage::Started => self.operations.start(target, None, self.now),
            Stage::Progress => self.operations.update(target, self.now),
            Stage::Complete => {
                self.operations.end(target.key());
                self.operations.done[target.operation as usize] += 1;
            }
            Stage::Errored => {
                let exists = self.operations.end(target.key()).is_some_and(|ended| ended.exists);
                self.failures.add_operation(target, exists);
            }
            Stage::RefreshStarted => self.parts.begin_refresh(target.key()),
            Stage::RefreshComplete => self.parts.end_refresh(target.key()),
            Stage::EphemeralStarted => self.operations.start(target, event.moment(), self.now),
            Stage::EphemeralComplete | Stage::EphemeralErrored => {
                self.operations.end(target.key());
            }
        }
    }

    fn provisioner(&mut self, step: Step, provisioner: &Provisioner<'_>) {
        match step {
            Step::Started => {
                self.parts.begin_provisioner(provisioner.key());
                self.operations.set_exists(provisioner.address);
            }
            Step::Progress => {}
            Step::Complete | Step::Errored => {
                self.parts.provisioning.remove(&provisioner.key());
            }
        }
    }

    fn plan_event(&mut self, plan: &PlanEvent<'_>) {
        match plan {
            PlanEvent::Change(change) => {
                self.parts.plan.begin();
                if let Some(change) = change {
                    self.plan.add_change(change);
                    self.operations.plan(&change.resource.addr, steps(&change.action));
                }
            }
            PlanEvent::Drift(None) => self.parts.plan.begin(),
            PlanEvent::Drift(Some(_)) | PlanEvent::Invocation(_) => {
                self.parts.plan.begin();
                self.plan.has_effect = true;
            }
            PlanEvent::Text => self.plan.set_shown(),
            PlanEvent::NoChanges { .. } => self.plan.no_changes = None,
        }
    }

    fn summary(&mut self, summary: &Summary<'_>, event: &Event<'_>) {
        self.tool_summary = Some(event.text().trim().to_owned());
        match summary.subject {
            SummarySubject::Plan => {
                self.plan.summarize(summary, event);
                if self.parts.end_plan() {
                    self.operations.end_plan();
                }
            }
            SummarySubject::Apply => self.end_apply(),
            SummarySubject::Unknown => {}
        }
    }

    fn end_apply(&mut self) {
        if self.parts.end_apply() {
            self.operations.running.clear();
        }
    }

    fn untyped(&mut self, text: &str, is_error: bool) {
        let is_init_progress = is_init_section(text)
            || (self.is_init && (is_init_success(text) || tofu_provider_line(text).is_some()));
        self.fail_if(is_error && !is_init_progress);
        self.is_init |= is_init_section(text);
        if self.is_init || text.contains("initialized in an empty directory") {
            self.init_message(text);
        }
    }

    /// Begins `init`, and ends it at one of its final messages.
    fn init_message(&mut self, text: &str) {
        self.parts.init.begin();
        if is_init_success(text) || text.contains("initialized in an empty directory") {
            self.parts.init = Part::Closed;
        }
    }

    fn test(&mut self, test: &TestEvent<'_>, event: &Event<'_>) {
        match test {
            TestEvent::Abstract(_) | TestEvent::File(_) | TestEvent::Run(_) | TestEvent::Cleanup(_) => {
                if self.tests == Tested::Nothing {
                    self.tests = Tested::Unfinished;
                }
            }
            TestEvent::Interrupt(_) => self.is_interrupted = true,
            TestEvent::Summary { has_passed } => {
                let has_failed = !has_passed || self.tests == Tested::Failed;
                self.tests = match (self.parts.end_tests(), has_failed) {
                    (_, true) => Tested::Failed,
                    (true, false) => Tested::Passed,
                    (false, false) => Tested::Unfinished,
                };
                self.tool_summary = Some(event.text().trim().to_owned());
            }
            TestEvent::Plan(_) | TestEvent::State(_) | TestEvent::Retry => {}
        }
    }

    fn query(&mut self, query: &QueryEvent<'_>) {
        match query {
            QueryEvent::Started(Some(list)) => {
                self.parts.lists.insert(Key::new((&*list.address, "list")));
            }
            QueryEvent::Complete(list) => {
                self.parts.lists.remove(&Key::new((&*list.address, "list")));
            }
            QueryEvent::Started(None) | QueryEvent::Result(_) => {}
        }
    }

    fn diagnostic(&mut self, message: &DiagnosticMessage<'_>, event: &Event<'_>) {
        let diagnostic = &message.diagnostic;
        match diagnostic.severity() {
            Severity::Warning => {
                // The data read that a check concerns has failed, for which there is no other message.
                if !diagnostic.address.is_empty() && diagnostic.is_in_check() {
                    self.operations.end(Key::new((&*diagnostic.address, Operation::Read)));
                }
            }
            // Diagnostics of a test count only through the result of the test.
            Severity::Error | Severity::Other if event.test().0.is_empty() => {
                self.failures.add_error(diagnostic);
            }
            Severity::Error | Severity::Other => {}
        }
    }

    fn text(&mut self, text: &TextEvent<'_>) {
        match text {
            TextEvent::CutOff => self.parts.is_cut_off = true,
            TextEvent::LongLineEnded { kind, .. } => match kind {
                LongLineKind::Text => {}
                LongLineKind::Message { is_error, .. } => {
                    self.parts.count_message("");
                    self.fail_if(*is_error);
                }
                LongLineKind::Withheld { is_error, .. } => self.fail_if(*is_error),
            },
            TextEvent::PartialMessage { is_error, .. } | TextEvent::Withheld { is_error, .. } => {
                self.fail_if(*is_error);
            }
            TextEvent::Line { .. }
            | TextEvent::LongLineStarted
            | TextEvent::LongLinePart(_)
            | TextEvent::AroundMessages
            | TextEvent::Archive => {}
        }
    }

    /// The number of done or failed operations, and the total number, once it is known.
    pub(super) fn share(&self) -> Option<(usize, usize)> {
        let over = self.operations.done_by_operation().map(|(count, _)| count).sum::<usize>()
            + self.failures.operation_count;
        let planned = self.operations.planned;
        (self.parts.is_applying() && planned > 0).then(|| (over, planned.max(over)))
    }

    /// The counts of changes that were made, in words.
    pub(super) fn counts(&self) -> Vec<String> {
        let mut counts: Vec<String> = self
            .operations
            .done_by_operation()
            .map(|(count, operation)| format!("{count} {}", operation.participle()))
            .collect();
        if self.failures.tainted > 0 {
            counts.push(format!("{} created but tainted", self.failures.tainted));
        }
        counts
    }
}
