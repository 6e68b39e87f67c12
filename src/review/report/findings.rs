//! The findings in the head of a document and with its entries: which ones, in how many words, and how many are left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::groups;
use crate::report::{self, EntryFinding, EntryFindings, FindingLine, Findings, Section, SectionKind};
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
    let shown = shown.chain((0..outputs).map(|at| (SectionKind::Outputs, at, None)));
    let mut listed: BTreeMap<usize, Vec<(usize, Option<Numbers>)>> = BTreeMap::new();
    for (kind, at, number) in shown {
        for finding in object(review, kind, at).into_iter().flat_map(|(_, findings)| findings) {
            listed.entry(*finding).or_default().push((at, number));
        }
    }
    let (mut kinds, mut levels) = (HashSet::new(), HashSet::new());
    let found = listed.keys().filter_map(|at| review.findings.get(*at));
    let is_first: Vec<bool> =
        found.map(|listed| kinds.insert(listed.finding.kind) | levels.insert(listed.finding.level)).collect();
    let mut spare = max.saturating_sub(is_first.iter().filter(|is_first| **is_first).count());
    let mut more: BTreeMap<(Reverse<Level>, FindingKind), usize> = BTreeMap::new();
    let mut is_first = is_first.into_iter();
    listed.retain(|at, _| {
        let is_first = is_first.next() == Some(true);
        let is_chosen = is_first || spare > 0;
        if is_chosen {
            spare -= usize::from(!is_first);
        } else if let Some(PlanFinding { finding, .. }) = review.findings.get(*at) {
            *more.entry((Reverse(finding.level), finding.kind)).or_default() += 1;
        }
        is_chosen
    });
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
    let more = more.into_iter().map(|((level, kind), number)| (level.0, kind.name(), number));
    Findings { shown: listed.into_iter().filter_map(line).collect(), more: more.collect() }
}

/// An entry with what it says of its findings: the gravest first, the first `max`, and the number of the others.
pub(super) fn of_entry<'r>(review: &PlanReview<'_>, findings: &[usize], max: usize) -> report::Entry<'r> {
    let listed = || findings.iter().filter_map(|at| review.findings.get(*at));
    let levels = crate::sort::tally(listed().map(|listed| Reverse(listed.finding.level)));
    let shown = listed().take(max).map(|listed| EntryFinding {
        level: listed.finding.level,
        kind: listed.finding.kind.name(),
        text: text(listed, false),
    });
    let kinds = crate::sort::set(listed().map(|listed| listed.finding.kind));
    report::Entry {
        level: listed().map(|listed| listed.finding.level).max().unwrap_or_default(),
        levels: levels.into_iter().map(|(level, number)| (level.0, number)).collect(),
        finding_kinds: kinds.into_iter().map(FindingKind::name).collect(),
        findings: EntryFindings { shown: shown.collect(), more: findings.len().saturating_sub(max) },
        ..report::Entry::default()
    }
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
