//! Who has to approve: the owners of the files of what changes.

use std::collections::BTreeMap;

use crate::review::count;
use crate::review::entry::{Entry, PlanReview};

/// The maximum number of groups of owners in a line.
const MAX_OWNERS: usize = 10;

/// `needs @dba or @org/data and @net`: who has to approve an entry with findings.
pub(super) fn of_entry(entry: &Entry<'_>) -> Option<String> {
    let needs = !entry.findings.is_empty() && !entry.owners.is_empty();
    needs.then(|| format!("needs {}", joined(&entry.owners)))
}

/// The lines in the head: whose approval the findings need, and who owns the other files of what changes.
pub(super) fn head(review: &PlanReview<'_>) -> Option<String> {
    let of = |has_findings: bool| {
        let entries = review.resources.iter().chain(&review.deferred);
        let entries = entries.filter(|entry| entry.findings.is_empty() != has_findings);
        crate::sort::tally(entries.flat_map(|entry| &entry.owners).map(|owners| owners.join(" or ")))
    };
    let (needed, mut others) = (of(true), of(false));
    others.retain(|owners, _| !needed.contains_key(owners));
    match (needed.is_empty(), others.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("owners of what changes: {}", listed(&others))),
        (false, true) => Some(format!("needs {}", listed(&needed))),
        (false, false) => Some(format!("needs {}; other owners: {}", listed(&needed), listed(&others))),
    }
}

fn listed(owners: &BTreeMap<String, usize>) -> String {
    let words = owners.iter().take(MAX_OWNERS).map(|(names, number)| format!("{names} ({number})"));
    let mut text = words.collect::<Vec<_>>().join(", ");
    if owners.len() > MAX_OWNERS {
        text.push_str(&format!(" and {}", count(owners.len() - MAX_OWNERS, "other")));
    }
    text
}

fn joined(owners: &[Vec<String>]) -> String {
    owners.iter().map(|any| any.join(" or ")).collect::<Vec<_>>().join(", and ")
}
