//! From bytes to messages and text: bytes are decoded and split into lines, which the [`Router`] passes to runs by
//! their labels.
//!
//! Invariants: the items do not depend on how the bytes are split into reads; every line is part of an item, and
//! text that may contain sensitive values is part of an item that does not show it; the memory is limited, however
//! long a line is. Each label has a run of its own, so that no message of one closes what another has open; lines
//! without a label belong to the first run.

mod embedded;
mod finder;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::sync::LazyLock;

use memchr::memmem;

use super::event::TextEvent;
use crate::input::{Encoding, utf16};
use crate::json::{Pairs, Raw, Str, from_str};
use crate::model::message::Message;
use embedded::cleaned;

pub(super) use finder::Finder;
use finder::is_of_other_logger;

/// The maximum length of a line that may be a message, in bytes.
const MAX_MESSAGE: usize = 64 << 20;

/// The maximum length of a line, unless a JSON object begins within this distance from its start.
const MAX_TEXT: usize = 64 << 10;

/// The maximum capacity that the buffer keeps between two lines, in bytes.
const MAX_BUFFER: usize = 1 << 20;

/// ZIP (the format of saved plans) and gzip.
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"\x1f\x8b\x08"];

#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'i> {
    Message(&'i Message<'i>),
    Validation(&'i str),
    Text(TextEvent<'i>),
}

pub(super) type Each<'e> = dyn FnMut(Item<'_>) -> io::Result<()> + 'e;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment<'a> {
    /// Only the last line may lack its line feed.
    Line(&'a [u8]),
    /// The first part has more than [`MAX_TEXT`] bytes, the last one ends with the line feed.
    Part(&'a [u8]),
}

/// A line within one read is not copied.
#[derive(Debug, Default)]
pub(super) struct Input {
    encoding: InputEncoding,
    partial: Vec<u8>,
    is_long: bool,
}

/// A `carry` is the start of a unit or surrogate pair at the end of the last read.
#[derive(Debug)]
enum InputEncoding {
    Undecided(Vec<u8>),
    Utf8,
    Utf16 { big_endian: bool, carry: Vec<u8> },
    Archive,
}

impl Default for InputEncoding {
    fn default() -> Self {
        Self::Undecided(Vec::new())
    }
}

impl Input {
    /// Stops at the first error of `each`.
    pub(super) fn push<E>(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = self.encoding.decode(bytes);
        self.split(&text, each)
    }

    pub(super) fn finish<E>(
        mut self,
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let rest = match std::mem::take(&mut self.encoding) {
            InputEncoding::Undecided(first) => first,
            InputEncoding::Utf16 { big_endian, carry } => {
                decode_utf16(&carry, big_endian).into_bytes()
            }
            InputEncoding::Utf8 | InputEncoding::Archive => Vec::new(),
        };
        self.split(&rest, each)?;
        if self.partial.is_empty() {
            Ok(())
        } else {
            each(Segment::Line(&self.partial))
        }
    }

    pub(super) fn is_archive(&self) -> bool {
        matches!(self.encoding, InputEncoding::Archive)
    }

    fn split<E>(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Segment<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let (now, later) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            rest = later;
            if self.is_long {
                self.is_long = end.is_none();
                each(Segment::Part(now))?;
                continue;
            }
            let is_long = self.is_too_long(now);
            if self.partial.is_empty() && end.is_some() && !is_long {
                each(Segment::Line(now))?;
                continue;
            }
            self.partial.extend_from_slice(now);
            if is_long || end.is_some() {
                self.is_long = is_long && end.is_none();
                let mut line = std::mem::take(&mut self.partial);
                each(if is_long {
                    Segment::Part(&line)
                } else {
                    Segment::Line(&line)
                })?;
                line.clear();
                line.shrink_to(MAX_BUFFER);
                self.partial = line;
            }
        }
        Ok(())
    }

    fn is_too_long(&self, now: &[u8]) -> bool {
        let length = self.partial.len() + now.len();
        if length <= MAX_TEXT {
            return false;
        }
        // Only the part of the line that is always kept is searched, so that reads do not matter.
        let head = &self.partial[..self.partial.len().min(MAX_TEXT)];
        let rest = &now[..now.len().min(MAX_TEXT - head.len())];
        let may_be_message = [head, rest]
            .iter()
            .any(|part| memchr::memchr(b'{', part).is_some());
        length
            > if may_be_message {
                MAX_MESSAGE
            } else {
                MAX_TEXT
            }
    }
}

impl InputEncoding {
    fn decode<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self {
            Self::Undecided(first) => {
                first.extend_from_slice(bytes);
                let first = std::mem::take(first);
                let Some((encoding, skip)) = Self::detect(&first) else {
                    *self = Self::Undecided(first);
                    return Cow::Borrowed(&[]);
                };
                *self = encoding;
                self.decode(&first[skip..]).into_owned().into()
            }
            Self::Utf8 => Cow::Borrowed(bytes),
            Self::Utf16 { big_endian, carry } => {
                carry.extend_from_slice(bytes);
                let (units, _) = carry.as_chunks::<2>();
                let is_high =
                    |unit: &[u8; 2]| (0xd8..0xdc).contains(&unit[usize::from(!*big_endian)]);
                // Half a unit or half a surrogate pair is left out.
                let whole = 2 * (units.len() - usize::from(units.last().is_some_and(is_high)));
                let text = decode_utf16(&carry[..whole], *big_endian);
                carry.drain(..whole);
                Cow::Owned(text.into_bytes())
            }
            Self::Archive => Cow::Borrowed(&[]),
        }
    }

    /// The length is that of the byte order mark; `None` means that more bytes are needed.
    fn detect(first: &[u8]) -> Option<(Self, usize)> {
        if ARCHIVES.iter().any(|mark| first.starts_with(mark)) {
            return Some((Self::Archive, 0));
        }
        if ARCHIVES.iter().any(|mark| mark.starts_with(first)) {
            return None;
        }
        let (encoding, skip) = Encoding::detect(first)?;
        let encoding = match encoding {
            Encoding::Utf8 => Self::Utf8,
            Encoding::Utf16 { big_endian } => Self::Utf16 {
                big_endian,
                carry: Vec::new(),
            },
        };
        Some((encoding, skip))
    }
}

