//! The changes of a review as lines of text, which the terminal and Markdown formats write.
//!
//! Nothing is compared, decoded or parsed here: the walk goes over entries and their edits. Invariants:
//! every edit is shown, named or counted, and recorded as such; no line is longer than a bounded number
//! of characters, and whatever is cut says how much; the work is linear in the size of the edits.

use super::edit::{Edit, Path};

mod access;
mod addresses;
mod causes;
mod document;
mod edits;
mod entry;
mod outputs;
mod path;
mod remarks;
mod repeats;
mod summary;
mod unchanged;
mod value;
mod words;

pub(super) use addresses::compact;
pub(super) use causes::cause_tree;
pub(super) use entry::{EntryText, edits_text, entry_text, explains_causes, invocation_text};
pub(super) use outputs::outputs_text;
pub(super) use path::{is_same_name, name, root_name};
pub(crate) use value::short;

/// The path of an edit as text.
pub(super) fn path_text(edit: &Edit<'_>) -> String {
    path::text("", edit.path)
}

/// A path as text, below `base` (the name of an output, or nothing).
pub(crate) fn path_below(base: &str, path: Path<'_>) -> String {
    path::text(base, path)
}

/// The names of a path joined by dots; places in lists are left out.
pub(crate) fn path_names(path: Path<'_>) -> String {
    path::names("", path)
}

/// What is cut from a text is counted.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}…({})", super::count(rest.chars().count(), "more character"))
        }
    }
}
