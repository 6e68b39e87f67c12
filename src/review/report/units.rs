//! The part of a document about all units together, and the changes that several of them share.
//!
//! Invariant: changes that are shown once for several units are left out of the parts of these units, so that each is
//! shown once and its number is the sum.
//!
//! ```text
//! unit prod: aws_iam_role.ci changes      unit dev: aws_iam_role.ci changes in the same way
//!
//! ~ aws_iam_role.ci  (same change in 2 units)
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::MAX_FINDINGS;
use crate::report::{
    FindingCount, FindingLine, Findings, Level, Origin, Part, ReportEntry, Section, SectionKind,
    SharedEntry, SharedPlaces, UnitRow, Units, unit_names,
};
use crate::review::build::groups::EntryHashers;
use crate::review::plan::PlanReview;
use crate::review::{Options, count};

/// Builds the part about all units, and leaves out of the parts what it says. On a page, the parts stay whole.
pub(super) fn units<'r>(
    parts: &mut [Part<'r>],
    reviews: &[PlanReview<'_>],
    options: &Options,
    is_page: bool,
) -> Units<'r> {
    let errored = reviews
        .iter()
        .filter(|review| review.errored)
        .map(|review| UnitRow {
            name: review.title().to_owned(),
            state: "failed to plan",
            sentence: "failed to plan".to_owned(),
            is_failure: true,
        });
    let absent = options.absent.iter().map(|unit| UnitRow {
        name: unit.name.clone(),
        state: unit.absence.words(),
        sentence: unit.sentence(),
        is_failure: unit.absence.is_failure(),
    });
    let mut units = Units {
        number: parts.len() + options.absent.len(),
        rows: errored.chain(absent).collect(),
        names_unchanged: options.unchanged || is_page,
        ..Units::default()
    };
    for (part, review) in parts.iter_mut().zip(reviews) {
        part.is_left_out = is_unchanged(part, review);
        units
            .unchanged
            .extend(part.is_left_out.then(|| review.title().to_owned()));
    }
    if !is_page {
        units.findings = findings(parts);
        for part in parts.iter_mut() {
            (part.origin, part.details) = (Origin::default(), Vec::new());
        }
        if !options.tree && options.shows_whole_plan() {
            units.shared = shared(parts, reviews, options);
        }
    }
    for part in parts.iter_mut().filter(|part| !part.is_left_out) {
        let is_empty = has_no_entries(part)
            && part.notes.is_empty()
            && part.others.is_empty()
            && part.findings.shown.is_empty()
            && part.causes.is_none()
            && part.checks.is_empty();
        part.is_left_out = is_empty && (part.headline.errored || !units.shared.is_empty());
        units.elsewhere += usize::from(part.is_left_out && !part.headline.errored);
    }
    units
}

/// Whether a part has no entries, outputs or results of other tools.
fn has_no_entries(part: &Part<'_>) -> bool {
    part.sections.is_empty() && part.outputs.is_none() && part.apart.is_none()
}

/// Whether a plan changes nothing and has nothing to say, so that its name is enough.
fn is_unchanged(part: &Part<'_>, review: &PlanReview<'_>) -> bool {
    !review.errored
        && !review.verdict().has_changes()
        && !review.has_unlisted_changes()
        && review.changes.deferred.is_empty()
        && review.changes.deferred_invocations.is_empty()
        && review.findings.is_empty()
        && review.notes.is_empty()
        && review.checks.is_empty()
        && review
            .changes
            .drift
            .iter()
            .all(|entry| entry.relevant == Some(false))
        && has_no_entries(part)
        && review.results.is_empty()
}

/// Returns the findings of all units, with equal ones once. If all of them fit, they are removed from the parts.
fn findings(parts: &mut [Part<'_>]) -> Findings {
    let (mut named, mut more) = (Vec::new(), Vec::new());
    for part in parts.iter() {
        let Some(name) = &part.name else { continue };
        more.extend(part.findings.more.iter().copied());
        let line = |line: &FindingLine| FindingLine {
            unit: name.clone(),
            entry: None,
            ..line.clone()
        };
        named.extend(part.findings.shown.iter().map(line));
    }
    let keyed = named
        .into_iter()
        .map(|line| ((line.kind, line.address.clone(), line.text.clone()), line));
    let joined = |mut same: Vec<FindingLine>| {
        let (units, number) = (same.len(), same.iter().map(|line| line.number).sum());
        let first = same.swap_remove(0);
        let unit = if units > 1 {
            format!("{units} units")
        } else {
            first.unit
        };
        FindingLine {
            number,
            unit,
            ..first
        }
    };
    let mut shown: Vec<FindingLine> = crate::grouping::groups(keyed)
        .into_iter()
        .map(joined)
        .collect();
    shown.sort_by_key(|line| Reverse(line.level));
    if shown.len() <= MAX_FINDINGS && more.is_empty() {
        parts
            .iter_mut()
            .for_each(|part| part.findings = Findings::default());
    }
    let left = shown.split_off(shown.len().min(MAX_FINDINGS));
    more.extend(left.into_iter().map(|line| FindingCount {
        level: line.level,
        kind: line.kind,
        number: 1,
    }));
    let mut sums: BTreeMap<(Reverse<Level>, &str), usize> = BTreeMap::new();
    for FindingCount {
        level,
        kind,
        number,
    } in more
    {
        *sums.entry((Reverse(level), kind)).or_default() += number;
    }
    let more = sums
        .into_iter()
        .map(|((level, kind), number)| FindingCount {
            level: level.0,
            kind,
            number,
        })
        .collect();
    Findings { shown, more }
}

/// The key of a change. Changes of several units are the same if their keys are equal.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SharedKey {
    /// The address of the title: one address, or several in short form.
    address: String,
    /// The addresses of the other objects.
    others: Vec<String>,
    /// The hash of the change.
    hash: u64,
    /// The results of other tools, the cost, and who has to approve.
    said: Vec<String>,
}

