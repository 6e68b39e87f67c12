//! A writer of HTML that has no way to write a text unescaped.
//!
//! Invariants: elements, classes and attribute names are closed sets; every text and every attribute
//! value is escaped, with hidden characters made visible; elements are closed in the order in
//! which they were opened; there are no comments, no style attributes, no event handlers, and no links
//! but those to a place of the page itself.

use std::io::{self, Write};

use super::escape::{push_text, push_value};
use super::parts::{Attribute, Element};
use crate::term::Untrusted;

/// HTML that was written, to be placed into a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment(Vec<u8>);

impl Fragment {
    /// What `write` writes.
    pub fn new(write: impl FnOnce(&mut Html)) -> Self {
        Self::with_capacity(0, write)
    }

    /// What `write` writes, which is about so many bytes.
    pub fn with_capacity(bytes: usize, write: impl FnOnce(&mut Html)) -> Self {
        let mut html = Html { bytes: Vec::with_capacity(bytes), ..Html::default() };
        write(&mut html);
        if html.bytes.len() < html.bytes.capacity() / 2 {
            html.bytes.shrink_to_fit();
        }
        Self(html.bytes)
    }
}

/// Writes HTML.
#[derive(Debug, Default)]
pub struct Html {
    pub(super) bytes: Vec<u8>,
    /// Some of what was written is at its sink already.
    has_given_away: bool,
}

impl Html {
    /// Writes an element with what `write` writes inside.
    pub fn element<R>(
        &mut self,
        element: Element,
        attributes: &[Attribute<'_>],
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // What was given away ends in a tag.
        let is_first = self.bytes.is_empty() && !self.has_given_away;
        if element.is_block() && !is_first && !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        self.bytes.push(b'<');
        self.bytes.extend_from_slice(element.name().as_bytes());
        attributes.iter().for_each(|attribute| self.attribute(attribute));
        self.bytes.push(b'>');
        let result = write(self);
        self.bytes.extend_from_slice(b"</");
        self.bytes.extend_from_slice(element.name().as_bytes());
        self.bytes.push(b'>');
        result
    }

    fn attribute(&mut self, attribute: &Attribute<'_>) {
        let name = match attribute {
            Attribute::Class(_) => "class",
            Attribute::Id(_) => "id",
            Attribute::Link(_) => "href",
            Attribute::Data(data, _) => data.name(),
            Attribute::Label(_) => "aria-label",
            Attribute::Open => "open",
            Attribute::X(_) => "x",
            Attribute::Width(_) => "width",
            Attribute::Height(_) => "height",
            Attribute::Decorative => "aria-hidden",
            Attribute::OfColumn => "scope",
        };
        self.bytes.push(b' ');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"=\"");
        match attribute {
            Attribute::Class(class) => self.bytes.extend_from_slice(class.name().as_bytes()),
            Attribute::Id(id) => id.write(&mut self.bytes),
            Attribute::Link(id) => {
                self.bytes.push(b'#');
                id.write(&mut self.bytes);
            }
            Attribute::Data(_, value) => push_value(&mut self.bytes, value.0),
            Attribute::Label(label) => push_value(&mut self.bytes, label),
            Attribute::Open => {}
            Attribute::X(length) | Attribute::Width(length) | Attribute::Height(length) => {
                length.write(&mut self.bytes);
            }
            Attribute::Decorative => self.bytes.extend_from_slice(b"true"),
            Attribute::OfColumn => self.bytes.extend_from_slice(b"col"),
        }
        self.bytes.push(b'"');
    }

    /// Writes a text of our own.
    pub fn text(&mut self, text: &'static str) {
        push_text(&mut self.bytes, text);
    }

    /// Writes a text that may come from the input.
    pub fn data(&mut self, text: Untrusted<'_>) {
        push_text(&mut self.bytes, text.0);
    }

    /// Places what was written elsewhere.
    pub fn place(&mut self, fragment: &Fragment) {
        self.bytes.extend_from_slice(&fragment.0);
    }

    /// Gives what was written so far to `sink`, and forgets it.
    ///
    /// # Errors
    /// `sink` cannot be written.
    pub fn write_out(&mut self, sink: &mut dyn Write) -> io::Result<()> {
        let result = sink.write_all(&self.bytes);
        self.has_given_away |= !self.bytes.is_empty();
        self.bytes.clear();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Data;

    #[test]
    fn no_text_is_markup() {
        let hostile = "</script><img onerror='x' a=\"-->&amp;\u{202e}\u{1b}[8m\r\n";
        let fragment = Fragment::new(|html| {
            html.element(Element::Pre, &[Attribute::Data(Data::Names, Untrusted(hostile))], |html| {
                html.data(Untrusted(hostile));
            });
        });
        let text = "&lt;/script&gt;&lt;img onerror='x' a=\"--&gt;&amp;amp;&lt;U+202E&gt;␛[8m␍\n";
        let value = text.replace('\'', "&#39;").replace('"', "&quot;");
        let expected = format!("<pre data-names=\"{value}\">{text}</pre>");
        assert_eq!(String::from_utf8(fragment.0).unwrap(), expected);
    }
}
