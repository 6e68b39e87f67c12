//! Asks the tool for schemas that tfview does not have.
//!
//! Invariants: the answer is stored for a working directory and its lock file, which has the versions of the providers,
//! so that the tool is asked only once. It has only schemas that a plan needs. A failure never makes the run fail: the
//! layout is inferred then.

use std::path::PathBuf;
use std::{fs, io};

use bumpalo::Bump;

use super::ToolCommand;
use super::invocation::Invocation;
use crate::cli::Host;
use crate::cli::schemas::{self, Needed};
use crate::cli::settings::Settings;
use crate::model::Action;
use crate::model::plan::Plan;
use crate::schema::SchemaKind;
use crate::schema::catalog::Catalog;
use crate::schema::{Known, Schemas};

/// The command that prints schemas, with the folders in which its answer is stored.
#[derive(Debug)]
pub(in crate::cli) struct SchemaSource {
    /// The command.
    command: ToolCommand,
    /// The folder for the directory and the command, and in it that for the lock file; `None` without a lock file or
    /// data directory.
    stored: Option<(PathBuf, PathBuf)>,
}

impl SchemaSource {
    /// Makes the command. Its answer is stored by directory, command and lock file.
    pub(in crate::cli) fn new(invocation: &Invocation, host: &Host) -> Self {
        let arguments = ["schema".into(), "-json".into()];
        let command = invocation.tool("providers", arguments, Some("providers_schema"));
        let stored = || {
            let folder = fs::canonicalize(invocation.folder()).ok()?;
            let lock = fs::read(folder.join(".terraform.lock.hcl")).ok()?;
            let words = command.words.iter().map(|word| word.as_encoded_bytes());
            let place: Vec<&[u8]> = [folder.as_os_str().as_encoded_bytes()]
                .into_iter()
                .chain(words)
                .collect();
            let all = schemas::folder(host)?.with_file_name("run-schemas");
            let of_place = all.join(schemas::checksum(&place.join(&0)));
            let of_lock = of_place.join(schemas::checksum(&lock));
            Some((of_place, of_lock))
        };
        let stored = stored();
        Self { command, stored }
    }

    /// Returns documents with the schemas that a plan needs and that neither `known` nor the built-in schemas have: the
    /// stored answer, or that of the tool. Returns nothing if the tool does not have them either.
    pub(in crate::cli) fn schemas<'s>(
        &self,
        plan: &Plan<'_>,
        (known, arena): (&Schemas<'s>, &'s Bump),
        settings: &Settings,
        host: &Host,
    ) -> Vec<String> {
        let is_wanted = plan.provider_schemas.is_none()
            && (settings.cached_schemas || !settings.schemas.is_empty());
        let needed = if is_wanted {
            unknown(plan, known, arena)
        } else {
            Needed::new()
        };
        if needed.is_empty() {
            return Vec::new();
        }
        if let Some((_, folder)) = &self.stored {
            let stored = schemas::read_stored(folder, &needed, host);
            let texts: Vec<String> = stored.into_iter().map(|(text, _)| text).collect();
            if have(&texts, &needed) {
                return texts;
            }
        }
        let texts: Vec<String> = self
            .command
            .json("providers schema -json", host)
            .into_iter()
            .collect();
        if !have(&texts, &needed) {
            return Vec::new();
        }
        for text in &texts {
            // If the answer cannot be stored, the tool is asked again next time.
            let _: anyhow::Result<()> = self.store(text, &needed, host);
        }
        texts
    }

    /// Stores the schemas that a plan needs, and removes those for other lock files.
    fn store(&self, text: &str, needed: &Needed, host: &Host) -> anyhow::Result<()> {
        let Some((all, folder)) = &self.stored else {
            return Ok(());
        };
        let _: io::Result<()> = fs::remove_dir_all(all);
        let mut catalog = Catalog::new();
        catalog.add(text)?;
        let mut entries = catalog.into_entries();
        entries.retain(|entry| {
            needed.contains(&(
                entry.provider.to_string(),
                entry.kind,
                entry.name.to_string(),
            ))
        });
        entries
            .chunk_by(|a, b| a.provider == b.provider)
            .try_for_each(|entries| {
                let provider = entries.first().map_or("", |entry| &*entry.provider);
                schemas::add_stored(folder, provider, entries, None, host)
            })
    }
}

/// Returns the schemas that a plan needs and that are not known. Returns nothing if the text shows none of the types.
fn unknown<'s>(plan: &Plan<'_>, known: &Schemas<'s>, arena: &'s Bump) -> Needed {
    let mut needed = schemas::needed_by_plan(plan);
    needed.retain(|(provider, kind, name)| {
        // A schema with an error is reported when the plan is shown.
        kind.mode().is_some_and(|mode| {
            matches!(known.known(provider, mode, name, arena), Ok(Known::Nothing))
        })
    });
    let changes = plan
        .resource_changes
        .iter()
        .filter(|change| change.change.actions != Action::NoOp);
    let is_shown = changes.chain(&plan.resource_drift).any(|change| {
        needed.iter().any(|(provider, _, name)| {
            *provider == *change.provider_name && *name == *change.resource_type
        })
    });
    let has_actions = needed
        .iter()
        .any(|(_, kind, _)| *kind == SchemaKind::Action);
    if is_shown || has_actions {
        needed
    } else {
        Needed::new()
    }
}

/// Whether documents have all needed schemas, and these are valid. Errors must be found here, where they do not prevent
/// the plan from being shown.
fn have(texts: &[String], needed: &Needed) -> bool {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    texts.iter().all(|text| schemas.add(text).is_ok())
        && needed.iter().all(|(provider, kind, name)| {
            let mode = kind.mode().unwrap_or_default();
            matches!(schemas.resource(provider, mode, name, &arena), Ok(Some(_)))
        })
}
