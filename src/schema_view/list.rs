//! Views of `tfview schema list`: the available schemas.

use std::io;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::document::typed_name;
use super::json::{self, ListJson, NameJson};
use super::markdown::{self, cell, code_cell};
use super::text::{clipped, first_sentence, one_line, width};
use super::{Document, View};
use crate::schema::catalog::{Entry, SchemaKind};
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::{Out, Role};

/// A summary such as `2 resources, 1 data source`.
pub fn counts<'e>(entries: &(impl Iterator<Item = &'e Entry<'e>> + Clone)) -> String {
    let counted = SchemaKind::ALL.into_iter().filter_map(|kind| {
        let count = entries.clone().filter(|entry| entry.kind == kind).count();
        (count > 0).then(|| format!("{count} {}", kind.noun(count)))
    });
    counted.collect::<Vec<_>>().join(", ")
}

fn summary(document: &Document<'_>) -> String {
    first_sentence(document.summary().or(document.schema.about.description).unwrap_or_default())
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ListedJson<'s> {
    #[serde(flatten)]
    name: NameJson<'s>,
    /// What `tfview schema show` takes.
    shown_as: String,
    version: Option<u64>,
    description: Option<&'s str>,
    deprecated: bool,
}

impl View for [Document<'_>] {
    fn text(&self, out: &mut Out<'_>, total: usize) -> io::Result<()> {
        let kinds = self.iter().map(|document| document.entry.kind.word().len()).max().unwrap_or_default();
        let names = self.iter().map(|document| width(&document.entry.name)).max().unwrap_or_default();
        let names = names.min((total / 2).max(20));
        let mut provider = None;
        for document in self {
            let entry = &document.entry;
            if provider != Some(&*entry.provider) {
                out.lit(if provider.is_some() { "\n" } else { "" })?;
                out.parts(&[StyledData(Role::Strong, &one_line(&entry.provider)), Lit("\n")])?;
                provider = Some(&entry.provider);
            }
            let word = entry.kind.word();
            out.parts(&[Lit("  "), Styled(Role::Muted, word), Spaces(kinds - word.len() + 2)])?;
            out.parts(&[Data(&one_line(&entry.name))])?;
            let mut used = 2 + kinds + 2 + width(&entry.name);
            let mut gap = (kinds + names + 6).saturating_sub(used).max(2);
            if document.schema.about.deprecated.is_some() {
                out.parts(&[Spaces(gap), Styled(Role::Delete, "deprecated")])?;
                used += gap + "deprecated".len();
                gap = 1;
            }
            let description = summary(document);
            let room = total.saturating_sub(used + gap);
            if !description.is_empty() && room >= 12 {
                out.parts(&[Spaces(gap), StyledData(Role::Muted, &clipped(&description, room))])?;
            }
            out.lit("\n")?;
        }
        if self.is_empty() {
            return Ok(());
        }
        let counts = counts(&self.iter().map(|document| &document.entry));
        out.parts(&[Lit("\n"), Styled(Role::Muted, &counts), Lit("\n")])
    }

    fn markdown(&self) -> String {
        let mut text = markdown::table(&["Kind", "Name", "Provider", "Description"]);
        for document in self {
            let entry = &document.entry;
            let deprecated = if document.schema.about.deprecated.is_some() { "**deprecated** " } else { "" };
            text.push_str(&format!(
                "| {} | {} | {} | {deprecated}{} |\n",
                entry.kind.noun(1),
                code_cell(&entry.name),
                code_cell(&entry.provider),
                cell(&summary(document))
            ));
        }
        text
    }

    fn json(&self) -> io::Result<String> {
        let listed = self.iter().map(|document| ListedJson {
            name: NameJson::new(&document.entry),
            shown_as: typed_name(document.entry.kind, &document.entry.name),
            version: json::version(&document.schema),
            description: document.schema.about.description,
            deprecated: document.schema.about.deprecated.is_some(),
        });
        json::document(ListJson::List(listed.collect()))
    }
}
