//! The schemas of types that tfview does not know, which the tool is asked for beside the plan.
//!
//! Invariants: the answer is stored for a working directory and its lock file, which names the versions of
//! the providers, so that the tool is asked once; it contains only schemas, and only those that a plan needs;
//! a failure never fails the run, it only leaves the layout to inference.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use bumpalo::Bump;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::ToolCommand;
use super::invocation::Invocation;
use crate::cli::Host;
use crate::cli::cache::{self, Needed};
use crate::cli::settings::Settings;
use crate::model::Action;
use crate::model::plan::Plan;
use crate::schema::catalog::{Catalog, SchemaKind};
use crate::schema::{Known, Schemas};

/// A way to ask the tool for schemas.
#[derive(Debug)]
pub(in crate::cli) struct SchemaSource {
    command: ToolCommand,
    /// The file of a stored answer, and the lock file for which it must have been given.
    stored: Option<(PathBuf, String)>,
}

/// A stored answer.
#[derive(Deserialize, Serialize)]
struct Answer {
    format_version: String,
    /// The checksum of the lock file.
    tfview_lock_file: String,
    provider_schemas: BTreeMap<String, BTreeMap<String, BTreeMap<String, Box<RawValue>>>>,
}

impl SchemaSource {
    /// The tool of the command, in its working directory.
    pub(super) fn new(invocation: &Invocation, host: &Host) -> Self {
        let command =
            invocation.tool("providers", ["schema".into(), "-json".into()], Some("providers_schema"));
        let stored = || {
            let folder = fs::canonicalize(invocation.folder()).ok()?;
            let lock = fs::read(folder.join(".terraform.lock.hcl")).ok()?;
            let words = command.words.iter().map(|word| word.as_encoded_bytes());
            let place: Vec<&[u8]> =
                [folder.as_os_str().as_encoded_bytes()].into_iter().chain(words).collect();
            let name = format!("{}.json", checksum(&place.join(&0)));
            Some((cache::folder(host)?.with_file_name("run-schemas").join(name), checksum(&lock)))
        };
        let stored = stored();
        Self { command, stored }
    }

    /// A document with the schemas that the plan needs and that `known` and the built-in schemas do not
    /// have; `None` if there are none.
    pub(in crate::cli) fn schemas<'s>(
        &self,
        plan: &Plan<'_>,
        (known, arena): (&Schemas<'s>, &'s Bump),
        settings: &Settings,
        host: &Host,
    ) -> Option<String> {
        if plan.provider_schemas.is_some() || (!settings.cached_schemas && settings.schemas.is_empty()) {
            return None;
        }
        let needed = unknown(plan, known, arena);
        if needed.is_empty() {
            return None;
        }
        self.read(&needed).or_else(|| self.ask(&needed, host))
    }

    fn read(&self, needed: &Needed) -> Option<String> {
        let (file, lock) = self.stored.as_ref()?;
        let text = fs::read_to_string(file).ok()?;
        let answer: Answer = serde_json::from_str(&text).ok()?;
        (answer.tfview_lock_file == *lock && has(&text, needed)).then_some(text)
    }

    fn ask(&self, needed: &Needed, host: &Host) -> Option<String> {
        let text = self.command.json("providers schema -json", host).ok()?;
        let mut catalog = Catalog::new();
        catalog.add(&text).ok()?;
        let mut answer = Answer {
            format_version: "1.0".to_owned(),
            tfview_lock_file: self.stored.as_ref().map(|(_, lock)| lock.clone()).unwrap_or_default(),
            provider_schemas: BTreeMap::new(),
        };
        for entry in catalog.into_entries() {
            if needed.contains(&(entry.provider.to_string(), entry.kind, entry.name.to_string())) {
                let of_provider = answer.provider_schemas.entry(entry.provider.to_string()).or_default();
                let schema = RawValue::from_string(entry.text().to_owned()).ok()?;
                let of_kind = of_provider.entry(entry.kind.member().to_owned()).or_default();
                of_kind.insert(entry.name.to_string(), schema);
            }
        }
        let text = serde_json::to_string(&answer).ok()?;
        if !has(&text, needed) {
            return None;
        }
        if let Some((file, _)) = &self.stored {
            // The tool is asked again next time.
            let _: std::io::Result<()> = cache::store(file, text.as_bytes());
        }
        Some(text)
    }
}

/// The types of the plan's changes without a schema; none if only objects without changes have such types.
fn unknown<'s>(plan: &Plan<'_>, known: &Schemas<'s>, arena: &'s Bump) -> Needed {
    let mut needed = cache::needed_by_plan(plan);
    needed.retain(|(provider, kind, name)| {
        // A schema with an error is reported when the plan is shown.
        kind.mode().is_some_and(|mode| matches!(known.known(provider, mode, name, arena), Ok(Known::Nothing)))
    });
    let changes = plan.resource_changes.iter().filter(|change| change.change.actions != Action::NoOp);
    let is_shown = changes.chain(&plan.resource_drift).any(|change| {
        needed
            .iter()
            .any(|(provider, _, name)| *provider == *change.provider_name && *name == *change.resource_type)
    });
    let has_actions = needed.iter().any(|(_, kind, _)| *kind == SchemaKind::Action);
    if is_shown || has_actions { needed } else { Needed::new() }
}

/// Whether a document has a readable schema for each of these types. Errors must be found here, where they do
/// not prevent that the plan is shown.
fn has(text: &str, needed: &Needed) -> bool {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    schemas.add(text).is_ok()
        && needed.iter().all(|(provider, kind, name)| {
            let mode = kind.mode().unwrap_or_default();
            matches!(schemas.resource(provider, mode, name, &arena), Ok(Some(_)))
        })
}

fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
