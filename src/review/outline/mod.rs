//! From a Diff tree to the parts that change, each with its path.
//!
//! Invariants: whatever changes is a part, or is counted (in [`Found::ignored`]) or named (in
//! [`Found::unknown`]); what does not change is a part only if it is asked for, else it is counted;
//! the inside of a secret is looked at only with `--show-sensitive`, so neither paths nor pairs nor
//! labels depend on it.

mod cosmetic;
mod half;
mod hidden;
mod identity;
mod merge;
mod pairing;
mod part;
mod path;
mod print;
mod text;
mod unchanged;

use std::mem::discriminant;

use bumpalo::Bump;

pub use part::{Body, Part, Shown, TextLine};
use path::Path;

use super::{Options, Sign, count};
use crate::diff::Differ;
use crate::diff::tree::{Action, BlockGroup, Diff, Entry, Node, Slot};

/// What was found in a tree.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) parts: Vec<Part>,
    pub(super) unknown: Vec<String>,
    pub(super) ignored: usize,
    /// Values that do not change and are not shown.
    pub(super) unchanged: usize,
    /// All of it comes or goes: there is no other side that a change could be cosmetic against.
    pub(super) one_sided: bool,
}

/// Finds what changes.
#[derive(Clone, Copy)]
pub(super) struct Outliner<'o, 'a> {
    pub(super) arena: &'a Bump,
    pub(super) differ: Differ<'a>,
    pub(super) options: &'o Options,
    /// How many times a string was read as something else.
    pub(super) decoded: usize,
}

