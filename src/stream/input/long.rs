//! Lines that are too long to be kept. Text is shown as it arrives, up to where JSON may begin; of a message
//! only the `@message` is shown.
//!
//! Invariants: only what a read may have split is kept (a character, an escape, the CR of a CR LF); the
//! payload of a message, which may contain sensitive values, is not shown.

use crate::json::{Str, from_str};
use crate::stream::event::LongLineKind;

/// The number of bytes at the start of a line in which `@message` must begin. The tools write keys in order,
/// `@level` and `@message` first.
const PREFIX: usize = 4096;

/// The longest sequence that a read can split, in bytes: the two escapes of a surrogate pair.
const MAX_SPLIT: usize = 12;

/// A long line that is being read.
#[derive(Debug)]
pub(super) struct LongLine {
    state: State,
    carry: Vec<u8>,
    length: u64,
    is_error: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Nothing has been decided yet.
    Begin,
    /// In text, which is shown.
    Text,
    /// After text, where JSON may have begun: nothing more is shown.
    Stopped,
    /// In the `@message`.
    MessageText,
    /// In the payload.
    Payload,
    /// In JSON that is not a message.
    Document,
}

impl LongLine {
    /// Starts a long line. If it `is_json`, nothing of it is shown.
    pub(super) fn new(is_json: bool) -> Self {
        let state = if is_json { State::Document } else { State::Begin };
        Self { state, carry: Vec::new(), length: 0, is_error: false }
    }

    /// Adds a part of the line and returns what can be shown.
    pub(super) fn push(&mut self, part: &[u8]) -> String {
        self.length += part.len() as u64;
        if self.state == State::Begin {
            self.carry.extend_from_slice(part);
            if self.carry.len() < PREFIX {
                return String::new();
            }
            self.begin();
            return self.drain(&[]);
        }
        self.drain(part)
    }

    /// Ends the line. Returns the rest that can be shown as well.
    pub(super) fn end(mut self) -> (String, LongLineKind) {
        let mut shown = String::new();
        if self.state == State::Begin {
            self.begin();
            shown = self.drain(&[]);
        }
        let (length, is_error) = (self.length, self.is_error);
        let kind = match self.state {
            State::Text => {
                shown.push_str(&String::from_utf8_lossy(&self.carry));
                LongLineKind::Text
            }
            State::MessageText => {
                shown.push_str(&resolve(&self.carry));
                LongLineKind::Message { length, is_error }
            }
            State::Payload => LongLineKind::Message { length, is_error },
            State::Begin | State::Document | State::Stopped => {
                let is_partly_shown = self.state == State::Stopped;
                LongLineKind::Withheld { length, is_partly_shown, is_error }
            }
        };
        (shown, kind)
    }

    /// Decides the kind of the line from its beginning.
    fn begin(&mut self) {
        let start = self.carry.trim_ascii_start();
        if start.first() != Some(&b'{') {
            self.state = State::Text;
            return;
        }
        let head = &self.carry[..self.carry.len().min(PREFIX)];
        self.is_error = memchr::memmem::find(head, b"\"@level\":\"error\"").is_some();
        let key = b"\"@message\":\"";
        match memchr::memmem::find(head, key) {
            Some(at) => {
                self.carry.drain(..at + key.len());
                self.state = State::MessageText;
            }
            // Without a `@message`, nothing can be shown: the line may be a plan or a state.
            None => {
                self.carry = Vec::new();
                self.state = State::Document;
            }
        }
    }

    /// Takes what can be shown.
    fn drain(&mut self, part: &[u8]) -> String {
        match self.state {
            State::Begin | State::Payload | State::Document | State::Stopped => String::new(),
            State::Text => {
                self.carry.extend_from_slice(part);
                let mut keep = split_at_end(&self.carry);
                if let Some(json) = memchr::memchr(b'{', &self.carry) {
                    self.state = State::Stopped;
                    keep = json;
                }
                let text = String::from_utf8_lossy(&self.carry[..keep]).into_owned();
                self.carry.drain(..keep);
                text
            }
            State::MessageText => {
                self.carry.extend_from_slice(part);
                let (text, used, ended) = unescape(&self.carry);
                self.carry.drain(..used);
                if ended {
                    self.state = State::Payload;
                    self.carry = Vec::new();
                }
                text
            }
        }
    }
}

/// The end of the last complete character. A CR at the end is excluded, because it may belong to a CR LF.
fn split_at_end(bytes: &[u8]) -> usize {
    if bytes.last() == Some(&b'\r') {
        return bytes.len() - 1;
    }
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let is_split = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    bytes.len() - if is_split { last.len() } else { 0 }
}

/// Decodes a JSON string up to its end, or up to a sequence that the read may have split. Returns the text,
/// the number of bytes used, and whether the string has ended.
fn unescape(bytes: &[u8]) -> (String, usize, bool) {
    let mut end = 0;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => return (resolve(&bytes[..end]), end + 1, true),
            b'\\' if bytes.len() - end < MAX_SPLIT => break,
            b'\\' if bytes.get(end + 1) == Some(&b'u') => end += 6,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    let end = end.min(bytes.len());
    // The second half of a surrogate pair may be in the next read.
    let end = match &bytes[end.saturating_sub(6)..end] {
        [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', _, _] => end - 6,
        _ => end,
    };
    let end = split_at_end(&bytes[..end]);
    (resolve(&bytes[..end]), end, false)
}

fn resolve(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let resolved = from_str::<Str<'_>>(&format!("\"{text}\"")).map(|text| text.to_string());
    // What is not valid JSON after all is shown unchanged.
    resolved.unwrap_or_else(|_| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &[u8], size: usize) -> (String, LongLineKind) {
        let mut long = LongLine::new(false);
        let mut text: String = line.chunks(size).map(|part| long.push(part)).collect();
        let (rest, kind) = long.end();
        text.push_str(&rest);
        (text, kind)
    }

    #[test]
    fn the_text_of_a_message_is_the_same_wherever_it_is_cut() {
        let said = "é\\n\\ud83d\\ude00 x\\\\\\\"".repeat(500);
        let line =
            format!("{{\"@level\":\"error\",\"@message\":\"{said}\",\"outputs\":{{\"a\":\"secret\"}}}}");
        let expected = "é\n😀 x\\\"".repeat(500);
        for size in [1, 2, 5, 6, 7, 12, 13, 100, 5000, line.len()] {
            let (text, long) = show(line.as_bytes(), size);
            assert!(text == expected, "{size}");
            assert_eq!(long, LongLineKind::Message { length: line.len() as u64, is_error: true });
        }
    }

    #[test]
    fn text_is_passed_on_and_documents_are_not() {
        let text = "é\r😀\u{1b}x\t".repeat(1000);
        for size in [1, 2, 3, 4, 5, 4095, 4096] {
            assert_eq!(show(text.as_bytes(), size), (text.clone(), LongLineKind::Text), "{size}");
        }
        let document = format!("{{\"values\":\"{}\"}}", "s".repeat(10_000));
        assert_eq!(
            show(document.as_bytes(), 999),
            (
                String::new(),
                LongLineKind::Withheld {
                    length: document.len() as u64,
                    is_partly_shown: false,
                    is_error: false
                }
            )
        );
    }
}
