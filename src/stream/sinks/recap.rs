//! The recap after a run: why it failed or is incomplete, and its slowest operations.
//!
//! Invariants: each name and reason is on one line, so that no text of the input begins a line. The recap does not
//! repeat the text directly above it: if a run failed before it changed anything, with a single error, that error is
//! left out.
//!
//! ```text
//! The run failed. Done: 1 created. Failed: 1.
//!   failed: b (creation after 2s): Quota exceeded
//!   never started: c
//! ```

use std::io;

use super::{Context, RunEnd};
use crate::stream::event::{EventKind, Stage};
use crate::stream::state::End;
use crate::stream::state::{State, Tested, Verdict};
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Out, Role, Untrusted};
use crate::text::one_line;
use crate::text::stream::{Operation, duration};

/// The maximum number of operations that are named because they were running at the end.
const MAX_RUNNING: usize = 20;

/// The maximum number of changes that are named because they never started. They are consequences of the failures above
/// them.
const MAX_NOT_STARTED: usize = 5;

/// The slowest completed operations, the slowest first.
#[derive(Debug, Default)]
pub(super) struct Slowest(Vec<SlowOperation>);

/// A completed operation with its duration.
#[derive(Debug)]
struct SlowOperation {
    /// The duration, in seconds.
    seconds: u64,
    /// The address of the resource instance.
    address: String,
    /// The operation on the object.
    operation: Operation,
}

impl Slowest {
    /// Adds a completed operation if it is one of the slowest. Their number is an option.
    pub(super) fn event(&mut self, context: &Context<'_, '_>) {
        let most = context.options.slowest;
        if let EventKind::Operation(Stage::Complete, target) = &context.event.kind
            && most > 0
        {
            let seconds = target.seconds();
            let index = self.0.partition_point(|other| other.seconds >= seconds);
            if index < most {
                self.0.insert(
                    index,
                    SlowOperation {
                        seconds,
                        address: target.address.to_owned(),
                        operation: target.operation,
                    },
                );
                self.0.truncate(most);
            }
        }
    }
}

/// Writes the reason why a run failed or is incomplete, and its slowest operations. Without either, it writes nothing.
pub(super) fn write(end: RunEnd<'_>, slowest: &Slowest, out: &mut Out<'_>) -> io::Result<()> {
    match end.verdict {
        Verdict::NoMessage => {
            return out
                .lit("note: the input has no messages of a run\n  tip: was the tool started with -json?\n");
        }
        // The summary of the tests is directly above, and says the same.
        Verdict::Failed if is_only_tests(end.state) => {}
        Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
            failures(end, out)?;
        }
        Verdict::Fine => {}
    }
    for (index, slow) in slowest.0.iter().enumerate() {
        let (seconds, noun) = (duration(slow.seconds), slow.operation.noun().to_lowercase());
        out.lit(if index == 0 { "\nSlowest:\n" } else { "" })?;
        out.data(Untrusted(&format!(
            "  {seconds:>8}  {} ({noun})\n",
            one_line(&slow.address)
        )))?;
    }
    Ok(())
}

/// Returns the outcome of a run as one line.
pub(super) fn headline(end: RunEnd<'_>) -> String {
    match end.verdict {
        Verdict::NoMessage => "No message of a run came.".to_owned(),
        Verdict::Failed if is_only_tests(end.state) => "Tests failed.".to_owned(),
        Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
            let (text, counts) = failure(end);
            format!("{text}{counts}")
        }
        Verdict::Fine => end
            .state
            .tool_summary
            .as_deref()
            .unwrap_or("The run succeeded.")
            .to_owned(),
    }
}

/// Whether only tests failed. The summary of the tests counts these failures.
fn is_only_tests(state: &State) -> bool {
    let failures = &state.failures;
    state.tests == Tested::Failed && failures.error_count == 0 && failures.operation_count == 0
}

/// Whether the apply has not begun, and no completed operation changed anything.
fn changed_nothing(state: &State) -> bool {
    !state.parts.is_applying() && state.counts().is_empty()
}

/// Whether the command can change objects, unlike `init`, `validate` and `test`.
fn may_change(state: &State) -> bool {
    !state.is_init && !state.is_validation && state.tests == Tested::Nothing
}

/// Whether nothing indicates that the run changed anything. A state that could not be saved does, even if no message of
/// an operation came.
fn seems_unchanged(state: &State) -> bool {
    changed_nothing(state) && state.failures.operation_count == 0 && !state.has_unsaved_state
}

