//! Writes cache files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, ensure};

use super::file::{FORMAT, Stored, StoredEntry, checksum};
use super::{folder, name};
use crate::cli::Host;
use crate::cli::processes::{private_file, private_folder};
use crate::schema::catalog::Entry;

/// Writes the schemas of one provider, replacing existing ones. Its version may be unknown.
pub(in crate::cli) fn add(
    provider: &str,
    entries: &[Entry<'_>],
    version: Option<&str>,
    host: &Host,
) -> anyhow::Result<()> {
    let folder = folder(host).context(
        "there is no data directory: set XDG_DATA_HOME, or HOME, to a folder that can be written to",
    )?;
    private_folder(&folder, true).with_context(|| format!("creating {}", folder.display()))?;
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
        offset += text.len() as u64;
        stored
    });
    let stored = Stored {
        tfview_schema_cache: FORMAT,
        provider: provider.to_owned(),
        version: version.map(str::to_owned),
        added: host.seconds(),
        specification: entries.iter().any(|entry| entry.is_of_specification),
        entries: stored.collect(),
    };
    let mut bytes = serde_json::to_vec(&stored).context("writing the cache")?;
    bytes.push(b'\n');
    entries.iter().for_each(|entry| bytes.extend_from_slice(entry.text().as_bytes()));
    let name = name::file(provider);
    ensure!(name.len() <= 200, "the provider's name is too long for the name of a file");
    let path = folder.join(name);
    replace(&path, &bytes).with_context(|| format!("writing {}", path.display()))
}

/// Writes a file of the cache, and its directory if there is none.
pub(in crate::cli) fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| private_folder(folder, true))?;
    replace(path, bytes)
}

/// Replaces the file at `path` atomically: concurrent readers see the old or the new content.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = write_new(&draft, bytes).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // Only the error above is reported.
        let _: io::Result<()> = fs::remove_file(&draft);
    }
    written
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private_file(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
