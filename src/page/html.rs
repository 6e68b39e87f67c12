//! An HTML writer that cannot write unescaped text.
//!
//! Invariants: the names of elements, classes and attributes are constants of the program; all texts and attribute
//! values are escaped, with hidden characters made visible; elements are properly nested; there are no comments, style
//! attributes or event handlers, and links lead to targets on the same page, or to a [`WebAddress`].

use std::fmt;
use std::io::{self, Write};

use crate::term::{Colour, Look, StyledText, Untrusted, is_suspect, push_visible};

/// The classes that many elements have. Their names are short, because a page has very many of them.
pub mod class {
    /// Something that is added.
    pub const ADDED: &str = "a";
    /// Something that is removed.
    pub const REMOVED: &str = "d";
    /// Something that is changed.
    pub const CHANGED: &str = "c";
    /// A value before a change.
    pub const OLD: &str = "o";
    /// A value after a change.
    pub const NEW: &str = "n";
    /// Something that matters little.
    pub const MUTED: &str = "m";
    /// Something that is set in bold.
    pub const BOLD: &str = "b";
    /// Something grave.
    pub const ALERT: &str = "x";
}

/// A finished part of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment(Vec<u8>);

impl Fragment {
    /// Makes a fragment of what `write` writes.
    pub fn new(write: impl FnOnce(&mut Html)) -> Self {
        let mut html = Html::default();
        write(&mut html);
        Self(html.bytes)
    }
}

/// A writer of HTML, which collects it in memory. There is no way to write data unescaped, or an attribute or address
/// that could run a script.
#[derive(Debug, Default)]
pub struct Html {
    pub(super) bytes: Vec<u8>,
    /// Whether a part of the HTML was written to a sink, so that `bytes` is not the beginning.
    has_given_away: bool,
}

impl Html {
    /// Writes an element with attributes. `write` writes its content.
    pub fn element<R>(
        &mut self,
        name: &'static str,
        attributes: &[Attribute<'_>],
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // The HTML that was written to a sink ends with a tag, so a block element needs a line break.
        let is_first = self.bytes.is_empty() && !self.has_given_away;
        if is_block(name) && !is_first && !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        self.bytes.push(b'<');
        self.bytes.extend_from_slice(name.as_bytes());
        attributes
            .iter()
            .for_each(|attribute| self.attribute(attribute));
        self.bytes.push(b'>');
        let result = write(self);
        self.bytes.extend_from_slice(b"</");
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(b'>');
        result
    }

    /// Writes an attribute of the start tag.
    fn attribute(&mut self, attribute: &Attribute<'_>) {
        match attribute {
            Attribute::Class(class) => self.quoted("class", class),
            Attribute::Id(id) => self.quoted("id", &id.to_string()),
            Attribute::Link(id) => self.quoted("href", &format!("#{id}")),
            Attribute::File(address) => self.quoted("href", &address.0),
            Attribute::Data(name, value) => self.quoted(name, value.0),
            Attribute::Fixed(name, value) => self.quoted(name, value),
            Attribute::Length(name, length) => self.quoted(name, &length.to_string()),
        }
    }

    /// Writes an attribute, with a space before it and its value in quotes.
    fn quoted(&mut self, name: &'static str, value: &str) {
        self.bytes.push(b' ');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"=\"");
        push_value(&mut self.bytes, value);
        self.bytes.push(b'"');
    }

    /// Writes a text of the program.
    pub fn text(&mut self, text: &'static str) {
        push_text(&mut self.bytes, text);
    }

    /// Writes a text of the input, escaped.
    pub fn data(&mut self, text: Untrusted<'_>) {
        push_text(&mut self.bytes, text.0);
    }

    /// Writes an element without attributes. `write` writes its content.
    pub fn tag<R>(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> R) -> R {
        self.element(name, &[], write)
    }

    /// Writes an element without attributes whose content is a text of the input.
    pub fn words(&mut self, name: &'static str, text: &str) {
        self.tag(name, |html| html.data(Untrusted(text)));
    }

    /// Writes an element with a class whose content is a text of the input.
    fn classed(&mut self, name: &'static str, class: &'static str, text: &str) {
        self.element(name, &[Attribute::Class(class)], |html| {
            html.data(Untrusted(text));
        });
    }

    /// Writes a link to a target. Without a target, only the content is written.
    pub fn link(&mut self, target: Option<Attribute<'_>>, write: impl FnOnce(&mut Self)) {
        match target {
            Some(target) => self.element("a", &[target], write),
            None => write(self),
        }
    }

