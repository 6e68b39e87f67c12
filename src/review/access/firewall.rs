//! Writes firewall rules as lines: AWS security groups and network ACLs, Google firewalls, Azure network security
//! groups.
//!
//! ```text
//! before  ingress = [{ protocol = "tcp", from_port = 22, to_port = 22, cidr_blocks = ["10.0.0.0/8"] }]
//! after   ingress = [{ protocol = "tcp", from_port = 443, to_port = 443, cidr_blocks = ["0.0.0.0/0"] }]
//!
//! - tcp/22 from 10.0.0.0/8
//! + tcp/443 from 0.0.0.0/0
//! ```

use std::collections::{HashMap, HashSet};

use super::{AccessChange, AccessLine, ElementPlace, Part, bare, fits};
use crate::access::{Field, Shape, UNKNOWN, attributes, shape};
use crate::diff::edits::{Edit, Label};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Sign, Tone};
use crate::review::count;
use crate::review::pairs::Pairs;
use crate::review::paths::root_name;

/// The labels of edits that lines of rules may replace. The providers define rules as sets, so their order is
/// insignificant even where no schema proves it, and an empty value equals a missing one.
const SHOWN: [Label; 4] = [Label::Case, Label::Moved, Label::Order, Label::Empty];

/// Returns the changed rules of a resource as lines, which replace their edits.
pub(super) fn changes<'a>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
) -> Vec<AccessChange<'a>> {
    let edited = |is_own: &dyn Fn(&str) -> bool| {
        let of_rules = edits
            .iter()
            .enumerate()
            .filter(|(_, edit)| is_own(root_name(edit)));
        let all_fit = of_rules.clone().all(|(_, edit)| fits(edit, &SHOWN));
        let (mut attributes, places): (Vec<&'a str>, Vec<usize>) = of_rules
            .map(|(index, edit)| (root_name(edit), index))
            .unzip();
        attributes.dedup();
        (all_fit && !places.is_empty()).then_some((attributes, places))
    };
    let of_list = |name: &&'static str| {
        let (attributes, places) = edited(&|root| root == *name)?;
        let mut lines = compared(
            blocks(before, name)?,
            blocks(after, name)?,
            resource_type,
            name,
        )?;
        let rule_edits = places.iter().filter_map(|index| edits.get(*index));
        let is_rule = |edit: &&Edit<'_>| edit.path.len() == 2 && edit.labels.contains(Label::Moved);
        let moved = rule_edits.filter(is_rule).count();
        if moved > 0 && !lines.is_empty() {
            let what = count(moved, "other place");
            let remark =
                format!("{what} in the list, which is not significant: the rules are a set");
            lines.push(AccessLine::note(remark, Tone::Muted));
        }
        AccessChange::new(attributes, places, name, lines)
    };
    let of_rule = |is_egress: Option<bool>| {
        let (names, places) =
            edited(&|root| attributes(resource_type).any(|(_, name)| name == root))?;
        let [old, new] = [before, after].map(|object| Rule::new(object, resource_type, is_egress));
        AccessChange::new(names, places, "", old?.changed(&new?))
    };
    match shape(resource_type) {
        None => Vec::new(),
        Some(Shape::Blocks(lists)) => lists.iter().filter_map(of_list).collect(),
        Some(Shape::Rule(is_egress)) => of_rule(is_egress).into_iter().collect(),
    }
}

