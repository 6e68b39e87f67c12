//! Entries whose changes are the same, so that a reader sees them once.
//!
//! Only equal edits make a group: all values, secrets and places included. Entries may also be the same
//! "but for the key": when in each of them the text of its own instance key, where it is a word of its
//! own inside of a string, is replaced by a placeholder. Equality is that of hashes of 128 bits with
//! keys that are new in each run.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::RandomState;

use super::edit::{Edit, Slot, Step};
use super::entry::{Entry, Group, PlanReview, Reason, Sameness};
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;

/// Finds the groups of a review's resources, drift and deferred changes.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut groups = Vec::new();
    let hashers = Hashers([RandomState::default(), RandomState::default()]);
    for entries in [&mut review.resources, &mut review.drift, &mut review.deferred] {
        of_list(entries, &hashers, &mut groups);
    }
    review.groups = groups;
}

fn of_list<'a>(entries: &mut [Entry<'a>], hashers: &Hashers, groups: &mut Vec<Group<'a>>) {
    let mut alone: Vec<usize> = Vec::new();
    for members in classes(entries.iter().enumerate(), |entry| Some(hashers.entry(entry, None))) {
        match *members {
            [only] => alone.push(only),
            _ => join(entries, &members, Sameness::Exactly, groups),
        }
    }
    let rest = alone.iter().filter_map(|at| Some((*at, entries.get(*at)?)));
    let keyed = classes(rest, |entry| Some(hashers.entry(entry, Some(instance_key(entry)?))));
    for members in keyed.into_iter().filter(|members| members.len() > 1) {
        join(entries, &members, Sameness::ButForTheKey, groups);
    }
}

/// The places of entries with equal prints, in the order of the first of each.
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
    /// A number for all that makes an entry the same as another one; `key` is replaced in strings.
    fn entry(&self, entry: &Entry<'_>, key: Option<&str>) -> [u64; 2] {
        let [first, second] = &self.0;
        [first, second].map(|state| {
            let mut print = Print { hasher: state.build_hasher(), key };
            print.entry(entry);
            print.hasher.finish()
        })
    }
}

struct Print<'k, H> {
    hasher: H,
    key: Option<&'k str>,
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
        edit.path.len().hash(&mut self.hasher);
        for step in edit.path.steps() {
            match step {
                Step::Name(name) => name.hash(&mut self.hasher),
                Step::Element(element) => {
                    (element.before, element.after, element.is_set).hash(&mut self.hasher);
                }
            }
        }
        (edit.labels, edit.replaces).hash(&mut self.hasher);
        edit.notes.hash(&mut self.hasher);
        for slot in [edit.before, edit.after] {
            match slot {
                Slot::Absent => self.hasher.write_u8(0),
                Slot::Value(value) => self.value(value),
            }
        }
    }

    fn value(&mut self, value: MarkedValue<'_>) {
        if self.key.is_none() {
            return self.hasher.write_u64(value.hash_value());
        }
        (value.is_sensitive, value.is_hidden).hash(&mut self.hasher);
        match value.content {
            Content::String(text) => {
                self.hasher.write_u8(1);
                self.text(text);
            }
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
                self.hasher.write_u64(value.hash_value())
            }
        }
    }

    /// A text, with the key, where it is a word of its own, as a placeholder.
    fn text(&mut self, text: &str) {
        let Some(key) = self.key else { return text.hash(&mut self.hasher) };
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut rest = text;
        let mut last = None;
        while let Some(at) = rest.find(key) {
            let (before, after) = (&rest[..at], &rest[at + key.len()..]);
            before.hash(&mut self.hasher);
            let alone = !is_word(before.chars().next_back().or(last)) && !is_word(after.chars().next());
            if alone {
                self.hasher.write_u8(1);
            } else {
                self.hasher.write_u8(2);
                key.hash(&mut self.hasher);
            }
            last = key.chars().next_back();
            rest = after;
        }
        rest.hash(&mut self.hasher);
    }
}
