//! Units of which there is no plan to review.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Why there is no plan of a unit to review. The order is that of texts, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// Its plan cannot be read.
    Unreadable,
    /// Its run failed.
    Failed,
    /// Its run was not begun, because one that it depends on failed.
    EarlyExit,
    /// Its run succeeded, but there is no plan of it.
    Missing,
    /// It was excluded from the run.
    Excluded,
}

impl Absence {
    /// What is the matter, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "cannot be read",
            Self::Failed => "failed",
            Self::EarlyExit => "ended early",
            Self::Missing => "has no plan",
            Self::Excluded => "was excluded",
        }
    }

    /// Whether it is a failure, rather than intended.
    pub fn is_failure(self) -> bool {
        self != Self::Excluded
    }
}

/// A unit of which there is no plan to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct AbsentUnit {
    /// The name.
    #[serde(rename = "unit")]
    pub name: String,
    /// Why.
    #[serde(rename = "why")]
    pub absence: Absence,
    /// More about it, on one line; may be empty.
    pub reason: String,
}

impl AbsentUnit {
    /// What is the matter with it.
    pub fn sentence(&self) -> String {
        match &*self.reason {
            "" => self.absence.words().to_owned(),
            reason => format!("{}: {reason}", self.absence.words()),
        }
    }
}
