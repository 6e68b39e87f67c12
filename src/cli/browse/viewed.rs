//! Stores which changes of a plan were marked as viewed, in one file for each plan in the state directory of the user.
//!
//! Invariants: a plan is named by a hash, and only the user can read the file. Marks that cannot be read count as
//! missing.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

use crate::cli::Host;
use crate::cli::processes::{private_file, private_folder};

/// The maximum number of plans whose marks are stored. Beyond that, the oldest files are removed.
const MAX_PLANS: usize = 200;

/// Returns the directory of the marks; `None` if the user has no state directory.
pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    let state = host.environment.state_home.as_ref()?;
    Some(state.join("tfview").join("viewed"))
}

/// Returns the marks of a plan; none if they cannot be read.
pub(super) fn read(plan: &str, host: &Host) -> Vec<String> {
    let text = folder(host).and_then(|folder| fs::read_to_string(folder.join(plan)).ok());
    let text = text.unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Stores the marks of a plan instead of earlier ones.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn keep(plan: &str, entries: &[String], host: &Host) -> anyhow::Result<()> {
    let folder = folder(host).context("no home directory to keep the marks in")?;
    let path = folder.join(plan);
    let context = || format!("keeping the marks in {}", folder.display());
    private_folder(&folder, true).with_context(context)?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(context);
        }
        Ok(()) | Err(_) => {}
    }
    if entries.is_empty() {
        return Ok(());
    }
    let mut file = private_file(&path).with_context(context)?;
    // A name with a line break would become several.
    for entry in entries.iter().filter(|entry| !entry.contains(['\n', '\r'])) {
        writeln!(file, "{entry}").with_context(context)?;
    }
    remove_oldest(&folder).with_context(context)
}

/// Removes the files that were written first, beyond the limit.
fn remove_oldest(folder: &std::path::Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.metadata()?.modified()?, entry.path()));
    }
    files.sort_unstable();
    let surplus = files.len().saturating_sub(MAX_PLANS);
    files
        .into_iter()
        .take(surplus)
        .try_for_each(|(_, path)| fs::remove_file(path))
}
