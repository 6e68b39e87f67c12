//! Finds the files that are documents of units.
//!
//! Invariants: ignore files such as `.gitignore` are not read, because they could hide a plan from a gate. In folders,
//! symbolic links are not followed. Names are sorted. A file that is ignored is counted in a note, unless it is
//! configuration of the tools.

mod glob;
mod look;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use walkdir::WalkDir;

use super::Host;
use super::input::Source;
use super::messages::{ErrorWithTip, io_text};
use crate::text::count;
pub(super) use glob::{base, expanded};
use look::FileKind;
pub(super) use look::beginning;

/// The names of folders that are not searched. What the tools and Terragrunt keep in them belongs to other runs, or to
/// none.
const LEFT_OUT: [&str; 3] = [".terraform", ".terragrunt-cache", ".git"];

/// The maximum number of files in other forms that the note names.
const MAX_NAMES: usize = 3;

/// The ends of the names of documents, the longer ones first. What precedes them names the document in any form.
const ENDINGS: [&str; 7] = [
    ".tfplan.json",
    ".tfplan",
    ".planfile",
    ".ndjson",
    ".jsonl",
    ".json",
    ".log",
];

/// The kind of documents that are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SearchFor {
    #[default]
    Plans,
    Runs,
}

impl SearchFor {
    /// Whether a name alone shows that a file is a document.
    fn is_name(self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match self {
            Self::Plans => {
                matches!(name, "tfplan" | "tfplan.json" | "plan.json")
                    || name.ends_with(".tfplan")
                    || name.ends_with(".tfplan.json")
            }
            Self::Runs => name.ends_with(".jsonl") || name.ends_with(".ndjson"),
        }
    }

    /// Returns what the ignored files lack, for a note.
    fn what(self) -> &'static str {
        match self {
            Self::Plans => "a plan",
            Self::Runs => "messages",
        }
    }
}

/// A file that may be a document.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The name that `--unit` gives the file.
    pub(super) given: Option<String>,
    /// The argument that led to it.
    pub(super) argument: String,
    /// The folder of the file below the argument, with `/` between names; `None` for a file that is itself an argument.
    pub(super) folder: Option<String>,
    /// The folders before the first special character of the pattern that matched the file.
    pub(super) base: Option<PathBuf>,
    /// The file, or standard input.
    pub(super) source: Source,
}

/// The documents that were found, and what a note says about the other files.
#[derive(Debug, Default)]
pub(super) struct Discovery {
    /// The kind of documents that are searched for.
    search_for: SearchFor,
    /// The documents, in the order of the arguments, then sorted by name.
    pub(super) candidates: Vec<Candidate>,
    /// The folders that cannot be listed, each with its name and the reason.
    pub(super) unreadable: Vec<(String, String)>,
    /// The documents that are not read because another one with the same name says more or is newer.
    pub(super) left_out: Vec<PathBuf>,
    /// The number of files that are not documents, by their kind.
    ignored: BTreeMap<FileKind, usize>,
    /// The first names of the files of unknown forms, at most [`MAX_NAMES`].
    names_of_others: Vec<String>,
    /// The number of symbolic links that were not followed.
    links: usize,
    /// The number of JSON files that are older than the saved plan with the same name.
    older: usize,
    /// The files that were found, so that none is read twice.
    paths: HashSet<PathBuf>,
}

impl Discovery {
    pub(super) fn new(search_for: SearchFor) -> Self {
        Self {
            search_for,
            ..Self::default()
        }
    }

