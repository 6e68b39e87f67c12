//! Finds programs.
//!
//! Invariant: a name without a slash is searched only in the absolute directories of `PATH`. An empty or
//! relative entry would run a program from the current directory, which may be part of the change under
//! review.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::environment::Environment;

/// Finds the program `name`.
pub(super) fn find(name: &OsStr, environment: &Environment) -> Option<PathBuf> {
    if Path::new(name).components().count() != 1 || is_path(name) {
        return Some(PathBuf::from(name));
    }
    let path = environment.path.as_deref()?;
    let mut file = OsString::from(name);
    if !std::env::consts::EXE_SUFFIX.is_empty() && Path::new(name).extension().is_none() {
        file.push(std::env::consts::EXE_SUFFIX);
    }
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&file))
        .find(|path| is_program(path))
}

/// Whether `name` is a path rather than a plain name.
fn is_path(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
