//! The live region: a few lines below the log that are redrawn continuously.
//!
//! Uses only basic sequences: cursor up, erase line, and synchronised updates. Invariants: the region takes
//! at most half of the screen and each line one row; the region is erased before anything else is written,
//! and at the end.

use std::io;
use std::time::Duration;

use unicode_width::UnicodeWidthChar;

use crate::dialect::Dialect;
use crate::term::{Out, Role, visible};
use crate::text::stream::duration;

use super::Stream;
use super::course::Tested;
use super::record::Record;

/// The requested display of progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Depends on the terminal and the CI system.
    #[default]
    Auto,
    /// In a live region.
    Live,
    /// In lines.
    Log,
    /// Not at all.
    None,
}

/// The display of progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Display {
    /// In lines.
    #[default]
    Log,
    /// In lines, and in a live region below them.
    Live,
    /// Not at all.
    None,
}

/// Chooses the display for an output. `can_move` tells whether the terminal can move its cursor. On a CI
/// system, a terminal is shown as a log.
pub fn choose_display(progress: Progress, is_terminal: bool, can_move: bool, is_ci: bool) -> Display {
    match progress {
        Progress::Live => Display::Live,
        Progress::Log => Display::Log,
        Progress::None => Display::None,
        Progress::Auto if is_terminal && can_move && !is_ci => Display::Live,
        Progress::Auto => Display::Log,
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

/// The maximum number of operations and failures that are shown.
const RUNNING: usize = 8;
const FAILURES: usize = 3;

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

/// A line of the region.
type Line = Vec<(Role, String)>;

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
    fn show(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        if std::mem::take(&mut self.updating) {
            out.without_line_prefix(|out| out.lit(END_UPDATE))
        } else {
            Ok(())
        }
    }

    fn draw(&mut self, lines: Vec<Line>, out: &mut Out<'_>) -> io::Result<()> {
        for line in lines {
            for (role, text) in &line {
                out.role(*role, text)?;
            }
            out.lit("\n")?;
            self.drawn.push(columns_of(&line));
        }
        Ok(())
    }
}

fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

fn columns_of(line: &Line) -> usize {
    line.iter().flat_map(|(_, text)| text.chars()).map(width).sum()
}

impl Stream<'_> {
    /// Redraws the region.
    pub(super) fn redraw(&mut self, screen: Screen) -> io::Result<()> {
        if self.options.display != Display::Live {
            return Ok(());
        }
        self.region.screen = screen;
        self.region.erase(&mut self.out)?;
        let view = View {
            record: &self.record,
            is_testing: self.tests.verdict() == Tested::Unfinished,
            dialect: self.dialect,
            now: self.now,
        };
        let lines = view.lines(screen);
        let region = &mut self.region;
        self.out.without_line_prefix(|out| region.draw(lines, out))?;
        self.region.show(&mut self.out)
    }

    /// Sets the new size of the screen, which determines the rows of the drawn lines.
    pub fn resize(&mut self, screen: Screen) {
        self.region.screen = screen;
    }

    /// Erases the region until the next [`Stream::tick`], because the program is about to be suspended.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.clear()?;
        self.out.flush()?;
        self.notes.flush()
    }

    /// Erases the region and shows the text written since.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.region.erase(&mut self.out)?;
        self.region.show(&mut self.out)
    }
}

/// The state from which the region is drawn.
struct View<'v> {
    record: &'v Record,
    is_testing: bool,
    dialect: Dialect,
    now: Duration,
}

