//! Texts about several plans: the plans with the most severe changes first, and a table of all plans.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::code::cell;
use super::sign;
use crate::review::entry::{Entry, FactKind, PlanReview, RuleOrigin};
use crate::review::{ChangeKind, Verdict, count};

/// The maximum length of a plan's name in the marker, in characters.
const MAX_LEN: usize = 120;

/// A plan and its index among the given ones.
pub(super) struct Placed<'r, 'a> {
    pub(super) place: usize,
    pub(super) review: &'r PlanReview<'a>,
    pub(super) verdict: &'r Verdict,
}

/// The comment by which a bot finds its previous text. Equal plans have equal markers.
pub(super) fn marker(reviews: &[PlanReview<'_>]) -> String {
    let name = match reviews {
        [only] => only.name.as_str(),
        _ => "",
    };
    // Without characters that end a comment, or that are invisible.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/".contains(c);
    let name: String = name.chars().take(MAX_LEN).map(|c| if is_plain(c) { c } else { '_' }).collect();
    match name.as_str() {
        "" => "<!-- tfview:review -->\n\n".to_owned(),
        name => format!("<!-- tfview:review {name} -->\n\n"),
    }
}

/// The plans, ordered by their most severe change.
pub(super) fn worst_first<'r, 'a>(
    reviews: &'r [PlanReview<'a>],
    verdicts: &'r [Verdict],
) -> Vec<Placed<'r, 'a>> {
    let placed = reviews.iter().zip(verdicts).enumerate();
    let mut plans: Vec<Placed<'r, 'a>> =
        placed.map(|(place, (review, verdict))| Placed { place, review, verdict }).collect();
    plans.sort_by_cached_key(|plan| {
        let facts = |kind: FactKind| {
            let is_of_kind = |entry: &&Entry<'_>| {
                entry.facts.iter().any(|fact| fact.kind == kind && fact.origin != RuleOrigin::Found)
            };
            plan.review.resources.iter().filter(is_of_kind).count()
        };
        let verdict = plan.verdict;
        let counts = [
            verdict.destroyed(),
            verdict.count(ChangeKind::ReplaceForget),
            verdict.count(ChangeKind::Forget),
            verdict.count(ChangeKind::Update),
            verdict.resources(),
        ];
        Reverse((verdict.errored, FactKind::ALL.map(facts), counts))
    });
    plans
}

/// A table of the plans with at most `bytes` bytes. Plans without a row are counted.
pub(super) fn table(plans: &[Placed<'_, '_>], bytes: usize) -> String {
    const COLUMNS: [ChangeKind; 5] = [
        ChangeKind::Destroy,
        ChangeKind::Replace,
        ChangeKind::Forget,
        ChangeKind::Update,
        ChangeKind::Create,
    ];
    let mut table = "| plan | | destroy | replace | forget | change | create | facts |\n\
                     |---|---|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    let mut rows = 0;
    for Placed { review, verdict, .. } in plans {
        let state = if verdict.errored { "❌ planning failed" } else { sign(verdict) };
        let mut row = format!("| {} | {state} |", cell(&review.name));
        for kind in COLUMNS {
            let number = verdict.count(kind);
            row.push_str(&if number > 0 { format!(" {number} |") } else { " |".to_owned() });
        }
        let facts: BTreeSet<FactKind> = review.resources.iter().flat_map(Entry::fact_kinds).collect();
        let facts: Vec<&str> = facts.into_iter().map(FactKind::name).collect();
        row.push_str(&format!(" {} |\n", facts.join(", ")));
        if table.len() + row.len() > bytes {
            break;
        }
        table.push_str(&row);
        rows += 1;
    }
    if rows == 0 {
        return String::new();
    }
    if rows < plans.len() {
        table.push_str(&format!("\n{} below.\n", count(plans.len() - rows, "more plan")));
    }
    table.push('\n');
    table
}
