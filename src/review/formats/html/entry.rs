//! A change on a page: its summary, its reasons, its text, and remarks that are not in the text.

use bumpalo::Bump;

use crate::diff::edits::{Edit, Format, Label, Path, Slot, Step};
use crate::diff::value::MarkedValue;
use crate::page::{Attribute, Class, Data, Element, Html, Id, WebAddress};
use crate::review::entry::Entry;
use crate::review::formats::units::Unit;
use crate::review::ledger::Mention;
use crate::review::lines::{Line, Sign, Tone};
use crate::review::text::{EntryText, edits_text, entry_text, root_name};
use crate::review::{ChangeKind, List, Options, count, one_line};
use crate::term::{StyledText, Untrusted};

/// The maximum number of attribute names for the filter.
const MAX_NAMES: usize = 60;

/// The maximum number of edits and members that are described beside the text of one change.
const REMARKS: usize = 5_000;

/// Writes a change. Returns how its edits are reported.
pub(super) fn entry(
    html: &mut Html,
    unit: &Unit<'_, '_>,
    id: usize,
    tool: &StyledText,
    same: usize,
    options: &Options,
) -> Vec<Option<Mention>> {
    let entry = unit.entry;
    let kind = unit.kind();
    let facts = fact_names(entry);
    let names =
        tool.changed().iter().take(MAX_NAMES).map(|name| one_line(name)).collect::<Vec<_>>().join(" ");
    let mut attributes = vec![
        Attribute::Id(Id::Change(id)),
        Attribute::Data(Data::Kind, Untrusted(kind.word())),
        Attribute::Data(Data::Type, Untrusted(entry.resource_type)),
    ];
    if !facts.is_empty() {
        attributes.push(Attribute::Data(Data::Facts, Untrusted(&facts)));
    }
    if !names.is_empty() {
        attributes.push(Attribute::Data(Data::Names, Untrusted(&names)));
    }
    if unit.list == List::Resources && kind.is_irreversible() && !options.list {
        attributes.push(Attribute::Open);
    }
    html.element(Element::Details, &attributes, |html| {
        summary(html, unit, &facts, same);
        why(html, unit, options);
        if options.list {
            return vec![Some(Mention::Counted); entry.edits.len()];
        }
        let (extra, mentions) = not_in_text(entry, tool, options);
        lines(html, &extra);
        text(html, tool);
        mentions
    })
}

fn summary(html: &mut Html, unit: &Unit<'_, '_>, facts: &str, same: usize) {
    let header = unit.header();
    html.element(Element::Summary, &[], |html| {
        html.element(Element::Span, &[Attribute::Class(Class::Sign)], |html| html.text(header.symbol));
        html.text(" ");
        html.element(Element::Code, &[], |html| html.data(Untrusted(&header.address)));
        html.text(" ");
        let element = if unit.is_grave() { Element::Strong } else { Element::Span };
        html.element(element, &[], |html| html.data(Untrusted(&header.phrase)));
        let preview = unit.preview();
        if !preview.is_empty() || same > 1 {
            html.text(" ");
            html.element(Element::Span, &[Attribute::Class(Class::Names)], |html| {
                html.data(Untrusted(&one_line(&preview)));
                if same > 1 {
                    html.data(Untrusted(&format!(" (same change × {same})")));
                }
            });
        }
        for fact in facts.split_whitespace() {
            html.text(" ");
            html.element(Element::Strong, &[Attribute::Class(Class::Fact)], |html| {
                html.data(Untrusted(fact));
            });
        }
    });
}

