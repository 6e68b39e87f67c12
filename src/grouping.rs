//! Counting and grouping of items by a key.

use std::collections::BTreeMap;
use std::hash::Hash;

use indexmap::IndexMap;

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
    let mut groups: IndexMap<K, Vec<T>> = IndexMap::new();
    for (key, item) in items {
        groups.entry(key).or_default().push(item);
    }
    groups.into_values().collect()
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
