//! What the tool's text of a change does not show, for formats that have that text.

use bumpalo::Bump;

use super::{EntryText, edits_text, entry_text, root_name};
use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Shown};
use crate::review::entry::Entry;
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

/// The lines of an entry with the tool's text below them, and how both show each edit; what neither shows; and whether
/// the tool's text shows all edits.
pub(crate) fn with_tool(
    entry: &Entry<'_>,
    tool: &StyledText,
    options: &Options,
) -> (EntryText, Vec<Line>, bool) {
    let mut text = entry_text(entry, options);
    let (mut beside, mut is_in_tool) = (Vec::new(), true);
    if let [edit] = entry.edits
        && edit.path.is_empty()
    {
        if !tool.changed().is_empty() {
            beside = missing_members(entry, edit, tool, options);
            text.shown = vec![Some(Shown::InFull)];
        } else {
            is_in_tool = false;
        }
    } else {
        for (edit, shown) in entry.edits.iter().zip(&mut text.shown) {
            if shows_change_of(tool, root_name(edit)) {
                *shown = Some(Shown::InFull);
            } else {
                is_in_tool = false;
            }
        }
    }
    (text, beside, is_in_tool)
}

/// Corrects how outputs are shown where the tool's text is below their lines.
pub(crate) fn in_outputs(outputs: &[Entry<'_>], tool: &StyledText, shown: &mut [Vec<Option<Shown>>]) {
    for (output, shown) in outputs.iter().zip(shown) {
        if shows_change_of(tool, output.address) {
            shown.fill(Some(Shown::InFull));
        }
    }
}

/// The members of a created or destroyed object that are not in the text.
fn missing_members(entry: &Entry<'_>, edit: &Edit<'_>, tool: &StyledText, options: &Options) -> Vec<Line> {
    let Some(value) = edit.after.or(edit.before) else { return Vec::new() };
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
        let [before, after] = [edit.before, edit.after].map(|side| side.and(Some(*member)));
        let path = Path::ROOT.child(Step::Name(name), &arena);
        missing.push(Edit { path, before, after, inside: None, ..*edit });
    }
    let mut lines = edits_text(&missing, options, ChangeKind::from_entry(entry).is_replacement()).lines;
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
