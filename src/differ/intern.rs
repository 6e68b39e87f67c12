//! Small numbers for equal things, so that comparing two of them costs the same whatever their size.
//!
//! Invariants: two keys have the same number if and only if they are equal; numbers are given in
//! order of first appearance, so that nothing downstream depends on how keys hash; how they do
//! cannot be foreseen, so that no document can be made whose keys all collide.

use std::hash::Hash;

use foldhash::HashMap;

/// Gives each distinct key a number.
///
/// Keys are what an alignment compares: [`crate::json::Value`]s, lines (`&str`), or tuples of a
/// value and what else must be equal.
#[derive(Debug)]
pub struct Interner<K> {
    ids: HashMap<K, u32>,
    next: u32,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { ids: HashMap::default(), next: 0 }
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
        let keys = keys.into_iter();
        self.ids.reserve(keys.size_hint().0);
        keys.map(|key| self.id(key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use bumpalo::Bump;

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
        assert_eq!(interner.id(parse("true", &arena).unwrap()), 10);
    }
}