/// Returns the rules of an object that is created or destroyed as lines.
pub(super) fn of_object<'a>(
    resource_type: &str,
    object: MarkedValue<'_>,
    sign: Sign,
) -> Vec<AccessChange<'a>> {
    match shape(resource_type) {
        None => Vec::new(),
        Some(Shape::Blocks(lists)) => {
            let of_list = |name: &&'static str| {
                let mut lines = Vec::new();
                for (index, block) in blocks(object, name)?.iter().enumerate() {
                    let rule = Rule::of_block(*block, resource_type, name)?;
                    let element = ElementPlace::on_side(sign, Some(index));
                    lines.push(rule.line(sign).about(element));
                }
                AccessChange::new(vec![*name], Vec::new(), name, lines)
            };
            lists.iter().filter_map(of_list).collect()
        }
        Some(Shape::Rule(is_egress)) => {
            let lines = Rule::new(object, resource_type, is_egress)
                .iter()
                .map(|rule| rule.line(sign))
                .collect();
            let names = attributes(resource_type).map(|(_, name)| name).collect();
            let change = AccessChange::new(names, Vec::new(), "", lines);
            change
                .map(|change| AccessChange {
                    title: String::new(),
                    ..change
                })
                .into_iter()
                .collect()
        }
    }
}

/// Returns the blocks in a list; `None` if the value is not a list, or has marks.
fn blocks<'w>(object: MarkedValue<'w>, name: &str) -> Option<&'w [MarkedValue<'w>]> {
    match object.get(name).filter(|value| !value.is_null()) {
        None => Some(&[]),
        Some(value) if value.has_marks => None,
        Some(value) => value.as_array(),
    }
}

/// Returns the changes between two lists of rules as lines. `None` if a rule has attributes that a line cannot show.
fn compared<'w>(
    old: &[MarkedValue<'w>],
    new: &[MarkedValue<'w>],
    resource_type: &str,
    list: &str,
) -> Option<Vec<AccessLine>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(
        |rule_index| old.get(rule_index),
        |rule_index| new.get(rule_index),
    );
    let equal = pairs.pairs().count();
    let (removed, added) = pairs.alone();
    let read = |places: Vec<usize>, items: &[MarkedValue<'w>]| {
        let rule = |rule_index| {
            Some((
                rule_index,
                Rule::of_block(*items.get(rule_index)?, resource_type, list)?,
            ))
        };
        places
            .into_iter()
            .map(rule)
            .collect::<Option<HashMap<_, _>>>()
    };
    let (old, new, is_empty) = (read(removed, old)?, read(added, new)?, new.is_empty());
    let keys: [&[Field]; 6] = [
        &[Field::Name, Field::Number],
        &[Field::Name],
        &[Field::Verdict, Field::Direction, Field::Access, Field::Note],
        &[
            Field::Verdict,
            Field::Direction,
            Field::From,
            Field::To,
            Field::Note,
        ],
        &[Field::Verdict, Field::Direction, Field::Access],
        &[Field::Number],
    ];
    for fields in keys {
        let key = |rules: &HashMap<usize, Rule<'_>>, rule_index: usize| {
            let rule = rules.get(&rule_index)?;
            let key: Vec<_> = fields
                .iter()
                .map(|field| rule.fields[*field as usize].texts.clone())
                .collect();
            let is_named = matches!(fields, [Field::Name | Field::Number, ..]);
            (!is_named || key.iter().all(|texts| !texts.is_empty())).then_some(key)
        };
        pairs.join(
            |rule_index| key(&old, rule_index),
            |rule_index| key(&new, rule_index),
        );
    }
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    let alone = |rules: &HashMap<usize, Rule<'_>>, indices: Vec<usize>, sign| {
        let line = |index: usize| {
            let line = rules.get(&index)?.line(sign);
            Some(line.about(ElementPlace::on_side(sign, Some(index))))
        };
        indices.into_iter().filter_map(line).collect::<Vec<_>>()
    };
    lines.extend(alone(&old, removed, Sign::Remove));
    for (from, to) in pairs.pairs() {
        if let (Some(old), Some(new)) = (old.get(&from), new.get(&to)) {
            let element = ElementPlace::new(Some(from), Some(to));
            let changed = old.changed(new).into_iter();
            lines.extend(changed.map(|line| line.about(element)));
        }
    }
    lines.extend(alone(&new, added, Sign::Add));
    if equal > 0 && !lines.is_empty() {
        let stay = if equal == 1 { "stays" } else { "stay" };
        lines.push(AccessLine::note(
            format!("{} {stay}", count(equal, "other rule")),
            Tone::Muted,
        ));
    } else if is_empty && !lines.is_empty() {
        lines.push(AccessLine::note("now empty", Tone::Alert));
    }
    Some(lines)
}

