//! Access: IAM statements and firewall rules, read once, and whom they let do or reach what.
//!
//! Findings and the lines of a review ask this module; neither reads a policy or a rule itself. Comparisons
//! take about linear time: exact names are looked up, and the work on patterns is bounded (`glob::Work`).

mod condition;
mod glob;
mod grants;
mod known;
mod network;
mod policy;
mod rule;
mod service;
mod traffic;

pub use glob::glob_matches;
pub(crate) use grants::{Grants, grants};
pub(crate) use known::{known, member, scalar};
pub(crate) use network::{Network, Peer, are_world};
pub(crate) use policy::{Field, Policies, Policy, Statement, Term, Terms, Word};
pub(crate) use rule::{Role, RuleAttributes, Shape, Table, shape};
pub(crate) use service::Class;
pub(crate) use traffic::{Open, Traffic, TrafficReader};

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
