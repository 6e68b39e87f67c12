//! Reads a rule of a firewall, whatever its provider calls the members.
//!
//! What is known only after apply is read twice: as the least and as the most that it may be.
//!
//! ```text
//! from_port = 22, to_port = 22, protocol = "tcp", cidr_blocks = ["10.0.0.0/8"]    in, tcp 22, 10/8, allow
//! direction = "EGRESS", deny { protocol = "all" }, target_tags = ["web"]          out, all, `web`, refuse
//! ```

use std::collections::BTreeSet;

use super::parties::{Naming, Parties};
use super::ranges::Ranges;
use super::sweep::Answer;
use crate::diff::value::{Content, MarkedValue};

/// Whether traffic comes in or goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Way {
    /// To what is protected.
    In,
    /// From what is protected.
    Out,
}

/// The members of a rule, and those of a block around it that hold for each of its rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'w> {
    /// The rule.
    pub(crate) rule: MarkedValue<'w>,
    /// The block around it, or within it, whose members count too.
    pub(crate) beside: Option<MarkedValue<'w>>,
    /// The version before, whose members stand for those that are not known yet.
    pub(crate) instead: Option<MarkedValue<'w>>,
}

impl<'w> Source<'w> {
    /// Returns a member that is not null.
    fn get(self, name: &str) -> Option<MarkedValue<'w>> {
        let beside = || self.beside.and_then(|beside| beside.get(name));
        let own = self.rule.get(name).filter(|value| !value.is_null());
        let own = match (own.filter(|value| is_unknown(*value)), self.instead) {
            (Some(_), Some(instead)) => instead.get(name),
            (_, None) | (None, _) => own,
        };
        own.or_else(beside).filter(|value| !value.is_null())
    }

    /// Adds the block of the rule with this name, whose members count as the rule's.
    pub(crate) fn with(self, block: Option<&str>) -> Self {
        let value = block.and_then(|name| self.rule.get(name));
        let first = value.and_then(|value| value.as_array()?.first().copied());
        Self {
            beside: first.or(self.beside),
            ..self
        }
    }

    /// Whether nothing of it is known yet.
    fn is_unknown(self) -> bool {
        is_unknown(self.rule)
    }
}

impl<'w> From<MarkedValue<'w>> for Source<'w> {
    fn from(rule: MarkedValue<'w>) -> Self {
        Self {
            rule,
            beside: None,
            instead: None,
        }
    }
}

/// Whether a value is not known yet, or was left out.
pub(crate) fn is_unknown(value: MarkedValue<'_>) -> bool {
    value.is_unknown() || value.is_redacted()
}

/// How values that are not known yet are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The rule fits as little as possible.
    Least,
    /// The rule fits as much as possible.
    Most,
}

/// How the rules of a type are read where types differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// What names stand for.
    pub(crate) naming: Naming,
    /// Whether a rule without another side fits everybody; otherwise it fits nobody.
    pub(crate) is_open: bool,
    /// Whether members that nobody reads limit the rule. In a block they do; beside a rule that is an object of its own
    /// stand many that do not.
    pub(crate) has_limits: bool,
    /// Whether a protocol and port is written for every protocol if the protocol is: on AWS ports do not count then.
    pub(crate) ignores_ports: bool,
}

/// A rule, before names are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The directions, protocols and ports. The space is the direction.
    pub(crate) traffic: Ranges,
    /// The ports of the source.
    pub(crate) source_ports: Ranges,
    /// Who is protected, or sends.
    pub(crate) targets: Parties,
    /// The other side.
    pub(crate) peers: Parties,
    /// What else must hold.
    pub(crate) limits: BTreeSet<String>,
    /// What it answers; `None` if that is not known yet.
    pub(crate) answer: Option<Answer>,
    /// The number by which it is ordered; `None` if it has none.
    pub(crate) number: Option<i64>,
    /// Whether the number is not known yet.
    pub(crate) is_number_unknown: bool,
    /// Whether a part is not known yet, so that the bounds differ.
    pub(crate) has_unknown: bool,
}

impl Reading {
    /// Whether no traffic fits.
    pub(crate) fn is_nothing(&self) -> bool {
        self.traffic.is_empty()
            || self.source_ports.is_empty()
            || self.targets.is_nobody()
            || self.peers.is_nobody()
    }
}

/// What a member of a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The number that orders rules.
    Number,
    /// Allow or deny.
    Answer,
    /// In or out.
    Way,
    /// Protocols and ports.
    Traffic,
    /// The ports of the source.
    SourcePorts,
    /// The other side, whatever the direction.
    Peer,
    /// The other side of incoming traffic; of outgoing traffic, who sends.
    Source,
    /// The other side of outgoing traffic; of incoming traffic, who is protected.
    Destination,
    /// Who is protected, or sends, whatever the direction.
    Target,
    /// That the rule is off, or on.
    Switch,
    /// What people read, and identifiers that the provider gives.
    Words,
}

