//! Differences and their subjects.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::Class;
use super::result::Outcome;
use crate::diff::edits::Edit;
use crate::diff::value::MarkedValue;

/// A difference.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    /// The class.
    pub class: Class,
    /// The kind of subject.
    pub subject: Subject,
    /// The address of the object, or the name of the output or variable; empty for the plan itself.
    pub address: &'a str,
    /// The deposed key; empty for anything else.
    pub deposed: &'a str,
    /// The content of the difference.
    pub what: DifferenceKind<'a>,
}

/// The kind of subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A planned change.
    Resource,
    /// Drift.
    Drift,
    /// A deferred change.
    Deferred,
    /// An output.
    Output,
    /// An input variable.
    Variable,
    /// The invocation of an action.
    #[serde(rename = "action_invocation")]
    Invocation,
    /// A deferred invocation of an action.
    #[serde(rename = "deferred_action_invocation")]
    DeferredInvocation,
    /// The configuration of a provider.
    ProviderConfiguration,
    /// The plan.
    Plan,
    /// The run that applied the plan.
    Run,
}

/// The content of a difference.
#[derive(Clone, Debug)]
pub enum DifferenceKind<'a> {
    /// A change that is only in the new plan.
    OnlyNow {
        /// The action in words, such as `is destroyed`.
        phrase: &'static str,
        /// The action in the words of the plan.
        action: String,
        /// The address of an approved object that may be the same under another name.
        renamed_from: Option<&'a str>,
    },
    /// A change that is only in the approved plan.
    OnlyApproved {
        /// The action in words.
        phrase: &'static str,
        /// The action in the words of the plan.
        action: String,
    },
    /// A planned change that was not done, or not completely.
    Outcome {
        /// The action in words.
        phrase: &'static str,
        /// The action in the words of the plan.
        action: String,
        /// The outcome.
        outcome: Outcome,
        /// The reason, or the part that was done; may be empty.
        why: String,
    },
    /// The run as a whole failed, or its messages are incomplete.
    Run {
        /// The explanation.
        why: String,
    },
    /// A property of the change.
    Property {
        /// The property.
        property: Property,
        /// Its value in the approved plan, if it has one.
        approved: Option<String>,
        /// Its value in the new plan, if it has one.
        now: Option<String>,
    },
    /// A value after the change: `before` is the approved value, `after` the one planned now.
    Value {
        /// The path and both values.
        edit: Edit<'a>,
        /// The value before the change, in the approved plan and now; `None` if the paths do not match.
        from: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
    },
    /// A value before the change: `before` is the value at the approval, `after` the current one.
    World(Edit<'a>),
}

/// A property of a change or plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// The actions.
    Actions,
    /// The paths that force replacement and that the other plan does not have.
    ReplacePaths,
    /// The address before a move.
    PreviousAddress,
    /// Where the object is imported from.
    Importing,
    /// The provider.
    #[serde(rename = "provider_name")]
    Provider,
    /// The action reason.
    #[serde(rename = "action_reason")]
    Reason,
    /// The configuration that the tool generates for an import.
    GeneratedConfig,
    /// The reason of a deferral.
    DeferredReason,
    /// What the failure of an action means for the run.
    OnFailure,
    /// The provisioners that run.
    Provisioners,
    /// The arguments of a provider.
    #[serde(rename = "expressions")]
    Arguments,
    /// Whether the object is tainted.
    Tainted,
    /// Whether planning stopped with an error.
    Errored,
    /// Whether applying needs no further plan.
    Complete,
    /// Whether the plan can be applied.
    Applyable,
}

impl Property {
    /// The name in texts.
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
            Self::OnFailure => "on failure",
            Self::Provisioners => "what its provisioners run",
            Self::Arguments => "configuration",
            Self::Tainted => "tainted",
            Self::Errored => "planning failed",
            Self::Complete => "complete",
            Self::Applyable => "can be applied",
        }
    }
}