impl View<'_> {
    /// The lines of the region: a border, running operations, failures, totals. At most half of the screen.
    fn lines(&self, screen: Screen) -> Vec<Line> {
        // The last column is left free, so that no terminal wraps a line.
        let columns = screen.columns.saturating_sub(1);
        let room = (screen.rows / 2).saturating_sub(1);
        if columns < 8 || room == 0 || self.record.course.is_over() {
            return Vec::new();
        }
        let mut foot: Vec<Line> = Vec::new();
        let (failures, _) = self.record.failures();
        for (address, operation) in failures.take(FAILURES.min(room / 3)) {
            let state = format!(": {} failed", operation.noun());
            foot.push(vec![(Role::Delete, shown(address)), (Role::Delete, state)]);
        }
        foot.extend(self.sum(columns));
        foot.truncate(room);
        let mut lines = self.running(room - foot.len());
        lines.append(&mut foot);
        if lines.is_empty() {
            return lines;
        }
        let border = vec![(Role::Muted, "─".repeat(columns))];
        std::iter::once(border).chain(lines.into_iter().map(|line| clipped(line, columns))).collect()
    }

    /// The progress and duration of the run. If it does not fit, the bar is omitted first, then the counts.
    fn sum(&self, columns: usize) -> Option<Line> {
        let elapsed = duration(self.now.as_secs());
        let (share, mut counts) = match self.record.share() {
            Some(share) => (Some(share), self.record.counts()),
            None => (None, self.record.counts()),
        };
        let (_, failed) = self.record.failures();
        if failed > 0 {
            counts.push(format!("{failed} failed"));
        }
        let head = match share {
            Some((done, all)) => format!("{done}/{all}"),
            None => self.stage()?,
        };
        if share.is_none() {
            let (done, open) = self.record.course.refreshes();
            counts.extend((done > 0).then(|| format!("{done} refreshed")));
            counts.extend((open > 0).then(|| format!("{open} being refreshed")));
        }
        let counts = if counts.is_empty() { String::new() } else { format!("  {}", counts.join(", ")) };
        let bar = share.map_or_else(String::new, |(done, all)| format!("{} ", bar(done, all, columns / 4)));
        let line =
            |parts: &[&str]| vec![(Role::Plain, parts.concat()), (Role::Muted, format!("  {elapsed}"))];
        let fitting = [[&*bar, &*head, &*counts], ["", &*head, &*counts]]
            .iter()
            .map(|parts| line(parts))
            .find(|line| columns_of(line) <= columns);
        Some(fitting.unwrap_or_else(|| line(&[&*head])))
    }

    /// The stage of the run before the apply.
    fn stage(&self) -> Option<String> {
        let course = &self.record.course;
        let stage = if self.is_testing {
            "Testing"
        } else if !course.has_messages() {
            "Waiting for the first message"
        } else if course.is_applying() {
            "Applying"
        } else if course.is_initializing() {
            "Initializing"
        } else if course.is_planning() {
            "Planning"
        } else {
            return None;
        };
        Some(stage.to_owned())
    }

    /// The running operations, in at most `room` lines.
    fn running(&self, room: usize) -> Vec<Line> {
        let (_, all) = self.record.first_running(0);
        let count = if all <= room.min(RUNNING) { all } else { room.saturating_sub(1).min(RUNNING) };
        let (running, _) = self.record.first_running(count);
        let mut lines: Vec<Line> = running
            .iter()
            .map(|running| {
                let what = format!(" {} ", running.operation.goes_on(self.dialect));
                vec![
                    (Role::Strong, shown(&running.address)),
                    (Role::Plain, what),
                    (Role::Muted, duration(running.seconds(self.now))),
                ]
            })
            .collect();
        if all > count && room > 0 {
            let rest = all - count;
            let rest =
                if count == 0 { crate::text::count(rest, "operation") } else { format!("and {rest} more") };
            lines.push(vec![(Role::Muted, rest)]);
        }
        lines
    }
}

fn bar(done: usize, all: usize, columns: usize) -> String {
    let columns = columns.clamp(4, 30);
    let full = done * columns / all.max(1);
    format!("[{}{}]", "=".repeat(full), " ".repeat(columns - full))
}

/// A text from the input on one line, with control and hidden characters made visible.
fn shown(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

/// Shortens a line to `columns` by leaving out the middle of its first piece. If there are several pieces,
/// the first one is an address.
fn clipped(mut line: Line, columns: usize) -> Line {
    let over = columns_of(&line).saturating_sub(columns);
    if over == 0 {
        return line;
    }
    if let Some((_, first)) = line.first_mut() {
        let has: usize = first.chars().map(width).sum();
        *first = without_middle(first, has.saturating_sub(over));
    }
    let mut left = columns;
    for (_, text) in &mut line {
        *text = without_middle(text, left);
        left -= text.chars().map(width).sum::<usize>();
    }
    line
}

/// Shortens a text to `columns` by leaving out its middle. More is kept of the end, which in an address has
/// the name, and the whole instance key if that fits.
fn without_middle(text: &str, columns: usize) -> String {
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let key = if text.ends_with(']') { text.rfind('[').map_or("", |at| &text[at..]) } else { "" };
    let key: usize = key.chars().map(width).sum();
    let end = (room * 2 / 3).max(key).min(room);
    let taken = |chars: &mut dyn Iterator<Item = char>, most: usize| {
        let mut used = 0;
        chars
            .take_while(|c| {
                used += width(*c);
                used <= most
            })
            .collect::<String>()
    };
    let tail: String = taken(&mut text.chars().rev(), end).chars().rev().collect();
    let head = taken(&mut text.chars(), room - end);
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_display_goes_by_flag_then_by_where_it_is() {
        use Progress::{Auto, Live, Log};
        for (progress, is_terminal, can_move, is_ci, expected) in [
            (Auto, true, true, false, Display::Live),
            (Auto, true, true, true, Display::Log),
            (Auto, true, false, false, Display::Log),
            (Auto, false, true, false, Display::Log),
            (Auto, false, false, true, Display::Log),
            (Live, false, false, true, Display::Live),
            (Log, true, true, false, Display::Log),
            (Progress::None, true, true, false, Display::None),
        ] {
            assert_eq!(choose_display(progress, is_terminal, can_move, is_ci), expected);
        }
    }

    #[test]
    fn lines_fit_whatever_they_hold() {
        let line = || {
            vec![(Role::Strong, "module.日本.a[\"x\"]".to_owned()), (Role::Plain, " creating 10s".to_owned())]
        };
        for columns in 0..40 {
            let line = clipped(line(), columns);
            let total: usize = line.iter().flat_map(|(_, text)| text.chars()).map(width).sum();
            assert!(total <= columns, "{columns}: {line:?}");
        }
        let line = clipped(line(), 24);
        assert_eq!(line[0].1, "modu…a[\"x\"]");
        assert_eq!(line[1].1, " creating 10s");
    }
}
