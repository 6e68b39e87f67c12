//! Scans JSON bytes for the ends of runs, of tokens and of whole values.
//!
//! Most of the time for a large document is spent here, so the fast path of each token is inlined, and its rare cases
//! are separate functions.
//!
//! Invariant: every byte before a returned position was checked against the grammar of RFC 8259.

use super::{Error, ErrorKind, MAX_DEPTH};

/// The number of bytes that are tested at once, as two words of 8 bytes. Whether the compiler vectorizes a plain
/// comparison of 16 bytes depends on the surrounding code; word arithmetic is fast in every context.
const BLOCK: usize = 16;

/// The result of a test of two words: the top bit of each byte that ends a run is set. Only the first set bit is
/// reliable, because a borrow can carry into the bytes above it.
type Ends = [u64; 2];

/// The top bits of all bytes of a word.
const TOP: u64 = all(0x80);

/// Returns a word in which all bytes are the same.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Returns the end of a run of bytes. `test` and `ends` both find the bytes that end the run: `test` in a word, `ends`
/// in a single byte.
#[inline(always)]
fn run_end(bytes: &[u8], from: usize, test: impl Fn(u64) -> u64, ends: fn(u8) -> bool) -> usize {
    let (mut offset, mut rest) = (from, bytes.get(from..).unwrap_or_default());
    while let Some((block, behind)) = rest.split_first_chunk::<BLOCK>() {
        let both = u128::from_le_bytes(*block);
        let first = first([test(both as u64) & TOP, test((both >> 64) as u64) & TOP]);
        if first < BLOCK {
            return offset + first;
        }
        (offset, rest) = (offset + BLOCK, behind);
    }
    rest_end(bytes, offset, ends)
}

#[inline(always)]
/// Returns the index of the first byte whose top bit is set; at least `BLOCK` if there is none.
fn first([low, high]: Ends) -> usize {
    // This has no branch, because the ends of strings are unpredictable.
    let both = u128::from(high) << 64 | u128::from(low);
    both.trailing_zeros() as usize / 8
}

#[cold]
#[inline(never)]
/// The rare case of `run_end`: the end of the run among the last bytes, one by one.
fn rest_end(bytes: &[u8], offset: usize, ends: fn(u8) -> bool) -> usize {
    offset
        + bytes
            .get(offset..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| !ends(**byte))
            .count()
}

/// Returns the position of the next quote, backslash or control character, or the end of `bytes`.
#[inline(always)]
pub(super) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let borrows = |word: u64, limit: u8| word.wrapping_sub(all(limit));
    // With bit 1 flipped, a quote (0x22) becomes 0x20, and exactly the quote and the control characters are below `!`
    // (0x21). No top bit is flipped, so one mask leaves out the bytes that are not ASCII.
    let test =
        |word: u64| (borrows(word ^ all(0x02), b'!') | borrows(word ^ all(b'\\'), 1)) & !word;
    run_end(bytes, from, test, is_special)
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Returns the position of the next byte that is not white space, and the byte. At the end of the text the byte is 0,
/// with which no value begins.
#[inline(always)]
fn token(bytes: &[u8], from: usize) -> (usize, u8) {
    match bytes.get(from) {
        Some(byte) if *byte > b' ' => (from, *byte),
        _ => {
            let offset = past_space(bytes, from);
            (offset, bytes.get(offset).copied().unwrap_or_default())
        }
    }
}

#[inline(never)]
/// Returns the position of the next byte that is not white space, or the end of `bytes`.
pub(super) fn past_space(bytes: &[u8], from: usize) -> usize {
    let test = |word: u64| {
        let equals = |byte: u8| {
            let other = word ^ all(byte);
            !((other & !TOP).wrapping_add(!TOP) | other) // exact in every byte
        };
        !(equals(b' ') | equals(b'\n') | equals(b'\t') | equals(b'\r'))
    };
    run_end(bytes, from, test, |byte| {
        !matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
    })
}

#[inline]
fn past_digits(bytes: &[u8], from: usize) -> usize {
    let mut offset = from;
    while bytes.get(offset).is_some_and(u8::is_ascii_digit) {
        offset += 1;
    }
    offset
}

/// The position after a token. The error is boxed so that the result fits into registers.
pub(super) type ScanResult = Result<usize, Box<Error>>;

/// Returns an error at a position. If something was expected at the end of the text, it is
/// [`ErrorKind::UnexpectedEnd`].
#[cold]
#[inline(never)]
fn fault(bytes: &[u8], pos: usize, kind: ErrorKind) -> ScanResult {
    let at_end = matches!(kind, ErrorKind::Expected(_)) && pos >= bytes.len();
    Err(Box::new(Error {
        kind: if at_end {
            ErrorKind::UnexpectedEnd
        } else {
            kind
        },
        offset: pos,
    }))
}

/// The error if the name of a member is missing.
pub(super) const EXPECTED_NAME: ErrorKind = ErrorKind::Expected("a member's name in quotes");

/// Returns the error if neither a comma nor the closing byte follows a part of a container.
pub(super) fn expected_after_part(close: u8) -> ErrorKind {
    let is_object = close == b'}';
    ErrorKind::Expected(if is_object {
        "`,` or `}` after a member"
    } else {
        "`,` or `]` after an element"
    })
}

/// Skips white space and the colon after a name.
pub(super) fn colon(bytes: &[u8], pos: usize) -> ScanResult {
    let pos = past_space(bytes, pos);
    if bytes.get(pos) == Some(&b':') {
        return Ok(pos + 1);
    }
    fault(bytes, pos, ErrorKind::Expected("`:` after a member's name"))
}

