//! The encoding of the input: UTF-8, UTF-16 (as written by PowerShell redirection), or a binary archive.
//!
//! Invariant: the result does not depend on how the input is split into reads.

use std::borrow::Cow;

/// The encoding of the input, detected from its first bytes.
#[derive(Debug)]
pub(super) enum Encoding {
    /// Not detected yet: the first bytes.
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

impl Default for Encoding {
    fn default() -> Self {
        Self::Undecided(Vec::new())
    }
}

/// The magic numbers of ZIP (the format of saved plans) and gzip.
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"\x1f\x8b\x08"];

impl Encoding {
    /// Decodes the next bytes to UTF-8.
    pub(super) fn decode<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
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
                let (text, used) = decode_utf16(carry, *big_endian, false);
                carry.drain(..used);
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
            Self::Utf16 { big_endian, carry } => decode_utf16(&carry, big_endian, true).0.into_bytes(),
        }
    }

    /// Detects the encoding from the first bytes. Returns the length of a byte order mark as well; `None` if
    /// more bytes are needed.
    fn detect(first: &[u8]) -> Option<(Self, usize)> {
        let utf16 = |big_endian| Self::Utf16 { big_endian, carry: Vec::new() };
        if ARCHIVES.iter().any(|mark| first.starts_with(mark)) {
            return Some((Self::Archive, 0));
        }
        if ARCHIVES.iter().any(|mark| mark.starts_with(first)) {
            return None;
        }
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

/// Decodes UTF-16. Returns the text and the number of bytes used: half a unit or half a surrogate pair is
/// left at the end unless it is the `last` input.
pub(super) fn decode_utf16(bytes: &[u8], big_endian: bool, last: bool) -> (String, usize) {
    let unit =
        |pair: &[u8; 2]| if big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let is_high = |pair: &[u8; 2]| (0xd800..0xdc00).contains(&unit(pair));
    let pairs = match pairs.split_last() {
        Some((high, before)) if !last && is_high(high) => before,
        _ => pairs,
    };
    let mut text: String = char::decode_utf16(pairs.iter().map(unit))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if last && !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, pairs.len() * 2)
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
    Some(decode_utf16(line, is_big, true).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], size: usize) -> String {
        let mut encoding = Encoding::default();
        let mut all = Vec::new();
        for part in bytes.chunks(size) {
            all.extend_from_slice(&encoding.decode(part));
        }
        all.extend(encoding.finish());
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
