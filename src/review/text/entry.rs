//! The edits of an entry as lines.

use super::edits::{EditWriter, MAX_SOURCES, is_explained};
use super::path::root_name;
use super::unchanged;
use super::value::Block;
use crate::diff::edits::Edit;
use crate::diff::value::MarkedValue;
use crate::report::{Line, Shown, Sign};
use crate::review::entry::{AccessChange, Cause, Entry};

use crate::review::summary::{Subject, summary};
use crate::review::{ChangeKind, Options};

/// The lines of an entry, and how they show its edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryText {
    pub(crate) lines: Vec<Line>,
    pub(crate) shown: Vec<Option<Shown>>,
}

impl EntryText {
    /// No lines: all edits are shown elsewhere, or only counted.
    pub(crate) fn elsewhere(edits: usize, how: Shown) -> Self {
        Self { lines: Vec::new(), shown: vec![Some(how); edits] }
    }
}

/// An entry's text.
pub(crate) fn entry_text(entry: &Entry<'_>, options: &Options) -> EntryText {
    let kind = ChangeKind::from_entry(entry);
    let mut text = match entry.edits {
        [edit] if let Some((value, sign)) = whole_object(edit, kind) => {
            EntryText { lines: object(value, sign, &entry.access, options), shown: vec![Some(Shown::InFull)] }
        }
        edits => {
            let writer = EditWriter { access: &entry.access, ..EditWriter::of(entry, options) };
            text_of(EditWriter { is_replaced: kind.is_replacement(), ..writer }, edits)
        }
    };
    if entry.edits.is_empty() && kind == ChangeKind::Update {
        text.lines.push(Line::note(0, "the plan shows no difference"));
    }
    if options.unchanged
        && let Some((before, after)) = entry.whole
    {
        text.lines.extend(unchanged::lines(entry.edits, before, after, options));
    }
    text
}

/// The text of an entry that changes as a group does: only what differs from that.
pub(crate) fn outlier_text(entry: &Entry<'_>, options: &Options) -> EntryText {
    let alike = entry.alike.as_ref().map_or(&[][..], |alike| &alike.edits);
    let is_own = |(at, _): &(usize, &Edit<'_>)| !alike.contains(at);
    let (places, own): (Vec<usize>, Vec<Edit<'_>>) =
        entry.edits.iter().enumerate().filter(is_own).map(|(at, edit)| (at, *edit)).unzip();
    let text = text_of(EditWriter::of(entry, options), &own);
    let mut shown = vec![Some(Shown::Named); entry.edits.len()];
    for (at, how) in places.into_iter().zip(text.shown) {
        shown[at] = how;
    }
    EntryText { shown, ..text }
}

/// Whether the lines of an entry's edits name all of its causes, so that its reasons need not.
pub(crate) fn explains_causes(entry: &Entry<'_>) -> bool {
    let is_named = |cause: &Cause<'_>| {
        let named = entry.causes.iter().filter(|other| other.attribute == cause.attribute).count();
        named <= MAX_SOURCES
            && entry.edits.iter().any(|edit| root_name(edit) == cause.attribute && is_explained(edit))
    };
    ChangeKind::from_entry(entry) == ChangeKind::Update && entry.causes.iter().all(is_named)
}

/// The lines of some edits of an entry.
pub(crate) fn edits_text(edits: &[Edit<'_>], options: &Options, is_replaced: bool) -> EntryText {
    text_of(EditWriter { is_replaced, ..EditWriter::new(options) }, edits)
}

fn text_of(mut writer: EditWriter<'_>, edits: &[Edit<'_>]) -> EntryText {
    let shown = writer.edits("", edits, 0);
    EntryText { lines: writer.lines, shown }
}

/// What an entry's object is, on one line: of an object that is created, destroyed, read or forgotten as a whole
/// with the number of values that are left out, of one that is replaced without what changes. Empty for others.
pub(crate) fn summary_text(entry: &Entry<'_>, options: &Options) -> String {
    let kind = ChangeKind::from_entry(entry);
    match entry.edits {
        [edit] if let Some((value, _)) = whole_object(edit, kind) => {
            let access = if options.depth.is_some() { &[] } else { &*entry.access };
            let is_shown_elsewhere =
                |name: &str| access.iter().any(|change| change.attributes.contains(&name));
            let text = summary(value, Subject::of(entry), &is_shown_elsewhere).whole();
            let has_lines = !access.is_empty();
            if text.is_empty() && !has_lines { "no values".to_owned() } else { text }
        }
        _ => entry.replaced_with.to_owned(),
    }
}

/// The object that an entry creates, destroys, reads or forgets, if that is its only edit.
fn whole_object<'a>(edit: &Edit<'a>, kind: ChangeKind) -> Option<(MarkedValue<'a>, Sign)> {
    let (value, sign) = match (edit.before, edit.after) {
        (None, Some(value)) => (value, Sign::Add),
        (Some(value), None) if kind == ChangeKind::Forget => (value, Sign::Same),
        (Some(value), None) => (value, Sign::Remove),
        (None, None) | (Some(_), Some(_)) => return None,
    };
    (edit.path.is_empty() && value.as_object().is_some()).then_some((value, sign))
}

/// The lines below the title of an object, which has its summary: its policies and firewall rules, and all of its
/// values if these are wanted.
fn object(value: MarkedValue<'_>, sign: Sign, access: &[AccessChange<'_>], options: &Options) -> Vec<Line> {
    let access = if options.depth.is_some() || options.unchanged { &[] } else { access };
    let mut lines: Vec<Line> =
        access.iter().flat_map(|change| super::access::lines(change, &[], 0, false)).collect();
    if options.unchanged || options.folds_values {
        let levels = options.levels_below(1);
        lines.extend(Block { sign, width: options.width, max_lines: usize::MAX, levels }.lines(value, 0));
    }
    lines
}

/// The lines of an action invocation: its configuration.
pub(crate) fn invocation_text(invocation: &Entry<'_>, options: &Options) -> EntryText {
    const LINES: usize = 24;
    let max_lines = if options.unchanged { usize::MAX } else { LINES };
    let levels = options.levels_below(1);
    match invocation.edits {
        [edit] if let (true, Some(value)) = (edit.path.is_empty(), edit.after) => {
            let block = Block { sign: Sign::Same, width: options.width, max_lines, levels };
            EntryText { lines: block.lines(value, 0), shown: vec![Some(Shown::InFull)] }
        }
        edits => text_of(EditWriter::new(options), edits),
    }
}
