//! Reads the firewall rules of all providers, and puts their traffic into words.
//!
//! ```text
//! from_port = 22, to_port = 22, protocol = "tcp"           ssh
//! destination_port_range = "8000-8010", protocol = "Tcp"   tcp 8000-8010
//! protocol = "-1"                                          all traffic
//! ```

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::network::{Class, Peer, services};
use super::{member, readable, scalar};
use crate::diff::value::{Content, MarkedValue};

/// The meaning of an attribute of a firewall rule, whatever its provider calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Number,
    Name,
    Verdict,
    Direction,
    Access,
    From,
    To,
    /// The source of incoming traffic, or the destination of outgoing traffic.
    Peer,
    Targets,
    SourcePorts,
    Disabled,
    Note,
}

/// The attributes of firewall rules of all providers, with what they say.
const ATTRIBUTES: &[(Field, &[&str])] = &[
    (Field::Number, &["rule_no", "rule_number", "priority"]),
    (Field::Name, &["name"]),
    (Field::Verdict, &["action", "rule_action", "access"]),
    (Field::Direction, &["type", "direction", "egress"]),
    (
        Field::Access,
        &[
            "protocol",
            "ip_protocol",
            "from_port",
            "to_port",
            "icmp_type",
            "icmp_code",
        ],
    ),
    (
        Field::Access,
        &[
            "destination_port_range",
            "destination_port_ranges",
            "allow",
            "deny",
        ],
    ),
    (Field::Peer, &["cidr_block", "cidr_blocks", "cidr_ipv4"]),
    (
        Field::Peer,
        &[
            "ipv6_cidr_block",
            "ipv6_cidr_blocks",
            "cidr_ipv6",
            "prefix_list_id",
            "prefix_list_ids",
        ],
    ),
    (
        Field::Peer,
        &[
            "security_groups",
            "source_security_group_id",
            "referenced_security_group_id",
            "self",
        ],
    ),
    (
        Field::From,
        &["source_ranges", "source_tags", "source_service_accounts"],
    ),
    (
        Field::From,
        &["source_address_prefix", "source_address_prefixes"],
    ),
    (Field::From, &["source_application_security_group_ids"]),
    (
        Field::To,
        &[
            "destination_ranges",
            "destination_address_prefix",
            "destination_address_prefixes",
        ],
    ),
    (Field::To, &["destination_application_security_group_ids"]),
    (Field::Targets, &["target_tags", "target_service_accounts"]),
    (
        Field::SourcePorts,
        &["source_port_range", "source_port_ranges"],
    ),
    (Field::Disabled, &["disabled"]),
    (Field::Note, &["description"]),
];

/// Returns the attributes of rules of a resource type, with what they say. Only rules of Azure have a name of their
/// own.
pub(crate) fn attributes(resource_type: &str) -> impl Iterator<Item = (Field, &'static str)> {
    let has_name = resource_type.starts_with("azurerm_");
    let all = ATTRIBUTES
        .iter()
        .flat_map(|(field, names)| names.iter().map(move |name| (*field, *name)));
    all.filter(move |(field, _)| has_name || *field != Field::Name)
}

/// The place of the firewall rules in a resource.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// In blocks with these names, one rule in each.
    Blocks(&'static [&'static str]),
    /// The resource is itself a rule. The value is whether it applies to outgoing traffic, if the resource type
    /// determines that.
    Rule(Option<bool>),
}

/// Returns where resources of a type have their firewall rules; `None` for types that have none.
pub(crate) fn shape(resource_type: &str) -> Option<Shape> {
    Some(match resource_type {
        "aws_security_group"
        | "aws_default_security_group"
        | "aws_network_acl"
        | "aws_default_network_acl" => Shape::Blocks(&["ingress", "egress"]),
        "azurerm_network_security_group" => Shape::Blocks(&["security_rule"]),
        "aws_security_group_rule"
        | "aws_network_acl_rule"
        | "azurerm_network_security_rule"
        | "google_compute_firewall" => Shape::Rule(None),
        "aws_vpc_security_group_ingress_rule" => Shape::Rule(Some(false)),
        "aws_vpc_security_group_egress_rule" => Shape::Rule(Some(true)),
        _ => return None,
    })
}

/// The traffic that a rule applies to: that of any of these protocols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Traffic(Vec<Protocol>);

