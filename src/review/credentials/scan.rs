//! Finds the credentials in one text, each at its own place.
//!
//! A text is read twice: unchanged, and with everything decoded that it encodes, which is escapes,
//! percent signs and base64 anywhere in it, also in each other. What is found depends on the text and its name alone, so that a text can be shown without its credentials
//! wherever it occurs, and no text elsewhere is touched.
//!
//! Cost: each level of escapes or base64 makes a text shorter, and there are at most [`MAX_DEPTH`].
//!
//! ```text
//! "Server=db;Pwd=kX9vQ2"    Hit { range: 14..20, cover: Credential { name: "password", … } }
//! "UHdkPWtYOXZRMg=="         Hit { range: 0..16, cover: Encoded { text: "Pwd=kX9vQ2", hits: […] } }
//! ```

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::forms::{credentials, key_lines};
use super::names::{is_named, named};
use super::{Copies, SENSITIVE};
use crate::diff::embedded::{base64_text, base64_utf16, short_base64};

/// The maximum number of encodings inside of each other.
const MAX_DEPTH: usize = 8;

/// Bytes that are unpacked from compressed base64 in one text.
const MAX_UNPACKED: usize = 4 << 20;

/// A credential, a copy or an encoded text with one, at its place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::review) struct Hit {
    /// In the text that was read.
    pub range: Range<usize>,
    pub cover: Cover,
}

/// What is at the place of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::review) enum Cover {
    /// `secret` identifies the credential: it is decoded, and a key has no line breaks.
    Credential { name: &'static str, secret: String },
    /// Base64 of a text with credentials.
    Encoded { text: String, hits: Vec<Hit> },
}

impl Hit {
    /// Calls `found` with the name and the text of each credential in it.
    pub(in crate::review) fn each(&self, found: &mut dyn FnMut(&'static str, &str)) {
        match &self.cover {
            Cover::Credential { name, secret } => found(name, secret),
            Cover::Encoded { hits, .. } => hits.iter().for_each(|hit| hit.each(found)),
        }
    }
}

/// The credentials in a text, in order; none overlaps another. `name` is that of the attribute, member or variable whose
/// value the text is; `copies` are sensitive texts that are to be found, too.
pub(in crate::review) fn scan(text: &str, name: Option<&str>, copies: Option<&Copies>) -> Vec<Hit> {
    /// Nothing shorter is a credential.
    const SHORTEST: usize = 4;
    if text.len() < SHORTEST {
        return Vec::new();
    }
    if let Some(name) = name.and_then(|name| named(name, text)) {
        return vec![Hit::new(0..text.len(), name, text.to_owned())];
    }
    let mut scan = Scan {
        unpacked: MAX_UNPACKED,
        copies,
    };
    scan.text(text, 0)
}

/// Whether there is a credential in a text that has no name.
pub(in crate::review) fn is_in(text: &str) -> bool {
    !scan(text, None, None).is_empty()
}

impl Hit {
    fn new(range: Range<usize>, name: &'static str, secret: String) -> Self {
        Self {
            range,
            cover: Cover::Credential { name, secret },
        }
    }
}

/// The state of reading one text.
struct Scan<'c> {
    /// The bytes that may still be decoded.
    unpacked: usize,
    copies: Option<&'c Copies>,
}

