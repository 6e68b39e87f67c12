//! Findings: what a plan proves and its approver must weigh, and how grave it is.
//!
//! The finders find them in one object; a plan lists them in rank order, each once for all objects that have it.
//! Invariants: the level of a plan is at least that of each of its findings; nothing that a found configuration
//! file says changes the level, or comes before what is proven without it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use serde::Deserialize;

use super::entry::PlanReview;
use crate::diff::edits::{Path, Step};
use crate::report::SectionKind;

/// How grave a finding or a plan is.
pub type Level = crate::report::Level;

/// A finding that a reviewer should notice.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The path of the value.
    pub path: Path<'a>,
    /// The finding in words, without the address.
    pub text: String,
    /// How grave it is.
    pub level: Level,
    /// The rank among findings of the same level and kind: the largest first.
    pub weight: u8,
    /// The name of the rule.
    pub rule: Arc<str>,
    /// Whether it is about the statements of a policy that is known only after apply, as far as the configuration
    /// proves them.
    pub is_expected: bool,
    /// For drift: whether the plan undoes it.
    pub is_undone: bool,
    /// The origin of the rule.
    pub origin: RuleOrigin,
}

/// The origin of a rule for findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The built-in table.
    BuiltIn,
    /// A file that the command line names.
    Given,
    /// A file that was found in the working tree, and may be part of the change under review. Its findings are
    /// in the texts and count for gates, but are not in the JSON, and do not displace others.
    Found,
}

/// The kinds of findings, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    DataLoss,
    /// Everybody gets access.
    Exposure,
    /// A protection is removed or lowered.
    Protection,
    /// A service is interrupted.
    Downtime,
    /// An important value becomes unknown.
    Unknown,
    /// A value in plain text looks like a credential.
    Secret,
}

impl FindingKind {
    /// All kinds, the most severe first.
    pub const ALL: [Self; 6] =
        [Self::DataLoss, Self::Exposure, Self::Protection, Self::Downtime, Self::Unknown, Self::Secret];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::DataLoss => "data-loss",
            Self::Exposure => "exposure",
            Self::Protection => "protection",
            Self::Unknown => "unknown",
            Self::Downtime => "downtime",
            Self::Secret => "secret",
        }
    }
}

/// A finding of a plan, with all objects that have it.
#[derive(Clone, Debug)]
pub struct PlanFinding<'a> {
    /// The finding, with the path in the first object.
    pub finding: Finding<'a>,
    /// The list that the objects are in.
    pub part: SectionKind,
    /// The addresses of the objects in the order of the plan; for outputs, their names.
    pub addresses: Vec<&'a str>,
    /// The key of the first object if it is deposed; empty for a current one.
    pub deposed: &'a str,
}

impl PlanFinding<'_> {
    /// Whether it is by a rule of a found configuration file.
    pub fn is_found(&self) -> bool {
        self.finding.origin == RuleOrigin::Found
    }
}

/// The findings of one object: their indices in those of the plan, the gravest first.
#[derive(Clone, Debug, Default)]
pub struct OwnFindings {
    indices: Vec<usize>,
    /// The number of those that are not by a rule of a found configuration file.
    proven: usize,
}

impl OwnFindings {
    /// Those that are not by a rule of a found configuration file.
    pub fn proven(&self) -> &[usize] {
        self.indices.get(..self.proven).unwrap_or_default()
    }
}

impl Deref for OwnFindings {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.indices
    }
}

/// The findings of one object, by its list and its index in that.
pub(super) type FoundIn<'a> = (SectionKind, usize, Vec<Finding<'a>>);

/// What is equal in findings that are listed once.
type Same = (SectionKind, FindingKind, Level, Arc<str>, String, [bool; 2], RuleOrigin, String);

/// The findings of a plan in rank order, each once, and those of each object, by its list and index. The objects
/// are in the order of the plan.
pub(super) fn join<'a>(
    objects: Vec<FoundIn<'a>>,
    review: &PlanReview<'a>,
) -> (Vec<PlanFinding<'a>>, Vec<(SectionKind, usize, OwnFindings)>) {
    let mut places: HashMap<Same, usize> = HashMap::new();
    // With the number of the last object that has it, because an object may have it at several places.
    let mut joined: Vec<(PlanFinding<'_>, usize)> = Vec::new();
    let mut owners = Vec::with_capacity(objects.len());
    for (number, (part, at, findings)) in objects.into_iter().enumerate() {
        let object = review.list(part).get(at);
        let (address, deposed) = object.map_or(Default::default(), |entry| (entry.address, entry.deposed));
        let mut own = Vec::with_capacity(findings.len());
        for finding in findings {
            let key = (
                part,
                finding.kind,
                finding.level,
                Arc::clone(&finding.rule),
                finding.text.clone(),
                [finding.is_expected, finding.is_undone],
                finding.origin,
                shape(finding.path),
            );
            let place = *places.entry(key).or_insert(joined.len());
            own.push(place);
            if place == joined.len() {
                joined.push((PlanFinding { finding, part, addresses: Vec::new(), deposed }, usize::MAX));
            }
            let (same, last) = &mut joined[place];
            if std::mem::replace(last, number) != number {
                same.addresses.push(address);
            }
        }
        owners.push((part, at, OwnFindings { indices: own, proven: 0 }));
    }
    let mut ranked: Vec<(usize, PlanFinding<'_>)> =
        joined.into_iter().map(|(finding, _)| finding).enumerate().collect();
    // The sort is stable: last, the order of the plan decides.
    crate::sort::by_key(&mut ranked, |(_, listed)| {
        let Finding { level, kind, weight, .. } = listed.finding;
        (listed.is_found(), Reverse(level), kind, Reverse(weight))
    });
    let mut ranks = vec![0; ranked.len()];
    for (rank, (place, _)) in ranked.iter().enumerate() {
        ranks[*place] = rank;
    }
    let listed = ranked.partition_point(|(_, listed)| !listed.is_found());
    for OwnFindings { indices, proven } in owners.iter_mut().map(|(.., own)| own) {
        indices.iter_mut().for_each(|place| *place = ranks[*place]);
        indices.sort_unstable();
        indices.dedup();
        *proven = indices.partition_point(|rank| *rank < listed);
    }
    (ranked.into_iter().map(|(_, finding)| finding).collect(), owners)
}

/// A path without the places of elements.
fn shape(path: Path<'_>) -> String {
    let mut shape = String::new();
    for step in path.steps() {
        match step {
            Step::Name(name) => shape.extend([".", name]),
            Step::Element(_) => shape.push_str("[]"),
            Step::Document(_) => shape.push('#'),
        }
    }
    shape
}
