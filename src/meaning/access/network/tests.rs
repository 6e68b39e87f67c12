//! Rules of firewalls, routes and lists against naive evaluators of small worlds, and cases by hand.
//!
//! `../shared/tools/meaning_truth.py` has evaluators of its own for security groups, network ACLs, rules of Azure and
//! of Google. What it leaves out is here: ICMP, routes, policies for what no rule fits, unknown values, lists.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::{Whole, by_name, handed_over, judge};
use crate::diff::value::{Builder, Content, MarkedValue};
use crate::direction::{Direction, Directions};
use crate::meaning::{Documents, ObjectChange};

/// Replaces the texts `(unknown)` with values that are known only after apply.
fn with_unknown<'a>(build: Builder<'a, 'a>, value: MarkedValue<'a>) -> MarkedValue<'a> {
    match value.content {
        Content::String("(unknown)") => build.known(Content::Unknown),
        Content::Array(items) => {
            let items = items.iter().map(|item| with_unknown(build, *item));
            build.known(Content::Array(build.arena().alloc_slice_fill_iter(items)))
        }
        Content::Object(members) => {
            let members = members
                .iter()
                .map(|(name, member)| (*name, with_unknown(build, *member)));
            build.known(Content::Object(
                build.arena().alloc_slice_fill_iter(members),
            ))
        }
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_) => value,
    }
}

/// Returns everything that is said of the change of an object, whose sides are JSON. The text `(unknown)` stands for
/// what is known only after apply.
fn said_of(resource_type: &str, before: &str, after: &str) -> Option<Directions> {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let change = ObjectChange {
        resource_type,
        before: build.parse(before).unwrap(),
        after: with_unknown(build, build.parse(after).unwrap()),
        documents: &Documents::new(build),
    };
    let judgements = judge(&change)?;
    let all = judgements.iter().map(|judgement| judgement.directions);
    Some(all.fold(Directions::default(), Directions::union))
}

/// Returns the words of everything that is said of a change, without `same` where something else is said.
fn words(resource_type: &str, before: &str, after: &str) -> String {
    let mut directions = said_of(resource_type, before, after).unwrap();
    if directions != Direction::Same.into() {
        directions.remove(Direction::Same);
    }
    let words: Vec<&str> = directions.iter().map(Direction::word).collect();
    words.join(" ")
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn one_in(&mut self, often: usize) -> bool {
        self.below(often) == 0
    }
}

/// The number of random pairs: `TFVIEW_CASES`, or 500.
#[expect(
    clippy::disallowed_methods,
    reason = "a test is told by its environment how much to try"
)]
fn cases() -> u64 {
    let cases = std::env::var("TFVIEW_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(500)
}

/// What the sets of both sides say.
fn expected<T: Ord>(before: &BTreeSet<T>, after: &BTreeSet<T>) -> String {
    let mut words = Vec::new();
    if !after.is_subset(before) {
        words.push("wider");
    }
    if !before.is_subset(after) {
        words.push("narrower");
    }
    if words.is_empty() {
        words.push("same");
    }
    words.join(" ")
}

/// A rule of the evaluators.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    number: usize,
    is_allowed: bool,
    protocol: &'static str,
    /// Ports, or a type and code of ICMP with -1 for all.
    first: i32,
    last: i32,
    network: &'static str,
}

const PORTS: [(i32, i32); 6] = [
    (22, 22),
    (0, 65535),
    (20, 80),
    (81, 443),
    (443, 443),
    (80, 80),
];
const MESSAGES: [(i32, i32); 5] = [(-1, -1), (8, 0), (8, -1), (3, 4), (0, 0)];
const NETWORKS: [(&str, u32, u32); 6] = [
    ("0.0.0.0/0", 0, 0),
    ("10.0.0.0/8", 8, 10 << 24),
    ("10.128.0.0/9", 9, 10 << 24 | 1 << 23),
    ("10.0.0.0/9", 9, 10 << 24),
    ("128.0.0.0/1", 1, 1 << 31),
    ("10.1.2.3/32", 32, 10 << 24 | 0x1_0203),
];
const ADDRESSES: [u32; 5] = [
    10 << 24 | 0x1_0203,
    10 << 24 | 5,
    10 << 24 | 1 << 23 | 5,
    200 << 24 | 1,
    8 << 24 | 1,
];

impl Sample {
    fn random(random: &mut Random, number: usize) -> Self {
        let protocol = random.pick(&["tcp", "tcp", "udp", "icmp", "icmp", "-1"]);
        let (first, last) = match protocol {
            "icmp" => random.pick(&MESSAGES),
            "-1" => (0, 0),
            _ => random.pick(&PORTS),
        };
        Self {
            number,
            is_allowed: !random.one_in(3),
            protocol,
            first,
            last,
            network: random.pick(&NETWORKS).0,
        }
    }

