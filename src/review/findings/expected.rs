//! Finds the grants of policies that are known only after apply, as far as the documents of these policies are known.
//!
//! ```text
//! aws_iam_policy.app          policy is known after apply, from data.aws_iam_policy_document.app
//! the document                is read during apply; its statements are in the configuration: s3:* on *
//!
//! finding about the policy    new: s3:* on *, expected
//! ```

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::RuleFinder;
use super::policy::new_grants;
use super::rule::{Trigger, ValueTest};
use crate::access::Grant;
use crate::diff::edits::Step;
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::knowledge::{Condition, PolicyLanguage};
use crate::meaning::Documents;
use crate::meaning::access::new_and_lost;
use crate::model::Action;
use crate::model::plan::Plan;
use crate::review::causes::{Causes, policy_documents};
use crate::review::entry::{Entry, Finding};
use crate::review::value_path::{PathStep, Side, path_of_edit};

/// The index of an entry, and its attribute with a policy that is expected to stay as it is.
pub(in crate::review) type Unchanged<'a> = (usize, &'a str);

/// Returns the findings about policies that are known only after apply, by the index of the entry.
///
/// This is possible if the document of a policy is a data source that is read during apply, and the configuration has
/// its statements. Unchanged policies are added to `unchanged`. Invariant: only statements that are known as a whole
/// count, and only if nothing may override them.
pub(in crate::review) fn expected<'a>(
    entries: &[Entry<'a>],
    finder: &RuleFinder<'_, '_>,
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
    unchanged: &mut HashSet<Unchanged<'a>>,
) -> Vec<(usize, Vec<Finding<'a>>)> {
    let mut expected_findings = Vec::new();
    let documents = documents(entries);
    if documents.is_empty() {
        return expected_findings;
    }
    let causes_of_plan = Causes::new(plan, redactor.arena);
    let hasher = redactor.arena.alloc(RandomState::default());
    let policies = Documents::new(Builder::new(redactor.arena, hasher));
    let listed = plan
        .resource_changes
        .iter()
        .enumerate()
        .filter(|(_, change)| !change.has_no_effect());
    for (index, (entry, (change, _))) in entries.iter().zip(listed).enumerate() {
        let rules = match entry.mode {
            "data" => &[],
            _ => finder.rules.of(entry.resource_type),
        };
        let mut findings = Vec::new();
        for rule in rules {
            let Trigger::Values(ValueTest {
                condition: Condition::Policy(PolicyLanguage::Iam),
                pattern,
                ..
            }) = &rule.trigger
            else {
                continue;
            };
            let attribute = pattern.first_name();
            let Some(old) = old_policy(entry, attribute).filter(|_| pattern.is_one_name()) else {
                continue;
            };
            let is_created = entry.action == Action::Create;
            let causes = if is_created {
                causes_of_plan.find(change, &[attribute])
            } else {
                entry.causes.clone()
            };
            let of_attribute = causes.iter().filter(|cause| cause.attribute == attribute);
            // With several documents, the expression may choose one or combine them.
            let [document] = of_attribute
                .filter_map(|cause| documents.get(cause.address))
                .collect::<Vec<_>>()[..]
            else {
                continue;
            };
            // A function, or another text in the expression, makes another policy of the document.
            if !causes_of_plan.is_one_reference(change, attribute) {
                continue;
            }
            let blocks = document
                .get("statement")
                .and_then(MarkedValue::as_array)
                .unwrap_or_default();
            let known = blocks
                .iter()
                .filter(|block| !block.has_unknown() && !block.has_marks);
            let new: Vec<_> = known
                .filter_map(|block| Grant::from_block(*block))
                .collect();
            let old = policies.policy(old);
            let old = old.iter().flat_map(|policy| &policy.statements);
            let is_whole = new.len() == blocks.len() && is_alone(*document);
            let all: Vec<_> = old.clone().cloned().collect();
            if is_whole && !all.is_empty() && are_equal(&all, &new) {
                unchanged.insert((index, redactor.text(attribute)));
                continue;
            }
            // A Deny of the old policy may be in a part of the new one that is unknown.
            let old: Vec<_> = old
                .filter(|statement| statement.is_allow())
                .cloned()
                .collect();
            let is_told = !is_created && !old.is_empty();
            for finding_text in new_grants(&old, &new, is_told) {
                let path = path_of_edit(&[PathStep::Name(attribute)], Side::After, redactor);
                findings.push(Finding {
                    is_expected: true,
                    ..rule.finding(path, finding_text)
                });
            }
        }
        expected_findings.push((index, findings));
    }
    expected_findings
}

/// Whether the policy has no statements besides those of the document itself.
pub(super) fn is_alone(document: MarkedValue<'_>) -> bool {
    let others = ["source_policy_documents", "source_json"];
    others.iter().all(|name| {
        let other = document.get(name);
        other.is_none_or(|other| other.is_null() || other.is_empty())
    })
}

/// Whether two policies allow and deny the same.
pub(super) fn are_equal(old: &[Grant<'_>], new: &[Grant<'_>]) -> bool {
    [new_and_lost(old, new), new_and_lost(new, old)]
        .iter()
        .all(|changes| {
            changes.is_complete && changes.added.is_empty() && changes.removed.is_empty()
        })
}

/// Returns the policy documents that are read during apply and that nothing overrides, by address.
pub(super) fn documents<'a>(entries: &[Entry<'a>]) -> HashMap<&'a str, MarkedValue<'a>> {
    let overrides = |document: MarkedValue<'a>| {
        let has_override = |name| {
            document
                .get(name)
                .is_some_and(|member| !member.is_null() && !member.is_empty())
        };
        has_override("override_policy_documents") || has_override("override_json")
    };
    policy_documents(entries)
        .filter(|(address, document)| !address.is_empty() && !overrides(*document))
        .collect()
}

/// Returns the old text of a policy that becomes unknown; empty if there was no policy. `None` if the attribute does
/// not become unknown, or if its old value is hidden.
pub(super) fn old_policy<'a>(entry: &Entry<'a>, attribute: &str) -> Option<&'a str> {
    entry.exact_edits.exact().iter().find_map(|edit| {
        let sides = [edit.before, edit.after];
        let [before, after] = match edit.path.steps().as_slice() {
            [] => sides.map(|side| side?.get(attribute)),
            [Step::Name(name)] if *name == attribute => sides,
            _ => return None,
        };
        after.filter(|value| value.is_unknown())?;
        // A hidden value proves nothing.
        before
            .filter(|value| !value.is_null())
            .map_or(Some(""), MarkedValue::as_str)
    })
}
