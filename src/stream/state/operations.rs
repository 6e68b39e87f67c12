//! The planned, running and completed operations of a run, and its failures.
//!
//! Invariants: memory grows with the number of planned changes and of concurrent operations, not with the length of the
//! run. All failures are counted, and the first ones are kept.
//!
//! ```text
//! apply_start of a      at work: a
//! apply_start of b      at work: a, b
//! apply_errored of a    at work: b; failed: a
//! ```

use std::cmp::Reverse;
use std::time::Duration;

use foldhash::HashMap;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::PlannedChange;
use crate::stream::event::{Key, Target};
use crate::stream::moment::Moment;
use crate::text::stream::Operation;

/// The maximum number of concurrent operations among which the longest one is searched for.
const MAX_COMPARED: usize = 1_000;

/// The maximum number of failed operations, and of errors, that are named.
const MAX_NAMED: usize = 20;

/// A planned change, with its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::stream) struct Planned {
    /// The address of the resource instance.
    pub(in crate::stream) address: String,
    /// The action in the word of the messages.
    pub(in crate::stream) action: String,
    /// The reason of the action in the word of the messages.
    pub(in crate::stream) reason: String,
    /// The number of operations that the change consists of.
    steps: usize,
    /// The number of its operations that have started.
    started: usize,
}

impl Planned {
    /// Whether at least one of its operations has not started.
    pub(in crate::stream) fn is_incomplete(&self) -> bool {
        self.started < self.steps
    }

    pub(in crate::stream) fn has_started(&self) -> bool {
        self.started > 0
    }
}

/// An operation that has begun.
#[derive(Debug)]
pub(in crate::stream) struct Running {
    /// The address of the resource instance.
    pub(in crate::stream) address: String,
    /// The operation on the object.
    pub(in crate::stream) operation: Operation,
    /// The attribute that identifies the object, as `key=value`; empty if it is unknown.
    id: String,
    /// The time of the message that began it.
    started: Option<Moment>,
    /// The duration in seconds, according to its last message.
    seconds: u64,
    /// The time of its last message, by the clock of the live region.
    updated: Duration,
    /// The number of the operation in the order of starts.
    order: u64,
    /// Whether the object of a creation exists, because its provisioners have begun.
    pub(in crate::stream) exists: bool,
}

impl Running {
    /// Returns the duration in seconds, `now` by the clock of the live region.
    pub(in crate::stream) fn seconds(&self, now: Duration) -> u64 {
        self.seconds
            .saturating_add(now.saturating_sub(self.updated).as_secs())
    }
}

/// The operations of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct Operations {
    /// The planned changes, in the order of their messages.
    pub(in crate::stream) planned: Vec<Planned>,
    /// The index of the last planned change at each address, if it consists of operations.
    indices: HashMap<Key, usize>,
    /// The operations that have begun and not ended.
    pub(super) running: HashMap<Key, Running>,
    /// The number of the last operation that has begun.
    order: u64,
    /// The operation that the current event ends.
    pub(super) ended: Option<Running>,
    /// The number of operations that were completed, by their kind.
    pub(super) done: [usize; Operation::COUNT],
}

impl Operations {
    /// Forgets the planned changes of an earlier run.
    pub(super) fn begin_run(&mut self) {
        self.planned.clear();
        self.indices.clear();
    }

    /// Adds a planned change. The operations at one address are counted for the last change there.
    pub(super) fn plan(&mut self, change: &PlannedChange<'_>) {
        let mut steps = match &*change.action {
            "create" | "update" | "delete" => 1,
            "replace" => 2,
            "noop" | "no-op" => return,
            _ => 0,
        };
        if steps > 0
            && let Some(earlier) = self
                .indices
                .insert(Key::new(&*change.resource.addr), self.planned.len())
        {
            // An address can have several changes, for example that of a deposed object. Their operations are counted
            // together.
            steps += std::mem::take(&mut self.planned[earlier].steps);
        }
        self.planned.push(Planned {
            address: change.resource.addr.to_string(),
            action: change.action.to_string(),
            reason: change.reason.to_string(),
            steps,
            started: 0,
        });
    }

    /// Returns the number of operations of all planned changes.
    pub(super) fn planned_steps(&self) -> usize {
        self.planned.iter().map(|planned| planned.steps).sum()
    }

    /// Records the start of an operation. `started` is the time of its message, if that is needed, and `now` the clock
    /// of the live region.
    pub(super) fn start(&mut self, target: &Target<'_>, started: Option<Moment>, now: Duration) {
        if !self.indices.is_empty()
            && let Some(index) = self.indices.get(&Key::new(target.address))
        {
            self.planned[*index].started += 1;
        }
        self.order += 1;
        let running = Running {
            address: target.address.to_owned(),
            operation: target.operation,
            id: target
                .id
                .map(|(key, value)| format!("{key}={value}"))
                .unwrap_or_default(),
            started,
            seconds: 0,
            updated: now,
            order: self.order,
            exists: false,
        };
        self.running.insert(target.key(), running);
    }

    /// Records a message about the progress of an operation.
    pub(super) fn update(&mut self, target: &Target<'_>, now: Duration) {
        if let Some(running) = self.running.get_mut(&target.key()) {
            running.seconds = target.seconds();
            running.updated = now;
        }
    }

    /// Records that the object of a creation exists.
    pub(super) fn set_exists(&mut self, address: &str) {
        if let Some(running) = self
            .running
            .get_mut(&Key::new((address, Operation::Create)))
        {
            running.exists = true;
        }
    }

