//! Whether a new object has the values of an old one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use super::{Bucket, Rename};
use crate::diff::value::{Content, MarkedValue, Unmarked};
use crate::model::Action;
use crate::review::entry::Entry;
use crate::review::keys;

/// The maximum number of scalars that are compared for one pair.
const MAX_WORK: usize = 20_000;

/// An object that is created or destroyed.
pub(super) struct Object<'e, 'a> {
    /// Its index among the resources.
    pub(super) at: usize,
    pub(super) entry: &'e Entry<'a>,
    value: MarkedValue<'a>,
    keys: Vec<&'e str>,
    /// Of a created object: the attributes that an old one must have too.
    attributes: Vec<(&'a str, MarkedValue<'a>)>,
}

impl<'e, 'a> Object<'e, 'a> {
    /// `None` for other changes.
    pub(super) fn new(at: usize, entry: &'e Entry<'a>) -> Option<Self> {
        let [edit] = entry.edits else { return None };
        if !edit.path.is_empty() || entry.mode != "managed" || !entry.deposed.is_empty() {
            return None;
        }
        let is_created = entry.action == Action::Create && edit.before.is_none() && entry.importing.is_none();
        let value =
            if entry.action == Action::Delete { edit.before? } else { edit.after.filter(|_| is_created)? };
        let given: HashSet<&str> = entry.given.iter().map(|given| given.attribute).collect();
        let is_compared = |(name, value): &&(&'a str, MarkedValue<'a>)| {
            let is_given = given.is_empty() || given.contains(name);
            entry.action == Action::Create && is_given && !value.is_null() && !value.is_unknown()
        };
        let attributes = value.as_object()?.iter().filter(is_compared).copied().collect();
        Some(Self { at, entry, value, keys: keys::of_address(entry.address), attributes })
    }

    /// The attributes by whose values objects are found: scalars in which no own key occurs.
    fn hashed(&self) -> Vec<&'a str> {
        let is_hashed = |value: MarkedValue<'_>| match value.as_str() {
            Some(text) => !self.keys.iter().any(|key| text.contains(key)),
            None => matches!(value.content, Content::Bool(_) | Content::Number(_)),
        };
        self.attributes.iter().filter(|(_, value)| is_hashed(*value)).map(|(name, _)| *name).collect()
    }

    fn hash(&self, attributes: &[&str], state: &RandomState) -> u64 {
        let mut hasher = state.build_hasher();
        for name in attributes {
            self.value.get(name).map(Unmarked).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// The old and new objects of one type with the same values.
pub(super) fn buckets<'s, 'e, 'a>(
    old: &'s [Object<'e, 'a>],
    new: &'s [Object<'e, 'a>],
    max_shapes: usize,
) -> Vec<Bucket<'s, 'e, 'a>> {
    let state = RandomState::new();
    let mut shapes: BTreeMap<Vec<&str>, Vec<&'s Object<'e, 'a>>> = BTreeMap::new();
    for object in new {
        shapes.entry(object.hashed()).or_default().push(object);
    }
    let mut found = Vec::new();
    for (attributes, new) in shapes.into_iter().rev().take(max_shapes) {
        let mut places: HashMap<u64, usize> = HashMap::new();
        for object in new {
            let place = *places.entry(object.hash(&attributes, &state)).or_insert(found.len());
            if place == found.len() {
                let has_evidence = object.attributes.iter().any(|(_, value)| is_evidence(*value));
                found.push(Bucket { old: Vec::new(), new: Vec::new(), has_evidence });
            }
            if let Some(bucket) = found.get_mut(place) {
                bucket.new.push(object);
            }
        }
        for object in old {
            if let Some(bucket) =
                places.get(&object.hash(&attributes, &state)).and_then(|at| found.get_mut(*at))
            {
                bucket.old.push(object);
            }
        }
    }
    found.retain(|bucket| !bucket.old.is_empty());
    found
}

/// Whether equal values of this kind say something.
fn is_evidence(value: MarkedValue<'_>) -> bool {
    match value.content {
        Content::Null | Content::Unknown | Content::Bool(_) => false,
        Content::Number(text) => text != "0",
        Content::String(text) => !text.is_empty(),
        Content::Redacted => true,
        Content::Array(_) | Content::Object(_) => value.children().any(is_evidence),
    }
}

/// An old and a new object with the same values; `None` if a value differs.
pub(super) fn fit<'a>(old: &Object<'_, 'a>, new: &Object<'_, 'a>) -> Option<Rename<'a>> {
    let mut rename = Rename { from: old.at, to: new.at, equal: Vec::new(), differs: Vec::new() };
    let mut compared = Compared { keys: [&old.keys, &new.keys], differs: false, work: MAX_WORK };
    for (name, value) in &new.attributes {
        let before = old.value.get(name)?;
        compared.differs = false;
        if !compared.fits(before, *value) {
            return None;
        }
        if compared.differs { rename.differs.push(name) } else { rename.equal.push(name) }
    }
    Some(rename)
}

/// A comparison of the values of two objects.
struct Compared<'k> {
    keys: [&'k [&'k str]; 2],
    /// Whether the values differ in the keys.
    differs: bool,
    work: usize,
}

impl Compared<'_> {
    /// Whether the new value is the old one, as far as it is known and given, and but for the keys.
    fn fits(&mut self, old: MarkedValue<'_>, new: MarkedValue<'_>) -> bool {
        let Some(work) = self.work.checked_sub(1) else { return false };
        self.work = work;
        match (old.content, new.content) {
            (_, Content::Null | Content::Unknown) => true,
            (Content::String(old), Content::String(new)) => old == new || self.text(old, new),
            (Content::Array(old), Content::Array(new)) => {
                old.len() == new.len() && old.iter().zip(new).all(|(old, new)| self.fits(*old, *new))
            }
            (Content::Object(_), Content::Object(members)) => {
                members.iter().all(|(name, member)| match old.get(name) {
                    Some(before) => self.fits(before, *member),
                    None => member.is_null() || member.is_unknown(),
                })
            }
            _ => old.same_without_marks(new),
        }
    }

    fn text(&mut self, old: &str, new: &str) -> bool {
        let [own, other] = self.keys;
        let find = |keys: &[&str], text: &str, at: usize| {
            keys.iter().filter(|key| keys::is_word_at(text, at, key)).map(|key| key.len()).max()
        };
        let is_equal =
            keys::are_equal_but_for_keys((old, new), |a, b| Some((find(own, old, a)?, find(other, new, b)?)));
        self.differs |= is_equal;
        is_equal
    }
}
