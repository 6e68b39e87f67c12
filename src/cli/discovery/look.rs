//! Decides what a file in a folder is: a document that is searched for, or something else that a note must count.
//!
//! Invariants: a file that would be read if it were given alone is a document here too, in whatever packing. In doubt, a
//! file is a document, which then counts as a unit that cannot be read. Every other file is counted, but for the
//! configuration of the tools.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;

use flate2::read::GzDecoder;

use super::{SearchFor, is_json_name};
use crate::cli::input::may_hold_plan;
use crate::cli::kind::{self, DocumentKind};
use crate::saved;

/// The number of bytes at the beginning of a file that are enough to recognize most kinds.
const FIRST: u64 = 512;

/// The kind of a file in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum FileKind {
    /// A document that is searched for, or what may be one.
    Document,
    /// JSON of another kind.
    Json,
    /// An archive without a plan, or one in a form that tfview does not open.
    Archive,
    /// The text of a tool, or a log, without a document in it.
    Log,
    /// A file that may not be read.
    Unreadable,
    /// The configuration that the tools read, by its name. It is beside every plan, and is not counted.
    Configuration,
    /// A file of any other form, which is not opened further. A plan that somebody has encoded or encrypted is one.
    Other,
}

impl FileKind {
    /// Decides by the name of a file, then by its beginning, and then by as much of it as is needed.
    pub(super) fn of(path: &Path, search_for: SearchFor) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if search_for.is_name(&name) {
            // This holds even if the file turns out to be unreadable.
            return Self::Document;
        }
        let is_json = is_json_name(path);
        let kind = Self::of_content(path, search_for, is_json);
        match kind {
            Ok(Self::Other) if is_log_name(&name) => Self::Log,
            Ok(Self::Other) if is_json => Self::Json,
            Ok(Self::Other) if is_archive_name(&name) => Self::Archive,
            Ok(Self::Other) if is_configuration_name(&name) => Self::Configuration,
            Ok(kind) => kind,
            // If a JSON file cannot be read, its content is unknown.
            Err(_) if is_json => Self::Document,
            Err(_) => Self::Unreadable,
        }
    }

    /// Decides by the beginning of a file, or by all of it if that is not enough.
    fn of_content(path: &Path, search_for: SearchFor, is_json: bool) -> io::Result<Self> {
        /// The number of bytes at the beginning that are enough to recognize most JSON.
        const MORE: u64 = 64 << 10;
        let head = beginning(path, FIRST)?;
        if saved::is_archive(&head) {
            return Ok(match search_for {
                SearchFor::Plans => of_zip(path)?,
                SearchFor::Runs => Self::Archive,
            });
        }
        let start = text(&head);
        if !is_json && !start.starts_with('{') {
            if is_binary(&head) {
                return Ok(Self::Other);
            }
            return of_text(path, search_for);
        }
        let head = beginning(path, MORE)?;
        let start = text(&head);
        if !start.starts_with('{') {
            return of_text(path, search_for);
        }
        let is_document = match kind::detect_from_beginning(&start) {
            Some(DocumentKind::Encrypted) => {
                search_for == SearchFor::Plans && is_encrypted_plan(path)?
            }
            Some(kind) => search_for.is_kind(kind),
            None if search_for == SearchFor::Runs => false,
            None if (head.len() as u64) < MORE => may_be_plan(&start),
            None => {
                // The members that decide come later in the file.
                let text = text(&beginning(path, u64::MAX)?);
                kind::detect(&text)
                    .map_or_else(|_| may_be_plan(&text), |kind| search_for.is_kind(kind))
            }
        };
        if is_document {
            return Ok(Self::Document);
        }
        // The first object may be a line of a log.
        of_text(path, search_for)
    }
}

impl SearchFor {
    /// Whether documents of a kind are searched for.
    fn is_kind(self, kind: DocumentKind) -> bool {
        kind == match self {
            Self::Plans => DocumentKind::Plan,
            Self::Runs => DocumentKind::Messages,
        }
    }
}

