//! Lists of rules of which each is a conjunction of lists: Istio's and Cilium's policies.
//!
//! A rule lets through what one value of each of its lists allows; a list that is absent is no condition. The sets are
//! compared rule by rule: one that is within another adds nothing. What only several rules together cover counts as
//! growth, so a direction may be graver than the truth, and never more harmless.
//!
//! ```text
//! from.source.principals: [ana] -> [ana bob]         the rule lets through more
//! from.source.namespaces: [prod] -> absent           the rule has a condition less
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::growth::Growth;
use super::part::Part;
use super::remark::Remark;
use super::view::View;
use crate::diff::value::{Content, MarkedValue};
use crate::direction::Direction;
use crate::glob;

/// The most rules of one side that are compared with each other.
const MOST: usize = 300;

/// The values that one condition of a rule allows, or refuses.
type Values<'w> = BTreeSet<&'w str>;

/// A rule: its conditions by their paths. Paths whose last name begins with `not` refuse their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rule<'w>(BTreeMap<String, Values<'w>>);

/// Judges an AuthorizationPolicy of Istio. No rules let nobody through, a rule without conditions everybody.
pub(super) fn authorization<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    let Some(spec) = object.at("spec").filter(|spec| !spec.is_same()) else {
        return remarks;
    };
    let action = |view: View<'w>| view.get("action").text().unwrap_or("ALLOW");
    let (before, after) = (action(spec.before), action(spec.after));
    let larger = match after {
        "ALLOW" => Direction::Wider,
        "DENY" => Direction::Narrower,
        _ => Direction::Another,
    };
    if let Some(rules) = spec.list("rules").filter(|rules| !rules.is_same()) {
        let growth = growth(rules.before, rules.after);
        remarks.push(if before == after && larger != Direction::Another {
            rules.grows(growth, larger)
        } else {
            rules.means(Direction::Another)
        });
    }
    if let Some(part) = spec.at("action").filter(|part| !part.is_same()) {
        let directions = match (before, after) {
            ("DENY", "ALLOW" | "AUDIT") | ("ALLOW" | "CUSTOM", "AUDIT") => Direction::Wider,
            ("ALLOW" | "AUDIT", "DENY") | ("AUDIT", "ALLOW" | "CUSTOM") => Direction::Narrower,
            _ => Direction::Another,
        };
        remarks.push(part.means(directions));
    }
    for name in ["selector", "targetRefs"] {
        if let Some(part) = spec.list(name).filter(|part| !part.is_same()) {
            remarks.push(part.means(Direction::Another));
        }
    }
    remarks
}

/// Judges a policy of Cilium. Where it has no rules for a direction of traffic, all of it passes.
pub(super) fn cilium<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    let Some(spec) = object.at("spec").filter(|spec| !spec.is_same()) else {
        return remarks;
    };
    for name in ["ingress", "egress"] {
        let Some(rules) = spec.list(name).filter(|rules| !rules.is_same()) else {
            continue;
        };
        let isolates = |view: View<'w>| view.is_present();
        remarks.push(match (isolates(rules.before), isolates(rules.after)) {
            (true, false) => rules.means(Direction::Wider),
            (false, true) => rules.means(Direction::Narrower),
            (true, true) | (false, false) => {
                rules.grows(growth(rules.before, rules.after), Direction::Wider)
            }
        });
    }
    for name in ["ingressDeny", "egressDeny"] {
        if let Some(rules) = spec.list(name).filter(|rules| !rules.is_same()) {
            remarks.push(rules.grows(growth(rules.before, rules.after), Direction::Narrower));
        }
    }
    for name in ["endpointSelector", "nodeSelector"] {
        if let Some(part) = spec.list(name).filter(|part| !part.is_same()) {
            remarks.push(part.means(Direction::Another));
        }
    }
    remarks
}

/// Returns what a list of rules gains and loses; `None` if there are too many.
fn growth(before: View<'_>, after: View<'_>) -> Option<Growth> {
    let (before, after) = (rules(before)?, rules(after)?);
    let within =
        |rule: &Rule<'_>, others: &[Rule<'_>]| others.iter().any(|other| rule.is_within(other));
    Some(Growth {
        grew: after.iter().any(|rule| !within(rule, &before)),
        shrank: before.iter().any(|rule| !within(rule, &after)),
    })
}

/// Returns the rules of a list, where each element of `from`, `to` or of another list of objects is an alternative.
fn rules<'w>(list: View<'w>) -> Option<Vec<Rule<'w>>> {
    let mut rules = Vec::new();
    for element in list.items() {
        let value = element.value()?;
        rules.extend(alternatives(value, "", vec![Rule::default()])?);
        if rules.len() > MOST {
            return None;
        }
    }
    Some(rules)
}

/// Returns the rules of a value with the conditions of each of `rules`; `None` if there are too many.
fn alternatives<'w>(
    value: MarkedValue<'w>,
    path: &str,
    rules: Vec<Rule<'w>>,
) -> Option<Vec<Rule<'w>>> {
    match value.content {
        Content::Object(members) => {
            let mut rules = rules;
            for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
                let path = if path.is_empty() {
                    (*name).to_owned()
                } else {
                    format!("{path}.{name}")
                };
                rules = alternatives(*member, &path, rules)?;
            }
            Some(rules)
        }
        // Conditions of a list of `when` must all hold; its elements have a key that tells them apart.
        Content::Array(items) if path == "when" => {
            let mut rules = rules;
            for item in items {
                let key = item.get("key").and_then(MarkedValue::as_str).unwrap_or("");
                let mut rest = rules;
                for name in ["values", "notValues"] {
                    if let Some(values) = item.get(name) {
                        rest = alternatives(values, &format!("when.{key}.{name}"), rest)?;
                    }
                }
                rules = rest;
            }
            Some(rules)
        }
        Content::Array(items) if items.iter().any(|item| item.is_container()) => {
            let mut all = Vec::new();
            for item in items {
                all.extend(alternatives(*item, path, rules.clone())?);
                if all.len() > MOST {
                    return None;
                }
            }
            Some(all)
        }
        Content::Array(items) => Some(with_condition(
            rules,
            path,
            items.iter().filter_map(|item| item.content.scalar_text()),
        )),
        Content::Bool(_) | Content::Number(_) | Content::String(_) => {
            Some(with_condition(rules, path, value.content.scalar_text()))
        }
        Content::Null => Some(rules),
        Content::Unknown | Content::Redacted => Some(rules),
    }
}

/// Adds a condition to each rule.
fn with_condition<'w>(
    mut rules: Vec<Rule<'w>>,
    path: &str,
    values: impl IntoIterator<Item = &'w str>,
) -> Vec<Rule<'w>> {
    let values: Values<'w> = values.into_iter().collect();
    for rule in &mut rules {
        rule.0.entry(path.to_owned()).or_default().extend(&values);
    }
    rules
}

impl Rule<'_> {
    /// Whether another rule lets through everything that this one does.
    fn is_within(&self, other: &Self) -> bool {
        other.0.iter().all(|(path, theirs)| {
            let Some(own) = self.0.get(path) else {
                return false;
            };
            if is_refusal(path) {
                theirs.is_subset(own)
            } else {
                own.iter()
                    .all(|value| theirs.iter().any(|pattern| glob::matches(pattern, value)))
            }
        })
    }
}

/// Whether the values at a path are refused.
fn is_refusal(path: &str) -> bool {
    path.rsplit('.')
        .next()
        .is_some_and(|name| name.starts_with("not") || name == "except")
}
