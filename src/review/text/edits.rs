//! Edits as lines: the most important attributes first, and what belongs together on one line.

use std::collections::HashMap;

use super::document::{changed, document, unwrapped};
use super::path::{self, is_same_name, name, path_text, root_name};
use super::value::{Block, MAX_LEN, as_line, inline_to, short, tone};
use crate::diff::edits::{Edit, Element, Inside, Label, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::{AccessChange, Cause, Entry};
use crate::review::{Options, count, names};
use crate::text::{cut, first_of, hidden_value, quote};

/// The maximum number of lines for a value that is added or removed as a whole.
pub(super) const MAX_BLOCK_LINES: usize = 24;
/// The maximum number of consecutive elements, added to or removed from one list, with a line of their own.
const MAX_RUN: usize = 20;
/// The length up to which a line is longer than the width, to name what follows from its change.
const MAX_WITH_FOLLOWERS: usize = 110;
/// The maximum number of attributes that are named because they follow from other changes.
const MAX_NAMES: usize = 12;
/// The maximum number of sources that are named for an unknown value.
pub(super) const MAX_SOURCES: usize = 3;
/// The maximum length of values that are written on one line, before and after, however narrow the display
/// is.
const MAX_SHORT_LEN: usize = 60;

/// Writes edits as lines.
pub(super) struct EditWriter<'o> {
    options: &'o Options,
    /// The entry of the edits, unless they are those of a document.
    entry: Option<&'o Entry<'o>>,
    pub(super) lines: Vec<Line>,
    /// The notes on the last edit.
    last_notes: Vec<&'static str>,
}

