//! One firewall rule and its line of text.

use std::collections::HashSet;

use super::{AccessLine, Part, UNKNOWN, bare};
use crate::access::{Role, RuleAttributes, Table, names};
use crate::diff::value::{Content, MarkedValue};
use crate::report::Sign;

/// The parts of a rule's text, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
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
    /// All of them, each with the words in front of it.
    const ALL: [(Self, &'static str); 11] = [
        (Self::Number, ""),
        (Self::Name, ""),
        (Self::Verdict, ""),
        (Self::Direction, ""),
        (Self::Access, ""),
        (Self::From, "from "),
        (Self::To, "to "),
        (Self::Targets, "for "),
        (Self::SourcePorts, "source port "),
        (Self::Disabled, ""),
        (Self::Note, ""),
    ];

    /// The part that an attribute with this meaning belongs to. `leaves` says whether the rule is for outgoing traffic.
    fn of(role: Role, leaves: bool) -> Self {
        match role {
            Role::Number => Self::Number,
            Role::Name => Self::Name,
            Role::Verdict => Self::Verdict,
            Role::Direction | Role::IsEgress => Self::Direction,
            Role::Protocol
            | Role::FromPort
            | Role::ToPort
            | Role::IcmpType
            | Role::IcmpCode
            | Role::Ports
            | Role::PortOptions
            | Role::Allowed
            | Role::Denied => Self::Access,
            Role::Peer | Role::SelfReference if leaves => Self::To,
            Role::Peer | Role::SelfReference | Role::From => Self::From,
            Role::To => Self::To,
            Role::Targets => Self::Targets,
            Role::SourcePorts => Self::SourcePorts,
            Role::Disabled => Self::Disabled,
            Role::Note => Self::Note,
        }
    }
}

/// One part of a rule: its texts, and the attributes with the values that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Items<'w> {
    pub(super) texts: Vec<String>,
    raw: Vec<(&'static str, MarkedValue<'w>)>,
}

/// A firewall rule.
pub(super) struct Rule<'w> {
    fields: [Items<'w>; 11],
}

impl<'w> Rule<'w> {
    /// Parses the rule of an object; `None` if it has attributes that a line cannot show. If `is_block`,
    /// every attribute of the object must be part of the rule.
    pub(super) fn new(
        object: MarkedValue<'w>,
        table: Table,
        is_egress: Option<bool>,
        is_block: bool,
    ) -> Option<Self> {
        let is_other = |(name, value): &(&str, MarkedValue<'_>)| {
            !value.is_null() && !names(table).any(|known| known == *name)
        };
        if object.as_object()?.iter().any(is_other) && is_block {
            return None;
        }
        let mut found: Vec<(&'static str, Role, MarkedValue<'w>, Vec<String>)> = Vec::new();
        for (name, role, value) in RuleAttributes::read(object, table).0 {
            if value.has_marks {
                return None;
            }
            let verdict =
                [(Role::Allowed, "allow"), (Role::Denied, "deny")].into_iter().find(|one| one.0 == role);
            let texts = verdict.map_or_else(|| texts(value), |(_, verdict)| blocks(value, verdict))?;
            found.push((name, role, value, texts));
        }
        let text_of = |wanted: Role| {
            found.iter().find(|(_, role, ..)| *role == wanted).and_then(|(.., texts)| texts.first().cloned())
        };
        let says_egress =
            |text: String| matches!(text.to_ascii_lowercase().as_str(), "egress" | "outbound" | "true");
        let direction = || text_of(Role::Direction).or_else(|| text_of(Role::IsEgress)).map(says_egress);
        let leaves = is_egress.or_else(direction).unwrap_or(false);
        let mut rule = Self { fields: Default::default() };
        for (name, role, value, texts) in &found {
            let flag = |begin: &str, end: &str| match texts.first().map(String::as_str) {
                Some("true") => vec![format!("{begin}{end}")],
                Some("false") | None => Vec::new(),
                Some(other) => vec![format!("{begin} {other}{end}")],
            };
            let texts = match role {
                // The line has what these say together.
                Role::Protocol
                | Role::FromPort
                | Role::ToPort
                | Role::IcmpType
                | Role::IcmpCode
                | Role::Ports
                | Role::PortOptions => Vec::new(),
                Role::IsEgress if !value.is_unknown() => {
                    vec![if leaves { "egress" } else { "ingress" }.to_owned()]
                }
                Role::SelfReference => flag("itself", ""),
                Role::Disabled => flag("(disabled", ")"),
                Role::Note => match value.as_str() {
                    Some(text) if !text.is_empty() => vec![crate::text::quote(text)],
                    Some(_) => Vec::new(),
                    None => texts.clone(),
                },
                Role::Number
                | Role::Name
                | Role::Verdict
                | Role::Direction
                | Role::IsEgress
                | Role::Allowed
                | Role::Denied
                | Role::Peer
                | Role::From
                | Role::To
                | Role::Targets
                | Role::SourcePorts => texts.clone(),
            };
            let items = &mut rule.fields[Field::of(*role, leaves) as usize];
            items.raw.push((name, *value));
            items.texts.extend(texts);
        }
        let ports: Vec<String> = found
            .iter()
            .filter(|(_, role, ..)| *role == Role::Ports)
            .flat_map(|(.., texts)| texts.iter().cloned())
            .collect();
        rule.fields[Field::Access as usize].texts.extend(access(&text_of, &ports));
        Some(rule)
    }

