//! Files that would be written over: those that are read, and those that are written twice.

use std::fs;
use std::path::Path;

use anyhow::bail;

/// Rejects output files, each with its option, that are also read, or named twice.
pub(super) fn refuse(outputs: &[(&str, &Path)], inputs: &[&Path], reads_stdin: bool) -> anyhow::Result<()> {
    for (at, (option, output)) in outputs.iter().enumerate() {
        let what = if inputs.iter().any(|input| is_same_file(input, output)) {
            "which is read"
        } else if reads_stdin && is_standard_input(output) {
            "which is standard input"
        } else if outputs.iter().take(at).any(|(_, other)| other == output && !is_device(output)) {
            "which is written too"
        } else {
            continue;
        };
        bail!("{option} would write over {}, {what}\n  tip: name another file", output.display());
    }
    Ok(())
}

/// Whether it exists and is no file, such as a terminal or the null device, which many can write to.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::metadata(one).is_ok_and(|one| fs::metadata(other).is_ok_and(|other| are_same(&one, &other)))
}

#[cfg(unix)]
fn is_standard_input(path: &Path) -> bool {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    let stdin = io::stdin().as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
    stdin.is_ok_and(|stdin| fs::metadata(path).is_ok_and(|path| are_same(&path, &stdin)))
}

/// Whether both are the same file. Devices such as terminals and the null device may be read and written at
/// the same time.
#[cfg(unix)]
fn are_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

#[cfg(not(unix))]
fn is_standard_input(_: &Path) -> bool {
    false
}
