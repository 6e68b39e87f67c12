//! Shows the difference between two strings: the changed words of each, or a single changed stretch between equal
//! parts.
//!
//! ```text
//! - yum update -y                                 words
//! + dnf upgrade -y
//! …layer:powertools:{12 -> 13}                    stretch
//! ```

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::report::{Span, Tone};
use crate::review::count;
use crate::text::{cut, escape_unquoted};

/// The maximum length of two stretches together that are compared word by word, in bytes. The comparison may take
/// quadratic time.
const MAX_COMPARED: usize = 1_000;
/// The number of characters that are shown at each end of a long unchanged stretch.
const KEPT_UNCHANGED: usize = 30;
/// The maximum length of a changed stretch, in characters.
const MAX_CHANGE_LEN: usize = 300;
/// The maximum length of each side of a changed stretch that is shown between equal parts, in bytes.
pub(super) const MAX_STRETCH_LEN: usize = 60;
/// The maximum number of bytes that are shown before a changed stretch.
const KEPT: usize = 24;
/// The maximum number of bytes that are shown after a changed stretch.
const KEPT_BEHIND: usize = 16;

/// Returns both texts as spans in which the words that differ are marked. If too much differs, everything between the
/// equal ends is marked.
pub(super) fn changed(before: &str, after: &str) -> (Vec<Span>, Vec<Span>) {
    let (head, tail) = common_ends(before, after);
    let (first, rest) = before.split_at(head);
    let (before, last) = rest.split_at(rest.len() - tail);
    let after = after.get(head..after.len() - tail).unwrap_or_default();
    let (mut old, mut new) = (Vec::new(), Vec::new());
    both(&mut old, &mut new, first);
    if before.len() + after.len() > MAX_COMPARED {
        join(&mut old, before, Tone::RemovedWord);
        join(&mut new, after, Tone::AddedWord);
    } else {
        let (before, after) = (split(before), split(after));
        for operation in capture_diff_slices(Algorithm::Myers, &before, &after) {
            for change in operation.iter_changes(&before, &after) {
                match change.tag() {
                    ChangeTag::Equal => both(&mut old, &mut new, change.value()),
                    ChangeTag::Delete => join(&mut old, change.value(), Tone::RemovedWord),
                    ChangeTag::Insert => join(&mut new, change.value(), Tone::AddedWord),
                }
            }
        }
    }
    both(&mut old, &mut new, last);
    shorten(&mut old);
    shorten(&mut new);
    (old, new)
}

/// Returns the lengths of the equal beginning and the equal end of two texts, in bytes. A word that differs in part
/// counts as different, unless it is long.
pub(super) fn common_ends(before: &str, after: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = before
        .chars()
        .zip(after.chars())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let head = head - last_word(before.get(..head).unwrap_or_default().chars().rev());
    let (rest, other) = (
        before.get(head..).unwrap_or_default(),
        after.get(head..).unwrap_or_default(),
    );
    let tail: usize = rest
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let tail = tail - last_word(rest.get(rest.len() - tail..).unwrap_or_default().chars());
    (head, tail)
}

/// Returns the length of the word at the beginning of `chars`, in bytes; 0 if the word is long.
fn last_word(chars: impl Iterator<Item = char>) -> usize {
    let length: usize = chars
        .take(KEPT_UNCHANGED + 1)
        .take_while(|c| is_word(*c))
        .map(char::len_utf8)
        .sum();
    if length > KEPT_UNCHANGED { 0 } else { length }
}

/// Whether a character is part of a word.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Splits a text into words, runs of white space, and single other characters.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if is_word(c) => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let (mut start, mut last) = (0, None);
    for (offset, c) in text.char_indices() {
        let class = class(c);
        if offset > 0 && (last != Some(class) || class == 0) {
            words.extend(text.get(start..offset));
            start = offset;
        }
        last = Some(class);
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

/// Appends a text that is equal on both sides.
fn both(old: &mut Vec<Span>, new: &mut Vec<Span>, text: &str) {
    join(old, text, Tone::Removed);
    join(new, text, Tone::Added);
}

/// Appends a text to the last span if that has the same tone, otherwise as a new span.
fn join(spans: &mut Vec<Span>, text: &str, tone: Tone) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.tone == tone => last.text.push_str(text),
        _ => spans.push(Span::new(text, tone)),
    }
}

