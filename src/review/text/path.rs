//! Paths of edits as text. Elements are identified by a key or by their indices.

use std::borrow::Cow;

use super::value;
use crate::diff::edits::{Edit, Element, Path, Step};
use crate::text::{is_identifier, key};

/// The maximum length of a key's value, in characters. With a longer one, elements are identified by index.
const MAX_KEY_LEN: usize = 60;
/// The maximum length of names, in bytes.
const MAX_NAME_LEN: usize = 80;
/// The maximum number of steps. Longer paths are shortened in the middle.
const MAX_STEPS: usize = 16;

/// The text of a path below `base` (the name of an output, or nothing).
pub(crate) fn text(base: &str, path: Path<'_>) -> String {
    let mut text = base.to_owned();
    let steps = path.steps();
    let hidden = if steps.len() > MAX_STEPS { steps.len() - MAX_STEPS } else { 0 };
    for (at, step) in steps.iter().enumerate() {
        if hidden > 0 && at == MAX_STEPS / 2 {
            text.push_str(&format!("…({hidden} levels)…"));
        }
        if hidden == 0 || at < MAX_STEPS / 2 || at >= MAX_STEPS / 2 + hidden {
            push(&mut text, step);
        }
    }
    text
}

fn push(text: &mut String, step: &Step<'_>) {
    match step {
        Step::Name(name) => push_name(text, name),
        Step::Element(found) => text.push_str(&format!("[{}]", element(found))),
        Step::Document(format) => text.extend([":", format.name()]),
    }
}

/// The text of the path of a moved element: with its indices, even if a key identifies it.
pub(super) fn moved(base: &str, path: Path<'_>) -> String {
    let (Some(parent), Some(Step::Element(found))) = (path.parent(), path.last()) else {
        return text(base, path);
    };
    let places = element(&Element { key: None, ..found });
    let name = element(&found);
    let list = text(base, parent);
    if name == places { format!("{list}[{places}]") } else { format!("{list}[{name}, {places}]") }
}

/// Adds a name to a path.
pub(super) fn push_name(text: &mut String, name: &str) {
    let short = short_name(name);
    if text.is_empty() {
        text.push_str(&key(&short));
    } else if is_identifier(&short) {
        text.extend([".", &short]);
    } else {
        text.push_str(&format!("[{}]", crate::text::quote(&short)));
    }
}

/// A name, truncated if it is very long. The omitted part is not counted, because many paths may contain
/// the same long name.
fn short_name(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_NAME_LEN {
        return Cow::Borrowed(name);
    }
    let end = (0..=MAX_NAME_LEN).rev().find(|at| name.is_char_boundary(*at)).unwrap_or_default();
    Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default()))
}

/// A single name, as in paths.
pub(crate) fn name(name: &str) -> String {
    key(&short_name(name)).into_owned()
}

/// Whether two names are equal. Checks first whether they are the same text in memory, because many paths may
/// contain the same long name.
pub(crate) fn is_same_name(name: &str, other: &str) -> bool {
    (name.len() == other.len() && std::ptr::eq(name.as_ptr(), other.as_ptr())) || name == other
}

/// The text for an element: its key, or its indices.
pub(super) fn element(element: &Element<'_>) -> String {
    if let Some(found) = element.key
        && found.name.len() <= MAX_NAME_LEN
        && let Some(text) = value::inline_to(found.value, usize::MAX, MAX_KEY_LEN)
    {
        return format!("{}={text}", key(found.name));
    }
    match (element.before, element.after) {
        (Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
        (Some(place), _) | (None, Some(place)) => place.to_string(),
        (None, None) => String::new(),
    }
}

/// The names of a path joined by dots, as for `--ignore-attr`, without indices.
pub(super) fn names(base: &str, path: Path<'_>) -> String {
    let steps = path.steps();
    let names = steps.iter().filter_map(|step| if let Step::Name(name) = step { Some(*name) } else { None });
    [base].into_iter().chain(names).skip_while(|name| name.is_empty()).collect::<Vec<_>>().join(".")
}

/// The attribute or block that an edit is in; empty for an edit of the whole object.
pub(crate) fn root_name<'a>(edit: &Edit<'a>) -> &'a str {
    root_of(edit.path)
}

/// The attribute or block that a path begins with; empty for the path of the whole object.
pub(crate) fn root_of(mut path: Path<'_>) -> &str {
    while let Some(parent) = path.parent() {
        if parent.is_empty() {
            return if let Some(Step::Name(name)) = path.last() { name } else { "" };
        }
        path = parent;
    }
    ""
}
