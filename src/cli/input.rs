//! Reads files, pipes and saved plans, and finds the JSON documents in them.
//!
//! Invariants: in the common case (UTF-8 without other text) there is only one copy of the input; the text is
//! valid UTF-8; no document is skipped, and a note gives the amount of other text.

mod decode;
mod reader;
mod scan;

use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

use super::Host;
use super::host::with_tip;
use super::refusal::{self, Foreign};
use crate::dialect::Tool;
use crate::json::{self, ErrorKind};
use crate::saved::Snapshot;
pub(super) use reader::{Reader, tool};

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
            Some(file) if file.as_os_str() != "-" => return Ok(Self::File(file.to_owned())),
            Some(_) => {}
            None => ensure!(
                !host.terminal.stdin,
                "no input\n  tip: name a FILE, or pipe one in, as in `terraform show -json tfplan | tfview show`"
            ),
        }
        Ok(Self::Stdin)
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
            Self::File(path) => decode::read_file(path),
        };
        bytes.with_context(|| {
            let tip = self.path().filter(|path| !path.exists()).and_then(refusal::similar_file);
            let text = format!("cannot read {self}");
            tip.map_or_else(|| text.clone(), |tip| with_tip(&text, &tip))
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

/// The text of one or several documents, and its source.
#[derive(Debug)]
pub(super) struct Document {
    source: Source,
    text: String,
    /// The ranges of the documents; `None` if the text begins with a document and has not been searched for
    /// others yet.
    documents: Option<Vec<Range<usize>>>,
    /// The kind of text to which positions refer, if not to the bytes of the file.
    converted: Option<&'static str>,
    /// The tool that converted it from a saved plan, if it is one of both.
    pub(super) tool: Option<Tool>,
    /// The files of the configuration, in a saved plan.
    pub(super) configuration: Option<Snapshot>,
}

impl Document {
    /// The text of the only document, or of all documents. If there are several, parsing it fails with
    /// [`TrailingData`](ErrorKind::TrailingData).
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
        let offset = error.offset.min(part.len());
        let path = json::locate(self.part(&part), offset);
        let mut place = self.place(part.start + offset);
        if !path.is_empty() {
            place = format!("{place} ({})", shortened(&path));
        }
        let (problem, tip) = match error.kind {
            ErrorKind::Expected(_)
            | ErrorKind::ControlCharacter
            | ErrorKind::BadEscape
            | ErrorKind::BadNumber => (format!("not JSON {place}: {error}"), None),
            ErrorKind::UnexpectedEnd => {
                (format!("truncated {place}: {error}"), Some("is the file complete?"))
            }
            ErrorKind::TrailingData => {
                (format!("{error} {place}"), Some("are there several documents in it?"))
            }
            ErrorKind::Duplicate(_) => (
                format!("{error} {place}"),
                Some(
                    "only one of them can be right: let the tool write the document again, with its `show -json`",
                ),
            ),
            ErrorKind::TooDeep | ErrorKind::Type(_) => (format!("{error} {place}"), None),
        };
        let text = format!("cannot read {}: {problem}", self.source);
        anyhow!(tip.map_or_else(|| text.clone(), |tip| with_tip(&text, tip)))
    }

    /// The source of the text.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// Finds all documents in the text, and writes a note about skipped text.
    fn find(&self, host: &Host) -> anyhow::Result<Vec<Range<usize>>> {
        let Self { source, text, .. } = self;
        let (documents, skipped) = scan::documents(text).map_err(|fault| match fault {
            scan::Fault::NoJson => match Foreign::from_text(text) {
                Some(foreign) => foreign.error(source, refusal::tool(text, host)),
                None => anyhow!(
                    "cannot read {source}: not JSON{}\n  tip: use the output of `terraform show -json` or `tofu show -json`",
                    scan::beginning(text)
                ),
            },
            scan::Fault::Json { start, error } => self.fault_in(start..text.len(), &error),
            scan::Fault::Other(at) => anyhow!(
                "cannot read {source}: the text {} is neither a document nor clearly log output\n  tip: is a document malformed or truncated?",
                self.place(at)
            ),
        })?;
        if skipped > 0 {
            let documents = if documents.len() > 1 { "documents" } else { "document" };
            host.note(&format!(
                "passed over {skipped} bytes of other text around the {documents} in {source}"
            ));
        }
        Ok(documents)
    }

    /// Describes the position of the byte at `offset`.
    fn place(&self, offset: usize) -> String {
        let before = &self.text.as_bytes()[..offset];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let column = offset - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1;
        let of = self.converted.map(|unit| format!(" of the {unit} text")).unwrap_or_default();
        format!("at line {line}, column {column}{of}")
    }
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
    let (text, _) = decode::text(source.bytes(host)?).with_context(|| format!("cannot read {source}"))?;
    Ok((source.to_string(), text))
}

/// Reads the JSON of `source`.
pub(super) fn read(source: Source, host: &Host) -> anyhow::Result<Document> {
    let bytes = source.bytes(host)?;
    read_bytes(source, bytes, host)
}

fn read_bytes(source: Source, bytes: Vec<u8>, host: &Host) -> anyhow::Result<Document> {
    let foreign = Foreign::from_bytes(&bytes);
    let (text, converted) = decode::text(bytes).map_err(|error| match foreign {
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
