//! Defines the classes of differences, and the verdicts and gates that follow from them.

use serde::Serialize;
use strum::VariantArray;

use super::{Against, Comparison};
use crate::model::Action;
use crate::report::{EntrySign, Level, Tone};
use crate::review::{ChangeKind, unlisted};

/// The class of a difference: what it means for the approval. The classes are ordered from the most severe to the least
/// severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Class {
    /// An object is destroyed or replaced although this was not approved.
    Destroy,
    /// Something else is done to an object than was approved.
    Action,
    /// A value is set that was not approved.
    Value,
    /// A value that was known is now known only after apply.
    Unknown,
    /// The messages of a run are incomplete, so the run may have done more than was approved.
    Unproven,
    /// A planned change failed, or planning did.
    Failed,
    /// Less than was approved is done.
    Reduced,
    /// A value that was known only after apply is now known.
    Known,
    /// A value that the configuration does not give came out otherwise than planned.
    Computed,
    /// Equivalent, but written differently.
    NotationOnly,
    /// The objects have changed since the approval, but the change to them is the same.
    Drifted,
}

/// The name of a class in formats and its appearance in texts.
struct Row {
    name: &'static str,
    sign: &'static str,
    tone: Tone,
}

impl Class {
    /// All classes, the most severe first.
    pub const ALL: [Self; 11] = *Self::VARIANTS.as_array().expect("the number of variants");

    /// Returns the class of a change that was not approved at all.
    pub(super) fn unapproved(kind: ChangeKind) -> Self {
        let destroys = matches!(kind, ChangeKind::Destroy | ChangeKind::Replace);
        if destroys {
            Self::Destroy
        } else {
            Self::Action
        }
    }

    /// Returns the class of a change that only the new plan has.
    pub(super) fn of_object(mode: &str, action: &Action, kind: ChangeKind) -> Self {
        // Ephemeral objects are never stored, and removing a data source from the state destroys nothing.
        if unlisted(mode, action).is_some() {
            Self::NotationOnly
        } else {
            Self::unapproved(kind)
        }
    }

    /// Returns the class of a difference between the actions of two plans; `None` if they are the same.
    pub(super) fn of_actions(approved: &Action, now: &Action) -> Option<Self> {
        if approved == now {
            return None;
        }
        let kind = |action| ChangeKind::from_action(action, false, false);
        Some(match (kind(approved), kind(now)) {
            // Even if a replacement was approved: the object is not created again.
            (_, ChangeKind::Destroy) => Self::Destroy,
            (ChangeKind::Replace, ChangeKind::Replace) => Self::Action,
            (_, ChangeKind::Replace) => Self::Destroy,
            // Nothing is destroyed any more. What is changed in place is compared value by value.
            (ChangeKind::Replace, ChangeKind::Update) => Self::Reduced,
            // Nothing is done any more, except for moves and imports, which are compared on their own.
            (_, _) if *now == Action::NoOp => Self::Reduced,
            _ => Self::Action,
        })
    }

    /// Returns the name of the class and its appearance.
    fn row(self) -> Row {
        let row = |name, sign, tone| Row { name, sign, tone };
        match self {
            Self::Destroy => row("destroy", "-", Tone::Alert),
            Self::Action => row("action", "!", Tone::Removed),
            Self::Value => row("value", "~", Tone::Changed),
            Self::Unknown => row("became-unknown", "?", Tone::Changed),
            Self::Unproven => row("unproven", "…", Tone::Removed),
            Self::Failed => row("failed", "✗", Tone::Removed),
            Self::Reduced => row("less", "<", Tone::Muted),
            Self::Known => row("became-known", "≈", Tone::Muted),
            Self::Computed => row("computed", "≈", Tone::Muted),
            Self::NotationOnly => row("text", "=", Tone::Muted),
            Self::Drifted => row("world", "⟳", Tone::Muted),
        }
    }

    /// Returns the name in the JSON.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub(super) fn sign(self) -> EntrySign {
        let Row { sign, tone, .. } = self.row();
        EntrySign { symbol: sign, tone }
    }

    /// Whether a difference of this class means that more happens than was approved, or that more may happen.
    pub fn is_wider(self) -> bool {
        self <= Self::Unproven
    }

    /// Whether a difference of this class is expected when a plan is compared with its result, so that it does not
    /// count.
    pub(super) fn is_expected_of_result(self) -> bool {
        matches!(self, Self::Known | Self::Computed | Self::NotationOnly)
    }

    /// Returns how many differences of this class there are, in words that fit what is compared.
    pub(super) fn counted(self, number: usize, against: Against) -> String {
        let (one, many) = match self {
            Self::Destroy if against.is_result() => (
                "1 other destroyed or replaced",
                "others destroyed or replaced",
            ),
            Self::Destroy if against == Against::States => ("1 object is gone", "objects are gone"),
            Self::Action if against == Against::States => ("1 object is new", "objects are new"),
            Self::Reduced if against.is_result() => ("1 not done", "not done"),
            Self::Destroy => ("1 more to destroy or replace", "more to destroy or replace"),
            Self::Action => ("1 other action", "other actions"),
            Self::Value => ("1 value differs", "values differ"),
            Self::Unknown => (
                "1 known value is unknown now",
                "known values are unknown now",
            ),
            Self::Unproven => ("1 unproven difference", "unproven differences"),
            Self::Failed => ("1 failed", "failed"),
            Self::Reduced => ("1 less than approved", "less than approved"),
            Self::Known => (
                "1 unknown value is known now",
                "unknown values are known now",
            ),
            Self::Computed => ("1 computed value changed", "computed values changed"),
            Self::NotationOnly => ("1 differs in notation only", "differ in notation only"),
            Self::Drifted => (
                "1 value changed outside of the tool",
                "values changed outside of the tool",
            ),
        };
        if number == 1 {
            one.to_owned()
        } else {
            format!("{number} {many}")
        }
    }
}

/// The verdict of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing differs.
    Same,
    /// There are differences, but none exceeds the approval.
    Within,
    /// A difference exceeds the approval, or is not proven to be within it.
    Wider,
}

impl Verdict {
    pub(super) fn level(self) -> Level {
        match self {
            Self::Same => Level::None,
            Self::Within => Level::Notice,
            Self::Wider => Level::Warning,
        }
    }
}

/// A condition on the classes of differences, which the exit code depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// A difference means that more happens than was approved, or may.
    Wider,
    /// There is a difference.
    Any,
    /// An object is destroyed that was not to be destroyed.
    Destroy,
}

impl Gate {
    /// All conditions.
    pub const ALL: [Self; 3] = [Self::Wider, Self::Any, Self::Destroy];

    /// Returns the word for the gate on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wider => "wider",
            Self::Any => "any",
            Self::Destroy => "destroy",
        }
    }

    /// Parses the word for a gate on the command line.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gate| gate.word() == word)
    }

    /// Returns the number of differences that violate the gate.
    pub fn hits(self, comparison: &Comparison<'_>) -> usize {
        let is_hit = |class: &Class| match self {
            Self::Wider => class.is_wider(),
            Self::Any => true,
            Self::Destroy => *class == Class::Destroy,
        };
        comparison.differing().filter(is_hit).count()
    }
}
