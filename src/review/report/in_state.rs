//! Joins the entries of objects that change in the state only, because they are moved or imported.
//!
//! ```text
//! aws_route53_zone.legacy["a"]  imported, unchanged
//! aws_route53_zone.legacy["b"]  imported, unchanged
//!
//! & 2 × aws_route53_zone  (imported as they are)
//! ```

use std::collections::{HashMap, HashSet};

use super::MAX_ROW_KEYS;
use super::composed::Composed;
use super::groups::numbers_by_type;
use crate::report::{Line, SectionKind};
use crate::review::entry::{Entry, SubjectItem};
use crate::review::moves::{self, MoveMapping};
use crate::review::paths::compact_within;
use crate::review::{ChangeKind, one_line};
use crate::text::first_of;

/// Returns where the object was before its move, in words: the part of its address that changes.
pub(super) fn moved(entry: &Entry<'_>) -> String {
    match MoveMapping::new(entry.previous_address, entry.address) {
        MoveMapping::Modules { from: "", .. } => "moved from the root module".to_owned(),
        MoveMapping::Modules { from, .. } | MoveMapping::Resource { from, .. } => {
            format!("moved from {from}")
        }
        MoveMapping::Keys { .. } => format!("moved from {}", entry.previous_address),
    }
}

/// The change of objects that happens in the state only.
pub(super) enum StateOnly<'a> {
    /// The objects move, in the way of this mapping.
    Move(MoveMapping<'a>),
    /// The objects of this resource type are imported.
    Import(&'a str),
}

/// Joins the entries of objects that only move, for each mapping of addresses, and of those that are imported without
/// changes, for each resource type.
pub(super) fn joined_in_state<'r, 'a>(
    all: Vec<Composed<'r, 'a>>,
    entries: &[Entry<'a>],
) -> Vec<Composed<'r, 'a>> {
    let mut kinds: Vec<StateOnly<'a>> = Vec::new();
    let mut by_place: HashMap<usize, usize> = HashMap::new();
    for joined in moves::moves(entries) {
        let indices = joined.entries.into_iter();
        by_place.extend(indices.map(|index| (index, kinds.len())));
        kinds.push(StateOnly::Move(joined.mapping));
    }
    for joined in moves::imports(entries) {
        let indices = joined.entries.into_iter();
        by_place.extend(indices.map(|index| (index, kinds.len())));
        kinds.push(StateOnly::Import(joined.resource_type));
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    let mut joined: Vec<Composed<'r, 'a>> = Vec::with_capacity(all.len());
    for one in all {
        let is_plain = one.group.list == SectionKind::Resources
            && matches!(one.group.kind(), ChangeKind::Move | ChangeKind::Import)
            && one.lines.is_empty()
            && one.mark.is_empty();
        let mut kinds_of_members = one.group.places.iter().map(|index| by_place.get(index));
        let kind = kinds_of_members.next().flatten().copied();
        let kind =
            kind.filter(|kind| is_plain && kinds_of_members.all(|other| other == Some(kind)));
        match kind.and_then(|kind| first.get(&kind).copied()) {
            Some(index) => joined[index].group.join(one.group),
            None => {
                if let Some(kind) = kind {
                    first.insert(kind, joined.len());
                }
                joined.push(one);
            }
        }
    }
    for (kind, index) in first {
        if joined[index].group.entries.len() > 1 {
            name_in_state(&mut joined[index], &kinds[kind]);
        }
    }
    joined
}

/// Returns the line that says to which key each object of a resource goes, exchanges first: `"prod" <-> "test"
/// exchanged, "a" -> "b"`.
fn key_moves(entries: &[&Entry<'_>], resource: &str) -> Option<Line> {
    let key = |address: &'_ str| {
        let end = address
            .strip_suffix(']')
            .and_then(|rest| rest.rsplit_once('['));
        match end {
            Some((start, key)) if start.ends_with(resource) => key.to_owned(),
            _ => "no key".to_owned(),
        }
    };
    let moves: Vec<(&str, &str)> = entries
        .iter()
        .map(|entry| (entry.previous_address, entry.address))
        .collect();
    let all: HashSet<(&str, &str)> = moves.iter().copied().collect();
    let (mut exchanged, mut others) = (Vec::new(), Vec::new());
    for (from, to) in moves {
        match (all.contains(&(to, from)), from < to) {
            (true, true) => exchanged.push(format!("{} <-> {} exchanged", key(from), key(to))),
            (true, false) => {}
            (false, _) => others.push(format!("{} -> {}", key(from), key(to))),
        }
    }
    exchanged.extend(others);
    let text = one_line(&exchanged.join(", "));
    (!text.is_empty()).then(|| Line::note(0, text))
}

/// Sets the title and the remark of an entry about objects that only move or are imported.
pub(super) fn name_in_state(one: &mut Composed<'_, '_>, kind: &StateOnly<'_>) {
    let root = |module: &str| match module {
        "" => "root module".to_owned(),
        module => module.to_owned(),
    };
    let types = numbers_by_type(one.group.entries.iter().copied());
    let types = types
        .iter()
        .map(|(name, number)| format!("{number} {name}"));
    let types: Vec<SubjectItem> = types.map(SubjectItem::value).collect();
    let (title, remark) = match kind {
        StateOnly::Move(MoveMapping::Modules { from, to }) => {
            one.subject = types;
            (
                Some(format!("{} -> {}", root(from), root(to))),
                "only move".to_owned(),
            )
        }
        StateOnly::Move(MoveMapping::Resource { from, to }) => {
            (Some(format!("{from} -> {to}")), "only move".to_owned())
        }
        StateOnly::Move(MoveMapping::Keys { resource }) => {
            let old = one.group.entries.iter().map(|entry| entry.previous_address);
            let old = compact_within(&old.collect::<Vec<_>>(), MAX_ROW_KEYS);
            // Which key goes where decides which object is which from now on, so that all are named.
            one.lines.extend(key_moves(&one.group.entries, resource));
            (None, format!("moved from {}", first_of(old, 3)))
        }
        StateOnly::Import(name) => (Some((*name).to_owned()), "imported as they are".to_owned()),
    };
    one.title = title.map(|title| one_line(&title));
    one.remark = one_line(&remark);
}
