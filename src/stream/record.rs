//! What has happened: what runs, what is done, what failed; and from it the verdict. The recap is in
//! [`super::recap`].
//!
//! Invariant: memory grows with what runs at the same time and with the number of planned changes
//! that have not begun, not with the length of the run; what is named in the recap is bounded.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;
use std::time::Duration;

use foldhash::HashMap;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::Hook;
use crate::text::stream::Operation;

use super::End;
use super::time::Moment;

/// How many failures, and how many changes that never began, are named.
pub(super) const NAMED: usize = 20;

/// How many planned changes are kept by name.
const KEPT: usize = 10_000;

/// Of more operations at the same time than this, the one that takes longest is not sought: each
/// heartbeat would look at all of them.
const COMPARED: usize = 1_000;

/// What identifies an operation: a resource and what is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(address: &str, operation: Operation) -> Self {
        Self(hash(&(address, operation)))
    }
}

/// Of names whose hashes nobody can foresee: none can be made that is taken for another one.
fn hash(of: &impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(of)
}

/// An operation that is going on.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) address: String,
    pub(super) operation: Operation,
    /// `key=value` of what identifies the object.
    id: String,
    started: Option<Moment>,
    seconds: u64,
    seen: Duration,
    order: u64,
}

impl Running {
    /// How long it has been going on by the clock of the live region.
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
}

/// How the run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Well.
    Fine,
    /// It failed.
    Failed,
    /// It ended in the middle of things.
    CutOff,
}

impl Verdict {
    pub(super) fn is_failure(self) -> bool {
        self != Self::Fine
    }
}

/// What has happened.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) messages: u64,
    running: HashMap<Key, Running>,
    order: u64,
    /// Planned changes that have not begun: the place of their names.
    pub(super) waiting: HashMap<u64, usize>,
    pub(super) names: Vec<String>,
    planned: usize,
    done: [usize; 10],
    pub(super) failures: Vec<Failure>,
    pub(super) failed: usize,
    pub(super) errors: Vec<String>,
    pub(super) error_count: usize,
    unexplained: bool,
    actions_running: usize,
    pub(super) began: bool,
    summed_up: bool,
    pub(super) plan_ended: bool,
    pub(super) interrupted: bool,
    /// The tool's own summary.
    said: Option<String>,
    beat: Option<Moment>,
    pub(super) slowest: Vec<(u64, String, Operation)>,
    slowest_count: usize,
}

impl Record {
    pub(super) fn new(slowest_count: usize) -> Self {
        Self { slowest_count, ..Self::default() }
    }

    pub(super) fn message(&mut self) {
        self.messages += 1;
    }

    /// A change is planned. `steps` are the operations that it takes.
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

    /// The plan is summed up: it has an end.
    pub(super) fn plan_ended(&mut self) {
        self.plan_ended = true;
    }

    /// Changes begin to be made.
    pub(super) fn apply_began(&mut self) {
        self.began = true;
    }

    /// The tool has summed up what it did.
    pub(super) fn summed_up(&mut self) {
        self.summed_up = true;
    }

    /// What the tool sums the run up as; the last word counts.
    pub(super) fn said(&mut self, said: &str) {
        self.said = Some(said.trim().to_owned());
    }

    pub(super) fn take_said(&mut self) -> Option<String> {
        self.said.take()
    }

    /// Whether the tool has summed up what it did.
    pub(super) fn is_over(&self) -> bool {
        self.summed_up
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
        self.running.insert(key, Running { address, operation, id, started, seconds: 0, seen: now, order });
    }

    /// Something began that is not known of.
    pub(super) fn unknown_start(&mut self) {
        self.began = true;
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
        self.running.remove(&key);
        self.failed += 1;
        if self.failures.len() < NAMED {
            self.failures.push(Failure { address: address.to_owned(), operation, seconds, reason: None });
        }
    }

    /// An operation is over that nobody counts.
    pub(super) fn forget(&mut self, key: Key) {
        self.running.remove(&key);
    }

    pub(super) fn action_started(&mut self) {
        self.actions_running += 1;
    }

    pub(super) fn action_ended(&mut self) {
        self.actions_running = self.actions_running.saturating_sub(1);
    }

    /// An error was told.
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
        } else if self.errors.len() < NAMED {
            let place = diagnostic
                .range
                .as_ref()
                .map(|range| format!(" ({} line {})", range.filename, range.start.line));
            let address = if diagnostic.address.is_empty() {
                String::new()
            } else {
                format!("{}: ", diagnostic.address)
            };
            self.errors.push(format!("{address}{}{}", reason(), place.unwrap_or_default()));
        }
    }

    /// Something failed that is told elsewhere.
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

    /// How many operations are going on, and which one has for the longest, if that is soon found.
    pub(super) fn running(&self) -> (usize, Option<(&str, u64)>) {
        if self.running.len() > COMPARED {
            return (self.running.len(), None);
        }
        let longest =
            self.running.values().max_by_key(|running| (running.seconds, std::cmp::Reverse(running.order)));
        (self.running.len(), longest.map(|running| (&*running.address, running.seconds)))
    }

    /// The first `count` of the operations that are going on, and how many there are.
    pub(super) fn first_running(&self, count: usize) -> (Vec<&Running>, usize) {
        let mut running: Vec<&Running> = self.running.values().collect();
        running.sort_unstable_by_key(|running| running.order);
        let all = running.len();
        running.truncate(count);
        (running, all)
    }

    /// How many operations are done or failed, and how many there will have been, once that is known.
    pub(super) fn share(&self) -> Option<(usize, usize)> {
        let done: usize = CHANGES.iter().map(|operation| self.done[*operation as usize]).sum();
        let over = done + self.failed;
        (self.began && self.planned > 0).then(|| (over, self.planned.max(over)))
    }

    /// What was done, as counts with their words.
    pub(super) fn counts(&self) -> Vec<String> {
        let count = |operation: &Operation| (self.done[*operation as usize], operation.participle());
        CHANGES
            .iter()
            .map(count)
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect()
    }

    /// The addresses of what failed, and how many there are.
    pub(super) fn failures(&self) -> (impl Iterator<Item = (&str, Operation)>, usize) {
        (self.failures.iter().map(|failure| (&*failure.address, failure.operation)), self.failed)
    }

    /// How the run went.
    pub(super) fn verdict(&self, end: End, tests: Option<bool>) -> Verdict {
        let failed = self.error_count > 0 || self.failed > 0 || self.unexplained;
        // A read that failed inside of a check never says so; the summary shows that it is over.
        let is_over = self.summed_up || (self.plan_ended && !self.began);
        let in_the_middle = !is_over
            && (self.began || self.planned > 0 || self.actions_running > 0 || !self.running.is_empty());
        match (end, tests) {
            (End::Interrupted | End::Unreadable, _) => Verdict::CutOff,
            (End::Closed, Some(true)) if !failed => Verdict::Fine,
            (End::Closed, Some(_)) => Verdict::Failed,
            (End::Closed, None) if failed => Verdict::Failed,
            (End::Closed, None) if in_the_middle => Verdict::CutOff,
            (End::Closed, None) => Verdict::Fine,
        }
    }
}

/// The operations that change something.
const CHANGES: [Operation; 5] =
    [Operation::Create, Operation::Update, Operation::Delete, Operation::Replace, Operation::Forget];
