//! A few lines below the text, which are erased before further text is written.
//!
//! Uses only basic sequences: cursor up, erase line, and synchronised updates.

use std::io;

use unicode_width::UnicodeWidthChar;

use super::display::Screen;
use crate::term::{Out, Role};

/// The sequences around a synchronised update (DEC mode 2026), which a terminal shows at once. Terminals
/// without support ignore them.
const BEGIN_UPDATE: &str = "\x1b[?2026h";
const END_UPDATE: &str = "\x1b[?2026l";

/// The drawn region.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// The width of each drawn line, in columns.
    drawn: Vec<usize>,
    screen: Screen,
    /// Whether a synchronised update has begun.
    updating: bool,
}

/// A line of the region: pieces with their roles, already safe for a terminal.
pub(super) type Line = Vec<(Role, String)>;

impl Region {
    /// Erases the region.
    pub(super) fn erase(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        // If the screen has become narrower, lines take more rows.
        let rows: usize =
            self.drawn.drain(..).map(|columns| columns.div_ceil(self.screen.columns.max(1)).max(1)).sum();
        if rows == 0 {
            return Ok(());
        }
        let begin = if std::mem::replace(&mut self.updating, true) { "" } else { BEGIN_UPDATE };
        out.without_line_prefix(|out| {
            out.lit(begin)?;
            (0..rows).try_for_each(|_| out.lit("\x1b[1A\x1b[2K"))
        })
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
        out.without_line_prefix(|out| {
            for line in lines {
                for (role, text) in line {
                    out.role(*role, text)?;
                }
                out.lit("\n")?;
            }
            Ok(())
        })?;
        self.drawn.extend(lines.iter().map(columns_of));
        Ok(())
    }

    /// Sets the new size of the screen, which determines the rows of the drawn lines.
    pub(super) fn resize(&mut self, screen: Screen) {
        self.screen = screen;
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