impl<'a> Outliner<'_, 'a> {
    /// What changes in the tree of a resource, or of an output called `name`.
    pub(super) fn find(self, name: Option<&str>, diff: &Diff<'a>) -> Found {
        let one_sided = matches!(diff.action, Action::Create | Action::Delete);
        let mut found = Found { one_sided, ..Found::default() };
        let path = name.map_or_else(Path::default, |name| Path::default().name(name));
        self.walk(&path, diff, &mut found);
        found
    }

    fn part(&self, path: &Path, diff: &Diff<'a>, body: Body, found: &mut Found) {
        let sign = Sign::of(diff.action);
        let part = Part {
            path: path.shown.clone(),
            sign,
            replace: diff.replace,
            body,
            notes: Vec::new(),
            cosmetic: false,
        };
        found.parts.push(part);
    }

    fn walk(self, path: &Path, diff: &Diff<'a>, found: &mut Found) {
        if diff.action == Action::NoOp {
            return self.unchanged(path, diff, found);
        }
        if !path.plain.is_empty() && self.options.filter.ignores(&path.plain) {
            found.ignored += 1;
            return;
        }
        let (before, unknown) = (found.parts.len(), found.unknown.len());
        self.node(path, diff, found);
        // What forces the replacement says so, also where only its parts are shown.
        if diff.replace && !found.parts[before..].iter().any(|part| part.replace) {
            if let [part] = &mut found.parts[before..] {
                part.replace = true;
            } else if !path.shown.is_empty() {
                let not_known = found.unknown.len() > unknown;
                self.part(path, diff, Body::Noted, found);
                if let Some(part) = found.parts.last_mut().filter(|_| not_known) {
                    part.note_once("all or part of it is known after apply");
                }
            }
        }
    }

    fn node(self, path: &Path, diff: &Diff<'a>, found: &mut Found) {
        match diff.node {
            Node::Scalar { before, after, .. } => self.scalar(path, diff, before, after, found),
            Node::Heredoc { lines } => self.heredoc(path, diff, lines, found),
            Node::Json { whitespace_only: true, .. } => {
                self.part(path, diff, Body::Noted, found);
                cosmetic::label(found, "only the format of the JSON differs");
            }
            Node::Json { inner, .. } => {
                let replace = diff.replace || inner.replace;
                self.walk(&path.read_as("json"), &Diff { replace, ..*inner }, found);
            }
            Node::Unknown { before } => self.unknown(path, diff, before, found),
            Node::Sensitive { inner, .. } | Node::SensitiveBlock { inner, .. }
                if self.options.show_sensitive =>
            {
                self.walk(
                    path,
                    &Diff { action: diff.action, replace: diff.replace, node: inner.node },
                    found,
                );
            }
            Node::Sensitive { before, after, .. } | Node::SensitiveBlock { before, after, .. } => {
                self.secret(path, diff, (before, after), found);
            }
            Node::WriteOnly { .. } => self.part(path, diff, Body::One(Shown::WriteOnly), found),
            Node::TypeChange { before, after } => self.type_change(path, diff, before, after, found),
            Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
                if entries.is_empty() {
                    self.empty(path, diff, "{}", found);
                }
                self.entries(path, entries, found);
            }
            Node::List { items, .. } => self.items(path, diff, items, false, found),
            Node::Set { items, .. } => self.items(path, diff, items, true, found),
            Node::Block { attributes, groups } => {
                self.entries(path, attributes, found);
                groups.iter().for_each(|group| self.group(path, group, found));
            }
        }
    }

    fn entries(self, path: &Path, entries: &[Entry<'a>], found: &mut Found) {
        for entry in entries {
            self.child(&path.name(entry.key), &entry.diff, found);
        }
    }

    /// A part of something: what appears or goes with parts of its own is kept together.
    fn child(self, path: &Path, diff: &Diff<'a>, found: &mut Found) {
        let whole = matches!(diff.action, Action::Create | Action::Delete)
            && matches!(
                diff.node,
                Node::Object { .. }
                    | Node::Map { .. }
                    | Node::Block { .. }
                    | Node::List { .. }
                    | Node::Set { .. }
            );
        if !whole || is_empty(diff) {
            return self.walk(path, diff, found);
        }
        let ignored = self.options.filter.ignores(&path.plain);
        if ignored {
            found.ignored += 1;
            return;
        }
        let mut inside = Found { one_sided: true, ..Found::default() };
        self.node(&path.inside(), diff, &mut inside);
        found.ignored += inside.ignored;
        found.unchanged += inside.unchanged;
        let prefix = |name: String| if name.starts_with('[') { name } else { format!(".{name}") };
        found.unknown.extend(inside.unknown.into_iter().map(|name| path.followed_by(&prefix(name))));
        let replace = diff.replace;
        match inside.parts.len() {
            0 if replace => self.part(path, diff, Body::Noted, found),
            0 => {}
            // A single part needs no group around it.
            1 => found.parts.extend(inside.parts.into_iter().map(|part| {
                let tail = if part.path.is_empty() { String::new() } else { prefix(part.path) };
                Part { path: path.followed_by(&tail), replace: part.replace || replace, ..part }
            })),
            _ => self.part(path, diff, Body::Group(inside.parts), found),
        }
    }

    fn group(self, path: &Path, group: &BlockGroup<'a>, found: &mut Found) {
        let path = path.name(group.name);
        if (group.sensitive.0 || group.sensitive.1) && !self.options.show_sensitive {
            let changes = group.blocks.iter().any(|(_, diff)| diff.action != Action::NoOp);
            if changes || group.sensitive.0 != group.sensitive.1 {
                let diff = Diff {
                    action: Action::Update,
                    replace: group.replace,
                    node: Node::WriteOnly { sensitive: true },
                };
                self.secret(&path, &diff, group.sensitive, found);
            } else if !group.blocks.is_empty() {
                self.unchanged_secret(&path, found);
            }
            return;
        }
        let before = found.parts.len();
        match group.blocks {
            [] => {}
            [(None, only)] => match identity::of(only).filter(|_| only.action == Action::Update) {
                Some(name) => self.child(&path.place(&name), only, found),
                None => self.child(&path, only, found),
            },
            blocks if blocks.iter().any(|(key, _)| key.is_some()) => {
                for (key, diff) in blocks {
                    let place = crate::text::quote(key.unwrap_or_default());
                    self.child(&path.place(&place), diff, found);
                }
            }
            blocks => {
                let items: Vec<Diff<'a>> = blocks.iter().map(|(_, diff)| *diff).collect();
                let whole = Diff {
                    action: Action::Update,
                    replace: false,
                    node: Node::WriteOnly { sensitive: false },
                };
                self.items(&path, &whole, &items, true, found);
            }
        }
        if group.replace {
            let changed = found.parts[before..].iter_mut().filter(|part| part.sign != Sign::Same);
            changed.for_each(|part| part.replace = true);
        }
    }

    /// The elements of a list or set, or blocks of one type (which have places, but no order to tell).
    fn items(self, path: &Path, diff: &Diff<'a>, items: &[Diff<'a>], is_set: bool, found: &mut Found) {
        if items.is_empty() {
            return self.empty(path, diff, "[]", found);
        }
        let paired = pairing::paired(items, is_set, self.arena);
        if paired.is_order_only() {
            self.part(path, diff, Body::Noted, found);
            return cosmetic::label(found, "only the order of the elements differs");
        }
        for element in &paired.elements {
            let place = match (identity::of(&element.diff), element.before, element.after) {
                (Some(name), _, _) => name,
                _ if is_set => String::new(),
                (None, Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
                (None, Some(place), _) | (None, None, Some(place)) => place.to_string(),
                (None, None, None) => String::new(),
            };
            let first = found.parts.len();
            self.child(&path.place(&place), &element.diff, found);
            if element.is_paired && !paired.anew && pairing::is_object(&element.diff) {
                found.parts[first..].iter_mut().for_each(|part| part.note_once("paired by likeness"));
            }
        }
        self.pairing_noted(path, diff, &paired, found);
    }

    /// What is to be said of the pairing as a whole.
    fn pairing_noted(self, path: &Path, diff: &Diff<'a>, paired: &pairing::Paired<'a>, found: &mut Found) {
        let mut notes = Vec::new();
        if paired.anew {
            notes.push("paired by content, name or likeness; the tools pair by place".to_owned());
        }
        if paired.moved > 0 {
            notes.push(format!(
                "cosmetic: {} at another place, else unchanged",
                count(paired.moved, "element")
            ));
        }
        if paired.bounded {
            notes.push("too many elements to pair by likeness: as the tools pair them".to_owned());
        }
        if !notes.is_empty() {
            self.part(
                path,
                &Diff { action: Action::Update, replace: false, node: diff.node },
                Body::Noted,
                found,
            );
            if let Some(part) = found.parts.last_mut() {
                part.notes = notes;
                part.cosmetic = true;
            }
        }
    }

    fn empty(self, path: &Path, diff: &Diff<'a>, what: &'static str, found: &mut Found) {
        self.part(path, diff, Body::One(Shown::Empty(what)), found);
        // An attribute: an element more, or a member of a document, is something else.
        let is_attribute = !path.shown.is_empty() && !path.shown.ends_with(']') && !path.shown.contains('|');
        if diff.action != Action::Update && is_attribute {
            cosmetic::label(found, "null against empty");
        }
    }

    fn scalar(self, path: &Path, diff: &Diff<'a>, before: Slot<'a>, after: Slot<'a>, found: &mut Found) {
        if self.decode(path, diff, before, after, found) {
            return;
        }
        let (old, new) = (Shown::of(before), Shown::of(after));
        let body = match diff.action {
            Action::Create => Body::One(new),
            Action::Delete => Body::One(old),
            Action::NoOp | Action::Update => Body::Change(old, new),
        };
        self.part(path, diff, body, found);
        cosmetic::label_scalar(found, diff.action, before, after);
    }

    fn unknown(self, path: &Path, diff: &Diff<'a>, before: Option<&'a Diff<'a>>, found: &mut Found) {
        if !diff.replace {
            found.unknown.push(path.shown.clone());
            return;
        }
        let old = match before.map(|before| before.node) {
            Some(Node::Scalar { before, .. }) => Shown::of(before),
            Some(Node::Sensitive { .. } | Node::SensitiveBlock { .. }) => Shown::Sensitive,
            Some(_) => return self.part(path, diff, Body::One(Shown::Unknown), found),
            None => Shown::Null,
        };
        self.part(path, diff, Body::Change(old, Shown::Unknown), found);
    }

    fn secret(self, path: &Path, diff: &Diff<'a>, (before, after): (bool, bool), found: &mut Found) {
        let body = match diff.action {
            Action::Create | Action::Delete => Body::One(Shown::Sensitive),
            Action::NoOp | Action::Update => Body::Change(Shown::Sensitive, Shown::Sensitive),
        };
        self.part(path, diff, body, found);
        let note = match (diff.action, before, after) {
            (Action::Update, false, true) => "becomes sensitive",
            (Action::Update, true, false) => "is no longer sensitive",
            _ => return,
        };
        if let Some(part) = found.parts.last_mut() {
            part.notes.push(note.to_owned());
        }
    }

    fn type_change(
        self,
        path: &Path,
        diff: &Diff<'a>,
        before: &'a Diff<'a>,
        after: &'a Diff<'a>,
        found: &mut Found,
    ) {
        if let (Node::Scalar { before: old, .. }, Node::Scalar { after: new, .. }) = (before.node, after.node)
        {
            self.part(path, diff, Body::Change(Shown::of(old), Shown::of(new)), found);
            return cosmetic::label_scalar(found, Action::Update, old, new);
        }
        let first = found.parts.len();
        self.child(path, &Diff { replace: diff.replace, ..*before }, found);
        self.child(path, &Diff { replace: diff.replace, ..*after }, found);
        // Elements that were paired by likeness hold both sides in the same way.
        let same_kind = discriminant(&before.node) == discriminant(&after.node);
        if !same_kind && let Some(part) = found.parts.get_mut(first) {
            part.notes.push("the type changes".to_owned());
        }
    }
}

/// A collection without elements.
fn is_empty(diff: &Diff<'_>) -> bool {
    match diff.node {
        Node::Object { members: entries, .. } | Node::Map { entries, .. } => entries.is_empty(),
        Node::List { items, .. } | Node::Set { items, .. } => items.is_empty(),
        Node::Scalar { .. }
        | Node::Heredoc { .. }
        | Node::Json { .. }
        | Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. }
        | Node::Block { .. } => false,
    }
}