/// The form in which an edit is written.
enum Form<'o, 'a> {
    /// On a line of its own.
    Line,
    /// The same, for an element that is added to a list or removed from it.
    Element(Element<'a>),
    /// As policies or firewall rules, together with other edits.
    Access(&'o AccessChange<'o>),
    /// Hidden by `--ignore-attr`.
    Ignored,
    /// Only counted, with others of the value at this path, because `--depth` hides it.
    Below(String),
    /// Only in another place of the list at this path: with others, by the name of the element.
    Reordered(String, String),
    /// An attribute that is known after apply because anything changes: an identifier, a version or a hash.
    Follows(&'a str),
    /// In an attribute with the same changes as another one (the names of both).
    Repeats(&'a str, &'a str),
}

/// An edit with its index and its form.
type Formed<'e, 'o, 'a> = (usize, &'e Edit<'a>, Form<'o, 'a>);

/// Whether two edits that follow one another are written together.
fn is_same((_, one, form): &Formed<'_, '_, '_>, (_, other, next): &Formed<'_, '_, '_>) -> bool {
    match (form, next) {
        (Form::Element(_), Form::Element(_)) => {
            let lists = one.path.parent().zip(other.path.parent());
            lists.is_some_and(|(list, other)| list.is_same_node(other))
        }
        (Form::Below(path), Form::Below(other)) => path == other,
        (Form::Reordered(list, _), Form::Reordered(other, _)) => list == other,
        (Form::Repeats(name, _), Form::Repeats(other, _)) => name == other,
        _ => false,
    }
}

impl<'o> EditWriter<'o> {
    /// A writer of the edits of a document.
    pub(super) fn new(options: &'o Options) -> Self {
        Self { options, entry: None, lines: Vec::new(), last_notes: Vec::new() }
    }

    /// A writer of edits of an entry.
    pub(super) fn of(entry: &'o Entry<'o>, options: &'o Options) -> Self {
        Self { entry: Some(entry), ..Self::new(options) }
    }

    /// The lines of edits, and how they show each.
    pub(super) fn lines(
        mut self,
        base: &str,
        edits: &[Edit<'_>],
        depth: usize,
    ) -> (Vec<Line>, Vec<Option<Shown>>) {
        let shown = self.edits(base, edits, depth);
        (self.lines, shown)
    }

    /// Writes edits, the most important attributes first. `base` is the name of an output, or empty. Returns
    /// how each edit is reported.
    pub(super) fn edits(&mut self, base: &str, edits: &[Edit<'_>], depth: usize) -> Vec<Option<Shown>> {
        let mut shown = vec![None; edits.len()];
        let repeats = if self.options.unchanged { HashMap::new() } else { repeats(edits) };
        let access = self.access_by_edit();
        let flagged = self.entry.map_or(&[][..], |entry| &entry.flagged);
        let order = names::order(edits, flagged).into_iter();
        let formed = order.filter_map(|at| {
            let edit = edits.get(at)?;
            let form = access.get(&at).map(|change| Form::Access(change));
            Some((at, edit, form.unwrap_or_else(|| self.form(base, edit, &repeats))))
        });
        let formed: Vec<Formed<'_, '_, '_>> = formed.collect();
        let (mut ignored, mut followers) = (0, Vec::new());
        for same in formed.chunk_by(is_same) {
            let [(first, edit, form), ..] = same else { continue };
            let how = match form {
                Form::Line => {
                    self.edit(base, edit, depth);
                    Shown::InFull
                }
                Form::Element(element) => {
                    let limit = self.options.limit(MAX_RUN);
                    for (at, edit, _) in same.iter().take(limit) {
                        self.edit(base, edit, depth);
                        shown[*at] = Some(Shown::InFull);
                    }
                    self.end_of_list(base, edit, *element, same.len().saturating_sub(limit), depth);
                    Shown::Counted
                }
                Form::Access(change) => {
                    // The lines of all its edits are at the position of the first of these.
                    if shown[*first].is_none() {
                        self.lines.extend(super::access_lines(change, edits, depth, self.options));
                        for at in &change.edits {
                            shown[*at] = Some(Shown::InFull);
                        }
                    }
                    Shown::InFull
                }
                Form::Ignored => {
                    ignored += 1;
                    Shown::Counted
                }
                Form::Below(path) => {
                    self.plain(depth, format!("{path}: {} below --depth", count(same.len(), "change")));
                    Shown::Counted
                }
                Form::Reordered(path, _) => {
                    let name = |(.., form): &Formed<'_, '_, '_>| {
                        if let Form::Reordered(_, name) = form { name.clone() } else { String::new() }
                    };
                    let names = same.iter().map(name);
                    let list = if path.is_empty() { "list" } else { path };
                    let names = first_of(names, MAX_SOURCES);
                    self.lines.push(Line::note(depth, format!("{list}: only the order differs of {names}")));
                    Shown::Named
                }
                Form::Follows(name) => {
                    followers.push(*name);
                    Shown::Named
                }
                Form::Repeats(own, other) => {
                    self.plain(depth, format!("{} changes as {} does", name(own), name(other)));
                    Shown::Named
                }
            };
            same.iter().for_each(|(at, ..)| _ = shown[*at].get_or_insert(how));
        }
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
        let hides = self.options.depth.is_some() || !self.options.filter.ignored.is_empty();
        let changes = self.entry.filter(|_| !hides).map_or(&[][..], |entry| &entry.access);
        changes.iter().flat_map(|change| change.edits.iter().map(move |at| (*at, change))).collect()
    }

    fn form<'a>(&self, base: &str, edit: &Edit<'a>, repeats: &HashMap<&'a str, &'a str>) -> Form<'o, 'a> {
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
            return Form::Below(path_text(base, shown));
        }
        let root = root_name(edit);
        if let Some(other) = repeats.get(root) {
            return Form::Repeats(root, other);
        }
        if self.follows(edit, root) {
            return Form::Follows(root);
        }
        let (Some(Step::Element(element)), Some(list)) = (edit.path.last(), edit.path.parent()) else {
            return Form::Line;
        };
        if element.before.is_none() || element.after.is_none() {
            return Form::Element(element);
        }
        let is_only_moved = edit.labels.contains(Label::Moved) && edit.before == edit.after;
        if is_only_moved && !self.options.unchanged && element.key.is_some() {
            return Form::Reordered(path_text(base, list), path::element(&element));
        }
        Form::Line
    }

    /// Whether an attribute becomes unknown only because something else changes: nothing in the configuration gives it.
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

    fn plain(&mut self, depth: usize, text: String) {
        self.lines.push(Line::new(depth, Sign::Change, text, Tone::Plain));
    }

    fn followers(&mut self, names: &[&str], depth: usize) {
        if names.is_empty() {
            return;
        }
        let text = first_of(names.iter().map(|found| name(found)), self.options.limit(MAX_NAMES));
        // The new identifiers of an object that is replaced.
        let is_replaced = self.entry.is_some_and(|entry| entry.kind().is_replacement());
        let behind =
            if is_replaced { format!(" (+ new {text})") } else { format!(" (+ {text}: known after apply)") };
        match self.lines.last_mut() {
            // They follow from what is said before, so that the line may be a little longer than others.
            Some(last)
                if last.depth == depth
                    && last.sign == Sign::Change
                    && 2 * depth + length(last) + behind.chars().count()
                        <= self.options.width.max(MAX_WITH_FOLLOWERS) =>
            {
                last.spans.push(Span::new(behind, Tone::Muted));
            }
            _ if is_replaced => self.plain(depth, format!("{text}: new (known after apply)")),
            _ => self.plain(depth, format!("{text}: known after apply")),
        }
    }

    /// Writes the count of omitted elements of a list to which elements are added, or from which they are removed.
    fn end_of_list(&mut self, base: &str, edit: &Edit<'_>, element: Element<'_>, more: usize, depth: usize) {
        let list = || edit.path.parent().map_or_else(String::new, |list| path_text(base, list));
        if more > 0 {
            self.lines.extend(super::more(depth, more, &format!("more element of {}", list())));
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
        let label = if is_moved { path::moved(base, edit.path) } else { path_text(base, edit.path) };
        let sign = match (edit.before, edit.after) {
            _ if edit.labels.contains(Label::Empty) => Sign::Change,
            (None, _) => Sign::Add,
            (_, None) => Sign::Remove,
            (Some(_), Some(_)) => Sign::Change,
        };
        let spans = if label.is_empty() { Vec::new() } else { vec![Span::new(label, Tone::Plain)] };
        let line = Line { depth, sign, spans };
        let mut lines = EditLines { options: self.options, line, below: Vec::new() };
        match (edit.inside, edit.before, edit.after) {
            (Some(inside), ..) => lines.inside(edit, inside),
            (None, None, Some(value)) if sign == Sign::Add => lines.whole(value, "added"),
            (None, Some(value), None) if sign == Sign::Remove => lines.whole(value, "removed"),
            (None, ..) => lines.sides(edit),
        }
        let (mut remarks, notes) = (label_texts(edit, &[]), notes(edit));
        // A note that applies to many elements of a list is written once.
        let is_element = matches!(edit.path.last(), Some(Step::Element(element)) if element.before.is_none() || element.after.is_none());
        if !is_element || self.last_notes != notes {
            remarks.extend_from_slice(&notes);
        }
        self.last_notes = notes;
        if !remarks.is_empty() {
            lines.push(format!(" ({})", remarks.join("; ")), Tone::Muted);
        }
        if let Some(entry) = self.entry {
            lines.sources(edit, entry);
        }
        if edit.replaces {
            lines.push(" # forces replacement", Tone::Alert);
        }
        self.lines.push(lines.line);
        self.lines.append(&mut lines.below);
    }
}

/// The lines of an edit.
struct EditLines<'o> {
    options: &'o Options,
    line: Line,
    /// The lines below it.
    below: Vec<Line>,
}

impl EditLines<'_> {
    fn push(&mut self, text: impl Into<String>, tone: Tone) {
        self.line.spans.push(Span::new(text, tone));
    }

