//! The lines on which JSON continues: what surrounds it, where it ends, and what can be its second line.

use crate::json::{ErrorKind, Reader};

use super::super::embedded::{self, cleaned};

/// What surrounds the JSON on each line.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) prefix: String,
    /// The member of a log collector's object that has the JSON in a string.
    pub(super) member: Option<String>,
}

impl Frame {
    /// The part of the JSON on `line`; `None` if there is none.
    pub(super) fn body(&self, line: &str) -> Option<String> {
        let body = match &self.member {
            Some(name) => embedded::member(line, name)?,
            None => {
                let clean = cleaned(line);
                without_prefix(&clean, &self.prefix).unwrap_or(&clean).to_owned()
            }
        };
        Some(body.trim_end_matches(['\n', '\r']).to_owned())
    }
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
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    depth: usize,
    pub(super) in_string: bool,
    escaped: bool,
}

impl Scan {
    /// The position after the last byte of the value, if that is in `text`.
    pub(super) fn feed(&mut self, text: &str) -> Option<usize> {
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

/// Whether a line may be the second one of a pretty-printed value.
pub(super) fn continues(line: &str) -> bool {
    let line = line.trim();
    match line.as_bytes().first() {
        None => false,
        Some(b'"') => {
            match Reader::new(line).skip() {
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
pub(super) fn is_scalar(line: &str) -> bool {
    let line = line.trim().trim_end_matches(',');
    line.is_empty()
        || matches!(line, "true" | "false" | "null" | ":")
        || line.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}
