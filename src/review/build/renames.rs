//! Finds what looks like a rename: objects that are destroyed at one address and created at another with the same
//! values.
//!
//! A rename proves nothing about intent, so it changes no count and no finding. Two objects of one type are paired if
//! every value that the configuration of the new one gives is also a value of the old one, and they are not managed by
//! different provider instances. Values may contain the instance keys of their own object. If several objects fit, an
//! address that changes like those of other pairs decides. Cost: hashing all values, and a bounded number of
//! comparisons for each object.
//!
//! ```text
//! - aws_ebs_volume.kafka["0"]            size = 500, availability_zone = "eu-west-1a"
//! + aws_ebs_volume.kafka["eu-west-1a"]   size = 500, availability_zone = "eu-west-1a"
//!
//! Rename { from: "aws_ebs_volume.kafka[\"0\"]", to: "aws_ebs_volume.kafka[\"eu-west-1a\"]", … }
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::diff::value::{Content, MarkedValue, Unmarked};
use crate::model::address::resource_address;
use crate::model::plan::Plan;
use crate::model::{Action, Configuration};
use crate::review::entry::{Entry, Reason, Rename, reason_codes};
use crate::review::{keys, one_line};

/// The maximum number of objects that one object is compared with.
const MAX_TRIES: usize = 32;
/// The maximum number of different sets of attributes of one resource type that are looked at.
const MAX_SHAPES: usize = 16;
/// The maximum number of old texts that are remembered for a new part of an address.
const MAX_NAMES: usize = 4;
/// The maximum number of values that are compared for one pair.
const MAX_WORK: usize = 20_000;

/// Finds pairs of a destroyed and a created object with equal values, and adds a reason to both entries of each pair.
pub(super) fn find<'a>(resources: &mut [Entry<'a>], plan: &Plan<'_>) -> Vec<Rename<'a>> {
    let configuration = plan.configuration();
    let objects = resources.iter().enumerate();
    let objects = objects.filter_map(|(index, entry)| {
        let kind = (entry.resource_type, entry.provider_name);
        Some((kind, RenameCandidate::new(index, entry, &configuration)?))
    });
    let types: Vec<Vec<RenameCandidate<'_, '_>>> = crate::grouping::groups(objects);
    let buckets: Vec<Bucket<'_, '_, '_>> =
        types.iter().flat_map(|objects| buckets(objects)).collect();
    let mut search = Search::default();
    search.only_fits(&buckets);
    buckets.iter().for_each(|bucket| search.by_address(bucket));
    buckets.iter().for_each(|bucket| search.in_order(bucket));
    let mut renames = search.pairs;
    renames.sort_by_key(|rename| rename.places);
    for Rename {
        from,
        to,
        places: [old, new],
        ..
    } in &renames
    {
        for (index, text) in [
            (
                old,
                format!("looks like a rename: {to} is created with the same values"),
            ),
            (
                new,
                format!("looks like a rename: {from} is destroyed with the same values"),
            ),
        ] {
            let reason = Reason {
                code: reason_codes::RENAME.to_owned(),
                text: one_line(&text),
            };
            resources[*index].reasons.push(reason);
        }
    }
    renames
}

/// An object that may be half of a rename.
struct RenameCandidate<'e, 'a> {
    /// The index of the entry in the changed resources.
    index: usize,
    /// The entry of the destroyed or created object.
    entry: &'e Entry<'a>,
    /// The whole object: the value before if it is destroyed, the value after if it is created.
    value: MarkedValue<'a>,
    /// The instance keys in its address, which its values may contain.
    keys: Vec<&'e str>,
    /// The provider instance that manages it, if the configuration says it.
    provider: Option<ProviderInstance<'e>>,
    /// The attributes that an old object must have too. Only a created object has these.
    attributes: Vec<(&'a str, MarkedValue<'a>)>,
}

/// A provider configuration, and its instance if it has several.
#[derive(PartialEq, Eq)]
struct ProviderInstance<'e> {
    /// The key of the provider configuration, as a resource block names it.
    configuration: &'e str,
    /// The keys of the object, if they choose among the instances of a configuration with `for_each`.
    keys: Vec<&'e str>,
}

