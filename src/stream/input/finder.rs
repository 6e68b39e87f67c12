//! Finds messages in lines; everything else is text.

use std::io;

use crate::json::Raw;
use crate::model::message::Message;

use super::embedded::{
    self, cleaned, is_bare_beginning, is_fragment, is_validation, looks_like_error, may_hold_secrets,
};
use super::encoding::utf16_line;
use super::gather::Gathering;
use super::lines::Segment;
use super::long::LongLine;
use super::{Each, Item};
use crate::stream::event::TextEvent;

/// Text shorter than this cannot contain both a key and a sensitive value.
const MIN_SECRET: usize = 8;

/// Finds messages in the lines of an input.
#[derive(Debug)]
pub(in crate::stream) struct Finder {
    show_sensitive: bool,
    long: Option<LongLine>,
    pub(super) gathering: Option<Box<Gathering>>,
    /// Whether text around messages has been reported.
    has_reported_text: bool,
}

impl Finder {
    pub(in crate::stream) fn new(show_sensitive: bool) -> Self {
        Self { show_sensitive, long: None, gathering: None, has_reported_text: false }
    }

    pub(in crate::stream) fn segment(&mut self, segment: Segment<'_>, each: &mut Each<'_>) -> io::Result<()> {
        match segment {
            Segment::Line(line) => self.line(line, true, each),
            Segment::Rest(line) => self.line(line, false, each),
            Segment::Part(part) => {
                if self.long.is_none() {
                    each(Item::Text(TextEvent::LongLineStarted))?;
                }
                // A part of a line within gathered JSON cannot be shown.
                let is_json = self.gathering.is_some();
                let shown = self.long.get_or_insert_with(|| LongLine::new(is_json)).push(part);
                each(Item::Text(TextEvent::LongLinePart(&shown)))
            }
            Segment::Archive => each(Item::Text(TextEvent::Archive)),
            Segment::PartsEnd { feed } => {
                let Some(long) = self.long.take() else { return Ok(()) };
                let (shown, kind) = long.end();
                each(Item::Text(TextEvent::LongLinePart(&shown)))?;
                if !feed {
                    each(Item::Text(TextEvent::CutOff))?;
                }
                each(Item::Text(TextEvent::LongLineEnded { kind, has_line_feed: feed }))
            }
        }
    }

    /// Ends the input.
    pub(in crate::stream) fn finish(mut self, each: &mut Each<'_>) -> io::Result<()> {
        if self.gathering.is_none() {
            return Ok(());
        }
        each(Item::Text(TextEvent::CutOff))?;
        self.end_partial(each)
    }

    fn line(&mut self, line: &[u8], feed: bool, each: &mut Each<'_>) -> io::Result<()> {
        if !feed && !is_whole(line) {
            each(Item::Text(TextEvent::CutOff))?;
        }
        if let Some([0, ..] | [_, 0] | [0xff, 0xfe] | [0xfe, 0xff]) = line.get(..2)
            && let Some(text) = utf16_line(line)
        {
            return self.text_line(&text, feed, each);
        }
        match std::str::from_utf8(line) {
            Ok(text) => self.text_line(text, feed, each),
            Err(_) => self.text_line(&String::from_utf8_lossy(line), feed, each),
        }
    }

    pub(super) fn text_line(&mut self, line: &str, feed: bool, each: &mut Each<'_>) -> io::Result<()> {
        if self.gathering.is_some() && self.continue_gathering(line, feed, each)? {
            return Ok(());
        }
        if line.trim_start().starts_with('{')
            && let Some(message) = Message::parse(line)
        {
            return each(Item::Message(&message));
        }
        self.other_line(line, feed, each)
    }

    /// Handles a line that is not a message. A message may be embedded in it or begin on it.
    fn other_line(&mut self, line: &str, feed: bool, each: &mut Each<'_>) -> io::Result<()> {
        let found = embedded::find(line);
        if !found.messages.is_empty() {
            return self.embedded_messages(&found.messages, found.has_more, each);
        }
        if line.trim_start().starts_with('{') && is_validation(line) {
            return each(Item::Validation(line));
        }
        match found.unfinished {
            Some(unfinished) if self.gathering.is_none() => {
                self.gathering = Some(Box::new(Gathering::new(unfinished, line, feed, self.withholds())));
                Ok(())
            }
            Some(_) | None => self.other_text(line, feed, each),
        }
    }

    /// Passes on messages that were embedded in other text.
    pub(super) fn embedded_messages(
        &mut self,
        messages: &[String],
        has_more: bool,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        if has_more && !std::mem::replace(&mut self.has_reported_text, true) {
            each(Item::Text(TextEvent::AroundMessages))?;
        }
        for json in messages {
            if let Some(message) = Message::parse(json) {
                each(Item::Message(&message))?;
            }
        }
        Ok(())
    }

    /// Passes on a line that is not a message, unless it may contain sensitive values.
    pub(super) fn other_text(&self, line: &str, feed: bool, each: &mut Each<'_>) -> io::Result<()> {
        if !self.show_sensitive && line.len() >= MIN_SECRET {
            let clean = cleaned(line);
            if (may_hold_secrets(&clean) && !is_bare_beginning(&clean)) || is_fragment(&clean) {
                let is_error = looks_like_error(&clean);
                let text = embedded::message_text(&clean);
                return each(Item::Text(match &text {
                    Some(text) => TextEvent::PartialMessage { text, is_error },
                    None => TextEvent::Withheld { length: line.len(), is_error },
                }));
            }
        }
        each(Item::Text(TextEvent::Line { text: line, has_line_feed: feed }))
    }

    /// Whether text that may contain sensitive values is withheld.
    pub(super) fn withholds(&self) -> bool {
        !self.show_sensitive
    }
}

/// Whether a line without a line feed is complete: it is empty or a complete JSON object.
fn is_whole(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // The second byte of a UTF-16 line feed does not count as a line.
    let line = if line == [0] { &[][..] } else { line };
    let is_json = |text| crate::json::from_str::<Raw<'_>>(text).is_ok();
    line.is_empty() || (line.starts_with(b"{") && std::str::from_utf8(line).is_ok_and(is_json))
}
