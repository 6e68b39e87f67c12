//! Elements of sets and lists that went and came, paired by likeness: the change inside the pair is
//! shorter to read than one that goes and one that comes.
//!
//! Secrets take no part: two elements are alike by what is shown of them.

use std::hash::{Hash, Hasher};

use bumpalo::Bump;
use rustc_hash::{FxHashSet, FxHasher};

use super::identity;
use crate::computed::{Action, Diff, Entry, Node, Slot};

/// More candidates than this are not compared.
const MOST: usize = 250_000;
/// The share of equal values from which on two elements are taken for the same.
const ALIKE: f64 = 0.5;

/// The items, those that went paired with those that came where they are alike; true for pairs.
pub(super) fn paired<'a>(items: &[Diff<'a>], arena: &'a Bump) -> Vec<(Diff<'a>, bool)> {
    let with = |action: Action| -> Vec<usize> {
        (0..items.len()).filter(|at| items[*at].action == action && is_object(&items[*at])).collect()
    };
    let (gone, new) = (with(Action::Delete), with(Action::Create));
    let mut partner: Vec<Option<usize>> = vec![None; items.len()];
    if !gone.is_empty() && !new.is_empty() && gone.len().saturating_mul(new.len()) <= MOST {
        match_up(items, &gone, &new, &mut partner);
    }
    let taken: FxHashSet<usize> = partner.iter().flatten().copied().collect();
    let place = |(at, item): (usize, &Diff<'a>)| match partner[at] {
        Some(other) => Some((merge(item, &items[other], arena), true)),
        None if taken.contains(&at) => None,
        None => Some((*item, false)),
    };
    items.iter().enumerate().filter_map(place).collect()
}

