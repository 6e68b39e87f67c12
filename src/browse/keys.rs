//! The commands of the browser: the key of each one, and what the help says about it.
//!
//! Commands that pages of `review --format html` have as well are on the same keys there (`src/page/script.js`).

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command that a key gives in the list of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Moves the cursor to the next line.
    Down,
    /// Moves the cursor to the previous line.
    Up,
    /// Moves the cursor by a screen, downwards.
    PageDown,
    /// Moves the cursor by a screen, upwards.
    PageUp,
    /// Moves the cursor by half a screen, downwards.
    HalfPageDown,
    /// Moves the cursor by half a screen, upwards.
    HalfPageUp,
    /// Moves the cursor to the first line.
    First,
    /// Moves the cursor to the last line.
    Last,
    /// Opens the closed item at the cursor, closes an open one, or goes into a unit.
    Toggle,
    /// Opens the entry at the cursor, or goes into a unit.
    Open,
    /// Closes the entry at the cursor, or goes back to the units.
    Close,
    /// Opens all entries, or closes all if all are open.
    ToggleAll,
    /// Moves the cursor to the next entry that has a finding or destroys.
    NextFinding,
    /// Moves the cursor to the previous entry that has a finding or destroys.
    PreviousFinding,
    /// Asks for a text to search.
    Search,
    /// Moves the cursor to the next match of the search.
    NextMatch,
    /// Moves the cursor to the previous match of the search.
    PreviousMatch,
    /// Shows the panel with the filters.
    Filter,
    /// Removes the filter that was added last.
    ClearFilters,
    /// Shows the tree of modules or units.
    Tree,
    /// Shows what an object refers to, and what refers to it.
    References,
    /// Shows or hides the tool's text of a change.
    ToolText,
    /// Shows or hides the tool's text with all values, also unchanged ones.
    AllValues,
    /// Opens the block of an object in an editor.
    Source,
    /// Copies the value, the address or the name of the unit at the cursor.
    Copy,
    /// Marks an entry as viewed, or removes the mark.
    Viewed,
    /// Shows the list of keys.
    Help,
    /// Clears the search. Without a search, clears all filters; without filters, goes back to the list of units.
    Back,
    /// Stops the process until the shell continues it.
    Suspend,
    /// Draws the whole screen again.
    Redraw,
    /// Ends the browser. A plan that waits for its answer is not applied.
    Quit,
    /// Applies the plan. There is a key for it only if a plan waits for its answer.
    Approve,
}

/// A line of the help.
#[derive(Clone, Copy, Debug)]
pub struct HelpLine {
    /// The keys, as they are called on a keyboard: `PgDn PgUp`.
    pub keys: &'static str,
    /// The effect of the keys in words, without a period at the end.
    pub text: &'static str,
}

/// Makes a line of the help.
const fn line(keys: &'static str, text: &'static str) -> HelpLine {
    HelpLine { keys, text }
}

/// The help, in the order in which a reader needs it.
pub const HELP: [HelpLine; 20] = [
    line("↓ ↑ j k", "next and previous line"),
    line(
        "PgDn PgUp",
        "next and previous page (also Space and b; half a page: Ctrl-D and Ctrl-U)",
    ),
    line("Home End", "first and last line (also g and G)"),
    line("Enter", "open or close a change, go into a unit"),
    line("→ ←", "open; close, or back to the units (also l and h)"),
    line("*", "open or close all"),
    line(
        "f F",
        "next and previous change that has a finding or destroys",
    ),
    line("/", "search addresses, attributes and values"),
    line("n N", "next and previous match"),
    line("c", "filter by level, action, finding, type, module, unit"),
    line("C", "remove the last filter (Esc: all)"),
    line("Tab", "modules and units as a tree"),
    line("d", "what it depends on, and what depends on it"),
    line("t", "text of the tool for this change"),
    line("v", "all values, also unchanged ones"),
    line("s", "open the source in $VISUAL or $EDITOR"),
    line("y", "copy the address, or the line (also Y)"),
    line("m", "mark as viewed"),
    line("?", "this help"),
    line("q", "quit"),
];

/// The lines of the help about the answer, which replace those about `y` and `q` if a plan waits for its answer.
pub const HELP_OF_ANSWER: [HelpLine; 3] = [
    line("y", "apply exactly this plan"),
    line("q", "apply nothing, and quit"),
    line("Y", "copy the address, or the line"),
];

/// Returns the lines of the help. `asks` says whether a plan waits for its answer.
pub(super) fn help(asks: bool) -> Vec<HelpLine> {
    let mut lines: Vec<HelpLine> = Vec::new();
    for line in HELP {
        match line.keys {
            "y" if asks => lines.extend(HELP_OF_ANSWER),
            "q" if asks => {}
            _ => lines.push(line),
        }
    }
    lines
}

/// Returns the command of a key; `None` if it has none. `asks` says whether a plan waits for its answer.
#[expect(clippy::wildcard_enum_match_arm, reason = "most keys have no command")]
pub(super) fn command(key: KeyEvent, asks: bool) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Command::Quit),
            KeyCode::Char('d') => Some(Command::HalfPageDown),
            KeyCode::Char('u') => Some(Command::HalfPageUp),
            KeyCode::Char('f') => Some(Command::PageDown),
            KeyCode::Char('b') => Some(Command::PageUp),
            KeyCode::Char('l') => Some(Command::Redraw),
            KeyCode::Char('z') => Some(Command::Suspend),
            _ => None,
        };
    }
    if key
        .modifiers
        .intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META)
    {
        return None;
    }
    Some(match key.code {
        KeyCode::Down | KeyCode::Char('j') => Command::Down,
        KeyCode::Up | KeyCode::Char('k') => Command::Up,
        KeyCode::PageDown | KeyCode::Char(' ') => Command::PageDown,
        KeyCode::PageUp | KeyCode::Char('b') => Command::PageUp,
        KeyCode::Home | KeyCode::Char('g') => Command::First,
        KeyCode::End | KeyCode::Char('G') => Command::Last,
        KeyCode::Enter => Command::Toggle,
        KeyCode::Right | KeyCode::Char('l') => Command::Open,
        KeyCode::Left | KeyCode::Char('h') => Command::Close,
        KeyCode::Char('*') => Command::ToggleAll,
        KeyCode::Char('f') => Command::NextFinding,
        KeyCode::Char('F') => Command::PreviousFinding,
        KeyCode::Char('/') => Command::Search,
        KeyCode::Char('n') => Command::NextMatch,
        KeyCode::Char('N') => Command::PreviousMatch,
        KeyCode::Char('c') => Command::Filter,
        KeyCode::Char('C') => Command::ClearFilters,
        KeyCode::Tab | KeyCode::BackTab => Command::Tree,
        KeyCode::Char('d') => Command::References,
        KeyCode::Char('t') => Command::ToolText,
        KeyCode::Char('v') => Command::AllValues,
        KeyCode::Char('s') => Command::Source,
        KeyCode::Char('y') if asks => Command::Approve,
        KeyCode::Char('y' | 'Y') => Command::Copy,
        KeyCode::Char('m') => Command::Viewed,
        KeyCode::Char('?') => Command::Help,
        KeyCode::Esc | KeyCode::Backspace => Command::Back,
        KeyCode::Char('q') => Command::Quit,
        _ => return None,
    })
}
