//! Fenced code in Markdown that its content cannot close.

/// `lines` in a code fence longer than any run of backticks in them, with the info string `info`. The
/// last line must end with a line break.
pub fn fenced(info: &str, lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("{fence}{info}\n{lines}{fence}\n")
}

/// The length of the longest run of backticks.
pub fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