/// The members of rules of all providers.
const MEMBERS: &[(Role, &[&str])] = &[
    (
        Role::Number,
        &["priority", "rule_no", "rule_number", "position"],
    ),
    (
        Role::Answer,
        &[
            "action",
            "rule_action",
            "access",
            "policy",
            "list_type",
            "allow",
            "deny",
        ],
    ),
    (Role::Way, &["type", "direction", "egress"]),
    (
        Role::Traffic,
        &[
            "protocol",
            "ip_protocol",
            "protocols",
            "from_port",
            "to_port",
            "icmp_type",
            "icmp_code",
            "port",
            "ports",
            "port_range",
            "port_range_min",
            "port_range_max",
            "port_range_start",
            "port_range_end",
            "start_port",
            "end_port",
            "port_min",
            "port_max",
            "destination_port",
            "destination_port_range",
            "destination_port_ranges",
            "destination_ports",
            "destination_port_start",
            "destination_port_end",
            "dport",
            "tcp",
            "udp",
            "icmp",
            "tcp_options",
            "udp_options",
            "icmp_options",
            "layer4_configs",
            "layer4_config",
        ],
    ),
    (
        Role::SourcePorts,
        &[
            "source_port",
            "source_port_range",
            "source_port_ranges",
            "source_ports",
            "source_port_start",
            "source_port_end",
            "sport",
        ],
    ),
    (
        Role::Peer,
        &[
            "cidr_block",
            "cidr_blocks",
            "cidr_ipv4",
            "cidr_ipv6",
            "cidr",
            "cidrs",
            "ipv6_cidr_block",
            "ipv6_cidr_blocks",
            "ipv6_cidrs",
            "cidr_ip",
            "ipv6_cidr_ip",
            "cidr_list_aliases",
            "v4_cidr_blocks",
            "v6_cidr_blocks",
            "ipv4",
            "ipv6",
            "ip",
            "ip_range",
            "ip_ranges",
            "ip_address",
            "ip_addresses",
            "remote",
            "remote_ip_prefix",
            "remote_group_id",
            "remote_address_group_id",
            "prefix_list_id",
            "prefix_list_ids",
            "security_groups",
            "security_group_name",
            "source_security_group_id",
            "source_security_group_name",
            "source_prefix_list_id",
            "referenced_security_group_id",
            "user_security_group_id",
            "public_security_group",
            "from_group_id",
            "self",
            "subnet",
            "subnet_size",
            "predefined_target",
            "service_tag",
            "virtual_network_subnet_id",
        ],
    ),
    (
        Role::Source,
        &[
            "source",
            "sources",
            "source_ips",
            "source_ip",
            "source_ip_address",
            "source_range",
            "source_ranges",
            "source_tags",
            "source_service_accounts",
            "source_addresses",
            "source_address_prefix",
            "source_address_prefixes",
            "source_address_start",
            "source_address_end",
            "source_application_security_group_ids",
            "source_cidr_ip",
            "source_cidr",
            "source_ip_groups",
            "source_droplet_ids",
            "source_load_balancer_uids",
            "source_kubernetes_ids",
            "src_ip_ranges",
            "src_fqdns",
            "src_region_codes",
            "src_address_groups",
            "src_secure_tags",
            "src_threat_intelligences",
        ],
    ),
    (
        Role::Destination,
        &[
            "dest",
            "destination",
            "destinations",
            "destination_ips",
            "destination_ip",
            "destination_ip_address",
            "destination_ranges",
            "destination_tags",
            "destination_addresses",
            "destination_address",
            "destination_address_prefix",
            "destination_address_prefixes",
            "destination_address_start",
            "destination_address_end",
            "destination_application_security_group_ids",
            "destination_cidr_ip",
            "destination_cidr",
            "destination_ip_groups",
            "destination_fqdns",
            "destination_droplet_ids",
            "destination_load_balancer_uids",
            "destination_kubernetes_ids",
            "dest_ip_ranges",
            "dest_fqdns",
            "dest_region_codes",
            "dest_address_groups",
            "dest_threat_intelligences",
        ],
    ),
    (
        Role::Target,
        &[
            "target_tags",
            "target_service_accounts",
            "target_secure_tags",
            "target_resources",
        ],
    ),
    (Role::Switch, &["disabled", "enabled", "preview"]),
    (
        Role::Words,
        &[
            "description",
            "comment",
            "label",
            "labels",
            "name",
            "notes",
            "remarks",
            "id",
            "rule_id",
            "rule_name",
            "security_group_rule_id",
            "source_type",
            "destination_type",
            "ethertype",
            "ip_type",
            "ip_version",
            "family",
            "owner_id",
            "security_group_owner_id",
            "source_security_group_owner_id",
        ],
    ),
];

