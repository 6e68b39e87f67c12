//! The review: what a person who must approve a plan has to know, the verdict first.
//!
//! From the Diff trees of a plan to [`Item`]s (what happens to a resource, why, and the parts that
//! change), and from these to text, markdown or JSON. Invariants: every change that the plan lists
//! is in the result, shown, collapsed with its like, or counted where it is left out; the inside of
//! a secret is never looked at unless [`Options::show_sensitive`] is set; the order is that of risk,
//! then that of the document, so that two runs over one plan give the same bytes.

pub mod causes;
mod change;
mod checks;
mod collapse;
mod compare;
pub mod edit;
pub mod entry;
pub mod facts;
pub mod filter;
pub mod formats;
pub mod gate;
mod kind;
mod lines;
mod outline;
pub mod plan;
mod reasons;
mod source;
mod verdict;
mod words;

pub use checks::read as read_checks;
pub use collapse::collapse;
pub use filter::{Filter, glob_matches};
pub use kind::Kind;
pub use lines::{Line, Sign, Span, Tone};
pub use outline::{Body, Part, Shown, TextLine};
pub use source::read;
pub use verdict::Verdict;

use crate::model::Dialect;

/// What a review depends on beside the plan.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose rules pair the elements of lists.
    pub dialect: Dialect,
    /// Show secrets.
    pub show_sensitive: bool,
    /// What is shown.
    pub filter: Filter,
    /// How many levels of a value are shown.
    pub depth: Option<usize>,
    /// How many unchanged lines of text are shown around changed ones.
    pub context: usize,
    /// Show what does not change, too.
    pub unchanged: bool,
    /// One line for each resource.
    pub list: bool,
    /// Grouped by module.
    pub tree: bool,
}

/// The review of one plan.
#[derive(Debug, Default)]
pub struct Review {
    /// What the plan is called: its file.
    pub name: String,
    /// The counts of all that the plan lists, whatever is filtered.
    pub verdict: Verdict,
    /// What is shown, in order of risk; the same change of several resources is one item.
    pub items: Vec<Item>,
    /// What changed outside of the tool.
    pub drift: Vec<Item>,
    /// Changes that are put off to a later plan.
    pub deferred: Vec<Item>,
    /// Actions that are invoked.
    pub invocations: Vec<Item>,
    /// Changes of outputs.
    pub outputs: Vec<Part>,
    /// Outputs that will be known after apply.
    pub unknown_outputs: Vec<String>,
    /// The problems that checks report.
    pub problems: Vec<Problem>,
    /// What is said beside: what the plan does not list, what could not be read.
    pub notes: Vec<String>,
    /// How many entries filters hide.
    pub filtered: usize,
    /// The resource types whose shape had to be inferred.
    pub inferred: Vec<String>,
}

/// What happens to one resource instance object, or the same to several.
#[derive(Clone, Debug)]
pub struct Item {
    /// Which list of the plan it stands in.
    pub place: Place,
    /// What happens; [`Kind::Other`] for an action that is invoked.
    pub kind: Kind,
    /// The actions as the document has them.
    pub action: String,
    /// The addresses, the one that is shown first.
    pub addresses: Vec<String>,
    /// The resource type.
    pub type_name: String,
    /// The module's address; empty for the root module.
    pub module: String,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// What changes.
    pub parts: Vec<Part>,
    /// The attributes that will be known after apply.
    pub unknown: Vec<String>,
    /// What is left out, and how to see it.
    pub omitted: Vec<String>,
    /// How many values do not change and are not shown; of several resources, the most.
    pub unchanged: usize,
    /// All that changes has no effect that the plan could tell: order, format, null against empty.
    pub cosmetic: bool,
    /// The collapsed changes differ by the key of their instance.
    pub by_key: bool,
}

impl Item {
    /// An item of which only the kind is known.
    fn new(kind: Kind) -> Self {
        Self {
            place: Place::Planned,
            kind,
            action: String::new(),
            addresses: Vec::new(),
            type_name: String::new(),
            module: String::new(),
            reasons: Vec::new(),
            parts: Vec::new(),
            unknown: Vec::new(),
            omitted: Vec::new(),
            unchanged: 0,
            cosmetic: false,
            by_key: false,
        }
    }

    /// Whether an object that exists is gone afterwards.
    pub fn is_irreversible(&self) -> bool {
        self.place == Place::Planned && self.kind.is_irreversible()
    }
}

/// Which list of the plan an item stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// What will be done.
    Planned,
    /// What changed outside of the tool.
    Drift,
    /// What is put off to a later plan.
    Deferred,
    /// An action that is invoked.
    Invoked,
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

/// `1 change`, `2 changes`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(number: usize) -> String {
    format!("{number} {}", if number == 1 { "entry" } else { "entries" })
}