    /// The room for values on the line.
    fn width(&self) -> usize {
        let used = 2 * self.line.depth + length(&self.line) + 8;
        self.options.width.saturating_sub(used).max(MAX_SHORT_LEN)
    }

    /// Adds the lines of a value below.
    fn block(&mut self, value: MarkedValue<'_>, sign: Sign, levels: usize) {
        let place = (self.line.depth + 1, levels);
        self.below.extend(Block::lines(value, sign, place, MAX_BLOCK_LINES, self.options));
    }

    /// Removes the space after the last colon.
    fn end(&mut self) {
        if let Some(last) = self.line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
    }

    /// Adds where an unknown value comes from, and what is expected of it.
    fn sources(&mut self, edit: &Edit<'_>, entry: &Entry<'_>) {
        if !is_explained(edit) {
            return;
        }
        let name = root_name(edit);
        let causes: Vec<&Cause<'_>> = entry.causes.iter().filter(|cause| cause.attribute == name).collect();
        let limit = self.options.limit(MAX_SOURCES);
        let given = entry.given.iter().find(|given| given.attribute == name).filter(|_| causes.is_empty());
        let sources: Vec<String> = match given {
            Some(given) => given.sources.iter().map(|text| cut(text, 200)).collect(),
            None => causes.iter().map(|cause| cut(&cause.text(), 200)).collect(),
        };
        if sources.is_empty() {
            return;
        }
        let text = format!(" <- {}", first_of(sources, limit));
        self.below.last_mut().unwrap_or(&mut self.line).spans.push(Span::new(text, Tone::Muted));
        for expected in causes.iter().take(limit).flat_map(|cause| cause.expected) {
            self.below.push(Line::note(self.line.depth + 1, format!("expected: {expected}")));
        }
    }

