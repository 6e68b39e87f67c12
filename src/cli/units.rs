//! Units: the root modules whose plans one run made.
//!
//! Invariants: a unit that is known to exist is either reviewed or named with the reason why it is not; no
//! two units have the same name; the order does not depend on the file system.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use serde::Deserialize;

use super::Host;
use super::discovery::{Candidate, Discovery, slashed, without_ending};
pub(super) use super::discovery::{Wanted, beginning};
use super::host::chain;
use super::input::{Source, read_text};
use crate::diff::parallel::map_in_order;
use crate::review::{Absence, AbsentUnit};
use crate::text::{count, cut, one_line};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    name: String,
    path: PathBuf,
}

impl NamedFile {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.trim().is_empty() && !path.is_empty() => Ok(Self {
                name: name.trim().to_owned(),
                path: path.into(),
            }),
            Some(_) | None => Err("expected NAME=FILE, such as prod/vpc=out/vpc.json".to_owned()),
        }
    }
}

#[derive(Debug)]
pub(super) struct Unit {
    /// `None` for the only document of a command line, which its file names.
    pub(super) name: Option<String>,
    /// Below the argument; a report names the unit by it.
    folder: String,
    pub(super) source: Source,
}

impl Unit {
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.source.to_string())
    }
}

/// Works side by side. Results and notes are in the order of the items.
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

pub(super) fn unreadable(name: &str, error: &anyhow::Error) -> AbsentUnit {
    let text = chain(error);
    let text = text.split("\n  tip: ").next().unwrap_or_default();
    let why = text
        .strip_prefix("cannot read ")
        .and_then(|text| text.split_once(": "));
    let reason = reason(why.map_or(text, |(_, why)| why));
    AbsentUnit {
        name: name.to_owned(),
        absence: Absence::Unreadable,
        reason,
    }
}

fn reason(text: &str) -> String {
    /// The maximum length in characters.
    const MAX_REASON: usize = 300;
    cut(
        &text.split_whitespace().collect::<Vec<_>>().join(" "),
        MAX_REASON,
    )
}

#[derive(Debug, Default)]
pub(super) struct Units {
    pub(super) units: Vec<Unit>,
    pub(super) absent: Vec<AbsentUnit>,
}

impl Units {
    pub(super) fn are_several(&self) -> bool {
        self.units.len() + self.absent.len() > 1
    }
}

/// Finds the units: those of `--unit`, and those of the arguments, which are files, patterns, and folders that are
/// searched at every depth; standard input if there is none of them.
pub(super) fn find(
    arguments: &[PathBuf],
    named: &[NamedFile],
    reports: &[PathBuf],
    wanted: Wanted,
    host: &Host,
) -> anyhow::Result<Units> {
    let mut found = Discovery::new(wanted);
    for NamedFile { name, path } in named {
        found.add_named(name, path)?;
    }
    if arguments.is_empty() && named.is_empty() {
        let only = Unit {
            name: None,
            folder: String::new(),
            source: Source::new(None, host)?,
        };
        return Ok(Units {
            units: vec![only],
            absent: Vec::new(),
        });
    }
    for argument in arguments {
        found.add_argument(argument, host)?;
    }
    found.note_passed_over(host);
    let unreadable = found
        .unreadable
        .into_iter()
        .map(|(name, reason)| AbsentUnit {
            name,
            absence: Absence::Unreadable,
            reason,
        });
    let mut units = Units {
        absent: unreadable.collect(),
        units: with_names(found.candidates),
    };
    for path in reports {
        apply_report(path, &mut units, host)?;
    }
    units
        .absent
        .sort_by(|a, b| (a.absence, &a.name).cmp(&(b.absence, &b.name)));
    Ok(units)
}

