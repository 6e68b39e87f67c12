//! Levels: how grave a finding or a plan is.

use serde::Deserialize;

/// How grave a finding or a plan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing changes.
    #[default]
    #[serde(skip)]
    None,
    /// To know, but not to weigh.
    Notice,
    /// To weigh.
    Warning,
    /// Data, access or a service that cannot be given back.
    Critical,
}

impl Level {
    /// All levels, the least grave first.
    pub const ALL: [Self; 4] = [Self::None, Self::Notice, Self::Warning, Self::Critical];

    /// The levels of findings, the least grave first.
    pub fn of_findings() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| *level != Self::None)
    }

    /// The level below, for what is not as grave as it is alone. A finding is at least a notice.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Notice | Self::Warning => Self::Notice,
            Self::Critical => Self::Warning,
        }
    }

    /// The sign of a verdict.
    pub fn sign(self) -> &'static str {
        match self {
            Self::None => "✓",
            Self::Notice => "~",
            Self::Warning => "!",
            Self::Critical => "!!",
        }
    }

    /// The name in the JSON and in rules.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}
