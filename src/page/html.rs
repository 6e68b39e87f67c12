//! An HTML writer that cannot write unescaped text.
//!
//! Invariants: elements, classes and attribute names are closed sets; all texts and attribute values are
//! escaped, with hidden characters made visible; elements are properly nested; there are no comments, style
//! attributes or event handlers, and links lead to targets on the same page, or to a [`WebAddress`](super::WebAddress).

use std::io::{self, Write};

use super::escape::{push_text, push_value};
use super::parts::{Attribute, Class, Element, Id};
use crate::term::Untrusted;

/// Written HTML, to be inserted into a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment(Vec<u8>);

impl Fragment {
    /// The output of `write`.
    pub fn new(write: impl FnOnce(&mut Html)) -> Self {
        Self::with_capacity(0, write)
    }

    /// The output of `write`, which is about `bytes` long.
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
    /// Whether some output has already been written to the sink.
    has_given_away: bool,
}

impl Html {
    /// Writes an element, with the output of `write` as its content.
    pub fn element<R>(
        &mut self,
        element: Element,
        attributes: &[Attribute<'_>],
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // Output that was written to the sink ends with a tag.
        let is_first = self.bytes.is_empty() && !self.has_given_away;
        if element.is_block() && !is_first && !self.bytes.ends_with(b"\n") {
            self.bytes.push(b'\n');
        }
        self.bytes.push(b'<');
        self.bytes.extend_from_slice(element.0.as_bytes());
        attributes.iter().for_each(|attribute| self.attribute(attribute));
        self.bytes.push(b'>');
        let result = write(self);
        self.bytes.extend_from_slice(b"</");
        self.bytes.extend_from_slice(element.0.as_bytes());
        self.bytes.push(b'>');
        result
    }

    fn attribute(&mut self, attribute: &Attribute<'_>) {
        match attribute {
            Attribute::Class(class) => self.quoted("class", class.0),
            Attribute::Id(id) => self.quoted("id", &id.to_string()),
            Attribute::Link(id) => self.quoted("href", &format!("#{id}")),
            Attribute::File(address) => self.quoted("href", &address.0),
            Attribute::Data(data, value) => self.quoted(data.0, value.0),
            Attribute::Label(label) => self.quoted("aria-label", label),
            Attribute::Open => self.quoted("open", ""),
            Attribute::X(length) => self.quoted("x", &length.to_string()),
            Attribute::Width(length) => self.quoted("width", &length.to_string()),
            Attribute::Height(length) => self.quoted("height", &length.to_string()),
            Attribute::Decorative => self.quoted("aria-hidden", "true"),
            Attribute::OfColumn => self.quoted("scope", "col"),
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

    /// Writes a text from the input in an element with a class.
    fn classed(&mut self, element: Element, class: Class, text: &str) {
        self.element(element, &[Attribute::Class(class)], |html| html.data(Untrusted(text)));
    }

    /// Writes a piece of text.
    pub fn span(&mut self, class: Class, text: &str) {
        self.classed(Element::SPAN, class, text);
    }

    /// Writes a space and a piece of text, unless the text is empty.
    pub fn remark(&mut self, class: Class, text: &str) {
        if !text.is_empty() {
            self.text(" ");
            self.span(class, text);
        }
    }

    /// Writes an important piece of text.
    pub fn strong(&mut self, class: Class, text: &str) {
        self.classed(Element::STRONG, class, text);
    }

    /// Writes a paragraph.
    pub fn paragraph(&mut self, class: Class, text: &str) {
        self.classed(Element::P, class, text);
    }

    /// Writes code, such as an address.
    pub fn code(&mut self, text: &str) {
        self.element(Element::CODE, &[], |html| html.data(Untrusted(text)));
    }

    /// Writes a list, unless it is empty.
    pub fn list<T>(&mut self, class: Class, items: &[T], write: impl Fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.element(Element::UL, &[Attribute::Class(class)], |html| {
            items.iter().for_each(|item| html.element(Element::LI, &[], |html| write(html, item)));
        });
    }

    /// Writes links to the parts of the page, each with a title and a remark.
    pub fn index(&mut self, label: &'static str, links: &[(Id, String, impl AsRef<str>)]) {
        self.element(Element::NAV, &[Attribute::Label(label)], |html| {
            html.element(Element::UL, &[], |html| {
                for (id, title, remark) in links {
                    html.element(Element::LI, &[], |html| {
                        html.element(Element::A, &[Attribute::Link(*id)], |html| html.data(Untrusted(title)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Data;

    #[test]
    fn no_text_is_markup() {
        let hostile = "</script><img onerror='x' a=\"-->&amp;\u{202e}\u{1b}[8m\r\n";
        let fragment = Fragment::new(|html| {
            html.element(Element::PRE, &[Attribute::Data(Data::FINDINGS, Untrusted(hostile))], |html| {
                html.data(Untrusted(hostile));
            });
        });
        let text = "&lt;/script&gt;&lt;img onerror='x' a=\"--&gt;&amp;amp;&lt;U+202E&gt;␛[8m␍\n";
        let value = text.replace('\'', "&#39;").replace('"', "&quot;");
        let expected = format!("<pre data-findings=\"{value}\">{text}</pre>");
        assert_eq!(String::from_utf8(fragment.0).unwrap(), expected);
    }
}
