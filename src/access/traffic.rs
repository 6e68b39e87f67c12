//! The traffic that firewall rules allow, for rules of all providers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::known::{known, scalar};
use super::rule::{Role, RuleAttributes, TRAFFIC};
use crate::diff::value::{Content, MarkedValue};

/// The traffic that a firewall rule allows: a protocol and port ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Traffic {
    protocol: Option<String>,
    ports: Vec<(u32, u32)>,
    /// Everything else that distinguishes the rule, as one text to compare.
    other: String,
    /// The same as text for the user.
    label: String,
}

impl Traffic {
    pub(crate) fn from_rule(rule: MarkedValue<'_>) -> Self {
        let attributes = RuleAttributes::read(rule, TRAFFIC);
        let traffic = Self::without_blocks(&attributes);
        // Google's firewalls have lists of `allow` blocks, each with a protocol and ports.
        let allowed = attributes.of(Role::Allowed).find_map(|blocks| known(Some(blocks)));
        let Some(Content::Array(blocks)) = allowed else { return traffic };
        let mut other = String::new();
        shape(blocks, &mut other);
        let label =
            |block: &MarkedValue<'_>| Self::without_blocks(&RuleAttributes::read(*block, TRAFFIC)).label();
        let readable = blocks.iter().filter(|block| !block.is_hidden);
        Self { other, label: readable.map(label).collect::<Vec<_>>().join(", "), ..traffic }
    }

    fn without_blocks(attributes: &RuleAttributes<'_>) -> Self {
        let text = |role: Role| attributes.of(role).find_map(|value| known(Some(value)).and_then(scalar));
        let mut ports = Vec::new();
        if let (Some(from), Some(to)) = (text(Role::FromPort), text(Role::ToPort))
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            let port = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
            ports.push((port(from), port(to)));
        }
        for value in attributes.of(Role::Ports).filter(|value| !value.is_hidden) {
            let one = [value];
            for item in value.as_array().unwrap_or(&one) {
                ports.extend(known(Some(*item)).and_then(scalar).and_then(range));
            }
        }
        let protocol = text(Role::Protocol).map(str::to_owned);
        Self { protocol, ports, other: String::new(), label: String::new() }
    }

    fn is_any_protocol(&self) -> bool {
        self.protocol.as_deref().is_some_and(|word| matches!(word, "-1" | "all" | "*" | "Any" | "any"))
    }

    /// The text `tcp/443` or `all ports`; empty if the rule has neither protocol nor ports.
    pub(crate) fn label(&self) -> String {
        let ports = self
            .ports
            .iter()
            .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") });
        let ports = ports.collect::<Vec<_>>().join(",");
        match self.protocol.as_deref() {
            Some("-1" | "all" | "*") => "all ports".to_owned(),
            Some(protocol) if ports.is_empty() => protocol.to_owned(),
            Some(protocol) => format!("{protocol}/{ports}"),
            None if ports.is_empty() => self.label.clone(),
            None => ports,
        }
    }
}

fn range(text: &str) -> Option<(u32, u32)> {
    if text == "*" {
        return Some((0, 65_535));
    }
    match text.split_once('-') {
        Some((from, to)) => Some((from.trim().parse().ok()?, to.trim().parse().ok()?)),
        None => text.trim().parse().ok().map(|port| (port, port)),
    }
}

/// Writes blocks as text, which is equal for equal blocks.
fn shape(blocks: &[MarkedValue<'_>], text: &mut String) {
    for block in blocks {
        match block.content {
            Content::Object(members) => {
                for (name, value) in members {
                    text.push_str(name);
                    shape(std::slice::from_ref(value), text);
                }
            }
            Content::Array(items) => {
                text.push('[');
                shape(items, text);
                text.push(']');
            }
            content @ (Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)) => {
                text.push('=');
                text.push_str(scalar(content).unwrap_or_default());
                text.push(';');
            }
        }
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

/// What is open to everybody.
#[derive(Debug, Default)]
pub(crate) struct Open(HashMap<(bool, String), OpenTraffic>);

/// What is open in one version of IP, to rules with the same other parts.
#[derive(Debug, Default)]
struct OpenTraffic {
    everything: bool,
    /// The protocols of rules without ports.
    without_ports: HashSet<Option<String>>,
    /// The ranges of ports by protocol. A larger start has a larger end, because ranges inside others are left
    /// out.
    ports: HashMap<Option<String>, BTreeMap<u32, u32>>,
    /// The same for all protocols.
    any_protocol: BTreeMap<u32, u32>,
}

impl Open {
    pub(crate) fn add(&mut self, is_v6: bool, traffic: &Traffic) {
        let open = self.0.entry((is_v6, traffic.other.clone())).or_default();
        if traffic.is_any_protocol() {
            open.everything |= traffic.ports.is_empty() || traffic.protocol.as_deref() == Some("-1");
            traffic.ports.iter().for_each(|range| add_range(&mut open.any_protocol, *range));
        } else if traffic.ports.is_empty() {
            open.without_ports.insert(traffic.protocol.clone());
        } else {
            let ranges = open.ports.entry(traffic.protocol.clone()).or_default();
            traffic.ports.iter().for_each(|range| add_range(ranges, *range));
        }
    }

    /// Whether everything that `traffic` allows is open.
    pub(crate) fn covers(&self, is_v6: bool, traffic: &Traffic) -> bool {
        let Some(open) = self.0.get(&(is_v6, traffic.other.clone())) else { return false };
        let ranges = open.ports.get(&traffic.protocol);
        let is_open = |range: &(u32, u32)| {
            [ranges, Some(&open.any_protocol)].into_iter().flatten().any(|ranges| has_range(ranges, *range))
        };
        open.everything
            || match traffic.ports.as_slice() {
                [] => open.without_ports.contains(&traffic.protocol),
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
