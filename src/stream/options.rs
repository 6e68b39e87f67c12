//! How a stream is shown.
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

/// How a stream is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What it leaves open is taken from the `version` message.
    pub dialect: DialectChoice,
    /// The width of the text, in columns.
    pub width: usize,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// How progress is shown.
    pub display: ProgressDisplay,
    /// The times before lines.
    pub timestamps: Timestamps,
    /// The log has a fold for each phase, and annotations.
    pub ci: Option<CiSystem>,
    /// The mode that the plan was made in; `None` is the normal mode. Messages do not contain it.
    pub plan_mode: Option<PlanMode>,
    /// `apply` applies the saved plan of a `destroy`, so the summary is that of `destroy`.
    pub is_saved_destroy: bool,
    /// Unless there are errors, only the summaries of warnings are shown.
    pub compact_warnings: bool,
    /// Warnings are not merged, however similar they are.
    pub separate_warnings: bool,
    /// Errors are merged as warnings are.
    pub consolidate_errors: bool,
    /// Lines about progress are left out.
    pub concise: bool,
    /// Instead of a line for each message of progress, there is at most one in ten seconds.
    pub quiet_progress: bool,
    /// How many of the slowest operations are named at the end.
    pub slowest: usize,
    /// Warnings at the end are not shown, but returned in [`Ending::held_warnings`](super::Ending::held_warnings).
    pub holds_warnings: bool,
    /// A report of tests is kept.
    pub report: bool,
    /// A timeline is kept.
    pub timeline: bool,
}

/// How the progress of operations is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// Lines that are never changed.
    #[default]
    Log,
    /// Lines, and below them a region of what is at work, which is drawn again.
    Live,
    /// Nothing of what is at work.
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

/// The size of a terminal, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Cells of a line.
    pub columns: usize,
    /// Lines.
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
