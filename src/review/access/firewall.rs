//! Rules of firewalls: security groups, network ACLs, and those of Google and Azure.
//!
//! Rules are blocks of a resource, or resources of their own. A table says which attributes of which
//! resource types make a rule, and what each means.

use super::pairs::Pairs;
use super::{AccessChange, AccessLine, Part, UNKNOWN, bare, fits};
use crate::diff::value::{Content, MarkedValue};
use crate::review::edit::Edit;
use crate::review::lines::Sign;
use crate::review::text::root_name;

/// What an attribute of a rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Number,
    Name,
    /// Allow or deny.
    Verdict,
    Direction,
    /// `true` for rules of what leaves.
    IsEgress,
    Protocol,
    FromPort,
    ToPort,
    IcmpType,
    IcmpCode,
    Ports,
    /// Blocks of a protocol and ports, which are allowed.
    Allowed,
    /// The same, denied.
    Denied,
    /// The other side: where it comes from, or goes to if the rule is about what leaves.
    Peer,
    /// The other side is the group itself.
    ItSelf,
    From,
    To,
    Targets,
    SourcePorts,
    Disabled,
    Note,
}

type Table = &'static [(&'static str, Role)];

const GROUP: Table = &[
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_blocks", Role::Peer),
    ("ipv6_cidr_blocks", Role::Peer),
    ("prefix_list_ids", Role::Peer),
    ("security_groups", Role::Peer),
    ("self", Role::ItSelf),
    ("description", Role::Note),
];

const GROUP_RULE: Table = &[
    ("type", Role::Direction),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_blocks", Role::Peer),
    ("ipv6_cidr_blocks", Role::Peer),
    ("prefix_list_ids", Role::Peer),
    ("source_security_group_id", Role::Peer),
    ("self", Role::ItSelf),
    ("description", Role::Note),
];

const VPC_GROUP_RULE: Table = &[
    ("ip_protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_ipv4", Role::Peer),
    ("cidr_ipv6", Role::Peer),
    ("prefix_list_id", Role::Peer),
    ("referenced_security_group_id", Role::Peer),
    ("description", Role::Note),
];

const ACL: Table = &[
    ("rule_no", Role::Number),
    ("action", Role::Verdict),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("icmp_type", Role::IcmpType),
    ("icmp_code", Role::IcmpCode),
    ("cidr_block", Role::Peer),
    ("ipv6_cidr_block", Role::Peer),
];

const ACL_RULE: Table = &[
    ("rule_number", Role::Number),
    ("rule_action", Role::Verdict),
    ("egress", Role::IsEgress),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("icmp_type", Role::IcmpType),
    ("icmp_code", Role::IcmpCode),
    ("cidr_block", Role::Peer),
    ("ipv6_cidr_block", Role::Peer),
];

const GOOGLE: Table = &[
    ("priority", Role::Number),
    ("direction", Role::Direction),
    ("allow", Role::Allowed),
    ("deny", Role::Denied),
    ("source_ranges", Role::From),
    ("source_tags", Role::From),
    ("source_service_accounts", Role::From),
    ("destination_ranges", Role::To),
    ("target_tags", Role::Targets),
    ("target_service_accounts", Role::Targets),
    ("disabled", Role::Disabled),
    ("description", Role::Note),
];

const AZURE: Table = &[
    ("priority", Role::Number),
    ("name", Role::Name),
    ("access", Role::Verdict),
    ("direction", Role::Direction),
    ("protocol", Role::Protocol),
    ("destination_port_range", Role::Ports),
    ("destination_port_ranges", Role::Ports),
    ("source_address_prefix", Role::From),
    ("source_address_prefixes", Role::From),
    ("source_application_security_group_ids", Role::From),
    ("destination_address_prefix", Role::To),
    ("destination_address_prefixes", Role::To),
    ("destination_application_security_group_ids", Role::To),
    ("source_port_range", Role::SourcePorts),
    ("source_port_ranges", Role::SourcePorts),
    ("description", Role::Note),
];

/// Where the rules of a resource type are.
#[derive(Clone, Copy)]
enum Shape {
    /// In lists of blocks with these names; whether they are about what leaves.
    Blocks(&'static [(&'static str, bool)], Table),
    /// The resource is a rule; whether of what leaves, where its type says so.
    Rule(Table, Option<bool>),
}

