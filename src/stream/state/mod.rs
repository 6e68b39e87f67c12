//! The state of a run: what was planned, what is running, what failed, and which parts are complete.
//!
//! Invariants: the state changes only by [`State::update`], so that the same events give the same state. A message at
//! the level `error` is a failure, unless another message is known to report it.
//!
//! ```text
//! apply_start of a        one operation is running
//! apply_complete of a     no operation is running, one object is created
//! the end of the input    the run is cut off, because no `change_summary` has ended the apply
//! ```

mod operations;
mod parts;

use std::time::Duration;

use super::event::{
    Event, EventKind, Key, PlanEvent, QueryEvent, Stage, Step, Summary, SummarySubject, Target,
    TestEvent, TextEvent, Version,
};
use crate::dialect::{Dialect, DialectChoice};
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::text::stream::{
    Operation, is_init_section, is_init_success, provider_line, tofu_provider_line,
};
use operations::{Failures, Operations};
use parts::{Part, Parts, PlanState};

pub(super) use operations::Planned;
pub use parts::{End, Expected};
pub(super) use parts::{Tested, Verdict};

/// The state of a run after the events so far.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The dialect as far as the user has chosen it.
    dialect_choice: DialectChoice,
    /// The dialect of the run.
    pub(super) dialect: Dialect,
    /// The parts of the run that have begun and ended.
    pub(super) parts: Parts,
    /// The planned and the running operations.
    pub(super) operations: Operations,
    /// The failed operations and other errors.
    pub(super) failures: Failures,
    /// The plan that belongs to the run, as far as it is known.
    pub(super) plan: PlanState,
    /// The outcome of its tests.
    pub(super) tests: Tested,
    /// Whether this is a run of `init`.
    pub(super) is_init: bool,
    /// Whether this is a run of `validate`.
    pub(super) is_validation: bool,
    /// Whether the tool has received an interrupt.
    pub(super) is_interrupted: bool,
    /// Whether the tool reported a state that it could not save. It has such a state only if something may have
    /// changed.
    pub(super) has_unsaved_state: bool,
    /// Whether the current event is a failure that no diagnostic explains, so that its text must be visible.
    pub(super) is_failure: bool,
    /// The last summary that the tool has written.
    pub(super) tool_summary: Option<String>,
    /// The time since the start of the display, which is the clock of the live region.
    pub(super) now: Duration,
}

impl State {
    pub(super) fn new(dialect_choice: DialectChoice, expected: Option<Expected>) -> Self {
        Self {
            dialect_choice,
            dialect: dialect_choice.for_document(None, ""),
            plan: PlanState {
                expected,
                ..PlanState::default()
            },
            ..Self::default()
        }
    }

    /// Updates the state with an event. The `match` has no wildcard, so that the compiler names it for a new event.
    pub(super) fn update(&mut self, event: &Event<'_>) {
        self.operations.ended = None;
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
            EventKind::Operation(stage, target) => self.operation(*stage, target, event),
            EventKind::Provisioner(step, provisioner) => {
                self.step(*step, provisioner.key());
                if *step == Step::Started {
                    self.operations.set_exists(provisioner.address);
                }
            }
            EventKind::Action(step, invocation) => {
                self.step(*step, invocation.key());
                self.fail_if(*step == Step::Errored);
            }
            EventKind::Plan(plan) => self.plan_event(plan),
            EventKind::Summary(summary) => self.summary(summary, event),
            EventKind::Outputs(outputs) => {
                // Several runs may have summaries that follow, so outputs end an apply only for a single run.
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
            EventKind::Query(query) => match query {
                QueryEvent::Started(list) => self.step(Step::Started, Key::new(&*list.address)),
                QueryEvent::Complete(list) => self.step(Step::Complete, Key::new(&*list.address)),
                QueryEvent::Result(_) => {}
            },
            EventKind::Diagnostic(_, diagnostic) => self.diagnostic(diagnostic, event),
            EventKind::Validation(document) => {
                self.parts.count_message("validate");
                self.is_validation = true;
                self.fail_if(
                    document
                        .as_ref()
                        .map_or(true, |it| !it.valid || it.error_count > 0),
                );
            }
            EventKind::Text(text) => match text {
                TextEvent::CutOff => self.parts.is_cut_off = true,
                TextEvent::Withheld { is_error, .. } => self.fail_if(*is_error),
                TextEvent::Shown(_) | TextEvent::AroundMessages | TextEvent::Archive => {}
            },
            EventKind::UnsavedState(_) => {
                self.has_unsaved_state = true;
                self.fail_if(true);
            }
            EventKind::Unknown => self.fail_if(event.is_error()),
            EventKind::Malformed => self.malformed(event),
            EventKind::Policy(_) | EventKind::Diagnostics(_) => {}
        }
    }

    /// Records a failure that no diagnostic explains.
    fn fail_if(&mut self, is_failure: bool) {
        if is_failure {
            self.is_failure = true;
            self.failures.has_unexplained = true;
        }
    }

    /// Records a message of which only the type is known. A part that it may have begun is then open, and a part that
    /// it would have ended stays open.
    fn malformed(&mut self, event: &Event<'_>) {
        let message_type = event.message_type().unwrap_or_default();
        match message_type {
            "change_summary" => self.parts.reopen(),
            "apply_start" => self.parts.begin_apply(),
            "planned_change" | "resource_drift" | "planned_action_invocation" => {
                self.parts.plan.begin();
                self.plan.has_effect = true;
            }
            "test_abstract" => self.begin_tests(),
            _ => {}
        }
        let fails = matches!(
            message_type,
            "apply_errored" | "action_errored" | "migration_errored"
        );
        self.fail_if(fails || event.is_error());
    }

