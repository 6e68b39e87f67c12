//! Small numbers for equal things, so that comparing two of them costs the same whatever their size.
//!
//! Invariants: two keys have the same number if and only if they are equal; numbers are given in
//! order of first appearance, so that nothing downstream depends on how keys hash.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Gives each distinct key a number.
///
/// Keys are what an alignment compares: [`crate::json::Value`]s, lines (`&str`), or tuples of a
/// value and what else must be equal.
#[derive(Debug)]
pub struct Interner<K> {
    ids: FxHashMap<K, u32>,
    next: u32,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { ids: FxHashMap::default(), next: 0 }
    }
}

impl<K: Hash + Eq> Interner<K> {
    /// The number of `key`.
    pub fn id(&mut self, key: K) -> u32 {
        let next = &mut self.next;
        *self.ids.entry(key).or_insert_with(|| {
            let id = *next;
            *next += 1;
            id
        })
    }

    /// The numbers of several keys.
    pub fn ids(&mut self, keys: impl IntoIterator<Item = K>) -> Vec<u32> {
        keys.into_iter().map(|key| self.id(key)).collect()
    }

    /// A number that equals no other: for an element that must not match anything.
    pub fn fresh(&mut self) -> u32 {
        let id = self.next;
        self.next += 1;
        id
    }
}

/// Matches the elements of two sets. For each element of `before`, in order, the last element of
/// `after` that is equal and that none before it has taken; the answer has its index.
pub fn match_sets(before: &[u32], after: &[u32]) -> Vec<Option<usize>> {
    const END: usize = usize::MAX;
    // The unused elements of each number, the last first: heads by number, links by position.
    let mut heads: FxHashMap<u32, usize> = FxHashMap::default();
    heads.reserve(after.len());
    let links: Vec<usize> =
        after.iter().enumerate().map(|(at, id)| heads.insert(*id, at).unwrap_or(END)).collect();
    let mut take = |id: &u32| {
        let head = heads.get_mut(id)?;
        let at = *head;
        *head = *links.get(at)?;
        Some(at)
    };
    before.iter().map(&mut take).collect()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use crate::json::parse;

    #[test]
    fn equal_values_and_no_others_share_a_number() {
        let arena = Bump::new();
        let texts = ["1", "1.0", "\"1\"", "[1]", "{\"a\":1,\"b\":2}", "null", "[]", "{}", "[[1]]", "[1,1]"];
        let mut interner = Interner::default();
        let first: Vec<u32> = texts.iter().map(|text| interner.id(parse(text, &arena).unwrap())).collect();
        assert_eq!(first, (0..10).collect::<Vec<u32>>());
        let again = texts.iter().map(|text| interner.id(parse(text, &arena).unwrap())).collect::<Vec<_>>();
        assert_eq!(first, again);
        assert_eq!(interner.id(parse("{\"b\":2, \"a\":1}", &arena).unwrap()), 4);
        assert_eq!(interner.fresh(), 10);
        assert_eq!(interner.id(parse("true", &arena).unwrap()), 11);
    }

    #[test]
    fn the_last_unused_match_wins() {
        assert_eq!(match_sets(&[1, 2, 1, 1, 1], &[1, 3, 1, 1]), [Some(3), None, Some(2), Some(0), None]);
    }

    proptest! {
        #[test]
        fn sets_match_as_one_by_one(
            before in prop::collection::vec(0u32..6, 0..20),
            after in prop::collection::vec(0u32..6, 0..20),
        ) {
            let mut used = vec![false; after.len()];
            let slow: Vec<Option<usize>> = before.iter().map(|id| {
                let found = (0..after.len()).rev().find(|&at| !used[at] && after[at] == *id);
                if let Some(at) = found { used[at] = true; }
                found
            }).collect();
            prop_assert_eq!(match_sets(&before, &after), slow);
        }
    }
}
