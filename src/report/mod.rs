//! The document that is made from reviews and comparisons: what is said, in which order, and what is left out.
//!
//! `review` and `compare` build a [`Report`]; [`terminal`], [`markdown`] and [`page`] write it. Invariants: a writer chooses
//! the layout and nothing else: it does not compare, sort, group or filter; all texts are untrusted, and each
//! writer escapes them for its reader; each entry says how it shows the edits of its change ([`Coverage`]).
//! Something new that all formats show is a member of the document, and each writer has to say where it goes.

mod blocks;
mod coverage;
mod level;
mod lines;
mod markdown;
mod page;
mod results;
mod terminal;
mod units;
mod wrap;

use std::borrow::Cow;
use std::sync::Arc;

pub use blocks::Budget;
pub use coverage::{Coverage, EntryAccount, SectionKind, Shown};
pub use level::Level;
pub use lines::{Line, Sign, Span, Tone};
pub use markdown::markdown;
pub use page::{PageOptions, page, page_part};
pub use results::{OtherResults, ResultLine};
pub use terminal::{Layout, terminal, terminal_within};
pub use units::{SharedEntry, UnitRow, Units, listed as unit_names};

use crate::term::StyledText;
use crate::text::{count, first_of, one_line};

/// The number of findings that the head of a page shows unopened. A text has no more.
pub const VISIBLE_FINDINGS: usize = 40;
/// The program and its release, for the end of a document.
pub const MADE_BY: &str = concat!("tfview ", env!("CARGO_PKG_VERSION"));

/// A document about one or several plans, or about a comparison.
#[derive(Clone, Debug, Default)]
pub struct Report<'r> {
    /// The title.
    pub title: String,
    /// The name of the plan by which a bot finds its previous text, empty for several plans; a comparison has none.
    pub marker: Option<String>,
    /// The verdict on all plans together, if there are several.
    pub total: Option<Headline>,
    /// What there is to say of all units, if there are several.
    pub units: Option<Units<'r>>,
    /// A remark about the whole document.
    pub remark: Option<String>,
    /// The web address of the run that makes the document.
    pub run_url: Option<String>,
    /// The plans, in the order given.
    pub parts: Vec<Part<'r>>,
    /// The indices of the plans, the most severe first.
    pub worst_first: Vec<usize>,
    /// Whether each entry is on one line, without the lines of its edits; in a text about a comparison, each of its lines.
    pub is_list: bool,
}

/// The part about one plan.
#[derive(Clone, Debug, Default)]
pub struct Part<'r> {
    /// The name of the plan, if there are several.
    pub name: Option<String>,
    /// The verdict.
    pub headline: Headline,
    /// Whether there is nothing in it that is not said of all units.
    pub is_left_out: bool,
    /// The numbers of the plan in a table of plans.
    pub row: Row,
    /// What precedes the entries.
    pub head: Vec<Head>,
    /// The numbers of changes by action and of findings by level.
    pub counts: Vec<Count>,
    /// The modules, as a tree: each before those that it calls.
    pub modules: Vec<ModuleRow>,
    /// The entries, below titles.
    pub sections: Vec<Section<'r>>,
    /// The outputs, if any change and they are shown.
    pub outputs: Option<Outputs<'r>>,
    /// Results of other tools that are about no entry.
    pub apart: Option<OtherResults>,
    /// Remarks, and counts of what is not shown.
    pub notes: Vec<String>,
    /// How the edits of the plan are shown.
    pub coverage: Coverage,
}

/// A verdict in words.
#[derive(Clone, Debug, Default)]
pub struct Headline {
    /// How grave it is.
    pub level: Level,
    /// Whether planning failed.
    pub errored: bool,
    /// The names of plans whose planning failed; none where the name is the title.
    pub failed: Vec<String>,
    /// The numbers of changes to resources.
    pub changes: String,
    /// Everything else, as a sentence.
    pub additions: Option<String>,
}

impl Headline {
    /// The first sentence, with names of plans as `name` writes them.
    pub fn lead(&self, name: impl Fn(&str) -> String) -> String {
        const NAMED: usize = 5;
        if !self.errored {
            return format!("{}.", self.changes);
        }
        let names = first_of(self.failed.iter().map(|plan| name(plan)), NAMED);
        let colon = if names.is_empty() { "" } else { ": " };
        format!("PLANNING FAILED{colon}{names}. So far: {}.", self.changes)
    }

    /// The verdict for `number` plans on one line.
    pub fn sentence(&self) -> String {
        let lead = self.lead(one_line);
        match &self.additions {
            Some(additions) => format!("{lead} {additions}"),
            None => lead,
        }
    }
}

/// The numbers of a plan, as a row of a table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The name of the plan.
    pub name: String,
    /// The numbers to destroy, replace, forget, change and create.
    pub numbers: [usize; 5],
    /// The kinds of its findings.
    pub findings: String,
    /// The difference of its cost.
    pub cost: Option<String>,
}

/// A number of changes or findings that have something in common.
#[derive(Clone, Debug)]
pub struct Count {
    /// The number.
    pub number: usize,
    /// What they have in common.
    pub text: &'static str,
    /// The action or the level in a word.
    pub word: &'static str,
    /// Whether they are findings, counted by level.
    pub is_level: bool,
}

/// A module in the index of a page.
#[derive(Clone, Debug)]
pub struct ModuleRow {
    /// The number of modules around it.
    pub depth: usize,
    /// Its call: the last part of its address.
    pub name: String,
    /// The index of the section of its changes, if it has one.
    pub section: Option<usize>,
    /// The numbers of changes in it and the modules that it calls.
    pub counts: String,
}