/// Cuts long unchanged spans, and says how many characters are missing. The text next to a change stays. Changed spans
/// are cut to their maximum length.
fn shorten(spans: &mut [Span]) {
    let last = spans.len().saturating_sub(1);
    for (index, span) in spans.iter_mut().enumerate() {
        if matches!(span.tone, Tone::RemovedWord | Tone::AddedWord) {
            span.text = cut(&span.text, MAX_CHANGE_LEN);
            continue;
        }
        let length = span.text.chars().count();
        let is_only = last == 0;
        let head = if index == 0 && !is_only {
            0
        } else {
            KEPT_UNCHANGED
        };
        let tail = if index == last && !is_only {
            0
        } else {
            KEPT_UNCHANGED
        };
        if length > head + tail + 20 {
            let first: String = span.text.chars().take(head).collect();
            let end: String = span.text.chars().skip(length - tail).collect();
            let what = count(length - head - tail, "character");
            span.text = format!("{first}…({what} the same)…{end}");
        }
    }
}

/// Returns the difference of two strings as `…layer:powertools:{12 -> 13}`. `None` if too much differs, or if less than
/// `min_same` bytes are equal.
pub(super) fn stretch(before: &str, after: &str, min_same: usize) -> Option<Vec<Span>> {
    stretch_with(before, after, min_same, KEPT)
}

/// Returns the same as `stretch`, but with less before the difference if that has more than `columns` columns.
pub(super) fn stretch_within(
    before: &str,
    after: &str,
    min_same: usize,
    columns: usize,
) -> Option<Vec<Span>> {
    let spans = stretch(before, after, min_same)?;
    let length: usize = spans.iter().map(|span| span.text.chars().count()).sum();
    if length <= columns {
        return Some(spans);
    }
    stretch_with(before, after, min_same, KEPT / 3)
}

/// Returns the difference of two strings as `…key/{old -> new}…`, with at most `kept` bytes before it. `None` if the
/// strings are not similar enough.
fn stretch_with(before: &str, after: &str, min_same: usize, kept: usize) -> Option<Vec<Span>> {
    if before.contains('\n') || after.contains('\n') {
        return None;
    }
    let (head, tail) = common_ends(before, after);
    let old = before.get(head..before.len() - tail)?;
    let new = after.get(head..after.len() - tail)?;
    if old.len().max(new.len()) > MAX_STRETCH_LEN || head + tail < min_same {
        return None;
    }
    let first = before.get(..head)?;
    let last = before.get(before.len() - tail..)?;
    let from = (head.saturating_sub(kept)..=head).find(|offset| {
        let is_start =
            *offset == 0 || first[..*offset].ends_with([':', '/', ',', ' ', '.', '-', '_']);
        first.is_char_boundary(*offset) && is_start
    });
    let from = first.ceil_char_boundary(from.unwrap_or(head.saturating_sub(kept)));
    let to = last.floor_char_boundary(KEPT_BEHIND);
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    Some(vec![
        Span::new(
            format!(
                "{}{}{{",
                dots(from > 0),
                escape_unquoted(first.get(from..)?)
            ),
            Tone::Plain,
        ),
        Span::new(escape_unquoted(old), Tone::Removed),
        Span::new(" -> ", Tone::Plain),
        Span::new(escape_unquoted(new), Tone::Added),
        Span::new(
            format!(
                "}}{}{}",
                escape_unquoted(last.get(..to)?),
                dots(to < last.len())
            ),
            Tone::Plain,
        ),
    ])
}

#[cfg(test)]
mod tests;
