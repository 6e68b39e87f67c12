//! New grants in JSON policies, in words.
//!
//! A grant is one action of one statement. It is new if no old statement allows that action to the same
//! principals, on the same resources, under the same conditions.

use std::collections::HashMap;

use bumpalo::Bump;

use crate::access::{Field, Grants, Policies, Statement, grants, is_everybody};
use crate::json::{self, Value};

/// The maximum number of new grants with a line of their own.
const MAX_LINES: usize = 5;

/// The new grants of an IAM policy. For a new policy, or one whose old text is no policy, only grants to
/// everybody and grants of everything.
pub(super) fn iam<'w>(
    old: Option<&'w str>,
    new: &'w str,
    is_created: bool,
    policies: &Policies<'w>,
) -> Vec<String> {
    let Some(new) = policies.read(new) else { return Vec::new() };
    let before = old.and_then(|text| policies.read(text));
    let (new, old) = (&new.statements, before.as_ref().map_or(&[][..], |policy| &policy.statements));
    let Grants { added, removed, is_complete } = grants(old, new);
    let mut by_sid = HashMap::new();
    for statement in old {
        by_sid.entry(statement.sid).or_insert(statement);
    }
    let of = |list: &[Statement<'w>], at: usize, actions: &[usize]| {
        let all: Vec<&str> = list.get(at).into_iter().flat_map(Statement::actions).collect();
        actions.iter().filter_map(|at| all.get(*at).copied()).collect::<Vec<_>>()
    };
    let added = added.iter().filter_map(|(at, actions)| {
        let (statement, actions) = (new.get(*at)?, of(new, *at, actions));
        let is_told = !is_created && !old.is_empty() || is_grave(statement, &actions);
        is_told.then_some((statement, actions, true))
    });
    let removed =
        removed.iter().filter_map(|(at, actions)| Some((old.get(*at)?, of(old, *at, actions), false)));
    let mut lines = shorten(added.chain(removed), |(statement, actions, is_added)| {
        let was = statement.sid.filter(|sid| !sid.text().is_empty()).and_then(|sid| by_sid.get(&Some(sid)));
        let text = words(statement, &actions);
        if !is_added {
            return format!("{text} is removed");
        }
        let was = was.map(|was| format!(" (was {})", words(was, &was.actions().collect::<Vec<_>>())));
        text + &was.unwrap_or_default()
    });
    if !is_complete {
        lines.push("the policy is too large to compare all of its grants".to_owned());
    }
    lines
}

/// The new grants of a Google policy (`policy_data`) to everybody, or of ownership.
pub(super) fn google(old: Option<&str>, new: &str) -> Vec<String> {
    let arena = Bump::new();
    let bindings = |text| {
        let mut found = std::collections::BTreeSet::new();
        let Ok(value) = json::parse(arena.alloc_str(text), &arena) else { return found };
        for binding in list(value.get("bindings").unwrap_or_default()) {
            let Some(role) = binding.get("role").and_then(Value::as_str) else { continue };
            for member in list(binding.get("members").unwrap_or_default()).iter().filter_map(|m| m.as_str()) {
                found.insert((role, member));
            }
        }
        found
    };
    let old = old.map(bindings).unwrap_or_default();
    let is_grave = |(role, member): &(&str, &str)| {
        is_everybody(member) || matches!(*role, "roles/owner" | "roles/editor")
    };
    let new = bindings(new);
    let added = new.difference(&old).filter(|pair| is_grave(pair));
    shorten(added, |(role, member)| format!("{role} for {member}"))
}

/// The lines of the first items, and the number of others.
fn shorten<T>(mut items: impl Iterator<Item = T>, line: impl Fn(T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = items.by_ref().take(MAX_LINES).map(line).collect();
    let more = items.count();
    if more > 0 {
        lines.push(format!("and {more} more grants"));
    }
    lines
}

/// The elements of a list. A single value counts as a list of one element.
fn list(value: Value<'_>) -> Vec<Value<'_>> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.to_vec(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![value],
    }
}

/// Whether a statement grants something to everybody, or grants everything.
fn is_grave(statement: &Statement<'_>, actions: &[&str]) -> bool {
    let excludes = |field: Field| statement.field(field).excluded.is_some();
    let everybody = statement.condition.is_null()
        && (excludes(Field::Principal) || statement.principals().any(|(_, name)| name == "*"));
    let everything = !excludes(Field::Action)
        && statement.principals().next().is_none()
        && statement.resources().any(|resource| resource == "*")
        && actions.iter().any(|action| matches!(*action, "*" | "*:*" | "iam:*"));
    everybody || everything
}

/// The text `Allow "s3:GetObject" on "b/*" for "1234"`.
fn words(statement: &Statement<'_>, actions: &[&str]) -> String {
    let some = |items: &[&str]| {
        let shown = if items.len() > 4 { 3 } else { items.len() };
        let texts: Vec<String> = items.iter().take(shown).map(|item| format!("{item:?}")).collect();
        let more = items.len() - shown;
        texts.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
    };
    let excludes = |field: Field| statement.field(field).excluded.is_some();
    let effect = if statement.is_allow() { "Allow" } else { "Deny" };
    let mut words = format!("{effect} ");
    words.push_str(&if excludes(Field::Action) { "all but NotAction".to_owned() } else { some(actions) });
    let resources: Vec<&str> = statement.resources().collect();
    if excludes(Field::Resource) {
        words.push_str(" on all but NotResource");
    } else if !resources.is_empty() {
        words.push_str(&format!(" on {}", some(&resources)));
    }
    let principals: Vec<&str> = statement.principals().map(|(_, name)| name).collect();
    if excludes(Field::Principal) {
        words.push_str(" for all but NotPrincipal");
    } else if !principals.is_empty() {
        words.push_str(&format!(" for {}", some(&principals)));
    }
    if !statement.condition.is_null() {
        words.push_str(" under a condition");
    }
    words
}
