//! Edits as lines: what findings are about first, then what the author wrote; what the provider computes, and what
//! differs in form only, is named in one line at the end.

use std::collections::{HashMap, HashSet};

use super::access::AccessText;
use super::edit::{LineOfEdit, notes};
use super::new_texts;
use super::path::{self, is_same_name, name, path_text, root_name};
use super::proof::Proofs;
use super::value::scalar_word;
use super::{EntryText, more};
use crate::diff::edits::{Edit, Element, Label, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Mark, Shown, Sign, Span, Tone};
use crate::review::entry::{AccessChange, Entry};
use crate::review::{Options, count, names};
use crate::text::first_of;

/// The maximum number of consecutive elements, added to or removed from one list, with a line of their own.
const MAX_RUN: usize = 20;
/// The maximum number of attributes that are named in the last line; more are counted.
const MAX_NAMES: usize = 6;
/// The maximum length of these names, in characters.
const MAX_NAMES_LEN: usize = 60;
/// The maximum number of words of a list that are added or removed on one line, and their length in characters.
const MAX_WORDS: usize = 12;
const MAX_WORD_LEN: usize = 100;
/// Members of one value are on one line of this length, in characters.
const MAX_JOINED_LEN: usize = 100;
/// The columns before an edit.
const MARGIN_OF_EDITS: usize = 7;
/// Fewer numbers that move by the same amount have lines of their own.
const MIN_RENUMBERED: usize = 3;

/// A finding that is said at the edit that proves it.
#[derive(Clone, Debug)]
pub(crate) struct FindingAt<'f> {
    /// Its position in the list of the caller.
    pub(crate) id: usize,
    pub(crate) mark: Mark,
    /// What its edit does not say, such as that the plan undoes it.
    pub(crate) remarks: Vec<&'f str>,
    /// What it means, if that is shorter than a value with many members and says more.
    pub(crate) words: Option<&'f str>,
    /// What is left of its path, below the value whose edits are written.
    pub(crate) steps: Vec<Step<'f>>,
}

/// What is written, and where.
#[derive(Clone, Copy)]
pub(super) struct Scope<'o> {
    /// Without an entry, the edits are those of a document in one.
    pub(super) entry: Option<&'o Entry<'o>>,
    /// The name of an output, or empty.
    pub(super) base: &'o str,
    pub(super) depth: usize,
    pub(super) findings: &'o [FindingAt<'o>],
    pub(super) options: &'o Options,
}

pub(super) fn edit_lines(edits: &[Edit<'_>], scope: Scope<'_>) -> EntryText {
    let mut writer = EditWriter {
        scope,
        text: EntryText::default(),
        last_notes: Vec::new(),
        joins: None,
        computed: Vec::new(),
        formatting: Vec::new(),
    };
    writer.edits(edits);
    writer.text
}

struct EditWriter<'o> {
    scope: Scope<'o>,
    text: EntryText,
    last_notes: Vec<&'static str>,
    /// The last line is about members of a value, and others may join it.
    joins: Option<Joins>,
    /// What the provider computes, and becomes unknown because anything changes.
    computed: Vec<String>,
    /// What is written differently and means the same.
    formatting: Vec<String>,
}

/// What the last line is about.
struct Joins {
    /// The path of the value whose members it has.
    parent: String,
    /// The name of its member, while it has only one.
    only: Option<String>,
}

