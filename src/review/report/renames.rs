//! The entry about objects that look as if they were renamed, with the `moved` blocks that would keep them.
//!
//! The entries of the objects themselves are left out if this entry says everything about them; their findings stay in
//! the head.
//!
//! ```text
//! -/+ aws_ebs_volume.kafka  (looks like a rename: 3 destroyed, 3 created with the same values under other keys)
//!     moved {
//!       from = aws_ebs_volume.kafka["0"]
//!       to   = aws_ebs_volume.kafka["eu-west-1a"]
//!     }
//! ```

use std::collections::{BTreeSet, HashSet};

use super::rename_pairs::{Pair, pairs, renames};
use super::{PartBuilder, head};
use crate::model::address::{module_of, resource_address};
use crate::report::{
    self, Line, Mark, Priority, Section, SectionKind, Shown, Sign, Span, Title, Tone,
};
use crate::review::entry::{Entry, Rename};
use crate::review::paths::{compact, compact_within, name};
use crate::review::plan::PlanReview;
use crate::review::{ChangeKind, Options, count, one_line};
use crate::text::first_of;

/// The maximum number of `moved` blocks that a text shows. The others have the same form; `--context all` shows all.
const MAX_BLOCKS: usize = 1;
/// The maximum number of resources and attributes that are named.
const MAX_NAMES: usize = 3;
/// The maximum number of new keys that are named.
const MAX_KEYS: usize = 6;
/// The maximum depth of modules that may move as a whole.
const MAX_DEPTH: usize = 16;

impl<'r> PartBuilder<'r, '_, '_> {
    /// Returns the section with the entry about renames; `None` if there are none. On a page, which has the entries of
    /// the objects, too, it has no findings. In a list, the reasons of the objects say the same.
    pub(super) fn renames(&mut self) -> Option<Section<'r>> {
        let (review, options, is_page) = (self.review, self.options, self.is_page());
        let (renames_of_plan, pairs): (Vec<&Rename<'_>>, Vec<Pair<'_, '_>>) =
            renames(review).unzip();
        if pairs.is_empty() || options.list || !options.shows_whole_plan() {
            return None;
        }
        let mut places = Vec::new();
        if !options.unchanged && !is_page {
            places.extend(renames_of_plan.iter().flat_map(|rename| rename.places));
            places.sort_unstable();
            for index in &places {
                self.coverage
                    .record(SectionKind::Resources, *index, &[Some(Shown::Named)]);
            }
        }
        let resources = pairs
            .iter()
            .map(|[old, _]| format!("{}.{}", old.resource_type, old.name));
        let (number, how) = (pairs.len(), difference(&pairs));
        let renamed_entries = pairs.iter().flatten().filter(|_| !is_page);
        let findings: BTreeSet<_> = renamed_entries
            .flat_map(|entry| entry.findings.iter().copied())
            .collect();
        let findings = Vec::from_iter(findings);
        let mut lines = renamed(review, &pairs, is_page);
        lines.extend(moved_blocks(review, &renames_of_plan, options, is_page));
        let phrase = format!(
            "looks like a rename: {number} destroyed, {number} created with the same values {how}"
        );
        let entry = report::ReportEntry {
            number: self.next_number(),
            is_destroyed: true,
            is_open: true,
            sign: report::EntrySign {
                symbol: "-/+",
                tone: Tone::Alert,
            },
            address: one_line(&first_of(distinct(resources), MAX_NAMES)),
            remark: phrase.clone(),
            phrase,
            kind: "rename",
            lines,
            priority: Priority::Grave,
            order: 1 + ChangeKind::Destroy as usize,
            places: report::EntryPlaces {
                list: SectionKind::Resources,
                indices: places,
            },
            ..head::with_findings(review, &findings)
        };
        let title = match is_page {
            true => Title::Text("What looks like a rename"),
            false => Title::Changes,
        };
        Some(Section {
            kind: SectionKind::Resources,
            title,
            counts: String::new(),
            entries: vec![entry],
        })
    }
}

/// Returns the items without those that repeat an earlier one.
fn distinct<T: Clone + std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

/// Returns what differs in the addresses of all pairs, in words.
fn difference(pairs: &[Pair<'_, '_>]) -> &'static str {
    let all = |is_same: fn(&Entry<'_>, &Entry<'_>) -> bool| {
        pairs.iter().all(|[old, new]| is_same(old, new))
    };
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

