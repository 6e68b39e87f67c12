//! Findings: what a plan proves and its approver must weigh, and how grave it is.
//!
//! The finders find them in one object; a plan lists them in rank order, each once for all objects that have it.
//! Invariants: the level of a plan is at least that of each of its findings; nothing that a found configuration
//! file says changes the level, or comes before what is proven without it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::entry::PlanReview;
use super::text::root_of;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// The findings of one object, by its list and its index in that.
pub(super) type FoundIn<'a> = (SectionKind, usize, Vec<Finding<'a>>);

/// What is equal in findings that are listed once.
type Same = (SectionKind, FindingKind, Level, Arc<str>, String, [bool; 2], RuleOrigin, String);

/// Lists the findings of the objects of a review in rank order, each once, and notes those of each object. The objects
/// are in the order of the plan.
pub(super) fn list<'a>(objects: Vec<FoundIn<'a>>, review: &mut PlanReview<'a>) {
    let mut all: Vec<(SectionKind, usize, Finding<'a>)> = Vec::new();
    for (part, at, findings) in objects {
        all.extend(findings.into_iter().map(|finding| (part, at, finding)));
    }
    // The sort is stable: last, the order of the plan decides.
    crate::sort::by_key(&mut all, |(.., Finding { origin, level, kind, weight, .. })| {
        (*origin == RuleOrigin::Found, Reverse(*level), *kind, Reverse(*weight))
    });
    let mut places: HashMap<Same, usize> = HashMap::new();
    let mut listed: Vec<PlanFinding<'a>> = Vec::new();
    for (part, at, finding) in all {
        let Some(entry) = review.list_mut(part).get_mut(at) else { continue };
        let Finding { kind, level, origin, path, .. } = finding;
        let (rule, text) = (Arc::clone(&finding.rule), finding.text.clone());
        let flags = [finding.is_expected, finding.is_undone];
        let place = *places
            .entry((part, kind, level, rule, text, flags, origin, shape(path)))
            .or_insert(listed.len());
        if place == listed.len() {
            listed.push(PlanFinding { finding, part, addresses: Vec::new(), deposed: entry.deposed });
        }
        // An object may have it at several places. Those of a found configuration file are the last.
        if let Err(own) = entry.findings.binary_search(&place) {
            entry.findings.insert(own, place);
            listed[place].addresses.push(entry.address);
            entry.finding_kinds.insert(kind);
            entry.flagged.push(root_of(path));
            if origin != RuleOrigin::Found {
                entry.proven.insert(own, place);
                entry.level = entry.level.max(level);
            }
        }
    }
    review.findings = listed;
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
