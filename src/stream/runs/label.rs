//! The labels by which the lines of a log name their unit: `[unit] …`, and the formats of Terragrunt's log: `pretty`,
//! `key-value` and `json`.

use std::borrow::Cow;

use crate::json::{Pairs, Raw, Str, from_str};

/// The maximum length of a label, in bytes.
const MAX_LENGTH: usize = 1_024;

/// Words in brackets that say how grave a line is, or where it comes from, and not to which unit it belongs.
const NO_UNITS: [&str; 13] = [
    "info", "warn", "warning", "error", "debug", "trace", "notice", "fatal", "stdout", "stderr", "command",
    "section", "group",
];

/// A line with a label.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Labelled<'l> {
    pub(super) label: Cow<'l, str>,
    /// The text of the tool.
    pub(super) text: Cow<'l, str>,
}

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
    let message = text("msg")?;
    let label = text("prefix").or_else(|| text("working-dir"))?;
    labelled(label, message)
}

fn labelled<'l>(label: impl Into<Cow<'l, str>>, text: impl Into<Cow<'l, str>>) -> Option<Labelled<'l>> {
    let label = label.into();
    is_unit(&label).then(|| Labelled { label, text: text.into() })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_named_in_all_formats() {
        for (line, label, text) in [
            ("[a] {\"x\":1}", "a", "{\"x\":1}"),
            ("[prod/eu/vpc]   indented", "prod/eu/vpc", "  indented"),
            ("12:00:01.123 STDOUT [live/db] tofu: {\"x\":1}", "live/db", "{\"x\":1}"),
            ("12:00:01.123 STDERR [live/db] terraform: Error: no", "live/db", "Error: no"),
            ("12:00:01.123 INFO   [live/db] Downloading", "live/db", "Downloading"),
            ("time=2026-01-01T00:00:00Z level=stdout prefix=a/b tf-path=tofu msg=x msg=y", "a/b", "x msg=y"),
            (
                r#"{"time":"t","level":"stdout","working-dir":"/w/a","msg":"{\"x\":1}\nb"}"#,
                "/w/a",
                "{\"x\":1}\nb",
            ),
            (r#"{"level":"stdout","time":"t","prefix":"a","msg":"b"}"#, "a", "b"),
        ] {
            assert!(may_begin(line.as_bytes()), "{line}");
            let found = parse(line).map(|found| (found.label.into_owned(), found.text.into_owned()));
            assert_eq!(found, Some((label.to_owned(), text.to_owned())), "{line}");
        }
        for line in [
            "[10:31:02] {\"x\":1}",
            "[2026-01-01T10:31:02Z] x",
            "[INFO] x",
            "[1/3] x",
            "[] x",
            "12:00 x",
            "12:00:01.123 STDOUT tofu: x",
            r#"{"time":"t","msg":"b"}"#,
            "[command]/usr/bin/terraform show",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
