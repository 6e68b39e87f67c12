//! The cache that `tfview schema add` fills: one file for each provider in the user's data directory.
//!
//! Invariants: only the types that a document needs are read; a file that is unreadable, damaged or of
//! another version causes a warning, never a failure; files are replaced atomically and readable only by
//! their owner.

mod file;
mod name;
mod write;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bumpalo::Bump;

use super::Host;
use super::host::{io_text, with_tip};
use super::settings::Settings;
use crate::model::plan::Plan;
use crate::model::state::{Module, StateDocument};
use crate::schema::Schemas;
use crate::schema::catalog::SchemaKind;
use crate::text::count;

pub(super) use write::{add, store};

use file::{CacheFile, Stored};

/// The types that a document needs: provider, kind, name.
pub(super) type Needed = BTreeSet<(String, SchemaKind, String)>;

/// The directory of the cache, if the user has a data directory.
pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    host.environment.data_home.as_deref().map(|home| home.join("tfview").join("schemas"))
}

/// Cached schemas for one document.
#[derive(Debug, Default)]
pub(super) struct Cached {
    texts: Vec<String>,
    /// Notes about the cached schemas that are used.
    pub(super) notes: Vec<String>,
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
        let has_layout = has_own || !settings.schemas.is_empty();
        let mut cached = Self { is_for_marks: has_layout, ..Self::default() };
        if needed.is_empty() || !settings.cached_schemas {
            return cached;
        }
        for (provider, path) in files(host) {
            let of_provider: Vec<(SchemaKind, &str)> = needed
                .iter()
                .filter(|(wanted, _, type_name)| may_be(wanted, type_name, &provider))
                .map(|(_, kind, type_name)| (*kind, type_name.as_str()))
                .collect();
            if of_provider.is_empty() {
                continue;
            }
            match read(&path, &of_provider) {
                Ok(Some((text, stored))) => {
                    if !has_layout {
                        cached.notes.push(format!(
                            "using the stored schema of {}; --schemas none turns that off",
                            described(&stored, host.seconds())
                        ));
                    }
                    cached.texts.push(text);
                }
                Ok(None) => {}
                Err(problem) => host.warning(&damaged(&provider, &problem)),
            }
        }
        cached
    }

    /// Adds the cached schemas to `schemas`.
    pub(super) fn add_to<'s>(&'s self, schemas: &mut Schemas<'s>) {
        for text in &self.texts {
            // `read` has already rejected texts that would be rejected here, and warned.
            let added = if self.is_for_marks { schemas.add_marks(text) } else { schemas.add_stored(text) };
            debug_assert!(added.is_ok());
        }
    }

    /// Writes notes about the cached schemas that are used.
    pub(super) fn note(&self, host: &Host) {
        self.notes.iter().for_each(|note| host.note(note));
    }
}

/// All cached schemas, as one text for each provider.
pub(super) fn all(host: &Host) -> Vec<String> {
    let mut texts = Vec::new();
    for (provider, path) in files(host) {
        match CacheFile::open(&path).and_then(|mut file| file.everything()) {
            Ok(text) => texts.push(text),
            Err(problem) => host.warning(&damaged(&provider, &problem)),
        }
    }
    texts
}

fn damaged(provider: &str, problem: &str) -> String {
    with_tip(
        &format!("the stored schema of {provider} is not used: {problem}"),
        "add it again with `tfview schema add`",
    )
}

/// The providers with a file, and their files, sorted. A missing directory is an empty cache.
fn files(host: &Host) -> Vec<(String, PathBuf)> {
    let Some(folder) = folder(host) else { return Vec::new() };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            let reason = io_text(&error);
            host.warning(&format!("no stored schemas are used: cannot read {}: {reason}", folder.display()));
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    crate::sort::by(&mut paths, Ord::cmp);
    let provider = |path: &PathBuf| name::provider(&path.file_name()?.to_string_lossy());
    paths.into_iter().filter_map(|path| Some((provider(&path)?, path))).collect()
}

/// The needed types of a file as one text for [`Schemas`]; `None` if it has none of them.
fn read(path: &Path, needed: &[(SchemaKind, &str)]) -> Result<Option<(String, Stored)>, String> {
    let mut file = CacheFile::open(path)?;
    let Some(text) = file.document(needed)? else { return Ok(None) };
    // Errors must be found here, where they are only warnings: the plan is shown anyway.
    let arena = Bump::new();
    let mut trial = Schemas::new();
    trial.add(&text).map_err(|error| error.to_string())?;
    let provider = file.stored.provider.as_str();
    for (kind, name) in needed {
        let mode = kind.mode().unwrap_or_default();
        trial.resource(provider, mode, name, &arena).map_err(|error| error.to_string())?;
    }
    drop(trial);
    Ok(Some((text, file.stored)))
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

/// Whether the file of a provider may contain a type. If several may, [`Schemas`] decides.
fn may_be(wanted: &str, type_name: &str, provider: &str) -> bool {
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let wanted = if wanted.is_empty() { type_name.split('_').next().unwrap_or_default() } else { wanted };
    last(wanted) == last(provider)
}

/// A description such as `hashicorp/aws 6.25.0, added 3 days ago`.
fn described(stored: &Stored, now: u64) -> String {
    let version = stored.version.as_deref().map_or_else(String::new, |version| format!(" {version}"));
    format!("{}{version}, added {}", stored.provider, age(now.saturating_sub(stored.added)))
}

fn age(seconds: u64) -> String {
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", count(usize::try_from(number).unwrap_or(usize::MAX), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_the_largest_unit() {
        for (seconds, text) in [
            (59, "just now"),
            (60, "1 minute ago"),
            (7_300, "2 hours ago"),
            (86_400, "1 day ago"),
            (864_000, "10 days ago"),
        ] {
            assert_eq!(age(seconds), text);
        }
    }
}
