//! Copies of values with other texts in them.

use bumpalo::Bump;

use super::{Content, MarkedValue, replaced};

impl<'a> MarkedValue<'a> {
    /// The value with what `replace` returns instead of its strings; `None` if it returns nothing for all of them,
    /// and no copy is needed. Names of members remain. So does the hash: it is that of the value before.
    pub(crate) fn with_texts(
        self,
        replace: &dyn Fn(&str) -> Option<String>,
        arena: &'a Bump,
    ) -> Option<Self> {
        let content = if let Some(text) = self.as_str() {
            Content::String(arena.alloc_str(&replace(text)?))
        } else if let Some(items) = self.as_array() {
            let items = replaced(items, |_, item| item.with_texts(replace, arena))?;
            Content::Array(arena.alloc_slice_copy(&items))
        } else {
            let member =
                |_, (name, member): &(&'a str, Self)| Some((*name, member.with_texts(replace, arena)?));
            Content::Object(arena.alloc_slice_copy(&replaced(self.as_object()?, member)?))
        };
        Some(Self { content, ..self })
    }
}
