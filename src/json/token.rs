//! The tokens of JSON: each function takes the position of a token and returns the position after it.
//!
//! The fast path of each token is inlined; the rare cases are separate functions.

use super::{Error, ErrorKind, scan};

/// The position after a token, or the error. The error is boxed so that the result fits into registers.
pub(super) type Step = Result<usize, Box<Error>>;

/// An error at `pos`. Expecting something at the end of the text is reported as
/// [`ErrorKind::UnexpectedEnd`].
#[cold]
#[inline(never)]
pub(super) fn fault(bytes: &[u8], pos: usize, kind: ErrorKind) -> Step {
    let at_end = matches!(kind, ErrorKind::Expected(_)) && pos >= bytes.len();
    Err(Box::new(Error { kind: if at_end { ErrorKind::UnexpectedEnd } else { kind }, offset: pos }))
}

/// Skips a member's name and the colon after it.
#[inline(always)]
pub(super) fn key(bytes: &[u8], pos: usize) -> Step {
    let pos = quoted(bytes, pos)?;
    if bytes.get(pos) == Some(&b':') { Ok(pos + 1) } else { colon(bytes, pos) }
}

/// Skips a member's name.
#[inline(always)]
pub(super) fn quoted(bytes: &[u8], pos: usize) -> Step {
    if bytes.get(pos) != Some(&b'"') {
        return fault(bytes, pos, ErrorKind::Expected("a member's name in quotes"));
    }
    string(bytes, pos)
}

/// Skips the colon after a member's name.
pub(super) fn colon(bytes: &[u8], pos: usize) -> Step {
    let pos = scan::past_space(bytes, pos);
    if bytes.get(pos) == Some(&b':') {
        return Ok(pos + 1);
    }
    fault(bytes, pos, ErrorKind::Expected("`:` after a member's name"))
}

/// Skips a string whose opening quote is at `pos`.
#[inline(always)]
pub(super) fn string(bytes: &[u8], pos: usize) -> Step {
    let end = scan::plain_end(bytes, pos + 1);
    if bytes.get(end) == Some(&b'"') { Ok(end + 1) } else { special(bytes, end) }
}

/// Skips the rest of a string from its first escape on. Fails if there is no escape at `pos`.
#[inline(never)]
pub(super) fn special(bytes: &[u8], mut pos: usize) -> Step {
    loop {
        match bytes.get(pos) {
            Some(b'"') => return Ok(pos + 1),
            Some(b'\\') => pos = scan::plain_end(bytes, escape(bytes, pos)?),
            Some(_) => return fault(bytes, pos, ErrorKind::ControlCharacter),
            None => return fault(bytes, pos, ErrorKind::UnexpectedEnd),
        }
    }
}

#[inline]
fn escape(bytes: &[u8], pos: usize) -> Step {
    match bytes.get(pos + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(pos + 2),
        Some(b'u') => match bytes.get(pos + 2..pos + 6) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(pos + 6),
            Some(_) => fault(bytes, pos, ErrorKind::BadEscape),
            None => fault(bytes, pos, ErrorKind::UnexpectedEnd),
        },
        Some(_) => fault(bytes, pos, ErrorKind::BadEscape),
        None => fault(bytes, pos, ErrorKind::UnexpectedEnd),
    }
}

/// Skips a number.
pub(super) fn number(bytes: &[u8], pos: usize) -> Step {
    let whole = if bytes.get(pos) == Some(&b'-') { pos + 1 } else { pos };
    let mut end = scan::past_digits(bytes, whole);
    if end == whole || (end > whole + 1 && bytes.get(whole) == Some(&b'0')) {
        return fault(bytes, whole, ErrorKind::BadNumber);
    }
    if bytes.get(end) == Some(&b'.') {
        let fraction = end + 1;
        if scan::past_digits(bytes, fraction) == fraction {
            return fault(bytes, end, ErrorKind::BadNumber);
        }
        end = scan::past_digits(bytes, fraction);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        let exponent = end + 1 + usize::from(signed);
        end = scan::past_digits(bytes, exponent);
        if end == exponent {
            return fault(bytes, end, ErrorKind::BadNumber);
        }
    }
    Ok(end)
}

/// Skips a value without parts: a string, a number or a literal.
#[inline(always)]
pub(super) fn scalar(bytes: &[u8], pos: usize) -> Step {
    match bytes.get(pos) {
        Some(b'"') => string(bytes, pos),
        Some(b'-' | b'0'..=b'9') => number(bytes, pos),
        Some(b't') => literal(bytes, pos, "true"),
        Some(b'f') => literal(bytes, pos, "false"),
        Some(b'n') => literal(bytes, pos, "null"),
        _ => fault(bytes, pos, ErrorKind::Expected("a value")),
    }
}

/// Skips `word` (one of `null`, `true`, `false`), whose first letter is at `pos`.
#[inline]
pub(super) fn literal(bytes: &[u8], pos: usize, word: &'static str) -> Step {
    let rest = bytes.get(pos..).unwrap_or_default();
    if rest.starts_with(word.as_bytes()) {
        return Ok(pos + word.len());
    }
    let cut = word.as_bytes().starts_with(rest);
    fault(bytes, if cut { bytes.len() } else { pos }, ErrorKind::Expected("a value"))
}
