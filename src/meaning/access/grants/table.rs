//! Tables of words that cover others, such as roles with those that they include.

/// Words, in lower case, each with those that it covers. `*` stands for every word.
pub(super) type Covers = &'static [(&'static str, &'static [&'static str])];

/// Whether a table says that a word covers another.
pub(super) fn in_table(table: Covers, wide: &str, narrow: &str) -> bool {
    table
        .iter()
        .filter(|(word, _)| *word == wide)
        .any(|(_, covered)| covered.contains(&"*") || covered.contains(&narrow))
}
