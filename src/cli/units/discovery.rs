//! Which files are documents of units: the files that are named, and in folders those that are named or begin like
//! such a document.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use flate2::read::GzDecoder;

use super::walk;
use crate::cli::Host;
use crate::cli::input::Source;
use crate::cli::kind::{self, DocumentKind};
use crate::cli::message::io_text;

/// The documents that are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) enum Wanted {
    /// Plans.
    #[default]
    Plans,
    /// The messages of runs.
    Runs,
}

impl Wanted {
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Plans => "plans",
            Self::Runs => "messages of a run",
        }
    }

    /// Whether a file has a name that only such a document has.
    fn is_name(self, name: &str) -> bool {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        match self {
            Self::Plans => {
                matches!(name, "tfplan" | "tfplan.json" | "plan.json")
                    || name.ends_with(".tfplan")
                    || name.ends_with(".tfplan.json")
            }
            Self::Runs => name.ends_with(".jsonl") || name.ends_with(".ndjson"),
        }
    }

    /// Whether a document of a kind is one.
    fn is_kind(self, kind: DocumentKind) -> bool {
        kind == match self {
            Self::Plans => DocumentKind::Plan,
            Self::Runs => DocumentKind::Messages,
        }
    }
}

/// A file that may be the document of a unit.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The name given with `--unit`.
    pub(super) given: Option<String>,
    /// The argument: a folder that was searched, or the file itself.
    pub(super) argument: String,
    /// The folder below the argument, with `/` between names; `None` for a file that is an argument.
    pub(super) folder: Option<String>,
    pub(super) source: Source,
}

/// The files found so far.
#[derive(Debug, Default)]
pub(super) struct Discovery {
    wanted: Wanted,
    pub(super) candidates: Vec<Candidate>,
    /// What cannot be searched, and why.
    pub(super) unreadable: Vec<(String, String)>,
    /// The number of JSON files that are something else, of symbolic links, and of plans with a newer one beside.
    pub(super) others: usize,
    pub(super) links: usize,
    pub(super) older: usize,
    seen: HashSet<PathBuf>,
}

impl Discovery {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Adds a file of `--unit`.
    pub(super) fn named(&mut self, name: &str, path: &Path) -> anyhow::Result<()> {
        ensure!(!path.is_dir(), "--unit {name}: {} is a folder, not a file", path.display());
        let is_new = self.candidates.iter().all(|other| other.given.as_deref() != Some(name));
        ensure!(is_new, "--unit {name}: two files have this name");
        let source = Source::File(path.to_owned());
        self.add(Some(name.to_owned()), &path.to_string_lossy(), None, source);
        Ok(())
    }

    /// Adds what an argument stands for.
    pub(super) fn argument(&mut self, argument: &Path, host: &Host) -> anyhow::Result<()> {
        for path in walk::expanded(argument)? {
            if path.is_dir() {
                self.search(&path)?;
            } else {
                let source = Source::new(Some(&path), host)?;
                self.add(None, &path.to_string_lossy(), None, source);
            }
        }
        Ok(())
    }

    /// Adds a file, unless it was added before: a folder and a file in it may both be arguments.
    fn add(&mut self, given: Option<String>, argument: &str, folder: Option<String>, source: Source) {
        let is_new = match &source {
            Source::Stdin => true,
            Source::File(path) => {
                let is_found = folder.is_some();
                let place = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                self.seen.insert(place) || !(is_found || given.is_some())
            }
        };
        if is_new {
            self.candidates.push(Candidate { given, argument: argument.to_owned(), folder, source });
        }
    }

    /// Searches a folder at every depth.
    fn search(&mut self, root: &Path) -> anyhow::Result<()> {
        let walked = walk::walk(root);
        self.links += walked.links;
        let name = |path: &Path| {
            let below = path.strip_prefix(root).unwrap_or(path);
            if below.as_os_str().is_empty() { slashed(root) } else { slashed(below) }
        };
        let failed = walked.unreadable.iter().map(|(path, error)| (name(path), io_text(error)));
        self.unreadable.extend(failed);
        let found: Vec<PathBuf> = walked.files.into_iter().filter(|path| self.is_document(path)).collect();
        let found = self.without_copies(found);
        if found.is_empty() && walked.unreadable.is_empty() {
            let tip = match self.wanted {
                Wanted::Plans => {
                    "a plan is named `tfplan`, `*.tfplan`, `tfplan.json` or `plan.json`, or is what `show -json` writes"
                }
                Wanted::Runs => "write them with `-json-into=FILE`, or with `-json > FILE`",
            };
            bail!("{}: there are no {} in it\n  tip: {tip}", root.display(), self.wanted.what());
        }
        for path in found {
            let folder = path.parent().and_then(|parent| parent.strip_prefix(root).ok());
            let folder = folder.map(slashed).unwrap_or_default();
            self.add(None, &slashed(root), Some(folder), Source::File(path));
        }
        Ok(())
    }

