//! Finds the files that are documents of units.
//!
//! Invariants: ignore files are not read, because they could hide a plan from a gate; in folders, symbolic
//! links are not followed; names are sorted.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use flate2::read::GzDecoder;

use super::Host;
use super::host::io_text;
use super::input::Source;
use super::kind::{self, DocumentKind};
use crate::access::glob_matches;
use crate::text::count;

/// What the tools and Terragrunt keep there belongs to other runs, or to none.
const LEFT_OUT: [&str; 3] = [".terraform", ".terragrunt-cache", ".git"];

const ENDINGS: [&str; 7] = [
    ".tfplan.json",
    ".tfplan",
    ".planfile",
    ".ndjson",
    ".jsonl",
    ".json",
    ".log",
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    #[default]
    Plans,
    Runs,
}

impl Wanted {
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

    fn is_kind(self, kind: DocumentKind) -> bool {
        kind == match self {
            Self::Plans => DocumentKind::Plan,
            Self::Runs => DocumentKind::Messages,
        }
    }

    /// Whether a file begins like such a document. JSON is read further than other files.
    fn begins(self, path: &Path, is_json: bool) -> io::Result<bool> {
        /// The number of bytes by which most files are told apart, and JSON.
        const FIRST: u64 = 512;
        const MORE: u64 = 64 << 10;
        let head = beginning(path, FIRST)?;
        if head.starts_with(b"PK\x03\x04") && head.get(30..36) == Some(b"tfplan") {
            return Ok(self == Self::Plans);
        }
        if !is_json && !text(&head).starts_with('{') {
            return Ok(false);
        }
        let head = beginning(path, MORE)?;
        let text = text(&head);
        if !text.starts_with('{') {
            // A wrapper may have written lines of its own before it.
            return Ok(match self {
                Self::Plans => {
                    text.contains("\"format_version\"") && text.contains("\"terraform_version\"")
                }
                Self::Runs => text.contains("\"@message\""),
            });
        }
        // JSON that ends too soon, or is broken, may begin like a plan.
        let may_be = |text: &str| {
            let start = text.get(1..).unwrap_or_default().trim_start();
            start.starts_with("\"format_version\"") && !text.contains("\"provider_schemas\"")
        };
        match kind::detect_from_beginning(&text) {
            Some(kind) => Ok(self.is_kind(kind)),
            None if self == Self::Runs => Ok(false),
            None if (head.len() as u64) < MORE => Ok(may_be(&text)),
            None => {
                // The members that decide come later.
                let text = self::text(&beginning(path, u64::MAX)?);
                Ok(kind::detect(&text).map_or_else(|_| may_be(&text), |kind| self.is_kind(kind)))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) given: Option<String>,
    pub(super) argument: String,
    /// Below the argument, with `/` between names; `None` for a file that is an argument.
    pub(super) folder: Option<String>,
    pub(super) source: Source,
}

#[derive(Debug, Default)]
pub(super) struct Discovery {
    wanted: Wanted,
    pub(super) candidates: Vec<Candidate>,
    pub(super) unreadable: Vec<(String, String)>,
    others: usize,
    links: usize,
    older: usize,
    seen: HashSet<PathBuf>,
}

impl Discovery {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            ..Self::default()
        }
    }

    pub(super) fn add_named(&mut self, name: &str, path: &Path) -> anyhow::Result<()> {
        ensure!(
            !path.is_dir(),
            "--unit {name}: {} is a folder, not a file",
            path.display()
        );
        let is_new = self
            .candidates
            .iter()
            .all(|other| other.given.as_deref() != Some(name));
        ensure!(is_new, "--unit {name}: two files have this name");
        let source = Source::File(path.to_owned());
        self.add(Some(name.to_owned()), &path.to_string_lossy(), None, source);
        Ok(())
    }

