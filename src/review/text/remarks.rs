//! Labels and notes of edits, in words.

use std::collections::HashSet;

use super::document;
use crate::diff::edits::{Edit, Label};
use crate::diff::value::MarkedValue;

/// The labels of an edit, in words.
pub(super) fn labels(edit: &Edit<'_>) -> Vec<&'static str> {
    edit.labels.iter().filter_map(|label| label_text(label, edit)).collect()
}

/// The notes of an edit, in words.
pub(super) fn notes(edit: &Edit<'_>) -> Vec<&'static str> {
    let inner = edit.inside.map(|inside| document::unwrapped(edit, inside).1.notes);
    let mut seen = HashSet::new();
    let all = edit.notes.iter().chain(inner.unwrap_or_default());
    all.map(|note| note.text()).filter(|note| seen.insert(*note)).collect()
}

/// The labels of an edit, except for some, and its notes, in words after it: ` (only white space differs)`.
pub(crate) fn remarks(edit: &Edit<'_>, except: &[Label]) -> String {
    let labels = edit.labels.iter().filter(|label| !except.contains(label));
    let mut words: Vec<&str> = labels.filter_map(|label| label_text(label, edit)).collect();
    words.extend(notes(edit));
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}

fn label_text(label: Label, edit: &Edit<'_>) -> Option<&'static str> {
    Some(match label {
        Label::Moved => "moved",
        Label::Sensitivity => match (is_marked(edit.before), is_marked(edit.after)) {
            (false, true) => "becomes sensitive; the value stays",
            (true, false) => "is no longer sensitive; the value stays",
            (true, true) | (false, false) => "only the sensitive marks differ",
        },
        // The values show it: `null -> ""`.
        Label::Empty => return None,
        Label::Case => "only upper and lower case differ",
        Label::Whitespace => "only white space differs",
        Label::Invisible => "only invisible characters differ",
        Label::UnicodeForm => "only the Unicode form differs",
        Label::Format => "the same JSON, written differently",
        Label::Order if edit.labels.contains(Label::Moved) => "order is not significant here",
        Label::Order => "only the order differs, which is not significant here",
        Label::TypeOnly => "only written as another type",
        Label::NotInSchema => "not in the schema",
    })
}

fn is_marked(side: Option<MarkedValue<'_>>) -> bool {
    side.is_some_and(|value| value.is_sensitive || value.is_hidden)
}
