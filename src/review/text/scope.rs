//! Whose edits are written, and how.
//!
//! ```text
//! edits of aws_instance.web     Scope { entry: Some(…), base: "", depth: 0, … }
//! edits of output "url"         Scope { entry: Some(…), base: "url", depth: 0, … }
//! edits of a JSON string in it  Scope { entry: None, base: "", depth: 1, … }
//! ```

use super::finding::FindingAt;
use crate::review::Options;
use crate::review::entry::Entry;

/// What is written, and where.
#[derive(Clone, Copy)]
pub(super) struct Scope<'o> {
    /// Without an entry, the edits are those of a document in one.
    pub(super) entry: Option<&'o Entry<'o>>,
    /// The name of an output, or empty.
    pub(super) base: &'o str,
    /// The indentation of the lines.
    pub(super) depth: usize,
    /// The findings to say, with paths relative to the value whose edits are written.
    pub(super) findings: &'o [FindingAt<'o>],
    /// What is shown, and in which width.
    pub(super) options: &'o Options,
}
