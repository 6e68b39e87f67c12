//! The live region below the text, which shows the running operations and the progress.
//!
//! Invariant: the region takes at most half of the screen, and each of its lines takes one row.
//!
//! ```text
//! ───────────────────────────────────────────────────────────
//! a creating 5s
//! b creating 5s
//! [=======       ] 2/4  2 created  5s
//! ```

#[cfg(test)]
mod tests;

use std::time::Duration;

use unicode_width::UnicodeWidthChar;

use crate::stream::Screen;
use crate::stream::output::Line;
use crate::stream::state::{State, Tested};
use crate::term::{Role, visible};
use crate::text::count;
use crate::text::stream::duration;

/// The maximum number of running operations that are shown.
const MAX_RUNNING: usize = 8;
/// The maximum number of failures that are shown.
const MAX_FAILURES: usize = 3;

/// Returns the lines of the region for all runs, below a rule. There are none if the screen is too small or nothing is
/// running.
pub(in crate::stream) fn region(
    runs: &[(&str, &State)],
    screen: Screen,
    now: Duration,
) -> Vec<Line> {
    // The last column stays empty, so that no terminal wraps a line.
    let columns = screen.columns.saturating_sub(1);
    let max_lines = (screen.rows / 2).saturating_sub(1);
    if columns < 8 || max_lines == 0 {
        return Vec::new();
    }
    let mut lines = match runs {
        [(_, state)] => one_run(state, columns, max_lines, now),
        runs => several_runs(runs, columns, max_lines, now),
    };
    if !lines.is_empty() {
        lines.insert(0, vec![(Role::Muted, "─".repeat(columns))]);
    }
    lines
        .into_iter()
        .map(|line| clipped(line, columns))
        .collect()
}

/// Returns the lines of a single run: its operations, then failures and counts; at most `max_lines`.
fn one_run(state: &State, columns: usize, max_lines: usize, now: Duration) -> Vec<Line> {
    if state.parts.is_over() {
        return Vec::new();
    }
    let mut foot: Vec<Line> = Vec::new();
    for failure in state
        .failures
        .operations
        .iter()
        .take(MAX_FAILURES.min(max_lines / 3))
    {
        let what = format!(": {} failed", failure.operation.noun());
        foot.push(vec![
            (Role::Delete, shown(&failure.address)),
            (Role::Delete, what),
        ]);
    }
    foot.extend(sum(state, columns, now));
    foot.truncate(max_lines);
    let mut lines = running(state, max_lines - foot.len(), now);
    lines.append(&mut foot);
    lines
}

/// Returns a line for each run that is not over, and its operations below it while lines are left.
fn several_runs(
    runs: &[(&str, &State)],
    columns: usize,
    max_lines: usize,
    now: Duration,
) -> Vec<Line> {
    let is_open = |(label, state): &&(&str, &State)| {
        let is_run = !label.is_empty() || state.parts.has_messages;
        is_run
            && !(state.parts.is_over()
                || state.failures.has_any() && !state.operations.is_running())
    };
    let open: Vec<&(&str, &State)> = runs.iter().filter(is_open).collect();
    if max_lines < 2 {
        return Vec::new();
    }
    let units = if open.len() > max_lines {
        max_lines - 1
    } else {
        open.len()
    };
    let mut spare = max_lines - units - usize::from(open.len() > units);
    let mut lines = Vec::new();
    for (label, state) in open.iter().take(units) {
        let name = if label.is_empty() { "(no unit)" } else { label };
        let mut line = vec![(Role::Strong, shown(name)), (Role::Plain, " ".to_owned())];
        line.extend(sum(state, columns / 2, now).unwrap_or_default());
        lines.push(line);
        let mut own = running(state, spare.min(state.operations.running_count()), now);
        own.iter_mut()
            .filter_map(|line| line.first_mut())
            .for_each(|(_, first)| first.insert_str(0, "  "));
        spare -= own.len();
        lines.append(&mut own);
    }
    if open.len() > units {
        lines.push(vec![(
            Role::Muted,
            format!("and {} more", count(open.len() - units, "unit")),
        )]);
    }
    lines
}

