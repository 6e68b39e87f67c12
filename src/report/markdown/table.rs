//! The table of the changes, and the lines for which its rows have no space.
//!
//! ```text
//! | | resource | what |
//! | `~` | `aws_kms_key.data` | 🟡 **protection** `enable_key_rotation true -> false`<br>`tags.Owner a -> b` |
//! ```
//!
//! A row has the first lines of its entry, findings first; only lines for which it has no space are below the table.

use super::text::{cell, code, html, names_in_cell, paragraph, sentence, sentence_in_cell};
use super::{fence, label, link};
use crate::report::blocks::{Budget, MIN_LINES, ROWS, SizedBlock};
use crate::report::{Level, Line, Mark, ReportEntry, Section, Sign, Tone};
use crate::text::count;

/// The maximum number of lines in a row, unless later lines have findings.
const MAX_LINES: usize = 8;
/// The maximum number of lines in a row whose later lines have findings.
const MAX_MARKED_LINES: usize = 20;
/// The number of lines that a row has in addition if these are all that would be left out.
const FEW: usize = 2;
/// The depth from which on entries below others are not indented further.
const MAX_DEPTH: usize = 12;
/// The maximum number of further addresses in a row.
const MAX_ADDRESSES: usize = 4;

/// Returns the rows of blocks as a table, and below it the lines for which the rows have no space. Rows after the first
/// `ROWS` are in a part that can be opened.
pub(super) fn table(blocks: &[SizedBlock], has_costs: bool, budget: Budget) -> String {
    let rows = blocks
        .iter()
        .map(SizedBlock::row)
        .filter(|row| !row.is_empty());
    let rows: Vec<&str> = rows.collect();
    let below: String = blocks.iter().map(SizedBlock::text).collect();
    if rows.is_empty() {
        return below;
    }
    let [cost, line] = if has_costs {
        [" cost |", "--:|"]
    } else {
        ["", ""]
    };
    let title = format!("| | resource | what |{cost}\n|---|---|---|{line}\n");
    let unopened = if budget.details { ROWS } else { usize::MAX };
    let (first, rest) = rows.split_at(rows.len().min(unopened));
    let mut text = format!("{title}{}\n", first.concat());
    if !rest.is_empty() {
        let more = count(rest.len(), "more change");
        let rest = rest.concat();
        text.push_str(&format!(
            "<details><summary>{more}</summary>\n\n{title}{rest}\n</details>\n\n"
        ));
    }
    text + &below
}