/// A protocol with its ports, in one form for all providers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Protocol {
    /// The name in lower case, `all` for every protocol; `None` if the rule does not say it.
    name: Option<String>,
    /// The ranges of ports, each with its first and last one. If there are none, all ports are meant.
    ports: Vec<(u32, u32)>,
    /// The type of ICMP messages, if the protocol is ICMP and the rule says it.
    icmp: Option<String>,
}

/// The largest port.
const LAST_PORT: u32 = 65_535;

/// The maximum number of ranges of ports, or of services, that a text lists.
const MAX_NAMED: usize = 4;

impl Traffic {
    /// Reads the traffic of a rule.
    fn of_rule(rule: MarkedValue<'_>) -> Self {
        // The rules of Google have a list of `allow` blocks, each with a protocol and ports.
        let Some(Content::Array(blocks)) = member(rule, "allow") else {
            return Self(vec![Protocol::of(rule)]);
        };
        let readable = blocks.iter().filter(|block| !block.is_hidden);
        Self(readable.map(|block| Protocol::of(*block)).collect())
    }

    /// Whether the rule applies to nothing, because all of its ranges end before they start.
    pub(crate) fn is_nothing(&self) -> bool {
        let ends_first = |protocol: &Protocol| {
            !protocol.ports.is_empty() && protocol.ports.iter().all(|(from, to)| from > to)
        };
        !self.0.is_empty() && self.0.iter().all(ends_first)
    }

    /// Returns the traffic in words (`ssh`, `all ports`, `tcp 8000-8010`), and the gravest class of what it reaches.
    /// The text is empty if the rule has neither protocol nor ports.
    pub(crate) fn words(&self) -> (String, Class) {
        let (mut texts, mut class) = (Vec::new(), None::<Class>);
        for protocol in &self.0 {
            let (text, protocol_class) = protocol.words();
            class = Some(class.map_or(protocol_class, |class| class.min(protocol_class)));
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        (join(texts), class.unwrap_or(Class::Other))
    }
}

/// Joins texts with commas and `and`. Those beyond `MAX_NAMED` are only counted.
fn join(mut texts: Vec<String>) -> String {
    let more = texts.len().saturating_sub(MAX_NAMED);
    texts.truncate(MAX_NAMED);
    let last = if more > 0 {
        Some(format!("{more} more"))
    } else {
        texts.pop()
    };
    match (texts.is_empty(), last) {
        (true, last) => last.unwrap_or_default(),
        (false, last) => format!("{} and {}", texts.join(", "), last.unwrap_or_default()),
    }
}

impl Protocol {
    /// Reads the protocol and the ports of a rule, whatever its provider calls the attributes.
    fn of(rule: MarkedValue<'_>) -> Self {
        let text = |names: &[&str]| names.iter().find_map(|name| scalar(member(rule, name)?));
        let name = text(&["protocol", "ip_protocol", "protocols"]).map(|name| {
            let name = name.to_ascii_lowercase();
            match &*name {
                "-1" | "all" | "*" | "any" => "all".to_owned(),
                "6" => "tcp".to_owned(),
                "17" => "udp".to_owned(),
                "1" => "icmp".to_owned(),
                "58" | "ipv6-icmp" => "icmpv6".to_owned(),
                _ => name,
            }
        });
        let pairs = [
            ("from_port", "to_port"),
            ("port_range_min", "port_range_max"),
            ("port_range_start", "port_range_end"),
            ("start_port", "end_port"),
            ("port_min", "port_max"),
            ("destination_port_start", "destination_port_end"),
        ];
        let mut ranges = pairs.iter();
        let range = ranges.find_map(|(from, to)| text(&[from]).zip(text(&[to])));
        if name.as_deref().is_some_and(|name| name.starts_with("icmp")) {
            let kind = text(&["icmp_type"])
                .or(range.map(|(from, _)| from))
                .filter(|kind| *kind != "-1");
            return Self {
                name,
                ports: Vec::new(),
                icmp: kind.map(str::to_owned),
            };
        }
        let mut ports = Vec::new();
        if let Some((from, to)) = range
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            let port = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
            ports.push((port(from), port(to)));
        }
        for name in [
            "destination_port_range",
            "port",
            "destination_port_ranges",
            "destination_ports",
            "ports",
            "port_range",
        ] {
            let Some(value) = rule.get(name).filter(|value| !value.is_hidden) else {
                continue;
            };
            let one = [value];
            for item in value.as_array().unwrap_or(&one) {
                ports.extend(readable(*item).and_then(range_of));
            }
        }
        ports.extend(
            ["tcp_options", "udp_options"]
                .iter()
                .filter_map(|name| options(rule.get(name)?)),
        );
        // For all protocols, ports are written as 0 or -1 and have no meaning.
        if name.as_deref() == Some("all") && ports.iter().all(|range| *range == (0, 0)) {
            ports.clear();
        }
        Self {
            name,
            ports,
            icmp: None,
        }
    }

