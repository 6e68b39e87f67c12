//! Edits as lines.

mod values;

use std::collections::HashMap;

use super::repeats::repeats;
use super::{path, remarks};
use crate::diff::value::MarkedValue;
use crate::review::edit::{Edit, Element, Label, Slot, Step};
use crate::review::entry::{AccessChange, Cause};
use crate::review::ledger::Mention;
use crate::review::lines::{Line, Sign, Span, Tone};
use crate::review::{Options, count, weight};

/// Lines of a value that is added or removed as a whole.
const BLOCK_LINES: usize = 24;
/// Elements in a row that are added to or removed from one list, each on a line of its own.
const RUN: usize = 20;
/// Names that are listed in one line.
const NAMES: usize = 12;
/// Sources of one unknown value that are named.
pub(super) const SOURCES: usize = 3;
/// Values up to this length are shown on one line, before and after, however narrow the display is.
const SHORT: usize = 60;

/// Writes edits as lines.
pub(super) struct EditWriter<'o> {
    pub(super) options: &'o Options,
    pub(super) lines: Vec<Line>,
    /// The object is replaced: that its identifiers are new needs no line for each.
    pub(super) is_replaced: bool,
    /// Which other changes the entry's own come from.
    pub(super) causes: &'o [Cause<'o>],
    /// What is written in place of some of the entry's edits.
    pub(super) access: &'o [AccessChange<'o>],
    /// The notes on the last edit.
    last_notes: Vec<&'static str>,
}

/// How an edit is written.
enum Form<'a> {
    /// In a line of its own.
    Line,
    /// Hidden by `--ignore-attr`.
    Ignored,
    /// Below `--depth`, in the value at this path.
    Deep(String),
    /// An identifier that is known after apply because the object is replaced.
    NewIdentifier(&'a str),
    /// In an attribute that changes as another one does.
    Repeats(&'a str, &'a str),
}

/// What was not written in a line of its own yet.
#[derive(Default)]
struct Folded<'a> {
    ignored: usize,
    identifiers: Vec<&'a str>,
    deep: Option<(String, usize)>,
    repeated: &'a str,
    /// How many elements of one list were added or removed in a row, and how many of these have no line.
    run: (usize, usize),
}