/// Whether an entry has a cost, so that the table has a column for it.
pub(super) fn has_costs(sections: &[Section<'_>]) -> bool {
    sections
        .iter()
        .flat_map(|section| &section.entries)
        .any(|entry| entry.cost.is_some())
}

/// Makes the block of an entry: its row, and the text below the table for which the row has no space.
pub(super) fn entry(entry: &ReportEntry<'_>, has_costs: bool, budget: Budget) -> SizedBlock {
    entry_of(entry, entry.places.indices.len(), has_costs, budget)
}

/// Makes the block of an entry about `number` objects.
pub(super) fn entry_of(
    entry: &ReportEntry<'_>,
    number: usize,
    has_costs: bool,
    budget: Budget,
) -> SizedBlock {
    let lines: Vec<&Line> = entry.lines.iter().collect();
    let shown = lines_of_row(&lines, budget);
    let (first, rest) = lines.split_at(shown);
    let row = |lines: &[&Line], left_out: &[&Line]| {
        let row = MarkdownRow {
            entry,
            number,
            lines,
            left_out,
            budget,
        };
        row.write(has_costs)
    };
    let full = row(first, rest);
    let (marked, plain): (Vec<&Line>, Vec<&Line>) =
        entry.lines.iter().partition(|line| !line.mark().is_empty());
    let (marked, unnamed) = marked.split_at(marked.len().min(shown.max(1)));
    let left_out = [unnamed, &plain].concat();
    let short = row(marked, &left_out);
    let names: Vec<String> = entry.others.iter().map(|name| code(name)).collect();
    let names = match names.len() <= MAX_ADDRESSES {
        true => String::new(),
        false => format!("- {}\n", names.join("\n- ")),
    };
    let title = match rest.len() {
        0 => count(entry.others.len(), "address"),
        rest => count(rest, "more line"),
    };
    let level = |most: usize| {
        let diff = if rest.is_empty() {
            String::new()
        } else {
            fence(rest, most)
        };
        match &*format!("{diff}{names}") {
            "" => String::new(),
            body if budget.details => format!(
                "<details><summary>{}: {title}</summary>\n\n{body}\n</details>\n\n",
                html(&entry.address)
            ),
            body => format!("\n{}\n\n{body}\n", code(&entry.address)),
        }
    };
    // Destroyed objects are named as long as there is space.
    let named = match entry.is_destroyed && !names.is_empty() {
        true => format!("- {} = {}\n", code(&entry.address), names_on_a_line(entry)),
        false => String::new(),
    };
    let fold = |what: &str| format!("**{what}** {}", code(entry.object_type));
    let block = SizedBlock::of_entry(entry, [level(usize::MAX), level(MIN_LINES), named], fold);
    SizedBlock {
        // If the short row is not shorter, it saves nothing, and the changes would be neither shown nor counted.
        short_row: (short.len() < full.len()).then_some(short),
        row: full,
        ..block
    }
}

/// Returns the other addresses of an entry, separated by commas.
fn names_on_a_line(entry: &ReportEntry<'_>) -> String {
    let names: Vec<String> = entry.others.iter().map(|name| code(name)).collect();
    names.join(", ")
}

/// Returns the number of lines at the beginning of an entry that its row has.
fn lines_of_row(lines: &[&Line], budget: Budget) -> usize {
    // Without line breaks in cells, several lines are hard to read.
    if !budget.details {
        return if lines.len() == 1 { 1 } else { 0 };
    }
    let mut marked = lines.iter().take(MAX_MARKED_LINES);
    let marked = marked.rposition(|line| !line.mark().is_empty());
    let most = marked.map_or(0, |last| last + 1).max(MAX_LINES);
    if lines.len() <= most + FEW {
        return lines.len();
    }
    // Lines below a line stay with it.
    let ends_part = |index: &usize| lines.get(*index).is_some_and(|line| line.depth == 0);
    let least = marked.map_or(1, |last| last + 1);
    (least..=most).rev().find(ends_part).unwrap_or(most)
}

/// A row of the table, before it is written.
struct MarkdownRow<'r> {
    /// The entry of the row.
    entry: &'r ReportEntry<'r>,
    /// The number of objects of the entry.
    number: usize,
    /// The lines for which the row has space.
    lines: &'r [&'r Line],
    /// The lines of the entry for which the row has no space.
    left_out: &'r [&'r Line],
    /// The markup that the row may have, such as line breaks in cells.
    budget: Budget,
}

