//! The changed words of a string, with both sides truncated around them.

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::report::{Span, Tone};
use crate::review::count;
use crate::text::cut;

/// The maximum length of stretches that are compared word by word, which may take quadratic time.
const MAX_LEN: usize = 1_000;
/// The number of characters of an unchanged stretch that are shown at each end.
const KEPT: usize = 30;
/// The maximum length of a changed stretch.
const MAX_CHANGE_LEN: usize = 300;

/// Both sides of a changed string, with the changed words marked, and truncated around them.
pub(super) fn changed(before: &str, after: &str) -> (Vec<Span>, Vec<Span>) {
    let (head, tail) = common_ends(before, after);
    let inner = |text: &str| text.get(head..text.len() - tail).unwrap_or_default().to_owned();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let ends = [before.get(..head), before.get(before.len() - tail..)];
    let [first, last] = ends.map(Option::unwrap_or_default);
    both(&mut old, &mut new, first);
    middle(&inner(before), &inner(after), &mut old, &mut new);
    both(&mut old, &mut new, last);
    shorten(&mut old);
    shorten(&mut new);
    (old, new)
}

/// The lengths of the common prefix and suffix in bytes, extended to whole words if these are short.
fn common_ends(before: &str, after: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let head = head - last_word(before.get(..head).unwrap_or_default().chars().rev());
    let (rest, other) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail: usize =
        rest.chars().rev().zip(other.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let tail = tail - last_word(rest.get(rest.len() - tail..).unwrap_or_default().chars());
    (head, tail)
}

/// The length of the word at the start of a text, in bytes; 0 if it is long.
fn last_word(chars: impl Iterator<Item = char>) -> usize {
    let length: usize = chars.take(KEPT + 1).take_while(|c| is_word(*c)).map(char::len_utf8).sum();
    if length > KEPT { 0 } else { length }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn middle(before: &str, after: &str, old: &mut Vec<Span>, new: &mut Vec<Span>) {
    if before.len() + after.len() > MAX_LEN {
        join(old, before, Tone::RemovedWord);
        join(new, after, Tone::AddedWord);
        return;
    }
    let (before, after) = (split(before), split(after));
    for operation in capture_diff_slices(Algorithm::Myers, &before, &after) {
        for change in operation.iter_changes(&before, &after) {
            match change.tag() {
                ChangeTag::Equal => both(old, new, change.value()),
                ChangeTag::Delete => join(old, change.value(), Tone::RemovedWord),
                ChangeTag::Insert => join(new, change.value(), Tone::AddedWord),
            }
        }
    }
}

/// Splits a text into words, white space, and single other characters, so that the tag or digest of an
/// image is a separate word.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if is_word(c) => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, c) in text.char_indices() {
        let class = class(c);
        if at > 0 && (last != Some(class) || class == 0) {
            words.extend(text.get(start..at));
            start = at;
        }
        last = Some(class);
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

fn both(old: &mut Vec<Span>, new: &mut Vec<Span>, text: &str) {
    join(old, text, Tone::Removed);
    join(new, text, Tone::Added);
}

fn join(spans: &mut Vec<Span>, text: &str, tone: Tone) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.tone == tone => last.text.push_str(text),
        _ => spans.push(Span::new(text, tone)),
    }
}

/// Removes the middle of long unchanged stretches and the end of long changed ones, and writes how much was
/// removed.
fn shorten(spans: &mut [Span]) {
    let last = spans.len().saturating_sub(1);
    for (at, span) in spans.iter_mut().enumerate() {
        if matches!(span.tone, Tone::RemovedWord | Tone::AddedWord) {
            span.text = cut(&span.text, MAX_CHANGE_LEN);
            continue;
        }
        let length = span.text.chars().count();
        let is_only = last == 0;
        let head = if at == 0 && !is_only { 0 } else { KEPT };
        let tail = if at == last && !is_only { 0 } else { KEPT };
        if length > head + tail + 20 {
            let first: String = span.text.chars().take(head).collect();
            let end: String = span.text.chars().skip(length - tail).collect();
            let what = count(length - head - tail, "character");
            span.text = format!("{first}…({what} the same)…{end}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(spans: &[Span], tone: Tone) -> Vec<&str> {
        spans.iter().filter(|span| span.tone == tone).map(|span| span.text.as_str()).collect()
    }

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[test]
    fn the_tag_of_an_image_is_marked() {
        let (old, new) = changed("registry.example/api:2.18.0", "registry.example/api:2.19.0");
        assert_eq!(words(&old, Tone::RemovedWord), ["18"]);
        assert_eq!(words(&new, Tone::AddedWord), ["19"]);
        assert_eq!(split("a_1 --é"), ["a_1", " ", "-", "-", "é"]);
        assert!(split("").is_empty());
    }

    #[test]
    fn long_strings_are_cut_around_what_differs_on_both_sides() {
        let long = "x, ".repeat(100_000);
        let (old, new) = changed(&format!("{long}old, {long}"), &format!("{long}new, {long}"));
        assert_eq!(
            (words(&old, Tone::RemovedWord), words(&new, Tone::AddedWord)),
            (vec!["old"], vec!["new"])
        );
        assert!(text(&old).chars().count() < 200 && text(&old).contains("the same"), "{}", text(&old));
    }

    #[test]
    fn nothing_of_a_short_string_is_lost() {
        for (before, after) in [("aa", "a"), ("", "b"), ("é", "è"), ("ab ab", "ab"), ("a-b", "a-a-b")] {
            let (old, new) = changed(before, after);
            assert_eq!((text(&old), text(&new)), (before.to_owned(), after.to_owned()));
        }
    }
}