    pub(super) fn add_argument(&mut self, argument: &Path, host: &Host) -> anyhow::Result<()> {
        for path in expanded(argument)? {
            if path.is_dir() {
                self.search(&path)?;
            } else {
                let source = Source::new(Some(&path), host)?;
                self.add(None, &path.to_string_lossy(), None, source);
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        given: Option<String>,
        argument: &str,
        folder: Option<String>,
        source: Source,
    ) {
        let is_new = source.path().is_none_or(|path| {
            let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            self.seen.insert(place) || (folder.is_none() && given.is_none())
        });
        if is_new {
            self.candidates.push(Candidate {
                given,
                argument: argument.to_owned(),
                folder,
                source,
            });
        }
    }

    fn search(&mut self, root: &Path) -> anyhow::Result<()> {
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        let mut folders = BTreeSet::from([root.to_owned()]);
        while let Some(folder) = folders.pop_first() {
            match entries(&folder) {
                Err(error) => unreadable.push((folder, error)),
                Ok(mut entries) => {
                    entries.sort_by_cached_key(DirEntry::file_name);
                    for entry in entries {
                        match entry.file_type() {
                            Err(error) => unreadable.push((entry.path(), error)),
                            Ok(kind) if kind.is_symlink() => self.links += 1,
                            Ok(kind) if kind.is_dir() && !is_left_out(&entry) => {
                                folders.insert(entry.path());
                            }
                            Ok(kind) if kind.is_file() => files.push(entry.path()),
                            // Pipes and devices are not files of a plan.
                            Ok(_) => {}
                        }
                    }
                }
            }
        }
        unreadable.sort_by(|(a, _), (b, _)| a.cmp(b));
        files.retain(|path| self.is_document(path));
        self.leave_out_copies(&mut files);
        if files.is_empty() && unreadable.is_empty() {
            let (what, tip) = match self.wanted {
                Wanted::Plans => (
                    "plans",
                    "a plan is named `tfplan`, `*.tfplan`, `tfplan.json` or `plan.json`, or is what `show -json` writes",
                ),
                Wanted::Runs => (
                    "messages of a run",
                    "write them with `-json-into=FILE`, or with `-json > FILE`",
                ),
            };
            bail!(
                "{}: there are no {what} in it\n  tip: {tip}",
                root.display()
            );
        }
        for (path, error) in unreadable {
            let below = path.strip_prefix(root).unwrap_or(&path);
            let name = if below.as_os_str().is_empty() {
                slashed(root)
            } else {
                slashed(below)
            };
            self.unreadable.push((name, io_text(&error)));
        }
        for path in files {
            let folder = path
                .parent()
                .and_then(|parent| parent.strip_prefix(root).ok());
            let folder = folder.map(slashed).unwrap_or_default();
            self.add(None, &slashed(root), Some(folder), Source::File(path));
        }
        Ok(())
    }

    /// A file that is named like a document, or begins like one, counts even if it turns out to be
    /// unreadable.
    fn is_document(&mut self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_json = is_json_name(path);
        // What a JSON file holds is unknown if it cannot be read.
        let is_one =
            self.wanted.is_name(&name) || self.wanted.begins(path, is_json).unwrap_or(is_json);
        self.others += usize::from(is_json && !is_one);
        is_one
    }

    /// JSON says more than a saved plan beside it, unless that is newer: then the JSON is of an earlier run.
    fn leave_out_copies(&mut self, found: &mut Vec<PathBuf>) {
        if self.wanted == Wanted::Runs {
            return;
        }
        let (json, saved): (Vec<&PathBuf>, Vec<&PathBuf>) =
            found.iter().partition(|path| is_json_name(path));
        let saved: HashMap<PathBuf, &PathBuf> = saved
            .into_iter()
            .map(|path| (without_ending(path), path))
            .collect();
        let mut left_out: HashSet<PathBuf> = HashSet::new();
        for json in json {
            let Some(saved) = saved.get(&without_ending(json)) else {
                continue;
            };
            let written = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
            let is_older = written(json)
                .zip(written(saved))
                .is_some_and(|(json, saved)| json < saved);
            self.older += usize::from(is_older);
            left_out.insert(if is_older { json } else { *saved }.clone());
        }
        found.retain(|path| !left_out.contains(path));
    }

    pub(super) fn note_passed_over(&self, host: &Host) {
        let mut notes = Vec::new();
        if self.others > 0 {
            let what = if self.wanted == Wanted::Plans {
                "a plan"
            } else {
                "messages"
            };
            notes.push(format!(
                "{} without {what}",
                count(self.others, "JSON file")
            ));
        }
        if self.links > 0 {
            notes.push(format!(
                "{}, which are not followed",
                count(self.links, "symbolic link")
            ));
        }
        if self.older > 0 {
            notes.push(format!(
                "{} with a newer saved plan beside it",
                count(self.older, "JSON plan")
            ));
        }
        if !notes.is_empty() {
            host.note(&format!("passed over {}", notes.join(", and ")));
        }
    }
}

fn is_json_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".json")
}

