//! The review of a plan, for the person who must approve it: the verdict first, then every change.
//!
//! The edits of the diff engine ([`edit`]) become entries with reasons, findings and causes
//! ([`entry::PlanReview`]), which are written as text, Markdown, HTML or JSON. Nothing here looks for changes.
//! Values are read again only to say what their changes mean: `findings` tests conditions on both sides,
//! `causes` follows references, `access` compares policies and firewall rules to say who gains access rather
//! than which lines change, and `text::words` marks the changed words of a string.
//!
//! Invariants: every change of the plan is an entry, and each format shows, names or counts every edit
//! of it ([`Coverage`]); sensitive values are only part of a review if the user asks for them; the order is
//! determined by risk and then by the document, so that two runs over the same plan give the same bytes.

mod access;
mod causes;
mod checks;
pub mod entry;
pub mod filter;
mod finding;
pub mod findings;
pub mod formats;
pub mod gate;
mod groups;
mod keys;
mod kind;
mod level;
pub(crate) mod masks;
pub(crate) mod names;
pub(crate) mod pairs;
pub mod plan;
mod reasons;
pub mod renames;
mod report;
mod summary;
pub(crate) mod text;
pub mod units;
mod variables;
mod verdict;
mod weight;

pub use checks::read as read_checks;
pub use filter::Filter;
pub use kind::ChangeKind;
pub use variables::InputVariable;
pub use verdict::Verdict;

pub(crate) use crate::text::{count, one_line};
pub(crate) use verdict::unlisted;
pub(crate) use weight::is_cosmetic;

/// The settings of the text formats.
#[derive(Clone, Debug)]
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
    /// The number of unchanged lines around changed ones.
    pub context: usize,
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
    pub absent: Vec<units::AbsentUnit>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            filter: Filter::default(),
            width: 100,
            wraps: false,
            depth: None,
            context: 2,
            unchanged: false,
            folds_values: false,
            list: false,
            tree: false,
            all_drift: false,
            config: None,
            links: false,
            fingerprint: false,
            source_url: None,
            run_url: None,
            now: None,
            absent: Vec::new(),
        }
    }
}

impl Options {
    /// The number of levels that `--depth` shows of a value at this level.
    fn levels_below(&self, level: usize) -> usize {
        self.depth.map_or(usize::MAX, |limit| limit.saturating_sub(level))
    }

    /// Whether the text is about the whole plan, rather than about the objects that `--address` selects.
    pub(crate) fn shows_whole_plan(&self) -> bool {
        self.filter.addresses.is_empty()
    }
}

/// A problem that a check reports.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Problem {
    /// The address of the checked object.
    pub address: String,
    /// `fail`, `error` or `unknown`.
    pub status: String,
    /// The message, if there is one.
    pub messages: Vec<String>,
}

impl Problem {
    /// Whether the check failed, rather than being unknown until apply.
    pub fn is_failure(&self) -> bool {
        self.status != "unknown"
    }
}
