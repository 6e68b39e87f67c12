//! The schemas for a document: those in named files, those that it brings, and stored ones.
//!
//! A file of stored schemas has a line about the provider, a line with an index, and the texts of the
//! schemas, of which only those that a document needs are read. Invariants: a stored file that cannot be used
//! causes a warning, never a failure; it is replaced atomically, and readable only by its owner.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use bumpalo::Bump;
use foldhash::HashSet;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Host;
use super::input::{self, Document, Source};
use super::messages::{first_names, io_text, with_tip};
use super::processes::{private_file, private_folder};
use super::settings::Settings;
use crate::dialect::Tool;
use crate::json::Raw;
use crate::model::plan::Plan;
use crate::model::state::{Module, StateDocument};
use crate::saved::ObjectType;
use crate::schema::SchemaKind;
use crate::schema::catalog::Entry;
use crate::schema::{Error, Schemas};
use crate::text::{age, count};

const LOADING: &str = "cannot load schemas";

/// The texts must outlive the schemas that [`add`] adds.
pub(super) fn read(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Document>> {
    files
        .iter()
        .map(|file| input::read(Source::File(file.clone()), host).context(LOADING))
        .collect()
}

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

pub(super) fn add_embedded<'s>(
    schemas: &mut Schemas<'s>,
    embedded: Option<Raw<'s>>,
    name: &str,
) -> anyhow::Result<()> {
    let added = embedded.map_or(Ok(()), |embedded| schemas.add_provider_schemas(embedded));
    added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))
}

pub(super) fn available_schemas<'s>(
    files: &'s [Document],
    brought: Option<Raw<'s>>,
    stored: Option<&'s StoredSchemas>,
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

pub(super) fn tool(files: &[Document]) -> Option<Tool> {
    files
        .iter()
        .find_map(|document| Tool::from_schemas(document.text()))
}

pub(super) fn missing(types: &[String], command: &str) -> String {
    let their = if types.len() == 1 { "its" } else { "their" };
    with_tip(
        &format!(
            "no schema for {} ({}): {their} layout was inferred",
            count(types.len(), "type"),
            first_names(types)
        ),
        &format!(
            "`{command} providers schema -json | tfview schema add -`, in the directory of the configuration"
        ),
    )
}

/// Provider, kind, name.
pub(super) type Needed = BTreeSet<(String, SchemaKind, String)>;

pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    host.environment
        .data_home
        .as_deref()
        .map(|home| home.join("tfview").join("schemas"))
}

/// The stored schemas for the types of a document.
#[derive(Debug, Default)]
pub(super) struct StoredSchemas {
    texts: Vec<(String, String)>,
    /// Other schemas have the layout, so these only add what is sensitive.
    is_for_marks: bool,
}

impl StoredSchemas {
    pub(super) fn for_plan(plan: &Plan<'_>, settings: &Settings, host: &Host) -> Self {
        Self::new(
            &needed_by_plan(plan),
            plan.provider_schemas.is_some(),
            settings,
            host,
        )
    }

    pub(super) fn for_state(state: &StateDocument<'_>, settings: &Settings, host: &Host) -> Self {
        let mut needed = Needed::new();
        state
            .root()
            .into_iter()
            .for_each(|root| add_module(root, &mut needed));
        Self::new(&needed, state.provider_schemas.is_some(), settings, host)
    }

    /// Reads the stored schemas of types.
    pub(super) fn for_types(
        types: impl IntoIterator<Item = ObjectType>,
        settings: &Settings,
        host: &Host,
    ) -> Self {
        let needed = types.into_iter().filter_map(|object| {
            let kind = SchemaKind::from_mode(&object.mode)?;
            Some((object.provider, kind, object.name))
        });
        Self::new(&needed.collect::<BTreeSet<_>>(), false, settings, host)
    }

    /// `has_own`: whether the document brings schemas, which stored ones do not replace.
    fn new(needed: &Needed, has_own: bool, settings: &Settings, host: &Host) -> Self {
        let folder = folder(host).filter(|_| settings.cached_schemas);
        let texts = folder.map(|folder| read_stored(&folder, needed, host));
        Self {
            texts: texts.unwrap_or_default(),
            is_for_marks: has_own || !settings.schemas.is_empty(),
        }
    }

