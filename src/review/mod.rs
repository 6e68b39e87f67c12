//! The review of a plan, for the person who must approve it: the verdict first, then every change.
//!
//! The [edits](crate::diff::edits) of the diff engine become entries of a review ([`plan::PlanReview`]), which [`build`]
//! makes. Nothing here looks for changes; values are read again only to say what their changes mean.
//!
//! Invariants: every change of the plan is an entry, and each format shows, names or counts every edit of it
//! ([`Coverage`](crate::report::Coverage)); sensitive values are only part of a review if the user asks for them; the
//! order is determined by risk and then by the document, so two runs over the same plan give the same bytes.
//!
//! ```text
//! {"resource_changes": [{"address": "aws_db_instance.main", "change": {"actions": ["delete"], …}}]}
//!
//! CRITICAL  aws_db_instance.main may lose data.
//!           1 to destroy. Terraform 1.9.0.
//!
//! !! - aws_db_instance.main  postgres                                  data-loss
//! ```

use serde::Serialize;

pub(crate) mod access;
pub mod allow;
pub mod build;
mod causes;
mod changes;
mod counting;
pub(crate) mod credentials;
mod edit_lists;
pub mod entry;
pub mod finding;
pub mod findings;
pub mod formats;
pub mod gate;
pub mod identifiers;
pub(crate) mod inline;
mod inputs;
mod keys;
mod kind;
pub(crate) mod masks;
mod moves;
pub(crate) mod names;
pub(crate) mod pairs;
pub(crate) mod paths;
pub mod plan;
pub(crate) mod reasons;
mod report;
mod risk;
mod shape;
mod summary;
pub(crate) mod text;
mod value_path;
mod verdict;

pub use causes::references;
pub use gate::Filter;
pub use inputs::{InputVariable, Problem, checks as read_checks};
pub use kind::ChangeKind;
pub use verdict::Verdict;

pub(crate) use crate::text::{count, one_line};
pub(crate) use kind::unlisted;
pub(crate) use names::is_cosmetic;

/// The default number of unchanged lines around changed ones.
pub const CONTEXT: usize = 2;

/// The options of a review's texts: what they show, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which entries are shown.
    pub filter: Filter,
    /// The width of values and summaries, in columns.
    pub width: usize,
    /// Whether remarks (findings, reasons, notes) are wrapped for a terminal. Lines of a log are easier to search
    /// unwrapped.
    pub wraps: bool,
    /// The number of levels of values that are shown; deeper ones are counted. `None` for all.
    pub depth: Option<usize>,
    /// The number of unchanged lines around changed ones. `None` for [`CONTEXT`].
    pub context: Option<usize>,
    /// Whether all values of created and destroyed objects, and all items of lists, are shown too.
    pub unchanged: bool,
    /// Whether each object is shown on one line, without its edits.
    pub list: bool,
    /// Whether entries are sorted by module, with a heading for each.
    pub tree: bool,
    /// Whether drift that does not affect the plan is shown too.
    pub all_drift: bool,
    /// The remark about the configuration file that was read, if there is one.
    pub config: Option<String>,
    /// Whether hyperlinks to files are written, for terminals that support them.
    pub links: bool,
    /// Whether the head of a text for the terminal has the fingerprint of the plan.
    pub fingerprint: bool,
    /// The base URL of files, for Markdown and HTML.
    pub source_url: Option<String>,
    /// The page of the run in the CI system, for Markdown and HTML.
    pub run_url: Option<String>,
    /// A hash of the inputs, for the marker in Markdown by which a comment is found again.
    pub identity: String,
    /// Markdown that comes before the review.
    pub preface: String,
    /// The current time in seconds since 1970, for the age of the plan. `None` leaves the age out.
    pub now: Option<u64>,
    /// The units that have no plan to review.
    pub absent: Vec<AbsentUnit>,
}

impl Options {
    /// Returns how many levels of a value are shown below the level with this number.
    fn levels_below(&self, level: usize) -> usize {
        self.depth
            .map_or(usize::MAX, |limit| limit.saturating_sub(level))
    }

    /// Returns the limit for a text: `max`, or none if unchanged parts are shown too.
    fn limit(&self, max: usize) -> usize {
        if self.unchanged { usize::MAX } else { max }
    }

    /// Whether no `--address` selects a part of the plan.
    pub(crate) fn shows_whole_plan(&self) -> bool {
        self.filter.addresses.is_empty()
    }
}

/// Why there is no plan of a unit to review. The order is that of texts, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    /// Returns the phrase for such a unit, without its name: `has no plan`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "cannot be read",
            Self::Failed => "failed",
            Self::EarlyExit => "ended early",
            Self::Missing => "has no plan",
            Self::Excluded => "was excluded",
        }
    }

    /// Whether something failed; otherwise the unit is left out on purpose.
    pub fn is_failure(self) -> bool {
        self != Self::Excluded
    }
}

/// Returns the absent units that count as failures, which excludes those left out on purpose.
pub(crate) fn failed_units(absent: &[AbsentUnit]) -> impl Iterator<Item = &AbsentUnit> {
    absent.iter().filter(|unit| unit.absence.is_failure())
}

/// A unit of which there is no plan to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    /// Returns why there is no plan on one line, without the name of the unit: the phrase, and the reason if it is
    /// known.
    pub fn sentence(&self) -> String {
        match &*self.reason {
            "" => self.absence.words().to_owned(),
            reason => format!("{}: {reason}", self.absence.words()),
        }
    }
}
