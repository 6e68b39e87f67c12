//! Differences in words, for the terminal, Markdown and HTML formats.
//!
//! Invariant: the length of lines is bounded, and truncation is marked.

use crate::compare::{Class, Difference, DifferenceKind, Property, Subject};
use crate::diff::edits::{Edit, Label, Slot};
use crate::diff::value::{Content, MarkedValue};
use crate::review::{count, one_line, text};

/// The maximum length of values, in characters.
const MAX_VALUE_LEN: usize = 120;
/// The maximum length of addresses, paths and properties, in characters.
const MAX_NAME_LEN: usize = 300;
/// The maximum number of changes in embedded documents that are written; more are counted.
const MAX_INSIDE: usize = 12;
/// The number of characters kept before the first difference.
const KEPT: usize = 20;

/// A difference in words. All texts are untrusted.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) class: Class,
    pub(super) text: String,
    /// The differences in embedded documents.
    pub(super) inside: Vec<String>,
}

impl Line {
    pub(super) fn new(difference: &Difference<'_>) -> Self {
        let name = subject(difference);
        let mut inside = Vec::new();
        let text = match &difference.what {
            DifferenceKind::OnlyNow { phrase, action: _, renamed_from } => {
                let renamed = renamed_from.map_or_else(String::new, |address| {
                    format!("; perhaps {} under another name", cut(address, MAX_NAME_LEN))
                });
                format!("{name} {phrase}: not in the approved plan{renamed}")
            }
            DifferenceKind::OnlyApproved { phrase, action: _ } => {
                format!("{name} {phrase}: approved, not in the new plan")
            }
            DifferenceKind::Outcome { phrase, action: _, outcome, why } => {
                let why =
                    if why.is_empty() { String::new() } else { format!(": {}", cut(why, MAX_NAME_LEN)) };
                format!("{name} {phrase}: approved, {}{why}", outcome.words())
            }
            DifferenceKind::Run { why } => format!("{name} {}", cut(why, MAX_NAME_LEN)),
            DifferenceKind::Property { property, approved, now } => {
                let words = property.words();
                let value = |value: &Option<String>| match value {
                    Some(text) => cut(text, MAX_NAME_LEN),
                    None => "none".to_owned(),
                };
                let separator = if name.is_empty() { "" } else { " " };
                match (approved, now, property) {
                    (None, None, _) => format!("{name}{separator}{words} differs"),
                    (approved, now, Property::ReplacePaths) => format!(
                        "{name}{separator}{words}: approved only {}, now only {}",
                        value(approved),
                        value(now)
                    ),
                    (approved, now, _) => {
                        format!("{name}{separator}{words}: approved {}, now {}", value(approved), value(now))
                    }
                }
            }
            DifferenceKind::Value { edit, from } => {
                inside = inside_lines(edit);
                format!("{}: {}{}", place(&name, edit), values(edit, *from), labels(edit))
            }
            DifferenceKind::World(edit) => {
                inside = inside_lines(edit);
                let (was, is) = both(edit.before, edit.after);
                let what = if is_hidden(edit) {
                    "(sensitive value) differs".to_owned()
                } else {
                    format!("was {was}, is {is}")
                };
                let world = if difference.class == Class::World { "the world changed: " } else { "" };
                let set_back = match difference.class {
                    Class::Value => "; the new plan changes it, the approved one does not",
                    Class::Less => "; the approved plan changes it, the new one does not",
                    Class::Destroy
                    | Class::Action
                    | Class::Unknown
                    | Class::Unproven
                    | Class::Failed
                    | Class::Known
                    | Class::Text
                    | Class::World => "",
                };
                format!("{world}{}: {what}{set_back}{}", place(&name, edit), labels(edit))
            }
        };
        let within = if difference.class == Class::Known { " (within)" } else { "" };
        Self { class: difference.class, text: one_line(&format!("{text}{within}")), inside }
    }
}

/// The name of the subject of a difference.
pub(super) fn subject(difference: &Difference<'_>) -> String {
    let address = cut(difference.address, MAX_NAME_LEN);
    let name = match difference.subject {
        Subject::Resource => address,
        Subject::Drift => format!("{address} (changed outside of the tool)"),
        Subject::Deferred | Subject::DeferredInvocation => format!("{address} (put off)"),
        Subject::Output => format!("output.{address}"),
        Subject::Variable => format!("var.{address}"),
        Subject::Invocation => address,
        Subject::ProviderConfiguration => format!("provider {address}:"),
        Subject::Plan => "the plan:".to_owned(),
        Subject::Run => "the run:".to_owned(),
    };
    if difference.deposed.is_empty() {
        name
    } else {
        format!("{name} (deposed {})", cut(difference.deposed, MAX_VALUE_LEN))
    }
}

