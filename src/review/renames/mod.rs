//! Objects that are destroyed at one address and created at another with the same values: what looks like a rename.
//!
//! A rename proves nothing about what is meant, so it changes no count and no finding. Two objects of one type are
//! paired if every value that the configuration of the new one gives is also that of the old one, where each may
//! contain the instance keys of its own object. If several fit, those are paired that an address like that of other
//! pairs connects. The work is that of hashing all values, and of a bounded number of comparisons for each object.

mod fit;

use std::collections::{HashMap, HashSet};

use self::fit::{Object, fit};
use super::entry::{Entry, PlanReview, Reason};
use super::one_line;
use crate::model::Action;
use crate::model::address::resource_address;

/// The code of the reason.
pub(super) const RENAME: &str = "rename";

/// The maximum number of objects with which one is compared.
const MAX_TRIES: usize = 32;
/// The maximum number of different sets of attributes of one resource type.
const MAX_SHAPES: usize = 16;
/// The maximum number of old names for a new one.
const MAX_NAMES: usize = 4;

/// An object that is destroyed, and one that is created with the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename<'a> {
    /// The index of the destroyed object in [`PlanReview::resources`].
    pub from: usize,
    /// The index of the created object.
    pub to: usize,
    /// The attributes with the same values.
    pub equal: Vec<&'a str>,
    /// The attributes that are equal only but for the instance keys of both.
    pub differs: Vec<&'a str>,
}

impl<'a> Rename<'a> {
    /// The destroyed object, and the created one.
    pub(super) fn entries<'r>(&self, review: &'r PlanReview<'a>) -> Option<[&'r Entry<'a>; 2]> {
        Some([review.resources.get(self.from)?, review.resources.get(self.to)?])
    }
}

/// Finds what looks like a rename, and says so in the reasons of the entries.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut types: HashMap<&str, (Vec<Object<'_, '_>>, Vec<Object<'_, '_>>)> = HashMap::new();
    for (at, entry) in review.resources.iter().enumerate() {
        let Some(object) = Object::new(at, entry) else { continue };
        let (old, new) = types.entry(entry.resource_type).or_default();
        if entry.action == Action::Delete { old.push(object) } else { new.push(object) }
    }
    let mut types: Vec<_> =
        types.into_values().filter(|(old, new)| !old.is_empty() && !new.is_empty()).collect();
    crate::sort::by_key(&mut types, |(old, _)| old.first().map(|object| object.at));
    let mut search = Search::default();
    let buckets: Vec<Bucket<'_, '_, '_>> =
        types.iter().flat_map(|(old, new)| fit::buckets(old, new, MAX_SHAPES)).collect();
    buckets.iter().for_each(|bucket| search.propose(bucket));
    search.accept_proposals();
    // What other pairs have in common decides among several that fit.
    buckets.iter().for_each(|bucket| search.by_address(bucket));
    buckets.iter().for_each(|bucket| search.in_order(bucket));
    let mut found = search.pairs;
    crate::sort::by_key(&mut found, |rename| rename.from);
    for Rename { from, to, .. } in &found {
        let address = |at: &usize| review.resources.get(*at).map_or("", |entry| entry.address);
        let (old, new) = (address(from), address(to));
        for (at, text) in [
            (from, format!("looks like a rename: {new} is created with the same values")),
            (to, format!("looks like a rename: {old} is destroyed with the same values")),
        ] {
            if let Some(entry) = review.resources.get_mut(*at) {
                entry.reasons.push(Reason { code: RENAME.to_owned(), text: one_line(&text) });
            }
        }
    }
    review.renames = found;
}

/// Objects with the same values of the same attributes.
struct Bucket<'s, 'e, 'a> {
    old: Vec<&'s Object<'e, 'a>>,
    new: Vec<&'s Object<'e, 'a>>,
    /// Whether the values that they have in common say that they may be the same.
    has_evidence: bool,
}

