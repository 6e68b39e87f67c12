//! Edits as lines: the most important attributes first, and what belongs together on one line.

use std::collections::HashMap;

use super::edit::{LineOfEdit, MAX_SOURCES, is_explained, notes};
use super::path::{self, is_same_name, name, path_text, root_name};
use super::{EntryText, access_lines, more};
use crate::diff::edits::{Edit, Element, Label, Step};
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::{AccessChange, Entry};
use crate::review::{Options, count, names};
use crate::text::first_of;

/// The maximum number of consecutive elements, added to or removed from one list, with a line of their own.
const MAX_RUN: usize = 20;
/// A line is longer than the width, up to this length, to name what follows from its change.
const MAX_WITH_FOLLOWERS: usize = 110;
/// The maximum number of attributes that are named because they follow from other changes.
const MAX_NAMES: usize = 12;

/// Without an entry, the edits are those of a document in one. `base` is the name of an output, or empty.
pub(super) fn edit_lines<'o>(
    edits: &[Edit<'_>],
    entry: Option<&'o Entry<'o>>,
    (base, depth): (&'o str, usize),
    options: &'o Options,
) -> EntryText {
    let mut writer = EditWriter {
        options,
        entry,
        base,
        depth,
        lines: Vec::new(),
        last_notes: Vec::new(),
    };
    let shown = writer.edits(edits);
    (writer.lines, shown)
}

struct EditWriter<'o> {
    options: &'o Options,
    entry: Option<&'o Entry<'o>>,
    base: &'o str,
    depth: usize,
    lines: Vec<Line>,
    last_notes: Vec<&'static str>,
}

