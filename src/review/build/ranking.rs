//! Ranks findings and lists each once for all objects that have it. Also determines which drift the plan depends on or
//! undoes.
//!
//! The rank is by these keys: built-in rules and those that the user named before those of a found file; then level,
//! kind and weight, each the gravest first.
//!
//! ```text
//! [notice of entry 0, critical of entry 1, critical of entry 2 (the same)]
//!
//! [PlanFinding { critical, addresses: [1, 2] }, PlanFinding { notice, addresses: [0] }]
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use bumpalo::Bump;

use super::accepted;
use crate::diff::edits::{Path, Step};
use crate::diff::{Error, Paths, RelevantPaths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::changes::Changes;
use crate::review::entry::Entry;
use crate::review::finding::{
    Acceptance, EntryFindings, Finding, FindingKind, PlanFinding, RuleOrigin,
};
use crate::review::paths::root_of;

/// Lists the findings of all objects in rank order, and records in each entry which of them it has.
///
/// `objects` are in the order of the plan. Findings are joined if everything that texts and gates show of them is
/// equal, and the indices of elements in their paths do not count.
pub(super) fn list<'a>(
    objects: Vec<EntryFindings<'a>>,
    accepted: &[Arc<Acceptance>],
    changes: &mut Changes<'a>,
) -> Vec<PlanFinding<'a>> {
    let mut listed = Vec::new();
    let mut all: Vec<(SectionKind, usize, Finding<'a>)> = Vec::new();
    for EntryFindings {
        list,
        index,
        findings,
    } in objects
    {
        all.extend(findings.into_iter().map(|finding| (list, index, finding)));
    }
    all.sort_by_key(|(.., finding)| {
        (
            finding.origin == RuleOrigin::Found,
            Reverse(finding.level),
            finding.kind,
            Reverse(finding.weight),
        )
    });
    let keyed = all.into_iter().map(|(part, index, finding)| {
        let Finding {
            kind,
            level,
            origin,
            path,
            is_expected,
            is_undone,
            ..
        } = finding;
        let (rule, text) = (Arc::clone(&finding.rule), finding.text.clone());
        // Some objects that have the same finding may be accepted, and others not.
        let address = changes
            .list(part)
            .get(index)
            .map_or("", |entry| entry.address);
        let acceptance = accepted::find(accepted, address, &finding);
        (
            (
                part,
                kind,
                level,
                rule,
                text,
                is_expected,
                is_undone,
                origin,
                shape(path),
                acceptance,
            ),
            (part, index, finding),
        )
    });
    for (rank, mut same) in crate::grouping::groups(keyed).into_iter().enumerate() {
        let addresses = record(&same, rank, changes);
        let (part, index, finding) = same.swap_remove(0);
        let Entry {
            address, deposed, ..
        } = changes.list(part)[index];
        let acceptance = accepted::find(accepted, address, &finding);
        let acceptance = acceptance.and_then(|index| accepted.get(index));
        listed.push(PlanFinding {
            accepted: acceptance.cloned(),
            finding,
            part,
            addresses,
            deposed,
        });
    }
    listed
}

/// Records on the entries of equal findings that they have the finding of this rank. Returns the addresses of these
/// objects.
fn record<'a>(
    same: &[(SectionKind, usize, Finding<'a>)],
    rank: usize,
    changes: &mut Changes<'a>,
) -> Vec<&'a str> {
    let mut addresses = Vec::new();
    for (part, index, finding) in same {
        let entry = &mut changes.list_mut(*part)[*index];
        if entry.findings.last() == Some(&rank) {
            continue;
        }
        addresses.push(entry.address);
        entry.findings.push(rank);
        entry.finding_kinds.insert(finding.kind);
        entry.flagged.push(root_of(finding.path));
        if finding.origin != RuleOrigin::Found {
            entry.proven.push(rank);
            entry.level = entry.level.max(finding.level);
        }
    }
    addresses
}

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

/// Records for each entry of the drift whether the plan depends on what changed, according to its
/// `relevant_attributes`.
///
/// # Errors
/// If a value of `relevant_attributes` is malformed.
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
        let is_relevant = relevant.may_match()
            && entry
                .exact_edits
                .exact()
                .iter()
                .any(|edit| leads_to(relevant, edit.path));
        entry.relevant = Some(is_relevant);
    }
    Ok(())
}

/// Whether `path` is one of `paths`, or a parent or child of one.
fn leads_to<'a>(mut paths: Paths<'a>, path: Path<'a>) -> bool {
    for step in path.steps() {
        paths = match step {
            Step::Name(name) => paths.key(name),
            Step::Element(element) => {
                let index = element.before.or(element.after).unwrap_or_default();
                paths.index(index as usize)
            }
            Step::Document(_) => break,
        };
    }
    paths.may_match()
}

/// Marks findings about drift that the plan undoes, because its own change returns the value from before, and lowers
/// their level. Lost data does not come back, so findings about it are not marked.
///
/// # Errors
/// If a value of a change is malformed.
pub(super) fn mark_undone<'a>(
    objects: &mut [EntryFindings<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    let is_drift = |object: &&mut EntryFindings<'a>| {
        object.list == SectionKind::Drift && !object.findings.is_empty()
    };
    let mut drifted = objects.iter_mut().filter(is_drift).peekable();
    if drifted.peek().is_none() {
        return Ok(());
    }
    let changes = plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect());
    let planned: HashMap<(&str, &str), &ResourceChange<'a>> = changes
        .map(|change| ((&*change.address, &*change.deposed), change))
        .collect();
    for EntryFindings {
        index, findings, ..
    } in drifted
    {
        let Some(drift) = plan.resource_drift.get(*index) else {
            continue;
        };
        let Some(change) = planned.get(&(&*drift.address, &*drift.deposed)) else {
            continue;
        };
        let value = |raw| Raw::value_or_null(raw, arena);
        let (old, new) = (value(drift.change.before)?, value(change.change.after)?);
        let unknown = value(change.change.after_unknown)?;
        let is_undone = |finding: &Finding<'_>| match finding.path.steps().first() {
            Some(Step::Name(name)) => {
                let of = |object: Value<'a>| object.get(name).unwrap_or_default();
                of(old) == of(new) && !of(unknown).has_true()
            }
            Some(Step::Element(_) | Step::Document(_)) => false,
            // An object that was removed as a whole is created again.
            None => {
                drift.change.actions == Action::Delete && change.change.actions == Action::Create
            }
        };
        for finding in findings
            .iter_mut()
            .filter(|finding| finding.kind != FindingKind::DataLoss)
        {
            finding.is_undone = is_undone(finding);
            if finding.is_undone {
                finding.level = finding.level.lowered();
            }
        }
    }
    Ok(())
}
