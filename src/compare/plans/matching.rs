//! Pairs the parts of two plans that belong together, and finds resources that may be renamed.

use bumpalo::Bump;
use foldhash::fast::RandomState;
use foldhash::{HashMap, HashMapExt as _};

use super::items::{Item, Key};
use crate::compare::Subject;
use crate::diff::pairing;
use crate::diff::value::{Builder, MarkedValue};
use crate::review::pairs::{Pair, Pairs};

/// Pairs the parts of two plans by key. Parts that share a key are paired by equal content, then in order.
pub(super) fn pair<'p, 'a>(approved: &[Item<'p, 'a>], now: &[Item<'p, 'a>]) -> Pairs {
    // The numbers of parts in both plans, only for keys that both have and one has several times.
    let mut numbers: HashMap<Key<'_>, [usize; 2]> = HashMap::new();
    approved
        .iter()
        .for_each(|item| numbers.entry(item.key()).or_default()[0] += 1);
    now.iter()
        .for_each(|item| numbers.entry(item.key()).or_default()[1] += 1);
    numbers.retain(|_, [old, new]| *old.min(new) > 0 && *old.max(new) > 1);
    let arena = Bump::new();
    let hasher = RandomState::default();
    let mut pairs = Pairs::new(approved.len(), now.len());
    // Of several parts with the same key, those with equal content belong together.
    let content = |item: Item<'p, 'a>| {
        let key = item.key();
        numbers.get(&key)?;
        let hashes = item
            .values(Builder::new(&arena, &hasher))
            .map(MarkedValue::hash_value);
        Some((key, item.part.change().actions.words().to_owned(), hashes))
    };
    pairs.join(
        |index| content(approved[index]),
        |index| content(now[index]),
    );
    pairs.join(
        |index| Some(approved[index].key()),
        |index| Some(now[index].key()),
    );
    // Pairs objects that are moved in only one of the plans. Two moves from one address to different ones are no pair,
    // because another action is taken than was approved.
    pairs.join(
        |index| Some(approved[index].key()),
        |index| now[index].previous_key(),
    );
    pairs.join(
        |index| approved[index].previous_key(),
        |index| {
            Some(now[index])
                .filter(|item| item.previous.is_empty())
                .map(Item::key)
        },
    );
    pairs
}

/// The maximum number of objects of one type among which renamed ones are searched for. Types with more objects are
/// left out.
const MAX_COUNT: usize = 1_000;

/// Finds objects that are created in the new plan and that may be renamed objects of the approved plan. Returns the
/// address of the latter by the index of the former in `new`.
///
/// A resource that is renamed without a `moved` block is destroyed and created, so this is only a hint for the reader.
pub(super) fn renamed<'p>(
    pairs: &[Pair<usize>],
    old: &[Item<'p, '_>],
    new: &[Item<'p, '_>],
) -> HashMap<usize, &'p str> {
    let mut types: HashMap<&str, (Vec<Item<'p, '_>>, Vec<usize>)> = HashMap::new();
    for pair in pairs {
        // Objects that only the new plan destroys are gone, too.
        let (gone, made) = match *pair {
            Pair::Before(index) => (Some(old[index]), None),
            Pair::Both(was, is) => (
                (new[is].is_destroyed() && !old[was].is_destroyed()).then_some(old[was]),
                None,
            ),
            Pair::After(index) if new[index].is_destroyed() => (Some(new[index]), None),
            Pair::After(index) => (None, Some(index)),
        };
        let Some(item) = gone.or(made.map(|index| new[index])) else {
            continue;
        };
        if item.about.subject == Subject::Resource {
            let of_type = types.entry(item.resource_type).or_default();
            of_type.0.extend(gone);
            of_type.1.extend(made);
        }
    }
    let mut pairs = HashMap::new();
    for (gone, made) in types.into_values() {
        if gone.is_empty() || gone.len() > MAX_COUNT || made.len() > MAX_COUNT {
            continue;
        }
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let build = Builder::new(&arena, &hasher);
        // An object that is destroyed has only a value before.
        let old_value = |item: &Item<'p, '_>| {
            let [before, after] = item.values(build);
            if after.is_null() { before } else { after }
        };
        let old_values: Vec<MarkedValue<'_>> = gone.iter().map(old_value).collect();
        let new_values: Vec<MarkedValue<'_>> = made
            .iter()
            .map(|index| new[*index].values(build)[1])
            .collect();
        for pair in pairing::pair(&old_values, &new_values, pairing::Order::Ignored).pairs {
            if let (Some(before), Some(after)) = (pair.before, pair.after)
                && pairing::is_similar(old_values[before], new_values[after])
            {
                pairs.insert(made[after], gone[before].about.address);
            }
        }
    }
    pairs
}
