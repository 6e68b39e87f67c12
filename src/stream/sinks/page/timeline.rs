//! The timeline of a run: operations with their times, planned changes, errors and warnings.
//!
//! Invariants: it is kept only on request. The number of operations and the length of texts are limited, and
//! what is left out is counted. Times are those of the messages, so the same messages give the same timeline.
//! Texts are those that are displayed, so they contain nothing that the display hides.

use std::collections::VecDeque;

use foldhash::HashMap;

use crate::model::message::PlannedChange;
use crate::stream::key::Key;
use crate::stream::state::steps;
use crate::stream::time::{Moment, Timestamps};
use crate::text::stream::Operation;

/// The maximum number of operations, and the number of further failed operations.
const MAX_OPERATIONS: usize = 10_000;
const MAX_FAILED: usize = 1_000;
/// The maximum number of planned changes that are kept by name.
const MAX_PLANNED: usize = 10_000;
/// The maximum number of errors, and of warnings.
const MAX_PROBLEMS: usize = 200;
/// The maximum length of the text of an error or warning, in bytes.
const MAX_PROBLEM_LENGTH: usize = 32 << 10;
/// The maximum length of the address of an error or warning, in bytes. Longer addresses are not kept.
const MAX_ADDRESS_LENGTH: usize = 4 << 10;
/// The maximum total length of the names of operations and planned changes, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The kind of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// An operation on a resource instance.
    Operation(Operation),
    /// A provisioner of this type.
    Provisioner(String),
    /// An action.
    Action,
    /// A run of a test file.
    Test,
}

impl Task {
    /// Whether it does something of its own, rather than reading.
    pub(super) fn is_change(&self) -> bool {
        match self {
            Self::Operation(operation) => operation.is_change(),
            Self::Provisioner(_) | Self::Action | Self::Test => true,
        }
    }
}

/// The result of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// There is no message about its end.
    Unfinished,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
    /// A test that was skipped.
    Skipped,
}

/// An operation of the run. Times are milliseconds since the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) address: String,
    pub(super) task: Task,
    pub(super) start: Option<u64>,
    pub(super) length: Option<u64>,
    pub(super) fate: Fate,
}

/// A planned change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedRow {
    pub(super) address: String,
    pub(super) action: String,
    pub(super) reason: String,
    /// The number of operations that it takes, and of those that have started.
    steps: usize,
    started: usize,
}

impl PlannedRow {
    /// Whether some, but not all of its operations have started.
    pub(super) fn is_partly_started(&self) -> bool {
        self.started > 0 && self.started < self.steps
    }

    fn has_missing_steps(&self) -> bool {
        self.started < self.steps
    }
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) is_error: bool,
    /// The address of the resource that it concerns; may be empty.
    pub(super) address: String,
    /// The displayed text.
    pub(super) text: String,
    /// The number of bytes of the text that are left out.
    pub(super) cut: usize,
}

/// The number of entries left out of a timeline because of its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) operations: usize,
    pub(super) planned: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

/// The timeline of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The tool and its version.
    pub(super) tool: String,
    pub(super) operations: Vec<Row>,
    planned: Vec<PlannedRow>,
    pub(super) problems: Vec<Problem>,
    pub(super) left_out: LeftOut,
    /// A note if the reviewed plan is not the plan of the run.
    pub(super) other_plan: Option<String>,
    /// The outcome of the run, in a sentence.
    pub(super) headline: String,
    pub(super) failed: bool,
    /// Whether the apply has begun.
    pub(super) is_applying: bool,
    first: Option<Moment>,
    last: Option<Moment>,
    /// The indices of operations that have not ended. Several with the same key may be open, for example for
    /// deposed objects.
    open: HashMap<Key, VecDeque<usize>>,
    /// The index of each planned change with operations that have not started; `None` if it is not kept.
    waiting: HashMap<Key, Option<usize>>,
    bytes: usize,
}

impl Timeline {
    /// The timeline of a run whose display failed.
    pub(super) fn failed(headline: &str) -> Self {
        Self { headline: headline.to_owned(), failed: true, ..Self::default() }
    }

    /// Continues the timeline with another stream of messages: the apply of a plan, after its planning.
    #[must_use]
    pub fn continued(self) -> Self {
        Self { open: HashMap::default(), headline: String::new(), failed: false, ..self }
    }

    /// Begins another run, after a complete one.
    pub(super) fn begin_run(&mut self) {
        self.planned.clear();
        self.waiting.clear();
        self.left_out.planned = 0;
    }

    /// The time of the first message, if messages have timestamps.
    pub(super) fn began(&self) -> Option<String> {
        let first = self.first?;
        let mut text = String::new();
        first.push(&mut text, Timestamps::Utc, first);
        Some(text.trim_end().to_owned())
    }

    /// The milliseconds from the first to the last message.
    pub(super) fn length(&self) -> u64 {
        self.first.zip(self.last).map_or(0, |(first, last)| last.millis_since(first))
    }

    /// The planned changes with operations that have not started; all planned changes before the apply.
    pub(super) fn not_started(&self) -> Vec<&PlannedRow> {
        self.planned.iter().filter(|row| !self.is_applying || row.has_missing_steps()).collect()
    }

