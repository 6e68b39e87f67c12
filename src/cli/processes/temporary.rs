//! Temporary files, readable only by their owner.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use super::Processes;
use crate::cli::private;

/// The number of names that are tried for the directory.
const NAMES: u32 = 100;

/// The name of the file.
const FILE: &str = "tfplan";

/// A temporary file for a saved plan, in a directory of its own. Both are removed on drop, and when a signal
/// ends the program.
#[derive(Debug)]
pub(in crate::cli) struct TemporaryFile {
    folder: PathBuf,
    processes: Processes,
}

impl TemporaryFile {
    /// The path of the file.
    pub(in crate::cli) fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut state = self.processes.lock();
        remove(&self.folder);
        state.folders.retain(|folder| *folder != self.folder);
    }
}

/// Removes a directory with its file.
pub(super) fn remove(folder: &Path) {
    // A failure must not hide the outcome; the system cleans up temporary files anyway.
    let _: io::Result<()> = fs::remove_dir_all(folder);
}

impl Processes {
    /// Creates a temporary file. The tools write to an existing file and keep its mode.
    pub(in crate::cli) fn temporary_file(&self, content: &[u8]) -> anyhow::Result<TemporaryFile> {
        self.watch()?;
        let temporary = std::env::temp_dir();
        for attempt in 0..NAMES {
            let folder = temporary.join(format!("tfview-{}-{attempt}", std::process::id()));
            // No signal ends the program between the creation and the note of it.
            let mut state = self.lock();
            match private::folder(&folder, false) {
                Ok(()) => state.folders.push(folder.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(anyhow!(error).context("creating a directory for the plan")),
            }
            drop(state);
            let file = TemporaryFile { folder, processes: self.clone() };
            let mut opened = private::new_file(&file.path()).context("creating a file for the plan")?;
            opened.write_all(content).context("writing the plan to a file")?;
            return Ok(file);
        }
        bail!("creating a directory for the plan: {} has many of them already", temporary.display());
    }
}
