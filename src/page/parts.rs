//! The elements, classes, IDs and attributes of pages, as closed sets.

use crate::term::Untrusted;

/// The elements of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A link to a target on the page.
    A,
    /// Code: an address.
    Code,
    /// A collapsible part.
    Details,
    /// A generic block.
    Div,
    /// The end of a page or of the part about a plan.
    Footer,
    /// The title of the page.
    H1,
    /// The title of a plan.
    H2,
    /// The title of a section.
    H3,
    /// The top of the page.
    Header,
    /// A list item.
    Li,
    /// The content of the page.
    Main,
    /// The index.
    Nav,
    /// A paragraph.
    P,
    /// Preformatted text.
    Pre,
    /// A bar of a drawing.
    Rect,
    /// A section.
    Section,
    /// A piece of text.
    Span,
    /// An important piece of text.
    Strong,
    /// The part of [`Element::Details`] that is always visible.
    Summary,
    /// A drawing.
    Svg,
    /// A table.
    Table,
    /// The body of a table.
    Tbody,
    /// A table cell.
    Td,
    /// A header cell.
    Th,
    /// The header of a table.
    Thead,
    /// A table row.
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
            Self::Footer => "footer",
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

    /// Whether a line break before it is invisible.
    pub(super) fn is_block(self) -> bool {
        !matches!(self, Self::A | Self::Code | Self::Rect | Self::Span | Self::Strong | Self::Svg)
    }
}

/// The role of an element for the style and the script. The names for lines are short, because a page has
/// very many of them.
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
    /// Words that must be noticed.
    Alert,
    /// The verdict.
    Verdict,
    /// The head of a plan, coloured by its level.
    Band(Band),
    /// Counts that filter.
    Chips,
    /// A count that filters.
    Chip,
    /// The findings, in cards.
    Cards,
    /// The findings of one kind and level.
    Card,
    /// Several objects with the same change.
    Group,
    /// The objects of a group.
    Members,
    /// The number of objects of a group.
    Times,
    /// The lines of a review.
    Lines,
    /// The tool's text, below its switch.
    Tool,
    /// A table of units.
    Units,
    /// The part of a page about one of several plans.
    Part,
    /// The index of modules.
    Tree,
    /// The name of a finding that is only a notice.
    Notice,
    /// A warning that concerns the whole page.
    Banner,
    /// The skip link, which screen readers and keyboards reach first.
    Skip,
    /// The name of a critical finding.
    Finding,
    /// The name of a finding that is not critical.
    Warning,
    /// The findings.
    Findings,
    /// A group of resources that is laid out when it becomes visible.
    Chunk,
    /// The sign of an action.
    Sign,
    /// The changed attributes.
    Names,
    /// The action reasons.
    Reasons,
    /// Notes that are not in the text of the tools.
    Notes,
    /// The mark of truncated text.
    Cut,
    /// The operations of a run.
    Timeline,
    /// A number with its unit.
    Number,
    /// The drawing in a table row.
    Bar,
    /// A failed operation.
    Failed,
    /// An operation that has not ended.
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
            Self::Band(Band::Critical) => "band critical",
            Self::Band(Band::Warning) => "band serious",
            Self::Band(Band::Notice) => "band slight",
            Self::Band(Band::Calm) => "band calm",
            Self::Chips => "chips",
            Self::Chip => "chip",
            Self::Cards => "cards",
            Self::Card => "card",
            Self::Group => "group",
            Self::Members => "members",
            Self::Times => "times",
            Self::Lines => "lines",
            Self::Tool => "tool",
            Self::Units => "units",
            Self::Part => "part",
            Self::Tree => "tree",
            Self::Notice => "notice",
            Self::Banner => "banner",
            Self::Skip => "skip",
            Self::Finding => "finding",
            Self::Warning => "warning",
            Self::Findings => "findings",
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

/// How grave what a head is about is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// Something failed, or is critical.
    Critical,
    /// There are warnings.
    Warning,
    /// There are notices.
    Notice,
    /// There is nothing to notice.
    Calm,
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

impl Id {
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
        let (prefix, number) = match self {
            Self::Content => ("content", None),
            Self::Change(number) => ("r", Some(number)),
            Self::Section(number) => ("s", Some(number)),
            Self::Part(number) => ("u", Some(number)),
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

/// Data of an element for the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// The kind of change, in a word.
    Kind,
    /// The resource type.
    Type,
    /// The names of findings.
    Findings,
    /// The words by which a count filters.
    Filter,
    /// The numbers of the changes that a finding is about.
    Entries,
}

impl Data {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kind => "data-kind",
            Self::Type => "data-type",
            Self::Findings => "data-findings",
            Self::Filter => "data-filter",
            Self::Entries => "data-entries",
        }
    }
}

/// The address of a file on the web that a link may lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(pub(super) String);

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
    /// The role of the element.
    Class(Class),
    /// Its ID.
    Id(Id),
    /// The target of a link, on the page.
    Link(Id),
    /// The file that a link leads to.
    File(&'a WebAddress),
    /// Its data for the script.
    Data(Data, Untrusted<'a>),
    /// Its accessible name, if that is not its content.
    Label(&'static str),
    /// It is expanded.
    Open,
    /// The start of a bar.
    X(Length),
    /// The width of a drawing or bar.
    Width(Length),
    /// The height of a drawing or bar.
    Height(Length),
    /// It is decorative: the text next to it has the same information.
    Decorative,
    /// It is the header of its column.
    OfColumn,
}