    /// Ends an operation, and returns it.
    pub(super) fn end(&mut self, key: Key) -> Option<&Running> {
        self.ended = self.running.remove(&key);
        self.ended.as_ref()
    }

    /// Ends all operations that change nothing. Reads that have not ended have failed, which is reported by a check.
    pub(super) fn end_part(&mut self) {
        self.running
            .retain(|_, running| running.operation.is_change());
    }

    /// Returns the attribute that identifies the object of a running operation, if it is known.
    pub(in crate::stream) fn id(&self, key: Key) -> Option<&str> {
        self.running
            .get(&key)
            .map(|running| &*running.id)
            .filter(|id| !id.is_empty())
    }

    /// Returns the duration in seconds of the operation that the current event has ended; 0 if it is unknown.
    pub(in crate::stream) fn ended_after(&self, moment: Option<Moment>) -> u64 {
        let started = self.ended.as_ref().and_then(|ended| ended.started);
        moment
            .zip(started)
            .map_or(0, |(moment, started)| moment.seconds_since(started))
    }

    /// Returns the operation that has been running longest, with its duration in seconds. `None` if there are none, or
    /// too many to search.
    pub(in crate::stream) fn longest(&self) -> Option<(&str, u64)> {
        let running = self.running.values().take(MAX_COMPARED + 1);
        let longest = running.max_by_key(|running| (running.seconds, Reverse(running.order)))?;
        (self.running.len() <= MAX_COMPARED).then_some((&*longest.address, longest.seconds))
    }

    pub(in crate::stream) fn running_count(&self) -> usize {
        self.running.len()
    }

    pub(in crate::stream) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Returns the first `count` running operations, in the order in which they began.
    pub(in crate::stream) fn first_running(&self, count: usize) -> Vec<&Running> {
        let mut first: Vec<&Running> = self.running.values().collect();
        first.sort_by_key(|running| running.order);
        first.truncate(count);
        first
    }

    /// Returns the number of completed operations of each kind. Kinds that change nothing are left out, and so are
    /// those without any.
    pub(super) fn done_by_operation(&self) -> impl Iterator<Item = (usize, Operation)> {
        let counts = Operation::CHANGES
            .into_iter()
            .map(|operation| (self.done[operation as usize], operation));
        counts.filter(|(count, _)| *count > 0)
    }
}

/// A failed operation, with its reason.
#[derive(Debug)]
pub(in crate::stream) struct Failure {
    /// The address of the resource instance.
    pub(in crate::stream) address: String,
    /// The operation on the object.
    pub(in crate::stream) operation: Operation,
    /// The duration, in seconds.
    pub(in crate::stream) seconds: u64,
    /// The summary of the diagnostic that explains it.
    pub(in crate::stream) reason: Option<String>,
    /// Whether the object was created but its provisioner failed, so that the tools mark it as tainted.
    pub(in crate::stream) exists: bool,
}

/// The failures of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct Failures {
    /// The first failed operations, up to `MAX_NAMED`.
    pub(in crate::stream) operations: Vec<Failure>,
    /// The number of failed operations.
    pub(in crate::stream) operation_count: usize,
    /// The first errors that belong to no failed operation, each with the number of its occurrences.
    pub(in crate::stream) errors: Vec<(String, usize)>,
    /// The number of all errors, including those that are the reason of a failed operation.
    pub(in crate::stream) error_count: usize,
    /// The number of objects that were created but whose provisioners failed.
    pub(super) tainted: usize,
    /// Whether there was a failure that is not reported by a diagnostic.
    pub(super) has_unexplained: bool,
}

impl Failures {
    /// Adds a failed operation; `exists` says that its object was created.
    pub(super) fn add_operation(&mut self, target: &Target<'_>, exists: bool) {
        self.operation_count += 1;
        self.tainted += usize::from(exists);
        if self.operations.len() < MAX_NAMED {
            let (address, operation, seconds) = (
                target.address.to_owned(),
                target.operation,
                target.seconds(),
            );
            self.operations.push(Failure {
                address,
                operation,
                seconds,
                reason: None,
                exists,
            });
        }
    }

    /// Adds an error. It becomes the reason of a failed operation at the same address that has none yet; otherwise it
    /// is named by itself. Warnings are ignored.
    pub(super) fn add_error(&mut self, diagnostic: &Diagnostic<'_>) {
        match diagnostic.severity() {
            // A severity that neither tool uses may mean an error, so the run must not pass.
            Severity::Error | Severity::Other => {}
            Severity::Warning => return,
        }
        self.error_count += 1;
        let reason = diagnostic.summary.lines().next().unwrap_or_default();
        let explained = self
            .operations
            .iter_mut()
            .find(|failure| failure.reason.is_none() && failure.address == *diagnostic.address);
        if let Some(failure) = explained {
            failure.reason = Some(reason.to_owned());
            return;
        }
        let address = match &*diagnostic.address {
            "" => String::new(),
            address => format!("{address}: "),
        };
        let place = match &diagnostic.range {
            Some(range) => format!(" ({} line {})", range.filename, range.start.line),
            None => String::new(),
        };
        let error = format!("{address}{reason}{place}");
        if let Some((_, times)) = self.errors.iter_mut().find(|(known, _)| *known == error) {
            *times += 1;
        } else if self.errors.len() < MAX_NAMED {
            self.errors.push((error, 1));
        }
    }

    pub(in crate::stream) fn has_any(&self) -> bool {
        self.error_count > 0 || self.operation_count > 0 || self.has_unexplained
    }
}
