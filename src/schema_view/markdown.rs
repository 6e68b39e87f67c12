//! Text from schemas in Markdown, escaped so that it remains text.

use crate::term::visible;
use crate::text::longest_run;

/// A name or type as a code span.
pub(super) fn code(text: &str) -> String {
    let text = visible(&text.replace(['\n', '\r'], " "));
    if text.trim().is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The beginning of a table with these columns.
pub(super) fn table(columns: &[&str]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), " --- |".repeat(columns.len()))
}

/// A name or type as a code span in a table cell.
pub(super) fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A description on one line, for a table cell.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().map(escaped).collect::<Vec<_>>().join(" ")
}

/// A description as paragraphs.
pub(super) fn prose(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(cell).filter(|paragraph| !paragraph.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Escapes Markdown. Descriptions are untrusted Markdown, which is shown but not interpreted, so that it can
/// neither end a cell nor add images, links, mentions or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!' | '|'
            | '~' | '=' => {
                out.push('\\');
                out.push(c);
            }
            '.' if out.chars().all(|c| c.is_ascii_digit()) => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}