fn shape(resource_type: &str) -> Option<Shape> {
    const BOTH: &[(&str, bool)] = &[("ingress", false), ("egress", true)];
    Some(match resource_type {
        "aws_security_group" | "aws_default_security_group" => Shape::Blocks(BOTH, GROUP),
        "aws_network_acl" | "aws_default_network_acl" => Shape::Blocks(BOTH, ACL),
        "azurerm_network_security_group" => Shape::Blocks(&[("security_rule", false)], AZURE),
        "aws_security_group_rule" => Shape::Rule(GROUP_RULE, None),
        "aws_vpc_security_group_ingress_rule" => Shape::Rule(VPC_GROUP_RULE, Some(false)),
        "aws_vpc_security_group_egress_rule" => Shape::Rule(VPC_GROUP_RULE, Some(true)),
        "aws_network_acl_rule" => Shape::Rule(ACL_RULE, None),
        "azurerm_network_security_rule" => Shape::Rule(AZURE, None),
        "google_compute_firewall" => Shape::Rule(GOOGLE, None),
        _ => return None,
    })
}

/// What a part of a rule's text is about, in the order in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Number,
    Name,
    Verdict,
    Direction,
    Access,
    From,
    To,
    Targets,
    SourcePorts,
    Disabled,
    Note,
}

impl Field {
    const ALL: [Self; 11] = [
        Self::Number,
        Self::Name,
        Self::Verdict,
        Self::Direction,
        Self::Access,
        Self::From,
        Self::To,
        Self::Targets,
        Self::SourcePorts,
        Self::Disabled,
        Self::Note,
    ];

    fn preposition(self) -> &'static str {
        match self {
            Self::From => "from ",
            Self::To => "to ",
            Self::Targets => "for ",
            Self::SourcePorts => "source port ",
            Self::Number
            | Self::Name
            | Self::Verdict
            | Self::Direction
            | Self::Access
            | Self::Disabled
            | Self::Note => "",
        }
    }
}

/// A part of a rule: how it is written, and what it is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Items<'w> {
    texts: Vec<String>,
    raw: Vec<(&'static str, MarkedValue<'w>)>,
}

/// A rule.
struct Rule<'w> {
    fields: [Items<'w>; 11],
}

impl<'w> Rule<'w> {
    /// The rule of an object; none if the form has no place for all of it. `is_block`: all of its members
    /// are part of the rule.
    fn new(object: MarkedValue<'w>, table: Table, is_egress: Option<bool>, is_block: bool) -> Option<Self> {
        let members = object.as_object()?;
        let is_known = |name: &str| table.iter().any(|(known, _)| *known == name);
        if is_block && members.iter().any(|(name, value)| !value.is_null() && !is_known(name)) {
            return None;
        }
        let mut found: Vec<(&'static str, Role, MarkedValue<'w>, Vec<String>)> = Vec::new();
        for (name, role) in table {
            let Some(value) = object.get(name).filter(|value| !value.is_null()) else { continue };
            if value.has_marks {
                return None;
            }
            let texts = match role {
                Role::Allowed => blocks(value, "allow")?,
                Role::Denied => blocks(value, "deny")?,
                _ => texts(value)?,
            };
            found.push((name, *role, value, texts));
        }
        let text_of = |wanted: Role| {
            found.iter().find(|(_, role, ..)| *role == wanted).and_then(|(.., texts)| texts.first().cloned())
        };
        let says_egress = |text: String| matches!(text.to_ascii_lowercase().as_str(), "egress" | "outbound" | "true");
        let direction = || text_of(Role::Direction).or_else(|| text_of(Role::IsEgress)).map(says_egress);
        let leaves = is_egress.or_else(direction).unwrap_or(false);
        let mut rule = Self { fields: Default::default() };
        let mut add = |field: Field, name: &'static str, value: MarkedValue<'w>, texts: Vec<String>| {
            if let Some(items) = rule.fields.get_mut(field as usize) {
                items.raw.push((name, value));
                items.texts.extend(texts);
            }
        };
        for (name, role, value, texts) in &found {
            let (field, texts) = match role {
                Role::Number => (Field::Number, texts.clone()),
                Role::Name => (Field::Name, texts.clone()),
                Role::Verdict => (Field::Verdict, texts.clone()),
                Role::Direction => (Field::Direction, texts.clone()),
                Role::IsEgress => {
                    let word = if leaves { "egress" } else { "ingress" };
                    let is_unknown = value.is_unknown();
                    (Field::Direction, vec![if is_unknown { UNKNOWN } else { word }.to_owned()])
                }
                Role::Protocol
                | Role::FromPort
                | Role::ToPort
                | Role::IcmpType
                | Role::IcmpCode
                | Role::Ports => (Field::Access, Vec::new()),
                Role::Allowed | Role::Denied => (Field::Access, texts.clone()),
                Role::Peer => (if leaves { Field::To } else { Field::From }, texts.clone()),
                Role::ItSelf => {
                    let texts = match texts.first().map(String::as_str) {
                        Some("true") => vec!["itself".to_owned()],
                        Some("false") | None => Vec::new(),
                        Some(other) => vec![format!("itself {other}")],
                    };
                    (if leaves { Field::To } else { Field::From }, texts)
                }
                Role::From => (Field::From, texts.clone()),
                Role::To => (Field::To, texts.clone()),
                Role::Targets => (Field::Targets, texts.clone()),
                Role::SourcePorts => (Field::SourcePorts, texts.clone()),
                Role::Disabled => {
                    let texts = match texts.first().map(String::as_str) {
                        Some("true") => vec!["(disabled)".to_owned()],
                        Some("false") | None => Vec::new(),
                        Some(other) => vec![format!("(disabled {other})")],
                    };
                    (Field::Disabled, texts)
                }
                Role::Note => {
                    let quoted = value.as_str().filter(|text| !text.is_empty()).map(crate::text::quote);
                    let unknown = value.is_unknown().then(|| UNKNOWN.to_owned());
                    (Field::Note, quoted.or(unknown).into_iter().collect())
                }
            };
            add(field, name, *value, texts);
        }
        let ports: Vec<String> = found
            .iter()
            .filter(|(_, role, ..)| *role == Role::Ports)
            .flat_map(|(.., texts)| texts.iter().cloned())
            .collect();
        let access = access(&text_of, &ports);
        if let Some(items) = rule.fields.get_mut(Field::Access as usize) {
            items.texts.extend(access);
        }
        Some(rule)
    }

