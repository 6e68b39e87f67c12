//! The line formats of programs that collect the output of several runs: each line has a label and the text of the
//! tool.
//!
//! A new format is one type that implements [`Collector`], with an example of a line in its docs, and one entry in
//! [`COLLECTORS`].

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;

use super::embedded::cleaned;
use crate::json::{Pairs, Raw, Str, from_str};

/// The maximum length of a label, in bytes.
const MAX_LABEL: usize = 1_024;

/// Words in brackets that are not names of units: levels of messages, and where a line comes from.
const NO_UNITS: [&str; 13] = [
    "info", "warn", "warning", "error", "debug", "trace", "notice", "fatal", "stdout", "stderr",
    "command", "section", "group",
];

/// A line of a collector, split into its label and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LabelledLine {
    /// The name of the unit.
    pub(super) label: String,
    /// The text that the tool wrote, with its line feed.
    pub(super) text: String,
}

impl LabelledLine {
    /// Creates a labeled line. `None` if the label does not name a unit: words in brackets are often times and levels.
    fn new<'l>(label: impl Into<Cow<'l, str>>, text: impl Into<Cow<'l, str>>) -> Option<Self> {
        let label = label.into();
        is_unit(&label).then(|| Self {
            label: label.into_owned(),
            text: text.into().into_owned(),
        })
    }
}

/// The line format of a program that collects the output of several runs.
trait Collector: Sync {
    /// Whether a line may have the format. This is called for every line of a run, so it must be cheap.
    fn may_split(&self, line: &str) -> bool;

    /// Splits a line into its label and the text of the tool; `None` if it has another format. The line contains no
    /// escape sequences.
    fn split(&self, line: &str) -> Option<LabelledLine>;
}

/// All known formats. The first one that fits a line is used.
const COLLECTORS: [&dyn Collector; 4] = [&Bracketed, &Pretty, &KeyValue, &JsonLog];

/// Splits a line of a collector; `None` if the line has no label that names a unit.
pub(super) fn split(line: &str) -> Option<LabelledLine> {
    if !COLLECTORS.iter().any(|collector| collector.may_split(line)) {
        return None;
    }
    let line = cleaned(line);
    COLLECTORS
        .iter()
        .filter(|collector| collector.may_split(&line))
        .find_map(|collector| collector.split(&line))
}

/// The format of Terragrunt before 0.67, and of scripts that write the name of a unit before each line.
///
/// ```text
/// [prod/vpc] {"@level":"info",…}
/// ```
struct Bracketed;

impl Collector for Bracketed {
    fn may_split(&self, line: &str) -> bool {
        line.starts_with('[')
    }

    fn split(&self, line: &str) -> Option<LabelledLine> {
        let (label, text) = line.strip_prefix('[')?.split_once(']')?;
        let text = text.strip_prefix(' ').unwrap_or(text);
        LabelledLine::new(label, text)
    }
}

/// The format of Terragrunt with `--log-format pretty`, its default.
///
/// ```text
/// 12:34:56.789 STDOUT [prod/vpc] tofu: {"@level":"info",…}
/// ```
struct Pretty;

impl Collector for Pretty {
    fn may_split(&self, line: &str) -> bool {
        line.starts_with(|c: char| c.is_ascii_digit() || c == '\u{1b}')
    }

    fn split(&self, line: &str) -> Option<LabelledLine> {
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
        LabelledLine::new(label, without_program(rest))
    }
}

/// The format of Terragrunt with `--log-format key-value`.
///
/// ```text
/// time=2026-11-21T02:26:49Z level=stdout prefix=prod/vpc tf-path=tofu msg={"@level":"info",…}
/// ```
struct KeyValue;

impl Collector for KeyValue {
    fn may_split(&self, line: &str) -> bool {
        line.starts_with("time=")
    }

    fn split(&self, line: &str) -> Option<LabelledLine> {
        let (head, text) = line.split_once(" msg=")?;
        let value = |key: &str| {
            head.split(' ')
                .find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
        };
        value("time")?;
        let label = value("prefix").or_else(|| value("working-dir"))?;
        // Older releases of Terragrunt quote the text.
        let quoted = text.trim_end();
        match from_str::<Str<'_>>(quoted) {
            Ok(text) if quoted.starts_with('"') => LabelledLine::new(label, format!("{text}\n")),
            Ok(_) | Err(_) => LabelledLine::new(label, text),
        }
    }
}

/// The format of Terragrunt with `--log-format json`, and of other loggers that write one object per line.
///
/// ```text
/// {"time":"…","level":"stdout","working-dir":"prod/vpc","msg":"{\"@level\":\"info\",…}"}
/// ```
struct JsonLog;

impl Collector for JsonLog {
    fn may_split(&self, line: &str) -> bool {
        // The searcher is created once, because that takes as long as searching a line.
        static MSG: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new("\"msg\""));
        line.starts_with('{') && MSG.find(line.as_bytes()).is_some()
    }

    fn split(&self, line: &str) -> Option<LabelledLine> {
        let members: Pairs<'_, Raw<'_>> = from_str(line.trim_end()).ok()?;
        let text = |name: &str| Some(members.get(name)?.read::<Str<'_>>().ok()?.to_string());
        text("time").or_else(|| text("level"))?;
        let message = text("msg")? + if line.ends_with('\n') { "\n" } else { "" };
        let label = text("prefix").or_else(|| text("working-dir"))?;
        LabelledLine::new(label, message)
    }
}

/// Splits a line `NAME | TEXT`, as written by programs that run others side by side, such as `docker compose` and
/// `foreman`. The names are not units, so all their lines belong to one run.
pub(super) fn split_piped(line: &str) -> Option<LabelledLine> {
    // Most lines are messages. They are long, and need no search for a bar.
    let may_begin = |c: char| c.is_alphanumeric() || c == '\u{1b}';
    if !line.starts_with(may_begin) {
        return None;
    }
    let line = cleaned(line);
    let bar = memchr::memchr(b'|', line.as_bytes())?;
    let (name, text) = (line.get(..bar)?.trim_end(), line.get(bar + 1..)?);
    let is_name = !name.is_empty()
        && name.len() <= MAX_LABEL
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':'));
    is_name.then(|| LabelledLine {
        label: name.to_owned(),
        text: text.strip_prefix(' ').unwrap_or(text).to_owned(),
    })
}

/// Whether a label may be the name of a unit: it is not a time, a number or a level, and contains no JSON.
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

/// Removes the name of a program at the beginning, as in `tofu: TEXT`. The name is one word.
fn without_program(text: &str) -> &str {
    match text.split_once(": ") {
        Some((program, rest)) if !program.is_empty() && !program.contains([' ', '{', '"']) => rest,
        Some(_) | None => text,
    }
}
