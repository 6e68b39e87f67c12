//! From bytes to messages and text: `encoding` → `lines` → `finder`, which uses `embedded` for messages in
//! other text and `gather` for those that span several lines.
//!
//! Invariants: the items do not depend on how the bytes are split into reads; every line is part of an item,
//! and text that may contain sensitive values is part of an item that does not show it; the memory is
//! limited, however long a line is.

mod embedded;
mod encoding;
mod finder;
mod gather;
mod lines;
mod long;

use std::io;

use crate::model::message::Message;

use super::event::TextEvent;
use encoding::Decoder;
use finder::Finder;
use lines::Lines;

/// A piece of the input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'i> {
    /// A message.
    Message(&'i Message<'i>),
    /// The document of `validate -json`.
    Validation(&'i str),
    /// Other text.
    Text(TextEvent<'i>),
}

/// The receiver of items.
type Each<'e> = dyn FnMut(Item<'_>) -> io::Result<()> + 'e;

/// The input of a run.
#[derive(Debug)]
pub(super) struct Input {
    decoder: Decoder,
    lines: Lines,
    finder: Finder,
}

impl Input {
    /// An empty input. With `show_sensitive`, no text is withheld.
    pub(super) fn new(show_sensitive: bool) -> Self {
        Self { decoder: Decoder::default(), lines: Lines::default(), finder: Finder::new(show_sensitive) }
    }

    /// Adds bytes and passes the completed items to `each`. Stops at the first error of `each`.
    pub(super) fn push(&mut self, bytes: &[u8], each: &mut Each<'_>) -> io::Result<()> {
        let text = self.decoder.decode(bytes);
        self.push_utf8(&text, each)
    }

    fn push_utf8(&mut self, text: &[u8], each: &mut Each<'_>) -> io::Result<()> {
        let Self { lines, finder, .. } = self;
        lines.feed(text, |segment| finder.segment(segment, each))
    }

    /// Passes the rest of the input to `each`, at its end.
    pub(super) fn finish(mut self, each: &mut Each<'_>) -> io::Result<()> {
        if let Decoder::Archive = self.decoder {
            each(Item::Text(TextEvent::Archive))?;
        }
        let rest = self.decoder.finish();
        self.push_utf8(&rest, each)?;
        let Self { mut lines, mut finder, .. } = self;
        lines.finish(|segment| finder.segment(segment, each))?;
        finder.finish(each)
    }
}
