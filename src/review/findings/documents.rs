//! The documents in strings of one change, each decoded once.
//!
//! A rule whose path goes on below a string says that the string holds a document; other strings are not decoded. As
//! for edits, a string counts as a document only if all of it parses, and the size of unpacked texts is limited.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::diff::edits::Format;
use crate::diff::embedded;
use crate::diff::value::{Builder, Content, MarkedValue};

/// The memory for what is unpacked from base64 in one change, in bytes.
const MAX_UNPACKED: usize = 4 << 20;

/// The documents of one change.
#[derive(Debug)]
pub(in crate::review) struct Documents<'w> {
    build: Builder<'w, 'w>,
    /// The budget of unpacked bytes.
    rest: Cell<usize>,
    read: RefCell<HashMap<&'w str, Option<(Format, MarkedValue<'w>)>>>,
}

impl<'w> Documents<'w> {
    /// No documents. They are read into the arena of `build`.
    pub(in crate::review) fn new(build: Builder<'w, 'w>) -> Self {
        Self { build, rest: Cell::new(MAX_UNPACKED), read: RefCell::default() }
    }

    /// The document in a string: an object or a list or, in base64, the text, which may hold a document itself.
    pub(super) fn read(&self, text: &'w str) -> Option<(Format, MarkedValue<'w>)> {
        if let Some(found) = self.read.borrow().get(text) {
            return *found;
        }
        let found = self.decode(text);
        self.read.borrow_mut().insert(text, found);
        found
    }

    fn decode(&self, text: &'w str) -> Option<(Format, MarkedValue<'w>)> {
        let build = self.build;
        if embedded::may_be_json(text)
            && let Some(value) = build.parse(text).ok().filter(|value| value.is_container())
        {
            return Some((Format::Json, value));
        }
        let mut rest = self.rest.get();
        let decoded = embedded::base64_text(text, &mut rest);
        self.rest.set(rest);
        if let Ok(Some((decoded, is_packed))) = decoded {
            let format = if is_packed { Format::Gzip } else { Format::Base64 };
            return Some((format, build.known(Content::String(build.arena().alloc_str(&decoded)))));
        }
        Some((Format::Yaml, embedded::yaml(text, build)?))
    }
}
