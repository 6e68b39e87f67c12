//! Escapes text for HTML.

use crate::term::{may_begin_one, push_visible};

/// The meaning of a byte in HTML text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// It is written unchanged.
    Plain,
    /// It may begin a character that must be made visible.
    Suspect,
    /// It has a meaning in HTML.
    Markup,
    /// It has a meaning in an attribute value.
    Quote,
}

/// The meaning of each byte, so that one pass over a text suffices.
static MEANINGS: [Meaning; 256] = {
    let mut table = [Meaning::Plain; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte as u8 {
            b'&' | b'<' | b'>' | b'\r' => Meaning::Markup,
            b'"' | b'\'' => Meaning::Quote,
            other if may_begin_one(other) => Meaning::Suspect,
            _ => Meaning::Plain,
        };
        byte += 1;
    }
    table
};

fn meaning(byte: u8) -> Meaning {
    MEANINGS[usize::from(byte)]
}

/// Appends a text between tags, escaped and with hidden characters made visible.
pub(super) fn push_text(bytes: &mut Vec<u8>, text: &str) {
    let is_special = |meaning: Meaning| matches!(meaning, Meaning::Markup);
    push_escaped(bytes, text, is_special);
}

/// Appends the value of an attribute, for use in double quotes.
pub(super) fn push_value(bytes: &mut Vec<u8>, text: &str) {
    let is_special = |meaning: Meaning| matches!(meaning, Meaning::Markup | Meaning::Quote);
    push_escaped(bytes, text, is_special);
}

fn push_escaped(bytes: &mut Vec<u8>, text: &str, is_special: impl Fn(Meaning) -> bool) {
    let is_plain = |byte: &u8| {
        let meaning = meaning(*byte);
        meaning != Meaning::Suspect && !is_special(meaning)
    };
    let plain = text.bytes().position(|byte| !is_plain(&byte)).unwrap_or(text.len());
    // All bytes that are not plain begin a character.
    let (plain, rest) = text.split_at_checked(plain).unwrap_or(("", text));
    bytes.extend_from_slice(plain.as_bytes());
    if rest.is_empty() {
        return;
    }
    let start = bytes.len();
    push_visible(bytes, rest);
    let special = |byte: &u8| is_special(meaning(*byte));
    if !bytes[start..].iter().any(special) {
        return;
    }
    let written = bytes.split_off(start);
    let mut copied = 0;
    for (at, byte) in written.iter().enumerate().filter(|(_, byte)| special(byte)) {
        bytes.extend_from_slice(&written[copied..at]);
        bytes.extend_from_slice(match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // HTML parsers normalise CR LF to a line feed, which would hide the CR.
            _ => "␍".as_bytes(),
        });
        copied = at + 1;
    }
    bytes.extend_from_slice(&written[copied..]);
}
