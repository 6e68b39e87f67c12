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
use lines::Lines;

pub(super) use embedded::cleaned;
pub(super) use finder::Finder;
pub(super) use lines::Segment;

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

/// The receiver of the pieces of an input.
type EachSegment<'e> = dyn FnMut(Segment<'_>) -> io::Result<()> + 'e;

/// The bytes of an input, split into lines.
#[derive(Debug, Default)]
pub(super) struct Input {
    decoder: Decoder,
    lines: Lines,
}

impl Input {
    /// Adds bytes and passes the completed pieces to `each`. Stops at the first error of `each`.
    pub(super) fn push(&mut self, bytes: &[u8], each: &mut EachSegment<'_>) -> io::Result<()> {
        let text = self.decoder.decode(bytes);
        self.lines.feed(&text, each)
    }

    /// Passes the rest of the input to `each`, at its end.
    pub(super) fn finish(mut self, each: &mut EachSegment<'_>) -> io::Result<()> {
        if let Decoder::Archive = self.decoder {
            each(Segment::Archive)?;
        }
        let rest = self.decoder.finish();
        self.lines.feed(&rest, &mut *each)?;
        self.lines.finish(each)
    }
}
