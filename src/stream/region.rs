//! A few lines below the text, which are erased before further text is written.
//!
//! Uses only basic sequences: cursor up and right, erase line and below, no wrapping, and synchronised updates.
//!
//! Invariant: while the region is drawn, the cursor is at its first character, which is what a terminal
//! keeps track of when it wraps lines again for another width. The region is erased from there, so that
//! nobody has to know in how many rows the terminal has wrapped it.

use std::io;

use unicode_width::UnicodeWidthChar;

use crate::term::TextPart::Lit;
use crate::term::{Out, Role};

/// The sequences around a synchronised update (DEC mode 2026), which a terminal shows at once. Terminals
/// without support ignore them.
const BEGIN_UPDATE: &str = "\x1b[?2026h";
const END_UPDATE: &str = "\x1b[?2026l";

/// The sequences around lines that are cut, not wrapped (DECAWM), if the screen has just become narrower.
const BEGIN_LINES: &str = "\x1b[?7l";
const END_LINES: &str = "\x1b[?7h";

/// Erases the line, and everything below it from its second column on: some terminals keep a screen that is
/// erased from its first character. The line then begins anew, also for who searches it for commands.
const ERASE: &str = "\x1b[K\x1b[1C\x1b[J\r";

/// The drawn region.
#[derive(Debug, Default)]
pub(super) struct Region {
    is_drawn: bool,
    /// Whether a synchronised update has begun.
    updating: bool,
}

/// A line of the region: pieces with their roles, already safe for a terminal.
pub(super) type Line = Vec<(Role, String)>;

impl Region {
    /// Erases the region.
    pub(super) fn erase(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        if !std::mem::take(&mut self.is_drawn) {
            return Ok(());
        }
        let begin = if std::mem::replace(&mut self.updating, true) { "" } else { BEGIN_UPDATE };
        out.without_line_prefix(|out| out.parts(&[Lit(begin), Lit(ERASE)]))
    }

    /// Ends a synchronised update, so that the text written since the region was erased is shown.
    pub(super) fn show(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        if std::mem::take(&mut self.updating) {
            out.without_line_prefix(|out| out.lit(END_UPDATE))
        } else {
            Ok(())
        }
    }

    /// Draws the region on an erased one.
    pub(super) fn draw(&mut self, lines: &[Line], out: &mut Out<'_>) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.is_drawn = true;
        out.without_line_prefix(|out| {
            out.lit(BEGIN_LINES)?;
            for (at, line) in lines.iter().enumerate() {
                out.lit(if at == 0 { "" } else { "\n" })?;
                line.iter().try_for_each(|(role, text)| out.role(*role, text))?;
            }
            out.parts(&[Lit(END_LINES), Lit(&"\x1b[1A".repeat(lines.len() - 1)), Lit("\r")])
        })
    }
}

/// The width of a character, in columns.
pub(super) fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The width of a line, in columns.
pub(super) fn columns_of(line: &Line) -> usize {
    line.iter().flat_map(|(_, text)| text.chars()).map(width).sum()
}
