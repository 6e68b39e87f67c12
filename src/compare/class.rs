//! The classes of differences, and the verdict and the gates that follow from them.

use super::{Against, Comparison};

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
    /// What is missing may be more than was approved: the messages of a run end early.
    Unproven,
    /// Approved and tried, and failed, or done in part.
    Failed,
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
    pub const ALL: [Self; 10] = [
        Self::Destroy,
        Self::Action,
        Self::Value,
        Self::Unknown,
        Self::Unproven,
        Self::Failed,
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
            Self::Unproven => "unproven",
            Self::Failed => "failed",
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
            Self::Unproven => "…",
            Self::Failed => "✗",
            Self::Less => "<",
            Self::Known => "≈",
            Self::Text => "=",
            Self::World => "⟳",
        }
    }

    /// Whether it goes beyond what was approved.
    pub fn is_wider(self) -> bool {
        match self {
            Self::Destroy | Self::Action | Self::Value | Self::Unknown | Self::Unproven => true,
            Self::Failed | Self::Less | Self::Known | Self::Text | Self::World => false,
        }
    }

    /// Whether the plan left it open, so that it is as approved once it is applied.
    pub(super) fn is_expected_of_result(self) -> bool {
        match self {
            Self::Known | Self::Text => true,
            Self::Destroy
            | Self::Action
            | Self::Value
            | Self::Unknown
            | Self::Unproven
            | Self::Failed
            | Self::Less
            | Self::World => false,
        }
    }

    /// How many, in words.
    pub(super) fn counted(self, number: usize, against: Against) -> String {
        let (one, many) = match self {
            Self::Destroy if against.is_result() => {
                ("1 other destroyed or replaced", "others destroyed or replaced")
            }
            Self::Less if against.is_result() => ("1 not done", "not done"),
            Self::Destroy => ("1 more to destroy or replace", "more to destroy or replace"),
            Self::Action => ("1 other action", "other actions"),
            Self::Value => ("1 value differs", "values differ"),
            Self::Unknown => ("1 known value is unknown now", "known values are unknown now"),
            Self::Unproven => ("1 doubt", "doubts"),
            Self::Failed => ("1 failed", "failed"),
            Self::Less => ("1 less than approved", "less than approved"),
            Self::Known => ("1 unknown value is known now", "unknown values are known now"),
            Self::Text => ("1 differs in its text only", "differ in their text only"),
            Self::World => ("1 value changed in the world", "values changed in the world"),
        };
        if number == 1 { one.to_owned() } else { format!("{number} {many}") }
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
        let is_hit = |class: &Class| match self {
            Self::Wider => class.is_wider(),
            Self::Any => true,
            Self::Destroy => *class == Class::Destroy,
        };
        comparison.differing().filter(is_hit).count()
    }
}
