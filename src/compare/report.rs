//! Makes the document about a comparison: an entry for each object with differences of one class, and a line for each
//! difference.
//!
//! Invariants: the length of lines is limited, and what is cut off is marked; without the option to show sensitive
//! values, credentials are masked.

use bumpalo::Bump;

use super::{
    ActionWords, Against, Class, Comparison, Difference, DifferenceKind, Origin, Property, Subject,
    counted,
};
use crate::dialect::Tool;
use crate::diff::edits::{Edit, Label};
use crate::diff::value::MarkedValue;
use crate::model::Action;
use crate::report::{
    EntryPlaces, Line, Part, Priority, Report, ReportEntry, Section, SectionKind, Sign, Title, Tone,
};
use crate::review::inline::short;
use crate::review::masks::{self, Masks};
use crate::review::paths::path_text;
use crate::review::{count, one_line, reasons, text};
use crate::text::{cut, hidden_value, quote};

/// The maximum length of a value in a line, in characters.
const MAX_VALUE_LEN: usize = 120;
/// The maximum length of an address, a path or a property in a line, in characters.
const MAX_NAME_LEN: usize = 300;
/// The maximum number of differences inside an embedded document that are listed. Any more are only counted.
const MAX_INSIDE: usize = 12;
/// The number of characters before the first difference that are kept when two long texts are cut.
const KEPT: usize = 20;

/// Makes the document about one comparison.
pub fn report(comparison: &Comparison<'_>) -> Report<'static> {
    let title = format!(
        "Comparison of {} with {}",
        comparison.now.name, comparison.approved.name
    );
    document(&title, part(comparison))
}

/// Makes the document with one part, and numbers the entries of that part.
pub(super) fn document(title: &str, mut part: Part<'static>) -> Report<'static> {
    for (index, entry) in part
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.entries)
        .enumerate()
    {
        entry.number = index;
        entry.places = EntryPlaces {
            list: SectionKind::Resources,
            indices: vec![index],
        };
    }
    Report {
        title: one_line(title),
        parts: vec![part],
        worst_first: vec![0],
        is_list: true,
        ..Report::default()
    }
}

/// Makes the part of a comparison: headline, origin of both documents, notes, and entries grouped by class.
pub(super) fn part(comparison: &Comparison<'_>) -> Part<'static> {
    let now = if comparison.against.is_result() {
        "Result"
    } else {
        "Now"
    };
    let against = comparison.against;
    // A run has the time of its first message, not of planning.
    let begun = match against {
        Against::Run => "started at",
        Against::Plan | Against::State | Against::States => "planned at",
    };
    let details = [
        (against.first().1, &comparison.approved, "planned at"),
        (now, &comparison.now, begun),
    ];
    let arena = Bump::new();
    let mut notes: Vec<String> = comparison.notes.iter().map(|note| one_line(note)).collect();
    let mut shown = comparison.differences.clone();
    if comparison.against.is_result() && !comparison.lists_known {
        // They are counted in the headline.
        shown.retain(|difference| !matches!(difference.class, Class::Known | Class::Computed));
    }
    if !comparison.show_sensitive {
        let mut masks = Masks::default();
        for difference in &shown {
            for value in values_of(difference) {
                masks.add_value(Some(name_of(difference)), value);
            }
        }
        let has_named = shown
            .iter()
            .any(|difference| difference.what.named().is_some());
        if !masks.is_empty() || has_named {
            for difference in &mut shown {
                hide_credentials(difference, &masks, &arena);
            }
            notes.push(masks::NOTE.to_owned());
        }
    }
    let classes = shown.chunk_by(|one, other| one.class == other.class);
    let section = |same: &[Difference<'_>]| {
        let objects = same.chunk_by(|one, other| {
            (one.subject, one.address, one.deposed) == (other.subject, other.address, other.deposed)
        });
        let text = counted(same, against).join(", ");
        Some(Section {
            kind: SectionKind::Resources,
            title: Title::Counted(text),
            counts: String::new(),
            entries: objects.filter_map(|same| entry(same, against)).collect(),
        })
    };
    Part {
        headline: comparison.headline(),
        details: details
            .map(|(name, of, begun)| format!("{name}: {}", origin(of, begun)))
            .into(),
        sections: classes.filter_map(section).collect(),
        notes,
        ..Part::default()
    }
}

/// Returns the values of a difference, including those that the changes start from.
fn values_of<'d>(difference: &Difference<'d>) -> Vec<MarkedValue<'d>> {
    let Some(edit) = difference.what.edit() else {
        return Vec::new();
    };
    let from = if let DifferenceKind::Value { from, .. } = difference.what {
        from
    } else {
        None
    };
    let before = from.into_iter().flat_map(|(old, new)| [old, new]);
    before
        .chain([edit.before, edit.after].into_iter().flatten())
        .collect()
}

