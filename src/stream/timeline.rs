//! The timeline of a run: each operation with its times, what was planned, and what went wrong.
//!
//! Invariants: it is kept only on request; the operations and the texts that are kept are bounded, and what is
//! left out is counted; times are those of the messages, so that the same messages give the same timeline;
//! texts are those that are displayed, so that nothing is in them that a display hides.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use foldhash::HashMap;

use crate::model::message::{Hook, Message};
use crate::text::stream::Operation;

use super::operations::{Invocation, address, ephemeral, operation};
use super::planned::steps;
use super::record::Key;
use super::time::{Moment, Timestamps};

/// How many operations are kept, and how many more of those that fail.
const OPERATIONS: usize = 10_000;
const FAILED_OPERATIONS: usize = 1_000;
/// How many planned changes are kept by name.
const PLANNED: usize = 10_000;
/// How many errors, and how many warnings, are kept.
const PROBLEMS: usize = 200;
/// The longest text of an error or a warning.
const LONGEST_PROBLEM: usize = 32 << 10;
/// Of an error or a warning, longer addresses are not kept.
const LONGEST_ADDRESS: usize = 4 << 10;
/// How many bytes the names of operations and planned changes may have.
const BYTES: usize = 16 << 20;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// An operation on a resource instance.
    Operation(Operation),
    /// A provisioner of this type.
    Provisioner(String),
    /// An action.
    Action,
}

impl Task {
    /// Whether it changes something, rather than reading it.
    pub(super) fn is_change(&self) -> bool {
        match self {
            Self::Operation(
                Operation::Read | Operation::Open | Operation::Renew | Operation::Close | Operation::Refresh,
            ) => false,
            Self::Operation(
                Operation::Create
                | Operation::Update
                | Operation::Delete
                | Operation::Replace
                | Operation::Forget,
            )
            | Self::Provisioner(_)
            | Self::Action => true,
        }
    }
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// No message says that it ended.
    Unfinished,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
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
    /// How many operations it takes, and how many of them have started.
    steps: usize,
    started: usize,
}

impl PlannedRow {
    /// Whether an operation of it has started, and another one has not.
    pub(super) fn is_half_started(&self) -> bool {
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
    /// The resource that it is about, if it names one.
    pub(super) address: String,
    /// The text that is displayed of it.
    pub(super) text: String,
    /// How many bytes of the text are left out.
    pub(super) cut: usize,
}

/// What is left out of a timeline, because it would be too much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub(super) operations: usize,
    pub(super) planned: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

/// What happened in a run, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The tool and its version.
    pub(super) tool: String,
    pub(super) operations: Vec<Row>,
    planned: Vec<PlannedRow>,
    pub(super) problems: Vec<Problem>,
    pub(super) left_out: LeftOut,
    /// That the plan which is reviewed is not the plan of the run.
    pub(super) other_plan: Option<String>,
    /// How the run went, in a sentence.
    pub(super) headline: String,
    pub(super) failed: bool,
    /// Changes have begun to be made.
    pub(super) is_applying: bool,
    first: Option<Moment>,
    last: Option<Moment>,
    /// The places of operations that have not ended; two of one name may be open, as of deposed objects.
    open: HashMap<Key, VecDeque<usize>>,
    /// The place of each planned change that has operations to start; none for those that are not kept.
    waiting: HashMap<u64, Option<usize>>,
    bytes: usize,
}

/// With a random hasher: no input can be made whose names collide.
fn hash(address: &str) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(address)
}

impl Timeline {
    /// A timeline of a run of which nothing is known but that it was not shown.
    pub(super) fn failed(headline: &str) -> Self {
        Self { headline: headline.to_owned(), failed: true, ..Self::default() }
    }

    /// A timeline that goes on with another stream of messages: the apply of a plan, after its planning.
    #[must_use]
    pub fn continued(self) -> Self {
        Self { open: HashMap::default(), headline: String::new(), failed: false, ..self }
    }

    /// Another run begins, after one that is complete.
    pub(super) fn next_run(&mut self) {
        self.planned.clear();
        self.waiting.clear();
        self.left_out.planned = 0;
    }

