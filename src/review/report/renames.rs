//! What looks like a rename, as one entry with the `moved` blocks that would keep the objects.

use std::collections::HashSet;

use super::{Options, PartBuilder, PlanReview, one_line};
use crate::report::{self, Line, Priority, Section, SectionKind, Shown, Sign, Title, Tone};
use crate::review::count;
use crate::review::entry::Entry;
use crate::review::renames::{Rename, blocks};
use crate::review::text::compact;
use crate::text::first_of;

/// The maximum number of `moved` blocks in a text; `--context all` shows all.
const MAX_BLOCKS: usize = 12;
/// The maximum number of resources named in the title.
const MAX_NAMES: usize = 3;

/// The objects that the entry of renames shows, by their index: those of which no part is hidden. There are none where
/// all values are shown, or each object on a line or with an entry of its own.
pub(super) fn shown(review: &PlanReview<'_>, options: &Options, singly: bool) -> HashSet<usize> {
    if singly || options.unchanged || options.list || !options.shows_whole_plan() {
        return HashSet::new();
    }
    renames(review).flat_map(|rename| [rename.from, rename.to]).collect()
}

fn renames<'r, 'a>(review: &'r PlanReview<'a>) -> impl Iterator<Item = &'r Rename<'a>> {
    let is_shown = |at: usize| review.resources.get(at).is_some_and(|entry| !entry.hidden);
    review.renames.iter().filter(move |rename| is_shown(rename.from) && is_shown(rename.to))
}

impl<'r> PartBuilder<'r, '_, '_> {
    /// The section about what looks like a rename, if there is any. Beside entries of the objects themselves, as on a
    /// page, it has no findings. Where each object is on a line, its reasons say so.
    pub(super) fn renames(&mut self) -> Option<Section<'r>> {
        let (review, options, is_page) = (self.review, self.options, self.texts.is_some());
        if options.list || !options.shows_whole_plan() {
            return None;
        }
        let found: Vec<&Rename<'_>> = renames(review).collect();
        let entry = |at: usize| review.resources.get(at);
        let pairs: Vec<[&Entry<'_>; 2]> =
            found.iter().filter_map(|rename| Some([entry(rename.from)?, entry(rename.to)?])).collect();
        if pairs.is_empty() {
            return None;
        }
        let mut places: Vec<usize> = found.iter().flat_map(|rename| [rename.from, rename.to]).collect();
        places.sort_unstable();
        let is_only = !options.unchanged && !is_page;
        if is_only {
            for at in &places {
                self.coverage.record(SectionKind::Resources, *at, &[Some(Shown::Named)]);
            }
        }
        let mut seen = HashSet::new();
        let mut resources: Vec<String> =
            pairs.iter().map(|[old, _]| format!("{}.{}", old.resource_type, old.name)).collect();
        resources.retain(|resource| seen.insert(resource.clone()));
        let more = resources.len().saturating_sub(MAX_NAMES);
        let rest = if more > 0 { format!(" and {}", count(more, "other resource")) } else { String::new() };
        let address = format!("{}{rest}", resources[..resources.len().min(MAX_NAMES)].join(", "));
        let number_of = pairs.len();
        let phrase = format!(
            "looks like a rename: {number_of} destroyed, {number_of} created with the same values {}",
            difference(&pairs)
        );
        let old: Vec<&str> = pairs.iter().map(|[old, _]| old.address).collect();
        let (lines, left_out) = lines(review, &found, options.unchanged || options.folds_values || is_page);
        // Every destroyed object is named.
        let others = if left_out {
            compact(&old).iter().map(|address| one_line(address)).collect()
        } else {
            Vec::new()
        };
        let own = pairs.iter().flatten().filter(|_| !is_page);
        let mut findings: Vec<usize> = own.flat_map(|entry| entry.findings.iter().copied()).collect();
        findings.sort_unstable();
        findings.dedup();
        let entry = report::Entry {
            number: self.number(),
            is_destroyed: true,
            is_open: true,
            sign: ("-/+", Tone::Alert),
            address: one_line(&address),
            phrase,
            kind: "rename",
            lines,
            others,
            priority: Priority::Grave,
            order: 1 + crate::review::ChangeKind::Destroy as usize,
            places: (SectionKind::Resources, if is_only { places } else { Vec::new() }),
            ..super::findings::of_entry(review, &findings, super::MAX_ENTRY_FINDINGS)
        };
        let title = Title::Action { text: "What looks like a rename".to_owned(), is_state_only: false };
        Some(Section { kind: SectionKind::Resources, title, counts: String::new(), entries: vec![entry] })
    }
}

/// How the addresses of all pairs differ.
fn difference(pairs: &[[&Entry<'_>; 2]]) -> &'static str {
    let all = |is_same: fn(&Entry<'_>, &Entry<'_>) -> bool| pairs.iter().all(|[old, new]| is_same(old, new));
    let is_same_module = all(|old, new| old.module_address == new.module_address);
    let is_same_name = all(|old, new| old.name == new.name);
    let is_same_key = all(|old, new| old.index == new.index);
    match (is_same_module, is_same_name, is_same_key) {
        (true, true, _) => "under other keys",
        (true, false, true) => "under other names",
        (false, true, true) => "in other modules",
        _ => "under other addresses",
    }
}

/// The attributes that differ in keys only, and the `moved` blocks, all of them or the first; whether some are left out.
fn lines(review: &PlanReview<'_>, found: &[&Rename<'_>], is_whole: bool) -> (Vec<Line>, bool) {
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    let mut differing: Vec<&str> = found.iter().flat_map(|rename| rename.differs.iter().copied()).collect();
    differing.retain(|name| seen.insert(*name));
    if !differing.is_empty() {
        let names = first_of(differing.iter().map(|key| crate::review::text::name(key)), MAX_NAMES);
        lines.push(Line::note(0, format!("but for the keys in {names}")));
    }
    let blocks = blocks(review);
    let limit = if is_whole { usize::MAX } else { MAX_BLOCKS };
    lines.push(Line::note(0, "if it is one, this keeps the objects:".to_owned()));
    let line = |depth: usize, text: String| Line::new(depth, Sign::Same, one_line(&text), Tone::Plain);
    for (from, to) in blocks.iter().take(limit) {
        lines.push(line(0, "moved {".to_owned()));
        lines.push(line(1, format!("from = {from}")));
        lines.push(line(1, format!("to   = {to}")));
        lines.push(line(0, "}".to_owned()));
    }
    let more = blocks.len().saturating_sub(limit);
    if more > 0 {
        let text = format!("… {}; --context all shows all", count(more, "more block"));
        lines.push(Line::note(0, text));
    }
    // A block for a resource or a module names no single object.
    let is_short = blocks.len() < found.len();
    (lines, more > 0 || is_short)
}
