//! Writes edits as lines: edits with findings first, then those of values that the author of the configuration wrote.
//! Values that the provider computes, and differences in form only, are named on a line at the end.
//!
//! ```text
//!  !     storage_encrypted true -> false                              protection
//!        engine_version 15.4 -> 16.1
//!        formatting only: tags_all
//! ```

mod document;
mod edit;

pub(crate) use document::unwrapped;
pub(in crate::review) use edit::differing_part;
pub(crate) use edit::remarks;
pub(super) use edit::{MAX_BLOCK_LINES, MAX_SOURCES, is_explained};

use std::collections::{HashMap, HashSet};

use super::finding::{FindingAt, mark_of, say};
use super::joins::Joins;
use super::proof::Proofs;
use super::repeats::{renumbered, repeats};
use super::scope::Scope;
use super::value::scalar_word;
use super::{EntryText, access, more, new_texts};
use crate::diff::edits::{Edit, Element, Label, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::AccessChange;
use crate::review::paths::{self, name, path_text, root_name};
use crate::review::{Options, count, names, risk};
use crate::text::first_of;
use edit::{LineOfEdit, notes};

/// The maximum number of consecutive elements with lines of their own that are added to or removed from one list.
const MAX_RUN: usize = 20;
/// The maximum number of attributes that the last line names; further ones are counted.
const MAX_NAMES: usize = 6;
/// The maximum length of the names on the last line, in characters.
const MAX_NAMES_LEN: usize = 60;
/// The maximum number of words that are added to or removed from a list on one line.
const MAX_WORDS: usize = 12;
/// The maximum length of these words, in characters.
const MAX_WORD_LEN: usize = 100;

/// Writes edits as lines, and returns how each edit is shown.
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

/// The writer of the edits of an entry or of a document.
struct EditWriter<'o> {
    /// The entry or document whose edits are written.
    scope: Scope<'o>,
    /// The lines written so far.
    text: EntryText,
    /// The notes of the previous line, which are not repeated for the next element of a list.
    last_notes: Vec<&'static str>,
    /// The members on the last line, if others may join it.
    joins: Option<Joins>,
    /// The attributes that the provider computes anew because something else changes.
    computed: Vec<String>,
    /// The attributes whose values differ in form only.
    formatting: Vec<String>,
}