    /// When the first message was written, if messages say so.
    pub(super) fn began(&self) -> Option<String> {
        let first = self.first?;
        let mut text = String::new();
        first.push(&mut text, Timestamps::Utc, first);
        Some(text.trim_end().to_owned())
    }

    /// The milliseconds from the first to the last message.
    pub(super) fn length(&self) -> u64 {
        match (self.first, self.last) {
            (Some(first), Some(last)) => last.millis_since(first),
            (Some(_) | None, None) | (None, Some(_)) => 0,
        }
    }

    /// The planned changes that have operations which never started; all of them before anything is changed.
    pub(super) fn not_started(&self) -> Vec<&PlannedRow> {
        self.planned.iter().filter(|row| !self.is_applying || row.has_missing_steps()).collect()
    }

    /// How many planned changes that have operations which never started are not kept by name.
    pub(super) fn unnamed(&self) -> usize {
        match self.is_applying {
            true => self.waiting.values().filter(|place| place.is_none()).count(),
            false => self.left_out.planned,
        }
    }

    /// Takes in a message.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        let moment = Moment::parse(&message.timestamp);
        if let Some(moment) = moment {
            self.first.get_or_insert(moment);
            self.last = self.last.max(Some(moment));
        }
        let hook = message.hook.as_deref();
        match &*message.message_type {
            "version" => {
                let tool = message.tofu.as_deref().map(|version| ("OpenTofu", version));
                let tool =
                    tool.or_else(|| message.terraform.as_deref().map(|version| ("Terraform", version)));
                if let Some((tool, version)) = tool {
                    self.tool = format!("{tool} {version}");
                }
            }
            "apply_start" | "ephemeral_op_start" => {
                if let Some((_, address, operation)) = operation(message) {
                    self.step_starts(address);
                    self.starts(Key::new(address, operation), address, Task::Operation(operation), moment);
                }
            }
            "apply_complete" | "ephemeral_op_complete" => self.operation_ends(message, moment, Fate::Done),
            "apply_errored" | "ephemeral_op_errored" => self.operation_ends(message, moment, Fate::Failed),
            "refresh_start" => {
                if let Some(address) = hook.and_then(address) {
                    let task = Task::Operation(Operation::Refresh);
                    self.starts(Key::new(address, Operation::Refresh), address, task, moment);
                }
            }
            "refresh_complete" => {
                if let Some(address) = hook.and_then(address) {
                    let task = Task::Operation(Operation::Refresh);
                    let key = Key::new(address, Operation::Refresh);
                    self.ends(key, address, task, moment, None, Fate::Done);
                }
            }
            "provision_start" | "provision_complete" | "provision_errored" => {
                self.provisioner(&message.message_type, hook, moment);
            }
            "ephemeral_action_started" => {
                if let Some(address) = hook.and_then(address) {
                    let operation = ephemeral(&message.text());
                    self.starts(Key::new(address, operation), address, Task::Operation(operation), moment);
                }
            }
            "ephemeral_action_complete" => {
                if let Some(address) = hook.and_then(address) {
                    let operation = ephemeral(&message.text());
                    let key = Key::new(address, operation);
                    self.ends(key, address, Task::Operation(operation), moment, None, Fate::Done);
                }
            }
            "action_start" | "action_complete" | "action_errored" => self.action(message, moment),
            "planned_change" => self.planned_change(message),
            _ => {}
        }
    }

    fn operation_ends(&mut self, message: &Message<'_>, moment: Option<Moment>, fate: Fate) {
        let Some((hook, address, operation)) = operation(message) else { return };
        // Rounded by the tools, and used only where the messages have no times. Odd values saturate.
        let elapsed = (hook.elapsed_seconds * 1000.0) as u64;
        let key = Key::new(address, operation);
        self.ends(key, address, Task::Operation(operation), moment, Some(elapsed), fate);
    }

    fn provisioner(&mut self, kind: &str, hook: Option<&Hook<'_>>, moment: Option<Moment>) {
        let Some((hook, address)) = hook.and_then(|hook| Some((hook, address(hook)?))) else { return };
        let key = Key::named(address, &hook.provisioner);
        let task = Task::Provisioner(hook.provisioner.to_string());
        match kind {
            "provision_start" => self.starts(key, address, task, moment),
            "provision_errored" => self.ends(key, address, task, moment, None, Fate::Failed),
            _ => self.ends(key, address, task, moment, None, Fate::Done),
        }
    }

    fn action(&mut self, message: &Message<'_>, moment: Option<Moment>) {
        let Some(invocation) = Invocation::of(message) else { return };
        let key = Key::named(invocation.action, invocation.trigger());
        match &*message.message_type {
            "action_start" => self.starts(key, invocation.action, Task::Action, moment),
            "action_complete" => {
                self.ends(key, invocation.action, Task::Action, moment, None, Fate::Done);
            }
            _ => {
                self.ends(key, invocation.action, Task::Action, moment, None, Fate::Failed);
                let text = format!("Action failed: {}", &*invocation.hook.error);
                self.problem(true, invocation.action, text);
            }
        }
    }

    fn planned_change(&mut self, message: &Message<'_>) {
        let Some(change) = message.change.as_ref().filter(|change| !change.resource.addr.is_empty()) else {
            return;
        };
        if matches!(&*change.action, "noop" | "no-op") {
            return;
        }
        let (address, steps) = (&*change.resource.addr, steps(&change.action));
        let is_kept = self.planned.len() < PLANNED
            && self.has_room_for(address.len() + change.action.len() + change.reason.len());
        if steps > 0 {
            self.waiting.insert(hash(address), is_kept.then_some(self.planned.len()));
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

    /// An operation of a planned change starts.
    fn step_starts(&mut self, address: &str) {
        if self.waiting.is_empty() {
            return;
        }
        let hash = hash(address);
        let row = match self.waiting.get(&hash) {
            Some(Some(place)) => self.planned.get_mut(*place),
            Some(None) | None => None,
        };
        let is_left = row.is_some_and(|row| {
            row.started += 1;
            row.has_missing_steps()
        });
        if !is_left {
            self.waiting.remove(&hash);
        }
    }

    fn since_first(&self, moment: Moment) -> u64 {
        self.first.map_or(0, |first| moment.millis_since(first))
    }

    fn has_room_for(&mut self, bytes: usize) -> bool {
        let has_room = self.bytes.saturating_add(bytes) <= BYTES;
        if has_room {
            self.bytes += bytes;
        }
        has_room
    }

    fn starts(&mut self, key: Key, address: &str, task: Task, moment: Option<Moment>) {
        if self.operations.len() >= OPERATIONS || !self.has_room_for(address.len()) {
            self.left_out.operations += 1;
            return;
        }
        let start = moment.map(|moment| self.since_first(moment));
        let row = Row { address: address.to_owned(), task, start, length: None, fate: Fate::Unfinished };
        self.open.entry(key).or_default().push_back(self.operations.len());
        self.operations.push(row);
    }

    fn ends(
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
            // A clock that was set back measures nothing.
            let measured = row.start.zip(end).and_then(|(start, end)| end.checked_sub(start));
            row.length = measured.or(elapsed);
            row.fate = fate;
            return;
        }
        // Its start is left out, or was never written. Failures are what a reader looks for.
        let was_counted = self.left_out.operations > 0;
        let most = if fate == Fate::Failed { OPERATIONS + FAILED_OPERATIONS } else { OPERATIONS };
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

    /// Takes in the text of an error or a warning.
    pub(super) fn problem(&mut self, is_error: bool, address: &str, mut text: String) {
        let full = text.len();
        let end = (0..=LONGEST_PROBLEM.min(full)).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or_default());
        let cut = full - text.len();
        let address = if address.len() > LONGEST_ADDRESS { "" } else { address };
        let problem = Problem { is_error, address: address.to_owned(), text, cut };
        // The apply of a plan repeats the warnings of its planning.
        if self.problems.contains(&problem) {
            return;
        }
        let number = self.problems.iter().filter(|problem| problem.is_error == is_error).count();
        if number < PROBLEMS {
            self.problems.push(problem);
        } else if is_error {
            self.left_out.errors += 1;
        } else {
            self.left_out.warnings += 1;
        }
    }
}
