//! Interns elements as small numbers, so that comparing two of them takes constant time.
//!
//! Invariants: two elements have the same number if and only if they are equal. The number is the index
//! of the first equal element, so results do not depend on hash values. The hash is seeded randomly, so
//! no document can be crafted whose elements all collide.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The numbers of the elements of two sequences: indices in the concatenation of `before` and `after`.
///
/// Elements are [`crate::json::Value`]s or lines. They are not copied: the table holds only indices,
/// which keeps it small enough for the CPU caches much longer.
pub fn numbers<K: Hash + Eq>(before: &[K], after: &[K]) -> (Vec<u32>, Vec<u32>) {
    let hasher = RandomState::default();
    let mut first: HashTable<u32> = HashTable::with_capacity(before.len() + after.len());
    let element = |place: u32| {
        let place = place as usize;
        before.get(place).unwrap_or_else(|| &after[place - before.len()])
    };
    let mut number = |place: usize, key: &K| {
        let known = |other: &u32| element(*other) == key;
        let hash = |other: &u32| hasher.hash_one(element(*other));
        *first.entry(hasher.hash_one(key), known, hash).or_insert(place as u32).get()
    };
    let of_before: Vec<u32> = before.iter().enumerate().map(|(at, key)| number(at, key)).collect();
    // Most elements have the same predecessor on both sides: comparing with the next element is cheaper
    // than a lookup in a table that exceeds the cache.
    let mut next = 0;
    let of_after = after.iter().enumerate().map(|(at, key)| {
        if before.get(next) == Some(key) {
            next += 1;
            return of_before[next - 1];
        }
        let number = number(before.len() + at, key);
        if (number as usize) < before.len() {
            next = number as usize + 1;
        }
        number
    });
    let of_after = of_after.collect();
    (of_before, of_after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Value, parse};
    use bumpalo::Bump;
    use proptest::prelude::*;

    proptest! {
        /// Holds for repeated, added, removed and moved elements.
        #[test]
        fn a_number_is_the_first_place_of_an_equal_element(
            before in prop::collection::vec(0u8..6, 0..30), after in prop::collection::vec(0u8..8, 0..30))
        {
            let all = [&before[..], &after].concat();
            let first = |key: &u8| all.iter().position(|other| other == key).unwrap() as u32;
            let (of_before, of_after) = numbers(&before, &after);
            prop_assert_eq!(of_before, before.iter().map(first).collect::<Vec<_>>());
            prop_assert_eq!(of_after, after.iter().map(first).collect::<Vec<_>>());
        }
    }

    #[test]
    fn equal_values_and_no_others_share_a_number() {
        let arena = Bump::new();
        let texts = ["1", "1.0", "\"1\"", "[1]", "{\"a\":1,\"b\":2}", "null", "[]", "{}", "[[1]]", "[1,1]"];
        let values = |texts: &[&'static str]| -> Vec<Value<'_>> {
            texts.iter().map(|text| parse(text, &arena).unwrap()).collect()
        };
        let (before, after) = (values(&texts), values(&["{\"b\":2, \"a\":1}", "true", "[1]", "true"]));
        let (of_before, of_after) = numbers(&before, &after);
        assert_eq!(of_before, (0..10).collect::<Vec<u32>>());
        assert_eq!(of_after, [4, 11, 3, 11]);
        assert_eq!(numbers(&before, &before).1, of_before);
    }
}
