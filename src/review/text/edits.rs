//! Edits as lines.

use std::collections::HashMap;

use super::repeats::repeats;
use super::value::{self, Block, inline_to};
use super::{cut, document, path, remarks, words};
use crate::diff::value::{Content, MarkedValue};
use crate::review::edit::{Edit, Element, Label, Slot, Step};
use crate::review::entry::{AccessChange, Cause};
use crate::review::ledger::Mention;
use crate::review::lines::{Line, Sign, Span, Tone};
use crate::review::{Options, count, weight};
use crate::text::quote;

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

    /// Where a value comes from that becomes unknown, and what is expected of it.
    fn sources(&mut self, edit: &Edit<'_>, causes: &[Cause<'_>], line: &mut Line) {
        if !is_explained(edit) {
            return;
        }
        let name = path::root_name(edit);
        let causes: Vec<&Cause<'_>> = causes.iter().filter(|cause| cause.attribute == name).collect();
        let most = if self.options.unchanged { causes.len() } else { SOURCES };
        let names: Vec<String> = causes.iter().take(most).map(|cause| cut(&cause.text(), 200)).collect();
        if names.is_empty() {
            return;
        }
        let more = causes.len() - names.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        let span = Span::new(format!(" <- {}{rest}", names.join(", ")), Tone::Muted);
        self.lines.last_mut().unwrap_or(line).spans.push(span);
        for cause in causes.iter().take(most) {
            for expected in cause.expected {
                self.lines.push(Line::note(line.depth + 1, format!("expected: {expected}")));
            }
        }
    }

    fn width(&self, line: &Line) -> usize {
        let used: usize = line.spans.iter().map(|span| span.text.chars().count()).sum();
        self.options.width.saturating_sub(2 * line.depth + used + 8).max(SHORT)
    }

    /// The levels of a value below `path` that `--depth` shows.
    fn levels(&self, edit_depth: usize) -> usize {
        self.options.depth.map_or(usize::MAX, |limit| limit.saturating_sub(edit_depth))
    }

    fn block(&self, sign: Sign, levels: usize) -> Block {
        let most = if self.options.unchanged { usize::MAX } else { BLOCK_LINES };
        Block { sign, width: self.options.width, most, levels }
    }

    /// Something that is added or removed as a whole.
    fn whole(&mut self, value: MarkedValue<'_>, word: &str, line: &mut Line) {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        let separator = match (line.spans.is_empty(), is_container) {
            (false, true) => format!(" {word}: "),
            (true, true) => format!("{word}: "),
            (false, false) => ": ".to_owned(),
            (true, false) => String::new(),
        };
        let tone = value::tone(line.sign);
        line.spans.push(Span::new(separator, tone));
        if let Some(text) = inline_to(value, self.levels(1), self.width(line)) {
            line.spans.push(Span::new(text, tone));
            return;
        }
        if let Content::String(text) = value.content
            && !text.trim_end_matches('\n').contains('\n')
        {
            line.spans.push(Span::new(quote(&cut(text, value::MAX_LEN)), tone));
            return;
        }
        if let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self.lines.extend(self.block(line.sign, self.levels(1)).lines(value, line.depth + 1));
    }

    /// The documents in two strings.
    fn inside(&mut self, edit: &Edit<'_>, inside: &crate::review::edit::Inside<'_>, line: &mut Line) {
        let (formats, innermost) = document::unwrapped(edit, inside);
        let names: Vec<&str> = formats.into_iter().map(document::format_name).collect();
        line.spans.push(Span::new(format!(" ({})", names.join(", ")), Tone::Muted));
        if innermost.inside.edits.is_empty() {
            return;
        }
        line.spans.push(Span::new(":", Tone::Plain));
        innermost.write(self, line.depth + 1);
    }

    /// Both sides of a change.
    fn sides(&mut self, edit: &Edit<'_>, before: Slot<'_>, after: Slot<'_>, line: &mut Line) {
        let width = self.width(line);
        if !line.spans.is_empty() {
            line.spans.push(Span::new(": ", Tone::Plain));
        }
        let is_redacted = |slot: Slot<'_>| slot.value().is_some_and(MarkedValue::is_redacted);
        if is_redacted(before) && is_redacted(after) {
            let changed = edit.before != edit.after && !edit.labels.contains(Label::Sensitivity);
            let text = if changed { "(sensitive value, changed)" } else { "(sensitive value)" };
            line.spans.push(Span::new(text, Tone::Changed));
            return;
        }
        if edit.labels.contains(Label::Order) && !edit.labels.contains(Label::Moved) {
            // The remark says it: the values are the same.
            line.spans.pop();
            return;
        }
        let levels = self.levels(edit.path.len());
        let shown = |slot: Slot<'_>, limit: usize| match slot {
            Slot::Absent => Some("null".to_owned()),
            Slot::Value(value) => inline_to(value, levels, limit),
        };
        if edit.before == edit.after
            || edit.labels.contains(Label::Moved)
            || edit.labels.contains(Label::Sensitivity)
        {
            if let Some(text) = shown(after, width).or_else(|| shown(before, width)) {
                line.spans.push(Span::new(text, Tone::Changed));
            } else if let Some(value) = after.value().or_else(|| before.value()) {
                line.spans.push(Span::new(value::short(value, width), Tone::Changed));
            }
            return;
        }
        if let (Some(old), Some(new)) = (shown(before, width), shown(after, width))
            && old.chars().count() + new.chars().count() <= width.max(2 * SHORT)
        {
            line.spans.push(Span::new(old, Tone::Removed));
            line.spans.push(Span::new(" -> ", Tone::Plain));
            line.spans.push(Span::new(new, Tone::Added));
            return;
        }
        if let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        let strings =
            (before.value().and_then(MarkedValue::as_str), after.value().and_then(MarkedValue::as_str));
        if let (Some(old), Some(new)) = strings {
            let (old, new) = words::changed(&quote(old), &quote(new));
            self.lines.push(Line { depth: line.depth + 1, sign: Sign::Remove, spans: old });
            self.lines.push(Line { depth: line.depth + 1, sign: Sign::Add, spans: new });
            return;
        }
        for (slot, sign) in [(before, Sign::Remove), (after, Sign::Add)] {
            let depth = line.depth + 1;
            match (shown(slot, self.options.width.max(SHORT)), slot.value()) {
                (Some(text), _) => {
                    self.lines.push(Line { depth, sign, spans: vec![Span::new(text, value::tone(sign))] });
                }
                (None, Some(value)) => self.lines.extend(self.block(sign, levels).lines(value, depth)),
                (None, None) => {}
            }
        }
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