    /// The number of planned changes with operations that have not started and that are not kept by name.
    pub(super) fn unnamed(&self) -> usize {
        match self.is_applying {
            true => self.waiting.values().filter(|place| place.is_none()).count(),
            false => self.left_out.planned,
        }
    }

    /// Records the time of a message.
    pub(super) fn add_moment(&mut self, moment: Moment) {
        self.first.get_or_insert(moment);
        self.last = self.last.max(Some(moment));
    }

    /// Records a planned change.
    pub(super) fn add_planned(&mut self, change: &PlannedChange<'_>) {
        if matches!(&*change.action, "noop" | "no-op") {
            return;
        }
        let (address, steps) = (&*change.resource.addr, steps(&change.action));
        let is_kept = self.planned.len() < MAX_PLANNED
            && self.has_room_for(address.len() + change.action.len() + change.reason.len());
        if steps > 0 {
            self.waiting.insert(Key::new(address), is_kept.then_some(self.planned.len()));
        }
        if !is_kept {
            self.left_out.planned += 1;
            return;
        }
        self.planned.push(PlannedRow {
            address: address.to_owned(),
            action: change.action.to_string(),
            reason: change.reason.to_string(),
            steps,
            started: 0,
        });
    }

    /// Records the start of an operation of a planned change.
    pub(super) fn start_step(&mut self, address: &str) {
        if self.waiting.is_empty() {
            return;
        }
        let key = Key::new(address);
        let place = self.waiting.get(&key).copied().flatten();
        let is_left = place.and_then(|place| self.planned.get_mut(place)).is_some_and(|row| {
            row.started += 1;
            row.has_missing_steps()
        });
        if !is_left {
            self.waiting.remove(&key);
        }
    }

    fn since_first(&self, moment: Moment) -> u64 {
        self.first.map_or(0, |first| moment.millis_since(first))
    }

    fn has_room_for(&mut self, bytes: usize) -> bool {
        let has_room = self.bytes.saturating_add(bytes) <= MAX_BYTES;
        if has_room {
            self.bytes += bytes;
        }
        has_room
    }

    /// Starts an operation.
    pub(super) fn start(&mut self, key: Key, address: &str, task: Task, moment: Option<Moment>) {
        if self.operations.len() >= MAX_OPERATIONS || !self.has_room_for(address.len()) {
            self.left_out.operations += 1;
            return;
        }
        let start = moment.map(|moment| self.since_first(moment));
        let row = Row { address: address.to_owned(), task, start, length: None, fate: Fate::Unfinished };
        self.open.entry(key).or_default().push_back(self.operations.len());
        self.operations.push(row);
    }

    /// Ends an operation. `elapsed` is its duration in milliseconds, if its message has one.
    pub(super) fn end(
        &mut self,
        key: Key,
        address: &str,
        task: Task,
        moment: Option<Moment>,
        elapsed: Option<u64>,
        fate: Fate,
    ) {
        let end = moment.map(|moment| self.since_first(moment));
        let place = self.open.get_mut(&key).and_then(VecDeque::pop_front);
        if self.open.get(&key).is_some_and(VecDeque::is_empty) {
            self.open.remove(&key);
        }
        if let Some(row) = place.and_then(|place| self.operations.get_mut(place)) {
            // If the clock was set back, the difference is meaningless.
            let measured = row.start.zip(end).and_then(|(start, end)| end.checked_sub(start));
            row.length = measured.or(elapsed);
            row.fate = fate;
            return;
        }
        // Its start was left out, or there was no message. Failures have priority.
        let was_counted = self.left_out.operations > 0;
        let most = if fate == Fate::Failed { MAX_OPERATIONS + MAX_FAILED } else { MAX_OPERATIONS };
        if (was_counted && fate != Fate::Failed)
            || self.operations.len() >= most
            || !self.has_room_for(address.len())
        {
            self.left_out.operations += usize::from(!was_counted);
            return;
        }
        self.left_out.operations -= usize::from(was_counted);
        let start = end.zip(elapsed).map(|(end, elapsed)| end.saturating_sub(elapsed));
        self.operations.push(Row { address: address.to_owned(), task, start, length: elapsed, fate });
    }

    /// Records the text of an error or warning.
    pub(super) fn add_problem(&mut self, is_error: bool, address: &str, mut text: String) {
        let full = text.len();
        let end = (0..=MAX_PROBLEM_LENGTH.min(full)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
        let cut = full - text.len();
        let address = if address.len() > MAX_ADDRESS_LENGTH { "" } else { address };
        let problem = Problem { is_error, address: address.to_owned(), text, cut };
        // An apply repeats the warnings of the planning.
        if self.problems.contains(&problem) {
            return;
        }
        let number = self.problems.iter().filter(|problem| problem.is_error == is_error).count();
        if number < MAX_PROBLEMS {
            self.problems.push(problem);
        } else if is_error {
            self.left_out.errors += 1;
        } else {
            self.left_out.warnings += 1;
        }
    }
}
