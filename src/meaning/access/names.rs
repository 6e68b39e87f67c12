//! Sets of names that something has, such as the policies of a role: what is added is wider, what is removed narrower.

use std::collections::BTreeSet;

use crate::access::readable;
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions};

/// What names stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// Each for something of its own.
    Plain,
    /// Managed policies of AWS, some of which include all others.
    AwsPolicies,
}

/// Returns what it means that names take the place of others: one name, or a set of them. `None` if they are the same.
pub(crate) fn of_names(sides: [Option<MarkedValue<'_>>; 2], names: Names) -> Option<Directions> {
    let [old, new] = sides.map(|side| side.filter(|side| !side.is_null()));
    if old == new {
        return None;
    }
    if [old, new].iter().flatten().any(|side| side.has_unknown()) {
        return Some(Direction::Unknown.into());
    }
    let [old, new] = [old, new].map(names_of);
    let is_all = |side: &BTreeSet<Name<'_>>| {
        names == Names::AwsPolicies
            && side
                .iter()
                .any(|name| matches!(name, Name::Text(text) if lets_everything(text)))
    };
    let found = [
        (!is_all(&old) && !new.is_subset(&old), Direction::Wider),
        (!is_all(&new) && !old.is_subset(&new), Direction::Narrower),
    ];
    let directions: Directions = found
        .into_iter()
        .filter_map(|(holds, direction)| holds.then_some(direction))
        .collect();
    Some(if directions.is_empty() {
        Direction::Same.into()
    } else {
        directions
    })
}

/// Whether a managed policy of AWS allows everything: `AdministratorAccess` of IAM, `FullAWSAccess` of an organization.
pub(crate) fn lets_everything(policy: &str) -> bool {
    policy.ends_with(":aws:policy/AdministratorAccess")
        || matches!(policy, "p-FullAWSAccess" | "p-RCPFullAWSAccess")
}

/// A name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name<'w> {
    /// A text.
    Text(&'w str),
    /// A block, or a hidden value, by its hash.
    Value(u64),
}

/// Returns the names in a value, which is one name or a list of them.
fn names_of(value: Option<MarkedValue<'_>>) -> BTreeSet<Name<'_>> {
    let Some(value) = value else {
        return BTreeSet::new();
    };
    let one = [value];
    let items = match value.content {
        Content::Array(items) => items,
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Object(_) => &one[..],
    };
    items
        .iter()
        .map(|item| match readable(*item) {
            Some(text) => Name::Text(text),
            None => Name::Value(item.hash_value()),
        })
        .collect()
}
