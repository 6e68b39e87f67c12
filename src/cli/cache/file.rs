//! The cache file of a provider: one line of JSON as an index, followed by the texts of the schemas.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::schema::catalog::SchemaKind;

/// The version of the file's format.
pub(super) const FORMAT: u32 = 1;

/// The maximum length of the first line, in bytes. For the largest provider it is below 1 MB.
const MAX_LINE_LEN: u64 = 64 << 20;

/// The first line: the index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stored {
    pub(super) tfview_schema_cache: u32,
    pub(super) provider: String,
    /// The version of the provider, if it is known.
    pub(super) version: Option<String>,
    /// The time of adding, in seconds since the Unix epoch.
    pub(super) added: u64,
    /// Whether the schemas come from a Provider Code Specification.
    pub(super) specification: bool,
    pub(super) entries: Vec<StoredEntry>,
}

/// The index entry of a schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredEntry {
    /// The name of the kind.
    pub(super) kind: String,
    pub(super) name: String,
    /// The start of the text, in bytes after the first line, and its length.
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: String,
}

/// A checksum against damage (64-bit FNV-1a). It need not resist forgery, because only the user can write to
/// the directory.
pub(super) fn checksum(text: &[u8]) -> String {
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// An open cache file.
pub(super) struct CacheFile {
    pub(super) stored: Stored,
    file: BufReader<File>,
    begin: u64,
    length: u64,
}

impl CacheFile {
    /// Opens a cache file and reads its index.
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
        let begin = line.len() as u64;
        Ok(Self { stored, file, begin, length: metadata.len() })
    }

    /// Reads the text of a schema.
    fn text(&mut self, entry: &StoredEntry) -> Result<String, String> {
        let damaged = || "damaged".to_owned();
        let end = self.begin.checked_add(entry.offset).and_then(|begin| begin.checked_add(entry.length));
        if end.is_none_or(|end| end > self.length) {
            return Err(damaged());
        }
        let mut bytes = vec![0; usize::try_from(entry.length).map_err(|_| damaged())?];
        let begin = SeekFrom::Start(self.begin + entry.offset);
        self.file.seek(begin).map_err(|error| error.to_string())?;
        self.file.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        if checksum(&bytes) != entry.checksum {
            return Err(damaged());
        }
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    /// A document with the needed schemas; `None` if the file has none of them.
    pub(super) fn document(&mut self, needed: &[(SchemaKind, &str)]) -> Result<Option<String>, String> {
        let needed: HashSet<(&str, &str)> = needed.iter().map(|(kind, name)| (kind.word(), *name)).collect();
        let is_needed = |entry: &StoredEntry| needed.contains(&(entry.kind.as_str(), entry.name.as_str()));
        let entries: Vec<StoredEntry> =
            self.stored.entries.iter().filter(|entry| is_needed(entry)).cloned().collect();
        if entries.is_empty() { Ok(None) } else { self.assemble(&entries).map(Some) }
    }

    /// A document with all schemas.
    pub(super) fn everything(&mut self) -> Result<String, String> {
        let entries = self.stored.entries.clone();
        self.assemble(&entries)
    }

    fn assemble(&mut self, entries: &[StoredEntry]) -> Result<String, String> {
        let mut of_kinds = Vec::new();
        for kind in SchemaKind::ALL {
            let mut members = Vec::new();
            for entry in entries.iter().filter(|entry| entry.kind == kind.word()) {
                members.push((entry.name.clone(), self.text(entry)?));
            }
            if !members.is_empty() {
                of_kinds.push((kind, members));
            }
        }
        let provider = &self.stored.provider;
        Ok(if self.stored.specification {
            specification(provider, &of_kinds)
        } else {
            provider_schemas(provider, &of_kinds)
        })
    }
}

type Members = Vec<(String, String)>;

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn provider_schemas(provider: &str, of_kinds: &[(SchemaKind, Members)]) -> String {
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

fn specification(provider: &str, of_kinds: &[(SchemaKind, Members)]) -> String {
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