impl<'e> ProviderInstance<'e> {
    /// Returns the provider instance of an object; `None` if the plan does not say it, because the block of a destroyed
    /// object may be gone.
    fn of(entry: &'e Entry<'_>, configuration: &'e Configuration<'_>) -> Option<Self> {
        let module = configuration.module(entry.module_address)?;
        let mut blocks = configuration
            .blocks(module, entry.resource_type, entry.name)
            .iter();
        let block = blocks.find(|block| &*block.mode == "managed")?;
        let (_, key) = block
            .provider_config_key
            .split_once('[')
            .unwrap_or_default();
        let is_chosen_by_key = !key.is_empty() && !key.starts_with('"');
        Some(Self {
            configuration: &block.provider_config_key,
            keys: match is_chosen_by_key {
                true => keys::of_address(entry.address),
                false => Vec::new(),
            },
        })
        .filter(|provider| !provider.configuration.is_empty())
    }
}

impl<'e, 'a> RenameCandidate<'e, 'a> {
    /// Creates the candidate of an entry, which must be a managed, current object that is only created or only
    /// destroyed; otherwise `None`.
    fn new(
        index: usize,
        entry: &'e Entry<'a>,
        configuration: &'e Configuration<'_>,
    ) -> Option<Self> {
        let [edit] = entry.exact_edits.exact() else {
            return None;
        };
        if !edit.path.is_empty() || entry.mode != "managed" || !entry.deposed.is_empty() {
            return None;
        }
        let is_created =
            entry.action == Action::Create && edit.before.is_none() && entry.importing.is_none();
        let value = if entry.action == Action::Delete {
            edit.before?
        } else {
            edit.after.filter(|_| is_created)?
        };
        let given: HashSet<&str> = entry.given.iter().map(|given| given.attribute).collect();
        let is_compared = |(name, value): &&(&'a str, MarkedValue<'a>)| {
            let is_given = given.is_empty() || given.contains(name);
            is_created && is_given && !value.is_null() && !value.is_unknown()
        };
        let attributes = value
            .as_object()?
            .iter()
            .filter(is_compared)
            .copied()
            .collect();
        Some(Self {
            index,
            entry,
            value,
            keys: keys::of_address(entry.address),
            provider: ProviderInstance::of(entry, configuration),
            attributes,
        })
    }

    /// Whether both objects may have the same provider instance. True if that of one is not known.
    fn may_be_of_the_provider_of(&self, other: &Self) -> bool {
        let both = self.provider.as_ref().zip(other.provider.as_ref());
        both.is_none_or(|(provider, other)| provider == other)
    }

    /// Returns the attributes whose values are hashed: scalars in which no key of the object occurs.
    fn hashed(&self) -> Vec<&'a str> {
        let is_hashed = |value: MarkedValue<'_>| match value.as_str() {
            Some(text) => !self.keys.iter().any(|key| text.contains(key)),
            None => matches!(value.content, Content::Bool(_) | Content::Number(_)),
        };
        self.attributes
            .iter()
            .filter(|(_, value)| is_hashed(*value))
            .map(|(name, _)| *name)
            .collect()
    }

    /// Returns the hash of the values of these attributes.
    fn hash(&self, attributes: &[&str], state: &RandomState) -> u64 {
        let mut hasher = state.build_hasher();
        for name in attributes {
            self.value.get(name).map(Unmarked).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Objects of one type whose hashed attributes are equal.
struct Bucket<'s, 'e, 'a> {
    /// The objects that are destroyed.
    old: Vec<&'s RenameCandidate<'e, 'a>>,
    /// The objects that are created.
    new: Vec<&'s RenameCandidate<'e, 'a>>,
    /// Whether the common values are evidence that the objects may be the same.
    has_evidence: bool,
}

/// Groups objects with equal attributes by hashing, the created ones with the most attributes first. Buckets without a
/// destroyed object are left out.
fn buckets<'s, 'e, 'a>(objects: &'s [RenameCandidate<'e, 'a>]) -> Vec<Bucket<'s, 'e, 'a>> {
    let (old, new): (Vec<_>, Vec<_>) = objects
        .iter()
        .partition(|one| one.entry.action == Action::Delete);
    if old.is_empty() {
        return Vec::new();
    }
    let state = RandomState::new();
    let mut shapes: BTreeMap<Vec<&str>, Vec<&'s RenameCandidate<'e, 'a>>> = BTreeMap::new();
    new.into_iter()
        .for_each(|object| shapes.entry(object.hashed()).or_default().push(object));
    let mut buckets: Vec<Bucket<'s, 'e, 'a>> = Vec::new();
    for (attributes, new) in shapes.into_iter().rev().take(MAX_SHAPES) {
        let mut places: HashMap<u64, usize> = HashMap::new();
        for object in new {
            let bucket = *places
                .entry(object.hash(&attributes, &state))
                .or_insert(buckets.len());
            if bucket == buckets.len() {
                let has_evidence = object
                    .attributes
                    .iter()
                    .any(|(_, value)| is_evidence(*value));
                buckets.push(Bucket {
                    old: Vec::new(),
                    new: Vec::new(),
                    has_evidence,
                });
            }
            buckets[bucket].new.push(object);
        }
        for object in old.iter().copied() {
            if let Some(bucket) = places.get(&object.hash(&attributes, &state)) {
                buckets[*bucket].old.push(object);
            }
        }
    }
    buckets.retain(|bucket| !bucket.old.is_empty());
    buckets
}

