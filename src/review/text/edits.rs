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
mod presentation;

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
use crate::diff::edits::{Edit, Element, Path, Step};
use crate::diff::value::Content;
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::AccessChange;
use crate::review::paths::{self, name, path_text, root_name};
use crate::review::{Options, count};
use crate::text::first_of;
use edit::{LineOfEdit, notes};
use presentation::{EditPresentation, PresentedEdit, order};

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

impl<'o> EditWriter<'o> {
    /// Writes all edits, and records for each whether it is shown, named or counted.
    fn edits(&mut self, edits: &[Edit<'_>]) {
        let proofs = Proofs::new(edits, self.scope.findings);
        let presented = self.presented(edits, &proofs);
        let mut shown = vec![None; edits.len()];
        for together in presented.chunk_by(PresentedEdit::is_written_with) {
            let how = self.write(together, edits, &proofs, &mut shown);
            for one in together {
                shown[one.index].get_or_insert(how);
            }
        }
        self.tail();
        let is_ignored = |one: &&PresentedEdit<'_, '_, '_>| {
            matches!(one.presentation, EditPresentation::Ignored)
        };
        let ignored = presented.iter().filter(is_ignored).count();
        if ignored > 0 {
            self.note(format!(
                "{} hidden by --ignore-attr",
                count(ignored, "change")
            ));
        }
        self.text.shown = shown;
    }

