//! Judges routes: where the addresses of a network are sent.
//!
//! Of the routes of a table the longest prefix decides, so that a table is a list in which longer prefixes come first.
//! A route that comes lets something be reached, and one that goes no longer does; another target has no order, unless
//! one of both is the internet or nowhere.
//!
//! ```text
//! 10.60.0.0/16 by a peering                         wider
//! 0.0.0.0/0: nat-1 -> igw-1                         wider: the internet reaches what has a public address
//! 10.0.0.0/8: tgw-1 -> tgw-2                        another
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::parties::{Naming, Parties, PartyAxis};
use super::ranges::Ranges;
use super::read::{Bound, is_unknown};
use super::sweep::{self, AXES, Answer, Rule};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions};
use crate::meaning::{Judgement, ObjectChange};

/// Where a type has its routes.
#[derive(Clone, Copy, Debug)]
struct Routes {
    /// The member with the routes; `None` if the object is one.
    list: Option<&'static str>,
    /// Whether a network without a route sends to the internet, so that a route elsewhere takes something away.
    has_default: bool,
}

/// Returns where a type has its routes; `None` for types without routes.
fn routes(resource_type: &str) -> Option<Routes> {
    let (list, has_default) = match resource_type {
        "aws_route"
        | "aws_ec2_transit_gateway_route"
        | "aws_ec2_local_gateway_route"
        | "aws_ec2_client_vpn_route"
        | "aws_vpn_connection_route"
        | "google_compute_route"
        | "alicloud_route_entry"
        | "hcloud_network_route"
        | "ibm_is_vpc_routing_table_route"
        | "openstack_networking_router_route_v2"
        | "scaleway_vpc_route"
        | "tencentcloud_route_table_entry"
        | "huaweicloud_vpc_route" => (None, false),
        "aws_route_table" | "aws_default_route_table" | "yandex_vpc_route_table" => (
            Some(if resource_type == "yandex_vpc_route_table" {
                "static_route"
            } else {
                "route"
            }),
            false,
        ),
        "oci_core_route_table" | "oci_core_default_route_table" => (Some("route_rules"), false),
        // "Virtual network traffic routing" (Microsoft Learn): a default route of the system leads to the internet.
        "azurerm_route" => (None, true),
        "azurerm_route_table" => (Some("route"), true),
        _ => return None,
    };
    Some(Routes { list, has_default })
}

/// The members of a route with the addresses that it is for.
const DESTINATIONS: [&str; 14] = [
    "cidr_block",
    "ipv6_cidr_block",
    "destination_cidr_block",
    "destination_ipv6_cidr_block",
    "destination_prefix_list_id",
    "destination_prefix",
    "destination_prefix_list",
    "destination_cidr",
    "destination_cidrblock",
    "destination",
    "dest_range",
    "address_prefix",
    "cidr",
    "blackhole",
];

/// The members of a route that are no target: names, texts, and what the provider fills in.
const OTHERS: [&str; 24] = [
    "id",
    "name",
    "description",
    "state",
    "origin",
    "region",
    "project",
    "network",
    "route_table_id",
    "route_table",
    "resource_group_name",
    "route_table_name",
    "transit_gateway_route_table_id",
    "timeouts",
    "priority",
    "tags",
    "destination_type",
    "route_type",
    "instance_owner_id",
    "next_hop_hub",
    "next_hop_network",
    "creation_timestamp",
    "self_link",
    "destination_type",
];

/// Where a route leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// Nowhere: what is sent there is dropped.
    Nowhere,
    /// To an object, by its name.
    Object(String),
    /// To the internet, from where answers and requests come back.
    Internet,
}

/// Where a route leads, as far as it is known.
struct Reading {
    parties: Parties,
    /// `None` if it is not known yet.
    target: Option<Target>,
    has_unknown: bool,
}

