//! Counts with nouns.

/// A number with its noun in singular or plural: `1 change`, `2 entries`, `3 parts of a value`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        return format!("1 {noun}");
    }
    let (noun, rest) = noun.split_once(" of ").unwrap_or((noun, ""));
    let rest = if rest.is_empty() { String::new() } else { format!(" of {rest}") };
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        Some(stem) => format!("{number} {stem}ies{rest}"),
        None => format!("{number} {noun}s{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn a_vowel_before_y_keeps_it() {
        assert_eq!(count(4, "day"), "4 days");
        assert_eq!(count(4, "entry"), "4 entries");
    }

    #[test]
    fn nouns_follow_their_number() {
        for (number, noun, expected) in [
            (1, "entry", "1 entry"),
            (2, "entry", "2 entries"),
            (0, "change", "0 changes"),
            (2, "more line of values", "2 more lines of values"),
        ] {
            assert_eq!(count(number, noun), expected);
        }
    }
}
