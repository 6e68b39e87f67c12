//! Compares a plan with the approved one.
//!
//! Changes with the same mode, type, address and deposed key are compared, with both sides of both changes.
//! Invariants: everything that differs is a [`Difference`] with a class; a difference that is not proven to
//! be harmless makes the verdict [`Verdict::Wider`]; parts that naturally differ between documents are
//! ignored (timestamps, versions, the prior state, planned values, the configuration, insignificant order);
//! sensitive values are compared, but kept only if the user requests them.

mod accepts;
mod change;
mod class;
mod difference;
mod pairs;
mod plans;
mod renamed;
mod running;
mod tasks;
mod worker;

pub mod fingerprint;
pub mod formats;
pub mod result;

pub use class::{Class, Gate, Verdict};
pub use difference::{Difference, DifferenceKind, Property, Subject};
pub use plans::{Side, compare};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use self::result::PlannedOutcome;
use crate::access::glob_matches;
use crate::dialect::Tool;
use crate::json::Value;
use crate::review::{self, Filter};

/// The settings of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether to keep sensitive values.
    pub show_sensitive: bool,
    /// Globs for paths (`tags.owner`), or for addresses with paths (`aws_instance.app.tags.*`). Matching
    /// differences are only counted.
    pub ignored: Vec<String>,
}

/// The kind of document with which a plan is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// Another plan.
    #[default]
    Plan,
    /// The messages of the run that applied it.
    Run,
    /// The state after the apply.
    State,
    /// No plan: a state with a later one.
    States,
}

impl Against {
    /// Whether it is the result of applying the plan.
    pub fn is_result(self) -> bool {
        matches!(self, Self::Run | Self::State)
    }

    /// The words for the first side, in front of its values, and as a title.
    pub(super) fn first(self) -> (&'static str, &'static str) {
        if self == Self::States { ("before", "Before") } else { ("approved", "Approved") }
    }
}

/// The comparison of a plan with another one, or with its result.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// The kind of document with which the plan is compared.
    pub against: Against,
    /// The approved plan.
    pub approved: Origin,
    /// The current plan, run or state.
    pub now: Origin,
    /// The differences, the most severe first.
    pub differences: Vec<Difference<'a>>,
    /// The outcome of each planned change; empty when comparing with another plan.
    pub outcomes: Vec<PlannedOutcome<'a>>,
    /// The number of changes that are the same in both, or done as planned.
    pub same: usize,
    /// The number of differences left out by `--ignore`.
    pub ignored: usize,
    /// Notes.
    pub notes: Vec<String>,
    /// Whether sensitive values are kept, and texts show credentials.
    pub show_sensitive: bool,
}

/// The origin of a plan.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Origin {
    /// The name of its file.
    pub name: String,
    /// The tool that wrote it, if known.
    #[serde(serialize_with = "tool_name")]
    #[cfg_attr(test, schemars(with = "Option<String>", extend("enum" = ["terraform", "opentofu", null])))]
    pub tool: Option<Tool>,
    /// The version of the tool.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub tool_version: String,
    /// The time of planning, which old plans lack.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub timestamp: String,
}

fn tool_name<S: Serializer>(tool: &Option<Tool>, serializer: S) -> Result<S::Ok, S::Error> {
    tool.map(Tool::name).serialize(serializer)
}

/// Serializes a text; null if it is empty.
fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(serializer)
}

/// The JSON text of a value, with sorted keys.
fn json_text(value: Value<'_>) -> String {
    // Only a number that is not one cannot be written, which no value of a document is.
    serde_json::to_string(&value).unwrap_or_else(|_| format!("{value:?}"))
}

/// Serializes the words of an action.
fn action_words<S: Serializer>(action: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(action.split(',').filter(|word| !word.is_empty()))
}

