//! The entries of a saved plan, which is a ZIP archive.
//!
//! Invariant: what is decompressed stays below a multiple of the archive's own size, so that a small file
//! cannot fill the memory.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Error;

pub(super) const PLAN: &str = "tfplan";
/// OpenTofu from 1.13.
pub(super) const SCHEMAS: &str = "tfschemas";
pub(super) const CONFIGURATION: &str = "tfconfig/";
/// Its first line names the tool.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The accepted size of an entry: plans compress to a tenth, rarely to a fiftieth.
const BASE: u64 = 16 << 20;
const RATIO: u64 = 100;

/// The maximum number of entries that are read together.
const MAX_FILES: usize = 10_000;

pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    limit: u64,
}

impl<'b> Archive<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Error> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(Self {
            zip,
            limit: BASE.saturating_add(size.saturating_mul(RATIO)),
        })
    }

    pub(super) fn is_plan(&self) -> bool {
        self.zip.index_for_name(PLAN).is_some()
    }

    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let limit = self.limit;
        match self.zip.by_name(name) {
            Ok(entry) => read(entry, name, limit).map(Some),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(error) => Err(damaged(error)),
        }
    }

    /// Together the files are not larger than one entry may be.
    pub(super) fn below(&mut self, folder: &str) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let (mut found, mut left) = (BTreeMap::new(), self.limit);
        for at in 0..self.zip.len() {
            let entry = self.zip.by_index(at).map_err(damaged)?;
            let full_name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let Some(name) = full_name
                .strip_prefix(folder)
                .filter(|name| !name.ends_with('/'))
            else {
                continue;
            };
            if found.len() == MAX_FILES {
                return Err(damaged(format!(
                    "more than {MAX_FILES} files in {folder:?}"
                )));
            }
            let bytes = read(entry, &full_name, left)?;
            left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            found.insert(name.to_owned(), bytes);
        }
        Ok(found)
    }

    pub(super) fn lock_file(&mut self) -> Result<String, Error> {
        let bytes = self.entry(LOCK_FILE)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

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
            tip: "take the plan to read out of the archive",
        }
    })
}

pub fn lock_file(bytes: &[u8]) -> Option<String> {
    Archive::open(bytes)
        .and_then(|mut archive| archive.lock_file())
        .ok()
}

fn read(entry: impl Read, name: &str, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = entry.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| damaged(format!("`{name}`: {error}")))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        Ok(bytes)
    } else {
        Err(Error::TooLarge {
            entry: name.to_owned(),
            limit,
        })
    }
}

fn damaged(problem: impl fmt::Display) -> Error {
    Error::malformed("", format!("damaged ZIP archive: {problem}"))
}
