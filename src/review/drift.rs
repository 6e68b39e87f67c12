//! Drift: whether the plan depends on it, and whether the plan undoes it.

use std::collections::HashMap;

use bumpalo::Bump;

use super::entry::{Entry, Finding, FindingKind};
use super::finding::FoundIn;
use crate::diff::edits::{Path, Step};
use crate::diff::{Error, Paths, RelevantPaths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;

/// Marks each drift as relevant if the plan depends on one of its changed attributes.
pub(super) fn mark_relevant<'a>(
    drift: &mut [Entry<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    if drift.is_empty() {
        return Ok(());
    }
    let paths = RelevantPaths::new(plan, arena)?;
    for entry in drift {
        let relevant = paths.at(entry.address);
        let is_relevant =
            relevant.may_match() && entry.edits.iter().any(|edit| leads_to(relevant, edit.path, arena));
        entry.relevant = Some(is_relevant);
    }
    Ok(())
}

/// Whether one of `paths` equals `path`, or is a parent or child of it.
fn leads_to<'a>(mut paths: Paths<'a>, path: Path<'a>, arena: &'a Bump) -> bool {
    for step in path.steps() {
        paths = match step {
            Step::Name(name) => paths.key(name, arena),
            Step::Element(element) => {
                let place = element.before.or(element.after).unwrap_or_default();
                paths.index(place as usize, arena)
            }
            // What leads to a string leads to the document in it.
            Step::Document(_) => break,
        };
    }
    paths.may_match()
}

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

/// Whether a part of `after_unknown` is true.
fn has_true(value: Value<'_>) -> bool {
    match value {
        Value::Bool(is_unknown) => is_unknown,
        Value::Array(items) => items.iter().any(|item| has_true(*item)),
        Value::Object(members) => members.members().iter().any(|(_, member)| has_true(*member)),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}
