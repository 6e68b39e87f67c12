//! The findings of a plan, while its parts are collected.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;

use crate::diff::Error;
use crate::diff::edits::Step;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::entry::{Entry, Finding, FindingKind, Level, PlanReview};
use crate::review::finding::{FoundIn, join};
use crate::review::text::root_of;

/// The findings of each object that has any.
#[derive(Default)]
pub(super) struct Found<'a> {
    objects: Vec<FoundIn<'a>>,
}

impl<'a> Found<'a> {
    pub(super) fn of_entry(
        &mut self,
        part: SectionKind,
        at: usize,
        entry: &Entry<'a>,
        findings: Vec<Finding<'a>>,
    ) {
        self.add(part, at, entry.address, findings);
        if let Some(last) = self.objects.last_mut().filter(|last| last.part == part && last.at == at) {
            last.deposed = entry.deposed;
        }
    }

    pub(super) fn add(&mut self, part: SectionKind, at: usize, address: &'a str, findings: Vec<Finding<'a>>) {
        if !findings.is_empty() {
            self.objects.push(FoundIn { part, at, address, deposed: "", findings });
        }
    }

    /// Marks the findings of drift that the plan undoes: its own change of the object returns what drifted to the
    /// value before. Lost data does not come back.
    pub(super) fn mark_undone(&mut self, plan: &Plan<'a>, arena: &'a Bump) -> Result<(), Error> {
        let mut drifted =
            self.objects.iter_mut().filter(|object| object.part == SectionKind::Drift).peekable();
        if drifted.peek().is_none() {
            return Ok(());
        }
        let changes = plan.resource_changes.iter().filter(|change| !change.is_silent());
        let planned: HashMap<(&str, &str), &ResourceChange<'a>> =
            changes.map(|change| ((&*change.address, &*change.deposed), change)).collect();
        for object in drifted {
            let Some(drift) = plan.resource_drift.get(object.at) else { continue };
            let Some(change) = planned.get(&(&*drift.address, &*drift.deposed)) else { continue };
            let value = |raw| Raw::value_or_null(raw, arena);
            let (old, new) = (value(drift.change.before)?, value(change.change.after)?);
            let unknown = value(change.change.after_unknown)?;
            for finding in &mut object.findings {
                let is_undone = match finding.kind {
                    FindingKind::DataLoss => false,
                    FindingKind::Exposure
                    | FindingKind::Protection
                    | FindingKind::Downtime
                    | FindingKind::Unknown
                    | FindingKind::Secret => match finding.path.steps().first() {
                        Some(Step::Name(name)) => {
                            let of = |object: Value<'a>| object.get(name).unwrap_or_default();
                            of(old) == of(new) && !has_true(of(unknown))
                        }
                        Some(Step::Element(_) | Step::Document(_)) => false,
                        // What was removed as a whole is created again.
                        None => {
                            drift.change.actions == Action::Delete && change.change.actions == Action::Create
                        }
                    },
                };
                if is_undone {
                    finding.is_undone = true;
                    finding.level = finding.level.lowered();
                }
            }
        }
        Ok(())
    }

    /// Adds findings of planned changes, by the index of the entry.
    pub(super) fn add_expected(&mut self, expected: Vec<(usize, Vec<Finding<'a>>)>, entries: &[Entry<'a>]) {
        if expected.is_empty() {
            return;
        }
        let mut own: HashMap<usize, usize> = HashMap::new();
        for (place, object) in self.objects.iter().enumerate() {
            if object.part == SectionKind::Resources {
                own.insert(object.at, place);
            }
        }
        for (at, findings) in expected {
            match own.get(&at).and_then(|place| self.objects.get_mut(*place)) {
                Some(object) => object.findings.extend(findings),
                None => {
                    if let Some(entry) = entries.get(at) {
                        self.of_entry(SectionKind::Resources, at, entry, findings);
                    }
                }
            }
        }
        // In the order of the plan: its changes are the first part.
        self.objects.sort_by_key(|object| match object.part {
            SectionKind::Resources => (false, object.at),
            SectionKind::Drift
            | SectionKind::Deferred
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => (true, 0),
        });
    }

    /// Moves the findings to the review, and their indices to its parts.
    pub(super) fn list(self, review: &mut PlanReview<'a>) {
        let (findings, owners) = join(self.objects);
        for owner in owners {
            let entries = match owner.part {
                SectionKind::Resources => &mut review.resources,
                SectionKind::Drift => &mut review.drift,
                SectionKind::Deferred => &mut review.deferred,
                SectionKind::Invocations => {
                    if let Some(one) = review.invocations.get_mut(owner.at) {
                        one.findings = owner.findings;
                    }
                    continue;
                }
                SectionKind::DeferredInvocations => {
                    if let Some(one) = review.deferred_invocations.get_mut(owner.at) {
                        one.findings = owner.findings;
                    }
                    continue;
                }
                SectionKind::Outputs => {
                    if let Some(one) = review.outputs.get_mut(owner.at) {
                        one.findings = owner.findings;
                    }
                    continue;
                }
            };
            let Some(entry) = entries.get_mut(owner.at) else { continue };
            let own = owner.findings.iter().filter_map(|at| findings.get(*at));
            entry.finding_kinds = own.clone().map(|listed| listed.finding.kind).collect::<BTreeSet<_>>();
            entry.flagged = own.clone().map(|listed| root_of(listed.finding.path)).collect();
            let proven = own.filter(|listed| !listed.is_found());
            entry.level = proven.map(|listed| listed.finding.level).max().unwrap_or(Level::None);
            entry.findings = owner.findings;
        }
        review.findings = findings;
    }
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