    /// Decides how each edit is written, and orders them.
    fn presented<'e, 'a>(
        &self,
        edits: &'e [Edit<'a>],
        proofs: &Proofs,
    ) -> Vec<PresentedEdit<'e, 'o, 'a>> {
        let (repeats, renumbered) = match self.scope.options.unchanged {
            true => (HashMap::new(), HashMap::new()),
            false => (repeats(edits), renumbered(edits)),
        };
        let access = self.access_by_edit();
        let presented = order(edits, proofs, &renumbered).into_iter().map(|index| {
            let edit = &edits[index];
            let is_marked = !proofs.of(index).is_empty();
            let presentation = match (access.get(&index), renumbered.get(&index)) {
                (Some(change), _) => EditPresentation::Access(change),
                (None, Some(words)) if !is_marked => EditPresentation::Renumbered(words.clone()),
                (None, _) => EditPresentation::of(edit, self.scope, &repeats, is_marked),
            };
            PresentedEdit {
                index,
                edit,
                presentation,
            }
        });
        presented.collect()
    }

    /// Writes edits that belong together, and returns how they are shown. Other edits that a change to access explains are
    /// recorded in `shown`.
    fn write(
        &mut self,
        together: &[PresentedEdit<'_, 'o, '_>],
        edits: &[Edit<'_>],
        proofs: &Proofs,
        shown: &mut [Option<Shown>],
    ) -> Shown {
        let [first, ..] = together else {
            return Shown::InFull;
        };
        let proven: Vec<usize> = together
            .iter()
            .flat_map(|one| proofs.of(one.index))
            .copied()
            .collect();
        match &first.presentation {
            EditPresentation::Line => {
                self.line(first.index, first.edit, &proven);
                Shown::InFull
            }
            EditPresentation::Element(element) => {
                self.elements(together, *element, &proven, proofs);
                Shown::InFull
            }
            EditPresentation::Access(change) => {
                if shown[first.index].is_none() {
                    self.access(change, edits, proofs);
                    for index in &change.edits {
                        shown[*index] = Some(Shown::InFull);
                    }
                }
                Shown::InFull
            }
            EditPresentation::Ignored => Shown::Counted,
            EditPresentation::Below(path) => {
                let number = count(together.len(), "change");
                self.plain(format!("{path}: {number} below --depth"), &proven);
                Shown::Counted
            }
            EditPresentation::Computed => {
                self.computed.push(self.path_name(first.edit.path));
                Shown::Named
            }
            EditPresentation::Formatting => {
                self.formatting.push(self.path_name(first.edit.path));
                Shown::Named
            }
            EditPresentation::Repeats => Shown::Named,
            EditPresentation::Renumbered(words) => {
                self.plain(format!("{} × {words}", together.len()), &proven);
                Shown::Counted
            }
        }
    }

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
        // A change with other members has one edit: that of the document.
        let document = match change.edits.first() {
            Some(index) if !change.others.is_empty() => edits.get(*index),
            Some(_) | None => None,
        };
        let is_about_others = |index: &usize| {
            let steps = document.map(|document| steps_inside(&findings[*index], document));
            let root = steps.and_then(|steps| steps.first().copied());
            matches!(root, Some(Step::Name(name)) if change.others.contains(&name))
        };
        let (about_others, proven): (Vec<usize>, Vec<usize>) =
            proven.copied().partition(is_about_others);
        self.text.add(access::of_edits(
            change,
            edits,
            (findings, &proven),
            depth,
            options,
        ));
        if let Some(document) = document {
            self.other_members(document, &change.others, &about_others);
        }
    }

    /// Writes the edits of members of a document that the lines of its change of access do not show, below these lines.
    /// `about_others` are the findings about these members, as indices.
    fn other_members(&mut self, document: &Edit<'_>, others: &[&str], about_others: &[usize]) {
        let inside = document.inside.map_or(&[][..], |inside| inside.edits);
        let is_other = |edit: &&Edit<'_>| others.contains(&root_name(edit));
        let edits: Vec<Edit<'_>> = inside.iter().filter(is_other).copied().collect();
        let findings: Vec<FindingAt<'_>> = about_others
            .iter()
            .map(|index| &self.scope.findings[*index])
            .map(|finding| FindingAt {
                steps: steps_inside(finding, document),
                ..finding.clone()
            })
            .collect();
        self.text.add(edit_lines(
            &edits,
            Scope {
                entry: None,
                base: "",
                depth: self.scope.depth + 1,
                findings: &findings,
                options: self.scope.options,
            },
        ));
    }

    /// Writes the elements that are added to or removed from one list: words on one line, blocks on a line each.
    fn elements(
        &mut self,
        together: &[PresentedEdit<'_, 'o, '_>],
        element: Element<'_>,
        findings: &[usize],
        proofs: &Proofs,
    ) {
        self.joins = None;
        let Some(first) = together.first() else {
            return;
        };
        let list = path_text(
            self.scope.base,
            first.edit.path.parent().unwrap_or_default(),
        );
        let (before, after) = element.lengths;
        let is_emptied = before > 0 && after == 0;
        let are_words = together.len() > 1 && together.iter().all(|one| is_word(one.edit));
        if are_words && !list.is_empty() {
            let spans = self.spans_of_words(together, list, is_emptied);
            let mut line = Line::of(self.scope.depth, Sign::Change, spans);
            self.say(&mut line, findings);
            self.text.lines.push(line);
            return;
        }
        let limit = self.scope.options.limit(MAX_RUN);
        for one in together.iter().take(limit) {
            self.edit(one.edit, &proofs.exactly_of(one.index));
        }
        let left_out = together.len().saturating_sub(limit);
        let depth = self.scope.depth;
        self.text
            .lines
            .extend(more(depth, left_out, &format!("more element of {list}")));
        if is_emptied {
            match self.text.lines.last_mut() {
                Some(last) if last.depth == depth && left_out == 0 => {
                    last.spans.push(Span::new(" (now empty)", Tone::Alert));
                }
                Some(_) | None => {
                    let text = format!("{list} is now empty");
                    let line = Line::new(depth, Sign::Change, text, Tone::Alert);
                    self.text.lines.push(line);
                }
            }
        }
    }

    /// Returns the line about words of a list: `ports  - 80  + 443`.
    fn spans_of_words(
        &self,
        together: &[PresentedEdit<'_, 'o, '_>],
        list: String,
        is_emptied: bool,
    ) -> Vec<Span> {
        let options = self.scope.options;
        let mut spans = vec![Span::new(list, Tone::Plain)];
        for (sign, tone) in [("  - ", Tone::Removed), ("  + ", Tone::Added)] {
            let is_added = tone == Tone::Added;
            let words: Vec<String> = together
                .iter()
                .filter(|one| one.edit.before.is_none() == is_added)
                .filter_map(|one| {
                    if is_added {
                        one.edit.after
                    } else {
                        one.edit.before
                    }
                })
                .map(|value| scalar_word(value, options.limit(MAX_WORD_LEN)))
                .collect();
            if !words.is_empty() {
                let shown = first_of(words, options.limit(MAX_WORDS));
                spans.push(Span::new(format!("{sign}{shown}"), tone));
            }
        }
        let texts = together
            .first()
            .map_or_else(Vec::new, |one| notes(one.edit));
        if !texts.is_empty() {
            spans.push(Span::new(format!(" ({})", texts.join("; ")), Tone::Muted));
        }
        if is_emptied {
            spans.push(Span::new(" (now empty)", Tone::Alert));
        }
        if together.iter().any(|one| one.edit.replaces) {
            spans.push(Span::new(" (forces it)", Tone::Alert));
        }
        spans
    }

    /// Joins the line of a member with that of the member before, if both are of one value and fit.
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

/// Returns the steps of the place that a finding is about, from the root of a document that an edit changes.
fn steps_inside<'f>(finding: &FindingAt<'f>, document: &Edit<'_>) -> Vec<Step<'f>> {
    let within = finding.steps.iter().skip(document.path.len());
    within
        .skip_while(|step| matches!(step, Step::Document(_)))
        .copied()
        .collect()
}