/// Returns the name by which the masks recognize the values of a difference: that of the attribute, or else the
/// address.
fn name_of<'d>(difference: &Difference<'d>) -> &'d str {
    let name = difference
        .what
        .edit()
        .and_then(|edit| masks::known_as(edit.path));
    name.unwrap_or(difference.address)
}

/// Replaces credentials in the values of a difference with masks.
fn hide_credentials<'d>(difference: &mut Difference<'d>, masks: &Masks, arena: &'d Bump) {
    let Some(edit) = difference.what.edit() else {
        return;
    };
    let name = name_of(difference);
    let named = difference.what.named();
    let shown = masks::shown_edit(masks, edit, Some(name), named, arena);
    let place = named.and_then(|named| named.name_of(edit.path));
    let place = place.map_or_else(|| name.to_owned(), str::to_owned);
    match &mut difference.what {
        DifferenceKind::Value { edit, from, .. } => {
            *edit = shown;
            *from = from.map(|(old, new)| {
                let value = |value| masks.value(value, Some(&place), arena);
                (value(old), value(new))
            });
        }
        DifferenceKind::Drifted { edit, .. } => *edit = shown,
        DifferenceKind::OnlyNow { .. }
        | DifferenceKind::OnlyApproved { .. }
        | DifferenceKind::Unproven { .. }
        | DifferenceKind::Property { .. }
        | DifferenceKind::Outcome { .. }
        | DifferenceKind::Run { .. } => {}
    }
}

/// Describes the origin of a document; `begun` is the phrase before its time.
fn origin(origin: &Origin, begun: &str) -> String {
    let mut text = origin.name.clone();
    if origin.tool.is_some() || !origin.tool_version.is_empty() {
        let words = [Tool::product_of(origin.tool), &origin.tool_version];
        text.push_str(&format!(", {}", words.join(" ").trim_end()));
    }
    if !origin.timestamp.is_empty() {
        let time = whole_seconds(&origin.timestamp);
        text.push_str(&format!(", {begun} {time}"));
    }
    one_line(&text)
}

/// Returns a time in the format of RFC 3339 without the fraction of its seconds.
fn whole_seconds(time: &str) -> String {
    let Some((seconds, rest)) = time.split_once('.') else {
        return time.to_owned();
    };
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{seconds}{zone}")
}

