//! The recap after a run: failures and their reasons, operations that were running at the end, and the
//! slowest operations.
//!
//! Invariants: each name and reason is on one line, so that no text of the input begins a line. The recap does not
//! repeat what is directly above it: if a run failed before it changed anything, with a single error, that error is
//! left out.

use std::io;

use crate::stream::Ending;
use crate::stream::event::{Stage, Target};
use crate::stream::output::Output;
use crate::stream::state::{State, Verdict};
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Out, Role, Untrusted, capture};
use crate::text::one_line;
use crate::text::stream::{Operation, duration};

use super::outcome::{changed_nothing, failure, is_only_tests};
use super::{Context, RunEnd, Sink};

/// The maximum number of operations named that were running at the end.
const MAX_RUNNING: usize = 20;

/// The maximum number of changes named that never began. They are consequences of the failures above.
const MAX_NOT_STARTED: usize = 5;

/// Writes the recap.
#[derive(Debug)]
pub(in crate::stream) struct RecapSink {
    /// The slowest operations: seconds, address and operation.
    slowest: Vec<(u64, String, Operation)>,
    max_slowest: usize,
}

impl RecapSink {
    /// A recap that names up to `max_slowest` of the slowest operations.
    pub(in crate::stream) fn new(max_slowest: usize) -> Self {
        Self { slowest: Vec::new(), max_slowest }
    }

    fn write(&self, end: RunEnd<'_>, out: &mut Out<'_>) -> io::Result<()> {
        match end.verdict {
            Verdict::NoMessage => {
                return out.lit(
                    "note: the input has no messages of a run\n  tip: was the tool started with -json?\n",
                );
            }
            // The summary of the tests is directly above.
            Verdict::Failed if is_only_tests(end.state) => {}
            Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
                failures(end, out)?;
            }
            Verdict::Fine => {}
        }
        if !self.slowest.is_empty() {
            out.lit("\nSlowest:\n")?;
            for (seconds, address, operation) in &self.slowest {
                let (seconds, noun) = (duration(*seconds), operation.noun().to_lowercase());
                let line = format!("  {seconds:>8}  {} ({noun})\n", one_line(address));
                out.data(Untrusted(&line))?;
            }
        }
        Ok(())
    }
}

impl Sink for RecapSink {
    fn operation(&mut self, stage: Stage, target: &Target<'_>, _: &mut Context<'_, '_>) -> io::Result<()> {
        if stage != Stage::Complete || self.max_slowest == 0 {
            return Ok(());
        }
        let seconds = target.seconds();
        let at = self.slowest.partition_point(|(other, ..)| *other >= seconds);
        if at < self.max_slowest {
            self.slowest.insert(at, (seconds, target.address.to_owned(), target.operation));
            self.slowest.truncate(self.max_slowest);
        }
        Ok(())
    }

    fn finish(&mut self, end: RunEnd<'_>, output: &mut Output<'_>, ending: &mut Ending) -> io::Result<()> {
        self.write(end, output.notes()?)?;
        ending.recap = capture(false, |out| self.write(end, out))?;
        Ok(())
    }
}

fn failures(end: RunEnd<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let state = end.state;
    let (text, counts) = failure(end);
    out.parts(&[Lit("\n"), Styled(Role::StrongDelete, text), Lit(&counts), Lit("\n")])?;
    failed_operations(state, out)?;
    if !(changed_nothing(state) && state.failures.error_count == 1) {
        other_errors(state, out)?;
    }
    running(state, out)?;
    // Before the apply, no change was due yet.
    if state.parts.is_applying() { not_started(state, out) } else { Ok(()) }
}

fn failed_operations(state: &State, out: &mut Out<'_>) -> io::Result<()> {
    let failures = &state.failures.operations;
    for failure in failures {
        let noun = failure.operation.noun().to_lowercase();
        let note = if failure.exists { "; the object exists and is tainted" } else { "" };
        let reason = failure.reason.as_ref().map(|reason| format!(": {}", one_line(reason)));
        let after =
            format!(" ({noun} after {}{note}){}", duration(failure.seconds), reason.unwrap_or_default());
        named("failed", &failure.address, &after, out)?;
    }
    more(state.failures.operation_count, failures.len(), out)
}

fn other_errors(state: &State, out: &mut Out<'_>) -> io::Result<()> {
    let errors = &state.failures.errors;
    for (error, times) in errors {
        let after = if *times > 1 { format!(" ({times} times)") } else { String::new() };
        named("error", error, &after, out)?;
    }
    let named: usize = errors.iter().map(|(_, times)| times).sum();
    let explained = state.failures.operations.iter().filter(|failure| failure.reason.is_some()).count();
    more(state.failures.error_count, named + explained, out)
}

/// Writes the operations that were running when the messages ended.
fn running(state: &State, out: &mut Out<'_>) -> io::Result<()> {
    let running = state.operations.first_running(MAX_RUNNING);
    for running in &running {
        let note = if running.exists { "; the object exists, its provisioner did not finish" } else { "" };
        let after = format!(" ({}{note})", running.operation.noun().to_lowercase());
        named("not finished", &running.address, &after, out)?;
    }
    more(state.operations.running_count(), running.len(), out)
}

/// Writes the planned changes that never began.
fn not_started(state: &State, out: &mut Out<'_>) -> io::Result<()> {
    let (names, all) = state.operations.not_started(MAX_NOT_STARTED);
    for name in &names {
        named("never started", name, "", out)?;
    }
    more(all, names.len(), out)
}

/// Writes a line about the object or error `name`. What is in `after` is on one line already.
fn named(what: &str, name: &str, after: &str, out: &mut Out<'_>) -> io::Result<()> {
    out.data(Untrusted(&format!("  {what}: {}{after}\n", one_line(name))))
}

fn more(all: usize, named: usize, out: &mut Out<'_>) -> io::Result<()> {
    match all.saturating_sub(named) {
        0 => Ok(()),
        rest => out.lit(&format!("  and {rest} more\n")),
    }
}
