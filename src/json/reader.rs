//! The reader of a JSON text: it reads tokens and skips whole values.
//!
//! Invariants: the position is always on a character boundary. Everything before it was checked against the grammar of
//! RFC 8259. Skipping is iterative, so no input can exhaust the stack.

use std::borrow::Cow;

use super::scan::{self, ScanResult};
use super::{Error, ErrorKind, MAX_DEPTH};

/// A reader with a position in a JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// The whole text.
    text: &'a str,
    /// The offset of the next byte to be read.
    pos: usize,
    /// The number of arrays and objects around the position.
    depth: usize,
    /// The offset of the name that was read last, for errors about members.
    name: usize,
}

/// A string as it is written in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawString<'a> {
    /// A string without escapes.
    Plain(&'a str),
    /// A string with escapes, which were checked.
    Escaped(&'a str),
}

impl<'a> RawString<'a> {
    pub(crate) fn resolved(self) -> Cow<'a, str> {
        match self {
            Self::Plain(text) => text.into(),
            Self::Escaped(text) => resolve_escapes(text).into(),
        }
    }
}

impl<'a> Reader<'a> {
    /// Creates a reader at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            depth: 0,
            name: 0,
        }
    }

    /// Returns a reader at the name that was read last.
    pub(super) fn at_name(&self) -> Self {
        Self {
            pos: self.name,
            ..self.clone()
        }
    }

    /// Returns the offset of the next byte to be read, in bytes from the beginning of the text.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Returns an error at the current position. If something was expected at the end of the text, it is
    /// `ErrorKind::UnexpectedEnd`.
    pub(super) fn fail<T>(&self, kind: ErrorKind) -> Result<T, Error> {
        let at_end = matches!(kind, ErrorKind::Expected(_)) && self.pos >= self.text.len();
        let kind = if at_end {
            ErrorKind::UnexpectedEnd
        } else {
            kind
        };
        Err(Error {
            kind,
            offset: self.pos,
        })
    }

    #[inline]
    /// Moves to the end of a token, or to its error.
    fn go(&mut self, step: ScanResult) -> Result<(), Error> {
        match step {
            Ok(pos) => {
                self.pos = pos;
                Ok(())
            }
            Err(fault) => {
                self.pos = fault.offset;
                Err(*fault)
            }
        }
    }

    #[inline(always)]
    /// Skips white space, and returns the next byte; `None` at the end of the text.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        match self.text.as_bytes().get(self.pos) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.peek_behind_space(),
        }
    }

    #[inline(never)]
    /// The rare case of `peek`, as a function of its own so that the usual case is inlined.
    fn peek_behind_space(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        self.pos = scan::past_space(bytes, self.pos);
        bytes.get(self.pos).copied()
    }

    /// Moves over the opening byte before the first part of a container, or over the comma before a later one. At the
    /// end of the container, moves over the closing byte and returns false.
    #[inline(always)]
    pub(crate) fn next_part(&mut self, is_first: &mut bool, close: u8) -> Result<bool, Error> {
        if std::mem::take(is_first) {
            self.pos += 1;
            self.depth += 1;
            if self.peek() != Some(close) {
                return if self.depth > MAX_DEPTH {
                    self.fail(ErrorKind::TooDeep)
                } else {
                    Ok(true)
                };
            }
        } else {
            match self.peek() {
                Some(b',') => {
                    self.pos += 1;
                    return Ok(true);
                }
                byte if byte == Some(close) => {}
                _ => return self.fail(scan::expected_after_part(close)),
            }
        }
        self.pos += 1;
        self.depth -= 1;
        Ok(false)
    }

    #[inline(always)]
    /// Reads the name of a member, and the colon after it.
    pub(crate) fn key(&mut self) -> Result<RawString<'a>, Error> {
        self.peek();
        self.name = self.pos;
        let (key, end) = self.string_at(self.pos)?;
        let bytes = self.text.as_bytes();
        if bytes.get(end) == Some(&b':') {
            self.pos = end + 1;
        } else {
            self.go(scan::colon(bytes, end))?;
        }
        Ok(key)
    }

    /// Reads a string. If there is no quote, the error asks for the name of a member: values are dispatched on their
    /// first byte, so this can only happen for a name.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<RawString<'a>, Error> {
        let (string, end) = self.string_at(self.pos)?;
        self.pos = end;
        Ok(string)
    }

    /// Returns the string at `pos` and the position after it. The reader is not moved to the end of a string without
    /// escapes, because a position that is not stored need not be loaded again.
    #[inline(always)]
    fn string_at(&mut self, pos: usize) -> Result<(RawString<'a>, usize), Error> {
        let text = self.text;
        let bytes = text.as_bytes();
        if bytes.get(pos) != Some(&b'"') {
            return self.fail(scan::EXPECTED_NAME);
        }
        let start = pos + 1;
        let end = scan::plain_end(bytes, start);
        if bytes.get(end) == Some(&b'"') {
            return Ok((RawString::Plain(&text[start..end]), end + 1));
        }
        self.go(scan::special(bytes, end))?;
        Ok((RawString::Escaped(&text[start..self.pos - 1]), self.pos))
    }

    /// Skips the next value, with everything in it, and returns its text.
    ///
    /// # Errors
    /// Returns an error if the value is not valid JSON.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a str, Error> {
        let first = self.peek();
        let start = self.pos;
        let bytes = self.text.as_bytes();
        let step = match first.unwrap_or_default() {
            b'{' | b'[' => scan::value(bytes, start, self.depth),
            first => scan::scalar(bytes, start, first), // most values, and they need no nesting state
        };
        self.go(step)?;
        Ok(&self.text[start..self.pos])
    }

    /// Checks that only white space is left.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_some() {
            self.fail(ErrorKind::TrailingData)
        } else {
            Ok(())
        }
    }
}

