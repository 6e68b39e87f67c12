//! Values as text: on one line if they fit, otherwise on several.

use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Sign, Span, Tone};
use crate::review::count;
use crate::text::cut;
use crate::text::{key, quote};

/// The maximum length of strings, in characters.
pub(super) const MAX_LEN: usize = 400;

/// A value on one line of at most `limit` characters, without parts deeper than `depth` levels; `None` if it does not fit.
pub(super) fn inline_to(value: MarkedValue<'_>, depth: usize, limit: usize) -> Option<String> {
    let mut text = Inline { text: String::new(), rest: limit };
    text.value(value, depth)?;
    Some(text.text)
}

/// A value on one line, truncated if it does not fit.
pub(crate) fn short(value: MarkedValue<'_>, limit: usize) -> String {
    let mut text = Inline { text: String::new(), rest: limit };
    match text.value(value, usize::MAX) {
        Some(()) => text.text,
        None => format!("{}…", text.text),
    }
}

struct Inline {
    text: String,
    rest: usize,
}

impl Inline {
    fn push(&mut self, text: &str) -> Option<()> {
        let length = text.chars().count();
        if let Some(rest) = self.rest.checked_sub(length) {
            self.rest = rest;
            self.text.push_str(text);
            return Some(());
        }
        self.text.extend(text.chars().take(self.rest));
        self.rest = 0;
        None
    }

    fn string(&mut self, text: &str) -> Option<()> {
        // Only the part that may fit is quoted.
        let end = text.char_indices().nth(self.rest + 1).map_or(text.len(), |(at, _)| at);
        self.push(&quote(text.get(..end).unwrap_or_default()))
    }

    fn value(&mut self, value: MarkedValue<'_>, depth: usize) -> Option<()> {
        match value.content {
            Content::Null => self.push("null"),
            Content::Unknown => self.push("(known after apply)"),
            Content::Redacted => self.push(crate::text::hidden_value(value.lacks_schema)),
            Content::Bool(value) => self.push(if value { "true" } else { "false" }),
            Content::Number(number) => self.push(number),
            Content::String(text) => self.string(text),
            Content::Array([]) => self.push("[]"),
            Content::Object(members) if members.iter().all(|(_, member)| member.is_null()) => self.push("{}"),
            Content::Array(_) | Content::Object(_) if depth == 0 => {
                self.push(&format!("({} below --depth)", count(size(value), "value")))
            }
            Content::Array(items) => {
                self.push("[")?;
                for (at, item) in items.iter().enumerate() {
                    self.push(if at > 0 { ", " } else { "" })?;
                    self.value(*item, depth - 1)?;
                }
                self.push("]")
            }
            Content::Object(members) => {
                self.push("{ ")?;
                let shown = members.iter().filter(|(_, member)| !member.is_null());
                for (at, (name, member)) in shown.enumerate() {
                    self.push(if at > 0 { ", " } else { "" })?;
                    self.push(&key(&cut(name, MAX_LEN)))?;
                    self.push(" = ")?;
                    self.value(*member, depth - 1)?;
                }
                self.push(" }")
            }
        }
    }
}

/// The number of scalars in a value, counting empty containers.
pub(super) fn size(value: MarkedValue<'_>) -> usize {
    let parts = value.children().map(size).sum::<usize>();
    if value.is_null() { 0 } else { parts.max(1) }
}

/// The tone of a value with this sign.
pub(super) fn tone(sign: Sign) -> Tone {
    match sign {
        Sign::Add => Tone::Added,
        Sign::Remove => Tone::Removed,
        Sign::Change => Tone::Changed,
        Sign::Same => Tone::Plain,
        Sign::Note => Tone::Muted,
    }
}

/// The layout of values on several lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The sign of the value.
    pub(super) sign: Sign,
    /// The width of a line, in characters.
    pub(super) width: usize,
    /// The maximum number of lines; more are counted.
    pub(super) max_lines: usize,
    /// The maximum number of levels; deeper ones are counted.
    pub(super) levels: usize,
}

impl Block {
    /// The lines of a value's parts, for a value that does not fit on one line.
    pub(super) fn lines(self, value: MarkedValue<'_>, depth: usize) -> Vec<Line> {
        let mut writer = BlockWriter { block: self, lines: Vec::new(), left_out: 0 };
        writer.parts(value, depth, self.levels);
        if writer.left_out > 0 {
            let text =
                format!("… {}; --context all shows all", count(writer.left_out, "more line of values"));
            writer.lines.push(Line::note(depth, text));
        }
        writer.lines
    }
}

struct BlockWriter {
    block: Block,
    lines: Vec<Line>,
    left_out: usize,
}

impl BlockWriter {
    fn line(&mut self, depth: usize, text: impl Into<String>) {
        if self.lines.len() >= self.block.max_lines {
            self.left_out += 1;
            return;
        }
        let sign = self.block.sign;
        self.lines.push(Line { depth, sign, spans: vec![Span::new(text, tone(sign))] });
    }

    fn parts(&mut self, value: MarkedValue<'_>, depth: usize, levels: usize) {
        match value.content {
            Content::String(text) => {
                // A final newline does not start another line.
                for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                    self.line(depth, cut(line, MAX_LEN));
                }
            }
            Content::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.part(&format!("[{at}]"), *item, depth, levels);
                }
            }
            Content::Object(members) => {
                for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                    self.part(&key(&cut(name, MAX_LEN)), *member, depth, levels);
                }
            }
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) | Content::Number(_) => {
                self.line(depth, short(value, MAX_LEN));
            }
        }
    }

    fn part(&mut self, name: &str, value: MarkedValue<'_>, depth: usize, levels: usize) {
        let room = self.block.width.saturating_sub(2 * depth + name.len()).max(20);
        let line = value.as_str().filter(|text| !text.trim_end_matches('\n').contains('\n'));
        let text = match line {
            Some(text) => Some(cut(&quote(&cut(text, MAX_LEN)), MAX_LEN + 40)),
            None => inline_to(value, levels, room),
        };
        match text {
            Some(text) => self.line(depth, format!("{name}: {text}")),
            None if levels == 0 => {
                self.line(depth, format!("{name}: {} below --depth", count(size(value), "value")));
            }
            None => {
                self.line(depth, format!("{name}:"));
                self.parts(value, depth + 1, levels - 1);
            }
        }
    }
}
