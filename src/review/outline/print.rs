//! What elements that come or go are made of, as numbers that can be compared.
//!
//! Invariants: secrets take no part, what is hidden has no number; the numbers are keyed afresh by
//! each run, so that no document can be made up in which different values have the same one.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::diff::tree::{Action, Diff, Entry, Node};

/// Hashes of all values that are there, with their place.
pub(super) fn gather(diff: &Diff<'_>, place: u64, facts: &mut FxHashSet<u64>) {
    let below = |what: &str, at: usize| hash(&(place, what, at));
    match diff.node {
        Node::Scalar { before, after, .. } => {
            let value = if diff.action == Action::Create { after } else { before };
            facts.insert(hash(&(place, value.value())));
        }
        Node::Heredoc { lines } => {
            facts.insert(hash(&(place, lines.iter().map(|line| line.text).collect::<Vec<_>>())));
        }
        Node::Json { inner, .. } => gather(inner, below("json", 0), facts),
        Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
            entries.iter().for_each(|entry| gather(&entry.diff, below(entry.key, 0), facts));
        }
        Node::List { items, .. } => {
            items.iter().enumerate().for_each(|(at, item)| gather(item, below("", at), facts));
        }
        Node::Set { items, .. } => items.iter().for_each(|item| gather(item, below("", 0), facts)),
        Node::Block { attributes, groups } => {
            attributes.iter().for_each(|entry| gather(&entry.diff, below(entry.key, 0), facts));
            for group in groups {
                if group.sensitive == (false, false) {
                    group.blocks.iter().for_each(|(_, block)| gather(block, below(group.name, 1), facts));
                }
            }
        }
        Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. } => {}
    }
}

fn hash<T: Hash>(value: &T) -> u64 {
    static KEYS: OnceLock<RandomState> = OnceLock::new();
    KEYS.get_or_init(RandomState::new).hash_one(value)
}

/// The number of all that an element that comes or goes is made of; `None` if not all of it may be
/// looked at. The order counts, but for sets.
pub(super) fn print(diff: &Diff<'_>) -> Option<u64> {
    let all = |items: &[Diff<'_>]| items.iter().map(print).collect::<Option<Vec<u64>>>();
    Some(match diff.node {
        Node::Scalar { before, after, .. } => {
            let value = if diff.action == Action::Create { after } else { before };
            hash(&("scalar", value.value()))
        }
        Node::Heredoc { lines } => hash(&("text", lines.iter().map(|line| line.text).collect::<Vec<_>>())),
        Node::Json { inner, .. } => hash(&("json", print(inner)?)),
        Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
            hash(&("object", named(entries)?))
        }
        Node::List { items, .. } => hash(&("list", all(items)?)),
        Node::Set { items, .. } => {
            let mut prints = all(items)?;
            prints.sort_unstable();
            hash(&("set", prints))
        }
        Node::Block { attributes, groups } => {
            let mut below = Vec::new();
            for group in groups {
                if group.sensitive != (false, false) {
                    return None;
                }
                for (key, block) in group.blocks {
                    below.push((group.name, *key, print(block)?));
                }
            }
            hash(&("block", named(attributes)?, below))
        }
        Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. } => return None,
    })
}

fn named<'a>(entries: &[Entry<'a>]) -> Option<Vec<(&'a str, u64)>> {
    entries.iter().map(|entry| Some((entry.key, print(&entry.diff)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::tree::Slot;
    use crate::json::Value;

    fn scalar(value: Value<'_>) -> Diff<'_> {
        let node = Node::Scalar { before: Slot::Absent, after: Slot::Value(value), is_string: true };
        Diff { action: Action::Create, replace: false, node }
    }

    #[test]
    fn numbers_tell_values_apart() {
        assert_ne!(hash(&Value::String("1")), hash(&Value::Number("1")));
        let (a, b) = (scalar(Value::String("a")), scalar(Value::String("b")));
        let (one, other) = ([a, b], [b, a]);
        let list = |items| print(&Diff { node: Node::List { items, nested: false }, ..a });
        let set = |items| print(&Diff { node: Node::Set { items, nested: false }, ..a });
        assert_ne!(list(&one), list(&other));
        assert_eq!(set(&one), set(&other));
        assert_ne!(list(&[]), set(&[]));
    }
}
