//! The entries of a saved plan, which is a ZIP archive.
//!
//! Invariant: what is decompressed stays below a multiple of the archive's own size, so that a small file
//! cannot fill the memory.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Error;

/// The plan, as a message of protocol buffers.
pub(super) const PLAN: &str = "tfplan";
/// The schemas of the types in the plan (OpenTofu from 1.13).
pub(super) const SCHEMAS: &str = "tfschemas";
/// The dependency lock file. Its first line names the tool.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// The accepted size of an entry: plans compress to a tenth, rarely to a fiftieth.
const BASE: u64 = 16 << 20;
const RATIO: u64 = 100;

/// How many names of entries an error lists.
const MAX_NAMES: usize = 5;

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
        let archive = Self { zip, limit: BASE.saturating_add(size.saturating_mul(RATIO)) };
        if archive.zip.index_for_name(PLAN).is_none() {
            let names = archive.zip.file_names().take(MAX_NAMES).flatten().map(Cow::into_owned);
            return Err(Error::OtherArchive(names.collect()));
        }
        Ok(archive)
    }

    /// The decompressed entry, if there is one of this name.
    pub(super) fn entry(&mut self, name: &'static str) -> Result<Option<Vec<u8>>, Error> {
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(&error)),
        };
        let mut bytes = Vec::new();
        let read = entry.take(self.limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::Archive(format!("`{name}`: {error}")))?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length <= self.limit) {
            Ok(Some(bytes))
        } else {
            Err(Error::TooLarge { entry: name, limit: self.limit })
        }
    }

    /// The text of the dependency lock file; empty if there is none.
    pub(super) fn lock_file(&mut self) -> Result<String, Error> {
        let bytes = self.entry(LOCK_FILE)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn damaged(error: &ZipError) -> Error {
    Error::Archive(error.to_string())
}
