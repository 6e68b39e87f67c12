//! Relates findings to the other objects of a plan: another object may have made what drift shows, block what a change
//! opens, or give and take the same access. It also finds what follows from the order of rules that are objects of
//! their own.
//!
//! Invariant: the objects that a finding is compared with are found by type and name; it is never compared with all
//! others.
//!
//! ```text
//! aws_s3_bucket_policy.logs opens access        aws_s3_bucket_public_access_block.logs blocks public policies
//!
//! level: Critical -> Warning, text: "…, blocked by aws_s3_bucket_public_access_block.logs"
//! ```

mod aws;
mod google;
mod order;
mod parts;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bumpalo::Bump;

use super::expected::Unchanged;
use crate::diff::Error;
use crate::diff::edits::{Path, Step};
use crate::diff::value::Redactor;
use crate::json::{Raw, Value};
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::changes::Changes;
use crate::review::entry::{Effect, Entry, Finding, FindingKind, Level, RuleOrigin};
use crate::review::finding::EntryFindings;

/// The changes of a plan, together with those of them that a review lists as resources.
struct Related<'p, 'a> {
    /// The plan with all its objects.
    plan: &'p Plan<'a>,
    /// The change of each entry in the list of resources, by the index of the entry.
    listed: Vec<&'p ResourceChange<'a>>,
    /// The arena that receives values of other objects.
    arena: &'a Bump,
    /// The redactor, which hides sensitive values in texts of findings.
    redactor: Redactor<'a>,
}

/// Removes, lowers and adds findings by what other objects of the plan say. Returns the drift that only shows resources
/// of the same state, as indices.
///
/// # Errors
/// If a value of a change or of the state is malformed.
pub(in crate::review) fn relate<'a>(
    entries: &mut [EntryFindings<'a>],
    changes: &Changes<'a>,
    unchanged: &HashSet<Unchanged<'a>>,
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
) -> Result<Vec<usize>, Error> {
    let listed = plan
        .resource_changes
        .iter()
        .filter(|change| !change.has_no_effect())
        .collect();
    let related = Related {
        plan,
        listed,
        arena: redactor.arena,
        redactor,
    };
    let own = related.without_own_parts(entries, &changes.drift)?;
    related.behind_blocks(entries)?;
    related.google(entries)?;
    related.aws(entries, changes)?;
    related.order(entries)?;
    let resources: HashSet<&str> = plan
        .resource_changes
        .iter()
        .flat_map(|change| [&*change.address, resource_of(&change.address)])
        .collect();
    for EntryFindings {
        list,
        index,
        findings,
    } in entries
    {
        let Some(entry) = changes.list(*list).get(*index) else {
            continue;
        };
        let is_planned = *list == SectionKind::Resources;
        findings.retain(|finding| {
            let stays = is_planned && unchanged.contains(&(*index, attribute_of(finding)));
            let is_answered = stays || is_of_plan(finding, entry, &resources);
            finding.kind != FindingKind::Unknown || !is_answered
        });
    }
    Ok(own)
}

/// An object in the state before the plan is applied.
struct ObjectOfState<'a> {
    resource_type: &'a str,
    is_managed: bool,
    values: Value<'a>,
}

impl<'a> Related<'_, 'a> {
    /// Returns the objects in the state before the plan is applied, of all modules.
    fn objects_of_state(&self) -> Result<Vec<ObjectOfState<'a>>, Error> {
        let state = self.value(self.plan.prior_state)?;
        let values = state.get("values");
        let root = values.and_then(|values| values.get("root_module"));
        let mut modules: Vec<Value<'a>> = root.into_iter().collect();
        let mut objects = Vec::new();
        while let Some(module) = modules.pop() {
            let list = |name: &str| module.get(name).and_then(Value::as_array);
            modules.extend(list("child_modules").unwrap_or_default());
            for object in list("resources").unwrap_or_default() {
                let text = |name: &str| object.get(name).and_then(Value::as_str);
                objects.extend(text("type").map(|resource_type| ObjectOfState {
                    resource_type,
                    is_managed: text("mode") == Some("managed"),
                    values: object.get("values").unwrap_or_default(),
                }));
            }
        }
        Ok(objects)
    }
}

/// Returns the attribute that a finding is about; empty for the object as a whole.
fn attribute_of<'a>(finding: &Finding<'a>) -> &'a str {
    match finding.path.steps().first() {
        Some(Step::Name(name)) => name,
        Some(Step::Element(_) | Step::Document(_)) | None => "",
    }
}

/// Attributes that name other objects. Only which objects they name matters.
const NAMES: [&str; 12] = [
    "vpc_security_group_ids",
    "security_groups",
    "records",
    "rrdatas",
    "policy_arn",
    "role",
    "principal_id",
    "role_definition_id",
    "member",
    "members",
    "principal",
    "subject",
];

