//! Judges lists of addresses that may reach something: authorized networks, firewall rules of databases, prefix lists.
//!
//! A list that is missing means everybody or nobody, depending on its type. Where a switch stands beside a list
//! (`default_action`), both are one set.
//!
//! ```text
//! public_access_cidrs: ["10.0.0.0/8"] -> []                   wider: EKS reads no list as everybody
//! ip_rules: ["203.0.113.7"] -> ["203.0.113.0/24"]             wider
//! network_rules.default_action: "Allow" -> "Deny"             narrower
//! ```

use std::collections::BTreeSet;

use ipnet::{Ipv4Net, Ipv6Net};

use super::parties::{Naming, Parties, PartyAxis};
use super::ranges::{Ranges, V6};
use super::read::{Bound, is_unknown};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions};
use crate::glob;
use crate::meaning::{Judgement, ObjectChange};

/// What it means that a list, or the block around it, is missing or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// Everybody may reach it.
    Everybody,
    /// Nobody may.
    Nobody,
    /// That depends on what the plan does not say.
    Unclear,
}

/// What a list is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Its addresses may come in.
    Allows,
    /// Its addresses may not come in.
    Refuses,
    /// Others use it, for one or the other.
    Either,
}

/// A list of addresses of a type.
#[derive(Clone, Copy, Debug)]
struct List {
    /// The types, with `*` for any text.
    types: &'static str,
    /// The names that lead to the list. Blocks on the way are read one after another.
    path: &'static [&'static str],
    /// What it means that the first block on the way is missing.
    without_block: Missing,
    /// What it means that the list has no element.
    empty: Missing,
    purpose: Purpose,
    /// Whether the object is nothing but this list, so that it comes and goes with it.
    is_whole: bool,
}

