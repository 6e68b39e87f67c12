//! The schemas for a document: those in the files that the command line and the environment name, those that it brings,
//! and stored ones.
//!
//! Invariants: of stored schemas, only the types that a document needs are read; a stored file that is unreadable,
//! damaged or of another version causes a warning, never a failure.

mod stored;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::Host;
use super::host::with_tip;
use super::input::{self, Document, Source};
use super::settings::Settings;
use crate::dialect::Tool;
use crate::json::Raw;
use crate::model::plan::Plan;
use crate::model::state::{Module, StateDocument};
use crate::schema::catalog::SchemaKind;
use crate::schema::{Error, Schemas};
use crate::text::{count, first_of};
pub(super) use stored::{add as add_stored, all as all_stored, checksum, read as read_stored};

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

/// The schemas in the files, those that the document `name` brings, and the stored ones for it.
pub(super) fn at_hand<'s>(
    files: &'s [Document],
    brought: Option<Raw<'s>>,
    stored: Option<&'s Cached>,
    name: &str,
) -> anyhow::Result<Schemas<'s>> {
    let mut schemas = Schemas::new();
    add(&mut schemas, files)?;
    if let Some(brought) = brought {
        let added = schemas.add_provider_schemas(brought);
        added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))?;
    }
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

/// The types that a document needs: provider, kind, name.
pub(super) type Needed = BTreeSet<(String, SchemaKind, String)>;

/// The folder of stored schemas, if the user has a data directory.
pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    host.environment.data_home.as_deref().map(|home| home.join("tfview").join("schemas"))
}

/// Stored schemas for one document.
#[derive(Debug, Default)]
pub(super) struct Cached {
    /// A text for each provider, and what it is.
    texts: Vec<(String, String)>,
    /// Other schemas have the layout, so these only add what is sensitive.
    is_for_marks: bool,
}

impl Cached {
    /// Reads the schemas that a plan needs.
    pub(super) fn for_plan(plan: &Plan<'_>, settings: &Settings, host: &Host) -> Self {
        Self::new(&needed_by_plan(plan), plan.provider_schemas.is_some(), settings, host)
    }

    /// Reads the schemas that a state needs.
    pub(super) fn for_state(state: &StateDocument<'_>, settings: &Settings, host: &Host) -> Self {
        let mut needed = Needed::new();
        state.root().into_iter().for_each(|root| add_module(root, &mut needed));
        Self::new(&needed, state.provider_schemas.is_some(), settings, host)
    }

    /// Reads the schemas of these types: provider, mode (or `action`), type.
    pub(super) fn for_types(
        types: impl IntoIterator<Item = (String, String, String)>,
        settings: &Settings,
        host: &Host,
    ) -> Self {
        let needed = types
            .into_iter()
            .filter_map(|(provider, mode, name)| Some((provider, SchemaKind::from_mode(&mode)?, name)));
        Self::new(&crate::sort::set(needed), false, settings, host)
    }

    /// `has_own`: whether the document brings schemas, which stored ones do not replace.
    fn new(needed: &Needed, has_own: bool, settings: &Settings, host: &Host) -> Self {
        let folder = folder(host).filter(|_| settings.cached_schemas);
        let texts = folder.map(|folder| read_stored(&folder, needed, host));
        Self { texts: texts.unwrap_or_default(), is_for_marks: has_own || !settings.schemas.is_empty() }
    }

    /// Adds the stored schemas to `schemas`.
    pub(super) fn add_to<'s>(&'s self, schemas: &mut Schemas<'s>) {
        for (text, _) in &self.texts {
            // `read_stored` has already rejected texts that would be rejected here, and warned.
            let added = if self.is_for_marks { schemas.add_marks(text) } else { schemas.add_stored(text) };
            debug_assert!(added.is_ok());
        }
    }

    /// Writes notes about the schemas that are used for the layout.
    pub(super) fn note(&self, host: &Host) {
        for (_, described) in self.texts.iter().filter(|_| !self.is_for_marks) {
            host.note(&format!("using the stored schema of {described}; --schemas none turns that off"));
        }
    }
}

/// The types that a plan needs.
pub(super) fn needed_by_plan(plan: &Plan<'_>) -> Needed {
    let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
    let changes = plan.resource_changes.iter().chain(&plan.resource_drift).chain(deferred);
    let mut needed = crate::sort::set(changes.filter_map(|change| {
        Some((
            change.provider_name.to_string(),
            SchemaKind::from_mode(&change.mode)?,
            change.resource_type.to_string(),
        ))
    }));
    needed.extend(plan.actions().map(|action| {
        (action.provider_name.to_string(), SchemaKind::Action, action.action_type.to_string())
    }));
    needed
}

fn add_module(module: &Module<'_>, needed: &mut Needed) {
    for resource in &module.resources {
        if let Some(kind) = SchemaKind::from_mode(&resource.mode) {
            needed.insert((resource.provider_name.to_string(), kind, resource.resource_type.to_string()));
        }
    }
    module.child_modules.iter().for_each(|child| add_module(child, needed));
}