impl Scan<'_> {
    /// Returns the credentials in `text`, sorted and without overlaps. Positions in decoded text
    /// are mapped back to the text that encodes it.
    fn text(&mut self, text: &str, depth: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        if depth < MAX_DEPTH
            && let Some(plain) = Plain::new(text)
        {
            let mut inner = self.text(&plain.text, depth + 1);
            for hit in &mut inner {
                hit.range = plain.place(hit.range.start)..plain.place(hit.range.end);
            }
            hits = inner;
        }
        if let Some(copies) = self.copies {
            copies.find(text, &mut hits);
        }
        credentials(text, &mut |credential| {
            let start = credential.secret.as_ptr() as usize - text.as_ptr() as usize;
            let range = start..start + credential.secret.len();
            let secret = if credential.name.ends_with("private key") {
                key_lines(credential.secret)
                    .filter(|line| line.is_key)
                    .filter_map(|line| credential.secret.get(line.range))
                    .collect()
            } else {
                credential.secret.to_owned()
            };
            hits.push(Hit::new(range, credential.name, secret));
        });
        if memchr::memchr2(b'=', b':', text.as_bytes()).is_some() {
            pairs(text, &mut hits);
        }
        if depth < MAX_DEPTH {
            self.base64(text, depth, &mut hits);
        }
        apart(hits)
    }

    /// Where it is known what to look for, short base64 is not mistaken for something else.
    fn shortest_base64(&self) -> usize {
        match self.copies {
            Some(_) => SHORTEST_OF_COPY,
            None => SHORTEST_BASE64,
        }
    }

    /// Base64 anywhere in the text, also in lines of at least [`WRAPPED`] characters.
    fn base64(&mut self, text: &str, depth: usize, hits: &mut Vec<Hit>) {
        let bytes = text.as_bytes();
        let mut offset = 0;
        let shortest = self.shortest_base64();
        let unpadded = shortest - MOST_PADDING;
        while let Some(window) = bytes.get(offset..offset + unpadded) {
            // A long run that begins in this window has its last byte.
            let before = window.iter().rposition(|byte| !is_base64(*byte));
            if let Some(before) = before {
                offset += before + 1;
                if before + 1 == unpadded {
                    continue;
                }
            }
            let end = run_end(bytes, offset);
            if end - offset < unpadded {
                offset = end;
                continue;
            }
            let (end, before) = wrapped_end(bytes, offset..end);
            if !self.run(text, offset..end, depth, hits)
                && (before == end || !self.run(text, offset..before, depth, hits))
            {
                let mut from = offset;
                // What is joined to it may be of the same characters: a path, a name.
                for part in text
                    .get(offset..end)
                    .unwrap_or_default()
                    .split_inclusive(['/', '-', '_', '+'])
                {
                    let length = part.trim_end_matches(['/', '-', '_', '+']).len();
                    if length < end - offset {
                        self.run(text, from..from + length, depth, hits);
                    }
                    from += part.len();
                }
            }
            offset = end;
        }
    }

    /// Searches a run of base64 characters. Returns whether it encodes text, whether or not that
    /// has a credential.
    fn run(&mut self, text: &str, range: Range<usize>, depth: usize, hits: &mut Vec<Hit>) -> bool {
        let Some(run) = text.get(range.clone()) else {
            return false;
        };
        let is_long = run.len() >= SHORTEST_BASE64;
        if !is_long && (self.copies.is_none() || run.len() < SHORTEST_OF_COPY - MOST_PADDING)
            || !may_encode_text(run)
        {
            return false;
        }
        let joined: Cow<'_, str> = if run.contains('\n') {
            let lines = run.split_ascii_whitespace();
            Cow::Owned(lines.filter(|line| !is_sign(line.as_bytes())).collect())
        } else {
            Cow::Borrowed(run)
        };
        let decoded = match base64_text(&joined, &mut self.unpacked) {
            Ok(Some((decoded, _))) => Some(decoded),
            Ok(None) | Err(_) if is_long => base64_utf16(&joined),
            Ok(None) | Err(_) => short_base64(&joined),
        };
        let Some(decoded) = decoded else {
            return false;
        };
        let mut inner = self.text(&decoded, depth + 1);
        if !is_long {
            inner.retain(|hit| {
                matches!(
                    hit.cover,
                    Cover::Credential {
                        name: SENSITIVE,
                        ..
                    }
                )
            });
        }
        if !inner.is_empty() {
            hits.push(Hit {
                range,
                cover: Cover::Encoded {
                    text: decoded,
                    hits: inner,
                },
            });
        }
        true
    }
}

/// Removes overlaps: of hits that overlap, the first and longest is kept, and covers all of them.
/// Those of decoded texts come first in `hits`, so that equal credentials are the same however they
/// are written.
fn apart(mut hits: Vec<Hit>) -> Vec<Hit> {
    if hits.len() < 2 {
        return hits;
    }
    hits.sort_by_key(|hit| (hit.range.start, Reverse(hit.range.end)));
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match kept.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                last.range.end = last.range.end.max(hit.range.end);
            }
            _ => kept.push(hit),
        }
    }
    kept
}

/// A text without its escapes (`\n`, `\"`, `\u0067`), percent signs (`%67`) and entities of XML (`&quot;`).
struct Plain {
    text: String,
    /// Where a part begins that is as in the original: in this text, and in the original.
    parts: Vec<(usize, usize)>,
}

impl Plain {
    /// Decodes the escapes of a text. Returns `None` if nothing is escaped.
    fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let first = memchr::memchr3(b'\\', b'%', b'&', bytes)?;
        let mut plain = Self {
            text: String::with_capacity(text.len()),
            parts: vec![(0, 0)],
        };
        let (mut offset, mut from) = (first, 0);
        while offset < bytes.len() {
            if let Some((decoded, length)) = escape(text, offset) {
                plain.text.push_str(text.get(from..offset)?);
                plain.text.push_str(&decoded);
                offset += length;
                from = offset;
                plain.parts.push((plain.text.len(), offset));
            } else {
                offset += 1;
            }
            let next = memchr::memchr3(b'\\', b'%', b'&', bytes.get(offset..)?);
            offset += next.unwrap_or(bytes.len() - offset);
        }
        plain.text.push_str(text.get(from..)?);
        (plain.parts.len() > 1).then_some(plain)
    }

    fn place(&self, offset: usize) -> usize {
        let next = self.parts.partition_point(|(start, _)| *start <= offset);
        let (start, to) = self.parts[next - 1];
        to + (offset - start)
    }
}

