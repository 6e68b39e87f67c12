//! The schemas that `tfview schema add` stores: one file for each provider in the user's data directory.
//!
//! A file has one line of JSON as an index, followed by the texts of the schemas. It is replaced atomically, and readable
//! only by its owner. The address of a provider is untrusted, so none of its characters may have a special meaning in the
//! name of the file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use bumpalo::Bump;
use serde::{Deserialize, Serialize};

use super::Needed;
use crate::cli::Host;
use crate::cli::host::{io_text, with_tip};
use crate::cli::processes::{private_file, private_folder};
use crate::schema::Schemas;
use crate::schema::catalog::{Entry, SchemaKind};
use crate::text::count;

/// The directory of the cache, if the user has a data directory.
pub(in crate::cli) fn folder(host: &Host) -> Option<PathBuf> {
    host.environment.data_home.as_deref().map(|home| home.join("tfview").join("schemas"))
}

/// All stored schemas, as one text for each provider.
pub(in crate::cli) fn all(host: &Host) -> Vec<String> {
    let read = |(provider, path): (String, PathBuf)| {
        let text = CacheFile::open(&path).and_then(|mut file| file.document(|_| true));
        text.unwrap_or_else(|problem| {
            note_damaged(&provider, &problem, host);
            None
        })
    };
    files(host).into_iter().filter_map(read).collect()
}

fn note_damaged(provider: &str, problem: &str, host: &Host) {
    host.warning(&with_tip(
        &format!("the stored schema of {provider} is not used: {problem}"),
        "add it again with `tfview schema add`",
    ));
}

/// The providers with a file, and their files, sorted. A missing directory is an empty cache.
fn files(host: &Host) -> Vec<(String, PathBuf)> {
    let Some(folder) = folder(host) else { return Vec::new() };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                let (folder, reason) = (folder.display(), io_text(&error));
                host.warning(&format!("no stored schemas are used: cannot read {folder}: {reason}"));
            }
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    crate::sort::by(&mut paths, Ord::cmp);
    let provider = |path: &PathBuf| provider(&path.file_name()?.to_string_lossy());
    paths.into_iter().filter_map(|path| Some((provider(&path)?, path))).collect()
}

/// Reads the stored schemas of these types: a text for each provider that has some, and what it is, such as
/// `hashicorp/aws 6.25.0, added 3 days ago`.
pub(super) fn read(needed: &Needed, host: &Host) -> Vec<(String, String)> {
    let mut read = Vec::new();
    if needed.is_empty() {
        return read;
    }
    for (provider, path) in files(host) {
        let of_provider = needed.iter().filter(|(wanted, _, name)| may_be(wanted, name, &provider));
        let of_provider: Vec<(SchemaKind, &str)> =
            of_provider.map(|(_, kind, name)| (*kind, name.as_str())).collect();
        if of_provider.is_empty() {
            continue;
        }
        match read_file(&path, &of_provider, host.seconds()) {
            Ok(found) => read.extend(found),
            Err(problem) => note_damaged(&provider, &problem, host),
        }
    }
    read
}

/// Whether the file of a provider may contain a type. If several may, [`Schemas`] decides.
fn may_be(wanted: &str, type_name: &str, provider: &str) -> bool {
    let wanted = if wanted.is_empty() { type_name.split('_').next().unwrap_or_default() } else { wanted };
    wanted.rsplit('/').next() == provider.rsplit('/').next()
}

