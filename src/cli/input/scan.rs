//! Splits an input into documents and other text, such as the line `[command]/usr/bin/terraform show -json tfplan` of a
//! CI action.
//!
//! Invariants: every object of a known kind is a document. Other text is skipped only if it has nothing that could be
//! part of a plan or state and, after a document, only if its lines look like those of a log. Anything else is an
//! error. The time is linear in the length of the text.

use std::ops::Range;

use memchr::memmem;

use crate::cli::kind::{self, DocumentKind};
use crate::input::Values;
use crate::json::{self, Reader};

/// The reason why an input cannot be split. `Other` has the offset of text that is neither a document nor clearly part
/// of a log, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NoJson,
    Json { start: usize, error: json::Error },
    Other(usize),
}

/// Whether a text begins with a document. Errors in that document and text after it are found when it is parsed, so
/// that a large document is not read twice.
pub(super) fn begins_as_document(text: &str) -> bool {
    begins_as_json(text.trim_start()) && !is_log_line(text)
}

/// Returns the ranges of the documents in a text, and the number of bytes of other text. The text must not be only
/// white space.
///
/// If there is no document of a known kind, the longest text that could be one is returned, so that parsing it gives
/// the error.
///
/// # Errors
/// If there is no JSON, or other text that may be part of a document.
pub(super) fn documents(text: &str) -> Result<(Vec<Range<usize>>, usize), Fault> {
    let mut scan = Scan::default();
    scan.run(text);
    if scan.documents.is_empty() {
        let begins_as_json = begins_as_json(text.trim_start());
        // Other programs write blocks in braces, too, such as the tools in the text of a plan.
        let may_be_document = begins_as_json || plan_member(text).is_some();
        if scan.log_objects.is_empty() && !may_be_document {
            return Err(Fault::NoJson);
        }
        // Parsing the longest text that is JSON up to its end or its first error shows its kind, or its error.
        let whole = scan
            .log_objects
            .iter()
            .map(|object| (object.len(), object.clone()));
        let broken = scan
            .unreadable
            .iter()
            .map(|(start, error)| (error.offset, *start..text.len()));
        let longest = match whole.chain(broken).max_by_key(|(length, _)| *length) {
            Some((_, longest)) => longest,
            None if begins_as_json => 0..text.len(),
            None => return Err(Fault::NoJson),
        };
        return Ok((vec![longest.clone()], text[..longest.start].trim().len()));
    }
    let starts = scan
        .documents
        .iter()
        .map(|document| document.start)
        .chain([text.len()]);
    let (mut from, mut skipped) = (0, 0);
    for (index, start) in starts.enumerate() {
        scan.check_other(text, from..start, index > 0)?;
        skipped += text[from..start].trim().len();
        from = scan
            .documents
            .get(index)
            .map_or(start, |document| document.end);
    }
    Ok((scan.documents, skipped))
}

/// The JSON values that were found in an input, as ranges in bytes.
#[derive(Debug, Default)]
struct Scan {
    documents: Vec<Range<usize>>,
    /// Valid objects of an unknown kind, which may be from a log that is written in JSON.
    log_objects: Vec<Range<usize>>,
    /// Values that are not valid JSON, each with its start and error.
    unreadable: Vec<(usize, json::Error)>,
}

impl Scan {
    /// Collects all JSON values in the text, sorted by what they are.
    fn run(&mut self, text: &str) {
        let mut ends_in_message = false;
        let may_begin =
            |text: &str| text.starts_with('{') && text[1..].trim_start().starts_with('"');
        let mut values = Values::new(text, may_begin);
        while let Some((start, json)) = values.next() {
            match json {
                Ok(value) => {
                    let range = start..start + value.len();
                    let kind = kind::detect(value).unwrap_or(DocumentKind::Other);
                    let is_message = kind == DocumentKind::Messages;
                    match (kind, self.documents.last_mut()) {
                        (DocumentKind::Other | DocumentKind::Empty, _) => {
                            self.log_objects.push(range);
                        }
                        // Messages, one per line, form one document.
                        (DocumentKind::Messages, Some(last))
                            if ends_in_message && text[last.end..start].trim().is_empty() =>
                        {
                            last.end = range.end;
                        }
                        _ => self.documents.push(range),
                    }
                    ends_in_message = is_message;
                }
                Err(error) => {
                    // No byte is read twice: what was read before the error is skipped.
                    let end = start + error.offset.max(1);
                    values.skip_to(end);
                    self.unreadable.push((start, error));
                }
            }
        }
    }

