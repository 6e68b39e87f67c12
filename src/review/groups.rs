//! Groups entries with equal changes, so that they are shown once.
//!
//! The entries of a group have equal edits, including paths and sensitive values, and whatever texts say of one
//! of them holds for each: reasons, findings, causes, policies and firewall rules, which name unchanged values too.
//! Entries may also be equal "but for the key": they become equal once the instance keys in the address of each, its
//! own and those of its modules, are replaced by placeholders, where they are whole words in strings and names, at the
//! same positions in all of them. Changes of tags alone are equal whatever the type of the object.
//! Equality is that of 128-bit hashes, with new random keys in each run.

mod outliers;
mod pair;
mod print;

use self::pair::{Pair, Positions};
pub(super) use self::print::{Hashers, Strings};
use super::entry::{Entry, Group, PlanFinding, PlanReview, Sameness};
use super::keys;
use crate::sort::grouped;

/// Finds the groups of the resources, drift and deferred changes of a review.
pub(super) fn find(review: &mut PlanReview<'_>) {
    let mut groups = Vec::new();
    let hashers = Hashers::default();
    let PlanReview { resources, drift, deferred, findings, .. } = review;
    for entries in [resources, drift, deferred] {
        group_list(entries, findings, &hashers, &mut groups);
    }
    review.groups = groups;
    outliers::find(review);
}

fn group_list<'a>(
    entries: &mut [Entry<'a>],
    findings: &[PlanFinding<'a>],
    hashers: &Hashers,
    groups: &mut Vec<Group<'a>>,
) {
    let print = |entry: &Entry<'a>, strings| hashers.entry(entry, findings, strings);
    let mut alone: Vec<usize> = Vec::new();
    let exact = entries.iter().enumerate().map(|(at, entry)| (print(entry, Strings::Hashed), at));
    for members in grouped(exact.collect::<Vec<_>>()) {
        match *members {
            [only] => alone.push(only),
            _ => join(entries, &members, Sameness::Exactly, groups),
        }
    }
    let keyed = alone.into_iter().filter(|at| !keys::of_address(entries[*at].address).is_empty());
    let similar = grouped(keyed.map(|at| (print(&entries[at], Strings::LeftOut), at)));
    for places in similar.into_iter().filter(|places| places.len() > 1) {
        for members in but_for_the_key(entries, findings, &places) {
            join(entries, &members, Sameness::ButForTheKey, groups);
        }
    }
}

/// Groups entries of the same shape that are equal but for the key.
fn but_for_the_key(entries: &[Entry<'_>], findings: &[PlanFinding<'_>], places: &[usize]) -> Vec<Vec<usize>> {
    // The maximum number of classes with which each entry is compared.
    const CLASSES: usize = 16;
    // Members, and the positions of each key in the first of them, as far as another member has another key.
    let mut found: Vec<(Vec<usize>, Positions)> = Vec::new();
    for at in places {
        let is_placed = found.iter_mut().any(|(members, keys)| {
            let others = Pair::compare(&entries[members[0]], &entries[*at], findings);
            // A key is at the same positions in all members.
            let fits = |others: &Positions| {
                others.iter().all(|(key, places)| keys.get(key).is_none_or(|known| known == places))
            };
            let Some(others) = others.filter(fits) else { return false };
            keys.extend(others);
            members.push(*at);
            true
        });
        if !is_placed && found.len() < CLASSES {
            found.push((vec![*at], Positions::new()));
        }
    }
    found.into_iter().map(|(members, _)| members).filter(|members| members.len() > 1).collect()
}

/// All texts about an entry except for those of its edits.
fn words<'e>(entry: &'e Entry<'_>, findings: &'e [PlanFinding<'_>]) -> Vec<&'e str> {
    let reasons = entry.reasons.iter().map(|reason| reason.text.as_str());
    let findings = entry.findings.iter().filter_map(|at| Some(findings.get(*at)?.finding.text.as_str()));
    let causes = entry.causes.iter().flat_map(|cause| {
        [cause.address, cause.source.unwrap_or_default()].into_iter().chain(cause.expected.iter().copied())
    });
    let parts = entry.access.iter().flat_map(|change| &change.lines).flat_map(|line| &line.parts);
    let given = entry.given.iter().flat_map(|given| given.sources.iter().copied());
    let access = parts.flat_map(|part| &part.items).map(String::as_str);
    reasons.chain(findings).chain(given).chain([entry.replaced_with]).chain(causes).chain(access).collect()
}

fn join<'a>(entries: &mut [Entry<'a>], members: &[usize], same: Sameness, groups: &mut Vec<Group<'a>>) {
    let id = groups.len();
    members.iter().for_each(|at| entries[*at].group = Some(id));
    groups.push(Group { id, members: members.iter().map(|at| entries[*at].address).collect(), same });
}