/// Judges routes; `None` if the type has none.
pub(super) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let routes = routes(change.resource_type)?;
    let (before, after) = (change.before, change.after);
    if before.is_null() || after.is_null() {
        let object = if before.is_null() { after } else { before };
        let mut came = Directions::default();
        for route in items(routes, object) {
            let reading = read(route, Bound::Most);
            came = came.union(whole(&reading, routes.has_default));
        }
        if came.is_empty() {
            came.insert(Direction::New);
        }
        return Some(vec![Judgement {
            place: Vec::new(),
            directions: if before.is_null() {
                came
            } else {
                came.reverse()
            },
        }]);
    }
    let directions = compare(routes, before, after);
    let places: Vec<&'w str> = match routes.list {
        Some(list) => vec![list],
        None => {
            let names = |object: MarkedValue<'w>| object.as_object().unwrap_or_default().iter();
            let names = names(before).chain(names(after)).map(|(name, _)| *name);
            let decides = |name: &&str| !OTHERS.contains(name);
            names
                .filter(decides)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect()
        }
    };
    let judgement = |place| Judgement {
        place: vec![place],
        directions,
    };
    Some(places.into_iter().map(judgement).collect())
}

/// Returns the routes of an object.
fn items<'w>(routes: Routes, object: MarkedValue<'w>) -> Vec<MarkedValue<'w>> {
    match routes.list {
        None => vec![object],
        Some(list) => {
            let list = object.get(list).and_then(MarkedValue::as_array);
            list.unwrap_or_default().to_vec()
        }
    }
}

/// Returns what comes with a route.
fn whole(route: &Reading, has_default: bool) -> Directions {
    if route.parties.is_nobody() {
        return Directions::default();
    }
    Directions::from(match (&route.target, has_default) {
        (Some(Target::Internet), _) => Direction::Wider,
        (Some(Target::Nowhere), true) => Direction::Narrower,
        (Some(Target::Object(_)) | None, true) => Direction::Another,
        (Some(Target::Nowhere), false) => Direction::New,
        (Some(Target::Object(_)) | None, false) => Direction::Wider,
    })
}

/// Reads a route.
fn read(route: MarkedValue<'_>, bound: Bound) -> Reading {
    let mut reading = Reading {
        parties: Parties::default(),
        target: None,
        has_unknown: is_unknown(route),
    };
    let mut targets = Vec::new();
    let mut has_unknown_target = is_unknown(route);
    for (name, value) in route.as_object().unwrap_or_default() {
        let text = value.content.scalar_text().filter(|text| !text.is_empty());
        if OTHERS.contains(name) || value.is_null() {
            continue;
        }
        if *name == "blackhole" {
            if text == Some("true") {
                targets.push(Target::Nowhere);
            }
        } else if DESTINATIONS.contains(name) {
            if is_unknown(*value) {
                reading.has_unknown = true;
                reading.parties.is_anything |= bound == Bound::Most;
            }
            reading.parties.add_texts(text, Naming::Apart);
        } else if is_unknown(*value) {
            has_unknown_target = true;
        } else if let Some(text) = text {
            targets.push(target(name, text));
        }
    }
    // What the provider fills in beside a target that is known does not decide.
    reading.target = match (targets.is_empty(), has_unknown_target) {
        (true, true) => {
            reading.has_unknown = true;
            None
        }
        (true, false) => Some(Target::Nowhere),
        (false, _) => joined(targets),
    };
    reading
}

/// Returns the one target that several members name: a type and an address, or an object of each kind.
fn joined(targets: Vec<Target>) -> Option<Target> {
    let mut names: Vec<String> = Vec::new();
    for target in targets {
        match target {
            Target::Internet => return Some(Target::Internet),
            Target::Nowhere => {}
            Target::Object(name) => names.push(name),
        }
    }
    Some(if names.is_empty() {
        Target::Nowhere
    } else {
        Target::Object(names.join(", "))
    })
}

