//! Reads the entries of a saved plan, which is a ZIP archive.
//!
//! Invariants: everything that is unpacked of an archive is together at most [`BASE`] bytes plus [`RATIO`] times the
//! size of the archive, so that a small file cannot fill the memory. An archive that other programs could read
//! differently is an error (see `directory`).
//!
//! ```text
//! tfplan                  the messages of the plan
//! tfstate                 the state: only the data sources in it are read
//! tfstate-prev            the state before it was refreshed, which is not read
//! tfconfig/…              the sources of the modules
//! .terraform.lock.hcl     the providers, which tell the tool
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::{Error, directory};

/// The name of the entry with the messages of the plan.
pub(super) const PLAN: &str = "tfplan";
/// The name of the entry with the schemas, which OpenTofu writes from 1.13 on.
pub(super) const SCHEMAS: &str = "tfschemas";
/// The beginning of the names of the entries with the sources of the modules.
pub(super) const CONFIGURATION: &str = "tfconfig/";
/// The name of the entry with the state that planning has made by refreshing.
pub(super) const STATE: &str = "tfstate";
/// The name of the entry with the dependency lock file, whose first line names the tool.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The number of bytes that any archive may unpack to. Plans compress to a tenth of their size, and plans with many
/// equal objects to a sixtieth.
const BASE: u64 = 2 << 20;
/// The number of bytes that an archive may unpack to in addition, for each of its own bytes.
const RATIO: u64 = 100;

/// The maximum number of entries of a folder that are read together.
const MAX_FILES: usize = 10_000;

/// An archive whose entries are unpacked within a limit.
pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    /// The number of bytes that all entries together may unpack to.
    limit: u64,
    /// The number of bytes of the limit that are left.
    left: u64,
}

impl<'b> Archive<'b> {
    /// Opens an archive after checking that it has one reading only.
    ///
    /// # Errors
    /// If it is damaged, or could be read in several ways.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Error> {
        directory::check(bytes).map_err(|problem| Error::Unsupported {
            problem: format!("a ZIP archive that is damaged or was changed: {problem}"),
            tip: "create the plan again with `plan -out=FILE`: the tools do not write such a file",
        })?;
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let limit = BASE.saturating_add(size.saturating_mul(RATIO));
        Ok(Self {
            zip,
            limit,
            left: limit,
        })
    }

    pub(super) fn is_plan(&self) -> bool {
        self.zip.index_for_name(PLAN).is_some()
    }

    /// Unpacks the entry with a name; `None` if there is none.
    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.zip.index_for_name(name) {
            Some(index) => self.unpack(index).map(Some),
            None => Ok(None),
        }
    }

    /// Unpacks all files in a folder, by their names relative to it.
    ///
    /// # Errors
    /// If there are more than `MAX_FILES` of them, or they exceed the limit of the archive.
    pub(super) fn below(&mut self, folder: &str) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let mut names = Vec::new();
        for index in 0..self.zip.len() {
            let entry = self.zip.by_index_raw(index).map_err(damaged)?;
            let full_name = String::from_utf8_lossy(entry.name_raw());
            if let Some(name) = full_name.strip_prefix(folder)
                && !name.ends_with('/')
            {
                names.push((index, name.to_owned()));
            }
        }
        if names.len() > MAX_FILES {
            let problem = format!("more than {MAX_FILES} files in {folder:?}");
            return Err(damaged(problem));
        }
        let mut files = BTreeMap::new();
        for (index, name) in names {
            files.insert(name, self.unpack(index)?);
        }
        Ok(files)
    }

    /// Unpacks an entry, and subtracts its size from what is left of the limit for the whole archive.
    fn unpack(&mut self, index: usize) -> Result<Vec<u8>, Error> {
        let entry = self.zip.by_index(index).map_err(damaged)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        let mut bytes = Vec::new();
        entry
            .take(self.left.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| damaged(format!("`{name}`: {error}")))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        match self.left.checked_sub(length) {
            Some(left) => {
                self.left = left;
                Ok(bytes)
            }
            None => Err(Error::TooLarge {
                entry: name,
                limit: self.limit,
            }),
        }
    }

    /// Unpacks the dependency lock file; empty if there is none.
    pub(super) fn lock_file(&mut self) -> Result<String, Error> {
        let bytes = self.entry(LOCK_FILE)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Whether a file begins with the signature of a ZIP archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns the only plan in a ZIP archive with its name: a saved plan, or a file for which `is_plan` holds. Returns
/// `None` if the archive is itself a saved plan.
///
/// # Errors
/// If the archive has no plan or several, or cannot be read.
pub fn plan_within(
    bytes: &[u8],
    is_plan: impl Fn(&[u8]) -> bool,
) -> Result<Option<(String, Vec<u8>)>, Error> {
    /// The maximum number of file names that an error lists.
    const MAX_NAMES: usize = 5;
    let mut archive = Archive::open(bytes)?;
    if archive.is_plan() {
        return Ok(None);
    }
    let files = archive.below("")?;
    let names: Vec<String> = files.keys().take(MAX_NAMES).cloned().collect();
    let more = files.len().saturating_sub(MAX_NAMES);
    let is_saved =
        |bytes: &[u8]| is_archive(bytes) && Archive::open(bytes).is_ok_and(|inner| inner.is_plan());
    let mut plans: Vec<(String, Vec<u8>)> = files
        .into_iter()
        .filter(|(_, bytes)| is_saved(bytes) || is_plan(bytes))
        .collect();
    if plans.len() == 1 {
        return Ok(plans.pop());
    }
    let plans: Vec<String> = plans
        .into_iter()
        .map(|(name, _)| name)
        .take(MAX_NAMES)
        .collect();
    Err(if plans.is_empty() {
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        Error::NoPlan {
            files: format!("{}{more}", names.join(", ")),
        }
    } else {
        let problem = format!("a ZIP archive with several plans: {}", plans.join(", "));
        Error::Unsupported {
            problem,
            tip: "extract the plan that you want to read",
        }
    })
}

/// Returns the dependency lock file (`.terraform.lock.hcl`) in a saved plan: empty if the plan has none, `None` if the
/// archive cannot be read.
pub fn lock_file(bytes: &[u8]) -> Option<String> {
    Archive::open(bytes)
        .and_then(|mut archive| archive.lock_file())
        .ok()
}

fn damaged(problem: impl fmt::Display) -> Error {
    Error::malformed("", format!("damaged ZIP archive: {problem}"))
}
