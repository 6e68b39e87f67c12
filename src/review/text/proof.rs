//! Finds the edit that proves a finding, so that the finding is mentioned at this edit.
//!
//! ```text
//! edits     [0] ingress[2].cidr_blocks[0]    [1] ingress[4]    [2] tags.Name
//! finding   ingress[2].cidr_blocks           is proven by [0], whose path continues its path
//! finding   ingress[4].cidr_blocks[0]        is proven by [1], whose path is the beginning of its path
//! ```
//!
//! Invariant: the work grows with the lengths of all paths, not with the number of edits times that of findings.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use super::finding::FindingAt;
use crate::diff::edits::{Edit, Format, Step};
use crate::review::paths::{is_same_name, root_name};

/// The findings of an entry by the edits that prove them. Findings are positions in the list that was given.
pub(super) struct Proofs {
    /// The findings that each edit proves, by the index of the edit.
    by_edit: BTreeMap<usize, Vec<usize>>,
    /// For each finding, whether the path of its edit is equal to its path, continues it or is its beginning, with the
    /// same elements of lists.
    is_exact: Vec<bool>,
}

impl Proofs {
    /// Finds for each finding the first edit with its path, otherwise with the same path to another element, otherwise
    /// of the same attribute.
    pub(super) fn new(edits: &[Edit<'_>], findings: &[FindingAt<'_>]) -> Self {
        let mut proofs = Self {
            by_edit: BTreeMap::new(),
            is_exact: Vec::with_capacity(findings.len()),
        };
        if findings.is_empty() {
            return proofs;
        }
        let by_index = [Identity::IndexAfter, Identity::IndexBefore];
        let exact = by_index.map(|identity| PlaceIndex::new(edits, identity));
        // Only findings without an edit with exactly their path need these.
        let similar = LazyCell::new(|| PlaceIndex::new(edits, Identity::Any));
        let by_attribute = LazyCell::new(|| first_by_attribute(edits));
        for (finding, FindingAt { steps, .. }) in findings.iter().enumerate() {
            let proving = exact.iter().filter_map(|places| places.first(steps)).min();
            proofs.is_exact.push(proving.is_some());
            let of_attribute = || match steps.first() {
                Some(Step::Name(attribute)) => by_attribute.get(attribute).copied(),
                Some(Step::Element(_) | Step::Document(_)) | None => None,
            };
            let proving = proving
                .or_else(|| similar.first(steps))
                .or_else(of_attribute);
            if let Some(edit) = proving {
                proofs.by_edit.entry(edit).or_default().push(finding);
            }
        }
        proofs
    }

    /// Returns the findings that an edit proves, in their order.
    pub(super) fn of(&self, edit: usize) -> &[usize] {
        self.by_edit.get(&edit).map_or(&[], Vec::as_slice)
    }

    /// Returns the findings that an edit proves, without those that are about another element.
    pub(super) fn exactly_of(&self, edit: usize) -> Vec<usize> {
        let findings = self.of(edit).iter().copied();
        findings.filter(|finding| self.is_exact[*finding]).collect()
    }

    /// Returns each edit that proves any finding, with the first of these findings.
    pub(super) fn first_of_each(&self) -> impl Iterator<Item = (usize, usize)> {
        let first = |(edit, findings): (&usize, &Vec<usize>)| Some((*edit, *findings.first()?));
        self.by_edit.iter().filter_map(first)
    }
}

/// The criterion by which two elements of a list or set are the same.
#[derive(Clone, Copy)]
enum Identity {
    /// Two elements are the same if they have the same index after the change.
    IndexAfter,
    /// Two elements are the same if they have the same index before the change.
    IndexBefore,
    /// All elements are the same, because the finding may be that of another object of a group, where the element has
    /// another index.
    Any,
}

/// The part of a step by which it is compared.
#[derive(Hash)]
enum StepKey<'s> {
    Name(&'s str),
    Element(Option<u32>),
    Document(Format),
}

