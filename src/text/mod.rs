//! Text as the tools and tfview write it: quoting as in Go, HCL identifiers, numbers, wrapping and counting; code in
//! Markdown that its content cannot end; JSON that may be printed in a terminal or a log.

pub mod markup;
mod product;
pub mod stream;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_width::UnicodeWidthStr;

use crate::term::ci::command_ends;
use crate::term::{is_dangerous, is_printable_ascii, is_suspect};

pub use product::product;

/// Escapes a text as Go's `%q` does, without the quotes around it.
pub fn escape(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text) && memchr::memchr2(b'"', b'\\', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_printable(c) => out.push(c),
            c => {
                let code = c as u32;
                // Writing to a `String` cannot fail.
                let _ = match code {
                    0..=0x7f => write!(out, "\\x{code:02x}"),
                    0x80..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    Cow::Owned(out)
}

/// Escapes a text that is shown without quotes around it, so that quotes in it are not escaped: `key="a\tb"`.
pub fn escape_unquoted(text: &str) -> String {
    let parts: Vec<Cow<'_, str>> = text.split('"').map(escape).collect();
    parts.join("\"")
}

/// Quotes a text as the tools do, which is as Go's `%q` does.
pub fn quote(text: &str) -> String {
    ["\"", &*escape(text), "\""].concat()
}

/// Whether Go's `unicode.IsPrint` is true for a character: letters, marks, numbers, punctuation, symbols and the ASCII
/// space.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    use GeneralCategory as G;
    !matches!(
        get_general_category(c),
        G::Control
            | G::Format
            | G::Surrogate
            | G::PrivateUse
            | G::Unassigned
            | G::SpaceSeparator
            | G::LineSeparator
            | G::ParagraphSeparator
    )
}

/// Whether a text is an identifier of HCL: ID_Start or `_`, then ID_Continue or `-`.
pub fn is_identifier(text: &str) -> bool {
    if text.is_ascii() {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        return text
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
            && text.as_bytes().iter().all(word);
    }
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(|c| c == '-' || unicode_ident::is_xid_continue(c))
}

/// Returns a key as the tools write it: quoted, unless it is an identifier.
pub fn key(text: &str) -> Cow<'_, str> {
    if is_identifier(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(quote(text))
    }
}

/// Returns the shortest form of a decimal number without an exponent: `1.50` becomes `1.5`, and `1e3` becomes `1000`.
/// The result is exact. Numbers with huge exponents are returned unchanged.
pub fn shortest_decimal(number: &str) -> Cow<'_, str> {
    /// The maximum exponent that is written as digits, in either direction.
    const MAX_COUNT: i64 = 4_000;
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().unwrap_or(i64::MAX)),
        None => (number, 0),
    };
    let (sign, digits) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent == 0 && fraction.is_empty() && !(sign == "-" && whole == "0") {
        return Cow::Borrowed(number);
    }
    if !(-MAX_COUNT..=MAX_COUNT).contains(&exponent) {
        return Cow::Borrowed(number);
    }
    let point = whole.len() as i64 + exponent;
    let missing = usize::try_from(-point).unwrap_or_default();
    let mut all = format!("{}{whole}{fraction}", "0".repeat(missing));
    let point = usize::try_from(point).unwrap_or_default();
    all.push_str(&"0".repeat(point.saturating_sub(all.len())));
    let (whole, fraction) = all.split_at(point);
    let (whole, fraction) = (
        whole.trim_start_matches('0'),
        fraction.trim_end_matches('0'),
    );
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() {
        return Cow::Owned(if whole == "0" {
            whole.to_owned()
        } else {
            format!("{sign}{whole}")
        });
    }
    Cow::Owned(format!("{sign}{whole}.{fraction}"))
}