/// The tool that made a plan, and its time.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The tool and its release.
    pub tool: Option<String>,
    /// The time.
    pub time: Option<String>,
    /// The hash of the plan; may be empty.
    pub fingerprint: String,
}

impl Origin {
    /// The tool and the time, and perhaps the fingerprint, in words. `data` writes what is from the plan.
    fn words(&self, with_fingerprint: bool, data: impl Fn(&str) -> String) -> Vec<String> {
        let mut words: Vec<String> = self.tool.iter().chain(&self.time).map(|word| data(word)).collect();
        if with_fingerprint && !self.fingerprint.is_empty() {
            words.push(format!("fingerprint {}", data(&self.fingerprint)));
        }
        words
    }
}

/// A block between the verdict and the entries.
#[derive(Clone, Debug)]
pub enum Head {
    /// What the plan is: numbers by type, the variables.
    Details(Vec<String>),
    /// The tool and the time of the plan.
    Origin(Origin),
    /// The configuration file that was read; what other tools and owners say about the plan, and the cost.
    Others(Vec<String>),
    /// What a reviewer should notice.
    Findings(Findings),
    /// Why objects are replaced.
    Causes(Causes),
    /// The results of checks.
    Checks(Vec<Check>),
}

/// The first findings in rank order, and the others in numbers.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The first ones, and at least one of each kind and level.
    pub shown: Vec<FindingLine>,
    /// The number of the others, by level and kind.
    pub more: Vec<(Level, &'static str, usize)>,
}

impl Findings {
    /// The words for the findings that are not shown: `12 more findings: critical 4 exposure; warning 8 unknown`.
    pub fn rest(&self) -> Option<String> {
        let number: usize = self.more.iter().map(|(.., number)| number).sum();
        let mut words = String::new();
        for group in self.more.chunk_by(|(level, ..), (other, ..)| level == other) {
            let kinds = group.iter().map(|(_, kind, number)| format!("{number} {kind}"));
            let level = group.first().map_or("", |(level, ..)| level.name());
            let separator = if words.is_empty() { "" } else { "; " };
            words.push_str(&format!("{separator}{level} {}", kinds.collect::<Vec<_>>().join(", ")));
        }
        (number > 0).then(|| format!("{}: {words}", count(number, "more finding")))
    }
}

/// A finding in the head.
#[derive(Clone, Debug)]
pub struct FindingLine {
    /// How grave it is.
    pub level: Level,
    /// The name of its kind.
    pub kind: &'static str,
    /// The unit or the number of units, in the head of a document about several; otherwise empty.
    pub unit: String,
    /// The address of the object, or the addresses of all objects in short.
    pub address: String,
    /// The number of the entry on a page, if it has one.
    pub entry: Option<usize>,
    /// The numbers of the entries of all its objects.
    pub entries: Vec<usize>,
    /// The number of its objects.
    pub number: usize,
    /// The finding in words.
    pub text: String,
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

/// The tree of the causes of replacements.
#[derive(Clone, Debug)]
pub struct Causes {
    /// The title.
    pub title: String,
    /// The trees.
    pub lines: Vec<Line>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Check {
    /// Whether it failed, rather than being unknown until apply.
    pub is_failure: bool,
    /// The result in words.
    pub text: String,
}

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

impl Section<'_> {
    /// The heading in a text: none for what is done to objects, because the entries say it.
    fn heading(&self) -> &str {
        match &self.title {
            Title::Action { is_state_only: false, .. } => "",
            Title::Action { is_state_only: true, .. } => "State only: nothing is done to the objects",
            title @ (Title::Module(_) | Title::Text(_)) => title.text(),
        }
    }

    /// The depth of its entries in a text.
    fn depth(&self) -> usize {
        usize::from(matches!(self.title, Title::Module(_)))
    }

    /// The order of its heading, which is removed after its entries.
    fn order(&self) -> usize {
        self.entries.iter().map(|entry| entry.order).min().unwrap_or(blocks::BESIDE_RESOURCES)
    }
}

impl Title {
    /// The title in words.
    fn text(&self) -> &str {
        match self {
            Self::Action { text, .. } => text,
            Self::Module(address) if address.is_empty() => "root module",
            Self::Module(address) => address,
            Self::Text(text) => text,
        }
    }
}

impl Head {
    /// The findings, if it has these.
    pub fn findings(&self) -> Option<&Findings> {
        match self {
            Self::Findings(findings) => Some(findings),
            Self::Details(_) | Self::Origin(_) | Self::Others(_) | Self::Causes(_) | Self::Checks(_) => None,
        }
    }
}

impl Headline {
    /// The sign of the verdict.
    fn sign(&self) -> &'static str {
        if self.errored { "✗" } else { self.level.sign() }
    }
}

impl Report<'_> {
    /// The command that prints all of it.
    fn command(&self) -> &'static str {
        if self.marker.is_some() { "tfview review" } else { "tfview diff" }
    }

    /// The number of units, for the verdict on all of them: `3 units: `.
    fn number_of_units(&self) -> String {
        let number = self.units.as_ref().map_or(self.parts.len(), |units| units.number);
        format!("{}: ", count(number, "unit"))
    }

    /// The plans with something of their own to say, with their indices, the most severe first.
    fn shown_parts(&self) -> impl Iterator<Item = (usize, &Part<'_>)> {
        let parts = self.worst_first.iter().filter_map(|at| Some((*at, self.parts.get(*at)?)));
        parts.filter(|(_, part)| !part.is_left_out)
    }
}

impl Part<'_> {
    /// The sentence about changes that the entries do not show, name or count.
    pub fn unreported(&self) -> Option<String> {
        let number = self.coverage.unreported();
        let what = count(number, "change");
        (number > 0).then(|| format!("! {what} could not be shown: `--format json` has all of them"))
    }
}