/// Returns the position after the string whose quote is at a position. This is a macro, because a function would create
/// a result for each string, and the caller would test it again, where only [`special`] may fail.
macro_rules! after_string {
    ($bytes:expr, $quote:expr) => {
        match plain_end($bytes, $quote + 1) {
            end if $bytes.get(end) == Some(&b'"') => end + 1,
            end => special($bytes, end)?,
        }
    };
}

/// Skips the rest of a string from its first escape on. Fails if the byte at `pos` is not that of an escape.
#[inline(never)]
pub(super) fn special(bytes: &[u8], mut pos: usize) -> ScanResult {
    loop {
        match bytes.get(pos) {
            Some(b'"') => return Ok(pos + 1),
            Some(b'\\') => pos = plain_end(bytes, escape(bytes, pos)?),
            Some(_) => return fault(bytes, pos, ErrorKind::ControlCharacter),
            None => return fault(bytes, pos, ErrorKind::UnexpectedEnd),
        }
    }
}

#[inline]
/// Skips one escape, and checks it.
fn escape(bytes: &[u8], pos: usize) -> ScanResult {
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

/// Skips a number, and checks it as RFC 8259 defines numbers: no leading zeros, no leading `+`.
fn number(bytes: &[u8], pos: usize) -> ScanResult {
    let digits = |from: usize| match past_digits(bytes, from) {
        end if end > from => Ok(end),
        _ => fault(bytes, from, ErrorKind::BadNumber),
    };
    let whole = pos + usize::from(bytes.get(pos) == Some(&b'-'));
    let mut end = digits(whole)?;
    if end > whole + 1 && bytes.get(whole) == Some(&b'0') {
        return fault(bytes, whole, ErrorKind::BadNumber);
    }
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let is_signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
        end = digits(end + 1 + usize::from(is_signed))?;
    }
    Ok(end)
}

#[inline(always)]
/// Skips a string, number or literal that begins with the byte `first`.
pub(super) fn scalar(bytes: &[u8], pos: usize, first: u8) -> ScanResult {
    match first {
        b'"' => Ok(after_string!(bytes, pos)),
        b'-' | b'0'..=b'9' => number(bytes, pos),
        b't' => literal(bytes, pos, "true"),
        b'f' => literal(bytes, pos, "false"),
        b'n' => literal(bytes, pos, "null"),
        _ => fault(bytes, pos, ErrorKind::Expected("a value")),
    }
}

#[inline]
/// Skips one of the literals. A literal that the end of the text cuts off is an unexpected end.
fn literal(bytes: &[u8], pos: usize, word: &'static str) -> ScanResult {
    let rest = bytes.get(pos..).unwrap_or_default();
    if rest.starts_with(word.as_bytes()) {
        return Ok(pos + word.len());
    }
    let cut = word.as_bytes().starts_with(rest);
    fault(
        bytes,
        if cut { bytes.len() } else { pos },
        ErrorKind::Expected("a value"),
    )
}

/// Skips the value that begins at `pos`, with `depth` containers open around it. Returns the position after it.
pub(super) fn value(bytes: &[u8], mut pos: usize, depth: usize) -> ScanResult {
    let mut open = Open::default();
    loop {
        if open.object {
            let (offset, first) = token(bytes, pos);
            if first != b'"' {
                return fault(bytes, offset, EXPECTED_NAME);
            }
            pos = after_string!(bytes, offset);
            pos = match bytes.get(pos) {
                Some(b':') => pos + 1,
                _ => colon(bytes, pos)?,
            };
        }
        let (offset, first) = token(bytes, pos);
        match first {
            b'"' => pos = after_string!(bytes, offset),
            b'{' | b'[' => {
                let object = first == b'{';
                let (inside, next) = token(bytes, offset + 1);
                if next != if object { b'}' } else { b']' } {
                    if depth + open.level >= MAX_DEPTH {
                        return fault(bytes, inside, ErrorKind::TooDeep);
                    }
                    open.push(object);
                    pos = inside;
                    continue;
                }
                pos = inside + 1;
            }
            _ => pos = scalar(bytes, offset, first)?,
        }
        loop {
            if open.level == 0 {
                return Ok(pos);
            }
            let (offset, next) = token(bytes, pos);
            pos = offset + 1;
            if next == b',' {
                break;
            }
            if next != open.close() {
                return fault(bytes, offset, expected_after_part(open.close()));
            }
            open.pop();
        }
    }
}

/// The open arrays and objects, which are kept as bits so that skipping needs no recursion.
#[derive(Default)]
struct Open {
    /// The number of open arrays and objects.
    level: usize,
    /// Whether the innermost container is an object.
    object: bool,
    /// One bit for each of the other containers, set for objects.
    outer: [u64; MAX_DEPTH / 64 + 1],
}

impl Open {
    #[inline]
    /// Returns the byte that closes the innermost container.
    fn close(&self) -> u8 {
        if self.object { b'}' } else { b']' }
    }

    #[inline]
    fn push(&mut self, object: bool) {
        let (word, bit) = (self.level / 64, self.level % 64);
        self.outer[word] = self.outer[word] & !(1 << bit) | u64::from(self.object) << bit;
        self.object = object;
        self.level += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.level -= 1;
        self.object = self.outer[self.level / 64] >> (self.level % 64) & 1 == 1;
    }
}

#[cfg(test)]
mod tests;