    /// Whether a message fits: its protocol, its port or type and code, and the other side.
    fn fits(&self, (protocol, first, last): (&str, i32, i32), address: u32) -> bool {
        let (_, bits, start) = *NETWORKS
            .iter()
            .find(|(text, ..)| *text == self.network)
            .unwrap();
        let is_in = bits == 0 || (address ^ start) >> (32 - bits) == 0;
        let fits = match (self.protocol, protocol) {
            ("-1", _) => true,
            (own, other) if own != other => false,
            ("icmp", _) => {
                (self.first == -1 || self.first == first)
                    && (self.first == -1 || self.last == -1 || self.last == last)
            }
            _ => self.first <= first && first <= self.last,
        };
        is_in && fits
    }
}

/// Returns a changed copy of a list of rules.
fn changed(rules: &[Sample], random: &mut Random) -> Vec<Sample> {
    let mut rules = rules.to_vec();
    let number = 10 * random.below(9) + 5;
    match random.below(5) {
        0 => rules.push(Sample::random(random, number)),
        1 if rules.len() > 1 => {
            let index = random.below(rules.len());
            rules.remove(index);
        }
        2 => {
            let index = random.below(rules.len());
            rules[index].network = random.pick(&NETWORKS).0;
        }
        3 => {
            let index = random.below(rules.len());
            rules[index].number = number;
        }
        _ => {
            let index = random.below(rules.len());
            rules[index] = Sample::random(random, rules[index].number);
        }
    }
    rules
}

/// Returns what a list allows; the first rule by its number decides, and nothing else is allowed.
fn allowed(rules: &[Sample], is_open: bool) -> BTreeSet<(&'static str, i32, i32, u32)> {
    let mut rules: Vec<&Sample> = rules.iter().collect();
    rules.sort_by_key(|rule| rule.number);
    let mut messages: Vec<(&'static str, i32, i32)> = Vec::new();
    for port in [0, 19, 20, 21, 22, 23, 79, 80, 81, 82, 442, 443, 444, 65_535] {
        messages.extend([("tcp", port, port), ("udp", port, port)]);
    }
    for (kind, code) in [(8, 0), (8, 1), (3, 4), (3, 0), (0, 0), (0, 1)] {
        messages.push(("icmp", kind, code));
    }
    messages.push(("47", 0, 0));
    let mut allowed = BTreeSet::new();
    for message in messages {
        for address in ADDRESSES {
            let first = rules.iter().find(|rule| rule.fits(message, address));
            if first.map_or(is_open, |rule| rule.is_allowed) {
                allowed.insert((message.0, message.1, message.2, address));
            }
        }
    }
    allowed
}

fn network_acl(rules: &[Sample]) -> String {
    let rules = rules.iter().map(|rule| {
        let (from, to, kind, code) = match rule.protocol {
            "icmp" => (0, 0, rule.first, rule.last),
            _ => (rule.first, rule.last, 0, 0),
        };
        format!(
            r#"{{"rule_no": {}, "action": "{}", "protocol": "{}", "from_port": {from}, "to_port": {to}, "icmp_type": {kind},
               "icmp_code": {code}, "cidr_block": "{}", "ipv6_cidr_block": ""}}"#,
            rule.number,
            if rule.is_allowed { "allow" } else { "deny" },
            rule.protocol,
            rule.network
        )
    });
    let rules: Vec<String> = rules.collect();
    format!(
        r#"{{"id": "acl-1", "egress": [], "ingress": [{}]}}"#,
        rules.join(",")
    )
}

fn security_group(rules: &[Sample]) -> String {
    let rules = rules.iter().map(|rule| {
        format!(
            r#"{{"description": "", "protocol": "{}", "from_port": {}, "to_port": {}, "cidr_blocks": ["{}"],
               "ipv6_cidr_blocks": [], "prefix_list_ids": [], "security_groups": [], "self": false}}"#,
            rule.protocol, rule.first, rule.last, rule.network
        )
    });
    let rules: Vec<String> = rules.collect();
    format!(
        r#"{{"id": "sg-1", "egress": [], "ingress": [{}]}}"#,
        rules.join(",")
    )
}

/// Rules without ICMP, in the order in which they decide.
fn linode(rules: &[Sample], is_open: bool) -> String {
    let mut rules: Vec<&Sample> = rules.iter().collect();
    rules.sort_by_key(|rule| rule.number);
    let rules = rules.iter().map(|rule| {
        format!(
            r#"{{"label": "a{}", "action": "{}", "protocol": "{}", "ports": {}, "ipv4": ["{}"], "ipv6": null}}"#,
            rule.number,
            if rule.is_allowed { "ACCEPT" } else { "DROP" },
            rule.protocol.to_uppercase(),
            match rule.protocol {
                "tcp" | "udp" => format!("\"{}-{}\"", rule.first, rule.last),
                _ => "null".to_owned(),
            },
            rule.network
        )
    });
    let rules: Vec<String> = rules.collect();
    format!(
        r#"{{"inbound_policy": "{}", "outbound_policy": "ACCEPT", "outbound": [], "inbound": [{}]}}"#,
        if is_open { "ACCEPT" } else { "DROP" },
        rules.join(",")
    )
}