impl<'o> EditWriter<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self {
            options,
            lines: Vec::new(),
            is_replaced: false,
            causes: &[],
            access: &[],
            last_notes: Vec::new(),
        }
    }

    /// Writes edits, the weightiest attributes first. `base` is the name of an output, or nothing.
    /// Gives how each is told of.
    pub(super) fn edits(&mut self, base: &str, edits: &[Edit<'_>], depth: usize) -> Vec<Option<Mention>> {
        let mut mentions = vec![None; edits.len()];
        let repeats = if self.options.unchanged { HashMap::new() } else { repeats(edits) };
        let mut folded = Folded::default();
        let order = weight::order(edits);
        let mut access = self.access_by_edit();
        for (position, at) in order.iter().copied().enumerate() {
            let Some(edit) = edits.get(at) else { continue };
            if let Some(change) = access.get(&at).copied() {
                // All of its edits are told of by its lines, where the first of them would be.
                self.lines.extend(super::access::change_lines(change, edits, depth, self.options.unchanged));
                for told in &change.edits {
                    access.remove(told);
                    if let Some(mention) = mentions.get_mut(*told) {
                        *mention = Some(Mention::Shown);
                    }
                }
                continue;
            }
            if mentions.get(at).is_some_and(Option::is_some) {
                continue;
            }
            let next = order.get(position + 1).and_then(|next| edits.get(*next));
            let form = self.form(base, edit, &repeats);
            if folded
                .deep
                .as_ref()
                .is_some_and(|(path, _)| !matches!(&form, Form::Deep(other) if other == path))
            {
                self.deep(&mut folded, depth);
            }
            let is_in_line = matches!(form, Form::Line);
            let mention = match form {
                Form::Line
                    if folded.run.0 >= RUN && !self.options.unchanged && element_edit(edit).is_some() =>
                {
                    folded.run.1 += 1;
                    Mention::Counted
                }
                Form::Line => {
                    self.edit(base, edit, depth);
                    Mention::Shown
                }
                Form::Ignored => {
                    folded.ignored += 1;
                    Mention::Counted
                }
                Form::Deep(path) => {
                    let number = folded.deep.take().map_or(0, |(_, number)| number);
                    folded.deep = Some((path, number + 1));
                    Mention::Counted
                }
                Form::NewIdentifier(name) => {
                    folded.identifiers.push(name);
                    Mention::Named
                }
                Form::Repeats(name, other) => {
                    if folded.repeated != name {
                        folded.repeated = name;
                        self.plain(
                            depth,
                            format!("{} changes as {} does", path::name(name), path::name(other)),
                        );
                    }
                    Mention::Named
                }
            };
            mentions[at] = Some(mention);
            if is_in_line && let Some(element) = element_edit(edit) {
                folded.run.0 += 1;
                if !next.is_some_and(|next| element_edit(next).is_some() && is_same_list(edit, next)) {
                    self.end_of_list(base, edit, element, folded.run.1, depth);
                    folded.run = (0, 0);
                }
            }
        }
        self.deep(&mut folded, depth);
        self.identifiers(&folded.identifiers, depth);
        if folded.ignored > 0 {
            let text = format!("{} hidden by --ignore-attr", count(folded.ignored, "change"));
            self.lines.push(Line::note(depth, text));
        }
        mentions
    }

    /// The lines that take the place of edits, by the places of these. Options that leave out parts of values
    /// are about the edits themselves.
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
            return Form::Deep(path::text(base, shown));
        }
        let root = path::root_name(edit);
        if let Some(other) = repeats.get(root) {
            return Form::Repeats(root, other);
        }
        let becomes_unknown = edit.after.value().is_some_and(MarkedValue::is_unknown);
        if self.is_replaced
            && becomes_unknown
            && !edit.replaces
            && edit.path.len() == 1
            && weight::is_identifier(root)
        {
            return Form::NewIdentifier(root);
        }
        Form::Line
    }

    fn plain(&mut self, depth: usize, text: String) {
        self.lines.push(Line { depth, sign: Sign::Change, spans: vec![Span::new(text, Tone::Plain)] });
    }

    fn deep(&mut self, folded: &mut Folded<'_>, depth: usize) {
        if let Some((path, number)) = folded.deep.take() {
            self.plain(depth, format!("{path}: {} below --depth", count(number, "change")));
        }
    }

    fn identifiers(&mut self, names: &[&str], depth: usize) {
        if names.is_empty() {
            return;
        }
        let most = if self.options.unchanged { names.len() } else { NAMES };
        let mut text = names.iter().take(most).map(|name| path::name(name)).collect::<Vec<_>>().join(", ");
        if names.len() > most {
            text.push_str(&format!(" and {}", count(names.len() - most, "other identifier")));
        }
        self.plain(depth, format!("{text}: new (known after apply)"));
    }

    /// What is said at the last of the elements of a list that are added or removed.
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
        match self.lines.last_mut() {
            Some(last) if more == 0 && last.sign == Sign::Remove && last.depth == depth => {
                let what = if before == 1 { String::new() } else { format!("{} is ", list()) };
                last.spans.push(Span::new(format!(" ({what}now empty)"), Tone::Alert));
            }
            _ => self.lines.push(Line {
                depth,
                sign: Sign::Change,
                spans: vec![Span::new(format!("{} is now empty", list()), Tone::Alert)],
            }),
        }
    }

    /// Writes one edit.
    fn edit(&mut self, base: &str, edit: &Edit<'_>, depth: usize) {
        let is_moved = edit.labels.contains(Label::Moved);
        let label = if is_moved { path::moved(base, edit.path) } else { path::text(base, edit.path) };
        let sign = match (edit.before, edit.after) {
            _ if edit.labels.contains(Label::Empty) => Sign::Change,
            (Slot::Absent, _) => Sign::Add,
            (_, Slot::Absent) => Sign::Remove,
            (Slot::Value(_), Slot::Value(_)) => Sign::Change,
        };
        let mut line = Line { depth, sign, spans: Vec::new() };
        if !label.is_empty() {
            line.spans.push(Span::new(label.as_str(), Tone::Plain));
        }
        let mut below = Self::new(self.options);
        if let Some(inside) = &edit.inside {
            below.inside(edit, inside, &mut line);
        } else {
            match (edit.before, edit.after) {
                (Slot::Absent, Slot::Value(value)) if sign == Sign::Add => {
                    below.whole(value, "added", &mut line);
                }
                (Slot::Value(value), Slot::Absent) if sign == Sign::Remove => {
                    below.whole(value, "removed", &mut line);
                }
                (before, after) => below.sides(edit, before, after, &mut line),
            }
        }
        let (mut remarks, notes) = (remarks::labels(edit), remarks::notes(edit));
        // What holds for many elements of a list is said once.
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

/// Whether an edit is of an attribute that becomes unknown as a whole: its sources are named beside it.
pub(super) fn is_explained(edit: &Edit<'_>) -> bool {
    edit.path.len() == 1 && edit.after.value().is_some_and(MarkedValue::is_unknown)
}

/// The element, if the edit adds it to a list or removes it as a whole.
fn element_edit<'a>(edit: &Edit<'a>) -> Option<Element<'a>> {
    match edit.path.last()? {
        Step::Element(element) if element.before.is_none() || element.after.is_none() => Some(element),
        Step::Element(_) | Step::Name(_) => None,
    }
}

fn is_same_list(edit: &Edit<'_>, other: &Edit<'_>) -> bool {
    match (edit.path.parent(), other.path.parent()) {
        (Some(list), Some(other)) => list.is_same_node(other),
        _ => false,
    }
}
