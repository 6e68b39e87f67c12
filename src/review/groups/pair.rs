//! The comparison of two entries, each with its own instance keys.

use std::collections::BTreeMap;

use super::words;
use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::{Entry, PlanFinding};
use crate::review::keys;

/// The positions of each key, by its index: the index of the string, and the offset in it.
pub(super) type Positions = BTreeMap<usize, Vec<(usize, usize)>>;

/// A comparison of two entries, each with its own key.
pub(super) struct Pair<'k> {
    /// The keys that differ: the index of each, and those of both entries.
    keys: Vec<(usize, [&'k str; 2])>,
    strings: usize,
    places: Positions,
}

impl<'k> Pair<'k> {
    /// `None` if the addresses have different numbers of keys.
    pub(super) fn new(first: &Entry<'k>, second: &Entry<'k>) -> Option<Self> {
        let (keys, others) = (keys::of_address(first.address), keys::of_address(second.address));
        if keys.len() != others.len() {
            return None;
        }
        let keys = keys.into_iter().zip(others).map(|(key, other)| [key, other]).enumerate();
        let keys = keys.filter(|(_, [key, other])| key != other).collect();
        Some(Self { keys, strings: 0, places: Positions::new() })
    }

    /// Whether two edits are equal but for the keys.
    pub(super) fn edit(&mut self, first: &Edit<'_>, second: &Edit<'_>) -> bool {
        first.path.len() == second.path.len()
            && first.labels == second.labels
            && first.replaces == second.replaces
            && self.path(first.path, second.path)
            && self.side(first.before, second.before)
            && self.side(first.after, second.after)
    }

    /// The positions at which both entries have their own keys, if they are equal otherwise.
    pub(super) fn compare<'a: 'k>(
        first: &Entry<'a>,
        second: &Entry<'a>,
        findings: &[PlanFinding<'a>],
    ) -> Option<Positions> {
        let mut pair = Self::new(first, second)?;
        let (words, others) = (words(first, findings), words(second, findings));
        let mut edits = first.edits.iter().zip(second.edits);
        let is_same = words.len() == others.len()
            && first.edits.len() == second.edits.len()
            && words.iter().zip(others).all(|(a, b)| pair.text(a, b))
            && edits.all(|(a, b)| {
                pair.path(a.path, b.path) && pair.side(a.before, b.before) && pair.side(a.after, b.after)
            });
        is_same.then_some(pair.places)
    }

    /// Whether two paths of the same shape name the same elements.
    fn path(&mut self, first: Path<'_>, second: Path<'_>) -> bool {
        let (first, second) = (first.steps(), second.steps());
        first.iter().zip(second).all(|(a, b)| match (a, b) {
            (Step::Name(a), Step::Name(b)) => self.text(a, b),
            (Step::Element(a), Step::Element(b)) => match (a.key, b.key) {
                (Some(a), Some(b)) => a.name == b.name && self.value(a.value, b.value),
                (a, b) => a.is_none() && b.is_none(),
            },
            (Step::Document(a), Step::Document(b)) => *a == b,
            _ => false,
        })
    }

    fn side(&mut self, first: Option<MarkedValue<'_>>, second: Option<MarkedValue<'_>>) -> bool {
        match (first, second) {
            (Some(first), Some(second)) => self.value(first, second),
            (first, second) => first.is_none() && second.is_none(),
        }
    }

    fn value(&mut self, first: MarkedValue<'_>, second: MarkedValue<'_>) -> bool {
        match (first.content, second.content) {
            (Content::String(a), Content::String(b)) => {
                first.is_sensitive == second.is_sensitive
                    && first.is_hidden == second.is_hidden
                    && self.text(a, b)
            }
            (Content::Array(a), Content::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.value(*a, *b))
            }
            (Content::Object(a), Content::Object(b)) => {
                // Entries of the same shape have the same names, and null members in both or none.
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|((name, a), (other, b))| self.text(name, other) && self.value(*a, *b))
            }
            _ => first == second,
        }
    }

    /// Whether two texts are equal but for the keys.
    fn text(&mut self, first: &str, second: &str) -> bool {
        self.strings += 1;
        if first == second && self.keys.is_empty() {
            return true;
        }
        let (found, places) = (&self.keys, &mut self.places);
        keys::are_equal_but_for_keys((first, second), |a, b| {
            let is_here = |(_, [key, other]): &&(usize, [&str; 2])| {
                keys::is_word_at(first, a, key) && keys::is_word_at(second, b, other)
            };
            let (index, [key, other]) = found.iter().filter(is_here).max_by_key(|(_, [key, _])| key.len())?;
            places.entry(*index).or_default().push((self.strings, a));
            Some((key.len(), other.len()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(keys: [&str; 2], first: &str, second: &str) -> Option<usize> {
        let mut pair = Pair { keys: vec![(0, keys)], strings: 0, places: Positions::new() };
        pair.text(first, second).then_some(pair.places.get(&0).map_or(0, Vec::len))
    }

    #[test]
    fn a_key_is_a_word_of_its_own_at_the_same_places() {
        assert_eq!(places(["0", "1"], "10.0.0.0/24", "10.0.1.0/24"), Some(1));
        assert_eq!(places(["3", "10"], "web-3 of 10", "web-10 of 10"), Some(1));
        assert_eq!(places(["3", "4"], "web-33", "web-44"), None);
        assert_eq!(places(["a.b", "a.c"], "x/a.b", "x/a.c"), Some(1));
        assert_eq!(places(["3", "4"], "5", "0"), None);
        assert_eq!(places(["3", "4"], "x3", "x"), None);
    }
}
