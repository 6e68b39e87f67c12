//! The live region: running operations, failures and totals, below the text; of several runs, units above operations.
//!
//! Invariant: the region takes at most half of the screen and each line one row.

use std::io;
use std::time::Duration;

use crate::stream::display::Screen;
use crate::stream::region::{Line, columns_of, width};
use crate::stream::state::{State, Tested};
use crate::term::{Role, visible};
use crate::text::stream::duration;

use crate::stream::output::Output;

/// The maximum number of operations and failures that are shown.
const MAX_RUNNING: usize = 8;
const MAX_FAILURES: usize = 3;

/// Draws the live region for runs with these labels: their running operations, or a line for each of several runs.
pub(in crate::stream) fn redraw(
    runs: &[(&str, &State)],
    screen: Screen,
    now: Duration,
    output: &mut Output<'_>,
) -> io::Result<()> {
    let lines = match runs {
        [(_, state)] => RegionText { state, now }.lines(screen),
        runs => units(runs, screen, now),
    };
    output.redraw(&lines)
}

/// The lines of several runs: a border, open runs, and as far as there is space the operations of each below it.
fn units(runs: &[(&str, &State)], screen: Screen, now: Duration) -> Vec<Line> {
    let columns = screen.columns.saturating_sub(1);
    let room = (screen.rows / 2).saturating_sub(1);
    let is_open = |(label, state): &&(&str, &State)| {
        let is_run = !label.is_empty() || state.parts.has_messages();
        is_run && !(state.parts.is_over() || state.failures.has_any() && !state.operations.is_running())
    };
    let open: Vec<&(&str, &State)> = runs.iter().filter(is_open).collect();
    if columns < 8 || room < 2 || open.is_empty() {
        return Vec::new();
    }
    let border = vec![(Role::Muted, "─".repeat(columns))];
    let mut lines = vec![border];
    let shown_units = if open.len() > room { room - 1 } else { open.len() };
    let mut spare = room - shown_units - usize::from(open.len() > shown_units);
    for (label, state) in open.iter().take(shown_units) {
        let text = RegionText { state, now };
        let name = if label.is_empty() { "(no unit)" } else { label };
        let mut line = vec![(Role::Strong, shown(name)), (Role::Plain, " ".to_owned())];
        line.extend(text.sum(columns / 2).unwrap_or_default());
        lines.push(clipped(line, columns));
        let running = state.operations.running_count();
        if running > 0 && spare > 0 {
            let own = text.running(spare.min(running));
            spare -= own.len().min(spare);
            lines.extend(own.into_iter().map(|mut line| {
                line.insert(0, (Role::Plain, "  ".to_owned()));
                if let [_, (_, first), ..] = &mut *line {
                    *first = without_middle(first, columns / 2);
                }
                clipped(line, columns)
            }));
        }
    }
    if open.len() > shown_units {
        lines.push(vec![(
            Role::Muted,
            format!("and {} more", crate::text::count(open.len() - shown_units, "unit")),
        )]);
    }
    lines
}

/// The state from which the region is drawn.
struct RegionText<'v> {
    state: &'v State,
    now: Duration,
}

impl RegionText<'_> {
    /// The lines of the region: a border, running operations, failures, totals. At most half of the screen.
    fn lines(&self, screen: Screen) -> Vec<Line> {
        // The last column is left free, so that no terminal wraps a line.
        let columns = screen.columns.saturating_sub(1);
        let room = (screen.rows / 2).saturating_sub(1);
        if columns < 8 || room == 0 || self.state.parts.is_over() {
            return Vec::new();
        }
        let mut foot: Vec<Line> = Vec::new();
        for failure in self.state.failures.operations.iter().take(MAX_FAILURES.min(room / 3)) {
            let state = format!(": {} failed", failure.operation.noun());
            foot.push(vec![(Role::Delete, shown(&failure.address)), (Role::Delete, state)]);
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
        let (share, mut counts) = (self.state.share(), self.state.counts());
        let failed = self.state.failures.operation_count;
        if failed > 0 {
            counts.push(format!("{failed} failed"));
        }
        let head = match share {
            Some((done, all)) => format!("{done}/{all}"),
            None => self.stage()?.to_owned(),
        };
        if share.is_none() {
            let (done, open) = self.state.parts.refreshes();
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
    fn stage(&self) -> Option<&'static str> {
        let parts = &self.state.parts;
        let stages = [
            (self.state.tests == Tested::Unfinished, "Testing"),
            (!parts.has_messages(), "Waiting for the first message"),
            (parts.is_applying(), "Applying"),
            (parts.is_initializing(), "Initializing"),
            (parts.is_planning(), "Planning"),
        ];
        stages.iter().find(|(is_current, _)| *is_current).map(|(_, name)| *name)
    }

    /// The running operations, in at most `room` lines.
    fn running(&self, room: usize) -> Vec<Line> {
        let all = self.state.operations.running_count();
        let count = if all <= room.min(MAX_RUNNING) { all } else { room.saturating_sub(1).min(MAX_RUNNING) };
        let running = self.state.operations.first_running(count);
        let mut lines: Vec<Line> = running
            .iter()
            .map(|running| {
                let what = format!(" {} ", running.operation.continuing(self.state.dialect));
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
