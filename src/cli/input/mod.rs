//! Reads files, pipes and saved plans, and finds the JSON documents in them.
//!
//! Invariants: in the common case (UTF-8 without other text) there is only one copy of the input; the text is
//! valid UTF-8; no document is skipped, and a note gives the amount of other text.

mod decode;
mod parallel_read;
mod reader;
mod saved;
mod scan;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::Host;
use super::message::with_tip;
use super::refusal::{self, Foreign};
use crate::dialect::Tool;
use crate::json;
use crate::saved::Snapshot;
pub(super) use reader::Reader;
pub(super) use saved::tool;

/// The source of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The source for `file` on the command line.
    pub(super) fn new(file: Option<&Path>, host: &Host) -> anyhow::Result<Self> {
        match file {
            Some(file) if file.as_os_str() != "-" => Ok(Self::File(file.to_owned())),
            Some(_) => Ok(Self::Stdin),
            None => {
                ensure!(
                    !host.terminal.stdin,
                    "no input\n  tip: name a FILE, or pipe one in, as in `terraform show -json tfplan | tfview show`"
                );
                Ok(Self::Stdin)
            }
        }
    }

    /// The file; `None` for standard input.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    fn bytes(&self, host: &Host) -> anyhow::Result<Vec<u8>> {
        let bytes = match self {
            Self::Stdin => {
                let mut bytes = Vec::new();
                host.stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
            Self::File(path) => read_file(path),
        };
        bytes.with_context(|| {
            let text = format!("cannot read {self}");
            match self {
                Self::File(path) if !path.exists() => match refusal::similar_file(path) {
                    Some(tip) => with_tip(&text, &tip),
                    None => text,
                },
                Self::File(_) | Self::Stdin => text,
            }
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a directory, not a file"));
    }
    let length = usize::try_from(metadata.len()).unwrap_or(0);
    if length >= parallel_read::WORTHWHILE
        && let Some(bytes) = parallel_read::read(&file, length)
    {
        return Ok(bytes);
    }
    // One more byte, so that the read that finds the end does not grow the buffer.
    let mut bytes = Vec::with_capacity(length + 1);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of one or several documents, and its source.
#[derive(Debug)]
pub(super) struct Document {
    source: Source,
    text: String,
    /// The ranges of the documents; `None` if the text begins with a document and has not been searched for
    /// others yet.
    documents: Option<Vec<Range<usize>>>,
    /// Set if the text is not identical to the bytes of the file, so that positions refer to the text.
    converted: Option<&'static str>,
    /// The tool that converted it from a saved plan, if it is one of both.
    pub(super) tool: Option<Tool>,
    /// The files of the configuration, in a saved plan.
    pub(super) configuration: Option<Snapshot>,
}

impl Document {
    /// The text of the only document, or of all documents. If there are several, parsing it fails with
    /// [`TrailingData`](json::ErrorKind::TrailingData).
    pub(super) fn text(&self) -> &str {
        &self.text[self.range()]
    }

    fn range(&self) -> Range<usize> {
        match self.documents.as_deref() {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.clone(),
            Some([]) | None => 0..self.text.len(),
        }
    }

    /// The range of each document, for [`part`](Self::part). Searches the text unless that was done before.
    pub(super) fn split(&self, host: &Host) -> anyhow::Result<Vec<Range<usize>>> {
        match &self.documents {
            Some(documents) => Ok(documents.clone()),
            None => self.find(host),
        }
    }

    /// The text of one of several documents.
    pub(super) fn part(&self, part: &Range<usize>) -> &str {
        &self.text[part.clone()]
    }

    /// The message for an error in the document: the problem, its position, and a tip.
    pub(super) fn fault(&self, error: &json::Error) -> anyhow::Error {
        self.fault_in(self.range(), error)
    }

    /// Like [`Self::fault`], for an error in one of several documents that was parsed separately.
    pub(super) fn fault_in(&self, part: Range<usize>, error: &json::Error) -> anyhow::Error {
        let Self { source, text, converted, .. } = self;
        let offset = error.offset.min(part.len());
        let path = json::locate(&text[part.clone()], offset);
        let mut place = place(text, part.start + offset, *converted);
        if !path.is_empty() {
            place = format!("{place} ({})", shortened(&path));
        }
        let (problem, advice) = match error.kind {
            json::ErrorKind::Expected(_)
            | json::ErrorKind::ControlCharacter
            | json::ErrorKind::BadEscape
            | json::ErrorKind::BadNumber => (format!("not JSON {place}: {error}"), ""),
            json::ErrorKind::UnexpectedEnd => {
                (format!("truncated {place}: {error}"), "\n  tip: is the file complete?")
            }
            json::ErrorKind::TrailingData => {
                (format!("{error} {place}"), "\n  tip: are there several documents in it?")
            }
            json::ErrorKind::Duplicate(_) => (
                format!("{error} {place}"),
                "\n  tip: only one of them can be right: let the tool write the document again, with its `show -json`",
            ),
            json::ErrorKind::TooDeep | json::ErrorKind::Type(_) => (format!("{error} {place}"), ""),
        };
        anyhow::anyhow!("cannot read {source}: {problem}{advice}")
    }

    /// The source of the text.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// Finds all documents in the text, and writes a note about skipped text.
    fn find(&self, host: &Host) -> anyhow::Result<Vec<Range<usize>>> {
        let Self { source, text, converted, .. } = self;
        let found = scan::documents(text).map_err(|fault| match fault {
            scan::Fault::NoJson => match Foreign::from_text(text) {
                Some(foreign) => foreign.error(source, refusal::tool(text, host)),
                None => anyhow::anyhow!(
                    "cannot read {source}: not JSON{}\n  tip: use the output of `terraform show -json` or `tofu show -json`",
                    scan::beginning(text)
                ),
            },
            scan::Fault::Json { start, error } => self.fault_in(start..text.len(), &error),
            scan::Fault::Other(at) => anyhow::anyhow!(
                "cannot read {source}: the text {} is neither a document nor clearly log output\n  tip: is a document malformed or truncated?",
                place(text, at, *converted)
            ),
        })?;
        for (what, count) in [("before", found.before), ("between", found.between), ("after", found.after)] {
            if count > 0 {
                let documents = if found.documents.len() > 1 { "documents" } else { "document" };
                host.note(&format!(
                    "passed over {count} bytes of other text {what} the {documents} in {source}"
                ));
            }
        }
        Ok(found.documents)
    }
}

/// Describes the position of the byte at `offset`.
fn place(text: &str, offset: usize, converted: Option<&str>) -> String {
    let before = &text.as_bytes()[..offset];
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let column = offset - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1;
    let of = converted.map(|unit| format!(" of the {unit} text")).unwrap_or_default();
    format!("at line {line}, column {column}{of}")
}

/// A path without its middle if it is too long to read.
fn shortened(path: &str) -> String {
    const SHOWN: usize = 80;
    let count = path.chars().count();
    if count <= 2 * SHOWN {
        return path.to_owned();
    }
    let start: String = path.chars().take(SHOWN).collect();
    let end: String = path.chars().skip(count - SHOWN).collect();
    format!("{start}…{end}")
}

/// Reads the whole text of `source`. Returns the name of the source and the text.
pub(super) fn read_text(source: &Source, host: &Host) -> anyhow::Result<(String, String)> {
    let decoded = decode::text(source.bytes(host)?).with_context(|| format!("cannot read {source}"))?;
    Ok((source.to_string(), decoded.text))
}

/// Reads the JSON of `source`.
pub(super) fn read(source: Source, host: &Host) -> anyhow::Result<Document> {
    let bytes = source.bytes(host)?;
    read_bytes(source, bytes, host)
}

fn read_bytes(source: Source, bytes: Vec<u8>, host: &Host) -> anyhow::Result<Document> {
    let foreign = Foreign::from_bytes(&bytes);
    let decode::Decoded { text, converted } = decode::text(bytes).map_err(|error| match foreign {
        Some(foreign) => foreign.error(&source, refusal::tool("", host)),
        None => error.context(format!("cannot read {source}")),
    })?;
    if text.trim_start().is_empty() {
        bail!("cannot read {source}: empty\n  tip: did the command that wrote it fail?");
    }
    let mut document = Document { source, text, documents: None, converted, tool: None, configuration: None };
    if !scan::begins_as_document(&document.text) {
        document.documents = Some(document.find(host)?);
    }
    Ok(document)
}
