//! Entries that change as a group does, and in something else too: `like the 199 below, and timeout: 30 -> 900`.
//!
//! An outlier has all edits of the group, but for its keys, or another edit at the place of one. It is compared with a
//! bounded number of groups, the largest.

use std::collections::HashMap;

use super::pair::Pair;
use super::print::changes_only_tags;
use crate::diff::edits::Path;
use crate::model::Action;
use crate::review::entry::{Alike, Entry, PlanReview};
use crate::review::keys;
use crate::review::text::path_text;

/// The minimum number of members of a group.
const MIN_MEMBERS: usize = 3;
/// The maximum number of groups with which an entry is compared.
const MAX_GROUPS: usize = 8;
/// The maximum number of edits of an entry.
const MAX_EDITS: usize = 64;

/// Groups of resources by type; those of all types under the empty name.
type ByType<'a> = HashMap<&'a str, Vec<(usize, usize)>>;

/// Marks the resources that change as a group does.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut groups: ByType<'_> = HashMap::new();
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (at, entry) in review.resources.iter().enumerate() {
        if let Some(id) = entry.group {
            first.entry(id).or_insert(at);
        }
    }
    for (id, at) in &first {
        let (group, entry) = (&review.groups[*id], &review.resources[*at]);
        if group.members.len() >= MIN_MEMBERS && may_be_alike(entry) {
            let name = if changes_only_tags(entry) { "" } else { entry.resource_type };
            groups.entry(name).or_default().push((*id, *at));
        }
    }
    let members = |id: &usize| review.groups[*id].members.len();
    for found in groups.values_mut() {
        crate::sort::by_key(found, |(id, at)| (std::cmp::Reverse(members(id)), *at));
        found.truncate(MAX_GROUPS);
    }
    let mut alike: Vec<(usize, Alike)> = Vec::new();
    for (at, entry) in review.resources.iter().enumerate().filter(|(_, entry)| may_be_alike(entry)) {
        let own = entry.group.as_ref().map_or(1, members);
        let lists = [entry.resource_type, ""].map(|name| groups.get(name).map_or(&[][..], Vec::as_slice));
        let found =
            lists.into_iter().flatten().filter(|(id, _)| members(id) > own).find_map(|(id, first)| {
                Some(Alike { group: *id, edits: like(&review.resources[*first], entry)? })
            });
        alike.extend(found.map(|found| (at, found)));
    }
    for (at, found) in alike {
        review.resources[at].alike = Some(found);
    }
}

/// Whether the edits of an entry are compared with those of others.
fn may_be_alike(entry: &Entry<'_>) -> bool {
    entry.action == Action::Update
        && !entry.is_moved()
        && entry.importing.is_none()
        && entry.access.is_empty()
        && (1..=MAX_EDITS).contains(&entry.edits.len())
}

/// The indices of the edits that an entry has in common with the member of a group; `None` if it lacks one.
fn like(member: &Entry<'_>, entry: &Entry<'_>) -> Option<Vec<usize>> {
    let mut pair = Pair::new(member, entry)?;
    let names: HashMap<String, usize> =
        entry.edits.iter().enumerate().map(|(at, edit)| (place(entry, edit.path), at)).collect();
    let mut found = Vec::new();
    for edit in member.edits {
        let at = *names.get(&place(member, edit.path))?;
        if pair.edit(edit, entry.edits.get(at)?) {
            found.push(at);
        }
    }
    found.sort_unstable();
    (!found.is_empty() && found.len() < entry.edits.len()).then_some(found)
}

/// A path without the keys of its entry.
fn place(entry: &Entry<'_>, path: Path<'_>) -> String {
    keys::of_address(entry.address).iter().fold(path_text("", path), |path, key| keys::without(&path, key))
}
