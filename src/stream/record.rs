//! The operations of a run: running, done and failed ones. [`super::course`] tracks the progress of the
//! run, and [`super::recap`] writes the recap.
//!
//! Invariant: memory grows with the number of concurrent operations and of planned changes that have not
//! begun, not with the length of the run; the number of names in the recap is limited.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;
use std::time::Duration;

use foldhash::HashMap;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::Hook;
use crate::text::stream::Operation;

use super::End;
use super::course::{Course, Tested, Verdict};
use super::time::Moment;

/// The maximum number of failures, and of changes that never began, that are named.
pub(super) const NAMED: usize = 20;

/// The maximum number of planned changes that are kept by name.
const KEPT: usize = 10_000;

/// With more concurrent operations than this, heartbeats do not name the longest one, because each heartbeat
/// would have to search all of them.
const COMPARED: usize = 1_000;

/// Identifies an operation by the address of its resource and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(address: &str, operation: Operation) -> Self {
        Self(hash(&(address, operation)))
    }

    /// The key of another operation with two names, such as a provisioner of a resource.
    pub(super) fn named(address: &str, name: &str) -> Self {
        Self(hash(&(address, name)))
    }
}

/// Hashes with a random seed, so that no input can be crafted whose names collide.
fn hash(of: &impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(of)
}

/// A running operation.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) address: String,
    pub(super) operation: Operation,
    /// The `key=value` that identifies the object.
    id: String,
    started: Option<Moment>,
    seconds: u64,
    seen: Duration,
    order: u64,
    /// Whether it is a creation whose provisioners have begun, so that the object exists.
    pub(super) exists: bool,
}

impl Running {
    /// The elapsed time in seconds, by the clock of the live region.
    pub(super) fn seconds(&self, now: Duration) -> u64 {
        self.seconds.saturating_add(now.saturating_sub(self.seen).as_secs())
    }
}

/// An operation that failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) address: String,
    pub(super) operation: Operation,
    pub(super) seconds: u64,
    pub(super) reason: Option<String>,
    /// Whether the object was created but its provisioner failed, so that the tools mark it as tainted.
    pub(super) exists: bool,
}

/// The record of a run.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) course: Course,
    running: HashMap<Key, Running>,
    order: u64,
    /// The planned changes that have not begun, with the indices of their names.
    pub(super) waiting: HashMap<u64, usize>,
    pub(super) names: Vec<String>,
    planned: usize,
    done: [usize; 10],
    pub(super) failures: Vec<Failure>,
    pub(super) failed: usize,
    /// Errors that do not belong to a failed operation, each with its number of occurrences.
    pub(super) errors: Vec<(String, usize)>,
    pub(super) error_count: usize,
    unexplained: bool,
    /// The number of objects that were created but whose provisioners failed.
    tainted: usize,
    pub(super) interrupted: bool,
    /// The tool's own summary.
    tool_summary: Option<String>,
    beat: Option<Moment>,
    pub(super) slowest: Vec<(u64, String, Operation)>,
    slowest_count: usize,
}

impl Record {
    pub(super) fn new(slowest_count: usize) -> Self {
        Self { slowest_count, ..Self::default() }
    }

    /// Records the start of a run, and discards the planned changes of a complete earlier one. Returns
    /// whether no part of an earlier run is open.
    pub(super) fn version(&mut self) -> bool {
        let is_next = self.course.version(!self.running.is_empty());
        if is_next {
            self.planned = 0;
            self.waiting.clear();
            self.names.clear();
        }
        is_next
    }

    /// Records a planned change. `steps` is the number of operations that it takes.
    pub(super) fn planned(&mut self, address: &str, steps: usize) {
        if steps == 0 {
            return;
        }
        self.planned += steps;
        if self.waiting.len() < KEPT {
            self.names.push(address.to_owned());
        }
        self.waiting.insert(hash(&address), self.names.len().saturating_sub(1));
    }

