//! The live region: a few lines below the log that are drawn again and again.
//!
//! Plain sequences only: cursor up, erase line. Invariants: what is drawn fits the screen, each line
//! in one row; before anything else is written the region is erased, and at the end it is gone.

use std::io;
use std::time::Duration;

use unicode_width::UnicodeWidthChar;

use crate::model::Dialect;
use crate::term::{Out, Role, visible};
use crate::text::stream::{counted, duration};

use super::Stream;
use super::record::Record;

/// How progress is to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// As the display allows.
    #[default]
    Auto,
    /// In a live region.
    Live,
    /// In lines.
    Log,
    /// Not at all.
    None,
}

/// How progress is shown.
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

/// The display that is right for where the text goes. `can_move` tells of a terminal that can move its
/// cursor; what a CI system shows of one is a log.
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
    /// Its columns.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
}

impl Default for Screen {
    fn default() -> Self {
        Self { columns: 80, rows: 24 }
    }
}

/// How many operations, and how many failures, are shown.
const RUNNING: usize = 8;
const FAILURES: usize = 3;

/// The lines that are drawn.
#[derive(Debug, Default)]
pub(super) struct Region {
    /// The columns of each line that stands on the screen.
    drawn: Vec<usize>,
    screen: Screen,
}

/// A line of the region.
type Line = Vec<(Role, String)>;

impl Region {
    /// Takes the region off the screen.
    pub(super) fn erase(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        // A narrower screen has broken the lines into more rows.
        let rows: usize =
            self.drawn.drain(..).map(|columns| columns.div_ceil(self.screen.columns.max(1)).max(1)).sum();
        if rows == 0 {
            return Ok(());
        }
        out.unstamped(|out| (0..rows).try_for_each(|_| out.lit("\x1b[1A\x1b[2K")))
    }

    fn draw(&mut self, lines: Vec<Line>, out: &mut Out<'_>) -> io::Result<()> {
        for line in lines {
            let mut columns = 0;
            for (role, text) in &line {
                out.role(*role, text)?;
                columns += text.chars().map(width).sum::<usize>();
            }
            out.lit("\n")?;
            self.drawn.push(columns);
        }
        Ok(())
    }
}

fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

impl Stream<'_> {
    /// Draws the region anew.
    pub(super) fn redraw(&mut self, screen: Screen) -> io::Result<()> {
        if self.options.display != Display::Live {
            return Ok(());
        }
        self.region.screen = screen;
        self.region.erase(&mut self.out)?;
        let lines = view(&self.record, self.dialect, self.now, screen);
        let region = &mut self.region;
        self.out.unstamped(|out| region.draw(lines, out))
    }
}

/// What the region shows.
fn view(record: &Record, dialect: Dialect, now: Duration, screen: Screen) -> Vec<Line> {
    // The last column stays free, so that no terminal breaks a line; so does a row for the log.
    let columns = screen.columns.saturating_sub(1);
    if columns < 8 || screen.rows < 4 || record.course.is_over() {
        return Vec::new();
    }
    let mut foot: Vec<Line> = Vec::new();
    let (failures, failed) = record.failures();
    for (address, operation) in failures.take(FAILURES) {
        let text = format!("{}: {} failed", shown(address), operation.noun());
        foot.push(vec![(Role::Delete, text)]);
    }
    let mut sum: Line = Vec::new();
    if let Some((done, all)) = record.share() {
        sum.push((Role::Plain, format!("{} {done}/{all}", bar(done, all, columns / 4))));
    }
    let mut counts = record.counts();
    if failed > 0 {
        counts.push(format!("{failed} failed"));
    }
    if !counts.is_empty() {
        let gap = if sum.is_empty() { "" } else { "  " };
        sum.push((Role::Plain, format!("{gap}{}", counts.join(", "))));
    }
    if !sum.is_empty() {
        foot.push(sum);
    }
    foot.truncate(screen.rows - 2);
    let room = (screen.rows - 1 - foot.len()).min(RUNNING + 1);
    let mut lines = running(record, dialect, now, room);
    lines.append(&mut foot);
    lines.into_iter().map(|line| clipped(line, columns)).collect()
}

/// What is going on, in at most `room` lines.
fn running(record: &Record, dialect: Dialect, now: Duration, room: usize) -> Vec<Line> {
    let (_, all) = record.first_running(0);
    let count = if all <= room.min(RUNNING) { all } else { room.saturating_sub(1).min(RUNNING) };
    let (running, _) = record.first_running(count);
    let mut lines: Vec<Line> = running
        .iter()
        .map(|running| {
            let what = format!(" {} ", running.operation.goes_on(dialect));
            vec![
                (Role::Strong, shown(&running.address)),
                (Role::Plain, what),
                (Role::Muted, duration(running.seconds(now))),
            ]
        })
        .collect();
    if all > count {
        let rest = all - count;
        lines.push(vec![(
            Role::Muted,
            format!(
                "and {rest} more{}",
                if count == 0 { format!(" ({})", counted(all, "operation")) } else { String::new() }
            ),
        )]);
    }
    lines
}

fn bar(done: usize, all: usize, columns: usize) -> String {
    let columns = columns.clamp(4, 30);
    let full = done * columns / all.max(1);
    format!("[{}{}]", "=".repeat(full), " ".repeat(columns - full))
}

/// A text from the input, with what could act or hide made visible, on one line.
fn shown(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

/// A line that fits: the first piece, which is an address where there are several, gives way.
fn clipped(mut line: Line, columns: usize) -> Line {
    let total = |line: &Line| line.iter().flat_map(|(_, text)| text.chars()).map(width).sum::<usize>();
    let over = total(&line).saturating_sub(columns);
    if over == 0 {
        return line;
    }
    if let Some((_, first)) = line.first_mut() {
        let has: usize = first.chars().map(width).sum();
        *first = clip(first, has.saturating_sub(over));
    }
    let mut left = columns;
    for (_, text) in &mut line {
        *text = clip(text, left);
        left -= text.chars().map(width).sum::<usize>();
    }
    line
}

/// The beginning of a text, at most so many columns with the sign that something is missing.
fn clip(text: &str, columns: usize) -> String {
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let mut used = 0;
    let mut kept: String = text
        .chars()
        .take_while(|c| {
            used += width(*c);
            used < columns
        })
        .collect();
    if columns > 0 {
        kept.push('…');
    }
    kept
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
        assert_eq!(line[0].1, "module.日…");
        assert_eq!(line[1].1, " creating 10s");
    }
}
