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

pub use class::{Class, Gate, Verdict};
pub use difference::{Difference, Property, Subject, What};
pub use plans::{Side, compare};

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

/// A plan against another one.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// The plan that was approved.
    pub approved: Origin,
    /// The plan as it is now.
    pub now: Origin,
    /// What differs, the worst first.
    pub differences: Vec<Difference<'a>>,
    /// Changes that are the same in both.
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
        match self.differences.iter().map(|difference| difference.class).min() {
            None => Verdict::Same,
            Some(class) if class.is_wider() => Verdict::Wider,
            Some(_) => Verdict::Within,
        }
    }

    /// How many differences there are of a class.
    pub fn count(&self, class: Class) -> usize {
        self.differences.iter().filter(|difference| difference.class == class).count()
    }

    /// The answer in words.
    pub fn sentence(&self) -> String {
        let head = match self.verdict() {
            Verdict::Same => "The same as approved",
            Verdict::Within => "Within what was approved",
            Verdict::Wider => "Wider than approved",
        };
        let counts: Vec<String> = Class::ALL
            .into_iter()
            .map(|class| (class, self.count(class)))
            .filter(|(_, number)| *number > 0)
            .map(|(class, number)| class.counted(number))
            .collect();
        let what = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
        let same = match self.same {
            0 => String::new(),
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
                What::OnlyNow { .. } | What::OnlyApproved { .. } | What::Property { .. } => return true,
            };
            let names = review::text::path_names(edit.path);
            let whole = format!("{}.{names}", difference.address);
            names.is_empty()
                || !(filter.ignores(&names) || globs.iter().any(|glob| review::glob_matches(glob, &whole)))
        });
        self.ignored = before - self.differences.len();
    }
}