impl Identity {
    /// Returns the part of a step by which it is compared. `None` for an element without an index on this side, which
    /// equals no other.
    fn key<'s>(self, step: &Step<'s>) -> Option<StepKey<'s>> {
        Some(match (step, self) {
            (Step::Name(name), _) => StepKey::Name(name),
            (Step::Document(format), _) => StepKey::Document(*format),
            (Step::Element(_), Self::Any) => StepKey::Element(None),
            (Step::Element(element), Self::IndexAfter) => StepKey::Element(Some(element.after?)),
            (Step::Element(element), Self::IndexBefore) => StepKey::Element(Some(element.before?)),
        })
    }
}

/// The first edit at each path, by hashes of paths. Equal hashes count as equality.
struct PlaceIndex {
    /// The hash function, with random keys.
    hashes: RandomState,
    /// The criterion by which elements are the same.
    identity: Identity,
    /// The first edit with exactly this path.
    exact: HashMap<u64, usize>,
    /// The first edit with this path, or with one that continues it.
    with_continuations: HashMap<u64, usize>,
}

impl PlaceIndex {
    /// Indexes all edits. Paths are hashed step by step, and the steps that an edit shares with the previous one are
    /// not hashed again.
    fn new(edits: &[Edit<'_>], identity: Identity) -> Self {
        let mut places = Self {
            hashes: RandomState::new(),
            identity,
            exact: HashMap::new(),
            with_continuations: HashMap::new(),
        };
        // The steps of the previous edit, and the hash of its path up to each of them. Names may be long, so each is
        // hashed once.
        let mut steps_before: Vec<Step<'_>> = Vec::new();
        let mut hashes_before: Vec<u64> = Vec::new();
        for (index, edit) in edits.iter().enumerate() {
            let steps = edit.path.steps();
            let shared = steps.iter().zip(&steps_before);
            let shared = shared
                .take_while(|(step, other)| is_same_step(step, other))
                .count();
            hashes_before.truncate(shared);
            let known = hashes_before.len();
            let hash = hashes_before.last().copied().unwrap_or_default();
            hashes_before.extend(places.hashes_from(hash, steps.get(known..).unwrap_or_default()));
            // The shared steps are known from the previous edit.
            for hash in hashes_before.get(known..).unwrap_or_default() {
                places.with_continuations.entry(*hash).or_insert(index);
            }
            if hashes_before.len() == steps.len()
                && let Some(whole) = hashes_before.last()
            {
                places.exact.entry(*whole).or_insert(index);
            }
            steps_before = steps;
        }
        places
    }

    /// Returns the hash of a path up to each of `steps`, as far as they can be compared. `start` is the hash of the
    /// path before them.
    fn hashes_from(&self, start: u64, steps: &[Step<'_>]) -> Vec<u64> {
        let mut hash = start;
        let keys = steps.iter().map_while(|step| self.identity.key(step));
        keys.map(|key| {
            hash = self.hashes.hash_one((hash, key));
            hash
        })
        .collect()
    }

    /// Returns the first edit whose path is equal to this one, continues it or is its beginning.
    fn first(&self, steps: &[Step<'_>]) -> Option<usize> {
        let hashes = self.hashes_from(0, steps);
        let below = hashes.last().filter(|_| hashes.len() == steps.len());
        let below = below.and_then(|whole| self.with_continuations.get(whole));
        let of_beginnings = hashes.iter().filter_map(|hash| self.exact.get(hash));
        of_beginnings.chain(below).min().copied()
    }
}

/// Whether two steps are the same by every [`Identity`].
fn is_same_step(step: &Step<'_>, other: &Step<'_>) -> bool {
    match (step, other) {
        (Step::Name(name), Step::Name(other)) => is_same_name(name, other),
        (Step::Element(one), Step::Element(other)) => {
            (one.before, one.after) == (other.before, other.after)
        }
        (Step::Document(format), Step::Document(other)) => format == other,
        _ => false,
    }
}

/// Returns the first edit of each attribute.
fn first_by_attribute<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, usize> {
    let mut first = HashMap::new();
    let mut index = 0;
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        first.entry(root_name(&group[0])).or_insert(index);
        index += group.len();
    }
    first
}
