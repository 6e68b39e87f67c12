//! Similarity of objects: the share of members that two of them have in common.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};

use super::{Match, Pairer, Partner};
use crate::diff::value::MarkedValue;

/// The minimum similarity of two versions of the same element.
const MIN_SIMILARITY: f64 = 0.5;

/// Members that occur in more elements than this are too common to suggest a pair.
const MAX_SHARED_BY: usize = 16;

/// The maximum number of elements to search, because the search takes several times their memory.
const MAX_ELEMENTS: usize = 1 << 18;

/// Up to this many pairs are all compared, without looking for shared members first.
const FEW_PAIRS: usize = 1024;

/// An object to be paired.
struct Candidate {
    index: usize,
    /// The sorted hashes of its members.
    features: Vec<u64>,
}

/// The sorted hashes of the members of an object that are not null; `None` for other values and for hidden
/// objects.
fn features(value: MarkedValue<'_>) -> Option<Vec<u64>> {
    let members = value.as_object().filter(|_| !value.is_hidden)?;
    let mut features: Vec<u64> = members
        .iter()
        .filter(|(_, member)| !member.is_null())
        .map(|(key, member)| {
            let key = key.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(0x100_0193) ^ u64::from(byte));
            key.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ member.hash_value()
        })
        .collect();
    features.sort_unstable();
    Some(features)
}

/// The share of members that two objects have in common, from 0 to 1 (the Dice coefficient).
fn similarity(one: &[u64], two: &[u64]) -> f64 {
    let (mut at, mut common) = (0, 0usize);
    for feature in one {
        while two.get(at).is_some_and(|other| other < feature) {
            at += 1;
        }
        if two.get(at) == Some(feature) {
            (at, common) = (at + 1, common + 1);
        }
    }
    2.0 * common as f64 / (one.len() + two.len()).max(1) as f64
}

/// Whether two objects have at least half of their members in common.
pub fn is_similar(one: MarkedValue<'_>, two: MarkedValue<'_>) -> bool {
    match (features(one), features(two)) {
        (Some(one), Some(two)) => similarity(&one, &two) >= MIN_SIMILARITY,
        (Some(_) | None, _) => false,
    }
}

impl<'a> Pairer<'_, 'a> {
    /// Pairs objects with at least half of their members in common, the most similar first.
    pub(super) fn pair_by_similarity(&mut self) {
        if Self::free(&self.partner_before).count() + Self::free(&self.partner_after).count() > MAX_ELEMENTS {
            self.approximate = true;
            return;
        }
        let objects = |values: &[MarkedValue<'a>], partners: &[Partner]| -> Vec<Candidate> {
            let candidate = |index: usize| Some(Candidate { index, features: features(values[index])? });
            Self::free(partners).filter_map(candidate).collect()
        };
        let before = objects(self.before, &self.partner_before);
        let after = objects(self.after, &self.partner_after);
        if before.is_empty() || after.is_empty() {
            return;
        }
        let mut pairs = BTreeSet::new();
        if before.len() * after.len() <= FEW_PAIRS {
            pairs.extend((0..before.len()).flat_map(|b| (0..after.len()).map(move |a| (b, a))));
        } else {
            let mut by_feature: HashMap<u64, (Vec<usize>, Vec<usize>)> = HashMap::new();
            for (at, candidate) in before.iter().enumerate() {
                for feature in &candidate.features {
                    by_feature.entry(*feature).or_default().0.push(at);
                }
            }
            for (at, candidate) in after.iter().enumerate() {
                for feature in &candidate.features {
                    if let Some((_, places)) = by_feature.get_mut(feature) {
                        places.push(at);
                    }
                }
            }
            for (b, a) in by_feature.into_values() {
                if b.len() > MAX_SHARED_BY || a.len() > MAX_SHARED_BY {
                    continue;
                }
                pairs.extend(b.iter().flat_map(|b| a.iter().map(move |a| (*b, *a))));
            }
        }
        let mut scored: Vec<(f64, usize, usize)> = pairs
            .into_iter()
            .map(|(b, a)| (&before[b], &after[a]))
            .map(|(b, a)| (similarity(&b.features, &a.features), b.index, a.index))
            .filter(|(score, ..)| *score >= MIN_SIMILARITY)
            .collect();
        // Of equally similar pairs, the one that moves the least comes first.
        crate::sort::by(&mut scored, |x, y| {
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
