//! Finds each shape of a plan. Whether one fits follows from the entries of the plan alone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::PlanShape;
use crate::diff::edits::{Edit, Label, Path, Step};
use crate::diff::value::MarkedValue;
use crate::review::entry::Entry;
use crate::review::paths::{path_text, root_name};
use crate::review::plan::PlanReview;
use crate::review::text::{differing_part, word};
use crate::review::{ChangeKind, moves, names};

/// The minimum share of all changes that a shape must have, in percent.
const MIN_SHARE: usize = 60;
/// The minimum number of objects that move or share an edit. Fewer are not worth a sentence.
const MIN_SHARING: usize = 3;
/// The maximum number of edits of an entry that are compared with those of others.
const MAX_EDITS: usize = 32;
/// The maximum length of a value in the sentence, in characters.
const MAX_VALUE_LEN: usize = 32;

/// Whether `part` is most of `whole`, as `MIN_SHARE` says.
fn is_most(part: usize, whole: usize) -> bool {
    part > 0 && part * 100 >= whole * MIN_SHARE
}

fn number_of_types(entries: &[&Entry<'_>]) -> usize {
    let types: HashSet<&str> = entries.iter().map(|entry| entry.resource_type).collect();
    types.len()
}

/// Finds the shape of a plan that destroys everything. A plan lists unchanged objects too, so an object that it does
/// not list is not in the state.
pub(super) fn destroy_all<'a>(
    review: &PlanReview<'a>,
    listed: &[&Entry<'a>],
) -> Option<PlanShape<'a>> {
    let is_destroyed = |entry: &&Entry<'_>| entry.kind() == ChangeKind::Destroy;
    let holds = listed.len() >= 2
        && review.unchanged_objects == 0
        && listed.iter().all(is_destroyed)
        && review.changes.deferred.is_empty();
    holds.then(|| PlanShape::DestroyAll {
        objects: listed.len(),
        types: number_of_types(listed),
        is_whole_state: review.complete == Some(true),
    })
}

/// Finds the replacement that most other replacements follow from, if at least two do.
///
/// Linear in the causes: an object is counted only for the first root that it is behind.
pub(super) fn cascade<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let replaced: HashMap<&str, &Entry<'a>> = listed
        .iter()
        .filter(|entry| entry.kind().is_replacement() && entry.deposed.is_empty())
        .map(|entry| (entry.address, *entry))
        .collect();
    if replaced.len() < 3 {
        return None;
    }
    let mut followers: HashMap<&str, Vec<&'a str>> = HashMap::new();
    let mut roots: Vec<&Entry<'a>> = Vec::new();
    for entry in listed
        .iter()
        .filter(|entry| replaced.contains_key(entry.address))
    {
        let mut is_root = true;
        for cause in &entry.causes {
            if cause.address != entry.address && replaced.contains_key(cause.address) {
                followers
                    .entry(cause.address)
                    .or_default()
                    .push(entry.address);
                is_root = false;
            }
        }
        if is_root && !roots.iter().any(|root| root.address == entry.address) {
            roots.push(entry);
        }
    }
    let mut widest: Option<(&Entry<'a>, usize)> = None;
    // An object is counted for the first root that it is behind, so that each is visited once.
    let mut visited: HashSet<&str> = HashSet::new();
    for root in roots {
        let mut behind = 0;
        let mut open = vec![root.address];
        visited.insert(root.address);
        while let Some(address) = open.pop() {
            for follower in followers.get(address).into_iter().flatten() {
                if visited.insert(follower) {
                    behind += 1;
                    open.push(follower);
                }
            }
        }
        if widest.is_none_or(|(_, most)| behind > most) {
            widest = Some((root, behind));
        }
    }
    let (root, behind) = widest.filter(|(_, behind)| *behind >= 2)?;
    let mut attributes: Vec<&str> = Vec::new();
    for edit in root.shown_edits.list().iter().filter(|edit| edit.replaces) {
        let name = root_name(edit);
        if !name.is_empty() && !attributes.contains(&name) {
            attributes.push(name);
        }
    }
    Some(PlanShape::Cascade {
        root: root.address,
        attributes,
        behind,
    })
}

/// Whether an entry that moves or is imported has other changes too.
fn changes_too(entry: &Entry<'_>) -> bool {
    !matches!(entry.kind(), ChangeKind::Move | ChangeKind::Import)
}

/// Finds the mapping by which most objects move.
pub(super) fn move_of_most<'a>(entries: &[Entry<'a>], listed: usize) -> Option<PlanShape<'a>> {
    let most = moves::moves(entries).into_iter().next()?;
    let objects = most.entries.len();
    let changed = most
        .entries
        .iter()
        .filter(|index| changes_too(&entries[**index]));
    (objects >= MIN_SHARING && is_most(objects, listed)).then(|| PlanShape::Move {
        mapping: most.mapping,
        objects,
        changed: changed.count(),
    })
}

/// Finds the import of most objects.
pub(super) fn import_of_most<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let is_imported = |entry: &&&Entry<'a>| entry.importing.is_some();
    let imported: Vec<&Entry<'a>> = listed.iter().filter(is_imported).copied().collect();
    is_most(imported.len(), listed.len()).then(|| PlanShape::Import {
        objects: imported.len(),
        types: number_of_types(&imported),
        changed: imported.iter().filter(|entry| changes_too(entry)).count(),
    })
}

/// Whether a provider computes the new value, so that no author wrote the edit.
fn is_computed(edit: &Edit<'_>) -> bool {
    edit.after.is_some_and(|after| after.is_unknown())
}

