//! Reads and decodes inputs, and finds the JSON documents in them.
//!
//! Invariants: in the common case (UTF-8 without other text) there is only one copy of the input. No document is
//! skipped, and a note says how much other text was.

mod nested;
mod scan;
mod times;

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

use super::Host;
use super::foreign::{self, Foreign};
use super::kind::{self, DocumentKind};
use super::messages::ErrorWithTip;
use crate::dialect::Tool;
use crate::input;
use crate::json::{self, ErrorKind};
use crate::saved::Snapshot;
use crate::text::{count, quote};
use nested::{Nested, NestedText};

/// The words in tips for the commands that write documents.
pub(super) const DOCUMENTS: &str = "the output of `terraform show -json` or `tofu show -json`";
/// The words in tips for the commands that write schemas.
const SCHEMAS: &str =
    "the output of `terraform providers schema -json` or `tofu providers schema -json`";

/// The origin of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Stdin,
    File(PathBuf),
}

impl Source {
    /// Makes the source for an argument: `-` means standard input, and so does no argument.
    ///
    /// # Errors
    /// If there is no argument, and standard input is a terminal.
    pub(super) fn new(file: Option<&Path>, host: &Host) -> anyhow::Result<Self> {
        match file {
            Some(file) if file.as_os_str() != "-" => return Ok(Self::File(file.to_owned())),
            Some(_) => {}
            None => ensure!(
                !host.terminal.stdin,
                ErrorWithTip::new(
                    "no input",
                    "name a FILE, or pipe one in, as in `terraform show -json tfplan | tfview show`"
                )
            ),
        }
        Ok(Self::Stdin)
    }