    fn items(&self, field: Field) -> &Items<'w> {
        static NONE: Items<'static> = Items { texts: Vec::new(), raw: Vec::new() };
        self.fields.get(field as usize).unwrap_or(&NONE)
    }

    fn texts(&self, field: Field) -> Vec<String> {
        self.items(field).texts.clone()
    }

    /// The rule in a line.
    fn line(&self, sign: Sign) -> AccessLine {
        let mut parts = Vec::new();
        for field in Field::ALL {
            words(field, self.texts(field), &mut parts);
        }
        if parts.is_empty() {
            parts.push(Part::Text("rule without attributes".to_owned()));
        }
        AccessLine { depth: 0, sign, parts }
    }

    /// Both sides of a rule in a line; none if what differs would not be seen.
    fn changed(&self, new: &Self) -> Option<AccessLine> {
        let mut parts = Vec::new();
        for field in Field::ALL {
            let (old, new) = (self.items(field), new.items(field));
            if old.texts == new.texts {
                if old.raw != new.raw {
                    return None;
                }
                words(field, old.texts.clone(), &mut parts);
                continue;
            }
            let missing = |from: &[String], other: &[String]| -> Vec<String> {
                from.iter().filter(|text| !other.contains(text)).cloned().collect()
            };
            let removed = missing(&old.texts, &new.texts);
            let added = missing(&new.texts, &old.texts);
            if removed.is_empty() && added.is_empty() {
                return None;
            }
            let stay = old.texts.len().saturating_sub(removed.len());
            space(&mut parts, field.preposition());
            match (&*removed, &*added) {
                ([_], [_]) if stay == 0 => {
                    parts.push(Part::Removed(removed));
                    parts.push(Part::Text(" -> ".to_owned()));
                    parts.push(Part::Added(added));
                }
                _ => {
                    let both = !removed.is_empty() && !added.is_empty();
                    if !removed.is_empty() {
                        parts.push(Part::Text("- ".to_owned()));
                        parts.push(Part::Removed(removed));
                    }
                    if both {
                        parts.push(Part::Text(" ".to_owned()));
                    }
                    if !added.is_empty() {
                        parts.push(Part::Text("+ ".to_owned()));
                        parts.push(Part::Added(added));
                    }
                    if stay > 0 {
                        parts.push(Part::Remark(format!(" ({stay} unchanged)")));
                    }
                }
            }
        }
        Some(AccessLine { depth: 0, sign: Sign::Change, parts })
    }
}

fn space(parts: &mut Vec<Part>, text: &str) {
    let text = if parts.is_empty() { text.to_owned() } else { format!(" {text}") };
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}

fn words(field: Field, texts: Vec<String>, parts: &mut Vec<Part>) {
    if !texts.is_empty() {
        space(parts, field.preposition());
        parts.push(Part::Items(texts));
    }
}

