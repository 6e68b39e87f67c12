//! Finds units: the root modules whose plans one run has made.
//!
//! Invariants: a unit that is known to exist is either reviewed, or named with the reason why it is not. No two units
//! have the same name. The order does not depend on the file system.

mod report;

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use super::Host;
use super::discovery::{Candidate, Discovery, slashed, without_ending};
pub(super) use super::discovery::{SearchFor, beginning};
use super::input::Source;
use super::messages::causes;
use super::values::NamedFile;
use crate::diff::parallel::map_in_order;
use crate::review::{Absence, AbsentUnit};
use crate::text::cut;

/// A unit with a document.
#[derive(Debug)]
pub(super) struct Unit {
    /// The name; `None` for the only document of a command line, which is named like its file.
    pub(super) name: Option<String>,
    /// The folder of the document below the argument, by which a report names the unit.
    folder: String,
    /// The document.
    pub(super) source: Source,
}

impl Unit {
    /// Returns the name of the unit, or else that of its file.
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.source.to_string())
    }
}

/// Does `work` for each item, in parallel. Results and notes are in the order of the items.
pub(super) fn each<T: Sync, R: Send>(
    items: &[T],
    host: &Host,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let work = |item: &T| Ok::<_, Infallible>(host.hold_notes(|| work(item)));
    let Ok(done) = map_in_order(items, |_| usize::MAX, |item, _| work(item));
    let (results, notes) = done.into_iter().unzip();
    host.write_held(notes);
    results
}

/// Makes the unit whose plan cannot be read, with the reason.
pub(super) fn unreadable(name: &str, error: &anyhow::Error) -> AbsentUnit {
    let text = causes(error);
    let why = text
        .strip_prefix("cannot read ")
        .and_then(|text| text.split_once(": "));
    let reason = reason(why.map_or(&*text, |(_, why)| why));
    AbsentUnit {
        name: name.to_owned(),
        absence: Absence::Unreadable,
        reason,
    }
}

/// Returns a reason on one line, cut to a maximum length.
fn reason(text: &str) -> String {
    /// The maximum length of a reason, in characters.
    const MAX_REASON: usize = 300;
    cut(
        &text.split_whitespace().collect::<Vec<_>>().join(" "),
        MAX_REASON,
    )
}

/// The units of a command line.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// The units with a document.
    pub(super) units: Vec<Unit>,
    /// The units without a document, each with the reason.
    pub(super) absent: Vec<AbsentUnit>,
    /// The documents that are not read, because a better one was found or a report excludes their unit.
    left_out: Vec<PathBuf>,
}

impl Units {
    pub(super) fn are_several(&self) -> bool {
        self.units.len() + self.absent.len() > 1
    }

    /// Returns the files of all units, and those that are left out; `-` for standard input.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.units
            .iter()
            .map(|unit| unit.source.path().unwrap_or(Path::new("-")))
            .chain(self.left_out.iter().map(PathBuf::as_path))
    }
}

/// Finds the units: those of `--unit`, and those of the arguments. The latter are files, patterns, and folders that are
/// searched at every depth; without any of them, standard input.
///
/// # Errors
/// If there is no document for an argument, two units of `--unit` have the same name, or a report cannot be used.
pub(super) fn find(
    arguments: &[PathBuf],
    named: &[NamedFile],
    reports: &[PathBuf],
    search_for: SearchFor,
    host: &Host,
) -> anyhow::Result<Units> {
    let mut discovery = Discovery::new(search_for);
    for NamedFile { name, path } in named {
        discovery.add_named(name, path)?;
    }
    if arguments.is_empty() && named.is_empty() {
        let only = Unit {
            name: None,
            folder: String::new(),
            source: Source::new(None, host)?,
        };
        return Ok(Units {
            units: vec![only],
            ..Units::default()
        });
    }
    for argument in arguments {
        discovery.add_argument(argument, host)?;
    }
    discovery.note_ignored(host);
    let unreadable = discovery
        .unreadable
        .into_iter()
        .map(|(name, reason)| AbsentUnit {
            name,
            absence: Absence::Unreadable,
            reason,
        });
    let mut units = Units {
        absent: unreadable.collect(),
        units: with_names(discovery.candidates),
        left_out: discovery.left_out,
    };
    report::apply(reports, &mut units, host)?;
    units
        .absent
        .sort_by(|a, b| (a.absence, &a.name).cmp(&(b.absence, &b.name)));
    Ok(units)
}

/// Gives distinct names to documents: the folder below the argument, with the name of the file where a folder has
/// several documents.
fn with_names(candidates: Vec<Candidate>) -> Vec<Unit> {
    let mut in_folder: HashMap<(String, Option<String>), usize> = HashMap::new();
    for Candidate {
        argument, folder, ..
    } in &candidates
    {
        *in_folder
            .entry((argument.clone(), folder.clone()))
            .or_default() += 1;
    }
    let arguments = candidates
        .iter()
        .filter(|one| one.given.is_none() && one.folder.is_none());
    let arguments: Vec<_> = arguments
        .filter_map(|one| one.source.path())
        .map(Path::file_name)
        .collect();
    // If all files have the same name, such as an artifact of each unit, their folders name them.
    let are_alike =
        arguments.len() > 1 && arguments.iter().all(|name| Some(name) == arguments.first());
    let short_name = |candidate: &Candidate| {
        let Candidate {
            given,
            argument,
            folder,
            base,
            source,
        } = candidate;
        let Some(path) = source.path() else {
            return given.clone();
        };
        let below = base
            .as_deref()
            .and_then(|base| path.strip_prefix(base).ok());
        let below = below.unwrap_or(path);
        let stem = || {
            let stem = without_ending(Path::new(path.file_name().unwrap_or_default()));
            stem.to_string_lossy().into_owned()
        };
        let folder = match (given, folder) {
            (Some(name), _) => return Some(name.clone()),
            (None, Some(folder)) => folder,
            (None, None) if candidates.len() == 1 => return None,
            (None, None) if are_alike => {
                let folder = below
                    .parent()
                    .map(slashed)
                    .filter(|folder| !folder.is_empty());
                return Some(folder.unwrap_or_else(stem));
            }
            (None, None) => return Some(below.display().to_string()),
        };
        let key = (argument.clone(), Some(folder.clone()));
        Some(
            match (
                in_folder.get(&key).is_some_and(|number| *number > 1),
                &**folder,
            ) {
                (true, "") => stem(),
                (true, folder) => format!("{folder}/{}", stem()),
                (false, "") if candidates.len() == 1 => return None,
                (false, "") => ".".to_owned(),
                (false, folder) => folder.to_owned(),
            },
        )
    };
    let names: Vec<Option<String>> = candidates.iter().map(short_name).collect();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in names.iter().flatten() {
        *numbers.entry(name.clone()).or_default() += 1;
    }
    let mut taken: HashMap<String, usize> = HashMap::new();
    let units = candidates.into_iter().zip(names).map(|(candidate, name)| {
        let Candidate {
            given,
            folder,
            source,
            ..
        } = candidate;
        let name = name.map(|name| {
            let is_taken = given.is_none() && numbers.get(&name).is_some_and(|number| *number > 1);
            let name = if is_taken { source.to_string() } else { name };
            let number = taken.entry(name.clone()).or_default();
            *number += 1;
            if *number > 1 {
                format!("{name} ({number})")
            } else {
                name
            }
        });
        let parent = || {
            source
                .path()
                .and_then(Path::parent)
                .map(slashed)
                .unwrap_or_default()
        };
        Unit {
            name,
            folder: given.or(folder).unwrap_or_else(parent),
            source,
        }
    });
    units.collect()
}
