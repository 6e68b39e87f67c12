//! Pairs the elements of lists and sets for reviews: by content, by name, by similarity.
//!
//! (The tools pair list elements by index and do not pair set elements.) Invariants: each element occurs
//! once in the result, alone or in a pair; unmoved elements ([`Pair::Same`]) are equal and, in a list, in
//! the same order on both sides; no element is reported as moved that could stay. The work is about
//! n log n; if that does not suffice, [`Pairing::approximate`] is set.

mod stay;

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _};

use super::intern::numbers;
use super::value::{Content, MarkedValue, Unmarked, ValueKind};
use stay::{Stay, equal_pairs};

/// Whether the order of elements is significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A list.
    Matters,
    /// A set.
    Ignored,
    /// The lines of a text: a line that moved counts as removed and added.
    Lines,
}

/// The fate of one element or of two paired elements, by index before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// Equal, and not moved relative to the others.
    Same(usize, usize),
    /// Equal, but moved relative to the others.
    Moved(usize, usize),
    /// The same element with different content.
    Changed(usize, usize),
    /// Removed.
    Removed(usize),
    /// Added.
    Added(usize),
}

impl Pair {
    /// The index before.
    pub fn before(self) -> Option<usize> {
        match self {
            Self::Same(before, _) | Self::Moved(before, _) | Self::Changed(before, _) => Some(before),
            Self::Removed(before) => Some(before),
            Self::Added(_) => None,
        }
    }

    /// The index after.
    pub fn after(self) -> Option<usize> {
        match self {
            Self::Same(_, after) | Self::Moved(_, after) | Self::Changed(_, after) => Some(after),
            Self::Added(after) => Some(after),
            Self::Removed(_) => None,
        }
    }
}

/// The pairing of all elements of two lists or sets.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The pairs, ordered by index before; added elements are at their position.
    pub pairs: Vec<Pair>,
    /// The work was limited: more elements than necessary may be removed and added.
    pub approximate: bool,
}

/// Attributes that may name an element, the best first.
pub const NAMES: [&str; 22] = [
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
    "host",
    "path",
    "field",
    "description",
    "ref",
    "type",
    "port",
];

/// The number of [`NAMES`], from the start, that identify an element on their own. Elements that share
/// one of the others must also be similar.
const IDENTIFYING: usize = 15;

/// The minimum share of equal members for which two elements count as the same.
const SIMILAR: f64 = 0.5;

/// A member that occurs in more elements than this does not select candidates.
const COMMON: usize = 16;

/// Of more elements than this the similar ones are not searched: what finds them takes several times the
/// memory of the elements.
const MAX_FEATURES: usize = 1 << 18;

/// If there are at most this many candidate pairs, all of them are compared.
const FEW: usize = 1024;

/// Pairs the elements of a list or set.
pub fn pair(before: &[MarkedValue<'_>], after: &[MarkedValue<'_>], order: Order) -> Pairing {
    let head = before.iter().zip(after).take_while(|(b, a)| b == a).count();
    let rest = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(b, a)| b == a).count();
    let mut pairer = Pairer {
        before,
        after,
        partner_before: vec![Partner::None; before.len()],
        partner_after: vec![Partner::None; after.len()],
        approximate: false,
    };
    (0..head).for_each(|at| pairer.set(at, at, Kind::Same));
    (0..tail).for_each(|back| pairer.set(before.len() - 1 - back, after.len() - 1 - back, Kind::Same));
    let (from, to_before, to_after) = (head, before.len() - tail, after.len() - tail);
    if from < to_before && from < to_after {
        pairer.by_content(from, to_before, to_after, order);
        if order != Order::Lines {
            pairer.by_value();
            pairer.by_name();
            pairer.by_similarity();
        }
        match order {
            Order::Matters => pairer.by_place(),
            Order::Ignored => pairer.the_last_two(),
            Order::Lines => {}
        }
    }
    pairer.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Same,
    Moved,
    Changed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Partner {
    None,
    Of(usize, Kind),
}

