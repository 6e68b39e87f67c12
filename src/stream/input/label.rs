//! The labels by which the lines of a log name their unit: `[unit] …`, and the formats of Terragrunt's log: `pretty`,
//! `key-value` and `json`.
//!
//! Invariants: each label has a run of its own, so that no message of one closes what another has open; lines without
//! a label belong to the first run; what a label is does not depend on how the bytes are split.

use std::borrow::Cow;
use std::collections::HashMap;

use super::embedded::cleaned;
use crate::json::{Pairs, Raw, Str, from_str};
use crate::model::message::Message;

/// The maximum length of a label, in bytes.
const MAX_LENGTH: usize = 1_024;

/// Words in brackets that say how grave a line is, or where it comes from, and not to which unit it belongs.
const NO_UNITS: [&str; 13] = [
    "info", "warn", "warning", "error", "debug", "trace", "notice", "fatal", "stdout", "stderr", "command",
    "section", "group",
];

/// The label of a line, and the text of the tool.
pub(super) type Labelled<'l> = (Cow<'l, str>, Cow<'l, str>);

/// Whether a line may have a label, by its first character.
pub(super) fn may_begin(line: &[u8]) -> bool {
    match line.first() {
        Some(b'[' | b'0'..=b'9' | 0x1b) => true,
        Some(b't') => line.starts_with(b"time="),
        Some(b'{') => line.starts_with(b"{\"time\"") || line.starts_with(b"{\"level\""),
        Some(_) | None => false,
    }
}

/// The label of a line, and its text.
pub(super) fn parse(line: &str) -> Option<Labelled<'_>> {
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
    let is_time = time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'))
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
    let value = |key: &str| head.split(' ').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
    value("time")?;
    labelled(value("prefix").or_else(|| value("working-dir"))?, text)
}

/// `{"time":"…","level":"stdout","working-dir":"…","msg":"TEXT"}`
fn json(line: &str) -> Option<Labelled<'_>> {
    let members: Pairs<'_, Raw<'_>> = from_str(line.trim_end()).ok()?;
    let text = |name: &str| Some(members.get(name)?.read::<Str<'_>>().ok()?.to_string());
    text("time")?;
    let message = text("msg")? + if line.ends_with('\n') { "\n" } else { "" };
    let label = text("prefix").or_else(|| text("working-dir"))?;
    labelled(label, message)
}

fn labelled<'l>(label: impl Into<Cow<'l, str>>, text: impl Into<Cow<'l, str>>) -> Option<Labelled<'l>> {
    let label = label.into();
    is_unit(&label).then(|| (label, text.into()))
}

/// Whether a label may be the name of a unit, rather than a time or a level.
fn is_unit(label: &str) -> bool {
    let is_time = label.as_bytes().windows(3).any(
        |three| matches!(three, [before, b':', after] if before.is_ascii_digit() && after.is_ascii_digit()),
    );
    !label.trim().is_empty()
        && label.len() <= MAX_LENGTH
        && !is_time
        && !label.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation() && byte != b'.')
        && !NO_UNITS.contains(&label.trim().to_ascii_lowercase().as_str())
}

/// The text after the name of the program, which is one word: `tofu: TEXT`.
fn without_program(text: &str) -> &str {
    match text.split_once(": ") {
        Some((program, rest)) if !program.is_empty() && !program.contains([' ', '{', '"']) => rest,
        Some(_) | None => text,
    }
}

/// The maximum number of runs that are told apart; the lines of further ones belong to the first.
const MAX_RUNS: usize = 4_096;

/// Tells to which run a line belongs.
#[derive(Debug, Default)]
pub(in crate::stream) struct Router {
    /// The index of the run of each label. The run without a label is the first.
    runs: HashMap<String, usize>,
}

/// A line of a run.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::stream) struct Routed {
    /// The index of the run.
    pub(in crate::stream) run: usize,
    /// The label, if the line is the first of its run.
    pub(in crate::stream) is_new: Option<String>,
    /// The line, or lines, without the label.
    pub(in crate::stream) text: String,
}

impl Router {
    /// The run of a line; `None` if the line has no label, and belongs to the first.
    ///
    /// A new label counts only before a message: other programs write words in brackets too.
    pub(in crate::stream) fn route(&mut self, line: &[u8]) -> Option<Routed> {
        if !may_begin(line) {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?;
        let line = cleaned(line);
        let (label, text) = parse(&line)?;
        if let Some(run) = self.runs.get(&*label) {
            return Some(Routed { run: *run, is_new: None, text: text.into_owned() });
        }
        let is_message =
            text.lines().any(|line| line.trim_start().starts_with('{') && Message::parse(line).is_some());
        if !is_message || self.runs.len() >= MAX_RUNS {
            return None;
        }
        let run = self.runs.len() + 1;
        self.runs.insert(label.clone().into_owned(), run);
        Some(Routed { run, is_new: Some(label.into_owned()), text: text.into_owned() })
    }
}
