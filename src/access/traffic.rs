//! The traffic that firewall rules allow, for rules of all providers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::network::Peer;
use super::rule::{Role, RuleAttributes, TRAFFIC};
use super::service::{Class, services};
use super::{known, scalar};
use crate::diff::value::{Content, MarkedValue};

/// The traffic that a firewall rule allows: one or more protocols, each with ranges of ports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Traffic(Vec<Part>);

/// One protocol, in lowercase, with the ranges of its ports. Without ports, all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Part {
    protocol: Option<String>,
    ports: Vec<(u32, u32)>,
    /// The type of ICMP messages, if the rule names one.
    icmp: Option<String>,
}

/// The largest port.
const LAST_PORT: u32 = 65_535;

/// The maximum number of ranges of ports and of services that a text names.
const MAX_NAMED: usize = 4;

impl Traffic {
    pub(crate) fn from_rule(rule: MarkedValue<'_>) -> Self {
        let attributes = RuleAttributes::read(rule, TRAFFIC);
        // Google's firewalls have lists of `allow` blocks, each with a protocol and ports.
        let allowed = attributes.of(Role::Allowed).find_map(|blocks| known(Some(blocks)));
        let Some(Content::Array(blocks)) = allowed else { return Self(vec![Part::read(&attributes)]) };
        let readable = blocks.iter().filter(|block| !block.is_hidden);
        Self(readable.map(|block| Part::read(&RuleAttributes::read(*block, TRAFFIC))).collect())
    }

    /// Whether it is none at all, because all ranges of ports end before they begin.
    pub(crate) fn is_nothing(&self) -> bool {
        let ends_first =
            |part: &Part| !part.ports.is_empty() && part.ports.iter().all(|(from, to)| from > to);
        !self.0.is_empty() && self.0.iter().all(ends_first)
    }

    /// The traffic as people say it, and the gravest of what it may reach: `ssh`, `all ports`, `tcp 8000-8100`. The
    /// text is empty if the rule has neither protocol nor ports.
    pub(crate) fn words(&self) -> (String, Class) {
        let (mut texts, mut class) = (Vec::new(), None::<Class>);
        for part in &self.0 {
            let (text, own) = part.words();
            class = Some(class.map_or(own, |class| class.min(own)));
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        (join(texts), class.unwrap_or(Class::Other))
    }
}

fn join(mut texts: Vec<String>) -> String {
    let more = texts.len().saturating_sub(MAX_NAMED);
    texts.truncate(MAX_NAMED);
    let last = if more > 0 { Some(format!("{more} more")) } else { texts.pop() };
    match (texts.is_empty(), last) {
        (true, last) => last.unwrap_or_default(),
        (false, last) => format!("{} and {}", texts.join(", "), last.unwrap_or_default()),
    }
}

impl Part {
    fn read(attributes: &RuleAttributes<'_>) -> Self {
        let text = |role: Role| attributes.of(role).find_map(|value| known(Some(value)).and_then(scalar));
        let protocol = text(Role::Protocol).map(|name| match &*name.to_ascii_lowercase() {
            "-1" | "all" | "*" | "any" => "all".to_owned(),
            "6" => "tcp".to_owned(),
            "17" => "udp".to_owned(),
            "1" => "icmp".to_owned(),
            "58" | "icmpv6" | "ipv6-icmp" => "icmpv6".to_owned(),
            other => other.to_owned(),
        });
        let is_icmp = protocol.as_deref().is_some_and(|name| name.starts_with("icmp"));
        let range = text(Role::FromPort).zip(text(Role::ToPort));
        if is_icmp {
            let kind = text(Role::IcmpType).or(range.map(|(from, _)| from)).filter(|kind| *kind != "-1");
            return Self { protocol, ports: Vec::new(), icmp: kind.map(str::to_owned) };
        }
        let mut ports = Vec::new();
        if let Some((from, to)) = range
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            let port = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
            ports.push((port(from), port(to)));
        }
        for value in attributes.of(Role::Ports).filter(|value| !value.is_hidden) {
            let one = [value];
            for item in value.as_array().unwrap_or(&one) {
                ports.extend(known(Some(*item)).and_then(scalar).and_then(range_of));
            }
        }
        for range in attributes.of(Role::PortOptions) {
            ports.extend(options(range));
        }
        // Where all protocols are meant, ports are written as 0 or -1, and mean nothing.
        if protocol.as_deref() == Some("all") && ports.iter().all(|range| *range == (0, 0)) {
            ports.clear();
        }
        Self { protocol, ports, icmp: None }
    }

