//! Sections and entries: the changes in a document, below titles.
//!
//! ```text
//! ReportEntry { sign: "-/+", address: "aws_db_instance.main", summary: "main, postgres 16.4", lines: […], … }
//!
//! ! -/+ aws_db_instance.main  main, postgres 16.4                      downtime
//!         engine_version 15.4 -> 16.1 (forces it)
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use super::{Level, Line, Mark, SectionKind, Tone};
use crate::term::StyledText;
use crate::text::{count, one_line};

/// The order of blocks that are shortened before those of resources.
pub(super) const AFTER_RESOURCES: usize = usize::MAX;

/// The entries of one list of a plan, or of one of its modules, below a title.
#[derive(Clone, Debug)]
pub struct Section<'r> {
    /// The list of the plan that the entries are from.
    pub kind: SectionKind,
    /// What the heading says.
    pub title: Title,
    /// Behind the title: `2 to destroy, 1 to change`. May be empty.
    pub counts: String,
    /// The entries in the order in which they are shown.
    pub entries: Vec<ReportEntry<'r>>,
}

/// What is above the entries of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Title {
    /// What is done to objects; the entries say it.
    Changes,
    /// The title is such as `3 differences`; the entries say it.
    Counted(String),
    /// The address of the module that has the objects: `module.net`; empty for the root module.
    Module(String),
    /// A fixed text, such as `In several modules`.
    Text(&'static str),
}

impl Section<'_> {
    /// Returns the text of the title; empty for what is done to objects, because the entries say
    /// it.
    pub(crate) fn heading(&self) -> &str {
        match &self.title {
            Title::Changes | Title::Counted(_) => "",
            title @ (Title::Module(_) | Title::Text(_)) => title.text(),
        }
    }

    pub(crate) fn depth(&self) -> usize {
        usize::from(matches!(self.title, Title::Module(_)))
    }

    /// A heading is removed after its entries.
    pub(super) fn order(&self) -> usize {
        self.entries
            .iter()
            .map(|entry| entry.order)
            .min()
            .unwrap_or(AFTER_RESOURCES)
    }
}

impl Title {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Changes => "Changes",
            Self::Counted(text) => text,
            Self::Module(address) if address.is_empty() => "root module",
            Self::Module(address) => address,
            Self::Text(text) => text,
        }
    }
}

/// What has the lowest priority is shortened first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// What only lists other parts.
    Index,
    /// An ordinary change.
    #[default]
    Plain,
    /// There are findings, or an object is forgotten.
    Flagged,
    /// An existing object is destroyed, or there are critical findings.
    Grave,
}

impl Priority {
    /// Returns the priority of what has findings of this level, and nothing graver about it.
    pub fn of_level(level: Level) -> Self {
        match level {
            Level::Critical => Self::Grave,
            Level::Warning | Level::Notice => Self::Flagged,
            Level::None => Self::Plain,
        }
    }
}

/// A change, or several objects with the same change.
#[derive(Clone, Debug, Default)]
pub struct ReportEntry<'r> {
    /// Its number in the document, which links on a page have.
    pub number: usize,
    /// How many causes are above it.
    pub depth: usize,
    /// What happens to it, as a symbol with a tone.
    pub sign: EntrySign,
    /// The findings that the title says.
    pub mark: Mark,
    /// The number of objects, if the title is about several.
    pub times: Option<usize>,
    /// What the title names: an address, or several in short.
    pub address: String,
    /// The addresses of the other objects; empty if the title has all.
    pub others: Vec<String>,
    /// What is done, for readers that do not see the sign.
    pub phrase: String,
    /// What the sign does not say.
    pub remark: String,
    /// The word of the kind of change, for filters.
    pub kind: &'static str,
    /// The resource type, or that of an action.
    pub object_type: &'r str,
    /// Empty if it does not matter what the object is.
    pub summary: String,
    /// The changed attributes, or what the object is if it changes as a whole.
    pub preview: String,
    /// The entry of each object, on a page.
    pub members: Vec<Self>,
    /// The gravest level of its findings and of the change itself.
    pub level: Level,
    /// The kinds of its findings, the most severe first.
    pub finding_kinds: Vec<&'static str>,
    /// How many findings of each level it has.
    pub levels: Vec<(Level, usize)>,
    /// What other tools say of its objects.
    pub results: OtherResults,
    /// What it costs more or less in a month.
    pub cost: Option<String>,
    /// Who has to approve it.
    pub needs: Option<String>,
    /// Where the resource is written.
    pub source: Option<SourceLink>,
    /// Why it changes, a sentence each.
    pub reasons: Vec<String>,
    /// The edits, with the marks of their findings.
    pub lines: Vec<Line>,
    /// The tool's own text of it, on a page.
    pub text: UpstreamText<'r>,
    /// What the tool's text leaves out and `lines` do not show either.
    pub omitted_by_tool: Vec<Line>,
    /// An object is destroyed, also to be replaced.
    pub is_destroyed: bool,
    /// A page shows its lines at first.
    pub is_open: bool,
    /// What stays longest where space is limited.
    pub priority: Priority,
    /// Among entries of the same priority, those with the highest number are shortened first.
    pub order: usize,
    /// The objects of the entry.
    pub places: EntryPlaces,
}