/// Wraps a text to `width` characters. Lines that begin with a space, and words longer than `width`, are not broken.
/// Spaces at a break are dropped. Like upstream, this counts characters rather than columns, and does not break at a
/// no-break space.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.starts_with(' ') {
            out.push_str(line);
        } else {
            wrap_line(&mut out, line, width);
        }
    }
    out
}

/// Appends a line that is broken at spaces where it would be longer than `width` characters. Longer words are not
/// broken.
fn wrap_line(out: &mut String, line: &str, width: usize) {
    let mut used = 0; // characters in the line so far
    let mut gap = ""; // the spaces before the current word
    let mut rest = line;
    while !rest.is_empty() {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        if spaces > 0 {
            (gap, rest) = rest.split_at(spaces);
            continue;
        }
        let (word, later) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let length = word.chars().count();
        if used > 0 && used + gap.len() + length > width {
            out.push('\n');
            used = 0;
        } else {
            out.push_str(gap);
            used += gap.len();
        }
        out.push_str(word);
        used += length;
        gap = "";
        rest = later;
    }
    out.push_str(gap);
}

/// The minimum number of columns after the indentation. On narrower terminals, nothing is wrapped.
const MIN_ROOM: usize = 30;

/// Wraps a text of one line to `width` columns. The first part begins after `used` columns, the others after `indent`
/// columns.
pub fn wrapped(text: &str, width: usize, indent: usize, used: usize) -> Vec<&str> {
    if width < indent + MIN_ROOM {
        return vec![text];
    }
    let (mut lines, mut start, mut end) = (Vec::new(), 0, 0);
    let mut remaining = width.saturating_sub(used);
    for (index, word) in words(text) {
        let word_end = index + word.len();
        let line = text.get(start..word_end).unwrap_or_default();
        // A word that would not fit into an empty line either stays on its line.
        if end > start && line.width() > remaining {
            lines.push(text.get(start..end).unwrap_or_default());
            (start, remaining) = (index, width - indent);
        }
        end = word_end;
    }
    lines.push(text.get(start..).unwrap_or_default());
    lines
}

/// Returns the words of a text with their positions, in bytes. Spaces at the beginning belong to the first word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut index = 0;
    text.split_inclusive(' ').filter_map(move |part| {
        let start = index;
        index += part.len();
        let start = if start < indent { 0 } else { start };
        let word = text.get(start..index)?.trim_end_matches(' ');
        (!word.is_empty()).then_some((start, word))
    })
}

/// Returns the age of something in words: `just now`, `5 minutes ago`, `47 hours ago`, `2 days ago`.
pub fn age(seconds: u64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let (number, unit) = match seconds {
        0..MINUTE => return "just now".to_owned(),
        MINUTE..HOUR => (seconds / MINUTE, "minute"),
        // "1 day ago" could be nearly two days.
        HOUR.. if seconds < 2 * DAY => (seconds / HOUR, "hour"),
        _ => (seconds / DAY, "day"),
    };
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    format!("{} ago", count(number, unit))
}

/// Returns a number with its noun: `1 change`, `2 entries` or `3 parts of a value`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        return format!("1 {noun}");
    }
    let (noun, rest) = noun.split_once(" of ").unwrap_or((noun, ""));
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!(" of {rest}")
    };
    if noun.ends_with("ch") {
        return format!("{number} {noun}es{rest}");
    }
    match noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']))
    {
        Some(stem) => format!("{number} {stem}ies{rest}"),
        None => format!("{number} {noun}s{rest}"),
    }
}

/// Returns `NUMBER NAME` for each number that is not zero.
pub fn nonzero<S: std::fmt::Display>(numbers: impl IntoIterator<Item = (usize, S)>) -> Vec<String> {
    let numbers = numbers.into_iter().filter(|(number, _)| *number > 0);
    numbers
        .map(|(number, words)| format!("{number} {words}"))
        .collect()
}

