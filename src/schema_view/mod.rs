//! Writes schemas, findings and differences of schemas as text, Markdown and JSON.
//!
//! A view is a list of blocks, which are written as text and as Markdown in this module; each view makes its JSON
//! itself. Invariant: all text from a schema file is written as [`Untrusted`](crate::term::Untrusted) data, or escaped
//! for the output format.

mod json;
mod table;
mod views;

use std::io;

use crate::schema::catalog::{About, Body, Entry, Member, Schema};
use crate::term::TextPart::{Lit, StyledData};
use crate::term::{Out, Role, visible};
use crate::text::code_span;
use crate::text::{one_line, wrap};
use table::MemberRow;

pub use views::{Checked, PlacedFinding, Query, SearchHit, counts};

/// A view of schemas: a list, a search, a check or a comparison.
pub trait View {
    /// Returns the blocks, from the first to the last.
    fn blocks(&self) -> Vec<ViewBlock>;

    /// Returns the view as JSON. The document ends with a line break.
    ///
    /// # Errors
    ///
    /// If the view cannot be serialized.
    fn json(&self) -> io::Result<String>;

    /// Writes the view as text that is `width` columns wide. There is an empty line between blocks that do not belong
    /// together.
    ///
    /// # Errors
    ///
    /// If writing fails.
    fn text(&self, out: &mut Out<'_>, width: usize) -> io::Result<()> {
        let blocks = self.blocks();
        let mut before: Option<&ViewBlock> = None;
        for block in &blocks {
            let follows = match (before, block) {
                (None, _) | (Some(ViewBlock::Line(_)), ViewBlock::Line(_)) => true,
                (Some(ViewBlock::Title(level, _)), ViewBlock::Table(_)) => *level > 2,
                (Some(_), _) => false,
            };
            out.lit(if follows { "" } else { "\n" })?;
            block.text(out, width)?;
            before = Some(block);
        }
        Ok(())
    }

    /// Returns the view as Markdown.
    fn markdown(&self) -> String {
        self.blocks()
            .iter()
            .map(ViewBlock::markdown)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// A block of a view.
#[derive(Debug)]
pub enum ViewBlock {
    /// A heading. Its level is 2 for a schema, and 3 for a group of rows.
    Title(usize, Vec<Word>),
    /// Words on one line.
    Line(Vec<Word>),
    /// A text that is wrapped.
    Paragraph(Role, String),
    /// Members in columns.
    Table(Vec<MemberRow>),
}

/// A piece of a line, with the role that styles it in text.
#[derive(Debug)]
pub enum Word {
    /// Words of tfview.
    Own(Role, String),
    /// A name, which is code in Markdown.
    Code(Role, String),
    /// Words that contain data from the file.
    Text(Role, String),
}

impl ViewBlock {
    /// Writes a block as text that is `width` columns wide.
    fn text(&self, out: &mut Out<'_>, width: usize) -> io::Result<()> {
        match self {
            Self::Title(_, words) | Self::Line(words) => {
                for word in words {
                    let (Word::Own(role, text) | Word::Code(role, text) | Word::Text(role, text)) =
                        word;
                    out.parts(&[StyledData(*role, &one_line(text))])?;
                }
                out.lit("\n")
            }
            Self::Paragraph(role, text) => wrapped(text, width)
                .iter()
                .try_for_each(|line| out.parts(&[StyledData(*role, line), Lit("\n")])),
            Self::Table(rows) => table::write(out, rows, width),
        }
    }

    /// Returns a block as Markdown.
    fn markdown(&self) -> String {
        let line = |words: &[Word]| {
            let word = |word: &Word| match word {
                Word::Own(_, text) => text.clone(),
                Word::Code(_, text) => code(text),
                Word::Text(_, text) => cell(text),
            };
            words.iter().map(word).collect::<String>()
        };
        match self {
            Self::Title(level, words) => format!("{} {}\n", "#".repeat(*level), line(words)),
            Self::Line(words) => format!("{}\n", line(words)),
            Self::Paragraph(_, text) => {
                let paragraphs = text
                    .split("\n\n")
                    .map(cell)
                    .filter(|paragraph| !paragraph.is_empty());
                paragraphs.collect::<Vec<_>>().join("\n\n") + "\n"
            }
            Self::Table(rows) => {
                let rows: String = rows.iter().map(MemberRow::markdown).collect();
                format!("| Name | Type | Usage | Description |\n| --- | --- | --- | --- |\n{rows}")
            }
        }
    }
}

/// A schema with its name.
#[derive(Debug)]
pub struct Document<'a> {
    /// The name and the kind of the schema, and its provider.
    pub entry: Entry<'a>,
    /// The schema itself.
    pub schema: Schema<'a>,
}

impl<'a> Document<'a> {
    /// Returns the summary, which only functions have.
    fn summary(&self) -> Option<&'a str> {
        match &self.schema.body {
            Body::Function(function) => function.summary,
            Body::Members(_) => None,
        }
    }
}

