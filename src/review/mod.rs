//! The review of a plan, for the person who must approve it: the verdict first, then every change.
//!
//! The [edits](crate::diff::edits) of the diff engine become entries with reasons, findings and causes
//! ([`entry::PlanReview`]), which are written as text, Markdown, HTML or JSON. Nothing here looks for changes.
//! Values are read again only to say what their changes mean: `findings` tests conditions on both sides,
//! `causes` follows references, `access` compares policies and firewall rules to say who gains access rather
//! than which lines change, and `text::document` marks the changed words of a string.
//!
//! Invariants: every change of the plan is an entry, and each format shows, names or counts every edit of it
//! ([`Coverage`](crate::report::Coverage)); sensitive values are only part of a review if the user asks for them; the
//! order is determined by risk and then by the document, so that two runs over the same plan give the same bytes.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

mod access;
mod causes;
pub mod entry;
mod finding;
pub mod findings;
pub mod formats;
pub mod gate;
mod groups;
mod inputs;
mod keys;
pub(crate) mod masks;
pub(crate) mod names;
pub(crate) mod pairs;
pub mod plan;
mod reasons;
pub mod renames;
mod report;
mod summary;
pub(crate) mod text;
mod verdict;

pub use gate::Filter;
pub use inputs::{InputVariable, Problem, checks as read_checks};
pub use verdict::{ChangeKind, Verdict};

pub(crate) use crate::text::{count, one_line};
pub(crate) use names::is_cosmetic;
pub(crate) use verdict::unlisted;

/// The number of unchanged lines around changed ones, unless another is asked for.
pub const CONTEXT: usize = 2;

/// The settings of the text formats.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The entries to show.
    pub filter: Filter,
    /// The width for values and summaries, in columns.
    pub width: usize,
    /// Whether remarks (findings, reasons, notes) are wrapped at the width, for terminals. Lines of a log are easier
    /// to search if they are not.
    pub wraps: bool,
    /// The maximum number of levels of a value.
    pub depth: Option<usize>,
    /// The number of unchanged lines around changed ones, if another than [`CONTEXT`] is asked for.
    pub context: Option<usize>,
    /// Whether to show unchanged parts and all values of created and destroyed objects, and all items of
    /// lists.
    pub unchanged: bool,
    /// Whether all values of created and destroyed objects are part of the text, for formats that fold them.
    pub folds_values: bool,
    /// Whether each resource is on one line.
    pub list: bool,
    /// Whether resources are grouped by module.
    pub tree: bool,
    /// Whether to show all drift, and not only drift that affects the plan.
    pub all_drift: bool,
    /// The configuration file that was read.
    pub config: Option<String>,
    /// Whether places in configuration files are links, for terminals that support them.
    pub links: bool,
    /// Whether the head of a text for the terminal has the fingerprint.
    pub fingerprint: bool,
    /// The base URL of files, for links in Markdown and HTML.
    pub source_url: Option<String>,
    /// The URL of the run that makes the review.
    pub run_url: Option<String>,
    /// The time of the review, in seconds since 1970, for the age of the plan; `None` omits the age.
    pub now: Option<u64>,
    /// Units of which there is no plan.
    pub absent: Vec<AbsentUnit>,
}

impl Options {
    /// The number of levels that `--depth` shows of a value at this level.
    fn levels_below(&self, level: usize) -> usize {
        self.depth.map_or(usize::MAX, |limit| limit.saturating_sub(level))
    }

    /// The maximum number of items where there may be many: all of them if unchanged parts are shown, too.
    fn limit(&self, max: usize) -> usize {
        if self.unchanged { usize::MAX } else { max }
    }

    /// Whether the text is about the whole plan, rather than about the objects that `--address` selects.
    pub(crate) fn shows_whole_plan(&self) -> bool {
        self.filter.addresses.is_empty()
    }
}

/// Why there is no plan of a unit to review. The order is that of texts, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// Its plan cannot be read.
    Unreadable,
    /// Its run failed.
    Failed,
    /// Its run was not begun, because one that it depends on failed.
    EarlyExit,
    /// Its run succeeded, but there is no plan of it.
    Missing,
    /// It was excluded from the run.
    Excluded,
}

impl Absence {
    /// What is the matter, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "cannot be read",
            Self::Failed => "failed",
            Self::EarlyExit => "ended early",
            Self::Missing => "has no plan",
            Self::Excluded => "was excluded",
        }
    }

    /// Whether it is a failure, rather than intended.
    pub fn is_failure(self) -> bool {
        self != Self::Excluded
    }
}

/// A unit of which there is no plan to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct AbsentUnit {
    /// The name.
    #[serde(rename = "unit")]
    pub name: String,
    /// Why.
    #[serde(rename = "why")]
    pub absence: Absence,
    /// More about it, on one line; may be empty.
    pub reason: String,
}

impl AbsentUnit {
    /// What is the matter with it.
    pub fn sentence(&self) -> String {
        match &*self.reason {
            "" => self.absence.words().to_owned(),
            reason => format!("{}: {reason}", self.absence.words()),
        }
    }
}
