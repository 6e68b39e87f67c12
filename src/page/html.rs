//! A writer of HTML that has no way to write a text unescaped.
//!
//! Invariants: elements, classes and attribute names are closed sets; every text and every attribute
//! value is escaped here, with hidden characters made visible; elements are closed in the order in
//! which they were opened; there are no comments, no style attributes, no event handlers, and no links
//! but those to a place of the page itself.

use std::io::{self, Write};

use crate::term::{Untrusted, may_begin_one, push_visible};

/// The elements that a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A link to a place of the page.
    A,
    /// Code: an address.
    Code,
    /// What opens and closes.
    Details,
    /// A part without a meaning of its own.
    Div,
    /// The page's title.
    H1,
    /// A plan's title.
    H2,
    /// A section's title.
    H3,
    /// The top of the page.
    Header,
    /// An item of a list.
    Li,
    /// The page's content.
    Main,
    /// The index.
    Nav,
    /// A paragraph.
    P,
    /// Text as it is laid out.
    Pre,
    /// A bar of a drawing.
    Rect,
    /// A section.
    Section,
    /// A piece of text.
    Span,
    /// An important piece of text.
    Strong,
    /// What of [`Element::Details`] is always there.
    Summary,
    /// A drawing.
    Svg,
    /// A table.
    Table,
    /// The rows of a table.
    Tbody,
    /// A cell of a table.
    Td,
    /// The head of a column.
    Th,
    /// The heads of a table.
    Thead,
    /// A row of a table.
    Tr,
    /// A list.
    Ul,
}

impl Element {
    fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::Code => "code",
            Self::Details => "details",
            Self::Div => "div",
            Self::H1 => "h1",
            Self::H2 => "h2",
            Self::H3 => "h3",
            Self::Header => "header",
            Self::Li => "li",
            Self::Main => "main",
            Self::Nav => "nav",
            Self::P => "p",
            Self::Pre => "pre",
            Self::Rect => "rect",
            Self::Section => "section",
            Self::Span => "span",
            Self::Strong => "strong",
            Self::Summary => "summary",
            Self::Svg => "svg",
            Self::Table => "table",
            Self::Tbody => "tbody",
            Self::Td => "td",
            Self::Th => "th",
            Self::Thead => "thead",
            Self::Tr => "tr",
            Self::Ul => "ul",
        }
    }

    /// Whether a line end in front of it cannot be seen.
    fn is_block(self) -> bool {
        !matches!(self, Self::A | Self::Code | Self::Rect | Self::Span | Self::Strong | Self::Svg)
    }
}

/// What an element is for, to the style and the script. The names of those of lines are short because a
/// page has so many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A line that is added.
    Added,
    /// A line that is removed.
    Removed,
    /// A line that changes.
    Changed,
    /// Unimportant words.
    Muted,
    /// Words in bold.
    Bold,
    /// Words that must be seen.
    Alert,
    /// The verdict.
    Verdict,
    /// A warning that concerns the whole page.
    Banner,
    /// A link that is read out and reached by keyboard before all else.
    Skip,
    /// What a fact is of.
    Fact,
    /// The facts.
    Facts,
    /// So many resources that are laid out together, when they come into view.
    Chunk,
    /// The sign of an action.
    Sign,
    /// The attributes that change.
    Names,
    /// Why something happens.
    Reasons,
    /// What the text of the tools does not say.
    Notes,
    /// Where a text was cut.
    Cut,
    /// The operations of a run.
    Timeline,
    /// A number with its unit.
    Number,
    /// The drawing beside a row of a table.
    Bar,
    /// An operation that failed.
    Failed,
    /// An operation that has no end.
    Unfinished,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Added => "a",
            Self::Removed => "d",
            Self::Changed => "c",
            Self::Muted => "m",
            Self::Bold => "b",
            Self::Alert => "x",
            Self::Verdict => "verdict",
            Self::Banner => "banner",
            Self::Skip => "skip",
            Self::Fact => "fact",
            Self::Facts => "facts",
            Self::Chunk => "chunk",
            Self::Sign => "sign",
            Self::Names => "names",
            Self::Reasons => "reasons",
            Self::Notes => "notes",
            Self::Cut => "cut",
            Self::Timeline => "timeline",
            Self::Number => "number",
            Self::Bar => "bar",
            Self::Failed => "failed",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A place of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// The content.
    Content,
    /// A change.
    Change(usize),
    /// A module, or another section.
    Section(usize),
    /// A part of a run.
    Run(RunPart),
}

/// A part of a page of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// What failed.
    Failures,
    /// What never started.
    NotStarted,
    /// The review of the plan.
    Review,
    /// The changes, in their order.
    Timeline,
    /// What was read.
    Reads,
    /// Warnings.
    Warnings,
}

