//! Counts with nouns, and texts that are shortened.

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

/// The numbers that are not zero, each with its words.
pub fn nonzero<S: std::fmt::Display>(numbers: impl IntoIterator<Item = (usize, S)>) -> Vec<String> {
    let numbers = numbers.into_iter().filter(|(number, _)| *number > 0);
    numbers.map(|(number, words)| format!("{number} {words}")).collect()
}

/// The text, truncated to `max_len` characters. A truncated text ends with the number of omitted ones.
pub fn cut(text: &str, max_len: usize) -> String {
    match text.char_indices().nth(max_len) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}…({})", count(rest.chars().count(), "more character"))
        }
    }
}

/// The first `max` names, and the number of the others: `a, b and 3 more`.
pub fn first_of<S: AsRef<str>>(
    names: impl IntoIterator<Item = S, IntoIter: ExactSizeIterator>,
    max: usize,
) -> String {
    let names = names.into_iter();
    let more = names.len().saturating_sub(max);
    let mut shown = String::new();
    for (at, name) in names.take(max).enumerate() {
        shown.push_str(if at > 0 { ", " } else { "" });
        shown.push_str(name.as_ref());
    }
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A text on one line.
pub fn one_line(text: &str) -> String {
    text.replace('\n', "␊")
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
