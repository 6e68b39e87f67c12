//! Who may reach what over networks: rules of firewalls, lists of addresses, routes and connections of networks.
//!
//! Each form is read into sets on axes ([`ranges`], [`parties`], [`read`]), and the sets before and after are compared
//! exactly ([`sweep`]). So networks are compared by containment, ports by ranges, and a list by the order of its rules.

mod firewall;
mod parties;
pub(crate) mod ranges;
mod read;
mod sweep;
mod types;

use crate::meaning::{Judgement, ObjectChange};

/// Judges an object that says who may reach what; `None` for types that are not known here.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let firewall = types::firewall(change.resource_type)?;
    Some(firewall::judge(&firewall, change))
}

#[cfg(test)]
mod tests;
