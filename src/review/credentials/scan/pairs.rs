//! Finds pairs of a name and a value in a text whose name says that the value is a credential, in many notations.
//!
//! ```text
//! password: kX9vQ2               the value of `password`
//! {"name": "DB_PASSWORD", "value": "kX9vQ2"}    the value of `value`, by the name beside it
//! Server=db;Pwd=kX9vQ2;          the value of `Pwd`
//! ```

use std::ops::Range;

use super::escapes::entity;
use super::{Hit, Known};
use crate::review::credentials::names::{is_named, names_several};
use crate::review::credentials::{is_name_of_sibling, is_value_of_sibling};

/// A name and its value in a text: `NAME=value`, `"name": "value"`, `name = "value"`.
struct Pair<'t> {
    /// The name.
    name: &'t str,
    /// The offset at which the name begins.
    start: usize,
    /// The byte range of the value.
    value: Range<usize>,
}

/// Adds the values whose names say that they are credentials, including a `value` whose name is in a `name` of the same
/// object. Linear in the text.
pub(super) fn pairs(text: &str, known: Known<'_>, hits: &mut Vec<Hit>) {
    let mut previous: Option<Pair<'_>> = None;
    let mut nested_until = 0;
    for offset in memchr::memchr2_iter(b'=', b':', text.as_bytes()) {
        let Some((start, name)) = name_before(text, offset) else {
            continue;
        };
        let is_part = is_name_of_sibling(name) || is_value_of_sibling(name);
        if !is_part && !is_named(name) {
            continue;
        }
        if !is_part && offset >= nested_until {
            let (values, end) = nested_values(text, offset, names_several(name));
            for value in &values {
                add(text, name, value, known, hits);
            }
            nested_until = end.max(offset);
        }
        for value in values_after(text, offset) {
            let pair = Pair { name, start, value };
            if !is_part {
                add(text, name, &pair.value, known, hits);
                continue;
            }
            if let Some(other) = previous
                .take()
                .filter(|other| are_in_same_object(text, other, &pair))
            {
                for (of, value) in [(&other, &pair), (&pair, &other)] {
                    if is_name_of_sibling(of.name)
                        && is_value_of_sibling(value.name)
                        && let Some(name) = text.get(of.value.clone())
                    {
                        add(text, name, &value.value, known, hits);
                    }
                }
            }
            previous = Some(pair);
        }
    }
}

/// Adds a value that is a credential by its name.
fn add(text: &str, name: &str, range: &Range<usize>, known: Known<'_>, hits: &mut Vec<Hit>) {
    let Some(value) = text.get(range.clone()) else {
        return;
    };
    // In XML, the value begins after the entity of its quote.
    if entity(&format!("{value};")).is_some_and(|(_, length)| length > value.len()) {
        return;
    }
    if let Some(what) = known.named(name, value) {
        hits.push(Hit::named(range.clone(), what, value.to_owned(), name));
    }
}

/// Returns the values of a list, a mapping or a block that follows a separator, and where the last of them ends. Of a
/// mapping, the values count only if `has_members` is set: the names in it are those of users, for example.
///
/// ```text
/// password: |          passwords:           "passwords": {"app": "kX9…"}
///   kX9…                 - kX9…
/// ```
fn nested_values(text: &str, separator: usize, has_members: bool) -> (Vec<Range<usize>>, usize) {
    /// The maximum number of bytes of a list or mapping that are read.
    const MAX_LEN: usize = 8_192;
    let mut end = (separator + MAX_LEN).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let Some(rest) = text.get(separator + 1..end) else {
        return (Vec::new(), separator);
    };
    let first = separator + 1;
    let body = rest.trim_start_matches([' ', '\t']);
    let (opening, line) = body.split_once('\n').unwrap_or((body, ""));
    let (opening, offset) = (opening.trim_end(), first + rest.len() - body.len());
    let is_block = matches!(opening, "|" | "|-" | "|+" | ">" | ">-" | ">+");
    if (is_block || opening.is_empty()) && !line.is_empty() && text.as_bytes()[separator] == b':' {
        let start = first + rest.len() - line.len();
        let lines = indented_lines(text, separator, start..end);
        let (from, until) = (
            lines.first().map(|line| line.start),
            lines.last().map(|line| line.end),
        );
        let (Some(from), Some(until)) = (from, until) else {
            return (Vec::new(), separator);
        };
        if is_block {
            return (std::iter::once(from..until).collect(), until);
        }
        let values = lines
            .into_iter()
            .filter_map(|line| item(text, line, has_members));
        return (values.collect(), until);
    }
    let closing = match opening.as_bytes().first() {
        Some(b'[') => ']',
        Some(b'{') if has_members => '}',
        Some(_) | None => return (Vec::new(), separator),
    };
    let inner = text.get(offset + 1..end).unwrap_or_default();
    let Some(length) = inner.find(['[', ']', '{', '}']) else {
        return (Vec::new(), separator);
    };
    if !inner[length..].starts_with(closing) {
        return (Vec::new(), separator);
    }
    let (mut values, mut at) = (Vec::new(), offset + 1);
    for part in inner[..length].split_inclusive(',') {
        let item = part.trim_end_matches(',');
        let from = match closing {
            '}' => item.find(':').map_or(item.len(), |colon| colon + 1),
            _ => 0,
        };
        let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let value = item[from..].trim_matches(is_mark);
        if !value.is_empty() {
            let start = at + (value.as_ptr() as usize - part.as_ptr() as usize);
            values.push(start..start + value.len());
        }
        at += part.len();
    }
    (values, offset + 1 + length)
}

