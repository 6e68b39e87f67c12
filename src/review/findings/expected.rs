//! Findings of policies that are known only after apply, from the statements that the configuration proves.
//!
//! The document of such a policy is a data source that is read during apply. Invariant: only statements that are known
//! as a whole count, and only if nothing may override them.

use std::collections::HashMap;

use super::Finder;
use super::path::{PathStep, Side, path_of_edit};
use super::policy::new_grants;
use super::rule::{Condition, Rule, Test};
use crate::access::{Policies, Statement};
use crate::diff::edits::Step;
use crate::diff::value::{MarkedValue, Redactor};
use crate::model::Action;
use crate::model::plan::Plan;
use crate::review::causes::Causes;
use crate::review::entry::{Entry, Finding};

/// The findings of the statements that policies will have, by the index of the entry. The causes of the entries are known.
pub(in crate::review) fn expected<'a>(
    entries: &[Entry<'a>],
    finder: &Finder<'_>,
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
) -> Vec<(usize, Vec<Finding<'a>>)> {
    let mut found = Vec::new();
    let documents = documents(entries);
    if documents.is_empty() {
        return found;
    }
    let causes = Causes::new(plan, redactor.arena);
    let listed = plan.resource_changes.iter().enumerate().filter(|(_, change)| !change.is_silent());
    for (index, (entry, (at, _))) in entries.iter().zip(listed).enumerate() {
        let mut findings = Vec::new();
        let Some(rules) = finder.rules.get(entry.resource_type).filter(|_| entry.mode != "data") else {
            continue;
        };
        for (rule, attribute) in policy_rules(rules) {
            let Some(old) = old_policy(entry, attribute) else { continue };
            let is_created = entry.action == Action::Create;
            let found = if is_created { causes.find(at, &[attribute]) } else { entry.causes.clone() };
            let own = found.iter().filter(|cause| cause.attribute == attribute);
            let sources: Vec<MarkedValue<'a>> =
                own.filter_map(|cause| documents.get(cause.address).copied()).collect();
            // Of several documents, the expression may choose or combine.
            let [document] = sources.as_slice() else { continue };
            let statements = statements(*document);
            let policies = Policies::new(redactor.arena);
            let before = old.and_then(|text| policies.read(text));
            let old = before.as_ref().map_or(&[][..], |policy| &policy.statements);
            // A Deny of the old policy may be in a part of the new one that is unknown.
            let old: Vec<_> = old.iter().filter(|statement| statement.is_allow()).cloned().collect();
            for told in new_grants(&old, &statements, is_created) {
                let path = path_of_edit(&[PathStep::Name(attribute)], Side::After, redactor);
                findings.push(Finding { is_expected: true, ..rule.finding(path, told) });
            }
        }
        found.push((index, findings));
    }
    found
}

/// The policy documents that are read during apply, by address.
pub(in crate::review) fn policy_documents<'e, 'a>(
    entries: &'e [Entry<'a>],
) -> impl Iterator<Item = (&'a str, MarkedValue<'a>)> + use<'e, 'a> {
    let documents = entries
        .iter()
        .filter(|entry| entry.mode == "data" && entry.resource_type == "aws_iam_policy_document");
    documents.filter_map(|entry| {
        let [edit] = entry.edits else { return None };
        Some((entry.address, edit.after.filter(|_| edit.path.is_empty())?))
    })
}

/// The documents that nothing may override.
fn documents<'a>(entries: &[Entry<'a>]) -> HashMap<&'a str, MarkedValue<'a>> {
    let overrides = |document: MarkedValue<'a>| {
        let own = |name| document.get(name).is_some_and(|own| !own.is_null() && !own.is_empty());
        own("override_policy_documents") || own("override_json")
    };
    policy_documents(entries)
        .filter(|(address, document)| !address.is_empty() && !overrides(*document))
        .collect()
}

fn statements<'a>(document: MarkedValue<'a>) -> Vec<Statement<'a>> {
    let blocks = document.get("statement").and_then(MarkedValue::as_array).unwrap_or_default();
    let statements = blocks.iter().filter(|block| !block.has_unknown() && !block.has_marks);
    statements.filter_map(|block| Statement::from_block(*block)).collect()
}

/// The rules about policies, each with its attribute.
fn policy_rules<'r>(rules: &[&'r Rule]) -> impl Iterator<Item = (&'r Rule, &'r str)> {
    rules.iter().copied().filter_map(|rule| {
        let Condition::At(at) = &rule.condition else { return None };
        let is_policy = matches!(at.test, Test::IamPolicy) && at.pattern.is_one_name();
        is_policy.then(|| (rule, at.pattern.first_name()))
    })
}

/// The policy before, if the attribute becomes unknown; `None` within if there was none.
fn old_policy<'a>(entry: &Entry<'a>, attribute: &str) -> Option<Option<&'a str>> {
    entry.edits.iter().find_map(|edit| {
        let (before, after) = match edit.path.steps().as_slice() {
            [] => {
                let member = |side: Option<MarkedValue<'a>>| side.and_then(|value| value.get(attribute));
                (member(edit.before), member(edit.after))
            }
            [Step::Name(name)] if *name == attribute => (edit.before, edit.after),
            _ => return None,
        };
        after.filter(|value| value.is_unknown())?;
        match before.filter(|value| !value.is_null()) {
            None => Some(None),
            // What is hidden proves nothing.
            Some(value) => value.as_str().map(Some),
        }
    })
}
