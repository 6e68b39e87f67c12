//! Copies of values without the parts that must not be shown.

use bumpalo::Bump;

use super::{Content, MarkedValue};

/// Copies values out of an arena that will be reset, leaving out values that must not be shown.
#[derive(Clone, Copy, Debug)]
pub struct Redactor<'a> {
    /// Texts that outlive the arena; slices of them are not copied. The first one is the whole document.
    pub texts: [&'a str; 3],
    /// The arena for everything else.
    pub arena: &'a Bump,
    /// Whether to keep sensitive values.
    pub show_sensitive: bool,
}

impl<'a> Redactor<'a> {
    /// Keeps a text, borrowed from one of [`Self::texts`] if it is a part of it.
    pub fn text(self, text: &str) -> &'a str {
        if text.is_empty() {
            return "";
        }
        let within = |kept: &'a str| {
            let offset = (text.as_ptr() as usize).checked_sub(kept.as_ptr() as usize)?;
            kept.get(offset..offset.checked_add(text.len())?)
        };
        self.texts.into_iter().find_map(within).unwrap_or_else(|| self.arena.alloc_str(text))
    }

    /// The value as redacted as a whole, unless sensitive values are kept.
    pub fn redacted(self, value: MarkedValue<'a>) -> MarkedValue<'a> {
        match value.content {
            _ if self.show_sensitive => value,
            Content::Null | Content::Unknown => value,
            Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_) => MarkedValue { content: Content::Redacted, ..value },
        }
    }

    /// Keeps a value without the parts that are sensitive in it, or at the same path in `other`, unless
    /// sensitive values are kept: the parts at one path may be equal, so showing one would reveal the other.
    pub fn beside(self, value: MarkedValue<'_>, other: MarkedValue<'_>) -> MarkedValue<'a> {
        if self.show_sensitive || !other.has_marks {
            return self.value(value);
        }
        if other.is_hidden {
            return self.redacted(self.value(value));
        }
        let content = match (value.content, other.content) {
            (Content::Array(items), Content::Array(others)) if !value.is_hidden => {
                let beside = |(at, item): (usize, &MarkedValue<'_>)| match others.get(at) {
                    Some(other) => self.beside(*item, *other),
                    None => self.value(*item),
                };
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().enumerate().map(beside)))
            }
            (Content::Object(members), Content::Object(_)) if !value.is_hidden => {
                let beside = |(key, member): &(&str, MarkedValue<'_>)| {
                    let kept = match other.get(key) {
                        Some(other) => self.beside(*member, other),
                        None => self.value(*member),
                    };
                    (self.text(key), kept)
                };
                Content::Object(self.arena.alloc_slice_fill_iter(members.iter().map(beside)))
            }
            _ => return self.value(value),
        };
        let MarkedValue { is_sensitive, is_hidden, has_marks, hash, .. } = value;
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash }
    }

    /// Keeps a value, without its sensitive parts unless sensitive values are kept.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        let MarkedValue { content, is_sensitive, is_hidden, has_marks, hash } = value;
        let content = match content {
            Content::Null => Content::Null,
            Content::Unknown => Content::Unknown,
            _ if is_hidden && !self.show_sensitive => Content::Redacted,
            Content::Redacted => Content::Redacted,
            Content::Bool(value) => Content::Bool(value),
            Content::Number(text) => Content::Number(self.text(text)),
            Content::String(text) => Content::String(self.text(text)),
            Content::Array(items) => {
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().map(|item| self.value(*item))))
            }
            Content::Object(members) => Content::Object(self.arena.alloc_slice_fill_iter(
                members.iter().map(|(key, member)| (self.text(key), self.value(*member))),
            )),
        };
        MarkedValue { content, is_sensitive, is_hidden, has_marks, hash }
    }
}
