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
    push_escaped(bytes, text, |meaning| meaning == Meaning::Markup);
}

/// Appends the value of an attribute, for use in double quotes.
pub(super) fn push_value(bytes: &mut Vec<u8>, text: &str) {
    push_escaped(bytes, text, |meaning| matches!(meaning, Meaning::Markup | Meaning::Quote));
}

fn push_escaped(bytes: &mut Vec<u8>, text: &str, is_special: impl Fn(Meaning) -> bool) {
    let mut visible = Vec::new();
    let is_suspect = text.bytes().any(|byte| meaning(byte) == Meaning::Suspect);
    if is_suspect {
        push_visible(&mut visible, text);
    }
    let mut text = if is_suspect { &*visible } else { text.as_bytes() };
    while let Some(at) = text.iter().position(|byte| is_special(meaning(*byte))) {
        let (plain, rest) = text.split_at(at);
        let Some((special, rest)) = rest.split_first() else { break };
        bytes.extend_from_slice(plain);
        bytes.extend_from_slice(match special {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // HTML parsers normalise CR LF to a line feed, which would hide the CR.
            _ => "␍".as_bytes(),
        });
        text = rest;
    }
    bytes.extend_from_slice(text);
}
