//! The recap after a run: failures and their reasons, operations that were running at the end, and the
//! slowest operations.
//!
//! Invariant: it does not repeat what is directly above it. If a run failed before it changed anything, with
//! a single error, the recap does not repeat that error.

use std::io;

use crate::term::{Out, Role, Untrusted};
use crate::text::stream::duration;

use super::End;
use super::course::{Tested, Verdict};
use super::record::{NAMED, Record};

impl Record {
    /// Writes how a run failed, and the slowest operations if requested.
    pub(super) fn recap(
        &self,
        end: End,
        verdict: Verdict,
        tests: Tested,
        out: &mut Out<'_>,
    ) -> io::Result<()> {
        match verdict {
            Verdict::NoMessage => {
                return out.lit(
                    "note: the input has no messages of a run\n  tip: was the tool started with -json?\n",
                );
            }
            // The summary of the tests is directly above.
            Verdict::Failed if tests == Tested::Failed && self.has_no_failure() => {}
            Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
                self.what_failed(end, verdict, out)?;
            }
            Verdict::Fine => {}
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

    /// The outcome of the run, in a sentence or two.
    pub(super) fn headline(&self, end: End, verdict: Verdict, tests: Tested) -> String {
        match verdict {
            Verdict::NoMessage => "No message of a run came.".to_owned(),
            Verdict::Failed if tests == Tested::Failed && self.has_no_failure() => "Tests failed.".to_owned(),
            Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
                let (what, counts) = self.failure(end, verdict);
                format!("{what}{counts}")
            }
            Verdict::Fine => self.tool_summary_text().unwrap_or("The run succeeded.").to_owned(),
        }
    }

    fn changed_nothing(&self) -> bool {
        !self.course.is_applying() && self.counts().is_empty()
    }

    /// How the run failed, and the counts of what was done before.
    fn failure(&self, end: End, verdict: Verdict) -> (&'static str, String) {
        let changed_nothing = self.changed_nothing();
        let what = match (end, verdict) {
            (End::Interrupted, _) => "This display was interrupted; the run may still be going on.",
            (End::Unreadable, _) => "The run's messages could not be read to their end.",
            (End::Closed, Verdict::CutOff) => "The run was cut off: its messages end in the middle.",
            (End::Closed, Verdict::NothingBegan) => {
                "The run was cut off: it ended before it began to do anything."
            }
            (End::Closed, Verdict::Foreign) => {
                "How the run ended cannot be read from messages of a newer format."
            }
            (End::Closed, _) if self.interrupted => "The run was interrupted.",
            (End::Closed, _) if changed_nothing && self.failed == 0 => {
                "The run failed before it changed anything."
            }
            (End::Closed, _) => "The run failed.",
        };
        let mut counts = String::new();
        if !changed_nothing {
            let done = self.counts();
            let done = if done.is_empty() { "nothing".to_owned() } else { done.join(", ") };
            counts.push_str(&format!(" Done: {done}."));
        }
        if self.failed > 0 {
            counts.push_str(&format!(" Failed: {}.", self.failed));
        }
        (what, counts)
    }

    fn has_no_failure(&self) -> bool {
        self.error_count == 0 && self.failed == 0
    }

    fn what_failed(&self, end: End, verdict: Verdict, out: &mut Out<'_>) -> io::Result<()> {
        let changed_nothing = self.changed_nothing();
        out.lit("\n")?;
        let (what, counts) = self.failure(end, verdict);
        out.role(Role::StrongDelete, what)?;
        out.lit(&counts)?;
        out.lit("\n")?;
        self.failed_operations(out)?;
        if !(changed_nothing && self.error_count == 1) {
            self.other_errors(out)?;
        }
        self.what_is_open(out)
    }

    fn failed_operations(&self, out: &mut Out<'_>) -> io::Result<()> {
        for failure in &self.failures {
            out.lit("  failed: ")?;
            out.data(Untrusted(&failure.address))?;
            let noun = failure.operation.noun().to_lowercase();
            let fate = if failure.exists { "; the object exists and is tainted" } else { "" };
            out.lit(&format!(" ({noun} after {}{fate})", duration(failure.seconds)))?;
            if let Some(reason) = &failure.reason {
                out.lit(": ")?;
                out.data(Untrusted(reason))?;
            }
            out.lit("\n")?;
        }
        more(self.failed, self.failures.len(), out)
    }

    fn other_errors(&self, out: &mut Out<'_>) -> io::Result<()> {
        for (error, times) in &self.errors {
            out.lit("  error: ")?;
            out.data(Untrusted(error))?;
            out.lit(&if *times > 1 { format!(" ({times} times)\n") } else { "\n".to_owned() })?;
        }
        let named: usize = self.errors.iter().map(|(_, times)| times).sum();
        let explained = self.failures.iter().filter(|failure| failure.reason.is_some()).count();
        more(self.error_count, named + explained, out)
    }

    /// Writes the operations that were running when the messages ended, and the changes that never began.
    fn what_is_open(&self, out: &mut Out<'_>) -> io::Result<()> {
        let (running, all) = self.first_running(NAMED);
        for running in &running {
            out.lit("  not finished: ")?;
            out.data(Untrusted(&running.address))?;
            let fate =
                if running.exists { "; the object exists, its provisioner did not finish" } else { "" };
            out.lit(&format!(" ({}{fate})\n", running.operation.noun().to_lowercase()))?;
        }
        more(all, running.len(), out)?;
        if !self.course.is_applying() {
            return Ok(()); // no change was due yet
        }
        let mut names: Vec<usize> = self.waiting.values().copied().collect();
        names.sort_unstable();
        names.dedup();
        let mut named = 0;
        for name in names.iter().filter_map(|at| self.names.get(*at)).take(NAMED_WAITING) {
            out.lit("  never started: ")?;
            out.data(Untrusted(name))?;
            out.lit("\n")?;
            named += 1;
        }
        more(self.waiting.len(), named, out)
    }
}

/// The maximum number of changes named that never began. They are consequences of the failures above.
const NAMED_WAITING: usize = 5;

fn more(all: usize, named: usize, out: &mut Out<'_>) -> io::Result<()> {
    match all.saturating_sub(named) {
        0 => Ok(()),
        rest => out.lit(&format!("  and {rest} more\n")),
    }
}
