//! The recap after a run: what failed and why, what was going on when it ended, what took longest.

use std::io;

use crate::term::{Out, Role, Untrusted};
use crate::text::stream::duration;

use super::End;
use super::record::{NAMED, Record, Verdict};

impl Record {
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

fn more(all: usize, named: usize, out: &mut Out<'_>) -> io::Result<()> {
    match all.saturating_sub(named) {
        0 => Ok(()),
        rest => out.lit(&format!("  and {rest} more\n")),
    }
}