/// The sign of a change in the margin: `~`, `-/+`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntrySign {
    /// The sign itself, at most three characters; empty if there is none.
    pub symbol: &'static str,
    /// The colour of the sign.
    pub tone: Tone,
}

/// Where the objects of an entry are in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPlaces {
    /// The list of the document that has the objects.
    pub list: SectionKind,
    /// Indices in the list.
    pub indices: Vec<usize>,
}

impl ReportEntry<'_> {
    /// Returns the lines up to the last one with a finding, with what is below it, and the other lines. Between them are
    /// the results of other tools: what the plan proves is read first, and what nobody has to check last.
    pub(crate) fn lines_around_results(&self) -> (&[Line], &[Line]) {
        self.lines.split_at(end_of_findings(&self.lines))
    }

    /// Returns whether the entry has nothing but its title and its lines.
    pub(super) fn has_only_lines(&self) -> bool {
        self.others.is_empty()
            && self.needs.is_none()
            && self.source.is_none()
            && self.reasons.is_empty()
            && self.results.is_empty()
    }
}

/// Returns the number of lines up to the last one with a finding, with what is below it.
fn end_of_findings(lines: &[Line]) -> usize {
    let has_finding = |line: &Line| !line.mark().is_empty();
    let Some(last) = lines.iter().rposition(has_finding) else {
        return 0;
    };
    let below = lines.iter().skip(last + 1);
    last + 1 + below.take_while(|line| line.depth > 0).count()
}

/// The text that the tool itself prints of a change, for pages.
#[derive(Clone, Debug, Default)]
pub enum UpstreamText<'r> {
    /// There is none, or it was not asked for.
    #[default]
    None,
    /// The text of this change.
    Own(Cow<'r, StyledText>),
    /// The text is in that of the entry with this number.
    In(usize),
}

/// Where a resource is written.
#[derive(Clone, Debug)]
pub struct SourceLink {
    /// `main.tf:12`
    pub text: String,
    /// The URI of the file, for links in terminals.
    pub uri: Arc<str>,
    /// The address of the line on a platform, for links in Markdown and HTML.
    pub url: Option<String>,
    /// What is said behind it, such as the other places of a group. May be empty.
    pub rest: String,
}

/// The outputs that change.
#[derive(Clone, Debug)]
pub struct Outputs<'r> {
    /// How many there are.
    pub number: usize,
    /// The tool's own text of them, on a page.
    pub text: Option<Cow<'r, StyledText>>,
    /// Their edits.
    pub lines: Vec<Line>,
}

/// A result of another tool, on one line.
#[derive(Clone, Debug)]
pub struct ResultLine {
    /// The tool, the severity in its own word, and the rule, as far as the result has them.
    pub label: String,
    /// How grave it is.
    pub tone: Tone,
    /// Empty if the result is written with its entry.
    pub subject: String,
    /// The message of the tool, which may have several lines.
    pub text: String,
    /// A page about the rule.
    pub url: Option<String>,
}

/// The results of other tools about an entry or a plan.
#[derive(Clone, Debug, Default)]
pub struct OtherResults {
    /// The results that are shown.
    pub shown: Vec<ResultLine>,
    /// How many more there are.
    pub more: usize,
}

impl ResultLine {
    /// Returns what it is about, and the message, which may have several lines.
    pub(super) fn text(&self) -> String {
        match &*self.subject {
            "" => self.text.clone(),
            subject => format!("{} {}", one_line(subject), self.text),
        }
    }
}

impl OtherResults {
    pub(super) const TITLE: &'static str = "Results of other tools about nothing that changes";

    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.more == 0
    }

    pub(super) fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("… {}", count(self.more, "more result")))
    }
}
