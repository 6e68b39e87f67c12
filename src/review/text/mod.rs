//! Writes the changes of a review as lines of text, for all formats except JSON.
//!
//! Nothing is compared, decoded or parsed here. Invariants: every edit is shown, named or counted, and recorded as
//! such; the length of a line is bounded, and a truncated line says how much is missing; the work is linear in the size
//! of the edits.
//!
//! ```text
//! Entry { edits: [ami "ami-1" -> "ami-2", tags.Owner "web" -> "ci"], … }
//!
//! ami ami-1 -> ami-2
//! tags.Owner web -> ci
//! ```

mod access;
mod block;
mod causes;
mod changed_text;
mod edits;
mod finding;
mod joins;
mod new_texts;
mod proof;
mod repeats;
mod scope;
mod unchanged;
mod value;

use bumpalo::Bump;
use unicode_width::UnicodeWidthStr;

use self::block::ValueBlock;
use self::edits::{MAX_BLOCK_LINES, MAX_SOURCES, edit_lines, is_explained};
use self::scope::Scope;
use self::unchanged::unchanged;
use super::entry::{Cause, Entry, SubjectItem};
use super::paths::{root_name, root_of};
use super::summary::{Elsewhere, Summary, summary};
use super::{ChangeKind, Options, count, keys, one_line};
use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::MarkedValue;
use crate::model::Action;
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::term::StyledText;
use crate::text::{first_of, key};

pub(super) use self::causes::cause_tree;
pub(super) use self::edits::{differing_part, few_of};
pub(crate) use self::edits::{remarks, unwrapped};
pub(crate) use self::finding::FindingAt;
pub(super) use self::value::word;

/// The maximum number of members with lines that the tool's text of one change omits.
const MAX_MISSING_MEMBERS: usize = 5_000;
/// The maximum number of new outputs with a line of their own; further ones are counted.
const MAX_OUTPUTS: usize = 40;
/// The maximum number of names of outputs on one line.
const MAX_NAMES: usize = 12;

/// The text of an entry, with the record of how each of its edits is shown.
#[derive(Debug, Default)]
pub(super) struct EntryText {
    /// The lines.
    pub(super) lines: Vec<Line>,
    /// The way in which each edit of the entry is shown; `None` for an edit that is not.
    pub(super) shown: Vec<Option<Shown>>,
    /// The IDs of the findings that the lines mention.
    pub(super) said: Vec<usize>,
    /// The attributes that become unknown because something else changes, and that no line names.
    pub(super) computed: Vec<String>,
}

impl EntryText {
    /// Adds the lines of another text, and what they say.
    fn add(&mut self, other: Self) {
        self.lines.extend(other.lines);
        self.said.extend(other.said);
    }
}

/// Returns the note that counts what is left out: `… 3 more lines; --context all shows all`. `None` if nothing is.
pub(super) fn more(depth: usize, number: usize, noun: &str) -> Option<Line> {
    let text = || format!("… {}; --context all shows all", count(number, noun));
    (number > 0).then(|| Line::note(depth, text()))
}

/// Returns the scope for the edits of an entry.
fn scope<'o>(
    entry: &'o Entry<'o>,
    findings: &'o [FindingAt<'o>],
    options: &'o Options,
) -> Scope<'o> {
    Scope {
        entry: Some(entry),
        base: "",
        depth: 0,
        findings,
        options,
    }
}

