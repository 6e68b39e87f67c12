//! The cursor over a JSON text: reads tokens and skips whole values.
//!
//! Invariants: the position is always on a character boundary; everything before it has been checked
//! against the grammar of RFC 8259; skipping is iterative, so no input can exhaust the stack.

use std::borrow::Cow;

use super::parse::resolve_escapes;
use super::token::{self, Step};
use super::{Error, ErrorKind, MAX_DEPTH, scan, skip};

/// A cursor over a JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
}

/// A string as written in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawString<'a> {
    pub(super) text: &'a str,
    escapes: Escapes,
}

/// Whether a string has escapes. It fills a word: copying the padding after a single byte takes as long as finding
/// the end of a short string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Escapes {
    None,
    Some,
}

impl RawString<'_> {
    /// Whether the string has escapes.
    #[inline(always)]
    pub(super) fn is_escaped(self) -> bool {
        self.escapes == Escapes::Some
    }
}

impl<'a> RawString<'a> {
    /// The string with its escapes resolved.
    pub(super) fn resolved(self) -> Cow<'a, str> {
        if self.is_escaped() { resolve_escapes(self.text).into() } else { self.text.into() }
    }
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, pos: 0, depth: 0 }
    }

    /// A cursor at another position, within as many containers.
    pub(super) fn at(&self, pos: usize) -> Self {
        Self { pos, ..self.clone() }
    }

    /// The position of the cursor, in bytes.
    pub fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn text_from(&self, start: usize) -> &'a str {
        &self.text[start..self.pos]
    }

    pub(super) fn fail<T>(&self, kind: ErrorKind) -> Result<T, Error> {
        let at_end = matches!(kind, ErrorKind::Expected(_)) && self.pos >= self.text.len();
        let kind = if at_end { ErrorKind::UnexpectedEnd } else { kind };
        Err(Error { kind, offset: self.pos })
    }

    /// Moves to the end of a step, or to the offset of its error.
    #[inline]
    fn go(&mut self, step: Step) -> Result<(), Error> {
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

    /// Skips white space and returns the next byte without consuming it.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.pos = scan::past_space(self.text.as_bytes(), self.pos);
        self.text.as_bytes().get(self.pos).copied()
    }

    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.fail(ErrorKind::TooDeep) } else { Ok(()) }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// After a value inside a container: skips `,` and returns true, or skips `close` and returns false.
    #[inline(always)]
    pub(super) fn more(&mut self, close: u8, what: &'static str) -> Result<bool, Error> {
        match self.peek() {
            Some(b',') => {
                self.pos += 1;
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.pos += 1;
                Ok(false)
            }
            _ => self.fail(ErrorKind::Expected(what)),
        }
    }

    /// Skips the opening byte. Returns true, and skips the closing byte too, if the container is empty.
    #[inline]
    pub(super) fn open(&mut self, close: u8) -> Result<bool, Error> {
        self.pos += 1;
        if self.peek() == Some(close) {
            self.pos += 1;
            return Ok(true);
        }
        Ok(false)
    }

    /// Reads a member's name and skips the colon after it.
    #[inline(always)]
    pub(super) fn key(&mut self) -> Result<RawString<'a>, Error> {
        self.peek();
        let key = self.string()?;
        let bytes = self.text.as_bytes();
        if bytes.get(self.pos) == Some(&b':') {
            self.pos += 1;
        } else {
            self.go(token::colon(bytes, self.pos))?;
        }
        Ok(key)
    }

    /// Reads a string. If there is no quote, the error asks for a member's name: values are dispatched
    /// on their first byte, so this can only happen at a name.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<RawString<'a>, Error> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.pos) != Some(&b'"') {
            return self.fail(ErrorKind::Expected("a member's name in quotes"));
        }
        let start = self.pos + 1;
        let end = scan::plain_end(bytes, start);
        if bytes.get(end) == Some(&b'"') {
            self.pos = end + 1;
            return Ok(RawString { text: &self.text[start..end], escapes: Escapes::None });
        }
        self.go(token::special(bytes, end))?;
        Ok(RawString { text: &self.text[start..self.pos - 1], escapes: Escapes::Some })
    }

    /// Reads a number; the cursor is on its first byte.
    pub(super) fn number(&mut self) -> Result<&'a str, Error> {
        let start = self.pos;
        let step = token::number(self.text.as_bytes(), start);
        self.go(step)?;
        Ok(self.text_from(start))
    }

    /// Skips `word` (one of `null`, `true`, `false`).
    pub(super) fn literal(&mut self, word: &'static str) -> Result<(), Error> {
        let step = token::literal(self.text.as_bytes(), self.pos, word);
        self.go(step)
    }

    /// Skips one whole value and returns its text.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a str, Error> {
        self.peek();
        let start = self.pos;
        let bytes = self.text.as_bytes();
        let step = match bytes.get(start) {
            Some(b'{' | b'[') => skip::value(bytes, start, self.depth),
            _ => token::scalar(bytes, start), // most values, and they need no nesting state
        };
        self.go(step)?;
        Ok(self.text_from(start))
    }

    /// Checks that only white space follows.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_some() { self.fail(ErrorKind::TrailingData) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        let mut reader = Reader::new(text);
        reader.skip().is_ok() && reader.end().is_ok()
    }

    #[test]
    fn accepts_and_rejects_what_serde_json_does() {
        for text in [
            "{}",
            "[]",
            "[1,2]",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\" : [true,false,null]}",
            "01",
            "-",
            "1.",
            "1e",
            "1e+5",
            "-0",
            "1E5",
            "nul",
            "null x",
            "\"\\u12\"",
            "\"\\u1234\"",
            "\"\\x\"",
            "\"\t\"",
            "",
            " ",
            "[",
            "{\"a\"",
            "{\"a\":}",
            "[[[]]]",
            "{\"a\":{\"b\":[{}]}}",
            "tru",
            "{1:2}",
        ] {
            assert_eq!(accepts(text), serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn refuses_deep_nesting_without_recursion() {
        let text = "[".repeat(100_000);
        let error = Reader::new(&text).skip().unwrap_err();
        assert_eq!(error, Error { kind: ErrorKind::TooDeep, offset: MAX_DEPTH + 1 });
    }
}
