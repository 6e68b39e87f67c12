//! From a file, a pipe or a saved plan to the text of one JSON document.
//!
//! Invariants: the common case (UTF-8 without anything before the document) keeps one copy of the
//! input; the text is valid UTF-8; what was passed over is told.

mod decode;
mod files;
mod halves;
mod noise;
mod saved;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::Edge;
use crate::json;

pub(super) use files::sources;

/// Where a document is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// What `file` on the command line stands for.
    pub(super) fn of(file: Option<&Path>, edge: &Edge) -> anyhow::Result<Self> {
        match file {
            Some(file) if file.as_os_str() != "-" => Ok(Self::File(file.to_owned())),
            Some(_) => Ok(Self::Stdin),
            None => {
                ensure!(
                    !edge.terminal.stdin,
                    "no input: name a FILE, or pipe one in, as in `terraform show -json tfplan | tfview show`"
                );
                Ok(Self::Stdin)
            }
        }
    }

    fn bytes(&self, edge: &Edge) -> anyhow::Result<Vec<u8>> {
        let bytes = match self {
            Self::Stdin => {
                let mut bytes = Vec::new();
                edge.stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
            Self::File(path) => read_file(path),
        };
        bytes.with_context(|| format!("reading {self}"))
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
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, not a file"));
    }
    let length = usize::try_from(metadata.len()).unwrap_or(0);
    if length >= halves::WORTHWHILE
        && let Some(bytes) = halves::read(&file, length)
    {
        return Ok(bytes);
    }
    // One byte more, so that the read that finds the end does not grow the buffer.
    let mut bytes = Vec::with_capacity(length + 1);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a document, and where it came from.
#[derive(Debug)]
pub(super) struct Document {
    source: Source,
    text: String,
    start: usize,
    end: usize,
    /// The text is not the file's own bytes: positions are those of the text.
    converted: Option<&'static str>,
}

impl Document {
    /// The document's text.
    pub(super) fn text(&self) -> &str {
        &self.text[self.start..self.end]
    }

    /// An error in the document as a message: what was being done, where, what is wrong, and what to try.
    pub(super) fn fault(&self, doing: &str, error: &json::Error) -> anyhow::Error {
        self.fault_in(0..self.text().len(), doing, error)
    }

    /// The same for an error in a part of the document that was read by itself.
    pub(super) fn fault_in(&self, part: Range<usize>, doing: &str, error: &json::Error) -> anyhow::Error {
        let offset = error.offset.min(part.len());
        let path = json::locate(&self.text()[part.clone()], offset);
        let before = &self.text.as_bytes()[..self.start + part.start + offset];
        let mut place = format!("at byte {}", before.len());
        if let Some(line_start) = memchr::memrchr(b'\n', before) {
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            place = format!("{place}, line {line} column {}", before.len() - line_start);
        }
        if let Some(unit) = self.converted {
            place = format!("{place} of the {unit} text");
        }
        if !path.is_empty() {
            place = format!("{place} ({})", shortened(&path));
        }
        let source = match &self.source {
            Source::Stdin => "from standard input".to_owned(),
            Source::File(path) => path.display().to_string(),
        };
        let advice = match error.kind {
            json::ErrorKind::UnexpectedEnd => ": is the file complete?",
            json::ErrorKind::TrailingData => ": are there several documents in it?",
            json::ErrorKind::Expected(_)
            | json::ErrorKind::ControlCharacter
            | json::ErrorKind::BadEscape
            | json::ErrorKind::BadNumber
            | json::ErrorKind::TooDeep
            | json::ErrorKind::Type(_)
            | json::ErrorKind::Duplicate => "",
        };
        anyhow::anyhow!("{doing} {source}: {error}, {place}{advice}")
    }

    /// What it was read from.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }
}

/// A path without its middle, if it is longer than people read.
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

/// Reads the document that `source` holds. A saved plan is shown by the tool that wrote it.
pub(super) fn read(source: Source, edge: &Edge) -> anyhow::Result<Document> {
    let mut bytes = source.bytes(edge)?;
    if saved::is_saved_plan(&bytes) {
        bytes = saved::as_json(&source, &bytes, edge)?;
    }
    let decoded = decode::text(bytes).with_context(|| format!("reading {source}"))?;
    let blank = decoded.text.trim_start().is_empty();
    if blank {
        bail!("reading {source}: it is empty: did the command that wrote it fail?");
    }
    let found = noise::find(&decoded.text).with_context(|| format!("reading {source}"))?;
    for (what, count) in [("before", found.before), ("after", found.after)] {
        if count > 0 {
            edge.note(&format!("passed over {count} bytes of other text {what} the document in {source}"));
        }
    }
    Ok(Document {
        source,
        text: decoded.text,
        start: found.start,
        end: found.end,
        converted: decoded.converted,
    })
}
