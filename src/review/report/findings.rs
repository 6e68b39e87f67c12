//! The findings in the head of a document and with its entries: which ones, in how many words, and how many are left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::groups;
use crate::report::{EntryFinding, EntryFindings, FindingLine, Findings, Section, SectionKind};
use crate::review::entry::{FindingKind, Level, PlanFinding, PlanReview};
use crate::review::one_line;
use crate::review::text::compact;

/// The maximum length of the addresses of a finding, in characters; more are counted.
const MAX_LEN: usize = 100;

/// The numbers of the entry of an object and of the entry of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Numbers {
    own: usize,
    group: usize,
}

/// The findings of the objects that a document shows: the first `max` in rank order, and at least one of each kind
/// and of each level. The sections are those of all entries.
pub(super) fn head(
    review: &PlanReview<'_>,
    sections: &[Section<'_>],
    shows_outputs: bool,
    max: usize,
) -> Findings {
    let outputs = if shows_outputs { review.outputs.len() } else { 0 };
    let entries = sections.iter().flat_map(|section| &section.entries);
    let shown = entries.flat_map(|entry| {
        let (kind, places) = &entry.places;
        let number = |place: usize| entry.members.get(place).map_or(entry.number, |member| member.number);
        places
            .iter()
            .enumerate()
            .map(move |(place, at)| (*kind, *at, Some(Numbers { own: number(place), group: entry.number })))
    });
    let shown = || shown.clone().chain((0..outputs).map(|at| (SectionKind::Outputs, at, None)));
    let mut is_shown = vec![false; review.findings.len()];
    for finding in shown().flat_map(|(kind, at, _)| of(review, kind, at)) {
        if let Some(slot) = is_shown.get_mut(*finding) {
            *slot = true;
        }
    }
    let listed: Vec<(usize, &PlanFinding<'_>)> =
        review.findings.iter().enumerate().filter(|(at, _)| is_shown.get(*at) == Some(&true)).collect();
    let (mut kinds, mut levels) = (HashSet::new(), HashSet::new());
    let is_first: Vec<bool> = listed
        .iter()
        .map(|(_, listed)| kinds.insert(listed.finding.kind) | levels.insert(listed.finding.level))
        .collect();
    let mut spare = max.saturating_sub(is_first.iter().filter(|is_first| **is_first).count());
    let mut chosen: BTreeMap<usize, Vec<(usize, Option<Numbers>)>> = BTreeMap::new();
    let mut more: BTreeMap<(Reverse<Level>, usize), usize> = BTreeMap::new();
    for ((at, PlanFinding { finding, .. }), is_first) in listed.iter().zip(is_first) {
        if is_first || spare > 0 {
            spare -= usize::from(!is_first);
            chosen.insert(*at, Vec::new());
        } else {
            *more.entry((Reverse(finding.level), finding.kind as usize)).or_default() += 1;
        }
    }
    for (kind, at, number) in shown() {
        for finding in of(review, kind, at) {
            if let Some(objects) = chosen.get_mut(finding) {
                objects.push((at, number));
            }
        }
    }
    let line = |(at, mut objects): (usize, Vec<(usize, Option<Numbers>)>)| {
        let listed = review.findings.get(at)?;
        crate::sort::by(&mut objects, Ord::cmp);
        let addresses: Vec<&str> =
            objects.iter().filter_map(|(at, _)| Some(object(review, listed.part, *at)?.0)).collect();
        Some(FindingLine {
            level: listed.finding.level,
            kind: listed.finding.kind.name(),
            unit: String::new(),
            address: joined(&addresses, listed),
            entry: match &*objects {
                [(_, only)] => only.map(|numbers| numbers.own),
                _ => objects.first().and_then(|(_, numbers)| Some(numbers.as_ref()?.group)),
            },
            entries: objects.iter().filter_map(|(_, numbers)| Some(numbers.as_ref()?.own)).collect(),
            number: objects.len(),
            text: text(listed, true),
        })
    };
    let kinds = FindingKind::ALL.map(FindingKind::name);
    let more =
        more.into_iter().filter_map(|((level, kind), number)| Some((level.0, *kinds.get(kind)?, number)));
    Findings { shown: chosen.into_iter().filter_map(line).collect(), more: more.collect() }
}

/// The findings of an entry, the gravest first: the first `max`, and the number of the others.
pub(super) fn of_entry(review: &PlanReview<'_>, findings: &[usize], max: usize) -> EntryFindings {
    let shown =
        findings.iter().take(max).filter_map(|at| review.findings.get(*at)).map(|listed| EntryFinding {
            level: listed.finding.level,
            kind: listed.finding.kind.name(),
            text: text(listed, false),
        });
    EntryFindings { shown: shown.collect(), more: findings.len().saturating_sub(max) }
}

/// The indices of the findings of an object.
fn of<'r>(review: &'r PlanReview<'_>, kind: SectionKind, at: usize) -> &'r [usize] {
    object(review, kind, at).map_or(&[], |(_, findings)| findings)
}

/// The address and the indices of the findings of an object.
fn object<'r, 'a>(
    review: &'r PlanReview<'a>,
    kind: SectionKind,
    at: usize,
) -> Option<(&'a str, &'r [usize])> {
    review.list(kind).get(at).map(|entry| (entry.address, &*entry.findings))
}

/// The addresses of a finding in short: `aws_subnet.s[0…39] × 40`.
fn joined(addresses: &[&str], listed: &PlanFinding<'_>) -> String {
    let prefix = if listed.part == SectionKind::Outputs { "output " } else { "" };
    let [_, _, ..] = addresses else {
        let deposed = match listed.deposed {
            "" => String::new(),
            deposed => format!(" (deposed object {deposed})"),
        };
        return one_line(&format!("{prefix}{}{deposed}", addresses.first().unwrap_or(&"")));
    };
    let names = groups::joined(&compact(addresses), MAX_LEN);
    format!("{prefix}{names} × {}", addresses.len())
}

/// A finding in words; in the head with the list that it is in.
fn text(listed: &PlanFinding<'_>, is_head: bool) -> String {
    let finding = &listed.finding;
    let place = match listed.part {
        _ if !is_head => "",
        SectionKind::Drift => ", outside of the tool",
        SectionKind::Deferred | SectionKind::DeferredInvocations => ", in a later plan",
        SectionKind::Resources | SectionKind::Invocations | SectionKind::Outputs => "",
    };
    let undone = if finding.is_undone { "; this plan undoes it" } else { "" };
    let expected = if finding.is_expected { " (expected)" } else { "" };
    format!("{}{expected}{place}{undone}", finding.text)
}
