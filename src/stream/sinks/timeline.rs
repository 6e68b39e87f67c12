//! The timeline of a run: its operations with their times, its diagnostics, and its outcome.
//!
//! Invariants: the timeline is kept only on request, and takes less memory than the messages of the run. Times are
//! those of the messages, so the same messages give the same timeline. Texts are the displayed ones, so they contain
//! nothing that the display hides.
//!
//! ```text
//! 12:00:00 apply_start of a        a row: a, creation, from 0 ms, unfinished
//! 12:00:02 apply_complete of a     the row: a, creation, from 0 ms, 2000 ms long, done
//! ```

use std::collections::VecDeque;
use std::io;

use foldhash::HashMap;

use super::recap::headline;
use super::{Context, RunEnd, plain_text};
use crate::model::diagnostic::Severity;
use crate::stream::diagnostics::TestName;
use crate::stream::event::{EventKind, Key, Stage, Step, TestEvent};
use crate::stream::moment::{Moment, Timestamps};
use crate::stream::state::{Planned, Verdict};
use crate::text::cut;
use crate::text::stream::Operation;

/// The maximum number of errors that are kept, and likewise of warnings.
const MAX_PROBLEMS: usize = 200;

/// The maximum length of the text of an error or warning, in characters.
const MAX_PROBLEM_LENGTH: usize = 32 << 10;

/// A kind of work that takes time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Operation(Operation),
    Provisioner(String),
    Action,
    Test,
}

/// The result of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskOutcome {
    Unfinished,
    Done,
    Failed,
    Skipped,
}

/// A task in the timeline. Its times are milliseconds since the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The address of the object, or the path of the test.
    pub(super) address: String,
    /// The kind of work.
    pub(super) task: Task,
    /// The start, in milliseconds since the first message.
    pub(super) start: Option<u64>,
    /// The duration, in milliseconds.
    pub(super) length: Option<u64>,
    /// The result.
    pub(super) outcome: TaskOutcome,
}

/// A diagnostic, or another failure that no diagnostic explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) is_error: bool,
    pub(super) address: String,
    pub(super) text: String,
}

/// The record of a run: its tasks with their times, its planned changes, its diagnostics and its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The tool and its version.
    pub(super) tool: String,
    /// The tasks, in the order in which they began.
    pub(super) operations: Vec<Row>,
    /// The planned changes.
    pub(super) planned: Vec<Planned>,
    /// The diagnostics.
    pub(super) problems: Vec<Problem>,
    /// The number of warnings that are not kept, and of errors.
    pub(super) left_out: [usize; 2],
    /// The reason why the given plan is not that of the run.
    pub(super) other_plan: Option<String>,
    /// The outcome in one line.
    pub(super) headline: String,
    /// Whether the run failed or is incomplete.
    pub(super) failed: bool,
    /// Whether an apply has begun.
    pub(super) is_applying: bool,
    /// The time of the first message.
    first: Option<Moment>,
    /// The time of the last message.
    last: Option<Moment>,
    /// The indices of unfinished tasks. Several tasks with the same key may be unfinished, for example for deposed
    /// objects.
    open: HashMap<Key, VecDeque<usize>>,
}

impl Timeline {
    /// Returns the timeline of a run whose display failed.
    pub(super) fn failed() -> Self {
        let headline =
            "tfview failed while it showed this run, and does not know how it went.".to_owned();
        Self {
            headline,
            failed: true,
            ..Self::default()
        }
    }

    /// Returns the timeline for the next part of the run, whose messages are in another input.
    #[must_use]
    pub fn continued(self) -> Self {
        Self {
            open: HashMap::default(),
            headline: String::new(),
            failed: false,
            ..self
        }
    }

    /// Records the outcome of the run.
    pub(super) fn ended(mut self, end: RunEnd<'_>) -> Self {
        self.headline = headline(end);
        self.failed = end.verdict != Verdict::Fine;
        self.is_applying = end.state.parts.is_applying();
        self.other_plan = end.state.plan.mismatch.clone();
        if end.state.parts.has_messages {
            self.planned = end.state.operations.planned.clone();
        }
        self
    }

    /// Returns the time of the first message, in UTC.
    pub(super) fn began(&self) -> Option<String> {
        let first = self.first?;
        let mut text = String::new();
        first.push(&mut text, Timestamps::Utc, first);
        Some(text.trim_end().to_owned())
    }

    /// Returns the time from the first to the last message, in milliseconds; 0 without timestamps.
    pub(super) fn length(&self) -> u64 {
        self.first
            .zip(self.last)
            .map_or(0, |(first, last)| last.millis_since(first))
    }

    /// Returns the planned changes that did not start or are incomplete. Before the apply, these are all of them.
    pub(super) fn not_started(&self) -> Vec<&Planned> {
        self.planned
            .iter()
            .filter(|planned| !self.is_applying || planned.is_incomplete())
            .collect()
    }