/// Whether an equal value is evidence, which bools, zeros and empty texts are not.
fn is_evidence(value: MarkedValue<'_>) -> bool {
    match value.content {
        Content::Null | Content::Unknown | Content::Bool(_) => false,
        Content::Number(text) => text != "0",
        Content::String(text) => !text.is_empty(),
        Content::Redacted => true,
        Content::Array(_) | Content::Object(_) => value.children().any(is_evidence),
    }
}

/// The state of the search: the pairs found so far.
#[derive(Default)]
struct Search<'e, 'a> {
    /// The pairs.
    pairs: Vec<Rename<'a>>,
    /// The indices of entries that have a partner.
    taken: HashSet<usize>,
    /// The old texts of each part of an address (module, name, key), by the new text that they became in other pairs.
    known: [HashMap<&'e str, Vec<&'e str>>; 3],
}

impl<'e, 'a: 'e> Search<'e, 'a> {
    /// Pairs objects where exactly one destroyed object fits a created one, and no other created object claims it.
    fn only_fits(&mut self, buckets: &[Bucket<'_, 'e, 'a>]) {
        let mut proposals = Vec::new();
        for bucket in buckets
            .iter()
            .filter(|bucket| bucket.has_evidence && bucket.old.len() <= MAX_TRIES)
        {
            for new in &bucket.new {
                let mut fits = bucket
                    .old
                    .iter()
                    .filter_map(|old| Some((fit(old, new)?, [old.entry, new.entry])));
                if let (Some(only), None) = (fits.next(), fits.next()) {
                    proposals.push(only);
                }
            }
        }
        let numbers = crate::grouping::counts(proposals.iter().map(|(fit, _)| fit.places[0]));
        for (fit, entries) in proposals {
            if numbers.get(&fit.places[0]) == Some(&1) {
                self.pair(fit, entries);
            }
        }
    }

    /// Adds a pair, unless one of its objects has a partner, and records how the parts of its address changed.
    fn pair(&mut self, fit: Rename<'a>, [old, new]: [&'e Entry<'a>; 2]) {
        if fit.places.iter().any(|index| self.taken.contains(index)) {
            return;
        }
        self.taken.extend(fit.places);
        for ((known, old), new) in self.known.iter_mut().zip(parts(old)).zip(parts(new)) {
            let names = known.entry(new).or_default();
            if names.len() < MAX_NAMES && !names.contains(&old) {
                names.push(old);
            }
        }
        self.pairs.push(fit);
    }

    /// Whether an object has no partner yet.
    fn is_free(&self, object: &RenameCandidate<'e, 'a>) -> bool {
        !self.taken.contains(&object.index)
    }

    /// Pairs objects whose addresses differ in the same way as those of other pairs, or in as few parts as possible.
    fn by_address(&mut self, bucket: &Bucket<'_, 'e, 'a>) {
        if !bucket.new.iter().any(|new| self.is_free(new)) {
            return;
        }
        let old: HashMap<[&str; 3], &RenameCandidate<'e, 'a>> = bucket
            .old
            .iter()
            .map(|object| (parts(object.entry), *object))
            .collect();
        for new in &bucket.new {
            if !self.is_free(new) {
                continue;
            }
            let mut places = (0..3).zip(parts(new.entry)).map(|(index, name)| {
                let mut names = self.known[index].get(name).cloned().unwrap_or_default();
                names.extend((!names.contains(&name)).then_some(name));
                names
            });
            let [modules, names, keys] = std::array::from_fn(|_| places.next().unwrap_or_default());
            let candidates = modules.iter().flat_map(|module| {
                names
                    .iter()
                    .flat_map(|name| keys.iter().map(|key| [*module, *name, *key]))
            });
            let mut candidates = candidates
                .filter_map(|parts| old.get(&parts))
                .filter(|old| self.is_free(old));
            if let Some((fit, old)) = candidates.find_map(|old| Some((fit(old, new)?, old.entry))) {
                self.pair(fit, [old, new.entry]);
            }
        }
    }

    /// Pairs the remaining objects in the order of the plan, if nothing else decides and both sides have the same
    /// number of them.
    fn in_order(&mut self, bucket: &Bucket<'_, 'e, 'a>) {
        let [old, new] = [&bucket.old, &bucket.new].map(|all| {
            all.iter()
                .copied()
                .filter(|one| self.is_free(one))
                .collect::<Vec<_>>()
        });
        if bucket.has_evidence && old.len() == new.len() {
            for (old, new) in old.into_iter().zip(new) {
                if let Some(fit) = fit(old, new) {
                    self.pair(fit, [old.entry, new.entry]);
                }
            }
        }
    }
}

