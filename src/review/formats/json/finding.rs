//! Findings in the JSON.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::some;
use crate::diff::edits::Path;
use crate::report::SectionKind;
use crate::review::Verdict;
use crate::review::entry::{FindingKind, Level, PlanFinding};

/// The numbers of findings; one about several objects counts once.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct FindingNumbers {
    by_level: BTreeMap<&'static str, usize>,
    by_kind: BTreeMap<&'static str, usize>,
}

pub(super) fn finding_numbers(verdict: &Verdict) -> FindingNumbers {
    FindingNumbers {
        by_level: Level::of_findings().map(Level::name).zip(verdict.finding_levels).collect(),
        by_kind: FindingKind::ALL.map(FindingKind::name).into_iter().zip(verdict.finding_kinds).collect(),
    }
}

/// Something that an approver must weigh.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct FindingJson<'r> {
    #[cfg_attr(test, schemars(extend("enum" = FindingKind::ALL.map(FindingKind::name))))]
    kind: &'static str,
    #[cfg_attr(test, schemars(extend("enum" = Level::of_findings().map(Level::name).collect::<Vec<_>>())))]
    level: &'static str,
    /// The first object's; null for outputs.
    address: Option<&'r str>,
    /// The key of the first object where it is deposed.
    deposed: Option<&'r str>,
    /// The list that the objects are in.
    #[serde(rename = "in")]
    #[cfg_attr(test, schemars(extend("enum" = SectionKind::ALL.map(list_name))))]
    list: &'static str,
    /// The place in the first object; null for the object as a whole.
    path: Option<Path<'r>>,
    /// In words, without the address.
    text: &'r str,
    /// How many objects have it.
    count: usize,
    /// Their addresses; for outputs, their names.
    addresses: &'r [&'r str],
    /// It is about statements of a policy that is known only after apply, as far as the configuration proves them.
    expected: bool,
    /// It is about drift that this plan undoes: one level lower, and no gate is violated.
    undone: bool,
    /// The name of the rule, after project: for a project's own.
    rule: &'r str,
}

pub(super) fn finding<'r>(listed: &'r PlanFinding<'_>) -> FindingJson<'r> {
    let PlanFinding { finding, part, addresses, deposed } = listed;
    let is_output = *part == SectionKind::Outputs;
    FindingJson {
        kind: finding.kind.name(),
        level: finding.level.name(),
        address: addresses.first().copied().filter(|_| !is_output),
        deposed: some(deposed),
        list: list_name(*part),
        path: (!finding.path.is_empty()).then_some(finding.path),
        text: &finding.text,
        count: addresses.len(),
        addresses,
        expected: finding.is_expected,
        undone: finding.is_undone,
        rule: &finding.rule,
    }
}

/// The name of a list of changes.
pub(super) fn list_name(list: SectionKind) -> &'static str {
    match list {
        SectionKind::Resources => "resources",
        SectionKind::Drift => "drift",
        SectionKind::Deferred => "deferred",
        SectionKind::Invocations => "action_invocations",
        SectionKind::DeferredInvocations => "deferred_action_invocations",
        SectionKind::Outputs => "outputs",
    }
}
