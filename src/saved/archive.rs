//! The entries of a saved plan, which is a ZIP archive.
//!
//! Invariant: what is decompressed stays below a multiple of the archive's own size, so that a small file
//! cannot fill the memory.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Error;

/// The plan, as a message of protocol buffers.
pub(super) const PLAN: &str = "tfplan";
/// The schemas of the types in the plan (OpenTofu from 1.13).
pub(super) const SCHEMAS: &str = "tfschemas";
/// The folder of the sources of all modules.
pub(super) const CONFIGURATION: &str = "tfconfig/";
/// The dependency lock file. Its first line names the tool.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The accepted size of an entry: plans compress to a tenth, rarely to a fiftieth.
const BASE: u64 = 16 << 20;
const RATIO: u64 = 100;

/// The maximum number of entries that are read together.
const MAX_FILES: usize = 10_000;

/// An opened saved plan.
pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    limit: u64,
}

impl<'b> Archive<'b> {
    /// Opens the archive.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Error> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(Self { zip, limit: BASE.saturating_add(size.saturating_mul(RATIO)) })
    }

    /// Whether it is a saved plan.
    pub(super) fn is_plan(&self) -> bool {
        self.zip.index_for_name(PLAN).is_some()
    }

    /// The decompressed entry, if there is one of this name.
    pub(super) fn entry(&mut self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let limit = self.limit;
        match self.zip.by_name(name) {
            Ok(entry) => read(entry, name, limit).map(Some),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(error) => Err(damaged(&error)),
        }
    }

    /// The decompressed files below a folder, by their names in it. Together they are not larger than one entry
    /// may be.
    pub(super) fn below(&mut self, folder: &str) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let (mut found, mut left) = (BTreeMap::new(), self.limit);
        for at in 0..self.zip.len() {
            let entry = self.zip.by_index(at).map_err(|error| damaged(&error))?;
            let full_name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let Some(name) = full_name.strip_prefix(folder).filter(|name| !name.ends_with('/')) else {
                continue;
            };
            if found.len() == MAX_FILES {
                return Err(Error::Archive(format!("more than {MAX_FILES} files in {folder:?}")));
            }
            let bytes = read(entry, &full_name, left)?;
            left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            found.insert(name.to_owned(), bytes);
        }
        Ok(found)
    }

    /// The text of the dependency lock file; empty if there is none.
    pub(super) fn lock_file(&mut self) -> Result<String, Error> {
        let bytes = self.entry(LOCK_FILE)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn read(entry: impl Read, name: &str, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = entry.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::Archive(format!("`{name}`: {error}")))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        Ok(bytes)
    } else {
        Err(Error::TooLarge { entry: name.to_owned(), limit })
    }
}

fn damaged(error: &ZipError) -> Error {
    Error::Archive(error.to_string())
}
