//! Edits as lines.

mod values;

use std::collections::HashMap;

use super::repeats::repeats;
use super::{path, remarks};
use crate::diff::edits::{Edit, Element, Label, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::{AccessChange, Cause, Entry, Given};
use crate::review::{Options, count, weight};
use crate::text::first_of;

/// The maximum number of lines for a value that is added or removed as a whole.
const MAX_BLOCK_LINES: usize = 24;
/// The maximum number of consecutive elements, added to or removed from one list, with a line of their own.
const MAX_RUN: usize = 20;
/// The length up to which a line is longer than the width, to name what follows from its change.
const MAX_WITH_FOLLOWERS: usize = 110;
/// The maximum number of names on one line.
const MAX_NAMES: usize = 12;
/// The maximum number of sources that are named for an unknown value.
pub(super) const MAX_SOURCES: usize = 3;
/// The maximum length of values that are written on one line, before and after, however narrow the display
/// is.
const MAX_SHORT_LEN: usize = 60;

/// Writes edits as lines.
pub(super) struct EditWriter<'o> {
    pub(super) options: &'o Options,
    pub(super) lines: Vec<Line>,
    /// Whether the object is replaced: then its new identifiers do not need a line each.
    pub(super) is_replaced: bool,
    /// The causes of the entry.
    pub(super) causes: &'o [Cause<'o>],
    /// What the configuration gives.
    pub(super) given: &'o [Given<'o>],
    /// The lines that replace some of the entry's edits.
    pub(super) access: &'o [AccessChange<'o>],
    /// The attributes that findings are about, which come first.
    pub(super) flagged: &'o [&'o str],
    /// The notes on the last edit.
    pub(super) last_notes: Vec<&'static str>,
}

/// The form in which an edit is written.
enum Form<'a> {
    /// On a line of its own.
    Line,
    /// Hidden by `--ignore-attr`.
    Ignored,
    /// Together with others of the value at this path: counted because `--depth` hides them or, with the name of an
    /// element, only in another place of that list.
    Together(String, Option<String>),
    /// An attribute that is known after apply because anything changes: an identifier, a version or a hash.
    Follows(&'a str),
    /// In an attribute with the same changes as another one (the names of both).
    Repeats(&'a str, &'a str),
}

/// The path of the value whose edits are written together, the number of these, and the names of reordered elements.
type Together = (String, usize, Vec<String>);

