//! The selection of changes and actions of a plan by an address, and a suggestion for an address that selects nothing.
//!
//! ```text
//! module.net      selects module.net[0].aws_subnet.a and everything else in the module
//! aws_vpc.mian    selects nothing; aws_vpc.main is suggested
//! ```
//!
//! Invariant: an address that selects nothing is an error with a tip, never an empty selection.

use std::collections::BTreeSet;

use super::address::{AddressSelector, with_parents};
use super::plan::{Plan, ResourceChange};
use crate::suggestion::most_similar;

impl AddressSelector {
    /// Whether the object of a change is selected, by its address or by the one before a move.
    pub fn matches_change(&self, change: &ResourceChange<'_>) -> bool {
        self.matches(&change.address)
            || (change.is_moved() && self.matches(&change.previous_address))
    }

    /// Whether any change or action of a plan is selected.
    pub fn is_in(&self, plan: &Plan<'_>) -> bool {
        let mut changes = plan.changes();
        changes.any(|change| self.matches_change(change))
            || plan.actions().any(|action| self.matches(&action.address))
    }
}

/// Returns the known address that is most similar to the typed one; `None` if none is similar enough.
pub fn similar_address(typed: &str, plan: &Plan<'_>) -> Option<String> {
    // Shells remove the quotes of `["key"]`.
    let without_quotes = |address: &str| address.replace('"', "");
    most_similar(typed, known_addresses(plan), without_quotes).map(str::to_owned)
}

/// Returns the addresses of all changes and actions of a plan, and of everything that contains them: their resources
/// and modules.
pub fn known_addresses<'p>(plan: &'p Plan<'_>) -> BTreeSet<&'p str> {
    let actions = plan.actions().map(|action| &*action.address);
    plan.changes()
        .map(|change| &*change.address)
        .chain(actions)
        .flat_map(with_parents)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_address_is_offered() {
        let text = r#"{"resource_changes":[{"address":"module.net[0].aws_subnet.private[\"a.b\"]"},
            {"address":"aws_vpc.main"}], "resource_drift":[{"address":"aws_lb.front"}],
            "action_invocations":[{"address":"action.aws_lambda_invoke.notify"}]}"#;
        let plan: Plan<'_> = crate::json::from_str(text).unwrap();
        for (typed, expected) in [
            ("aws_vpc.mian", Some("aws_vpc.main")),
            ("aws_lb.frnt", Some("aws_lb.front")),
            ("module.nett", Some("module.net")),
            (
                "module.net[0].aws_subnet.private[a.b]",
                Some(r#"module.net[0].aws_subnet.private["a.b"]"#),
            ),
            (
                "module.net[0].aws_subnet.privat",
                Some("module.net[0].aws_subnet.private"),
            ),
            (
                "action.aws_lambda_invoke.notfy",
                Some("action.aws_lambda_invoke.notify"),
            ),
            ("something_else.entirely", None),
            ("", None),
        ] {
            assert_eq!(
                similar_address(typed, &plan).as_deref(),
                expected,
                "{typed}"
            );
        }
    }
}