/// Returns the text of an entry: of its whole object if that is created or destroyed, otherwise of its edits.
pub(super) fn entry_text(
    entry: &Entry<'_>,
    findings: &[FindingAt<'_>],
    options: &Options,
) -> EntryText {
    let mut text = match whole_object(entry) {
        Some((value, sign)) => object_text(value, sign, (entry, findings), options),
        None => edit_lines(entry.shown_edits.list(), scope(entry, findings, options)),
    };
    if entry.shown_edits.is_empty() && entry.kind() == ChangeKind::Update {
        text.lines
            .push(Line::note(0, "the plan shows no difference"));
    }
    if let Some(sides) = entry.whole.filter(|_| options.unchanged) {
        text.lines
            .extend(unchanged(entry.shown_edits.list(), sides, options));
    }
    text
}

/// Returns the text of an action that is invoked: its configuration as a block.
pub(super) fn invocation_text(
    invocation: &Entry<'_>,
    findings: &[FindingAt<'_>],
    options: &Options,
) -> EntryText {
    match invocation.shown_edits.list() {
        [edit] if let (true, Some(value)) = (edit.path.is_empty(), edit.after) => {
            let depth_and_levels = (0, options.levels_below(1));
            let lines = ValueBlock::lines(
                value,
                Sign::Same,
                depth_and_levels,
                MAX_BLOCK_LINES,
                options,
            );
            EntryText {
                lines,
                shown: vec![Some(Shown::InFull)],
                ..EntryText::default()
            }
        }
        edits => edit_lines(edits, scope(invocation, findings, options)),
    }
}

/// Whether the lines of an entry name its causes, so that its reasons need not.
pub(super) fn explains_causes(entry: &Entry<'_>) -> bool {
    let is_named = |cause: &Cause<'_>| {
        let named = entry
            .causes
            .iter()
            .filter(|other| other.attribute == cause.attribute)
            .count();
        named <= MAX_SOURCES
            && entry
                .shown_edits
                .iter()
                .any(|edit| root_name(edit) == cause.attribute && is_explained(edit))
    };
    entry.kind() == ChangeKind::Update && entry.causes.iter().all(is_named)
}

/// Returns the description of an object, without what its lines say. A replaced object has the part that does not
/// change; other changes have no description.
pub(super) fn subject(entry: &Entry<'_>, lines: &[Line], options: &Options) -> Summary {
    /// The minimum length of a value that is looked for in the lines, in bytes. Shorter values occur in a text by
    /// chance.
    const MIN_LEN: usize = 5;
    let Some((value, _)) = whole_object(entry) else {
        return Summary {
            items: entry.replaced_with.clone(),
            others: 0,
        };
    };
    let access = if options.depth.is_some() {
        &[]
    } else {
        &*entry.access
    };
    let shows = |name: &str| {
        access
            .iter()
            .any(|change| change.attributes.contains(&name))
            || entry.new_texts.iter().any(|new| root_of(new.path) == name)
    };
    let texts: Vec<String> = lines.iter().map(Line::text).collect();
    let says = |value: &str| {
        let is_in = |text: &String| {
            text.match_indices(value)
                .any(|(start, _)| keys::is_word_at(text, start, value))
        };
        value.len() >= MIN_LEN && !options.unchanged && texts.iter().any(is_in)
    };
    let elsewhere = Elsewhere {
        shows: &shows,
        says: &says,
    };
    // Rules and statements already describe the object.
    summary(value, entry, !access.is_empty(), &elsewhere)
}

/// Returns the items that are left out of a description because they do not fit into `width` columns.
pub(super) fn left_out_of_subject(items: &[SubjectItem], width: usize) -> usize {
    let mut used = 0;
    let mut left_out = 0;
    for item in items {
        let separator = if used > 0 { 2 } else { 0 };
        let length = separator + item.text().width();
        match used + length <= width || item.is_essential {
            true => used += length,
            false => left_out += 1,
        }
    }
    left_out
}

/// Returns as many items as fit into `width` columns. Items that do not fit are skipped, but for those that are
/// essential.
pub(super) fn fitting_subject(items: &[SubjectItem], width: usize) -> String {
    let mut used = 0;
    let fitting = items.iter().filter_map(|item| {
        let text = item.text();
        let separator = if used > 0 { 2 } else { 0 };
        let length = separator + text.width();
        let fits = used + length <= width || item.is_essential;
        used += if fits { length } else { 0 };
        fits.then_some(text)
    });
    one_line(&fitting.collect::<Vec<_>>().join(", "))
}

/// Returns the value of an object that is created, destroyed or removed from state as a whole; `None` for other
/// changes.
fn whole_object<'a>(entry: &Entry<'a>) -> Option<(MarkedValue<'a>, Sign)> {
    let [edit] = entry.shown_edits.list() else {
        return None;
    };
    let (value, sign) = match (edit.before, edit.after) {
        (None, Some(value)) => (value, Sign::Add),
        (Some(value), None) if entry.kind() == ChangeKind::Forget => (value, Sign::Same),
        (Some(value), None) => (value, Sign::Remove),
        (None, None) | (Some(_), Some(_)) => return None,
    };
    (edit.path.is_empty() && value.as_object().is_some()).then_some((value, sign))
}

