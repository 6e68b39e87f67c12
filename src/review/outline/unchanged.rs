//! What does not change: counted, or with `--context all` shown.

use super::{Body, Found, Outliner, Part, Path, Shown};
use crate::diff::tree::{BlockGroup, Diff, Node, Slot};
use crate::review::{Sign, TextLine};

impl<'a> Outliner<'_, 'a> {
    pub(super) fn unchanged(self, path: &Path, diff: &Diff<'a>, found: &mut Found) {
        if is_nothing(diff) {
            return;
        }
        if !self.options.unchanged {
            found.unchanged += 1;
            return;
        }
        match diff.node {
            Node::Scalar { before, .. } => same(path, Body::One(Shown::of(before)), found),
            Node::Heredoc { lines } => {
                let lines = lines.iter().map(|line| TextLine {
                    sign: Sign::Same,
                    text: line.text.unwrap_or("null").to_owned(),
                    other: None,
                });
                same(path, Body::Text(lines.collect()), found);
            }
            Node::Json { inner, .. } => self.unchanged(&path.read_as("json"), inner, found),
            Node::Sensitive { inner, .. } | Node::SensitiveBlock { inner, .. } => {
                if self.options.show_sensitive {
                    self.unchanged(path, inner, found);
                } else {
                    self.unchanged_secret(path, found);
                }
            }
            Node::WriteOnly { .. } => same(path, Body::One(Shown::WriteOnly), found),
            Node::Unknown { .. } => same(path, Body::One(Shown::Unknown), found),
            // A change of type is a change.
            Node::TypeChange { after, .. } => self.unchanged(path, after, found),
            Node::Object { members: entries, .. } | Node::Map { entries, .. } => {
                entries.iter().for_each(|entry| self.unchanged(&path.name(entry.key), &entry.diff, found));
            }
            Node::List { items, .. } | Node::Set { items, .. } => {
                for (at, item) in items.iter().enumerate() {
                    let name = super::identity::of(item).unwrap_or_else(|| at.to_string());
                    self.unchanged(&path.place(&name), item, found);
                }
            }
            Node::Block { attributes, groups } => {
                attributes.iter().for_each(|entry| self.unchanged(&path.name(entry.key), &entry.diff, found));
                groups.iter().for_each(|group| self.unchanged_blocks(path, group, found));
            }
        }
    }

    fn unchanged_blocks(self, path: &Path, group: &BlockGroup<'a>, found: &mut Found) {
        let path = path.name(group.name);
        if group.sensitive != (false, false) && !self.options.show_sensitive {
            return self.unchanged_secret(&path, found);
        }
        for (at, (key, block)) in group.blocks.iter().enumerate() {
            let name = key.map_or_else(|| at.to_string(), crate::text::quote);
            self.unchanged(&path.place(&name), block, found);
        }
    }

    /// A secret that does not change.
    pub(super) fn unchanged_secret(self, path: &Path, found: &mut Found) {
        if self.options.unchanged {
            same(path, Body::One(Shown::Sensitive), found);
        } else {
            found.unchanged += 1;
        }
    }
}

fn same(path: &Path, body: Body, found: &mut Found) {
    let path = path.shown.clone();
    found.parts.push(Part {
        path,
        sign: Sign::Same,
        replace: false,
        body,
        notes: Vec::new(),
        cosmetic: false,
    });
}

/// Nobody wrote anything there.
fn is_nothing(diff: &Diff<'_>) -> bool {
    match diff.node {
        Node::Scalar { before, .. } => matches!(before, Slot::Absent | Slot::Null),
        Node::Object { members: entries, .. } | Node::Map { entries, .. } => entries.is_empty(),
        Node::List { items, .. } | Node::Set { items, .. } => items.is_empty(),
        Node::Block { attributes, groups } => {
            attributes.iter().all(|entry| is_nothing(&entry.diff)) && groups.is_empty()
        }
        Node::Heredoc { .. }
        | Node::Json { .. }
        | Node::Unknown { .. }
        | Node::Sensitive { .. }
        | Node::SensitiveBlock { .. }
        | Node::WriteOnly { .. }
        | Node::TypeChange { .. } => false,
    }
}
