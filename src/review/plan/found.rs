//! The findings of a plan, while its parts are collected.

use std::collections::HashMap;

use bumpalo::Bump;

use crate::diff::Error;
use crate::diff::edits::Step;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::entry::{Finding, FindingKind, Level, PlanReview};
use crate::review::finding::{FoundIn, join};
use crate::review::text::root_of;

/// Marks the findings of drift that the plan undoes: its own change of the object returns what drifted to the
/// value before. Lost data does not come back.
pub(super) fn mark_undone<'a>(
    objects: &mut [FoundIn<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    let is_drift = |object: &&mut FoundIn<'a>| object.0 == SectionKind::Drift && !object.2.is_empty();
    let mut drifted = objects.iter_mut().filter(is_drift).peekable();
    if drifted.peek().is_none() {
        return Ok(());
    }
    let changes = plan.resource_changes.iter().filter(|change| !change.is_silent());
    let planned: HashMap<(&str, &str), &ResourceChange<'a>> =
        changes.map(|change| ((&*change.address, &*change.deposed), change)).collect();
    for (_, at, findings) in drifted {
        let Some(drift) = plan.resource_drift.get(*at) else { continue };
        let Some(change) = planned.get(&(&*drift.address, &*drift.deposed)) else { continue };
        let value = |raw| Raw::value_or_null(raw, arena);
        let (old, new) = (value(drift.change.before)?, value(change.change.after)?);
        let unknown = value(change.change.after_unknown)?;
        let is_undone = |finding: &Finding<'_>| match finding.path.steps().first() {
            Some(Step::Name(name)) => {
                let of = |object: Value<'a>| object.get(name).unwrap_or_default();
                of(old) == of(new) && !has_true(of(unknown))
            }
            Some(Step::Element(_) | Step::Document(_)) => false,
            // What was removed as a whole is created again.
            None => drift.change.actions == Action::Delete && change.change.actions == Action::Create,
        };
        for finding in findings.iter_mut().filter(|finding| finding.kind != FindingKind::DataLoss) {
            finding.is_undone = is_undone(finding);
            if finding.is_undone {
                finding.level = finding.level.lowered();
            }
        }
    }
    Ok(())
}

/// Moves the findings to the review, and their indices to its parts.
pub(super) fn list<'a>(objects: Vec<FoundIn<'a>>, review: &mut PlanReview<'a>) {
    let (findings, owners) = join(objects, review);
    for (part, at, own) in owners {
        let listed = own.iter().filter_map(|at| findings.get(*at));
        if let Some(entry) = review.list_mut(part).get_mut(at) {
            entry.finding_kinds = listed.clone().map(|listed| listed.finding.kind).collect();
            entry.flagged = listed.clone().map(|listed| root_of(listed.finding.path)).collect();
            let proven = listed.filter(|listed| !listed.is_found());
            entry.level = proven.map(|listed| listed.finding.level).max().unwrap_or(Level::None);
            entry.findings = own;
        }
    }
    review.findings = findings;
}

/// Whether a part of `after_unknown` is true.
fn has_true(value: Value<'_>) -> bool {
    match value {
        Value::Bool(is_unknown) => is_unknown,
        Value::Array(items) => items.iter().any(|item| has_true(*item)),
        Value::Object(members) => members.members().iter().any(|(_, member)| has_true(*member)),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}
