//! The edits of an entry as lines.

use super::edits::{EditWriter, SOURCES, is_explained};
use super::path::root_name;
use super::summary::{self, Summarized};
use super::unchanged;
use super::value::Block;
use crate::diff::value::MarkedValue;
use crate::review::edit::{Edit, Slot};
use crate::review::entry::{AccessChange, Cause, Entry, Invocation};
use crate::review::ledger::Telling;
use crate::review::lines::{Line, Sign};
use crate::review::{Kind, Options};

/// The lines of an entry, and how they tell of each of its edits.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryText {
    pub(crate) lines: Vec<Line>,
    pub(crate) tellings: Vec<Option<Telling>>,
}

/// An entry's text.
pub(crate) fn of_entry(entry: &Entry<'_>, options: &Options) -> EntryText {
    let kind = Kind::of_entry(entry);
    let mut text = match entry.edits {
        [edit] if let Some((value, summarized)) = whole_object(edit, kind) => EntryText {
            lines: object(value, summarized, &entry.access, options),
            tellings: vec![Some(Telling::Shown)],
        },
        edits => {
            let mut writer = EditWriter::new(options);
            writer.is_replaced = matches!(kind, Kind::Replace | Kind::ReplaceForget);
            writer.causes = &entry.causes;
            writer.access = &entry.access;
            let tellings = writer.edits("", edits, 0);
            EntryText { lines: writer.lines, tellings }
        }
    };
    if entry.edits.is_empty() && kind == Kind::Update {
        text.lines.push(Line::note(0, "the plan shows no difference"));
    }
    if options.unchanged
        && let Some((before, after)) = entry.whole
    {
        text.lines.extend(unchanged::lines(entry.edits, before, after, options));
    }
    text
}

/// Whether the lines of an entry's edits name all of its causes.
pub(crate) fn explains_causes(entry: &Entry<'_>) -> bool {
    let is_named = |cause: &Cause<'_>| {
        let named = entry.causes.iter().filter(|other| other.attribute == cause.attribute).count();
        named <= SOURCES
            && entry.edits.iter().any(|edit| root_name(edit) == cause.attribute && is_explained(edit))
    };
    Kind::of_entry(entry) == Kind::Update && entry.causes.iter().all(is_named)
}

/// The text of some edits of an entry.
pub(crate) fn of_edits(edits: &[Edit<'_>], options: &Options, is_replaced: bool) -> EntryText {
    let mut writer = EditWriter::new(options);
    writer.is_replaced = is_replaced;
    let tellings = writer.edits("", edits, 0);
    EntryText { lines: writer.lines, tellings }
}

/// The object that an entry creates, destroys, reads or forgets, if this is its only edit.
fn whole_object<'a>(edit: &Edit<'a>, kind: Kind) -> Option<(MarkedValue<'a>, Summarized)> {
    let (value, summarized) = match (edit.before, edit.after) {
        (Slot::Absent, Slot::Value(value)) => (value, Summarized::Created),
        (Slot::Value(value), Slot::Absent) if kind == Kind::Forget => (value, Summarized::Forgotten),
        (Slot::Value(value), Slot::Absent) => (value, Summarized::Destroyed),
        (Slot::Absent, Slot::Absent) | (Slot::Value(_), Slot::Value(_)) => return None,
    };
    (edit.path.is_empty() && value.as_object().is_some()).then_some((value, summarized))
}

fn object(
    value: MarkedValue<'_>,
    summarized: Summarized,
    access: &[AccessChange<'_>],
    options: &Options,
) -> Vec<Line> {
    if !options.unchanged {
        let access = if options.depth.is_some() { &[] } else { access };
        let is_told = |name: &str| access.iter().any(|change| change.attributes.contains(&name));
        let mut lines: Vec<Line> = access.iter().flat_map(super::access::of_object).collect();
        lines.extend(summary::lines(value, summarized, &is_told, options));
        return lines;
    }
    let sign = match summarized {
        Summarized::Created => Sign::Add,
        Summarized::Destroyed => Sign::Remove,
        Summarized::Forgotten => Sign::Same,
    };
    let levels = options.depth.map_or(usize::MAX, |limit| limit.saturating_sub(1));
    Block { sign, width: options.width, most: usize::MAX, levels }.lines(value, 0)
}

/// The configuration of an action that is invoked.
pub(crate) fn of_invocation(invocation: &Invocation<'_>, options: &Options) -> EntryText {
    const LINES: usize = 24;
    let most = if options.unchanged { usize::MAX } else { LINES };
    let levels = options.depth.map_or(usize::MAX, |limit| limit.saturating_sub(1));
    match invocation.edits {
        [edit] if let (true, Some(value)) = (edit.path.is_empty(), edit.after.value()) => {
            let block = Block { sign: Sign::Same, width: options.width, most, levels };
            EntryText { lines: block.lines(value, 0), tellings: vec![Some(Telling::Shown)] }
        }
        edits => {
            let mut writer = EditWriter::new(options);
            let tellings = writer.edits("", edits, 0);
            EntryText { lines: writer.lines, tellings }
        }
    }
}
