//! Groups entries with equal changes, so that they are shown once.
//!
//! Entries are grouped only if all edits are equal, including paths and sensitive values. Entries may also
//! be equal "but for the key": their edits become equal if each entry's own instance key, as a whole word
//! in strings, is replaced by a placeholder at the same positions in all of them. Equality is that of
//! 128-bit hashes, with new random keys in each run.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::RandomState;

use super::edit::{Edit, Path, Slot, Step};
use super::entry::{Entry, Group, PlanReview, Reason, Sameness};
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;

/// Finds the groups of the resources, drift and deferred changes of a review.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut groups = Vec::new();
    let hashers = Hashers([RandomState::default(), RandomState::default()]);
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
        let reasons = first.reasons.iter().zip(&second.reasons);
        let edits = first.edits.iter().zip(second.edits);
        let is_same = first.reasons.len() == second.reasons.len()
            && first.edits.len() == second.edits.len()
            && reasons.into_iter().all(|(a, b)| a.code == b.code && pair.text(&a.text, &b.text))
            && edits.into_iter().all(|(a, b)| pair.slot(a.before, b.before) && pair.slot(a.after, b.after));
        is_same.then_some(pair.places)
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

/// The text of an instance key.
fn instance_key<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    match entry.index {
        Value::Number(text) | Value::String(text) if !text.is_empty() => Some(text),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => None,
    }
}

struct Hashers([RandomState; 2]);

impl Hashers {
    /// A hash of everything that makes entries equal.
    fn entry(&self, entry: &Entry<'_>, strings: Strings) -> [u64; 2] {
        let [first, second] = &self.0;
        [first, second].map(|state| {
            let mut print = Print { state, hasher: state.build_hasher(), strings, paths: HashMap::new() };
            print.entry(entry);
            print.hasher.finish()
        })
    }
}

/// How strings are hashed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Hashed,
    LeftOut,
}

struct Print<'s, H> {
    state: &'s RandomState,
    hasher: H,
    strings: Strings,
    /// The hashes of paths, by address in memory.
    paths: HashMap<usize, u64>,
}

impl<H: Hasher> Print<'_, H> {
    fn entry(&mut self, entry: &Entry<'_>) {
        entry.action.words().hash(&mut self.hasher);
        for text in [entry.resource_type, entry.mode, entry.provider_name] {
            text.hash(&mut self.hasher);
        }
        entry.deposed.is_empty().hash(&mut self.hasher);
        entry.relevant.hash(&mut self.hasher);
        for Reason { code, text } in &entry.reasons {
            code.hash(&mut self.hasher);
            self.text(text);
        }
        entry.edits.len().hash(&mut self.hasher);
        entry.edits.iter().for_each(|edit| self.edit(edit));
    }

    fn edit(&mut self, edit: &Edit<'_>) {
        let path = self.path(edit.path);
        self.hasher.write_u64(path);
        (edit.labels, edit.replaces).hash(&mut self.hasher);
        edit.notes.hash(&mut self.hasher);
        for slot in [edit.before, edit.after] {
            match slot {
                Slot::Absent => self.hasher.write_u8(0),
                Slot::Value(value) => self.value(value),
            }
        }
    }

    /// The hash of a path. Edits share the beginnings of their paths, each of which is hashed once.
    fn path(&mut self, path: Path<'_>) -> u64 {
        let mut steps = Vec::new();
        let mut rest = path;
        let mut print = loop {
            let (Some(node), Some(step), Some(parent)) = (rest.node(), rest.last(), rest.parent()) else {
                break 0;
            };
            if let Some(print) = self.paths.get(&node) {
                break *print;
            }
            steps.push((node, step));
            rest = parent;
        };
        while let Some((node, step)) = steps.pop() {
            let mut hasher = self.state.build_hasher();
            hasher.write_u64(print);
            match step {
                Step::Name(name) => name.hash(&mut hasher),
                Step::Element(element) => (element.before, element.after, element.is_set).hash(&mut hasher),
            }
            print = hasher.finish();
            self.paths.insert(node, print);
        }
        print
    }

    fn value(&mut self, value: MarkedValue<'_>) {
        if self.strings == Strings::Hashed {
            return self.hasher.write_u64(value.hash_value());
        }
        (value.is_sensitive, value.is_hidden).hash(&mut self.hasher);
        match value.content {
            Content::String(_) => self.hasher.write_u8(1),
            Content::Array(items) => {
                self.hasher.write_u8(2);
                items.len().hash(&mut self.hasher);
                items.iter().for_each(|item| self.value(*item));
            }
            Content::Object(members) => {
                self.hasher.write_u8(3);
                members.iter().filter(|(_, member)| !member.is_null()).for_each(|(name, member)| {
                    name.hash(&mut self.hasher);
                    self.value(*member);
                });
                self.hasher.write_u8(4);
            }
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) | Content::Number(_) => {
                self.hasher.write_u64(value.hash_value());
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.strings == Strings::Hashed {
            text.hash(&mut self.hasher);
        }
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
