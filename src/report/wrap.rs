//! Lines on a terminal. Long remarks are wrapped at spaces, with an indentation.

use unicode_width::UnicodeWidthStr;

use super::{Layout, Tone};
use crate::term::Role;

/// The smallest number of columns for the text. On narrower terminals, nothing is wrapped.
const MIN_ROOM: usize = 30;

/// The lines of a text of one line. The first one begins after `used` columns, the others after `indent`.
pub(super) fn wrapped(text: &str, layout: Layout, indent: usize, used: usize) -> Vec<&str> {
    let width = layout.width;
    if !layout.wraps || width < indent + MIN_ROOM {
        return vec![text];
    }
    let (mut lines, mut start, mut end) = (Vec::new(), 0, 0);
    let mut room = width.saturating_sub(used);
    for (at, word) in words(text) {
        let word_end = at + word.len();
        let line = text.get(start..word_end).unwrap_or_default();
        // A word that does not fit into an empty line either stays where it is.
        if end > start && line.width() > room {
            lines.push(text.get(start..end).unwrap_or_default());
            (start, room) = (at, width - indent);
        }
        end = word_end;
    }
    lines.push(text.get(start..).unwrap_or_default());
    lines
}

/// The words of a text and their positions. Spaces at the beginning belong to the first word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut at = 0;
    text.split_inclusive(' ').filter_map(move |part| {
        let start = at;
        at += part.len();
        let start = if start < indent { 0 } else { start };
        let word = text.get(start..at)?.trim_end_matches(' ');
        (!word.is_empty()).then_some((start, word))
    })
}

pub(super) fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Plain,
        Tone::Muted => Role::Muted,
        Tone::Added => Role::Create,
        Tone::Removed => Role::Delete,
        Tone::Changed => Role::Update,
        Tone::AddedWord => Role::StrongSuccess,
        Tone::RemovedWord | Tone::Alert => Role::StrongDelete,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, used: usize, width: usize) -> Vec<&str> {
        let layout = Layout { width, wraps: true, links: false, fingerprint: false };
        wrapped(text, layout, 2, used)
    }

    #[test]
    fn remarks_are_broken_at_spaces_within_the_width() {
        let text = " one two three four five six seven eight";
        assert_eq!(lines(text, 10, 40), [" one two three four five six", "seven eight"]);
        assert_eq!(lines(text, 0, 400), [text]);
        let long = format!("a {} b", "x".repeat(60));
        assert_eq!(lines(&long, 0, 40), ["a", &"x".repeat(60), "b"]);
        assert_eq!(lines("  indented text", 0, 40), ["  indented text"]);
        assert_eq!(lines("", 0, 40), [""]);
    }

    #[test]
    fn nothing_is_wrapped_without_a_terminal_or_on_a_narrow_one() {
        let text = "word ".repeat(50);
        assert_eq!(lines(&text, 0, 20), [text.as_str()]);
        let layout = Layout { width: 40, wraps: false, links: false, fingerprint: false };
        assert_eq!(wrapped(&text, layout, 2, 0), [text.as_str()]);
    }
}
