//! Writes values on one line, as expressions of the configuration language.
//!
//! ```text
//! {"name": "web", "ports": [80, 443], "note": null}    { name = "web", ports = [80, 443] }
//! ```
//!
//! Cost: writing ends where the limit is reached, so that a large value costs no more than its first characters.

use super::count;
use crate::diff::value::{Content, MarkedValue};
use crate::text::{cut, hidden_value, key, quote};

/// The maximum length of a value on one line, in characters.
pub(super) const MAX_LEN: usize = 400;

/// Returns a value in at most `limit` characters; `None` if it does not fit. Objects and lists deeper than `depth` are
/// counted.
pub(super) fn inline_to(value: MarkedValue<'_>, depth: usize, limit: usize) -> Option<String> {
    let mut text = Inline {
        text: String::new(),
        rest: limit,
    };
    text.value(value, depth)?;
    Some(text.text)
}

/// Returns a value on one line, cut after `limit` characters with an ellipsis.
pub(crate) fn short(value: MarkedValue<'_>, limit: usize) -> String {
    let mut text = Inline {
        text: String::new(),
        rest: limit,
    };
    match text.value(value, usize::MAX) {
        Some(()) => text.text,
        None => format!("{}…", text.text),
    }
}

/// A text that is written until a limit of characters is reached.
struct Inline {
    text: String,
    /// The number of characters that it may still have.
    rest: usize,
}

impl Inline {
    /// Appends a text, or as much of it as fits. Returns `None` if it does not fit.
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

    /// Appends a value, with objects and lists deeper than `depth` as a count. Returns `None` once the limit is
    /// reached.
    fn value(&mut self, value: MarkedValue<'_>, depth: usize) -> Option<()> {
        match value.content {
            Content::Null => self.push("null"),
            Content::Unknown => self.push("(known after apply)"),
            Content::Redacted => self.push(hidden_value(value.lacks_schema)),
            Content::Bool(value) => self.push(if value { "true" } else { "false" }),
            Content::Number(number) => self.push(number),
            Content::String(text) => {
                let end = text
                    .char_indices()
                    .nth(self.rest + 1)
                    .map_or(text.len(), |(offset, _)| offset);
                self.push(&quote(text.get(..end).unwrap_or_default()))
            }
            Content::Array([]) => self.push("[]"),
            Content::Object(members) if members.iter().all(|(_, member)| member.is_null()) => {
                self.push("{}")
            }
            Content::Array(_) | Content::Object(_) if depth == 0 => {
                self.push(&format!("({})", below(value)))
            }
            Content::Array(items) => {
                self.push("[")?;
                for (index, item) in items.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" })?;
                    self.value(*item, depth - 1)?;
                }
                self.push("]")
            }
            Content::Object(members) => {
                self.push("{ ")?;
                let shown = members.iter().filter(|(_, member)| !member.is_null());
                for (index, (name, member)) in shown.enumerate() {
                    self.push(if index > 0 { ", " } else { "" })?;
                    self.push(&key(&cut(name, MAX_LEN)))?;
                    self.push(" = ")?;
                    self.value(*member, depth - 1)?;
                }
                self.push(" }")
            }
        }
    }
}

/// Returns the phrase for a value that `--depth` hides: `3 values below --depth`.
pub(super) fn below(value: MarkedValue<'_>) -> String {
    format!("{} below --depth", count(size(value), "value"))
}

/// Returns the number of scalars in a value. Null does not count; an empty list or object counts as one.
pub(super) fn size(value: MarkedValue<'_>) -> usize {
    let parts = value.children().map(size).sum::<usize>();
    if value.is_null() { 0 } else { parts.max(1) }
}
