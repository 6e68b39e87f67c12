//! Gathers JSON that spans several lines, because it is pretty-printed or a log collector has split it.
//!
//! Invariants: gathering starts only at a line on which JSON begins but does not end. Lines that turn out to be neither
//! a message nor a document with possibly sensitive values are shown unchanged. At most [`MAX_LENGTH`] bytes are kept.
//! If JSON that was cut off is mixed with other JSON, neither can be reassembled: all further lines are withheld,
//! except for messages on one line.
//!
//! ```text
//! {                         JSON begins, and does not end on its line
//!   "@level": "info",       gathered
//!   "@message": "m"         gathered
//! }                         the JSON is whole: one message
//! ```

use std::io;

use super::Finder;
use crate::json::{ErrorKind, Raw, Reader, from_str};
use crate::model::message::Message;
use crate::stream::event::TextEvent;
use crate::stream::input::embedded::{
    Unfinished, cleaned, find, has_fragment, is_fragment, looks_like_error, may_hold_secrets,
    member,
};
use crate::stream::input::{Each, Item};

/// The maximum length of gathered JSON, in bytes. Longer text is neither kept nor shown.
const MAX_LENGTH: usize = 64 << 20;

/// A JSON value that spans several lines, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// The lines so far, as they are shown.
    lines: String,
    /// The number of lines, including those that are not kept.
    count: usize,
    /// The length of all lines, in bytes, including those that are not kept.
    length: usize,
    /// The JSON so far, its lines joined by line feeds, without the text that surrounds it on each line.
    json: String,
    /// The text before the JSON on its first line.
    prefix: String,
    /// The name of the member whose string contains the JSON, in the object of a log collector.
    member: Option<String>,
    /// The brackets and strings that are open.
    scan: Scan,
    /// Whether lines that may contain sensitive values are withheld.
    withholds: bool,
    /// Whether the JSON is the value of a member, so that a document began before it.
    is_part: bool,
    /// Whether the JSON is indented. Then it is an element of a document that began before it.
    is_indented: bool,
    /// Whether other JSON may have begun while a string of this JSON was open, so that this JSON was cut off before it.
    /// Quotes are escaped in a string, so those of other JSON cannot be a part of it.
    is_mixed: bool,
    /// Whether the text cannot be reassembled as JSON. Its values may continue on any line, so no line is kept.
    is_lost: bool,
    /// Whether the JSON has more bytes than are kept.
    is_too_long: bool,
    /// Whether a line looks like an error.
    is_error: bool,
}

/// The relation of the next line to the JSON that is gathered.
enum Next {
    /// The line continues the JSON.
    Taken,
    /// The line completes the JSON. The text after it remains.
    Whole(String),
    /// The line is not a part of the JSON, which may continue on a later line.
    Apart,
    /// The line is not a part of the JSON, which was cut off before it.
    Over,
}

impl Gathering {
    /// Starts with a first line. `shown` is the line as it came, which is shown if it contains no secrets.
    pub(super) fn new(unfinished: Unfinished, shown: &str, withholds: bool) -> Self {
        let Unfinished {
            prefix,
            text: json,
            member,
        } = unfinished;
        let mut scan = Scan::default();
        scan.feed(&json);
        let (lines, length) = (shown.to_owned(), shown.len());
        let is_part = has_fragment(&[&*prefix, "{"].concat());
        let is_indented = prefix.ends_with("  ") || prefix.ends_with('\t');
        Self {
            lines,
            count: 1,
            length,
            json,
            prefix,
            member,
            scan,
            withholds,
            is_part,
            is_indented,
            ..Self::default()
        }
    }