    /// Returns the protocol in words, and how grave it is that it is open.
    fn words(&self) -> (String, Class) {
        let name = self.name.as_deref().unwrap_or_default();
        let is_all = |range: &(u32, u32)| range.0 <= 1 && range.1 >= LAST_PORT;
        if name.starts_with("icmp") {
            let kind = match (name, self.icmp.as_deref()) {
                (_, None) => String::new(),
                ("icmp", Some("8")) | ("icmpv6", Some("128")) => " echo".to_owned(),
                (_, Some(kind)) => format!(" type {kind}"),
            };
            return (format!("{name}{kind}"), Class::Other);
        }
        match (name, self.ports.as_slice()) {
            ("", []) => (String::new(), Class::Other),
            ("all", []) => ("all traffic".to_owned(), Class::Administration),
            ("tcp" | "udp", []) => (format!("all {name} ports"), Class::Administration),
            (other, []) => (other.to_owned(), Class::Other),
            ("" | "all", ports) if ports.iter().any(is_all) => {
                ("all ports".to_owned(), Class::Administration)
            }
            (_, ports) if ports.iter().any(is_all) => {
                (format!("all {name} ports"), Class::Administration)
            }
            (_, ports) => {
                let (mut texts, mut class) = (Vec::new(), Class::Web);
                for range in ports {
                    let (text, range_class) = range_words(name, *range);
                    class = class.min(range_class);
                    texts.push(text);
                }
                (join(texts), class)
            }
        }
    }

    /// Returns the ranges of ports; one with every number if the protocol has none.
    fn ranges(&self) -> &[(u32, u32)] {
        if self.ports.is_empty() {
            &[(0, u32::MAX)]
        } else {
            &self.ports
        }
    }
}

/// Returns a range of ports of a protocol in words, and the gravest class of the services there. `*` is every protocol.
pub(crate) fn port_words(protocol: &str, range: (u32, u32)) -> (String, Class) {
    let protocol = Protocol {
        name: Some(if protocol == "*" {
            "all".to_owned()
        } else {
            protocol.to_owned()
        }),
        ports: vec![range],
        icmp: None,
    };
    protocol.words()
}

/// Returns a range of ports in words, with the names of services in it, and how grave it is that the range is open.
fn range_words(protocol: &str, range: (u32, u32)) -> (String, Class) {
    let (from, to) = range;
    let mut named: Vec<_> = services(range)
        .iter()
        .filter(|(port, ..)| speaks(protocol, *port))
        .collect();
    let is_any = matches!(protocol, "" | "all");
    let (one, several) = if is_any {
        ("port", "ports")
    } else {
        (protocol, protocol)
    };
    match named.as_slice() {
        [(_, service, class)] if from == to => return ((*service).to_owned(), *class),
        [] if from == to => return (format!("{one} {from}"), Class::Other),
        [] => return (format!("{several} {from}-{to}"), Class::Other),
        [_, ..] => {}
    }
    named.sort_by_key(|(_, _, class)| *class);
    let class = named.first().map_or(Class::Other, |(.., class)| *class);
    let mut names: Vec<String> = Vec::new();
    for (_, service, _) in named {
        if !names.iter().any(|name| name == service) {
            names.push((*service).to_owned());
        }
    }
    // A range with web ports has other ports, too.
    (
        format!("{several} {from}-{to} (with {})", join(names)),
        class.min(Class::Other),
    )
}

/// Whether the known service at a port uses a protocol.
fn speaks(protocol: &str, port: u32) -> bool {
    /// The known ports whose services use UDP.
    const UDP: [u32; 8] = [53, 69, 123, 161, 389, 2049, 3389, 11_211];
    match protocol {
        "udp" => UDP.contains(&port),
        "tcp" => !matches!(port, 69 | 123 | 161),
        _ => matches!(protocol, "" | "all"),
    }
}