    pub(super) fn add_to<'s>(&'s self, schemas: &mut Schemas<'s>) {
        for (text, _) in &self.texts {
            // `read_stored` has already rejected texts that would be rejected here, and warned.
            let added = schemas.add_stored(text, self.is_for_marks);
            debug_assert!(added.is_ok());
        }
    }

    pub(super) fn note(&self, host: &Host) {
        for (_, described) in self.texts.iter().filter(|_| !self.is_for_marks) {
            host.note(&format!(
                "using the stored schema of {described}; --schemas none turns that off"
            ));
        }
    }
}

/// Lists the schemas that a plan needs: of the resources that it changes or that have drifted, and
/// of its actions.
pub(super) fn needed_by_plan(plan: &Plan<'_>) -> Needed {
    // Most changes are of few types, so only these are sorted.
    let types: HashSet<(&str, SchemaKind, &str)> = plan
        .changes()
        .filter_map(|change| {
            let kind = SchemaKind::from_mode(&change.mode)?;
            Some((&*change.provider_name, kind, &*change.resource_type))
        })
        .collect();
    let mut needed: Needed = types
        .into_iter()
        .map(|(provider, kind, name)| (provider.to_owned(), kind, name.to_owned()))
        .collect();
    needed.extend(plan.actions().map(|action| {
        (
            action.provider_name.to_string(),
            SchemaKind::Action,
            action.action_type.to_string(),
        )
    }));
    needed
}

fn add_module(module: &Module<'_>, needed: &mut Needed) {
    for resource in &module.resources {
        if let Some(kind) = SchemaKind::from_mode(&resource.mode) {
            needed.insert((
                resource.provider_name.to_string(),
                kind,
                resource.resource_type.to_string(),
            ));
        }
    }
    module
        .child_modules
        .iter()
        .for_each(|child| add_module(child, needed));
}

/// The version of the file's format.
const FORMAT: u32 = 2;

/// For the largest provider it is below 1 MB.
const MAX_LINE_LEN: u64 = 64 << 20;

const END: &str = ".schema";

/// The first line of a stored file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The version of the format.
    tfview_schema_cache: u32,
    /// The source address of the provider.
    provider: String,
    /// The version of the provider, if it is known.
    version: Option<String>,
    /// When the file was written, in seconds since 1970.
    added: u64,
    /// Whether the schemas are those of a Provider Code Specification.
    specification: bool,
}

/// The texts have the order of the index.
#[derive(Debug, Serialize, Deserialize)]
struct IndexEntry {
    /// What the schema is of.
    kind: SchemaKind,
    /// The name of the type.
    name: String,
    /// The length of the text, in bytes.
    length: u64,
    /// The hash of the text.
    checksum: String,
}

