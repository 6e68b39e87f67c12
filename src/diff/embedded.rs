//! Documents embedded in strings: JSON, base64, gzip in base64, YAML.
//!
//! Invariants: a string counts as one of these only if all of it can be parsed. The caller limits the unpacked size, so
//! that a small input cannot expand into a large one.
//!
//! ```text
//! eyJuYW1lIjoid2ViIiwicG9ydCI6ODA4MH0=     the text {"name":"web","port":8080}
//! ```

use std::io::Read;
use std::sync::LazyLock;

use data_encoding::{Encoding, HEXLOWER_PERMISSIVE, Specification};
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::value::{Builder, Content, MarkedValue};
use crate::json;

/// Whether a text begins like a JSON object or array, after white space.
fn may_be_json(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
        .starts_with(['{', '['])
}

/// Parses a string that is a JSON object or array as a whole. One that is nested deeper than a YAML document may be is
/// not parsed, but compared as lines, so that documents inside each other need no large stack.
pub fn json<'a>(text: &'a str, build: Builder<'_, 'a>) -> Option<MarkedValue<'a>> {
    if !may_be_json(text) || json::depth(text) > DEEPEST {
        return None;
    }
    build.parse(text).ok().filter(|value| value.is_container())
}

/// The error if an unpacked text would exceed the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Decodes a text from base64, and from gzip if it is compressed; returns it and whether it was compressed.
///
/// `None` if the string is not base64, or does not encode text. The memory for a compressed text is subtracted from
/// `budget`, in bytes.
///
/// # Errors
/// Returns `TooLarge` if `budget` does not suffice for a compressed text.
pub fn base64_text(text: &str, budget: &mut usize) -> Result<Option<(String, bool)>, TooLarge> {
    /// The approximate memory of a value, in bytes. A comparison creates a value for each part or line of a text.
    const VALUE_BYTES: usize = 64;
    let Some(bytes) = decoded(text, SHORTEST) else {
        return Ok(None);
    };
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(printable(bytes).map(|text| (text, false)));
    }
    let mut unpacked = Vec::new();
    let limit = (*budget as u64).saturating_add(1);
    if flate2::read::MultiGzDecoder::new(&*bytes)
        .take(limit)
        .read_to_end(&mut unpacked)
        .is_err()
    {
        return Ok(None);
    }
    let parts = memchr::memchr3_iter(b',', b'[', b'\n', &unpacked).count();
    *budget = budget
        .checked_sub(unpacked.len() + VALUE_BYTES * parts)
        .ok_or(TooLarge)?;
    Ok(printable(unpacked).map(|text| (text, true)))
}

/// Returns the bytes as text, unless they are empty, not UTF-8, or contain control characters other than line breaks
/// and tabs.
fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

/// Decodes base64 of a text in UTF-16, the form in which PowerShell accepts commands. `None` if the text has characters
/// beyond Latin-1.
pub fn base64_utf16(text: &str) -> Option<String> {
    let bytes = decoded(text, SHORTEST)?;
    let bytes = bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(&bytes);
    let is_latin = bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    if !bytes.len().is_multiple_of(2) || !is_latin {
        return None;
    }
    let text: String = bytes.iter().step_by(2).copied().map(char::from).collect();
    printable(text.into_bytes())
}

/// Decodes base64 of any length. This is for callers that know what to look for in the text, because short strings are
/// often base64 by chance.
pub fn short_base64(text: &str) -> Option<String> {
    decoded(text, 0).and_then(printable)
}

/// The minimum length of a string that is decoded as base64, in bytes. Shorter ones are too often base64 by chance.
const SHORTEST: usize = 16;

/// Whether a byte is a digit of base64, in the standard or the URL-safe alphabet.
pub(crate) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Base64 (RFC 4648) in the standard and the URL-safe alphabet, without padding.
static BASE64: LazyLock<Option<Encoding>> = LazyLock::new(|| {
    let mut form = Specification::new();
    form.symbols
        .push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    form.translate.from.push_str("-_");
    form.translate.to.push_str("+/");
    form.encoding().ok()
});

/// Decodes base64 (RFC 4648), in the standard or the URL-safe alphabet, with or without padding. `None` also if it is
/// shorter than `shortest` bytes.
fn decoded(text: &str, shortest: usize) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('\n');
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    let is_padded = padding > 0 && !text.len().is_multiple_of(4);
    if text.len() < shortest || padding > 2 || is_padded {
        return None;
    }
    BASE64.as_ref()?.decode(body.as_bytes()).ok()
}

/// Decodes a text from hexadecimal digits, in capitals or small letters.
pub fn hex_text(text: &str) -> Option<String> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
    printable(bytes)
}

/// Returns the bytes at the beginning of base64, as many as its first `length` digits are.
pub(crate) fn first_bytes(text: &str, length: usize) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    let whole = body.len().min(length) / 4 * 4;
    BASE64.as_ref()?.decode(body.get(..whole)?.as_bytes()).ok()
}

/// The maximum number of nodes of a YAML document. Larger ones are compared as lines.
const MAX_NODES: usize = 100_000;
/// The maximum nesting of a JSON or YAML document in a string. Deeper ones are compared as lines.
const DEEPEST: usize = 100;

