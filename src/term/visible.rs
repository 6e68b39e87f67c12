//! The characters that are not allowed in untrusted text, because they could drive a terminal or hide text.
//!
//! Control characters are shown as control pictures (`␛`), and other hidden characters as `<U+202E>`. Line feeds, tabs
//! and the CR of a CR LF are kept, and so are joiners and variation selectors, which scripts and emoji need.

#[cfg(test)]
mod tests;

/// Returns the text that replaces a character; `None` if the character is allowed. `next` is the character after it.
fn replacement(c: char, next: Option<char>) -> Option<String> {
    match c {
        '\n' | '\t' => None,
        '\r' if next == Some('\n') => None,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).map(String::from),
        '\u{7f}' => Some('\u{2421}'.to_string()),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}' => Some(format!("<U+{:04X}>", c as u32)),
        _ => None,
    }
}

/// Whether a byte may begin a character that is not allowed.
pub(crate) const fn may_begin_one(byte: u8) -> bool {
    let control = (byte < 0x20) & (byte != b'\n') & (byte != b'\t');
    let lead = (byte == 0xc2) | (byte == 0xcd) | (byte == 0xd8) | ((byte >= 0xe1) & (byte <= 0xe3));
    let lead = lead | (byte == 0xef) | (byte == 0xf0) | (byte == 0xf3);
    control | lead | (byte == 0x7f)
}

/// The results of `may_begin_one` for all bytes.
static MAY_BEGIN_ONE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = may_begin_one(byte as u8);
        byte += 1;
    }
    table
};

/// Whether a text may contain a character that is not allowed. There are false positives, but no false negatives.
pub fn is_suspect(text: &str) -> bool {
    !is_printable_ascii(text) && text.bytes().any(|byte| MAY_BEGIN_ONE[usize::from(byte)])
}

/// Whether a text consists of printable ASCII characters, as most texts do. There is no early exit, so that the
/// compiler compares 16 bytes at once.
pub(crate) fn is_printable_ascii(text: &str) -> bool {
    text.bytes()
        .fold(true, |all, byte| all & matches!(byte, b' '..=b'~'))
}

/// Whether a character must be replaced, unless it is a part of a CR LF.
pub fn is_dangerous(c: char) -> bool {
    replacement(c, None).is_some()
}

/// Appends a text in which control and hidden characters are made visible.
pub fn push_visible(out: &mut Vec<u8>, text: &str) {
    if !is_suspect(text) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let mut copied = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let Some(replacement) = replacement(c, chars.peek().map(|(_, next)| *next)) else {
            continue;
        };
        out.extend_from_slice(&text.as_bytes()[copied..offset]);
        copied = offset + c.len_utf8();
        out.extend_from_slice(replacement.as_bytes());
    }
    out.extend_from_slice(&text.as_bytes()[copied..]);
}

/// Returns a text in which every character is replaced that could drive a terminal or hide text.
pub fn visible(text: &str) -> String {
    if !is_suspect(text) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    push_visible(&mut bytes, text);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Encodes every character of a path that could end a URI or has a special meaning in it.
pub fn percent_encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Whether a text consists only of characters of URIs, so that it cannot end an escape sequence.
pub(super) fn is_uri(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    !text.is_empty() && text.bytes().all(may)
}
