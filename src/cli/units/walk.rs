//! Walks folders, and expands patterns.
//!
//! Invariants: ignore files are not read, because they could hide a plan from a gate; symbolic links are not
//! followed; names are sorted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::access::glob_matches;

/// The folders that are not searched: what the tools and Terragrunt keep there belongs to other runs, or to none.
const LEFT_OUT: [&str; 3] = [".terraform", ".terragrunt-cache", ".git"];

/// What a walk finds.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The regular files.
    pub(super) files: Vec<PathBuf>,
    /// The number of symbolic links.
    pub(super) links: usize,
    /// The folders that cannot be read.
    pub(super) unreadable: Vec<(PathBuf, io::Error)>,
}

/// Walks a folder at every depth.
pub(super) fn walk(folder: &Path) -> Walked {
    let mut walked = Walked::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Err(error) => walked.unreadable.push((folder, error)),
            Ok(entries) => {
                for entry in entries {
                    match entry.file_type() {
                        Err(error) => walked.unreadable.push((entry.path(), error)),
                        Ok(kind) if kind.is_symlink() => walked.links += 1,
                        Ok(kind) if kind.is_dir() => {
                            if !is_left_out(&entry.file_name().to_string_lossy()) {
                                folders.push(entry.path());
                            }
                        }
                        Ok(kind) if kind.is_file() => walked.files.push(entry.path()),
                        // Pipes and devices are not files of a plan.
                        Ok(_) => {}
                    }
                }
            }
        }
    }
    // A folder comes before those below it.
    crate::sort::by(&mut walked.files, |a, b| (a.parent(), a.file_name()).cmp(&(b.parent(), b.file_name())));
    crate::sort::by(&mut walked.unreadable, |(a, _), (b, _)| a.cmp(b));
    walked
}

fn is_left_out(name: &str) -> bool {
    LEFT_OUT.contains(&name)
}

/// The paths that match a pattern, sorted; the path itself if it is not a pattern. `**` is any number of folders.
pub(in crate::cli) fn expanded(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let text = pattern.to_string_lossy();
    if pattern.exists() || !text.contains(['*', '?']) {
        return Ok(vec![pattern.to_owned()]);
    }
    let context = || format!("looking for {}", pattern.display());
    let names: Vec<_> = pattern.components().map(|part| part.as_os_str().to_os_string()).collect();
    let mut found = vec![PathBuf::new()];
    for (at, name) in names.iter().enumerate() {
        let is_last = at + 1 == names.len();
        let glob = name.to_string_lossy();
        if !glob.contains(['*', '?']) {
            found.iter_mut().for_each(|path| path.push(name));
            found.retain(|path| if is_last { path.exists() } else { path.is_dir() });
            continue;
        }
        let mut next = Vec::new();
        for folder in &found {
            if glob == "**" {
                // At the end of a pattern, it stands for all that a folder holds.
                next.extend(if is_last {
                    vec![folder.clone()]
                } else {
                    folders(folder).with_context(context)?
                });
                continue;
            }
            for entry in entries(folder).with_context(context)? {
                if glob_matches(&glob, &entry.file_name().to_string_lossy())
                    && (is_last || entry.path().is_dir())
                {
                    next.push(folder.join(entry.file_name()));
                }
            }
        }
        found = next;
    }
    crate::sort::by(&mut found, Ord::cmp);
    found.dedup();
    if found.is_empty() {
        bail!("{}: no file matches", pattern.display());
    }
    Ok(found)
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::read_dir(here)?.collect()
}

/// A folder, and all folders below it.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = vec![folder.to_owned()];
    let mut at = 0;
    while let Some(folder) = all.get(at).cloned() {
        for entry in entries(&folder)? {
            let name = entry.file_name();
            if entry.file_type()?.is_dir() && !is_left_out(&name.to_string_lossy()) {
                all.push(folder.join(name));
            }
        }
        at += 1;
    }
    Ok(all)
}