/// The kinds of an entry's facts.
fn fact_names(entry: &Entry<'_>) -> String {
    let mut kinds: Vec<_> = entry.facts.iter().map(|fact| fact.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ")
}

/// Writes the place of the resource in the configuration, its facts and its reasons.
fn why(html: &mut Html, unit: &Unit<'_, '_>, options: &Options) {
    let entry = unit.entry;
    let source = unit.source();
    if entry.reasons.is_empty() && entry.facts.is_empty() && source.is_none() {
        return;
    }
    html.element(Element::Ul, &[Attribute::Class(Class::Reasons)], |html| {
        if let Some((place, _)) = source {
            let text = one_line(&place.text());
            let code = |html: &mut Html| html.element(Element::Code, &[], |html| html.data(Untrusted(&text)));
            let url = options.source_url.as_ref().and_then(|prefix| WebAddress::new(place.url(prefix)));
            html.element(Element::Li, &[], |html| match &url {
                Some(url) => html.element(Element::A, &[Attribute::File(url)], code),
                None => code(html),
            });
        }
        for fact in &entry.facts {
            html.element(Element::Li, &[], |html| {
                html.element(Element::Strong, &[Attribute::Class(Class::Fact)], |html| {
                    html.text(fact.kind.name());
                });
                html.data(Untrusted(&format!(" {}", one_line(&fact.text))));
            });
        }
        for reason in &entry.reasons {
            html.element(Element::Li, &[], |html| html.data(Untrusted(&one_line(&reason.text))));
        }
    });
}

/// Writes the text of a change, and a note if it is truncated.
pub(super) fn text(html: &mut Html, tool: &StyledText) {
    html.element(Element::Pre, &[], |html| html.styled(tool));
    if let Some((lines, bytes)) = tool.left_out() {
        html.element(Element::P, &[Attribute::Class(Class::Cut)], |html| {
            html.data(Untrusted(&format!(
                "… {} and {} of this text are not on the page; tfview show prints all of it.",
                count(lines, "line"),
                count(bytes, "byte")
            )));
        });
    }
}

/// Whether the tool's text shows the change of an attribute or block.
pub(super) fn shows_change_of(tool: &StyledText, name: &str) -> bool {
    let key = crate::text::key(name);
    tool.changed().binary_search_by(|changed| changed.as_str().cmp(&key)).is_ok()
}

/// Remarks about an entry's edits that are not in the tools' text, and how each edit is reported.
fn not_in_text(entry: &Entry<'_>, tool: &StyledText, options: &Options) -> (Vec<Line>, Vec<Option<Mention>>) {
    if let [edit] = entry.edits
        && edit.path.is_empty()
    {
        if tool.changed().is_empty() {
            let EntryText { lines, mentions } = entry_text(entry, options);
            return (lines, mentions);
        }
        return (missing_members(entry, edit, tool, options), vec![Some(Mention::Shown)]);
    }
    let (mut extra, mut places) = (Vec::new(), Vec::new());
    let mut mentions = vec![Some(Mention::Shown); entry.edits.len()];
    for (at, edit) in entry.edits.iter().enumerate() {
        if !shows_change_of(tool, root_name(edit)) || needs_remark(edit) {
            extra.push(*edit);
            places.push(at);
        }
    }
    if extra.is_empty() {
        return (Vec::new(), mentions);
    }
    let is_replaced =
        matches!(ChangeKind::from_entry(entry), ChangeKind::Replace | ChangeKind::ReplaceForget);
    let text = edits_text(&extra, options, is_replaced);
    for (at, mention) in places.into_iter().zip(text.mentions) {
        if let Some(place) = mentions.get_mut(at) {
            *place = mention;
        }
    }
    (text.lines, mentions)
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
        if missing.len() >= REMARKS {
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
    let is_replaced =
        matches!(ChangeKind::from_entry(entry), ChangeKind::Replace | ChangeKind::ReplaceForget);
    let mut lines = edits_text(&missing, options, is_replaced).lines;
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

/// Writes lines of a review.
pub(super) fn lines(html: &mut Html, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    html.element(Element::Pre, &[Attribute::Class(Class::Notes)], |html| {
        for line in lines {
            let (sign, class) = match line.sign {
                Sign::Add => ("+ ", Some(Class::Added)),
                Sign::Remove => ("- ", Some(Class::Removed)),
                Sign::Change => ("~ ", Some(Class::Changed)),
                Sign::Same | Sign::Note => ("  ", None),
            };
            let write = |html: &mut Html| {
                html.data(Untrusted(&"  ".repeat(line.depth)));
                html.text(sign);
                line.spans.iter().for_each(|span| {
                    let text = one_line(&span.text);
                    let class = match span.tone {
                        Tone::Plain | Tone::Added | Tone::Removed | Tone::Changed => None,
                        Tone::Muted => Some(Class::Muted),
                        Tone::AddedWord | Tone::RemovedWord => Some(Class::Bold),
                        Tone::Alert => Some(Class::Alert),
                    };
                    match class {
                        Some(class) => html.element(Element::Span, &[Attribute::Class(class)], |html| {
                            html.data(Untrusted(&text));
                        }),
                        None => html.data(Untrusted(&text)),
                    }
                });
            };
            match class {
                Some(class) => html.element(Element::Span, &[Attribute::Class(class)], write),
                None => write(html),
            }
            html.text("\n");
        }
    });
}