impl Comparison<'_> {
    /// A comparison without differences, and with a note if different tools wrote the documents.
    fn new(approved: Origin, now: Origin, against: Against, options: &Options) -> Self {
        let show_sensitive = options.show_sensitive;
        let mut comparison = Self { against, approved, now, show_sensitive, ..Self::default() };
        if let (Some(one), Some(other)) = (comparison.approved.tool, comparison.now.tool)
            && one != other
        {
            let (one, other) = (one.product(), other.product());
            comparison.notes.push(match against {
                Against::Plan => format!(
                    "the approved plan is {one}'s, this one {other}'s: what the tools plan differently differs here"
                ),
                Against::Run => format!("the plan is {one}'s, the run {other}'s"),
                Against::State => format!("the plan is {one}'s, the state {other}'s"),
                Against::States => format!("the first state is {one}'s, the other one {other}'s"),
            });
        }
        comparison
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self.differing().min() {
            None => Verdict::Same,
            Some(class) if class.is_wider() => Verdict::Wider,
            Some(_) => Verdict::Within,
        }
    }

    /// The name of the verdict in the JSON.
    pub fn verdict_name(&self) -> &'static str {
        match (self.against.is_result(), self.verdict()) {
            (false, Verdict::Same) => "same",
            (false, Verdict::Within) => "within",
            (true, Verdict::Same) => "done",
            (true, Verdict::Within) => "incomplete",
            (_, Verdict::Wider) => "wider",
        }
    }

    /// The classes of all differences, except those expected in a result.
    fn differing(&self) -> impl Iterator<Item = Class> {
        let is_result = self.against.is_result();
        let classes = self.differences.iter().map(|difference| difference.class);
        classes.filter(move |class| !(is_result && class.is_expected_of_result()))
    }

    /// The number of differences of a class.
    pub fn count(&self, class: Class) -> usize {
        self.differences.iter().filter(|difference| difference.class == class).count()
    }

    /// The verdict as a sentence.
    pub fn sentence(&self) -> String {
        let is_result = self.against.is_result();
        let head = match (is_result, self.verdict()) {
            (_, Verdict::Same) if self.against == Against::States => "The states are the same",
            (_, Verdict::Within | Verdict::Wider) if self.against == Against::States => "The state changed",
            (false, Verdict::Same) => "The same as approved",
            (false, Verdict::Within) => "Within what was approved",
            (false, Verdict::Wider) => "Wider than approved",
            (true, Verdict::Same) => "Done as approved",
            (true, Verdict::Within) => "Not all of what was approved is done",
            (true, Verdict::Wider) if self.differing().min() == Some(Class::Unproven) => {
                "Not proven to be what was approved"
            }
            (true, Verdict::Wider) => "Not what was approved",
        };
        let counts: Vec<String> = Class::ALL
            .into_iter()
            .map(|class| (class, self.count(class)))
            .filter(|(_, number)| *number > 0)
            .map(|(class, number)| class.counted(number, self.against))
            .collect();
        let what = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let same = match self.same {
            0 => String::new(),
            1 if self.against == Against::States => " 1 object is the same.".to_owned(),
            number if self.against == Against::States => format!(" {number} objects are the same."),
            1 if is_result => " 1 change is done.".to_owned(),
            number if is_result => format!(" {number} changes are done."),
            1 => " 1 change is the same.".to_owned(),
            number => format!(" {number} changes are the same."),
        };
        let ignored = match self.ignored {
            0 => String::new(),
            number => format!(" {} ignored (--ignore).", review::count(number, "difference")),
        };
        format!("{head}{what}.{same}{ignored}")
    }

    /// Removes and counts the differences that `--ignore` matches. Whole changes, actions and properties
    /// are never ignored.
    fn ignore(&mut self, globs: &[String]) {
        if globs.is_empty() {
            return;
        }
        let filter = Filter { ignored: globs.to_vec(), ..Filter::default() };
        let before = self.differences.len();
        self.differences.retain(|difference| {
            let Some(edit) = difference.what.edit() else { return true };
            let names = review::text::path_names(edit.path);
            let whole = format!("{}.{names}", difference.address);
            names.is_empty()
                || !(filter.ignores(&names) || globs.iter().any(|glob| glob_matches(glob, &whole)))
        });
        self.ignored = before - self.differences.len();
    }
}
