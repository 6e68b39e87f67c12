//! What pages are made of: elements, classes, places, attributes. All are closed sets.

use crate::term::Untrusted;

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
    pub(super) fn name(self) -> &'static str {
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
    pub(super) fn is_block(self) -> bool {
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
    pub(super) fn name(self) -> &'static str {
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
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
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
    pub(super) fn name(self) -> &'static str {
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
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
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
