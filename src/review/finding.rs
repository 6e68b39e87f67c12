//! Findings: what a plan proves and its approver must check; and what drift means for the plan.
//!
//! A plan lists findings in rank order, each once for all objects that have it. Invariants: the level of a plan is at
//! least that of each of its findings; nothing in a found configuration file changes the level, or comes before what
//! is proven without it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use bumpalo::Bump;
use serde::Deserialize;
use strum::IntoStaticStr;

use super::accepted::{self, Acceptance};
use super::entry::Entry;
use super::plan::Changes;
use super::text::root_of;
use crate::diff::edits::{Path, Step};
use crate::diff::{Error, Paths, RelevantPaths};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;

/// How grave a finding or a plan is.
pub type Level = crate::report::Level;

#[derive(Clone, Debug)]
pub struct Finding<'a> {
    pub kind: FindingKind,
    pub path: Path<'a>,
    /// Without the address.
    pub text: String,
    pub level: Level,
    /// Orders findings of the same level and kind, the largest first.
    pub weight: u8,
    pub rule: Arc<str>,
    pub effect: Effect,
    /// It is about a policy that is known only after apply, as far as the configuration proves its statements.
    pub is_expected: bool,
    /// For drift: the plan undoes it.
    pub is_undone: bool,
    pub origin: RuleOrigin,
}

/// What a finding proves beyond its kind. Code looks at this, never at the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    #[default]
    Other,
    /// What the values of its edit do not say: `any site may call it`, `AllowSql at 300 now opens 1433 to the internet`.
    Means { words: String },
    /// Traffic gets through, which the text says in words: `ssh open to the world (0.0.0.0/0)`.
    Opened,
    /// The object is destroyed, as its sign says.
    Destroyed,
    /// The object is destroyed before its replacement is created, as its sign says.
    DestroyedFirst,
    /// An object that holds data is destroyed. What is lost, without what the object is.
    Lost { details: Vec<NamedValue> },
}

/// An attribute that is told with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleOrigin {
    BuiltIn,
    /// Named on the command line.
    Given,
    /// Found in the working tree, so it may be part of the change under review: its findings are in texts and count
    /// for gates, but are not in the JSON and do not displace others.
    Found,
}

/// The kinds of findings, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    DataLoss,
    /// More people or machines may reach or do something.
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
    pub const ALL: [Self; 6] = [
        Self::DataLoss,
        Self::Exposure,
        Self::Protection,
        Self::Downtime,
        Self::Unknown,
        Self::Secret,
    ];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The name of the rule for objects with hidden values ([`not_judged`]).
const NO_SCHEMA_RULE: &str = "no-schema";

/// What a review says of an object of a saved plan whose values are hidden, because no schema at hand says which of
/// them are sensitive: no rule could look at them, so that it may have any finding.
pub(super) fn not_judged<'a>() -> Finding<'a> {
    Finding {
        kind: FindingKind::Unknown,
        path: Path::ROOT,
        text: "not judged: its values are hidden, because no schema at hand has its type"
            .to_owned(),
        level: Level::Warning,
        weight: 0,
        rule: Arc::from(NO_SCHEMA_RULE),
        effect: Effect::Other,
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    }
}

impl Finding<'_> {
    /// Whether it says that nobody judged the object, so that every gate on findings holds for it.
    pub(super) fn is_of_no_schema(&self) -> bool {
        *self.rule == *NO_SCHEMA_RULE
    }
}

#[derive(Clone, Debug)]
pub struct PlanFinding<'a> {
    pub finding: Finding<'a>,
    pub part: SectionKind,
    /// In the order of the plan; for outputs, their names.
    pub addresses: Vec<&'a str>,
    /// The key of the first object if it is deposed, otherwise empty.
    pub deposed: &'a str,
    /// Why it violates no gate on findings.
    pub accepted: Option<Arc<Acceptance>>,
}

