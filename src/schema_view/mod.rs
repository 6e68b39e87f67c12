//! Writes schemas, findings and differences of schemas as text, Markdown and JSON.
//!
//! Invariant: all text from a schema file is written as [`Untrusted`](crate::term::Untrusted) data, or
//! escaped for the output format.

mod check;
mod diff;
mod document;
mod json;
mod list;
mod markdown;
mod search;
mod table;
mod text;

use crate::schema::catalog::{Entry, Member, Schema};

pub use check::{Checked, check_json, check_markdown, check_text};
pub use diff::{diff_json, diff_markdown, diff_text};
pub use document::{show_json, show_markdown, show_text};
pub use list::{counts, list_json, list_markdown, list_text};
pub use search::{Query, SearchHit, search_json, search_markdown, search_text};

/// A schema and its catalog entry.
#[derive(Debug)]
pub struct Document<'a> {
    /// The provider, kind and name.
    pub entry: Entry<'a>,
    /// The schema.
    pub schema: Schema<'a>,
}

/// A schema, or a part of it.
#[derive(Debug)]
pub struct Selected<'d, 'a> {
    /// The schema.
    pub document: &'d Document<'a>,
    /// The path of the part, and the member there.
    pub part: Option<(String, &'d Member<'a>)>,
}