/// Parses a string that is certainly meant as YAML: a single document with plausible names and nothing that JSON cannot
/// express. Documents with anchors, aliases, tags or keys that are not text are compared as lines instead.
pub fn yaml<'a>(text: &str, build: Builder<'_, 'a>) -> Option<MarkedValue<'a>> {
    if !text.contains(':') || text.starts_with("#!") || text.contains("{{") {
        return None;
    }
    let mut stack: Vec<Vec<MarkedValue<'a>>> = Vec::new();
    let (mut result, mut nodes) = (None, 0);
    for event in Parser::new_from_str(text) {
        let (event, _) = event.ok()?;
        nodes += 1;
        if nodes > MAX_NODES || stack.len() > DEEPEST {
            return None;
        }
        let done = match event {
            Event::Scalar(text, style, 0, None) => scalar(&text, style, build),
            Event::SequenceStart(0, None) | Event::MappingStart(0, None) => {
                stack.push(Vec::new());
                continue;
            }
            Event::SequenceEnd => Content::Array(build.arena().alloc_slice_copy(&stack.pop()?)),
            Event::MappingEnd => mapping(&stack.pop()?, build)?,
            Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..)
            | Event::Alias(_) => {
                return None;
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => continue,
        };
        match stack.last_mut() {
            None if result.is_some() => return None, // a second document
            None => result = Some(build.known(done)),
            Some(parts) => parts.push(build.known(done)),
        }
    }
    result.filter(|value| is_meant(*value))
}

/// Returns a mapping with its members sorted by name. `None` if a key is not a scalar or occurs twice.
fn mapping<'a>(parts: &[MarkedValue<'a>], build: Builder<'_, 'a>) -> Option<Content<'a>> {
    let members = parts
        .chunks_exact(2)
        .map(|pair| Some((pair[0].content.scalar_text()?, pair[1])));
    let mut members = members.collect::<Option<Vec<_>>>()?;
    members.sort_by_key(|(name, _)| *name);
    if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    Some(Content::Object(build.arena().alloc_slice_copy(&members)))
}

/// Returns a scalar. The program that reads the text may use YAML 1.1 (Helm, Kubernetes) or 1.2. A scalar that these
/// read differently becomes a string of its source text, including quotes, so that `no` and `"no"` differ.
fn scalar<'a>(text: &str, style: ScalarStyle, build: Builder<'_, 'a>) -> Content<'a> {
    let is_plain = style == ScalarStyle::Plain;
    let kept = |text: &str| build.arena().alloc_str(text);
    match text {
        "" | "~" | "null" | "Null" | "NULL" if is_plain => Content::Null,
        "true" | "True" | "TRUE" if is_plain => Content::Bool(true),
        "false" | "False" | "FALSE" if is_plain => Content::Bool(false),
        _ if reads_differently(text) && !is_plain => Content::String(kept(&quote(text))),
        _ if is_plain && !reads_differently(text) && is_number(text) => Content::Number(kept(text)),
        _ => Content::String(kept(text)),
    }
}

fn is_number(text: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(text).is_ok()
}

/// Whether YAML 1.1 and 1.2 read a scalar differently: a bool (`no`), an octal, binary, hexadecimal or sexagesimal
/// number, a number with `_` or an exponent, a date, a merge key.
fn reads_differently(text: &str) -> bool {
    /// The scalars other than numbers that the versions read differently.
    const BOOLS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "=", "<<"];
    if text.len() <= 3 && BOOLS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let digits = text.trim_start_matches(['+', '-']);
    if text.len() - digits.len() > 1
        || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return false;
    }
    let rest = digits.get(1..2).unwrap_or_default();
    if digits.starts_with('0') && matches!(rest, "x" | "X" | "o" | "b" | "B") {
        return digits[2..]
            .chars()
            .all(|c| c.is_ascii_hexdigit() || c == '_');
    }
    let count = |wanted: char| digits.chars().filter(|c| *c == wanted).count();
    let is_date = digits.len() >= 8
        && digits.as_bytes().get(4) == Some(&b'-')
        && digits[..4].bytes().all(|byte| byte.is_ascii_digit())
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && count('-') >= 2;
    if is_date {
        return true;
    }
    let is_numeric =
        |c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | ':' | 'e' | 'E' | '+' | '-');
    if !digits.chars().all(is_numeric) || count('.') > 1 {
        return matches!(digits.to_ascii_lowercase().as_str(), ".inf" | ".nan");
    }
    let has_exponent = digits.contains(['e', 'E']);
    let is_clean = is_number(text) && (!has_exponent || digits.contains('.'));
    !is_clean && digits.chars().any(|c| c.is_ascii_digit())
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a parsed text was meant as YAML. Its names must be plausible, because prose with a colon in it parses as
/// YAML, with a sentence as the name.
fn is_meant(value: MarkedValue<'_>) -> bool {
    let is_name = |key: &str| !key.is_empty() && !key.contains([' ', '(', '$', '"', '=']);
    value.children().next().is_some()
        && value
            .as_object()
            .unwrap_or_default()
            .iter()
            .all(|(key, _)| is_name(key))
        && value
            .as_array()
            .unwrap_or_default()
            .iter()
            .all(|item| item.as_object().is_some())
}

#[cfg(test)]
mod tests;