    /// Returns the path of a file; `None` for standard input.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Reads all bytes.
    ///
    /// # Errors
    /// If the input cannot be read. If a file does not exist, the tip names one with a similar name.
    pub(super) fn bytes(&self, host: &Host) -> anyhow::Result<Vec<u8>> {
        let bytes = match self {
            Self::Stdin => {
                let mut bytes = Vec::new();
                host.stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
            Self::File(path) => read_file(path),
        };
        bytes.map_err(|error| {
            let tip = self
                .path()
                .filter(|path| !path.exists())
                .and_then(foreign::similar_file);
            ErrorWithTip::with(format!("cannot read {self}"), tip)
                .caused_by(error)
                .into()
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

/// An input that was read and decoded, with the documents in it.
#[derive(Debug)]
pub(super) struct Document {
    /// The origin of the input.
    source: Source,
    /// The text of the whole input.
    text: String,
    /// The ranges of the documents in the text, in bytes; `None` if the text begins with a document and has not been
    /// searched for others.
    documents: Option<Vec<Range<usize>>>,
    /// Whether the text was made from another form, so that positions in it mean nothing to the user.
    is_converted: bool,
    /// The tool that made the document, if its form says so.
    pub(super) tool: Option<Tool>,
    /// The configuration in a saved plan, if it can be read.
    pub(super) configuration: Option<Snapshot>,
}

impl Document {
    /// Makes a document whose text was converted from a saved plan; `tool` is the tool that converted it, if it is
    /// known.
    pub(super) fn of_saved_plan(
        source: Source,
        text: String,
        tool: Option<Tool>,
        configuration: Option<Snapshot>,
    ) -> Self {
        Self {
            source,
            text,
            documents: None,
            is_converted: true,
            tool,
            configuration,
        }
    }

    /// Replaces the text with one that was converted from it.
    pub(super) fn with_converted(self, text: String) -> Self {
        Self {
            text,
            documents: None,
            is_converted: true,
            ..self
        }
    }

    /// Returns the text from the first document to the end of the last one.
    ///
    /// With several documents, parsing it fails with [`TrailingData`](ErrorKind::TrailingData).
    pub(super) fn text(&self) -> &str {
        &self.text[self.range()]
    }

    /// Returns the range from the first document to the end of the last one.
    fn range(&self) -> Range<usize> {
        match self.documents.as_deref() {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.clone(),
            Some([]) | None => 0..self.text.len(),
        }
    }

    /// Returns the ranges of all documents in the text, which is searched for them if that was not done yet.
    ///
    /// # Errors
    /// If the text has something that is neither a document nor clearly log output.
    pub(super) fn split(&self, host: &Host) -> anyhow::Result<Vec<Range<usize>>> {
        match &self.documents {
            Some(documents) => Ok(documents.clone()),
            None => self.find(DOCUMENTS, host),
        }
    }

    /// Returns the text of one of the documents.
    pub(super) fn part(&self, part: &Range<usize>) -> &str {
        &self.text[part.clone()]
    }

    /// Makes the error for a fault that parsing `Self::text` has found.
    pub(super) fn fault(&self, error: &json::Error) -> anyhow::Error {
        self.fault_in(self.range(), error)
    }

    /// Makes the error for a fault in one of several documents that were parsed on their own. It says the line and the
    /// column in the input, and the path in the document.
    pub(super) fn fault_in(&self, part: Range<usize>, error: &json::Error) -> anyhow::Error {
        let offset = error.offset.min(part.len());
        let path = json::locate(self.part(&part), offset);
        let mut position = self.line_and_column(part.start + offset);
        if !path.is_empty() {
            position = format!("{position} ({})", shortened(&path));
        }
        let (problem, tip) = match error.kind {
            ErrorKind::Expected(_)
            | ErrorKind::ControlCharacter
            | ErrorKind::BadEscape
            | ErrorKind::BadNumber => (format!("not JSON {position}: {error}"), None),
            ErrorKind::UnexpectedEnd => (
                format!("truncated {position}: {error}"),
                Some("is the file complete?"),
            ),
            ErrorKind::TrailingData => (
                format!("{error} {position}"),
                Some("are there several documents in it?"),
            ),
            ErrorKind::Duplicate(_) => (
                format!("{error} {position}"),
                Some(
                    "only one of them can be right: let the tool write the document again, with its `show -json`",
                ),
            ),
            ErrorKind::TooDeep | ErrorKind::Type(_) => (format!("{error} {position}"), None),
        };
        let text = format!("cannot read {}: {problem}", self.source);
        ErrorWithTip::with(text, tip).into()
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the document itself if it is a plan or has no plan in it; otherwise the plan in it.
    ///
    /// # Errors
    /// If there are several plans in it, or one where it is not clear that it is meant.
    pub(super) fn unwrapped(mut self, host: &Host) -> anyhow::Result<Self> {
        let range = self.range();
        let around = [&self.text[..range.start], &self.text[range.end..]];
        if around
            .into_iter()
            .any(|text| scan::plan_member(text).is_some())
        {
            return Ok(self);
        }
        let begin = range.start + self.text().len() - self.text().trim_start().len();
        let source = &self.source;
        let nested = nested::find(self.text()).map_err(|fault| {
            let tip = match fault {
                nested::Fault::Several(_) => "give one of them",
                nested::Fault::Elsewhere(_) => "give that part, as `jq` takes it out",
            };
            ErrorWithTip::new(format!("cannot read {source}: {fault}"), tip)
        })?;
        let Some(Nested { path, text }) = nested else {
            return Ok(self);
        };
        let container = if path.is_empty() {
            "a JSON string".to_owned()
        } else {
            quote(&path)
        };
        host.note(&format!("read the plan in {container} of {source}"));
        match text {
            NestedText::Part(part) => {
                let plan = begin + part.start..begin + part.end;
                self.documents = Some(vec![plan]);
            }
            NestedText::Decoded(text) => {
                self.text = text;
                self.documents = None;
                self.is_converted = true;
            }
        }
        Ok(self)
    }

    /// Finds the documents in the text, and notes how much other text was skipped. `way` is the tip for a file that has
    /// nothing to do with what is wanted.
    ///
    /// # Errors
    /// If there is no document, or something that is neither a document nor clearly log output.
    fn find(&self, way: &str, host: &Host) -> anyhow::Result<Vec<Range<usize>>> {
        let Self { source, text, .. } = self;
        let (documents, skipped) = scan::documents(text).map_err(|fault| match fault {
            scan::Fault::NoJson => match Foreign::from_text(text) {
                Some(foreign) => foreign.error(source, foreign::tool(text, host)),
                None => ErrorWithTip::new(
                    format!("cannot read {source}: not JSON{}", scan::beginning(text)),
                    format!("use {way}"),
                )
                .into(),
            },
            scan::Fault::Json { start, error } => self.fault_in(start..text.len(), &error),
            scan::Fault::Other(index) => ErrorWithTip::new(
                format!(
                    "cannot read {source}: the text {} is neither a document nor clearly log output",
                    self.line_and_column(index)
                ),
                "is a document malformed or truncated?",
            )
            .into(),
        })?;
        if skipped > 0 {
            let documents = if documents.len() > 1 {
                "documents"
            } else {
                "document"
            };
            host.note(&format!(
                "ignored {} around the {documents} in {source}",
                count(skipped, "byte of other text")
            ));
        }
        Ok(documents)
    }

    /// Returns the line and column of an offset in words, both from 1.
    fn line_and_column(&self, offset: usize) -> String {
        let before = &self.text.as_bytes()[..offset];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let column = offset - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1;
        let of = if self.is_converted {
            " of the converted text"
        } else {
            ""
        };
        format!("at line {line}, column {column}{of}")
    }
}

/// Whether a text would be read as a plan, or refused because it is unclear which of its parts is a plan.
pub(super) fn may_hold_plan(text: &str) -> bool {
    let without_times = times::without_times(text);
    let texts = [Some(text), without_times.as_ref().map(|(text, _)| &**text)];
    texts.into_iter().flatten().any(|text| {
        if scan::begins_as_document(text) {
            return is_plan_or_around_one(text);
        }
        match scan::documents(text) {
            Ok((documents, _)) => documents
                .into_iter()
                .any(|document| text.get(document).is_some_and(is_plan_or_around_one)),
            Err(scan::Fault::NoJson) => false,
            Err(scan::Fault::Json { .. } | scan::Fault::Other(_)) => true,
        }
    })
}

/// Whether a document is a plan, has a plan in it, or may have been one before it was cut off. A document that is
/// broken in another way is no plan.
fn is_plan_or_around_one(text: &str) -> bool {
    match kind::detect(text) {
        Ok(DocumentKind::Plan) => true,
        Ok(DocumentKind::Other) => !matches!(nested::find(text), Ok(None)),
        Ok(_) => false,
        Err(error) => error.kind == ErrorKind::UnexpectedEnd,
    }
}

/// Returns a long path without its middle.
fn shortened(path: &str) -> String {
    /// The number of characters at each end that are kept.
    const SHOWN: usize = 80;
    let count = path.chars().count();
    if count <= 2 * SHOWN {
        return path.to_owned();
    }
    let start: String = path.chars().take(SHOWN).collect();
    let end: String = path.chars().skip(count - SHOWN).collect();
    format!("{start}…{end}")
}

/// Reads and decodes a text, and returns the name of its source with it.
pub(super) fn read_text(source: &Source, host: &Host) -> anyhow::Result<(String, String)> {
    let (text, _) = decode(source.bytes(host)?).with_context(|| format!("cannot read {source}"))?;
    Ok((source.to_string(), text))
}

/// Reads schemas.
///
/// # Errors
/// If the source cannot be read, or is not JSON.
pub(super) fn read(source: Source, host: &Host) -> anyhow::Result<Document> {
    let bytes = source.bytes(host)?;
    read_bytes(source, bytes, SCHEMAS, host)
}

/// Reads a document from bytes. `way` is the tip in errors: the commands that write such documents.
///
/// # Errors
/// If the bytes are not text, or have no document, or have something that is neither a document nor clearly log output.
pub(super) fn read_bytes(
    source: Source,
    bytes: Vec<u8>,
    way: &str,
    host: &Host,
) -> anyhow::Result<Document> {
    let (text, is_converted) = decode(bytes).with_context(|| format!("cannot read {source}"))?;
    if text.trim_start().is_empty() {
        bail!(ErrorWithTip::new(
            format!("cannot read {source}: empty"),
            "did the command that wrote it fail?"
        ));
    }
    let mut document = Document {
        source,
        text,
        documents: None,
        is_converted,
        tool: None,
        configuration: None,
    };
    if scan::begins_as_document(&document.text) {
        return Ok(document);
    }
    let error = match document.find(way, host) {
        Ok(documents) => {
            document.documents = Some(documents);
            return Ok(document);
        }
        Err(error) => error,
    };
    // If each line of a document begins with the time of a log, no part of the text is a document.
    let Some((text, lines)) = times::without_times(&document.text) else {
        return Err(error);
    };
    document.text = text;
    document.is_converted = true;
    if !scan::begins_as_document(&document.text) {
        document.documents = Some(document.find(way, host).map_err(|_| error)?);
    }
    host.note(&format!(
        "left out the times before {} of {}",
        count(lines, "line"),
        document.source
    ));
    Ok(document)
}

/// Reads a file. A directory is an error that says so on every system.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if path.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a directory, not a file",
        ));
    }
    fs::read(path)
}

/// Decodes bytes to text. Returns whether the text was converted from another form, so that positions in it are not
/// those in the bytes.
///
/// # Errors
/// If the bytes are not text in a known encoding.
pub(super) fn decode(bytes: Vec<u8>) -> anyhow::Result<(String, bool)> {
    let decoded = input::decode(bytes).map_err(|error| match error.tip {
        Some(tip) => ErrorWithTip::new(error.problem, tip).into(),
        None => anyhow!(error),
    })?;
    Ok((decoded.text, decoded.is_converted))
}

#[cfg(test)]
mod tests;
