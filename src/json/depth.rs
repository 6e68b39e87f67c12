//! The nesting of a document, which decides whether the stack of the calling thread suffices for it.
//!
//! Strings count as the documents that they may contain, because the engine also parses JSON in strings, up to a limit.
//!
//! The cost is one pass over the text, which ends as soon as the depth exceeds the limit of all parsers.

use std::borrow::Cow;

use super::MAX_DEPTH;
use super::scan::plain_end;

/// The maximum number of documents inside each other, as strings, that are looked into.
const MAX_STRINGS: usize = 6;

/// Returns how deeply arrays and objects are nested in a text, and in the JSON that its strings contain.
///
/// Nothing is checked, so the text may be malformed: the result is at least the depth that a parser reaches in it.
/// Takes one pass over the text, and another one over strings that contain JSON.
///
/// ```
/// # #[cfg(feature = "internals")]
/// assert_eq!(tfview::internals::json::depth(r#"{"policy":"{\"Statement\":[]}"}"#), 3);
/// ```
pub fn depth(text: &str) -> usize {
    depth_within(text, MAX_STRINGS)
}

/// Returns the nesting of brackets in a text and in its strings, for at most `strings` levels of JSON in strings.
fn depth_within(text: &str, strings: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest, mut offset) = (0_usize, 0, 0);
    while let Some(byte) = bytes.get(offset) {
        offset += 1;
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = string_end(bytes, offset);
                if strings > 0 {
                    let inside = text.get(offset..end).unwrap_or_default();
                    deepest = deepest.max(depth + depth_of_string(inside, strings - 1));
                }
                offset = end + 1;
            }
            _ => {}
        }
        if deepest > MAX_DEPTH {
            return deepest;
        }
    }
    deepest
}

/// Returns the offset of the closing quote of a string that begins at `start`, or the end of `bytes`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut index = start;
    loop {
        index = plain_end(bytes, index);
        match bytes.get(index) {
            Some(b'\\') => index += 2,
            Some(b'"') => return index,
            Some(_) => index += 1,
            None => return bytes.len(),
        }
    }
}

/// Returns the nesting of the JSON in a string; 0 if it contains none.
fn depth_of_string(text: &str, strings: usize) -> usize {
    if memchr::memchr3(b'[', b'{', b'\\', text.as_bytes()).is_none() {
        return 0;
    }
    let text = &*unescaped(text);
    if text.trim_start().starts_with(['{', '[']) {
        depth_within(text, strings)
    } else {
        0
    }
}

/// Resolves escapes, which may be malformed. Escaped control characters become spaces, which do not affect the nesting.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('u') => {
                let digits = chars.as_str().get(..4);
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                if let Some(code) = code {
                    plain.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    chars = chars.as_str()[4..].chars();
                }
            }
            Some('b' | 'f' | 'n' | 'r' | 't') => plain.push(' '),
            escaped => plain.extend(escaped),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_objects_and_documents_in_strings_count() {
        for (text, expected) in [
            ("1", 0),
            ("[]", 1),
            (r#"{"a":[{}],"b":[]}"#, 3),
            (r#"["[","{\"a\":1"]"#, 2),
            (r#"["\\","]]]",[[]]]"#, 3),
            (r#""[[1,\"[[2]]\"]]""#, 4),
            (r#"["[[\"\\\"]","[[["]"#, 4),
            ("[\"\\u005b[[", 4),
            ("[\"\\u00", 1),
            ("[[\"\\", 2),
        ] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }
}