    /// Writes an element that can be opened and closed. Its summary is always visible.
    pub fn details(
        &mut self,
        attributes: &[Attribute<'_>],
        summary: impl FnOnce(&mut Self),
        write: impl FnOnce(&mut Self),
    ) {
        self.element("details", attributes, |html| {
            html.tag("summary", summary);
            write(html);
        });
    }

    /// Writes a span with a class whose content is a text of the input.
    pub fn span(&mut self, class: &'static str, text: &str) {
        self.classed("span", class, text);
    }

    /// Writes a space and a remark with a class. An empty remark writes nothing.
    pub fn remark(&mut self, class: &'static str, text: &str) {
        if !text.is_empty() {
            self.text(" ");
            self.span(class, text);
        }
    }

    /// Writes a strong element with a class whose content is a text of the input.
    pub fn strong(&mut self, class: &'static str, text: &str) {
        self.classed("strong", class, text);
    }

    /// Writes a paragraph with a class whose content is a text of the input.
    pub fn paragraph(&mut self, class: &'static str, text: &str) {
        self.classed("p", class, text);
    }

    /// Writes a text of the input in code font.
    pub fn code(&mut self, text: &str) {
        self.words("code", text);
    }

    /// Writes a list with a class and an element for each item. An empty list writes nothing.
    pub fn list<T>(&mut self, class: &'static str, items: &[T], write: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.element("ul", &[Attribute::Class(class)], |html| {
            items
                .iter()
                .for_each(|item| html.tag("li", |html| write(html, item)));
        });
    }

    /// Writes a list of links to places on the page: the place, the text of the link, and a remark after it.
    pub fn index(&mut self, label: &'static str, links: &[(Id, String, impl AsRef<str>)]) {
        self.element("nav", &[Attribute::Fixed("aria-label", label)], |html| {
            html.element("ul", &[], |html| {
                for (id, title, remark) in links {
                    html.element("li", &[], |html| {
                        html.element("a", &[Attribute::Link(*id)], |html| {
                            html.data(Untrusted(title));
                        });
                        if !remark.as_ref().is_empty() {
                            html.data(Untrusted(&format!(" {}", remark.as_ref())));
                        }
                    });
                }
            });
        });
    }

    /// Writes a finished fragment, which is not escaped again.
    pub fn fragment(&mut self, fragment: &Fragment) {
        self.bytes.extend_from_slice(&fragment.0);
    }

    /// Writes the HTML that was collected so far to `sink`, and forgets it, so that a large page is not held in memory.
    ///
    /// # Errors
    ///
    /// If writing fails. What was collected is forgotten in this case, too.
    pub fn write_out(&mut self, sink: &mut dyn Write) -> io::Result<()> {
        let result = sink.write_all(&self.bytes);
        self.has_given_away |= !self.bytes.is_empty();
        self.bytes.clear();
        result
    }
}

/// Whether an element is a block, before which a line break is invisible.
fn is_block(name: &str) -> bool {
    !matches!(name, "a" | "code" | "rect" | "span" | "strong" | "svg")
}

/// The ID of an element on the page, to which links lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// The main content.
    Content,
    /// A change, by its number.
    Change(usize),
    /// A section, by its number.
    Section(usize),
    /// The review of one plan, by its number.
    Part(usize),
    /// A part of the page of a run.
    Run(RunPart),
}

/// A part of the page of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// The failures.
    Failures,
    /// The operations that never started.
    NotStarted,
    /// The review of the plan.
    Review,
    /// The operations over time.
    Timeline,
    /// The data sources that were read.
    Reads,
    /// The warnings.
    Warnings,
}

impl fmt::Display for Id {
    /// Writes the ID as the page has it, such as `r12` for a change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content => f.write_str("content"),
            Self::Change(number) => write!(f, "r{number}"),
            Self::Section(number) => write!(f, "s{number}"),
            Self::Part(number) => write!(f, "u{number}"),
            Self::Run(part) => f.write_str(match part {
                RunPart::Failures => "failures",
                RunPart::NotStarted => "not-started",
                RunPart::Review => "review",
                RunPart::Timeline => "timeline",
                RunPart::Reads => "reads",
                RunPart::Warnings => "warnings",
            }),
        }
    }
}

/// An address that is safe to link to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(String);

impl WebAddress {
    /// Returns the address if a link to it is safe: its scheme is `https` or `http`, and it has only characters that
    /// addresses may have.
    pub fn new(text: String) -> Option<Self> {
        let is_web = text.starts_with("https://") || text.starts_with("http://");
        let may = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&*+,;=%".contains(&byte);
        (is_web && text.bytes().all(may)).then_some(Self(text))
    }
}

/// A length in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number of CSS pixels.
    Pixels(u32),
    /// A number of hundredths of a percent of the drawing.
    Share(u32),
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pixels(pixels) => write!(f, "{pixels}"),
            Self::Share(share) => write!(f, "{}.{:02}%", share / 100, share % 100),
        }
    }
}