/// Returns the text of an object that is created or destroyed. Its title has a summary, so the lines are only about
/// access and texts, unless all values are to be shown.
fn object_text(
    value: MarkedValue<'_>,
    sign: Sign,
    (entry, findings): (&Entry<'_>, &[FindingAt<'_>]),
    options: &Options,
) -> EntryText {
    let changes = if options.depth.is_some() || options.unchanged {
        &[]
    } else {
        &*entry.access
    };
    let mut text = EntryText {
        shown: vec![Some(Shown::InFull)],
        ..EntryText::default()
    };
    for change in changes {
        text.add(access::of_object(change, findings, options));
    }
    if options.depth.is_none() {
        for new in &entry.new_texts {
            let about_text = new_texts::findings_about(new, findings);
            let findings_and_text = (findings, &*about_text);
            text.add(new_texts::text(
                new,
                Sign::Change,
                findings_and_text,
                0,
                options,
            ));
        }
    }
    if options.unchanged {
        let depth_and_levels = (0, options.levels_below(1));
        let block = ValueBlock::lines(value, sign, depth_and_levels, usize::MAX, options);
        text.lines.extend(block);
    }
    text
}

/// Whether the tool's text shows a change of an attribute.
fn shows_change_of(tool: &StyledText, name: &str) -> bool {
    let key = key(name);
    tool.changed()
        .binary_search_by(|changed| changed.as_str().cmp(&key))
        .is_ok()
}

/// Records which edits the tool's text shows, and returns whether it shows all of them.
pub(super) fn tool_shows(
    entry: &Entry<'_>,
    tool: &StyledText,
    shown: &mut [Option<Shown>],
) -> bool {
    if is_of_whole_object(entry) {
        let has_text = !tool.changed().is_empty();
        if has_text {
            shown.fill(Some(Shown::InFull));
        }
        return has_text;
    }
    let mut shows_all = true;
    for (edit, shown) in entry.shown_edits.list().iter().zip(shown) {
        if shows_change_of(tool, root_name(edit)) {
            *shown = Some(Shown::InFull);
        } else {
            shows_all = false;
        }
    }
    shows_all
}

/// Whether the only edit of an entry is about the whole object.
fn is_of_whole_object(entry: &Entry<'_>) -> bool {
    matches!(entry.shown_edits.list(), [edit] if edit.path.is_empty())
}

/// Returns lines for the members of an object that the tool's text omits.
pub(super) fn lines_omitted_by_tool(
    entry: &Entry<'_>,
    tool: &StyledText,
    options: &Options,
) -> Vec<Line> {
    match entry.shown_edits.list() {
        [edit] if edit.path.is_empty() && !tool.changed().is_empty() => {
            missing_members(entry, edit, tool, options)
        }
        _ => Vec::new(),
    }
}

/// Returns lines for the members of a created or destroyed object that the tool's text does not show.
fn missing_members(
    entry: &Entry<'_>,
    edit: &Edit<'_>,
    tool: &StyledText,
    options: &Options,
) -> Vec<Line> {
    let Some(value) = edit.after.or(edit.before) else {
        return Vec::new();
    };
    let arena = Bump::new();
    let members = value.as_object().unwrap_or_default().iter();
    let missing =
        members.filter(|(name, member)| !is_blank(*member) && !shows_change_of(tool, name));
    let mut missing: Vec<Edit<'_>> = missing
        .map(|(name, member)| {
            let [before, after] = [edit.before, edit.after].map(|side| side.and(Some(*member)));
            Edit {
                path: Path::ROOT.child(Step::Name(name), &arena),
                before,
                after,
                inside: None,
                ..*edit
            }
        })
        .collect();
    let left_out = missing.len().saturating_sub(MAX_MISSING_MEMBERS);
    missing.truncate(MAX_MISSING_MEMBERS);
    let mut lines = edit_lines(&missing, scope(entry, &[], options)).lines;
    if left_out > 0 {
        let attributes = count(left_out, "more attribute");
        lines.push(Line::note(
            0,
            format!("… {attributes} not on the page; tfview show prints all of them"),
        ));
    }
    lines
}