enum Form<'o, 'a> {
    Line,
    Element(Element<'a>),
    Access(&'o AccessChange<'o>),
    Ignored,
    /// Counted with others of the value at this path, because `--depth` hides it.
    Below(String),
    /// Only in another place of the list at this path: the element is named, with others.
    Reordered(String),
    /// Known after apply because anything changes: an identifier, a version or a hash.
    Follows(&'a str),
    /// The names of two attributes with the same changes.
    Repeats(&'a str, &'a str),
}

type Formed<'e, 'o, 'a> = (usize, &'e Edit<'a>, Form<'o, 'a>);

fn is_same((_, one, form): &Formed<'_, '_, '_>, (_, other, next): &Formed<'_, '_, '_>) -> bool {
    match (form, next) {
        (Form::Element(_), Form::Element(_)) => {
            let lists = one.path.parent().zip(other.path.parent());
            lists.is_some_and(|(list, other)| list.is_same_node(other))
        }
        (Form::Below(path), Form::Below(other)) => path == other,
        (Form::Reordered(list), Form::Reordered(other)) => list == other,
        (Form::Repeats(name, _), Form::Repeats(other, _)) => name == other,
        _ => false,
    }
}

impl<'o> EditWriter<'o> {
    fn edits(&mut self, edits: &[Edit<'_>]) -> Vec<Option<Shown>> {
        let mut shown = vec![None; edits.len()];
        let repeats = if self.options.unchanged {
            HashMap::new()
        } else {
            repeats(edits)
        };
        let access = self.access_by_edit();
        let flagged = self.entry.map_or(&[][..], |entry| &entry.flagged);
        let formed = names::order(edits, flagged).into_iter().map(|at| {
            let form = access.get(&at).map(|change| Form::Access(change));
            (
                at,
                &edits[at],
                form.unwrap_or_else(|| self.form(&edits[at], &repeats)),
            )
        });
        let formed: Vec<Formed<'_, '_, '_>> = formed.collect();
        let (mut ignored, mut followers) = (0, Vec::new());
        for same in formed.chunk_by(is_same) {
            let [(first, edit, form), ..] = same else {
                continue;
            };
            let how = match form {
                Form::Line => {
                    self.edit(edit);
                    Shown::InFull
                }
                Form::Element(element) => {
                    let limit = self.options.limit(MAX_RUN);
                    for (at, edit, _) in same.iter().take(limit) {
                        self.edit(edit);
                        shown[*at] = Some(Shown::InFull);
                    }
                    self.end_of_list(edit, *element, same.len().saturating_sub(limit));
                    Shown::Counted
                }
                Form::Access(change) => {
                    if shown[*first].is_none() {
                        self.lines
                            .extend(access_lines(change, edits, self.depth, self.options));
                        change
                            .edits
                            .iter()
                            .for_each(|at| shown[*at] = Some(Shown::InFull));
                    }
                    Shown::InFull
                }
                Form::Ignored => {
                    ignored += 1;
                    Shown::Counted
                }
                Form::Below(path) => {
                    self.plain(format!(
                        "{path}: {} below --depth",
                        count(same.len(), "change")
                    ));
                    Shown::Counted
                }
                Form::Reordered(path) => {
                    let names = same
                        .iter()
                        .filter_map(|(_, edit, _)| match edit.path.last()? {
                            Step::Element(element) => Some(path::element(&element)),
                            Step::Name(_) | Step::Document(_) => None,
                        });
                    let list = if path.is_empty() { "list" } else { path };
                    let names = first_of(names.collect::<Vec<_>>(), MAX_SOURCES);
                    self.note(format!("{list}: only the order differs of {names}"));
                    Shown::Named
                }
                Form::Follows(name) => {
                    followers.push(*name);
                    Shown::Named
                }
                Form::Repeats(own, other) => {
                    self.plain(format!("{} changes as {} does", name(own), name(other)));
                    Shown::Named
                }
            };
            same.iter()
                .for_each(|(at, ..)| _ = shown[*at].get_or_insert(how));
        }
        self.followers(&followers);
        if ignored > 0 {
            self.note(format!(
                "{} hidden by --ignore-attr",
                count(ignored, "change")
            ));
        }
        shown
    }

    fn plain(&mut self, text: String) {
        self.lines
            .push(Line::new(self.depth, Sign::Change, text, Tone::Plain));
    }

    fn note(&mut self, text: String) {
        self.lines.push(Line::note(self.depth, text));
    }

    /// By the indices of edits. There are none with options that hide parts of values, which apply to edits.
    fn access_by_edit(&self) -> HashMap<usize, &'o AccessChange<'o>> {
        let hides = self.options.depth.is_some() || !self.options.filter.ignored.is_empty();
        let changes = self
            .entry
            .filter(|_| !hides)
            .map_or(&[][..], |entry| &entry.access);
        changes
            .iter()
            .flat_map(|change| change.edits.iter().map(move |at| (*at, change)))
            .collect()
    }

    fn form<'a>(&self, edit: &Edit<'a>, repeats: &HashMap<&'a str, &'a str>) -> Form<'o, 'a> {
        let filter = &self.options.filter;
        if !filter.ignored.is_empty() && filter.ignores(&path::names(self.base, edit.path)) {
            return Form::Ignored;
        }
        if let Some(limit) = self.options.depth
            && edit.path.len() > limit
        {
            let mut shown = edit.path;
            while shown.len() > limit
                && let Some(parent) = shown.parent()
            {
                shown = parent;
            }
            return Form::Below(path_text(self.base, shown));
        }
        let root = root_name(edit);
        if let Some(other) = repeats.get(root) {
            return Form::Repeats(root, other);
        }
        if self.follows(edit, root) {
            return Form::Follows(root);
        }
        let Some(Step::Element(element)) = edit.path.last() else {
            return Form::Line;
        };
        let is_only_moved = edit.labels.contains(Label::Moved) && edit.before == edit.after;
        match edit.path.parent() {
            Some(_) if element.before.is_none() || element.after.is_none() => {
                Form::Element(element)
            }
            Some(list) if is_only_moved && !self.options.unchanged && element.key.is_some() => {
                Form::Reordered(path_text(self.base, list))
            }
            Some(_) | None => Form::Line,
        }
    }

    /// It becomes unknown only because something else changes: nothing in the configuration gives it.
    fn follows(&self, edit: &Edit<'_>, root: &str) -> bool {
        let is_configured = |entry: &Entry<'_>| {
            entry.given.iter().any(|given| given.attribute == root)
                || entry.causes.iter().any(|cause| cause.attribute == root)
        };
        is_explained(edit)
            && !edit.replaces
            && (names::is_identifier(root) || (edit.before.is_some() && names::is_follower(root)))
            && !self.entry.is_some_and(is_configured)
    }

    fn followers(&mut self, names: &[&str]) {
        if names.is_empty() {
            return;
        }
        let text = first_of(
            names.iter().map(|found| name(found)),
            self.options.limit(MAX_NAMES),
        );
        let is_replaced = self
            .entry
            .is_some_and(|entry| entry.kind().is_replacement());
        let behind = if is_replaced {
            format!(" (+ new {text})")
        } else {
            format!(" (+ {text}: known after apply)")
        };
        match self.lines.last_mut() {
            Some(last)
                if last.depth == self.depth
                    && last.sign == Sign::Change
                    && 2 * self.depth + last.text().chars().count() + behind.chars().count()
                        <= self.options.width.max(MAX_WITH_FOLLOWERS) =>
            {
                last.spans.push(Span::new(behind, Tone::Muted));
            }
            _ if is_replaced => self.plain(format!("{text}: new (known after apply)")),
            _ => self.plain(format!("{text}: known after apply")),
        }
    }

    fn end_of_list(&mut self, edit: &Edit<'_>, element: Element<'_>, left_out: usize) {
        let (depth, list) = (self.depth, edit.path.parent().unwrap_or_default());
        let list = || path_text(self.base, list);
        if left_out > 0 {
            self.lines.extend(more(
                depth,
                left_out,
                &format!("more element of {}", list()),
            ));
        }
        let (before, after) = element.lengths;
        if before == 0 || after > 0 {
            return;
        }
        // What is removed may have lines of its own below.
        match self.lines.iter_mut().rfind(|line| line.depth <= depth) {
            Some(last) if left_out == 0 && last.sign == Sign::Remove && last.depth == depth => {
                let what = if before == 1 {
                    String::new()
                } else {
                    format!("{} is ", list())
                };
                last.spans
                    .push(Span::new(format!(" ({what}now empty)"), Tone::Alert));
            }
            _ => self.lines.push(Line::new(
                depth,
                Sign::Change,
                format!("{} is now empty", list()),
                Tone::Alert,
            )),
        }
    }

    fn edit(&mut self, edit: &Edit<'_>) {
        let notes = notes(edit);
        // A note that applies to many elements of a list is written once.
        let is_element = matches!(edit.path.last(), Some(Step::Element(_)))
            && (edit.before.is_none() || edit.after.is_none());
        let repeats = is_element && self.last_notes == notes;
        let line = LineOfEdit::new(edit, self.base, self.depth, self.options);
        self.lines
            .extend(line.lines(edit, if repeats { &[] } else { &notes }, self.entry));
        self.last_notes = notes;
    }
}

/// The earlier attribute with the same edits: `tags_all` repeats `tags`.
fn repeats<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, &'a str> {
    let mut earlier: HashMap<&str, &[Edit<'a>]> = HashMap::new();
    let mut found = HashMap::new();
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let name = group.first().map_or("", root_name);
        if let Some((other, same)) = name
            .strip_suffix("_all")
            .and_then(|other| earlier.get_key_value(other))
            && is_same_below(same, group)
        {
            found.insert(name, *other);
        }
        earlier.insert(name, group);
    }
    found
}

fn is_same_below(edits: &[Edit<'_>], others: &[Edit<'_>]) -> bool {
    let is_same = |(edit, other): (&Edit<'_>, &Edit<'_>)| {
        let is_same_member = match (edit.path.last(), other.path.last()) {
            (Some(Step::Name(name)), Some(Step::Name(other))) => is_same_name(name, other),
            _ => false,
        };
        is_same_member
            && [edit.path.len(), other.path.len()] == [2, 2]
            && (edit.before, edit.after) == (other.before, other.after)
            && (edit.labels, edit.replaces) == (other.labels, other.replaces)
    };
    edits.len() == others.len() && edits.iter().zip(others).all(is_same)
}
