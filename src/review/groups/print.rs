//! Hashes of all that must be equal in a group of entries.
//!
//! Equal hashes count as equality, so that the fields of different entries must never run together: what is of
//! several kinds or lengths begins with its kind or length, and the hash function must take zeros into account
//! (that of `foldhash` does not everywhere).

use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::mem::discriminant;

use super::words;
use crate::diff::edits::{Edit, Element, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::model::Action;
use crate::review::access::AccessChange;
use crate::review::entry::{Entry, Finding, PlanFinding};
use crate::review::keys;
use crate::review::text::root_name;

/// Two hash functions with random keys.
#[derive(Debug, Default)]
pub(in crate::review) struct Hashers([RandomState; 2]);

impl Hashers {
    /// A hash of everything that must be equal in a group.
    pub(in crate::review) fn entry(
        &self,
        entry: &Entry<'_>,
        findings: &[PlanFinding<'_>],
        strings: Strings,
    ) -> [u64; 2] {
        let [first, second] = &self.0;
        [first, second].map(|state| {
            let mut print =
                Print { hasher: state.build_hasher(), strings, keys: keys::of_address(entry.address) };
            print.entry(entry, findings);
            print.hasher.finish()
        })
    }
}

/// How strings are hashed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::review) enum Strings {
    Hashed,
    LeftOut,
}

/// Whether an entry changes nothing but tags and labels, which is the same for all types.
pub(super) fn changes_only_tags(entry: &Entry<'_>) -> bool {
    const NAMES: [&str; 5] = ["tags", "tags_all", "labels", "effective_labels", "terraform_labels"];
    entry.action == Action::Update
        && entry.mode == "managed"
        && !entry.edits.is_empty()
        && entry.edits.iter().all(|edit| NAMES.contains(&root_name(edit)))
}

/// Hashes a name without the keys of its entry.
fn hash_name(name: &str, keys: &[&str], hasher: &mut impl Hasher) {
    if keys.iter().any(|key| name.contains(key)) {
        keys.iter().fold(name.to_owned(), |name, key| keys::without(&name, key)).hash(hasher);
    } else {
        name.hash(hasher);
    }
}

struct Print<'s, H> {
    hasher: H,
    strings: Strings,
    /// The keys of the entry.
    keys: Vec<&'s str>,
}

impl<H: Hasher> Print<'_, H> {
    fn entry(&mut self, entry: &Entry<'_>, findings: &[PlanFinding<'_>]) {
        entry.action.words().hash(&mut self.hasher);
        if !changes_only_tags(entry) {
            for text in [entry.resource_type, entry.mode, entry.provider_name] {
                text.hash(&mut self.hasher);
            }
        }
        for given in entry.given.iter().filter(|given| !given.sources.is_empty()) {
            (given.attribute, given.sources.len()).hash(&mut self.hasher);
        }
        entry.deposed.is_empty().hash(&mut self.hasher);
        entry.relevant.hash(&mut self.hasher);
        entry.reasons.iter().for_each(|reason| reason.code.hash(&mut self.hasher));
        entry.findings.len().hash(&mut self.hasher);
        for PlanFinding { finding, .. } in entry.findings.iter().filter_map(|at| findings.get(*at)) {
            let Finding { kind, level, rule, is_expected, is_undone, origin, .. } = finding;
            (kind, level, rule, is_expected, is_undone, origin).hash(&mut self.hasher);
        }
        for cause in &entry.causes {
            (cause.attribute, cause.expected.len()).hash(&mut self.hasher);
        }
        entry.access.iter().for_each(|change| self.access(change));
        words(entry, findings).into_iter().for_each(|text| self.text(text));
        entry.edits.len().hash(&mut self.hasher);
        entry.edits.iter().for_each(|edit| self.edit(edit));
    }

    /// All but the texts.
    fn access(&mut self, change: &AccessChange<'_>) {
        (&change.attributes, &change.edits, change.title.is_empty()).hash(&mut self.hasher);
        for line in &change.lines {
            (line.depth, line.sign).hash(&mut self.hasher);
            for part in &line.parts {
                (discriminant(&part.tone), part.items.len()).hash(&mut self.hasher);
            }
        }
    }

    fn edit(&mut self, edit: &Edit<'_>) {
        self.path(edit.path);
        (edit.labels, edit.replaces).hash(&mut self.hasher);
        edit.notes.hash(&mut self.hasher);
        for side in [edit.before, edit.after] {
            match side {
                None => self.hasher.write_u8(0),
                Some(value) => {
                    self.hasher.write_u8(1);
                    self.value(value);
                }
            }
        }
    }

    fn path(&mut self, path: Path<'_>) {
        path.len().hash(&mut self.hasher);
        for step in path.steps() {
            discriminant(&step).hash(&mut self.hasher);
            match step {
                Step::Name(name) if self.strings == Strings::LeftOut => {
                    hash_name(name, &self.keys, &mut self.hasher);
                }
                Step::Name(name) => name.hash(&mut self.hasher),
                Step::Document(format) => format.hash(&mut self.hasher),
                Step::Element(Element { before, after, lengths, is_set, key }) => {
                    // A list that becomes empty has a line of its own.
                    let is_empty = (lengths.0 == 0, lengths.1 == 0);
                    (before, after, is_empty, is_set, key.map(|key| key.name)).hash(&mut self.hasher);
                    if let Some(key) = key
                        && self.strings == Strings::Hashed
                    {
                        key.value.hash(&mut self.hasher);
                    }
                }
            }
        }
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
                let members = members.iter().filter(|(_, member)| !member.is_null());
                members.clone().count().hash(&mut self.hasher);
                members.for_each(|(name, member)| {
                    hash_name(name, &self.keys, &mut self.hasher);
                    self.value(*member);
                });
            }
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) | Content::Number(_) => {
                self.hasher.write_u8(4);
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
