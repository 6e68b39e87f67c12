//! The schemas for a document: those in the files that the command line and the environment name, those that it brings,
//! and stored ones.

use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::Host;
use super::cache::Cached;
use super::host::with_tip;
use super::input::{self, Document, Source};
use crate::dialect::Tool;
use crate::json::Raw;
use crate::schema::{Error, Schemas};
use crate::text::{count, first_of};

/// What an error in a file of schemas prevents.
const LOADING: &str = "cannot load schemas";

/// Reads the files. Their texts must outlive the schemas that [`add`] adds.
pub(super) fn read(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Document>> {
    files.iter().map(|file| input::read(Source::File(file.clone()), host).context(LOADING)).collect()
}

/// Adds the schemas in the files.
pub(super) fn add<'s>(schemas: &mut Schemas<'s>, files: &'s [Document]) -> anyhow::Result<()> {
    for document in files {
        schemas.add(document.text()).map_err(|error| match error {
            Error::Json(error) => document.fault(&error).context(LOADING),
            Error::NotASchema(_) | Error::Version(_) | Error::Shape { .. } => {
                anyhow!("{LOADING}: cannot read {}: {error}", document.source())
            }
        })?;
    }
    Ok(())
}

/// Adds the schemas embedded in the document with this name.
pub(super) fn add_embedded<'s>(
    schemas: &mut Schemas<'s>,
    embedded: Option<Raw<'s>>,
    name: &str,
) -> anyhow::Result<()> {
    let added = embedded.map_or(Ok(()), |embedded| schemas.add_provider_schemas(embedded));
    added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))
}

/// The schemas in the files, those that the document `name` brings, and the stored ones for it.
pub(super) fn at_hand<'s>(
    files: &'s [Document],
    brought: Option<Raw<'s>>,
    stored: Option<&'s Cached>,
    name: &str,
) -> anyhow::Result<Schemas<'s>> {
    let mut schemas = Schemas::new();
    add(&mut schemas, files)?;
    add_embedded(&mut schemas, brought, name)?;
    if let Some(stored) = stored {
        stored.add_to(&mut schemas);
    }
    Ok(schemas)
}

/// The tool that wrote the files, if they say.
pub(super) fn tool(files: &[Document]) -> Option<Tool> {
    files.iter().find_map(|document| Tool::from_schemas(document.text()))
}

/// The first few names, and the number of the others.
pub(super) fn some_of(names: &[String]) -> String {
    first_of(names, 3)
}

/// The note about types without a schema, with a tip.
pub(super) fn missing(types: &[String], command: &str) -> String {
    with_tip(
        &format!(
            "no schema for {} ({}): their layout is a guess",
            count(types.len(), "type"),
            some_of(types)
        ),
        &format!(
            "`{command} providers schema -json | tfview schema add -`, in the directory of the configuration"
        ),
    )
}