/// The text of a line. What is no character becomes U+FFFD.
///
/// Nearly all lines are UTF-8, for which the check of `from_utf8` takes a tenth of the time of `from_utf8_lossy`.
pub(super) fn line_text(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    }
}

/// What is no character becomes U+FFFD.
fn decode_utf16(bytes: &[u8], big_endian: bool) -> String {
    utf16(bytes, big_endian)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The lines of further runs belong to the first.
const MAX_RUNS: usize = 4_096;

#[derive(Debug, Default)]
pub(super) struct Router {
    /// The run without a label is the first.
    runs: HashMap<String, usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The line has no label, and belongs to the first run.
    First,
    /// The label is not that of a run: other programs write words in brackets too. The line is shown in the first
    /// run, but its text is judged together with the other lines of the label.
    Unknown { label: String, text: String },
    Run {
        run: usize,
        /// The label, if the line is the first of its run.
        is_new: Option<String>,
        text: String,
    },
}

impl Router {
    /// A new label counts only before a message.
    pub(super) fn route(&mut self, line: &str) -> Route {
        if !may_have_label(line.as_bytes()) {
            return Self::piped(line);
        }
        let line = cleaned(line);
        let Some((label, text)) = labelled_line(&line) else {
            return Self::piped(&line);
        };
        let (label, text) = (label.into_owned(), text.into_owned());
        if let Some(run) = self.runs.get(&label) {
            return Route::Run {
                run: *run,
                is_new: None,
                text,
            };
        }
        let is_message = text.lines().any(|line| {
            line.trim_start().starts_with('{')
                && Message::parse(line).is_some_and(|message| !is_of_other_logger(&message))
        });
        if !is_message || self.runs.len() >= MAX_RUNS {
            return Route::Unknown { label, text };
        }
        let run = self.runs.len() + 1;
        self.runs.insert(label.clone(), run);
        Route::Run {
            run,
            is_new: Some(label),
            text,
        }
    }

    /// `NAME | TEXT`: the names of programs that run side by side, which have no run of their own.
    fn piped(line: &str) -> Route {
        // Most lines are messages, which are long and need no search for a bar.
        if !line.starts_with(char::is_alphanumeric) {
            return Route::First;
        }
        let is_name = |name: &str| {
            name.len() <= MAX_LABEL
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':'))
        };
        let Some((name, text)) = memchr::memchr(b'|', line.as_bytes())
            .and_then(|bar| Some((line.get(..bar)?.trim_end(), line.get(bar + 1..)?)))
        else {
            return Route::First;
        };
        if !is_name(name) {
            return Route::First;
        }
        Route::Unknown {
            label: name.to_owned(),
            text: text.strip_prefix(' ').unwrap_or(text).to_owned(),
        }
    }
}

