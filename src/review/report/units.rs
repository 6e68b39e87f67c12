//! What the document says of all units together: those without a plan, unchanged ones, findings, and the changes that
//! several of them have.

use std::collections::HashMap;

use super::{MAX_FINDINGS, Verdict};
use crate::report::{
    Entry, FindingLine, Findings, Level, Origin, Part, SectionKind, SharedEntry, Title, UnitRow, Units,
    unit_names,
};
use crate::review::Options;
use crate::review::entry::PlanReview;
use crate::review::groups::{Hashers, Strings};
use crate::review::units::AbsentUnit;

/// Moves what units have in common out of their parts. On a page, the parts stay whole.
pub(super) fn units<'r>(
    parts: &mut [Part<'r>],
    reviews: &[PlanReview<'_>],
    verdicts: &[Verdict],
    options: &Options,
    is_page: bool,
) -> Units<'r> {
    let mut unchanged = Vec::new();
    for ((part, review), verdict) in parts.iter_mut().zip(reviews).zip(verdicts) {
        part.is_left_out = is_unchanged(part, review, verdict);
        if part.is_left_out {
            unchanged.push(review.title().to_owned());
        }
    }
    let errored = reviews.iter().filter(|review| review.errored).map(|review| UnitRow {
        name: review.title().to_owned(),
        state: "failed to plan",
        sentence: "failed to plan".to_owned(),
        is_failure: true,
    });
    let mut units = Units {
        number: parts.len() + options.absent.len(),
        rows: errored.chain(options.absent.iter().map(row)).collect(),
        unchanged,
        names_unchanged: options.unchanged || is_page,
        findings: Findings::default(),
        shared: Vec::new(),
        elsewhere: 0,
    };
    if !is_page {
        units.findings = findings(parts);
        // What the plan is takes more lines than a change.
        for part in parts.iter_mut() {
            (part.types, part.origin, part.details) = (Vec::new(), Origin::default(), Vec::new());
        }
        if !options.tree && options.shows_whole_plan() {
            units.shared = shared(parts, reviews, options);
        }
    }
    for part in parts.iter_mut().filter(|part| !part.is_left_out) {
        let is_empty = part.sections.is_empty()
            && part.outputs.is_none()
            && part.apart.is_none()
            && part.notes.is_empty()
            && part.others.is_empty()
            && part.findings.shown.is_empty()
            && part.causes.is_none()
            && part.checks.is_empty();
        // A unit whose planning failed has a line of its own.
        part.is_left_out = is_empty && (part.headline.errored || !units.shared.is_empty());
        units.elsewhere += usize::from(part.is_left_out && !part.headline.errored);
    }
    units
}

fn row(unit: &AbsentUnit) -> UnitRow {
    UnitRow {
        name: unit.name.clone(),
        state: unit.absence.words(),
        sentence: unit.sentence(),
        is_failure: unit.absence.is_failure(),
    }
}

/// Whether there is nothing to say about a plan but its name.
fn is_unchanged(part: &Part<'_>, review: &PlanReview<'_>, verdict: &Verdict) -> bool {
    let drifted =
        || review.drift.iter().all(|entry| entry.relevant == Some(false) && entry.findings.is_empty());
    let rest = Verdict { drift: 0, ..verdict.clone() };
    !verdict.errored
        && !verdict.has_changes()
        && !review.says_more()
        && rest.additions().is_none()
        && review.findings.is_empty()
        && review.notes.is_empty()
        && review.checks.is_empty()
        && drifted()
        && part.sections.is_empty()
        && part.outputs.is_none()
        && part.apart.is_none()
        && review.with.is_empty()
}