/// Returns the role of a member; `None` for members that nobody reads.
fn role(name: &str) -> Option<Role> {
    let mut roles = MEMBERS.iter();
    roles
        .find(|(_, names)| names.contains(&name))
        .map(|(role, _)| *role)
}

/// Whether a member decides what a rule lets through.
pub(crate) fn decides(name: &str) -> bool {
    role(name).is_some_and(|role| role != Role::Words)
}

/// Whether a member names the other side of traffic.
pub(crate) fn is_peer(name: &str) -> bool {
    role(name).is_some_and(|role| matches!(role, Role::Peer | Role::Source | Role::Destination))
}

/// The texts of a member.
#[derive(Clone, Debug, Default)]
struct Texts<'w> {
    all: Vec<&'w str>,
    /// Whether one is not known yet.
    has_unknown: bool,
}

impl<'w> Texts<'w> {
    /// Reads a string, number or switch, a list of them, or a list of blocks with a name each.
    fn read(&mut self, value: MarkedValue<'w>) {
        let one = [value];
        for item in value.as_array().unwrap_or(&one) {
            match item.content {
                Content::Unknown | Content::Redacted => self.has_unknown = true,
                Content::Object(_) => {
                    let name = ["name", "id", "value"]
                        .iter()
                        .find_map(|name| item.get(name).filter(|value| !value.is_null()));
                    match name.map(|name| name.content) {
                        Some(Content::Unknown | Content::Redacted) => self.has_unknown = true,
                        Some(content) => self.all.extend(content.scalar_text()),
                        None => {}
                    }
                }
                Content::Null | Content::Array(_) => {}
                Content::Bool(_) | Content::Number(_) | Content::String(_) => {
                    self.all.extend(item.content.scalar_text());
                }
            }
        }
    }

    /// Reads members of a rule, as far as it has them.
    fn of(rule: Source<'w>, names: &[&str]) -> Self {
        let mut texts = Self::default();
        for name in names {
            if let Some(value) = rule.get(name) {
                texts.read(value);
            }
        }
        texts.all.retain(|text| !text.is_empty());
        texts
    }

    /// Returns the first text.
    fn first(&self) -> Option<&'w str> {
        self.all.first().copied()
    }
}

/// Reads a rule. `way` is its direction, if its place or type says it.
pub(crate) fn rule(value: Source<'_>, way: Option<Way>, dialect: Dialect, bound: Bound) -> Reading {
    let mut has_unknown = value.is_unknown();
    let ways = match way {
        Some(way) => Some(vec![way]),
        None => ways(value, &mut has_unknown),
    };
    // Unknown directions are both or none.
    let ways = ways.unwrap_or_else(|| match bound {
        Bound::Least => Vec::new(),
        Bound::Most => vec![Way::In, Way::Out],
    });
    let mut traffic = traffic(value, dialect, bound, &mut has_unknown);
    if is_off(value, bound, &mut has_unknown) {
        traffic = Ranges::default();
    }
    let mut sets = Ranges::default();
    sets.extend(ways.iter().map(|way| {
        let space = *way as u32;
        let shift = traffic.iter().map(|(start, end)| {
            let moved = |number| super::ranges::Point { space, number };
            (moved(start.number), moved(end.number))
        });
        shift.collect()
    }));
    let is_out = ways == [Way::Out];
    let mut ends = Ends {
        dialect,
        bound,
        has_unknown: false,
    };
    let mut peers = ends.read(value, Role::Peer);
    let (near, far) = if is_out {
        (Role::Source, Role::Destination)
    } else {
        (Role::Destination, Role::Source)
    };
    peers.add_end(ends.read(value, far));
    if value.is_unknown() {
        peers.is_present = true;
        peers.parties.is_anything = bound == Bound::Most;
    }
    // `remote = ""` and no source are the same.
    if !peers.is_present && dialect.is_open {
        peers.parties = Parties::everybody();
    }
    let mut targets = ends.read(value, Role::Target);
    targets.add_end(ends.read(value, near));
    if !targets.is_present {
        targets.parties = Parties::everybody();
    }
    has_unknown |= ends.has_unknown;
    let (number, is_number_unknown) = number(value);
    let answer = answer(value);
    Reading {
        traffic: sets,
        source_ports: source_ports(value, bound, &mut has_unknown),
        targets: targets.parties,
        peers: peers.parties,
        limits: limits(value, dialect),
        answer,
        number,
        is_number_unknown,
        has_unknown: has_unknown || is_number_unknown || answer.is_none(),
    }
}