/// The text that an escape at this place means, and the length of the escape.
fn escape(text: &str, offset: usize) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    match bytes[offset] {
        b'%' => return percent(bytes, offset),
        b'&' => return entity(text.get(offset..)?),
        _ => {}
    }
    let one = |c: char| Some((c.to_string(), 2));
    match bytes.get(offset + 1)? {
        b'n' => one('\n'),
        b'r' => one('\r'),
        b't' => one('\t'),
        b'"' => one('"'),
        b'\'' => one('\''),
        b'/' => one('/'),
        b'\\' => one('\\'),
        b'u' => {
            let unit = |from: usize| u16::from_str_radix(text.get(from..from + 4)?, 16).ok();
            let first = unit(offset + 2)?;
            if let Some(c) = char::from_u32(u32::from(first)) {
                return Some((c.to_string(), 6));
            }
            let second = text
                .get(offset + 6..offset + 8)
                .filter(|next| *next == "\\u")
                .and_then(|_| unit(offset + 8))?;
            Some((String::from_utf16(&[first, second]).ok()?, 12))
        }
        b'x' => {
            let byte = u8::from_str_radix(text.get(offset + 2..offset + 4)?, 16).ok()?;
            byte.is_ascii().then(|| (char::from(byte).to_string(), 4))
        }
        _ => None,
    }
}

/// Characters that XML cannot have as they are.
const ENTITIES: [(&str, char); 5] = [
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
];

/// `&quot;`, `&#34;` or `&#x22;`
fn entity(rest: &str) -> Option<(String, usize)> {
    const MAX_LEN: usize = 8;
    let rest = rest.strip_prefix('&').map(|_| rest)?;
    let length = rest.bytes().take(MAX_LEN).position(|byte| byte == b';')?;
    let name = rest.get(1..length)?;
    let meant = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((meant.to_string(), length + 1))
}

/// A character of up to four bytes in percent signs.
fn percent(bytes: &[u8], offset: usize) -> Option<(String, usize)> {
    let mut decoded = Vec::new();
    for place in (offset..).step_by(3).take(4) {
        let digits = bytes.get(place..place + 3)?.strip_prefix(b"%")?;
        let digits = std::str::from_utf8(digits).ok()?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        decoded.push(u8::from_str_radix(digits, 16).ok()?);
        if let Ok(text) = std::str::from_utf8(&decoded) {
            return Some((text.to_owned(), place + 3 - offset));
        }
    }
    None
}

/// Shorter base64 is too often something else.
const SHORTEST_BASE64: usize = 16;

/// Base64 of the shortest copy that is found within others.
const SHORTEST_OF_COPY: usize = 8;

/// The number of characters that base64 may have behind it, or lack.
const MOST_PADDING: usize = 2;

/// The minimum length of a line of base64 that continues in the next line.
const WRAPPED: usize = 60;

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The end of the base64 that begins here, with its padding.
fn run_end(bytes: &[u8], index: usize) -> usize {
    let mut end = index;
    while bytes.get(end).is_some_and(|byte| is_base64(*byte)) {
        end += 1;
    }
    if end > index {
        let padding = bytes[end..]
            .iter()
            .take(2)
            .take_while(|byte| **byte == b'=')
            .count();
        end += padding;
    }
    end
}

/// Returns whether a text is the sign of a line in a difference.
fn is_sign(text: &[u8]) -> bool {
    matches!(text, b"+" | b"-" | b"~")
}

/// The break before the next line, with its indentation and the sign of a difference.
fn gap_between_lines(bytes: &[u8]) -> usize {
    let spaces = |bytes: &[u8]| {
        let spaces = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
        spaces.count()
    };
    let indent = spaces(bytes);
    match bytes.get(indent..indent + 2) {
        Some([sign, b' ']) if is_sign(&[*sign]) => indent + 1 + spaces(&bytes[indent + 1..]),
        Some(_) | None => indent,
    }
}

/// The end of wrapped base64 whose first line is given, and the end of the line before the last one: what is behind a
/// full line may be something else.
fn wrapped_end(bytes: &[u8], first: Range<usize>) -> (usize, usize) {
    let (mut line, mut before) = (first.clone(), first.end);
    while line.len() >= WRAPPED
        && line.len() == first.len()
        && matches!(bytes.get(line.end), Some(b'\n' | b'\r'))
    {
        let start = line.end + gap_between_lines(&bytes[line.end..]);
        let end = run_end(bytes, start);
        let is_alone = bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        if end == start || !is_alone {
            break;
        }
        before = line.end;
        line = start..end;
    }
    (line.end, before)
}