/// The needed types of a file; `None` if it has none of them.
fn read_file(
    path: &Path,
    needed: &[(SchemaKind, &str)],
    now: u64,
) -> Result<Option<(String, String)>, String> {
    let mut file = CacheFile::open(path)?;
    let wanted: BTreeSet<(&str, &str)> = needed.iter().map(|(kind, name)| (kind.word(), *name)).collect();
    let text = file.document(|entry| wanted.contains(&(entry.kind.as_str(), entry.name.as_str())))?;
    let Some(text) = text else { return Ok(None) };
    // Errors must be found here, where they are only warnings: the plan is shown anyway.
    let arena = Bump::new();
    let mut trial = Schemas::new();
    trial.add(&text).map_err(|error| error.to_string())?;
    let Stored { provider, version, added, .. } = &file.stored;
    for (kind, name) in needed {
        let mode = kind.mode().unwrap_or_default();
        trial.resource(provider, mode, name, &arena).map_err(|error| error.to_string())?;
    }
    drop(trial);
    let version = version.as_deref().map_or_else(String::new, |version| format!(" {version}"));
    let described = format!("{provider}{version}, added {}", age(now.saturating_sub(*added)));
    Ok(Some((text, described)))
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

/// Stores the schemas of one provider, replacing existing ones. Its version may be unknown.
pub(in crate::cli) fn add(
    provider: &str,
    entries: &[&Entry<'_>],
    version: Option<&str>,
    host: &Host,
) -> anyhow::Result<()> {
    let folder = folder(host).context(
        "there is no data directory: set XDG_DATA_HOME, or HOME, to a folder that can be written to",
    )?;
    let name = name(provider);
    ensure!(name.len() <= 200, "the provider's name is too long for the name of a file");
    let path = folder.join(name);
    let bytes = content(provider, entries, version, host.seconds()).context("writing the cache")?;
    store(&path, &bytes).with_context(|| format!("writing {}", path.display()))
}

/// Writes a file, and its directory if there is none, atomically: concurrent readers see the old or the new content.
pub(in crate::cli) fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| private_folder(folder, true))?;
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

/// The version of the file's format.
const FORMAT: u32 = 1;

/// The maximum length of the first line, in bytes. For the largest provider it is below 1 MB.
const MAX_LINE_LEN: u64 = 64 << 20;

/// The ending of the names of files.
const END: &str = ".schema";

/// The first line: the index.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    tfview_schema_cache: u32,
    pub(super) provider: String,
    /// The version of the provider, if it is known.
    pub(super) version: Option<String>,
    /// The time of adding, in seconds since the Unix epoch.
    pub(super) added: u64,
    /// Whether the schemas come from a Provider Code Specification.
    specification: bool,
    entries: Vec<StoredEntry>,
}

/// The index entry of a schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredEntry {
    /// The name of the kind.
    pub(super) kind: String,
    pub(super) name: String,
    /// The start of the text, in bytes after the first line, and its length.
    offset: u64,
    length: u64,
    checksum: String,
}

