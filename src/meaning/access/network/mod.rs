//! Who may reach what over networks: rules of firewalls, lists of addresses, routes and connections of networks.
//!
//! Each form is read into sets on axes ([`ranges`], [`parties`], [`read`]), and the sets before and after are compared
//! exactly ([`sweep`]). So networks are compared by containment, ports by ranges, and a list by the order of its rules.

mod firewall;
mod handed;
mod links;
mod lists;
mod parties;
pub(crate) mod ranges;
mod read;
mod routes;
mod sweep;
mod types;

pub(crate) use handed::{Whole, handed_over};

use crate::meaning::{Judgement, ObjectChange};

/// Judges an object with firewall rules; nothing for other types.
pub(crate) fn judge_firewall<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    types::firewall(change.resource_type)
        .map(|firewall| firewall::judge(&firewall, change))
        .unwrap_or_default()
}

/// Judges an object that says who may reach what; `None` for types that are not known here.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    if let Some(firewall) = types::firewall(change.resource_type) {
        return Some(firewall::judge(&firewall, change));
    }
    lists::judge(change)
        .or_else(|| routes::judge(change))
        .or_else(|| links::judge(change))
}

/// Judges what names say for every type: lists of addresses, lists of rules, sets of security groups.
pub(crate) fn by_name<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    if types::firewall(change.resource_type).is_some() {
        return Vec::new();
    }
    let mut judgements = firewall::by_name(change);
    judgements.extend(lists::by_name(change));
    judgements
}

#[cfg(test)]
mod tests;
