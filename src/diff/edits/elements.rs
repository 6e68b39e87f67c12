//! Compares the elements of lists and sets.

use foldhash::{HashMap, HashMapExt as _};

use super::Place;
use super::edit::{Element, ElementKey, Label, Labels, Note, Step};
use super::walk::{Walk, scalars};
use crate::diff::pairing::{self, Match, Order, Pair};
use crate::diff::value::MarkedValue;

impl<'w, 'a: 'w> Walk<'_, 'w, 'a> {
    /// Compares the elements of two lists or sets. Returns false, without edits, if only an insignificant
    /// order differs.
    pub(super) fn elements(
        &mut self,
        before: &'w [MarkedValue<'w>],
        after: &'w [MarkedValue<'w>],
        order: Order,
        place: Place<'w>,
    ) -> bool {
        let pairing = pairing::pair(before, after, order);
        let is_unordered = order == Order::Ignored || place.rule.is_unordered();
        if is_unordered && pairing.pairs.iter().all(|pair| pair.how != Match::Changed) {
            return false;
        }
        let (null, arena) = (self.comparer.build.null(), self.comparer.build.arena());
        let mut keys = Keys { before, after, counts: HashMap::new() };
        let notes: &[Note] = if pairing.approximate { &[Note::Approximate] } else { &[] };
        for pair in pairing.pairs {
            let number = |place: Option<usize>| place.and_then(|place| u32::try_from(place).ok());
            let value = |values: &[MarkedValue<'w>], place: Option<usize>| {
                place.and_then(|place| values.get(place)).copied().unwrap_or(null)
            };
            let (b, a) = (value(before, pair.before), value(after, pair.after));
            if pair.how == Match::Same {
                self.unchanged += scalars(b);
                continue;
            }
            let redactor = self.comparer.redactor;
            let key = keys.find(pair, b, a).map(|(name, value)| {
                &*redactor.arena.alloc(ElementKey { name, value: redactor.value(value) })
            });
            self.push(Step::Element(Element {
                before: number(pair.before),
                after: number(pair.after),
                lengths: (before.len() as u32, after.len() as u32),
                is_set: order == Order::Ignored,
                key,
            }));
            let place = place.element(pair.before.or(pair.after).unwrap_or_default(), arena);
            if pair.how == Match::Moved {
                let mut labels = Labels::from(Label::Moved);
                if is_unordered {
                    labels.insert(Label::Order);
                }
                self.add(b, a, place, labels, notes);
            } else if pair.before.is_some() && pair.after.is_some() {
                self.compare(b, a, place);
            } else {
                self.add(b, a, place, Labels::default(), notes);
            }
            self.pop();
        }
        true
    }
}

/// Finds attributes that identify elements.
struct Keys<'v, 'w> {
    before: &'v [MarkedValue<'w>],
    after: &'v [MarkedValue<'w>],
    /// The number of occurrences of each value of an attribute, before and after.
    counts: HashMap<&'static str, HashMap<MarkedValue<'w>, (u32, u32)>>,
}

impl<'w> Keys<'_, 'w> {
    /// An attribute with the same value on both sides of the element, which no other element has.
    fn find(
        &mut self,
        pair: Pair,
        before: MarkedValue<'w>,
        after: MarkedValue<'w>,
    ) -> Option<(&'static str, MarkedValue<'w>)> {
        pairing::NAMES.into_iter().find_map(|name| {
            let sides = (pairing::name_value(before, name), pairing::name_value(after, name));
            let is_alone = pair.before.is_none() || pair.after.is_none();
            let value = match sides {
                (value, other) if is_alone => value.or(other)?,
                (Some(before), Some(after)) if before == after => before,
                _ => return None,
            };
            let (old, new) = (self.before, self.after);
            let counts = self.counts.entry(name).or_insert_with(|| {
                let mut counts: HashMap<MarkedValue<'w>, (u32, u32)> = HashMap::new();
                let names = |side: &[MarkedValue<'w>]| -> Vec<MarkedValue<'w>> {
                    side.iter().filter_map(|element| pairing::name_value(*element, name)).collect()
                };
                names(old).into_iter().for_each(|value| counts.entry(value).or_default().0 += 1);
                names(new).into_iter().for_each(|value| counts.entry(value).or_default().1 += 1);
                counts
            });
            let (old, new) = counts.get(&value).copied()?;
            let is_unique = if is_alone { old + new == 1 } else { (old, new) == (1, 1) };
            is_unique.then_some((name, value))
        })
    }
}