/// Returns the line with the progress and the counts of a run; `None` if it is in no stage that is shown. If the line
/// is too long, it lacks the bar, and if it is still too long, also the counts.
fn sum(state: &State, columns: usize, now: Duration) -> Option<Line> {
    let (share, mut counts) = (state.share(), state.counts());
    let failed = state.failures.operation_count;
    if failed > 0 {
        counts.push(format!("{failed} failed"));
    }
    let head = match share {
        Some((done, all)) => format!("{done}/{all}"),
        None => stage(state)?.to_owned(),
    };
    if share.is_none() {
        let (done, open) = state.parts.refreshes();
        counts.extend((done > 0).then(|| format!("{done} refreshed")));
        counts.extend((open > 0).then(|| format!("{open} being refreshed")));
    }
    let counts = if counts.is_empty() {
        String::new()
    } else {
        format!("  {}", counts.join(", "))
    };
    let bar = share.map_or_else(String::new, |(done, all)| {
        format!("{} ", bar(done, all, columns / 4))
    });
    let elapsed = format!("  {}", duration(now.as_secs()));
    let line = |text: String| vec![(Role::Plain, text), (Role::Muted, elapsed.clone())];
    let mut longer = [format!("{bar}{head}{counts}"), format!("{head}{counts}")]
        .into_iter()
        .map(line);
    Some(
        longer
            .find(|line| columns_of(line) <= columns)
            .unwrap_or_else(|| line(head)),
    )
}

/// Returns the name of the stage that a run is in, for a run whose number of operations is not known.
fn stage(state: &State) -> Option<&'static str> {
    let parts = &state.parts;
    let stages = [
        (state.tests == Tested::Unfinished, "Testing"),
        (!parts.has_messages, "Waiting for the first message"),
        (parts.is_applying(), "Applying"),
        (parts.is_initializing(), "Initializing"),
        (parts.is_planning(), "Planning"),
    ];
    stages
        .iter()
        .find(|(is_current, _)| *is_current)
        .map(|(_, name)| *name)
}

/// Returns the lines of the running operations, the longest-running first, and a line with the number of others.
fn running(state: &State, max_lines: usize, now: Duration) -> Vec<Line> {
    let all = state.operations.running_count();
    let listed = if all <= max_lines.min(MAX_RUNNING) {
        all
    } else {
        max_lines.saturating_sub(1).min(MAX_RUNNING)
    };
    let mut lines: Vec<Line> = Vec::new();
    for running in state.operations.first_running(listed) {
        let doing = format!(" {} ", running.operation.continuing(state.dialect));
        let elapsed = duration(running.seconds(now));
        lines.push(vec![
            (Role::Strong, shown(&running.address)),
            (Role::Plain, doing),
            (Role::Muted, elapsed),
        ]);
    }
    if all > listed && max_lines > 0 {
        let rest = all - listed;
        let rest = if listed == 0 {
            count(rest, "operation")
        } else {
            format!("and {rest} more")
        };
        lines.push(vec![(Role::Muted, rest)]);
    }
    lines
}

/// Returns a progress bar, from 4 to 30 columns wide without its brackets.
fn bar(done: usize, all: usize, columns: usize) -> String {
    let columns = columns.clamp(4, 30);
    let full = done * columns / all.max(1);
    format!("[{}{}]", "=".repeat(full), " ".repeat(columns - full))
}

/// Makes control characters visible, and replaces those that would end or move the line by spaces.
fn shown(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

fn width(c: char) -> usize {
    c.width().unwrap_or(0)
}

fn columns_of(line: &Line) -> usize {
    line.iter()
        .flat_map(|(_, text)| text.chars())
        .map(width)
        .sum()
}

/// Shortens a line to `columns`. The middle of its first piece is left out, which is an address if there are several
/// pieces.
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

/// Shortens a text to `columns` by leaving out its middle. More is kept of the end, which has the name of an address;
/// the whole instance key is kept if it fits.
fn without_middle(text: &str, columns: usize) -> String {
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let Some(max_lines) = columns.checked_sub(1) else {
        return String::new();
    };
    let key = if text.ends_with(']') {
        text.rfind('[').map_or("", |offset| &text[offset..])
    } else {
        ""
    };
    let key: usize = key.chars().map(width).sum();
    let end = (max_lines * 2 / 3).max(key).min(max_lines);
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
    let head = taken(&mut text.chars(), max_lines - end);
    format!("{head}…{tail}")
}
