//! Turns the bytes of an input into messages and text: bytes are decoded and split into lines, which the [`Router`]
//! assigns to runs by their labels.
//!
//! Invariants: the items do not depend on how the bytes are split into reads. Every line is part of an item, and text
//! that may contain sensitive values is part of an item that does not show it. The memory is limited, however long a
//! line is. Each label has its own run, so that no message of one closes what another has open; lines without a label
//! belong to the first run.
//!
//! ```text
//! reads    "[a] {…}\n[b] te", "xt\n"
//! lines    "[a] {…}\n", which is a message of the run a; "[b] text\n", which is text
//! ```

mod collectors;
mod embedded;
mod finder;
mod router;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io;

use super::event::TextEvent;
use crate::input::{Encoding, utf16};
use crate::model::message::Message;

pub(super) use finder::Finder;
pub(super) use router::{Route, Router};

/// The maximum length of a line that may be a message, in bytes.
const MAX_MESSAGE: usize = 64 << 20;

/// The maximum length of a line without a JSON object that begins within as many bytes from its start, in bytes.
const MAX_TEXT: usize = 64 << 10;

/// The maximum capacity that the buffer keeps between two lines, in bytes.
const MAX_BUFFER: usize = 1 << 20;

/// The first bytes of archives: ZIP, which is the format of saved plans, and gzip.
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"\x1f\x8b\x08"];

/// A message, a document or text, found in one or more lines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'i> {
    Message(&'i Message<'i>),
    /// The document of `validate -json`.
    Validation(&'i str),
    Text(TextEvent<'i>),
}

/// A function that takes the items of a run.
pub(super) type Each<'e> = dyn FnMut(Item<'_>) -> io::Result<()> + 'e;

/// A line, or a part of a line that is too long to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment<'a> {
    /// A whole line with its line feed. Only the last line may lack it.
    Line(&'a [u8]),
    /// A part of a long line. The first one has more than [`MAX_TEXT`] bytes; the last one ends with the line feed.
    Part(&'a [u8]),
}

/// The decoder that splits bytes into lines. A line that is within one read is not copied.
#[derive(Debug, Default)]
pub(super) struct Input {
    encoding: InputEncoding,
    /// The beginning of a line that is not complete.
    partial: Vec<u8>,
    /// Whether a long line is being passed on in parts.
    is_long: bool,
}

/// The encoding of an input, with the bytes that wait for the next read: all bytes as long as there are too few to
/// decide, and in UTF-16 the beginning of a unit or of a surrogate pair. The bytes of an archive are ignored.
#[derive(Debug)]
enum InputEncoding {
    Undecided(Vec<u8>),
    Utf8,
    Utf16 { big_endian: bool, carry: Vec<u8> },
    Archive,
}

impl Default for InputEncoding {
    fn default() -> Self {
        Self::Undecided(Vec::new())
    }
}

impl Input {
    /// Decodes bytes and passes each line or part to `each`. Stops at the first error of `each`.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = self.encoding.decode(bytes);
        self.split(&text, each)
    }

    /// Passes on the rest of the input, which has no line feed.
    pub(super) fn finish<E>(
        mut self,
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let rest = match std::mem::take(&mut self.encoding) {
            InputEncoding::Undecided(first) => first,
            InputEncoding::Utf16 { big_endian, carry } => {
                decode_utf16(&carry, big_endian).into_bytes()
            }
            InputEncoding::Utf8 | InputEncoding::Archive => Vec::new(),
        };
        self.split(&rest, each)?;
        if self.partial.is_empty() {
            Ok(())
        } else {
            each(Segment::Line(&self.partial))
        }
    }

    pub(super) fn is_archive(&self) -> bool {
        matches!(self.encoding, InputEncoding::Archive)
    }

    /// Splits decoded bytes into lines. An incomplete line is kept.
    fn split<E>(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let (now, later) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = later;
            if self.is_long {
                self.is_long = end.is_none();
                each(Segment::Part(now))?;
                continue;
            }
            let is_long = self.is_too_long(now);
            if self.partial.is_empty() && end.is_some() && !is_long {
                each(Segment::Line(now))?;
                continue;
            }
            self.partial.extend_from_slice(now);
            if is_long || end.is_some() {
                self.is_long = is_long && end.is_none();
                let mut line = std::mem::take(&mut self.partial);
                each(if is_long {
                    Segment::Part(&line)
                } else {
                    Segment::Line(&line)
                })?;
                line.clear();
                line.shrink_to(MAX_BUFFER);
                self.partial = line;
            }
        }
        Ok(())
    }

    /// Whether the line that continues with `now` is too long to be kept. The limit is higher for a line that may be a
    /// message.
    fn is_too_long(&self, now: &[u8]) -> bool {
        let length = self.partial.len() + now.len();
        if length <= MAX_TEXT {
            return false;
        }
        // Only the bytes that are always kept are searched, so that the result does not depend on the reads.
        let head = &self.partial[..self.partial.len().min(MAX_TEXT)];
        let rest = &now[..now.len().min(MAX_TEXT - head.len())];
        let may_be_message = [head, rest]
            .iter()
            .any(|part| memchr::memchr(b'{', part).is_some());
        length
            > if may_be_message {
                MAX_MESSAGE
            } else {
                MAX_TEXT
            }
    }
}