/// Writes the schemas of a provider to a file of the folder, which replaces an earlier one.
pub(super) fn add_stored(
    folder: &Path,
    provider: &str,
    entries: &[Entry<'_>],
    version: Option<&str>,
    host: &Host,
) -> anyhow::Result<()> {
    let head = Head {
        tfview_schema_cache: FORMAT,
        provider: provider.to_owned(),
        version: version.map(str::to_owned),
        added: host.seconds(),
        specification: entries.iter().any(|entry| entry.is_of_specification),
    };
    let index = entries.iter().map(|entry| IndexEntry {
        kind: entry.kind,
        name: entry.name.to_string(),
        length: entry.text().len() as u64,
        checksum: checksum(entry.text().as_bytes()),
    });
    let index: Vec<IndexEntry> = index.collect();
    let lines =
        serde_json::to_string(&head).and_then(|head| Ok([head, serde_json::to_string(&index)?]));
    let mut text = lines.context("writing the index of schemas")?.join("\n") + "\n";
    entries.iter().for_each(|entry| text.push_str(entry.text()));
    let path = folder.join(file_name(provider));
    replace_file(&path, text.as_bytes()).with_context(|| format!("writing {}", path.display()))
}

/// The address is untrusted, so that no character may have a special meaning in the name.
fn file_name(provider: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let readable: String = provider
        .chars()
        .take(100)
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    format!(
        "{}-{}{END}",
        readable.trim_start_matches('.'),
        checksum(provider.as_bytes())
    )
}

pub(super) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Atomic: concurrent readers see the old or the new content.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent()
        .map_or(Ok(()), |folder| private_folder(folder, true))?;
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    let write = || {
        let mut file = private_file(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().inspect_err(|_| {
        // Only this error is reported.
        let _: io::Result<()> = fs::remove_file(&draft);
    })
}

pub(super) fn all_stored(folder: &Path, host: &Host) -> Vec<String> {
    let read = files(folder, host).into_iter().map(|path| {
        let text = StoredFile::open(&path).and_then(|mut file| file.document(|_| true));
        text.unwrap_or_else(|problem| note_unused(&path, &problem, host))
    });
    read.flatten().collect()
}

/// A text for each provider, and what it is, such as `hashicorp/aws 6.25.0, added 3 days ago`.
pub(super) fn read_stored(folder: &Path, needed: &Needed, host: &Host) -> Vec<(String, String)> {
    let files = if needed.is_empty() {
        Vec::new()
    } else {
        files(folder, host)
    };
    let read = files.into_iter().map(|path| {
        read_file(&path, needed, host.seconds())
            .unwrap_or_else(|problem| note_unused(&path, &problem, host))
    });
    read.flatten().collect()
}

fn note_unused<T>(path: &Path, problem: &str, host: &Host) -> Option<T> {
    host.warning(&with_tip(
        &format!(
            "the stored schema in {} is not used: {problem}",
            path.display()
        ),
        "add it again with `tfview schema add`",
    ));
    None
}

/// A missing folder has none.
fn files(folder: &Path, host: &Host) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = entries.unwrap_or_else(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            let (folder, reason) = (folder.display(), io_text(&error));
            host.warning(&format!(
                "no stored schemas are used: cannot read {folder}: {reason}"
            ));
        }
        Vec::new()
    });
    paths.retain(|path| path.to_string_lossy().ends_with(END));
    paths.sort();
    paths
}

/// The needed types of a file; `None` if it has none of them.
fn read_file(path: &Path, needed: &Needed, now: u64) -> Result<Option<(String, String)>, String> {
    let mut file = StoredFile::open(path)?;
    // If several providers may have a type, `Schemas` decides.
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let provider = last(&file.head.provider);
    let needed: BTreeSet<(SchemaKind, &str)> = needed
        .iter()
        .filter(|(wanted, _, name)| match &**wanted {
            "" => name.split('_').next() == Some(&provider),
            wanted => last(wanted) == provider,
        })
        .map(|(_, kind, name)| (*kind, name.as_str()))
        .collect();
    if needed.is_empty() {
        return Ok(None);
    }
    let text = file.document(|entry| needed.contains(&(entry.kind, &*entry.name)))?;
    let Some(text) = text else { return Ok(None) };
    // Errors must be found here, where they are only warnings: the plan is shown anyway.
    let arena = Bump::new();
    let mut trial = Schemas::new();
    trial.add(&text).map_err(|error| error.to_string())?;
    let Head {
        provider,
        version,
        added,
        ..
    } = &file.head;
    for (kind, name) in needed {
        let mode = kind.mode().unwrap_or_default();
        trial
            .resource(provider, mode, name, &arena)
            .map_err(|error| error.to_string())?;
    }
    drop(trial);
    let version = version
        .as_deref()
        .map_or_else(String::new, |version| format!(" {version}"));
    let described = format!(
        "{provider}{version}, added {}",
        age(now.saturating_sub(*added))
    );
    Ok(Some((text, described)))
}

/// A stored file that is open, after its first line.
struct StoredFile {
    head: Head,
    file: BufReader<File>,
}