enum Form<'o, 'a> {
    Line,
    Element(Element<'a>),
    Access(&'o AccessChange<'o>),
    Ignored,
    /// Counted with others of the value at this path, because `--depth` hides it.
    Below(String),
    /// The provider computes the value.
    Computed,
    Formatting,
    /// Another attribute has the same changes.
    Repeats,
    /// A number that moves by the same amount as others of this name.
    Renumbered(String),
}

type Formed<'e, 'o, 'a> = (usize, &'e Edit<'a>, Form<'o, 'a>);

fn is_same((_, one, form): &Formed<'_, '_, '_>, (_, other, next): &Formed<'_, '_, '_>) -> bool {
    match (form, next) {
        (Form::Element(_), Form::Element(_)) => {
            let lists = one.path.parent().zip(other.path.parent());
            lists.is_some_and(|(list, other)| list.is_same_node(other))
        }
        (Form::Below(path), Form::Below(other)) => path == other,
        (Form::Renumbered(words), Form::Renumbered(other)) => words == other,
        _ => false,
    }
}

impl<'o> EditWriter<'o> {
    fn edits(&mut self, edits: &[Edit<'_>]) {
        let options = self.scope.options;
        let mut shown = vec![None; edits.len()];
        let (repeats, renumbered) = match options.unchanged {
            true => (HashMap::new(), HashMap::new()),
            false => (repeats(edits), renumbered(edits)),
        };
        let access = self.access_by_edit();
        let proofs = Proofs::new(edits, self.scope.findings);
        let formed = order(edits, &proofs, &renumbered).into_iter().map(|at| {
            let edit = &edits[at];
            let is_marked = !proofs.of(at).is_empty();
            let form = match (access.get(&at), renumbered.get(&at)) {
                (Some(change), _) => Form::Access(change),
                (None, Some(words)) if !is_marked => Form::Renumbered(words.clone()),
                (None, _) => self.form(edit, &repeats, is_marked),
            };
            (at, edit, form)
        });
        let formed: Vec<Formed<'_, '_, '_>> = formed.collect();
        let mut ignored = 0;
        for same in formed.chunk_by(is_same) {
            let [(first, edit, form), ..] = same else {
                continue;
            };
            let own: Vec<usize> = same
                .iter()
                .flat_map(|(at, ..)| proofs.of(*at))
                .copied()
                .collect();
            let how = match form {
                Form::Line => {
                    self.line(*first, edit, &own);
                    Shown::InFull
                }
                Form::Element(element) => {
                    self.elements(same, *element, &own, &proofs);
                    Shown::InFull
                }
                Form::Access(change) => {
                    if shown[*first].is_none() {
                        self.access(change, edits, &proofs);
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
                    let number = count(same.len(), "change");
                    self.plain(format!("{path}: {number} below --depth"), &own);
                    Shown::Counted
                }
                Form::Computed => {
                    self.computed.push(self.path_name(edit.path));
                    Shown::Named
                }
                Form::Formatting => {
                    self.formatting.push(self.path_name(edit.path));
                    Shown::Named
                }
                Form::Repeats => Shown::Named,
                Form::Renumbered(words) => {
                    self.plain(format!("{} × {words}", same.len()), &own);
                    Shown::Counted
                }
            };
            for (at, ..) in same {
                shown[*at].get_or_insert(how);
            }
        }
        self.tail();
        if ignored > 0 {
            self.note(format!(
                "{} hidden by --ignore-attr",
                count(ignored, "change")
            ));
        }
        self.text.shown = shown;
    }

    fn plain(&mut self, text: String, findings: &[usize]) {
        self.joins = None;
        let line = Line::new(self.scope.depth, Sign::Change, text, Tone::Plain);
        let mark = self.say(findings);
        self.text.lines.push(line.marked(&mark));
    }

    fn note(&mut self, text: String) {
        self.joins = None;
        self.text.lines.push(Line::note(self.scope.depth, text));
    }

    /// The mark of a line that says these findings.
    fn say(&mut self, findings: &[usize]) -> Mark {
        let mut mark = Mark::default();
        for at in findings {
            let finding = &self.scope.findings[*at];
            mark.add(&finding.mark);
            self.text.said.push(finding.id);
        }
        mark
    }

    fn path_name(&self, path: Path<'_>) -> String {
        match path.len() {
            1 => name(path::root_of(path)),
            _ => path_text(self.scope.base, path),
        }
    }

    /// By the indices of edits. There are none with options that hide parts of values, which apply to edits.
    fn access_by_edit(&self) -> HashMap<usize, &'o AccessChange<'o>> {
        let options = self.scope.options;
        let hides = options.depth.is_some() || !options.filter.ignored.is_empty();
        let entry = self.scope.entry.filter(|_| !hides);
        let changes = entry.map_or(&[][..], |entry| &entry.access);
        changes
            .iter()
            .flat_map(|change| change.edits.iter().map(move |at| (*at, change)))
            .collect()
    }

    fn form<'a>(
        &self,
        edit: &Edit<'a>,
        repeats: &HashMap<&'a str, &'a str>,
        is_marked: bool,
    ) -> Form<'o, 'a> {
        let options = self.scope.options;
        let filter = &options.filter;
        if !filter.ignored.is_empty() && filter.ignores(&path::names(self.scope.base, edit.path)) {
            return Form::Ignored;
        }
        if let Some(limit) = options.depth
            && edit.path.len() > limit
        {
            let mut shown = edit.path;
            while shown.len() > limit
                && let Some(parent) = shown.parent()
            {
                shown = parent;
            }
            return Form::Below(path_text(self.scope.base, shown));
        }
        let root = root_name(edit);
        if !is_marked {
            if repeats.contains_key(root) {
                return Form::Repeats;
            }
            if self.is_computed(edit, root) {
                return Form::Computed;
            }
            let is_form_only = names::is_cosmetic(edit) || edit.labels.contains(Label::Empty);
            if is_form_only && !options.unchanged && !edit.path.is_empty() {
                return Form::Formatting;
            }
        }
        let Some(Step::Element(element)) = edit.path.last() else {
            return Form::Line;
        };
        let is_only_moved = edit.labels.contains(Label::Moved) && edit.before == edit.after;
        match edit.path.parent() {
            Some(_) if element.before.is_none() || element.after.is_none() => {
                Form::Element(element)
            }
            Some(_) if is_only_moved && !options.unchanged && element.key.is_some() => {
                let resource_type = self.scope.entry.map_or("", |entry| entry.resource_type);
                match names::order_decides(resource_type, edit) {
                    true => Form::Line,
                    false => Form::Formatting,
                }
            }
            Some(_) | None => Form::Line,
        }
    }

    /// It becomes unknown only because something else changes: nothing in the configuration gives it.
    fn is_computed(&self, edit: &Edit<'_>, root: &str) -> bool {
        let Some(entry) = self.scope.entry else {
            return false;
        };
        let is_unknown = edit.after.is_some_and(MarkedValue::is_unknown);
        if !is_unknown || edit.replaces || edit.path.is_empty() || !self.scope.base.is_empty() {
            return false;
        }
        let is_whole = edit.path.len() == 1;
        let is_configured = entry
            .given
            .iter()
            .any(|given| given.attribute == root && (is_whole || !given.sources.is_empty()));
        !is_configured && !entry.causes.iter().any(|cause| cause.attribute == root)
    }

    /// Names what differs in form only, and keeps the names of what the provider computes.
    fn tail(&mut self) {
        let options = self.scope.options;
        let computed = std::mem::take(&mut self.computed);
        if options.unchanged {
            self.text
                .lines
                .extend(names_line(&computed, "also known after apply", self.scope));
        } else {
            self.text.computed = computed;
        }
        let formatting = std::mem::take(&mut self.formatting);
        self.text
            .lines
            .extend(names_line(&formatting, "formatting only", self.scope));
    }

    fn access(&mut self, change: &AccessChange<'_>, edits: &[Edit<'_>], proofs: &Proofs) {
        self.joins = None;
        let own: Vec<usize> = change
            .edits
            .iter()
            .flat_map(|at| proofs.of(*at))
            .copied()
            .collect();
        let Scope {
            depth,
            options,
            findings,
            ..
        } = self.scope;
        let text = AccessText::of_edits(change, edits, (findings, &own), depth, options);
        let ids = text.said.into_iter().map(|at| findings[at].id);
        self.text.said.extend(ids);
        self.text.lines.extend(text.lines);
    }