impl PlanFinding<'_> {
    pub fn is_found(&self) -> bool {
        self.finding.origin == RuleOrigin::Found
    }
}

pub(super) type FoundIn<'a> = (SectionKind, usize, Vec<Finding<'a>>);

/// The objects are in the order of the plan.
pub(super) fn list<'a>(
    objects: Vec<FoundIn<'a>>,
    accepted: &[Arc<Acceptance>],
    changes: &mut Changes<'a>,
) -> Vec<PlanFinding<'a>> {
    let mut listed = Vec::new();
    let mut all: Vec<(SectionKind, usize, Finding<'a>)> = Vec::new();
    for (part, at, findings) in objects {
        all.extend(findings.into_iter().map(|finding| (part, at, finding)));
    }
    all.sort_by_key(
        |(
            ..,
            Finding {
                origin,
                level,
                kind,
                weight,
                ..
            },
        )| {
            (
                *origin == RuleOrigin::Found,
                Reverse(*level),
                *kind,
                Reverse(*weight),
            )
        },
    );
    let keyed = all.into_iter().map(|(part, at, finding)| {
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
        let address = changes.list(part).get(at).map_or("", |entry| entry.address);
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
            (part, at, finding),
        )
    });
    for (place, mut same) in crate::grouping::groups(keyed).into_iter().enumerate() {
        let mut addresses = Vec::new();
        for (
            part,
            at,
            Finding {
                kind,
                level,
                origin,
                path,
                ..
            },
        ) in &same
        {
            let entry = &mut changes.list_mut(*part)[*at];
            if entry.findings.last() != Some(&place) {
                addresses.push(entry.address);
                entry.findings.push(place);
                entry.finding_kinds.insert(*kind);
                entry.flagged.push(root_of(*path));
                if *origin != RuleOrigin::Found {
                    entry.proven.push(place);
                    entry.level = entry.level.max(*level);
                }
            }
        }
        let (part, at, finding) = same.swap_remove(0);
        let Entry {
            address, deposed, ..
        } = changes.list(part)[at];
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
            relevant.may_match() && entry.edits.iter().any(|edit| leads_to(relevant, edit.path));
        entry.relevant = Some(is_relevant);
    }
    Ok(())
}

/// Whether one of `paths` is `path`, or a parent or child of it.
fn leads_to<'a>(mut paths: Paths<'a>, path: Path<'a>) -> bool {
    for step in path.steps() {
        paths = match step {
            Step::Name(name) => paths.key(name),
            Step::Element(element) => {
                let place = element.before.or(element.after).unwrap_or_default();
                paths.index(place as usize)
            }
            Step::Document(_) => break,
        };
    }
    paths.may_match()
}

/// The plan undoes drift if its own change returns the value from before. Lost data does not come back.
pub(super) fn mark_undone<'a>(
    objects: &mut [FoundIn<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    let is_drift =
        |object: &&mut FoundIn<'a>| object.0 == SectionKind::Drift && !object.2.is_empty();
    let mut drifted = objects.iter_mut().filter(is_drift).peekable();
    if drifted.peek().is_none() {
        return Ok(());
    }
    let changes = plan
        .resource_changes
        .iter()
        .filter(|change| !change.is_silent());
    let planned: HashMap<(&str, &str), &ResourceChange<'a>> = changes
        .map(|change| ((&*change.address, &*change.deposed), change))
        .collect();
    for (_, at, findings) in drifted {
        let Some(drift) = plan.resource_drift.get(*at) else {
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
                of(old) == of(new) && !has_true(of(unknown))
            }
            Some(Step::Element(_) | Step::Document(_)) => false,
            // What was removed as a whole is created again.
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

fn has_true(value: Value<'_>) -> bool {
    match value {
        Value::Bool(is_unknown) => is_unknown,
        Value::Array(items) => items.iter().any(|item| has_true(*item)),
        Value::Object(members) => members
            .members()
            .iter()
            .any(|(_, member)| has_true(*member)),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}
