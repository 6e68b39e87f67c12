//! Finds rules that one object gives up and another object of the plan takes over.
//!
//! Rules that are objects of their own are often destroyed and created under another name or type. Then what is created
//! opens nothing that was not open, and what is destroyed closes nothing.
//!
//! ```text
//! destroyed   22 from 0.0.0.0/0 in sg-1     narrower
//! created     22 from 10.8.0.0/16 in sg-1   same: it was open before
//! ```

use std::collections::HashMap;

use super::firewall::{Regions, regions};
use super::read::{self, Bound, Reading, Source};
use super::sweep::Answer;
use super::types::{Firewall, firewall};
use crate::diff::value::MarkedValue;

/// An object that is created or destroyed as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<'o, 'w> {
    /// The type of the object.
    pub(crate) resource_type: &'o str,
    /// The object.
    pub(crate) value: MarkedValue<'w>,
    /// Whether it is created; otherwise it is destroyed.
    pub(crate) is_created: bool,
}

/// The members that say which group a rule belongs to.
const HOLDERS: [&str; 5] = [
    "security_group_id",
    "security_group_binding",
    "firewall_group_id",
    "security_group",
    "group",
];

/// The maximum number of pairs of created and destroyed rules of one group that are compared. A group has at most a few
/// hundred rules; beyond that nothing is taken over, which is the graver answer.
const MAX_PAIRS: usize = 250_000;

/// Returns for each object whether those of the other kind let all of its traffic through in the same group.
pub(crate) fn handed_over(objects: &[Whole<'_, '_>]) -> Vec<bool> {
    let mut groups: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, object) in objects.iter().enumerate() {
        if let Some(holder) = holder(object) {
            groups.entry(holder).or_default().push(index);
        }
    }
    let mut handed = vec![false; objects.len()];
    for group in groups.into_values() {
        let of_kind = |is_created: bool| -> Vec<usize> {
            let rules = group.iter().copied();
            let fits = |index: &usize| {
                objects
                    .get(*index)
                    .is_some_and(|object| object.is_created == is_created)
            };
            rules.filter(fits).collect()
        };
        let (created, destroyed) = (of_kind(true), of_kind(false));
        if created.is_empty() || destroyed.is_empty() {
            continue;
        }
        if created.len().saturating_mul(destroyed.len()) > MAX_PAIRS {
            continue;
        }
        for (some, others) in [(&created, &destroyed), (&destroyed, &created)] {
            let others: Vec<Reading> = others
                .iter()
                .filter_map(|index| {
                    objects
                        .get(*index)
                        .and_then(|other| rule(other, Bound::Least))
                })
                .map(|(_, reading)| reading)
                .collect();
            for index in some {
                if let Some(object) = objects.get(*index)
                    && let Some(flag) = handed.get_mut(*index)
                {
                    *flag = is_within(object, &others);
                }
            }
        }
    }
    handed
}

/// Returns the group that a rule belongs to; `None` for what is no rule that adds to the others of a group.
fn holder<'w>(object: &Whole<'_, 'w>) -> Option<&'w str> {
    let firewall = firewall(object.resource_type)?;
    let (_, reading) = rule(object, Bound::Most)?;
    if !firewall.lists.is_empty()
        || reading.answer != Some(Answer::Allow)
        || reading.number.is_some()
    {
        return None;
    }
    HOLDERS
        .iter()
        .find_map(|name| object.value.get(name)?.content.scalar_text())
}

/// Reads an object as a rule; `None` if it has lists of rules, or is none.
fn rule(object: &Whole<'_, '_>, bound: Bound) -> Option<(Firewall, Reading)> {
    let firewall = firewall(object.resource_type).filter(|firewall| firewall.lists.is_empty())?;
    let source = Source::from(object.value).with(firewall.beside);
    let reading = read::rule(source, firewall.way, firewall.dialect, bound);
    Some((firewall, reading))
}

/// Whether other rules let all traffic of a rule through.
fn is_within(object: &Whole<'_, '_>, others: &[Reading]) -> bool {
    let Some((firewall, reading)) = rule(object, Bound::Most) else {
        return false;
    };
    let compared = regions(&firewall, others, &[reading]);
    compared.is_some_and(|Regions { after, both, .. }| both && !after)
}
