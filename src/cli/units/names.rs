//! The names of units: their folder below the argument, and the file's name too where a folder holds several.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Unit;
use super::discovery::Candidate;
use crate::cli::input::Source;

/// The endings of names of documents, the longest first.
const ENDINGS: [&str; 10] = [
    ".tfplan.json.gz",
    ".tfplan.json",
    ".json.gz",
    ".jsonl.gz",
    ".tfplan",
    ".planfile",
    ".ndjson",
    ".jsonl",
    ".json",
    ".log",
];

/// The units of the files, with their names.
pub(super) fn named(candidates: Vec<Candidate>) -> Vec<Unit> {
    let is_only_file = candidates.len() == 1;
    let mut in_folder: HashMap<(String, String), usize> = HashMap::new();
    for Candidate { argument, folder, .. } in &candidates {
        if let Some(folder) = folder {
            *in_folder.entry((argument.clone(), folder.clone())).or_default() += 1;
        }
    }
    let files: Vec<&Path> = candidates.iter().filter(|one| one.given.is_none()).filter_map(file).collect();
    let are_alike = are_named_alike(&files);
    let short: Vec<Option<String>> = candidates
        .iter()
        .map(|candidate| {
            let path = match &candidate.source {
                Source::Stdin => return candidate.given.clone(),
                Source::File(path) => path,
            };
            let stem = || without_ending(Path::new(path.file_name().unwrap_or_default()));
            let stem = || stem().to_string_lossy().into_owned();
            Some(match (&candidate.given, &candidate.folder) {
                (Some(name), _) => name.clone(),
                (None, Some(folder)) => {
                    let key = (candidate.argument.clone(), folder.clone());
                    let has_several = in_folder.get(&key).is_some_and(|number| *number > 1);
                    match (has_several, &**folder) {
                        (true, "") => stem(),
                        (true, folder) => format!("{folder}/{}", stem()),
                        (false, "") => ".".to_owned(),
                        (false, folder) => folder.to_owned(),
                    }
                }
                (None, None) if is_only_file => return None,
                (None, None) if are_alike => match path.parent().map(super::discovery::slashed) {
                    Some(folder) if !folder.is_empty() => folder,
                    Some(_) | None => stem(),
                },
                (None, None) => path.display().to_string(),
            })
        })
        .collect();
    let names = distinct(short, &candidates);
    let folder = |candidate: &Candidate| match (&candidate.given, &candidate.folder) {
        (Some(name), _) => name.clone(),
        (None, Some(folder)) => folder.clone(),
        (None, None) => {
            file(candidate).and_then(Path::parent).map(super::discovery::slashed).unwrap_or_default()
        }
    };
    let mut units: Vec<Unit> = candidates
        .into_iter()
        .zip(names)
        .map(|(candidate, name)| Unit { name, folder: folder(&candidate), source: candidate.source })
        .collect();
    if let [only] = &mut *units
        && only.name.as_deref() == Some(".")
    {
        only.name = None;
    }
    units
}

fn file(candidate: &Candidate) -> Option<&Path> {
    match (&candidate.folder, &candidate.source) {
        (None, Source::File(path)) => Some(path),
        (Some(_), _) | (None, Source::Stdin) => None,
    }
}

/// Whether all files have the same name, as one artifact for each unit has it: then their folders name them.
fn are_named_alike(files: &[&Path]) -> bool {
    let mut names = files.iter().map(|path| path.file_name());
    let first = names.next();
    files.len() > 1 && names.all(|name| Some(name) == first)
}

/// Makes names distinct: units of the same name are named by their whole path.
fn distinct(short: Vec<Option<String>>, candidates: &[Candidate]) -> Vec<Option<String>> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in short.iter().flatten() {
        *numbers.entry(name.clone()).or_default() += 1;
    }
    let is_taken = |name: &String| numbers.get(name).is_some_and(|number| *number > 1);
    let whole = |candidate: &Candidate| match &candidate.source {
        Source::Stdin => "standard input".to_owned(),
        Source::File(path) => path.display().to_string(),
    };
    let mut given: HashMap<String, usize> = HashMap::new();
    short
        .into_iter()
        .zip(candidates)
        .map(|(name, candidate)| {
            let name = name?;
            let name = if is_taken(&name) && candidate.given.is_none() { whole(candidate) } else { name };
            let number = given.entry(name.clone()).or_default();
            *number += 1;
            Some(if *number > 1 { format!("{name} ({number})") } else { name })
        })
        .collect()
}

/// A path without the ending of a document.
pub(super) fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    match stem {
        Some(stem) if !stem.is_empty() => path.with_file_name(stem),
        Some(_) | None => path.to_owned(),
    }
}
