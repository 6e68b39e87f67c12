//! The changes of a review as lines of text, which the terminal and Markdown formats write.
//!
//! Nothing is compared, decoded or parsed here: the walk goes over entries and their edits. Invariants:
//! every edit is shown, named or counted, and recorded as such; no line is longer than a bounded number
//! of characters, and whatever is cut says how much; the work is linear in the size of the edits.

use super::edit::Edit;

mod addresses;
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
pub(super) use entry::{EntryText, of_edits, of_entry, of_invocation};
pub(super) use outputs::of_outputs;
pub(super) use path::root_name;

/// The path of an edit as text.
pub(super) fn path_text(edit: &Edit<'_>) -> String {
    path::text("", edit.path)
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