#[test]
fn ordered_and_added_rules_have_the_directions_that_an_evaluator_finds_with_icmp_too() {
    for seed in 0..cases() {
        let random = &mut Random(seed);
        let count = 1 + random.below(4);
        let before: Vec<Sample> = (0..count)
            .map(|index| Sample::random(random, 10 * index))
            .collect();
        let after = changed(&before, random);
        assert_pair(
            "aws_network_acl",
            seed,
            &network_acl(&before),
            &network_acl(&after),
            &expected(&allowed(&before, false), &allowed(&after, false)),
        );
        let adds = |rules: &[Sample]| -> Vec<Sample> {
            let mut rules = rules.to_vec();
            rules.iter_mut().for_each(|rule| rule.is_allowed = true);
            rules
        };
        let (old, new) = (adds(&before), adds(&after));
        assert_pair(
            "aws_security_group",
            seed,
            &security_group(&old),
            &security_group(&new),
            &expected(&allowed(&old, false), &allowed(&new, false)),
        );
        let plain = |rules: &[Sample]| -> Vec<Sample> {
            let mut rules = rules.to_vec();
            rules.retain(|rule| matches!(rule.protocol, "tcp" | "udp"));
            rules
        };
        let (old, new) = (plain(&before), plain(&after));
        let is_open = [random.one_in(2), random.one_in(2)];
        assert_pair(
            "linode_firewall",
            seed,
            &linode(&old, is_open[0]),
            &linode(&new, is_open[1]),
            &{
                let [mut old, mut new] = [(&old, is_open[0]), (&new, is_open[1])]
                    .map(|(rules, is_open)| allowed(rules, is_open));
                // Addresses of IPv6, which no rule here is for.
                if is_open[0] {
                    old.insert(("v6", 0, 0, 0));
                }
                if is_open[1] {
                    new.insert(("v6", 0, 0, 0));
                }
                expected(&old, &new)
            },
        );
    }
}

/// Compares what is said of a pair with what the evaluator says.
#[track_caller]
fn assert_pair(resource_type: &str, seed: u64, before: &str, after: &str, expected: &str) {
    let said = if before == after {
        "same".to_owned()
    } else {
        words(resource_type, before, after)
    };
    let said = if said.is_empty() {
        "same".to_owned()
    } else {
        said
    };
    assert_eq!(
        said, expected,
        "{resource_type}, seed {seed}\n{before}\n{after}"
    );
}

/// A route of the evaluator: a network and a target.
type Route = (&'static str, &'static str);

/// Returns the target of an address: that of the longest prefix.
fn target_of(routes: &[Route], address: u32) -> Option<&'static str> {
    let fitting = routes.iter().filter_map(|(network, target)| {
        let (_, bits, start) = NETWORKS.iter().find(|(text, ..)| text == network)?;
        let is_in = *bits == 0 || (address ^ start) >> (32 - bits) == 0;
        is_in.then_some((*bits, *target))
    });
    fitting
        .max_by_key(|(bits, _)| *bits)
        .map(|(_, target)| target)
}