/// A firewall rule as the texts of a line.
struct Rule<'w> {
    /// The texts of each `Field`, in the order of a line.
    fields: [Items<'w>; 12],
}

/// The text before each field in a line, in the order of `Field`.
const BEFORE: [&str; 12] = [
    "",
    "",
    "",
    "",
    "",
    "from ",
    "to ",
    "",
    "for ",
    SOURCE_PORT,
    "",
    "",
];
/// The text before the source port, which also identifies that field.
const SOURCE_PORT: &str = "source port ";

/// The texts of one field of a rule, and the attributes that they are from.
#[derive(Clone, Debug, Default)]
struct Items<'w> {
    /// The texts in a line.
    texts: Vec<String>,
    /// The names and values of the attributes, which may differ although the texts are equal.
    raw: Vec<(&'static str, MarkedValue<'w>)>,
}

impl<'w> Rule<'w> {
    /// Reads a rule that is a block of a list. `None` if a line cannot show one of its attributes.
    fn of_block(block: MarkedValue<'w>, resource_type: &str, list: &str) -> Option<Self> {
        let is_shown = |(name, value): &(&str, MarkedValue<'_>)| {
            value.is_null() || attributes(resource_type).any(|(_, known)| known == *name)
        };
        block.as_object()?.iter().all(is_shown).then_some(())?;
        Self::new(block, resource_type, (list == "egress").then_some(true))
    }

