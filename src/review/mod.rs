//! The review: what a person who must approve a plan has to know, the verdict first.
//!
//! From a plan to the edits of its changes ([`entry::PlanReview`]), and from these to text, Markdown or
//! JSON. Invariants: every change of the plan is an entry, and every edit of an entry is shown, named or
//! counted in each format ([`Ledger`]); a sensitive value is never part of a review unless the user asks
//! for it; the order is that of risk, then that of the document, so that two runs over one plan give
//! the same bytes.

mod access;
pub mod causes;
mod checks;
pub(crate) mod compare;
pub mod edit;
pub mod entry;
mod error;
pub mod facts;
pub mod filter;
pub mod formats;
pub mod gate;
mod groups;
mod kind;
mod ledger;
mod lines;
pub mod plan;
mod reasons;
mod risk;
pub(crate) mod text;
mod variables;
mod verdict;
mod weight;

pub use checks::read as read_checks;
pub use error::ReviewError;
pub use filter::{Filter, glob_matches};
pub use kind::ChangeKind;
pub use ledger::{EntryAccount, Ledger, List, Mention};
pub use variables::InputVariable;
pub use verdict::Verdict;

pub(crate) use crate::text::count;
pub(crate) use verdict::unlisted;
pub(crate) use weight::is_cosmetic;

/// What the texts of a review depend on beside the plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is shown.
    pub filter: Filter,
    /// The width that values and summaries are fitted to.
    pub width: usize,
    /// How many levels of a value are shown.
    pub depth: Option<usize>,
    /// How many unchanged lines of text are shown around changed ones.
    pub context: usize,
    /// Show what does not change and all values of what is created or destroyed; shorten no list.
    pub unchanged: bool,
    /// One line for each resource.
    pub list: bool,
    /// Grouped by module.
    pub tree: bool,
    /// Show all that changed outside of the tool, not only what matters to the plan.
    pub all_drift: bool,
    /// The configuration file that was read.
    pub config: Option<String>,
    /// Places in configuration files are links, for a terminal that knows them.
    pub links: bool,
    /// What the URL of a file begins with, for links in Markdown and HTML.
    pub source_url: Option<String>,
    /// The time of the review, in seconds since 1970, if the age of the plan is to be shown.
    pub now: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            filter: Filter::default(),
            width: 100,
            depth: None,
            context: 2,
            unchanged: false,
            list: false,
            tree: false,
            all_drift: false,
            config: None,
            links: false,
            source_url: None,
            now: None,
        }
    }
}

impl Options {
    /// Whether the text is about the whole plan, not about what `--address` names.
    pub(crate) fn shows_whole_plan(&self) -> bool {
        self.filter.addresses.is_empty()
    }
}

/// What a check reports.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What was checked.
    pub address: String,
    /// `fail`, `error` or `unknown`.
    pub status: String,
    /// The message, if there is one.
    pub message: String,
}

impl Problem {
    /// Whether the check did not hold (and is not just unknown yet).
    pub fn is_failure(&self) -> bool {
        self.status != "unknown"
    }
}

/// A text from the input on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "␊")
}