/// What a rule, or a collection of rules, says of its answer and its place among others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// What it answers; `None` if that is not known yet.
    pub(crate) answer: Option<Answer>,
    /// The number by which it is ordered; `None` if it has none.
    pub(crate) number: Option<i64>,
    /// Whether the number is not known yet.
    pub(crate) is_number_unknown: bool,
}

/// Reads what a rule says of its answer and its place among others.
pub(crate) fn head(value: Source<'_>) -> Head {
    let (number, is_number_unknown) = number(value);
    Head {
        answer: answer(value),
        number,
        is_number_unknown,
    }
}

/// Returns all traffic of a direction.
pub(crate) fn all_of(way: Way) -> Ranges {
    let space = way as u32;
    Ranges::span(space, 0, u128::from(LAST_PROTOCOL) << 16)
}

/// Reads the directions; `None` if they are not known yet. A rule that says none is for traffic that comes in.
fn ways(value: Source<'_>, has_unknown: &mut bool) -> Option<Vec<Way>> {
    for name in ["direction", "type", "egress"] {
        let texts = Texts::of(value, &[name]);
        if texts.has_unknown {
            *has_unknown = true;
            return None;
        }
        let Some(text) = texts.first() else { continue };
        return Some(match &*text.to_ascii_lowercase() {
            "in" | "ingress" | "inbound" | "false" => vec![Way::In],
            "out" | "egress" | "outbound" | "true" => vec![Way::Out],
            "all" | "both" => vec![Way::In, Way::Out],
            _ => continue,
        });
    }
    Some(vec![Way::In])
}

/// Whether the rule is switched off.
fn is_off(value: Source<'_>, bound: Bound, has_unknown: &mut bool) -> bool {
    for (name, off) in [
        ("disabled", "true"),
        ("enabled", "false"),
        ("preview", "true"),
    ] {
        let texts = Texts::of(value, &[name]);
        if texts.has_unknown {
            *has_unknown = true;
            return bound == Bound::Least;
        }
        if texts.first() == Some(off) {
            return true;
        }
    }
    false
}

/// Reads the number that orders the rule, and whether it is not known yet.
fn number(value: Source<'_>) -> (Option<i64>, bool) {
    let texts = Texts::of(value, &["priority", "rule_no", "rule_number", "position"]);
    let number = texts.first().and_then(|text| text.parse().ok());
    (number, texts.has_unknown)
}

/// Reads what the rule answers; `None` if it is not known yet. A rule that does not say it allows.
fn answer(value: Source<'_>) -> Option<Answer> {
    let is_block = |name: &str| {
        let block = value.get(name);
        block.is_some_and(|block| block.as_array().is_some_and(|items| !items.is_empty()))
    };
    let blocks = ["allow", "deny"].iter().filter_map(|name| value.get(name));
    if value.is_unknown() || blocks.into_iter().any(is_unknown) {
        return None;
    }
    if is_block("allow") {
        return Some(Answer::Allow);
    }
    if is_block("deny") {
        return Some(Answer::Refuse);
    }
    let names = ["action", "rule_action", "access", "policy", "list_type"];
    let texts = Texts::of(value, &names);
    if texts.has_unknown {
        return None;
    }
    let Some(text) = texts.first() else {
        return Some(Answer::Allow);
    };
    answer_of(text)
}

/// Returns the answer that a word means; what is neither allowed nor refused goes on to others, or is inspected.
pub(crate) fn answer_of(text: &str) -> Option<Answer> {
    let text = text.to_ascii_lowercase();
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    Some(if starts(&["allow", "accept", "permit", "pass", "dnat"]) {
        Answer::Allow
    } else if starts(&["deny", "drop", "block", "reject", "refuse"]) {
        Answer::Refuse
    } else {
        Answer::Pass
    })
}

/// One end of the traffic.
#[derive(Default)]
struct End {
    parties: Parties,
    /// Whether the rule says something about it.
    is_present: bool,
}

impl End {
    /// Adds what other members say about the same end.
    fn add_end(&mut self, other: Self) {
        self.parties.add(other.parties);
        self.is_present |= other.is_present;
    }
}

/// Reads the ends of a rule.
struct Ends {
    dialect: Dialect,
    bound: Bound,
    has_unknown: bool,
}

