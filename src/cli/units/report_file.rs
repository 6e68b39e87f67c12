//! The report of a Terragrunt run (`--report-file`, JSON or CSV): which units failed, were excluded or ended early.
//!
//! Invariant: a unit that the report says did not succeed is not reviewed, because a plan in its folder is of an
//! earlier run; one that succeeded and has no plan is missing.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use serde::Deserialize;

use super::{Units, reason};
use crate::cli::Host;
use crate::cli::input::{Source, read_text};
use crate::review::units::{Absence, AbsentUnit};
use crate::text::{count, one_line};

/// The unit of a report.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Row {
    name: String,
    result: String,
    reason: String,
    cause: String,
}

impl Row {
    /// Why there is no plan of it to review; `None` if it succeeded.
    fn absence(&self) -> Option<(Absence, String)> {
        let words: Vec<&str> =
            [&*self.reason, &*self.cause].into_iter().filter(|text| !text.trim().is_empty()).collect();
        let words = words.join(": ");
        let why = reason(&words);
        Some(match self.result.trim() {
            "succeeded" => return None,
            "failed" => (Absence::Failed, why),
            "excluded" => (Absence::Excluded, why),
            "early exit" => (Absence::EarlyExit, why),
            other => {
                (Absence::Failed, one_line(&format!("its result is `{other}`, which tfview does not know")))
            }
        })
    }

    /// The name with `/` between its parts, whatever the platform.
    fn key(&self) -> String {
        let name = self.name.trim().replace('\\', "/");
        let name = name.trim_end_matches('/');
        name.strip_prefix("./").unwrap_or(name).to_owned()
    }
}

/// Applies the report in a file to the units.
pub(super) fn apply(path: &Path, units: &mut Units, host: &Host) -> anyhow::Result<()> {
    let (_, text) =
        read_text(&Source::File(path.to_owned()), host).context("cannot read the file of --report")?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let rows = if text.starts_with('[') { from_json(text) } else { from_csv(text) };
    let rows = rows.with_context(|| format!("cannot read {} for --report", path.display()))?;
    let known: Vec<String> = units.units.iter().map(|unit| unit.folder.clone()).collect();
    let places: HashMap<&str, usize> = known.iter().enumerate().map(|(at, folder)| (&**folder, at)).collect();
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
            None => (Absence::Missing, "the report says that it succeeded".to_owned()),
        };
        left_out.extend(found);
        units.absent.push(AbsentUnit { name, absence, reason });
    }
    let unknown = known.len() - reported.len();
    if unknown > 0 && !rows.is_empty() {
        let are = if unknown == 1 { "is" } else { "are" };
        let what = count(unknown, "unit");
        host.note(&format!("{what} with a plan {are} not in {}: are the plans of this run?", path.display()));
    }
    let mut at = 0..;
    units.units.retain(|_| at.next().is_none_or(|at| !left_out.contains(&at)));
    Ok(())
}

/// The only unit whose folder ends with the name, or with which the name ends: the report names units from the
/// folder of the run, and a unit that is this folder by its last part.
fn similar(key: &str, folders: &[String]) -> Option<usize> {
    let ends = |long: &str, short: &str| {
        !short.is_empty()
            && long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
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
    folders.iter().position(is_own).filter(|_| folders.len() == 1)
}

fn from_json(text: &str) -> anyhow::Result<Vec<Row>> {
    let rows: Vec<Row> = serde_json::from_str(text).map_err(|error| anyhow!("not a report: {error}"))?;
    require_names(rows)
}

fn require_names(rows: Vec<Row>) -> anyhow::Result<Vec<Row>> {
    let is_named = rows.iter().all(|row| !row.name.is_empty() && !row.result.is_empty());
    ensure!(is_named, "each of its rows must have a `Name` and a `Result`");
    Ok(rows)
}

fn from_csv(text: &str) -> anyhow::Result<Vec<Row>> {
    let mut records = records(text)?.into_iter();
    let header = records.next().unwrap_or_default();
    let at = |name: &str| header.iter().position(|column| column.trim() == name);
    let (Some(name), Some(result)) = (at("Name"), at("Result")) else {
        return Err(anyhow!(
            "not a report\n  tip: `terragrunt run --all --report-file report.json` writes one"
        ));
    };
    let (reason, cause) = (at("Reason"), at("Cause"));
    let row = |record: Vec<String>| {
        let cell = |at: Option<usize>| at.and_then(|at| record.get(at).cloned()).unwrap_or_default();
        Row { name: cell(Some(name)), result: cell(Some(result)), reason: cell(reason), cause: cell(cause) }
    };
    require_names(records.map(row).collect())
}

/// The records of a text with comma-separated values. A quoted value may hold commas, quotes and line breaks.
fn records(text: &str) -> anyhow::Result<Vec<Vec<String>>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut had_quote) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() && !had_quote => (is_quoted, had_quote) = (true, true),
            ',' if !is_quoted => {
                record.push(std::mem::take(&mut cell));
                had_quote = false;
            }
            '\r' if !is_quoted && chars.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                record.push(std::mem::take(&mut cell));
                had_quote = false;
                records.push(std::mem::take(&mut record));
            }
            c => cell.push(c),
        }
    }
    ensure!(!is_quoted, "a quoted value does not end\n  tip: is the file complete?");
    if !record.is_empty() || !cell.is_empty() {
        record.push(cell);
        records.push(record);
    }
    records.retain(|record| record.iter().any(|cell| !cell.is_empty()));
    Ok(records)
}

#[cfg(test)]
mod tests;
