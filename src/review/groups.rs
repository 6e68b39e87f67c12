//! Groups entries with equal changes, so that they are shown once.
//!
//! The entries of a group have equal edits, including paths and sensitive values, and whatever texts say of one
//! of them holds for each: reasons, facts, causes, policies and firewall rules, which name unchanged values too.
//! Entries may also be equal "but for the key": they become equal once the instance key of each entry is
//! replaced by a placeholder, where it is a whole word in a string, at the same positions in all of them.
//! Equality is that of 128-bit hashes, with new random keys in each run.

mod print;

use std::collections::HashMap;

use self::print::{Hashers, Strings};
use super::access::Part;
use super::entry::{Entry, Group, PlanReview, Sameness};
use crate::diff::edits::{ElementKey, Path, Slot, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;

/// Finds the groups of the resources, drift and deferred changes of a review.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut groups = Vec::new();
    let hashers = Hashers::default();
    for entries in [&mut review.resources, &mut review.drift, &mut review.deferred] {
        group_list(entries, &hashers, &mut groups);
    }
    review.groups = groups;
}

fn group_list<'a>(entries: &mut [Entry<'a>], hashers: &Hashers, groups: &mut Vec<Group<'a>>) {
    let mut alone: Vec<usize> = Vec::new();
    for members in classes(entries.iter().enumerate(), |entry| Some(hashers.entry(entry, Strings::Hashed))) {
        match *members {
            [only] => alone.push(only),
            _ => join(entries, &members, Sameness::Exactly, groups),
        }
    }
    let rest = alone.iter().filter_map(|at| Some((*at, entries.get(*at)?)));
    let similar = classes(rest, |entry| instance_key(entry).map(|_| hashers.entry(entry, Strings::LeftOut)));
    for places in similar.into_iter().filter(|places| places.len() > 1) {
        for members in but_for_the_key(entries, &places) {
            join(entries, &members, Sameness::ButForTheKey, groups);
        }
    }
}

/// Entries that are equal but for the key.
struct Class {
    members: Vec<usize>,
    /// The positions of the key in the first entry.
    keys: Vec<(usize, usize)>,
}

/// Groups entries of the same shape that are equal but for the key.
fn but_for_the_key(entries: &[Entry<'_>], places: &[usize]) -> Vec<Vec<usize>> {
    // The maximum number of classes with which each entry is compared.
    const CLASSES: usize = 16;
    let mut found: Vec<Class> = Vec::new();
    for at in places {
        let Some(entry) = entries.get(*at) else { continue };
        let mut is_placed = false;
        for Class { members, keys } in &mut found {
            let first = members.first().and_then(|first| entries.get(*first));
            let Some(others) = first.and_then(|first| Pair::compare(first, entry)) else { continue };
            if members.len() == 1 {
                *keys = others;
            } else if *keys != others {
                continue;
            }
            members.push(*at);
            is_placed = true;
            break;
        }
        if !is_placed && found.len() < CLASSES {
            found.push(Class { members: vec![*at], keys: Vec::new() });
        }
    }
    found.into_iter().map(|class| class.members).filter(|members| members.len() > 1).collect()
}

/// A comparison of two entries, each with its own key.
struct Pair<'k> {
    keys: [&'k str; 2],
    strings: usize,
    /// The positions of the key in the first entry: the index of the string, and the offset in it.
    places: Vec<(usize, usize)>,
}

impl<'k> Pair<'k> {
    /// The positions at which both entries have their own keys, if they are equal otherwise.
    fn compare<'a: 'k>(first: &Entry<'a>, second: &Entry<'a>) -> Option<Vec<(usize, usize)>> {
        let keys = [instance_key(first)?, instance_key(second)?];
        let mut pair = Pair { keys, strings: 0, places: Vec::new() };
        let (words, others) = (words(first), words(second));
        let mut edits = first.edits.iter().zip(second.edits);
        let is_same = words.len() == others.len()
            && first.edits.len() == second.edits.len()
            && words.iter().zip(others).all(|(a, b)| pair.text(a, b))
            && edits.all(|(a, b)| {
                pair.path(a.path, b.path) && pair.slot(a.before, b.before) && pair.slot(a.after, b.after)
            });
        is_same.then_some(pair.places)
    }

    /// Whether two paths of the same shape name the same elements.
    fn path(&mut self, first: Path<'_>, second: Path<'_>) -> bool {
        let (first, second) = (first.steps(), second.steps());
        first.iter().zip(second).all(|(a, b)| match (element_key(*a), element_key(b)) {
            (Some(a), Some(b)) => a.name == b.name && self.value(a.value, b.value),
            (a, b) => a.is_none() && b.is_none(),
        })
    }

    fn slot(&mut self, first: Slot<'_>, second: Slot<'_>) -> bool {
        match (first, second) {
            (Slot::Absent, Slot::Absent) => true,
            (Slot::Value(first), Slot::Value(second)) => self.value(first, second),
            (Slot::Absent, Slot::Value(_)) | (Slot::Value(_), Slot::Absent) => false,
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
                    && a.iter().zip(b).all(|((name, a), (other, b))| name == other && self.value(*a, *b))
            }
            _ => first == second,
        }
    }

    /// Whether two texts are equal but for the keys.
    fn text(&mut self, first: &str, second: &str) -> bool {
        let [key, other_key] = self.keys;
        let (mut a, mut b) = (0, 0);
        self.strings += 1;
        while a < first.len() && b < second.len() {
            if is_word_at(first, a, key) && is_word_at(second, b, other_key) {
                self.places.push((self.strings, a));
                a += key.len();
                b += other_key.len();
                continue;
            }
            let (c, d) = (first[a..].chars().next(), second[b..].chars().next());
            if c != d {
                return false;
            }
            let length = c.map_or(1, char::len_utf8);
            a += length;
            b += length;
        }
        a == first.len() && b == second.len()
    }
}