/// `tcp/443`, `all traffic`.
fn access(text_of: &dyn Fn(Role) -> Option<String>, ports: &[String]) -> Option<String> {
    let protocol = text_of(Role::Protocol);
    let range = match (text_of(Role::FromPort), text_of(Role::ToPort)) {
        (None, None) => None,
        (Some(from), Some(to)) if from == to => Some(from),
        (from, to) => {
            let or_any = |port: Option<String>| port.unwrap_or_else(|| "any".to_owned());
            Some(format!("{}-{}", or_any(from), or_any(to)))
        }
    };
    let icmp = match (text_of(Role::IcmpType), text_of(Role::IcmpCode)) {
        (Some(kind), Some(code)) if kind != "0" || code != "0" => Some(format!(" type {kind} code {code}")),
        (Some(kind), None) if kind != "0" => Some(format!(" type {kind}")),
        _ => None,
    };
    let ports: Vec<String> = range.into_iter().chain(ports.iter().cloned()).collect();
    let ports = ports.join(",");
    let text = match protocol.as_deref() {
        Some("-1" | "*" | "all") if matches!(&*ports, "" | "0" | "-1" | "*") => "all traffic".to_owned(),
        Some(protocol) if ports.is_empty() => protocol.to_owned(),
        Some(protocol @ ("icmp" | "icmpv6" | "1" | "58")) if ports == "-1" => protocol.to_owned(),
        Some(protocol) => format!("{protocol}/{ports}"),
        None if ports.is_empty() => return icmp,
        None => format!("port {ports}"),
    };
    Some(text + &icmp.unwrap_or_default())
}

/// Google's blocks of a protocol and ports.
fn blocks(value: MarkedValue<'_>, verdict: &str) -> Option<Vec<String>> {
    let block = |block: &MarkedValue<'_>| {
        let members = block.as_object()?;
        let is_other = |(name, value): &(&str, MarkedValue<'_>)| {
            !value.is_null() && !matches!(*name, "protocol" | "ports")
        };
        if members.iter().any(is_other) {
            return None;
        }
        let text = |name: &str| block.get(name).filter(|value| !value.is_null()).map(texts);
        let protocol = text("protocol").unwrap_or(Some(Vec::new()))?.join("");
        let ports = text("ports").unwrap_or(Some(Vec::new()))?.join(",");
        let slash = if ports.is_empty() { "" } else { "/" };
        Some(format!("{verdict} {protocol}{slash}{ports}"))
    };
    if value.is_unknown() {
        return Some(vec![format!("{verdict} {UNKNOWN}")]);
    }
    value.as_array()?.iter().map(block).collect()
}

/// The texts of a value, or of the elements of a list.
fn texts(value: MarkedValue<'_>) -> Option<Vec<String>> {
    match value.content {
        Content::Null => Some(Vec::new()),
        Content::Unknown => Some(vec![UNKNOWN.to_owned()]),
        Content::String("") => Some(Vec::new()),
        Content::String(text) => Some(vec![bare(text)]),
        Content::Number(text) => Some(vec![text.to_owned()]),
        Content::Bool(flag) => Some(vec![flag.to_string()]),
        Content::Array(items) => {
            let one = |item: &MarkedValue<'_>| match texts(*item).as_deref() {
                Some([text]) if item.as_array().is_none() => Some(text.clone()),
                Some(_) | None => None,
            };
            items.iter().map(one).collect()
        }
        Content::Redacted | Content::Object(_) => None,
    }
}

/// How the rules of a resource change, in place of edits.
pub(super) fn changes<'a>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
) -> Vec<AccessChange<'a>> {
    let Some(shape) = shape(resource_type) else { return Vec::new() };
    let of = |names: &dyn Fn(&str) -> bool| {
        let places: Vec<usize> = edits
            .iter()
            .enumerate()
            .filter(|(_, edit)| names(root_name(edit)))
            .map(|(at, _)| at)
            .collect();
        let all_fit = places.iter().all(|at| edits.get(*at).is_some_and(fits));
        let mut attributes: Vec<&'a str> =
            places.iter().filter_map(|at| edits.get(*at)).map(root_name).collect();
        attributes.dedup();
        (all_fit && !places.is_empty()).then_some((attributes, places))
    };
    let change = |(attributes, edits): (Vec<&'a str>, Vec<usize>), lines: Vec<AccessLine>| {
        (!lines.is_empty()).then_some(AccessChange { attributes, edits, is_whole: false, lines })
    };
    match shape {
        Shape::Blocks(names, table) => {
            let list = |(name, is_egress): &(&str, bool)| {
                let found = of(&|root| root == *name)?;
                let (old, new) = (before.get(name), after.get(name));
                change(found, compared(list(old, table, *is_egress)?, list(new, table, *is_egress)?)?)
            };
            names.iter().filter_map(list).collect()
        }
        Shape::Rule(table, is_egress) => {
            let rule = || {
                let found = of(&|root| table.iter().any(|(name, _)| *name == root))?;
                let old = Rule::new(before, table, is_egress, false)?;
                let new = Rule::new(after, table, is_egress, false)?;
                change(found, vec![old.changed(&new)?])
            };
            rule().into_iter().collect()
        }
    }
}

