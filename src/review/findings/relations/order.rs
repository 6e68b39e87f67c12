//! Finds what firewall rules open by their order, if each is an object of its own: an Allow opens something if the Deny
//! before it is removed or comes later (network security groups of Azure, network ACLs of AWS).
//!
//! ```text
//! - 100 Deny  1433 from Internet        + 400 Deny 1433 from Internet
//!   300 Allow 1433 from Internet
//!
//! AllowSql at 300 now opens 1433 to the internet
//! ```

use std::collections::HashMap;

use super::{Related, finding};
use crate::access::{Class, Peer};
use crate::diff::Error;
use crate::diff::edits::{Path, Step};
use crate::json::Value;
use crate::model::plan::ResourceChange;
use crate::report::SectionKind;
use crate::review::entry::{Effect, Finding, FindingKind, Level};
use crate::review::finding::EntryFindings;

/// The maximum number of pairs of rules of one plan that are compared. The order of further rules is not judged.
const MAX_COMPARED: usize = 200_000;

/// A rule for incoming traffic.
#[derive(Clone)]
struct OrderedRule<'a> {
    /// The name; empty if it has none.
    name: &'a str,
    /// The number by which rules are ordered: those with lower numbers decide first.
    priority: u64,
    /// Whether it allows traffic rather than denying it.
    is_allow: bool,
    /// The sources: prefixes, or words for everybody.
    from: Vec<&'a str>,
    /// The destinations, in the same form as `from`; empty for any.
    to: Vec<&'a str>,
    /// The protocol: `tcp`, `udp`, `*` for all, or a number.
    protocol: &'a str,
    /// The ranges of destination ports, with both ends included.
    ports: Vec<(u32, u32)>,
}

/// Both sides of the rule of a change. A side is `None` if it does not exist or is not wholly known.
struct Sides<'a> {
    before: Option<OrderedRule<'a>>,
    after: Option<OrderedRule<'a>>,
}