#[test]
fn tables_of_routes_have_the_directions_that_an_evaluator_finds() {
    for seed in 0..cases() {
        let random = &mut Random(seed);
        let table = |random: &mut Random| -> Vec<Route> {
            let networks = NETWORKS.iter().filter(|_| random.one_in(2));
            let networks: Vec<&str> = networks.map(|(network, ..)| *network).collect();
            let targets = ["igw-1", "nat-1", "nat-2"];
            networks
                .into_iter()
                .map(|network| (network, random.pick(&targets)))
                .collect()
        };
        let before = table(random);
        let mut after = table(random);
        if random.one_in(2) && !before.is_empty() {
            after.clone_from(&before);
            let index = random.below(after.len());
            after[index].1 = random.pick(&["igw-1", "nat-1", "nat-2"]);
        }
        let json = |routes: &[Route]| {
            let mut text = String::from(r#"{"id": "rtb-1", "route": ["#);
            for (index, (network, target)) in routes.iter().enumerate() {
                let name = if target.starts_with("igw") {
                    "gateway_id"
                } else {
                    "nat_gateway_id"
                };
                let comma = if index == 0 { "" } else { "," };
                write!(text, r#"{comma}{{"cidr_block": "{network}", "{name}": "{target}", "ipv6_cidr_block": ""}}"#)
                    .unwrap();
            }
            text + "]}"
        };
        let mut expected = Directions::default();
        for address in ADDRESSES {
            expected.insert(
                match (target_of(&before, address), target_of(&after, address)) {
                    (old, new) if old == new => Direction::Same,
                    (None, Some(_)) | (Some(_), Some("igw-1")) => Direction::Wider,
                    (Some(_), None) | (Some("igw-1"), Some(_)) => Direction::Narrower,
                    _ => Direction::Another,
                },
            );
        }
        if expected != Direction::Same.into() {
            expected.remove(Direction::Same);
        }
        let said = said_of("aws_route_table", &json(&before), &json(&after)).unwrap();
        assert_eq!(said, expected, "seed {seed}: {before:?} -> {after:?}");
    }
}

/// Each change with what it is, and the change turned round with the reverse.
#[test]
fn lists_of_addresses_are_compared_by_what_they_let_in_and_turned_round_they_are_the_reverse() {
    for (resource_type, before, after, expected) in [
        (
            "aws_eks_cluster",
            r#"{"vpc_config": [{"public_access_cidrs": ["203.0.113.0/24"]}]}"#,
            r#"{"vpc_config": [{"public_access_cidrs": []}]}"#,
            "wider",
        ),
        (
            "aws_eks_cluster",
            r#"{"vpc_config": [{"public_access_cidrs": ["0.0.0.0/0"]}]}"#,
            r#"{"vpc_config": [{"public_access_cidrs": []}]}"#,
            "same",
        ),
        (
            "google_container_cluster",
            r#"{"master_authorized_networks_config": [{"cidr_blocks": []}]}"#,
            r#"{"master_authorized_networks_config": []}"#,
            "wider",
        ),
        (
            "google_sql_database_instance",
            r#"{"settings": [{"ip_configuration": [{"authorized_networks": [{"name": "a", "value": "10.0.0.0/8"}]}]}]}"#,
            r#"{"settings": [{"ip_configuration": [{"authorized_networks": []}]}]}"#,
            "narrower",
        ),
        (
            "azurerm_storage_account",
            r#"{"network_rules": [{"default_action": "Deny", "ip_rules": ["203.0.113.7"], "bypass": ["None"]}]}"#,
            r#"{"network_rules": [{"default_action": "Allow", "ip_rules": ["203.0.113.7"], "bypass": ["None"]}]}"#,
            "wider",
        ),
        (
            "azurerm_storage_account",
            r#"{"network_rules": [{"default_action": "Deny", "ip_rules": ["203.0.113.7"], "bypass": ["None"]}]}"#,
            r#"{"network_rules": []}"#,
            "wider",
        ),
        (
            "azurerm_storage_account",
            r#"{"network_rules": [{"default_action": "Allow", "ip_rules": ["203.0.113.7"]}]}"#,
            r#"{"network_rules": [{"default_action": "Allow", "ip_rules": []}]}"#,
            "same",
        ),
        (
            "azurerm_key_vault",
            r#"{"network_acls": [{"default_action": "Deny", "bypass": "None", "ip_rules": [], "virtual_network_subnet_ids": []}]}"#,
            r#"{"network_acls": [{"default_action": "Deny", "bypass": "AzureServices", "ip_rules": [], "virtual_network_subnet_ids": []}]}"#,
            "wider",
        ),
        (
            "azurerm_mssql_firewall_rule",
            r#"{"start_ip_address": "203.0.113.7", "end_ip_address": "203.0.113.7"}"#,
            r#"{"start_ip_address": "203.0.113.0", "end_ip_address": "203.0.113.255"}"#,
            "wider",
        ),
        (
            "azurerm_mssql_firewall_rule",
            r#"{"start_ip_address": "0.0.0.0", "end_ip_address": "0.0.0.0"}"#,
            r#"{"start_ip_address": "0.0.0.0", "end_ip_address": "255.255.255.255"}"#,
            "wider",
        ),
        (
            "azurerm_mssql_firewall_rule",
            r#"{"start_ip_address": "203.0.113.7", "end_ip_address": "203.0.113.7"}"#,
            r#"{"start_ip_address": "203.0.113.8", "end_ip_address": "203.0.113.8"}"#,
            "wider narrower",
        ),
        (
            "snowflake_network_policy",
            r#"{"allowed_ip_list": ["10.0.0.0/8"], "blocked_ip_list": ["10.0.0.1"]}"#,
            r#"{"allowed_ip_list": ["10.0.0.0/8"], "blocked_ip_list": []}"#,
            "wider",
        ),
        (
            "snowflake_network_policy",
            r#"{"allowed_ip_list": ["10.0.0.0/8"]}"#,
            r#"{"allowed_ip_list": []}"#,
            "another",
        ),
        (
            "aws_wafv2_ip_set",
            r#"{"addresses": ["203.0.113.7/32"]}"#,
            r#"{"addresses": ["203.0.113.8/32"]}"#,
            "another",
        ),
        (
            "aws_ec2_managed_prefix_list",
            r#"{"entry": [{"cidr": "10.0.0.0/8", "description": "a"}]}"#,
            r#"{"entry": [{"cidr": "10.0.0.0/9", "description": "a"}]}"#,
            "narrower",
        ),
        (
            "digitalocean_database_firewall",
            r#"{"rule": [{"type": "ip_addr", "value": "203.0.113.7"}]}"#,
            r#"{"rule": []}"#,
            "wider",
        ),
        (
            "mongodbatlas_project_ip_access_list",
            "null",
            r#"{"cidr_block": "203.0.113.0/24"}"#,
            "wider",
        ),
        (
            "azurerm_virtual_network_peering",
            r#"{"allow_forwarded_traffic": false}"#,
            r#"{"allow_forwarded_traffic": true}"#,
            "wider",
        ),
        (
            "aws_vpc_peering_connection",
            "null",
            r#"{"peer_vpc_id": "vpc-1"}"#,
            "wider",
        ),
        (
            "azurerm_subnet_network_security_group_association",
            "null",
            r#"{"subnet_id": "a"}"#,
            "narrower",
        ),
        (
            "aws_route",
            "null",
            r#"{"destination_cidr_block": "10.60.0.0/16", "vpc_peering_connection_id": "pcx-1"}"#,
            "wider",
        ),
        (
            "aws_route",
            r#"{"destination_cidr_block": "0.0.0.0/0", "nat_gateway_id": "nat-1", "gateway_id": ""}"#,
            r#"{"destination_cidr_block": "0.0.0.0/0", "gateway_id": "igw-1", "nat_gateway_id": ""}"#,
            "wider",
        ),
        (
            "azurerm_route",
            r#"{"address_prefix": "0.0.0.0/0", "next_hop_type": "VirtualAppliance", "next_hop_in_ip_address": "10.0.0.4"}"#,
            r#"{"address_prefix": "0.0.0.0/0", "next_hop_type": "Internet", "next_hop_in_ip_address": ""}"#,
            "wider",
        ),
        (
            "azurerm_route",
            r#"{"address_prefix": "0.0.0.0/0", "next_hop_type": "VirtualAppliance", "next_hop_in_ip_address": "10.0.0.4"}"#,
            r#"{"address_prefix": "0.0.0.0/0", "next_hop_type": "VirtualAppliance", "next_hop_in_ip_address": "10.0.0.5"}"#,
            "another",
        ),
    ] {
        let said = said_of(resource_type, before, after).unwrap();
        let plain = |directions: Directions| {
            let mut directions = directions;
            if directions != Direction::Same.into() {
                directions.remove(Direction::Same);
            }
            directions
        };
        let all: Vec<&str> = plain(said).iter().map(Direction::word).collect();
        assert_eq!(
            all.join(" "),
            expected,
            "{resource_type}: {before} -> {after}"
        );
        let back = said_of(resource_type, after, before).unwrap();
        assert_eq!(
            plain(back),
            plain(said).reverse(),
            "{resource_type}: {after} -> {before}"
        );
    }
}

#[test]
fn lists_of_types_that_nobody_knows_are_compared_by_their_names() {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let change = |before, after| {
        let change = ObjectChange {
            resource_type: "acme_service",
            before: build.parse(before).unwrap(),
            after: build.parse(after).unwrap(),
            documents: &Documents::new(build),
        };
        let judgements = by_name(&change);
        let judgements = judgements.iter().map(|judgement| {
            let words: Vec<&str> = judgement.directions.iter().map(Direction::word).collect();
            format!("{} {}", judgement.place.join("."), words.join(" "))
        });
        judgements.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        change(
            r#"{"allowed_cidrs": ["10.0.0.0/8"], "network": [{"ip_allowlist": ["10.0.0.0/9"]}], "cidr": "10.0.0.0/8"}"#,
            r#"{"allowed_cidrs": ["10.1.0.0/16"], "network": [{"ip_allowlist": ["0.0.0.0/0"]}], "cidr": "10.0.0.0/9"}"#
        ),
        "allowed_cidrs narrower, network.ip_allowlist wider"
    );
    assert_eq!(
        change(
            r#"{"ingress": [{"port": 22, "cidrs": ["10.0.0.0/8"]}], "egress": [{"port": 22, "action": "deny", "cidrs": ["10.0.0.0/8"]}],
               "security_groups": ["a", "b"]}"#,
            r#"{"ingress": [{"port": 22, "cidrs": ["10.0.0.0/9"]}], "egress": [{"port": 22, "action": "deny", "cidrs": ["10.0.0.0/9"]}],
               "security_groups": ["a"]}"#
        ),
        "ingress narrower, egress another, security_groups narrower"
    );
    // Nobody knows what an empty list means, or what a name stands for.
    assert_eq!(
        change(
            r#"{"allowed_cidrs": ["10.0.0.0/8"], "allowed_ips": ["office"]}"#,
            r#"{"allowed_cidrs": [], "allowed_ips": ["10.0.0.1"]}"#
        ),
        ""
    );
}

