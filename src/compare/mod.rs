//! Two plans compared: is this still what was approved?
//!
//! Both plans are read; changes with the same mode, type, address and deposed key are compared with each other, over
//! the values of both sides of both. Invariants: whatever differs in what is compared is a [`Difference`] with a
//! class; a difference that is not proven to be harmless makes the verdict wider; nothing is said of what the
//! documents do not share by nature (timestamps, versions, the prior state, planned values, the configuration, orders
//! without a meaning); sensitive values are compared, and kept only if the user asks for them.

mod accepts;
mod actions;
mod change;
mod class;
mod difference;
mod json_text;
mod pairs;
mod plans;
mod provider;
mod renamed;
mod tasks;
mod variables;
mod worker;

pub mod fingerprint;
pub mod formats;
pub mod result;

pub use class::{Class, Gate, Verdict};
pub use difference::{Difference, Property, Subject, What};
pub use plans::{Side, compare};

use self::result::PlannedOutcome;
use crate::dialect::Tool;
use crate::review::{self, filter::Filter};

/// What the comparison depends on beside the plans.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Keep sensitive values.
    pub show_sensitive: bool,
    /// Globs over paths (`tags.owner`), or over addresses and paths (`aws_instance.app.tags.*`): what differs there
    /// is counted and left out.
    pub ignored: Vec<String>,
}

/// What a plan is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Another plan.
    #[default]
    Plan,
    /// The messages of the run that applied it.
    Run,
    /// The state after it was applied.
    State,
}

impl Against {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Run => "run",
            Self::State => "state",
        }
    }

    /// Whether it is what became of the plan.
    pub fn is_result(self) -> bool {
        match self {
            Self::Plan => false,
            Self::Run | Self::State => true,
        }
    }
}

/// A plan against another one, or against what became of it.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// What the plan is compared with.
    pub against: Against,
    /// The plan that was approved.
    pub approved: Origin,
    /// The plan as it is now, the run or the state.
    pub now: Origin,
    /// What differs, the worst first.
    pub differences: Vec<Difference<'a>>,
    /// What became of each planned change; empty for another plan.
    pub outcomes: Vec<PlannedOutcome<'a>>,
    /// Changes that are the same in both, or done as planned.
    pub same: usize,
    /// Differences that `--ignore` leaves out.
    pub ignored: usize,
    /// What else there is to know.
    pub notes: Vec<String>,
}

/// Where a plan comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// What it is called: its file.
    pub name: String,
    /// The tool that wrote it, if it can be told.
    pub tool: Option<Tool>,
    /// The version of the tool.
    pub tool_version: String,
    /// When it was made; empty in old plans.
    pub timestamp: String,
}

impl Comparison<'_> {
    /// The answer.
    pub fn verdict(&self) -> Verdict {
        match self.differing().min() {
            None => Verdict::Same,
            Some(class) if class.is_wider() => Verdict::Wider,
            Some(_) => Verdict::Within,
        }
    }

    /// The name of the answer in the JSON.
    pub fn verdict_name(&self) -> &'static str {
        match (self.against.is_result(), self.verdict()) {
            (false, verdict) => verdict.name(),
            (true, Verdict::Same) => "done",
            (true, Verdict::Within) => "incomplete",
            (true, Verdict::Wider) => Verdict::Wider.name(),
        }
    }

    /// The classes of differences, without those that every result of a plan has.
    fn differing(&self) -> impl Iterator<Item = Class> {
        let is_result = self.against.is_result();
        let classes = self.differences.iter().map(|difference| difference.class);
        classes.filter(move |class| !(is_result && class.is_expected_of_result()))
    }

    /// How many differences there are of a class.
    pub fn count(&self, class: Class) -> usize {
        self.differences.iter().filter(|difference| difference.class == class).count()
    }

    /// The answer in words.
    pub fn sentence(&self) -> String {
        let is_result = self.against.is_result();
        let head = match (is_result, self.verdict()) {
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

    /// Leaves out what `--ignore` names, and counts it. Whole changes, actions and properties are never left out.
    fn ignore(&mut self, globs: &[String]) {
        if globs.is_empty() {
            return;
        }
        let filter = Filter { ignored: globs.to_vec(), ..Filter::default() };
        let before = self.differences.len();
        self.differences.retain(|difference| {
            let edit = match &difference.what {
                What::Value { edit, .. } | What::World(edit) => edit,
                What::OnlyNow { .. }
                | What::OnlyApproved { .. }
                | What::Property { .. }
                | What::Outcome { .. }
                | What::Run { .. } => return true,
            };
            let names = review::text::path_names(edit.path);
            let whole = format!("{}.{names}", difference.address);
            names.is_empty()
                || !(filter.ignores(&names) || globs.iter().any(|glob| review::glob_matches(glob, &whole)))
        });
        self.ignored = before - self.differences.len();
    }
}
