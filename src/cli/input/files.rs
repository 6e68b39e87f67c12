//! The files on the command line: expands patterns that no shell has expanded, and directories.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::access::glob_matches;
use crate::cli::Host;

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
    found.sort();
    if found.is_empty() {
        bail!("{}: no file in it ends in {}", folder.display(), ENDINGS.join(", "));
    }
    Ok(found)
}

/// The files that match a pattern, sorted; the path itself if it is not a pattern.
fn expanded(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let text = pattern.to_string_lossy();
    if pattern.exists() || !text.contains(['*', '?']) {
        return Ok(vec![pattern.to_owned()]);
    }
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let name = component.as_os_str().to_string_lossy();
        if !name.contains(['*', '?']) {
            found.iter_mut().for_each(|path| path.push(component));
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            for entry in fs::read_dir(here).with_context(|| format!("looking for {}", pattern.display()))? {
                let entry = entry.with_context(|| format!("looking for {}", pattern.display()))?;
                if glob_matches(&name, &entry.file_name().to_string_lossy()) {
                    next.push(folder.join(entry.file_name()));
                }
            }
        }
        found = next;
    }
    found.retain(|path| path.exists());
    found.sort();
    if found.is_empty() {
        bail!("{}: no file matches", pattern.display());
    }
    Ok(found)
}
