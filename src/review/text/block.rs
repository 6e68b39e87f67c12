//! Values on several lines.
//!
//! ```text
//! + y
//! + a: "long long long long long long value"
//! + name: "web"
//! ```

use super::more;
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Tone};
use crate::review::Options;
use crate::review::inline::{MAX_LEN, below, inline_to, short};
use crate::text::{cut, key, quote};

/// Returns the tone of lines with a sign.
pub(super) fn tone(sign: Sign) -> Tone {
    match sign {
        Sign::Add => Tone::Added,
        Sign::Remove => Tone::Removed,
        Sign::Change => Tone::Changed,
        Sign::Same => Tone::Plain,
        Sign::Note => Tone::Muted,
    }
}

/// Returns a string of one line, without its line break at the end.
fn as_line(value: MarkedValue<'_>) -> Option<&str> {
    value
        .as_str()
        .filter(|text| !text.trim_end_matches('\n').contains('\n'))
}

/// The writer of a value on several lines.
pub(super) struct ValueBlock {
    /// The sign of all lines: added, removed or unchanged.
    sign: Sign,
    /// The maximum length of a line, in columns.
    width: usize,
    /// The number of lines after which further ones are only counted.
    max_lines: usize,
    /// The lines written so far.
    lines: Vec<Line>,
    /// The number of lines that were not written.
    left_out: usize,
}

impl ValueBlock {
    /// Returns the lines of a value, with at most `levels` levels. There are at most `max_lines`, unless unchanged
    /// values are shown, too.
    pub(super) fn lines(
        value: MarkedValue<'_>,
        sign: Sign,
        (depth, levels): (usize, usize),
        max_lines: usize,
        options: &Options,
    ) -> Vec<Line> {
        let (width, max_lines) = (options.width, options.limit(max_lines));
        let mut block = Self {
            sign,
            width,
            max_lines,
            lines: Vec::new(),
            left_out: 0,
        };
        block.parts(value, depth, levels);
        block
            .lines
            .extend(more(depth, block.left_out, "more line of values"));
        block.lines
    }

    /// Writes a line, or counts it if there are too many.
    fn line(&mut self, depth: usize, text: impl Into<String>) {
        if self.lines.len() >= self.max_lines {
            self.left_out += 1;
            return;
        }
        self.lines
            .push(Line::new(depth, self.sign, text, tone(self.sign)));
    }

    /// Writes the lines, elements or members of a value, each on lines of its own.
    fn parts(&mut self, value: MarkedValue<'_>, depth: usize, levels: usize) {
        match value.content {
            Content::String(text) => {
                for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                    self.line(depth, cut(line, MAX_LEN));
                }
            }
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.part(&format!("[{index}]"), *item, depth, levels);
                }
            }
            Content::Object(members) => {
                for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    self.part(&key(&cut(name, MAX_LEN)), *member, depth, levels);
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {
                self.line(depth, short(value, MAX_LEN));
            }
        }
    }

    /// Writes an element or member: on one line if it fits, otherwise its parts below its name.
    fn part(&mut self, name: &str, value: MarkedValue<'_>, depth: usize, levels: usize) {
        let remaining = self.width.saturating_sub(2 * depth + name.len()).max(20);
        let text = match as_line(value) {
            Some(text) => Some(cut(&quote(&cut(text, MAX_LEN)), MAX_LEN + 40)),
            None => inline_to(value, levels, remaining),
        };
        match text {
            Some(text) => self.line(depth, format!("{name}: {text}")),
            None if levels == 0 => self.line(depth, format!("{name}: {}", below(value))),
            None => {
                self.line(depth, format!("{name}:"));
                self.parts(value, depth + 1, levels - 1);
            }
        }
    }
}