/// Returns the lines in `range` that are indented deeper than the line of a separator, up to the first that is not,
/// without their indentation. An item of a list may be indented as the name of the list is.
fn indented_lines(text: &str, separator: usize, range: Range<usize>) -> Vec<Range<usize>> {
    let line_start =
        memchr::memrchr(b'\n', &text.as_bytes()[..separator]).map_or(0, |line| line + 1);
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let own = text.get(line_start..separator).map_or(0, indent);
    let (mut lines, mut start) = (Vec::new(), range.start);
    for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim();
        let depth = indent(line);
        let is_item = content.starts_with("- ") && depth == own;
        if !content.is_empty() {
            if depth <= own && !is_item {
                break;
            }
            lines.push(start + depth..start + depth + line[depth..].trim_end().len());
        }
        start += line.len();
    }
    lines
}

/// Returns the value in a line of a list, or of a mapping if `has_members` is set.
fn item(text: &str, line: Range<usize>, has_members: bool) -> Option<Range<usize>> {
    let content = text.get(line.clone())?;
    let value = match content.strip_prefix("- ") {
        Some(value) if !value.contains(": ") => value,
        Some(_) => return None,
        None if has_members => content.split_once(": ")?.1,
        None => return None,
    };
    let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let start = line.start + (value.as_ptr() as usize - content.as_ptr() as usize);
    Some(start..start + value.len())
}

/// Whether two pairs are in the same object: no object or list begins or ends between them.
fn are_in_same_object(text: &str, one: &Pair<'_>, other: &Pair<'_>) -> bool {
    /// The maximum number of bytes between two pairs of the same object.
    const MAX_GAP: usize = 400;
    let gap = one.value.end..other.start;
    gap.len() <= MAX_GAP
        && text
            .get(gap)
            .is_some_and(|gap| !gap.contains(['{', '}', '[', ']']) && !gap.contains("- "))
}

/// Returns the name that ends before a separator, and where it begins. There may be quotes and spaces around it.
fn name_before(text: &str, offset: usize) -> Option<(usize, &str)> {
    /// The maximum length of a name, in bytes.
    const MAX_LEN: usize = 120;
    let bytes = text.as_bytes();
    let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\');
    // A gap has no separator in it, so the gaps before all separators together are not longer than the text.
    let gap = bytes[..offset]
        .iter()
        .rev()
        .take_while(|byte| is_gap(byte))
        .count();
    let end = offset - gap;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let name = bytes[..end].iter().rev().take(MAX_LEN);
    let length = name.take_while(|byte| is_name(byte)).count();
    let name = text.get(end - length..end)?;
    (!name.is_empty()).then_some((end - length, name))
}

/// Returns the ranges of the values after a separator: one, or the two of a change (`"a" -> "b"`).
fn values_after(text: &str, offset: usize) -> Vec<Range<usize>> {
    const ARROW: &str = " -> ";
    let bytes = text.as_bytes();
    let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t' | b'=' | b':' | b'>');
    let gap = bytes[offset..]
        .iter()
        .take_while(|byte| is_gap(byte))
        .count();
    let start = offset + gap;
    let Some((first, after)) = quoted(text, start) else {
        return vec![at_end_of_word(text, offset, start)];
    };
    let next = text
        .get(after..)
        .filter(|rest| rest.starts_with(ARROW))
        .and_then(|_| quoted(text, after + ARROW.len()));
    std::iter::once(first)
        .chain(next.map(|(range, _)| range))
        .collect()
}

