//! The display of progress, and the screen that it is for.

/// The requested display of progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Progress {
    /// live on a terminal, log elsewhere
    #[default]
    Auto,
    /// A region of the terminal that is redrawn
    Live,
    /// Lines of text
    Log,
    /// No progress
    None,
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

/// Chooses the display for an output. `can_move` is whether the terminal can move its cursor. On a CI
/// system, a terminal is shown as a log.
pub fn choose_display(progress: Progress, is_terminal: bool, can_move: bool, is_ci: bool) -> ProgressDisplay {
    match progress {
        Progress::Live => ProgressDisplay::Live,
        Progress::Log => ProgressDisplay::Log,
        Progress::None => ProgressDisplay::None,
        Progress::Auto if is_terminal && can_move && !is_ci => ProgressDisplay::Live,
        Progress::Auto => ProgressDisplay::Log,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_display_goes_by_flag_then_by_where_it_is() {
        use Progress::{Auto, Live, Log};
        for (progress, is_terminal, can_move, is_ci, expected) in [
            (Auto, true, true, false, ProgressDisplay::Live),
            (Auto, true, true, true, ProgressDisplay::Log),
            (Auto, true, false, false, ProgressDisplay::Log),
            (Auto, false, true, false, ProgressDisplay::Log),
            (Auto, false, false, true, ProgressDisplay::Log),
            (Live, false, false, true, ProgressDisplay::Live),
            (Log, true, true, false, ProgressDisplay::Log),
            (Progress::None, true, true, false, ProgressDisplay::None),
        ] {
            assert_eq!(choose_display(progress, is_terminal, can_move, is_ci), expected);
        }
    }
}