/// Returns where a member of a route leads.
fn target(name: &str, text: &str) -> Target {
    let lower = text.to_ascii_lowercase();
    if name == "next_hop_type" {
        return match &*lower {
            "internet" => Target::Internet,
            "none" => Target::Nowhere,
            _ => Target::Object(format!("{name} {lower}")),
        };
    }
    let is_internet = lower.starts_with("igw-")
        || lower.contains("/default-internet-gateway")
        || lower == "default-internet-gateway"
        || lower.contains(".internetgateway.");
    if is_internet {
        Target::Internet
    } else {
        Target::Object(format!("{name} {text}"))
    }
}

/// Compares the routes of two versions of an object.
fn compare(routes: Routes, before: MarkedValue<'_>, after: MarkedValue<'_>) -> Directions {
    if routes
        .list
        .is_some_and(|list| after.get(list).is_some_and(is_unknown))
    {
        return Direction::Unknown.into();
    }
    let read_all = |object, bound| -> Vec<Reading> {
        let items = items(routes, object);
        items.into_iter().map(|route| read(route, bound)).collect()
    };
    let old = read_all(before, Bound::Most);
    let new = read_all(after, Bound::Least);
    let has_unknown = new.iter().any(|route| route.has_unknown);
    let mut numbers: BTreeMap<Target, u32> = BTreeMap::new();
    for target in old
        .iter()
        .chain(&new)
        .filter_map(|route| route.target.clone())
    {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        numbers.entry(target).or_insert(next);
    }
    let all = old.iter().chain(&new).map(|route| &route.parties);
    let Some(axis) = PartyAxis::new(Naming::Apart, all, false) else {
        return Direction::Another.into();
    };
    let rules = |readings: &[Reading]| -> Vec<Rule> {
        let mut rules: Vec<(u128, Rule)> = Vec::new();
        for reading in readings {
            let Some(number) = reading
                .target
                .as_ref()
                .and_then(|target| numbers.get(target))
            else {
                continue;
            };
            let addresses = axis.ranges(&reading.parties);
            let size = addresses
                .iter()
                .map(|(start, end)| end.number.wrapping_sub(start.number).wrapping_sub(1))
                .max()
                .unwrap_or_default();
            let mut sets: [Ranges; AXES] = std::array::from_fn(|_| Ranges::all());
            if let Some(last) = sets.last_mut() {
                *last = addresses;
            }
            let answer = Answer::Via(*number);
            rules.push((size, Rule { sets, answer }));
        }
        rules.sort_by_key(|(size, _)| *size);
        rules.into_iter().map(|(_, rule)| rule).collect()
    };
    let Some(changes) = sweep::compare(&rules(&old), &rules(&new)) else {
        return Direction::Another.into();
    };
    let target = |answer: Answer| match answer {
        Answer::Via(number) => numbers
            .iter()
            .find(|(_, other)| **other == number)
            .map(|(target, _)| target),
        Answer::Refuse | Answer::Pass | Answer::Allow => None,
    };
    let mut directions: Directions = changes
        .into_iter()
        .filter(|(before, after)| before != after)
        .map(|(before, after)| of_targets(target(before), target(after), routes.has_default))
        .collect();
    if has_unknown {
        directions.insert(Direction::Unknown);
    }
    if directions.is_empty() {
        directions.insert(Direction::Same);
    }
    directions
}

/// Returns what it means that addresses are sent elsewhere. No target is no route.
fn of_targets(before: Option<&Target>, after: Option<&Target>, has_default: bool) -> Direction {
    let is_internet = |target: Option<&Target>| target == Some(&Target::Internet);
    let is_nowhere = |target: Option<&Target>| {
        target == Some(&Target::Nowhere) || target.is_none() && !has_default
    };
    match (is_nowhere(before), is_nowhere(after)) {
        (true, true) => Direction::Same,
        (true, false) => Direction::Wider,
        (false, true) => Direction::Narrower,
        (false, false) if is_internet(after) => Direction::Wider,
        (false, false) if is_internet(before) => Direction::Narrower,
        (false, false) => Direction::Another,
    }
}
