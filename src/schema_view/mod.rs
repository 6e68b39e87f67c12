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

use std::io;

use crate::schema::catalog::{About, Body, Entry, Member, Schema};
use crate::term::Out;

pub use check::Checked;
pub use list::counts;
pub use search::{Query, SearchHit};

/// What can be written as text, Markdown and JSON.
pub trait View {
    /// Writes it as text with lines of about `width` columns.
    ///
    /// # Errors
    /// If writing fails.
    fn text(&self, out: &mut Out<'_>, width: usize) -> io::Result<()>;
    /// Returns it as Markdown.
    fn markdown(&self) -> String;
    /// Returns it as a JSON document, with a line break at its end.
    ///
    /// # Errors
    /// If it cannot be serialized.
    fn json(&self) -> io::Result<String>;
}

/// A schema and its catalog entry.
#[derive(Debug)]
pub struct Document<'a> {
    /// The provider, kind and name.
    pub entry: Entry<'a>,
    /// The schema.
    pub schema: Schema<'a>,
}

impl<'a> Document<'a> {
    /// The summary of a function.
    fn summary(&self) -> Option<&'a str> {
        match &self.schema.body {
            Body::Function(function) => function.summary,
            Body::Members(_) => None,
        }
    }
}

/// A schema, or a part of it.
#[derive(Debug)]
pub struct Selected<'d, 'a> {
    /// The schema.
    pub document: &'d Document<'a>,
    /// The path of the part, and the member there.
    pub part: Option<(String, &'d Member<'a>)>,
}

impl<'d, 'a> Selected<'d, 'a> {
    fn member(&self) -> Option<&'d Member<'a>> {
        self.part.as_ref().map(|(_, member)| *member)
    }

    /// The path of the part after the name of the schema.
    fn dotted_path(&self) -> String {
        self.part.as_ref().map_or_else(String::new, |(path, _)| format!(".{path}"))
    }

    fn about(&self) -> &'d About<'a> {
        self.member().map_or(&self.document.schema.about, |member| &member.about)
    }

    fn members(&self) -> &'d [Member<'a>] {
        match (self.member(), &self.document.schema.body) {
            (Some(member), _) => &member.members,
            (None, Body::Members(members)) => members,
            (None, Body::Function(_)) => &[],
        }
    }
}
