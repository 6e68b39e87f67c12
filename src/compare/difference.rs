//! What may differ, and what it belongs to.

use super::Class;
use super::result::Outcome;
use crate::diff::value::MarkedValue;
use crate::review::edit::Edit;

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
    /// The run that applied it.
    Run,
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
            Self::Run => "run",
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
    /// A planned change that was not done, or not to its end.
    Outcome {
        /// What was to happen, in words.
        says: &'static str,
        /// The plan's words for the action.
        action: String,
        /// What became of it.
        outcome: Outcome,
        /// Why, or which part of it; empty if there is nothing to say.
        why: String,
    },
    /// The run as a whole failed, or its messages do not show all of it.
    Run {
        /// Which.
        why: String,
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
    pub(super) fn words(self) -> &'static str {
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
