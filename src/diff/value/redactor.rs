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

    /// Keeps a value, without its sensitive parts unless sensitive values are kept.
    pub fn value(self, value: MarkedValue<'_>) -> MarkedValue<'a> {
        self.beside(value, None)
    }

    /// Keeps a value without the parts that are sensitive in it, or at the same path in `other`, unless
    /// sensitive values are kept: the parts at one path may be equal, so showing one would reveal the other.
    pub fn beside(self, value: MarkedValue<'_>, other: Option<MarkedValue<'_>>) -> MarkedValue<'a> {
        let MarkedValue { content, .. } = value;
        let other = other.filter(|other| other.has_marks);
        let is_left_out =
            !self.show_sensitive && (value.is_hidden || other.is_some_and(|other| other.is_hidden));
        let content = match content {
            Content::Null => Content::Null,
            Content::Unknown => Content::Unknown,
            _ if is_left_out => Content::Redacted,
            Content::Redacted => Content::Redacted,
            Content::Bool(value) => Content::Bool(value),
            Content::Number(text) => Content::Number(self.text(text)),
            Content::String(text) => Content::String(self.text(text)),
            Content::Array(items) => {
                let others = other.and_then(MarkedValue::as_array).unwrap_or_default();
                let beside =
                    |(at, item): (usize, &MarkedValue<'_>)| self.beside(*item, others.get(at).copied());
                Content::Array(self.arena.alloc_slice_fill_iter(items.iter().enumerate().map(beside)))
            }
            Content::Object(members) => {
                let beside = |(key, member): &(&str, MarkedValue<'_>)| {
                    (self.text(key), self.beside(*member, other.and_then(|other| other.get(key))))
                };
                Content::Object(self.arena.alloc_slice_fill_iter(members.iter().map(beside)))
            }
        };
        MarkedValue { content, ..value.without_content() }
    }
}
