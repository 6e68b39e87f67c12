//! Groups entries with equal changes.
//!
//! The entries of a group have equal edits, including sensitive values, and everything that texts say about one entry
//! is true for each of them: reasons, findings, causes, policies and firewall rules, which name unchanged values too.
//! Entries are equal "but for the key" if they become equal once the instance keys in their addresses, including those
//! of modules, are replaced where they are whole words in strings and names, at the same positions in all entries.
//! Changes of tags alone are equal for all types. Equality is that of hashes, with new random keys in each run.
//!
//! ```text
//! aws_subnet.private["a"]   tags.Name: shop-a -> shop2-a
//! aws_subnet.private["b"]   tags.Name: shop-b -> shop2-b
//!
//! Group { members: both, same: ButForTheKey }
//! ```

use std::collections::BTreeMap;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::mem::discriminant;

use crate::diff::edits::{Edit, Element, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::grouping;
use crate::review::access::AccessChange;
use crate::review::changes::Changes;
use crate::review::entry::{Entry, Finding, Group, PlanFinding, Sameness};
use crate::review::keys;

/// The maximum number of classes of entries of the same shape that each entry is compared with.
const MAX_CLASSES: usize = 16;

/// Groups the entries of changes, drift and deferred changes, and records in each entry the group that it is in.
pub(super) fn find<'a>(changes: &mut Changes<'a>, findings: &[PlanFinding<'a>]) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    let prints = EntryHashers::default();
    let Changes {
        resources,
        drift,
        deferred,
        ..
    } = changes;
    for entries in [resources, drift, deferred] {
        group_list(entries, findings, &prints, &mut groups);
    }
    groups
}

/// Assigns the entries of one list to groups, and appends these to `groups`: first those that are exactly equal, then
/// those of the rest that are equal except for their instance keys.
fn group_list<'a>(
    entries: &mut [Entry<'a>],
    findings: &[PlanFinding<'a>],
    prints: &EntryHashers,
    groups: &mut Vec<Group<'a>>,
) {
    let mut join = |entries: &mut [Entry<'a>], members: &[usize], same| {
        members
            .iter()
            .for_each(|index| entries[*index].group = Some(groups.len()));
        let members = members
            .iter()
            .map(|index| entries[*index].address)
            .collect();
        groups.push(Group {
            id: groups.len(),
            members,
            same,
        });
    };
    let mut alone: Vec<usize> = Vec::new();
    let exact = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (prints.exact(entry, findings), index));
    for members in grouping::groups(exact.collect::<Vec<_>>()) {
        match *members {
            [only] => alone.push(only),
            _ => join(entries, &members, Sameness::Exactly),
        }
    }
    let keyed = alone
        .into_iter()
        .filter(|index| !keys::of_address(entries[*index].address).is_empty());
    let similar =
        grouping::groups(keyed.map(|index| (prints.shape(&entries[index], findings).0, index)));
    for places in similar.into_iter().filter(|places| places.len() > 1) {
        for members in but_for_the_key(entries, findings, &places, prints) {
            join(entries, &members, Sameness::ButForTheKey);
        }
    }
}

/// Groups entries of the same shape that are equal except for the instance key. Each entry is compared with the first
/// entry of at most `MAX_CLASSES` groups.
fn but_for_the_key(
    entries: &[Entry<'_>],
    findings: &[PlanFinding<'_>],
    places: &[usize],
    prints: &EntryHashers,
) -> Vec<Vec<usize>> {
    // For each group: its members, the texts of the first, and the positions of each key in these texts, as far as
    // another member has another key.
    let mut groups: Vec<(Vec<usize>, Vec<&str>, Positions)> = Vec::new();
    for index in places {
        let entry = &entries[*index];
        let (_, texts) = prints.shape(entry, findings);
        let is_placed = groups.iter_mut().any(|(members, first, known)| {
            let addresses = [entries[members[0]].address, entry.address];
            let Some(others) =
                differing_keys(addresses).and_then(|keys| positions(&keys, first, &texts))
            else {
                return false;
            };
            let fits = others
                .iter()
                .all(|(key, index)| known.get(key).is_none_or(|known| known == index));
            if fits {
                known.extend(others);
                members.push(*index);
            }
            fits
        });
        if !is_placed && groups.len() < MAX_CLASSES {
            groups.push((vec![*index], texts, Positions::new()));
        }
    }
    groups
        .into_iter()
        .map(|(members, ..)| members)
        .filter(|members| members.len() > 1)
        .collect()
}

/// The positions of keys, by the index of the key: the index of a text, and the byte offset in it.
type Positions = BTreeMap<usize, Vec<(usize, usize)>>;

/// Returns the keys in which two addresses differ, each with its index. `None` if the addresses have different numbers
/// of keys.
fn differing_keys([first, second]: [&str; 2]) -> Option<Vec<(usize, [&str; 2])>> {
    let (keys, others) = (keys::of_address(first), keys::of_address(second));
    let is_same_number = keys.len() == others.len();
    let keys = keys
        .into_iter()
        .zip(others)
        .map(|(key, other)| [key, other])
        .enumerate();
    is_same_number.then(|| keys.filter(|(_, [key, other])| key != other).collect())
}

/// Returns the positions of keys in the first of two lists of texts; `None` if the texts differ in anything except
/// these keys.
fn positions(keys: &[(usize, [&str; 2])], first: &[&str], second: &[&str]) -> Option<Positions> {
    let mut places = Positions::new();
    let mut is_same = |(position, (first, second)): (usize, (&&str, &&str))| {
        if first == second && keys.is_empty() {
            return true;
        }
        keys::are_equal_but_for_keys((first, second), |a, b| {
            let is_here = |(_, [key, other]): &&(usize, [&str; 2])| {
                keys::is_key_at(first, a, key) && keys::is_key_at(second, b, other)
            };
            let (index, [key, other]) = keys
                .iter()
                .filter(is_here)
                .max_by_key(|(_, [key, _])| key.len())?;
            places.entry(*index).or_default().push((position, a));
            Some((key.len(), other.len()))
        })
    };
    let is_equal =
        first.len() == second.len() && first.iter().zip(second).enumerate().all(&mut is_same);
    is_equal.then_some(places)
}

/// A source of hash functions with random keys, which are the same for all entries of a run.
///
/// Equal hashes count as equality, so the fields of different entries must never run together. Therefore, each value
/// with several kinds or lengths begins with its kind or length, and the hash function must take zeros into account
/// (which that of `foldhash` does not do everywhere).
#[derive(Debug, Default)]
pub(in crate::review) struct EntryHashers(RandomState);

impl EntryHashers {
    /// Returns the hash of everything that texts say about an entry. Entries with equal hashes count as equal.
    pub(in crate::review) fn exact(&self, entry: &Entry<'_>, findings: &[PlanFinding<'_>]) -> u64 {
        let mut print = self.print(entry, true);
        print.entry(entry, findings);
        print.hasher.finish()
    }

    /// Returns the hash of an entry without its texts, and these texts.
    fn shape<'e>(
        &self,
        entry: &'e Entry<'_>,
        findings: &'e [PlanFinding<'_>],
    ) -> (u64, Vec<&'e str>) {
        let mut print = self.print(entry, false);
        print.entry(entry, findings);
        (print.hasher.finish(), print.texts)
    }

    /// Creates the hasher of an entry, with the instance keys that its texts may contain.
    fn print<'e>(&self, entry: &'e Entry<'_>, is_exact: bool) -> EntryHasher<'e> {
        let keys = if is_exact {
            Vec::new()
        } else {
            keys::of_address(entry.address)
        };
        EntryHasher {
            hasher: self.0.build_hasher(),
            is_exact,
            keys,
            texts: Vec::new(),
        }
    }
}