/// The content of a file with these schemas.
fn content(
    provider: &str,
    entries: &[&Entry<'_>],
    version: Option<&str>,
    added: u64,
) -> serde_json::Result<Vec<u8>> {
    let mut offset = 0;
    let stored = entries.iter().map(|entry| {
        let text = entry.text();
        let stored = StoredEntry {
            kind: entry.kind.word().to_owned(),
            name: entry.name.to_string(),
            offset,
            length: text.len() as u64,
            checksum: checksum(text.as_bytes()),
        };
        offset += stored.length;
        stored
    });
    let mut bytes = serde_json::to_vec(&Stored {
        tfview_schema_cache: FORMAT,
        provider: provider.to_owned(),
        version: version.map(str::to_owned),
        added,
        specification: entries.iter().any(|entry| entry.is_of_specification),
        entries: stored.collect(),
    })?;
    bytes.push(b'\n');
    entries.iter().for_each(|entry| bytes.extend_from_slice(entry.text().as_bytes()));
    Ok(bytes)
}

/// A checksum against damage (64-bit FNV-1a). It need not resist forgery, because only the user can write to
/// the directory.
fn checksum(text: &[u8]) -> String {
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// An open file.
struct CacheFile {
    pub(super) stored: Stored,
    file: BufReader<File>,
    begin: u64,
    length: u64,
}

impl CacheFile {
    /// Opens a file and reads its index.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let metadata = file.metadata().map_err(|error| error.to_string())?;
        if !metadata.is_file() {
            return Err("not a file".to_owned());
        }
        let mut file = BufReader::new(file);
        let mut line = Vec::new();
        let read = (&mut file).take(MAX_LINE_LEN).read_until(b'\n', &mut line);
        read.map_err(|error| error.to_string())?;
        let stored: Stored = serde_json::from_slice(&line).map_err(|_| "damaged".to_owned())?;
        if stored.tfview_schema_cache != FORMAT {
            return Err("another version of tfview wrote it".to_owned());
        }
        Ok(Self { stored, file, begin: line.len() as u64, length: metadata.len() })
    }

    /// Reads the text of a schema.
    fn text(&mut self, entry: &StoredEntry) -> Result<String, String> {
        let damaged = || "damaged".to_owned();
        let begin = self.begin.checked_add(entry.offset).ok_or_else(damaged)?;
        if begin.checked_add(entry.length).is_none_or(|end| end > self.length) {
            return Err(damaged());
        }
        let mut bytes = vec![0; usize::try_from(entry.length).map_err(|_| damaged())?];
        let read = self.file.seek(SeekFrom::Start(begin)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| error.to_string())?;
        if checksum(&bytes) != entry.checksum {
            return Err(damaged());
        }
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    /// A document with some of the schemas; `None` if the file has none of them.
    pub(super) fn document(
        &mut self,
        is_needed: impl Fn(&StoredEntry) -> bool,
    ) -> Result<Option<String>, String> {
        let entries: Vec<StoredEntry> =
            self.stored.entries.iter().filter(|entry| is_needed(entry)).cloned().collect();
        let mut of_kinds = Vec::new();
        for kind in SchemaKind::ALL {
            let mut members = Vec::new();
            for entry in entries.iter().filter(|entry| entry.kind == kind.word()) {
                members.push((&*entry.name, self.text(entry)?));
            }
            if !members.is_empty() {
                of_kinds.push((kind, members));
            }
        }
        let Stored { provider, specification, .. } = &self.stored;
        let write = if *specification { specification_text } else { provider_schemas };
        Ok((!entries.is_empty()).then(|| write(provider, &of_kinds)))
    }
}

/// The schemas of a kind: name and text.
type Members<'m> = (SchemaKind, Vec<(&'m str, String)>);

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn provider_schemas(provider: &str, of_kinds: &[Members<'_>]) -> String {
    let kinds = of_kinds.iter().map(|(kind, members)| match (kind, members.as_slice()) {
        (SchemaKind::Provider, [(_, text), ..]) => format!("\"provider\":{text}"),
        _ => {
            let members = members.iter().map(|(name, text)| format!("{}:{text}", quoted(name)));
            format!("{}:{{{}}}", quoted(kind.member()), members.collect::<Vec<_>>().join(","))
        }
    });
    let kinds = kinds.collect::<Vec<_>>().join(",");
    format!("{{\"format_version\":\"1.0\",\"provider_schemas\":{{{}:{{{kinds}}}}}}}", quoted(provider))
}

fn specification_text(provider: &str, of_kinds: &[Members<'_>]) -> String {
    let of_kind =
        |wanted| of_kinds.iter().filter(move |(kind, _)| *kind == wanted).flat_map(|(_, members)| members);
    let own: String =
        of_kind(SchemaKind::Provider).take(1).map(|(_, text)| format!(",\"schema\":{text}")).collect();
    let list = |kind, name| {
        let members = of_kind(kind).map(|(name, text)| {
            let own_name =
                name.strip_prefix(provider).and_then(|name| name.strip_prefix('_')).unwrap_or(name);
            format!("{{\"name\":{},\"schema\":{text}}}", quoted(own_name))
        });
        format!(",\"{name}\":[{}]", members.collect::<Vec<_>>().join(","))
    };
    let lists = list(SchemaKind::Resource, "resources") + &list(SchemaKind::DataSource, "datasources");
    format!("{{\"version\":\"0.1\",\"provider\":{{\"name\":{}{own}}}{lists}}}", quoted(provider))
}

/// The file name for a provider: lower-case letters, digits, `-`, `_` and inner dots are kept, `/` becomes
/// `+`, and everything else becomes `%` and its hexadecimal code. Capitals are encoded because some file
/// systems are case-insensitive.
fn name(provider: &str) -> String {
    let mut name = String::with_capacity(provider.len() + END.len());
    for byte in provider.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            b'.' if !name.is_empty() => name.push('.'),
            b'/' => name.push('+'),
            other => {
                // Writing to a `String` cannot fail.
                let _ = write!(name, "%{other:02x}");
            }
        }
    }
    name + END
}

/// The provider for a file name; `None` for other files.
fn provider(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.strip_suffix(END)?.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b'/',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests;