    /// Adds a value that is added or removed as a whole.
    fn whole(&mut self, value: MarkedValue<'_>, word: &str) {
        let is_container = matches!(value.content, Content::Array(_) | Content::Object(_));
        let separator = match (self.line.spans.is_empty(), is_container) {
            (false, true) => format!(" {word}: "),
            (true, true) => format!("{word}: "),
            (false, false) => ": ".to_owned(),
            (true, false) => String::new(),
        };
        let (tone, levels) = (tone(self.line.sign), self.options.levels_below(1));
        self.push(separator, tone);
        let text = inline_to(value, levels, self.width());
        match text.or_else(|| as_line(value).map(|text| quote(&cut(text, MAX_LEN)))) {
            Some(text) => self.push(text, tone),
            None => {
                self.end();
                self.block(value, self.line.sign, levels);
            }
        }
    }

    /// Adds the differences of the documents in two strings.
    fn inside(&mut self, edit: &Edit<'_>, inside: &Inside<'_>) {
        let (formats, edit, inside) = unwrapped(edit, inside);
        self.push(format!(" ({formats})"), Tone::Muted);
        if !inside.edits.is_empty() {
            self.push(":", Tone::Plain);
            self.below = document(edit, inside, self.line.depth + 1, self.options);
        }
    }

    /// Adds both sides of a change.
    fn sides(&mut self, edit: &Edit<'_>) {
        let Edit { before, after, labels, .. } = *edit;
        let (width, depth) = (self.width(), self.line.depth + 1);
        let separator = if self.line.spans.is_empty() { "" } else { ": " };
        if [before, after].into_iter().all(|side| side.is_some_and(MarkedValue::is_redacted)) {
            let changed = before != after && !labels.contains(Label::Sensitivity);
            let lacks_schema = [before, after].iter().flatten().all(|side| side.lacks_schema);
            let text = match changed && !lacks_schema {
                true => "(sensitive value, changed)",
                false => hidden_value(lacks_schema),
            };
            self.push(separator, Tone::Plain);
            return self.push(text, Tone::Changed);
        }
        // The remark that both sides are equal suffices.
        if labels.contains(Label::Order) && !labels.contains(Label::Moved) {
            return;
        }
        self.push(separator, Tone::Plain);
        let levels = self.options.levels_below(edit.path.len());
        let shown = |side: Option<MarkedValue<'_>>, limit: usize| match side {
            None => Some("null".to_owned()),
            Some(value) => inline_to(value, levels, limit),
        };
        if before == after || labels.contains(Label::Moved) || labels.contains(Label::Sensitivity) {
            let text = shown(after, width).or_else(|| shown(before, width));
            let text = text.or_else(|| Some(short(after.or(before)?, width)));
            return self.push(text.unwrap_or_default(), Tone::Changed);
        }
        if let (Some(old), Some(new)) = (shown(before, width), shown(after, width))
            && old.chars().count() + new.chars().count() <= width.max(2 * MAX_SHORT_LEN)
        {
            self.push(old, Tone::Removed);
            self.push(" -> ", Tone::Plain);
            return self.push(new, Tone::Added);
        }
        self.end();
        if let (Some(old), Some(new)) =
            (before.and_then(MarkedValue::as_str), after.and_then(MarkedValue::as_str))
        {
            let (old, new) = changed(&quote(old), &quote(new));
            self.below.push(Line { depth, sign: Sign::Remove, spans: old });
            self.below.push(Line { depth, sign: Sign::Add, spans: new });
            return;
        }
        for (side, sign) in [(before, Sign::Remove), (after, Sign::Add)] {
            match (shown(side, self.options.width.max(MAX_SHORT_LEN)), side) {
                (Some(text), _) => self.below.push(Line::new(depth, sign, text, tone(sign))),
                (None, Some(value)) => self.block(value, sign, levels),
                (None, None) => {}
            }
        }
    }
}