/// Whether an edit changes only how a value is written, or nothing to something empty.
fn is_form_only(edit: &Edit<'_>) -> bool {
    names::is_cosmetic(edit) || edit.labels.contains(Label::Empty)
}

/// Finds the attributes (tags or labels) that most objects change alone, or the edit that most objects share.
pub(super) fn shared_change<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    if listed.len() < MIN_SHARING {
        return None;
    }
    let updates: Vec<&Entry<'a>> = listed
        .iter()
        .filter(|entry| entry.kind() == ChangeKind::Update)
        .copied()
        .collect();
    let mut by_attributes: HashMap<Vec<&'a str>, Vec<&Entry<'a>>> = HashMap::new();
    for entry in &updates {
        let written = entry
            .shown_edits
            .list()
            .iter()
            .filter(|edit| !is_computed(edit));
        let names: BTreeSet<&str> = written.map(root_name).collect();
        // The name of another attribute alone says too little.
        if !names.is_empty() && entry.changes_only_tags() {
            by_attributes
                .entry(names.into_iter().collect())
                .or_default()
                .push(entry);
        }
    }
    let same_attributes = by_attributes
        .into_iter()
        .max_by(|(names, entries), (others, more)| {
            (entries.len(), others).cmp(&(more.len(), names))
        })
        .filter(|(_, sharing)| {
            sharing.len() >= MIN_SHARING && is_most(sharing.len(), listed.len())
        });
    let same_edit = shared_edit(&updates, listed.len());
    // An edit says more than the name of its attribute, unless it is one of many tags.
    match (same_edit, same_attributes) {
        (Some(shared), Some((attributes, sharing))) if attributes.len() == 1 => {
            Some(shared).filter(|_| sharing.len() >= MIN_SHARING)
        }
        (_, Some((attributes, sharing))) => Some(PlanShape::SameAttributes {
            objects: sharing.len(),
            types: sharing.iter().map(|entry| entry.resource_type).collect(),
            attributes,
        }),
        (same_edit, None) => same_edit,
    }
}

/// Finds the edit that most entries share: the same path, and equal values before and after. Costs time linear in the
/// edits, because they are compared by their hashes.
fn shared_edit<'a>(updates: &[&Entry<'a>], listed: usize) -> Option<PlanShape<'a>> {
    let hashes = RandomState::new();
    let mut shared: HashMap<u64, Vec<(&Entry<'a>, &'a Edit<'a>)>> = HashMap::new();
    for entry in updates {
        let mut hashes_of_entry: HashSet<u64> = HashSet::new();
        for edit in entry.shown_edits.list().iter().take(MAX_EDITS) {
            if is_computed(edit) || is_form_only(edit) || edit.path.is_empty() {
                continue;
            }
            let values = [edit.before, edit.after].map(|side| side.map(|value| value.hash_value()));
            let hash = hashes.hash_one((hash_path(edit.path, &hashes), values));
            if hashes_of_entry.insert(hash) {
                shared.entry(hash).or_default().push((entry, edit));
            }
        }
    }
    let most = shared
        .into_values()
        .filter(|sharing| sharing.len() >= MIN_SHARING && is_most(sharing.len(), listed))
        .max_by_key(|sharing| {
            let (entry, edit) = sharing[0];
            let order = entry
                .shown_edits
                .iter()
                .position(|other| std::ptr::eq(other, edit));
            (sharing.len(), std::cmp::Reverse(order))
        })?;
    let (_, edit) = most[0];
    Some(PlanShape::SameEdit {
        objects: most.len(),
        types: most.iter().map(|(entry, _)| entry.resource_type).collect(),
        edit: edit_words(edit),
    })
}

/// Returns a hash of a path. An element is identified by its key, or else by its indices.
fn hash_path(path: Path<'_>, hashes: &RandomState) -> u64 {
    path.steps().into_iter().fold(0, |hash, step| match step {
        Step::Name(name) => hashes.hash_one((hash, 0_u8, name)),
        Step::Element(element) => {
            let identity = element.key.map(|key| (key.name, key.value.hash_value()));
            let indices = identity
                .is_none()
                .then_some((element.before, element.after));
            hashes.hash_one((hash, 1_u8, identity, indices))
        }
        Step::Document(format) => hashes.hash_one((hash, 2_u8, format)),
    })
}

/// Returns an edit in words: `timeout 30 -> 900`, `layers[0] …layer:powertools:{12 -> 13}`; if the values are long,
/// only that it changes.
fn edit_words(edit: &Edit<'_>) -> String {
    let name = path_text("", edit.path);
    let texts = [edit.before, edit.after].map(|side| side.and_then(MarkedValue::as_str));
    let are_texts = texts.iter().all(Option::is_some);
    let side = |value: Option<_>| word(value, MAX_VALUE_LEN, are_texts);
    let (before, after) = (side(edit.before), side(edit.after));
    let is_short = |text: &str| !text.ends_with('…') && text.chars().count() <= MAX_VALUE_LEN;
    match (edit.before, edit.after) {
        (Some(_), Some(_)) if is_short(&before) && is_short(&after) => {
            format!("{name} {before} -> {after}")
        }
        (None, Some(_)) if is_short(&after) => format!("{name} is set to {after}"),
        (Some(_), None) if is_short(&before) => format!("{name} {before} is removed"),
        (None, Some(_)) => format!("{name} is set"),
        (Some(_), None) => format!("{name} is removed"),
        (_, _) => match texts {
            [Some(before), Some(after)] if let Some(part) = differing_part(before, after) => {
                format!("{name} {part}")
            }
            _ => format!("{name} changes"),
        },
    }
}
