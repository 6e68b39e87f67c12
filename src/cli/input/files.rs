//! The files on the command line, and those in directories that it names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cli::Host;
use crate::cli::units::expanded;

use super::Source;

/// The extensions of files that are read from a directory.
const ENDINGS: [&str; 3] = [".json", ".json.gz", ".tfplan"];

/// The sources to read: the files, or standard input if there are none.
pub(in crate::cli) fn sources(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Source>> {
    if files.is_empty() {
        return Ok(vec![Source::new(None, host)?]);
    }
    let mut sources = Vec::new();
    for file in files {
        for path in expanded(file)? {
            if path.is_dir() {
                sources.extend(in_folder(&path)?.into_iter().map(Source::File));
            } else {
                sources.push(Source::new(Some(&path), host)?);
            }
        }
    }
    Ok(sources)
}

/// The plans and states in a directory, sorted.
fn in_folder(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("looking for plans in {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) && path.is_file() {
            found.push(path);
        }
    }
    crate::sort::by(&mut found, Ord::cmp);
    if found.is_empty() {
        bail!("{}: no file in it ends in {}", folder.display(), ENDINGS.join(", "));
    }
    Ok(found)
}
