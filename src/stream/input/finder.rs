//! Finds messages in the lines of one run. Everything else is text.
//!
//! Invariant: text is shown only if it cannot contain sensitive values, unless these are to be shown. Otherwise it is
//! reported as withheld, with its length.
//!
//! ```text
//! {"@level":"info","@message":"m"}     a message
//! Downloading modules...               text, shown unchanged
//! ```

mod gather;

use std::io;

use super::embedded::{
    LineMessages, cleaned, find, has_fragment, is_bare_beginning, is_validation, looks_like_error,
    may_hold_secrets, message_text,
};
use super::{Each, Item, MAX_TEXT};
use crate::json::{Raw, from_str};
use crate::model::message::Message;
use crate::stream::event::{EventKind, TextEvent};
use gather::Gathering;

/// The minimum length of a text that can contain both a key and a sensitive value, in bytes.
const MIN_SECRET: usize = 8;

/// The state of the search for messages in the lines of one run.
#[derive(Debug)]
pub(in crate::stream) struct Finder {
    /// Whether text that may contain sensitive values is shown.
    show_sensitive: bool,
    /// The long line that is being read in parts.
    long: Option<LongLine>,
    /// The JSON that is being gathered over several lines.
    gathering: Option<Box<Gathering>>,
    /// Whether a note about text around messages, which is left out, was already given.
    has_reported_text: bool,
}

impl Finder {
    pub(in crate::stream) fn new(show_sensitive: bool) -> Self {
        Self {
            show_sensitive,
            long: None,
            gathering: None,
            has_reported_text: false,
        }
    }

    /// Handles a part of a line that is too long to be a message.
    pub(in crate::stream) fn part(&mut self, part: &[u8], each: &mut Each<'_>) -> io::Result<()> {
        // A part of a line within gathered JSON must not be shown.
        let is_json = self.gathering.is_some();
        let long = self.long.get_or_insert_with(|| LongLine {
            is_withheld: is_json,
            ..LongLine::default()
        });
        let shown = long.push(part);
        if !shown.is_empty() {
            each(Item::Text(TextEvent::Shown(&shown)))?;
        }
        if part.ends_with(b"\n") {
            self.end_long(each)
        } else {
            Ok(())
        }
    }

    /// Handles the end of the input: reports JSON and lines that are cut off, and what is still held back.
    pub(in crate::stream) fn finish(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        if self.gathering.is_some() || self.long.is_some() {
            each(Item::Text(TextEvent::CutOff))?;
        }
        self.end_long(each)?;
        self.end_partial(each)
    }

    /// Ends a long line: its last part is shown, or its length is reported.
    fn end_long(&mut self, each: &mut Each<'_>) -> io::Result<()> {
        let Some(long) = self.long.take() else {
            return Ok(());
        };
        let rest = String::from_utf8_lossy(&long.carry);
        if !long.is_withheld {
            return each(Item::Text(TextEvent::Shown(&rest)));
        }
        if long.is_begun {
            each(Item::Text(TextEvent::Shown("\n")))?;
        }
        let message = long.message.as_deref();
        each(Item::Text(TextEvent::Withheld {
            length: long.length,
            message,
            is_error: long.is_error,
        }))
    }

    /// Handles a whole line. In `text`, bytes that are not valid characters are replaced by U+FFFD.
    pub(in crate::stream) fn line(
        &mut self,
        line: &[u8],
        text: &str,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        // If this line does not complete the JSON, that is reported at the end.
        let may_complete = self.gathering.is_some() && line.trim_ascii_end().ends_with(b"}");
        if !line.ends_with(b"\n") && !is_whole(line) && !may_complete {
            each(Item::Text(TextEvent::CutOff))?;
        }
        self.text_line(text, text, each)
    }

    /// Handles the text of a line. `shown` is the line as it came, with a label or another beginning that `line` lacks.
    pub(in crate::stream) fn text_line(
        &mut self,
        line: &str,
        shown: &str,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        if self.gathering.is_some() && self.continue_gathering(line, shown, each)? {
            return Ok(());
        }
        let Some(messages) = self.messages(line, each)? else {
            return Ok(());
        };
        match messages.unfinished {
            Some(unfinished) if self.gathering.is_none() => {
                self.gathering = Some(Box::new(Gathering::new(
                    unfinished,
                    shown,
                    !self.show_sensitive,
                )));
                Ok(())
            }
            Some(_) | None => self.other_text(line, shown, each),
        }
    }

    /// Passes on the messages in a text, or the document of a validation. If there are none, returns what else was
    /// found.
    pub(super) fn messages(
        &mut self,
        text: &str,
        each: &mut Each<'_>,
    ) -> io::Result<Option<LineMessages>> {
        let is_object = text.trim_start().starts_with('{');
        let message = if is_object {
            Message::parse(text)
        } else {
            None
        };
        if let Some(message) = &message {
            return self.message(message, each).map(|()| None);
        }
        let in_text = find(text);
        if in_text.messages.is_empty() {
            if is_object && is_validation(text) {
                return each(Item::Validation(text)).map(|()| None);
            }
            return Ok(Some(in_text));
        }
        if in_text.has_more && !std::mem::replace(&mut self.has_reported_text, true) {
            each(Item::Text(TextEvent::AroundMessages))?;
        }
        for message in in_text
            .messages
            .iter()
            .filter_map(|json| Message::parse(json))
        {
            self.message(&message, each)?;
        }
        Ok(None)
    }