/// Makes the entry of an object from its differences of one class; `None` without differences.
fn entry(differences: &[Difference<'_>], against: Against) -> Option<ReportEntry<'static>> {
    let first = differences.first()?;
    let class = first.class;
    Some(ReportEntry {
        sign: class.sign(),
        address: one_line(&subject(first)),
        phrase: count(differences.len(), "difference"),
        kind: class.name(),
        lines: differences
            .iter()
            .flat_map(|difference| lines(difference, against))
            .collect(),
        is_open: class.is_wider(),
        priority: if class.is_wider() {
            Priority::Flagged
        } else {
            Priority::Plain
        },
        order: class as usize,
        ..ReportEntry::default()
    })
}

/// Returns the line about a difference, followed by lines about the differences inside embedded documents.
fn lines(difference: &Difference<'_>, against: Against) -> Vec<Line> {
    let text = one_line(&sentence(difference, against));
    let mut lines = vec![Line::new(0, sign(difference), text, Tone::Plain)];
    if is_another_object(difference) {
        return lines;
    }
    if let Some(edit) = difference.what.edit() {
        let (first, _) = against.first();
        for text in inside_lines(edit, first) {
            lines.push(Line::note(1, text));
        }
    }
    lines
}

/// Returns the sign before the line about a difference.
fn sign(difference: &Difference<'_>) -> Sign {
    if difference.class == Class::Destroy && !is_another_object(difference) {
        Sign::Remove
    } else {
        Sign::Change
    }
}

/// Whether a difference means that another object is acted on: what identifies the object has changed.
fn is_another_object(difference: &Difference<'_>) -> bool {
    matches!(difference.what, DifferenceKind::Drifted { .. })
        && matches!(difference.class, Class::Destroy | Class::Action)
}

/// Says what differs, and whether it is within the approval.
fn sentence(difference: &Difference<'_>, against: Against) -> String {
    let (first, _) = against.first();
    let mut text = match &difference.what {
        DifferenceKind::OnlyNow {
            words,
            renamed_from,
        } => only_now(words, *renamed_from, against),
        DifferenceKind::OnlyApproved { words } => {
            format!("{}: approved, not in the new plan", words.phrase)
        }
        DifferenceKind::Outcome {
            words,
            outcome,
            why,
        } => {
            let outcome = outcome.words(against);
            let text = format!("{}: approved, {outcome}", words.phrase);
            if why.is_empty() {
                text
            } else {
                format!("{text}: {}", cut(why, MAX_NAME_LEN))
            }
        }
        DifferenceKind::Run { why } => cut(why, MAX_NAME_LEN),
        DifferenceKind::Unproven { property, why } => {
            let why = cut(why, MAX_NAME_LEN);
            format!("{}: not proven: {why}", property.words())
        }
        DifferenceKind::Property {
            property,
            approved,
            now,
        } => {
            let differs = property_differs(*property, approved.as_deref(), now.as_deref(), first);
            format!("{}{differs}", property.words())
        }
        DifferenceKind::Value { edit, from, .. } => {
            let values = values(edit, *from, first);
            format!("{}{values}{}", path_prefix(edit), remarks(edit))
        }
        DifferenceKind::Drifted { edit, .. } => {
            let drifted = drifted(edit, difference.class);
            format!("{}{drifted}{}", path_prefix(edit), remarks(edit))
        }
    };
    if matches!(difference.class, Class::Known | Class::Computed) {
        text.push_str(" (within the approval)");
    }
    text
}

/// Says that a change is only in the new plan, or that an object differs between two states.
fn only_now(words: &ActionWords, renamed_from: Option<&str>, against: Against) -> String {
    let phrase = words.phrase;
    if against == Against::States {
        return phrase.to_owned();
    }
    let Some(address) = renamed_from else {
        return format!("{phrase}: not in the approved plan");
    };
    let address = cut(address, MAX_NAME_LEN);
    format!("{phrase}: not in the approved plan; possibly {address} under another name")
}

/// Says how a property of a change or plan differs, in words that follow its name. `first` is the word for the first
/// side.
fn property_differs(
    property: Property,
    approved: Option<&str>,
    now: Option<&str>,
    first: &str,
) -> String {
    if approved.is_none() && now.is_none() {
        let is_plural = matches!(property, Property::Actions | Property::Arguments);
        return if is_plural { " differ" } else { " differs" }.to_owned();
    }
    match property {
        Property::ReplacePaths => {
            let (approved, now) = (or_none(approved), or_none(now));
            format!(": approved only {approved}, now only {now}")
        }
        Property::Actions => both_clauses(
            first,
            approved.map(action_in_words),
            now.map(action_in_words),
        ),
        Property::Reason => both_clauses(
            first,
            approved.map(reasons::action),
            now.map(reasons::action),
        ),
        Property::DeferredReason => both_clauses(
            first,
            approved.map(reasons::deferred),
            now.map(reasons::deferred),
        ),
        Property::PreviousAddress
        | Property::Importing
        | Property::Provider
        | Property::GeneratedConfig
        | Property::OnFailure
        | Property::Provisioners
        | Property::ProviderConfiguration
        | Property::Configuration
        | Property::Arguments
        | Property::Expression
        | Property::Backend
        | Property::Mode
        | Property::Targets
        | Property::Excluded
        | Property::LockedVersion
        | Property::Member
        | Property::Tainted
        | Property::Errored
        | Property::Complete
        | Property::Applyable => {
            let (approved, now) = (or_none(approved), or_none(now));
            format!(": {first} {approved}, now {now}")
        }
    }
}

/// Returns actions in words, of the tool's words for them, which are separated by commas.
fn action_in_words(words: &str) -> String {
    let words: Vec<&str> = words.split(',').collect();
    Action::from_words(&words).in_words().into_owned()
}

/// Returns the actions or reasons of both sides. They are clauses, which may have commas.
fn both_clauses(
    first: &str,
    approved: Option<impl AsRef<str>>,
    now: Option<impl AsRef<str>>,
) -> String {
    let (approved, now) = (or_none(approved), or_none(now));
    format!(": {first}: {approved}; now: {now}")
}

/// Returns a text within the maximum length, or `none`.
fn or_none(text: Option<impl AsRef<str>>) -> String {
    match text {
        Some(text) => cut(text.as_ref(), MAX_NAME_LEN),
        None => "none".to_owned(),
    }
}

/// Says how a value before the change has changed since the approval.
fn drifted(edit: &Edit<'_>, class: Class) -> String {
    let what = if is_hidden(edit) {
        hidden_differs(edit)
    } else {
        let (was, is) = both(edit.before, edit.after);
        format!("was {was}, is {is}")
    };
    match class {
        Class::Destroy | Class::Action => format!("another object: {what}"),
        Class::Value => format!("{what}; only the new plan changes it"),
        Class::Reduced => format!("{what}; only the approved plan changes it"),
        Class::Unknown
        | Class::Unproven
        | Class::Failed
        | Class::Known
        | Class::Computed
        | Class::NotationOnly
        | Class::Drifted => format!("changed outside of the tool since approval: {what}"),
    }
}

/// Names the subject of a difference.
fn subject(difference: &Difference<'_>) -> String {
    let address = cut(difference.address, MAX_NAME_LEN);
    let name = match difference.subject {
        Subject::Resource => address,
        Subject::Drift => format!("{address} (changed outside of the tool)"),
        Subject::Deferred | Subject::DeferredInvocation => format!("{address} (deferred)"),
        Subject::Output => format!("output.{address}"),
        Subject::Variable => format!("var.{address}"),
        Subject::Invocation => address,
        Subject::ProviderConfiguration => format!("provider {address}"),
        Subject::Plan => "the plan:".to_owned(),
        Subject::Run => "the run:".to_owned(),
    };
    if difference.deposed.is_empty() {
        name
    } else {
        format!(
            "{name} (deposed {})",
            cut(difference.deposed, MAX_VALUE_LEN)
        )
    }
}

/// Returns the path of an edit with a colon; empty for the object as a whole.
fn path_prefix(edit: &Edit<'_>) -> String {
    let path = path_text("", edit.path);
    if path.is_empty() {
        path
    } else {
        format!("{}: ", cut(&path, MAX_NAME_LEN))
    }
}

/// Whether both values are hidden because they are sensitive.
fn is_hidden(edit: &Edit<'_>) -> bool {
    [edit.before, edit.after]
        .into_iter()
        .all(|side| side.is_some_and(MarkedValue::is_redacted))
}

fn hidden_differs(edit: &Edit<'_>) -> String {
    let lacks_schema = [edit.before, edit.after]
        .iter()
        .flatten()
        .all(|side| side.lacks_schema);
    format!("{} differs", hidden_value(lacks_schema))
}

/// Describes the values on both sides. `first` is the word for the first side, and `from` has the values before the
/// changes, if they are known.
fn values(
    edit: &Edit<'_>,
    from: Option<(MarkedValue<'_>, MarkedValue<'_>)>,
    first: &str,
) -> String {
    if edit.labels.contains(Label::Moved) {
        return format!("{} is at another place in the list", side_text(edit.before));
    }
    if edit.labels.contains(Label::Sensitivity) {
        let word = |side: Option<MarkedValue<'_>>| {
            if side.is_some_and(|value| value.is_sensitive) {
                ""
            } else {
                "not "
            }
        };
        let (was, is) = (word(edit.before), word(edit.after));
        if was == is {
            return "the sensitive parts differ".to_owned();
        }
        return format!("{first} as {was}sensitive, now {is}sensitive");
    }
    if is_hidden(edit) {
        return hidden_differs(edit);
    }
    if edit.before.is_some_and(MarkedValue::is_unknown) {
        return format!("was known after apply, is now {}", side_text(edit.after));
    }
    let (approved, now) = both(edit.before, edit.after);
    let shown = |value: MarkedValue<'_>, to: &str| match value.is_null() {
        true => to.to_owned(),
        false => format!("{} -> {to}", short(value, MAX_VALUE_LEN / 2)),
    };
    match from {
        Some((old, new)) if !edit.path.is_empty() => {
            format!(
                "{first} {}, now {}",
                shown(old, &approved),
                shown(new, &now)
            )
        }
        Some(_) | None => format!("{first} {approved}, now {now}"),
    }
}

