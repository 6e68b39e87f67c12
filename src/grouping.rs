//! Counting and grouping of items by a key.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Returns how often each key occurs, in the order of keys.
pub(crate) fn counts<K: Ord>(keys: impl IntoIterator<Item = K>) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Returns the items of each key. Groups are in the order of their first items, and the items of a group in their
/// order.
pub(crate) fn groups<K: Hash + Eq, T>(items: impl IntoIterator<Item = (K, T)>) -> Vec<Vec<T>> {
    let mut group_of_key: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for (key, item) in items {
        let group = *group_of_key.entry(key).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(item);
    }
    groups
}

#[cfg(test)]
mod tests {
    #[test]
    fn groups_are_in_the_order_of_their_first_items() {
        let groups = super::groups([('b', 1), ('a', 2), ('b', 3)]);
        assert_eq!(groups, [vec![1, 3], vec![2]]);
    }

    #[test]
    fn counts_are_in_the_order_of_keys() {
        let counts = super::counts(["b", "a", "b"]);
        assert_eq!(Vec::from_iter(counts), [("a", 1), ("b", 2)]);
    }
}
