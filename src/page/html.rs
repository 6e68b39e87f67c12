//! An HTML writer that cannot write unescaped text.
//!
//! Invariants: the names of elements, classes and attributes are constants of the program; all texts and attribute values
//! are escaped, with hidden characters made visible; elements are properly nested; there are no comments, style
//! attributes or event handlers, and links lead to targets on the same page, or to a [`WebAddress`].

use std::fmt;
use std::io::{self, Write};

use crate::term::{Colour, Look, StyledText, Untrusted, is_suspect, push_visible};

/// The classes of lines and pieces of text. Their names are short, because a page has very many of them.
pub mod class {
    /// A line that is added.
    pub const ADDED: &str = "a";
    /// A line that is removed.
    pub const REMOVED: &str = "d";
    /// A line that changes.
    pub const CHANGED: &str = "c";
    /// Unimportant words.
    pub const MUTED: &str = "m";
    /// Words in bold.
    pub const BOLD: &str = "b";
    /// Words that must be noticed.
    pub const ALERT: &str = "x";
}

/// Written HTML, to be inserted into a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment(Vec<u8>);

impl Fragment {
    /// The output of `write`.
    pub fn new(write: impl FnOnce(&mut Html)) -> Self {
        let mut html = Html::default();
        write(&mut html);
        Self(html.bytes)
    }
}

/// Writes HTML.
#[derive(Debug, Default)]
pub struct Html {
    pub(super) bytes: Vec<u8>,
    /// Whether some output has already been written to the sink.
    has_given_away: bool,
}

impl Html {
    /// Writes an element, with the output of `write` as its content.
    pub fn element<R>(
        &mut self,
        name: &'static str,
        attributes: &[Attribute<'_>],
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // Output that was written to the sink ends with a tag.
        let is_first = self.bytes.is_empty() && !self.has_given_away;
        if is_block(name) && !is_first && !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        self.bytes.push(b'<');
        self.bytes.extend_from_slice(name.as_bytes());
        attributes.iter().for_each(|attribute| self.attribute(attribute));
        self.bytes.push(b'>');
        let result = write(self);
        self.bytes.extend_from_slice(b"</");
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(b'>');
        result
    }

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

    fn quoted(&mut self, name: &'static str, value: &str) {
        self.bytes.push(b' ');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"=\"");
        push_value(&mut self.bytes, value);
        self.bytes.push(b'"');
    }

    /// Writes a trusted text.
    pub fn text(&mut self, text: &'static str) {
        push_text(&mut self.bytes, text);
    }

    /// Writes a text from the input.
    pub fn data(&mut self, text: Untrusted<'_>) {
        push_text(&mut self.bytes, text.0);
    }

    /// Writes an element without attributes.
    pub fn tag<R>(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> R) -> R {
        self.element(name, &[], write)
    }

    /// Writes an element without attributes that contains a text from the input.
    pub fn words(&mut self, name: &'static str, text: &str) {
        self.tag(name, |html| html.data(Untrusted(text)));
    }

    /// Writes a text from the input in an element with a class.
    fn classed(&mut self, name: &'static str, class: &'static str, text: &str) {
        self.element(name, &[Attribute::Class(class)], |html| html.data(Untrusted(text)));
    }

    /// Writes a link, or only its content if there is no target.
    pub fn link(&mut self, target: Option<Attribute<'_>>, write: impl FnOnce(&mut Self)) {
        match target {
            Some(target) => self.element("a", &[target], write),
            None => write(self),
        }
    }

    /// Writes a collapsible part.
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

    /// Writes a piece of text.
    pub fn span(&mut self, class: &'static str, text: &str) {
        self.classed("span", class, text);
    }

    /// Writes a space and a piece of text, unless the text is empty.
    pub fn remark(&mut self, class: &'static str, text: &str) {
        if !text.is_empty() {
            self.text(" ");
            self.span(class, text);
        }
    }

    /// Writes an important piece of text.
    pub fn strong(&mut self, class: &'static str, text: &str) {
        self.classed("strong", class, text);
    }

    /// Writes a paragraph.
    pub fn paragraph(&mut self, class: &'static str, text: &str) {
        self.classed("p", class, text);
    }

    /// Writes code, such as an address.
    pub fn code(&mut self, text: &str) {
        self.words("code", text);
    }

    /// Writes a list, unless it is empty.
    pub fn list<T>(&mut self, class: &'static str, items: &[T], write: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.element("ul", &[Attribute::Class(class)], |html| {
            items.iter().for_each(|item| html.tag("li", |html| write(html, item)));
        });
    }

    /// Writes links to the parts of the page, each with a title and a remark.
    pub fn index(&mut self, label: &'static str, links: &[(Id, String, impl AsRef<str>)]) {
        self.element("nav", &[Attribute::Fixed("aria-label", label)], |html| {
            html.element("ul", &[], |html| {
                for (id, title, remark) in links {
                    html.element("li", &[], |html| {
                        html.element("a", &[Attribute::Link(*id)], |html| html.data(Untrusted(title)));
                        if !remark.as_ref().is_empty() {
                            html.data(Untrusted(&format!(" {}", remark.as_ref())));
                        }
                    });
                }
            });
        });
    }

    /// Inserts a fragment.
    pub fn place(&mut self, fragment: &Fragment) {
        self.bytes.extend_from_slice(&fragment.0);
    }

    /// Writes the output so far to `sink`, and clears the buffer.
    ///
    /// # Errors
    /// If writing to `sink` fails.
    pub fn write_out(&mut self, sink: &mut dyn Write) -> io::Result<()> {
        let result = sink.write_all(&self.bytes);
        self.has_given_away |= !self.bytes.is_empty();
        self.bytes.clear();
        result
    }
}

