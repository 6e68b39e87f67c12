//! Matches patterns of files: `*` and `?` match characters within a name, `**` any number of folders.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, ensure};
use globset::{GlobBuilder, GlobMatcher};
use walkdir::{DirEntry, WalkDir};

use super::LEFT_OUT;

/// The name in a pattern that matches folders at any depth.
const ANY_DEPTH: &str = "**";

/// Returns the paths that a pattern matches, sorted. Returns the path itself if it is not a pattern, or if a file has
/// that name.
///
/// A pattern that ends with `**` matches folders. Symbolic links are followed, except by `**`.
///
/// # Errors
/// If nothing matches, or a folder cannot be listed.
pub(in crate::cli) fn expanded(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if pattern.exists() || !is_glob(pattern) {
        return Ok(vec![pattern.to_owned()]);
    }
    let mut paths = Pattern::new(pattern)
        .and_then(|pattern| pattern.paths())
        .with_context(|| format!("looking for {}", pattern.display()))?;
    paths.sort();
    paths.dedup();
    ensure!(!paths.is_empty(), "{}: no file matches", pattern.display());
    Ok(paths)
}

/// Returns the folders before the first name of a pattern with a special character; `None` for a path that is not a
/// pattern. Units are named by the path below these folders.
pub(in crate::cli) fn base(pattern: &Path) -> Option<PathBuf> {
    let is_name = |name: &Component<'_>| !is_glob(Path::new(name.as_os_str()));
    let is_pattern = is_glob(pattern) && !pattern.exists();
    is_pattern.then(|| pattern.components().take_while(is_name).collect())
}

fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?'])
}

/// A pattern of files, split before the first name with a special character.
struct Pattern {
    /// The folders before that name.
    base: PathBuf,
    /// The matcher for the path below the base; `None` if the base is all that is left.
    below: Option<GlobMatcher>,
    /// The number of names below the base; `None` for any number.
    depth: Option<usize>,
    /// Whether the pattern only matches folders.
    only_folders: bool,
    /// The names of [`LEFT_OUT`] that the pattern does not have itself.
    left_out: Vec<&'static str>,
}

impl Pattern {
    /// Splits a pattern, and compiles the part with special characters.
    ///
    /// # Errors
    /// If that part is not a valid pattern.
    fn new(pattern: &Path) -> anyhow::Result<Self> {
        let mut names: Vec<Component<'_>> = pattern.components().collect();
        let is_any = |name: &Component<'_>| name.as_os_str() == ANY_DEPTH;
        let mut only_folders = false;
        while names.last().is_some_and(is_any) {
            names.pop();
            only_folders = true;
        }
        let first = names
            .iter()
            .position(|name| is_glob(Path::new(name.as_os_str())))
            .unwrap_or(names.len());
        let below = names.split_off(first);
        let left_out = LEFT_OUT
            .into_iter()
            .filter(|left_out| below.iter().all(|name| name.as_os_str() != *left_out))
            .collect();
        let depth = (!below.iter().any(is_any)).then_some(below.len());
        let text: Vec<String> = below.iter().map(escaped).collect();
        let below = (!text.is_empty()).then(|| {
            GlobBuilder::new(&text.join("/"))
                .literal_separator(true)
                .backslash_escape(true)
                .build()
                .map(|glob| glob.compile_matcher())
        });
        Ok(Self {
            base: names.into_iter().collect(),
            below: below.transpose()?,
            depth,
            only_folders,
            left_out,
        })
    }

    /// Returns the paths that match.
    ///
    /// # Errors
    /// If a folder cannot be listed.
    fn paths(&self) -> anyhow::Result<Vec<PathBuf>> {
        let Some(below) = &self.below else {
            return Ok(vec![self.base.clone()]);
        };
        let is_empty = self.base.as_os_str().is_empty();
        let root = if is_empty { Path::new(".") } else { &self.base };
        if !root.is_dir() {
            return Ok(Vec::new());
        }
        let walk = WalkDir::new(root)
            .min_depth(1)
            .max_depth(self.depth.unwrap_or(usize::MAX))
            // Without a limit of the depth, a link to a folder above would never end.
            .follow_links(self.depth.is_some());
        let mut paths = Vec::new();
        for entry in walk
            .into_iter()
            .filter_entry(|entry| !self.is_left_out(entry))
        {
            let entry = match entry {
                Ok(entry) => entry,
                // This is a link to a folder above, or to nothing.
                Err(error) if error.loop_ancestor().is_some() || is_dangling(&error) => continue,
                Err(error) => return Err(error.into()),
            };
            let path = entry.path();
            let path = if is_empty {
                path.strip_prefix(root).unwrap_or(path)
            } else {
                path
            };
            let relative = path.strip_prefix(&self.base).unwrap_or(path);
            let is_wanted = !self.only_folders || path.is_dir();
            if is_wanted && below.is_match(relative) && path.exists() {
                paths.push(path.to_owned());
            }
        }
        Ok(paths)
    }

    /// Whether an entry has one of the names that are left out.
    fn is_left_out(&self, entry: &DirEntry) -> bool {
        self.left_out
            .iter()
            .any(|name| entry.depth() > 0 && entry.file_name() == *name)
    }
}

/// Escapes a name for the matcher, which gives more characters than `*` and `?` a special meaning.
fn escaped(name: &Component<'_>) -> String {
    let mut text = String::new();
    for c in name.as_os_str().to_string_lossy().chars() {
        if "[]{}\\,!".contains(c) {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

fn is_dangling(error: &walkdir::Error) -> bool {
    let is_link = |path: &Path| path.is_symlink() && !path.exists();
    error.path().is_some_and(is_link)
}

#[cfg(test)]
mod tests;
