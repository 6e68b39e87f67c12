//! The single lines of a text for the terminal: their parts, their marks, and where they are broken.
//!
//! A line has a margin with the mark of its findings, an indentation and a text. The kinds of findings are at the end
//! of the line, in a column if they fit there.

use std::io;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Layout, MARGIN, TextWriter};
use crate::report::{EntrySign, Level, Line, Mark, ReportEntry, Sign, Tone};
use crate::term::TextPart::{Spaces, Styled};
use crate::term::{Role, Untrusted, visible};
use crate::text::one_line;

/// The column in which the kinds of findings end, if the terminal is not narrower.
pub(super) const MAX_KINDS_COLUMN: usize = 100;
/// The depth of causes from which on entries are not indented further.
const MAX_DEPTH: usize = 8;
/// The number of columns that a text needs to be broken between words. With fewer, it is not broken.
const MIN_COLUMNS: usize = 20;

impl TextWriter<'_> {
    /// Writes the title of an entry on one line, with a preview and the findings of all of its lines. What does not fit
    /// is cut.
    pub(in crate::report) fn folded(
        &mut self,
        entry: &ReportEntry<'_>,
        indent: usize,
    ) -> io::Result<()> {
        let mark = Mark {
            level: entry.level,
            kinds: entry.finding_kinds.clone(),
        };
        let mut pieces = title(entry);
        if entry.summary.is_empty() && !entry.preview.is_empty() && !self.is_list {
            pieces.push((Role::Muted, format!("  {}", one_line(&entry.preview))));
        }
        let kinds = mark.words().width();
        let gap = if kinds > 0 { 2 } else { 0 };
        let columns = self.layout.width.saturating_sub(indent + kinds + gap);
        let pieces = cut(&pieces, columns);
        self.row(&mark, indent, indent, &pieces)
    }

    /// Writes a text with a mark in the margin and the kinds of findings at the right end. The text begins in the
    /// column `indent`, and its further lines in the column `hanging`.
    pub(in crate::report) fn row(
        &mut self,
        mark: &Mark,
        indent: usize,
        hanging: usize,
        pieces: &[(Role, String)],
    ) -> io::Result<()> {
        let kinds = mark.words();
        let role = level_role(mark.level);
        let kinds_column = self.layout.width.min(MAX_KINDS_COLUMN);
        let kinds_start = kinds_column.saturating_sub(kinds.width());
        // The maximum number of columns of a line, and of the last one, after which the kinds are written.
        let (width, max) = match self.layout.wraps {
            false => (usize::MAX, usize::MAX),
            true if kinds.is_empty() => (self.layout.width, self.layout.width),
            true => (self.layout.width, kinds_start.saturating_sub(2)),
        };
        let lines = with_remark(pieces, (width, max), indent, hanging);
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter().enumerate() {
            let start = if index == 0 { indent } else { hanging };
            let margin = mark.margin();
            if index == 0 && !mark.is_empty() {
                self.out().parts(&[
                    Styled(role, margin),
                    Spaces(indent.saturating_sub(MARGIN - 1)),
                ])?;
            } else {
                self.out().spaces(start)?;
            }
            let mut used = start;
            for (role, text) in line {
                self.out.role_data(*role, Untrusted(text))?;
                used += text.width();
            }
            if index == last && !kinds.is_empty() {
                if used > max {
                    self.out.lit("\n")?;
                    used = 0;
                }
                let gap = kinds_start.saturating_sub(used).max(2);
                self.out.parts(&[Spaces(gap), Styled(role, &kinds)])?;
            }
            self.out.lit("\n")?;
        }
        Ok(())
    }
}

/// Cuts a text to `columns` columns, with an ellipsis at the end if it was longer.
pub(in crate::report) fn cut(pieces: &[(Role, String)], columns: usize) -> Vec<(Role, String)> {
    let pieces: Vec<(Role, String)> = pieces
        .iter()
        .map(|(role, text)| (*role, visible(text)))
        .collect();
    let whole: usize = pieces.iter().map(|(_, text)| text.width()).sum();
    if whole <= columns {
        return pieces;
    }
    let mut left = columns.saturating_sub(1);
    let mut kept = Vec::new();
    for (role, text) in pieces {
        let mut end = 0;
        let mut is_cut = false;
        for (offset, c) in text.char_indices() {
            let width = c.width().unwrap_or(0);
            if width > left {
                is_cut = true;
                break;
            }
            left -= width;
            end = offset + c.len_utf8();
        }
        kept.push((role, text.get(..end).unwrap_or_default().to_owned()));
        if is_cut {
            break;
        }
    }
    kept.push((Role::Muted, "…".to_owned()));
    kept
}

/// Returns the column in which the title of an entry begins.
pub(in crate::report) fn entry_indent(entry: &ReportEntry<'_>, depth: usize) -> usize {
    MARGIN + 2 * (depth + entry.depth.min(MAX_DEPTH))
}

/// Returns the title of an entry together with its first line, and the findings of both. `None` if both do not fit on a
/// line, or if further lines are not below the first one.
pub(in crate::report) fn joined(
    entry: &ReportEntry<'_>,
    depth: usize,
    layout: Layout,
) -> Option<(Vec<(Role, String)>, Mark)> {
    let [first, below @ ..] = &*entry.lines else {
        return None;
    };
    let is_below = |line: &Line| line.depth > 0;
    if !entry.has_only_lines() || first.depth > 0 || !below.iter().all(is_below) {
        return None;
    }
    let mut joined = title(entry);
    joined.push((Role::Plain, "  ".to_owned()));
    let sign = match first.sign {
        // The lines below it have their own signs.
        _ if !below.is_empty() => None,
        Sign::Add => Some((Role::Create, "+ ")),
        Sign::Remove => Some((Role::Delete, "- ")),
        Sign::Change | Sign::Same | Sign::Note => None,
    };
    joined.extend(sign.map(|(role, text)| (role, text.to_owned())));
    joined.extend(spans(first));
    let kinds = first.mark().words().width();
    let length: usize = joined.iter().map(|(_, text)| text.width()).sum();
    let gap = if kinds > 0 { 2 } else { 0 };
    let needed = entry_indent(entry, depth) + length + kinds + gap;
    if needed > layout.width.min(MAX_KINDS_COLUMN) {
        return None;
    }
    let mut mark = entry.mark.clone();
    mark.add(first.mark());
    Some((joined, mark))
}

