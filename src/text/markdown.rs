//! Code in Markdown, which no text inside of it can end.

/// Lines of code in a fence that is longer than any in them; `info` says what they are. The last line
/// has its end.
pub fn fenced(info: &str, lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("{fence}{info}\n{lines}{fence}\n")
}

/// How many backticks stand in a row at most.
pub fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}
