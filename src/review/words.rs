//! Which words of a string changed.

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use super::lines::{Span, Tone};

/// Longer strings are not compared word by word.
const LONGEST: usize = 20_000;
/// How much of an unchanged stretch is shown at each of its ends.
const KEPT: usize = 30;

/// Both sides of a changed string, each with what changed standing out.
pub(super) fn changed(before: &str, after: &str, cut: bool) -> (Vec<Span>, Vec<Span>) {
    if before.len() + after.len() > LONGEST {
        return (
            vec![Span::data(before.to_owned(), Tone::Removed)],
            vec![Span::data(after.to_owned(), Tone::Added)],
        );
    }
    let (words_before, words_after) = (split(before), split(after));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for operation in capture_diff_slices(Algorithm::Myers, &words_before, &words_after) {
        for change in operation.iter_changes(&words_before, &words_after) {
            let text = change.value();
            match change.tag() {
                ChangeTag::Equal => {
                    join(&mut old, text, Tone::Removed);
                    join(&mut new, text, Tone::Added);
                }
                ChangeTag::Delete => join(&mut old, text, Tone::RemovedWord),
                ChangeTag::Insert => join(&mut new, text, Tone::AddedWord),
            }
        }
    }
    if cut {
        shorten(&mut old);
        shorten(&mut new);
    }
    (old, new)
}

/// Words, the white space between them, and all other characters one by one: a tag or a digest at the
/// end of an image's name is a word of its own.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
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

fn join(spans: &mut Vec<Span>, text: &str, tone: Tone) {
    match spans.last_mut() {
        Some(last) if last.tone == tone => last.text.push_str(text),
        _ => spans.push(Span::data(text.to_owned(), tone)),
    }
}

/// Cuts the middle out of long unchanged stretches, and says how much that was.
fn shorten(spans: &mut [Span]) {
    let last = spans.len().saturating_sub(1);
    for (at, span) in spans.iter_mut().enumerate() {
        if matches!(span.tone, Tone::RemovedWord | Tone::AddedWord) {
            continue;
        }
        let chars: Vec<char> = span.text.chars().collect();
        let head = if at == 0 { 0 } else { KEPT };
        let tail = if at == last { 0 } else { KEPT };
        if chars.len() > head + tail + 20 {
            let first: String = chars[..head].iter().collect();
            let end: String = chars[chars.len() - tail..].iter().collect();
            span.text = format!("{first}…({} the same)…{end}", chars.len() - head - tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_of_an_image_stands_out() {
        let (old, new) =
            changed("registry.example/shop/api:2.18.0", "registry.example/shop/api:2.19.0", false);
        let words = |spans: &[Span], tone| -> Vec<String> {
            spans.iter().filter(|span| span.tone == tone).map(|span| span.text.clone()).collect()
        };
        assert_eq!(words(&old, Tone::RemovedWord), ["18"]);
        assert_eq!(words(&new, Tone::AddedWord), ["19"]);
        assert_eq!(split("a_1 --é"), ["a_1", " ", "-", "-", "é"]);
        assert!(split("").is_empty());
    }
}
