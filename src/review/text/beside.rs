//! What the tool's text of a change does not show, for formats that have that text.

use bumpalo::Bump;

use super::{EntryText, edits_text, entry_text, outputs_text, root_name};
use crate::diff::edits::{Edit, Format, Label, Path, Slot, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Shown};
use crate::review::entry::{Entry, Output};
use crate::review::{ChangeKind, Options, count};
use crate::term::StyledText;
use crate::text::key;

/// The maximum number of members that are described beside the text of one change.
const MAX_MEMBERS: usize = 5_000;

/// Whether the tool's text shows the change of an attribute, block or output.
fn shows_change_of(tool: &StyledText, name: &str) -> bool {
    let key = key(name);
    tool.changed().binary_search_by(|changed| changed.as_str().cmp(&key)).is_ok()
}

/// The lines of those edits of an entry that the tool's text does not show, and how both show each edit.
pub(crate) fn beside(entry: &Entry<'_>, tool: &StyledText, options: &Options) -> EntryText {
    if let [edit] = entry.edits
        && edit.path.is_empty()
    {
        if tool.changed().is_empty() {
            return entry_text(entry, options);
        }
        return EntryText { lines: missing_members(entry, edit, tool, options), ..EntryText::in_full(1) };
    }
    let mut text = EntryText::in_full(entry.edits.len());
    let (mut extra, mut places) = (Vec::new(), Vec::new());
    for (at, edit) in entry.edits.iter().enumerate() {
        if !shows_change_of(tool, root_name(edit)) || needs_remark(edit) {
            extra.push(*edit);
            places.push(at);
        }
    }
    if extra.is_empty() {
        return text;
    }
    let found = edits_text(&extra, options, is_replaced(entry));
    for (at, shown) in places.into_iter().zip(found.shown) {
        if let Some(place) = text.shown.get_mut(at) {
            *place = shown;
        }
    }
    EntryText { lines: found.lines, ..text }
}

/// The lines of those outputs that the tool's text does not show, and how both show each edit.
pub(crate) fn beside_outputs(
    outputs: &[Output<'_>],
    tool: &StyledText,
    options: &Options,
) -> (Vec<Vec<Line>>, Vec<Vec<Option<Shown>>>) {
    let (mut lines, mut shown) = (Vec::new(), Vec::new());
    for output in outputs {
        if shows_change_of(tool, output.name) {
            shown.push(EntryText::in_full(output.edits.len()).shown);
            continue;
        }
        let text = outputs_text(std::slice::from_ref(output), options);
        lines.push(text.lines);
        shown.extend(text.shown);
    }
    (lines, shown)
}

fn is_replaced(entry: &Entry<'_>) -> bool {
    matches!(ChangeKind::from_entry(entry), ChangeKind::Replace | ChangeKind::ReplaceForget)
}

/// Whether an edit has a label or note that the tools' text cannot contain.
fn needs_remark(edit: &Edit<'_>) -> bool {
    let is_remarkable = |label: Label| match label {
        Label::Moved
        | Label::Case
        | Label::Whitespace
        | Label::Invisible
        | Label::UnicodeForm
        | Label::Format
        | Label::Order
        | Label::TypeOnly
        | Label::NotInSchema => true,
        // These are visible in the text.
        Label::Sensitivity | Label::Empty => false,
    };
    let is_packed = edit.inside.is_some_and(|inside| match inside.format {
        Format::Base64 | Format::Gzip => true,
        Format::Json | Format::Yaml | Format::Lines => false,
    });
    edit.labels.iter().any(is_remarkable)
        || !edit.notes.is_empty()
        || is_packed
        || edit.path.steps().iter().any(is_kept_element)
}

/// Whether a step leads to an existing element, which the tools may show as removed and added.
fn is_kept_element(step: &Step<'_>) -> bool {
    match step {
        Step::Element(element) => element.before.is_some() && element.after.is_some(),
        Step::Name(_) => false,
    }
}

/// The members of a created or destroyed object that are not in the text.
fn missing_members(entry: &Entry<'_>, edit: &Edit<'_>, tool: &StyledText, options: &Options) -> Vec<Line> {
    let side = |slot: Slot<'_>| slot.value().is_some();
    let is_created = side(edit.after);
    let Some(value) = edit.after.value().or_else(|| edit.before.value()) else { return Vec::new() };
    let arena = Bump::new();
    let (mut missing, mut more) = (Vec::new(), 0);
    for (name, member) in value.as_object().unwrap_or_default() {
        if is_blank(*member) || shows_change_of(tool, name) {
            continue;
        }
        if missing.len() >= MAX_MEMBERS {
            more += 1;
            continue;
        }
        let name: &str = arena.alloc_str(name);
        let (before, after) = match is_created {
            true => (Slot::Absent, Slot::Value(*member)),
            false => (Slot::Value(*member), Slot::Absent),
        };
        let path = Path::ROOT.child(Step::Name(name), &arena);
        missing.push(Edit { path, before, after, inside: None, ..*edit });
    }
    let mut lines = edits_text(&missing, options, is_replaced(entry)).lines;
    if more > 0 {
        let attributes = count(more, "more attribute");
        lines.push(Line::note(0, format!("… {attributes} not on the page; tfview show prints all of them")));
    }
    lines
}

/// Whether a value contains nothing that the tools' text shows.
fn is_blank(value: MarkedValue<'_>) -> bool {
    value.is_null()
        || value.is_empty()
        || value.as_array().is_some_and(|items| items.iter().all(|item| is_blank(*item)))
        || value.as_object().is_some_and(|members| members.iter().all(|(_, member)| is_blank(*member)))
}
