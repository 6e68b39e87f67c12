//! Defines differences: what they are about, their content, and the outcomes of planned changes.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{Against, Class, written};
use crate::diff::edits::Edit;
use crate::diff::value::MarkedValue;
use crate::review::credentials::NamesOfValues;
use crate::review::formats::json;
use crate::text::nonzero;

/// Something that differs. `kind` says which of the other members there are.
#[derive(Clone, Debug, Serialize)]
pub struct Difference<'a> {
    /// The class.
    #[serde(flatten, serialize_with = "class_json")]
    pub class: Class,
    /// The kind of subject.
    pub subject: Subject,
    /// The address of the object, or the name of the output or variable; nothing for the plan itself.
    #[serde(serialize_with = "written")]
    pub address: &'a str,
    /// The deposed key, for a deposed object.
    #[serde(serialize_with = "written")]
    pub deposed: &'a str,
    /// The content of the difference.
    #[serde(flatten)]
    pub what: DifferenceKind<'a>,
}

/// The kind of subject of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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

/// What is done to an object.
#[derive(Clone, Debug, Serialize)]
pub struct ActionWords {
    /// In our words, such as `is destroyed`.
    #[serde(skip)]
    pub phrase: &'static str,
    /// The action in the words of the plan.
    #[serde(rename = "actions", serialize_with = "action_words")]
    pub action: String,
}

impl ActionWords {
    pub(super) fn new(action: &str, phrase: &'static str) -> Self {
        Self {
            phrase,
            action: action.to_owned(),
        }
    }
}

/// The content of a difference.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DifferenceKind<'a> {
    /// A change that is only in the new plan.
    OnlyNow {
        /// What is done.
        #[serde(flatten)]
        words: ActionWords,
        /// The address of an object that is like it and goes. A hint; both still count as different.
        #[serde(rename = "perhaps_renamed_from")]
        renamed_from: Option<&'a str>,
    },
    /// A change that is only in the approved plan.
    OnlyApproved {
        /// What is done.
        #[serde(flatten)]
        words: ActionWords,
    },
    /// A planned change that was not done, or not completely.
    Outcome {
        /// What is done.
        #[serde(flatten)]
        words: ActionWords,
        /// The outcome.
        outcome: Outcome,
        /// The reason, or the part that was done, if there is anything to say.
        #[serde(serialize_with = "written")]
        why: String,
    },
    /// The run as a whole failed, or its messages are incomplete.
    Run {
        /// The explanation.
        why: String,
    },
    /// What a document does not hold, so that it is not proven to be the same.
    Unproven {
        /// The property.
        property: Property,
        /// What is missing.
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
    /// A value after the change.
    Value {
        /// As in a review: `before` is the value that the approved plan sets, `after` the one that the new plan sets.
        /// In sets, places mean nothing.
        #[serde(serialize_with = "edit_json")]
        edit: Edit<'a>,
        /// The value before the change, in the approved plan and now; `None` if the paths do not match.
        #[serde(flatten, serialize_with = "before_json")]
        from: Option<(MarkedValue<'a>, MarkedValue<'a>)>,
        /// The names that the surroundings of values make credentials of, for texts; `None` if there are none.
        #[serde(skip)]
        named: Option<Arc<NamesOfValues>>,
    },
    /// A value before the change. If it is a part of the identity of the object, another object is acted on.
    #[serde(rename = "world")]
    Drifted {
        /// As in a review: `before` is the value at the approval, `after` the one now.
        #[serde(serialize_with = "edit_json")]
        edit: Edit<'a>,
        /// As for `Value`.
        #[serde(skip)]
        named: Option<Arc<NamesOfValues>>,
    },
}

impl<'a> DifferenceKind<'a> {
    /// Returns the names that the surroundings of the values make credentials of.
    pub(super) fn named(&self) -> Option<&NamesOfValues> {
        match self {
            Self::Value { named, .. } | Self::Drifted { named, .. } => named.as_deref(),
            Self::OnlyNow { .. }
            | Self::OnlyApproved { .. }
            | Self::Outcome { .. }
            | Self::Run { .. }
            | Self::Unproven { .. }
            | Self::Property { .. } => None,
        }
    }

    pub(super) fn only_now(action: &str, phrase: &'static str) -> Self {
        Self::OnlyNow {
            words: ActionWords::new(action, phrase),
            renamed_from: None,
        }
    }

    /// Returns the edit of a difference between values.
    pub(super) fn edit(&self) -> Option<&Edit<'a>> {
        match self {
            Self::Value { edit, .. } | Self::Drifted { edit, .. } => Some(edit),
            Self::OnlyNow { .. }
            | Self::OnlyApproved { .. }
            | Self::Unproven { .. }
            | Self::Property { .. }
            | Self::Outcome { .. }
            | Self::Run { .. } => None,
        }
    }

    /// Returns the outcome of a planned change, if the difference is one.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Outcome { outcome, .. } => Some(*outcome),
            Self::OnlyNow { .. }
            | Self::OnlyApproved { .. }
            | Self::Unproven { .. }
            | Self::Property { .. }
            | Self::Value { .. }
            | Self::Drifted { .. }
            | Self::Run { .. } => None,
        }
    }
}

