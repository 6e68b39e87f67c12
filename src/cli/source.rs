//! Finds the resources of a plan in configuration files, and the resources at lines of these files, for tools
//! that name a file and a line.
//!
//! Invariants: nothing outside of the directory is read, regardless of symbolic links and module calls,
//! except for `CODEOWNERS` in the same repository; the number and size of files and the depth of calls are
//! limited.

mod blocks;
mod files;
mod lines;
mod owners;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::owners::Platform;

/// The maximum length of a file that is read, in bytes.
pub(super) use self::lines::SourceLines;
/// The maximum number of files that are read.
pub(super) use self::owners::repository_of;
/// The maximum depth of module calls.
pub(super) use self::tree::SourceTree;

/// Lists the files below a directory of configuration that a review or the tool may read, including `CODEOWNERS`,
/// variables and states, so that no output overwrites one. What cannot be listed is left out here, and reported where it
/// is read.
pub(super) fn configuration_files(directory: &Path) -> Vec<PathBuf> {
    /// The maximum depth of folders.
    const MAX_DEPTH: usize = 64;
    let is_read = |name: &str| {
        let endings = [
            ".tf",
            ".tofu",
            ".tf.json",
            ".tofu.json",
            ".hcl",
            ".tfvars",
            ".tfvars.json",
            ".tfstate",
        ];
        endings.iter().any(|ending| name.ends_with(ending)) || name == "modules.json"
    };
    let mut files: Vec<PathBuf> = WalkDir::new(directory)
        .max_depth(MAX_DEPTH)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git")
        .filter_map(Result::ok)
        .filter(|entry| is_read(&entry.file_name().to_string_lossy()))
        .map(walkdir::DirEntry::into_path)
        .collect();
    if let Ok(root) = fs::canonicalize(directory) {
        let repository = repository_of(&root).unwrap_or(&root);
        for platform in [Platform::GitHub, Platform::GitLab] {
            let places = platform.folders().into_iter();
            files.extend(places.map(|folder| repository.join(folder).join("CODEOWNERS")));
        }
    }
    files
}

#[cfg(test)]
mod tests;
