//! Finds objects that are probably the same under another name.
//!
//! A resource renamed without a `moved` block is destroyed and created. This is only a hint for the reader:
//! such objects never count as the same.

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::pairs::{Item, values};
use crate::diff::pairing;
use crate::diff::value::{Builder, MarkedValue};

/// The maximum number of objects of one type that are compared.
const MAX_COUNT: usize = 1_000;

/// For the index of each new object, the address of a similar removed one.
pub(super) fn find<'p>(gone: &[Item<'p, '_>], new: &[(usize, Item<'p, '_>)]) -> HashMap<usize, &'p str> {
    let mut types: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (at, (_, item)) in new.iter().enumerate() {
        types.entry(&item.change.resource_type).or_default().1.push(at);
    }
    for (at, item) in gone.iter().enumerate() {
        if let Some((places, _)) = types.get_mut(&*item.change.resource_type) {
            places.push(at);
        }
    }
    let mut found = HashMap::new();
    for (old, new_places) in types.into_values() {
        if old.is_empty() || old.len() > MAX_COUNT || new_places.len() > MAX_COUNT {
            continue;
        }
        let arena = Bump::new();
        let hasher = RandomState::default();
        let build = Builder::new(&arena, &hasher);
        // An object that is destroyed has only the value before.
        let old_values: Vec<MarkedValue<'_>> = old
            .iter()
            .map(|at| values(&gone[*at], build))
            .map(|[before, after]| if after.is_null() { before } else { after })
            .collect();
        let new_values: Vec<MarkedValue<'_>> =
            new_places.iter().map(|at| values(&new[*at].1, build)[1]).collect();
        for pair in pairing::pair(&old_values, &new_values, pairing::Order::Ignored).pairs {
            if let (Some(b), Some(a)) = (pair.before, pair.after)
                && pairing::is_similar(old_values[b], new_values[a])
            {
                found.insert(new[new_places[a]].0, &*gone[old[b]].change.address);
            }
        }
    }
    found
}