#[test]
fn rules_of_every_cloud_are_read_by_their_members() {
    for (resource_type, before, after, expected) in [
        (
            "hcloud_firewall",
            r#"{"rule": [{"direction": "in", "protocol": "tcp", "port": "80-85", "source_ips": ["0.0.0.0/0", "::/0"]}]}"#,
            r#"{"rule": [{"direction": "in", "protocol": "tcp", "port": "any", "source_ips": ["0.0.0.0/0", "::/0"]}]}"#,
            "wider",
        ),
        (
            // What goes out passes until a rule is for it.
            "hcloud_firewall",
            r#"{"rule": []}"#,
            r#"{"rule": [{"direction": "out", "protocol": "tcp", "port": "443", "destination_ips": ["0.0.0.0/0"]}]}"#,
            "narrower",
        ),
        (
            "digitalocean_firewall",
            r#"{"inbound_rule": [{"protocol": "tcp", "port_range": "22", "source_addresses": ["10.0.0.0/8"], "source_tags": ["a"]}]}"#,
            r#"{"inbound_rule": [{"protocol": "tcp", "port_range": "22", "source_addresses": ["10.0.0.0/8"], "source_tags": ["a", "b"]}]}"#,
            "wider",
        ),
        (
            "oci_core_security_list",
            r#"{"ingress_security_rules": [{"protocol": "6", "source": "10.0.0.0/8", "tcp_options": [{"min": 80, "max": 90, "source_port_range": []}], "icmp_options": [], "udp_options": []}]}"#,
            r#"{"ingress_security_rules": [{"protocol": "6", "source": "10.0.0.0/8", "tcp_options": [{"min": 80, "max": 80, "source_port_range": []}], "icmp_options": [], "udp_options": []}]}"#,
            "narrower",
        ),
        (
            "oci_core_security_list",
            r#"{"ingress_security_rules": [{"protocol": "1", "source": "10.0.0.0/8", "icmp_options": [{"type": 3, "code": 4}]}]}"#,
            r#"{"ingress_security_rules": [{"protocol": "1", "source": "10.0.0.0/8", "icmp_options": []}]}"#,
            "wider",
        ),
        (
            "openstack_networking_secgroup_rule_v2",
            r#"{"direction": "ingress", "protocol": "tcp", "port_range_min": 443, "port_range_max": 443, "remote_ip_prefix": "10.0.0.0/8", "remote_group_id": ""}"#,
            r#"{"direction": "ingress", "protocol": "tcp", "port_range_min": 443, "port_range_max": 443, "remote_ip_prefix": "", "remote_group_id": ""}"#,
            "wider",
        ),
        (
            "exoscale_security_group_rule",
            r#"{"type": "INGRESS", "protocol": "TCP", "start_port": 22, "end_port": 22, "cidr": "0.0.0.0/0"}"#,
            r#"{"type": "INGRESS", "protocol": "TCP", "start_port": 22, "end_port": 22, "cidr": "10.0.0.0/8"}"#,
            "narrower",
        ),
        (
            "vultr_firewall_rule",
            r#"{"protocol": "tcp", "subnet": "10.0.0.0", "subnet_size": 8, "port": "22"}"#,
            r#"{"protocol": "tcp", "subnet": "0.0.0.0", "subnet_size": 0, "port": "22"}"#,
            "wider",
        ),
        (
            "ibm_is_security_group_rule",
            r#"{"direction": "inbound", "remote": "10.0.0.0/8", "tcp": [{"port_min": 22, "port_max": 22}]}"#,
            r#"{"direction": "inbound", "remote": "10.0.0.0/8", "tcp": [{"port_min": 22, "port_max": 23}]}"#,
            "wider",
        ),
        (
            "alicloud_security_group_rule",
            r#"{"type": "ingress", "ip_protocol": "tcp", "port_range": "22/22", "policy": "drop", "priority": 1, "cidr_ip": "0.0.0.0/0"}"#,
            r#"{"type": "ingress", "ip_protocol": "tcp", "port_range": "22/22", "policy": "accept", "priority": 1, "cidr_ip": "0.0.0.0/0"}"#,
            "wider",
        ),
        (
            "scaleway_instance_security_group",
            r#"{"inbound_default_policy": "drop", "inbound_rule": [{"action": "accept", "protocol": "TCP", "port": 22, "ip_range": "10.0.0.0/8"}]}"#,
            r#"{"inbound_default_policy": "accept", "inbound_rule": [{"action": "accept", "protocol": "TCP", "port": 22, "ip_range": "10.0.0.0/8"}]}"#,
            "wider",
        ),
        (
            "yandex_vpc_security_group",
            r#"{"ingress": [{"protocol": "TCP", "port": 443, "from_port": -1, "to_port": -1, "v4_cidr_blocks": ["10.0.0.0/8"]}]}"#,
            r#"{"ingress": [{"protocol": "TCP", "port": 443, "from_port": -1, "to_port": -1, "v4_cidr_blocks": ["0.0.0.0/0"]}]}"#,
            "wider",
        ),
        (
            "upcloud_firewall_rules",
            r#"{"firewall_rule": [{"direction": "in", "action": "accept", "protocol": "tcp", "source_address_start": "10.0.0.1", "source_address_end": "10.0.0.9", "destination_port_start": "22", "destination_port_end": "22"}]}"#,
            r#"{"firewall_rule": [{"direction": "in", "action": "accept", "protocol": "tcp", "source_address_start": "10.0.0.1", "source_address_end": "10.0.0.5", "destination_port_start": "22", "destination_port_end": "22"}]}"#,
            "narrower",
        ),
        (
            "azurerm_firewall_network_rule_collection",
            r#"{"action": "Allow", "priority": 100, "rule": [{"name": "a", "protocols": ["TCP"], "source_addresses": ["10.0.0.0/8"], "destination_addresses": ["10.1.0.0/16"], "destination_ports": ["443"]}]}"#,
            r#"{"action": "Allow", "priority": 100, "rule": [{"name": "a", "protocols": ["TCP"], "source_addresses": ["*"], "destination_addresses": ["10.1.0.0/16"], "destination_ports": ["443"]}]}"#,
            "wider",
        ),
        (
            "azurerm_firewall_policy_rule_collection_group",
            r#"{"network_rule_collection": [{"name": "n", "action": "Allow", "priority": 200, "rule": [{"name": "a", "protocols": ["TCP"], "source_addresses": ["*"], "destination_addresses": ["10.1.0.0/16"], "destination_ports": ["443"]}]}]}"#,
            r#"{"network_rule_collection": [{"name": "n", "action": "Allow", "priority": 200, "rule": [{"name": "a", "protocols": ["TCP"], "source_addresses": ["10.0.0.0/8"], "destination_addresses": ["10.1.0.0/16"], "destination_ports": ["443"]}]}]}"#,
            "narrower",
        ),
        (
            "google_compute_network_firewall_policy_rule",
            r#"{"action": "allow", "direction": "INGRESS", "priority": 100, "match": [{"src_ip_ranges": ["10.0.0.0/8"], "layer4_configs": [{"ip_protocol": "tcp", "ports": ["22"]}]}]}"#,
            r#"{"action": "allow", "direction": "INGRESS", "priority": 100, "match": [{"src_ip_ranges": ["10.0.0.0/8"], "layer4_configs": [{"ip_protocol": "tcp", "ports": ["22", "80"]}]}]}"#,
            "wider",
        ),
        (
            "google_compute_network_firewall_policy_rule",
            r#"{"action": "goto_next", "direction": "INGRESS", "priority": 100, "match": [{"src_ip_ranges": ["10.0.0.0/8"], "layer4_configs": [{"ip_protocol": "tcp", "ports": ["22"]}]}]}"#,
            r#"{"action": "allow", "direction": "INGRESS", "priority": 100, "match": [{"src_ip_ranges": ["10.0.0.0/8"], "layer4_configs": [{"ip_protocol": "tcp", "ports": ["22"]}]}]}"#,
            "wider",
        ),
        (
            "databricks_ip_access_list",
            r#"{"label": "a", "list_type": "BLOCK", "ip_addresses": ["10.0.0.0/8"], "enabled": true}"#,
            r#"{"label": "a", "list_type": "BLOCK", "ip_addresses": ["10.0.0.0/9"], "enabled": true}"#,
            "wider",
        ),
        (
            "azurerm_linux_web_app",
            r#"{"site_config": [{"ip_restriction": [{"action": "Allow", "ip_address": "203.0.113.0/24", "priority": 100, "headers": []}]}]}"#,
            r#"{"site_config": [{"ip_restriction": []}]}"#,
            "wider",
        ),
        (
            "azurerm_linux_web_app",
            r#"{"site_config": [{"ip_restriction_default_action": "Deny", "ip_restriction": []}]}"#,
            r#"{"site_config": [{"ip_restriction_default_action": "Deny", "ip_restriction": [{"action": "Allow", "service_tag": "AzureFrontDoor.Backend", "priority": 100}]}]}"#,
            "wider",
        ),
        (
            // Names of ports have no order.
            "openstack_networking_secgroup_rule_v2",
            r#"{"direction": "ingress", "protocol": "tcp", "port": "$WEB", "remote_ip_prefix": "10.0.0.0/8"}"#,
            r#"{"direction": "ingress", "protocol": "tcp", "port": "$DATABASES", "remote_ip_prefix": "10.0.0.0/8"}"#,
            "wider narrower",
        ),
        (
            // The provider knows the group only after apply.
            "aws_security_group_rule",
            "null",
            r#"{"type": "egress", "protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": [], "self": false, "source_security_group_id": "(unknown)"}"#,
            "wider",
        ),
        (
            // A member that nobody reads may be a limit.
            "hcloud_firewall",
            r#"{"rule": [{"direction": "in", "protocol": "tcp", "port": "80", "source_ips": ["0.0.0.0/0"], "only_at": "night"}]}"#,
            r#"{"rule": [{"direction": "in", "protocol": "tcp", "port": "80", "source_ips": ["0.0.0.0/0"]}]}"#,
            "another",
        ),
    ] {
        assert_eq!(
            words(resource_type, before, after),
            expected,
            "{resource_type}: {before} -> {after}"
        );
    }
}