    /// Passes on a message, as text if another logger wrote it.
    fn message(&self, message: &Message<'_>, each: &mut Each<'_>) -> io::Result<()> {
        if is_of_other_logger(message) {
            self.log_line(message, each)
        } else {
            each(Item::Message(message))
        }
    }

    /// Passes on a line that is not a message. It is withheld if it may contain sensitive values.
    pub(super) fn other_text(
        &self,
        line: &str,
        shown: &str,
        each: &mut Each<'_>,
    ) -> io::Result<()> {
        let text = line.trim_end_matches(['\n', '\r']);
        if !self.show_sensitive && text.len() >= MIN_SECRET {
            let clean = cleaned(text);
            if (may_hold_secrets(&clean) && !is_bare_beginning(&clean)) || has_fragment(&clean) {
                let (message, is_error) = (message_text(&clean), looks_like_error(&clean));
                let (length, message) = (text.len(), message.as_deref());
                return each(Item::Text(TextEvent::Withheld {
                    length,
                    message,
                    is_error,
                }));
            }
        }
        each(Item::Text(TextEvent::Shown(shown)))
    }

    /// Passes on a line that another logger wrote, such as a provider with `TF_LOG=json`. It is shown as text, and its
    /// level does not affect the result of the run.
    fn log_line(&self, message: &Message<'_>, each: &mut Each<'_>) -> io::Result<()> {
        let text = message.text();
        let clean = cleaned(&text);
        if !self.show_sensitive && (may_hold_secrets(&clean) || clean.lines().any(has_fragment)) {
            return each(Item::Text(TextEvent::Withheld {
                length: text.len(),
                message: None,
                is_error: false,
            }));
        }
        let lead = match &*message.module {
            "" if message.level.eq_ignore_ascii_case("info") => String::new(),
            "" => format!("[{}] ", message.level.to_ascii_uppercase()),
            module => format!("[{}] {module}: ", message.level.to_ascii_uppercase()),
        };
        each(Item::Text(TextEvent::Shown(&format!("{lead}{text}\n"))))
    }
}

/// Whether a message comes from another logger than the tools' user interface. The tools name their module in every
/// message, and only OpenTofu's `init` writes some messages without a type.
pub(super) fn is_of_other_logger(message: &Message<'_>) -> bool {
    let is_of_tool = message.module.ends_with(".ui");
    let is_known = || !matches!(EventKind::from_message(message), EventKind::Unknown);
    match (&*message.module, &*message.message_type) {
        _ if is_of_tool => false,
        // Log entries of a plugin may have any members.
        (_, "") => message.diagnostic.is_none() && !message.level.is_empty(),
        ("", _) => false,
        _ => !is_known(),
    }
}

/// Whether a line without a line feed is complete: it is empty, or ends with a JSON object, which is the first one in
/// it.
fn is_whole(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // The second byte of a UTF-16 line feed does not count as a line.
    let line = if line == [0] { &[][..] } else { line };
    let is_json = |text| from_str::<Raw<'_>>(text).is_ok();
    let object = memchr::memchr(b'{', line).and_then(|offset| line.get(offset..));
    let is_object = |object| std::str::from_utf8(object).is_ok_and(is_json);
    line.is_empty() || object.is_some_and(is_object)
}

/// A line that is too long to be kept. It is shown as it arrives, up to where JSON may begin, because JSON may contain
/// sensitive values.
#[derive(Debug, Default)]
struct LongLine {
    /// The bytes that a read may have split: the beginning of a character, or the CR of a CR LF.
    carry: Vec<u8>,
    /// The length so far, in bytes.
    length: usize,
    /// Whether a part of the line was shown.
    is_begun: bool,
    /// Whether the rest of the line is not shown.
    is_withheld: bool,
    /// The `@message` at the beginning of the line.
    message: Option<String>,
    /// Whether the beginning of the line looks like an error.
    is_error: bool,
}

impl LongLine {
    /// Adds a part of the line, and returns the text of it that is shown. From the first brace on, nothing is shown.
    fn push(&mut self, part: &[u8]) -> String {
        if self.length == 0 {
            let head = String::from_utf8_lossy(&part[..part.len().min(MAX_TEXT)]);
            let head = cleaned(&head);
            (self.message, self.is_error) = (message_text(&head), looks_like_error(&head));
        }
        self.length += part.len();
        if self.is_withheld {
            return String::new();
        }
        self.carry.extend_from_slice(part);
        let json = memchr::memchr(b'{', &self.carry);
        self.is_withheld = json.is_some();
        let end = json.unwrap_or_else(|| complete(&self.carry));
        let shown = String::from_utf8_lossy(&self.carry[..end]).into_owned();
        self.carry.drain(
            ..if self.is_withheld {
                self.carry.len()
            } else {
                end
            },
        );
        self.is_begun |= !shown.is_empty();
        shown
    }
}

/// Returns the offset after the last complete character, without a CR at the end that may belong to a CR LF.
fn complete(bytes: &[u8]) -> usize {
    if bytes.last() == Some(&b'\r') {
        return bytes.len() - 1;
    }
    let last = bytes
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    let is_split = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    bytes.len() - if is_split { last.len() } else { 0 }
}
