//! The changes of a plan that were marked as viewed: a file for each plan, in the state directory of the user.
//!
//! Invariants: a plan is named by a hash, and only its owner can read the file. Marks that cannot be read are forgotten.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;

use crate::cli::Host;
use crate::cli::processes::{private_file, private_folder};

/// The maximum number of plans whose marks are kept; those of the oldest are removed.
const MAX_PLANS: usize = 200;

/// The directory of the marks.
pub(super) fn folder(host: &Host) -> Option<PathBuf> {
    let state = host.environment.state_home.as_ref()?;
    Some(state.join("tfview").join("viewed"))
}

/// Reads the marks of a plan.
pub(super) fn read(plan: &str, host: &Host) -> Vec<String> {
    let text = folder(host).and_then(|folder| fs::read_to_string(folder.join(plan)).ok());
    let text = text.unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Keeps the marks of a plan.
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
    // A name with a line break would be several.
    for entry in entries.iter().filter(|entry| !entry.contains(['\n', '\r'])) {
        writeln!(file, "{entry}").with_context(context)?;
    }
    remove_oldest(&folder).with_context(context)
}

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
