//! Markdown: the table of the changes, and the details that it does not have.

use super::blocks::{Block, Budget, ROWS, Shortened};
use super::markdown::{action_words, cell, code, html, item, why};
use super::{Entry, Level, Line, Part, Sign};
use crate::text::count;

/// The row has entries with so few lines and characters instead of details.
const CELL_LINES: usize = 3;
const CELL_LEN: usize = 120;

pub(super) fn has_costs(part: &Part<'_>) -> bool {
    part.sections
        .iter()
        .flat_map(|section| &section.entries)
        .any(|entry| entry.cost.is_some())
}

pub(super) fn changes(section: &Shortened, has_costs: bool, budget: Budget) -> String {
    let rows: Vec<&str> = section
        .blocks
        .iter()
        .map(Block::row)
        .filter(|row| !row.is_empty())
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let [cost, line] = if has_costs {
        [" cost |", "--:|"]
    } else {
        ["", ""]
    };
    let title = format!("| | resource | what | finding |{cost}\n|---|---|---|---|{line}\n");
    let (first, rest) = rows.split_at(if budget.details {
        rows.len().min(ROWS)
    } else {
        rows.len()
    });
    let mut text = format!("{title}{}\n", first.concat());
    if !rest.is_empty() {
        let more = count(rest.len(), "more change");
        let rest = rest.concat();
        text.push_str(&format!(
            "<details><summary>{more}</summary>\n\n{title}{rest}\n</details>\n\n"
        ));
    }
    text
}

/// The row is then all that there is.
fn whole_cell(entry: &Entry<'_>, budget: Budget) -> Option<String> {
    let most = if budget.details { CELL_LINES } else { 1 };
    let is_flat = |line: &Line| line.depth == 0 && !matches!(line.sign, Sign::Note | Sign::Same);
    if !(1..=most).contains(&entry.lines.len()) || !entry.lines.iter().all(is_flat) {
        return None;
    }
    let texts: Vec<String> = entry.lines.iter().map(|line| line.text()).collect();
    // A cell cannot have a bar, and a code span no line break. A summary says more than what is known after apply.
    let is_plain = |text: &String| {
        !text.contains(['|', '\n', '\r'])
            && (entry.sign.0 != "+" || !text.ends_with("(known after apply)"))
    };
    let length: usize = texts.iter().map(|text| text.chars().count()).sum();
    if length > CELL_LEN || !texts.iter().all(is_plain) {
        return None;
    }
    let signed = entry
        .lines
        .iter()
        .zip(&texts)
        .map(|(line, text)| match line.sign {
            Sign::Add if entry.sign.0 != "+" => code(&format!("+ {text}")),
            Sign::Remove if entry.sign.0 != "-" => code(&format!("- {text}")),
            Sign::Add | Sign::Remove | Sign::Change | Sign::Same | Sign::Note => code(text),
        });
    Some(signed.collect::<Vec<_>>().join("<br>"))
}

fn row(entry: &Entry<'_>, whole: Option<&str>, has_costs: bool) -> String {
    let level = match entry.level {
        Level::Critical => "\u{a0}🔴",
        Level::Warning => "\u{a0}🟡",
        Level::Notice | Level::None => "",
    };
    let number = entry.places.1.len();
    let times = if number > 1 {
        format!("\u{a0}×\u{a0}{number}")
    } else {
        String::new()
    };
    let what = match &*entry.preview {
        _ if let Some(whole) = whole => whole.to_owned(),
        "" => action_words(&entry.phrase),
        preview => cell(preview),
    };
    let mut findings = entry.finding_kinds.join(", ");
    if let (number @ 1.., more) = (entry.results.shown.len(), entry.results.more) {
        let comma = if findings.is_empty() { "" } else { ", " };
        findings.push_str(&format!("{comma}{}", count(number + more, "result")));
    }
    let cost = if has_costs {
        format!(" {} |", entry.cost.as_deref().unwrap_or(""))
    } else {
        String::new()
    };
    let (sign, address) = (cell(entry.sign.0), cell(&entry.address));
    format!("| {sign}{level} | {address}{times} | {what} | {findings} |{cost}\n")
}

pub(super) fn in_table(
    entry: &Entry<'_>,
    says_all_findings: bool,
    has_costs: bool,
    budget: Budget,
) -> Block {
    let mut said = why(entry, !says_all_findings);
    if !entry.others.is_empty() {
        said.push('\n');
        said.extend(
            entry
                .others
                .iter()
                .map(|text| format!("- {}\n", code(text))),
        );
    }
    let whole = whole_cell(entry, budget).filter(|_| said.is_empty());
    let line = format!("- {}\n", code(&entry.address));
    let lines = if whole.is_some() { &[] } else { &*entry.lines };
    let block = item(
        entry,
        lines,
        (&html(&entry.address), &line, ""),
        (&said, ""),
        budget,
    );
    let full = row(entry, whole.as_deref(), has_costs);
    // A preview that is no shorter saves nothing, and the changes would be neither shown nor counted.
    let short = whole
        .as_ref()
        .map(|_| row(entry, None, has_costs))
        .filter(|short| short.len() < full.len());
    Block {
        row: full,
        short_row: short,
        ..block
    }
}