    fn words(&self) -> (String, Class) {
        let protocol = self.protocol.as_deref().unwrap_or_default();
        let is_all = |range: &(u32, u32)| range.0 <= 1 && range.1 >= LAST_PORT;
        if protocol.starts_with("icmp") {
            let kind = match (protocol, self.icmp.as_deref()) {
                (_, None) => String::new(),
                ("icmp", Some("8")) | ("icmpv6", Some("128")) => " echo".to_owned(),
                (_, Some(kind)) => format!(" type {kind}"),
            };
            return (format!("{protocol}{kind}"), Class::Other);
        }
        match (protocol, self.ports.as_slice()) {
            ("", []) => (String::new(), Class::Other),
            ("all", []) => ("all traffic".to_owned(), Class::Administration),
            ("tcp" | "udp", []) => (format!("all {protocol} ports"), Class::Administration),
            (other, []) => (other.to_owned(), Class::Other),
            (_, ports) if ports.iter().any(is_all) => {
                let space = if matches!(protocol, "" | "all") { "" } else { " " };
                let protocol = if protocol == "all" { "" } else { protocol };
                (format!("all {protocol}{space}ports"), Class::Administration)
            }
            (_, ports) => {
                let (mut texts, mut class) = (Vec::new(), Class::Web);
                for range in ports {
                    let (text, own) = range_words(protocol, *range);
                    class = class.min(own);
                    texts.push(text);
                }
                (join(texts), class)
            }
        }
    }
}

/// A range of ports, with the services in it.
fn range_words(protocol: &str, range: (u32, u32)) -> (String, Class) {
    let (from, to) = range;
    let mut found: Vec<_> = services(range).iter().filter(|(port, ..)| speaks(protocol, *port)).collect();
    let is_any = matches!(protocol, "" | "all");
    let (one, several) = if is_any { ("port", "ports") } else { (protocol, protocol) };
    match found.as_slice() {
        [(_, service, class)] if from == to => return ((*service).to_owned(), *class),
        [] if from == to => return (format!("{one} {from}"), Class::Other),
        [] => return (format!("{several} {from}-{to}"), Class::Other),
        [_, ..] => {}
    }
    crate::sort::by_key(&mut found, |(_, _, class)| *class);
    let class = found.first().map_or(Class::Other, |(.., class)| *class);
    let mut names: Vec<String> = Vec::new();
    for (_, service, _) in found {
        if !names.iter().any(|name| name == service) {
            names.push((*service).to_owned());
        }
    }
    // A range of web ports has more than those.
    (format!("{several} {from}-{to} (with {})", join(names)), class.min(Class::Other))
}

/// Whether the service at a well-known port speaks this protocol.
fn speaks(protocol: &str, port: u32) -> bool {
    const UDP: [u32; 8] = [53, 69, 123, 161, 389, 2049, 3389, 11_211];
    match protocol {
        "udp" => UDP.contains(&port),
        "tcp" => !matches!(port, 69 | 123 | 161),
        _ => matches!(protocol, "" | "all"),
    }
}

/// The ports in `min` and `max` of a block, which may be in another one.
fn options(block: MarkedValue<'_>) -> Option<(u32, u32)> {
    let block = block.as_array().map_or(Some(block), |items| items.first().copied())?;
    if let Some(inner) = block.get("destination_port_range").filter(|inner| !inner.is_null()) {
        return options(inner);
    }
    let port = |name: &str| known(block.get(name)).and_then(scalar)?.parse().ok();
    Some((port("min")?, port("max")?))
}

fn range_of(text: &str) -> Option<(u32, u32)> {
    if matches!(text, "*" | "any") {
        return Some((0, LAST_PORT));
    }
    match text.split_once('-') {
        Some((from, to)) => Some((from.trim().parse().ok()?, to.trim().parse().ok()?)),
        None => text.trim().parse().ok().map(|port| (port, port)),
    }
}

