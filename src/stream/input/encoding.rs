//! Decodes the input to UTF-8. A binary archive is not decoded.
//!
//! Invariant: the result does not depend on how the input is split into reads.

use std::borrow::Cow;

use crate::input::{Encoding, utf16};

/// A decoder, which detects the encoding from the first bytes.
#[derive(Debug)]
pub(super) enum Decoder {
    /// The encoding is not known yet: the first bytes.
    Undecided(Vec<u8>),
    /// UTF-8, possibly with errors.
    Utf8,
    /// UTF-16.
    Utf16 {
        /// Whether the high byte of each unit comes first.
        big_endian: bool,
        /// The start of a unit or surrogate pair at the end of the last read.
        carry: Vec<u8>,
    },
    /// A saved plan or another archive, which is not shown.
    Archive,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::Undecided(Vec::new())
    }
}

/// The magic numbers of ZIP (the format of saved plans) and gzip.
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"\x1f\x8b\x08"];

impl Decoder {
    /// Decodes the next bytes to UTF-8.
    pub(super) fn decode<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            Self::Undecided(first) => {
                first.extend_from_slice(bytes);
                let first = std::mem::take(first);
                let Some((decoder, skip)) = Self::detect(&first) else {
                    *self = Self::Undecided(first);
                    return Cow::Borrowed(&[]);
                };
                *self = decoder;
                self.decode(&first[skip..]).into_owned().into()
            }
            Self::Utf8 => Cow::Borrowed(bytes),
            Self::Utf16 { big_endian, carry } => {
                carry.extend_from_slice(bytes);
                let whole = whole_characters(carry, *big_endian);
                let text = decode_utf16(&carry[..whole], *big_endian);
                carry.drain(..whole);
                Cow::Owned(text.into_bytes())
            }
            Self::Archive => Cow::Borrowed(&[]),
        }
    }

    /// The remaining bytes at the end of the input.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        match std::mem::take(self) {
            Self::Undecided(first) => first,
            Self::Utf8 | Self::Archive => Vec::new(),
            Self::Utf16 { big_endian, carry } => decode_utf16(&carry, big_endian).into_bytes(),
        }
    }

    /// The decoder for an input with these first bytes, and the length of its byte order mark; `None` if more
    /// bytes are needed.
    fn detect(first: &[u8]) -> Option<(Self, usize)> {
        if ARCHIVES.iter().any(|mark| first.starts_with(mark)) {
            return Some((Self::Archive, 0));
        }
        if ARCHIVES.iter().any(|mark| mark.starts_with(first)) {
            return None;
        }
        let (encoding, skip) = Encoding::detect(first)?;
        let decoder = match encoding {
            Encoding::Utf8 => Self::Utf8,
            Encoding::Utf16 { big_endian } => Self::Utf16 { big_endian, carry: Vec::new() },
        };
        Some((decoder, skip))
    }
}

/// The length of UTF-16 without half a unit or half a surrogate pair at its end.
fn whole_characters(bytes: &[u8], big_endian: bool) -> usize {
    let (pairs, _) = bytes.as_chunks::<2>();
    let is_high = |pair: &[u8; 2]| (0xd8..0xdc).contains(&pair[usize::from(!big_endian)]);
    2 * (pairs.len() - usize::from(pairs.last().is_some_and(is_high)))
}

/// Decodes UTF-16; what is no character becomes U+FFFD.
fn decode_utf16(bytes: &[u8], big_endian: bool) -> String {
    utf16(bytes, big_endian).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Decodes a UTF-16 line in an input with another encoding, as appended by a shell.
pub(super) fn utf16_line(line: &[u8]) -> Option<String> {
    let zeros = memchr::memchr_iter(0, line).count();
    if zeros < 2 || zeros * 4 < line.len() {
        return None;
    }
    let line = line.strip_prefix(&[0xff, 0xfe]).or(line.strip_prefix(&[0xfe, 0xff])).unwrap_or(line);
    // The line feed was a unit of two bytes. Its other byte is at the start or end of the line.
    let line = if line.len() % 2 == 1 && line.first() == Some(&0) { &line[1..] } else { line };
    // A character of ASCII has one zero byte: NUL bytes in front of other text are no UTF-16. Half a unit at
    // the end counts as one that is not ASCII.
    let (units, half) = line.as_chunks::<2>();
    let ascii = units.iter().filter(|[one, other]| (*one == 0) != (*other == 0)).count();
    if ascii * 4 < (units.len() + half.len()) * 3 {
        return None;
    }
    let is_big = line.first() == Some(&0) && line.get(1) != Some(&0);
    Some(decode_utf16(line, is_big))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], size: usize) -> String {
        let mut decoder = Decoder::default();
        let mut all = Vec::new();
        for part in bytes.chunks(size) {
            all.extend_from_slice(&decoder.decode(part));
        }
        all.extend(decoder.finish());
        String::from_utf8_lossy(&all).into_owned()
    }

    #[test]
    fn nul_bytes_in_front_of_other_text_are_no_utf_16() {
        for line in [&b"\0\0{\""[..], b"\0\0{\"p", b"\0\0{\"pq", b"\0\0\0{\"p"] {
            assert_eq!(utf16_line(line), None, "{line:?}");
        }
        assert_eq!(utf16_line(b"{\0\"\0").as_deref(), Some("{\""));
    }

    #[test]
    fn utf_16_is_read_wherever_it_is_cut() {
        let text = "{\"a\":\"é😀Ċ\"}\n";
        for mark in ["\u{feff}", ""] {
            let marked = format!("{mark}{text}");
            let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for size in 1..12 {
                assert_eq!(decoded(&little, size), text);
                assert_eq!(decoded(&big, size), text);
                assert_eq!(decoded(marked.as_bytes(), size), text);
            }
        }
        for text in ["", "{", "P", "PK", "\u{ef}", "é"] {
            assert_eq!(decoded(text.as_bytes(), 1), text);
        }
        assert_eq!(decoded(b"PK\x03\x04secret", 1), "");
    }
}
