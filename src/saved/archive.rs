//! The entries of a saved plan, which is a ZIP archive.
//!
//! Invariants: all that is unpacked of an archive is together not larger than [`BASE`] and [`RATIO`] times the
//! archive's own size, so that a small file cannot fill the memory; an archive that other readers could read
//! otherwise is an error (`directory`).
//!
//! ```text
//! tfplan                  the messages of the plan
//! tfstate, tfstate-prev   the states, which are not read
//! tfconfig/…              the sources of the modules
//! .terraform.lock.hcl     the providers, which tell the tool
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::{Error, directory};

pub(super) const PLAN: &str = "tfplan";
/// OpenTofu from 1.13.
pub(super) const SCHEMAS: &str = "tfschemas";
pub(super) const CONFIGURATION: &str = "tfconfig/";
/// Its first line names the tool.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The accepted size of all that is unpacked: plans compress to a tenth, those of many equal objects to a sixtieth.
const BASE: u64 = 2 << 20;
const RATIO: u64 = 100;

/// The maximum number of entries that are read together.
const MAX_FILES: usize = 10_000;

/// An archive that is unpacked within a limit.
pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    /// The accepted size of all entries together.
    limit: u64,
    /// What of it has not been used.
    left: u64,
}

impl<'b> Archive<'b> {
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

    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.zip.index_for_name(name) {
            Some(index) => self.unpack(index).map(Some),
            None => Ok(None),
        }
    }

    /// The files in a folder, by their names in it.
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

    /// Unpacks an entry, within what is left of the limit for the whole archive.
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

    pub(super) fn lock_file(&mut self) -> Result<String, Error> {
        let bytes = self.entry(LOCK_FILE)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Whether a file begins as a ZIP archive does.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The one plan in a ZIP archive: a saved plan, or one for which `is_plan` holds. `None` if the archive is
/// itself a saved plan.
pub fn plan_within(
    bytes: &[u8],
    is_plan: impl Fn(&[u8]) -> bool,
) -> Result<Option<(String, Vec<u8>)>, Error> {
    /// How many names of files an error lists.
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

/// Returns the dependency lock file (`.terraform.lock.hcl`) in a saved plan: empty if it has none, `None` if it cannot
/// be read.
pub fn lock_file(bytes: &[u8]) -> Option<String> {
    Archive::open(bytes)
        .and_then(|mut archive| archive.lock_file())
        .ok()
}

fn damaged(problem: impl fmt::Display) -> Error {
    Error::malformed("", format!("damaged ZIP archive: {problem}"))
}