/// Returns the range of a text in quotes, which may be escaped, and the offset after the closing quote.
fn quoted(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let rest = text.get(start..)?;
    let escapes = rest.bytes().take_while(|byte| *byte == b'\\').count();
    let quote = rest
        .as_bytes()
        .get(escapes)
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let from = start + escapes + 1;
    let bytes = text.as_bytes();
    for offset in
        memchr::memchr2_iter(*quote, b'\n', bytes.get(from..)?).map(|offset| from + offset)
    {
        let before = bytes[from..offset]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        // Within escaped quotes, the quotes of the text itself have more escapes.
        let is_end = if escapes == 0 {
            before % 2 == 0
        } else {
            before <= escapes
        };
        if bytes[offset] == b'\n' {
            return Some((from..offset, offset));
        }
        if is_end {
            return Some((from..offset - before.min(escapes), offset + 1));
        }
    }
    Some((from..text.len(), text.len()))
}

/// Returns the range of a value without quotes. In YAML it is the rest of the line. In a connection string, it ends
/// only at a semicolon. Elsewhere it ends with the word, or where another pair begins.
fn at_end_of_word(text: &str, separator: usize, start: usize) -> Range<usize> {
    // The maximum number of bytes of the line that are looked at, so that a long line with many pairs stays cheap.
    const MAX_BEFORE: usize = 256;
    // The maximum length of a value, in bytes.
    const MAX_LEN: usize = 1_024;
    let bytes = text.as_bytes();
    let first = separator.saturating_sub(MAX_BEFORE);
    let line_start =
        memchr::memrchr(b'\n', &bytes[first..separator]).map_or(first, |offset| first + offset + 1);
    let mut line_end = (start + MAX_LEN).min(bytes.len());
    while !text.is_char_boundary(line_end) {
        line_end += 1;
    }
    let line = text.get(start..line_end).unwrap_or_default();
    let line = line.split('\n').next().unwrap_or_default();
    if bytes[separator] == b':' && is_alone(&bytes[line_start..separator]) {
        let value = line.split(" #").next().unwrap_or_default().trim_end();
        // Several words are a sentence, not a credential.
        let length = if value.contains(char::is_whitespace) {
            0
        } else {
            value.len()
        };
        return start..start + length;
    }
    if bytes[line_start..separator].contains(&b';') || is_in_connection_string(line) {
        let end = line.find([';', '"', '\'', '\\']).unwrap_or(line.len());
        return start..start + end;
    }
    // A literal of JSON, such as `null`, ends before the next member.
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let ends = |(offset, c): &(usize, char)| match c {
        c if c.is_whitespace() => true,
        ';' | '"' | '\'' | '`' | '\\' | '<' | '>' | '}' | ']' => true,
        ',' if ends_word(&line[offset + 1..]) => true,
        '&' | ',' => begins_pair(&line[offset + 1..]),
        _ => false,
    };
    let end = line
        .char_indices()
        .find(ends)
        .map_or(line.len(), |(offset, _)| offset);
    start..start + end
}

/// Whether only indentation and the dash of a list come before a name.
fn is_alone(before: &[u8]) -> bool {
    let name = before
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'-' | b'+' | b'~' | b'\t'));
    name.is_some_and(|index| {
        before[index..]
            .iter()
            .all(|byte| !byte.is_ascii_whitespace() && *byte != b',')
    })
}

/// Whether a line continues as a connection string does: `value;Other=value`.
fn is_in_connection_string(line: &str) -> bool {
    line.split_once(';')
        .is_some_and(|(_, rest)| begins_pair(rest.trim_start()))
}

/// Whether a text begins with a name and a separator.
fn begins_pair(text: &str) -> bool {
    /// The maximum length of a name, in bytes.
    const MAX_LEN: usize = 64;
    let is_name =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
    let length = text
        .bytes()
        .take(MAX_LEN)
        .take_while(|byte| is_name(*byte))
        .count();
    length > 0 && matches!(text.as_bytes().get(length), Some(b'=' | b':'))
}