impl List {
    /// A list of those who may come in. Without it nobody may.
    const fn of(types: &'static str, path: &'static [&'static str]) -> Self {
        Self {
            types,
            path,
            without_block: Missing::Nobody,
            empty: Missing::Nobody,
            purpose: Purpose::Allows,
            is_whole: false,
        }
    }

    /// Everybody may come in without the list.
    const fn open_if_empty(self) -> Self {
        Self {
            without_block: Missing::Everybody,
            empty: Missing::Everybody,
            ..self
        }
    }

    /// Everybody may come in without the block, and nobody if it lists nobody.
    const fn open_without_block(self) -> Self {
        Self {
            without_block: Missing::Everybody,
            ..self
        }
    }

    /// Nobody can tell what it means that the list is empty.
    const fn unclear(self) -> Self {
        Self {
            without_block: Missing::Unclear,
            empty: Missing::Unclear,
            ..self
        }
    }

    /// The object is the list.
    const fn whole(self) -> Self {
        Self {
            is_whole: true,
            ..self
        }
    }

    /// Says what the list is for.
    const fn for_purpose(self, purpose: Purpose) -> Self {
        Self { purpose, ..self }
    }
}

/// The lists of all types. Where a provider's documentation says what an empty list means, the row says it.
const LISTS: &[List] = &[
    List::of("aws_eks_cluster", &["vpc_config", "public_access_cidrs"]).open_if_empty(),
    List::of("aws_ec2_managed_prefix_list", &["entry", "cidr"]).whole(),
    List::of("aws_ec2_managed_prefix_list_entry", &["cidr"]).whole(),
    List::of("aws_workspaces_ip_group", &["rules", "source"]).whole(),
    List::of("aws_wafv2_ip_set", &["addresses"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of(
        "aws_waf_ipset|aws_wafregional_ipset",
        &["ip_set_descriptors", "value"],
    )
    .whole()
    .for_purpose(Purpose::Either),
    List::of("aws_guardduty_ipset", &["location"])
        .whole()
        .for_purpose(Purpose::Either),
    // "Authorized networks" (GKE): without the block the endpoint is open, an empty one lets nobody in from outside.
    List::of(
        "google_container_cluster",
        &[
            "master_authorized_networks_config",
            "cidr_blocks",
            "cidr_block",
        ],
    )
    .open_without_block(),
    List::of(
        "google_composer_environment",
        &[
            "config",
            "master_authorized_networks_config",
            "cidr_blocks",
            "cidr_block",
        ],
    )
    .unclear(),
    List::of(
        "google_composer_environment",
        &[
            "config",
            "web_server_network_access_control",
            "allowed_ip_range",
            "value",
        ],
    )
    .open_if_empty(),
    List::of(
        "google_sql_database_instance",
        &[
            "settings",
            "ip_configuration",
            "authorized_networks",
            "value",
        ],
    ),
    List::of(
        "google_alloydb_instance",
        &[
            "network_config",
            "authorized_external_networks",
            "cidr_range",
        ],
    ),
    List::of(
        "azurerm_kubernetes_cluster",
        &["api_server_access_profile", "authorized_ip_ranges"],
    )
    .open_if_empty(),
    List::of(
        "azurerm_kubernetes_cluster",
        &["api_server_authorized_ip_ranges"],
    )
    .unclear(),
    List::of("azurerm_*_virtual_network_rule", &["subnet_id"]).whole(),
    List::of("mongodbatlas_project_ip_access_list", &["cidr_block"]).whole(),
    List::of("mongodbatlas_project_ip_access_list", &["ip_address"]).whole(),
    List::of(
        "mongodbatlas_project_ip_access_list",
        &["aws_security_group"],
    )
    .whole(),
    List::of("mongodbatlas_access_list_api_key", &["cidr_block"]).whole(),
    List::of("mongodbatlas_access_list_api_key", &["ip_address"]).whole(),
    List::of("ovh_cloud_project_database_ip_restriction", &["ip"]).whole(),
    List::of("github_*ip_allow_list_entry", &["allow_list_value"]).whole(),
    List::of("snowflake_network_policy", &["allowed_ip_list"]).unclear(),
    List::of("snowflake_network_policy", &["allowed_network_rule_list"]).unclear(),
    List::of("snowflake_network_policy", &["blocked_ip_list"]).for_purpose(Purpose::Refuses),
    List::of("snowflake_network_policy", &["blocked_network_rule_list"])
        .for_purpose(Purpose::Refuses),
    List::of("snowflake_network_rule", &["value_list"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("datadog_ip_allowlist", &["entry", "cidr_block"]).unclear(),
    List::of("okta_network_zone", &["gateways"]).for_purpose(Purpose::Either),
    List::of("okta_network_zone", &["proxies"]).for_purpose(Purpose::Either),
    List::of("cloudflare_list", &["item", "value", "ip"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("cloudflare_list_item", &["ip"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("cloudflare_zero_trust_list", &["items"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("confluent_ip_group", &["cidr_blocks"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("google_network_security_address_group", &["items"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("azurerm_ip_group", &["cidrs"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("azurerm_ip_group_cidr", &["cidr"])
        .whole()
        .for_purpose(Purpose::Either),
    List::of("aiven_*", &["*_user_config", "ip_filter"]).open_if_empty(),
    List::of("scaleway_rdb_acl|scaleway_k8s_acl", &["acl_rules", "ip"]).whole(),
    List::of("scaleway_redis_cluster", &["acl", "ip"]).unclear(),
    List::of(
        "digitalocean_kubernetes_cluster",
        &["control_plane_firewall", "allowed_addresses"],
    )
    .open_without_block(),
    // "Secure clusters" (DigitalOcean): a database without trusted sources is open.
    List::of("digitalocean_database_firewall", &["rule", "value"]).open_if_empty(),
    List::of("linode_database_*", &["allow_list"]),
    List::of(
        "alicloud_db_instance|alicloud_kvstore_instance|alicloud_polardb_cluster|alicloud_mongodb_*",
        &["security_ips"],
    ),
    List::of("alicloud_mongodb_*", &["security_ip_list"]),
    List::of("oci_database_autonomous_database", &["whitelisted_ips"]).open_if_empty(),
    List::of("oci_bastion_bastion", &["client_cidr_block_allow_list"]),
    List::of("ibm_database", &["allowlist", "address"]).open_if_empty(),
    List::of("ibm_database", &["whitelist", "address"]).open_if_empty(),
    List::of("upcloud_managed_database_*", &["properties", "ip_filter"]).unclear(),
];

/// The lists that stand beside a switch which lets everybody in, with all that may come in otherwise.
const SWITCHED: &[Switched] = &[
    Switched::new("azurerm_storage_account", "network_rules"),
    Switched::new("azurerm_storage_account_network_rules", ""),
    Switched::new("azurerm_key_vault", "network_acls"),
    Switched::new(
        "azurerm_cognitive_account|azurerm_ai_services",
        "network_acls",
    ),
    Switched::new("azurerm_container_registry", "network_rule_set"),
    Switched::new("azurerm_eventhub_namespace", "network_rulesets"),
    Switched::new("azurerm_servicebus_namespace", "network_rule_set"),
    Switched::new("azurerm_iothub", "network_rule_set"),
];

/// A block with a switch and lists.
#[derive(Clone, Copy, Debug)]
struct Switched {
    types: &'static str,
    /// The block; empty if the object itself has the members.
    block: &'static str,
}

impl Switched {
    /// A block of types.
    const fn new(types: &'static str, block: &'static str) -> Self {
        Self { types, block }
    }
}

/// The switch of such a block: `Allow` lets everybody in.
const DEFAULT_ACTION: &str = "default_action";

/// The members of such a block with those who may come in.
const ADMITTED: [&str; 10] = [
    "ip_rules",
    "ip_rule",
    "ip_mask",
    "virtual_network_subnet_ids",
    "virtual_network_rules",
    "virtual_network_rule",
    "virtual_network",
    "network_rules",
    "bypass",
    "private_link_access",
];

/// The members of firewall rules with the first and the last address.
const SPANS: [(&str, &str); 2] = [
    ("start_ip_address", "end_ip_address"),
    ("start_ip", "end_ip"),
];

/// Judges the lists of an object; `None` if its type has none that is known here.
pub(super) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let mut judgements = Vec::new();
    let mut is_known = false;
    if change.resource_type.ends_with("_firewall_rule")
        && let Some(found) = spans(change)
    {
        return Some(found);
    }
    let lists = LISTS
        .iter()
        .filter(|list| fits(list.types, change.resource_type));
    let mut came = Directions::default();
    for list in lists {
        is_known = true;
        match (change.before.is_null(), change.after.is_null()) {
            (false, false) => judgements.extend(of_list(list, change)),
            (true, _) if list.is_whole => came = came.union(whole(list, change.after)),
            (_, true) if list.is_whole => came = came.union(whole(list, change.before)),
            (true, _) | (_, true) => {}
        }
    }
    if !came.is_empty() {
        let is_created = change.before.is_null();
        judgements.push(Judgement {
            place: Vec::new(),
            directions: if is_created { came } else { came.reverse() },
        });
    }
    let blocks = SWITCHED
        .iter()
        .filter(|block| fits(block.types, change.resource_type));
    for block in blocks {
        is_known = true;
        judgements.extend(of_switched(block, change));
    }
    is_known.then_some(judgements)
}

/// Whether a type is one of those that `|` separates.
fn fits(types: &str, resource_type: &str) -> bool {
    types
        .split('|')
        .any(|types| glob::matches(types, resource_type))
}

/// Returns what comes with an object that is nothing but a list.
fn whole(list: &List, object: MarkedValue<'_>) -> Directions {
    let set = read(list, object, Bound::Most);
    match (list.purpose, set) {
        (_, Some(set)) if set.is_nobody() => Directions::default(),
        (Purpose::Allows, _) => Direction::Wider.into(),
        (Purpose::Refuses, _) => Direction::Narrower.into(),
        (Purpose::Either, _) => Direction::Another.into(),
    }
}

/// Judges a list that changes.
fn of_list<'w>(list: &List, change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let [old, new] = [change.before, change.after].map(|object| {
        let first = list.path.first().copied().unwrap_or_default();
        object.get(first)
    });
    let hash = |value: Option<MarkedValue<'_>>| value.map(MarkedValue::hash_value);
    if hash(old) == hash(new) {
        return Vec::new();
    }
    let before = read(list, change.before, Bound::Most);
    let [least, most] = [Bound::Least, Bound::Most].map(|bound| read(list, change.after, bound));
    let directions = match (list.purpose, before, least.zip(most)) {
        (Purpose::Either, _, _) => Direction::Another.into(),
        (_, None, _) | (_, _, None) => Direction::Another.into(),
        (purpose, Some(before), Some((least, most))) => {
            let directions = compare(&before, &least, &most);
            if purpose == Purpose::Refuses {
                directions.reverse()
            } else {
                directions
            }
        }
    };
    vec![Judgement {
        place: list.path.to_vec(),
        directions,
    }]
}

/// Reads a list of an object; `None` if nobody can tell who may come in.
fn read(list: &List, object: MarkedValue<'_>, bound: Bound) -> Option<Parties> {
    let mut parties = Parties::default();
    let first = list.path.first().copied().unwrap_or_default();
    let has_block = object
        .get(first)
        .is_some_and(|block| !block.is_null() && !block.is_empty());
    collect(object, list.path, bound, &mut parties);
    if !parties.is_nobody() || has_unknown(object, list.path) {
        return Some(parties);
    }
    let missing = if has_block {
        list.empty
    } else {
        list.without_block
    };
    match missing {
        Missing::Everybody => Some(Parties::everybody()),
        Missing::Nobody => Some(parties),
        Missing::Unclear => None,
    }
}

/// Whether a value on the way to a list, or in it, is not known yet.
fn has_unknown(value: MarkedValue<'_>, path: &[&str]) -> bool {
    if is_unknown(value) {
        return true;
    }
    if let Some(items) = value.as_array() {
        return items.iter().any(|item| has_unknown(*item, path));
    }
    path.split_first().is_some_and(|(name, rest)| {
        value
            .get(name)
            .is_some_and(|member| has_unknown(member, rest))
    })
}

/// Adds the texts to which names lead. The depth is that of the path and of lists in it.
fn collect(value: MarkedValue<'_>, path: &[&str], bound: Bound, parties: &mut Parties) {
    if is_unknown(value) {
        parties.is_anything |= bound == Bound::Most;
        return;
    }
    if let Some(items) = value.as_array() {
        let texts = items.iter().filter_map(|item| item.content.scalar_text());
        parties.add_texts(texts, Naming::Apart);
        for item in items
            .iter()
            .filter(|item| item.content.scalar_text().is_none())
        {
            collect(*item, path, bound, parties);
        }
        return;
    }
    if let Some(text) = value.content.scalar_text() {
        // Some providers write the whole list as one text.
        parties.add_texts(text.split(','), Naming::Apart);
        return;
    }
    let Some((name, rest)) = path.split_first() else {
        return;
    };
    for (member, inner) in value.as_object().unwrap_or_default() {
        if glob::matches(name, member) {
            collect(*inner, rest, bound, parties);
        }
    }
}

/// Compares who may come in: before, and after at least and at most.
fn compare(before: &Parties, least: &Parties, most: &Parties) -> Directions {
    let Some(axis) = PartyAxis::new(Naming::Apart, [before, least, most].into_iter(), false) else {
        return Direction::Another.into();
    };
    // Where nobody writes of IPv6, `0.0.0.0/0` is everybody; and who is admitted by name is a part of everybody.
    let sides = [before, least, most];
    let v6 = Ranges::space(V6);
    let has_v6 = sides
        .iter()
        .any(|parties| !parties.addresses.intersection(&v6).is_empty());
    let everybody = Ranges::addresses(0, Ipv4Net::default().into());
    let everybody = if has_v6 {
        everybody.union(&Ranges::addresses(0, Ipv6Net::default().into()))
    } else {
        everybody
    };
    let [before, least, most] = sides.map(|parties| {
        if parties.is_everybody || everybody.is_within(&parties.addresses) {
            Ranges::all()
        } else {
            axis.ranges(parties)
        }
    });
    let mut directions = Directions::default();
    if !least.is_within(&before) {
        directions.insert(Direction::Wider);
    }
    if !before.is_within(&most) {
        directions.insert(Direction::Narrower);
    }
    if least != most {
        directions.insert(Direction::Unknown);
    }
    if directions.is_empty() {
        directions.insert(Direction::Same);
    }
    directions
}

/// Judges a block with a switch and lists.
fn of_switched<'w>(block: &Switched, change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let is_object = block.block.is_empty();
    if !is_object && (change.before.is_null() || change.after.is_null()) {
        return Vec::new();
    }
    let read = |object: MarkedValue<'_>, bound| -> Parties {
        let value = if is_object {
            Some(object).filter(|object| !object.is_null())
        } else {
            object.get(block.block)
        };
        let value = match value.and_then(MarkedValue::as_array) {
            Some(items) => items.first().copied(),
            None => value.filter(|value| !value.is_null()),
        };
        admitted(value, bound)
    };
    let before = read(change.before, Bound::Most);
    let [least, most] = [Bound::Least, Bound::Most].map(|bound| read(change.after, bound));
    let directions = compare(&before, &least, &most);
    if is_object && (change.before.is_null() || change.after.is_null()) {
        return vec![Judgement {
            place: Vec::new(),
            directions,
        }];
    }
    let names = [DEFAULT_ACTION].into_iter().chain(ADMITTED);
    let places = names.map(|name| Judgement {
        place: [block.block, name]
            .into_iter()
            .filter(|name| !name.is_empty())
            .collect(),
        directions,
    });
    places.collect()
}

/// Returns who may come in by a block with a switch and lists; everybody without the block.
fn admitted(block: Option<MarkedValue<'_>>, bound: Bound) -> Parties {
    let Some(block) = block else {
        return Parties::everybody();
    };
    let mut parties = Parties::default();
    let action = block.get(DEFAULT_ACTION);
    match action.map(|action| action.content) {
        Some(Content::Unknown | Content::Redacted) => {
            parties.is_anything |= bound == Bound::Most;
        }
        Some(Content::String(action)) if action.eq_ignore_ascii_case("allow") => {
            return Parties::everybody();
        }
        None
        | Some(
            Content::Null
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_),
        ) => {}
    }
    if is_unknown(block) {
        parties.is_anything |= bound == Bound::Most;
    }
    for name in ADMITTED {
        let Some(value) = block.get(name).filter(|value| !value.is_null()) else {
            continue;
        };
        let mut texts = Parties::default();
        leaves(value, bound, &mut texts);
        // Names of services are apart from addresses; `None` lets no service in.
        texts
            .names
            .retain(|text| !text.eq_ignore_ascii_case("none"));
        parties.add(texts);
    }
    parties
}

/// Adds all texts in a value of a few levels: lists of addresses, or blocks with an address and its answer.
fn leaves(value: MarkedValue<'_>, bound: Bound, parties: &mut Parties) {
    if is_unknown(value) {
        parties.is_anything |= bound == Bound::Most;
    } else if let Some(text) = value.content.scalar_text() {
        parties.add_texts([text], Naming::Apart);
    } else if let Some(items) = value.as_array() {
        let texts = items.iter().filter_map(|item| item.content.scalar_text());
        parties.add_texts(texts, Naming::Apart);
        for item in items
            .iter()
            .filter(|item| item.content.scalar_text().is_none())
        {
            leaves(*item, bound, parties);
        }
    } else {
        // `action` has the one value `Allow`; switches are about what is checked.
        let members = value.as_object().unwrap_or_default().iter();
        for (_, member) in members.filter(|(name, member)| {
            *name != "action" && !matches!(member.content, Content::Bool(_))
        }) {
            leaves(*member, bound, parties);
        }
    }
}

/// Judges a rule with a first and a last address; `None` if the object has no such members.
fn spans<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let object = if change.after.is_null() {
        change.before
    } else {
        change.after
    };
    let (start, end) = SPANS
        .into_iter()
        .find(|(start, _)| object.get(start).is_some())?;
    let read = |object: MarkedValue<'_>, bound| -> Parties {
        let mut parties = Parties::default();
        let text = |name: &str| {
            object
                .get(name)
                .and_then(|value| value.content.scalar_text())
        };
        match (text(start), text(end)) {
            // In Azure's firewalls of databases it means everything that runs in Azure, whoever owns it.
            (Some("0.0.0.0"), Some("0.0.0.0")) => {
                parties.names.insert("Azure".to_owned());
            }
            (Some(first), Some(last)) if first.contains('/') || last.contains('/') => {
                parties.add_texts([first, last], Naming::Apart);
            }
            (Some(first), Some(last)) => {
                let range = format!("{first}-{last}");
                parties.add_texts([&*range], Naming::Apart);
                if (first, last) == ("0.0.0.0", "255.255.255.255") {
                    parties.is_everybody = true;
                }
            }
            (Some(only), None) | (None, Some(only)) => {
                let is_known = [start, end]
                    .iter()
                    .all(|name| object.get(name).is_none_or(|value| !is_unknown(value)));
                if is_known {
                    parties.add_texts([only], Naming::Apart);
                } else {
                    parties.is_anything = bound == Bound::Most;
                }
            }
            (None, None) => parties.is_anything = bound == Bound::Most && !object.is_null(),
        }
        parties
    };
    if change.before.is_null() || change.after.is_null() {
        let is_created = change.before.is_null();
        let direction = if is_created {
            Direction::Wider
        } else {
            Direction::Narrower
        };
        return Some(vec![Judgement::new(&[], direction)]);
    }
    let before = read(change.before, Bound::Most);
    let [least, most] = [Bound::Least, Bound::Most].map(|bound| read(change.after, bound));
    let directions = compare(&before, &least, &most);
    let places = [start, end].map(|name| Judgement {
        place: vec![name],
        directions,
    });
    Some(places.into())
}

/// Parts of the names of lists of those who may come in, whatever the type.
const NAMES: [&str; 14] = [
    "allowed_cidr",
    "allowed_ip",
    "allowed_source",
    "allow_list",
    "allowlist",
    "whitelist",
    "authorized_network",
    "authorized_ip",
    "trusted_ip",
    "permitted_ip",
    "source_ranges",
    "ip_rules",
    "ip_filter",
    "access_cidr",
];

/// Names of sets of security groups, of which each adds what its rules allow.
const GROUPS: [&str; 6] = [
    "vpc_security_group_ids",
    "security_group_ids",
    "security_groups",
    "security_group_names",
    "nsg_ids",
    "network_security_group_ids",
];

/// How many blocks lie around a list that is found by its name: providers seldom nest them deeper, and what is not
/// found keeps the graver answer of its name.
const MAX_BLOCKS: usize = 3;

/// Judges lists by their names, whatever the type: sets of security groups, and lists that on both sides have addresses
/// and nothing else.
pub(super) fn by_name<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let mut judgements = Vec::new();
    let mut blocks = vec![(Vec::new(), change.before, change.after)];
    while let Some((place, before, after)) = blocks.pop() {
        for (name, new) in after.as_object().unwrap_or_default() {
            let Some(old) = before.get(name) else {
                continue;
            };
            if old.hash_value() == new.hash_value() {
                continue;
            }
            let mut place: Vec<&'w str> = place.clone();
            place.push(name);
            let is_list = NAMES.iter().any(|part| name.contains(part));
            if GROUPS.contains(name)
                && let Some(directions) = of_groups(old, *new)
            {
                judgements.push(Judgement { place, directions });
            } else if is_list && let Some((old, new)) = listed(old).zip(listed(*new)) {
                judgements.push(Judgement {
                    place,
                    directions: compare(&old, &new, &new),
                });
            } else if place.len() < MAX_BLOCKS
                && let Some((old, new)) = block(old).zip(block(*new))
            {
                blocks.push((place, old, new));
            }
        }
    }
    judgements
}

/// Compares two sets of security groups. Nobody knows here what another group lets in, or what is in force without a
/// group.
fn of_groups(before: MarkedValue<'_>, after: MarkedValue<'_>) -> Option<Directions> {
    let (before, after) = (before.as_array()?, after.as_array()?);
    if before.is_empty() || after.is_empty() {
        return Some(Direction::Another.into());
    }
    let texts = |items: &[MarkedValue<'_>]| -> BTreeSet<String> {
        let known = items.iter().filter_map(|item| item.content.scalar_text());
        known.map(str::to_owned).collect()
    };
    let has_unknown = after.iter().any(|item| is_unknown(*item));
    let (old, new) = (texts(before), texts(after));
    Some(Directions::from(
        match (new.is_subset(&old), old.is_subset(&new)) {
            (true, true) if has_unknown => Direction::Unknown,
            (true, true) => Direction::Same,
            (false, true) => Direction::Wider,
            (true, false) if !has_unknown => Direction::Narrower,
            (true | false, false) => Direction::Another,
        },
    ))
}

/// Returns an object, or the only block of a list.
fn block(value: MarkedValue<'_>) -> Option<MarkedValue<'_>> {
    let block = match value.as_array() {
        Some([block]) => *block,
        Some(_) => return None,
        None => value,
    };
    block.as_object().is_some().then_some(block)
}

/// Returns the addresses of a list that has nothing else; `None` for other lists and for one without elements.
fn listed(value: MarkedValue<'_>) -> Option<Parties> {
    let mut parties = Parties::default();
    let one = [value];
    let items = value.as_array().unwrap_or(&one);
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| item.as_str().filter(|text| !text.is_empty()))
        .collect();
    parties.add_texts(texts?, Naming::Apart);
    (parties.names.is_empty() && !parties.is_nobody()).then_some(parties)
}