impl Ends {
    /// Reads the members with a role.
    fn read(&mut self, value: Source<'_>, role: Role) -> End {
        let mut end = End::default();
        let names = MEMBERS.iter().filter(|(other, _)| *other == role);
        for name in names.flat_map(|(_, names)| *names) {
            let Some(member) = value.get(name) else {
                continue;
            };
            let mut texts = Texts::default();
            texts.read(member);
            texts.all.retain(|text| !text.is_empty());
            end.is_present |= !texts.all.is_empty() && texts.all != ["false"];
            // The provider fills it in where it is not configured, and it cannot be beside these.
            let is_filled_in = *name == "source_security_group_id"
                && ["cidr_blocks", "ipv6_cidr_blocks", "self"]
                    .iter()
                    .filter_map(|name| value.get(name))
                    .any(|value| {
                        let is_off = matches!(value.content, Content::Bool(false));
                        !value.is_empty() && !is_off && !is_unknown(value)
                    });
            if texts.has_unknown && !is_filled_in {
                self.has_unknown = true;
                end.is_present = true;
                end.parties.is_anything |= self.bound == Bound::Most;
            }
            self.add(&mut end.parties, name, &texts.all, value);
        }
        end
    }

    /// Adds the texts of a member to the parties.
    fn add(&self, parties: &mut Parties, name: &str, texts: &[&str], rule: Source<'_>) {
        let naming = self.dialect.naming;
        let other = |name: &str| Texts::of(rule, &[name]).first();
        match name {
            "self" => {
                if texts.first() == Some(&"true") {
                    parties.names.insert("self".to_owned());
                }
            }
            // These are parts of another member.
            "subnet_size" | "source_address_end" | "destination_address_end" => {}
            "source_address_start" | "destination_address_start" => {
                let end = name.replace("_start", "_end");
                let ranges = texts.iter().map(|first| match other(&end) {
                    Some(last) if last != *first => format!("{first}-{last}"),
                    Some(_) | None => (*first).to_owned(),
                });
                let ranges: Vec<String> = ranges.collect();
                parties.add_texts(ranges.iter().map(String::as_str), naming);
            }
            "subnet" => {
                let networks = texts.iter().map(|address| match other("subnet_size") {
                    Some(size) => format!("{address}/{size}"),
                    None => (*address).to_owned(),
                });
                let networks: Vec<String> = networks.collect();
                parties.add_texts(networks.iter().map(String::as_str), naming);
            }
            _ => parties.add_texts(texts.iter().copied(), naming),
        }
    }
}

/// Returns the limits: members of a block that nobody reads, with their values, and names of ports. Switches that are
/// off limit nothing.
fn limits(value: Source<'_>, dialect: Dialect) -> BTreeSet<String> {
    let mut limits = BTreeSet::new();
    // A name of ports stands for some of them: `$HTTP_PORTS`.
    for name in PORTS {
        let texts = Texts::of(value, &[name]);
        let names = texts.all.iter().flat_map(|text| text.split(','));
        limits.extend(
            names
                .filter(|text| port_range(text).is_none())
                .map(|text| format!("{name} {}", text.trim())),
        );
    }
    if !dialect.has_limits {
        return limits;
    }
    let members = value.rule.as_object().unwrap_or_default().iter();
    let unread = members.filter(|(name, member)| {
        let is_off = matches!(member.content, Content::Bool(false));
        role(name).is_none() && !member.is_null() && !member.is_empty() && !is_off
    });
    limits.extend(unread.map(|(name, member)| format!("{name} {}", member.hash_value())));
    limits
}

/// Parses a port or a range of ports; `None` for names.
fn port_range(text: &str) -> Option<(u128, u128)> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<u128>().ok();
    if let Some(port) = number(text) {
        return Some((port, port));
    }
    let words = ["", "*", "any", "all", "-1", "-1/-1", "none"];
    if words.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some((0, LAST_PORT));
    }
    let (from, to) = text.split_once(['-', '/', ':'])?;
    number(from).zip(number(to))
}

/// The largest port.
const LAST_PORT: u128 = 65_535;
/// The number of ICMP, whose types and codes are read.
const ICMP: u32 = 1;
/// The number of TCP, whose ports are read.
const TCP: u32 = 6;
/// The number of UDP, whose ports are read.
const UDP: u32 = 17;
/// The number of ICMP for IPv6, whose types and codes are read.
const ICMP_V6: u32 = 58;
/// The number of SCTP, whose ports are read.
const SCTP: u32 = 132;
/// The last number that a protocol has here: names beyond the 256 numbers get one behind them.
const LAST_PROTOCOL: u32 = 1 << 24;

/// A set of protocols.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Protocols {
    /// Every protocol.
    All,
    /// The protocols with these numbers.
    Numbers(Vec<u32>),
}

