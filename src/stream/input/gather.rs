//! Gathers JSON that spans several lines: a pretty-printed document or message, or a line split by a log
//! collector.
//!
//! Invariants: gathering starts only at a line on which JSON begins but does not end; lines that turn out to
//! be neither a message nor a document with possibly sensitive values are shown unchanged; at most
//! [`MAX_LENGTH`] bytes are kept.

mod lines;
mod rival;
mod scan;

use std::io;

use crate::json::Reader;
use crate::model::message::Message;

use super::embedded::{Unfinished, cleaned, find, is_validation, looks_like_error, may_hold_secrets};
use super::finder::Finder;
use super::{Each, Item};
use crate::stream::event::TextEvent;
use lines::{Frame, continues, is_scalar};
use rival::Rival;
use scan::Scan;

/// The maximum length of gathered text, in bytes. Longer text is neither kept nor shown.
const MAX_LENGTH: usize = 64 << 20;

/// JSON that is being gathered.
#[derive(Debug)]
pub(super) struct Gathering {
    /// The lines, unchanged.
    lines: String,
    /// The length of all lines, in bytes, including those that are not kept.
    length: usize,
    count: usize,
    /// The JSON so far, without the prefixes of its lines; the lines are joined without separators.
    split: String,
    /// The JSON so far, with the lines joined by line feeds.
    printed: String,
    frame: Frame,
    scan: Scan,
    rival: Option<Rival>,
    trust: Trust,
    is_too_long: bool,
    /// Whether text that is not kept contained the level of an error message.
    is_error: bool,
    /// Whether the last line ended with a line feed.
    feed: bool,
}

/// How far the role of a line can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// A line outside of strings that has no JSON is other text.
    Sure,
    /// The JSON before this one was cut off, so either of the two may be wrong: no line is other text.
    Unsure,
    /// What was gathered is not JSON. Its values may continue on any line.
    Lost,
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
    /// It shows that the rival is right. It is not added to the gathered lines.
    Rival,
}

impl Gathering {
    /// Starts with JSON that begins on `line`.
    pub(super) fn new(unfinished: Unfinished, line: &str, feed: bool, trust: Trust) -> Self {
        let Unfinished { prefix, text, member } = unfinished;
        let text = text.trim_end_matches('\r').to_owned();
        let mut scan = Scan::default();
        scan.feed(&text);
        let lines = format!("{line}\n");
        Self {
            length: lines.len(),
            lines,
            count: 1,
            printed: text.clone(),
            split: text,
            frame: Frame { prefix, member },
            scan,
            rival: None,
            trust,
            is_too_long: false,
            is_error: false,
            feed,
        }
    }

    fn next(&mut self, line: &str, body: &str) -> Next {
        if self.count == 1 && self.is_printed() && !continues(body) {
            return Next::Over;
        }
        let is_apart = !self.scan.in_string && !body.contains(['"', '{', '}', '[', ']']) && !is_scalar(body);
        if is_apart && self.trust == Trust::Sure {
            return if self.rival.is_some() { Next::Rival } else { Next::Apart };
        }
        match &mut self.rival {
            Some(rival) => match rival.is_completed_by(line, &self.lines) {
                Some(true) => return Next::Rival,
                Some(false) => self.rival = None,
                None => {}
            },
            None if self.scan.in_string && self.trust == Trust::Sure && !self.is_too_long => {
                self.rival = Rival::new(line, body, self.scan, self.lines.len());
            }
            None => {}
        }
        let end = self.scan.feed(body);
        let (body, rest) = body.split_at(end.unwrap_or(body.len()));
        let length = self.lines.len();
        self.add(line, body);
        if end.is_none() {
            return Next::Taken;
        }
        match self.trust {
            Trust::Sure if self.rival.is_some() && !self.is_valid() => {
                self.lines.truncate(length);
                self.count -= 1;
                Next::Rival
            }
            Trust::Unsure if !self.is_valid() => {
                self.lose();
                Next::Taken
            }
            Trust::Sure | Trust::Unsure => Next::Whole(rest.to_owned()),
            Trust::Lost => Next::Taken,
        }
    }

    fn add(&mut self, line: &str, body: &str) {
        self.count += 1;
        self.length += line.len() + 1;
        if self.split.len() + body.len() > MAX_LENGTH {
            self.is_too_long = true;
            self.forget();
        }
        if self.trust == Trust::Lost {
            self.is_error |= looks_like_error(&cleaned(line));
        } else if !self.is_too_long {
            self.lines.push_str(line);
            self.lines.push('\n');
            self.split.push_str(body);
            self.printed.push('\n');
            self.printed.push_str(body);
        }
    }

    /// Gives up the search for the end of the JSON.
    fn lose(&mut self) {
        self.trust = Trust::Lost;
        self.forget();
    }

    /// Drops the text, which will not be shown.
    fn forget(&mut self) {
        self.is_error |= looks_like_error(&cleaned(&self.split));
        self.rival = None;
        (self.lines, self.split, self.printed) = Default::default();
    }

    /// The item for text that was not kept.
    fn withheld(&self) -> Item<'static> {
        Item::Text(TextEvent::Withheld { length: self.length, is_error: self.is_error })
    }

    fn is_kept(&self) -> bool {
        !self.is_too_long && self.trust != Trust::Lost
    }

    fn is_valid(&self) -> bool {
        is_json(&self.printed) || is_json(&self.split)
    }

    /// Whether the JSON is printed over several lines, as far as its first one shows.
    fn is_printed(&self) -> bool {
        let first = self.printed.lines().next().unwrap_or_default();
        matches!(first.trim(), "{" | "[")
    }

    /// Whether the gathered text is only the first part of a message. A message counts as split only if no
    /// other one comes between its parts.
    fn is_cut_message(&self) -> bool {
        self.count == 1 && self.split.trim().len() > 1
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
            None if gathering.trust == Trust::Lost || find(line).unfinished.is_some() => {
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
            Next::Rival => {
                self.restart(each)?;
                self.text_line(line, feed, each)?;
                Ok(true)
            }
        }
    }

    /// Ends gathering of JSON that was cut off, and handles the lines of its rival again.
    fn restart(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(gathering) = &mut self.gathering else { return Ok(()) };
        let Some(rival) = gathering.rival.take() else { return Ok(()) };
        let again = gathering.lines.split_off(rival.from);
        gathering.count -= again.split_terminator('\n').count();
        gathering.feed = true;
        self.end_partial(each)?;
        self.trust = Trust::Unsure;
        let handled = again.split_terminator('\n').try_for_each(|line| self.text_line(line, true, each));
        self.trust = Trust::Sure;
        handled
    }

    /// Ends gathering of JSON that is complete.
    fn end_whole(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(gathering) = self.gathering.take() else { return Ok(()) };
        if !gathering.is_kept() {
            return each(gathering.withheld());
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
            let mut gathering = Gathering::new(start, "", true, Trust::Sure);
            let body = format!("\"a\":\"{}\"", "x".repeat(MAX_LENGTH));
            gathering.next(&body, &body);
            let item = gathering.withheld();
            let is_error = matches!(item, Item::Text(TextEvent::Withheld { is_error: true, .. }));
            assert_eq!(is_error, expected, "{level}");
        }
    }
}