    /// Adds the file of `--unit NAME=FILE`.
    ///
    /// # Errors
    /// If it is a folder, or another file has the same name.
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
        ensure!(
            is_new,
            ErrorWithTip::new(
                format!("--unit {name}: two files have this name"),
                "give each unit a name of its own"
            )
        );
        let source = Source::File(path.to_owned());
        self.add(Candidate {
            given: Some(name.to_owned()),
            argument: path.to_string_lossy().into_owned(),
            folder: None,
            base: None,
            source,
        });
        Ok(())
    }

    /// Adds the files of an argument, which is a file, a pattern or a folder.
    ///
    /// # Errors
    /// If nothing matches, or there is no document in a folder.
    pub(super) fn add_argument(&mut self, argument: &Path, host: &Host) -> anyhow::Result<()> {
        let base = base(argument);
        for path in expanded(argument)? {
            if path.is_dir() {
                self.search(&path, base.as_deref())?;
            } else {
                let source = Source::new(Some(&path), host)?;
                self.add(Candidate {
                    given: None,
                    argument: path.to_string_lossy().into_owned(),
                    folder: None,
                    base: base.clone(),
                    source,
                });
            }
        }
        Ok(())
    }

    /// Adds a file. One that was added before is added again only if it is itself an argument.
    fn add(&mut self, candidate: Candidate) {
        let is_new = candidate.source.path().is_none_or(|path| {
            let resolved = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            self.paths.insert(resolved) || (candidate.folder.is_none() && candidate.given.is_none())
        });
        if is_new {
            self.candidates.push(candidate);
        }
    }

    /// Searches a folder at every depth, and adds the documents in it. Their units are named by the path below `base`,
    /// the fixed part of the pattern that matched the folder, or else below the folder itself.
    ///
    /// # Errors
    /// If there is no document, and every folder could be listed.
    fn search(&mut self, root: &Path, base: Option<&Path>) -> anyhow::Result<()> {
        let top = base.unwrap_or(root);
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        let is_searched = |entry: &walkdir::DirEntry| {
            let name = entry.file_name();
            entry.depth() == 0
                || !entry.file_type().is_dir()
                || !LEFT_OUT.iter().any(|left_out| name == *left_out)
        };
        let walk = WalkDir::new(root).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_searched) {
            match entry {
                Ok(entry) if entry.depth() == 0 => {}
                Ok(entry) if entry.path_is_symlink() => self.links += 1,
                // Pipes and devices are not files of a plan.
                Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    unreadable.push((path, error.into()));
                }
            }
        }
        unreadable.sort_by(|(a, _), (b, _)| a.cmp(b));
        files.sort_by(|a, b| (a.parent(), a).cmp(&(b.parent(), b)));
        files.retain(|path| self.is_document(path));
        self.leave_out_copies(&mut files);
        if files.is_empty() && unreadable.is_empty() {
            let (what, tip) = match self.search_for {
                SearchFor::Plans => (
                    "plans",
                    "a plan is named `tfplan`, `*.tfplan`, `tfplan.json` or `plan.json`, or is what `show -json` writes",
                ),
                SearchFor::Runs => (
                    "messages of a run",
                    "write them with `-json-into=FILE`, or with `-json > FILE`",
                ),
            };
            let text = format!("{}: there are no {what} in it", root.display());
            bail!(ErrorWithTip::new(text, tip));
        }
        for (path, error) in unreadable {
            let below = path.strip_prefix(top).unwrap_or(&path);
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
                .and_then(|parent| parent.strip_prefix(top).ok());
            let folder = folder.map(slashed).unwrap_or_default();
            self.add(Candidate {
                given: None,
                argument: slashed(top),
                folder: Some(folder),
                base: None,
                source: Source::File(path),
            });
        }
        Ok(())
    }

    /// Whether a file is a document. Counts it if it is not.
    fn is_document(&mut self, path: &Path) -> bool {
        let kind = FileKind::of(path, self.search_for);
        if kind == FileKind::Other && self.names_of_others.len() < MAX_NAMES {
            self.names_of_others.push(slashed(path));
        }
        if kind != FileKind::Document {
            *self.ignored.entry(kind).or_default() += 1;
        }
        kind == FileKind::Document
    }

    /// Leaves out one of a JSON file and a saved plan with the same name. The JSON says more, unless the saved plan is
    /// newer: then the JSON is of an earlier run.
    fn leave_out_copies(&mut self, paths: &mut Vec<PathBuf>) {
        if self.search_for == SearchFor::Runs {
            return;
        }
        let (json, saved): (Vec<&PathBuf>, Vec<&PathBuf>) =
            paths.iter().partition(|path| is_json_name(path));
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
        paths.retain(|path| !left_out.contains(path));
        self.left_out.extend(left_out);
    }

    /// Notes how many files were ignored, by their kind.
    pub(super) fn note_ignored(&self, host: &Host) {
        let mut notes = Vec::new();
        let what = self.search_for.what();
        for (kind, number) in &self.ignored {
            notes.push(match kind {
                FileKind::Json => format!("{} without {what}", count(*number, "JSON file")),
                FileKind::Archive => format!(
                    "{} without {what} that can be read",
                    count(*number, "archive")
                ),
                FileKind::Log => format!("{} without {what}", count(*number, "log")),
                FileKind::Unreadable => {
                    format!("{} that cannot be read", count(*number, "file"))
                }
                FileKind::Other => {
                    let more = number.saturating_sub(self.names_of_others.len());
                    let mut names = self.names_of_others.join(", ");
                    if more > 0 {
                        names = format!("{names} and {more} more");
                    }
                    format!("{} in other forms ({names})", count(*number, "file"))
                }
                FileKind::Document | FileKind::Configuration => continue,
            });
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
            host.note(&format!("ignored {}", notes.join(", and ")));
        }
    }
}

fn is_json_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".json")
}

/// Returns a path without the end that documents have, such as `.tfplan.json`.
pub(super) fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    match ENDINGS.iter().find_map(|ending| plain.strip_suffix(ending)) {
        Some(stem) if !stem.is_empty() => path.with_file_name(stem),
        Some(_) | None => path.to_owned(),
    }
}

/// Returns a path with `/` between its names on every system.
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