/// Whether JSON that ends too soon or is broken begins like a plan.
fn may_be_plan(text: &str) -> bool {
    let start = text.get(1..).unwrap_or_default().trim_start();
    start.starts_with("\"format_version\"") && !text.contains("\"provider_schemas\"")
}

/// Decides whether a text has a document within other lines, which a wrapper or a CI system may have written around it.
fn of_text(path: &Path, search_for: SearchFor) -> io::Result<FileKind> {
    let text = text(&beginning(path, u64::MAX)?);
    let is_document = match search_for {
        SearchFor::Plans => {
            let names = ["terraform_version", "resource_changes", "planned_values"];
            has_member(&text, "format_version")
                && names.iter().any(|name| has_member(&text, name))
                && may_hold_plan(&text)
        }
        SearchFor::Runs => !text.starts_with('{') && has_member(&text, "@message"),
    };
    Ok(if is_document {
        FileKind::Document
    } else {
        FileKind::Other
    })
}

/// Whether a text has the name of a member. Within a string, the quotes around the name are escaped.
fn has_member(text: &str, name: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), name).any(|offset| {
        text[..offset].ends_with('"')
            && text[offset + name.len()..]
                .trim_start_matches('\\')
                .starts_with('"')
    })
}

/// Whether an encrypted document is a plan and not a state, which has a member that says whose state it is.
fn is_encrypted_plan(path: &Path) -> io::Result<bool> {
    Ok(!has_member(&text(&beginning(path, u64::MAX)?), "lineage"))
}

/// Decides what a ZIP archive is. A saved plan has the entry `tfplan`, wherever in the archive; any other archive may
/// hold a plan.
fn of_zip(path: &Path) -> io::Result<FileKind> {
    let bytes = fs::read(path)?;
    if !saved::is_archive(&bytes) {
        // The archive is also packed with gzip. It cannot be read, but it is an archive.
        return Ok(FileKind::Document);
    }
    Ok(match saved::plan_within(&bytes, kind::is_plan) {
        Ok(_) => FileKind::Document,
        Err(saved::Error::NoPlan { .. }) => FileKind::Archive,
        // The archive has several plans, or is damaged.
        Err(_) => FileKind::Document,
    })
}

/// Whether data has zero bytes and is not UTF-16, in which about half of the bytes are zero.
fn is_binary(head: &[u8]) -> bool {
    let (zeros, third) = (memchr::memchr_iter(0, head).count(), head.len() / 3);
    zeros > 0 && !(third..=2 * third + 2).contains(&zeros)
}

fn is_log_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".log", ".txt", ".jsonl", ".ndjson", ".out"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

fn is_archive_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let endings = [
        ".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".lz4", ".lzma", ".7z", ".rar",
    ];
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Whether a name is that of configuration which Terraform, OpenTofu or Terragrunt reads.
fn is_configuration_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".tf", ".tofu", ".tfvars", ".hcl"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Reads up to `length` bytes of a file from its beginning, unpacked if it is gzip data.
pub(in crate::cli) fn beginning(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    let mut magic = [0; 2];
    let read = file.read(&mut magic)?;
    let all = Cursor::new(magic).take(read as u64).chain(file);
    if magic == [0x1f, 0x8b] {
        // Gzip data that is cut off is read as far as it goes.
        let _: io::Result<usize> = GzDecoder::new(all).take(length).read_to_end(&mut bytes);
    } else {
        all.take(length).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Decodes the beginning of a file. UTF-16, which shells of Windows write, is reduced to the ASCII characters that JSON
/// consists of.
fn text(bytes: &[u8]) -> String {
    let mut bytes = Cow::Borrowed(bytes);
    if memchr::memchr(0, &bytes).is_some() {
        bytes.to_mut().retain(|byte| *byte != 0);
    }
    let text = String::from_utf8_lossy(&bytes);
    let is_mark =
        |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | char::REPLACEMENT_CHARACTER);
    text.trim_start_matches(is_mark).to_owned()
}