impl Protocols {
    /// Reads a name or number, or several names (`TCP_UDP`).
    fn parse(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        if matches!(&*text, "-1" | "all" | "*" | "any" | "ip" | "") {
            return Self::All;
        }
        let parts = text.split(['_', '/', ',', '+']);
        let is_list = parts
            .clone()
            .all(|part| matches!(part, "tcp" | "udp" | "icmp"));
        if is_list {
            return Self::Numbers(parts.map(protocol_number).collect());
        }
        Self::Numbers(vec![protocol_number(&text)])
    }
}

/// Returns the number of a protocol by its name in lower case, as IANA assigns it. A name that is not listed gets a
/// number behind those of IANA, made of its letters.
fn protocol_number(name: &str) -> u32 {
    if let Ok(number) = name.parse::<u8>() {
        return number.into();
    }
    match name {
        "icmp" | "icmpv4" => ICMP,
        "igmp" => 2,
        "ipip" | "ipencap" => 4,
        "tcp" => TCP,
        "egp" => 8,
        "udp" => UDP,
        "gre" => 47,
        "esp" => 50,
        "ah" => 51,
        "icmpv6" | "icmp6" | "ipv6-icmp" | "icmp_v6" | "ipv6_icmp" => ICMP_V6,
        "ospf" => 89,
        "pim" => 103,
        "vrrp" => 112,
        "sctp" => SCTP,
        "udplite" => 136,
        other => {
            let hash = other.bytes().fold(17_u32, |hash, byte| {
                hash.wrapping_mul(31).wrapping_add(byte.into())
            });
            256 + hash % (LAST_PROTOCOL - 256)
        }
    }
}

/// Returns the points of ports of a protocol, on the axis of traffic without a direction.
fn points(protocol: u32, first: u128, last: u128) -> Ranges {
    let base = u128::from(protocol) << 16;
    if first > last || first > LAST_PORT {
        return Ranges::default();
    }
    Ranges::span(0, base + first, base + last.min(LAST_PORT))
}

/// Returns all points of all protocols.
fn all_traffic() -> Ranges {
    Ranges::span(0, 0, u128::from(LAST_PROTOCOL) << 16)
}

/// Reads the protocols and ports of a rule.
fn traffic(rule: Source<'_>, dialect: Dialect, bound: Bound, has_unknown: &mut bool) -> Ranges {
    let mut all = Ranges::default();
    let mut has_blocks = false;
    // Blocks with a protocol and ports each.
    for name in [
        "allow",
        "deny",
        "layer4_configs",
        "layer4_config",
        "protocol",
    ] {
        let Some(value) = rule.get(name) else {
            continue;
        };
        if is_unknown(value) && matches!(name, "allow" | "deny") {
            has_blocks = true;
            all.extend([protocol_and_ports(
                value.into(),
                dialect,
                bound,
                has_unknown,
            )]);
        }
        for block in value.as_array().unwrap_or_default() {
            if block.as_object().is_some() || is_unknown(*block) {
                has_blocks = true;
                let block = Source::from(*block);
                all.extend([protocol_and_ports(block, dialect, bound, has_unknown)]);
            }
        }
    }
    // A block for each protocol, of which the name says it.
    for (name, protocol) in [
        ("tcp", TCP),
        ("udp", UDP),
        ("icmp", ICMP),
        ("tcp_options", TCP),
        ("udp_options", UDP),
        ("icmp_options", ICMP),
    ] {
        let Some(value) = rule.get(name) else {
            continue;
        };
        let one = [value];
        for block in value.as_array().unwrap_or(&one) {
            has_blocks = true;
            if is_unknown(*block) {
                *has_unknown = true;
                all.extend((bound == Bound::Most).then(all_traffic));
            } else {
                all.extend([of_options((*block).into(), protocol, bound, has_unknown)]);
            }
        }
    }
    if has_blocks {
        all
    } else {
        protocol_and_ports(rule, dialect, bound, has_unknown)
    }
}

/// Reads the ports, or the type of messages, of a block for one protocol.
fn of_options(block: Source<'_>, protocol: u32, bound: Bound, has_unknown: &mut bool) -> Ranges {
    if protocol == ICMP {
        return messages(block, &["type"], &["code"], protocol, bound, has_unknown);
    }
    let inner = block.get("destination_port_range");
    let inner = inner.and_then(|inner| match inner.as_array() {
        Some(items) => items.first().copied(),
        None => Some(inner),
    });
    let ports = ports(inner.map_or(block, Source::from), bound, has_unknown);
    of_ports(protocol, ports.as_ref())
}

