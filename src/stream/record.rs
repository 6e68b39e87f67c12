//! What has happened: what runs, what is done, what failed; and from it the verdict and the recap.
//!
//! Invariant: memory grows with what runs at the same time and with the number of planned changes
//! that have not begun, not with the length of the run; what is named in the recap is bounded.

use std::hash::{Hash, Hasher};
use std::io;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHasher};

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::Hook;
use crate::term::{Out, Role, Untrusted};
use crate::text::stream::{Operation, duration};

use super::End;
use super::time::Moment;

/// How many failures, and how many changes that never began, are named.
const NAMED: usize = 20;

/// How many planned changes are kept by name.
const KEPT: usize = 10_000;

/// What identifies an operation: a resource and what is done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(address: &str, operation: Operation) -> Self {
        let mut hasher = FxHasher::default();
        address.hash(&mut hasher);
        operation.hash(&mut hasher);
        Self(hasher.finish())
    }
}

fn hash(address: &str) -> u64 {
    let mut hasher = FxHasher::default();
    address.hash(&mut hasher);
    hasher.finish()
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
        self.seconds + now.saturating_sub(self.seen).as_secs()
    }
}

/// An operation that failed.
#[derive(Debug)]
struct Failure {
    address: String,
    operation: Operation,
    seconds: u64,
    reason: Option<String>,
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
    messages: u64,
    running: FxHashMap<Key, Running>,
    order: u64,
    /// Planned changes that have not begun: the place of their names.
    waiting: FxHashMap<u64, usize>,
    names: Vec<String>,
    planned: usize,
    done: [usize; 10],
    failures: Vec<Failure>,
    failed: usize,
    errors: Vec<String>,
    error_count: usize,
    unexplained: bool,
    actions_running: usize,
    began: bool,
    summed_up: bool,
    plan_ended: bool,
    interrupted: bool,
    beat: Option<Moment>,
    slowest: Vec<(u64, String, Operation)>,
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
        self.waiting.insert(hash(address), self.names.len().saturating_sub(1));
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
            self.waiting.remove(&hash(address));
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

    /// How many operations are going on, and which one has for the longest.
    pub(super) fn running(&self) -> (usize, Option<(&str, u64)>) {
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

    /// Says what came of a run that failed, and which operations took longest if that was asked for.
    pub(super) fn recap(&self, end: End, verdict: Verdict, out: &mut Out<'_>) -> io::Result<()> {
        if self.messages == 0 && end == End::Closed {
            return out.lit("tfview: note: no message of a run came; was the tool started with -json?\n");
        }
        if verdict.is_failure() {
            self.what_failed(end, verdict, out)?;
        }
        if !self.slowest.is_empty() {
            out.lit("\nSlowest:\n")?;
            for (seconds, address, operation) in &self.slowest {
                out.lit(&format!("  {:>8}  ", duration(*seconds)))?;
                out.data(Untrusted(address))?;
                out.lit(&format!(" ({})\n", operation.noun().to_lowercase()))?;
            }
        }
        Ok(())
    }

    fn what_failed(&self, end: End, verdict: Verdict, out: &mut Out<'_>) -> io::Result<()> {
        out.lit("\n")?;
        out.role(
            Role::StrongDelete,
            match (end, verdict) {
                (End::Interrupted, _) => "This display was interrupted; the run may still be going on.",
                (End::Unreadable, _) => "The run's messages could not be read to their end.",
                (End::Closed, Verdict::CutOff) => "The run was cut off: its messages end in the middle.",
                (End::Closed, _) if self.interrupted => "The run was interrupted.",
                (End::Closed, _) => "The run failed.",
            },
        )?;
        let done = self.counts();
        if self.began || !done.is_empty() {
            let done = if done.is_empty() { "nothing was changed".to_owned() } else { done.join(", ") };
            out.lit(&format!(" Done: {done}."))?;
        }
        if self.failed > 0 {
            out.lit(&format!(" Failed: {}.", self.failed))?;
        }
        out.lit("\n")?;
        for failure in &self.failures {
            out.lit("  failed: ")?;
            out.data(Untrusted(&failure.address))?;
            out.lit(&format!(
                " ({} after {})",
                failure.operation.noun().to_lowercase(),
                duration(failure.seconds)
            ))?;
            if let Some(reason) = &failure.reason {
                out.lit(": ")?;
                out.data(Untrusted(reason))?;
            }
            out.lit("\n")?;
        }
        more(self.failed, self.failures.len(), out)?;
        for error in &self.errors {
            out.lit("  error: ")?;
            out.data(Untrusted(error))?;
            out.lit("\n")?;
        }
        let told =
            self.errors.len() + self.failures.iter().filter(|failure| failure.reason.is_some()).count();
        more(self.error_count, told, out)?;
        self.what_is_open(out)
    }

    /// What was going on when the messages ended, and what never began.
    fn what_is_open(&self, out: &mut Out<'_>) -> io::Result<()> {
        let (running, all) = self.first_running(NAMED);
        for running in &running {
            out.lit("  not finished: ")?;
            out.data(Untrusted(&running.address))?;
            out.lit(&format!(" ({})\n", running.operation.noun().to_lowercase()))?;
        }
        more(all, running.len(), out)?;
        if !self.began && self.plan_ended {
            return Ok(()); // only a plan was made: nothing was to begin
        }
        let mut names: Vec<usize> = self.waiting.values().copied().collect();
        names.sort_unstable();
        names.dedup();
        let mut named = 0;
        for name in names.iter().filter_map(|at| self.names.get(*at)).take(NAMED) {
            out.lit("  never started: ")?;
            out.data(Untrusted(name))?;
            out.lit("\n")?;
            named += 1;
        }
        more(self.waiting.len(), named, out)
    }
}

/// The operations that change something.
const CHANGES: [Operation; 5] =
    [Operation::Create, Operation::Update, Operation::Delete, Operation::Replace, Operation::Forget];

fn more(all: usize, named: usize, out: &mut Out<'_>) -> io::Result<()> {
    match all.saturating_sub(named) {
        0 => Ok(()),
        rest => out.lit(&format!("  and {rest} more\n")),
    }
}