/// Whether a finding is about an unknown value that only refers to objects whose changes the plan shows.
fn is_of_plan(finding: &Finding<'_>, entry: &Entry<'_>, resources: &HashSet<&str>) -> bool {
    let attribute = attribute_of(finding);
    if !NAMES.contains(&attribute) {
        return false;
    }
    let given = entry
        .given
        .iter()
        .filter(|given| given.attribute == attribute);
    let sources: Vec<&str> = given.flat_map(|given| given.sources).copied().collect();
    let is_object = |source: &&str| {
        let is_data = source.starts_with("data.") || source.contains(".data.");
        !is_data && starts_with_one(source, resources)
    };
    !sources.is_empty() && sources.iter().all(is_object)
}

/// Whether a reference begins with one of these addresses, as `aws_vpc.main.id` and `aws_vpc.main[0].id` begin with
/// `aws_vpc.main`.
fn starts_with_one(source: &str, resources: &HashSet<&str>) -> bool {
    let ends = source
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '['))
        .map(|(end, _)| end);
    ends.chain([source.len()]).any(|end| {
        source
            .get(..end)
            .is_some_and(|start| resources.contains(start))
    })
}

/// Returns an address without the instance key of the resource.
fn resource_of(address: &str) -> &str {
    address
        .strip_suffix(']')
        .and_then(|start| Some(start.rsplit_once('[')?.0))
        .unwrap_or(address)
}

impl<'p, 'a> Related<'p, 'a> {
    /// Reads a value in JSON; null if it is missing.
    fn value(&self, raw: Option<Raw<'a>>) -> Result<Value<'a>, Error> {
        Ok(Raw::value_or_null(raw, self.arena)?)
    }

    /// Returns the change of an entry; `None` for outputs and invocations.
    fn change_of(&self, list: SectionKind, index: usize) -> Option<&'p ResourceChange<'a>> {
        match list {
            SectionKind::Resources => self.listed.get(index).copied(),
            SectionKind::Drift => self.plan.resource_drift.get(index),
            SectionKind::Deferred => self
                .plan
                .deferred_changes
                .get(index)
                .map(|deferred| &deferred.resource_change),
            SectionKind::Invocations | SectionKind::DeferredInvocations | SectionKind::Outputs => {
                None
            }
        }
    }

    /// Lowers findings about access lists and policies of buckets by one level if a public access block of the plan
    /// makes them void.
    fn behind_blocks(&self, entries: &mut [EntryFindings<'a>]) -> Result<(), Error> {
        const BLOCK: &str = "aws_s3_bucket_public_access_block";
        let mut blocks: HashMap<&str, (Value<'a>, &str)> = HashMap::new();
        for change in &self.plan.resource_changes {
            if &*change.resource_type == BLOCK {
                let after = self.value(change.change.after)?;
                let bucket = after.get("bucket").and_then(Value::as_str);
                blocks.extend(bucket.map(|bucket| (bucket, (after, &*change.address))));
            }
        }
        if blocks.is_empty() {
            return Ok(());
        }
        for EntryFindings {
            list,
            index,
            findings,
        } in entries
        {
            let Some(change) = self.change_of(*list, *index) else {
                continue;
            };
            let is_bucket = change.resource_type.starts_with("aws_s3_bucket");
            let is_grave = |finding: &&mut Finding<'_>| {
                finding.kind == FindingKind::Exposure && finding.level == Level::Critical
            };
            if !is_bucket || *list != SectionKind::Resources || &*change.resource_type == BLOCK {
                continue;
            }
            let after = self.value(change.change.after)?;
            let bucket = after.get("bucket").and_then(Value::as_str);
            let Some((block, address)) = bucket.and_then(|bucket| blocks.get(bucket)) else {
                continue;
            };
            let is_on = |name: &str| block.get(name) == Some(Value::Bool(true));
            for finding in findings.iter_mut().filter(is_grave) {
                let is_void = match attribute_of(finding) {
                    "policy" => is_on("block_public_policy") && is_on("restrict_public_buckets"),
                    _ => is_on("block_public_acls") && is_on("ignore_public_acls"),
                };
                if is_void {
                    finding.level = finding.level.lowered();
                    finding.text.push_str(&format!(", blocked by {address}"));
                }
            }
        }
        Ok(())
    }
}

/// Creates a finding that no rule of the table states.
fn finding<'a>(
    kind: FindingKind,
    level: Level,
    rule: &str,
    path: Path<'a>,
    text: String,
) -> Finding<'a> {
    Finding {
        kind,
        path,
        text,
        level,
        weight: 0,
        rule: Arc::from(rule),
        effect: Effect::Other,
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    }
}