/// The attribute that names the element of a step.
fn element_key<'a>(step: Step<'a>) -> Option<&'a ElementKey<'a>> {
    match step {
        Step::Name(_) => None,
        Step::Element(element) => element.key,
    }
}

/// All texts about an entry except for those of its edits.
fn words<'e>(entry: &'e Entry<'_>) -> Vec<&'e str> {
    let reasons = entry.reasons.iter().map(|reason| reason.text.as_str());
    let facts = entry.facts.iter().map(|fact| fact.text.as_str());
    let causes = entry
        .causes
        .iter()
        .flat_map(|cause| [cause.address, cause.source].into_iter().chain(cause.expected.iter().copied()));
    let parts = entry.access.iter().flat_map(|change| &change.lines).flat_map(|line| &line.parts);
    reasons.chain(facts).chain(causes).chain(parts.flat_map(Part::texts).map(String::as_str)).collect()
}

/// Whether a text has a whole word at a position, without a letter or digit before and after it.
fn is_word_at(text: &str, at: usize, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text[at..].starts_with(word)
        && !is_part(text[..at].chars().next_back())
        && !is_part(text[at + word.len()..].chars().next())
}

/// The indices of entries with equal hashes, in the order of the first of each.
fn classes<'e, 'a: 'e>(
    entries: impl Iterator<Item = (usize, &'e Entry<'a>)>,
    print: impl Fn(&Entry<'a>) -> Option<[u64; 2]>,
) -> Vec<Vec<usize>> {
    let mut places: HashMap<[u64; 2], usize> = HashMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (at, entry) in entries {
        let Some(print) = print(entry) else { continue };
        let place = *places.entry(print).or_insert(classes.len());
        match classes.get_mut(place) {
            Some(class) => class.push(at),
            None => classes.push(vec![at]),
        }
    }
    classes
}

fn join<'a>(entries: &mut [Entry<'a>], members: &[usize], same: Sameness, groups: &mut Vec<Group<'a>>) {
    let mut addresses = Vec::with_capacity(members.len());
    for at in members {
        if let Some(entry) = entries.get_mut(*at) {
            entry.group = Some(groups.len());
            addresses.push(entry.address);
        }
    }
    groups.push(Group { members: addresses, same });
}

/// The text of an instance key. Longer keys are not looked for in all texts of an entry.
fn instance_key<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    const MAX_LEN: usize = 256;
    match entry.index {
        Value::Number(text) | Value::String(text) if (1..=MAX_LEN).contains(&text.len()) => Some(text),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(keys: [&str; 2], first: &str, second: &str) -> Option<usize> {
        let mut pair = Pair { keys, strings: 0, places: Vec::new() };
        pair.text(first, second).then_some(pair.places.len())
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
