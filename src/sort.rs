//! Stable sorting that adds little machine code.
//!
//! `slice::sort_by` is compiled anew for each type and comparison, about 7 KB each time: 7 % of the binary.
//! Here one compiled sort calls the comparison through a pointer. The methods of slices are faster, and
//! remain where every value of a document is sorted, and for the natural order of numbers and strings. Maps
//! and sets are here because `collect` sorts what it collects.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

pub(crate) fn by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if let Some(places) = places(items.len(), &mut |one, other| {
        compare(&items[one], &items[other])
    }) {
        move_to(places, &mut |one, other| items.swap(one, other));
    }
}

pub(crate) fn by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

pub(crate) fn map<K: Ord, V>(items: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(items);
    map
}

pub(crate) fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

pub(crate) fn tally<K: Ord>(keys: impl IntoIterator<Item = K>) -> BTreeMap<K, usize> {
    let mut numbers = BTreeMap::new();
    keys.into_iter()
        .for_each(|key| *numbers.entry(key).or_default() += 1);
    numbers
}

/// Groups are in the order of their first items.
pub(crate) fn grouped<K: Hash + Eq, T>(items: impl IntoIterator<Item = (K, T)>) -> Vec<Vec<T>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for (key, item) in items {
        let at = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

/// `None` if all items are in order.
fn places(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..length).all(|at| compare(at - 1, at).is_le()) {
        return None;
    }
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|one, other| compare(*one, *other));
    let mut places = vec![0; length];
    for (place, at) in order.into_iter().enumerate() {
        places[at] = place;
    }
    Some(places)
}

fn move_to(mut places: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for at in 0..places.len() {
        while places[at] != at {
            let to = places[at];
            swap(at, to);
            places.swap(at, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_slices_do(items in proptest::collection::vec((0_u8..8, any::<u16>()), 0..40)) {
            let mut sorted = items.clone();
            sorted.sort_by_key(|item| item.0);
            let mut ours = items;
            super::by_key(&mut ours, |item| item.0);
            prop_assert_eq!(ours, sorted);
        }
    }
}
