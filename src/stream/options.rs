//! The options of how a stream is shown.
//!
//! ```text
//! stdout is a terminal            ProgressDisplay::Live
//! stdout is a file, or a CI log   ProgressDisplay::Log
//! ```

#[cfg(test)]
mod tests;

use super::moment::Timestamps;
use crate::dialect::DialectChoice;
use crate::show::PlanMode;
use crate::term::CiSystem;

/// The options of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The tool and its release. What is left open is taken from the `version` message.
    pub dialect: DialectChoice,
    /// The width of the text, in columns.
    pub width: usize,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// The way in which progress is shown.
    pub display: ProgressDisplay,
    /// The times that are written before lines.
    pub timestamps: Timestamps,
    /// The CI system whose log has a fold for each phase, and annotations.
    pub ci: Option<CiSystem>,
    /// The mode in which the plan was made; `None` is the normal mode. Messages do not contain it.
    pub plan_mode: Option<PlanMode>,
    /// Whether `apply` applies the saved plan of a `destroy`, so that the summary is that of `destroy`.
    pub is_saved_destroy: bool,
    /// Whether only the summaries of warnings are shown, unless there are errors.
    pub compact_warnings: bool,
    /// Whether warnings are never merged, however similar they are.
    pub separate_warnings: bool,
    /// Whether errors are merged like warnings.
    pub consolidate_errors: bool,
    /// Whether lines about progress are left out.
    pub concise: bool,
    /// Whether there is at most one line about progress in ten seconds, instead of one for each such message.
    pub quiet_progress: bool,
    /// The number of slowest operations that are named at the end.
    pub slowest: usize,
    /// Whether warnings at the end are not shown, but returned in
    /// [`Ending::held_warnings`](super::Ending::held_warnings).
    pub holds_warnings: bool,
    /// Whether a report of tests is kept.
    pub report: bool,
    /// Whether a timeline is kept.
    pub timeline: bool,
}

/// The ways in which the progress of operations is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// Lines that are never changed.
    #[default]
    Log,
    /// Lines, and below them a region with the running operations, which is redrawn.
    Live,
    /// No progress.
    None,
}

/// Chooses how progress is shown. A terminal on a CI system is treated as a log, and so is one that cannot move its
/// cursor.
pub fn choose_display(is_terminal: bool, can_move: bool, is_ci: bool) -> ProgressDisplay {
    if is_terminal && can_move && !is_ci {
        ProgressDisplay::Live
    } else {
        ProgressDisplay::Log
    }
}

/// The size of a terminal, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The number of cells in a line.
    pub columns: usize,
    /// The number of lines.
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
