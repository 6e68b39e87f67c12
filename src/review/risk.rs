//! The order of entries by risk.

use std::cmp::Reverse;

use super::ChangeKind;
use super::entry::{Entry, Level};
use super::weight::Weight;

/// The risk of an entry; the most severe is the least, so that it sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Risk {
    level: Reverse<Level>,
    kind: ChangeKind,
    within: RiskWithinAction,
}

/// The risk of an entry among those with the same action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RiskWithinAction {
    /// The rank of its gravest finding in the plan; the highest number without any.
    rank: usize,
    weight: Reverse<Weight>,
}

impl Entry<'_> {
    /// The order if space is limited: by the level of the findings, then by action, then by the gravest finding and
    /// the weight of the changed attributes. Findings of a found configuration file do not displace others.
    pub fn risk(&self) -> Risk {
        let kind = ChangeKind::from_entry(self);
        Risk { level: Reverse(self.level), kind, within: self.risk_within_action() }
    }

    /// The order among entries with the same action.
    pub(crate) fn risk_within_action(&self) -> RiskWithinAction {
        let weight = self.edits.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        RiskWithinAction {
            rank: self.findings.first().copied().unwrap_or(usize::MAX),
            weight: Reverse(weight),
        }
    }
}
