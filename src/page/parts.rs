//! The elements, classes, IDs and attributes of pages, as closed sets.

use std::fmt;

use crate::term::Untrusted;

/// The elements of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(pub(super) &'static str);

impl Element {
    /// A link to a target on the page.
    pub const A: Self = Self("a");
    /// Code: an address.
    pub const CODE: Self = Self("code");
    /// A collapsible part.
    pub const DETAILS: Self = Self("details");
    /// A generic block.
    pub const DIV: Self = Self("div");
    /// The end of a page or of the part about a plan.
    pub const FOOTER: Self = Self("footer");
    /// The title of the page.
    pub const H1: Self = Self("h1");
    /// The title of a plan.
    pub const H2: Self = Self("h2");
    /// The title of a section.
    pub const H3: Self = Self("h3");
    /// The top of the page.
    pub const HEADER: Self = Self("header");
    /// A list item.
    pub const LI: Self = Self("li");
    /// The content of the page.
    pub const MAIN: Self = Self("main");
    /// The index.
    pub const NAV: Self = Self("nav");
    /// A paragraph.
    pub const P: Self = Self("p");
    /// Preformatted text.
    pub const PRE: Self = Self("pre");
    /// A bar of a drawing.
    pub const RECT: Self = Self("rect");
    /// A section.
    pub const SECTION: Self = Self("section");
    /// A piece of text.
    pub const SPAN: Self = Self("span");
    /// An important piece of text.
    pub const STRONG: Self = Self("strong");
    /// The part of [`Element::DETAILS`] that is always visible.
    pub const SUMMARY: Self = Self("summary");
    /// A drawing.
    pub const SVG: Self = Self("svg");
    /// A table.
    pub const TABLE: Self = Self("table");
    /// The body of a table.
    pub const TBODY: Self = Self("tbody");
    /// A table cell.
    pub const TD: Self = Self("td");
    /// A header cell.
    pub const TH: Self = Self("th");
    /// The header of a table.
    pub const THEAD: Self = Self("thead");
    /// A table row.
    pub const TR: Self = Self("tr");
    /// A list.
    pub const UL: Self = Self("ul");

    /// Whether a line break before it is invisible.
    pub(super) fn is_block(self) -> bool {
        !matches!(self.0, "a" | "code" | "rect" | "span" | "strong" | "svg")
    }
}

/// The role of an element for the style and the script. The names for lines are short, because a page has
/// very many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(pub(super) &'static str);

impl Class {
    /// A line that is added.
    pub const ADDED: Self = Self("a");
    /// A line that is removed.
    pub const REMOVED: Self = Self("d");
    /// A line that changes.
    pub const CHANGED: Self = Self("c");
    /// Unimportant words.
    pub const MUTED: Self = Self("m");
    /// Words in bold.
    pub const BOLD: Self = Self("b");
    /// Words that must be noticed.
    pub const ALERT: Self = Self("x");
    /// The verdict.
    pub const VERDICT: Self = Self("verdict");
    /// The head of a plan: something failed, or is critical.
    pub const BAND_CRITICAL: Self = Self("band critical");
    /// The head of a plan: there are warnings.
    pub const BAND_WARNING: Self = Self("band serious");
    /// The head of a plan: there are notices.
    pub const BAND_NOTICE: Self = Self("band slight");
    /// The head of a plan: there is nothing to notice.
    pub const BAND_CALM: Self = Self("band calm");
    /// Counts that filter.
    pub const CHIPS: Self = Self("chips");
    /// A count that filters.
    pub const CHIP: Self = Self("chip");
    /// The findings, in cards.
    pub const CARDS: Self = Self("cards");
    /// The findings of one kind and level.
    pub const CARD: Self = Self("card");
    /// Several objects with the same change.
    pub const GROUP: Self = Self("group");
    /// The objects of a group.
    pub const MEMBERS: Self = Self("members");
    /// The number of objects of a group.
    pub const TIMES: Self = Self("times");
    /// The lines of a review.
    pub const LINES: Self = Self("lines");
    /// The tool's text, below its switch.
    pub const TOOL: Self = Self("tool");
    /// A table of units.
    pub const UNITS: Self = Self("units");
    /// The part of a page about one of several plans.
    pub const PART: Self = Self("part");
    /// The index of modules.
    pub const TREE: Self = Self("tree");
    /// The name of a finding that is only a notice.
    pub const NOTICE: Self = Self("notice");
    /// A warning that concerns the whole page.
    pub const BANNER: Self = Self("banner");
    /// The skip link, which screen readers and keyboards reach first.
    pub const SKIP: Self = Self("skip");
    /// The name of a critical finding.
    pub const FINDING: Self = Self("finding");
    /// The name of a finding that is not critical.
    pub const WARNING: Self = Self("warning");
    /// The findings.
    pub const FINDINGS: Self = Self("findings");
    /// A group of resources that is laid out when it becomes visible.
    pub const CHUNK: Self = Self("chunk");
    /// The sign of an action.
    pub const SIGN: Self = Self("sign");
    /// The changed attributes.
    pub const NAMES: Self = Self("names");
    /// The action reasons.
    pub const REASONS: Self = Self("reasons");
    /// Notes that are not in the text of the tools.
    pub const NOTES: Self = Self("notes");
    /// The mark of truncated text.
    pub const CUT: Self = Self("cut");
    /// The operations of a run.
    pub const TIMELINE: Self = Self("timeline");
    /// A number with its unit.
    pub const NUMBER: Self = Self("number");
    /// The drawing in a table row.
    pub const BAR: Self = Self("bar");
    /// A failed operation.
    pub const FAILED: Self = Self("failed");
    /// An operation that has not ended.
    pub const UNFINISHED: Self = Self("unfinished");
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

/// Data of an element for the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data(pub(super) &'static str);

impl Data {
    /// The kind of change, in a word.
    pub const KIND: Self = Self("data-kind");
    /// The resource type.
    pub const TYPE: Self = Self("data-type");
    /// The names of findings.
    pub const FINDINGS: Self = Self("data-findings");
    /// The words by which a count filters.
    pub const FILTER: Self = Self("data-filter");
    /// The numbers of the changes that a finding is about.
    pub const ENTRIES: Self = Self("data-entries");
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
