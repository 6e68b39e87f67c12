//! The body of a change on a page: the text of `show`, with each changed line marked.

use std::io;

use crate::page::{Attribute, Class, Element, Fragment, Html};
use crate::term::{Colour, Look, Untrusted, pieces};

/// The maximum length of a text on the page, in bytes.
const MAX_LEN: usize = 64 << 10;

/// The text of a change as HTML.
#[derive(Debug, Default)]
pub struct Body {
    pub(super) html: Fragment,
    /// The top-level attributes and blocks with a changed line, sorted.
    changed: Vec<String>,
    /// The number of lines left out, and their length in bytes.
    pub(super) cut: Option<(usize, usize)>,
}

/// The column of the signs of top-level attributes of a resource.
pub const RESOURCE_SIGNS: usize = 6;
/// The column of the signs of outputs.
pub const OUTPUT_SIGNS: usize = 2;

/// Converts a text to a [`Body`] while it is written, because the text may be much longer than the body.
/// `SIGNS` is the column of the signs of its top-level attributes and blocks.
#[derive(Debug, Default)]
pub struct BodyWriter<const SIGNS: usize> {
    body: Body,
    html: Html,
    length: usize,
    /// The incomplete last line.
    line: Vec<u8>,
}

impl<const SIGNS: usize> BodyWriter<SIGNS> {
    /// Adds the next part of the text, with the escape sequences of its styles.
    fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at(end + 1);
            if self.line.is_empty() {
                self.add(line);
            } else {
                let mut begun = std::mem::take(&mut self.line);
                begun.extend_from_slice(line);
                self.add(&begun);
                begun.clear();
                self.line = begun;
            }
            bytes = rest;
        }
        self.line.extend_from_slice(bytes);
    }

    /// The body, after all of the text has been added.
    pub fn body(mut self) -> Body {
        let last = std::mem::take(&mut self.line);
        if !last.is_empty() {
            self.add(&last);
        }
        self.body.changed.sort_unstable();
        self.body.changed.dedup();
        self.body.html = self.html.into();
        self.body
    }

    fn add(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let line = Line::new(&text);
        match &mut self.body.cut {
            Some((lines, bytes)) => {
                *lines += 1;
                *bytes += line.length;
            }
            None => {
                self.body.changed.extend(line.key(SIGNS));
                line.write(&mut self.html, MAX_LEN - self.length);
                self.length += line.length;
                if self.length > MAX_LEN {
                    self.body.cut = Some((0, self.length - MAX_LEN));
                    self.length = MAX_LEN;
                }
            }
        }
    }
}

impl<const SIGNS: usize> io::Write for BodyWriter<SIGNS> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// Whether the top-level attribute or block has a changed line.
    pub(super) fn shows_change_of(&self, name: &str) -> bool {
        let key = crate::text::key(name);
        self.changed.binary_search_by(|changed| changed.as_str().cmp(&key)).is_ok()
    }

    /// The changed top-level attributes and blocks.
    pub(super) fn changed(&self) -> &[String] {
        &self.changed
    }
}

/// A line of a text, in pieces.
struct Line<'t> {
    pieces: Vec<(Look, &'t str)>,
    length: usize,
    /// The index of its sign among the pieces, and the class of the sign.
    sign: Option<(usize, Class)>,
}

impl<'t> Line<'t> {
    /// Parses a line of a text with escape sequences.
    fn new(line: &'t str) -> Self {
        let pieces: Vec<_> = pieces(line.strip_suffix('\n').unwrap_or(line)).collect();
        let length = pieces.iter().map(|(_, text)| text.len()).sum::<usize>() + 1;
        let first = pieces.iter().position(|(_, text)| !text.trim_start_matches(' ').is_empty());
        let sign = first.and_then(|at| {
            let (look, text) = pieces.get(at)?;
            let followed_by_slash = pieces.get(at + 1).is_some_and(|(_, next)| next.starts_with('/'));
            let class = match (look.colour?, *text) {
                (Colour::Red | Colour::Green, "-" | "+") if followed_by_slash => Class::Changed,
                (Colour::Green, "+") => Class::Added,
                (Colour::Red, "-") => Class::Removed,
                (Colour::Yellow, "~") => Class::Changed,
                (Colour::Red | Colour::Green | Colour::Yellow | Colour::Cyan | Colour::Grey, _) => {
                    return None;
                }
            };
            Some((at, class))
        });
        Self { pieces, length, sign }
    }

    /// The attribute or block at the start of the line, if its sign is in the column `signs`.
    fn key(&self, signs: usize) -> Option<String> {
        let (at, _) = self.sign?;
        let before: usize = self.pieces.get(..at)?.iter().map(|(_, text)| text.len()).sum();
        if before != signs {
            return None;
        }
        let rest = self.pieces.get(at + 1)?.1.strip_prefix(' ')?;
        let end = match rest.strip_prefix('"') {
            Some(quoted) => closing_quote(quoted)? + 2,
            None => rest.find(' ').unwrap_or(rest.len()),
        };
        rest.get(..end).map(str::to_owned)
    }

    /// Writes at most the given number of bytes of the line.
    fn write(&self, html: &mut Html, limit: usize) {
        let class = self.sign.map(|(_, class)| class);
        match class {
            Some(class) => {
                html.element(Element::Span, &[Attribute::Class(class)], |html| {
                    self.write_pieces(html, limit);
                });
            }
            None => self.write_pieces(html, limit),
        }
        html.text("\n");
    }

    fn write_pieces(&self, html: &mut Html, mut limit: usize) {
        for (at, (look, text)) in self.pieces.iter().enumerate() {
            let shown = prefix(text, limit);
            limit -= shown.len();
            if shown.is_empty() {
                continue;
            }
            let is_sign = self.sign.is_some_and(|(sign, _)| sign == at);
            match class_of(*look).filter(|_| !is_sign) {
                Some(class) => html
                    .element(Element::Span, &[Attribute::Class(class)], |html| html.data(Untrusted(shown))),
                None => html.data(Untrusted(shown)),
            }
        }
    }
}

/// The longest beginning of a text with at limit `limit` bytes.
fn prefix(text: &str, limit: usize) -> &str {
    (0..=limit.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// The position of the quote that ends a string.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

/// The class of a piece of a line. Arrows have none, because their line is marked.
fn class_of(look: Look) -> Option<Class> {
    match look.colour {
        Some(Colour::Red) => Some(Class::Alert),
        Some(Colour::Grey) => Some(Class::Muted),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None if look.bold => Some(Class::Bold),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None => None,
    }
}
