//! Access for everybody: addresses and principals that mean everybody, and the ports of a firewall rule.

use super::side::{member, scalar};
use crate::diff::value::{Content, MarkedValue};

/// Whether a text means everybody: the whole internet (or one half of it, because two rules may cover both),
/// or all users.
pub(super) fn is_everybody(text: &str) -> bool {
    match text {
        "*" | "Internet" | "Any" | "any" | "0.0.0.0" | "allUsers" | "allAuthenticatedUsers" => true,
        "system:anonymous" | "system:unauthenticated" => true,
        _ => text
            .rsplit_once('/')
            .is_some_and(|(address, bits)| matches!(bits, "0" | "1") && is_address(address)),
    }
}

fn is_address(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

/// The traffic that a firewall rule allows: a protocol and port ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Access {
    protocol: Option<String>,
    ports: Vec<(u32, u32)>,
    /// Everything else that distinguishes the rule, as one text to compare.
    other: String,
    /// The same as text for the user.
    label: String,
}

impl Access {
    /// The access of a firewall rule, from the attribute names that providers use.
    pub(super) fn from_rule(rule: MarkedValue<'_>) -> Self {
        let text = |name: &str| member(rule, name).and_then(scalar);
        let protocol = ["protocol", "ip_protocol", "protocols"].iter().find_map(|name| text(name));
        let mut ports = Vec::new();
        if let (Some(from), Some(to)) = (text("from_port"), text("to_port"))
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            let port = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
            ports.push((port(from), port(to)));
        }
        for name in
            ["destination_port_range", "port", "destination_port_ranges", "destination_ports", "ports"]
        {
            match member(rule, name) {
                Some(Content::Array(items)) => {
                    ports.extend(items.iter().filter_map(|item| range(&scalar(item.content)?)));
                }
                Some(value) => ports.extend(scalar(value).and_then(|text| range(&text))),
                None => {}
            }
        }
        // Google's firewalls have lists of `allow` blocks, each with a protocol and ports.
        let (other, allows) = match member(rule, "allow") {
            Some(Content::Array(items)) => (shape(items), items),
            Some(_) | None => (String::new(), &[][..]),
        };
        let label = allows.iter().map(|block| Self::from_rule(*block).label()).collect::<Vec<_>>().join(", ");
        Self { protocol, ports, other, label }
    }

    /// Whether `before` allows everything that `self` allows.
    pub(super) fn is_within(&self, before: &Self) -> bool {
        let all = |protocol: &Option<String>| {
            protocol.as_deref().is_some_and(|word| matches!(word, "-1" | "all" | "*" | "Any" | "any"))
        };
        if self.other != before.other {
            return false;
        }
        if all(&before.protocol) && before.ports.is_empty()
            || all(&before.protocol) && before.protocol.as_deref() == Some("-1")
        {
            return true;
        }
        (self.protocol == before.protocol || all(&before.protocol))
            && (before.ports.is_empty() && self.ports.is_empty()
                || !self.ports.is_empty()
                    && self
                        .ports
                        .iter()
                        .all(|(from, to)| before.ports.iter().any(|(low, high)| low <= from && to <= high)))
    }

    /// The text `tcp/443` or `all ports`; empty if the rule has neither protocol nor ports.
    pub(super) fn label(&self) -> String {
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

/// The blocks as text, which is equal for equal blocks.
fn shape(blocks: &[MarkedValue<'_>]) -> String {
    let mut text = String::new();
    for block in blocks {
        match block.content {
            Content::Object(members) => {
                for (name, value) in members {
                    text.push_str(name);
                    text.push_str(&shape(&[*value]));
                }
            }
            Content::Array(items) => text.push_str(&format!("[{}]", shape(items))),
            content @ (Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)) => text.push_str(&format!("={};", scalar(content).unwrap_or_default())),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_named_in_many_ways() {
        for text in ["0.0.0.0/0", "::/0", "128.0.0.0/1", "*", "Internet", "allUsers"] {
            assert!(is_everybody(text), "{text}");
        }
        for text in ["10.0.0.0/8", "fd00::/8", "s3:*", "a/0", "users", ""] {
            assert!(!is_everybody(text), "{text}");
        }
    }
}