    /// Records the end of the plan. Reads that have not ended have failed, which a check reports.
    pub(super) fn plan_ended(&mut self) {
        self.course.plan_ended();
        self.running.retain(|_, running| CHANGES.contains(&running.operation));
    }

    /// Records the summary of an apply, after which nothing is running.
    pub(super) fn summed_up(&mut self) {
        self.course.apply_ended();
        self.running.clear();
    }

    /// Records the tool's own summary. The last one wins.
    pub(super) fn tool_summary(&mut self, text: &str) {
        self.tool_summary = Some(text.trim().to_owned());
    }

    pub(super) fn tool_summary_text(&self) -> Option<&str> {
        self.tool_summary.as_deref()
    }

    pub(super) fn take_tool_summary(&mut self) -> Option<String> {
        self.tool_summary.take()
    }

    pub(super) fn started(
        &mut self,
        key: Key,
        address: &str,
        operation: Operation,
        hook: &Hook<'_>,
        started: Option<Moment>,
        now: Duration,
    ) {
        if !self.waiting.is_empty() {
            self.waiting.remove(&hash(&address));
        }
        let id = if hook.id_key.is_empty() || hook.id_value.is_empty() {
            String::new()
        } else {
            format!("{}={}", hook.id_key, hook.id_value)
        };
        let address = address.to_owned();
        self.order += 1;
        let order = self.order;
        self.running.insert(
            key,
            Running { address, operation, id, started, seconds: 0, seen: now, order, exists: false },
        );
    }

    /// Records the start of a provisioner. If the resource is being created, its object now exists.
    pub(super) fn provisioner_began(&mut self, address: &str, provisioner: &str) {
        self.course.provisioner_began(Key::named(address, provisioner));
        if let Some(running) = self.running.get_mut(&Key::new(address, Operation::Create)) {
            running.exists = true;
        }
    }

    pub(super) fn goes_on(&mut self, key: Key, seconds: u64, now: Duration) {
        if let Some(running) = self.running.get_mut(&key) {
            running.seconds = seconds;
            running.seen = now;
        }
    }

    pub(super) fn id_of(&self, key: Key) -> Option<&str> {
        self.running.get(&key).map(|running| &*running.id).filter(|id| !id.is_empty())
    }

    pub(super) fn seconds_since_start(&self, key: Key, moment: Moment) -> u64 {
        let started = self.running.get(&key).and_then(|running| running.started);
        started.map_or(0, |started| moment.seconds_since(started))
    }

    pub(super) fn done(&mut self, key: Key, address: &str, operation: Operation, seconds: u64) {
        self.running.remove(&key);
        self.done[operation as usize] += 1;
        if self.slowest_count > 0 {
            let at = self.slowest.partition_point(|(other, ..)| *other >= seconds);
            if at < self.slowest_count {
                self.slowest.insert(at, (seconds, address.to_owned(), operation));
                self.slowest.truncate(self.slowest_count);
            }
        }
    }

    pub(super) fn failed(&mut self, key: Key, address: &str, operation: Operation, seconds: u64) {
        let exists = self.running.remove(&key).is_some_and(|running| running.exists);
        self.failed += 1;
        self.tainted += usize::from(exists);
        if self.failures.len() < NAMED {
            self.failures.push(Failure {
                address: address.to_owned(),
                operation,
                seconds,
                reason: None,
                exists,
            });
        }
    }

    /// Removes an operation without counting it.
    pub(super) fn forget(&mut self, key: Key) {
        self.running.remove(&key);
    }

    /// Records a warning about a check. The data read that it concerns has failed, for which there is no
    /// other message.
    pub(super) fn warning(&mut self, diagnostic: &Diagnostic<'_>) {
        if !self.running.is_empty() && !diagnostic.address.is_empty() && diagnostic.is_in_check() {
            self.running.remove(&Key::new(&diagnostic.address, Operation::Read));
        }
    }

