//! Word wrapping: as the tools do it, and with an indentation for our own remarks.

use unicode_width::UnicodeWidthStr;

/// Wraps each line of `text` at spaces to at most `width` characters. Lines that begin with a space and
/// words longer than `width` are not broken. Spaces at a break are dropped. Like upstream, this counts
/// characters, not columns, and does not break at a no-break space.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if line.starts_with(' ') {
            out.push_str(line);
        } else {
            wrap_line(&mut out, line, width);
        }
    }
    out
}

fn wrap_line(out: &mut String, line: &str, width: usize) {
    let mut used = 0; // characters in the line so far
    let mut gap = ""; // the spaces before the current word
    let mut rest = line;
    while !rest.is_empty() {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        if spaces > 0 {
            (gap, rest) = rest.split_at(spaces);
            continue;
        }
        let (word, later) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let length = word.chars().count();
        if used > 0 && used + gap.len() + length > width {
            out.push('\n');
            used = 0;
        } else {
            out.push_str(gap);
            used += gap.len();
        }
        out.push_str(word);
        used += length;
        gap = "";
        rest = later;
    }
    out.push_str(gap);
}

/// The smallest number of columns for the text. On narrower terminals, nothing is wrapped.
const MIN_ROOM: usize = 30;

/// The lines of a text of one line. The first one begins after `used` columns, the others after `indent`.
pub fn wrapped(text: &str, width: usize, indent: usize, used: usize) -> Vec<&str> {
    if width < indent + MIN_ROOM {
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

#[cfg(test)]
mod tests;