pub(super) fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    match ENDINGS.iter().find_map(|ending| plain.strip_suffix(ending)) {
        Some(stem) if !stem.is_empty() => path.with_file_name(stem),
        Some(_) | None => path.to_owned(),
    }
}

pub(super) fn slashed(path: &Path) -> String {
    let names: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    match &*names {
        [root, rest @ ..] if root == "/" => format!("/{}", rest.join("/")),
        names => names.join("/"),
    }
}

pub(super) fn beginning(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    let mut magic = [0; 2];
    let read = file.read(&mut magic)?;
    let all = Cursor::new(magic).take(read as u64).chain(file);
    if magic == [0x1f, 0x8b] {
        // Data that is cut off is read as far as it goes.
        let _: io::Result<usize> = GzDecoder::new(all).take(length).read_to_end(&mut bytes);
    } else {
        all.take(length).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// UTF-16, which shells of Windows write, is reduced to the characters that JSON has.
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

/// `**` is any number of folders.
pub(super) fn expanded(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if pattern.exists() || !is_glob(pattern.as_os_str()) {
        return Ok(vec![pattern.to_owned()]);
    }
    let names: Vec<&OsStr> = pattern.components().map(|part| part.as_os_str()).collect();
    let mut found = Vec::new();
    expand(PathBuf::new(), &names, &mut found)
        .with_context(|| format!("looking for {}", pattern.display()))?;
    found.sort();
    found.dedup();
    ensure!(!found.is_empty(), "{}: no file matches", pattern.display());
    Ok(found)
}

fn is_glob(name: &OsStr) -> bool {
    name.to_string_lossy().contains(['*', '?'])
}

/// Adds the paths below a path that match the names.
fn expand(path: PathBuf, names: &[&OsStr], found: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some((name, rest)) = names.split_first() else {
        if path.exists() {
            found.push(path);
        }
        return Ok(());
    };
    if !is_glob(name) {
        return expand(path.join(name), rest, found);
    }
    if !path.as_os_str().is_empty() && !path.is_dir() {
        return Ok(());
    }
    let is_any_depth = *name == "**";
    if is_any_depth {
        expand(path.clone(), rest, found)?;
        if rest.is_empty() {
            // At the end of a pattern, it stands for all that a folder holds.
            return Ok(());
        }
    }
    for entry in entries(&path)? {
        let below = path.join(entry.file_name());
        if is_any_depth && entry.file_type()?.is_dir() && !is_left_out(&entry) {
            expand(below, names, found)?;
        } else if !is_any_depth
            && glob_matches(
                &name.to_string_lossy(),
                &entry.file_name().to_string_lossy(),
            )
        {
            expand(below, rest, found)?;
        }
    }
    Ok(())
}

pub(super) fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let here = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    fs::read_dir(here)?.collect()
}

fn is_left_out(entry: &DirEntry) -> bool {
    LEFT_OUT.iter().any(|name| entry.file_name() == *name)
}
