//! Two elements, one that went and one that came for it, as one change.
//!
//! Secrets on both sides are not compared: they count as changed, so that nothing tells whether two
//! elements hold the same one.

use std::collections::{HashMap, VecDeque};

use bumpalo::Bump;

use super::print::print;
use crate::diff::tree::{Action, BlockGroup, Diff, Entry, Node, Slot};

/// One tree of an element that went and the one that came for it.
pub(super) fn merge<'a>(gone: &Diff<'a>, new: &Diff<'a>, arena: &'a Bump) -> Diff<'a> {
    let replace = gone.replace || new.replace;
    let with = |action, node| Diff { action, replace: replace && action != Action::NoOp, node };
    match (gone.node, new.node) {
        (Node::Scalar { before, is_string, .. }, Node::Scalar { after, .. }) => {
            let action = match (before.is_none(), after.is_none()) {
                _ if before.value() == after.value() => Action::NoOp,
                (true, _) => Action::Create,
                (_, true) => Action::Delete,
                _ => Action::Update,
            };
            let slot = |slot: Slot<'a>| if slot.is_none() { Slot::Absent } else { slot };
            with(action, Node::Scalar { before: slot(before), after: slot(after), is_string })
        }
        (Node::Json { inner: old, .. }, Node::Json { inner: new, .. }) => {
            let inner = merge(old, new, arena);
            with(inner.action, Node::Json { inner: arena.alloc(inner), whitespace_only: false })
        }
        (Node::Object { members: old, nested }, Node::Object { members: new, .. }) => {
            let members = entries(old, new, arena);
            with(of_all(members.iter().map(|entry| entry.diff.action)), Node::Object { members, nested })
        }
        (Node::Map { entries: old, nested }, Node::Map { entries: new, .. }) => {
            let entries = entries(old, new, arena);
            with(of_all(entries.iter().map(|entry| entry.diff.action)), Node::Map { entries, nested })
        }
        (Node::List { items: old, nested }, Node::List { items: new, .. }) => {
            let items = in_order(old, new, arena);
            with(of_all(items.iter().map(|item| item.action)), Node::List { items, nested })
        }
        (Node::Set { items: old, nested }, Node::Set { items: new, .. }) => {
            let items = without_order(old, new, arena);
            with(of_all(items.iter().map(|item| item.action)), Node::Set { items, nested })
        }
        (Node::Block { attributes: old, groups: gone }, Node::Block { attributes: new, groups: come }) => {
            let attributes = entries(old, new, arena);
            let groups = groups(gone, come, arena);
            let blocks = groups.iter().flat_map(|group| group.blocks.iter().map(|(_, block)| block.action));
            let hidden = groups.iter().any(|group| group.sensitive != (false, false));
            let action = of_all(attributes.iter().map(|entry| entry.diff.action).chain(blocks));
            with(if hidden { Action::Update } else { action }, Node::Block { attributes, groups })
        }
        (Node::Sensitive { inner: old, before, .. }, Node::Sensitive { inner: new, after, .. }) => {
            let inner = arena.alloc(merge(old, new, arena));
            with(Action::Update, Node::Sensitive { inner, before, after })
        }
        (_, Node::Unknown { .. }) => with(Action::Update, Node::Unknown { before: Some(arena.alloc(*gone)) }),
        _ if same(gone, new) => with(Action::NoOp, gone.node),
        // Upstream shows both as well; the secret in each is hidden by its own node.
        _ => with(Action::Update, Node::TypeChange { before: arena.alloc(*gone), after: arena.alloc(*new) }),
    }
}

/// What happens to something whose parts have these actions.
fn of_all(mut actions: impl Iterator<Item = Action>) -> Action {
    if actions.all(|action| action == Action::NoOp) { Action::NoOp } else { Action::Update }
}

fn same(gone: &Diff<'_>, new: &Diff<'_>) -> bool {
    print(gone).is_some_and(|gone| print(new) == Some(gone))
}

fn unchanged<'a>(diff: &Diff<'a>) -> Diff<'a> {
    Diff { action: Action::NoOp, replace: false, node: diff.node }
}

fn entries<'a>(old: &'a [Entry<'a>], new: &'a [Entry<'a>], arena: &'a Bump) -> &'a [Entry<'a>] {
    let mut merged = Vec::with_capacity(old.len().max(new.len()));
    let is_nothing = |entry: &Entry<'_>| matches!(entry.diff.node, Node::Scalar { before, after, .. } if before.is_none() && after.is_none());
    // Both are sorted by their keys.
    let find = |entries: &'a [Entry<'a>], key: &str| {
        entries.binary_search_by_key(&key, |entry| entry.key).ok().and_then(|at| entries.get(at))
    };
    for entry in old {
        match find(new, entry.key) {
            Some(other) => {
                merged.push(Entry { key: entry.key, diff: merge(&entry.diff, &other.diff, arena) });
            }
            None => merged.push(*entry),
        }
    }
    merged.extend(new.iter().filter(|entry| find(old, entry.key).is_none()));
    merged.retain(|entry| !is_nothing(entry));
    merged.sort_by_key(|entry| entry.key);
    arena.alloc_slice_copy(&merged)
}