/// Reads `min` and `max` of a block with options of ports, which may be within another block.
fn options(block: MarkedValue<'_>) -> Option<(u32, u32)> {
    let block = block
        .as_array()
        .map_or(Some(block), |items| items.first().copied())?;
    if let Some(inner) = block
        .get("destination_port_range")
        .filter(|inner| !inner.is_null())
    {
        return options(inner);
    }
    let port = |name: &str| readable(block.get(name)?)?.parse().ok();
    Some((port("min")?, port("max")?))
}

/// Parses a port or a range of ports: `22`, `8000-8100`, `*`.
fn range_of(text: &str) -> Option<(u32, u32)> {
    if matches!(text, "*" | "any") {
        return Some((0, LAST_PORT));
    }
    match text.split_once('-') {
        Some((from, to)) => Some((from.trim().parse().ok()?, to.trim().parse().ok()?)),
        None => text.trim().parse().ok().map(|port| (port, port)),
    }
}

/// Reads the traffic of rules, once for the same rule, and numbers the different kinds of traffic.
#[derive(Debug, Default)]
pub(crate) struct TrafficReader<'w> {
    /// The members of the last rule with the number of its traffic, in case it is read again.
    last: Option<(&'w [(&'w str, MarkedValue<'w>)], usize)>,
    /// The numbers of the kinds of traffic.
    numbers: HashMap<Rc<Traffic>, usize>,
    /// The kinds of traffic, by number.
    all: Vec<Rc<Traffic>>,
}

impl<'w> TrafficReader<'w> {
    /// Returns the traffic of a rule, and its number among the different kinds of traffic that were read so far.
    pub(crate) fn read(&mut self, rule: MarkedValue<'w>) -> (usize, Rc<Traffic>) {
        let members = rule.as_object().unwrap_or_default();
        if let Some((last, number)) = self.last
            && std::ptr::eq(last, members)
            && let Some(traffic) = self.all.get(number)
        {
            return (number, Rc::clone(traffic));
        }
        let traffic = Rc::new(Traffic::of_rule(rule));
        let number = *self
            .numbers
            .entry(Rc::clone(&traffic))
            .or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Rc::clone(&traffic));
        }
        self.last = Some((members, number));
        (number, traffic)
    }
}

/// The ports that are open to each peer for each protocol. A range inside of another one is not kept, so that among the
/// ranges of a peer a larger start has a larger end.
#[derive(Debug, Default)]
pub(crate) struct Open(HashMap<OpenKey, BTreeMap<u32, u32>>);

/// A peer with the name of a protocol and a type of ICMP messages.
type OpenKey = (Peer, Option<String>, Option<String>);

impl Open {
    /// Adds traffic from a peer.
    pub(crate) fn add(&mut self, peer: Peer, traffic: &Traffic) {
        for protocol in &traffic.0 {
            let key = (peer, protocol.name.clone(), protocol.icmp.clone());
            let ranges = self.0.entry(key).or_default();
            protocol
                .ranges()
                .iter()
                .for_each(|range| add_range(ranges, *range));
        }
    }

    /// Whether all of the traffic was open to the peer, or to one that includes it.
    pub(crate) fn covers(&self, peer: Peer, traffic: &Traffic) -> bool {
        let around = peer.around();
        traffic.0.iter().all(|protocol| {
            let Protocol { name, icmp, .. } = protocol;
            let all = (Some("all".to_owned()), None);
            let kinds = [all, (name.clone(), None), (name.clone(), icmp.clone())];
            let open = around.iter().flat_map(|peer| {
                kinds
                    .iter()
                    .filter_map(|(name, icmp)| self.0.get(&(*peer, name.clone(), icmp.clone())))
            });
            let open: Vec<_> = open.collect();
            protocol
                .ranges()
                .iter()
                .all(|range| open.iter().any(|ranges| has_range(ranges, *range)))
        })
    }
}

/// Adds a range unless it is inside of another one, and removes those that are inside of it.
pub(super) fn add_range(ranges: &mut BTreeMap<u32, u32>, (from, to): (u32, u32)) {
    if has_range(ranges, (from, to)) {
        return;
    }
    while let Some((start, _)) = ranges.range(from..).next().filter(|(_, end)| **end <= to) {
        let start = *start;
        ranges.remove(&start);
    }
    ranges.insert(from, to);
}

/// Whether a range is inside of one of `ranges`.
pub(super) fn has_range(ranges: &BTreeMap<u32, u32>, (from, to): (u32, u32)) -> bool {
    ranges
        .range(..=from)
        .next_back()
        .is_some_and(|(_, end)| to <= *end)
}
