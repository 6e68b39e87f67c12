//! An element that the differ paired by its place, taken apart again: the one that was, and the one
//! that comes.
//!
//! Invariant: what is hidden in the whole is hidden in both halves.

use bumpalo::Bump;

use crate::diff::tree::{Action, BlockGroup, Diff, Entry, Line, Node, Slot};

/// A side of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

impl Side {
    /// What happens to what is on this side only.
    fn action(self) -> Action {
        match self {
            Self::Before => Action::Delete,
            Self::After => Action::Create,
        }
    }

    /// What happens to what is on the other side only.
    fn other(self) -> Action {
        match self {
            Self::Before => Action::Create,
            Self::After => Action::Delete,
        }
    }
}

/// What is on one side of `diff`; `None` if nothing is.
pub(super) fn half<'a>(diff: &Diff<'a>, side: Side, arena: &'a Bump) -> Option<Diff<'a>> {
    if diff.action == side.other() {
        return None;
    }
    if diff.action == side.action() {
        return Some(*diff);
    }
    let node = match diff.node {
        Node::Scalar { before, is_string, .. } if side == Side::Before => {
            Node::Scalar { before, after: Slot::Absent, is_string }
        }
        Node::Scalar { after, is_string, .. } => Node::Scalar { before: Slot::Absent, after, is_string },
        Node::Heredoc { lines } => {
            let kept = lines.iter().filter(|line| line.action != side.other() && line.text.is_some());
            let lines: Vec<_> = kept.map(|line| Line { action: side.action(), ..*line }).collect();
            Node::Heredoc { lines: arena.alloc_slice_copy(&lines) }
        }
        Node::Json { inner, .. } => {
            Node::Json { inner: arena.alloc(half(inner, side, arena)?), whitespace_only: false }
        }
        Node::Unknown { before } if side == Side::Before => return before.copied(),
        Node::Unknown { .. } => Node::Unknown { before: None },
        Node::Sensitive { inner, before, after } => {
            let inner = arena.alloc(half(inner, side, arena).unwrap_or(*inner));
            Node::Sensitive { inner, before, after }
        }
        Node::SensitiveBlock { inner, before, after } => {
            let inner = arena.alloc(half(inner, side, arena).unwrap_or(*inner));
            Node::SensitiveBlock { inner, before, after }
        }
        Node::WriteOnly { .. } => diff.node,
        Node::TypeChange { before, after } => {
            return Some(if side == Side::Before { *before } else { *after });
        }
        Node::Object { members: entries, nested } => {
            Node::Object { members: halves(entries, side, arena), nested }
        }
        Node::Map { entries, nested } => Node::Map { entries: halves(entries, side, arena), nested },
        Node::List { items, nested } => Node::List { items: of_items(items, side, arena), nested },
        Node::Set { items, nested } => Node::Set { items: of_items(items, side, arena), nested },
        Node::Block { attributes, groups } => {
            let groups: Vec<_> = groups.iter().map(|group| of_group(group, side, arena)).collect();
            Node::Block {
                attributes: halves(attributes, side, arena),
                groups: arena.alloc_slice_copy(&groups),
            }
        }
    };
    Some(Diff { action: side.action(), replace: diff.replace, node })
}

fn halves<'a>(entries: &[Entry<'a>], side: Side, arena: &'a Bump) -> &'a [Entry<'a>] {
    let kept = entries
        .iter()
        .filter_map(|entry| Some(Entry { key: entry.key, diff: half(&entry.diff, side, arena)? }));
    arena.alloc_slice_copy(&kept.collect::<Vec<_>>())
}

fn of_items<'a>(items: &[Diff<'a>], side: Side, arena: &'a Bump) -> &'a [Diff<'a>] {
    let kept: Vec<_> = items.iter().filter_map(|item| half(item, side, arena)).collect();
    arena.alloc_slice_copy(&kept)
}

fn of_group<'a>(group: &BlockGroup<'a>, side: Side, arena: &'a Bump) -> BlockGroup<'a> {
    let blocks = group.blocks.iter().filter_map(|(key, block)| Some((*key, half(block, side, arena)?)));
    BlockGroup { blocks: arena.alloc_slice_copy(&blocks.collect::<Vec<_>>()), ..*group }
}

/// Whether something in it forces the replacement: its path names the place that the tool paired by.
pub(super) fn forces_replacement(diff: &Diff<'_>) -> bool {
    let in_entries = |entries: &[Entry<'_>]| entries.iter().any(|entry| forces_replacement(&entry.diff));
    diff.replace
        || match diff.node {
            Node::Object { members: entries, .. } | Node::Map { entries, .. } => in_entries(entries),
            Node::List { items, .. } | Node::Set { items, .. } => items.iter().any(forces_replacement),
            Node::Block { attributes, groups } => {
                in_entries(attributes)
                    || groups.iter().any(|group| {
                        group.replace || group.blocks.iter().any(|(_, block)| forces_replacement(block))
                    })
            }
            Node::Json { inner, .. }
            | Node::Sensitive { inner, .. }
            | Node::SensitiveBlock { inner, .. }
            | Node::Unknown { before: Some(inner) } => forces_replacement(inner),
            Node::TypeChange { before, after } => forces_replacement(before) || forces_replacement(after),
            Node::Scalar { .. } | Node::Heredoc { .. } | Node::Unknown { .. } | Node::WriteOnly { .. } => {
                false
            }
        }
}
