//! Sections and entries: the changes in a document, below titles.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Level, Line, Mark, SectionKind, Tone};
use crate::term::StyledText;
use crate::text::{count, one_line};

/// The order of blocks that are shortened before those of resources.
pub(super) const BESIDE_RESOURCES: usize = usize::MAX;

#[derive(Clone, Debug)]
pub struct Section<'r> {
    pub kind: SectionKind,
    pub title: Title,
    pub counts: String,
    pub entries: Vec<ReportEntry<'r>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Title {
    /// What is done to objects; the entries say it.
    Changes,
    /// The title is such as `3 differences`; the entries say it.
    Counted(String),
    Module(String),
    Text(&'static str),
}

impl Section<'_> {
    /// Empty for what is done to objects, because the entries say it.
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
            .unwrap_or(BESIDE_RESOURCES)
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
    Index,
    #[default]
    Plain,
    /// There are findings, or an object is forgotten.
    Flagged,
    /// An existing object is destroyed, or there are critical findings.
    Grave,
}

/// A change, or several objects with the same change.
#[derive(Clone, Debug, Default)]
pub struct ReportEntry<'r> {
    pub number: usize,
    /// How many causes are above it.
    pub depth: usize,
    pub sign: (&'static str, Tone),
    /// The findings that the title says.
    pub mark: Mark,
    /// The number of objects, if the title is about several.
    pub times: Option<usize>,
    pub address: String,
    /// Empty if the addresses are the title.
    pub others: Vec<String>,
    /// What is done, for readers that do not see the sign.
    pub phrase: String,
    /// What the sign does not say.
    pub remark: String,
    pub kind: &'static str,
    pub object_type: &'r str,
    /// Empty if it does not matter what the object is.
    pub summary: String,
    /// The changed attributes, or what the object is if it changes as a whole.
    pub preview: String,
    pub members: Vec<Self>,
    pub level: Level,
    pub finding_kinds: Vec<&'static str>,
    pub levels: Vec<(Level, usize)>,
    pub results: OtherResults,
    pub cost: Option<String>,
    pub needs: Option<String>,
    pub source: Option<Source>,
    pub reasons: Vec<String>,
    pub lines: Vec<Line>,
    pub text: UpstreamText<'r>,
    /// What the tool's text leaves out and `lines` do not show either.
    pub beside: Vec<Line>,
    pub is_destroyed: bool,
    pub is_open: bool,
    pub priority: Priority,
    pub order: usize,
    pub places: (SectionKind, Vec<usize>),
}

impl ReportEntry<'_> {
    /// Nothing is said of it but its title and its lines.
    pub(super) fn has_only_lines(&self) -> bool {
        self.others.is_empty()
            && self.needs.is_none()
            && self.source.is_none()
            && self.reasons.is_empty()
            && self.results.shown.is_empty()
            && self.results.more == 0
    }
}

/// The text that the tool itself prints of a change, for pages.
#[derive(Clone, Debug, Default)]
pub enum UpstreamText<'r> {
    #[default]
    None,
    Own(Cow<'r, StyledText>),
    /// The text is in that of the entry with this number.
    In(usize),
}

#[derive(Clone, Debug)]
pub struct Source {
    pub text: String,
    pub uri: Arc<str>,
    pub url: Option<String>,
    pub rest: String,
}

#[derive(Clone, Debug)]
pub struct Outputs<'r> {
    pub number: usize,
    pub text: Option<Cow<'r, StyledText>>,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug)]
pub struct ResultLine {
    pub label: String,
    pub tone: Tone,
    /// Empty if the result is written with its entry.
    pub subject: String,
    pub text: String,
    pub url: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct OtherResults {
    pub shown: Vec<ResultLine>,
    pub more: usize,
}

impl ResultLine {
    pub(super) fn text(&self) -> String {
        let subject = if self.subject.is_empty() {
            String::new()
        } else {
            format!("{} ", self.subject)
        };
        one_line(&format!("{subject}{}", self.text))
    }
}

impl OtherResults {
    pub(super) const TITLE: &'static str = "Results of other tools about nothing that changes";

    pub(super) fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("… {}", count(self.more, "more result")))
    }
}
