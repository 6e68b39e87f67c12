//! The changes of a review as lines of text, for the terminal and Markdown formats.
//!
//! This module walks over entries and their edits; it compares, decodes and parses nothing. Invariants: every
//! edit is shown, named or counted, and recorded as such; the length of a line is bounded, and a truncated
//! line says how much is missing; the work is linear in the size of the edits.

use crate::diff::edits::Path;

mod access;
mod addresses;
mod beside;
mod causes;
mod document;
mod edits;
mod entry;
mod outputs;
mod path;
mod remarks;
mod repeats;
mod unchanged;
mod value;
mod words;

pub(super) use addresses::compact;
pub(super) use beside::{in_outputs, with_tool};
pub(super) use causes::cause_tree;
pub(crate) use document::unwrapped;
pub(super) use entry::{
    EntryText, edits_text, entry_text, explains_causes, invocation_text, outlier_text, summary_text,
};
pub(super) use outputs::outputs_text;
pub(crate) use path::text as path_text;
pub(super) use path::{is_same_name, name, root_name, root_of};
pub(crate) use remarks::remarks;
pub(crate) use value::short;

/// The names of a path joined by dots; places in lists are left out.
pub(crate) fn path_names(path: Path<'_>) -> String {
    path::names("", path)
}