/// The rules of an object that is created or destroyed.
pub(super) fn whole<'a>(
    resource_type: &str,
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
) -> Vec<AccessChange<'a>> {
    let Some(shape) = shape(resource_type) else { return Vec::new() };
    let (object, sign) = if before.is_null() { (after, Sign::Add) } else { (before, Sign::Remove) };
    match shape {
        Shape::Blocks(names, table) => {
            let of = |(name, is_egress): &(&'static str, bool)| {
                let rules = list(object.get(name), table, *is_egress)?;
                let lines: Vec<AccessLine> = rules.iter().map(|(_, rule)| rule.line(sign)).collect();
                (!lines.is_empty()).then(|| AccessChange {
                    attributes: vec![*name],
                    edits: Vec::new(),
                    is_whole: false,
                    lines,
                })
            };
            names.iter().filter_map(of).collect()
        }
        Shape::Rule(table, is_egress) => {
            let rule = Rule::new(object, table, is_egress, false);
            let change = |rule: Rule<'_>| AccessChange {
                attributes: table.iter().map(|(name, _)| *name).collect(),
                edits: Vec::new(),
                is_whole: true,
                lines: vec![rule.line(sign)],
            };
            rule.map(change).into_iter().collect()
        }
    }
}

type Rules<'w> = Vec<(MarkedValue<'w>, Rule<'w>)>;

/// The rules of a list of blocks. A list that is unknown, or of which a rule does not fit the form, has none.
fn list<'w>(value: Option<MarkedValue<'w>>, table: Table, is_egress: bool) -> Option<Rules<'w>> {
    let Some(value) = value.filter(|value| !value.is_null()) else { return Some(Vec::new()) };
    if value.has_marks {
        return None;
    }
    let direction = (!table.iter().any(|(_, role)| *role == Role::Direction)).then_some(is_egress);
    let rule = |item: &MarkedValue<'w>| Some((*item, Rule::new(*item, table, direction, true)?));
    value.as_array()?.iter().map(rule).collect()
}

fn compared(old: Rules<'_>, new: Rules<'_>) -> Option<Vec<AccessLine>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| old.get(at).map(|(value, _)| *value), |at| new.get(at).map(|(value, _)| *value));
    let equal = pairs.pairs().count();
    let keys: [&[Field]; 6] = [
        &[Field::Name, Field::Number],
        &[Field::Name],
        &[Field::Verdict, Field::Direction, Field::Access, Field::Note],
        &[Field::Verdict, Field::Direction, Field::From, Field::To, Field::Note],
        &[Field::Verdict, Field::Direction, Field::Access],
        &[Field::Number],
    ];
    for fields in keys {
        let key = |rules: &Rules<'_>, at: usize| {
            let (_, rule) = rules.get(at)?;
            let key: Vec<Vec<String>> = fields.iter().map(|field| rule.texts(*field)).collect();
            let names_it = |field: &Field| matches!(field, Field::Name | Field::Number);
            let is_named = !fields.iter().any(names_it) || key.iter().all(|texts| !texts.is_empty());
            is_named.then_some(key)
        };
        pairs.join(|at| key(&old, at), |at| key(&new, at));
    }
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    lines.extend(removed.iter().filter_map(|at| old.get(*at)).map(|(_, rule)| rule.line(Sign::Remove)));
    for (from, to) in pairs.pairs() {
        let ((before, old), (after, new)) = (old.get(from)?, new.get(to)?);
        if before != after {
            lines.push(old.changed(new)?);
        }
    }
    lines.extend(added.iter().filter_map(|at| new.get(*at)).map(|(_, rule)| rule.line(Sign::Add)));
    if equal > 0 && !lines.is_empty() {
        let remark = crate::review::count(equal, "other rule");
        let stay = if equal == 1 { "stays" } else { "stay" };
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark(format!("{remark} {stay}"))]));
    } else if new.is_empty() && !lines.is_empty() {
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark("now empty".to_owned())]));
    }
    Some(lines)
}
