//! Quoting as by Go's `%q`, and HCL identifiers.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_general_category::{GeneralCategory, get_general_category};

use crate::term::is_printable_ascii;

/// `text` escaped as by Go's `%q`, without the surrounding quotes.
pub fn escape(text: &str) -> Cow<'_, str> {
    let (words, rest) = text.as_bytes().as_chunks();
    let is_plain = |byte: &u8| matches!(*byte, b' '..=b'~');
    if memchr::memchr2(b'"', b'\\', text.as_bytes()).is_none()
        && words.iter().all(is_printable_ascii)
        && rest.iter().all(is_plain)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c => {
                let code = c as u32;
                // Writing to a `String` cannot fail.
                let _ = match code {
                    0..=0x7f => write!(out, "\\x{code:02x}"),
                    0x80..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    Cow::Owned(out)
}

/// `text` quoted as by Go's `%q`.
pub fn quote(text: &str) -> String {
    ["\"", &*escape(text), "\""].concat()
}

/// Go's `unicode.IsPrint`: true for letters, marks, numbers, punctuation, symbols and the ASCII space.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    use GeneralCategory as G;
    !matches!(
        get_general_category(c),
        G::Control
            | G::Format
            | G::Surrogate
            | G::PrivateUse
            | G::Unassigned
            | G::SpaceSeparator
            | G::LineSeparator
            | G::ParagraphSeparator
    )
}

/// Whether `text` is an HCL identifier: ID_Start or `_`, then ID_Continue or `-`.
pub fn is_identifier(text: &str) -> bool {
    if text.is_ascii() {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        return text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
            && text.as_bytes().iter().all(word);
    }
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(|c| c == '-' || unicode_ident::is_xid_continue(c))
}

/// A key as printed in blocks, objects and outputs: quoted unless it is an identifier.
pub fn key(text: &str) -> Cow<'_, str> {
    if is_identifier(text) { Cow::Borrowed(text) } else { Cow::Owned(quote(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(
            quote("a\"\\\n\u{1b}\u{7f}é\u{a0}\u{200b}😀\u{10ffff}<>&${x}"),
            "\"a\\\"\\\\\\n\\x1b\\x7fé\\u00a0\\u200b😀\\U0010ffff<>&${x}\""
        );
    }

    #[test]
    fn identifiers_are_those_of_hcl() {
        for (text, expected) in [
            ("a-b_c1", true),
            ("1a", false),
            ("", false),
            ("a b", false),
            ("日本", true),
            ("_a", true),
            ("-a", false),
        ] {
            assert_eq!(is_identifier(text), expected, "{text}");
        }
    }
}
