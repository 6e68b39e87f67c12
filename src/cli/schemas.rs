//! Collects the schemas for a document: those in named files, those in the document, and stored ones. Also stores
//! schemas.
//!
//! A file of stored schemas has a line about the provider, a line with an index, and the texts of the schemas. Of
//! these, only those that a document needs are read.
//!
//! Invariants: a stored file that cannot be used causes a warning, never a failure. A stored file is replaced
//! atomically, and only the user can read it.

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

/// The context of errors about schemas in files.
const LOADING: &str = "cannot load schemas";

/// Reads the files of `--schemas`. Their texts must outlive the schemas that [`add`] makes of them.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Document>> {
    files
        .iter()
        .map(|file| input::read(Source::File(file.clone()), host).context(LOADING))
        .collect()
}

/// Adds the schemas in files.
///
/// # Errors
/// If a file does not have valid schemas.
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

/// Adds the schemas that are embedded in a document; `name` names the document in errors.
///
/// # Errors
/// If they are malformed.
pub(super) fn add_embedded<'s>(
    schemas: &mut Schemas<'s>,
    embedded: Option<Raw<'s>>,
    name: &str,
) -> anyhow::Result<()> {
    let added = embedded.map_or(Ok(()), |embedded| schemas.add_provider_schemas(embedded));
    added.map_err(|error| anyhow!("cannot read the schemas embedded in {name}: {error}"))
}

/// Returns all schemas that are available for a document: those of files, those that it brings, and stored ones.
///
/// # Errors
/// Those of [`add`] and `add_embedded`.
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

/// Returns the tool that wrote one of the files, if one of them says so.
pub(super) fn tool(files: &[Document]) -> Option<Tool> {
    files
        .iter()
        .find_map(|document| Tool::from_schemas(document.text()))
}

/// Returns the note that types have no schema, with a tip about how to store them. `command` is the name of the tool's
/// program.
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

/// The schemas that are needed: provider, kind and name of each.
pub(super) type Needed = BTreeSet<(String, SchemaKind, String)>;

/// Returns the folder of stored schemas; `None` if the user has no data directory.
pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    host.environment
        .data_home
        .as_deref()
        .map(|home| home.join("tfview").join("schemas"))
}

/// The stored schemas for the types of a document, after they were read.
#[derive(Debug, Default)]
pub(super) struct StoredSchemas {
    /// The text for each provider, with a description of it for notes.
    texts: Vec<(String, String)>,
    /// Whether other schemas give the layout, so that these only add what is sensitive.
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

    /// Reads the stored schemas for types.
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

    /// Reads the stored schemas for what is needed. `has_own` is whether the document has schemas, which stored ones do
    /// not replace.
    fn new(needed: &Needed, has_own: bool, settings: &Settings, host: &Host) -> Self {
        let folder = folder(host).filter(|_| settings.cached_schemas);
        let texts = folder.map(|folder| read_stored(&folder, needed, host));
        Self {
            texts: texts.unwrap_or_default(),
            is_for_marks: has_own || !settings.schemas.is_empty(),
        }
    }

    /// Adds the stored schemas to others.
    pub(super) fn add_to<'s>(&'s self, schemas: &mut Schemas<'s>) {
        for (text, _) in &self.texts {
            // `read_stored` has already rejected and reported texts that would be rejected here.
            let added = schemas.add_stored(text, self.is_for_marks);
            debug_assert!(added.is_ok());
        }
    }

    /// Notes which stored schemas give the layout.
    pub(super) fn note(&self, host: &Host) {
        for (_, described) in self.texts.iter().filter(|_| !self.is_for_marks) {
            host.note(&format!(
                "using the stored schema of {described}; --schemas none turns that off"
            ));
        }
    }
}

