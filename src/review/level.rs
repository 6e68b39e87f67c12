//! How grave a plan is.

use std::collections::HashSet;

use super::entry::{Entry, Finding, Level, PlanReview};
use super::names::is_made_to_be_replaced;
use super::verdict::is_listed;
use super::{ChangeKind, Problem};
use crate::diff::edits::Note;
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::report::SectionKind;

/// The level of a plan: that of its gravest finding or change. Findings of a found configuration file do not count,
/// because the file may be part of the change under review.
pub(super) fn of_plan(review: &PlanReview<'_>) -> Level {
    let findings = review.findings.iter().filter(|listed| !listed.is_found());
    findings.map(|listed| listed.finding.level).chain([of_changes(review)]).max().unwrap_or(Level::None)
}

/// The level of everything but findings.
fn of_changes(review: &PlanReview<'_>) -> Level {
    let planned = review.resources.iter().filter(|entry| is_listed(entry)).map(of_change);
    let deferred = review.deferred.iter().map(of_change);
    let failed = review.errored || review.checks.iter().any(Problem::is_failure);
    let recorded = review.mode == PlanMode::RefreshOnly && !review.drift.is_empty();
    let is_lost = |entry: &Entry<'_>| *entry.action.worst_case() == Action::Delete;
    let others = recorded
        || review.drift.iter().any(is_lost)
        || !review.outputs.is_empty()
        || !review.invocations.is_empty()
        || !review.deferred_invocations.is_empty()
        || review.says_more();
    let rest = match (failed, others) {
        (true, _) => Level::Warning,
        (false, true) => Level::Notice,
        (false, false) => Level::None,
    };
    planned.chain(deferred).chain([rest]).max().unwrap_or(Level::None)
}

/// The level of a change, without its findings. One that ends an object is a warning unless findings judge it, or
/// its type is made to be replaced.
fn of_change(entry: &Entry<'_>) -> Level {
    let ends = matches!(
        ChangeKind::from_entry(entry),
        ChangeKind::Destroy
            | ChangeKind::Replace
            | ChangeKind::ReplaceForget
            | ChangeKind::Forget
            | ChangeKind::Other
    );
    let is_judged = entry.level != Level::None || is_made_to_be_replaced(entry.resource_type);
    if ends && !is_judged { Level::Warning } else { Level::Notice }
}

/// Whether a part of an entry was not compared, so that nothing is known about findings in it.
fn is_too_large(entry: &Entry<'_>) -> bool {
    entry.edits.iter().any(|edit| edit.notes.contains(&Note::TooLarge))
}

impl PlanReview<'_> {
    /// The objects with a finding for which `is_hit` holds, except for drift that the plan undoes.
    pub(super) fn gated(&self, is_hit: impl Fn(&Finding<'_>) -> bool) -> Vec<String> {
        let found =
            self.findings.iter().filter(|listed| !listed.finding.is_undone && is_hit(&listed.finding));
        let found = found.flat_map(|listed| listed.addresses.iter().map(|address| (listed.part, *address)));
        // A part that was not compared may contain such a finding.
        let unknown = self.objects().filter(|(_, entry)| is_listed(entry) && is_too_large(entry));
        let unknown = unknown.map(|(part, entry)| (part, entry.address));
        let mut seen = HashSet::new();
        found
            .chain(unknown)
            .filter(|hit| seen.insert(*hit))
            .map(|(part, address)| object_name(part, address))
            .collect()
    }

    /// Everything that reaches a level, except for drift that the plan undoes.
    pub(super) fn reaching(&self, level: Level) -> Vec<String> {
        let mut hits = self.gated(|finding| finding.level >= level);
        let mut seen: HashSet<String> = hits.iter().cloned().collect();
        let planned = self.resources.iter().filter(|entry| is_listed(entry));
        let changes = planned.chain(&self.deferred).filter(|entry| of_change(entry) >= level);
        let checks = self.checks.iter().filter(|check| check.is_failure() && level <= Level::Warning);
        let more = changes.map(|entry| entry.address.to_owned());
        let more = more.chain(checks.map(|check| check.address.clone()));
        hits.extend(more.filter(|hit| seen.insert(hit.clone())));
        if hits.is_empty() && of_changes(self) >= level {
            hits.push(self.title().to_owned());
        }
        hits
    }
}

/// The name of an object in messages: its address; for an output, `output.NAME`.
pub(super) fn object_name(part: SectionKind, address: &str) -> String {
    if part == SectionKind::Outputs { format!("output.{address}") } else { address.to_owned() }
}