/// The members of the object at the top of a document. Text after the last requested member is neither read nor
/// checked.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    reader: Reader<'a>,
    /// Whether no member was read yet.
    is_first: bool,
    /// Whether the value of the last name was not read yet.
    is_at_value: bool,
}

impl<'a> Members<'a> {
    /// Creates a reader of the members of the object with which the text begins.
    pub fn new(text: &'a str) -> Self {
        Self {
            reader: Reader::new(text),
            is_first: true,
            is_at_value: false,
        }
    }

    /// Returns the next name. `None` at the end; this must not be called again then. The value is skipped unless
    /// [`Members::value`] is called.
    pub fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, Error> {
        if self.is_at_value {
            self.value()?;
        }
        if self.is_first && self.reader.peek() != Some(b'{') {
            return self.reader.fail(ErrorKind::Expected("an object"));
        }
        self.is_at_value = self.reader.next_part(&mut self.is_first, b'}')?;
        if self.is_at_value {
            self.reader.key().map(|key| Some(key.resolved()))
        } else {
            Ok(None)
        }
    }

    /// Returns the text of the value whose name [`Members::next_key`] has just returned.
    ///
    /// # Errors
    /// Returns an error if the value is not valid JSON.
    pub fn value(&mut self) -> Result<&'a str, Error> {
        self.is_at_value = false;
        self.reader.skip()
    }
}

/// Resolves the escapes of a string, which the reader has checked. Unpaired surrogates become U+FFFD.
pub(super) fn resolve_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..offset]);
        rest = &rest[offset..];
        let escape = rest.as_bytes()[1];
        if escape == b'u' {
            let units = std::iter::from_fn(|| {
                let (unit, behind) = rest.strip_prefix("\\u")?.split_at_checked(4)?;
                rest = behind;
                u16::from_str_radix(unit, 16).ok()
            });
            out.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
            continue;
        }
        out.push(match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other), // `"`, `\` and `/` mean themselves
        });
        rest = &rest[2..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