/// The length of a line, in characters.
fn length(line: &Line) -> usize {
    line.spans.iter().map(|span| span.text.chars().count()).sum()
}

/// Whether an edit makes a whole attribute unknown, so that its sources are named beside it.
pub(super) fn is_explained(edit: &Edit<'_>) -> bool {
    edit.path.len() == 1 && edit.after.is_some_and(MarkedValue::is_unknown)
}

/// Attributes whose edits equal those of an earlier attribute, with the name of the earlier one: `tags_all` repeats
/// `tags`.
fn repeats<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, &'a str> {
    let mut earlier: HashMap<&str, &[Edit<'a>]> = HashMap::new();
    let mut found = HashMap::new();
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let name = group.first().map_or("", root_name);
        if let Some((other, same)) = name.strip_suffix("_all").and_then(|other| earlier.get_key_value(other))
            && is_same_below(same, group)
        {
            found.insert(name, *other);
        }
        earlier.insert(name, group);
    }
    found
}

/// Whether the edits of two maps' members are equal but for the names of the maps.
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

/// The labels of an edit in words, except for some.
fn label_texts(edit: &Edit<'_>, except: &[Label]) -> Vec<&'static str> {
    let labels = edit.labels.iter().filter(|label| !except.contains(label));
    labels.filter_map(|label| label_text(label, edit)).collect()
}

/// The notes of an edit and of the documents in it, in words.
fn notes(edit: &Edit<'_>) -> Vec<&'static str> {
    let inner = edit.inside.map_or(&[][..], |inside| unwrapped(edit, inside).1.notes);
    let mut texts: Vec<&str> = Vec::new();
    for text in edit.notes.iter().chain(inner).map(|note| note.text()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The labels of an edit, except for some, and its notes, in words after it: ` (only white space differs)`.
pub(crate) fn remarks(edit: &Edit<'_>, except: &[Label]) -> String {
    let words = [label_texts(edit, except), notes(edit)].concat();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}

fn label_text(label: Label, edit: &Edit<'_>) -> Option<&'static str> {
    let is_marked =
        |side: Option<MarkedValue<'_>>| side.is_some_and(|value| value.is_sensitive || value.is_hidden);
    Some(match label {
        Label::Moved => "moved",
        Label::Sensitivity => match (is_marked(edit.before), is_marked(edit.after)) {
            (false, true) => "becomes sensitive; the value stays",
            (true, false) => "is no longer sensitive; the value stays",
            (true, true) | (false, false) => "only the sensitive marks differ",
        },
        // The values show it: `null -> ""`.
        Label::Empty => return None,
        Label::Case => "only upper and lower case differ",
        Label::Whitespace => "only white space differs",
        Label::Invisible => "only invisible characters differ",
        Label::UnicodeForm => "only the Unicode form differs",
        Label::Format => "the same JSON, written differently",
        Label::Order if edit.labels.contains(Label::Moved) => "order is not significant here",
        Label::Order => "only the order differs, which is not significant here",
        Label::TypeOnly => "only written as another type",
        Label::NotInSchema => "not in the schema",
    })
}
