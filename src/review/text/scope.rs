//! The scope in which edits are written: an entry, an output, or a document in one of them.
//!
//! ```text
//! edits of aws_instance.web     Scope { entry: Some(…), base: "", depth: 0, … }
//! edits of output "url"         Scope { entry: Some(…), base: "url", depth: 0, … }
//! edits of a JSON string in it  Scope { entry: None, base: "", depth: 1, … }
//! ```

use super::finding::FindingAt;
use crate::review::Options;
use crate::review::entry::Entry;

/// The subject of edits, and the layout of their lines.
#[derive(Clone, Copy)]
pub(super) struct Scope<'o> {
    /// The entry whose edits are written; `None` for the edits of a document in an entry.
    pub(super) entry: Option<&'o Entry<'o>>,
    /// The name of the output, with which paths begin; empty for other entries.
    pub(super) base: &'o str,
    /// The indentation of the lines.
    pub(super) depth: usize,
    /// The findings to mention, with paths relative to the value whose edits are written.
    pub(super) findings: &'o [FindingAt<'o>],
    /// The options of the review.
    pub(super) options: &'o Options,
}
