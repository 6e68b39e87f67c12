//! The order of entries by risk.

use std::cmp::Reverse;

use super::ChangeKind;
use super::entry::{Entry, FactKind, FactRank, RuleOrigin};
use super::weight::Weight;

/// How grave an entry is; the gravest is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Risk {
    rank: FactRank,
    kind: ChangeKind,
    gravest: Option<FactKind>,
    weight: Reverse<Weight>,
}

/// How grave an entry is among those to which the same happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RiskWithin {
    rank: FactRank,
    gravest: Option<FactKind>,
    weight: Reverse<Weight>,
}

impl Entry<'_> {
    /// Its place where only the gravest can be listed: what has facts first, then by what happens, then by the
    /// weight of what changes.
    pub fn risk(&self) -> Risk {
        let rank = match self.fact_rank() {
            FactRank::Proven => FactRank::Proven,
            // Facts of a file that was found push out nothing.
            FactRank::Found | FactRank::None => FactRank::None,
        };
        let RiskWithin { gravest, weight, .. } = self.risk_within();
        Risk { rank, kind: ChangeKind::from_entry(self), gravest, weight }
    }

    /// Its place among entries to which the same happens.
    pub(crate) fn risk_within(&self) -> RiskWithin {
        let facts = self.facts.iter().filter(|fact| fact.origin != RuleOrigin::Found);
        let gravest = facts.map(|fact| fact.kind).min();
        let weight = self.edits.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        RiskWithin { rank: self.fact_rank(), gravest, weight: Reverse(weight) }
    }
}