/// The maximum length of a label, in bytes.
const MAX_LABEL: usize = 1_024;

/// Words in brackets that say how grave a line is, or where it comes from.
const NO_UNITS: [&str; 13] = [
    "info", "warn", "warning", "error", "debug", "trace", "notice", "fatal", "stdout", "stderr",
    "command", "section", "group",
];

/// A label, and the text of the tool.
type Labelled<'l> = (Cow<'l, str>, Cow<'l, str>);

fn may_have_label(line: &[u8]) -> bool {
    // Made once: making it takes as long as the search in a line.
    static MSG: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new("\"msg\""));
    match line.first() {
        Some(b'[' | b'0'..=b'9' | 0x1b) => true,
        Some(b't') => line.starts_with(b"time="),
        Some(b'{') => MSG.find(line).is_some(),
        Some(_) | None => false,
    }
}

fn labelled_line(line: &str) -> Option<Labelled<'_>> {
    match line.as_bytes().first()? {
        b'[' => bracketed(line),
        b'0'..=b'9' => pretty(line),
        b't' => key_value(line),
        b'{' => json(line),
        _ => None,
    }
}

/// `[unit] TEXT`
fn bracketed(line: &str) -> Option<Labelled<'_>> {
    let (label, text) = line.strip_prefix('[')?.split_once(']')?;
    let text = text.strip_prefix(' ').unwrap_or(text);
    labelled(label, text)
}

/// `HH:MM:SS.mmm STDOUT [unit/path] tofu: TEXT`
fn pretty(line: &str) -> Option<Labelled<'_>> {
    let (time, rest) = line.split_once(' ')?;
    let is_time = time
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))
        && time.matches(':').count() == 2;
    let (level, rest) = rest.trim_start().split_once(' ')?;
    let is_level = !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_time || !is_level {
        return None;
    }
    let (label, rest) = rest.trim_start().strip_prefix('[')?.split_once("] ")?;
    labelled(label, without_program(rest))
}

/// `time=… level=stdout prefix=unit/path tf-path=tofu msg=TEXT`
fn key_value(line: &str) -> Option<Labelled<'_>> {
    let (head, text) = line.split_once(" msg=")?;
    let value = |key: &str| {
        head.split(' ')
            .find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
    };
    value("time")?;
    let label = value("prefix").or_else(|| value("working-dir"))?;
    // Older releases quote the text.
    let quoted = text.trim_end();
    match from_str::<Str<'_>>(quoted) {
        Ok(text) if quoted.starts_with('"') => labelled(label, format!("{text}\n")),
        Ok(_) | Err(_) => labelled(label, text),
    }
}

/// `{"time":"…","level":"stdout","working-dir":"…","msg":"TEXT"}`
fn json(line: &str) -> Option<Labelled<'_>> {
    let members: Pairs<'_, Raw<'_>> = from_str(line.trim_end()).ok()?;
    let text = |name: &str| Some(members.get(name)?.read::<Str<'_>>().ok()?.to_string());
    text("time").or_else(|| text("level"))?;
    let message = text("msg")? + if line.ends_with('\n') { "\n" } else { "" };
    let label = text("prefix").or_else(|| text("working-dir"))?;
    labelled(label, message)
}

fn labelled<'l>(
    label: impl Into<Cow<'l, str>>,
    text: impl Into<Cow<'l, str>>,
) -> Option<Labelled<'l>> {
    let label = label.into();
    is_unit(&label).then(|| (label, text.into()))
}

/// The label is neither a time nor a level.
fn is_unit(label: &str) -> bool {
    let is_time = label.as_bytes().windows(3).any(
        |three| matches!(three, [before, b':', after] if before.is_ascii_digit() && after.is_ascii_digit()),
    );
    !label.trim().is_empty()
        && label.len() <= MAX_LABEL
        && !label.contains(['"', '{', '['])
        && !is_time
        && !label
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation() && byte != b'.')
        && !NO_UNITS.contains(&label.trim().to_ascii_lowercase().as_str())
}

/// The name is one word: `tofu: TEXT`.
fn without_program(text: &str) -> &str {
    match text.split_once(": ") {
        Some((program, rest)) if !program.is_empty() && !program.contains([' ', '{', '"']) => rest,
        Some(_) | None => text,
    }
}
