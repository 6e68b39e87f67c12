//! Orders entries and edits where space is limited: the gravest first.
//!
//! Invariant: ties keep the order of the plan, so the result is the same in each run.
//!
//! ```text
//! [update without findings, destroy, update with a critical finding]
//!
//! [update with a critical finding, destroy, update without findings]
//! ```

use std::cmp::Reverse;
use std::ops::Range;

use super::ChangeKind;
use super::entry::{Entry, Level};
use super::names::Weight;
use super::paths::{is_same_name, root_name};
use crate::diff::edits::Edit;

/// The order of entries with the same level and kind: by the rank of the gravest finding (the highest number if there
/// is none), then by the weight of the heaviest edit.
type RiskWithinAction = (usize, Reverse<Weight>);

impl Entry<'_> {
    /// Returns the key that orders entries where space is limited, the gravest first. Findings of a found configuration
    /// file do not displace others.
    pub(crate) fn risk(&self) -> (Reverse<Level>, ChangeKind, RiskWithinAction) {
        (Reverse(self.level), self.kind(), self.risk_within_action())
    }

    /// Returns the key that orders entries of the same kind, the gravest first.
    pub(crate) fn risk_within_action(&self) -> RiskWithinAction {
        let weight = self
            .exact_edits
            .exact()
            .iter()
            .map(Weight::from_edit)
            .max()
            .unwrap_or(Weight::Light);
        (
            self.findings.first().copied().unwrap_or(usize::MAX),
            Reverse(weight),
        )
    }
}

/// Returns the order of edits as indices: attributes that are `flagged` by findings first, then by the heaviest edit of
/// the attribute, then as in the plan. The edits of an attribute stay together.
pub(super) fn order(edits: &[Edit<'_>], flagged: &[&str]) -> Vec<usize> {
    let mut groups: Vec<((bool, Weight), Range<usize>)> = Vec::new();
    let mut from = 0;
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let weight = group
            .iter()
            .map(Weight::from_edit)
            .max()
            .unwrap_or(Weight::Light);
        let is_flagged = group
            .first()
            .is_some_and(|edit| flagged.contains(&root_name(edit)));
        groups.push(((is_flagged, weight), from..from + group.len()));
        from += group.len();
    }
    groups.sort_by_key(|(weight, _)| Reverse(*weight));
    groups.into_iter().flat_map(|(_, range)| range).collect()
}