/// Whether its first characters encode a text, or something compressed.
fn may_encode_text(run: &str) -> bool {
    let run = run.trim_end_matches('=');
    let whole = run.len().min(SHORTEST_BASE64) / 4 * 4;
    let Some(start) = run.get(..whole) else {
        return false;
    };
    if start.starts_with("H4sI") {
        return true;
    }
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' | b'-' => 62,
        _ => 63,
    };
    // Of each four characters, three bytes; those of other alphabets than ASCII are looked at later.
    let bytes: Vec<u8> = start
        .as_bytes()
        .chunks_exact(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0, |bits, byte| (bits << 6) | digit(*byte));
            [bits >> 16, bits >> 8, bits].map(|byte| byte as u8)
        })
        .collect();
    let is_text = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\n\r\t".contains(byte);
    // In UTF-16, each second byte is zero.
    let bytes = bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(&bytes);
    bytes.iter().all(is_text)
        || bytes
            .chunks_exact(2)
            .all(|unit| is_text(&unit[0]) && unit[1] == 0)
}

/// A name and its value in a text: `NAME=value`, `"name": "value"`, `name = "value"`.
struct Pair<'t> {
    name: &'t str,
    start: usize,
    value: Range<usize>,
}

/// Finds values whose names say that they are credentials, also where the name is the value of a
/// `name` in the same object.
fn pairs(text: &str, hits: &mut Vec<Hit>) {
    let mut previous: Option<Pair<'_>> = None;
    for offset in memchr::memchr2_iter(b'=', b':', text.as_bytes()) {
        let Some((start, name)) = name_before(text, offset) else {
            continue;
        };
        let is_part = ["name", "key", "value"]
            .iter()
            .any(|part| name.eq_ignore_ascii_case(part));
        if !is_part && !is_named(name) {
            continue;
        }
        for value in values_after(text, offset) {
            let pair = Pair { name, start, value };
            if !is_part {
                add(text, name, &pair.value, hits);
                continue;
            }
            if let Some(other) = previous
                .take()
                .filter(|other| are_in_same_object(text, other, &pair))
            {
                for (of, value) in [(&other, &pair), (&pair, &other)] {
                    if !of.name.eq_ignore_ascii_case("value")
                        && value.name.eq_ignore_ascii_case("value")
                        && let Some(name) = text.get(of.value.clone())
                    {
                        add(text, name, &value.value, hits);
                    }
                }
            }
            previous = Some(pair);
        }
    }
}

fn add(text: &str, name: &str, range: &Range<usize>, hits: &mut Vec<Hit>) {
    let Some(value) = text.get(range.clone()) else {
        return;
    };
    // A value in XML begins behind its quote.
    if entity(&format!("{value};")).is_some_and(|(_, length)| length > value.len()) {
        return;
    }
    if let Some(what) = named(name, value) {
        hits.push(Hit::new(range.clone(), what, value.to_owned()));
    }
}

/// Returns whether two pairs are in the same object: nothing begins or ends between them.
fn are_in_same_object(text: &str, one: &Pair<'_>, other: &Pair<'_>) -> bool {
    const MAX_GAP: usize = 400;
    let gap = one.value.end..other.start;
    gap.len() <= MAX_GAP
        && text
            .get(gap)
            .is_some_and(|gap| !gap.contains(['{', '}', '[', ']']) && !gap.contains("- "))
}

/// The name that ends before a separator, which may be in quotes, and padded.
fn name_before(text: &str, offset: usize) -> Option<(usize, &str)> {
    const MAX_LEN: usize = 120;
    let bytes = text.as_bytes();
    let is_gap = |byte: &u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\');
    // No gap has a separator, so those of all separators together are not longer than the text.
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

/// The values after a separator: one, or the two of a change (`"a" -> "b"`).
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

/// A text in quotes, which may be escaped, and where it ends with its quotes.
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
        // Within escaped quotes, those of the text have more escapes.
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

/// A value without quotes. In YAML it is the rest of the line; elsewhere it ends where another pair begins, or with the
/// word. In a connection string, it ends at a semicolon only.
fn at_end_of_word(text: &str, separator: usize, start: usize) -> Range<usize> {
    // More of a line is not looked at, so that a long line with many pairs stays cheap.
    const MAX_BEFORE: usize = 256;
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
        // Words are a sentence.
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

/// Returns whether only indentation and the dash of a list come before a name.
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

/// `value;Other=value`
fn is_in_connection_string(line: &str) -> bool {
    line.split_once(';')
        .is_some_and(|(_, rest)| begins_pair(rest.trim_start()))
}

fn begins_pair(text: &str) -> bool {
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

#[cfg(test)]
mod tests;