fn place(name: &str, edit: &Edit<'_>) -> String {
    let path = text::path_below("", edit.path);
    if path.is_empty() { name.to_owned() } else { format!("{name} {}", cut(&path, MAX_NAME_LEN)) }
}

fn is_hidden(edit: &Edit<'_>) -> bool {
    let is_redacted = |slot: Slot<'_>| slot.value().is_some_and(MarkedValue::is_redacted);
    is_redacted(edit.before) && is_redacted(edit.after)
}

/// The approved value and the current one.
fn values(edit: &Edit<'_>, from: Option<(MarkedValue<'_>, MarkedValue<'_>)>) -> String {
    if edit.labels.contains(Label::Moved) {
        return format!("{} is at another place in the list", slot(edit.before));
    }
    if edit.labels.contains(Label::Sensitivity) {
        let word =
            |slot: Slot<'_>| if slot.value().is_some_and(|value| value.is_sensitive) { "" } else { "not " };
        let differs = if word(edit.before) == word(edit.after) {
            "the sensitive parts differ".to_owned()
        } else {
            format!("approved as {}sensitive, now {}sensitive", word(edit.before), word(edit.after))
        };
        return differs;
    }
    if is_hidden(edit) {
        return "(sensitive value) differs".to_owned();
    }
    if edit.before.value().is_some_and(MarkedValue::is_unknown) {
        return format!("was known after apply, is now {}", slot(edit.after));
    }
    let (approved, now) = both(edit.before, edit.after);
    let shown = |value: MarkedValue<'_>, to: &str| match value.content {
        Content::Null => to.to_owned(),
        Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_)
        | Content::Object(_) => format!("{} -> {to}", text::short(value, MAX_VALUE_LEN / 2)),
    };
    match from {
        Some((old, new)) if !edit.path.is_empty() => {
            format!("approved {}, now {}", shown(old, &approved), shown(new, &now))
        }
        Some(_) | None => format!("approved {approved}, now {now}"),
    }
}

/// The labels of a difference.
fn labels(edit: &Edit<'_>) -> String {
    let names: Vec<&str> = edit
        .labels
        .iter()
        .filter(|label| {
            !matches!(label, Label::Moved | Label::Sensitivity | Label::NotInSchema | Label::Empty)
        })
        .map(Label::name)
        .collect();
    let notes = edit.notes.iter().map(|note| note.text());
    let all: Vec<&str> = names.into_iter().chain(notes).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}

fn slot(slot: Slot<'_>) -> String {
    slot.value().map_or_else(|| "not set".to_owned(), |value| text::short(value, MAX_VALUE_LEN))
}

/// Two values, truncated so that their difference is visible.
fn both(one: Slot<'_>, other: Slot<'_>) -> (String, String) {
    let (Some(a), Some(b)) =
        (one.value().and_then(MarkedValue::as_str), other.value().and_then(MarkedValue::as_str))
    else {
        return (slot(one), slot(other));
    };
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    if common <= MAX_VALUE_LEN / 2 {
        return (slot(one), slot(other));
    }
    let around = |text: &str| {
        let rest: String = text.chars().skip(common - KEPT).take(MAX_VALUE_LEN).collect();
        let is_cut = text.chars().nth(common - KEPT + MAX_VALUE_LEN).is_some();
        format!("…{}{}", crate::text::quote(&rest), if is_cut { "…" } else { "" })
    };
    (around(a), around(b))
}

/// The differences between the documents embedded in both values.
fn inside_lines(edit: &Edit<'_>) -> Vec<String> {
    let Some(mut inside) = edit.inside else { return Vec::new() };
    while let [only] = inside.edits
        && let (true, Some(deeper)) = (only.path.is_empty(), only.inside)
    {
        inside = deeper;
    }
    let shown = inside.edits.iter().take(MAX_INSIDE).map(|edit| {
        let path = text::path_below("", edit.path);
        one_line(&format!("{}: {}{}", cut(&path, MAX_NAME_LEN), values(edit, None), labels(edit)))
    });
    let more = inside.edits.len().saturating_sub(MAX_INSIDE);
    let more = (more > 0).then(|| format!("… {} inside", count(more, "more difference")));
    shown.chain(more).collect()
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}