/// Returns the points of a protocol with these ports; without ports, of all.
fn of_ports(protocol: u32, ports: Option<&Ranges>) -> Ranges {
    let Some(ports) = ports else {
        return points(protocol, 0, LAST_PORT);
    };
    let mut all = Ranges::default();
    all.extend(
        ports
            .iter()
            .map(|(start, end)| points(protocol, start.number, end.number.saturating_sub(1))),
    );
    all
}

/// Reads members with a protocol and ports.
fn protocol_and_ports(
    rule: Source<'_>,
    dialect: Dialect,
    bound: Bound,
    has_unknown: &mut bool,
) -> Ranges {
    if rule.is_unknown() {
        *has_unknown = true;
        return match bound {
            Bound::Least => Ranges::default(),
            Bound::Most => all_traffic(),
        };
    }
    let names = Texts::of(rule, &["protocol", "ip_protocol", "protocols", "type"]);
    let names = if rule.get("protocol").is_some()
        || rule.get("ip_protocol").is_some()
        || rule.get("protocols").is_some()
    {
        Texts::of(rule, &["protocol", "ip_protocol", "protocols"])
    } else if rule.get("port").is_some() && rule.get("type").is_some() {
        // The rules of Azure's firewall for applications: `protocol { type = "Https", port = 443 }`.
        names
    } else {
        Texts::default()
    };
    if names.has_unknown {
        *has_unknown = true;
        if bound == Bound::Most {
            return all_traffic();
        }
    }
    let ports = ports(rule, bound, has_unknown);
    let mut all = Ranges::default();
    if names.all.is_empty() && !names.has_unknown {
        // A rule for ports without a protocol is for those that have ports.
        return match ports {
            None => all_traffic(),
            Some(ports) => of_ports(TCP, Some(&ports)).union(&of_ports(UDP, Some(&ports))),
        };
    }
    for name in names.all {
        match (Protocols::parse(name), &ports) {
            (Protocols::All, None) => all = all_traffic(),
            (Protocols::All, Some(_)) if dialect.ignores_ports => all = all_traffic(),
            (Protocols::All, Some(ports)) => {
                let with_ports = [TCP, UDP, SCTP];
                let mut others = all_traffic();
                for protocol in with_ports {
                    others = others.without(&points(protocol, 0, LAST_PORT));
                }
                let some = with_ports.map(|protocol| of_ports(protocol, Some(ports)));
                all.extend(some.into_iter().chain([others]));
            }
            (Protocols::Numbers(numbers), ports) => {
                all.extend(numbers.into_iter().map(|number| match number {
                    ICMP | ICMP_V6 => of_icmp(rule, number, bound, has_unknown),
                    TCP | UDP | SCTP => of_ports(number, ports.as_ref()),
                    // Names of protocols that are no protocol of IP: `Https`, `mysql`.
                    other if other > u32::from(u8::MAX) => of_ports(other, ports.as_ref()),
                    other => points(other, 0, LAST_PORT),
                }));
            }
        }
    }
    all
}

/// Reads the type and code of ICMP messages.
fn of_icmp(rule: Source<'_>, protocol: u32, bound: Bound, has_unknown: &mut bool) -> Ranges {
    // On AWS the members for ports hold them; a network ACL has members of its own beside those.
    let has_own = ["icmp_type", "icmp_code"]
        .iter()
        .any(|name| rule.get(name).is_some());
    let (kinds, codes): (&[&str], &[&str]) = if has_own {
        (&["icmp_type"], &["icmp_code"])
    } else {
        (
            &["from_port", "port_range_min"],
            &["to_port", "port_range_max"],
        )
    };
    messages(rule, kinds, codes, protocol, bound, has_unknown)
}

/// Returns the points of messages whose type and code these members hold. -1 and no number are every one.
fn messages(
    rule: Source<'_>,
    kinds: &[&str],
    codes: &[&str],
    protocol: u32,
    bound: Bound,
    has_unknown: &mut bool,
) -> Ranges {
    let (kind, code) = (Texts::of(rule, kinds), Texts::of(rule, codes));
    if kind.has_unknown || code.has_unknown {
        *has_unknown = true;
        return match bound {
            Bound::Least => Ranges::default(),
            Bound::Most => points(protocol, 0, LAST_PORT),
        };
    }
    let parse = |texts: &Texts<'_>| texts.first().and_then(|text| text.parse::<u8>().ok());
    match (parse(&kind), parse(&code)) {
        (None, _) => points(protocol, 0, LAST_PORT),
        (Some(kind), None) => {
            let first = u128::from(kind) << 8;
            points(protocol, first, first | 0xff)
        }
        (Some(kind), Some(code)) => {
            let point = u128::from(kind) << 8 | u128::from(code);
            points(protocol, point, point)
        }
    }
}