/// Returns how many differences of one class there are, in words. Outcomes for which the words of the class do not fit
/// are counted on their own.
///
/// All differences must have the same class.
pub(super) fn counted(same: &[Difference<'_>], against: Against) -> Vec<String> {
    let Some(Difference { class, .. }) = same.first() else {
        return Vec::new();
    };
    let apart = [
        (Outcome::PartlyDone, "partly done"),
        (Outcome::Unfinished, "started without a known end"),
        (Outcome::NotShown, "not shown"),
    ]
    .map(|(outcome, words)| {
        let is_it = |difference: &&Difference<'_>| difference.what.outcome() == Some(outcome);
        (same.iter().filter(is_it).count(), words)
    });
    let rest = same.len() - apart.iter().map(|(number, _)| number).sum::<usize>();
    let rest = (rest > 0).then(|| class.counted(rest, against));
    rest.into_iter().chain(nonzero(apart)).collect()
}

/// The members of a difference that its class gives.
#[derive(Serialize)]
struct ClassJson {
    class: &'static str,
    /// It goes beyond what was approved, or is not proven not to.
    wider: bool,
}

fn class_json<S: Serializer>(class: &Class, serializer: S) -> Result<S::Ok, S::Error> {
    ClassJson {
        class: class.name(),
        wider: class.is_wider(),
    }
    .serialize(serializer)
}

/// The values before the changes, where they differ too.
#[derive(Serialize)]
struct BeforeJson<'r> {
    approved_before: json::SideJson<'r>,
    now_before: json::SideJson<'r>,
}

fn before_json<S: Serializer>(
    from: &Option<(MarkedValue<'_>, MarkedValue<'_>)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let side = |value| json::side(Some(value), json::Marks::All);
    let before = from.map(|(old, now)| BeforeJson {
        approved_before: side(old),
        now_before: side(now),
    });
    before.serialize(serializer)
}

fn action_words<S: Serializer>(action: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(action.split(',').filter(|word| !word.is_empty()))
}

fn edit_json<S: Serializer>(edit: &Edit<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    json::edit(edit).serialize(serializer)
}

/// A property of a change or plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// The provider configuration that the objects of a resource use.
    #[serde(rename = "provider_config_key")]
    ProviderConfiguration,
    /// The configuration.
    Configuration,
    /// The arguments of a provider, or those of a resource whose values are known after apply.
    #[serde(rename = "expressions")]
    Arguments,
    /// The expression of an output whose value is known after apply.
    Expression,
    /// The place of the state that the apply writes, with its workspace.
    Backend,
    /// The mode of the plan: normal, destroy or refresh-only.
    Mode,
    /// The addresses that the plan is limited to.
    Targets,
    /// The addresses that the plan leaves out.
    Excluded,
    /// The version of a provider in the dependency lock file, with its package.
    LockedVersion,
    /// A member of the document whose meaning is not known.
    Member,
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
    /// Returns the difference of a property whose values are not the same; `None` if they are. An empty text means that
    /// there is no value.
    pub(super) fn differs<'a>(self, approved: &str, now: &str) -> Option<DifferenceKind<'a>> {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (property, is_other) = (self, approved != now);
        is_other.then(|| DifferenceKind::Property {
            property,
            approved: some(approved),
            now: some(now),
        })
    }

    /// Returns the name of the property for a line of text.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::ReplacePaths => "forces replacement",
            Self::PreviousAddress => "moved from",
            Self::Importing => "imported from",
            Self::Provider => "provider",
            Self::Reason => "reason",
            Self::GeneratedConfig => "generated configuration",
            Self::DeferredReason => "deferred because",
            Self::OnFailure => "on failure",
            Self::Provisioners => "what its provisioners run",
            Self::ProviderConfiguration => "provider configuration",
            Self::Configuration => "configuration",
            Self::Arguments => "arguments",
            Self::Expression => "expression",
            Self::Backend => "backend",
            Self::Mode => "mode",
            Self::Targets => "targets",
            Self::Excluded => "left out",
            Self::LockedVersion => "locked version",
            Self::Member => "another member",
            Self::Tainted => "tainted",
            Self::Errored => "planning failed",
            Self::Complete => "complete",
            Self::Applyable => "can be applied",
        }
    }
}

/// The outcome of a planned change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done as planned.
    Done,
    /// Something else was done, or known values have other results.
    DoneDifferently,
    /// It failed.
    Failed,
    /// It was partly done, such as a replacement that destroyed but did not create.
    PartlyDone,
    /// It was started, but there is no message about its end.
    Unfinished,
    /// It was not started; of a state: it is not done.
    NeverStarted,
    /// The result does not show it.
    NotShown,
}

impl Outcome {
    /// Returns the outcome in words for a line of text. A state does not show what was started.
    pub(super) fn words(self, against: Against) -> &'static str {
        match self {
            Self::Done => "done",
            Self::DoneDifferently => "done differently",
            Self::Failed => "failed",
            Self::PartlyDone => "partly done",
            Self::Unfinished => "started, its end is unknown",
            Self::NeverStarted if against == Against::State => "not done",
            Self::NeverStarted => "never started",
            Self::NotShown => "not shown",
        }
    }

    /// Returns the class of the outcome as a difference; `None` if the outcome is no difference by itself.
    pub(super) fn class(self) -> Option<Class> {
        match self {
            // Their differences are reported on their own.
            Self::Done | Self::DoneDifferently => None,
            Self::Failed | Self::PartlyDone | Self::Unfinished => Some(Class::Failed),
            Self::NeverStarted | Self::NotShown => Some(Class::Reduced),
        }
    }
}

/// A planned change and its outcome.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedOutcome<'a> {
    /// The kind of subject.
    pub subject: Subject,
    /// The address of the object, or the name of the output.
    pub address: &'a str,
    /// The deposed key, for a deposed object.
    #[serde(serialize_with = "written")]
    pub deposed: &'a str,
    /// What is planned.
    #[serde(flatten)]
    pub words: ActionWords,
    /// The outcome.
    pub outcome: Outcome,
    /// The reason, or the part that was done, if there is anything to say.
    #[serde(serialize_with = "written")]
    pub why: String,
}