/// Whether a value is null or empty, also in all of its parts.
fn is_blank(value: MarkedValue<'_>) -> bool {
    value.is_null()
        || value.is_empty()
        || (value.as_array().is_some() || value.as_object().is_some())
            && value.children().all(is_blank)
}

/// Returns the lines of the outputs, and how each edit of each output is shown.
///
/// Removed outputs come first, then changed ones, then new ones. `tool` is the tool's text of the outputs, if the
/// document has it: what it shows counts as shown.
pub(super) fn outputs_text<'f>(
    outputs: &[Entry<'_>],
    findings: &dyn Fn(usize) -> Vec<FindingAt<'f>>,
    tool: Option<&StyledText>,
    options: &Options,
) -> (Vec<Line>, Vec<Vec<Option<Shown>>>) {
    let mut shown: Vec<Vec<Option<Shown>>> = vec![Vec::new(); outputs.len()];
    let mut lines = Vec::new();
    let mut order: Vec<usize> = (0..outputs.len()).collect();
    order.sort_by_key(|index| {
        let action = outputs[*index].action.worst_case();
        (*action != Action::Delete, *action == Action::Create)
    });
    let (mut unknown, mut empty) = (Vec::new(), Vec::new());
    let (mut created, mut left_out) = (0, 0);
    for index in order {
        let output = &outputs[index];
        let name = key(output.address);
        let new = match output.shown_edits.list() {
            [edit] if edit.path.is_empty() && edit.before.is_none() => edit.after,
            _ => None,
        };
        let how = match new {
            _ if options.filter.ignores(output.address) => {
                let number = count(output.shown_edits.len().max(1), "change");
                lines.push(Line::note(
                    0,
                    format!("{name}: {number} hidden by --ignore-attr"),
                ));
                Shown::Counted
            }
            Some(value) if value.is_unknown() && output.findings.is_empty() => {
                unknown.push(name);
                Shown::Named
            }
            Some(value) if (value.is_empty() || value.is_null()) && output.findings.is_empty() => {
                empty.push(name);
                Shown::Named
            }
            Some(_) if created >= options.limit(MAX_OUTPUTS) && output.findings.is_empty() => {
                left_out += 1;
                Shown::Counted
            }
            _ => {
                created += usize::from(new.is_some());
                if output.shown_edits.is_empty() {
                    lines.push(Line::note(
                        0,
                        format!("{name}: the plan shows no difference"),
                    ));
                }
                let about_output = findings(index);
                let scope = Scope {
                    base: &name,
                    ..scope(output, &about_output, options)
                };
                let mut text = edit_lines(output.shown_edits.list(), scope);
                // Findings that no edit proves are about the output as a whole.
                if let Some(first) = text.lines.first_mut() {
                    let unsaid = about_output
                        .iter()
                        .filter(|finding| !text.said.contains(&finding.id));
                    unsaid.for_each(|finding| first.add_mark(&finding.mark));
                }
                lines.extend(text.lines);
                shown[index] = text.shown;
                Shown::InFull
            }
        };
        let is_in_tool = tool.is_some_and(|tool| shows_change_of(tool, output.address));
        let how = if is_in_tool { Shown::InFull } else { how };
        if is_in_tool || shown[index].is_empty() {
            shown[index] = vec![Some(how); output.shown_edits.len()];
        }
    }
    for (names, what) in [(unknown, "(known after apply)"), (empty, "empty or null")] {
        if !names.is_empty() {
            let limit = options.limit(MAX_NAMES);
            let rest = if names.len() > limit {
                " (--context all lists all)"
            } else {
                ""
            };
            let spans = vec![
                Span::new(first_of(names, limit), Tone::Plain),
                Span::new(format!("{rest}  {what}"), Tone::Muted),
            ];
            lines.push(Line::of(0, Sign::Add, spans));
        }
    }
    lines.extend(more(0, left_out, "more new output"));
    (lines, shown)
}