/// Returns the labels and notes of an edit, without those that `values` expresses already.
fn remarks(edit: &Edit<'_>) -> String {
    text::remarks(
        edit,
        &[Label::Moved, Label::Sensitivity, Label::NotInSchema],
    )
}

fn side_text(side: Option<MarkedValue<'_>>) -> String {
    side.map_or_else(|| "not set".to_owned(), |value| short(value, MAX_VALUE_LEN))
}

/// Returns two values in at most `MAX_VALUE_LEN` characters each. Two long texts with the same beginning are cut so
/// that their difference is visible.
fn both(one: Option<MarkedValue<'_>>, other: Option<MarkedValue<'_>>) -> (String, String) {
    let (Some(a), Some(b)) = (
        one.and_then(MarkedValue::as_str),
        other.and_then(MarkedValue::as_str),
    ) else {
        return (side_text(one), side_text(other));
    };
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    if common <= MAX_VALUE_LEN / 2 {
        return (side_text(one), side_text(other));
    }
    let around = |text: &str| {
        let rest: String = text
            .chars()
            .skip(common - KEPT)
            .take(MAX_VALUE_LEN)
            .collect();
        let is_cut = text.chars().nth(common - KEPT + MAX_VALUE_LEN).is_some();
        format!("…{}{}", quote(&rest), if is_cut { "…" } else { "" })
    };
    (around(a), around(b))
}

/// Returns a line for each of the first differences inside two embedded documents, and a line that counts the others.
fn inside_lines(edit: &Edit<'_>, first: &str) -> Vec<String> {
    let Some(inside) = edit.inside else {
        return Vec::new();
    };
    let (_, _, inside) = text::unwrapped(edit, inside);
    let shown = inside.edits.iter().take(MAX_INSIDE).map(|edit| {
        let path = path_text("", edit.path);
        one_line(&format!(
            "{}: {}{}",
            cut(&path, MAX_NAME_LEN),
            values(edit, None, first),
            remarks(edit)
        ))
    });
    let more = inside.edits.len().saturating_sub(MAX_INSIDE);
    let more = (more > 0).then(|| format!("… {} inside", count(more, "more difference")));
    shown.chain(more).collect()
}