    /// Records the version, with which a run begins.
    fn version(&mut self, version: &Version<'_>) {
        if let Some((tool, release)) = version.tool {
            self.dialect = self.dialect_choice.for_document(Some(tool), release);
        }
        if self.parts.begin_run(self.operations.is_running()) {
            self.operations.begin_run();
        }
        self.parts.is_foreign |= version.is_foreign();
    }

    /// Records a stage of an operation, and the part of the run that it belongs to.
    fn operation(&mut self, stage: Stage, target: &Target<'_>, event: &Event<'_>) {
        // A read belongs to the plan, unless an apply is open. Changes begin the apply. Ephemeral resources are opened
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
                let exists = self
                    .operations
                    .end(target.key())
                    .is_some_and(|ended| ended.exists);
                self.failures.add_operation(target, exists);
            }
            Stage::RefreshStarted => self.parts.begin_refresh(target.key()),
            Stage::RefreshComplete => self.parts.end_refresh(target.key()),
            Stage::EphemeralStarted => {
                self.parts.begin_ephemeral();
                self.operations.start(target, event.moment(), self.now);
            }
            Stage::EphemeralComplete | Stage::EphemeralErrored => {
                self.parts.begin_ephemeral();
                self.operations.end(target.key());
            }
        }
    }

    /// Records a step of a provisioner, an action or a list block, which must end before the run is complete.
    fn step(&mut self, step: Step, key: Key) {
        match step {
            Step::Started => self.parts.steps.insert(key),
            Step::Progress => return,
            Step::Complete | Step::Errored => self.parts.steps.remove(&key),
        };
    }

    /// Records an event about the plan.
    fn plan_event(&mut self, plan: &PlanEvent<'_>) {
        match plan {
            PlanEvent::Change(change) => {
                self.parts.plan.begin();
                self.plan.add_change(change);
                self.operations.plan(change);
            }
            PlanEvent::Drift(_) | PlanEvent::Invocation(_) => {
                self.parts.plan.begin();
                self.plan.has_effect = true;
            }
            PlanEvent::Text => self.plan.set_shown(),
            PlanEvent::NoChanges { .. } => self.plan.no_changes = None,
        }
    }

    /// Records a summary, which ends the plan or the apply.
    fn summary(&mut self, summary: &Summary<'_>, event: &Event<'_>) {
        self.tool_summary = Some(event.text().trim().to_owned());
        match summary.subject {
            SummarySubject::Plan => {
                self.plan.summarize(summary, event);
                if self.parts.end_plan() {
                    self.operations.end_part();
                }
            }
            SummarySubject::Apply => self.end_apply(),
            SummarySubject::Unknown => {}
        }
    }

    /// Ends the apply, or that of one of several runs.
    fn end_apply(&mut self) {
        // A change that has begun and not ended belongs to another run, because no run ends before its changes do.
        if self.parts.end_apply() {
            self.operations.end_part();
        }
    }

    /// Records a message without a type. It is a failure if it is an error and not one of the usual texts of `init`.
    fn untyped(&mut self, text: &str, is_error: bool) {
        let is_init_progress = is_init_section(text)
            || (self.is_init && (is_init_success(text) || tofu_provider_line(text).is_some()));
        self.fail_if(is_error && !is_init_progress);
        self.is_init |= is_init_section(text);
        if self.is_init || text.contains("initialized in an empty directory") {
            self.init_message(text);
        }
    }

    /// Records a text of `init`, which begins or ends it.
    fn init_message(&mut self, text: &str) {
        self.parts.init.begin();
        if is_init_success(text) || text.contains("initialized in an empty directory") {
            self.parts.init = Part::Closed;
        }
    }

    /// Records a message of a test.
    fn test(&mut self, test: &TestEvent<'_>, event: &Event<'_>) {
        match test {
            TestEvent::Abstract(_)
            | TestEvent::File(_)
            | TestEvent::Run(_)
            | TestEvent::Cleanup(_) => {
                self.begin_tests();
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

    fn begin_tests(&mut self) {
        if self.tests == Tested::Nothing {
            self.tests = Tested::Unfinished;
        }
    }

    /// Records a diagnostic. Errors outside of tests are failures.
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, event: &Event<'_>) {
        match diagnostic.severity() {
            Severity::Warning => {
                // The data read that a check contains has failed. No other message reports its end.
                if !diagnostic.address.is_empty() && diagnostic.is_in_check() {
                    self.operations
                        .end(Key::new((&*diagnostic.address, Operation::Read)));
                }
            }
            // Errors of a test count only through the result of the test.
            Severity::Error | Severity::Other if event.test().0.is_empty() => {
                self.failures.add_error(diagnostic);
            }
            Severity::Error | Severity::Other => {}
        }
    }

    /// Returns the number of completed operations that changed something.
    pub(super) fn done(&self) -> usize {
        self.operations
            .done_by_operation()
            .map(|(count, _)| count)
            .sum()
    }

    /// Returns the number of completed or failed operations of an apply, and the total, once it is known.
    pub(super) fn share(&self) -> Option<(usize, usize)> {
        let over = self
            .operations
            .done_by_operation()
            .map(|(count, _)| count)
            .sum::<usize>()
            + self.failures.operation_count;
        let planned = self.operations.planned_steps();
        (self.parts.is_applying() && planned > 0).then(|| (over, planned.max(over)))
    }

    /// Returns the number of completed operations of each kind as words, such as `2 created`.
    pub(super) fn counts(&self) -> Vec<String> {
        let done = self.operations.done_by_operation();
        let mut counts: Vec<String> = done
            .map(|(count, operation)| format!("{count} {}", operation.participle()))
            .collect();
        if self.failures.tainted > 0 {
            counts.push(format!("{} created but tainted", self.failures.tainted));
        }
        counts
    }
}