/// Returns the schemas that a plan needs: those of the resources that it changes or that have drifted, and those of its
/// actions.
pub(super) fn needed_by_plan(plan: &Plan<'_>) -> Needed {
    // Most changes are of few types, so the types are made unique before they are sorted.
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

/// Adds the schemas that the resources of a module and of its child modules need.
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

/// The version of the format of stored files.
const FORMAT: u32 = 2;

/// The maximum length of a line of a stored file, in bytes. It is below 1 MB for the largest provider.
const MAX_LINE_LEN: u64 = 64 << 20;

/// The end of the names of stored files.
const END: &str = ".schema";

/// The content of the first line of a stored file.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The version of the format.
    tfview_schema_cache: u32,
    /// The source address of the provider.
    provider: String,
    /// The version of the provider, if it is known.
    version: Option<String>,
    /// The time when the file was written, in seconds since 1970.
    added: u64,
    /// Whether the schemas are from a Provider Code Specification.
    specification: bool,
}

/// An entry of the index, which is the second line of a stored file. The texts have the order of the index.
#[derive(Debug, Serialize, Deserialize)]
struct IndexEntry {
    /// The kind of schema.
    kind: SchemaKind,
    /// The name of the type.
    name: String,
    /// The length of the text, in bytes.
    length: u64,
    /// The hash of the text, as `checksum` makes it.
    checksum: String,
}

/// Stores the schemas of a provider in a file of the folder, which replaces an earlier one.
///
/// # Errors
/// If the file cannot be written.
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

/// Returns the name of the file for a provider. The address of the provider is untrusted, so no character of it may
/// have a special meaning in the name.
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

/// Returns the first 16 bytes of the SHA-256 hash as hexadecimal digits.
pub(super) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Replaces a file atomically: whoever reads it at the same time sees the old or the new content.
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

/// Returns all stored schemas as documents, one for each provider. Files that cannot be used cause warnings.
pub(super) fn all_stored(folder: &Path, host: &Host) -> Vec<String> {
    let read = files(folder, host).into_iter().map(|path| {
        let text = StoredFile::open(&path).and_then(|mut file| file.document(|_| true));
        text.unwrap_or_else(|problem| note_unused(&path, &problem, host))
    });
    read.flatten().collect()
}

/// Returns the stored schemas that are needed: a document for each provider, and a description of it, such as
/// `hashicorp/aws 6.25.0, added 3 days ago`. Files that cannot be used cause warnings.
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

/// Warns that a stored file is not used, and returns `None`.
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

/// Returns the stored files in a folder, sorted by name. A folder that is missing has none; one that cannot be read
/// causes a warning.
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

/// Reads the needed schemas of a file, with their description; `None` if the file has none of them.
///
/// # Errors
/// A sentence fragment that says why the file cannot be used.
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
    // Errors must be found here, where they are only warnings, because the plan is shown anyway.
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

/// An open stored file, of which the first line was read.
struct StoredFile {
    head: Head,
    file: BufReader<File>,
}

impl StoredFile {
    /// Opens a stored file, and reads its first line.
    ///
    /// # Errors
    /// A sentence fragment that says why the file cannot be used.
    fn open(path: &Path) -> Result<Self, String> {
        let mut file = BufReader::new(File::open(path).map_err(|error| io_text(&error))?);
        let head: Head = read_line(&mut file)?;
        if head.tfview_schema_cache != FORMAT {
            return Err("another version of tfview wrote it".to_owned());
        }
        Ok(Self { head, file })
    }

    /// Reads the schemas that are needed as a document, and skips the others. Returns `None` if the file has none of
    /// them.
    ///
    /// # Errors
    /// A sentence fragment that says why the file cannot be used.
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

/// Reads a line of JSON.
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

/// The schemas of a provider by kind: the name and the text of each.
type ByKind = BTreeMap<SchemaKind, Vec<(String, String)>>;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Makes a document of schemas, in the form of `providers schema -json`.
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

/// Makes a document of schemas, in the form of a Provider Code Specification.
fn specification_text(provider: &str, schemas: &ByKind) -> String {
    let of_kind = |kind| schemas.get(&kind).into_iter().flatten();
    let own = of_kind(SchemaKind::Provider).next();
    let own = own.map_or_else(String::new, |(_, text)| format!(",\"schema\":{text}"));
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
        "{{\"version\":\"0.1\",\"provider\":{{\"name\":{}{own}}},\"resources\":[{}],\"datasources\":[{}]}}",
        quoted(provider),
        list(SchemaKind::Resource),
        list(SchemaKind::DataSource)
    )
}

#[cfg(test)]
mod tests;