/// Returns a line for each resource with its old and new addresses. On a page, the lines have no findings, because the
/// entries of the objects have them.
fn renamed(review: &PlanReview<'_>, pairs: &[Pair<'_, '_>], is_page: bool) -> Vec<Line> {
    let keyed = pairs.iter().map(|pair| {
        let [old, new] = pair;
        let resources = [old, new].map(|entry| (entry.module_address, entry.name));
        ((old.resource_type, resources), pair)
    });
    let resources = crate::grouping::groups(keyed);
    let line = |same: Vec<&Pair<'_, '_>>| {
        let side =
            |index: usize| -> Vec<&str> { same.iter().map(|pair| pair[index].address).collect() };
        let old = compact(&side(0)).join(", ");
        let new = first_of(compact_within(&side(1), MAX_KEYS), MAX_NAMES);
        let spans = vec![
            Span::new(one_line(&old), Tone::Removed),
            Span::new(" -> ", Tone::Plain),
            Span::new(one_line(&new), Tone::Added),
        ];
        let mut line = Line::of(0, Sign::Change, spans);
        let entries = same.iter().flat_map(|pair| pair.iter());
        let findings = entries
            .filter(|_| !is_page)
            .flat_map(|entry| &entry.findings);
        for listed in findings.filter_map(|index| review.findings.get(*index)) {
            let finding = &listed.finding;
            line.add_mark(&Mark::new(finding.level, finding.kind.name()));
        }
        line
    };
    resources.into_iter().map(line).collect()
}

/// Returns the lines of the blocks that keep the objects: one block as a pattern, or all on a page and with `--context
/// all`.
fn moved_blocks(
    review: &PlanReview<'_>,
    renames_of_plan: &[&Rename<'_>],
    options: &Options,
    is_page: bool,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let differing = distinct(renames_of_plan.iter().flat_map(|rename| &rename.differs));
    if !differing.is_empty() {
        let names = first_of(differing.iter().map(|attribute| name(attribute)), MAX_NAMES);
        lines.push(Line::note(0, format!("but for the keys in {names}")));
    }
    let blocks = blocks(review);
    let limit = if is_page {
        usize::MAX
    } else {
        options.limit(MAX_BLOCKS)
    };
    let more = match blocks.len().saturating_sub(limit) {
        0 => String::new(),
        more => format!(
            " ({} like it; --context all shows all)",
            count(more, "more block")
        ),
    };
    lines.push(Line::note(
        0,
        format!("if it is one, this keeps the objects{more}:"),
    ));
    let line =
        |depth: usize, text: String| Line::new(depth, Sign::Same, one_line(&text), Tone::Plain);
    for (from, to) in blocks.iter().take(limit) {
        lines.push(line(0, "moved {".to_owned()));
        lines.push(line(1, format!("from = {from}")));
        lines.push(line(1, format!("to   = {to}")));
        lines.push(line(0, "}".to_owned()));
    }
    lines
}

/// Returns the old and the new address of each `moved` block.
///
/// A module or a resource moves as a whole if all of its objects do, and the plan says that its old configuration is
/// gone. Otherwise each object has a block of its own.
fn blocks<'e>(review: &'e PlanReview<'_>) -> Vec<(&'e str, &'e str)> {
    let moves = crate::grouping::counts(pairs(review).flat_map(|(_, pair)| moves(pair)));
    let numbers = crate::grouping::counts(
        review
            .changes
            .resources
            .iter()
            .flat_map(|entry| around(entry.address)),
    );
    // Otherwise, other objects stay at the old address, are changed, or move to another address.
    let is_whole = |block: &(&str, &str)| moves.get(block) == numbers.get(block.0);
    let blocks = pairs(review).map(|(_, [old, new])| {
        let whole = self::moves([old, new]).into_iter().find(is_whole);
        whole.unwrap_or((old.address, new.address))
    });
    distinct(blocks)
}

/// Returns the addresses that contain an object, from the outermost module to the resource.
fn around(address: &str) -> Vec<&str> {
    let all = std::iter::successors(Some(resource_address(address)), |inner| {
        Some(module_of(inner))
    });
    let mut around: Vec<&str> = all
        .take_while(|outer| !outer.is_empty())
        .take(MAX_DEPTH)
        .collect();
    around.reverse();
    around
}

/// Returns the moves that would take the object of a pair to its new address: of each module around it, and of its
/// resource, if the plan says that they are gone from the configuration.
fn moves<'e>([old, new]: Pair<'e, '_>) -> Vec<(&'e str, &'e str)> {
    let is_module_gone = old.action_reason == "delete_because_no_module";
    let is_gone = is_module_gone || old.action_reason == "delete_because_no_resource_config";
    let moves = around(old.address).into_iter().filter_map(|from| {
        let is_resource = from.len() == resource_address(old.address).len();
        let to = new.address.strip_suffix(old.address.get(from.len()..)?)?;
        let is_move = (is_module_gone || is_resource && is_gone) && !to.is_empty() && from != to;
        is_move.then_some((from, to))
    });
    moves.collect()
}
