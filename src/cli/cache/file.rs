//! The file of a provider's stored schemas: one line of JSON as an index, followed by the texts of the schemas.
//!
//! The address of a provider is untrusted, so none of its characters may have a special meaning in the name of the file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::schema::catalog::{Entry, SchemaKind};

/// The version of the file's format.
const FORMAT: u32 = 1;

/// The maximum length of the first line, in bytes. For the largest provider it is below 1 MB.
const MAX_LINE_LEN: u64 = 64 << 20;

/// The ending of the names of files.
const END: &str = ".schema";

/// The first line: the index.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Stored {
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
pub(super) struct StoredEntry {
    /// The name of the kind.
    pub(super) kind: String,
    pub(super) name: String,
    /// The start of the text, in bytes after the first line, and its length.
    offset: u64,
    length: u64,
    checksum: String,
}

/// The content of a file with these schemas.
pub(super) fn content(
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
pub(super) struct CacheFile {
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
pub(super) fn name(provider: &str) -> String {
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
pub(super) fn provider(name: &str) -> Option<String> {
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