/// A schema, or a part of one.
#[derive(Debug)]
pub struct Selected<'d, 'a> {
    /// The schema that has the part.
    pub document: &'d Document<'a>,
    /// The path of the part, and the member there.
    pub part: Option<(String, &'d Member<'a>)>,
}

impl<'d, 'a> Selected<'d, 'a> {
    /// Returns the selected member, if a part of the schema is selected.
    fn member(&self) -> Option<&'d Member<'a>> {
        self.part.as_ref().map(|(_, member)| *member)
    }

    /// Returns the path of the part after a dot; empty for a whole schema.
    fn dotted_path(&self) -> String {
        self.part
            .as_ref()
            .map_or_else(String::new, |(path, _)| format!(".{path}"))
    }

    /// Returns the description and the deprecation of the selected part.
    fn about(&self) -> &'d About<'a> {
        self.member()
            .map_or(&self.document.schema.about, |member| &member.about)
    }

    /// Returns the members of the selected part; a function has none.
    fn members(&self) -> &'d [Member<'a>] {
        match (self.member(), &self.document.schema.body) {
            (Some(member), _) => &member.members,
            (None, Body::Members(members)) => members,
            (None, Body::Function(_)) => &[],
        }
    }
}

/// Wraps a description. As in Markdown, single line breaks are spaces and an empty line ends a
/// paragraph. List items and indented lines stay on their own lines.
fn wrapped(description: &str, width: usize) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut begins = true;
    for line in description.lines() {
        let trimmed = line.trim();
        let own_line =
            trimmed.starts_with(['-', '*', '#', '|', '>', '`']) || line.starts_with("  ");
        match paragraphs.last_mut() {
            _ if trimmed.is_empty() => begins = true,
            Some(last) if !begins && !own_line => {
                last.push(' ');
                last.push_str(trimmed);
            }
            Some(_) | None => {
                paragraphs.push(trimmed.to_owned());
                begins = false;
            }
        }
    }
    let lines = |paragraph: &String| {
        wrap(&visible(paragraph), width.max(20))
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    paragraphs.iter().flat_map(lines).collect()
}

/// Returns a text on one line as code in Markdown; empty if there is nothing to see.
fn code(text: &str) -> String {
    let text = visible(&text.replace(['\n', '\r'], " "));
    if text.trim().is_empty() {
        String::new()
    } else {
        code_span(&text)
    }
}

/// Returns a text on one line, escaped for a cell of a table or a paragraph in Markdown.
fn cell(text: &str) -> String {
    text.split_whitespace()
        .map(escaped)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Escapes a text for Markdown. Descriptions are untrusted Markdown, which is shown but not interpreted, so that it can
/// neither end a cell nor add images, links, mentions or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!'
            | '|' | '~' | '=' => {
                out.push('\\');
                out.push(c);
            }
            '.' if out.chars().all(|c| c.is_ascii_digit()) => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
