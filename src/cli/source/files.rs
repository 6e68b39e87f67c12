//! Reads configuration files, and names them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::Host;

/// Reads a text file. A file that cannot be read, or is longer than `max_len` bytes, causes a warning in which it is
/// called `named`.
pub(super) fn read_text(path: &Path, named: &Path, max_len: u64, host: &Host) -> Option<String> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(max_len + 1).read_to_end(&mut bytes)) {
        Err(error) => host.warning(&format!("cannot read {}: {error}", named.display())),
        Ok(_) if bytes.len() as u64 > max_len => {
            host.warning(&format!(
                "{} is longer than {max_len} bytes and is not read",
                named.display()
            ));
        }
        Ok(_) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
    None
}

/// Whether a file declares objects, by its name. Override files are left out: they only change what others declare.
pub(super) fn is_configuration(name: &str) -> bool {
    let name = name.strip_suffix(".json").unwrap_or(name);
    let Some(stem) = name
        .strip_suffix(".tf")
        .or_else(|| name.strip_suffix(".tofu"))
    else {
        return false;
    };
    let is_hidden = stem.starts_with('.') || (stem.starts_with('#') && stem.ends_with('#'));
    !is_hidden && stem != "override" && !stem.ends_with("_override")
}

/// Returns the name of a directory as files below it are named; empty for the working directory.
pub(super) fn folder_name(folder: &Path) -> String {
    let name = slashed(folder);
    match name.trim_start_matches("./").trim_end_matches('/') {
        "." => String::new(),
        name => name.to_owned(),
    }
}

/// Joins the name of a folder, which may be empty, with the name of a file below it.
pub(super) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Returns a path with `/` between its names.
pub(super) fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

/// Returns the URI of a file, given by its full path.
pub(super) fn file_uri(path: &Path) -> String {
    let path = slashed(path);
    // On Windows, `\\?\C:\a` becomes `/C:/a`.
    let path = path.trim_start_matches("//?/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", crate::term::percent_encoded(path))
}
