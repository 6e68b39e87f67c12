//! Reads schema files named by the command line and the environment, and plans for use with them.

use std::path::PathBuf;

use anyhow::Context;

use super::Host;
use super::input::{self, Document, Source};
use super::message::with_tip;
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

/// Adds the schemas in the documents.
pub(super) fn add<'s>(schemas: &mut Schemas<'s>, documents: &'s [Document]) -> anyhow::Result<()> {
    for document in documents {
        schemas.add(document.text()).map_err(|error| match error {
            Error::Json(error) => document.fault(&error).context(LOADING),
            Error::NotASchema(_) | Error::Version(_) | Error::Shape { .. } => {
                anyhow::anyhow!("{LOADING}: cannot read {}: {error}", document.source())
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
    added.map_err(|error| anyhow::anyhow!("cannot read the schemas embedded in {name}: {error}"))
}

/// The tool that wrote the documents, if they say.
pub(super) fn tool(documents: &[Document]) -> Option<Tool> {
    documents.iter().find_map(|document| Tool::from_schemas(document.text()))
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