/// Returns a sentence about the failure, and the counts of completed and failed operations.
fn failure(end: RunEnd<'_>) -> (&'static str, String) {
    let state = end.state;
    let changed_nothing = changed_nothing(state);
    let failed = state.failures.operation_count;
    let text = match (end.input, end.verdict) {
        (End::Interrupted, _) => "This display was interrupted; the run may still be going on.",
        (End::Unreadable, _) => "The run's messages could not be read to their end.",
        (End::Closed, Verdict::CutOff) => "The run was cut off: its messages end in the middle.",
        (End::Closed, Verdict::NothingBegan) => {
            "The run was cut off: it ended before it began to do anything."
        }
        (End::Closed, Verdict::Foreign) => {
            "How the run ended cannot be read from messages of a newer format."
        }
        (End::Closed, Verdict::Fine | Verdict::Failed | Verdict::NoMessage) => {
            match (state.is_interrupted, seems_unchanged(state)) {
                (true, _) => "The run was interrupted.",
                (false, true) if may_change(state) => "The run failed before it changed anything.",
                (false, _) => "The run failed.",
            }
        }
    };
    let mut counts = String::new();
    if !changed_nothing {
        let done = state.counts();
        let done = if done.is_empty() {
            "nothing".to_owned()
        } else {
            done.join(", ")
        };
        counts.push_str(&format!(" Done: {done}."));
    }
    if failed > 0 {
        counts.push_str(&format!(" Failed: {failed}."));
    }
    (text, counts)
}

/// Writes the failed operations and the other errors, each with its reason.
fn failures(end: RunEnd<'_>, out: &mut Out<'_>) -> io::Result<()> {
    let state = end.state;
    let (text, counts) = failure(end);
    out.parts(&[
        Lit("\n"),
        Styled(Role::StrongDelete, text),
        Lit(&counts),
        Lit("\n"),
    ])?;
    let failures = &state.failures;
    for failure in &failures.operations {
        let (noun, seconds) = (
            failure.operation.noun().to_lowercase(),
            duration(failure.seconds),
        );
        let note = if failure.exists {
            "; the object exists and is tainted"
        } else {
            ""
        };
        let reason = failure
            .reason
            .as_ref()
            .map(|reason| format!(": {}", one_line(reason)));
        let after = format!(
            " ({noun} after {seconds}{note}){}",
            reason.unwrap_or_default()
        );
        named("failed", &failure.address, &after, out)?;
    }
    more(failures.operation_count, failures.operations.len(), out)?;
    if !(changed_nothing(state) && failures.error_count == 1) {
        for (error, times) in &failures.errors {
            let after = if *times > 1 {
                format!(" ({times} times)")
            } else {
                String::new()
            };
            named("error", error, &after, out)?;
        }
        let named: usize = failures.errors.iter().map(|(_, times)| times).sum();
        let explained = failures
            .operations
            .iter()
            .filter(|failure| failure.reason.is_some())
            .count();
        more(failures.error_count, named + explained, out)?;
    }
    let running = state.operations.first_running(MAX_RUNNING);
    for running in &running {
        let note = if running.exists {
            "; the object exists, its provisioner did not finish"
        } else {
            ""
        };
        let after = format!(" ({}{note})", running.operation.noun().to_lowercase());
        named("not finished", &running.address, &after, out)?;
    }
    more(state.operations.running_count(), running.len(), out)?;
    // Before the apply, no change was due.
    if !state.parts.is_applying() {
        return Ok(());
    }
    let due = || {
        state
            .operations
            .planned
            .iter()
            .filter(|row| row.is_incomplete() && !row.has_started())
    };
    for planned in due().take(MAX_NOT_STARTED) {
        named("never started", &planned.address, "", out)?;
    }
    more(due().count(), MAX_NOT_STARTED, out)
}

/// Writes an indented line with a name, what happened to it, and a text that follows. `after` must already be on one
/// line.
fn named(what: &str, name: &str, after: &str, out: &mut Out<'_>) -> io::Result<()> {
    out.data(Untrusted(&format!("  {what}: {}{after}\n", one_line(name))))
}

/// Writes how many of `all` are not named, if any.
fn more(all: usize, named: usize, out: &mut Out<'_>) -> io::Result<()> {
    match all.saturating_sub(named) {
        0 => Ok(()),
        rest => out.lit(&format!("  and {rest} more\n")),
    }
}
