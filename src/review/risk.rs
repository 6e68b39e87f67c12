//! The order of entries by risk.

use std::cmp::Reverse;

use super::ChangeKind;
use super::entry::{Entry, FactKind, FactRank, RuleOrigin};
use super::weight::Weight;

/// The risk of an entry; the most severe is the least, so that it sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Risk {
    rank: FactRank,
    kind: ChangeKind,
    gravest: Option<FactKind>,
    weight: Reverse<Weight>,
}

/// The risk of an entry among those with the same action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RiskWithinAction {
    rank: FactRank,
    gravest: Option<FactKind>,
    weight: Reverse<Weight>,
}

impl Entry<'_> {
    /// The order if space is limited: entries with facts first, then by action, then by the weight of the
    /// changed attributes.
    pub fn risk(&self) -> Risk {
        let rank = match self.fact_rank() {
            FactRank::Proven => FactRank::Proven,
            // Facts of a found configuration file must not displace others.
            FactRank::Found | FactRank::None => FactRank::None,
        };
        let RiskWithinAction { gravest, weight, .. } = self.risk_within_action();
        Risk { rank, kind: ChangeKind::from_entry(self), gravest, weight }
    }

    /// The order among entries with the same action.
    pub(crate) fn risk_within_action(&self) -> RiskWithinAction {
        let facts = self.facts.iter().filter(|fact| fact.origin != RuleOrigin::Found);
        let gravest = facts.map(|fact| fact.kind).min();
        let weight = self.edits.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        RiskWithinAction { rank: self.fact_rank(), gravest, weight: Reverse(weight) }
    }
}