/// A hasher of everything that must be equal for two entries to be in one group.
struct EntryHasher<'e> {
    /// The state of the hash.
    hasher: DefaultHasher,
    /// Whether texts and values are hashed as they are. Otherwise, texts are collected in `texts`, so that their keys
    /// can be compared later.
    is_exact: bool,
    /// The instance keys in the address of the entry, which may occur in its texts.
    keys: Vec<&'e str>,
    /// The texts of the entry in the order of its fields; empty if `is_exact`.
    texts: Vec<&'e str>,
}

impl<'e> EntryHasher<'e> {
    fn add(&mut self, field: impl Hash) {
        field.hash(&mut self.hasher);
    }

    fn text(&mut self, text: &'e str) {
        if self.is_exact {
            self.add(text);
        } else {
            self.texts.push(text);
        }
    }

    /// Adds everything that texts say about an entry: its action, reasons, findings, causes, access changes and edits.
    fn entry(&mut self, entry: &'e Entry<'_>, findings: &'e [PlanFinding<'_>]) {
        self.add(entry.action.words());
        if !entry.changes_only_tags() {
            self.add([entry.resource_type, entry.mode, entry.provider_name]);
        }
        let given = entry.given.iter().filter(|given| !given.sources.is_empty());
        self.add((
            entry.deposed.is_empty(),
            entry.relevant,
            given.clone().count(),
            entry.reasons.len(),
        ));
        for given in given {
            self.add((given.attribute, given.sources.len()));
            given.sources.iter().for_each(|source| self.text(source));
        }
        for reason in &entry.reasons {
            self.add(&reason.code);
            self.text(&reason.text);
        }
        self.add((
            entry.findings.len(),
            entry.causes.len(),
            entry.access.len(),
            entry.exact_edits.exact().len(),
        ));
        for PlanFinding { finding, .. } in entry
            .findings
            .iter()
            .filter_map(|index| findings.get(*index))
        {
            let Finding {
                kind,
                level,
                rule,
                is_expected,
                is_undone,
                origin,
                text,
                ..
            } = finding;
            self.add((kind, level, rule, is_expected, is_undone, origin));
            self.text(text);
        }
        for item in &entry.replaced_with {
            self.add(&item.label);
            self.text(&item.value);
        }
        for cause in &entry.causes {
            self.add((cause.attribute, cause.expected.len()));
            self.text(cause.address);
            self.text(cause.source.unwrap_or_default());
            cause.expected.iter().for_each(|text| self.text(text));
        }
        entry.access.iter().for_each(|change| self.access(change));
        entry
            .exact_edits
            .exact()
            .iter()
            .for_each(|edit| self.edit(edit));
    }

    /// Adds the lines of a change of access.
    fn access(&mut self, change: &'e AccessChange<'_>) {
        self.add((
            &change.attributes,
            &change.edits,
            change.title.is_empty(),
            change.lines.len(),
        ));
        for line in &change.lines {
            self.add((line.depth, line.sign, line.parts.len()));
            for part in &line.parts {
                self.add((discriminant(&part.tone), part.items.len()));
                part.items.iter().for_each(|text| self.text(text));
            }
        }
    }

    /// Adds the path, the remarks and both sides of an edit. Lengths of lists are not added, only whether they are
    /// empty.
    fn edit(&mut self, edit: &'e Edit<'_>) {
        self.add(edit.path.len());
        for step in edit.path.steps() {
            self.add(discriminant(&step));
            match step {
                Step::Name(name) => self.name(name),
                Step::Document(format) => self.add(format),
                Step::Element(Element {
                    before,
                    after,
                    lengths,
                    is_set,
                    key,
                }) => {
                    let is_empty = (lengths.0 == 0, lengths.1 == 0);
                    self.add((before, after, is_empty, is_set, key.map(|key| key.name)));
                    key.into_iter().for_each(|key| self.value(key.value));
                }
            }
        }
        self.add((edit.labels, edit.replaces, edit.notes));
        for side in [edit.before, edit.after] {
            self.add(side.is_some());
            side.into_iter().for_each(|value| self.value(value));
        }
    }

    /// Adds the name of a member. Unless texts are hashed as they are, the keys in it are replaced by a placeholder in
    /// the hash.
    fn name(&mut self, name: &'e str) {
        self.text(name);
        if !self.is_exact {
            match self.keys.iter().any(|key| name.contains(key)) {
                true => self.add(keys::without(name, &self.keys)),
                false => self.add(name),
            }
        }
    }

    /// Adds a value. If keys may differ, this descends to its strings, and members that are null do not count.
    fn value(&mut self, value: MarkedValue<'e>) {
        if self.is_exact {
            return self.add(value.hash_value());
        }
        self.add((value.is_sensitive, value.is_hidden));
        match value.content {
            Content::String(text) => {
                self.add(0_u8);
                self.text(text);
            }
            Content::Array(items) => {
                self.add((1_u8, items.len()));
                items.iter().for_each(|item| self.value(*item));
            }
            Content::Object(members) => {
                let members = members.iter().filter(|(_, member)| !member.is_null());
                self.add((2_u8, members.clone().count()));
                members.for_each(|(name, member)| {
                    self.name(name);
                    self.value(*member);
                });
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {
                self.add((3_u8, value.hash_value()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
