//! URIs that are safe to write to a terminal or Markdown.

/// The start of the escape sequence of a link (OSC 8), before its URI, and the end of the sequence.
pub(super) const OPEN: &str = "\x1b]8;;";
pub(super) const END: &str = "\x1b\\";

/// Percent-encodes every character of a path that could end a URI or have a special meaning in it.
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

/// Whether all bytes of a text are allowed in a URI, so that it cannot end an escape sequence.
pub(super) fn is_uri(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    !text.is_empty() && text.bytes().all(may)
}