/// Names are folders below the argument, with the file's name where a folder holds several, and distinct.
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
    // If all files have the same name, as one artifact for each unit has it, their folders name them.
    let are_alike =
        arguments.len() > 1 && arguments.iter().all(|name| Some(name) == arguments.first());
    let short_name = |candidate: &Candidate| {
        let Candidate {
            given,
            argument,
            folder,
            source,
        } = candidate;
        let Some(path) = source.path() else {
            return given.clone();
        };
        let stem = || {
            let stem = without_ending(Path::new(path.file_name().unwrap_or_default()));
            stem.to_string_lossy().into_owned()
        };
        let folder = match (given, folder) {
            (Some(name), _) => return Some(name.clone()),
            (None, Some(folder)) => folder,
            (None, None) if candidates.len() == 1 => return None,
            (None, None) if are_alike => {
                let folder = path
                    .parent()
                    .map(slashed)
                    .filter(|folder| !folder.is_empty());
                return Some(folder.unwrap_or_else(stem));
            }
            (None, None) => return Some(path.display().to_string()),
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

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Row {
    name: String,
    result: String,
    reason: String,
    cause: String,
}

impl Row {
    fn absence(&self) -> Option<(Absence, String)> {
        let words: Vec<&str> = [&*self.reason, &*self.cause]
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        let words = words.join(": ");
        let why = reason(&words);
        Some(match self.result.trim() {
            "succeeded" => return None,
            "failed" => (Absence::Failed, why),
            "excluded" => (Absence::Excluded, why),
            "early exit" => (Absence::EarlyExit, why),
            other => (
                Absence::Failed,
                one_line(&format!(
                    "its result is `{other}`, which tfview does not know"
                )),
            ),
        })
    }

    fn key(&self) -> String {
        let name = self.name.trim().replace('\\', "/");
        let name = name.trim_end_matches('/');
        name.strip_prefix("./").unwrap_or(name).to_owned()
    }
}

/// The report is of a Terragrunt run (`--report-file`, JSON or CSV). A unit that did not succeed is not
/// reviewed, because a plan in its folder is of an earlier run; one that succeeded and has no plan is
/// missing.
fn apply_report(path: &Path, units: &mut Units, host: &Host) -> anyhow::Result<()> {
    let (_, text) = read_text(&Source::File(path.to_owned()), host)
        .context("cannot read the file of --report")?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let rows = report_rows(text)
        .with_context(|| format!("cannot read {} for --report", path.display()))?;
    let known: Vec<String> = units.units.iter().map(|unit| unit.folder.clone()).collect();
    let places: HashMap<&str, usize> = known
        .iter()
        .enumerate()
        .map(|(at, folder)| (&**folder, at))
        .collect();
    let (mut reported, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    for row in &rows {
        let key = row.key();
        let found = places.get(&*key).copied().or_else(|| similar(&key, &known));
        reported.extend(found);
        let unit = found.and_then(|at| units.units.get(at));
        let name = one_line(unit.and_then(|unit| unit.name.as_ref()).unwrap_or(&key));
        let (absence, reason) = match row.absence() {
            Some(absent) => absent,
            None if found.is_some() => continue,
            None => (
                Absence::Missing,
                "the report says that it succeeded".to_owned(),
            ),
        };
        left_out.extend(found);
        units.absent.push(AbsentUnit {
            name,
            absence,
            reason,
        });
    }
    let unknown = known.len() - reported.len();
    if unknown > 0 && !rows.is_empty() {
        let are = if unknown == 1 { "is" } else { "are" };
        let what = count(unknown, "unit");
        host.note(&format!(
            "{what} with a plan {are} not in {}: are the plans of this run?",
            path.display()
        ));
    }
    let mut at = 0..;
    units
        .units
        .retain(|_| at.next().is_none_or(|at| !left_out.contains(&at)));
    Ok(())
}

/// The report names units from the folder of the run, and a unit that is this folder by its last part.
fn similar(key: &str, folders: &[String]) -> Option<usize> {
    let ends = |long: &str, short: &str| {
        !short.is_empty()
            && long
                .strip_suffix(short)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let mut found = folders
        .iter()
        .enumerate()
        .filter(|(_, folder)| ends(folder, key) || ends(key, folder))
        .map(|(at, _)| at);
    let first = found.next();
    if first.is_some() {
        return if found.next().is_none() { first } else { None };
    }
    let is_own = |folder: &String| folder.is_empty() && !key.contains('/');
    folders
        .iter()
        .position(is_own)
        .filter(|_| folders.len() == 1)
}

fn report_rows(text: &str) -> anyhow::Result<Vec<Row>> {
    let rows: Vec<Row> = if text.starts_with('[') {
        serde_json::from_str(text).map_err(|error| anyhow!("not a report: {error}"))?
    } else {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        ensure!(
            reader.headers()?.iter().any(|name| name == "Name"),
            "not a report\n  tip: `terragrunt run --all --report-file report.json` writes one"
        );
        reader.deserialize().collect::<Result<_, _>>()?
    };
    let is_named = rows
        .iter()
        .all(|row| !row.name.is_empty() && !row.result.is_empty());
    ensure!(
        is_named,
        "each of its rows must have a `Name` and a `Result`"
    );
    Ok(rows)
}

#[cfg(test)]
mod tests;