/// Returns the title of an entry: the sign, the number of objects, the address, what the object is, and what the sign
/// does not say.
pub(in crate::report) fn title(entry: &ReportEntry<'_>) -> Vec<(Role, String)> {
    let EntrySign { symbol, tone } = entry.sign;
    let mut title = vec![(role(tone), format!("{symbol} "))];
    if let Some(number) = entry.times {
        title.push((Role::Plain, format!("{number} × ")));
    }
    title.push((Role::Strong, one_line(&entry.address)));
    if !entry.summary.is_empty() {
        title.push((Role::Plain, format!("  {}", one_line(&entry.summary))));
    }
    if !entry.remark.is_empty() {
        title.push((Role::Muted, format!("  ({})", one_line(&entry.remark))));
    }
    if let Some(cost) = &entry.cost {
        title.push((Role::Muted, format!("  {}", one_line(cost))));
    }
    title
}

/// Returns the pieces of a line with their roles. What a finding is about has the color of its level.
pub(super) fn spans(line: &Line) -> Vec<(Role, String)> {
    let role_of = |tone: Tone| {
        let is_new = matches!(tone, Tone::Added | Tone::AddedWord | Tone::Alert);
        if is_new && !line.mark().is_empty() {
            level_role(line.mark().level)
        } else {
            role(tone)
        }
    };
    line.spans
        .iter()
        .map(|span| (role_of(span.tone), one_line(&span.text)))
        .collect()
}

/// Breaks a text into lines of at most `width` columns, and the last one of at most `max`. A remark in brackets at the
/// end that does not fit begins a line.
fn with_remark(
    pieces: &[(Role, String)],
    (width, max): (usize, usize),
    indent: usize,
    hanging: usize,
) -> Vec<Vec<(Role, String)>> {
    let whole = broken(pieces, width, indent, hanging);
    let columns =
        |pieces: &[(Role, String)]| -> usize { pieces.iter().map(|(_, text)| text.width()).sum() };
    let [rest @ .., (Role::Muted, remark)] = pieces else {
        return whole;
    };
    let Some(remark) = remark.strip_prefix(' ') else {
        return whole;
    };
    let fits_at_end = whole.len() == 1 && indent + columns(pieces) <= max;
    let fits_alone = remark.starts_with('(') && hanging + remark.width() <= max;
    if fits_at_end || !fits_alone {
        return whole;
    }
    let mut lines = broken(rest, width, indent, hanging);
    lines.push(vec![(Role::Muted, remark.to_owned())]);
    // There may be space at the end of the last line, so that a new line for the remark would be a waste.
    if lines.len() > whole.len()
        && whole
            .last()
            .is_some_and(|last| hanging + columns(last) <= max)
    {
        return whole;
    }
    lines
}

/// Breaks a text into lines of at most `width` columns, between words if possible.
fn broken(
    pieces: &[(Role, String)],
    width: usize,
    indent: usize,
    hanging: usize,
) -> Vec<Vec<(Role, String)>> {
    let mut lines: Vec<Vec<(Role, String)>> = vec![Vec::new()];
    let mut used = indent;
    let is_narrow = width < hanging + MIN_COLUMNS;
    let push = |lines: &mut Vec<Vec<(Role, String)>>, role: Role, text: &str| {
        if let Some(line) = lines.last_mut() {
            match line.last_mut() {
                Some((last, known)) if *last == role => known.push_str(text),
                _ => line.push((role, text.to_owned())),
            }
        }
    };
    for (role, text) in pieces {
        for word in text.split_inclusive(' ') {
            let columns = word.trim_end_matches(' ').width();
            if !is_narrow && used + columns > width && columns > 0 {
                let is_at_start = lines.last().is_none_or(Vec::is_empty);
                if !is_at_start && hanging + columns <= width {
                    lines.push(Vec::new());
                    used = hanging;
                } else {
                    // A word that does not fit into any line is broken anywhere.
                    for c in word.chars() {
                        let columns = c.width().unwrap_or(0);
                        if used + columns > width && c != ' ' {
                            lines.push(Vec::new());
                            used = hanging;
                        }
                        push(&mut lines, *role, c.encode_utf8(&mut [0; 4]));
                        used += columns;
                    }
                    continue;
                }
            }
            push(&mut lines, *role, word);
            used += word.width();
        }
    }
    for line in &mut lines {
        if let Some((_, text)) = line.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
        }
    }
    lines
}

/// Returns the role of the word or sign of a level.
pub(in crate::report) fn level_role(level: Level) -> Role {
    match level {
        Level::Critical => Role::StrongDelete,
        Level::Warning => Role::StrongWarning,
        Level::Notice => Role::StrongNote,
        Level::None => Role::StrongSuccess,
    }
}

/// Returns the role of a tone on a terminal.
pub(super) fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Plain,
        Tone::Muted => Role::Muted,
        Tone::Added => Role::Create,
        Tone::Removed => Role::Delete,
        Tone::Changed => Role::Update,
        Tone::AddedWord => Role::StrongSuccess,
        Tone::RemovedWord | Tone::Alert => Role::StrongDelete,
    }
}