/// Whether a line break before an element is invisible.
fn is_block(name: &str) -> bool {
    !matches!(name, "a" | "code" | "rect" | "span" | "strong" | "svg")
}

/// The target of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// The content.
    Content,
    /// A change.
    Change(usize),
    /// A module, or another section.
    Section(usize),
    /// The part about a plan.
    Part(usize),
    /// A part of a run.
    Run(RunPart),
}

/// A part of a page of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// The failures.
    Failures,
    /// The changes that never started.
    NotStarted,
    /// The review of the plan.
    Review,
    /// The changes, in order.
    Timeline,
    /// The reads.
    Reads,
    /// The warnings.
    Warnings,
}

impl fmt::Display for Id {
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

/// The address of a file on the web that a link may lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(String);

impl WebAddress {
    /// The address, if its scheme is `https` or `http`, and it has only characters that addresses may have.
    pub fn new(text: String) -> Option<Self> {
        let is_web = text.starts_with("https://") || text.starts_with("http://");
        let may = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&*+,;=%".contains(&byte);
        (is_web && text.bytes().all(may)).then_some(Self(text))
    }
}

/// A length in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// In pixels.
    Pixels(u32),
    /// In hundredths of a per cent of the drawing.
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

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub enum Attribute<'a> {
    /// The role of the element for the style and the script.
    Class(&'static str),
    /// Its ID.
    Id(Id),
    /// The target of a link, on the page.
    Link(Id),
    /// The file that a link leads to.
    File(&'a WebAddress),
    /// Its data for the script: the name of the attribute, and the value.
    Data(&'static str, Untrusted<'a>),
    /// The name and value of any other attribute.
    Fixed(&'static str, &'static str),
    /// A size or place in a drawing.
    Length(&'static str, Length),
}

impl Html {
    /// Writes the lines of a text.
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

    /// Writes the parts of a line. The sign has no class, because its line has one.
    fn parts(&mut self, line: &[(Look, &str)], sign: Option<usize>) {
        for (at, (look, text)) in line.iter().enumerate() {
            match class_of(*look).filter(|_| sign != Some(at)) {
                Some(class) => self.span(class, text),
                None => self.data(Untrusted(text)),
            }
        }
    }
}

/// The position of the sign at the start of a line, and the class of the line.
fn sign(line: &[(Look, &str)]) -> Option<(usize, &'static str)> {
    let at = line.iter().position(|(_, text)| !text.trim_start_matches(' ').is_empty())?;
    let (look, text) = line.get(at)?;
    let is_before_slash = line.get(at + 1).is_some_and(|(_, next)| next.starts_with('/'));
    let class = match (look.colour?, *text) {
        (Colour::Red | Colour::Green, "-" | "+") if is_before_slash => class::CHANGED,
        (Colour::Green, "+") => class::ADDED,
        (Colour::Red, "-") => class::REMOVED,
        (Colour::Yellow, "~") => class::CHANGED,
        (Colour::Red | Colour::Green | Colour::Yellow | Colour::Cyan | Colour::Grey, _) => return None,
    };
    Some((at, class))
}

/// The class of a part of a line. Arrows have none, because their line is marked.
fn class_of(look: Look) -> Option<&'static str> {
    match look.colour {
        Some(Colour::Red) => Some(class::ALERT),
        Some(Colour::Grey) => Some(class::MUTED),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None if look.bold => Some(class::BOLD),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None => None,
    }
}

/// Appends a text between tags, escaped and with hidden characters made visible.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_escaped(bytes, text, |byte| matches!(byte, b'&' | b'<' | b'>' | b'\r'));
}

/// Appends the value of an attribute, for use in double quotes.
fn push_value(bytes: &mut Vec<u8>, text: &str) {
    push_escaped(bytes, text, |byte| matches!(byte, b'&' | b'<' | b'>' | b'\r' | b'"' | b'\''));
}

fn push_escaped(bytes: &mut Vec<u8>, text: &str, is_special: impl Fn(u8) -> bool) {
    let mut visible = Vec::new();
    if is_suspect(text) {
        push_visible(&mut visible, text);
    }
    let mut text = if visible.is_empty() { text.as_bytes() } else { &*visible };
    while let Some(at) = text.iter().position(|byte| is_special(*byte)) {
        let (plain, rest) = text.split_at(at);
        let Some((special, rest)) = rest.split_first() else { break };
        bytes.extend_from_slice(plain);
        bytes.extend_from_slice(match special {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // HTML parsers normalise CR LF to a line feed, which would hide the CR.
            _ => "␍".as_bytes(),
        });
        text = rest;
    }
    bytes.extend_from_slice(text);
}

#[cfg(test)]
mod tests;
