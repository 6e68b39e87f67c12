//! Gathers JSON that spans several lines: a pretty-printed document or message, or a line split by a log
//! collector.
//!
//! Invariants: gathering starts only at a line on which JSON begins but does not end; lines that turn out to
//! be neither a message nor a document with possibly sensitive values are shown unchanged; at most
//! [`MAX_LENGTH`] bytes are kept. If JSON that was cut off is mixed with other JSON, neither can be put
//! together: all further lines are withheld, except for messages on one line.

mod lines;

use std::io;

use crate::json::Reader;
use crate::model::message::Message;

use super::embedded::{Unfinished, cleaned, find, is_validation, looks_like_error, may_hold_secrets};
use super::finder::Finder;
use super::{Each, Item};
use crate::stream::event::TextEvent;
use lines::{Frame, Scan, continues, is_scalar};

/// The maximum length of gathered text, in bytes. Longer text is neither kept nor shown.
const MAX_LENGTH: usize = 64 << 20;

/// JSON that is being gathered.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// The lines, unchanged.
    lines: String,
    /// The length of all lines, in bytes, including those that are not kept.
    length: usize,
    count: usize,
    /// The JSON so far, without the prefixes of its lines, which are joined by line feeds.
    json: String,
    frame: Frame,
    scan: Scan,
    /// Whether text that may contain sensitive values is withheld.
    withholds: bool,
    /// Whether other JSON seems to begin in a string of this one. In a string, quotes are escaped, so this
    /// JSON was probably cut off before it.
    is_mixed: bool,
    /// Whether it is not JSON, or too long. Its values may continue on any line, so no line is kept.
    is_lost: bool,
    is_too_long: bool,
    /// Whether text that is not kept contained the level of an error message.
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
    pub(super) fn new(unfinished: Unfinished, line: &str, feed: bool, withholds: bool) -> Self {
        let Unfinished { prefix, text, member } = unfinished;
        let json = text.trim_end_matches('\r').to_owned();
        let mut scan = Scan::default();
        scan.feed(&json);
        let lines = format!("{line}\n");
        Self {
            length: lines.len(),
            lines,
            count: 1,
            json,
            frame: Frame { prefix, member },
            scan,
            withholds,
            feed,
            ..Self::default()
        }
    }

    fn next(&mut self, line: &str, body: &str) -> Next {
        if self.count == 1 && self.is_printed() && !continues(body) {
            return Next::Over;
        }
        if !self.is_lost
            && !self.scan.in_string
            && !body.contains(['"', '{', '}', '[', ']'])
            && !is_scalar(body)
        {
            if !self.is_mixed {
                return Next::Apart;
            }
            self.lose();
        }
        self.is_mixed |=
            self.withholds && self.is_kept() && self.scan.in_string && self.is_other_json_on(line, body);
        let end = self.scan.feed(body);
        let (body, rest) = body.split_at(end.unwrap_or(body.len()));
        self.add(line, body);
        if end.is_some() && self.is_mixed && !self.is_valid() {
            self.lose();
        }
        if end.is_none() || self.is_lost { Next::Taken } else { Next::Whole(rest.to_owned()) }
    }

    /// Whether JSON begins on a line within a string of the gathered JSON, which `body`, its part of the line,
    /// continues.
    fn is_other_json_on(&self, line: &str, body: &str) -> bool {
        let Some(Unfinished { text, .. }) = find(line).unfinished else { return false };
        let before = body.strip_suffix(text.trim_end_matches('\r')).unwrap_or_default();
        let mut scan = self.scan;
        // A quote may as well be the end of the string.
        scan.feed(before).is_none() && scan.in_string && !text.starts_with('"')
    }

    fn add(&mut self, line: &str, body: &str) {
        self.count += 1;
        self.length += line.len() + 1;
        if self.json.len() + body.len() > MAX_LENGTH {
            self.is_too_long = true;
            self.forget();
        }
        if self.is_lost {
            self.is_error |= looks_like_error(&cleaned(line));
        } else if !self.is_too_long {
            self.lines.push_str(line);
            self.lines.push('\n');
            self.json.push('\n');
            self.json.push_str(body);
        }
    }

    /// Gives up the search for the end of the JSON.
    fn lose(&mut self) {
        self.is_lost = true;
        self.forget();
    }

    /// Drops the text, which will not be shown.
    fn forget(&mut self) {
        self.is_error |= looks_like_error(&cleaned(&self.split()));
        (self.lines, self.json) = Default::default();
    }

    /// The JSON if its lines were split by a log collector: without line feeds between them.
    fn split(&self) -> String {
        self.json.replace('\n', "")
    }

    /// The item for text that was not kept.
    fn withheld(&self) -> Item<'static> {
        Item::Text(TextEvent::Withheld { length: self.length, is_error: self.is_error })
    }

    fn is_kept(&self) -> bool {
        !self.is_too_long && !self.is_lost
    }

    fn is_valid(&self) -> bool {
        is_json(&self.json) || is_json(&self.split())
    }

    /// Whether the JSON is printed over several lines, as far as its first one shows.
    fn is_printed(&self) -> bool {
        let first = self.json.lines().next().unwrap_or_default();
        matches!(first.trim(), "{" | "[")
    }

    /// Whether the gathered text is only the first part of a message. A message counts as split only if no
    /// other one comes between its parts.
    fn is_cut_message(&self) -> bool {
        self.count == 1 && self.json.trim().len() > 1
    }
}

fn is_json(text: &str) -> bool {
    Reader::new(text).skip().is_ok()
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
        let body = match gathering.frame.body(line) {
            Some(body) => body,
            None if gathering.is_lost || find(line).unfinished.is_some() => {
                // Of JSON within other JSON, both may continue on the next line.
                gathering.lose();
                line.to_owned()
            }
            None => return Ok(false),
        };
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
        if !gathering.is_kept() {
            return each(gathering.withheld());
        }
        for text in [&gathering.json, &gathering.split()] {
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
        // Other programs print blocks in braces that are not JSON, but not behind the beginning of a member.
        let is_whole = gathering.is_printed() || gathering.is_valid();
        self.pass_on(&gathering, is_whole, each)
    }

    /// Ends gathering of JSON that is incomplete.
    pub(super) fn end_partial(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(gathering) = self.gathering.take() else { return Ok(()) };
        if !gathering.is_kept() {
            return each(gathering.withheld());
        }
        self.pass_on(&gathering, false, each)
    }

    /// Passes on lines that are not a message unchanged, or withholds all of them. In incomplete JSON, the
    /// marks of sensitive values may be missing.
    fn pass_on(&self, gathering: &Gathering, is_whole: bool, each: &mut Each<'_>) -> io::Result<()> {
        let split = gathering.split();
        let text = cleaned(&split);
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
            let mut gathering = Gathering::new(start, "", true, true);
            let body = format!("\"a\":\"{}\"", "x".repeat(MAX_LENGTH));
            gathering.next(&body, &body);
            let item = gathering.withheld();
            let is_error = matches!(item, Item::Text(TextEvent::Withheld { is_error: true, .. }));
            assert_eq!(is_error, expected, "{level}");
        }
    }
}