impl InputEncoding {
    /// Decodes bytes to UTF-8. Bytes are kept until the encoding is decided, and while a character is incomplete.
    fn decode<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            Self::Undecided(first) => {
                first.extend_from_slice(bytes);
                let first = std::mem::take(first);
                let Some((encoding, skip)) = Self::detect(&first) else {
                    *self = Self::Undecided(first);
                    return Cow::Borrowed(&[]);
                };
                *self = encoding;
                self.decode(&first[skip..]).into_owned().into()
            }
            Self::Utf8 => Cow::Borrowed(bytes),
            Self::Utf16 { big_endian, carry } => {
                carry.extend_from_slice(bytes);
                let (units, _) = carry.as_chunks::<2>();
                let is_high =
                    |unit: &[u8; 2]| (0xd8..0xdc).contains(&unit[usize::from(!*big_endian)]);
                // Half a unit and half a surrogate pair wait for the next read.
                let whole = 2 * (units.len() - usize::from(units.last().is_some_and(is_high)));
                let text = decode_utf16(&carry[..whole], *big_endian);
                carry.drain(..whole);
                Cow::Owned(text.into_bytes())
            }
            Self::Archive => Cow::Borrowed(&[]),
        }
    }

    /// Detects the encoding by the first bytes, and returns it with the length of the byte order mark. `None` means
    /// that more bytes are needed.
    fn detect(first: &[u8]) -> Option<(Self, usize)> {
        if ARCHIVES.iter().any(|mark| first.starts_with(mark)) {
            return Some((Self::Archive, 0));
        }
        if ARCHIVES.iter().any(|mark| mark.starts_with(first)) {
            return None;
        }
        let (encoding, skip) = Encoding::detect(first)?;
        let encoding = match encoding {
            Encoding::Utf8 => Self::Utf8,
            Encoding::Utf16 { big_endian } => Self::Utf16 {
                big_endian,
                carry: Vec::new(),
            },
        };
        Some((encoding, skip))
    }
}

/// Returns the text of a line. Invalid bytes are replaced by U+FFFD.
///
/// Nearly all lines are UTF-8. For these, the check of `from_utf8` takes a tenth of the time of `from_utf8_lossy`.
pub(super) fn line_text(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    }
}

/// Decodes UTF-16. Unpaired surrogates are replaced by U+FFFD.
fn decode_utf16(bytes: &[u8], big_endian: bool) -> String {
    utf16(bytes, big_endian)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}
