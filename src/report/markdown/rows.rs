//! The table of the changes, and the details that it does not have.

use super::code::{action_words, cell, code, html};
use super::{item, why};
use crate::report::blocks::{Block, Budget, ROWS, Shortened};
use crate::report::{Entry, Level, Part};
use crate::text::count;

/// Whether the costs of changes are known.
pub(super) fn has_costs(part: &Part<'_>) -> bool {
    part.sections.iter().flat_map(|section| &section.entries).any(|entry| entry.cost.is_some())
}

/// The table of the changes. Those after the first ones are in a collapsible part.
pub(super) fn changes(section: &Shortened, has_costs: bool, budget: Budget) -> String {
    let rows: Vec<&str> = section.blocks.iter().map(Block::row).filter(|row| !row.is_empty()).collect();
    if rows.is_empty() {
        return String::new();
    }
    let [cost, line] = if has_costs { [" cost |", "--:|"] } else { ["", ""] };
    let title = format!("| | resource | what | finding |{cost}\n|---|---|---|---|{line}\n");
    let (first, rest) = rows.split_at(if budget.details { rows.len().min(ROWS) } else { rows.len() });
    let mut text = format!("{title}{}\n", first.concat());
    if !rest.is_empty() {
        let more = count(rest.len(), "more change");
        let rest = rest.concat();
        text.push_str(&format!("<details><summary>{more}</summary>\n\n{title}{rest}\n</details>\n\n"));
    }
    text
}

/// The row of an entry.
fn row(entry: &Entry<'_>, has_costs: bool) -> String {
    let level = match entry.level {
        Level::Critical => "\u{a0}🔴",
        Level::Warning => "\u{a0}🟡",
        Level::Notice | Level::None => "",
    };
    let number = entry.places.1.len();
    let times = if number > 1 { format!("\u{a0}×\u{a0}{number}") } else { String::new() };
    let what = match &*entry.preview {
        "" => action_words(entry.phrase.split(" — ").next().unwrap_or_default()),
        preview => cell(preview),
    };
    let mut findings = entry.finding_kinds.join(", ");
    if let (number @ 1.., more) = (entry.results.shown.len(), entry.results.more) {
        let comma = if findings.is_empty() { "" } else { ", " };
        findings.push_str(&format!("{comma}{}", count(number + more, "result")));
    }
    let cost = if has_costs { format!(" {} |", entry.cost.as_deref().unwrap_or("")) } else { String::new() };
    let (sign, address) = (cell(entry.sign.0), cell(&entry.address));
    format!("| {sign}{level} | {address}{times} | {what} | {findings} |{cost}\n")
}

/// A change with a row in the table, and the details that the table does not have.
pub(super) fn in_table(entry: &Entry<'_>, says_all_findings: bool, has_costs: bool, budget: Budget) -> Block {
    let mut said = why(entry, !says_all_findings);
    if !entry.others.is_empty() {
        said.push('\n');
        said.extend(entry.others.iter().map(|text| format!("- {}\n", code(text))));
    }
    let line = format!("- {}\n", code(&entry.address));
    let block = item(entry, (&html(&entry.address), &line, ""), (&said, ""), budget);
    Block { row: row(entry, has_costs), ..block }
}
