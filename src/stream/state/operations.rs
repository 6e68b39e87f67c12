//! The operations of a run: running and done ones, and planned changes that have not begun.
//!
//! Invariant: memory grows with the number of concurrent operations and of planned changes that have not
//! begun, not with the length of the run.

use std::cmp::Reverse;
use std::time::Duration;

use foldhash::HashMap;

use crate::stream::event::Target;
use crate::stream::key::Key;
use crate::stream::time::Moment;
use crate::text::stream::Operation;

/// The maximum number of planned changes that are kept by name.
const MAX_NAMES: usize = 10_000;

/// With more concurrent operations than this, the longest one is not searched for.
const MAX_COMPARED: usize = 1_000;

/// A running operation.
#[derive(Debug)]
pub(in crate::stream) struct Running {
    pub(in crate::stream) address: String,
    pub(in crate::stream) operation: Operation,
    /// The `key=value` that identifies the object.
    id: String,
    started: Option<Moment>,
    /// The duration in the last message about it.
    seconds: u64,
    /// The time of the last message about it, by the clock of the live region.
    updated: Duration,
    order: u64,
    /// Whether it is a creation whose provisioners have begun, so that the object exists.
    pub(in crate::stream) exists: bool,
}

impl Running {
    /// The elapsed time in seconds, by the clock of the live region.
    pub(in crate::stream) fn seconds(&self, now: Duration) -> u64 {
        self.seconds.saturating_add(now.saturating_sub(self.updated).as_secs())
    }
}

/// The operations of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct Operations {
    pub(super) running: HashMap<Key, Running>,
    order: u64,
    /// The operation that the current event ended.
    pub(super) ended: Option<Running>,
    /// The planned changes that have not begun, with the indices of their names.
    waiting: HashMap<Key, usize>,
    names: Vec<String>,
    /// The number of operations of the planned changes.
    pub(super) planned: usize,
    /// The number of successful operations of each kind.
    pub(super) done: [usize; Operation::COUNT],
}

impl Operations {
    /// Forgets the planned changes of an earlier run.
    pub(super) fn begin_run(&mut self) {
        self.planned = 0;
        self.waiting.clear();
        self.names.clear();
    }

    /// Adds a planned change that takes this number of operations.
    pub(super) fn plan(&mut self, address: &str, steps: usize) {
        if steps == 0 {
            return;
        }
        self.planned += steps;
        if self.waiting.len() < MAX_NAMES {
            self.names.push(address.to_owned());
        }
        self.waiting.insert(Key::new(address), self.names.len().saturating_sub(1));
    }

    /// Starts an operation. `now` is the time by the clock of the live region.
    pub(super) fn start(&mut self, target: &Target<'_>, started: Option<Moment>, now: Duration) {
        if !self.waiting.is_empty() {
            self.waiting.remove(&Key::new(target.address));
        }
        self.order += 1;
        let running = Running {
            address: target.address.to_owned(),
            operation: target.operation,
            id: target.id.map(|(key, value)| format!("{key}={value}")).unwrap_or_default(),
            started,
            seconds: 0,
            updated: now,
            order: self.order,
            exists: false,
        };
        self.running.insert(target.key(), running);
    }

    /// Updates the duration of an operation.
    pub(super) fn update(&mut self, target: &Target<'_>, now: Duration) {
        if let Some(running) = self.running.get_mut(&target.key()) {
            running.seconds = target.seconds();
            running.updated = now;
        }
    }

    /// Records that the object of a creation exists, because one of its provisioners has begun.
    pub(super) fn set_exists(&mut self, address: &str) {
        if let Some(running) = self.running.get_mut(&Key::new((address, Operation::Create))) {
            running.exists = true;
        }
    }

    /// Ends an operation, whether it succeeded or not.
    pub(super) fn end(&mut self, key: Key) -> Option<&Running> {
        self.ended = self.running.remove(&key);
        self.ended.as_ref()
    }

    /// Ends all operations that change nothing, at the end of the plan. Reads that have not ended have
    /// failed, which a check reports.
    pub(super) fn end_plan(&mut self) {
        self.running.retain(|_, running| running.operation.is_change());
    }

    /// The `key=value` that identifies the object of a running operation.
    pub(in crate::stream) fn id(&self, key: Key) -> Option<&str> {
        self.running.get(&key).map(|running| &*running.id).filter(|id| !id.is_empty())
    }

    /// The seconds that the operation took that the current event ended; 0 if they are unknown.
    pub(in crate::stream) fn ended_after(&self, moment: Option<Moment>) -> u64 {
        let started = self.ended.as_ref().and_then(|ended| ended.started);
        moment.zip(started).map_or(0, |(moment, started)| moment.seconds_since(started))
    }

    /// The number of running operations, and the longest one unless there are too many to search.
    pub(in crate::stream) fn longest(&self) -> (usize, Option<(&str, u64)>) {
        if self.running.len() > MAX_COMPARED {
            return (self.running.len(), None);
        }
        let longest = self.running.values().max_by_key(|running| (running.seconds, Reverse(running.order)));
        (self.running.len(), longest.map(|running| (&*running.address, running.seconds)))
    }

    /// Whether any operation is running.
    pub(in crate::stream) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// The number of running operations.
    pub(in crate::stream) fn running_count(&self) -> usize {
        self.running.len()
    }

    /// The first `count` running operations.
    pub(in crate::stream) fn first_running(&self, count: usize) -> Vec<&Running> {
        let mut first: Vec<&Running> = Vec::new();
        for running in self.running.values() {
            let at = first.partition_point(|earlier| earlier.order < running.order);
            if at < count {
                first.truncate(count - 1);
                first.insert(at, running);
            }
        }
        first
    }

    /// The first `count` names of planned changes that have not begun, and the number of all such changes.
    pub(in crate::stream) fn not_started(&self, count: usize) -> (Vec<&str>, usize) {
        let mut indices: Vec<usize> = self.waiting.values().copied().collect();
        indices.sort_unstable();
        indices.dedup();
        let names = indices.iter().filter_map(|at| self.names.get(*at)).map(|name| &**name);
        (names.take(count).collect(), self.waiting.len())
    }

    /// The number of successful operations of each kind that changes something, if there were any.
    pub(super) fn done_by_operation(&self) -> impl Iterator<Item = (usize, Operation)> {
        Operation::CHANGES
            .into_iter()
            .map(|operation| (self.done[operation as usize], operation))
            .filter(|(count, _)| *count > 0)
    }
}
