//! The cursor over a JSON text: reads tokens and skips whole values.
//!
//! Invariants: the position is always on a character boundary; everything before it has been checked against the
//! grammar of RFC 8259; skipping is iterative, so no input can exhaust the stack.

use std::borrow::Cow;

use super::scan::{self, ScanResult};
use super::{Error, ErrorKind, MAX_DEPTH};

/// A position in a JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// The whole text.
    text: &'a str,
    /// The offset of the next byte that was not read.
    pos: usize,
    /// The number of arrays and objects around the position.
    depth: usize,
    /// The offset of the name that was read last, for errors about members.
    name: usize,
}

/// As written in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) enum RawString<'a> {
    Plain(&'a str),
    Escaped(&'a str),
}

impl<'a> RawString<'a> {
    pub(super) fn resolved(self) -> Cow<'a, str> {
        match self {
            Self::Plain(text) => text.into(),
            Self::Escaped(text) => resolve_escapes(text).into(),
        }
    }
}

impl<'a> Reader<'a> {
    /// Makes a reader at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            pos: 0,
            depth: 0,
            name: 0,
        }
    }

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
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.text.as_bytes().get(self.pos) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.peek_behind_space(),
        }
    }

    #[inline(never)]
    fn peek_behind_space(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        self.pos = scan::past_space(bytes, self.pos);
        bytes.get(self.pos).copied()
    }

    /// Moves over the opening byte before the first part, and over the comma before a later one. Returns false behind
    /// the closing byte.
    #[inline(always)]
    pub(super) fn next_part(&mut self, is_first: &mut bool, close: u8) -> Result<bool, Error> {
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
    pub(super) fn key(&mut self) -> Result<RawString<'a>, Error> {
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

    /// Reads a string. If there is no quote, the error asks for a member's name: values are
    /// dispatched on their first byte, so this can only happen at a name.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<RawString<'a>, Error> {
        let (string, end) = self.string_at(self.pos)?;
        self.pos = end;
        Ok(string)
    }

    /// The string at `pos`, and the position behind it. The reader is not moved to the end of a plain one: what is not
    /// stored need not be loaded again.
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
    /// If it is not valid JSON.
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

    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_some() {
            self.fail(ErrorKind::TrailingData)
        } else {
            Ok(())
        }
    }
}

/// For inspecting the top level of a document: text after the last requested member is neither read nor checked.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    reader: Reader<'a>,
    is_first: bool,
    is_at_value: bool,
}

impl<'a> Members<'a> {
    /// Makes a reader of the members of the object with which the text begins.
    pub fn new(text: &'a str) -> Self {
        Self {
            reader: Reader::new(text),
            is_first: true,
            is_at_value: false,
        }
    }

    /// `None` at the end, once. The value is skipped unless [`Members::value`] is called.
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
    pub fn value(&mut self) -> Result<&'a str, Error> {
        self.is_at_value = false;
        self.reader.skip()
    }
}

/// The reader has checked the escapes. Lone surrogates become U+FFFD.
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