/// The way in which an edit is written.
enum EditPresentation<'o, 'a> {
    /// The edit has a line of its own, or joins that of the previous edit.
    Line,
    /// The edit is written with other elements that are added to or removed from the list.
    Element(Element<'a>),
    /// The edit is written as part of the rules or statements of a policy or firewall.
    Access(&'o AccessChange<'o>),
    /// The edit is counted, because `--ignore-attr` hides it.
    Ignored,
    /// The edit is counted with others of the value at this path, because `--depth` hides it.
    Below(String),
    /// The attribute is named, because the provider computes it.
    Computed,
    /// The attribute is named at the end, because only its form differs.
    Formatting,
    /// The edit is not written, because another attribute has the same edits.
    Repeats,
    /// The edit of a number is counted with others of this name that move by the same amount.
    Renumbered(String),
}

/// An edit with its index and the way in which it is written.
type Formed<'e, 'o, 'a> = (usize, &'e Edit<'a>, EditPresentation<'o, 'a>);

/// Whether two consecutive edits are written together.
fn is_same((_, one, form): &Formed<'_, '_, '_>, (_, other, next): &Formed<'_, '_, '_>) -> bool {
    match (form, next) {
        (EditPresentation::Element(_), EditPresentation::Element(_)) => {
            let lists = one.path.parent().zip(other.path.parent());
            lists.is_some_and(|(list, other)| list.is_same_node(other))
        }
        (EditPresentation::Below(path), EditPresentation::Below(other)) => path == other,
        (EditPresentation::Renumbered(words), EditPresentation::Renumbered(other)) => {
            words == other
        }
        _ => false,
    }
}

impl<'o> EditWriter<'o> {
    /// Writes all edits, and records for each whether it is shown, named or counted.
    fn edits(&mut self, edits: &[Edit<'_>]) {
        let options = self.scope.options;
        let mut shown = vec![None; edits.len()];
        let (repeats, renumbered) = match options.unchanged {
            true => (HashMap::new(), HashMap::new()),
            false => (repeats(edits), renumbered(edits)),
        };
        let access = self.access_by_edit();
        let proofs = Proofs::new(edits, self.scope.findings);
        let formed = order(edits, &proofs, &renumbered).into_iter().map(|index| {
            let edit = &edits[index];
            let is_marked = !proofs.of(index).is_empty();
            let form = match (access.get(&index), renumbered.get(&index)) {
                (Some(change), _) => EditPresentation::Access(change),
                (None, Some(words)) if !is_marked => EditPresentation::Renumbered(words.clone()),
                (None, _) => self.form(edit, &repeats, is_marked),
            };
            (index, edit, form)
        });
        let formed: Vec<Formed<'_, '_, '_>> = formed.collect();
        let mut ignored = 0;
        for same in formed.chunk_by(is_same) {
            let [(first, edit, form), ..] = same else {
                continue;
            };
            let proven: Vec<usize> = same
                .iter()
                .flat_map(|(index, ..)| proofs.of(*index))
                .copied()
                .collect();
            let how = match form {
                EditPresentation::Line => {
                    self.line(*first, edit, &proven);
                    Shown::InFull
                }
                EditPresentation::Element(element) => {
                    self.elements(same, *element, &proven, &proofs);
                    Shown::InFull
                }
                EditPresentation::Access(change) => {
                    if shown[*first].is_none() {
                        self.access(change, edits, &proofs);
                        change
                            .edits
                            .iter()
                            .for_each(|index| shown[*index] = Some(Shown::InFull));
                    }
                    Shown::InFull
                }
                EditPresentation::Ignored => {
                    ignored += 1;
                    Shown::Counted
                }
                EditPresentation::Below(path) => {
                    let number = count(same.len(), "change");
                    self.plain(format!("{path}: {number} below --depth"), &proven);
                    Shown::Counted
                }
                EditPresentation::Computed => {
                    self.computed.push(self.path_name(edit.path));
                    Shown::Named
                }
                EditPresentation::Formatting => {
                    self.formatting.push(self.path_name(edit.path));
                    Shown::Named
                }
                EditPresentation::Repeats => Shown::Named,
                EditPresentation::Renumbered(words) => {
                    self.plain(format!("{} × {words}", same.len()), &proven);
                    Shown::Counted
                }
            };
            for (index, ..) in same {
                shown[*index].get_or_insert(how);
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

    /// Writes a line about several edits, with their findings.
    fn plain(&mut self, text: String, findings: &[usize]) {
        self.joins = None;
        let all = self.scope.findings;
        let line = Line::new(self.scope.depth, Sign::Change, text, Tone::Plain);
        self.text.lines.push(line.marked(&mark_of(findings, all)));
        let said = findings.iter().map(|index| all[*index].id);
        self.text.said.extend(said);
    }

    /// Writes a note.
    fn note(&mut self, text: String) {
        self.joins = None;
        self.text.lines.push(Line::note(self.scope.depth, text));
    }

    /// Adds findings to a line, and records that they are mentioned. `proven` are positions in the findings of the
    /// scope.
    fn say(&mut self, line: &mut Line, proven: &[usize]) {
        let said = say(line, proven, self.scope.findings);
        self.text.said.extend(said);
    }

    /// Returns the text of a path: the name of the attribute alone if it is the whole path.
    fn path_name(&self, path: Path<'_>) -> String {
        match path.len() {
            1 => name(paths::root_of(path)),
            _ => path_text(self.scope.base, path),
        }
    }

    /// Returns the changes of access by the indices of their edits. There are none with options that hide parts of
    /// values, because these options apply to edits.
    fn access_by_edit(&self) -> HashMap<usize, &'o AccessChange<'o>> {
        let options = self.scope.options;
        let hides = options.depth.is_some() || !options.filter.ignored.is_empty();
        let entry = self.scope.entry.filter(|_| !hides);
        let changes = entry.map_or(&[][..], |entry| &entry.access);
        changes
            .iter()
            .flat_map(|change| change.edits.iter().map(move |index| (*index, change)))
            .collect()
    }

    /// Decides how an edit is written. Edits with findings are never left out or summed up, unless an option hides
    /// them.
    fn form<'a>(
        &self,
        edit: &Edit<'a>,
        repeats: &HashMap<&'a str, &'a str>,
        is_marked: bool,
    ) -> EditPresentation<'o, 'a> {
        let options = self.scope.options;
        let filter = &options.filter;
        if !filter.ignored.is_empty() && filter.ignores(&paths::names(self.scope.base, edit.path)) {
            return EditPresentation::Ignored;
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
            return EditPresentation::Below(path_text(self.scope.base, shown));
        }
        let root = root_name(edit);
        if !is_marked {
            if repeats.contains_key(root) {
                return EditPresentation::Repeats;
            }
            if self.is_computed(edit, root) {
                return EditPresentation::Computed;
            }
            let is_form_only = names::is_cosmetic(edit) || edit.labels.contains(Label::Empty);
            if is_form_only && !options.unchanged && !edit.path.is_empty() {
                return EditPresentation::Formatting;
            }
        }
        let Some(Step::Element(element)) = edit.path.last() else {
            return EditPresentation::Line;
        };
        let is_only_moved = edit.labels.contains(Label::Moved) && edit.before == edit.after;
        match edit.path.parent() {
            Some(_) if element.before.is_none() || element.after.is_none() => {
                EditPresentation::Element(element)
            }
            Some(_) if is_only_moved && !options.unchanged && element.key.is_some() => {
                let resource_type = self.scope.entry.map_or("", |entry| entry.resource_type);
                match names::order_decides(resource_type, edit) {
                    true => EditPresentation::Line,
                    false => EditPresentation::Formatting,
                }
            }
            Some(_) | None => EditPresentation::Line,
        }
    }

    /// Whether a value becomes unknown only because something else changes, as nothing in the configuration sets it.
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

    /// Writes the line about attributes that differ in form only, and keeps the names of those that the provider
    /// computes.
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

    /// Writes the rules or statements of a change of access, in place of the edits that it explains.
    fn access(&mut self, change: &AccessChange<'_>, edits: &[Edit<'_>], proofs: &Proofs) {
        self.joins = None;
        let Scope {
            depth,
            options,
            findings,
            ..
        } = self.scope;
        let proven = change.edits.iter().flat_map(|index| proofs.of(*index));
        // The document is all that a change with other members has.
        let own = change.edits.first().and_then(|index| edits.get(*index));
        let within = own.map_or(0, |edit| edit.path.len());
        let steps_within = |index: &usize| {
            let steps = findings[*index].steps.iter().skip(within);
            steps.skip_while(|step| matches!(step, Step::Document(_)))
        };
        let is_other = |index: &usize| {
            let root = steps_within(index).next();
            matches!(root, Some(Step::Name(name)) if change.others.contains(name))
        };
        let (about_others, proven): (Vec<usize>, Vec<usize>) = proven.copied().partition(is_other);
        self.text.add(access::of_edits(
            change,
            edits,
            (findings, &proven),
            depth,
            options,
        ));
        let inside = own.and_then(|edit| edit.inside);
        let others = inside.map_or(&[][..], |inside| inside.edits).iter();
        let others = others.filter(|edit| change.others.contains(&root_name(edit)));
        let others: Vec<Edit<'_>> = others.copied().collect();
        if others.is_empty() {
            return;
        }
        let findings: Vec<FindingAt<'_>> = about_others
            .iter()
            .map(|index| FindingAt {
                steps: steps_within(index).copied().collect(),
                ..findings[*index].clone()
            })
            .collect();
        self.text.add(edit_lines(
            &others,
            Scope {
                entry: None,
                base: "",
                depth: depth + 1,
                findings: &findings,
                options,
            },
        ));
    }

    /// Writes the elements that are added to or removed from one list: words on one line, blocks on a line each.
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
            let mut line = Line::of(self.scope.depth, Sign::Change, spans);
            self.say(&mut line, findings);
            self.text.lines.push(line);
            return;
        }
        for (index, edit, _) in same.iter().take(limit) {
            self.edit(edit, &proofs.exactly_of(*index));
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

    /// Joins the line of a member with that of the previous member, if both are of one value and fit. Returns false if
    /// they are not joined.
    fn join(&mut self, edit: &Edit<'_>, lines: &[Line]) -> bool {
        let before = self.joins.take();
        let [line] = lines else { return false };
        let Some(mut joins) = Joins::new(edit) else {
            return false;
        };
        let width = self.scope.options.width;
        let last = self.text.lines.last_mut();
        let joined = before.zip(last).and_then(|(before, last)| {
            *last = joins.joined((&before, last), line, width)?;
            Some(())
        });
        joins.is_alone = joined.is_none();
        self.joins = Some(joins);
        joined.is_some()
    }

    /// Writes an edit. If it sets a text of several lines, the first of these are shown.
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
        self.text.add(new_texts::text(
            new,
            Sign::Add,
            (all, findings),
            depth,
            options,
        ));
    }

    /// Writes an edit with the findings that it proves, on a line of its own or on that of the previous edit.
    fn edit(&mut self, edit: &Edit<'_>, findings: &[usize]) {
        let notes = notes(edit);
        // A note that is about many elements of a list is written once.
        let is_element = matches!(edit.path.last(), Some(Step::Element(_)))
            && (edit.before.is_none() || edit.after.is_none());
        let repeats = is_element && self.last_notes == notes;
        let inner: Vec<FindingAt<'_>> = findings
            .iter()
            .filter_map(|index| {
                let finding = &self.scope.findings[*index];
                let steps = finding.steps.get(edit.path.len()..)?.to_vec();
                Some(FindingAt {
                    id: *index,
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
            findings.iter().partition(|index| !said.contains(index));
        let said = inside.iter().map(|index| self.scope.findings[*index].id);
        self.text.said.extend(said);
        let lines = line.lines(edit, if repeats { &[] } else { &notes }, self.scope.entry);
        let mut lines: Vec<Line> = lines.collect();
        if !findings.is_empty() {
            self.joins = None;
        } else if self.join(edit, &lines) {
            return;
        }
        if let Some(first) = lines.first_mut() {
            self.say(first, &here);
        }
        self.text.lines.extend(lines);
        self.last_notes = notes;
    }
}

/// Returns the line that names attributes: `also known after apply: arn, key_id, +3`.
fn names_line(names: &[String], what: &str, scope: Scope<'_>) -> Option<Line> {
    let text = few_of(names, scope.options);
    (!names.is_empty()).then(|| Line::note(scope.depth, format!("{what}: {text}")))
}

/// Returns as many names as fit, and the number of the others.
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

/// Whether the value of an edit is a scalar that is short enough to be a word in a list.
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

/// Returns the order in which edits are written, as indices. Those with findings come first, in the order of their
/// findings; the others follow by their weight. The edits of an attribute stay together, and so do numbers that move by
/// the same amount.
fn order(edits: &[Edit<'_>], proofs: &Proofs, renumbered: &HashMap<usize, String>) -> Vec<usize> {
    let mut by_root: HashMap<&str, usize> = HashMap::new();
    for (index, first) in proofs.first_of_each() {
        let known = by_root.entry(root_name(&edits[index])).or_insert(first);
        *known = first.min(*known);
    }
    let mut order = risk::order(edits, &[]);
    order.sort_by_cached_key(|index| {
        let root = by_root.get(root_name(&edits[*index])).copied();
        let finding = proofs.of(*index).first().copied();
        let is_renumbered = renumbered.contains_key(index);
        (
            root.unwrap_or(usize::MAX),
            finding.unwrap_or(usize::MAX),
            is_renumbered.then(|| renumbered.get(index)),
        )
    });
    order
}
