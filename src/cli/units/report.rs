//! Reads the report of a Terragrunt run (`--report-file FILE.json`): which units succeeded, failed or were excluded.
//!
//! Source: the schemas of the run report, versions 1 to 4. A row names its unit by the path from the folder of the run.
//! This is also the path of the unit's plan below `--json-out-dir`. If the unit is the folder of the run itself, it is
//! named by the last part of its path.
//!
//! Invariants: a row takes a plan out of the review only if exactly one unit has its name. A row that excludes a unit
//! never takes out one that has only a similar name. No unit has two rows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use serde::Deserialize;

use super::{Unit, Units, reason};
use crate::cli::Host;
use crate::cli::input::{Source, read_text};
use crate::cli::messages::ErrorWithTip;
use crate::review::{Absence, AbsentUnit};
use crate::text::{count, one_line};

/// A row of the report.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Row {
    /// The path of the unit.
    name: String,
    /// The result, as a word.
    result: String,
    /// The reason, as a word.
    reason: String,
    /// The reason in more detail.
    cause: String,
}

impl Row {
    /// Returns why a unit has no plan; `None` if it succeeded.
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

    /// Returns the name as the path of a folder, with `/` between names.
    fn unit(&self) -> String {
        normalized(&self.name.replace('\\', "/"))
    }
}

fn normalized(name: &str) -> String {
    let name = name.trim_end_matches('/');
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

/// Applies reports to the units: takes out those that did not succeed, because a plan in the folder of one is from an
/// earlier run, and adds those without a plan.
///
/// # Errors
/// If a report cannot be read, or a unit has two rows in one report or in several.
pub(super) fn apply(paths: &[PathBuf], units: &mut Units, host: &Host) -> anyhow::Result<()> {
    let mut names: HashSet<String> = HashSet::new();
    for path in paths {
        let rows = read(path, host)?;
        for row in &rows {
            if !names.insert(row.unit()) {
                bail!(ErrorWithTip::new(
                    format!(
                        "cannot use {} for --report: two rows are about the unit {}, and only one of them can be right",
                        path.display(),
                        one_line(&row.unit())
                    ),
                    "write the report of each run to a file of its own, and pass the last one"
                ));
            }
        }
        apply_rows(path, &rows, units, host);
    }
    Ok(())
}

/// Applies the rows of one report, and notes units with a plan that have no row.
fn apply_rows(path: &Path, rows: &[Row], units: &mut Units, host: &Host) {
    let folders: Vec<String> = units
        .units
        .iter()
        .map(|unit| normalized(&unit.folder))
        .collect();
    let names = Names::new(&folders, rows);
    let mut reported: BTreeSet<usize> = BTreeSet::new();
    let mut left_out: BTreeSet<usize> = BTreeSet::new();
    for row in rows {
        let key = row.unit();
        let matched = names.find(&key);
        reported.extend(matched.units());
        let absence = row.absence();
        let is_excluded = matches!(absence, Some((Absence::Excluded, _)));
        let taken_out = match matched {
            RowMatch::Exactly(index) => Some(index),
            // A plan that may belong to another unit stays in the review.
            RowMatch::Similarly(index) if !is_excluded => Some(index),
            RowMatch::Similarly(_) | RowMatch::Several(_) | RowMatch::None => None,
        };
        let title = taken_out
            .and_then(|index| units.units.get(index))
            .and_then(|unit: &Unit| unit.name.as_deref());
        let name = one_line(title.unwrap_or(&key));
        let (absence, reason) = match absence {
            Some(absent) => absent,
            None if !matched.units().is_empty() => continue,
            None => (
                Absence::Missing,
                "the report says that it succeeded".to_owned(),
            ),
        };
        left_out.extend(taken_out);
        units.absent.push(AbsentUnit {
            name,
            absence,
            reason,
        });
    }
    let unknown = folders.len() - reported.len();
    if unknown > 0 && !rows.is_empty() {
        let are = if unknown == 1 { "is" } else { "are" };
        let what = count(unknown, "unit");
        host.note(&format!(
            "{what} with a plan {are} not in {}: are the plans of this run?",
            path.display()
        ));
    }
    let all = std::mem::take(&mut units.units);
    for (index, unit) in all.into_iter().enumerate() {
        if !left_out.contains(&index) {
            units.units.push(unit);
        } else if let Some(path) = unit.source.path() {
            units.left_out.push(path.to_owned());
        }
    }
}

/// The units that a row matches, by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RowMatch {
    /// One unit has exactly the name of the row.
    Exactly(usize),
    /// One unit is in a folder whose path is the name of the row and a prefix that is the same for all units; or the
    /// only unit is in the folder of the run.
    Similarly(usize),
    /// Several units have the name of the row.
    Several(Vec<usize>),
    None,
}

impl RowMatch {
    fn units(&self) -> &[usize] {
        match self {
            Self::Exactly(index) | Self::Similarly(index) => std::slice::from_ref(index),
            Self::Several(indices) => indices,
            Self::None => &[],
        }
    }
}

