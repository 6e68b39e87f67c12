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

/// The `order` of blocks that are shortened before those of resources.
pub(super) const AFTER_RESOURCES: usize = usize::MAX;

/// The entries of one list of a plan, or of one of its modules, below a title.
#[derive(Clone, Debug)]
pub struct Section<'r> {
    /// The list of the plan that the entries are from.
    pub kind: SectionKind,
    /// The title of the section.
    pub title: Title,
    /// The counts after the title: `2 to destroy, 1 to change`. May be empty.
    pub counts: String,
    /// The entries in the order in which they are shown.
    pub entries: Vec<ReportEntry<'r>>,
}

/// The title of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Title {
    /// The title `Changes`, of entries that say themselves what is done. A text for the terminal has no heading for it.
    Changes,
    /// A count such as `3 differences`, of entries that say themselves what differs.
    Counted(String),
    /// The address of the module that contains the objects: `module.net`; empty for the root module.
    Module(String),
    /// A fixed text, such as `In several modules`.
    Text(&'static str),
}

impl Section<'_> {
    /// Returns the heading in a text for the terminal; empty if the entries themselves say what is done.
    pub(crate) fn heading(&self) -> &str {
        match &self.title {
            Title::Changes | Title::Counted(_) => "",
            title @ (Title::Module(_) | Title::Text(_)) => title.text(),
        }
    }

    /// Returns the depth of the entries: 1 for those of a module.
    pub(crate) fn depth(&self) -> usize {
        usize::from(matches!(self.title, Title::Module(_)))
    }

    /// Returns the `order` of the heading: the lowest of its entries, so that it is removed after them.
    pub(super) fn order(&self) -> usize {
        self.entries
            .iter()
            .map(|entry| entry.order)
            .min()
            .unwrap_or(AFTER_RESOURCES)
    }
}

impl Title {
    /// Returns the title in words.
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

/// The priority of a part of a text with a size limit. Parts with the lowest priority are shortened first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A part that only lists other parts.
    Index,
    /// An ordinary change.
    #[default]
    Plain,
    /// A change with findings, or of an object that is removed from state.
    Flagged,
    /// A change with critical findings, or one that destroys an existing object.
    Grave,
}

impl Priority {
    /// Returns the priority of a change with findings of this level, if nothing else about it is graver.
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
    /// The number of the entry in the document, which links on a page have.
    pub number: usize,
    /// The number of causes above it.
    pub depth: usize,
    /// The symbol for the change, with a tone.
    pub sign: EntrySign,
    /// The findings that the title mentions.
    pub mark: Mark,
    /// The number of objects, if the title is about several objects.
    pub times: Option<usize>,
    /// The subject of the title: an address, or several addresses in short form.
    pub address: String,
    /// The addresses of the other objects; empty if the title names all of them.
    pub others: Vec<String>,
    /// The change in words, for readers that do not see the sign.
    pub phrase: String,
    /// A remark about the change that the sign does not say.
    pub remark: String,
    /// The word for the kind of change, for filters.
    pub kind: &'static str,
    /// The resource type, or the type of an action.
    pub object_type: &'r str,
    /// A description of the object; empty if it does not matter what the object is.
    pub summary: String,
    /// The names of the changed attributes, or a description of the object if it changes as a whole.
    pub preview: String,
    /// The entries of the objects of a group, on a page.
    pub members: Vec<Self>,
    /// The gravest level of its findings and of the change itself.
    pub level: Level,
    /// The kinds of its findings, the most severe first.
    pub finding_kinds: Vec<&'static str>,
    /// The number of findings of each level.
    pub levels: Vec<(Level, usize)>,
    /// The results of other tools about the objects.
    pub results: OtherResults,
    /// The change of the monthly cost.
    pub cost: Option<String>,
    /// Who has to approve the change.
    pub needs: Option<String>,
    /// The position of the resource in the configuration.
    pub source: Option<SourceLink>,
    /// The reasons for the change, a sentence each.
    pub reasons: Vec<String>,
    /// The lines for the edits, with the marks of their findings.
    pub lines: Vec<Line>,
    /// The tool's text of the change, on a page.
    pub text: UpstreamText<'r>,
    /// The lines about values that neither the tool's text nor `lines` show.
    pub omitted_by_tool: Vec<Line>,
    /// Whether an object is destroyed, also if it is created again.
    pub is_destroyed: bool,
    /// Whether the entry is open when a page is loaded.
    pub is_open: bool,
    /// The priority in a text with a size limit.
    pub priority: Priority,
    /// The order among entries of the same priority: those with the highest number are shortened first.
    pub order: usize,
    /// The objects of the entry.
    pub places: EntryPlaces,
}

/// The sign of a change in the margin: `~`, `-/+`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntrySign {
    /// The sign itself, at most three characters; empty if there is none.
    pub symbol: &'static str,
    /// The color of the sign.
    pub tone: Tone,
}

/// The objects of an entry, by their position in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPlaces {
    /// The list of the document that contains the objects.
    pub list: SectionKind,
    /// The indices of the objects in the list.
    pub indices: Vec<usize>,
}

impl ReportEntry<'_> {
    /// Returns the lines up to the last one with a finding, with what is below it, and the other lines. Between them are
    /// the results of other tools: what the plan proves is read first, and what nobody has to check last.
    pub(crate) fn lines_around_results(&self) -> (&[Line], &[Line]) {
        self.lines.split_at(end_of_findings(&self.lines))
    }

    /// Whether the entry has nothing but its title and its lines.
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

/// The text that the tool itself prints for a change, on pages.
#[derive(Clone, Debug, Default)]
pub enum UpstreamText<'r> {
    /// There is no text, or it was not asked for.
    #[default]
    None,
    /// The text of this change.
    Own(Cow<'r, StyledText>),
    /// The text is part of that of the entry with this number.
    In(usize),
}

/// The position of a resource in the configuration.
#[derive(Clone, Debug)]
pub struct SourceLink {
    /// The file and the line: `main.tf:12`.
    pub text: String,
    /// The URI of the file, for links in terminals.
    pub uri: Arc<str>,
    /// The address of the line on a platform, for links in Markdown and HTML.
    pub url: Option<String>,
    /// The text after the link, such as the other positions of a group. May be empty.
    pub rest: String,
}

/// The outputs that change.
#[derive(Clone, Debug)]
pub struct Outputs<'r> {
    /// The number of outputs.
    pub number: usize,
    /// The tool's text of the outputs, on a page.
    pub text: Option<Cow<'r, StyledText>>,
    /// The lines for their edits.
    pub lines: Vec<Line>,
}

/// A result of another tool, on one line.
#[derive(Clone, Debug)]
pub struct ResultLine {
    /// The tool, the severity in its own word, and the rule, as far as the result has them.
    pub label: String,
    /// The tone of the label, by the severity.
    pub tone: Tone,
    /// The subject of the result; empty if the result is written with its entry.
    pub subject: String,
    /// The message of the tool, which may have several lines.
    pub text: String,
    /// The address of a page about the rule.
    pub url: Option<String>,
}

/// The results of other tools about an entry or a plan.
#[derive(Clone, Debug, Default)]
pub struct OtherResults {
    /// The results that are shown.
    pub shown: Vec<ResultLine>,
    /// The number of results that are not shown.
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
    /// The heading above results that fit no resource.
    pub(super) const TITLE: &'static str = "Results of other tools about nothing that changes";

    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty() && self.more == 0
    }

    /// Returns the sentence that counts the results that are not shown; `None` if all are shown.
    pub(super) fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("… {}", count(self.more, "more result")))
    }
}
