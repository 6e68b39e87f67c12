//! The order of entries by risk.

use std::cmp::Reverse;

use super::ChangeKind;
use super::entry::{Entry, Level};
use super::weight::Weight;

/// The risk of an entry among those with the same action, the most severe first: the rank of its gravest finding in the
/// plan, the highest number without any; and the weight of what changes.
type RiskWithinAction = (usize, Reverse<Weight>);

impl Entry<'_> {
    /// The order if space is limited: by the level of the findings, then by action, then by the gravest finding and
    /// the weight of the changed attributes. Findings of a found configuration file do not displace others.
    pub(crate) fn risk(&self) -> (Reverse<Level>, ChangeKind, RiskWithinAction) {
        (Reverse(self.level), ChangeKind::from_entry(self), self.risk_within_action())
    }

    /// The order among entries with the same action.
    pub(crate) fn risk_within_action(&self) -> RiskWithinAction {
        let weight = self.edits.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        (self.findings.first().copied().unwrap_or(usize::MAX), Reverse(weight))
    }
}
