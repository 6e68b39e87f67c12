//! Sections and entries: the changes in a document, below titles.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Level, Line, SectionKind, Tone, blocks};
use crate::term::StyledText;
use crate::text::{count, one_line};

/// Entries below a title.
#[derive(Clone, Debug)]
pub struct Section<'r> {
    /// What they are.
    pub kind: SectionKind,
    /// The title.
    pub title: Title,
    /// The numbers of entries by what is done, for an index.
    pub counts: String,
    /// The entries.
    pub entries: Vec<Entry<'r>>,
}

/// The title of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Title {
    /// Resources with the same action: `3 to destroy`.
    Action {
        /// The number and the action.
        text: String,
        /// Whether nothing is done to the objects.
        is_state_only: bool,
    },
    /// Resources of a module: its address, empty for the root module.
    Module(String),
    /// Anything else.
    Text(&'static str),
}

impl Section<'_> {
    /// The heading in a text: none for what is done to objects, because the entries say it.
    pub(super) fn heading(&self) -> &str {
        match &self.title {
            Title::Action { is_state_only: false, .. } => "",
            Title::Action { is_state_only: true, .. } => "State only: nothing is done to the objects",
            title @ (Title::Module(_) | Title::Text(_)) => title.text(),
        }
    }

    /// The depth of its entries in a text.
    pub(super) fn depth(&self) -> usize {
        usize::from(matches!(self.title, Title::Module(_)))
    }

    /// The order of its heading, which is removed after its entries.
    pub(super) fn order(&self) -> usize {
        self.entries.iter().map(|entry| entry.order).min().unwrap_or(blocks::BESIDE_RESOURCES)
    }
}

impl Title {
    /// The title in words.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Action { text, .. } => text,
            Self::Module(address) if address.is_empty() => "root module",
            Self::Module(address) => address,
            Self::Text(text) => text,
        }
    }
}

/// How soon an entry is shortened if there is not enough space: the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// A list that only repeats what follows.
    Index,
    /// Anything.
    #[default]
    Plain,
    /// There are findings, or an object is forgotten.
    Flagged,
    /// An existing object is destroyed, or there are critical findings.
    Grave,
}

/// A change, or several objects with the same change.
#[derive(Clone, Debug, Default)]
pub struct Entry<'r> {
    /// Its number on a page.
    pub number: usize,
    /// The sign of the action, and its role.
    pub sign: (&'static str, Tone),
    /// The address, or all addresses in short.
    pub address: String,
    /// All addresses, if they are not the title.
    pub others: Vec<String>,
    /// What happens.
    pub phrase: String,
    /// The kind of the change, in a word.
    pub kind: &'static str,
    /// The type of the object.
    pub object_type: &'r str,
    /// What the object is, in short; empty if that does not matter.
    pub summary: String,
    /// The changed attributes, in short, or what the object is if it changes as a whole.
    pub preview: String,
    /// On a page, the entries of the objects, if there are several.
    pub members: Vec<Self>,
    /// The level of its gravest finding.
    pub level: Level,
    /// The kinds of its findings, the most severe first.
    pub finding_kinds: Vec<&'static str>,
    /// The number of its findings by level, the gravest level first.
    pub levels: Vec<(Level, usize)>,
    /// Its findings, the gravest first.
    pub findings: EntryFindings,
    /// The results of other tools.
    pub results: OtherResults,
    /// The difference of its cost.
    pub cost: Option<String>,
    /// Whose approval it needs.
    pub needs: Option<String>,
    /// The place in the configuration.
    pub source: Option<Source>,
    /// Why it changes.
    pub reasons: Vec<String>,
    /// The lines of its edits.
    pub lines: Vec<Line>,
    /// The tool's text.
    pub text: EntryText<'r>,
    /// What the tool's text leaves out and `lines` do not show either.
    pub beside: Vec<Line>,
    /// Whether existing objects are destroyed.
    pub is_destroyed: bool,
    /// Whether it should be seen without being opened.
    pub is_open: bool,
    /// When it is shortened.
    pub priority: Priority,
    /// The order among entries of the same priority: those with the highest number are shortened first.
    pub order: usize,
    /// The section and the places of the entry in the review.
    pub places: (SectionKind, Vec<usize>),
}

/// The tool's text of a change.
#[derive(Clone, Debug, Default)]
pub enum EntryText<'r> {
    /// It is not shown.
    #[default]
    None,
    /// The text.
    Own(Cow<'r, StyledText>),
    /// It is in the text of the entry with this number.
    In(usize),
}

/// A place in a configuration file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file and line.
    pub text: String,
    /// The URI of the file.
    pub uri: Arc<str>,
    /// The URL of the place, if the base URL of the files is known.
    pub url: Option<String>,
    /// A note about further places; may be empty.
    pub rest: String,
}

/// A finding of an entry.
#[derive(Clone, Debug)]
pub struct EntryFinding {
    /// How grave it is.
    pub level: Level,
    /// The name of its kind.
    pub kind: &'static str,
    /// The finding in words.
    pub text: String,
}

/// The findings of an entry.
#[derive(Clone, Debug, Default)]
pub struct EntryFindings {
    /// The first ones.
    pub shown: Vec<EntryFinding>,
    /// The number of the others.
    pub more: usize,
}

/// The outputs of a plan.
#[derive(Clone, Debug)]
pub struct Outputs<'r> {
    /// The number of outputs that change.
    pub number: usize,
    /// The tool's text.
    pub text: Option<Cow<'r, StyledText>>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A result of another tool.
#[derive(Clone, Debug)]
pub struct ResultLine {
    /// The tool, its severity and its rule.
    pub label: String,
    /// How grave it is.
    pub tone: Tone,
    /// The address or the place that it is about; empty if it is written with its entry.
    pub subject: String,
    /// The message.
    pub text: String,
    /// A page about the rule.
    pub url: Option<String>,
}

/// The results of other tools about an entry, or about no entry.
#[derive(Clone, Debug, Default)]
pub struct OtherResults {
    /// The first ones.
    pub shown: Vec<ResultLine>,
    /// The number of the others.
    pub more: usize,
}

impl ResultLine {
    pub(super) fn text(&self) -> String {
        let subject = if self.subject.is_empty() { String::new() } else { format!("{} ", self.subject) };
        one_line(&format!("{subject}{}", self.text))
    }
}

impl OtherResults {
    /// The title of the results that are about no entry.
    pub(super) const TITLE: &'static str = "Results of other tools about nothing that changes";

    /// The number of those that are not shown, in words.
    pub(super) fn rest(&self) -> Option<String> {
        (self.more > 0).then(|| format!("… {}", count(self.more, "more result")))
    }
}
