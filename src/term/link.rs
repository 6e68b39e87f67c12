//! Links: URIs that a terminal or Markdown can be given.

/// The escape sequence of a link (OSC 8), up to its URI; and what ends a sequence.
pub(super) const OPEN: &str = "\x1b]8;;";
pub(super) const END: &str = "\x1b\\";

/// A path with everything percent-encoded that could end a URI, or mean something in one.
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

/// Whether each byte of a text may be in a URI, so that it ends no escape sequence.
pub(super) fn is_uri(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    !text.is_empty() && text.bytes().all(may)
}
