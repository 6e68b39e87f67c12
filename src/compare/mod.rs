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
mod pairs;
mod plans;
mod renamed;
mod variables;

pub mod fingerprint;
pub mod formats;

pub use plans::{Side, compare};

use crate::dialect::Tool;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::review::edit::Edit;
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

/// How a difference relates to what was approved, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// An object is destroyed or replaced, and that was not approved.
    Destroy,
    /// Another object is acted on, or in another way.
    Action,
    /// A value is another one, or more values change.
    Value,
    /// A value was known and is known only after apply now.
    Unknown,
    /// Less than approved.
    Less,
    /// A value was unknown and is known now.
    Known,
    /// The same, written differently.
    Text,
    /// The objects changed since the approval; what is done to them did not.
    World,
}

impl Class {
    /// All classes, the worst first.
    pub const ALL: [Self; 8] = [
        Self::Destroy,
        Self::Action,
        Self::Value,
        Self::Unknown,
        Self::Less,
        Self::Known,
        Self::Text,
        Self::World,
    ];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Destroy => "destroy",
            Self::Action => "action",
            Self::Value => "value",
            Self::Unknown => "became-unknown",
            Self::Less => "less",
            Self::Known => "became-known",
            Self::Text => "text",
            Self::World => "world",
        }
    }

    /// The symbol in front of a line.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Destroy => "-",
            Self::Action => "!",
            Self::Value => "~",
            Self::Unknown => "?",
            Self::Less => "<",
            Self::Known => "≈",
            Self::Text => "=",
            Self::World => "⟳",
        }
    }

    /// Whether it goes beyond what was approved.
    pub fn is_wider(self) -> bool {
        match self {
            Self::Destroy | Self::Action | Self::Value | Self::Unknown => true,
            Self::Less | Self::Known | Self::Text | Self::World => false,
        }
    }

    /// How many, in words.
    fn counted(self, number: usize) -> String {
        let (one, many) = match self {
            Self::Destroy => ("1 more to destroy or replace", "more to destroy or replace"),
            Self::Action => ("1 other action", "other actions"),
            Self::Value => ("1 value differs", "values differ"),
            Self::Unknown => ("1 known value is unknown now", "known values are unknown now"),
            Self::Less => ("1 less than approved", "less than approved"),
            Self::Known => ("1 unknown value is known now", "unknown values are known now"),
            Self::Text => ("1 differs in its text only", "differ in their text only"),
            Self::World => ("1 value changed in the world", "values changed in the world"),
        };
        if number == 1 { one.to_owned() } else { format!("{number} {many}") }
    }
}

/// Something that differs.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    /// How it relates to what was approved.
    pub class: Class,
    /// What it belongs to.
    pub subject: Subject,
    /// The address of the object, the name of the output or variable; empty for the plan itself.
    pub address: &'a str,
    /// The key of a deposed object; empty for any other.
    pub deposed: &'a str,
    /// What differs.
    pub what: What<'a>,
}

/// What a difference belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A planned change.
    Resource,
    /// A change outside of the tool.
    Drift,
    /// A change that is put off.
    Deferred,
    /// An output.
    Output,
    /// An input variable.
    Variable,
    /// An action that is invoked.
    Invocation,
    /// The plan.
    Plan,
}

impl Subject {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Drift => "drift",
            Self::Deferred => "deferred",
            Self::Output => "output",
            Self::Variable => "variable",
            Self::Invocation => "action_invocation",
            Self::Plan => "plan",
        }
    }
}

/// What differs.
#[derive(Clone, Debug)]
pub enum What<'a> {
    /// It is in the new plan only.
    OnlyNow {
        /// What happens, in words: `is destroyed`.
        says: &'static str,
        /// The plan's words for the action.
        action: String,
        /// The address of an object that it may be, under another name.
        renamed_from: Option<&'a str>,
    },
    /// It is in the approved plan only.
    OnlyApproved {
        /// What was to happen, in words.
        says: &'static str,
        /// The plan's words for the action.
        action: String,
    },
    /// A property of the change.
    Property {
        /// Which one.
        property: Property,
        /// In the approved plan; none where it has none.
        approved: Option<String>,
        /// In the new plan.
        now: Option<String>,
    },
    /// A value after the change: `before` is what was approved, `after` what is planned now.
    Value {
        /// Where, and both values.
        edit: Edit<'a>,
        /// The value that is changed, in the approved plan and now; none where places do not match.
        from: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
    },
    /// A value before the change: `before` is what it was at the approval, `after` what it is now.
    World(Edit<'a>),
}

/// A property of a change, or of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// What is done.
    Actions,
    /// The paths that force a replacement: those that the other plan does not have.
    ReplacePaths,
    /// The address before a move.
    PreviousAddress,
    /// Where the object is imported from.
    Importing,
    /// The provider.
    Provider,
    /// Why it is done.
    Reason,
    /// The configuration that the tool generates for an import.
    GeneratedConfig,
    /// Why a change is put off.
    DeferredReason,
    /// Planning stopped with an error.
    Errored,
    /// Applying settles everything.
    Complete,
}

impl Property {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::ReplacePaths => "replace_paths",
            Self::PreviousAddress => "previous_address",
            Self::Importing => "importing",
            Self::Provider => "provider_name",
            Self::Reason => "action_reason",
            Self::GeneratedConfig => "generated_config",
            Self::DeferredReason => "deferred_reason",
            Self::Errored => "errored",
            Self::Complete => "complete",
        }
    }

    /// The name in a text.
    fn words(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::ReplacePaths => "forces replacement",
            Self::PreviousAddress => "moved from",
            Self::Importing => "imported from",
            Self::Provider => "provider",
            Self::Reason => "reason",
            Self::GeneratedConfig => "generated configuration",
            Self::DeferredReason => "put off because",
            Self::Errored => "planning failed",
            Self::Complete => "complete",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing differs.
    Same,
    /// Something differs, and nothing goes beyond what was approved.
    Within,
    /// Something goes beyond what was approved, or is not proven not to.
    Wider,
}

impl Verdict {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within => "within",
            Self::Wider => "wider",
        }
    }
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

/// What `--fail-on` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Something goes beyond what was approved.
    Wider,
    /// Something differs.
    Any,
    /// An object is destroyed or replaced, and that was not approved.
    Destroy,
}

impl Gate {
    /// All, in the order of the help.
    pub const ALL: [Self; 3] = [Self::Wider, Self::Any, Self::Destroy];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wider => "wider",
            Self::Any => "any",
            Self::Destroy => "destroy",
        }
    }

    /// The gate that a typed word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gate| gate.word() == word)
    }

    /// How many differences the condition holds for.
    pub fn hits(self, comparison: &Comparison<'_>) -> usize {
        let is_hit = |class: Class| match self {
            Self::Wider => class.is_wider(),
            Self::Any => true,
            Self::Destroy => class == Class::Destroy,
        };
        comparison.differences.iter().filter(|difference| is_hit(difference.class)).count()
    }
}

/// A JSON value of a plan as a text, with sorted keys.
fn json_text(value: Value<'_>) -> String {
    let mut text = String::new();
    fingerprint::write_json(&mut text, value);
    text
}