    /// Records an error that was shown.
    pub(super) fn error(&mut self, diagnostic: &Diagnostic<'_>) {
        if diagnostic.severity() != Severity::Error {
            return;
        }
        self.error_count += 1;
        let reason = || diagnostic.summary.lines().next().unwrap_or_default().to_owned();
        let explained = self
            .failures
            .iter_mut()
            .find(|failure| failure.reason.is_none() && failure.address == *diagnostic.address);
        if let Some(failure) = explained {
            failure.reason = Some(reason());
        } else {
            let place = diagnostic
                .range
                .as_ref()
                .map(|range| format!(" ({} line {})", range.filename, range.start.line));
            let address = if diagnostic.address.is_empty() {
                String::new()
            } else {
                format!("{}: ", diagnostic.address)
            };
            let error = format!("{address}{}{}", reason(), place.unwrap_or_default());
            if let Some((_, times)) = self.errors.iter_mut().find(|(known, _)| *known == error) {
                *times += 1;
            } else if self.errors.len() < NAMED {
                self.errors.push((error, 1));
            }
        }
    }

    /// Records a failure that is reported elsewhere.
    pub(super) fn unexplained_failure(&mut self) {
        self.unexplained = true;
    }

    pub(super) fn interrupted(&mut self) {
        self.interrupted = true;
    }

    /// Whether a heartbeat is due, `seconds` after the last one.
    pub(super) fn beats(&mut self, moment: Option<Moment>, seconds: u64) -> bool {
        let due = match (self.beat, moment) {
            (Some(last), Some(now)) => now.seconds_since(last) >= seconds,
            _ => true,
        };
        if due {
            self.beat = moment;
        }
        due
    }

    /// The number of running operations, and the longest one unless there are too many to search.
    pub(super) fn running(&self) -> (usize, Option<(&str, u64)>) {
        if self.running.len() > COMPARED {
            return (self.running.len(), None);
        }
        let longest =
            self.running.values().max_by_key(|running| (running.seconds, std::cmp::Reverse(running.order)));
        (self.running.len(), longest.map(|running| (&*running.address, running.seconds)))
    }

    /// Whether any operation is running.
    pub(super) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// The first `count` running operations, and the number of all running operations.
    pub(super) fn first_running(&self, count: usize) -> (Vec<&Running>, usize) {
        let mut running: Vec<&Running> = self.running.values().collect();
        running.sort_unstable_by_key(|running| running.order);
        let all = running.len();
        running.truncate(count);
        (running, all)
    }

    /// The number of done or failed operations, and the total number, once it is known.
    pub(super) fn share(&self) -> Option<(usize, usize)> {
        let done: usize = CHANGES.iter().map(|operation| self.done[*operation as usize]).sum();
        let over = done + self.failed;
        (self.course.is_applying() && self.planned > 0).then(|| (over, self.planned.max(over)))
    }

    /// The counts of done operations, in words.
    pub(super) fn counts(&self) -> Vec<String> {
        let count = |operation: &Operation| (self.done[*operation as usize], operation.participle());
        let mut counts: Vec<String> = CHANGES
            .iter()
            .map(count)
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if self.tainted > 0 {
            counts.push(format!("{} created but tainted", self.tainted));
        }
        counts
    }

    /// The failed operations that are kept, and the number of all failures.
    pub(super) fn failures(&self) -> (impl Iterator<Item = (&str, Operation)>, usize) {
        (self.failures.iter().map(|failure| (&*failure.address, failure.operation)), self.failed)
    }

    /// The outcome of the run.
    pub(super) fn verdict(&self, end: End, tests: Tested) -> Verdict {
        let failed = self.error_count > 0 || self.failed > 0 || self.unexplained;
        self.course.verdict(end, failed, !self.running.is_empty(), tests)
    }
}

/// The operations that change something.
const CHANGES: [Operation; 5] =
    [Operation::Create, Operation::Update, Operation::Delete, Operation::Replace, Operation::Forget];