fn match_up(items: &[Diff<'_>], gone: &[usize], new: &[usize], partner: &mut [Option<usize>]) {
    let facts: Vec<FxHashSet<u64>> = items
        .iter()
        .map(|item| {
            let mut facts = FxHashSet::default();
            if item.action != Action::NoOp {
                gather(item, 0, &mut facts);
            }
            facts
        })
        .collect();
    let mut candidates = Vec::new();
    for g in gone {
        for n in new {
            let common = facts[*g].intersection(&facts[*n]).count();
            let all = facts[*g].len() + facts[*n].len();
            let named = identity::of(&items[*g]).is_some_and(|name| identity::of(&items[*n]) == Some(name));
            let alike = if all == 0 { 0.0 } else { 2.0 * common as f64 / all as f64 };
            if alike >= ALIKE || (named && common > 0) {
                candidates.push((alike + f64::from(u8::from(named)), *g, *n));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut used = FxHashSet::default();
    for (_, g, n) in candidates {
        if partner[g].is_none() && used.insert(n) {
            partner[g] = Some(n);
        }
    }
}

fn is_object(diff: &Diff<'_>) -> bool {
    matches!(diff.node, Node::Object { .. } | Node::Block { .. })
}

/// Hashes of all values that are there, with their place.
fn gather(diff: &Diff<'_>, place: u64, facts: &mut FxHashSet<u64>) {
    let below = |what: &str, at: usize| hash(&(place, what, at));
    match diff.node {
        Node::Scalar { before, after, .. } => {
            let value = if diff.action == Action::Create { after } else { before };
            facts.insert(hash(&(place, value.value())));
        }
        Node::Heredoc { lines } => {
            facts.insert(hash(&(place, lines.iter().map(|line| line.text).collect::<Vec<_>>())));
        }
        Node::Json { inner, .. } => gather(inner, below("json", 0), facts),
        Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
            entries.iter().for_each(|entry| gather(&entry.diff, below(entry.key, 0), facts));
        }
        Node::List { items, .. } => {
            items.iter().enumerate().for_each(|(at, item)| gather(item, below("", at), facts));
        }
        Node::Set { items, .. } => items.iter().for_each(|item| gather(item, below("", 0), facts)),
        Node::Block { attributes, groups } => {
            attributes.iter().for_each(|entry| gather(&entry.diff, below(entry.key, 0), facts));
            for group in groups {
                if group.sensitive == (false, false) {
                    group.blocks.iter().for_each(|(_, block)| gather(block, below(group.name, 1), facts));
                }
            }
        }
        Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. } => {}
    }
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What an element that comes or goes is made of; `None` if not all of it may be looked at.
pub(super) fn print(diff: &Diff<'_>) -> Option<u64> {
    fn is_open(diff: &Diff<'_>) -> bool {
        match diff.node {
            Node::Scalar { .. } | Node::Heredoc { .. } => true,
            Node::Json { inner, .. } => is_open(inner),
            Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
                entries.iter().all(|entry| is_open(&entry.diff))
            }
            Node::List { items, .. } | Node::Set { items, .. } => items.iter().all(is_open),
            Node::Block { attributes, groups } => {
                attributes.iter().all(|entry| is_open(&entry.diff))
                    && groups.iter().all(|group| {
                        group.sensitive == (false, false)
                            && group.blocks.iter().all(|(_, block)| is_open(block))
                    })
            }
            Node::Unknown { .. }
            | Node::Sensitive { .. }
            | Node::SensitiveBlock { .. }
            | Node::WriteOnly { .. }
            | Node::TypeChange { .. } => false,
        }
    }
    if !is_open(diff) {
        return None;
    }
    let mut facts = FxHashSet::default();
    gather(diff, 0, &mut facts);
    let mut facts: Vec<u64> = facts.into_iter().collect();
    facts.sort_unstable();
    Some(hash(&facts))
}

/// One tree of an element that went and the one that came for it.
fn merge<'a>(gone: &Diff<'a>, new: &Diff<'a>, arena: &'a Bump) -> Diff<'a> {
    let replace = gone.replace || new.replace;
    let update = |node| Diff { action: Action::Update, replace, node };
    match (gone.node, new.node) {
        (Node::Scalar { before, is_string, .. }, Node::Scalar { after, .. }) => {
            let action = match (before.is_none(), after.is_none()) {
                _ if before.value() == after.value() => Action::NoOp,
                (true, _) => Action::Create,
                (_, true) => Action::Delete,
                _ => Action::Update,
            };
            let before = if before.is_none() { Slot::Absent } else { before };
            let after = if after.is_none() { Slot::Absent } else { after };
            Diff {
                action,
                replace: replace && action != Action::NoOp,
                node: Node::Scalar { before, after, is_string },
            }
        }
        (Node::Object { members: old, nested }, Node::Object { members: new, .. }) => {
            update(Node::Object { members: merge_entries(old, new, arena), nested })
        }
        (Node::Map { entries: old, nested }, Node::Map { entries: new, .. }) => {
            let entries = merge_entries(old, new, arena);
            let action = if entries.iter().all(|entry| entry.diff.action == Action::NoOp) {
                Action::NoOp
            } else {
                Action::Update
            };
            Diff { action, replace, node: Node::Map { entries, nested } }
        }
        (Node::Block { attributes: old, groups: gone }, Node::Block { attributes: new, groups: come }) => {
            let equal = gone.len() == come.len()
                && gone.iter().zip(come).all(|(g, c)| {
                    g.name == c.name
                        && g.blocks.len() == c.blocks.len()
                        && g.blocks.iter().zip(c.blocks).all(|((_, g), (_, c))| same(g, c))
                });
            // Blocks inside of the pair that differ are shown as gone and as new.
            let groups: Vec<_> = if equal { Vec::new() } else { gone.iter().chain(come).copied().collect() };
            let groups = arena.alloc_slice_copy(&groups);
            update(Node::Block { attributes: merge_entries(old, new, arena), groups })
        }
        _ if same(gone, new) => Diff { action: Action::NoOp, ..*gone },
        // Upstream shows both as well; the secret in each is hidden by its own node.
        _ => update(Node::TypeChange { before: arena.alloc(*gone), after: arena.alloc(*new) }),
    }
}

fn same(gone: &Diff<'_>, new: &Diff<'_>) -> bool {
    print(gone).is_some_and(|print_gone| print(new) == Some(print_gone))
}

fn merge_entries<'a>(old: &'a [Entry<'a>], new: &'a [Entry<'a>], arena: &'a Bump) -> &'a [Entry<'a>] {
    let mut merged = Vec::with_capacity(old.len().max(new.len()));
    let is_nothing = |entry: &Entry<'_>| matches!(entry.diff.node, Node::Scalar { before, after, .. } if before.is_none() && after.is_none());
    for entry in old {
        match new.iter().find(|other| other.key == entry.key) {
            Some(other) => {
                merged.push(Entry { key: entry.key, diff: merge(&entry.diff, &other.diff, arena) });
            }
            None => merged.push(*entry),
        }
    }
    merged.extend(new.iter().filter(|entry| !old.iter().any(|other| other.key == entry.key)));
    merged.retain(|entry| !is_nothing(entry));
    merged.sort_by_key(|entry| entry.key);
    arena.alloc_slice_copy(&merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;

    #[test]
    fn hashes_tell_values_apart() {
        assert_ne!(hash(&Value::String("1")), hash(&Value::Number("1")));
    }
}