#[derive(Default)]
struct Search<'e, 'a> {
    pairs: Vec<Rename<'a>>,
    taken: HashSet<usize>,
    /// Pairs of which the new object fits one old object only.
    proposals: Vec<(Rename<'a>, [&'e Entry<'a>; 2])>,
    /// The old modules, names and keys of new ones.
    known: [HashMap<&'e str, Vec<&'e str>>; 3],
}

impl<'e, 'a: 'e> Search<'e, 'a> {
    fn propose<'s>(&mut self, bucket: &Bucket<'s, 'e, 'a>) {
        if !bucket.has_evidence {
            return;
        }
        for new in &bucket.new {
            let mut fits = bucket.old.iter().take(MAX_TRIES).filter_map(|old| Some((fit(old, new)?, old)));
            let (first, second) = (fits.next(), fits.next());
            if let (Some((fit, old)), None, true) = (first, second, bucket.old.len() <= MAX_TRIES) {
                self.proposals.push((fit, [old.entry, new.entry]));
            }
        }
    }

    /// Pairs the objects that fit each other only.
    fn accept_proposals(&mut self) {
        let numbers = crate::sort::tally(self.proposals.iter().map(|(fit, _)| fit.from));
        for (fit, entries) in std::mem::take(&mut self.proposals) {
            if numbers.get(&fit.from) == Some(&1) {
                self.pair(fit, entries);
            }
        }
    }

    fn pair(&mut self, fit: Rename<'a>, [old, new]: [&'e Entry<'a>; 2]) {
        if self.taken.contains(&fit.from) || self.taken.contains(&fit.to) {
            return;
        }
        self.taken.extend([fit.from, fit.to]);
        for ((known, old), new) in self.known.iter_mut().zip(parts(old)).zip(parts(new)) {
            let names = known.entry(new).or_default();
            if names.len() < MAX_NAMES && !names.contains(&old) {
                names.push(old);
            }
        }
        self.pairs.push(fit);
    }

    /// Pairs objects whose addresses differ as those of other pairs do, or have most in common.
    fn by_address<'s>(&mut self, bucket: &Bucket<'s, 'e, 'a>) {
        let free = |search: &Self, object: &&'s Object<'e, 'a>| !search.taken.contains(&object.at);
        if !bucket.new.iter().any(|new| free(self, new)) {
            return;
        }
        let old: HashMap<[&str; 3], &'s Object<'e, 'a>> =
            bucket.old.iter().map(|object| (parts(object.entry), *object)).collect();
        for new in bucket.new.iter().copied() {
            if !free(self, &new) {
                continue;
            }
            let own = parts(new.entry);
            let mut options: [Vec<&str>; 3] = Default::default();
            for ((options, known), own) in options.iter_mut().zip(&self.known).zip(own) {
                options.extend(known.get(own).into_iter().flatten());
                if !options.contains(&own) {
                    options.push(own);
                }
            }
            let [modules, names, keys] = &options;
            let found = modules.iter().flat_map(|module| {
                names.iter().flat_map(move |name| keys.iter().map(move |key| [*module, *name, *key]))
            });
            let mut found = found.filter_map(|parts| old.get(&parts).copied()).filter(|old| free(self, old));
            let fit = found.find_map(|old| Some((fit(old, new)?, old.entry)));
            if let Some((fit, old)) = fit {
                self.pair(fit, [old, new.entry]);
            }
        }
    }

    /// Pairs what is left in order, where there is nothing else to tell and there are equally many.
    fn in_order<'s>(&mut self, bucket: &Bucket<'s, 'e, 'a>) {
        let free = |object: &&&'s Object<'e, 'a>| !self.taken.contains(&object.at);
        let old: Vec<_> = bucket.old.iter().filter(free).copied().collect();
        let new: Vec<_> = bucket.new.iter().filter(free).copied().collect();
        if !bucket.has_evidence || old.len() != new.len() {
            return;
        }
        for (old, new) in old.into_iter().zip(new) {
            if let Some(fit) = fit(old, new) {
                self.pair(fit, [old.entry, new.entry]);
            }
        }
    }
}

/// The module, the name and the key of an object.
fn parts<'e>(entry: &Entry<'e>) -> [&'e str; 3] {
    [entry.module_address, entry.name, key(entry)]
}

/// The instance key as in the address.
pub(super) fn key<'e>(entry: &Entry<'e>) -> &'e str {
    entry.address.get(resource_address(entry.address).len()..).unwrap_or_default()
}