/// Returns the parts of an address: the module, the name, and the instance key.
fn parts<'e>(entry: &Entry<'e>) -> [&'e str; 3] {
    let key = entry.address.get(resource_address(entry.address).len()..);
    [entry.module_address, entry.name, key.unwrap_or_default()]
}

/// Compares two objects. Returns `None` if a value that the new object gives differs, or if the provider instance does.
fn fit<'a>(old: &RenameCandidate<'_, 'a>, new: &RenameCandidate<'_, 'a>) -> Option<Rename<'a>> {
    if !old.may_be_of_the_provider_of(new) {
        return None;
    }
    let mut rename = Rename {
        from: old.entry.address,
        to: new.entry.address,
        equal: Vec::new(),
        differs: Vec::new(),
        places: [old.index, new.index],
    };
    let mut compared = Compared {
        keys: [&old.keys, &new.keys],
        differs: false,
        work: MAX_WORK,
    };
    for (name, value) in &new.attributes {
        let before = old.value.get(name)?;
        compared.differs = false;
        if !compared.fits(before, *value) {
            return None;
        }
        if compared.differs {
            rename.differs.push(name);
        } else {
            rename.equal.push(name);
        }
    }
    Some(rename)
}

/// A comparison of two objects, with a limit on the number of compared values.
struct Compared<'k> {
    /// The instance keys of both objects.
    keys: [&'k [&'k str]; 2],
    /// Whether a value differs by a key.
    differs: bool,
    /// The number of values that may still be compared.
    work: usize,
}

impl Compared<'_> {
    /// Whether two values are equal as far as they are known and given, except for the keys. False once the limit is
    /// reached.
    fn fits(&mut self, old: MarkedValue<'_>, new: MarkedValue<'_>) -> bool {
        let Some(work) = self.work.checked_sub(1) else {
            return false;
        };
        self.work = work;
        match (old.content, new.content) {
            (_, Content::Null | Content::Unknown) => true,
            (Content::String(old), Content::String(new)) => old == new || self.text(old, new),
            (Content::Array(old), Content::Array(new)) => {
                old.len() == new.len()
                    && old.iter().zip(new).all(|(old, new)| self.fits(*old, *new))
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

    /// Whether two strings are equal except for the keys.
    fn text(&mut self, old: &str, new: &str) -> bool {
        let [own_keys, other] = self.keys;
        let find = |keys: &[&str], text: &str, index: usize| {
            keys.iter()
                .filter(|key| keys::is_word_at(text, index, key))
                .map(|key| key.len())
                .max()
        };
        let is_equal = keys::are_equal_but_for_keys((old, new), |a, b| {
            Some((find(own_keys, old, a)?, find(other, new, b)?))
        });
        self.differs |= is_equal;
        is_equal
    }
}
