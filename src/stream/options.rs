//! What a stream is given, and what it returns.

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use super::output::Timestamps;
use super::sinks::{Report, Timeline};
use super::state::Expected;
use crate::dialect::{Dialect, DialectChoice};
use crate::json::Raw;
use crate::model::plan::Change;
use crate::show::PlanMode;
use crate::term::ci::Annotations;
use crate::term::{CiSystem, Out};

#[derive(Debug, Default)]
pub struct Options {
    /// What it leaves open is taken from the `version` message.
    pub dialect: DialectChoice,
    pub width: usize,
    pub show_sensitive: bool,
    pub display: ProgressDisplay,
    pub timestamps: Timestamps,
    /// The log has a fold for each phase, and annotations.
    pub ci: Option<CiSystem>,
    /// `None` is the normal mode. Messages do not contain the mode.
    pub plan_mode: Option<PlanMode>,
    /// `apply` applies the saved plan of a `destroy`, so the summary is that of `destroy`.
    pub is_saved_destroy: bool,
    /// Unless there are errors, only the summaries of warnings are shown.
    pub compact_warnings: bool,
    /// Warnings are not merged, however similar they are.
    pub separate_warnings: bool,
    /// Errors are merged as warnings are.
    pub consolidate_errors: bool,
    pub concise: bool,
    pub quiet_progress: bool,
    pub slowest: usize,
    /// Warnings at the end are not shown, but returned in [`Ending::held_warnings`].
    pub holds_warnings: bool,
    /// Warnings that an earlier part has held, as JSON. They are shown with those of this one.
    pub earlier_warnings: Vec<String>,
    pub report: bool,
    pub timeline: Option<Timeline>,
    /// The changes of the plan that [`Documents::plan_file`] writes.
    pub plan: Option<Expected>,
}

pub trait Documents {
    /// Writes the text of the plan given with the stream.
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    fn difference(
        &mut self,
        change: &Change<'_>,
        dialect: Dialect,
        colour: bool,
    ) -> anyhow::Result<String>;
    /// Saves a state that the tool could not save, and returns where.
    fn rescue(&mut self, state: &str) -> anyhow::Result<String>;
}

/// For a stream that is only made, and not used.
pub(super) struct NoDocuments;

impl Documents for NoDocuments {
    fn plan_file(&mut self, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(())
    }
    fn plan(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(())
    }
    fn state(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(())
    }
    fn difference(&mut self, _: &Change<'_>, _: Dialect, _: bool) -> anyhow::Result<String> {
        Ok(String::new())
    }
    fn rescue(&mut self, _: &str) -> anyhow::Result<String> {
        Ok(String::new())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressDisplay {
    #[default]
    Log,
    Live,
    None,
}

/// On a CI system, a terminal is shown as a log.
pub fn choose_display(is_terminal: bool, can_move: bool, is_ci: bool) -> ProgressDisplay {
    if is_terminal && can_move && !is_ci {
        ProgressDisplay::Live
    } else {
        ProgressDisplay::Log
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    pub columns: usize,
    pub rows: usize,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            columns: 80,
            rows: 24,
        }
    }
}

/// Why there is no more input of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was read to its end.
    Closed,
    /// The user stopped the run.
    Interrupted,
    /// Reading it failed.
    Unreadable,
}

#[derive(Clone, Debug, Default)]
pub struct Ending {
    pub name: String,
    pub failed: bool,
    pub tool_summary: Option<String>,
    pub recap: String,
    pub annotations: Option<Annotations>,
    pub report: Option<Report>,
    pub timeline: Option<Timeline>,
    pub held_warnings: Vec<String>,
    /// Only if there were several; the other members are about all of them.
    pub runs: Vec<Self>,
}

impl Options {
    /// A further run of the same input has no plan.
    pub(super) fn further(&self) -> Self {
        let timeline = self.timeline.as_ref().map(|_| Timeline::default());
        Self {
            timeline,
            plan: None,
            earlier_warnings: Vec::new(),
            ..*self
        }
    }
}

/// After a failed write, all output is discarded: the run must continue, and its messages must be read to the end,
/// even if the output is closed.
#[derive(Debug)]
pub struct Draining<W> {
    sink: W,
    failed: Option<io::Error>,
}

impl<W: Write> Draining<W> {
    pub fn new(sink: W) -> Self {
        Self { sink, failed: None }
    }

    /// A broken pipe is no error.
    pub fn into_error(self) -> Option<io::Error> {
        self.failed
            .filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}

impl<W: Write> Write for Draining<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            match self.sink.write(bytes) {
                Ok(written) if written > 0 || bytes.is_empty() => return Ok(written),
                Ok(_) => self.failed = Some(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.failed = Some(error),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed.is_none() {
            self.failed = self.sink.flush().err();
        }
        Ok(())
    }
}
