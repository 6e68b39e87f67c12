//! Where the document begins: wrappers write lines of their own before it (and after it), as
//! `[command]/usr/bin/terraform show -json tfplan` of a CI action.
//!
//! A text that begins as JSON begins is taken as it is, so that what is wrong with it is told. Else
//! each `{` that an object could begin with is tried. The first document of a known kind is taken;
//! else the longest stretch that reads as JSON, whether it ends well (a wrong document) or not (a
//! document with a fault): the reader of the whole then says what it is. No byte is tried twice.

use anyhow::bail;

use crate::cli::kind::{self, Kind};
use crate::json::{ErrorKind, Reader};

/// Where the document lies.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// How many bytes of other text stand before it.
    pub(super) before: usize,
    /// How many bytes of other text stand after it, if some stand before it.
    pub(super) after: usize,
}

/// Finds the document in a text that is more than white space.
pub(super) fn find(text: &str) -> anyhow::Result<Found> {
    let as_it_is = Found { start: 0, end: text.len(), before: 0, after: 0 };
    let json = begins_as_json(text.trim_start());
    if json && !is_log_line(text) {
        return Ok(as_it_is);
    }
    match search(text) {
        Some((start, end)) => Ok(Found { start, end, before: start, after: text[end..].trim().len() }),
        None if json => Ok(as_it_is),
        None => {
            bail!("it is not JSON{} (what is shown is the output of `terraform show -json`)", beginning(text))
        }
    }
}

/// What the first line of a text is, unless it may be the rest of a document: that may hold secrets.
fn beginning(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    if line.contains(['"', '{', '}', '\\']) {
        return String::new();
    }
    format!(": it begins with `{}`", line.chars().take(40).collect::<String>())
}

/// Whether a text begins with an object of no known kind, and goes on after it: logs are JSON too.
fn is_log_line(text: &str) -> bool {
    let mut reader = Reader::new(text);
    kind::look(text).is_ok_and(|look| matches!(look.kind, Kind::Other | Kind::Empty))
        && reader.skip().is_ok()
        && !text[reader.pos()..].trim().is_empty()
}

/// Whether a text begins as a JSON object or array does. (`[command]` and `[12:30]` do not: for an
/// array, what is shown is never one, but naming it is better than searching it.)
fn begins_as_json(text: &str) -> bool {
    let begins_with = |next: &[u8]| match text[1..].trim_start().as_bytes().first() {
        Some(byte) => next.contains(byte),
        None => true,
    };
    match text.as_bytes().first() {
        Some(b'{') => begins_with(b"\"}"),
        Some(b'[') if begins_with(b"{\"]") => true,
        Some(_) => Reader::new(text).skip().is_ok_and(|value| value.len() == text.trim_end().len()),
        None => false,
    }
}

fn search(text: &str) -> Option<(usize, usize)> {
    let mut longest: Option<(usize, usize)> = None;
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'{', text.as_bytes().get(from..)?) {
        let start = from + found;
        from = start + 1;
        // `{}` is an object too, but none to look for.
        if !text[from..].trim_start().starts_with('"') {
            continue;
        }
        let mut reader = Reader::new(&text[start..]);
        let (span, whole) = match reader.skip() {
            Ok(value) => (value.len(), true),
            // The text ends inside of it: there is nothing after it to try.
            Err(error) if error.kind == ErrorKind::UnexpectedEnd => (text.len() - start, false),
            Err(error) => (error.offset, false),
        };
        if whole && is_known(&text[start..start + span]) {
            // Several messages, one a line, are one document.
            let end = if is_messages(&text[start..]) { text.len() } else { start + span };
            return Some((start, end));
        }
        if longest.is_none_or(|(start, end)| end - start < span) {
            longest = Some((start, if whole { start + span } else { text.len() }));
        }
        from = (start + span).max(from);
        while !text.is_char_boundary(from) {
            from += 1;
        }
    }
    longest
}

fn is_known(text: &str) -> bool {
    kind::look(text).is_ok_and(|look| !matches!(look.kind, Kind::Other | Kind::Empty))
}

fn is_messages(text: &str) -> bool {
    kind::look(text).is_ok_and(|look| look.kind == Kind::Messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"{"format_version":"1.2","planned_values":{}}"#;

    #[test]
    fn other_text_before_and_after_a_document_is_passed_over() {
        for noise in [
            "[command]/usr/bin/terraform show -json tfplan\n",
            "10:31 INFO { starting }\n",
            "[10:31] env {} done\n",
            "{ not json\n",
            "env: {\"TF_LOG\":\"x\"}\n",
            "a { b { c\n",
            "{\"level\":\"info\",\"msg\":\"starting\"}\n",
        ] {
            let text = format!("{noise}{PLAN}\n::debug::exit 0\n");
            let found = find(&text).unwrap();
            assert_eq!(&text[found.start..found.end], PLAN, "{noise}");
            assert_eq!((found.before, found.after), (noise.len(), 15));
        }
    }

    #[test]
    fn a_text_that_begins_as_json_is_left_to_its_reader() {
        for text in
            [PLAN, " \n{\"a\":", "[{\"a\":1}]", "{", "[]", "[1]", "null", "12", "\"x\"", "{} {}", "{\"a\" "]
        {
            assert_eq!(find(text).unwrap(), Found { end: text.len(), ..Found::default() }, "{text}");
        }
    }

    #[test]
    fn a_document_with_a_fault_is_found_as_a_whole() {
        let broken = r#"{"format_version":"1.2","a":[{"b":{"c":1}}],"d":nope,"e":{"f":{}}}"#;
        let text = format!("{{\"level\":\"info\"}} noise {broken}");
        let found = find(&text).unwrap();
        assert_eq!(&text[found.start..found.end], broken);
        let cut = &text[..text.len() - 20];
        assert_eq!(find(cut).unwrap().start, found.start);
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        let error = find("OpenTofu will perform the following actions:\n  + a {}\n").unwrap_err().to_string();
        assert!(error.contains("not JSON") && error.contains("`OpenTofu will perform"), "{error}");
    }
}