/// The members with the first port and the last one.
const PAIRS: [(&str, &str); 7] = [
    ("from_port", "to_port"),
    ("port_range_min", "port_range_max"),
    ("port_range_start", "port_range_end"),
    ("start_port", "end_port"),
    ("port_min", "port_max"),
    ("min", "max"),
    ("destination_port_start", "destination_port_end"),
];

/// The members with ports as texts: `22`, `8000-8100`, `*`.
const PORTS: [&str; 8] = [
    "port",
    "ports",
    "port_range",
    "destination_port",
    "destination_port_range",
    "destination_port_ranges",
    "destination_ports",
    "dport",
];

/// Reads ports; `None` if the rule says nothing of ports.
fn ports(rule: Source<'_>, bound: Bound, has_unknown: &mut bool) -> Option<Ranges> {
    let mut reader = PortReader::new(bound);
    for (from, to) in PAIRS {
        reader.pair(rule, from, to);
    }
    for name in PORTS {
        reader.texts(rule, name);
    }
    *has_unknown |= reader.has_unknown;
    reader.finish()
}

/// Reads the ports of the source.
fn source_ports(rule: Source<'_>, bound: Bound, has_unknown: &mut bool) -> Ranges {
    let mut reader = PortReader::new(bound);
    reader.pair(rule, "source_port_start", "source_port_end");
    for name in [
        "source_port",
        "source_port_range",
        "source_port_ranges",
        "source_ports",
        "sport",
    ] {
        reader.texts(rule, name);
    }
    for options in ["tcp_options", "udp_options"] {
        let value = rule.get(options);
        let block = value.and_then(|value| value.as_array()?.first().copied());
        let range = block.and_then(|block| block.get("source_port_range"));
        let range = range.and_then(|range| range.as_array()?.first().copied());
        if let Some(range) = range {
            reader.pair(range.into(), "min", "max");
        }
    }
    *has_unknown |= reader.has_unknown;
    reader
        .finish()
        .unwrap_or_else(|| Ranges::span(0, 0, LAST_PORT))
}

/// Collects ports.
struct PortReader {
    bound: Bound,
    has_unknown: bool,
    /// Whether the rule says something of ports.
    is_present: bool,
    ranges: Vec<Ranges>,
}

impl PortReader {
    /// Makes a reader that has read nothing yet.
    fn new(bound: Bound) -> Self {
        Self {
            bound,
            has_unknown: false,
            is_present: false,
            ranges: Vec::new(),
        }
    }

    /// Notes that ports are not known yet.
    fn unknown(&mut self) {
        (self.has_unknown, self.is_present) = (true, true);
        if self.bound == Bound::Most {
            self.add(0, LAST_PORT);
        }
    }

    /// Adds ports from `first` to `last`.
    fn add(&mut self, first: u128, last: u128) {
        self.is_present = true;
        self.ranges
            .push(Ranges::span(0, first, last.min(LAST_PORT)));
    }

    /// Reads a member with the first port, and one with the last port. -1 is every port.
    fn pair(&mut self, rule: Source<'_>, from: &str, to: &str) {
        let (from, to) = (Texts::of(rule, &[from]), Texts::of(rule, &[to]));
        if from.has_unknown || to.has_unknown {
            self.unknown();
            return;
        }
        let parse = |texts: &Texts<'_>| texts.first().and_then(|text| text.parse::<i64>().ok());
        let (from, to) = match (parse(&from), parse(&to)) {
            (None, None) => return,
            (Some(port), None) | (None, Some(port)) => (port, port),
            (Some(from), Some(to)) => (from, to),
        };
        match (u128::try_from(from), u128::try_from(to)) {
            (Ok(from), Ok(to)) => self.add(from, to),
            (Err(_), _) | (_, Err(_)) => self.add(0, LAST_PORT),
        }
    }

    /// Reads a member with texts, each of which may list several ranges.
    fn texts(&mut self, rule: Source<'_>, name: &str) {
        let texts = Texts::of(rule, &[name]);
        if texts.has_unknown {
            self.unknown();
        }
        for text in texts.all.iter().flat_map(|text| text.split(',')) {
            // A name of ports is a limit besides.
            let (first, last) = port_range(text).unwrap_or((0, LAST_PORT));
            self.add(first, last);
        }
    }

    /// Returns the ports; `None` if the rule says nothing of them.
    fn finish(self) -> Option<Ranges> {
        let mut all = Ranges::default();
        all.extend(self.ranges);
        self.is_present.then_some(all)
    }
}