    /// Whether a file of a folder is to be read. One that is named like a document, or begins like one, is, even if
    /// it turns out to be unreadable.
    fn is_document(&mut self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if self.wanted.is_name(&name) {
            return true;
        }
        let is_json = name.ends_with(".json") || name.ends_with(".json.gz");
        match begins(path, is_json, self.wanted) {
            Ok(true) => true,
            Ok(false) => {
                self.others += usize::from(is_json);
                false
            }
            // What a JSON file holds is unknown if it cannot be read.
            Err(_) => is_json,
        }
    }

    /// Leaves out one of each pair of a saved plan and the JSON of it, which lie beside each other where both are
    /// written. JSON says more, unless the saved plan is newer: then the JSON is of an earlier run.
    fn without_copies(&mut self, found: Vec<PathBuf>) -> Vec<PathBuf> {
        if self.wanted == Wanted::Runs {
            return found;
        }
        let mut saved: HashMap<PathBuf, usize> = HashMap::new();
        for (at, path) in found.iter().enumerate().filter(|(_, path)| !is_json_name(path)) {
            saved.insert(super::names::without_ending(path), at);
        }
        let mut is_left_out = vec![false; found.len()];
        for (at, path) in found.iter().enumerate().filter(|(_, path)| is_json_name(path)) {
            let Some(other) = saved.get(&super::names::without_ending(path)) else { continue };
            let written = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
            let of_saved = found.get(*other).and_then(|path| written(path));
            let is_older = written(path).zip(of_saved).is_some_and(|(json, saved)| json < saved);
            self.older += usize::from(is_older);
            if let Some(slot) = is_left_out.get_mut(if is_older { at } else { *other }) {
                *slot = true;
            }
        }
        let kept = found.into_iter().zip(is_left_out).filter(|(_, is_left_out)| !is_left_out);
        kept.map(|(path, _)| path).collect()
    }
}

fn is_json_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".json")
}

/// A path with `/` between names.
pub(super) fn slashed(path: &Path) -> String {
    let names: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    match &*names {
        [root, rest @ ..] if root == "/" => format!("/{}", rest.join("/")),
        names => names.join("/"),
    }
}

/// The number of bytes by which most files are told apart, and JSON.
const FIRST: u64 = 512;
const MORE: u64 = 64 << 10;

/// Whether a file begins like a document. JSON is read further than other files.
fn begins(path: &Path, is_json: bool, wanted: Wanted) -> io::Result<bool> {
    let head = beginning(path, FIRST)?;
    let is_saved_plan = head.starts_with(b"PK\x03\x04") && head.get(30..36) == Some(b"tfplan");
    if is_saved_plan {
        return Ok(wanted == Wanted::Plans);
    }
    let text = text(&head);
    if !is_json && !text.trim_start().starts_with('{') {
        return Ok(false);
    }
    let head = beginning(path, MORE)?;
    let is_whole = (head.len() as u64) < MORE;
    let text = self::text(&head);
    let from = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if !from.starts_with('{') {
        // A wrapper may have written lines of its own before it.
        return Ok(match wanted {
            Wanted::Plans => from.contains("\"format_version\"") && from.contains("\"terraform_version\""),
            Wanted::Runs => from.contains("\"@message\""),
        });
    }
    match kind::detect_from_beginning(from) {
        Some(kind) => Ok(wanted.is_kind(kind)),
        None if is_whole || wanted == Wanted::Runs => Ok(may_be_plan(from) && wanted == Wanted::Plans),
        None => {
            // The members that decide come later.
            let all = beginning(path, u64::MAX)?;
            let text = self::text(&all);
            Ok(match kind::detect(text.trim_start_matches('\u{feff}')) {
                Ok(kind) => wanted.is_kind(kind),
                Err(_) => may_be_plan(from),
            })
        }
    }
}

/// Whether JSON that ends too soon, or is broken, begins like a plan.
fn may_be_plan(text: &str) -> bool {
    let start = text.get(1..).unwrap_or_default().trim_start();
    start.starts_with("\"format_version\"") && !text.contains("\"provider_schemas\"")
}

/// The first bytes of a file, unpacked.
pub(in crate::cli) fn beginning(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    let mut magic = [0; 2];
    let read = file.read(&mut magic)?;
    let start = io::Cursor::new(magic.get(..read).unwrap_or_default().to_vec());
    let all = start.chain(file);
    if magic == [0x1f, 0x8b] {
        // Data that is cut off is read as far as it goes.
        let _: io::Result<usize> = GzDecoder::new(all).take(length).read_to_end(&mut bytes);
    } else {
        all.take(length).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Bytes as text: of UTF-16, which shells of Windows write, the characters that JSON has.
fn text(bytes: &[u8]) -> String {
    match bytes.get(..2) {
        Some([0xff, 0xfe] | [0xfe, 0xff]) => {
            bytes.iter().skip(2).filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
        }
        Some(_) | None => String::from_utf8_lossy(bytes).into_owned(),
    }
}
