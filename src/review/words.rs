//! Which words of a string changed.

use similar::{ChangeTag, TextDiff};

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
    let diff = TextDiff::configure().diff_words(before, after);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
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
    if cut {
        shorten(&mut old);
        shorten(&mut new);
    }
    (old, new)
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