impl Id {
    fn write(self, bytes: &mut Vec<u8>) {
        let (prefix, number) = match self {
            Self::Content => ("content", None),
            Self::Change(number) => ("r", Some(number)),
            Self::Section(number) => ("s", Some(number)),
            Self::Run(RunPart::Failures) => ("failures", None),
            Self::Run(RunPart::NotStarted) => ("not-started", None),
            Self::Run(RunPart::Review) => ("review", None),
            Self::Run(RunPart::Timeline) => ("timeline", None),
            Self::Run(RunPart::Reads) => ("reads", None),
            Self::Run(RunPart::Warnings) => ("warnings", None),
        };
        bytes.extend_from_slice(prefix.as_bytes());
        if let Some(number) = number {
            bytes.extend_from_slice(number.to_string().as_bytes());
        }
    }
}

/// What the script knows of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// The kind of change, in a word.
    Kind,
    /// The resource type.
    Type,
    /// The names of facts.
    Facts,
    /// The names of changed attributes and blocks.
    Names,
}

impl Data {
    fn name(self) -> &'static str {
        match self {
            Self::Kind => "data-kind",
            Self::Type => "data-type",
            Self::Facts => "data-facts",
            Self::Names => "data-names",
        }
    }
}

/// A length in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many pixels.
    Pixels(u32),
    /// So many hundredths of a per cent of the drawing's own length.
    Share(u32),
}

impl Length {
    fn write(self, bytes: &mut Vec<u8>) {
        let text = match self {
            Self::Pixels(pixels) => pixels.to_string(),
            Self::Share(share) => format!("{}.{:02}%", share / 100, share % 100),
        };
        bytes.extend_from_slice(text.as_bytes());
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub enum Attribute<'a> {
    /// What the element is for.
    Class(Class),
    /// Its place.
    Id(Id),
    /// A link to a place of the page.
    Link(Id),
    /// What the script knows of it.
    Data(Data, Untrusted<'a>),
    /// What it is called, where its content does not say it.
    Label(&'static str),
    /// It is open.
    Open,
    /// Where a bar begins.
    X(Length),
    /// How wide a drawing or a bar is.
    Width(Length),
    /// How high a drawing or a bar is.
    Height(Length),
    /// It says nothing that the text beside it does not say.
    Decorative,
    /// It is the head of its column.
    OfColumn,
}

/// What a byte means to a text of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// It stands for itself.
    Plain,
    /// It may begin a character that is made visible.
    Suspect,
    /// It has a meaning in HTML.
    Markup,
    /// It has a meaning in the value of an attribute.
    Quote,
}

/// The meaning of each byte, so that a text is looked at once.
static MEANINGS: [Meaning; 256] = {
    let mut table = [Meaning::Plain; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte as u8 {
            b'&' | b'<' | b'>' | b'\r' => Meaning::Markup,
            b'"' | b'\'' => Meaning::Quote,
            other if may_begin_one(other) => Meaning::Suspect,
            _ => Meaning::Plain,
        };
        byte += 1;
    }
    table
};

fn meaning(byte: u8) -> Meaning {
    MEANINGS[usize::from(byte)]
}

/// Appends a text between tags, with all that has a meaning there escaped, and all that could hide made
/// visible.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    let is_special = |meaning: Meaning| matches!(meaning, Meaning::Markup);
    push_escaped(bytes, text, is_special);
}

/// Appends the value of an attribute, which stands in double quotes.
fn push_value(bytes: &mut Vec<u8>, text: &str) {
    let is_special = |meaning: Meaning| matches!(meaning, Meaning::Markup | Meaning::Quote);
    push_escaped(bytes, text, is_special);
}

fn push_escaped(bytes: &mut Vec<u8>, text: &str, is_special: impl Fn(Meaning) -> bool) {
    let is_plain = |byte: &u8| {
        let meaning = meaning(*byte);
        meaning != Meaning::Suspect && !is_special(meaning)
    };
    let plain = text.bytes().position(|byte| !is_plain(&byte)).unwrap_or(text.len());
    // Both kinds of bytes begin a character.
    let (plain, rest) = text.split_at_checked(plain).unwrap_or(("", text));
    bytes.extend_from_slice(plain.as_bytes());
    if rest.is_empty() {
        return;
    }
    let start = bytes.len();
    push_visible(bytes, rest);
    let special = |byte: &u8| is_special(meaning(*byte));
    if !bytes[start..].iter().any(special) {
        return;
    }
    let written = bytes.split_off(start);
    let mut copied = 0;
    for (at, byte) in written.iter().enumerate().filter(|(_, byte)| special(byte)) {
        bytes.extend_from_slice(&written[copied..at]);
        bytes.extend_from_slice(match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            // A parser makes CR LF one line end, which would hide the CR.
            _ => "␍".as_bytes(),
        });
        copied = at + 1;
    }
    bytes.extend_from_slice(&written[copied..]);
}

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
