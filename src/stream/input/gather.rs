//! Gathers JSON that spans several lines: a pretty-printed document or message, or a line split by a log
//! collector.
//!
//! Invariants: gathering starts only at a line on which JSON begins but does not end; lines that turn out to
//! be neither a message nor a document with possibly sensitive values are shown unchanged; at most
//! [`MAX_LENGTH`] bytes are kept.

use std::io;

use crate::json::ErrorKind;
use crate::model::message::Message;

use super::embedded::{self, Unfinished, cleaned, find, is_validation, looks_like_error, may_hold_secrets};
use super::finder::Finder;
use super::{Each, Item};
use crate::stream::event::TextEvent;

/// The maximum length of gathered text, in bytes. Longer text is neither kept nor shown.
const MAX_LENGTH: usize = 64 << 20;

/// JSON that is being gathered.
#[derive(Debug)]
pub(super) struct Gathering {
    /// The lines, unchanged.
    lines: String,
    count: usize,
    /// The JSON so far, without the prefixes of its lines; the lines are joined without separators.
    split: String,
    /// The JSON so far, with the lines joined by line feeds.
    printed: String,
    prefix: String,
    member: Option<String>,
    scan: Scan,
    is_too_long: bool,
    /// Whether text that is too long began like an error message.
    is_error: bool,
    /// Whether the last line ended with a line feed.
    feed: bool,
}

/// The role of a line while JSON is gathered.
enum Next {
    /// It is part of the JSON, which continues.
    Taken,
    /// It completes the JSON. This text follows.
    Whole(String),
    /// It is not part of the JSON, which may continue after it.
    Apart,
    /// It shows that the JSON does not continue.
    Over,
}

impl Gathering {
    /// Starts with JSON that begins on `line`.
    pub(super) fn new(unfinished: Unfinished, line: &str, feed: bool) -> Self {
        let Unfinished { prefix, text, member } = unfinished;
        let text = text.trim_end_matches('\r').to_owned();
        let mut scan = Scan::default();
        scan.feed(&text);
        let lines = format!("{line}\n");
        Self {
            lines,
            count: 1,
            printed: text.clone(),
            split: text,
            prefix,
            member,
            scan,
            is_too_long: false,
            is_error: false,
            feed,
        }
    }

    /// The part of the JSON on `line`, without the prefix; `None` if there is none.
    fn body(&self, line: &str) -> Option<String> {
        let body = match &self.member {
            Some(name) => embedded::member(line, name)?,
            None => {
                let clean = cleaned(line);
                without_prefix(&clean, &self.prefix).unwrap_or(&clean).to_owned()
            }
        };
        Some(body.trim_end_matches(['\n', '\r']).to_owned())
    }

    fn next(&mut self, line: &str, body: &str) -> Next {
        let is_first_of_printed = self.count == 1 && matches!(self.split.trim(), "{" | "[");
        if is_first_of_printed && !continues(body) {
            return Next::Over;
        }
        if !self.scan.in_string && !body.contains(['"', '{', '}', '[', ']']) && !is_scalar(body) {
            return Next::Apart;
        }
        let end = self.scan.feed(body);
        self.count += 1;
        if self.split.len() + body.len() > MAX_LENGTH {
            self.is_error |= looks_like_error(&cleaned(&self.split));
            self.is_too_long = true;
            (self.lines, self.split, self.printed) = Default::default();
        }
        let (body, rest) = body.split_at(end.unwrap_or(body.len()));
        if !self.is_too_long {
            self.lines.push_str(line);
            self.lines.push('\n');
            self.split.push_str(body);
            self.printed.push('\n');
            self.printed.push_str(body);
        }
        if end.is_some() { Next::Whole(rest.to_owned()) } else { Next::Taken }
    }

    /// The item for text that is too long to be kept.
    fn withheld(&self, length: usize) -> Item<'static> {
        Item::Text(TextEvent::Withheld { length, is_error: self.is_error })
    }

    /// Whether the gathered text is only the first part of a message. A message counts as split only if no
    /// other one comes between its parts.
    fn is_cut_message(&self) -> bool {
        self.count == 1 && self.split.trim().len() > 1
    }
}

/// Whether a line may be the second one of a pretty-printed value.
fn continues(line: &str) -> bool {
    let line = line.trim();
    match line.as_bytes().first() {
        None => false,
        Some(b'"') => {
            match crate::json::Reader::new(line).skip() {
                Ok(key) => {
                    let rest = line[key.len()..].trim_start();
                    rest.is_empty() || rest.starts_with([':', ','])
                }
                // Split within a string.
                Err(error) => error.kind == ErrorKind::UnexpectedEnd,
            }
        }
        Some(b'{' | b'}' | b'[' | b']') => true,
        _ => is_scalar(line),
    }
}