/// An attribute of an element.
#[derive(Clone, Copy, Debug)]
pub enum Attribute<'a> {
    /// The class of the element.
    Class(&'static str),
    /// The ID of the element.
    Id(Id),
    /// A link to a place on the page.
    Link(Id),
    /// A link to a file.
    File(&'a WebAddress),
    /// A `data-` attribute with a text of the input.
    Data(&'static str, Untrusted<'a>),
    /// An attribute with a fixed value.
    Fixed(&'static str, &'static str),
    /// An attribute with a length.
    Length(&'static str, Length),
}

impl Html {
    /// Writes the tool's text with classes for its colors. A line that begins with a sign has a class as a whole.
    pub fn styled(&mut self, text: &StyledText) {
        for line in text.lines() {
            match sign(&line) {
                Some((sign, class)) => self.element("span", &[Attribute::Class(class)], |html| {
                    html.parts(&line, Some(sign));
                }),
                None => self.parts(&line, None),
            }
            self.text("\n");
        }
    }

    /// Writes the parts of a line. The one with the index `sign` has no class, because its line has one.
    fn parts(&mut self, line: &[(Look, &str)], sign: Option<usize>) {
        for (index, (look, text)) in line.iter().enumerate() {
            match class_of(*look).filter(|_| sign != Some(index)) {
                Some(class) => self.span(class, text),
                None => self.data(Untrusted(text)),
            }
        }
    }
}

/// Finds the sign at the beginning of a line of the tools' text by its color, and returns its index with the class of
/// the line.
fn sign(line: &[(Look, &str)]) -> Option<(usize, &'static str)> {
    let index = line
        .iter()
        .position(|(_, text)| !text.trim_start_matches(' ').is_empty())?;
    let (look, text) = line.get(index)?;
    let is_before_slash = line
        .get(index + 1)
        .is_some_and(|(_, next)| next.starts_with('/'));
    let class = match (look.colour?, *text) {
        (Colour::Red | Colour::Green, "-" | "+") if is_before_slash => class::CHANGED,
        (Colour::Green, "+") => class::ADDED,
        (Colour::Red, "-") => class::REMOVED,
        (Colour::Yellow, "~") => class::CHANGED,
        (
            Colour::Red
            | Colour::Green
            | Colour::Yellow
            | Colour::Cyan
            | Colour::White
            | Colour::Grey,
            _,
        ) => return None,
    };
    Some((index, class))
}

/// Returns the class for a look. The colors of arrows have none, because their line has a class.
fn class_of(look: Look) -> Option<&'static str> {
    match look.colour {
        Some(Colour::Red) => Some(class::ALERT),
        Some(Colour::Grey) => Some(class::MUTED),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan | Colour::White) | None if look.bold => {
            Some(class::BOLD)
        }
        Some(Colour::Green | Colour::Yellow | Colour::Cyan | Colour::White) | None => None,
    }
}

/// The bytes that must be escaped in one kind of text.
struct Special {
    /// The bytes to escape.
    all: &'static [u8],
    /// For each byte, whether it is printable ASCII and needs no escaping. Most texts have no others.
    plain: [bool; 256],
}

impl Special {
    /// Makes the table of the bytes that are escaped, at compile time.
    const fn new(all: &'static [u8]) -> Self {
        let mut plain = [false; 256];
        let mut byte = b' ';
        while byte <= b'~' {
            plain[byte as usize] = true;
            byte += 1;
        }
        let mut index = 0;
        while index < all.len() {
            plain[all[index] as usize] = false;
            index += 1;
        }
        Self { all, plain }
    }
}

/// The bytes to escape between tags.
static IN_TEXT: Special = Special::new(b"&<>\r");
/// The bytes to escape in the value of an attribute.
static IN_VALUE: Special = Special::new(b"&<>\r\"'");

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_escaped(bytes, text, &IN_TEXT);
}

fn push_value(bytes: &mut Vec<u8>, text: &str) {
    push_escaped(bytes, text, &IN_VALUE);
}

/// Appends a text with markup escaped and hidden characters made visible.
fn push_escaped(bytes: &mut Vec<u8>, text: &str, special: &Special) {
    // Most texts are short and plain, so one look at each byte should be enough.
    if text.bytes().all(|byte| special.plain[usize::from(byte)]) {
        bytes.extend_from_slice(text.as_bytes());
        return;
    }
    let mut visible = Vec::new();
    if is_suspect(text) {
        push_visible(&mut visible, text);
    }
    let mut text = if visible.is_empty() {
        text.as_bytes()
    } else {
        &*visible
    };
    while let Some(offset) = text.iter().position(|byte| special.all.contains(byte)) {
        let (plain, rest) = text.split_at(offset);
        let Some((special, rest)) = rest.split_first() else {
            break;
        };
        bytes.extend_from_slice(plain);
        bytes.extend_from_slice(match special {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // HTML parsers normalize CR LF to a line feed, which would hide the CR.
            _ => "␍".as_bytes(),
        });
        text = rest;
    }
    bytes.extend_from_slice(text);
}

#[cfg(test)]
mod tests;
