//! Access: IAM statements and firewall rules, read once, and whom they let do or reach what.
//!
//! Findings and the lines of a review ask this module; neither reads a policy or a rule itself. Comparisons
//! take about linear time: exact names are looked up, and the work on patterns is bounded (`glob::Work`).

mod condition;
mod glob;
mod grants;
mod network;
mod policy;
mod rule;
mod service;
mod traffic;

pub use glob::glob_matches;
pub(crate) use grants::{Grants, grants};
pub(crate) use network::{Network, Peer, are_world};
pub(crate) use policy::{Field, Policies, Policy, Statement, Term, Terms, Word};
pub(crate) use rule::{Role, RuleAttributes, Shape, Table, names, shape};
pub(crate) use service::Class;
pub(crate) use traffic::{Open, Traffic, TrafficReader};

use crate::diff::value::{Content, MarkedValue};

/// The content of a value, if it is known and not sensitive. A missing value is `Null`.
pub(crate) fn known(value: Option<MarkedValue<'_>>) -> Option<Content<'_>> {
    let Some(value) = value else { return Some(Content::Null) };
    let is_read = !matches!(value.content, Content::Unknown | Content::Redacted) && !value.is_hidden;
    is_read.then_some(value.content)
}

/// The content of a member, if it is known and not sensitive.
pub(crate) fn member<'w>(value: MarkedValue<'w>, name: &str) -> Option<Content<'w>> {
    if value.is_hidden || value.is_unknown() { None } else { known(value.get(name)) }
}

/// The text of a string, number or bool.
pub(crate) fn scalar(content: Content<'_>) -> Option<&str> {
    match content {
        Content::String(text) | Content::Number(text) => Some(text),
        Content::Bool(flag) => Some(if flag { "true" } else { "false" }),
        Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) | Content::Object(_) => None,
    }
}

/// Whether a text means everybody: the whole internet, or all users.
pub(crate) fn is_everybody(text: &str) -> bool {
    match text {
        "*" | "Internet" | "Any" | "any" | "0.0.0.0" | "allUsers" | "allAuthenticatedUsers" => true,
        "system:anonymous" | "system:unauthenticated" => true,
        _ => text.rsplit_once('/').is_some_and(|(address, bits)| bits == "0" && is_address(address)),
    }
}

fn is_address(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_named_in_many_ways() {
        for text in ["0.0.0.0/0", "::/0", "*", "Internet", "allUsers"] {
            assert!(is_everybody(text), "{text}");
        }
        for text in ["10.0.0.0/8", "fd00::/8", "128.0.0.0/1", "s3:*", "a/0", "users", ""] {
            assert!(!is_everybody(text), "{text}");
        }
    }
}
