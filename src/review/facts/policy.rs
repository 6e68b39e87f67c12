//! New grants in JSON policies.
//!
//! A grant is one action of one statement. It is new if no old statement allows that action to the same
//! principals, on the same resources, under the same conditions. Patterns match as in IAM: `*` matches any
//! characters, `?` matches one.

use bumpalo::Bump;

use super::world::is_everybody;
use crate::json::{self, Value};
use crate::review::glob_matches;

/// The maximum number of comparisons between the statements of one policy.
const MAX_COMPARISONS: usize = 200_000;

/// The maximum number of new grants with a line of their own.
const MAX_LINES: usize = 5;

/// The new grants of an IAM policy. For a new policy, only grants to everybody and grants of everything.
pub(super) fn iam(old: Option<&str>, new: &str, is_created: bool, arena: &Bump) -> Vec<String> {
    let Some(new) = statements(new, arena) else { return Vec::new() };
    let old = match old {
        None => Vec::new(),
        Some(text) => match statements(text, arena) {
            Some(old) => old,
            // The old policy cannot be read, so it is unknown which grants are new.
            None => return Vec::new(),
        },
    };
    if old.len().saturating_mul(new.len()) > MAX_COMPARISONS {
        return vec!["the policy has too many statements to compare".to_owned()];
    }
    let mut lines = Vec::new();
    for statement in new.iter().filter(|statement| statement.is_allow) {
        let added: Vec<&str> = statement
            .actions
            .iter()
            .filter(|action| !old.iter().any(|old| old.allows(action, statement)))
            .copied()
            .collect();
        if added.is_empty() || (is_created || old.is_empty()) && !statement.is_grave(&added) {
            continue;
        }
        let was = statement.sid.and_then(|sid| old.iter().find(|old| old.sid == Some(sid)));
        let was = was.map_or_else(String::new, |was| format!(" (was {})", was.words(&was.actions)));
        lines.push(format!("{}{was}", statement.words(&added)));
    }
    for statement in old.iter().filter(|statement| !statement.is_allow) {
        let kept = |action: &&str| new.iter().any(|new| !new.is_allow && new.covers(action, statement));
        let removed: Vec<&str> = statement.actions.iter().filter(|action| !kept(action)).copied().collect();
        if !removed.is_empty() {
            lines.push(format!("{} is removed", statement.words(&removed)));
        }
    }
    shorten(lines)
}

/// The new grants of a Google policy (`policy_data`) to everybody, or of ownership.
pub(super) fn google(old: Option<&str>, new: &str, arena: &Bump) -> Vec<String> {
    let bindings = |text| {
        let mut found = std::collections::BTreeSet::new();
        let Ok(value) = json::parse(arena.alloc_str(text), arena) else { return found };
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
    shorten(
        new.difference(&old)
            .filter(|pair| is_grave(pair))
            .map(|(role, member)| format!("{role} for {member}"))
            .collect(),
    )
}

fn shorten(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    if more > 0 {
        lines.push(format!("and {more} more grants"));
    }
    lines
}

/// A statement of an IAM policy.
struct Statement<'a> {
    sid: Option<&'a str>,
    is_allow: bool,
    actions: Vec<&'a str>,
    /// `NotAction`, `NotResource` and `NotPrincipal`, which are compared as a whole.
    inverted: [Option<Value<'a>>; 3],
    resources: Vec<&'a str>,
    principals: Vec<(&'a str, &'a str)>,
    condition: Option<Value<'a>>,
}

fn statements<'a>(text: &str, arena: &'a Bump) -> Option<Vec<Statement<'a>>> {
    let value = json::parse(arena.alloc_str(text), arena).ok()?;
    Some(list(value.get("Statement")?).into_iter().filter_map(Statement::new).collect())
}

/// The elements of a list. A single value counts as a list of one element.
fn list(value: Value<'_>) -> Vec<Value<'_>> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.to_vec(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![value],
    }
}