impl StoredFile {
    fn open(path: &Path) -> Result<Self, String> {
        let mut file = BufReader::new(File::open(path).map_err(|error| io_text(&error))?);
        let head: Head = read_line(&mut file)?;
        if head.tfview_schema_cache != FORMAT {
            return Err("another version of tfview wrote it".to_owned());
        }
        Ok(Self { head, file })
    }

    /// Reads the schemas that are needed, as a document; the others are skipped. `None` if the file
    /// has none of them.
    fn document(
        &mut self,
        is_needed: impl Fn(&IndexEntry) -> bool,
    ) -> Result<Option<String>, String> {
        let index: Vec<IndexEntry> = read_line(&mut self.file)?;
        let mut schemas: BTreeMap<SchemaKind, Vec<(String, String)>> = BTreeMap::new();
        let mut skipped = 0;
        for entry in index {
            if !is_needed(&entry) {
                skipped += i64::try_from(entry.length).map_err(damaged)?;
                continue;
            }
            self.file
                .seek_relative(std::mem::take(&mut skipped))
                .map_err(damaged)?;
            let mut text = String::new();
            (&mut self.file)
                .take(entry.length)
                .read_to_string(&mut text)
                .map_err(damaged)?;
            if checksum(text.as_bytes()) != entry.checksum {
                return Err(damaged(()));
            }
            schemas
                .entry(entry.kind)
                .or_default()
                .push((entry.name, text));
        }
        let Head {
            provider,
            specification,
            ..
        } = &self.head;
        let write = if *specification {
            specification_text
        } else {
            provider_schemas
        };
        Ok((!schemas.is_empty()).then(|| write(provider, &schemas)))
    }
}

fn read_line<T: DeserializeOwned>(file: &mut impl BufRead) -> Result<T, String> {
    let mut line = Vec::new();
    file.take(MAX_LINE_LEN)
        .read_until(b'\n', &mut line)
        .map_err(|error| io_text(&error))?;
    serde_json::from_slice(&line).map_err(damaged)
}

fn damaged<E>(_: E) -> String {
    "damaged".to_owned()
}

type ByKind = BTreeMap<SchemaKind, Vec<(String, String)>>;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes schemas as a document of `providers schema -json`.
fn provider_schemas(provider: &str, schemas: &ByKind) -> String {
    let kinds = schemas
        .iter()
        .map(|(kind, members)| match (kind, members.as_slice()) {
            (SchemaKind::Provider, [(_, text), ..]) => format!("\"provider\":{text}"),
            _ => {
                let members = members
                    .iter()
                    .map(|(name, text)| format!("{}:{text}", quoted(name)));
                format!(
                    "{}:{{{}}}",
                    quoted(kind.member()),
                    members.collect::<Vec<_>>().join(",")
                )
            }
        });
    let kinds = kinds.collect::<Vec<_>>().join(",");
    format!(
        "{{\"format_version\":\"1.0\",\"provider_schemas\":{{{}:{{{kinds}}}}}}}",
        quoted(provider)
    )
}

/// Writes schemas as a Provider Code Specification.
fn specification_text(provider: &str, schemas: &ByKind) -> String {
    let of_kind = |kind| schemas.get(&kind).into_iter().flatten();
    let schema = of_kind(SchemaKind::Provider).next();
    let schema_member = schema.map_or_else(String::new, |(_, text)| format!(",\"schema\":{text}"));
    let list = |kind| {
        let members = of_kind(kind).map(|(name, text)| {
            let own_name = name
                .strip_prefix(provider)
                .and_then(|name| name.strip_prefix('_'));
            format!(
                "{{\"name\":{},\"schema\":{text}}}",
                quoted(own_name.unwrap_or(name))
            )
        });
        members.collect::<Vec<_>>().join(",")
    };
    format!(
        "{{\"version\":\"0.1\",\"provider\":{{\"name\":{}{schema_member}}},\"resources\":[{}],\"datasources\":[{}]}}",
        quoted(provider),
        list(SchemaKind::Resource),
        list(SchemaKind::DataSource)
    )
}

#[cfg(test)]
mod tests;