/// Whether a line is empty, or a number or literal in an array.
fn is_scalar(line: &str) -> bool {
    let line = line.trim().trim_end_matches(',');
    line.is_empty()
        || matches!(line, "true" | "false" | "null" | ":")
        || line.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}

/// `line` without its prefix, if that equals `prefix` up to the digits, which may be a timestamp.
fn without_prefix<'l>(line: &'l str, prefix: &str) -> Option<&'l str> {
    let mut rest = line;
    let mut pattern = prefix;
    while let Some(c) = pattern.chars().next() {
        if c.is_ascii_digit() {
            pattern = pattern.trim_start_matches(|c: char| c.is_ascii_digit());
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if after.len() == rest.len() {
                return None;
            }
            rest = after;
        } else {
            rest = rest.strip_prefix(c)?;
            pattern = &pattern[c.len_utf8()..];
        }
    }
    Some(rest)
}

/// Finds the end of JSON incrementally, without reading any of it twice.
#[derive(Debug, Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// The position after the last byte of the value, if that is in `text`.
    fn feed(&mut self, text: &str) -> Option<usize> {
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => continue,
            }
            if self.depth == 0 && !self.in_string {
                return Some(at + 1);
            }
        }
        None
    }
}

impl Finder {
    /// Offers a line to the JSON being gathered. Returns whether the line was handled.
    pub(super) fn continue_gathering(
        &mut self,
        line: &str,
        feed: bool,
        each: &mut Each<'_>,
    ) -> io::Result<bool> {
        let Some(gathering) = &mut self.gathering else { return Ok(false) };
        let Some(body) = gathering.body(line) else { return Ok(false) };
        if body.trim_start().starts_with('{') && Message::parse(&body).is_some() {
            if gathering.is_cut_message() {
                self.end_partial(each)?;
            }
            return Ok(false);
        }
        gathering.feed = feed;
        match gathering.next(line, &body) {
            Next::Taken => Ok(true),
            Next::Whole(rest) => {
                self.end_whole(each)?;
                if !rest.trim().is_empty() {
                    self.text_line(&rest, feed, each)?;
                }
                Ok(true)
            }
            Next::Apart => Ok(false),
            Next::Over => {
                self.end_partial(each)?;
                Ok(false)
            }
        }
    }

    /// Ends gathering of JSON that is complete.
    fn end_whole(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(gathering) = self.gathering.take() else { return Ok(()) };
        if gathering.is_too_long {
            return each(gathering.withheld(MAX_LENGTH));
        }
        for text in [&gathering.printed, &gathering.split] {
            if let Some(message) = Message::parse(text) {
                return each(Item::Message(&message));
            }
            if is_validation(text) {
                return each(Item::Validation(text));
            }
            let found = find(text);
            if !found.messages.is_empty() {
                return self.embedded_messages(&found.messages, found.has_more, each);
            }
        }
        self.pass_on(&gathering, true, each)
    }

    /// Ends gathering of JSON that is incomplete.
    pub(super) fn end_partial(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(gathering) = self.gathering.take() else { return Ok(()) };
        if gathering.is_too_long {
            return each(gathering.withheld(MAX_LENGTH));
        }
        self.pass_on(&gathering, false, each)
    }

    /// Passes on lines that are not a message unchanged, or withholds all of them. In incomplete JSON, the
    /// marks of sensitive values may be missing.
    fn pass_on(&self, gathering: &Gathering, is_whole: bool, each: &mut Each<'_>) -> io::Result<()> {
        let text = cleaned(&gathering.split);
        let lines = &gathering.lines;
        let hides = may_hold_secrets(&text) || !is_whole;
        if gathering.count > 1 && hides && self.withholds() {
            let is_error = looks_like_error(&text);
            return each(Item::Text(TextEvent::Withheld { length: lines.len(), is_error }));
        }
        let last = gathering.count - 1;
        for (at, line) in lines.split_terminator('\n').enumerate() {
            let feed = at < last || gathering.feed;
            if is_whole {
                each(Item::Text(TextEvent::Line { text: line, has_line_feed: feed }))?;
            } else {
                self.other_text(line, feed, each)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_message_that_is_too_long_to_be_kept_is_an_error() {
        for (level, expected) in [("error", true), ("info", false)] {
            let text = format!("{{\"@level\":\"{level}\",");
            let start = Unfinished { prefix: String::new(), text, member: None };
            let mut gathering = Gathering::new(start, "", true);
            let body = format!("\"a\":\"{}\"", "x".repeat(MAX_LENGTH));
            gathering.next(&body, &body);
            let item = gathering.withheld(MAX_LENGTH);
            let is_error = matches!(item, Item::Text(TextEvent::Withheld { is_error: true, .. }));
            assert_eq!(is_error, expected, "{level}");
        }
    }
}
