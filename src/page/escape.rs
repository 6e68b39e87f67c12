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
    if text.bytes().any(|byte| meaning(byte) == Meaning::Suspect) {
        let mut visible = Vec::with_capacity(text.len());
        push_visible(&mut visible, text);
        push_entities(bytes, &visible, is_special);
    } else {
        push_entities(bytes, text.as_bytes(), is_special);
    }
}

fn push_entities(bytes: &mut Vec<u8>, mut text: &[u8], is_special: impl Fn(Meaning) -> bool) {
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
