//! Marked values, built directly from JSON text.
//!
//! A [`MarkedValue`] combines three trees of a plan, and the value is by far the largest of them. No separate
//! tree is built for it: the parser creates each value with its marks. The result is the same as that of
//! [`Builder::build`].

use super::value::{Builder, Content, MarkedValue, NoShape, SensitiveShape, Tree};
use super::value::{element_mark, pruned, union, unknown_len};
use crate::json::{self, Construct, Error, Parsed, Value};

impl<'a> Builder<'_, 'a> {
    /// Parses a value that is known and not sensitive.
    ///
    /// # Errors
    /// If the text is malformed.
    pub fn parse(self, text: &'a str) -> Result<MarkedValue<'a>, Error> {
        self.read(Some(text), Value::Null, Value::Null, NoShape, Unread::Nothing)
    }

    /// The value of the JSON `text`, with the parts in `unknown` and `mark`. Without a text, the value is
    /// null.
    ///
    /// # Errors
    /// If the text is not JSON.
    pub fn read(
        self,
        text: Option<&'a str>,
        unknown: Value<'a>,
        mark: Value<'a>,
        shape: impl SensitiveShape,
        unread: Unread<'a>,
    ) -> Result<MarkedValue<'a>, Error> {
        let unknown = pruned(unknown, Tree::Unknown, self.arena());
        let mark = pruned(mark, Tree::Mark, self.arena());
        match text {
            Some(text) => {
                let overlay = Overlay { build: self, unknown, mark, shape, unread };
                json::parse_as(text, self.arena(), overlay)
            }
            None => Ok(self.overlaid(Value::Null, unknown, mark, shape)),
        }
    }
}

/// The parts of a value that are not parsed because they are too large. They become strings with their JSON.
/// If anything in such a part is marked or unknown, the whole part is.
#[derive(Clone, Copy, Debug, Default)]
pub enum Unread<'a> {
    /// All parts are parsed.
    #[default]
    Nothing,
    /// These members of the root are not parsed.
    Members(&'a [&'a str]),
    /// The whole value is not parsed.
    All,
}

/// The marks that apply to a value, known before it is parsed.
#[derive(Clone, Copy)]
struct Overlay<'b, 'a, S> {
    build: Builder<'b, 'a>,
    unknown: Value<'a>,
    mark: Value<'a>,
    shape: S,
    unread: Unread<'a>,
}

impl<'a, S: SensitiveShape> Construct<'a> for Overlay<'_, 'a, S> {
    type Node = MarkedValue<'a>;

    fn member(self, key: &'a str) -> Self {
        let of = |tree: Value<'a>| tree.get(key).unwrap_or_default();
        let unread = match self.unread {
            Unread::Members(names) if names.contains(&key) => Unread::All,
            Unread::Nothing | Unread::Members(_) | Unread::All => Unread::Nothing,
        };
        let shape = self.shape.member(key);
        Self { unknown: of(self.unknown), mark: of(self.mark), shape, unread, ..self }
    }

    fn element(self, index: usize) -> Self {
        let unknown = self.unknown.as_array().and_then(|unknown| unknown.get(index));
        Self {
            unknown: unknown.copied().unwrap_or_default(),
            mark: element_mark(self.mark, index),
            shape: self.shape.element(index),
            unread: Unread::Nothing,
            ..self
        }
    }

    fn is_passed_over(self) -> bool {
        matches!(self.unread, Unread::All)
    }

    fn make(self, parsed: Parsed<'a, MarkedValue<'a>>) -> MarkedValue<'a> {
        let content = match self.unknown {
            Value::Bool(true) => Content::Unknown,
            Value::Object(_) | Value::Array(_) if matches!(parsed, Parsed::Text(_)) => Content::Unknown,
            // If the value does not have the shape of `unknown`, `unknown` takes precedence.
            Value::Object(unknown) => {
                let members = if let Parsed::Object(members) = parsed { members } else { &[] };
                self.with_unknown_members(members, unknown.members())
            }
            Value::Array(unknown) => {
                let items = if let Parsed::Array(items) = parsed { items } else { &[] };
                self.with_unknown_elements(items, unknown)
            }
            Value::Null | Value::Bool(false) | Value::Number(_) | Value::String(_) => match parsed {
                Parsed::Null => Content::Null,
                Parsed::Bool(value) => Content::Bool(value),
                Parsed::Number(text) => Content::Number(text),
                Parsed::String(text) | Parsed::Text(text) => Content::String(text),
                Parsed::Array(items) => Content::Array(items),
                Parsed::Object(members) => Content::Object(members),
            },
        };
        self.build.marked(content, self.mark, self.shape)
    }
}

impl<'a, S: SensitiveShape> Overlay<'_, 'a, S> {
    /// The members, including those that only `unknown` has.
    fn with_unknown_members(
        self,
        members: &'a [(&'a str, MarkedValue<'a>)],
        unknown: &'a [(&'a str, Value<'a>)],
    ) -> Content<'a> {
        if unknown.iter().all(|(key, _)| members.binary_search_by(|(name, _)| (*name).cmp(key)).is_ok()) {
            return Content::Object(members);
        }
        let members: Vec<_> = union(members, unknown)
            .map(|(key, made, _)| (key, made.unwrap_or_else(|| self.member(key).without_value())))
            .collect();
        Content::Object(self.build.arena().alloc_slice_copy(&members))
    }

    /// The elements, including those after the last one that only `unknown` has.
    fn with_unknown_elements(self, items: &'a [MarkedValue<'a>], unknown: &[Value<'a>]) -> Content<'a> {
        let len = unknown_len(unknown);
        if len <= items.len() {
            return Content::Array(items);
        }
        let mut all = items.to_vec();
        all.extend((items.len()..len).map(|index| self.element(index).without_value()));
        Content::Array(self.build.arena().alloc_slice_copy(&all))
    }

    fn without_value(self) -> MarkedValue<'a> {
        self.build.overlaid(Value::Null, self.unknown, self.mark, self.shape)
    }
}
