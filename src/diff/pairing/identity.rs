//! Pairing of elements by an identifying attribute, or by the share of equal members.
//!
//! ```text
//! before  [{name: "a", port: 1}, {name: "b", port: 2}]
//! after   [{name: "b", port: 3}]                          `b` is paired with `b`, `a` is removed
//! ```

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};

use super::{Match, Pairer, Partner};
use crate::diff::value::{Content, MarkedValue, present};

/// Attributes that identify an element well enough to pair it by them, the most reliable first.
const IDENTIFYING: [&str; 15] = [
    "name",
    "key",
    "id",
    "arn",
    "Sid",
    "sid",
    "Name",
    "Id",
    "Key",
    "rule_no",
    "rule_number",
    "priority",
    "device_name",
    "container_name",
    "hostname",
];

/// Attributes that name an element for a reader, but may have the same value in another element that takes its place.
const LABELLING: [&str; 7] = [
    "host",
    "path",
    "field",
    "description",
    "ref",
    "type",
    "port",
];

/// Returns the attributes by which an element may be named in a path, the most reliable first.
pub fn names() -> impl Iterator<Item = &'static str> {
    IDENTIFYING.into_iter().chain(LABELLING)
}

/// Returns the value of the attribute `name` if it can name an element: a number or a short text that is not hidden.
pub fn name_value<'a>(element: MarkedValue<'a>, name: &str) -> Option<MarkedValue<'a>> {
    /// The maximum length of a name, in bytes.
    const MAX_LEN: usize = 60;
    if element.is_hidden {
        return None;
    }
    let value = element.get(name).filter(|value| !value.is_hidden)?;
    let is_name = match value.as_str() {
        Some(text) => !text.is_empty() && text.len() <= MAX_LEN,
        None => matches!(value.content, Content::Number(_)),
    };
    is_name.then_some(value)
}

/// The minimum similarity of two versions of the same element.
const MIN_SIMILARITY: f64 = 0.5;

/// The maximum number of elements on a side that have a member in common for the member to suggest a pair.
const MAX_SHARED_BY: usize = 16;

/// The maximum number of free elements that are compared by similarity. The search takes several times the memory of
/// the elements.
const MAX_ELEMENTS: usize = 1 << 18;

/// The number of pairs up to which all are compared, without looking for common members first.
const FEW_PAIRS: usize = 1024;

/// Returns the members that are not null, each with the hash of its value. `None` for other values and for hidden
/// objects.
fn features(value: MarkedValue<'_>) -> Option<impl Iterator<Item = (&str, u64)>> {
    let members = value.as_object().filter(|_| !value.is_hidden)?;
    Some(present(members).map(|(name, member)| (*name, member.hash_value())))
}

/// Returns the share of equal members, from 0 to 1 (the Dice coefficient). `None` if one value is not an object, or is
/// hidden.
fn similarity(one: MarkedValue<'_>, two: MarkedValue<'_>) -> Option<f64> {
    let (one, mut two) = (features(one)?, features(two)?.peekable());
    let (mut common, mut count) = (0usize, 0usize);
    for feature in one {
        count += 1;
        while two.next_if(|(name, _)| *name < feature.0).is_some() {
            count += 1;
        }
        if two.peek() == Some(&feature) {
            common += 1;
        }
    }
    Some(2.0 * common as f64 / (count + two.count()).max(1) as f64)
}

/// Whether two objects are similar enough to be versions of the same element.
pub fn is_similar(one: MarkedValue<'_>, two: MarkedValue<'_>) -> bool {
    similarity(one, two).is_some_and(|similarity| similarity >= MIN_SIMILARITY)
}

impl<'a> Pairer<'_, 'a> {
    /// Pairs elements by the first identifying attribute whose value no other free element of the same side has.
    pub(super) fn pair_by_name(&mut self) {
        for name in IDENTIFYING {
            let unique = |values: &[MarkedValue<'a>], partners: &[Partner]| {
                let mut places: HashMap<MarkedValue<'a>, Option<usize>> = HashMap::new();
                for index in Self::free(partners) {
                    if let Some(value) = name_value(values[index], name) {
                        places
                            .entry(value)
                            .and_modify(|place| *place = None)
                            .or_insert(Some(index));
                    }
                }
                places
            };
            let before = unique(self.before, &self.partner_before);
            if before.is_empty() {
                continue;
            }
            let after = unique(self.after, &self.partner_after);
            for (value, place) in before {
                if let (Some(before), Some(Some(after))) = (place, after.get(&value)) {
                    self.set(before, *after, Match::Changed);
                }
            }
        }
    }

    /// Pairs objects that have at least half of their members in common, the most similar first.
    pub(super) fn pair_by_similarity(&mut self) {
        if Self::free(&self.partner_before).count() + Self::free(&self.partner_after).count()
            > MAX_ELEMENTS
        {
            self.approximate = true;
            return;
        }
        let objects = |values: &[MarkedValue<'a>], partners: &[Partner]| -> Vec<usize> {
            Self::free(partners)
                .filter(|index| features(values[*index]).is_some())
                .collect()
        };
        let before = objects(self.before, &self.partner_before);
        let after = objects(self.after, &self.partner_after);
        let mut pairs = BTreeSet::new();
        if before.len() * after.len() <= FEW_PAIRS {
            pairs.extend(
                before
                    .iter()
                    .flat_map(|b| after.iter().map(move |a| (*b, *a))),
            );
        } else {
            let mut shared: HashMap<(&str, u64), [Vec<usize>; 2]> = HashMap::new();
            for (side, (values, objects)) in [(self.before, before), (self.after, after)]
                .into_iter()
                .enumerate()
            {
                for index in objects {
                    for feature in features(values[index]).into_iter().flatten() {
                        shared.entry(feature).or_default()[side].push(index);
                    }
                }
            }
            for [b, a] in shared.into_values() {
                if b.len() <= MAX_SHARED_BY && a.len() <= MAX_SHARED_BY {
                    pairs.extend(b.iter().flat_map(|b| a.iter().map(move |a| (*b, *a))));
                }
            }
        }
        let scored = pairs.into_iter().filter_map(|(b, a)| {
            let score = similarity(self.before[b], self.after[a])?;
            (score >= MIN_SIMILARITY).then_some((score, b, a))
        });
        let mut scored: Vec<(f64, usize, usize)> = scored.collect();
        // If pairs are equally similar, the one that moves the least comes first.
        scored.sort_by(|x, y| {
            y.0.total_cmp(&x.0)
                .then(x.1.abs_diff(x.2).cmp(&y.1.abs_diff(y.2)))
                .then((x.1, x.2).cmp(&(y.1, y.2)))
        });
        for (_, b, a) in scored {
            if self.is_free(b, a) {
                self.set(b, a, Match::Changed);
            }
        }
    }
}
