//! The texts of inputs: their encodings, JSON that other programs have put into other text, and the kinds of documents.
//! The documents of commands and the messages of a run are read by the same rules.

mod decode;
pub mod kind;
#[cfg(test)]
mod tests;

use crate::json::{Error, Reader};

pub use decode::{DecodeError, Decoded, decode};

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, of which ASCII is a part.
    Utf8,
    /// UTF-16, as the redirection of PowerShell writes it.
    Utf16 {
        /// Whether the first byte of each pair is the high one.
        big_endian: bool,
    },
}

impl Encoding {
    /// Detects the encoding by the byte order mark, or by the NUL bytes that UTF-16 has in every ASCII character and
    /// JSON never contains. Returns it with the length of the mark, in bytes; `None` if more bytes are needed.
    pub fn detect(first: &[u8]) -> Option<(Self, usize)> {
        let utf16 = |big_endian| Self::Utf16 { big_endian };
        match first {
            [0xff, 0xfe, ..] => Some((utf16(false), 2)),
            [0xfe, 0xff, ..] => Some((utf16(true), 2)),
            [0xef, 0xbb, 0xbf, ..] => Some((Self::Utf8, 3)),
            [] | [0xff | 0xfe | 0xef] | [0xef, 0xbb] => None,
            [0, 1..=255, 0, 1..=255, ..] => Some((utf16(true), 0)),
            [1..=255, 0, 1..=255, 0, ..] => Some((utf16(false), 0)),
            [_] | [0, 1..=255] | [0, 1..=255, 0] | [1..=255, 0] | [1..=255, 0, 1..=255] => None,
            _ => Some((Self::Utf8, 0)),
        }
    }
}

/// Decodes UTF-16. Half a surrogate pair, or half a unit at the end, is returned as an error with its position in
/// bytes.
pub fn utf16(bytes: &[u8], big_endian: bool) -> impl Iterator<Item = Result<char, usize>> {
    let unit = move |pair: &[u8; 2]| {
        if big_endian {
            u16::from_be_bytes(*pair)
        } else {
            u16::from_le_bytes(*pair)
        }
    };
    let (pairs, half) = bytes.as_chunks::<2>();
    let mut next = 0;
    char::decode_utf16(pairs.iter().map(unit))
        .map(move |c| {
            let index = next;
            next += 2 * c.as_ref().map_or(1, |c| c.len_utf16());
            c.map_err(|_| index)
        })
        .chain((!half.is_empty()).then_some(Err(pairs.len() * 2)))
}

/// An iterator over the JSON objects, arrays and strings in a text, with their positions in bytes. Malformed or
/// incomplete ones are errors. The search continues after a value, but inside of a malformed one.
#[derive(Debug)]
pub struct Values<'t, F> {
    text: &'t str,
    /// The position where the search continues, in bytes.
    from: usize,
    /// Whether a value may begin with the first byte of a text; others are not read.
    may_begin: F,
}

impl<'t, F: Fn(&str) -> bool> Values<'t, F> {
    /// Creates an iterator. `may_begin` receives the text from the first byte of a value on, and returns whether it is
    /// to be read.
    pub fn new(text: &'t str, may_begin: F) -> Self {
        Self {
            text,
            from: 0,
            may_begin,
        }
    }

    /// Continues the search at a position of the text, in bytes; for example, after a value that was read.
    pub fn skip_to(&mut self, position: usize) {
        self.from = position;
    }
}

impl<'t, F: Fn(&str) -> bool> Iterator for Values<'t, F> {
    type Item = (usize, Result<&'t str, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.as_bytes().get(self.from..)?;
            let offset = self.from + memchr::memchr3(b'{', b'[', b'"', rest)?;
            self.from = offset + 1;
            let text = &self.text[offset..];
            if (self.may_begin)(text) {
                let json = Reader::new(text).skip();
                self.from = offset + json.as_ref().map_or(1, |json| json.len());
                return Some((offset, json));
            }
        }
    }
}