    /// Records an event: the times of tasks, diagnostics, and the version of the tool.
    pub(super) fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let (event, state) = (context.event, context.state);
        let kind = &event.kind;
        let moment = event.moment();
        self.first = self.first.or(moment);
        self.last = self.last.max(moment);
        // A failure that no diagnostic explains. An action has its own text.
        if state.is_failure
            && event.message_type().is_some()
            && !matches!(kind, EventKind::Action(..))
        {
            self.add_problem(true, "", &event.text());
        }
        let now = moment
            .zip(self.first)
            .map(|(moment, first)| moment.millis_since(first));
        if let EventKind::Version(version) = kind {
            if let Some((tool, release)) = version.tool {
                self.tool = format!("{} {release}", tool.product());
            }
        } else if let EventKind::Operation(stage, target) = kind {
            let (step, length) = match stage {
                Stage::Started | Stage::RefreshStarted | Stage::EphemeralStarted => {
                    (Step::Started, None)
                }
                Stage::Progress => (Step::Progress, None),
                // The tools round the duration, so it is used only if messages have no timestamps.
                Stage::Complete => (Step::Complete, Some(target.millis())),
                Stage::Errored | Stage::EphemeralErrored => (Step::Errored, Some(target.millis())),
                Stage::RefreshComplete | Stage::EphemeralComplete => (Step::Complete, None),
            };
            self.step(
                step,
                target.key(),
                target.address,
                Task::Operation(target.operation),
                now,
                length,
            );
        } else if let EventKind::Provisioner(step, provisioner) = kind {
            let task = Task::Provisioner(provisioner.name.to_owned());
            self.step(
                *step,
                provisioner.key(),
                provisioner.address,
                task,
                now,
                None,
            );
        } else if let EventKind::Action(step, invocation) = kind {
            self.step(
                *step,
                invocation.key(),
                invocation.action,
                Task::Action,
                now,
                None,
            );
            if *step == Step::Errored {
                let text = format!("Action failed: {}", invocation.error);
                self.add_problem(true, invocation.action, &text);
            }
        } else if let EventKind::Test(TestEvent::Run(run)) = kind {
            let (file, _) = event.test();
            let address = TestName {
                file: file.to_owned(),
                run: run.run.to_string(),
            }
            .path();
            let outcome = match &*run.status {
                "pass" => TaskOutcome::Done,
                "skip" | "pending" => TaskOutcome::Skipped,
                "" => TaskOutcome::Unfinished,
                _ => TaskOutcome::Failed,
            };
            let row = Row {
                address,
                task: Task::Test,
                start: now,
                length: None,
                outcome,
            };
            if run.is_end() {
                self.end(Key::new((file, &*run.run)), row);
            } else if run.is_start() {
                self.start(Key::new((file, &*run.run)), row);
            }
        } else if let EventKind::Diagnostics(group) = kind {
            for (diagnostic, similar) in &group.merged {
                let text = plain_text(diagnostic, *similar, context)?;
                // A failed assertion belongs to its run, whatever resource it is about.
                let test = group.test.path();
                let address = if test.is_empty() {
                    &*diagnostic.address
                } else {
                    &*test
                };
                self.add_problem(diagnostic.severity() != Severity::Warning, address, &text);
            }
        }
        Ok(())
    }

    /// Records a step of a task. `length` is the duration in milliseconds, if the message contains it.
    fn step(
        &mut self,
        step: Step,
        key: Key,
        address: &str,
        task: Task,
        now: Option<u64>,
        length: Option<u64>,
    ) {
        let address = address.to_owned();
        let row = |outcome| Row {
            address,
            task,
            start: now,
            length,
            outcome,
        };
        match step {
            Step::Started => self.start(key, row(TaskOutcome::Unfinished)),
            Step::Progress => {}
            Step::Complete => self.end(key, row(TaskOutcome::Done)),
            Step::Errored => self.end(key, row(TaskOutcome::Failed)),
        }
    }

    /// Adds a task that begins.
    fn start(&mut self, key: Key, row: Row) {
        self.open
            .entry(key)
            .or_default()
            .push_back(self.operations.len());
        self.operations.push(row);
    }

    /// Ends the first unfinished task with a key. `row` is made of the message about the end, with the time of the end
    /// as its start.
    fn end(&mut self, key: Key, row: Row) {
        let index = self.open.get_mut(&key).and_then(VecDeque::pop_front);
        if self.open.get(&key).is_some_and(VecDeque::is_empty) {
            self.open.remove(&key);
        }
        let (end, length) = (row.start, row.length);
        let Some(begun) = index.and_then(|index| self.operations.get_mut(index)) else {
            // There was no message about the start of the task.
            let start = end
                .zip(length)
                .map(|(end, length)| end.saturating_sub(length));
            return self.operations.push(Row { start, ..row });
        };
        // If the clock was set back, the difference means nothing.
        let measured = begun
            .start
            .zip(end)
            .and_then(|(start, end)| end.checked_sub(start));
        (begun.length, begun.outcome) = (measured.or(length), row.outcome);
    }

    /// Adds a diagnostic, unless it is already there. If too many are kept, it is only counted.
    fn add_problem(&mut self, is_error: bool, address: &str, text: &str) {
        let text = cut(text, MAX_PROBLEM_LENGTH);
        let problem = Problem {
            is_error,
            address: address.to_owned(),
            text,
        };
        // An apply repeats the warnings of its plan.
        if self.problems.contains(&problem) {
            return;
        }
        if self
            .problems
            .iter()
            .filter(|problem| problem.is_error == is_error)
            .count()
            < MAX_PROBLEMS
        {
            self.problems.push(problem);
        } else {
            self.left_out[usize::from(is_error)] += 1;
        }
    }
}
