//! Finds edits that repeat others: numbers that move by the same amount, and attributes with the edits of another one.
//!
//! ```text
//! rule[0].priority 1 -> 2, rule[1].priority 2 -> 3, rule[2].priority 3 -> 4    3 × rule[*].priority +1
//! ```

use std::collections::HashMap;

use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::review::paths::{self, is_same_name, root_name};

/// The minimum number of equal moves of numbers that are written as one.
const MIN_RENUMBERED: usize = 3;

/// Returns the edits of numbers with the same name that move by the same amount, by their indices, with the words for
/// the move: `rule[*].priority +1`.
pub(super) fn renumbered(edits: &[Edit<'_>]) -> HashMap<usize, String> {
    let mut by_numbers: HashMap<(String, i64), Vec<usize>> = HashMap::new();
    for (index, edit) in edits.iter().enumerate() {
        let number = |side: Option<MarkedValue<'_>>| match side?.content {
            Content::Number(text) => text.parse::<i64>().ok(),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::String(_)
            | Content::Array(_)
            | Content::Object(_) => None,
        };
        let is_in_list = edit.path.len() > 1;
        if let (Some(before), Some(after), true) =
            (number(edit.before), number(edit.after), is_in_list)
            && let Some(difference) = after.checked_sub(before)
        {
            let pattern = pattern(edit.path);
            by_numbers
                .entry((pattern, difference))
                .or_default()
                .push(index);
        }
    }
    let mut words = HashMap::new();
    for ((pattern, difference), places) in by_numbers {
        if places.len() >= MIN_RENUMBERED {
            let text = format!("{pattern} {difference:+}");
            words.extend(places.into_iter().map(|index| (index, text.clone())));
        }
    }
    words
}

/// Returns a path without the indices and keys of elements: `rule[*].priority`.
fn pattern(path: Path<'_>) -> String {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            Step::Name(name) => paths::push_name(&mut text, name),
            Step::Element(_) => text.push_str("[*]"),
            Step::Document(_) => {}
        }
    }
    text
}

/// Returns the attributes that repeat the edits of another one, with the name of that: `tags_all` repeats `tags`.
pub(super) fn repeats<'a>(edits: &[Edit<'a>]) -> HashMap<&'a str, &'a str> {
    let mut earlier: HashMap<&str, &[Edit<'a>]> = HashMap::new();
    let mut repeated = HashMap::new();
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let name = group.first().map_or("", root_name);
        let other = name
            .strip_suffix("_all")
            .or_else(|| name.strip_prefix("effective_"))
            .or_else(|| name.strip_suffix("_parsed"));
        if let Some((other, same)) = other.and_then(|other| earlier.get_key_value(other))
            && is_same_below(same, group)
        {
            repeated.insert(name, *other);
        }
        earlier.insert(name, group);
    }
    repeated
}

/// Whether two attributes have the same edits, of themselves or of their members.
fn is_same_below(edits: &[Edit<'_>], others: &[Edit<'_>]) -> bool {
    let is_same = |(edit, other): (&Edit<'_>, &Edit<'_>)| {
        let is_same_member = match (edit.path.last(), other.path.last()) {
            (Some(Step::Name(name)), Some(Step::Name(other))) => is_same_name(name, other),
            _ => false,
        };
        let is_root = edit.path.len() == 1 && other.path.len() == 1;
        (is_same_member || is_root)
            && edit.path.len() == other.path.len()
            && edit.path.len() <= 2
            && (edit.before, edit.after) == (other.before, other.after)
            && (edit.labels, edit.replaces) == (other.labels, other.replaces)
    };
    edits.len() == others.len() && edits.iter().zip(others).all(is_same)
}