/// Moves the changes of resources that several units share out of their parts.
fn shared<'r>(
    parts: &mut [Part<'r>],
    reviews: &[PlanReview<'_>],
    options: &Options,
) -> Vec<SharedEntry<'r>> {
    let prints = EntryHashers::default();
    let key = |review: &PlanReview<'_>, entry: &ReportEntry<'_>| -> Option<SharedKey> {
        let first = review
            .changes
            .resources
            .get(*entry.places.indices.first()?)?;
        let hash = prints.exact(first, &review.findings);
        let results = entry
            .results
            .shown
            .iter()
            .map(|result| format!("{} {}", result.label, result.text));
        let said = results
            .chain(entry.cost.clone())
            .chain(entry.needs.clone())
            .collect();
        Some(SharedKey {
            address: entry.address.clone(),
            others: entry.others.clone(),
            hash,
            said,
        })
    };
    let of_resources = |section: &Section<'_>| section.kind == SectionKind::Resources;
    // Entries of a single unit are not moved, because those of many units together take much memory.
    let keys_of_part = |(part, review): (&Part<'r>, &PlanReview<'_>)| -> Vec<Option<SharedKey>> {
        let sections = part.sections.iter().filter(|section| of_resources(section));
        let entries = sections.flat_map(|section| &section.entries);
        entries.map(|entry| key(review, entry)).collect()
    };
    let keys: Vec<Vec<Option<SharedKey>>> = parts.iter().zip(reviews).map(keys_of_part).collect();
    let numbers = crate::grouping::counts(keys.iter().flatten().flatten());
    let mut shared_entries: Vec<SharedEntry<'r>> = Vec::new();
    let mut known: HashMap<&SharedKey, usize> = HashMap::new();
    for (place, (part, keys)) in parts.iter_mut().zip(&keys).enumerate() {
        let mut keys = keys.iter();
        let sections = part.sections.iter_mut();
        for section in sections.filter(|section| of_resources(section)) {
            let mut keys_of_moved = Vec::new();
            let moved = section.entries.extract_if(.., |_| {
                let key = keys.next().and_then(Option::as_ref);
                let shared = key.filter(|key| numbers.get(key) > Some(&1));
                keys_of_moved.extend(shared);
                shared.is_some()
            });
            let moved: Vec<ReportEntry<'r>> = moved.collect();
            for (entry, key) in moved.into_iter().zip(keys_of_moved) {
                let places = SharedPlaces {
                    part: place,
                    indices: entry.places.indices.clone(),
                };
                let known = *known.entry(key).or_insert(shared_entries.len());
                match shared_entries.get_mut(known) {
                    Some(shared) => shared.places.push(places),
                    None => shared_entries.push(SharedEntry {
                        entry,
                        places: vec![places],
                    }),
                }
            }
        }
    }
    for part in parts.iter_mut() {
        part.sections.retain(|section| !section.entries.is_empty());
    }
    for SharedEntry { entry, places } in &mut shared_entries {
        let names: Vec<&str> = places
            .iter()
            .filter_map(|places| Some(reviews.get(places.part)?.title()))
            .collect();
        let names = unit_names(&names, entry.is_destroyed || options.unchanged);
        let number = count(places.len(), "unit");
        let remark = format!("same change in {number}");
        entry.phrase.push_str(&format!(" — {remark}"));
        entry.remark = match &*entry.remark {
            "" => remark,
            own => format!("{own}; {remark}"),
        };
        entry.reasons.insert(0, format!("in {names}"));
    }
    shared_entries.sort_by_key(|shared| {
        let entry = &shared.entry;
        (
            Reverse(entry.priority),
            entry.order,
            Reverse(shared.places.len()),
        )
    });
    shared_entries
}