/// The units by the names that rows may give them.
struct Names<'f> {
    /// The indices of units by folder.
    by_folder: BTreeMap<&'f str, Vec<usize>>,
    /// The difference between the folders of the arguments and those of rows; `None` if there is none that fits all
    /// units.
    offset: Option<Offset>,
    /// Whether the only unit is in the folder of the plans itself.
    is_own: bool,
}

/// The difference between the folders of the arguments and those of rows.
#[derive(Debug, PartialEq, Eq)]
enum Offset {
    /// Each folder is this prefix, which ends with `/`, and the name of a row.
    InFolders(String),
    /// Each name of a row is this prefix, which ends with `/`, and a folder.
    InRows(String),
}

impl<'f> Names<'f> {
    /// Indexes the folders of units, and finds how they differ from the names of the rows.
    fn new(folders: &'f [String], rows: &[Row]) -> Self {
        let mut by_folder: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, folder) in folders.iter().enumerate() {
            by_folder.entry(folder).or_default().push(index);
        }
        let rows: HashSet<String> = rows.iter().map(Row::unit).collect();
        let is_own = matches!(folders, [only] if only.is_empty()) && rows.len() == 1;
        Self {
            offset: offset(&by_folder, &rows),
            by_folder,
            is_own,
        }
    }

    /// Finds the units that a row names: exactly, or with the prefix that all rows or all units have in common.
    fn find(&self, key: &str) -> RowMatch {
        if let Some(indices) = self.by_folder.get(key) {
            return match &**indices {
                [index] => RowMatch::Exactly(*index),
                _ => RowMatch::Several(indices.clone()),
            };
        }
        let folder = match &self.offset {
            Some(Offset::InFolders(prefix)) => Some(format!("{prefix}{key}")),
            Some(Offset::InRows(prefix)) => key.strip_prefix(&**prefix).map(str::to_owned),
            None if self.is_own && !key.contains('/') => Some(String::new()),
            None => None,
        };
        match folder.and_then(|folder| self.by_folder.get(&*folder)) {
            Some(indices) => match &**indices {
                [index] => RowMatch::Similarly(*index),
                _ => RowMatch::Several(indices.clone()),
            },
            None => RowMatch::None,
        }
    }
}

/// Finds the only prefix with which every unit has a row. Plans that are named as files have the folder of all plans
/// before the name of the row; folders below that of the run have less than the name of the row.
///
/// Takes time linear in the units and rows, times the depth of one folder.
fn offset(by_folder: &BTreeMap<&str, Vec<usize>>, rows: &HashSet<String>) -> Option<Offset> {
    let folders = || by_folder.keys().copied();
    let first = folders().next()?;
    if folders().all(|folder| rows.contains(folder)) {
        return None;
    }
    let slashes = first.match_indices('/').map(|(index, _)| index + 1);
    for prefix in slashes.filter_map(|end| first.get(..end)) {
        let has_row = |folder: &str| {
            folder
                .strip_prefix(prefix)
                .is_some_and(|name| rows.contains(name))
        };
        if folders().all(has_row) {
            return Some(Offset::InFolders(prefix.to_owned()));
        }
    }
    // Each of the rows that end with the first folder may have the prefix.
    let prefixes: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.strip_suffix(first))
        .filter(|prefix| prefix.ends_with('/'))
        .collect();
    let mut fitting = prefixes
        .into_iter()
        .filter(|prefix| folders().all(|folder| rows.contains(&format!("{prefix}{folder}"))));
    let only = fitting.next()?;
    fitting
        .next()
        .is_none()
        .then(|| Offset::InRows(only.to_owned()))
}

fn read(path: &Path, host: &Host) -> anyhow::Result<Vec<Row>> {
    let (_, text) = read_text(&Source::File(path.to_owned()), host)
        .context("cannot read the file of --report")?;
    let text = text.trim_start_matches('\u{feff}').trim();
    parse(text).with_context(|| format!("cannot read {} for --report", path.display()))
}

/// Parses the rows of a report in JSON.
///
/// # Errors
/// If it is not a report, or a row has no name or no result.
fn parse(text: &str) -> anyhow::Result<Vec<Row>> {
    ensure!(
        text.starts_with('['),
        ErrorWithTip::new(
            "not a report in JSON",
            "`terragrunt run --all --report-file report.json` writes one (by the end of the name; CSV is not read)"
        )
    );
    let rows: Vec<Row> =
        serde_json::from_str(text).map_err(|error| anyhow!("not a report: {error}"))?;
    let is_named = rows
        .iter()
        .all(|row| !row.name.is_empty() && !row.result.is_empty());
    ensure!(
        is_named,
        "not a report: every row needs a `Name` and a `Result`"
    );
    Ok(rows)
}

#[cfg(test)]
mod tests;