/// The elements of two lists: equal ones at both ends stay, those between go and come.
fn in_order<'a>(old: &'a [Diff<'a>], new: &'a [Diff<'a>], arena: &'a Bump) -> &'a [Diff<'a>] {
    let (gone, come): (Vec<_>, Vec<_>) = (old.iter().map(print).collect(), new.iter().map(print).collect());
    let equal = |(a, b): &(&Option<u64>, &Option<u64>)| a.is_some() && a == b;
    let head = gone.iter().zip(&come).take_while(equal).count();
    let most = old.len().min(new.len()) - head;
    let tail = gone.iter().rev().zip(come.iter().rev()).take(most).take_while(equal).count();
    let mut items: Vec<Diff<'a>> = old.iter().take(head).map(unchanged).collect();
    items.extend(old.iter().take(old.len() - tail).skip(head));
    items.extend(new.iter().take(new.len() - tail).skip(head));
    items.extend(old.iter().skip(old.len() - tail).map(unchanged));
    arena.alloc_slice_copy(&items)
}

/// The elements of two sets: equal ones stay.
fn without_order<'a>(old: &'a [Diff<'a>], new: &'a [Diff<'a>], arena: &'a Bump) -> &'a [Diff<'a>] {
    let mut places: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (at, item) in new.iter().enumerate() {
        if let Some(print) = print(item) {
            places.entry(print).or_default().push_back(at);
        }
    }
    let mut stays = vec![false; new.len()];
    let mut items = Vec::with_capacity(old.len() + new.len());
    for item in old {
        match print(item).and_then(|print| places.get_mut(&print)?.pop_front()) {
            Some(at) => {
                stays[at] = true;
                items.push(unchanged(item));
            }
            None => items.push(*item),
        }
    }
    items.extend(new.iter().zip(&stays).filter(|(_, stays)| !**stays).map(|(item, _)| *item));
    arena.alloc_slice_copy(&items)
}

/// The nested blocks: by their keys, else as the elements of a list. Hidden types stay on their own.
fn groups<'a>(
    gone: &'a [BlockGroup<'a>],
    come: &'a [BlockGroup<'a>],
    arena: &'a Bump,
) -> &'a [BlockGroup<'a>] {
    let is_open = |group: &BlockGroup<'_>| group.sensitive == (false, false);
    let mut merged: Vec<BlockGroup<'a>> = Vec::new();
    for group in gone {
        let other = come.iter().find(|other| other.name == group.name && is_open(other) && is_open(group));
        merged.push(other.map_or(*group, |other| BlockGroup {
            blocks: blocks(group.blocks, other.blocks, arena),
            replace: group.replace || other.replace,
            ..*group
        }));
    }
    let taken = |group: &&BlockGroup<'a>| {
        is_open(group) && gone.iter().any(|other| other.name == group.name && is_open(other))
    };
    merged.extend(come.iter().filter(|group| !taken(group)));
    arena.alloc_slice_copy(&merged)
}

type Blocks<'a> = &'a [(Option<&'a str>, Diff<'a>)];

fn blocks<'a>(old: Blocks<'a>, new: Blocks<'a>, arena: &'a Bump) -> Blocks<'a> {
    let has_keys = old.iter().chain(new).any(|(key, _)| key.is_some());
    let mut merged = Vec::new();
    match (old, new) {
        ([(None, old)], [(None, new)]) => merged.push((None, merge(old, new, arena))),
        _ if has_keys => {
            for (key, block) in old {
                let other = new.iter().find(|(other, _)| other == key);
                merged.push((*key, other.map_or(*block, |(_, other)| merge(block, other, arena))));
            }
            merged.extend(new.iter().filter(|(key, _)| !old.iter().any(|(other, _)| other == key)));
        }
        _ => {
            let diffs = |blocks: Blocks<'a>| -> &'a [Diff<'a>] {
                arena.alloc_slice_fill_iter(blocks.iter().map(|(_, block)| *block))
            };
            merged.extend(in_order(diffs(old), diffs(new), arena).iter().map(|block| (None, *block)));
        }
    }
    arena.alloc_slice_copy(&merged)
}
