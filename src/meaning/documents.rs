//! Reads documents in strings: JSON, YAML, and texts in base64.
//!
//! Invariant: at most `MAX_UNPACKED` bytes are decompressed for each change, so that a small document cannot take much
//! memory.
//!
//! ```text
//! "{\"Version\":\"2012-10-17\"}"    (Json, {"Version": "2012-10-17"})
//! "IyEvYmluL3NoCg=="               (Base64, "#!/bin/sh\n")
//! ```

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::access::Policy;
use crate::diff::edits::Format;
use crate::diff::embedded;
use crate::diff::value::{Builder, Content, MarkedValue};

/// The maximum number of bytes that compressed texts in base64 may have for one change (4 MiB).
const MAX_UNPACKED: usize = 4 << 20;

/// The documents in the strings of one object, each of which is read once.
///
/// A string is decoded only if a rule has a path that continues below it; other strings are not looked at. As for
/// edits, a string counts as a document only if all of it parses.
#[derive(Debug)]
pub(crate) struct Documents<'w> {
    pub(crate) build: Builder<'w, 'w>,
    /// The number of bytes that may still be decompressed.
    rest: Cell<usize>,
    /// The format and value that each string was read as; `None` for a string that is not a document.
    read: RefCell<HashMap<&'w str, Option<(Format, MarkedValue<'w>)>>>,
}

impl<'w> Documents<'w> {
    pub(crate) fn new(build: Builder<'w, 'w>) -> Self {
        Self {
            build,
            rest: Cell::new(MAX_UNPACKED),
            read: RefCell::default(),
        }
    }

    /// Returns the document in a string and its format. Of a string in base64 this is the decoded text, which may hold
    /// a document itself.
    pub(crate) fn read(&self, text: &'w str) -> Option<(Format, MarkedValue<'w>)> {
        if let Some(document) = self.read.borrow().get(text) {
            return *document;
        }
        let document = self.decode(text);
        self.read.borrow_mut().insert(text, document);
        document
    }

    /// Returns the policy that a string holds as JSON; `None` if it holds none.
    pub(crate) fn policy(&self, text: &'w str) -> Option<Policy<'w>> {
        let (_, document) = self
            .read(text)
            .filter(|(format, _)| *format == Format::Json)?;
        Policy::new(document)
    }

    /// Returns the JSON document that a string holds; `None` if it holds none.
    pub(crate) fn json(&self, text: &'w str) -> Option<MarkedValue<'w>> {
        let (format, document) = self.read(text)?;
        (format == Format::Json).then_some(document)
    }

    /// Decodes a string as JSON, base64 or YAML, in this order; `None` if it is none of them.
    fn decode(&self, text: &'w str) -> Option<(Format, MarkedValue<'w>)> {
        let build = self.build;
        if let Some(value) = embedded::json(text, build) {
            return Some((Format::Json, value));
        }
        let mut rest = self.rest.get();
        let decoded = embedded::base64_text(text, &mut rest);
        self.rest.set(rest);
        if let Ok(Some((decoded, is_packed))) = decoded {
            let format = if is_packed {
                Format::Gzip
            } else {
                Format::Base64
            };
            return Some((
                format,
                build.known(Content::String(build.arena().alloc_str(&decoded))),
            ));
        }
        Some((Format::Yaml, embedded::yaml(text, build)?))
    }
}
