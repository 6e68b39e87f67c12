//! Code in Markdown that its content cannot close.

/// `lines` in a code fence longer than any run of backticks in them, with the info string `info`. The
/// last line must end with a line break.
pub fn fenced(info: &str, lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("{fence}{info}\n{lines}{fence}\n")
}

/// A text of one line as a code span.
pub fn code_span(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