struct Pairer<'v, 'a> {
    before: &'v [MarkedValue<'a>],
    after: &'v [MarkedValue<'a>],
    partner_before: Vec<Partner>,
    partner_after: Vec<Partner>,
    approximate: bool,
}

impl<'a> Pairer<'_, 'a> {
    fn set(&mut self, before: usize, after: usize, kind: Kind) {
        // Equal elements not proven to stay or to move are removed and added.
        if kind == Kind::Changed && self.before[before] == self.after[after] {
            return;
        }
        self.partner_before[before] = Partner::Of(after, kind);
        self.partner_after[after] = Partner::Of(before, kind);
    }

    fn is_free(&self, before: usize, after: usize) -> bool {
        self.partner_before[before] == Partner::None && self.partner_after[after] == Partner::None
    }

    fn free(partners: &[Partner]) -> impl Iterator<Item = usize> {
        partners.iter().enumerate().filter(|(_, partner)| **partner == Partner::None).map(|(at, _)| at)
    }

    /// Pairs equal elements: in a list first those that keep their order, then those that moved.
    fn by_content(&mut self, from: usize, to_before: usize, to_after: usize, order: Order) {
        let (before, after) = numbers(&self.before[from..to_before], &self.after[from..to_after]);
        if order == Order::Ignored {
            equal_pairs(&before, &after, |_| true, |_| true)
                .for_each(|(b, a)| self.set(from + b, from + a, Kind::Same));
            return;
        }
        let mut stay = Stay::along_common_subsequence(&before, &after);
        if order == Order::Matters && !stay.is_approximate {
            let mut moved = stay.moved(&before, &after);
            // An element that keeps its index must not be reported as moved.
            if moved.iter().any(|(b, a)| b == a) {
                let anchored = Stay::around_fixed_places(&before, &after);
                let moved_around = anchored.moved(&before, &after);
                if anchored.is_approximate
                    || moved_around.iter().any(|pair| anchored.could_stay(*pair, &before))
                {
                    moved.retain(|(b, a)| b != a);
                } else {
                    (stay, moved) = (anchored, moved_around);
                }
            }
            moved.into_iter().for_each(|(b, a)| self.set(from + b, from + a, Kind::Moved));
        }
        self.approximate = stay.is_approximate;
        stay.pairs.into_iter().for_each(|(b, a)| self.set(from + b, from + a, Kind::Same));
    }

    /// Pairs elements of which only the marks changed, such as a sensitive value that is not marked on the
    /// other side.
    fn by_value(&mut self) {
        let free = |values: &[MarkedValue<'a>], partners: &[Partner]| -> (Vec<usize>, Vec<Unmarked<'a>>) {
            Self::free(partners).map(|at| (at, Unmarked(values[at]))).unzip()
        };
        let (places_before, before) = free(self.before, &self.partner_before);
        let (places_after, after) = free(self.after, &self.partner_after);
        if !before.iter().chain(&after).any(|value| value.0.has_marks) {
            return;
        }
        let (before, after) = numbers(&before, &after);
        let same_place = before.iter().zip(&after).enumerate().filter(|(_, (b, a))| b == a).map(|(at, _)| at);
        for at in same_place {
            self.set(places_before[at], places_after[at], Kind::Changed);
        }
        let is_free = |partners: &[Partner], places: &[usize]| -> Vec<bool> {
            places.iter().map(|place| partners[*place] == Partner::None).collect()
        };
        let free_before = is_free(&self.partner_before, &places_before);
        let free_after = is_free(&self.partner_after, &places_after);
        equal_pairs(&before, &after, |at| free_before[at], |at| free_after[at])
            .for_each(|(b, a)| self.set(places_before[b], places_after[a], Kind::Changed));
    }

    /// Pairs objects by a name that is unique on each side.
    fn by_name(&mut self) {
        for name in &NAMES[..IDENTIFYING] {
            let unique = |values: &[MarkedValue<'a>], partners: &[Partner]| {
                let mut places: HashMap<MarkedValue<'a>, Option<usize>> = HashMap::new();
                for at in Self::free(partners) {
                    if let Some(value) = name_value(values[at], name) {
                        places.entry(value).and_modify(|place| *place = None).or_insert(Some(at));
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
                    self.set(before, *after, Kind::Changed);
                }
            }
        }
    }

    /// Pairs objects that share most of their members, the most similar first.
    fn by_similarity(&mut self) {
        if Self::free(&self.partner_before).count() + Self::free(&self.partner_after).count() > MAX_FEATURES {
            self.approximate = true;
            return;
        }
        let objects = |values: &[MarkedValue<'a>], partners: &[Partner]| -> Vec<Features> {
            Self::free(partners).filter_map(|at| Some((at, features(values[at])?))).collect()
        };
        let before = objects(self.before, &self.partner_before);
        let after = objects(self.after, &self.partner_after);
        if before.is_empty() || after.is_empty() {
            return;
        }
        let mut candidates = BTreeSet::new();
        if before.len() * after.len() <= FEW {
            candidates.extend((0..before.len()).flat_map(|b| (0..after.len()).map(move |a| (b, a))));
        } else {
            let mut by_feature: HashMap<u64, (Vec<usize>, Vec<usize>)> = HashMap::new();
            for (at, (_, features)) in before.iter().enumerate() {
                features.iter().for_each(|feature| by_feature.entry(*feature).or_default().0.push(at));
            }
            for (at, (_, features)) in after.iter().enumerate() {
                for feature in features {
                    if let Some((_, places)) = by_feature.get_mut(feature) {
                        places.push(at);
                    }
                }
            }
            for (b, a) in by_feature.into_values() {
                if b.len() > COMMON || a.len() > COMMON {
                    continue;
                }
                candidates.extend(b.iter().flat_map(|b| a.iter().map(move |a| (*b, *a))));
            }
        }
        let mut scored: Vec<(f64, usize, usize)> = candidates
            .into_iter()
            .map(|(b, a)| (similarity(&before[b].1, &after[a].1), before[b].0, after[a].0))
            .filter(|(score, ..)| *score >= SIMILAR)
            .collect();
        scored.sort_by(|x, y| {
            y.0.total_cmp(&x.0)
                .then(x.1.abs_diff(x.2).cmp(&y.1.abs_diff(y.2)))
                .then((x.1, x.2).cmp(&(y.1, y.2)))
        });
        for (_, b, a) in scored {
            if self.is_free(b, a) {
                self.set(b, a, Kind::Changed);
            }
        }
    }

    /// In a list: pairs the remaining elements between two unmoved ones, if both sides have equally many.
    fn by_place(&mut self) {
        let stays = |partner: &Partner| matches!(partner, Partner::Of(_, Kind::Same));
        let (mut b, mut a) = (0, 0);
        while b < self.before.len() || a < self.after.len() {
            let end_b = b + self.partner_before[b..].iter().take_while(|partner| !stays(partner)).count();
            let end_a = a + self.partner_after[a..].iter().take_while(|partner| !stays(partner)).count();
            let gap_b: Vec<usize> =
                (b..end_b).filter(|at| self.partner_before[*at] == Partner::None).collect();
            let gap_a: Vec<usize> =
                (a..end_a).filter(|at| self.partner_after[*at] == Partner::None).collect();
            if gap_b.len() == gap_a.len() {
                for (b, a) in gap_b.into_iter().zip(gap_a) {
                    if replaceable(self.before[b], self.after[a]) {
                        self.set(b, a, Kind::Changed);
                    }
                }
            }
            (b, a) = (end_b + 1, end_a + 1);
        }
    }

    /// In a set: pairs the last remaining object of each side.
    fn the_last_two(&mut self) {
        let only = |partners: &[Partner]| {
            let mut free = Self::free(partners);
            free.next().filter(|_| free.next().is_none())
        };
        if let (Some(b), Some(a)) = (only(&self.partner_before), only(&self.partner_after))
            && self.before[b].kind() == ValueKind::Object
            && self.after[a].kind() == ValueKind::Object
        {
            self.set(b, a, Kind::Changed);
        }
    }

    fn finish(self) -> Pairing {
        let mut pairs = Vec::with_capacity(self.before.len().max(self.after.len()));
        let mut added = Self::free(&self.partner_after).peekable();
        for (before, partner) in self.partner_before.iter().enumerate() {
            let Partner::Of(after, kind) = *partner else {
                pairs.push(Pair::Removed(before));
                continue;
            };
            if kind == Kind::Same {
                while let Some(at) = added.next_if(|at| *at < after) {
                    pairs.push(Pair::Added(at));
                }
            }
            pairs.push(match kind {
                Kind::Same => Pair::Same(before, after),
                Kind::Moved => Pair::Moved(before, after),
                Kind::Changed => Pair::Changed(before, after),
            });
        }
        pairs.extend(added.map(Pair::Added));
        Pairing { pairs, approximate: self.approximate }
    }
}