impl<'a> Related<'_, 'a> {
    /// Compares the rules of each group before and after. For each rule that allows more because a Deny is gone or
    /// comes later, adds a finding to that Deny.
    pub(super) fn order(&self, entries: &mut [EntryFindings<'a>]) -> Result<(), Error> {
        let mut groups: HashMap<String, HashMap<&str, Sides<'a>>> = HashMap::new();
        for change in self
            .plan
            .resource_changes
            .iter()
            .filter(|change| is_rule(change))
        {
            let (before, after) = (
                self.value(change.change.before)?,
                self.value(change.change.after)?,
            );
            let sides = Sides {
                before: OrderedRule::read(before),
                after: OrderedRule::read(after),
            };
            let group = group_of(if after.is_null() { before } else { after });
            if let Some(group) = group {
                let rules = groups.entry(group).or_default();
                rules.insert(self.arena.alloc_str(&change.address), sides);
            }
        }
        let mut work = MAX_COMPARED;
        let mut opened: HashMap<&str, Vec<Finding<'a>>> = HashMap::new();
        for rules in groups.values() {
            self.opened(rules, &mut work, &mut opened);
        }
        for EntryFindings {
            list,
            index,
            findings,
        } in entries
        {
            let change = self.change_of(*list, *index);
            if let (SectionKind::Resources, Some(change)) = (*list, change) {
                findings.extend(opened.remove(&*change.address).unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Adds the traffic that the rules of a group open, to each Deny that no longer comes first. `work` is the number
    /// of pairs that may still be compared.
    fn opened<'r>(
        &self,
        rules: &HashMap<&'r str, Sides<'a>>,
        work: &mut usize,
        opened: &mut HashMap<&'r str, Vec<Finding<'a>>>,
    ) {
        let denies = rules.iter().filter_map(|(address, sides)| {
            let before = sides.before.as_ref().filter(|rule| !rule.is_allow)?;
            Some((*address, before, sides.after.as_ref()))
        });
        for (address, before, after) in denies {
            let is_moved =
                after.is_none_or(|after| after.priority > before.priority || after.is_allow);
            if !is_moved {
                continue;
            }
            for allow in rules.values() {
                if *work == 0 {
                    return;
                }
                *work -= 1;
                let Some(now) = allow.after.as_ref().filter(|rule| rule.is_allow) else {
                    continue;
                };
                let was_behind = allow
                    .before
                    .as_ref()
                    .is_some_and(|was| was.is_allow && was.priority > before.priority);
                let is_behind =
                    after.is_some_and(|after| !after.is_allow && after.priority < now.priority);
                if !was_behind || is_behind {
                    continue;
                }
                if let Some(open) = before.overlap(now) {
                    let path = if after.is_some() {
                        let name = self.redactor.text("priority");
                        Path::ROOT.child(Step::Name(name), self.arena)
                    } else {
                        Path::ROOT
                    };
                    opened
                        .entry(address)
                        .or_default()
                        .push(open.finding(now, path));
                }
            }
        }
    }
}

/// Whether a change is of a rule of an ordered list.
fn is_rule(change: &ResourceChange<'_>) -> bool {
    matches!(
        &*change.resource_type,
        "azurerm_network_security_rule" | "aws_network_acl_rule"
    )
}

/// Returns the name of the list that a rule is in; `None` if it is not known.
fn group_of(rule: Value<'_>) -> Option<String> {
    let names = [
        "resource_group_name",
        "network_security_group_name",
        "network_acl_id",
    ];
    let texts: Vec<&str> = names
        .iter()
        .filter_map(|name| rule.get(name)?.as_str())
        .collect();
    (!texts.is_empty()).then(|| texts.join("/"))
}

/// Returns the texts in members with these names, which are a text or a list of texts.
fn texts<'a>(object: Value<'a>, names: &[&str]) -> Vec<&'a str> {
    let values = names.iter().filter_map(|name| object.get(name));
    values
        .flat_map(|value| {
            let one = value.as_str();
            let items = value.as_array().unwrap_or_default();
            one.into_iter()
                .chain(items.iter().filter_map(|item| item.as_str()))
        })
        .filter(|text| !text.is_empty())
        .collect()
}

/// Returns the whole number in a member.
fn number(object: Value<'_>, name: &str) -> Option<u64> {
    match object.get(name)? {
        Value::Number(text) | Value::String(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Reads a range of ports: `*`, `80` or `80-90`.
fn port_range(text: &str) -> Option<(u32, u32)> {
    if text == "*" {
        return Some((0, u32::from(u16::MAX)));
    }
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    Some((from.trim().parse().ok()?, to.trim().parse().ok()?))
}

impl<'a> OrderedRule<'a> {
    /// Reads a rule. `None` if it is missing, for outgoing traffic, or not wholly known.
    fn read(object: Value<'a>) -> Option<Self> {
        let is_outgoing = object.get("egress") == Some(Value::Bool(true))
            || object.get("direction").and_then(Value::as_str) == Some("Outbound");
        let verdict = ["access", "rule_action"]
            .iter()
            .find_map(|name| object.get(name)?.as_str())?;
        let ports = texts(
            object,
            &["destination_port_range", "destination_port_ranges"],
        );
        let mut ports: Vec<(u32, u32)> = ports.into_iter().filter_map(port_range).collect();
        let port = |name: &str| number(object, name).and_then(|port| u32::try_from(port).ok());
        let protocol = object
            .get("protocol")
            .and_then(Value::as_str)
            .unwrap_or("*");
        let protocol = match protocol {
            "-1" | "all" | "*" => "*",
            "6" => "tcp",
            "17" => "udp",
            other => other,
        };
        if let (Some(from), Some(to)) = (port("from_port"), port("to_port")) {
            let is_all = protocol == "*" && (from, to) == (0, 0);
            ports.push(if is_all {
                (0, u32::from(u16::MAX))
            } else {
                (from, to)
            });
        }
        if ports.is_empty() && protocol == "*" {
            ports.push((0, u32::from(u16::MAX)));
        }
        let from = [
            "cidr_block",
            "ipv6_cidr_block",
            "source_address_prefix",
            "source_address_prefixes",
        ];
        let to = ["destination_address_prefix", "destination_address_prefixes"];
        let from = texts(object, &from);
        (!is_outgoing && !from.is_empty() && !ports.is_empty()).then(|| Self {
            name: object
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default(),
            priority: number(object, "priority")
                .or_else(|| number(object, "rule_number"))
                .unwrap_or_default(),
            is_allow: verdict.eq_ignore_ascii_case("allow"),
            from,
            to: texts(object, &to),
            protocol,
            ports,
        })
    }

    /// Returns the traffic of an Allow that this Deny held back, if it comes from the internet or from a source that
    /// the Deny names.
    fn overlap(&self, allow: &Self) -> Option<Open<'a>> {
        let is_same_protocol = self.protocol == "*"
            || allow.protocol == "*"
            || self.protocol.eq_ignore_ascii_case(allow.protocol);
        let is_world = |text: &&str| matches!(Peer::parse(text), Some(Peer::Everyone { .. }));
        let denies_world = self.from.iter().any(is_world);
        let is_denied = |text: &&&str| {
            let is_public = Peer::parse_public(text, None).is_some() || Peer::parse(text).is_some();
            denies_world && is_public || self.from.contains(*text)
        };
        let from = allow.from.iter().find(|text| is_denied(text)).copied()?;
        let is_same_target = self.to.is_empty()
            || allow.to.is_empty()
            || self.to.contains(&"*")
            || allow.to.contains(&"*")
            || self.to.iter().any(|text| allow.to.contains(text));
        let ports = allow.ports.iter().find_map(|(from, to)| {
            let both = self
                .ports
                .iter()
                .map(|(other_from, other_to)| (*from.max(other_from), *to.min(other_to)));
            both.into_iter().find(|(from, to)| from <= to)
        })?;
        let protocol = if allow.protocol == "*" {
            self.protocol
        } else {
            allow.protocol
        };
        (is_same_protocol && is_same_target).then_some(Open {
            from,
            ports,
            protocol,
        })
    }
}

/// The traffic that a rule now lets through.
struct Open<'a> {
    from: &'a str,
    ports: (u32, u32),
    protocol: &'a str,
}

impl<'a> Open<'a> {
    /// Returns the finding about a rule that now opens ports. Its level depends on the ports and on who is let in.
    fn finding<'f>(&self, allow: &OrderedRule<'a>, path: Path<'f>) -> Finding<'f> {
        let (words, class) =
            crate::access::port_words(&self.protocol.to_ascii_lowercase(), self.ports);
        let is_world = Peer::parse(self.from).is_some();
        let level = match class {
            Class::Administration | Class::Data | Class::Shell | Class::Database if is_world => {
                Level::Critical
            }
            Class::Web => Level::Notice,
            Class::Administration | Class::Data | Class::Shell | Class::Database | Class::Other => {
                Level::Warning
            }
        };
        let to = if is_world { "the internet" } else { self.from };
        let name = if allow.name.is_empty() {
            "the rule"
        } else {
            allow.name
        };
        let text = format!("{name} at {} now opens {words} to {to}", allow.priority);
        Finding {
            effect: Effect::Means {
                words: text.clone(),
            },
            ..finding(FindingKind::Exposure, level, "rules.order", path, text)
        }
    }
}
