//! Finds the step between versions that a plan is about.
//!
//! ```text
//! 12 ecs task definitions go 1.83.2 -> 1.84.0
//! orders goes 14.12 -> 16.4
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::facts::{called, noun};
use crate::diff::edits::Edit;
use crate::direction::{Direction, Step};
use crate::review::entry::Entry;
use crate::text::count;

/// The minimum share of all changed objects that take part in the step, in percent, unless it is a major one.
const MIN_SHARE: usize = 30;
/// The maximum number of types that are named.
const MAX_TYPES: usize = 3;
/// The maximum length of a version in the sentence, in bytes.
const MAX_LEN: usize = 40;

/// Objects that go from one version to another.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct VersionStep<'a> {
    /// The names of the objects.
    names: BTreeSet<String>,
    /// The number of objects of each type.
    types: BTreeMap<&'a str, usize>,
    /// The number of objects.
    objects: usize,
    /// The number of objects with a major step.
    major: usize,
    /// The number of objects that get an earlier version.
    older: usize,
    /// The versions before; several if objects come from different ones.
    before: BTreeSet<&'a str>,
    /// The versions after; several if objects go to different ones.
    after: BTreeSet<&'a str>,
}

/// Finds the versions that most of the changed objects go to, or a major step of any of them.
pub(super) fn find<'a>(listed: &[&Entry<'a>]) -> Option<VersionStep<'a>> {
    let mut by_versions: BTreeMap<(&'a str, &'a str), VersionStep<'a>> = BTreeMap::new();
    let mut every: Option<VersionStep<'a>> = None;
    for entry in listed {
        let Some((before, after, edit)) = entry.shown_edits.list().iter().find_map(version_edit)
        else {
            continue;
        };
        let is_major = edit.meaning.step == Some(Step::Major);
        let is_older = edit.meaning.directions.contains(Direction::Older);
        let step = by_versions.entry((before, after)).or_default();
        step.add(entry, before, after, is_major, is_older);
        every
            .get_or_insert_default()
            .add(entry, before, after, is_major, is_older);
    }
    let most = by_versions
        .into_values()
        .max_by_key(|step| (step.objects, step.major))?;
    if is_most(most.objects, listed.len()) || most.major > 0 && most.objects * 2 >= listed.len() {
        return Some(most);
    }
    every.filter(|every| is_most(every.objects, listed.len()) && every.objects > 1)
}

fn is_most(objects: usize, listed: usize) -> bool {
    objects * 100 >= listed * MIN_SHARE
}

impl<'a> VersionStep<'a> {
    /// Counts an object.
    fn add(
        &mut self,
        entry: &Entry<'a>,
        before: &'a str,
        after: &'a str,
        is_major: bool,
        is_older: bool,
    ) {
        self.names.insert(called(entry));
        *self.types.entry(entry.resource_type).or_default() += 1;
        self.objects += 1;
        self.major += usize::from(is_major);
        self.older += usize::from(is_older);
        self.before.insert(before);
        self.after.insert(after);
    }

    /// Returns the step in words.
    pub(super) fn words(&self) -> String {
        let (who, goes) = match self.names.first() {
            Some(name) if self.objects == 1 => (name.clone(), "goes"),
            Some(_) | None => (objects_of(&self.types), "go"),
        };
        let (before, after) = (only(&self.before), only(&self.after));
        let mut words = match (before, after) {
            (Some(before), Some(after)) => format!("{who} {goes} {before} -> {after}"),
            (None, Some(after)) => format!("{who} {goes} to {after}"),
            (_, None) => format!("{who} {goes} to other versions"),
        };
        if after.is_none() && self.major > 0 {
            words.push_str(&format!(", {} of them major", self.major));
        }
        if self.older > 0 {
            words.push_str(&format!(", {} of them earlier", self.older));
        }
        words
    }
}

/// Returns the numbers of objects of each type, the largest first: `12 ecs task definitions and 4 lambda functions`.
pub(super) fn objects_of(types: &BTreeMap<&str, usize>) -> String {
    let mut numbers: Vec<(&str, usize)> = types
        .iter()
        .map(|(name, number)| (*name, *number))
        .collect();
    numbers.sort_by_key(|(name, number)| (Reverse(*number), *name));
    let rest: usize = numbers
        .iter()
        .skip(MAX_TYPES)
        .map(|(_, number)| number)
        .sum();
    let mut words: Vec<String> = numbers
        .iter()
        .take(MAX_TYPES)
        .map(|(name, number)| count(*number, &noun(name)))
        .collect();
    if rest > 0 {
        words.push(count(rest, "other"));
    }
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// Returns the element of a set that has no other.
fn only<'a>(set: &BTreeSet<&'a str>) -> Option<&'a str> {
    set.first().copied().filter(|_| set.len() == 1)
}

/// Returns the versions of the first edit that changes one, also inside of a document.
fn version_edit<'a>(edit: &'a Edit<'a>) -> Option<(&'a str, &'a str, &'a Edit<'a>)> {
    // A document that holds an image has the step of its image; the versions are inside.
    if let Some(inside) = edit.inside.filter(|inside| !inside.edits.is_empty()) {
        return inside.edits.iter().find_map(version_edit);
    }
    let is_step = edit.meaning.step.is_some()
        && (edit.meaning.directions.contains(Direction::Newer)
            || edit.meaning.directions.contains(Direction::Older));
    if is_step {
        let text = |side: Option<crate::diff::value::MarkedValue<'a>>| {
            let text = side?.content.scalar_text()?;
            // Of an image, the tag is the version.
            let tag = text.rsplit_once(':').map_or(text, |(_, tag)| tag);
            (tag.len() <= MAX_LEN).then_some(tag)
        };
        if let (Some(before), Some(after)) = (text(edit.before), text(edit.after)) {
            return Some((before, after, edit));
        }
    }
    None
}