    /// Returns the part of a line that may continue the JSON: without the prefix of the first line, or the string of
    /// the same member. `None` if the line lacks that member.
    fn body(&self, line: &str) -> Option<String> {
        let body = match &self.member {
            Some(name) => member(line, name)?,
            None => {
                let clean = cleaned(line);
                without_prefix(&clean, &self.prefix)
                    .unwrap_or(&clean)
                    .to_owned()
            }
        };
        Some(body.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// Decides whether a line continues the JSON, and adds it if it does.
    fn next(&mut self, shown: &str, body: &str) -> Next {
        if self.count == 1 && self.is_printed() && !continues(body) {
            return Next::Over;
        }
        let is_plain = !body.contains(['"', '{', '}', '[', ']']) && !is_scalar(body);
        if is_plain && !self.is_lost && !self.scan.in_string {
            if !self.is_mixed {
                return Next::Apart;
            }
            self.lose();
        }
        if self.is_of_other_json(body) {
            return Next::Over;
        }
        self.is_mixed |= self.withholds && self.scan.in_string && body.contains(['{', '[']);
        let end = self.scan.feed(body);
        let (body, rest) = body.split_at(end.unwrap_or(body.len()));
        self.add(shown, body);
        if end.is_some() && self.is_mixed && !self.is_valid() {
            self.lose();
        }
        if end.is_none() || self.is_lost {
            Next::Taken
        } else {
            Next::Whole(rest.to_owned())
        }
    }

    /// Whether an object begins at a position where this JSON cannot contain one, because it was cut off before.
    fn is_of_other_json(&self, body: &str) -> bool {
        let body = body.trim();
        if self.is_lost || !body.starts_with('{') {
            return false;
        }
        if self.scan.in_string {
            // The part of a string that a log collector has split is hardly ever a whole object.
            return from_str::<Raw<'_>>(body).is_ok();
        }
        !self.scan.takes_value()
    }

    /// Adds a line. Its text is kept unless the JSON is too long or lost.
    fn add(&mut self, shown: &str, body: &str) {
        self.count += 1;
        self.length += shown.len();
        if self.json.len() + body.len() > MAX_LENGTH {
            self.is_too_long = true;
            self.forget();
        }
        if self.is_lost {
            self.is_error |= looks_like_error(&cleaned(shown));
        } else if !self.is_too_long {
            self.lines.push_str(shown);
            self.json.push('\n');
            self.json.push_str(body);
        }
    }

    /// Gives up on the JSON, so that all further lines are withheld.
    fn lose(&mut self) {
        self.is_lost = true;
        self.forget();
    }

    /// Drops the kept text, but remembers whether it looks like an error.
    fn forget(&mut self) {
        self.is_error |= looks_like_error(&cleaned(&self.split()));
        (self.lines, self.json) = Default::default();
    }

    /// Returns the JSON with its lines joined without line feeds, as it was before a log collector split it.
    fn split(&self) -> String {
        self.json.replace('\n', "")
    }

    /// Whether the lines are one JSON value, joined with or without line feeds.
    fn is_valid(&self) -> bool {
        let is_json = |text: &str| !text.starts_with('"') && Reader::new(text).skip().is_ok();
        is_json(&self.json) || is_json(&self.split())
    }

    /// Whether the last line is not indented, so that its bracket is below the one at the beginning. Otherwise lines
    /// between them are missing.
    fn is_aligned(&self) -> bool {
        let last = self.json.lines().last().unwrap_or_default();
        !self.is_printed() || !last.starts_with([' ', '\t'])
    }

    /// Whether the JSON is pretty-printed: its first line is a single bracket.
    fn is_printed(&self) -> bool {
        matches!(
            self.json.lines().next().unwrap_or_default().trim(),
            "{" | "["
        )
    }
}

impl Finder {
    /// Adds a line to the gathered JSON, and passes on what it completes. Returns whether the line was handled. `shown`
    /// is the line as it came.
    pub(super) fn continue_gathering(
        &mut self,
        line: &str,
        shown: &str,
        each: &mut Each<'_>,
    ) -> io::Result<bool> {
        let Some(gathering) = &mut self.gathering else {
            return Ok(false);
        };
        let body = match gathering.body(line) {
            Some(body) => body,
            None if gathering.is_lost || find(line).unfinished.is_some() => {
                // If JSON is within other JSON, the next line may continue either of them.
                gathering.lose();
                line.to_owned()
            }
            None => return Ok(false),
        };
        let is_message = body.trim_start().starts_with('{')
            && (Message::parse(&body).is_some() || !find(&body).messages.is_empty());
        if is_message {
            // The first line is a part of a message only if no other message comes between its parts.
            if gathering.count == 1 && gathering.json.trim().len() > 1 {
                self.end_partial(each)?;
            }
            return Ok(false);
        }
        match gathering.next(shown, &body) {
            Next::Taken => Ok(true),
            Next::Whole(rest) => {
                let is_whole = self.end_whole(each)?;
                if is_whole && !rest.trim().is_empty() {
                    let end = if line.ends_with('\n') { "\n" } else { "" };
                    let rest = [&*rest, end].concat();
                    self.text_line(&rest, &rest, each)?;
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

    /// Ends JSON that is complete. Returns false if it is not a message, so that its last line was passed on as a
    /// whole.
    fn end_whole(&mut self, each: &mut Each<'_>) -> io::Result<bool> {
        let Some(gathering) = self.gathering.take() else {
            return Ok(true);
        };
        for text in [&gathering.json, &gathering.split()] {
            if !gathering.is_too_long && self.messages(text, each)?.is_none() {
                return Ok(true);
            }
        }
        // Other programs print blocks in braces that are not JSON, but none that look like members of JSON.
        let has_members = || gathering.json.lines().any(is_fragment);
        let is_whole = gathering.is_aligned()
            && (gathering.is_valid() || (gathering.is_printed() && !has_members()));
        self.pass_on(&gathering, is_whole, each).map(|()| false)
    }

    /// Ends JSON that is incomplete, if there is any.
    pub(super) fn end_partial(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        match self.gathering.take() {
            Some(gathering) => self.pass_on(&gathering, false, each),
            None => Ok(()),
        }
    }

    /// Passes on gathered lines that are not a message. They are withheld if they may contain sensitive values; the
    /// marks of these may be missing in incomplete JSON.
    fn pass_on(
        &self,
        gathering: &Gathering,
        is_whole: bool,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        let split = gathering.split();
        let text = cleaned(&split);
        let is_kept = !gathering.is_lost && !gathering.is_too_long;
        let hides = gathering.withholds
            && gathering.count > 1
            && (!is_whole
                || gathering.is_part
                || (gathering.is_indented && gathering.is_valid())
                || lost_its_marks(&text)
                || may_hold_secrets(&text));
        if hides || !is_kept {
            let is_error = gathering.is_error || looks_like_error(&text);
            let length = gathering.length;
            return each(Item::Text(TextEvent::Withheld {
                length,
                message: None,
                is_error,
            }));
        }
        gathering
            .lines
            .split_inclusive('\n')
            .try_for_each(|line| match is_whole {
                true => each(Item::Text(TextEvent::Shown(line))),
                false => self.other_text(line, line, each),
            })
    }
}

/// Whether a text may be outputs without the lines that mark them as sensitive. The tools write for each output whether
/// it is sensitive, so outputs without that are incomplete.
fn lost_its_marks(text: &str) -> bool {
    text.contains("\"type\"") && text.contains("\"value\"")
}

/// A scanner that finds the end of a JSON value. It is fed with one part of the text after the other, and reads none
/// twice.
#[derive(Debug, Default)]
struct Scan {
    /// The brackets that are open. Those deeper than `MAX_OPEN` are only counted.
    open: Vec<u8>,
    /// The number of open brackets.
    depth: usize,
    /// Whether a string is open.
    in_string: bool,
    /// Whether the last byte in the string was a backslash that escapes the next one.
    escaped: bool,
    /// The last byte that is neither white space nor in a string.
    last: u8,
}

/// The maximum number of open brackets whose kind is remembered.
const MAX_OPEN: usize = 1_000;

impl Scan {
    /// Reads the next part of the text. Returns the offset after the value if it ends in `text`.
    fn feed(&mut self, text: &str) -> Option<usize> {
        for (index, byte) in text.bytes().enumerate() {
            if !self.in_string && !byte.is_ascii_whitespace() {
                self.last = byte;
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.begin(byte),
                b'}' | b']' => self.end(),
                _ => continue,
            }
            if self.depth == 0 && !self.in_string {
                return Some(index + 1);
            }
        }
        None
    }

    fn begin(&mut self, bracket: u8) {
        self.depth += 1;
        if self.open.len() < MAX_OPEN {
            self.open.push(bracket);
        }
    }

    fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.open.truncate(self.depth);
    }

    /// Whether an object may begin at the current position.
    fn takes_value(&self) -> bool {
        match self.open.last() {
            Some(b'{') => self.last == b':' || self.depth > MAX_OPEN,
            Some(_) => matches!(self.last, b'[' | b',') || self.depth > MAX_OPEN,
            None => true,
        }
    }
}

/// Removes a prefix that may differ in its digits, as timestamps do. `None` if the line has another prefix.
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

/// Whether a line may continue pretty-printed JSON: it begins with a bracket, a scalar or a key.
fn continues(line: &str) -> bool {
    let line = line.trim();
    match line.as_bytes().first() {
        None => false,
        Some(b'"') => {
            match Reader::new(line).skip() {
                Ok(key) => {
                    let rest = line[key.len()..].trim_start();
                    rest.is_empty() || rest.starts_with([':', ','])
                }
                // The line was split within a string.
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
        || line
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}
