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

/// The settings for a run.
#[derive(Debug, Default)]
pub struct Options {
    /// The value of `--dialect`. What it leaves open is taken from the `version` message.
    pub dialect: DialectChoice,
    /// The width for wrapping, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// The display of progress.
    pub display: ProgressDisplay,
    /// The timestamps before lines.
    pub timestamps: Timestamps,
    /// The CI system whose log the text is written to: with a fold for each phase, and annotations.
    pub ci: Option<CiSystem>,
    /// The planning mode, which messages do not contain; `None` is the normal mode.
    pub plan_mode: Option<PlanMode>,
    /// Whether the saved plan of a `destroy` is applied, with `apply`. The summary is then that of `destroy`.
    pub is_saved_destroy: bool,
    /// Whether to show only the summaries of warnings, unless there are errors.
    pub compact_warnings: bool,
    /// Whether to omit lines about the progress of operations.
    pub concise: bool,
    /// Whether to show one heartbeat line for all running operations.
    pub quiet_progress: bool,
    /// The number of slowest operations named at the end.
    pub slowest: usize,
    /// Whether to make a test report.
    pub report: bool,
    /// The timeline to keep, if any: a new one, or that of an earlier part of the run.
    pub timeline: Option<Timeline>,
    /// The expected changes: those of the plan that [`Documents::plan_file`] writes.
    pub plan: Option<Expected>,
}

/// Services for a stream: rendering of documents, and rescue of states.
pub trait Documents {
    /// Writes the text of the plan given with the stream.
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a plan from a message.
    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// Writes the text of a state from a message.
    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()>;
    /// The text of the difference between two values, with styles if `colour`.
    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String>;
    /// Saves a state that the tool could not save, and returns where.
    fn rescue(&mut self, state: &str) -> anyhow::Result<String>;
}

/// The display of progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// In lines.
    #[default]
    Log,
    /// In lines, and in a live region below them.
    Live,
    /// Not at all.
    None,
}

/// The display on an output that was not chosen by an option. `can_move` is whether the terminal can move its cursor.
/// On a CI system, a terminal is shown as a log.
pub fn choose_display(is_terminal: bool, can_move: bool, is_ci: bool) -> ProgressDisplay {
    if is_terminal && can_move && !is_ci { ProgressDisplay::Live } else { ProgressDisplay::Log }
}

/// The size of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
}

impl Default for Screen {
    fn default() -> Self {
        Self { columns: 80, rows: 24 }
    }
}

/// How the input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The writer closed it.
    Closed,
    /// tfview was asked to stop reading.
    Interrupted,
    /// Reading failed.
    Unreadable,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// The name of the run, if it is one of several.
    pub name: String,
    /// Whether it failed.
    pub failed: bool,
    /// The tool's own summary, if there was one.
    pub tool_summary: Option<String>,
    /// The recap: failures, changes that never began, slowest operations.
    pub recap: String,
    /// The annotations for a CI system, if one is given.
    pub annotations: Option<Annotations>,
    /// The test report, if requested.
    pub report: Option<Report>,
    /// The timeline, if requested.
    pub timeline: Option<Timeline>,
    /// The outcomes of all runs, if there were several; the other members are about all of them.
    pub runs: Vec<Self>,
}

impl Options {
    /// The options of a further run of the same input. It has no plan.
    pub(super) fn further(&self) -> Self {
        let timeline = self.timeline.as_ref().map(|_| Timeline::default());
        Self { timeline, plan: None, ..*self }
    }
}

/// Writes to `sink` until a write fails, and discards all output afterwards: the run must continue, and its messages
/// must be read to the end, even if the output is closed.
#[derive(Debug)]
pub struct Draining<W> {
    sink: W,
    failed: Option<io::Error>,
}

impl<W: Write> Draining<W> {
    /// A writer to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, failed: None }
    }

    /// The error of the failed write, unless it was a broken pipe.
    pub fn into_error(self) -> Option<io::Error> {
        self.failed.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
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