/// Cuts a text to `max_len` characters. A text that was cut ends with the number of characters that were left out.
pub fn cut(text: &str, max_len: usize) -> String {
    if text.len() <= max_len {
        return text.to_owned(); // a text has at least as many bytes as characters
    }
    match text.char_indices().nth(max_len) {
        None => text.to_owned(),
        Some((offset, _)) => {
            let (kept, rest) = text.split_at(offset);
            format!("{kept}…({})", count(rest.chars().count(), "more character"))
        }
    }
}

/// Joins the first `max` texts, and counts the others: `a, b and 3 more`.
pub fn first_of<S: AsRef<str>>(
    names: impl IntoIterator<Item = S, IntoIter: ExactSizeIterator>,
    max: usize,
) -> String {
    let names = names.into_iter();
    let more = names.len().saturating_sub(max);
    let mut shown = String::new();
    for (index, name) in names.take(max).enumerate() {
        shown.push_str(if index > 0 { ", " } else { "" });
        shown.push_str(name.as_ref());
    }
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Whether a text has more than one line. Empty lines at its end do not count.
pub fn has_several_lines(text: &str) -> bool {
    text.trim_end().contains('\n')
}

/// Returns the lines of a text that are not empty, without trailing spaces.
pub fn filled_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split('\n').map(str::trim_end);
    lines.filter(|line| !line.is_empty())
}

/// Replaces line feeds by a visible sign, so that a text stays on one line.
pub fn one_line(text: &str) -> String {
    text.replace('\n', "␊")
}

/// Returns lines as a fenced code block of Markdown. The fence is longer than any run of backticks in `lines`, whose
/// last line must end with a line feed.
pub fn fenced(info: &str, lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("{fence}{info}\n{lines}{fence}\n")
}

/// Returns a text as a code span of Markdown, with more backticks around it than any run of them in it.
pub fn code_span(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    let (mut longest, mut run, mut end) = (0, 0, None);
    for offset in memchr::memchr_iter(b'`', text.as_bytes()) {
        run = if end == Some(offset) { run + 1 } else { 1 };
        end = Some(offset + 1);
        longest = longest.max(run);
    }
    longest
}

/// Writes a document as JSON on one line.
///
/// # Errors
/// Returns an error if the document cannot be serialized or written.
pub fn write_json(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    // The serializer writes pieces of a few bytes. Calling another writer for each of them would take longer than
    // copying them.
    let mut out = io::BufWriter::new(out);
    document.serialize(&mut serde_json::Serializer::with_formatter(
        &mut out, Escaping,
    ))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Returns a value as JSON on one line.
///
/// # Errors
/// Returns an error if the value cannot be serialized.
pub fn to_json(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut text, Escaping,
    ))?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// A JSON formatter that escapes control characters, invisible characters and commands to CI systems, because the JSON
/// may be printed in a terminal or a log.
struct Escaping;

impl Formatter for Escaping {
    /// Escapes characters that are hidden or could drive a terminal, and the ends of commands to CI systems. The value
    /// of the JSON is not changed.
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let command_ends = command_ends(fragment);
        if !is_suspect(fragment) && command_ends.is_empty() {
            return CompactFormatter.write_string_fragment(writer, fragment);
        }
        let mut written = 0;
        let is_escaped =
            |offset: usize, c: char| is_dangerous(c) || command_ends.binary_search(&offset).is_ok();
        for (offset, c) in fragment
            .char_indices()
            .filter(|(offset, c)| is_escaped(*offset, *c))
        {
            writer.write_all(fragment.get(written..offset).unwrap_or_default().as_bytes())?;
            written = offset + c.len_utf8();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        writer.write_all(fragment.get(written..).unwrap_or_default().as_bytes())
    }
}

/// Returns the text that replaces a hidden value, which is sensitive or lacks a schema that tells whether it is.
pub fn hidden_value(lacks_schema: bool) -> &'static str {
    if lacks_schema {
        "(value hidden: no schema says what is sensitive)"
    } else {
        "(sensitive value)"
    }
}
