//! The cursor over a JSON text: tokens, and skipping whole values.
//!
//! Invariants: the position always stands on a character boundary; whatever was passed has been
//! checked against the grammar of RFC 8259; skipping is iterative, so that no input can exhaust
//! the stack.

use super::{Error, ErrorKind, MAX_DEPTH};

/// A cursor over a JSON text.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    pos: usize,
    depth: usize,
    pub(super) last_wins: bool,
}

/// A string as it stands in the text, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawString<'a> {
    pub(super) text: &'a str,
    pub(super) escaped: bool,
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, pos: 0, depth: 0, last_wins: false }
    }

    /// Where the cursor stands, in bytes.
    pub fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    pub(super) fn text_from(&self, start: usize) -> &'a str {
        &self.text[start..self.pos]
    }

    pub(super) fn fail<T>(&self, kind: ErrorKind) -> Result<T, Error> {
        let at_end = matches!(kind, ErrorKind::Expected(_)) && self.pos >= self.text.len();
        let kind = if at_end { ErrorKind::UnexpectedEnd } else { kind };
        Err(Error { kind, offset: self.pos })
    }

    /// The next byte that is not white space, without passing it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.pos) {
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(*byte);
            }
            self.pos += 1;
        }
        None
    }

    pub(super) fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Error> {
        if self.peek() == Some(byte) {
            self.pos += 1;
            return Ok(());
        }
        self.fail(ErrorKind::Expected(what))
    }

    pub(super) fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { self.fail(ErrorKind::TooDeep) } else { Ok(()) }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// After a value inside a container: passes `,` (true) or the closing byte (false).
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

    /// Passes the opening byte; true if the container is empty (its end is passed too).
    pub(super) fn open(&mut self, close: u8) -> Result<bool, Error> {
        self.pos += 1;
        if self.peek() == Some(close) {
            self.pos += 1;
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn key(&mut self) -> Result<RawString<'a>, Error> {
        if self.peek() != Some(b'"') {
            return self.fail(ErrorKind::Expected("a member's name in quotes"));
        }
        let key = self.string()?;
        self.expect(b':', "`:` after a member's name")?;
        Ok(key)
    }

    /// Passes a string; the cursor stands on its opening quote.
    pub(super) fn string(&mut self) -> Result<RawString<'a>, Error> {
        let bytes = self.text.as_bytes();
        self.pos += 1;
        let start = self.pos;
        let mut escaped = false;
        loop {
            let Some(byte) = bytes.get(self.pos) else { return self.fail(ErrorKind::UnexpectedEnd) };
            match byte {
                b'"' => {
                    let text = &self.text[start..self.pos];
                    self.pos += 1;
                    return Ok(RawString { text, escaped });
                }
                b'\\' => {
                    escaped = true;
                    self.escape(bytes)?;
                }
                0..=0x1f => return self.fail(ErrorKind::ControlCharacter),
                _ => self.pos += 1,
            }
        }
    }

    fn escape(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match bytes.get(self.pos + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.pos += 2,
            Some(b'u') => {
                let digits = bytes.get(self.pos + 2..self.pos + 6);
                match digits {
                    Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => self.pos += 6,
                    Some(_) => return self.fail(ErrorKind::BadEscape),
                    None => return self.fail(ErrorKind::UnexpectedEnd),
                }
            }
            Some(_) => return self.fail(ErrorKind::BadEscape),
            None => return self.fail(ErrorKind::UnexpectedEnd),
        }
        Ok(())
    }

    /// Passes a number; the cursor stands on its first byte.
    pub(super) fn number(&mut self) -> Result<&'a str, Error> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        if bytes.get(self.pos) == Some(&b'-') {
            self.pos += 1;
        }
        let whole = digits(self.pos);
        if whole == 0 || (whole > 1 && bytes[self.pos] == b'0') {
            return self.fail(ErrorKind::BadNumber);
        }
        self.pos += whole;
        if bytes.get(self.pos) == Some(&b'.') {
            let fraction = digits(self.pos + 1);
            if fraction == 0 {
                return self.fail(ErrorKind::BadNumber);
            }
            self.pos += 1 + fraction;
        }
        if let Some(b'e' | b'E') = bytes.get(self.pos) {
            self.pos += 1;
            if let Some(b'+' | b'-') = bytes.get(self.pos) {
                self.pos += 1;
            }
            let exponent = digits(self.pos);
            if exponent == 0 {
                return self.fail(ErrorKind::BadNumber);
            }
            self.pos += exponent;
        }
        Ok(&self.text[start..self.pos])
    }

    /// Passes `word` (one of `null`, `true`, `false`).
    pub(super) fn literal(&mut self, word: &'static str) -> Result<(), Error> {
        if self.text.as_bytes()[self.pos..].starts_with(word.as_bytes()) {
            self.pos += word.len();
            return Ok(());
        }
        let rest = &self.text.as_bytes()[self.pos..];
        if word.as_bytes().starts_with(rest) {
            self.pos = self.text.len();
        }
        self.fail(ErrorKind::Expected("a value"))
    }

    /// Passes one whole value and gives its text.
    pub fn skip(&mut self) -> Result<&'a str, Error> {
        let depth = self.depth;
        let result = self.skip_checked();
        self.depth = depth;
        result
    }

    fn skip_checked(&mut self) -> Result<&'a str, Error> {
        self.peek();
        let start = self.pos;
        let mut open = [0u64; MAX_DEPTH / 64 + 1]; // a bit for each level: set for an object
        let base = self.depth;
        let mut level = 0usize;
        loop {
            // A value begins here.
            let closed = match self.peek() {
                Some(byte @ (b'{' | b'[')) => {
                    let object = byte == b'{';
                    let close = if object { b'}' } else { b']' };
                    if self.open(close)? {
                        true
                    } else {
                        if base + level >= MAX_DEPTH {
                            return self.fail(ErrorKind::TooDeep);
                        }
                        level += 1;
                        let (word, bit) = (level / 64, 1u64 << (level % 64));
                        if object {
                            open[word] |= bit;
                            self.key()?;
                        } else {
                            open[word] &= !bit;
                        }
                        false
                    }
                }
                Some(b'"') => self.string().map(|_| true)?,
                Some(b'-' | b'0'..=b'9') => self.number().map(|_| true)?,
                Some(b't') => self.literal("true").map(|()| true)?,
                Some(b'f') => self.literal("false").map(|()| true)?,
                Some(b'n') => self.literal("null").map(|()| true)?,
                _ => return self.fail(ErrorKind::Expected("a value")),
            };
            if !closed {
                continue;
            }
            // A value ended: pass what closes after it, up to the next value.
            loop {
                if level == 0 {
                    return Ok(self.text_from(start));
                }
                let object = open[level / 64] & (1 << (level % 64)) != 0;
                if object {
                    if self.more(b'}', "`,` or `}` after a member")? {
                        self.key()?;
                        break;
                    }
                } else if self.more(b']', "`,` or `]` after an element")? {
                    break;
                }
                level -= 1;
            }
        }
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
