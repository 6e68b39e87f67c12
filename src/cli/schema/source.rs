//! The sources of schemas for `list`, `show` and `search`.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use bumpalo::Bump;

use crate::cli::input::{self, Document, Source};
use crate::cli::settings::Settings;
use crate::cli::{Host, schemas};
use crate::schema::catalog::{Catalog, Entry};
use crate::schema::{self, Error};
use crate::schema_view;

/// The texts of schemas, from files or the cache.
pub(super) enum Texts {
    Files(Vec<Document>),
    Cache(Vec<String>),
}

impl Texts {
    /// The texts named by the command line or the environment, otherwise those that are stored, otherwise the
    /// built-in schemas: all, or those of the types with these names if there are any.
    pub(super) fn read(settings: &Settings, names: &[&str], host: &Host) -> anyhow::Result<Self> {
        if !settings.schemas.is_empty() {
            return Ok(Self::Files(read_files(&settings.schemas, host)?));
        }
        if !settings.cached_schemas {
            bail!(
                "there are no schemas to read\n  tip: name a file that `tofu providers schema -json` wrote with \
                 --schemas, or keep schemas with `tfview schema add`"
            );
        }
        let folder = schemas::folder(host);
        let cached = folder.map(|folder| schemas::all_stored(&folder, host)).unwrap_or_default();
        if !cached.is_empty() {
            return Ok(Self::Cache(cached));
        }
        host.note(
            "these are the built-in schemas, without descriptions\n  tip: for your providers: `terraform providers schema -json | tfview schema add -`",
        );
        let is_enough = !names.is_empty() && names.iter().all(|name| schema::has_built_in(name));
        Ok(Self::Cache(vec![schema::built_in_document(is_enough.then_some(names))]))
    }

    /// The schemas in them.
    pub(super) fn entries(&self, host: &Host) -> anyhow::Result<Vec<Entry<'_>>> {
        let mut catalog = Catalog::new();
        match self {
            Self::Files(files) => {
                for file in files {
                    add(&mut catalog, file)?;
                }
            }
            Self::Cache(texts) => {
                for text in texts {
                    catalog.add(text).map_err(|error| anyhow!("cannot read the stored schemas: {error}"))?;
                }
            }
        }
        note_unknown(&catalog, host);
        Ok(catalog.into_entries())
    }
}

/// Reads schema files; `-` is standard input.
pub(super) fn read_files(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Document>> {
    files.iter().map(|file| input::read(Source::new(Some(file), host)?, host)).collect()
}

/// Adds a file to a catalog.
pub(super) fn add<'d>(catalog: &mut Catalog<'d>, document: &'d Document) -> anyhow::Result<()> {
    catalog.add(document.text()).map_err(|error| match error {
        Error::Json(error) => document.fault(&error),
        Error::NotASchema(_) | Error::Version(_) | Error::Shape { .. } => {
            anyhow!("cannot read {}: {error}", document.source())
        }
    })
}

/// Writes a note about unknown parts of a file.
pub(super) fn note_unknown(catalog: &Catalog<'_>, host: &Host) {
    if let Some(first) = catalog.unknown().first() {
        let more = match catalog.unknown().len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        host.note(&format!("{first}{more}: not a kind of schema that this version knows, so left out"));
    }
}

/// Parses the schemas of entries. Malformed ones are noted and left out.
pub(super) fn documents<'a>(
    entries: Vec<Entry<'a>>,
    arena: &'a Bump,
    host: &Host,
) -> (Vec<schema_view::Document<'a>>, bool) {
    const NOTED: usize = 3;
    let mut failed = 0;
    let mut documents = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.schema(arena) {
            Ok(schema) => documents.push(schema_view::Document { entry, schema }),
            Err(error) => {
                failed += 1;
                if failed <= NOTED {
                    host.error(&format!("cannot read a schema: {error}"));
                }
            }
        }
    }
    if failed > NOTED {
        host.error(&format!("{} more schemas cannot be read", failed - NOTED));
    }
    (documents, failed > 0)
}