impl<'o> EditWriter<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self {
            options,
            lines: Vec::new(),
            is_replaced: false,
            causes: &[],
            given: &[],
            access: &[],
            flagged: &[],
            last_notes: Vec::new(),
        }
    }

    /// A writer of edits of an entry.
    pub(super) fn of(entry: &'o Entry<'o>, options: &'o Options) -> Self {
        let Entry { causes, given, flagged, .. } = entry;
        Self { causes, given, flagged, ..Self::new(options) }
    }

    /// Writes edits, the most important attributes first. `base` is the name of an output, or empty. Returns
    /// how each edit is reported.
    pub(super) fn edits(&mut self, base: &str, edits: &[Edit<'_>], depth: usize) -> Vec<Option<Shown>> {
        let mut shown = vec![None; edits.len()];
        let repeats = if self.options.unchanged { HashMap::new() } else { repeats(edits) };
        let (mut ignored, mut followers, mut repeated) = (0, Vec::new(), "");
        let mut folded: Option<Together> = None;
        // The number of consecutive elements added to or removed from one list, and how many of these have no line.
        let mut run = (0, 0);
        let order = weight::order(edits, self.flagged);
        let mut access = self.access_by_edit();
        for (position, at) in order.iter().copied().enumerate() {
            let Some(edit) = edits.get(at) else { continue };
            if let Some(change) = access.get(&at).copied() {
                // The lines of all its edits are at the position of the first of these.
                self.lines.extend(super::access::lines(change, edits, depth, self.options.unchanged));
                for index in &change.edits {
                    access.remove(index);
                    if let Some(how) = shown.get_mut(*index) {
                        *how = Some(Shown::InFull);
                    }
                }
                continue;
            }
            if shown.get(at).is_some_and(Option::is_some) {
                continue;
            }
            let next = order.get(position + 1).and_then(|next| edits.get(*next));
            let form = self.form(base, edit, &repeats);
            let continues = |(path, _, names): &Together| matches!(&form, Form::Together(other, name) if other == path && name.is_some() != names.is_empty());
            if !folded.as_ref().is_some_and(continues) {
                self.together(folded.take(), depth);
            }
            let is_in_line = matches!(form, Form::Line);
            let how = match form {
                Form::Line if run.0 >= MAX_RUN && !self.options.unchanged && element_edit(edit).is_some() => {
                    run.1 += 1;
                    Shown::Counted
                }
                Form::Line => {
                    self.edit(base, edit, depth);
                    Shown::InFull
                }
                Form::Ignored => {
                    ignored += 1;
                    Shown::Counted
                }
                Form::Together(path, name) => {
                    let how = if name.is_some() { Shown::Named } else { Shown::Counted };
                    let (_, number, names) = folded.get_or_insert((path, 0, Vec::new()));
                    *number += 1;
                    names.extend(name);
                    how
                }
                Form::Follows(name) => {
                    followers.push(name);
                    Shown::Named
                }
                Form::Repeats(name, other) => {
                    if repeated != name {
                        repeated = name;
                        self.plain(
                            depth,
                            format!("{} changes as {} does", path::name(name), path::name(other)),
                        );
                    }
                    Shown::Named
                }
            };
            shown[at] = Some(how);
            if is_in_line && let Some(element) = element_edit(edit) {
                run.0 += 1;
                if !next.is_some_and(|next| element_edit(next).is_some() && is_same_list(edit, next)) {
                    self.end_of_list(base, edit, element, run.1, depth);
                    run = (0, 0);
                }
            }
        }
        self.together(folded, depth);
        self.followers(&followers, depth);
        if ignored > 0 {
            let text = format!("{} hidden by --ignore-attr", count(ignored, "change"));
            self.lines.push(Line::note(depth, text));
        }
        shown
    }

    /// The lines that replace edits, by the indices of the edits. Options that hide parts of values apply to
    /// edits, so there are none with these options.
    fn access_by_edit(&self) -> HashMap<usize, &'o AccessChange<'o>> {
        if self.options.depth.is_some() || !self.options.filter.ignored.is_empty() {
            return HashMap::new();
        }
        self.access.iter().flat_map(|change| change.edits.iter().map(move |at| (*at, change))).collect()
    }

    fn form<'a>(&self, base: &str, edit: &Edit<'a>, repeats: &HashMap<&'a str, &'a str>) -> Form<'a> {
        let filter = &self.options.filter;
        if !filter.ignored.is_empty() && filter.ignores(&path::names(base, edit.path)) {
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
            return Form::Together(path::text(base, shown), None);
        }
        let root = path::root_name(edit);
        if let Some(other) = repeats.get(root) {
            return Form::Repeats(root, other);
        }
        if self.follows(edit, root) {
            return Form::Follows(root);
        }
        if edit.labels.contains(Label::Moved)
            && !self.options.unchanged
            && edit.before == edit.after
            && let (Some(Step::Element(element)), Some(list)) = (edit.path.last(), edit.path.parent())
            && element.key.is_some()
        {
            return Form::Together(path::text(base, list), Some(path::element(&element)));
        }
        Form::Line
    }

    /// Whether an attribute becomes unknown only because something else changes: nothing in the configuration gives it.
    fn follows(&self, edit: &Edit<'_>, root: &str) -> bool {
        edit.path.len() == 1
            && !edit.replaces
            && edit.after.is_some_and(MarkedValue::is_unknown)
            && (weight::is_identifier(root) || (edit.before.is_some() && weight::is_follower(root)))
            && !self.given.iter().any(|given| given.attribute == root)
            && !self.causes.iter().any(|cause| cause.attribute == root)
    }

    fn plain(&mut self, depth: usize, text: String) {
        self.lines.push(Line::new(depth, Sign::Change, text, Tone::Plain));
    }

    fn together(&mut self, folded: Option<Together>, depth: usize) {
        let Some((path, number, names)) = folded else { return };
        if names.is_empty() {
            self.plain(depth, format!("{path}: {} below --depth", count(number, "change")));
        } else {
            let names = first_of(&names, MAX_SOURCES);
            let list = if path.is_empty() { "list" } else { &path };
            self.lines.push(Line::note(depth, format!("{list}: only the order differs of {names}")));
        }
    }

    fn followers(&mut self, names: &[&str], depth: usize) {
        if names.is_empty() {
            return;
        }
        let limit = if self.options.unchanged { names.len() } else { MAX_NAMES };
        let mut text = names.iter().take(limit).map(|name| path::name(name)).collect::<Vec<_>>().join(", ");
        if names.len() > limit {
            text.push_str(&format!(" and {}", count(names.len() - limit, "other attribute")));
        }
        let behind = if self.is_replaced {
            format!(" (+ new {text})")
        } else {
            format!(" (+ {text}: known after apply)")
        };
        let used = |line: &Line| -> usize { line.spans.iter().map(|span| span.text.chars().count()).sum() };
        match self.lines.last_mut() {
            // They follow from what is said before, so that the line may be a little longer than others.
            Some(last)
                if last.depth == depth
                    && last.sign == Sign::Change
                    && 2 * depth + used(last) + behind.chars().count()
                        <= self.options.width.max(MAX_WITH_FOLLOWERS) =>
            {
                last.spans.push(Span::new(behind, Tone::Muted));
            }
            _ if self.is_replaced => self.plain(depth, format!("{text}: new (known after apply)")),
            _ => self.plain(depth, format!("{text}: known after apply")),
        }
    }

    /// Writes the count of omitted elements after the last one of a list that is added or removed.
    fn end_of_list(&mut self, base: &str, edit: &Edit<'_>, element: Element<'_>, more: usize, depth: usize) {
        let list = || edit.path.parent().map_or_else(String::new, |list| path::text(base, list));
        if more > 0 {
            let what = count(more, "more element");
            self.lines.push(Line::note(
                depth,
                format!("… {what} of {} added or removed; --context all shows all", list()),
            ));
        }
        let (before, after) = element.lengths;
        if before == 0 || after > 0 {
            return;
        }
        // What is removed may have lines of its own below.
        match self.lines.iter_mut().rfind(|line| line.depth <= depth) {
            Some(last) if more == 0 && last.sign == Sign::Remove && last.depth == depth => {
                let what = if before == 1 { String::new() } else { format!("{} is ", list()) };
                last.spans.push(Span::new(format!(" ({what}now empty)"), Tone::Alert));
            }
            _ => {
                let text = format!("{} is now empty", list());
                self.lines.push(Line::new(depth, Sign::Change, text, Tone::Alert));
            }
        }
    }

    /// Writes one edit.
    fn edit(&mut self, base: &str, edit: &Edit<'_>, depth: usize) {
        let is_moved = edit.labels.contains(Label::Moved);
        let label = if is_moved { path::moved(base, edit.path) } else { path::text(base, edit.path) };
        let sign = match (edit.before, edit.after) {
            _ if edit.labels.contains(Label::Empty) => Sign::Change,
            (None, _) => Sign::Add,
            (_, None) => Sign::Remove,
            (Some(_), Some(_)) => Sign::Change,
        };
        let mut line = Line { depth, sign, spans: Vec::new() };
        if !label.is_empty() {
            line.spans.push(Span::new(label.as_str(), Tone::Plain));
        }
        let mut below = Self::new(self.options);
        below.given = self.given;
        if let Some(inside) = &edit.inside {
            below.inside(edit, inside, &mut line);
        } else {
            match (edit.before, edit.after) {
                (None, Some(value)) if sign == Sign::Add => {
                    below.whole(value, "added", &mut line);
                }
                (Some(value), None) if sign == Sign::Remove => {
                    below.whole(value, "removed", &mut line);
                }
                (before, after) => below.sides(edit, before, after, &mut line),
            }
        }
        let (mut remarks, notes) = (remarks::labels(edit), remarks::notes(edit));
        // A note that applies to many elements of a list is written once.
        if element_edit(edit).is_none() || self.last_notes != notes {
            remarks.extend_from_slice(&notes);
        }
        self.last_notes = notes;
        if !remarks.is_empty() {
            line.spans.push(Span::new(format!(" ({})", remarks.join("; ")), Tone::Muted));
        }
        below.sources(edit, self.causes, &mut line);
        if edit.replaces {
            line.spans.push(Span::new(" # forces replacement", Tone::Alert));
        }
        self.lines.push(line);
        self.lines.append(&mut below.lines);
    }
}

/// Whether an edit makes a whole attribute unknown, so that its sources are named beside it.
pub(super) fn is_explained(edit: &Edit<'_>) -> bool {
    edit.path.len() == 1 && edit.after.is_some_and(MarkedValue::is_unknown)
}

/// The element, if the edit adds or removes a whole element of a list.
fn element_edit<'a>(edit: &Edit<'a>) -> Option<Element<'a>> {
    match edit.path.last()? {
        Step::Element(element) if element.before.is_none() || element.after.is_none() => Some(element),
        Step::Element(_) | Step::Name(_) | Step::Document(_) => None,
    }
}

fn is_same_list(edit: &Edit<'_>, other: &Edit<'_>) -> bool {
    match (edit.path.parent(), other.path.parent()) {
        (Some(list), Some(other)) => list.is_same_node(other),
        _ => false,
    }
}