    /// Checks that other text cannot be a part of a document.
    ///
    /// # Errors
    /// If it has the name of a member of plans or, after a document, does not look like a log.
    fn check_other(
        &self,
        text: &str,
        other: Range<usize>,
        is_after_document: bool,
    ) -> Result<(), Fault> {
        if let Some(offset) = plan_member(&text[other.clone()]) {
            return Err(self.fault_at(other.start + offset));
        }
        if !is_after_document {
            return Ok(());
        }
        let first = self
            .log_objects
            .partition_point(|object| object.start < other.start);
        let objects = self.log_objects[first..]
            .iter()
            .take_while(|object| object.end <= other.end);
        let mut from = other.start;
        let end = std::iter::once(other.end..other.end);
        for object in objects.cloned().chain(end) {
            if let Some(offset) = not_a_log(&text[from..object.start], from == other.start) {
                return Err(self.fault_at(from + offset));
            }
            from = object.end;
        }
        Ok(())
    }

    /// Returns the fault at an offset: that of the last value before it that is not valid JSON, if there is one.
    fn fault_at(&self, offset: usize) -> Fault {
        let next = self
            .unreadable
            .partition_point(|(start, _)| *start <= offset);
        match next
            .checked_sub(1)
            .and_then(|last| self.unreadable.get(last))
        {
            Some((start, error)) => Fault::Json {
                start: *start,
                error: error.clone(),
            },
            None => Fault::Other(offset),
        }
    }
}

/// Returns the offset of the first name of a member of plans or states in a text. A text with such a name may be a
/// document that is cut off, malformed, within a string or within another object.
pub(super) fn plan_member(text: &str) -> Option<usize> {
    /// The names of members that plans and states have.
    const MEMBERS: [&str; 7] = [
        "format_version",
        "planned_values",
        "prior_state",
        "resource_changes",
        "resource_drift",
        "output_changes",
        "root_module",
    ];
    let names_member = |offset: usize, name: &str| {
        text[..offset].ends_with('"')
            && text[offset + name.len()..]
                .trim_start_matches('\\')
                .starts_with('"')
    };
    let member_offset = |name: &str| {
        memmem::find_iter(text.as_bytes(), name).find(|offset| names_member(*offset, name))
    };
    MEMBERS.iter().filter_map(|name| member_offset(name)).min()
}

/// Returns the offset of text that does not occur in logs, if there is any: the rest of the line on which a document
/// ended (with `follows_document`), or a line that begins like JSON.
fn not_a_log(text: &str, follows_document: bool) -> Option<usize> {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim_start();
        let is_rest_of_document = follows_document && index == 0;
        let is_json = content.starts_with(['{', '}', ']', ',', '"']) || begins_as_array(content);
        if !content.is_empty() && (is_rest_of_document || is_json) {
            return Some(start + line.len() - content.len());
        }
        start += line.len();
    }
    None
}

/// Returns the first line for an error, as `, it begins with …`. Returns nothing if the line may be part of a document,
/// which may have sensitive values.
pub(super) fn beginning(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    if line.contains(['"', '{', '}', '\\']) {
        return String::new();
    }
    format!(
        ", it begins with `{}`",
        line.chars().take(40).collect::<String>()
    )
}

/// Whether a text begins with an object of an unknown kind that other text follows, as a line of a log in JSON does.
fn is_log_line(text: &str) -> bool {
    let mut reader = Reader::new(text);
    matches!(
        kind::detect(text),
        Ok(DocumentKind::Other | DocumentKind::Empty)
    ) && reader.skip().is_ok()
        && !text[reader.pos()..].trim_start().is_empty()
}

/// Whether a text begins like JSON.
fn begins_as_json(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'{') => next_is(text, b"\"}"),
        Some(b'[') if begins_as_array(text) => true,
        Some(_) => Reader::new(text)
            .skip()
            .is_ok_and(|value| value.len() == text.trim_end().len()),
        None => false,
    }
}

/// Whether a text begins like an array of JSON, unlike `[command]` and `[12:30]`. No document is an array, but an error
/// that says so is better than a search in the array.
fn begins_as_array(text: &str) -> bool {
    text.starts_with('[') && next_is(text, b"{\"]")
}

/// Whether the next character after the first one and white space is one of these.
fn next_is(text: &str, bytes: &[u8]) -> bool {
    text[1..]
        .trim_start()
        .as_bytes()
        .first()
        .is_none_or(|byte| bytes.contains(byte))
}

#[cfg(test)]
mod tests;