/// The index of an object, and the sorted hashes of its members.
type Features = (usize, Vec<u64>);

/// The sorted hashes of the members of an object; `None` if it is not an object, or is hidden.
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

/// The share of members that two objects have in common, from 0 to 1.
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

/// Whether two objects share most of their members.
pub fn is_similar(one: MarkedValue<'_>, two: MarkedValue<'_>) -> bool {
    match (features(one), features(two)) {
        (Some(one), Some(two)) => similarity(&one, &two) >= SIMILAR,
        (Some(_) | None, _) => false,
    }
}

/// Whether one value may replace another at the same index.
fn replaceable(before: MarkedValue<'_>, after: MarkedValue<'_>) -> bool {
    before.kind() == after.kind() || after.is_unknown() || before.is_null() || after.is_null()
}

/// The value of an attribute that may name an element: a short string or a number that is neither
/// sensitive nor unknown.
pub fn name_value<'a>(element: MarkedValue<'a>, name: &str) -> Option<MarkedValue<'a>> {
    /// The maximum length of a name, in bytes.
    const MAX_LEN: usize = 60;
    if element.is_hidden {
        return None;
    }
    let value = element.get(name).filter(|value| !value.is_hidden)?;
    match value.content {
        Content::String(text) => (!text.is_empty() && text.len() <= MAX_LEN).then_some(value),
        Content::Number(_) => Some(value),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Array(_)
        | Content::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use foldhash::fast::RandomState;

    use super::*;
    use crate::diff::value::Builder;
    use crate::json::parse;

    fn pairs(before: &str, after: &str, order: Order) -> Vec<Pair> {
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let read =
            |text: &str| Builder::new(&arena, &hasher).plain(parse(arena.alloc_str(text), &arena).unwrap());
        let (before, after) = (read(before), read(after));
        pair(before.as_array().unwrap(), after.as_array().unwrap(), order).pairs
    }

    #[test]
    fn an_element_is_never_said_to_move_to_the_place_where_it_was() {
        let found = pairs(r#"["a","b","c"]"#, r#"["c","b","a"]"#, Order::Matters);
        assert_eq!(found, [Pair::Moved(0, 2), Pair::Same(1, 1), Pair::Moved(2, 0)]);
    }

    #[test]
    fn a_shift_is_no_move() {
        let found = pairs(r#"["a","b","c"]"#, r#"["x","y","b","c"]"#, Order::Matters);
        let stays = found.iter().filter(|pair| matches!(pair, Pair::Same(..))).count();
        assert_eq!(stays, 2, "{found:?}");
        assert!(!found.iter().any(|pair| matches!(pair, Pair::Moved(..))), "{found:?}");
    }

    #[test]
    fn objects_are_paired_by_name_then_by_similarity() {
        let before = r#"[{"name":"a","v":1},{"x":1,"y":2,"z":3},{"name":"b","v":1}]"#;
        let after = r#"[{"name":"b","v":2},{"name":"a","v":2},{"x":1,"y":2,"z":4}]"#;
        let found = pairs(before, after, Order::Ignored);
        assert_eq!(found, [Pair::Changed(0, 1), Pair::Changed(1, 2), Pair::Changed(2, 0)]);
    }
}