    /// Reads the rule of an object or a block. `None` if it has marks or a value that a line cannot show. `is_egress`
    /// is whether the list is one of outgoing rules, if the list says so.
    fn new(object: MarkedValue<'w>, resource_type: &str, is_egress: Option<bool>) -> Option<Self> {
        object.as_object()?;
        let says_egress = |text: String| {
            matches!(
                text.to_ascii_lowercase().as_str(),
                "egress" | "outbound" | "true"
            )
        };
        let direction = || text_of(object, &["type", "direction", "egress"]).map(says_egress);
        let leaves = is_egress.or_else(direction).unwrap_or(false);
        let mut fields: [Items<'w>; 12] = Default::default();
        for (field, name) in attributes(resource_type) {
            let Some(value) = object.get(name).filter(|value| !value.is_null()) else {
                continue;
            };
            if value.has_marks {
                return None;
            }
            let is_list = matches!(name, "allow" | "deny");
            let texts_of_field = if is_list {
                protocols(value, name)?
            } else {
                texts(value)?
            };
            let flag = |begin: &str, end: &str| match texts_of_field.first().map(String::as_str) {
                Some("true") => vec![format!("{begin}{end}")],
                Some("false") | None => Vec::new(),
                Some(other) => vec![format!("{begin} {other}{end}")],
            };
            let (field, texts_of_field) = match (field, value.as_str()) {
                (Field::Peer, _) => {
                    let texts_of_field = if name == "self" {
                        flag("itself", "")
                    } else {
                        texts_of_field
                    };
                    (if leaves { Field::To } else { Field::From }, texts_of_field)
                }
                (Field::Disabled, _) => (field, flag("(disabled", ")")),
                (Field::Note, Some(text)) if !text.is_empty() => {
                    (field, vec![crate::text::quote(text)])
                }
                (Field::Direction, _) if name == "egress" && !value.is_unknown() => (
                    field,
                    vec![if leaves { "egress" } else { "ingress" }.to_owned()],
                ),
                // The text of the protocol and the ports is made of all these attributes together.
                (Field::Access, _) if !is_list => (field, Vec::new()),
                _ => (field, texts_of_field),
            };
            fields[field as usize].raw.push((name, value));
            fields[field as usize].texts.extend(texts_of_field);
        }
        fields[Field::Access as usize].texts.extend(access(object));
        // The provider computes the destination of an incoming rule.
        let is_incoming = |text: &String| text.eq_ignore_ascii_case("ingress");
        let target = &fields[Field::To as usize];
        let is_computed = target.raw.iter().all(|(_, value)| value.is_unknown());
        if is_computed
            && fields[Field::Direction as usize]
                .texts
                .iter()
                .any(is_incoming)
        {
            fields[Field::To as usize].texts.clear();
        }
        Some(Self { fields })
    }

    /// Returns the line of the whole rule.
    fn line(&self, sign: Sign) -> AccessLine {
        let mut parts = Vec::new();
        for (index, (before, items)) in BEFORE.iter().zip(&self.fields).enumerate() {
            let start = parts.len();
            words(before, &items.texts, &mut parts);
            if index == Field::Note as usize {
                for part in parts.iter_mut().skip(start) {
                    part.tone = Tone::Muted;
                }
            }
        }
        if parts.is_empty() {
            parts.push(Part::text("rule without attributes"));
        }
        AccessLine::new(0, sign, parts)
    }

    /// Returns the lines of a change to another rule: one line with both sides if at most one field differs besides the
    /// description, otherwise a line for each side. A remark names attributes that are written differently with the
    /// same meaning.
    fn changed(&self, new: &Self) -> Vec<AccessLine> {
        let mut parts = Vec::new();
        let mut differing = 0;
        let mut rewritten: Vec<&str> = Vec::new();
        for (index, before) in BEFORE.iter().enumerate() {
            let (old, new) = (&self.fields[index], &new.fields[index]);
            let missing = |from: &[String], other: &[String]| -> Vec<String> {
                let other: HashSet<&String> = other.iter().collect();
                from.iter()
                    .filter(|text| !other.contains(text))
                    .cloned()
                    .collect()
            };
            let removed = missing(&old.texts, &new.texts);
            let added = missing(&new.texts, &old.texts);
            if removed.is_empty() && added.is_empty() {
                let lost = old.raw.iter().filter(|raw| !new.raw.contains(raw));
                let gained = new.raw.iter().filter(|raw| !old.raw.contains(raw));
                rewritten.extend(lost.chain(gained).map(|(name, _)| *name));
                words(before, &new.texts, &mut parts);
                continue;
            }
            differing += usize::from(index != Field::Note as usize);
            let stay = old.texts.len().saturating_sub(removed.len());
            space(&mut parts, before);
            let is_one = removed.len() == 1 && added.len() == 1 && stay == 0;
            let has_both = !removed.is_empty() && !added.is_empty();
            for (sign, tone, items) in [("- ", Tone::Removed, removed), ("+ ", Tone::Added, added)]
            {
                if has_both && tone == Tone::Added {
                    parts.push(Part::text(if is_one { " -> " } else { " " }));
                }
                if !is_one && !items.is_empty() {
                    parts.push(Part::text(sign));
                }
                if !items.is_empty() {
                    parts.push(Part::of(tone, items));
                }
            }
            if stay > 0 {
                parts.push(Part::of(Tone::Muted, vec![format!(" ({stay} unchanged)")]));
            }
        }
        let mut lines = match differing {
            0 | 1 => vec![AccessLine::new(0, Sign::Change, parts)],
            _ => vec![self.line(Sign::Remove), new.line(Sign::Add)],
        };
        rewritten.sort_unstable();
        rewritten.dedup();
        if let Some(last) = lines.last_mut()
            && !rewritten.is_empty()
        {
            let remark = format!(
                " ({}: written differently, means the same)",
                rewritten.join(", ")
            );
            last.parts.push(Part::of(Tone::Muted, vec![remark]));
        }
        lines
    }
}

/// Appends the text before a field, with a space if it is not the first.
fn space(parts: &mut Vec<Part>, text: &str) {
    let text = if parts.is_empty() {
        text.to_owned()
    } else {
        format!(" {text}")
    };
    if !text.is_empty() {
        parts.push(Part::text(text));
    }
}

/// Appends the texts of a field, if it has any that are worth showing.
fn words(before: &str, texts: &[String], parts: &mut Vec<Part>) {
    // Nearly all rules allow any source port.
    let is_any_port = before == SOURCE_PORT && texts == ["*"];
    if !texts.is_empty() && !is_any_port {
        space(parts, before);
        parts.push(Part::of(Tone::Plain, texts.to_vec()));
    }
}

/// Returns the first text of the first of these attributes that has one.
fn text_of(object: MarkedValue<'_>, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| texts(object.get(name)?)?.into_iter().next())
}

/// Returns the protocol and the ports of a rule as one text: `tcp/443`, `all traffic`. `None` if the rule names
/// neither.
fn access(rule: MarkedValue<'_>) -> Option<String> {
    let text = |name: &str| text_of(rule, &[name]);
    let range = match (text("from_port"), text("to_port")) {
        (None, None) => None,
        (Some(from), Some(to)) if from == to => Some(from),
        (from, to) => {
            let or_any = |port: Option<String>| port.unwrap_or_else(|| "any".to_owned());
            Some(format!("{}-{}", or_any(from), or_any(to)))
        }
    };
    let icmp = match (text("icmp_type"), text("icmp_code")) {
        (Some(kind), Some(code)) if kind != "0" || code != "0" => {
            Some(format!(" type {kind} code {code}"))
        }
        (Some(kind), None) if kind != "0" => Some(format!(" type {kind}")),
        _ => None,
    };
    let ports = ["destination_port_range", "destination_port_ranges"];
    let ports = ports
        .iter()
        .filter_map(|name| texts(rule.get(name)?))
        .flatten();
    let ports = range.into_iter().chain(ports).collect::<Vec<_>>().join(",");
    let text = match text_of(rule, &["protocol", "ip_protocol"]).as_deref() {
        Some("-1" | "*" | "all") if matches!(&*ports, "" | "0" | "-1" | "*") => {
            "all traffic".to_owned()
        }
        Some(protocol) if ports.is_empty() => protocol.to_owned(),
        Some(protocol @ ("icmp" | "icmpv6" | "1" | "58")) if ports == "-1" => protocol.to_owned(),
        Some("-1") => format!("all/{ports}"),
        Some(protocol) => format!("{protocol}/{ports}"),
        None if ports.is_empty() => return icmp,
        None => format!("port {ports}"),
    };
    Some(text + &icmp.unwrap_or_default())
}

/// Returns the texts of the blocks `allow` and `deny` of a Google firewall: `allow tcp/443`. `None` if a block has
/// other attributes.
fn protocols(value: MarkedValue<'_>, verdict: &str) -> Option<Vec<String>> {
    let block = |block: &MarkedValue<'_>| {
        let is_shown = |(name, value): &(&str, MarkedValue<'_>)| {
            value.is_null() || matches!(*name, "protocol" | "ports")
        };
        block.as_object()?.iter().all(is_shown).then_some(())?;
        let text = |name: &str| block.get(name).map_or(Some(Vec::new()), texts);
        let (protocol, ports) = (text("protocol")?.join(""), text("ports")?.join(","));
        let slash = if ports.is_empty() { "" } else { "/" };
        Some(format!("{verdict} {protocol}{slash}{ports}"))
    };
    if value.is_unknown() {
        return Some(vec![format!("{verdict} {UNKNOWN}")]);
    }
    value.as_array()?.iter().map(block).collect()
}

/// Returns the texts of an attribute; `None` if it is an object, a nested list or sensitive.
fn texts(value: MarkedValue<'_>) -> Option<Vec<String>> {
    match value.content {
        Content::Null | Content::String("") => Some(Vec::new()),
        Content::Unknown => Some(vec![UNKNOWN.to_owned()]),
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
