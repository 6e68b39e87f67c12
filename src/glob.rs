//! Patterns for names, addresses and paths of attributes, as in policies: `aws_*`, `module.*.tags?`.
//!
//! Patterns for files are those of the crate `globset` instead, which handles directories.

/// Whether a pattern matches all of a text. `*` matches any characters, `?` a single one, and all other characters
/// match themselves (including brackets, which occur in addresses). The time is that of a search for each part between
/// two `*`.
pub(crate) fn matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else {
        return prefix(glob, text) == Some(text.len());
    };
    let Some(mut at) = prefix(first, text) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The parts between two `*` are matched where they first occur, which leaves as much as possible of the text to the
    // parts after them.
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match find(part, &text[at..]) {
            Some(end) => at += end,
            None => return false,
        }
    }
    ends_with(last, &text[at..])
}

/// Returns the length of the beginning of `text` that a part of a pattern without `*` matches, in bytes.
fn prefix(part: &str, text: &str) -> Option<usize> {
    let mut rest = text.chars();
    part.chars()
        .all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
        .then(|| text.len() - rest.as_str().len())
}

/// Returns the end of the first match of a part of a pattern without `*`, in bytes.
fn find(part: &str, text: &str) -> Option<usize> {
    if !part.contains('?') {
        return text.find(part).map(|start| start + part.len());
    }
    text.char_indices()
        .find_map(|(start, _)| prefix(part, &text[start..]).map(|length| start + length))
}

/// Whether a part of a pattern without `*` matches the end of a text.
fn ends_with(part: &str, text: &str) -> bool {
    let mut rest = text.chars().rev();
    part.chars()
        .rev()
        .all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
}

#[cfg(test)]
mod tests;
