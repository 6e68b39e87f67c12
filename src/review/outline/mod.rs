//! From a Diff tree to the parts that change, each with its path.
//!
//! Invariants: what does not change is not a part; whatever changes is one, or is counted (in
//! [`Found::ignored`]) or named (in [`Found::unknown`]); the inside of a secret is looked at only
//! with `--show-sensitive`, so neither paths nor pairs nor labels depend on it.

mod cosmetic;
mod identity;
mod pairing;
mod text;

use std::mem::discriminant;

use bumpalo::Bump;

use super::{Options, Sign};
use crate::computed::{Action, BlockGroup, Diff, Entry, Node, Slot};
use crate::differ::Differ;
use crate::json::Value;
use crate::text::key;

/// Something that changes.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where, seen from what holds the part: names, places in lists, identifying keys, and by `|` what
    /// a string was read as.
    pub path: String,
    /// What happens.
    pub sign: Sign,
    /// It forces the replacement of the resource.
    pub replace: bool,
    /// What it is.
    pub body: Body,
    /// What there is to know about it.
    pub notes: Vec<String>,
    /// The change has no effect that the plan could tell.
    pub cosmetic: bool,
}

/// What changes.
#[derive(Clone, Debug)]
pub enum Body {
    /// A value appears or goes.
    One(Shown),
    /// A value becomes another one.
    Change(Shown, Shown),
    /// A text of several lines.
    Text(Vec<TextLine>),
    /// A value with parts of its own appears or goes.
    Group(Vec<Part>),
    /// The notes say it all.
    Noted,
}

/// A value without parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `null`
    Null,
    /// A bool or a number, as it was written.
    Literal(String),
    /// A string.
    Text(String),
    /// `[]` or `{}`
    Empty(&'static str),
    /// A secret.
    Sensitive,
    /// A write-only attribute.
    WriteOnly,
    /// Known after apply.
    Unknown,
}

/// A line of a text.
#[derive(Clone, Debug)]
pub struct TextLine {
    /// What happens to it; [`Sign::Note`] for lines left out.
    pub sign: Sign,
    /// The line.
    pub text: String,
    /// The line that it replaces, or that replaces it.
    pub other: Option<String>,
}

/// What was found in a tree.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) parts: Vec<Part>,
    pub(super) unknown: Vec<String>,
    pub(super) ignored: usize,
    /// All of it comes or goes: there is no other side that a change could be cosmetic against.
    pub(super) one_sided: bool,
}

/// A path in two spellings.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    shown: String,
    /// Names only, for globs.
    plain: String,
}

impl Path {
    fn name(&self, name: &str) -> Self {
        let join = |text: &str, name: &str| match text.is_empty() {
            true => name.to_owned(),
            false => format!("{text}.{name}"),
        };
        Self { shown: join(&self.shown, &key(name)), plain: join(&self.plain, name) }
    }

    fn place(&self, place: &str) -> Self {
        Self { shown: format!("{}[{place}]", self.shown), plain: self.plain.clone() }
    }

    fn read_as(&self, what: &str) -> Self {
        Self { shown: format!("{}|{what}", self.shown), plain: self.plain.clone() }
    }

    /// The same for globs, but seen from here.
    fn inside(&self) -> Self {
        Self { shown: String::new(), plain: self.plain.clone() }
    }
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
            return;
        }
        if !path.plain.is_empty() && self.options.filter.ignores(&path.plain) {
            found.ignored += 1;
            return;
        }
        let before = found.parts.len();
        self.node(path, diff, found);
        // What forces the replacement says so, also where only its parts are shown.
        if diff.replace && !found.parts[before..].iter().any(|part| part.replace) {
            if let [part] = &mut found.parts[before..] {
                part.replace = true;
            } else if !path.shown.is_empty() {
                self.part(path, diff, Body::Noted, found);
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
        if !whole {
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
        let prefix = |name: String| if name.starts_with('[') { name } else { format!(".{name}") };
        found
            .unknown
            .extend(inside.unknown.into_iter().map(|name| format!("{}{}", path.shown, prefix(name))));
        let replace = diff.replace;
        match inside.parts.len() {
            0 if replace => self.part(path, diff, Body::Noted, found),
            0 => {}
            // A single part needs no group around it.
            1 => found.parts.extend(inside.parts.into_iter().map(|part| {
                let tail = if part.path.is_empty() { String::new() } else { prefix(part.path) };
                Part { path: format!("{}{tail}", path.shown), replace: part.replace || replace, ..part }
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
            }
            return;
        }
        let before = found.parts.len();
        match group.blocks {
            [] => {}
            [(None, only)] => self.child(&path, only, found),
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
            found.parts[before..].iter_mut().for_each(|part| part.replace = true);
        }
    }

    /// The elements of a list or set, or blocks of one type.
    fn items(self, path: &Path, diff: &Diff<'a>, items: &[Diff<'a>], is_set: bool, found: &mut Found) {
        if items.is_empty() {
            return self.empty(path, diff, "[]", found);
        }
        if cosmetic::is_order_only(items) {
            self.part(path, diff, Body::Noted, found);
            return cosmetic::label(found, "only the order of the elements differs");
        }
        let paired = pairing::paired(items, self.arena);
        let (mut before, mut after) = (0usize, 0usize);
        for (item, is_paired) in &paired {
            let place = if item.action == Action::Create { after } else { before };
            before += usize::from(item.action != Action::Create || *is_paired);
            after += usize::from(item.action != Action::Delete);
            let name = match identity::of(item) {
                Some(name) => name,
                None if is_set || *is_paired => String::new(),
                None => place.to_string(),
            };
            let first = found.parts.len();
            self.child(&path.place(&name), item, found);
            if *is_paired {
                for part in &mut found.parts[first..] {
                    part.notes.push("paired by likeness".to_owned());
                }
            }
        }
    }

    fn empty(self, path: &Path, diff: &Diff<'a>, what: &'static str, found: &mut Found) {
        self.part(path, diff, Body::One(Shown::Empty(what)), found);
        if diff.action != Action::Update && !path.shown.is_empty() {
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

impl Shown {
    fn of(slot: Slot<'_>) -> Self {
        match slot.value() {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Literal(value.to_string()),
            Value::Number(text) => Self::Literal(text.to_owned()),
            Value::String(text) => Self::Text(text.to_owned()),
            Value::Array(_) => Self::Empty("[…]"),
            Value::Object(_) => Self::Empty("{…}"),
        }
    }
}