#[test]
fn what_is_known_only_after_apply_is_never_harmless_and_known_parts_still_decide() {
    let before = r#"{"ingress": [{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["10.0.0.0/8"], "security_groups": []}]}"#;
    let said = |after: &str| -> Vec<&str> {
        let said = said_of("aws_security_group", before, after).unwrap();
        said.iter().map(Direction::word).collect()
    };
    let rule = |from: &str, network: &str, groups: &str| {
        format!(
            r#"{{"ingress": [{{"protocol": "tcp", "from_port": {from}, "to_port": 22, "cidr_blocks": ["{network}"], "security_groups": [{groups}]}}]}}"#
        )
    };
    assert_eq!(said(r#"{"ingress": "(unknown)"}"#), ["unknown"]);
    // A source that comes is unknown, and the rest is as it was.
    let group = r#""(unknown)""#;
    assert_eq!(said(&rule("22", "10.0.0.0/8", group)), ["unknown"]);
    assert_eq!(said(&rule("22", "0.0.0.0/0", group)), ["wider"]);
    assert_eq!(said(&rule(group, "10.0.0.0/8", "")), ["unknown"]);
    assert_eq!(said(r#"{"ingress": ["(unknown)"]}"#), ["unknown"]);
    // What the provider fills in anew does not hide what is known.
    let rule = |networks: &str, direction: &str| {
        format!(
            r#"{{"direction": "{direction}", "source_ranges": ["{networks}"], "allow": [{{"protocol": "tcp", "ports": ["22"]}}]}}"#
        )
    };
    let said = said_of(
        "google_compute_firewall",
        &rule("10.0.0.0/8", "INGRESS"),
        &rule("0.0.0.0/0", "(unknown)"),
    );
    assert_eq!(
        said.unwrap(),
        [Direction::Wider, Direction::Unknown].into_iter().collect()
    );
}

#[test]
fn a_rule_that_another_object_of_the_same_group_takes_over_opens_nothing() {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let rule = |network: &str, group: &str, is_created: bool| {
        Whole {
        resource_type: "aws_security_group_rule",
        value: with_unknown(
            build,
            build
                .parse(&*arena.alloc_str(&format!(
                    r#"{{"type": "ingress", "protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["{network}"],
                       "security_group_id": "{group}", "source_security_group_id": "(unknown)"}}"#
                )))
                .unwrap(),
        ),
        is_created,
    }
    };
    let old = rule("0.0.0.0/0", "sg-1", false);
    assert_eq!(
        handed_over(&[old, rule("10.8.0.0/16", "sg-1", true)]),
        [false, true]
    );
    assert_eq!(
        handed_over(&[old, rule("0.0.0.0/0", "sg-1", true)]),
        [true, true]
    );
    assert_eq!(
        handed_over(&[old, rule("10.8.0.0/16", "sg-2", true)]),
        [false, false]
    );
    let halves = [
        rule("0.0.0.0/1", "sg-1", true),
        rule("128.0.0.0/1", "sg-1", true),
    ];
    assert_eq!(
        handed_over(&[old, halves[0], halves[1]]),
        [true, true, true]
    );
}

#[test]
fn four_thousand_rules_and_four_hundred_thousand_networks_are_compared() {
    let group = |count: usize, last: &str| {
        let rules = (0..count).map(|index| {
            format!(
                r#"{{"protocol": "tcp", "from_port": {index}, "to_port": {}, "cidr_blocks": ["10.{}.{}.0/24"{last}]}}"#,
                index + index % 7,
                index / 256 % 256,
                index % 256,
            )
        });
        let rules: Vec<String> = rules.collect();
        format!(r#"{{"ingress": [{}]}}"#, rules.join(","))
    };
    let (before, after) = (group(4_000, ""), group(4_000, r#", "192.168.0.0/24""#));
    assert_eq!(words("aws_security_group", &before, &after), "wider");
    assert_eq!(words("aws_security_group", &after, &before), "narrower");
    let list = |count: u32| {
        let networks =
            (0..count).map(|index| format!("\"{}/32\"", std::net::Ipv4Addr::from(index * 3)));
        let networks: Vec<String> = networks.collect();
        format!(
            r#"{{"ingress": [{{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": [{}]}}]}}"#,
            networks.join(",")
        )
    };
    assert_eq!(
        words("aws_security_group", &list(40_000), &list(39_999)),
        "narrower"
    );
}