impl<'a> Statement<'a> {
    fn new(value: Value<'a>) -> Option<Self> {
        value.as_object()?;
        let texts = |name: &str| -> Vec<&'a str> {
            list(value.get(name).unwrap_or_default()).iter().filter_map(|item| item.as_str()).collect()
        };
        let mut principals = Vec::new();
        match value.get("Principal") {
            Some(Value::String(text)) => principals.push(("AWS", text)),
            Some(Value::Object(kinds)) => {
                for (kind, names) in kinds.members() {
                    principals.extend(list(*names).iter().filter_map(|name| Some((*kind, name.as_str()?))));
                }
            }
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {}
        }
        let mut actions = texts("Action");
        if value.get("NotAction").is_some() {
            actions.push("*");
        }
        Some(Self {
            sid: value.get("Sid").and_then(Value::as_str).filter(|sid| !sid.is_empty()),
            is_allow: value.get("Effect").and_then(Value::as_str) == Some("Allow"),
            actions,
            inverted: ["NotAction", "NotResource", "NotPrincipal"].map(|name| value.get(name)),
            resources: texts("Resource"),
            principals,
            condition: value
                .get("Condition")
                .filter(|condition| condition.as_object().is_some_and(|object| !object.members().is_empty())),
        })
    }

    /// Whether this statement allows `action` everywhere that `other` allows it.
    fn allows(&self, action: &str, other: &Self) -> bool {
        self.is_allow && self.covers(action, other)
    }

    /// Whether this statement covers `action` for all principals and resources of `other`, under the same or
    /// a wider condition.
    fn covers(&self, action: &str, other: &Self) -> bool {
        let matches = |pattern: &&str, text: &str| *pattern == text || glob_matches(pattern, text);
        let action = action.to_ascii_lowercase();
        (self.condition.is_none() || self.condition == other.condition)
            && self.inverted == other.inverted
            && self.actions.iter().any(|own| matches(&own.to_ascii_lowercase().as_str(), &action))
            && other.resources.iter().all(|text| self.resources.iter().any(|own| matches(own, text)))
            && other.principals.iter().all(|(kind, name)| {
                self.principals.iter().any(|(own_kind, own)| own_kind == kind && (own == name || *own == "*"))
            })
            && (self.resources.is_empty() == other.resources.is_empty())
            && (self.principals.is_empty() == other.principals.is_empty())
    }

    /// Whether the statement grants something to everybody, or grants everything.
    fn is_grave(&self, actions: &[&str]) -> bool {
        let everybody = self.condition.is_none()
            && (self.inverted[2].is_some() || self.principals.iter().any(|(_, name)| *name == "*"));
        let everything = self.inverted[0].is_none()
            && self.principals.is_empty()
            && self.resources.contains(&"*")
            && actions.iter().any(|action| matches!(*action, "*" | "*:*" | "iam:*"));
        everybody || everything
    }

    /// The text `Allow s3:GetObject on b/* for AWS 1234`.
    fn words(&self, actions: &[&str]) -> String {
        let some = |items: &[String]| match items {
            [first, second, third, rest @ ..] if rest.len() > 1 => {
                format!("{first}, {second}, {third} and {} more", rest.len())
            }
            all => all.join(", "),
        };
        let strings = |items: &[&str]| items.iter().map(|item| format!("{item:?}")).collect::<Vec<_>>();
        let effect = if self.is_allow { "Allow" } else { "Deny" };
        let actions =
            if self.inverted[0].is_some() { "all but NotAction".to_owned() } else { some(&strings(actions)) };
        let mut words = format!("{effect} {actions}");
        if self.inverted[1].is_some() {
            words.push_str(" on all but NotResource");
        } else if !self.resources.is_empty() {
            words.push_str(&format!(" on {}", some(&strings(&self.resources))));
        }
        if self.inverted[2].is_some() {
            words.push_str(" for all but NotPrincipal");
        } else if !self.principals.is_empty() {
            let names: Vec<&str> = self.principals.iter().map(|(_, name)| *name).collect();
            words.push_str(&format!(" for {}", some(&strings(&names))));
        }
        if self.condition.is_some() {
            words.push_str(" under a condition");
        }
        words
    }
}
