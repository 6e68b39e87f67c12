//! Makes the hash by which the marker of a comment says what a review is about.
//!
//! Invariant: the hash depends on what the command line names and on where that is in the repository. It does not
//! depend on the content of the plans, the time, or the machine, so that the next run of the same job finds its
//! comment.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::cli::args::ReviewArgs;
use crate::cli::source::repository_of;
use crate::report::Marker;

/// Returns the hash of the plans of a review and of what is selected of them.
pub(super) fn identity(args: &ReviewArgs) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    let mut parts: Vec<(&str, OsString)> = Vec::new();
    if args.files.is_empty() && args.units.is_empty() {
        parts.push(("file", named(Path::new("-"), &folder)));
    }
    for file in &args.files {
        parts.push(("file", named(file, &folder)));
    }
    for unit in &args.units {
        parts.push(("unit", unit.name().into()));
        parts.push(("file", named(unit.path(), &folder)));
    }
    if let Some(title) = &args.title {
        parts.push(("title", title.into()));
    }
    let selections = [
        ("address", &args.address),
        ("include", &args.selection.include),
        ("exclude", &args.selection.exclude),
        ("type", &args.selection.types),
        ("module", &args.selection.module),
    ];
    for (name, values) in selections {
        parts.extend(values.iter().map(|value| (name, value.into())));
    }
    let only = args
        .selection
        .only
        .iter()
        .map(|kind| ("only", kind.word().into()));
    parts.extend(only);
    if args.selection.only_findings {
        parts.push(("only-findings", OsString::new()));
    }
    let bytes = parts
        .iter()
        .flat_map(|(name, value)| [name.as_bytes(), value.as_encoded_bytes()]);
    Marker::identity(bytes)
}

/// Names a file by its path from the root of the repository. A file outside of it has its whole path, and standard
/// input the name of the directory in which the command runs.
fn named(file: &Path, folder: &Path) -> OsString {
    let path = without_dots(&folder.join(file));
    let below = repository_of(folder).and_then(|repository| path.strip_prefix(repository).ok());
    below.unwrap_or(&path).as_os_str().to_owned()
}

/// Removes `.` and `..` from a path. After a symbolic link, `..` stays, because it leads elsewhere than to the folder
/// before.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.is_symlink() => plain.push(part),
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_name() {
        let folder = Path::new("/no-repository/live/dev");
        for spelling in [
            "x.json",
            "./x.json",
            "../dev/x.json",
            "/no-repository/live/dev/x.json",
        ] {
            let expected = named(Path::new("x.json"), folder);
            assert_eq!(named(Path::new(spelling), folder), expected, "{spelling}");
        }
        let other = Path::new("/no-repository/live/prod");
        assert_ne!(
            named(Path::new("x.json"), folder),
            named(Path::new("x.json"), other)
        );
        assert_ne!(named(Path::new("-"), folder), named(Path::new("-"), other));
    }
}