    /// Elements that are added to or removed from one list: words on one line, blocks on a line each.
    fn elements(
        &mut self,
        same: &[Formed<'_, 'o, '_>],
        element: Element<'_>,
        findings: &[usize],
        proofs: &Proofs,
    ) {
        self.joins = None;
        let Some((_, first, _)) = same.first() else {
            return;
        };
        let limit = self.scope.options.limit(MAX_RUN);
        let is_listed = same.len() > 1 && same.iter().all(|(_, edit, _)| is_word(edit));
        let list = path_text(self.scope.base, first.path.parent().unwrap_or_default());
        let (before, after) = element.lengths;
        let is_emptied = before > 0 && after == 0;
        if is_listed && !list.is_empty() {
            let mut spans = vec![Span::new(list, Tone::Plain)];
            for (sign, tone) in [("  - ", Tone::Removed), ("  + ", Tone::Added)] {
                let words = same.iter().filter_map(|(_, edit, _)| {
                    let value = if tone == Tone::Added {
                        edit.after
                    } else {
                        edit.before
                    };
                    value.filter(|_| edit.before.is_none() == (tone == Tone::Added))
                });
                let words: Vec<String> = words
                    .map(|value| scalar_word(value, self.scope.options.limit(MAX_WORD_LEN)))
                    .collect();
                if !words.is_empty() {
                    let max = self.scope.options.limit(MAX_WORDS);
                    spans.push(Span::new(format!("{sign}{}", first_of(words, max)), tone));
                }
            }
            let texts = notes(first);
            if !texts.is_empty() {
                spans.push(Span::new(format!(" ({})", texts.join("; ")), Tone::Muted));
            }
            if is_emptied {
                spans.push(Span::new(" (now empty)", Tone::Alert));
            }
            let is_forced = same.iter().any(|(_, edit, _)| edit.replaces);
            if is_forced {
                spans.push(Span::new(" (forces it)", Tone::Alert));
            }
            let mark = self.say(findings);
            spans.extend(remarks(findings, self.scope.findings));
            let line = Line::of(self.scope.depth, Sign::Change, spans);
            self.text.lines.push(line.marked(&mark));
            return;
        }
        for (at, edit, _) in same.iter().take(limit) {
            self.edit(edit, &proofs.exactly_of(*at));
        }
        let left_out = same.len().saturating_sub(limit);
        let depth = self.scope.depth;
        self.text
            .lines
            .extend(more(depth, left_out, &format!("more element of {list}")));
        if is_emptied {
            match self.text.lines.last_mut() {
                Some(last) if last.depth == depth && left_out == 0 => {
                    last.spans.push(Span::new(" (now empty)", Tone::Alert));
                }
                _ => {
                    let text = format!("{list} is now empty");
                    let line = Line::new(depth, Sign::Change, text, Tone::Alert);
                    self.text.lines.push(line);
                }
            }
        }
    }

    /// Joins the line of a member with that of the member before, if both are of one value and fit. On a line about
    /// members that change, one that is added or removed has its sign: `tags.Owner web -> ci, + Stage = prod`.
    fn join(&mut self, edit: &Edit<'_>, lines: &[Line]) -> bool {
        let before = self.joins.take();
        let [line] = lines else { return false };
        let (Some(parent), Some(Step::Name(own))) = (edit.path.parent(), edit.path.last()) else {
            return false;
        };
        if !is_member(edit) {
            return false;
        }
        let own = name(own);
        let joins = Joins {
            parent: path_text("", parent),
            only: Some(own.clone()),
        };
        let before = before.filter(|before| before.parent == joins.parent);
        self.joins = Some(joins);
        let Some(last) = self.text.lines.last_mut() else {
            return false;
        };
        let Some(before) = before.filter(|_| last.mark().is_empty()) else {
            return false;
        };
        let (first, second, name_of_second) = match (last.sign, line.sign, before.only) {
            (sign, other, _) if sign == other => (&*last, line, own),
            (Sign::Change, Sign::Add | Sign::Remove, _)
            | (Sign::Add, Sign::Remove, _)
            | (Sign::Remove, Sign::Add, _) => (&*last, line, own),
            (Sign::Add | Sign::Remove, Sign::Change, Some(only)) => (line, &*last, only),
            _ => return false,
        };
        let sign = match second.sign {
            _ if second.sign == first.sign => None,
            Sign::Add => Some(Span::new("+ ", Tone::Added)),
            Sign::Remove => Some(Span::new("- ", Tone::Removed)),
            Sign::Change | Sign::Same | Sign::Note => None,
        };
        let rest = second.spans.get(1..).unwrap_or_default();
        let columns =
            |spans: &[Span]| -> usize { spans.iter().map(|span| span.text.chars().count()).sum() };
        let between = 2 + sign.as_ref().map_or(0, |_| 2) + name_of_second.chars().count();
        let width = columns(&first.spans) + between + columns(rest);
        let max = self.scope.options.width.min(MAX_JOINED_LEN);
        if MARGIN_OF_EDITS + 2 * first.depth + width > max {
            return false;
        }
        // There may be very many of these lines, and a page keeps them all.
        let mut spans = Vec::with_capacity(first.spans.len() + 2 + second.spans.len());
        spans.extend_from_slice(&first.spans);
        match sign {
            Some(sign) => {
                spans.extend([Span::new(", ", Tone::Plain), sign]);
                spans.push(Span::new(name_of_second, Tone::Plain));
            }
            None => spans.push(Span::new(format!(", {name_of_second}"), Tone::Plain)),
        }
        spans.extend_from_slice(rest);
        spans.shrink_to_fit();
        *last = Line::of(first.depth, first.sign, spans);
        if let Some(joins) = &mut self.joins {
            joins.only = None;
        }
        true
    }

    /// Writes an edit. Of one that sets a text of several lines, the first lines are shown.
    fn line(&mut self, index: usize, edit: &Edit<'_>, findings: &[usize]) {
        let Scope {
            entry,
            depth,
            options,
            findings: all,
            ..
        } = self.scope;
        let is_bare = edit.labels.is_empty() && edit.notes.is_empty() && !edit.replaces;
        let new = entry.filter(|_| is_bare && options.depth.is_none());
        let new = new.and_then(|entry| entry.new_texts.iter().find(|new| new.edit == index));
        let Some(new) = new else {
            return self.edit(edit, findings);
        };
        self.joins = None;
        self.last_notes.clear();
        self.say(findings);
        let lines = new_texts::lines(new, Sign::Add, (all, findings), depth, options);
        self.text.lines.extend(lines);
    }

    fn edit(&mut self, edit: &Edit<'_>, findings: &[usize]) {
        let notes = notes(edit);
        // A note that applies to many elements of a list is written once.
        let is_element = matches!(edit.path.last(), Some(Step::Element(_)))
            && (edit.before.is_none() || edit.after.is_none());
        let repeats = is_element && self.last_notes == notes;
        let inner: Vec<FindingAt<'_>> = findings
            .iter()
            .filter_map(|at| {
                let finding = &self.scope.findings[*at];
                let steps = finding.steps.get(edit.path.len()..)?.to_vec();
                Some(FindingAt {
                    id: *at,
                    steps,
                    mark: finding.mark.clone(),
                    remarks: finding.remarks.clone(),
                    words: finding.words,
                })
            })
            .collect();
        let scope = Scope {
            findings: &inner,
            ..self.scope
        };
        let line = LineOfEdit::new(edit, scope);
        let said: HashSet<usize> = line.said().iter().copied().collect();
        let (here, inside): (Vec<usize>, Vec<usize>) =
            findings.iter().partition(|at| !said.contains(at));
        self.say(&inside);
        let mark = self.say(&here);
        let lines = line.lines(edit, if repeats { &[] } else { &notes }, self.scope.entry);
        let start = self.text.lines.len();
        let lines: Vec<Line> = lines.collect();
        if !findings.is_empty() {
            self.joins = None;
        } else if self.join(edit, &lines) {
            return;
        }
        self.text.lines.extend(lines);
        if let Some(line) = self.text.lines.get_mut(start) {
            line.add_mark(&mark);
            line.spans.extend(remarks(&here, self.scope.findings));
        }
        self.last_notes = notes;
    }
}

/// `(any site may call it; this plan undoes it)`: what these findings say beyond their edit, each thing once.
pub(super) fn remarks(own: &[usize], findings: &[FindingAt<'_>]) -> Option<Span> {
    let mut words: Vec<&str> = Vec::new();
    for remark in own.iter().flat_map(|at| &findings[*at].remarks) {
        if !words.contains(remark) {
            words.push(remark);
        }
    }
    (!words.is_empty()).then(|| Span::new(format!(" ({})", words.join("; ")), Tone::Muted))
}

/// `also known after apply: arn, key_id, +3`
fn names_line(names: &[String], what: &str, scope: Scope<'_>) -> Option<Line> {
    let text = few_of(names, scope.options);
    (!names.is_empty()).then(|| Line::note(scope.depth, format!("{what}: {text}")))
}

/// As many names as fit, and the number of the others.
pub(in crate::review) fn few_of(names: &[String], options: &Options) -> String {
    let max = options.limit(MAX_NAMES_LEN);
    let mut used = 0;
    let number = names
        .iter()
        .take(options.limit(MAX_NAMES))
        .take_while(|name| {
            used += name.chars().count() + 2;
            used <= max
        });
    let number = number.count().max(1).min(names.len());
    let more = match names.len() - number {
        0 => String::new(),
        more => format!(", +{more}"),
    };
    format!("{}{more}", names[..number].join(", "))
}

/// A member of a value that fits on a line with others of it: the commas between them are those of no text.
fn is_member(edit: &Edit<'_>) -> bool {
    let has_comma = |value: MarkedValue<'_>| value.as_str().is_some_and(|text| text.contains(','));
    let is_scalar = |side: Option<MarkedValue<'_>>| {
        side.is_none_or(|value| !value.is_container() && !has_comma(value))
    };
    matches!(edit.path.last(), Some(Step::Name(_)))
        && edit.inside.is_none()
        && edit.labels.is_empty()
        && edit.notes.is_empty()
        && !edit.replaces
        && is_scalar(edit.before)
        && is_scalar(edit.after)
}

/// A short scalar.
fn is_word(edit: &Edit<'_>) -> bool {
    let value = edit.after.or(edit.before);
    value.is_some_and(|value| match value.content {
        Content::Bool(_) | Content::Number(_) => true,
        Content::String(text) => text.len() <= MAX_WORD_LEN && !text.contains('\n'),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Array(_)
        | Content::Object(_) => false,
    })
}

/// Marked edits come first, in the order of their findings; the others by their weight. The edits of an attribute
/// stay together, and so do numbers that move by the same amount.
fn order(edits: &[Edit<'_>], proofs: &Proofs, renumbered: &HashMap<usize, String>) -> Vec<usize> {
    let mut by_root: HashMap<&str, usize> = HashMap::new();
    for (at, first) in proofs.first_of_each() {
        let known = by_root.entry(root_name(&edits[at])).or_insert(first);
        *known = first.min(*known);
    }
    let mut order = names::order(edits, &[]);
    order.sort_by_cached_key(|at| {
        let root = by_root.get(root_name(&edits[*at])).copied();
        let own = proofs.of(*at).first().copied();
        let is_renumbered = renumbered.contains_key(at);
        (
            root.unwrap_or(usize::MAX),
            own.unwrap_or(usize::MAX),
            is_renumbered.then(|| renumbered.get(at)),
        )
    });
    order
}

/// The edits of numbers with the same name that move by the same amount, with words about them.
fn renumbered(edits: &[Edit<'_>]) -> HashMap<usize, String> {
    let mut found: HashMap<(String, i64), Vec<usize>> = HashMap::new();
    for (at, edit) in edits.iter().enumerate() {
        let number = |side: Option<MarkedValue<'_>>| match side?.content {
            Content::Number(text) => text.parse::<i64>().ok(),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_) => None,
        };
        let is_in_list = edit.path.len() > 1;
        if let (Some(before), Some(after), true) =
            (number(edit.before), number(edit.after), is_in_list)
            && let Some(difference) = after.checked_sub(before)
        {
            let pattern = pattern(edit.path);
            found.entry((pattern, difference)).or_default().push(at);
        }
    }
    let mut words = HashMap::new();
    for ((pattern, difference), places) in found {
        if places.len() >= MIN_RENUMBERED {
            let text = format!("{pattern} {difference:+}");
            words.extend(places.into_iter().map(|at| (at, text.clone())));
        }
    }
    words
}

/// `rule[*].priority`
fn pattern(path: Path<'_>) -> String {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            Step::Name(name) => path::push_name(&mut text, name),
            Step::Element(_) => text.push_str("[*]"),
            Step::Document(_) => {}
        }
    }
    text
}

/// The earlier attribute with the same edits: `tags_all` repeats `tags`.
fn repeats<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, &'a str> {
    let mut earlier: HashMap<&str, &[Edit<'a>]> = HashMap::new();
    let mut found = HashMap::new();
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let name = group.first().map_or("", root_name);
        let other = name
            .strip_suffix("_all")
            .or_else(|| name.strip_prefix("effective_"))
            .or_else(|| name.strip_suffix("_parsed"));
        if let Some((other, same)) = other.and_then(|other| earlier.get_key_value(other))
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
        let is_root = edit.path.len() == 1 && other.path.len() == 1;
        (is_same_member || is_root)
            && edit.path.len() == other.path.len()
            && edit.path.len() <= 2
            && (edit.before, edit.after) == (other.before, other.after)
            && (edit.labels, edit.replaces) == (other.labels, other.replaces)
    };
    edits.len() == others.len() && edits.iter().zip(others).all(is_same)
}
