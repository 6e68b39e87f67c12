//! Where base64 is in a text: its beginning and end, over the lines that it may be wrapped to, and whether it can encode
//! a text at all.

use std::ops::Range;

use crate::diff::embedded::{base64_digit, is_base64};

/// Shorter base64 is too often something else.
pub(super) const SHORTEST_BASE64: usize = 16;

/// Base64 of the shortest copy that is found within others.
pub(super) const SHORTEST_OF_COPY: usize = 8;

/// The number of characters that base64 may have behind it, or lack.
pub(super) const MOST_PADDING: usize = 2;

/// The minimum length of a line of base64 that continues in the next line.
pub(super) const WRAPPED: usize = 60;

/// The end of the base64 that begins here, with its padding.
pub(super) fn run_end(bytes: &[u8], index: usize) -> usize {
    let mut end = index;
    while bytes.get(end).is_some_and(|byte| is_base64(*byte)) {
        end += 1;
    }
    if end > index {
        let padding = bytes[end..]
            .iter()
            .take(2)
            .take_while(|byte| **byte == b'=')
            .count();
        end += padding;
    }
    end
}

/// Returns whether a text is the sign of a line in a difference.
pub(super) fn is_sign(text: &[u8]) -> bool {
    matches!(text, b"+" | b"-" | b"~")
}

/// The break before the next line, with its indentation and the sign of a difference.
fn gap_between_lines(bytes: &[u8]) -> usize {
    let spaces = |bytes: &[u8]| {
        let spaces = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
        spaces.count()
    };
    let indent = spaces(bytes);
    match bytes.get(indent..indent + 2) {
        Some([sign, b' ']) if is_sign(&[*sign]) => indent + 1 + spaces(&bytes[indent + 1..]),
        Some(_) | None => indent,
    }
}

/// The end of wrapped base64 whose first line is given, and the end of the line before the last one: what is behind a
/// full line may be something else.
pub(super) fn wrapped_end(bytes: &[u8], first: Range<usize>) -> (usize, usize) {
    let (mut line, mut before) = (first.clone(), first.end);
    while line.len() >= WRAPPED
        && line.len() == first.len()
        && matches!(bytes.get(line.end), Some(b'\n' | b'\r'))
    {
        let start = line.end + gap_between_lines(&bytes[line.end..]);
        let end = run_end(bytes, start);
        let is_alone = bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        if end == start || !is_alone {
            break;
        }
        before = line.end;
        line = start..end;
    }
    (line.end, before)
}

/// Whether its first characters encode a text, or something compressed.
pub(super) fn may_encode_text(run: &str) -> bool {
    let run = run.trim_end_matches('=');
    let whole = run.len().min(SHORTEST_BASE64) / 4 * 4;
    let Some(start) = run.get(..whole) else {
        return false;
    };
    if start.starts_with("H4sI") {
        return true;
    }
    // The run has nothing but base64.
    let digit = |byte: u8| base64_digit(byte).unwrap_or(63);
    // Of each four characters, three bytes; those of other alphabets than ASCII are looked at later.
    let bytes: Vec<u8> = start
        .as_bytes()
        .chunks_exact(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0, |bits, byte| (bits << 6) | digit(*byte));
            [bits >> 16, bits >> 8, bits].map(|byte| byte as u8)
        })
        .collect();
    let is_text = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\n\r\t".contains(byte);
    // In UTF-16, each second byte is zero.
    let bytes = bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(&bytes);
    bytes.iter().all(is_text)
        || bytes
            .chunks_exact(2)
            .all(|unit| is_text(&unit[0]) && unit[1] == 0)
}
