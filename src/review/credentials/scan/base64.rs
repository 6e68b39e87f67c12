//! Finds where base64 begins and ends in a text, over the lines that it may be wrapped to, and whether it may encode a
//! text.

use std::ops::Range;

use crate::diff::embedded::{first_bytes, is_base64};

/// The minimum length of base64 that is decoded, in bytes. Shorter runs are too often something else.
pub(super) const SHORTEST_BASE64: usize = 16;

/// The length of base64 of the shortest copy that is found within others, in bytes.
pub(super) const SHORTEST_OF_COPY: usize = 8;

/// The maximum number of padding characters that base64 may have or lack at its end.
pub(super) const MOST_PADDING: usize = 2;

/// The minimum length of a line of base64 that continues on the next line, in bytes.
pub(super) const WRAPPED: usize = 60;

/// Returns the end of the base64 that begins at `index`, with its padding.
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

/// Whether a text is the sign of a line in a difference.
pub(super) fn is_sign(text: &[u8]) -> bool {
    matches!(text, b"+" | b"-" | b"~")
}

/// Returns the length of the break before the next line, with the indentation and the sign of a difference.
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

/// Returns the end of wrapped base64 whose first line is given, and the end of the line before its last one. The second
/// end is a fallback, because what follows a full line may be something else.
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

/// Whether the first characters of base64 encode a text, or compressed data.
pub(super) fn may_encode_text(run: &str) -> bool {
    if run.starts_with("H4sI") {
        return true;
    }
    // Whether bytes above ASCII are a text is checked later.
    let Some(bytes) = first_bytes(run, SHORTEST_BASE64) else {
        return false;
    };
    let is_text = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\n\r\t".contains(byte);
    // In UTF-16, every second byte of ASCII is zero.
    let bytes = bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(&bytes);
    bytes.iter().all(is_text)
        || bytes
            .chunks_exact(2)
            .all(|unit| is_text(&unit[0]) && unit[1] == 0)
}