    /// Parses the rule of a block.
    pub(super) fn from_block(block: MarkedValue<'w>, table: Table, is_egress: bool) -> Option<Self> {
        let has_direction = table.iter().any(|(role, _)| *role == Role::Direction);
        Self::new(block, table, (!has_direction).then_some(is_egress), true)
    }

    pub(super) fn items(&self, field: Field) -> &Items<'w> {
        &self.fields[field as usize]
    }

    /// The rule as a line.
    pub(super) fn line(&self, sign: Sign) -> AccessLine {
        let mut parts = Vec::new();
        for (field, before) in Field::ALL {
            words(field, before, &self.items(field).texts, &mut parts);
        }
        if parts.is_empty() {
            parts.push(Part::Text("rule without attributes".to_owned()));
        }
        AccessLine { depth: 0, sign, parts }
    }

    /// The lines of a changed rule: one line with both sides if at most one part differs (beside the
    /// description), otherwise the old line and the new one. A remark names attributes that are written
    /// differently with the same meaning, such as an empty list for a missing one.
    pub(super) fn changed(&self, new: &Self) -> Vec<AccessLine> {
        let mut parts = Vec::new();
        let mut differing = 0;
        let mut rewritten: Vec<&str> = Vec::new();
        for (field, before) in Field::ALL {
            let (old, new) = (self.items(field), new.items(field));
            let missing = |from: &[String], other: &[String]| -> Vec<String> {
                let other: HashSet<&String> = other.iter().collect();
                from.iter().filter(|text| !other.contains(text)).cloned().collect()
            };
            let removed = missing(&old.texts, &new.texts);
            let added = missing(&new.texts, &old.texts);
            if removed.is_empty() && added.is_empty() {
                let is_kept =
                    |raw: &&(&'static str, MarkedValue<'_>), other: &Items<'_>| other.raw.contains(raw);
                let lost = old.raw.iter().filter(|raw| !is_kept(raw, new));
                let gained = new.raw.iter().filter(|raw| !is_kept(raw, old));
                rewritten.extend(lost.chain(gained).map(|(name, _)| *name));
                words(field, before, &new.texts, &mut parts);
                continue;
            }
            differing += usize::from(field != Field::Note);
            let stay = old.texts.len().saturating_sub(removed.len());
            space(&mut parts, before);
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
        let mut lines = match differing {
            0 | 1 => vec![AccessLine { depth: 0, sign: Sign::Change, parts }],
            _ => vec![self.line(Sign::Remove), new.line(Sign::Add)],
        };
        rewritten.sort_unstable();
        rewritten.dedup();
        if let Some(last) = lines.last_mut()
            && !rewritten.is_empty()
        {
            let names = rewritten.join(", ");
            last.parts.push(Part::Remark(format!(" ({names}: written differently, means the same)")));
        }
        lines
    }
}

fn space(parts: &mut Vec<Part>, text: &str) {
    let text = if parts.is_empty() { text.to_owned() } else { format!(" {text}") };
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}

fn words(field: Field, before: &str, texts: &[String], parts: &mut Vec<Part>) {
    // Nearly all rules allow any source port.
    let is_any_port = field == Field::SourcePorts && texts == ["*"];
    if !texts.is_empty() && !is_any_port {
        space(parts, before);
        parts.push(Part::Items(texts.to_vec()));
    }
}

/// The protocol and ports: `tcp/443`, `all traffic`.
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
    let all = |protocol: &str| if protocol == "-1" { "all".to_owned() } else { protocol.to_owned() };
    let text = match protocol.as_deref() {
        Some("-1" | "*" | "all") if matches!(&*ports, "" | "0" | "-1" | "*") => "all traffic".to_owned(),
        Some(protocol) if ports.is_empty() => protocol.to_owned(),
        Some(protocol @ ("icmp" | "icmpv6" | "1" | "58")) if ports == "-1" => protocol.to_owned(),
        Some(protocol) => format!("{}/{ports}", all(protocol)),
        None if ports.is_empty() => return icmp,
        None => format!("port {ports}"),
    };
    Some(text + &icmp.unwrap_or_default())
}

/// The `allow` or `deny` blocks of Google, each a protocol with ports.
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

/// The texts of a scalar or of the elements of a list; `None` for other values.
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