impl MarkdownRow<'_> {
    /// Returns the row in Markdown.
    fn write(&self, has_costs: bool) -> String {
        let entry = self.entry;
        let cost = if has_costs {
            format!(" {} |", entry.cost.as_deref().unwrap_or(""))
        } else {
            String::new()
        };
        format!(
            "| {} | {} | {} |{cost}\n",
            cell(entry.sign.symbol),
            self.resource(),
            self.parts().join(self.line_break())
        )
    }

    /// Returns what separates the parts of a cell.
    fn line_break(&self) -> &'static str {
        if self.budget.details { "<br>" } else { " " }
    }

    /// Returns the cell of the resource: the address, the number of objects, and where the resource is written.
    fn resource(&self) -> String {
        let entry = self.entry;
        // A chain of causes may have thousands of members, of which each would be indented further.
        let depth = entry.depth.min(MAX_DEPTH);
        let mut text = "\u{a0}\u{a0}".repeat(depth.saturating_sub(1));
        if entry.depth > 0 {
            text.push_str("↳\u{a0}");
        }
        text.push_str(&match entry.is_destroyed {
            true => names_in_cell(&entry.address),
            false => cell(&entry.address),
        });
        if self.number > 1 {
            text.push_str(&format!("\u{a0}×\u{a0}{}", self.number));
        }
        if entry.others.len() <= MAX_ADDRESSES {
            for name in &entry.others {
                text.push_str(&format!("{}{}", self.line_break(), cell(name)));
            }
        }
        if let Some(source) = &entry.source {
            text.push_str(&format!(
                "{}{}{}",
                self.line_break(),
                link(source),
                source.rest
            ));
        }
        text
    }

    /// Returns what the object is, what is said about it, and its lines. What is behind a kind of finding is what that is
    /// about, so nothing is behind that of a finding about the object as a whole.
    fn parts(&self) -> Vec<String> {
        let entry = self.entry;
        let mut parts = Vec::new();
        if !entry.summary.is_empty() {
            parts.push(sentence_in_cell(&entry.summary));
        }
        if !entry.remark.is_empty() {
            parts.push(format!("({})", sentence_in_cell(&entry.remark)));
        }
        if !entry.mark.is_empty() {
            parts.push(mark_words(&entry.mark).trim_end().to_owned());
        }
        let reasons = entry.needs.iter().chain(&entry.reasons);
        parts.extend(reasons.map(|reason| sentence_in_cell(reason)));
        let (with_findings, _) = entry.lines_around_results();
        let (with_findings, rest) = self
            .lines
            .split_at(with_findings.len().min(self.lines.len()));
        parts.extend(with_findings.iter().map(|line| line_in_cell(line, entry)));
        parts.extend(self.results());
        parts.extend(rest.iter().map(|line| line_in_cell(line, entry)));
        if !self.left_out.is_empty() {
            let mut mark = Mark::default();
            self.left_out.iter().for_each(|line| mark.add(line.mark()));
            let more = count(self.left_out.len(), "more line");
            parts.push(format!("{}… {more}", mark_words(&mark)));
        }
        if parts.is_empty() {
            let words = [&entry.preview, &entry.phrase];
            let words = words.into_iter().find(|words| !words.is_empty());
            parts.extend(words.map(|words| sentence_in_cell(words)));
        }
        parts
    }

    /// Returns what other tools say about the object.
    fn results(&self) -> impl Iterator<Item = String> {
        let results = &self.entry.results;
        let separator = match self.budget.details {
            true => "<br>\u{a0}\u{a0}",
            false => " ",
        };
        let lines = results.shown.iter().map(move |result| {
            let label = label(result).replace('|', "¦");
            let sign = if result.tone == Tone::Alert {
                "❗ "
            } else {
                ""
            };
            let text = paragraph(&result.text().replace('|', "¦"), separator);
            format!("{sign}{label} {text}")
        });
        lines.chain(results.rest())
    }
}

/// Returns the findings before the text that they are about: `🟡 **protection** `. Empty if there are none.
pub(super) fn mark_words(mark: &Mark) -> String {
    match mark.level {
        Level::None => String::new(),
        level @ (Level::Notice | Level::Warning | Level::Critical) => {
            format!("{} **{}** ", circle(level), mark.words())
        }
    }
}

/// Returns the sign of a level.
pub(super) fn circle(level: Level) -> &'static str {
    match level {
        Level::Critical => "🔴",
        Level::Warning => "🟡",
        Level::Notice => "🔵",
        Level::None => "🟢",
    }
}

/// Returns a line of an entry for a cell, with its findings.
fn line_in_cell(line: &Line, entry: &ReportEntry<'_>) -> String {
    let indent = "\u{a0}\u{a0}".repeat(line.depth);
    let text = line_words(line, entry.sign.symbol).replace('|', "¦");
    format!("{indent}{}{text}", mark_words(line.mark()))
}

/// Returns the text of a line in Markdown. `sign` is that of the entry, which its lines need not repeat.
pub(super) fn line_words(line: &Line, sign: &str) -> String {
    let text = line.text();
    match line.sign {
        Sign::Add if sign != "+" => code(&format!("+ {text}")),
        Sign::Remove if sign != "-" => code(&format!("- {text}")),
        Sign::Add | Sign::Remove | Sign::Change => code(&text),
        // This is a row of the table of a group: the keys of its objects, and what distinguishes them.
        Sign::Same
            if let [first, rest @ ..] = &*line.spans
                && !rest.is_empty() =>
        {
            let rest: String = rest.iter().map(|span| span.text.as_str()).collect();
            match first.tone {
                Tone::Alert => format!("{}{}", first.text, code(&rest)),
                Tone::Plain
                | Tone::Muted
                | Tone::Added
                | Tone::Removed
                | Tone::Changed
                | Tone::AddedWord
                | Tone::RemovedWord => format!("{} {}", code(first.text.trim_end()), code(&rest)),
            }
        }
        Sign::Same | Sign::Note => sentence(&text),
    }
}