/// The traffic of the rules around the places that are visited one after the other. Each rule is read once, and
/// equal traffic has one number.
#[derive(Debug, Default)]
pub(crate) struct TrafficReader<'w> {
    last: Option<(&'w [(&'w str, MarkedValue<'w>)], usize)>,
    numbers: HashMap<Rc<Traffic>, usize>,
    all: Vec<Rc<Traffic>>,
}

impl<'w> TrafficReader<'w> {
    /// The traffic of a rule, with its number.
    pub(crate) fn read(&mut self, rule: MarkedValue<'w>) -> (usize, Rc<Traffic>) {
        let members = rule.as_object().unwrap_or_default();
        if let Some((last, number)) = self.last
            && std::ptr::eq(last, members)
            && let Some(traffic) = self.all.get(number)
        {
            return (number, Rc::clone(traffic));
        }
        let traffic = Rc::new(Traffic::from_rule(rule));
        let number = *self.numbers.entry(Rc::clone(&traffic)).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Rc::clone(&traffic));
        }
        self.last = Some((members, number));
        (number, traffic)
    }
}

/// What is open to large parts of the internet.
#[derive(Debug, Default)]
pub(crate) struct Open(HashMap<Peer, OpenTraffic>);

/// What is open to one peer.
#[derive(Debug, Default)]
struct OpenTraffic {
    /// The protocols of rules without ports, with the type of ICMP.
    without_ports: HashSet<(Option<String>, Option<String>)>,
    /// The ranges of ports by protocol. A larger start has a larger end, because ranges inside others are left
    /// out.
    ports: HashMap<Option<String>, BTreeMap<u32, u32>>,
}

impl Open {
    pub(crate) fn add(&mut self, peer: Peer, traffic: &Traffic) {
        let open = self.0.entry(peer).or_default();
        for part in &traffic.0 {
            if part.ports.is_empty() {
                open.without_ports.insert((part.protocol.clone(), part.icmp.clone()));
            } else {
                let ranges = open.ports.entry(part.protocol.clone()).or_default();
                part.ports.iter().for_each(|range| add_range(ranges, *range));
            }
        }
    }

    /// Whether everything that `traffic` allows is open to a peer, or to one with all of it.
    pub(crate) fn covers(&self, peer: Peer, traffic: &Traffic) -> bool {
        let open: Vec<_> = peer.around().iter().filter_map(|peer| self.0.get(peer)).collect();
        traffic.0.iter().all(|part| open.iter().any(|open| open.covers(part)))
    }
}

impl OpenTraffic {
    fn covers(&self, part: &Part) -> bool {
        let all = Some("all".to_owned());
        let ranges = [&part.protocol, &all].map(|protocol| self.ports.get(protocol));
        let is_open = |range: &(u32, u32)| ranges.iter().flatten().any(|ranges| has_range(ranges, *range));
        let has = |icmp: Option<String>| self.without_ports.contains(&(part.protocol.clone(), icmp));
        self.without_ports.contains(&(all, None))
            || has(None)
            || match part.ports.as_slice() {
                [] => has(part.icmp.clone()),
                ports => ports.iter().all(is_open),
            }
    }
}

fn add_range(ranges: &mut BTreeMap<u32, u32>, (from, to): (u32, u32)) {
    if has_range(ranges, (from, to)) {
        return;
    }
    while let Some((start, _)) = ranges.range(from..).next().filter(|(_, end)| **end <= to) {
        let start = *start;
        ranges.remove(&start);
    }
    ranges.insert(from, to);
}

fn has_range(ranges: &BTreeMap<u32, u32>, (from, to): (u32, u32)) -> bool {
    ranges.range(..=from).next_back().is_some_and(|(_, end)| to <= *end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_open_inside_of_another_one() {
        let mut ranges = BTreeMap::new();
        for range in [(10, 20), (5, 12), (15, 30), (12, 18), (40, 40), (1, 11)] {
            add_range(&mut ranges, range);
        }
        assert_eq!(
            ranges.iter().map(|(from, to)| (*from, *to)).collect::<Vec<_>>(),
            [(1, 11), (5, 12), (10, 20), (15, 30), (40, 40)]
        );
        for (range, expected) in [
            ((2, 11), true),
            ((6, 12), true),
            ((16, 29), true),
            ((11, 21), false),
            ((31, 31), false),
            ((0, 1), false),
        ] {
            assert_eq!(has_range(&ranges, range), expected, "{range:?}");
        }
    }
}