/// The findings of all units, the gravest first, each with its unit. If all of them fit, they leave the parts.
fn findings(parts: &mut [Part<'_>]) -> Findings {
    let (mut named, mut more) = (Vec::new(), Vec::new());
    for part in parts.iter() {
        let Some(name) = &part.name else { continue };
        more.extend(part.findings.more.iter().copied());
        let line = |line: &FindingLine| FindingLine { unit: name.clone(), entry: None, ..line.clone() };
        named.extend(part.findings.shown.iter().map(line));
    }
    let keyed = named.into_iter().map(|line| ((line.kind, line.address.clone(), line.text.clone()), line));
    let joined = |same: Vec<FindingLine>| {
        let number = same.iter().map(|line| line.number).sum();
        let units = same.len();
        Some((FindingLine { number, ..same.into_iter().next()? }, units))
    };
    let mut all: Vec<(FindingLine, usize)> =
        crate::sort::grouped(keyed).into_iter().filter_map(joined).collect();
    crate::sort::by_key(&mut all, |(line, _)| std::cmp::Reverse(line.level));
    let fits = all.len() <= MAX_FINDINGS && more.is_empty();
    if fits {
        parts.iter_mut().for_each(|part| part.findings = Findings::default());
    }
    let left = all.split_off(all.len().min(MAX_FINDINGS));
    for (line, _) in left {
        more.push((line.level, line.kind, 1));
    }
    let shown = all.into_iter().map(|(line, units)| match units {
        1 => line,
        units => FindingLine { unit: format!("{units} units"), ..line },
    });
    Findings { shown: shown.collect(), more: merged(more) }
}

fn merged(more: Vec<(Level, &'static str, usize)>) -> Vec<(Level, &'static str, usize)> {
    let same = crate::sort::grouped(more.into_iter().map(|one| ((one.0, one.1), one))).into_iter();
    let sum = |same: Vec<(Level, &'static str, usize)>| {
        let (level, kind, _) = *same.first()?;
        Some((level, kind, same.iter().map(|(.., number)| number).sum()))
    };
    let mut merged: Vec<(Level, &'static str, usize)> = same.filter_map(sum).collect();
    crate::sort::by_key(&mut merged, |(level, ..)| std::cmp::Reverse(*level));
    merged
}

/// What has to be equal for a change to be the same in several units.
type Key = (String, Vec<String>, [u64; 2], Vec<String>);

/// Moves changes of resources that several units have out of their parts.
fn shared<'r>(parts: &mut [Part<'r>], reviews: &[PlanReview<'_>], options: &Options) -> Vec<SharedEntry<'r>> {
    let hashers = Hashers::default();
    let key = |review: &PlanReview<'_>, entry: &Entry<'_>| -> Option<Key> {
        let first = review.resources.get(*entry.places.1.first()?)?;
        let hash = hashers.entry(first, &review.findings, Strings::Hashed);
        let results = entry.results.shown.iter().map(|result| format!("{} {}", result.label, result.text));
        let said = results.chain(entry.cost.clone()).chain(entry.needs.clone()).collect();
        Some((entry.address.clone(), entry.others.clone(), hash, said))
    };
    let mut keys: Vec<Option<Key>> = Vec::new();
    for (part, review) in parts.iter().zip(reviews) {
        for section in &part.sections {
            let is_of_resources = section.kind == SectionKind::Resources;
            keys.extend(section.entries.iter().map(|entry| key(review, entry).filter(|_| is_of_resources)));
        }
    }
    let mut numbers = crate::sort::tally(keys.iter().flatten().cloned());
    numbers.retain(|_, number| *number > 1);
    let mut keys = keys.into_iter();
    let mut found: Vec<SharedEntry<'r>> = Vec::new();
    let mut at: HashMap<Key, usize> = HashMap::new();
    for (place, part) in parts.iter_mut().enumerate() {
        for section in &mut part.sections {
            let mut own = Vec::with_capacity(section.entries.len());
            for entry in std::mem::take(&mut section.entries) {
                let Some(key) = keys.next().flatten().filter(|key| numbers.contains_key(key)) else {
                    own.push(entry);
                    continue;
                };
                let at = *at.entry(key).or_insert(found.len());
                let places = (place, entry.places.1.clone());
                match found.get_mut(at) {
                    Some(shared) => shared.places.push(places),
                    None => found.push(SharedEntry { entry, places: vec![places] }),
                }
            }
            section.entries = own;
            if let Title::Action { text, .. } = &mut section.title {
                let number: usize = section.entries.iter().map(|entry| entry.places.1.len()).sum();
                let verb = text.split_once(' ').map_or("", |(_, verb)| verb);
                *text = format!("{number} {verb}");
            }
        }
        part.sections.retain(|section| !section.entries.is_empty());
    }
    for SharedEntry { entry, places } in &mut found {
        let names: Vec<&str> = places.iter().filter_map(|(at, _)| Some(reviews.get(*at)?.title())).collect();
        entry.phrase.push_str(&format!(" — same change in {} units", names.len()));
        let names = unit_names(&names, entry.is_destroyed || options.unchanged);
        entry.reasons.insert(0, format!("in {names}"));
    }
    crate::sort::by_key(&mut found, |shared| {
        let entry = &shared.entry;
        (std::cmp::Reverse(entry.priority), entry.order, std::cmp::Reverse(shared.places.len()))
    });
    found
}
