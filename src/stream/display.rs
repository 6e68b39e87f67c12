//! The display of progress, and the screen that it is for.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_display_goes_by_where_it_is() {
        for (is_terminal, can_move, is_ci, expected) in [
            (true, true, false, ProgressDisplay::Live),
            (true, true, true, ProgressDisplay::Log),
            (true, false, false, ProgressDisplay::Log),
            (false, true, false, ProgressDisplay::Log),
            (false, false, true, ProgressDisplay::Log),
        ] {
            assert_eq!(choose_display(is_terminal, can_move, is_ci), expected);
        }
    }
}
