//! The verdict of a plan: counts, and the sentences made from them.

use super::entry::{Entry, Level, PlanFinding, PlanReview};
use super::{ChangeKind, count, weight};
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::report::Headline;
use crate::text::nonzero;

/// The counts of a plan. They include everything that the plan lists, regardless of filters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The number of resources with each kind as their main change, in the order of [`ChangeKind::ALL`].
    pub kinds: [usize; 10],
    /// Imports, including those with other changes.
    pub imports: usize,
    /// Moves, including those with other changes.
    pub moves: usize,
    /// Objects that changed outside of the tool.
    pub drift: usize,
    /// Outputs that change.
    pub outputs: usize,
    /// Deferred changes.
    pub deferred: usize,
    /// Actions to invoke.
    pub invocations: usize,
    /// Deferred invocations of actions.
    pub deferred_invocations: usize,
    /// Checks that failed.
    pub failed_checks: usize,
    /// Whether planning stopped with an error.
    pub errored: bool,
    /// The names of plans whose planning failed.
    pub failed_plans: Vec<String>,
    /// Resources with only changes that are proven to have no effect.
    pub cosmetic: usize,
    /// How grave it is.
    pub level: Level,
    /// The numbers of findings by level, in the order of [`Level::of_findings`].
    pub finding_levels: [usize; 3],
    /// The numbers of findings by kind, in the order of [`FindingKind::ALL`].
    pub finding_kinds: [usize; 6],
    /// What applying the plan does to the state, for a refresh-only plan.
    pub refresh: Option<String>,
}

/// Whether an entry counts as a change. Ephemeral objects are opened during the run and never stored;
/// removing a data source from the state destroys nothing.
pub(super) fn is_listed(entry: &Entry<'_>) -> bool {
    unlisted_because(entry).is_none()
}

/// The reason why an entry does not count as a change.
pub(super) fn unlisted_because(entry: &Entry<'_>) -> Option<&'static str> {
    unlisted(entry.mode, &entry.action)
}

/// The reason why an action on an object with this mode does not count as a change.
pub(crate) fn unlisted(mode: &str, action: &Action) -> Option<&'static str> {
    match (mode, action) {
        ("ephemeral", Action::Open | Action::Read | Action::NoOp | Action::Create) => {
            Some("ephemeral: opened during the run, never stored")
        }
        ("data", Action::Delete) => Some("data: leaves the state, nothing is destroyed"),
        _ => None,
    }
}

/// Whether all changes are proven to have no effect.
pub(super) fn is_cosmetic(entry: &Entry<'_>) -> bool {
    let is_update = ChangeKind::from_entry(entry) == ChangeKind::Update;
    is_update && !entry.edits.is_empty() && entry.edits.iter().all(weight::is_cosmetic)
}

/// What applying a refresh-only plan does to the state.
fn refresh(review: &PlanReview<'_>) -> Option<String> {
    if review.mode != PlanMode::RefreshOnly {
        return None;
    }
    let is_gone = |entry: &&Entry<'_>| *entry.action.worst_case() == Action::Delete;
    let gone = review.drift.iter().filter(is_gone).count();
    let changed = review.drift.len() - gone;
    let (records, drops) = (count(changed, "change"), count(gone, "object"));
    let what = match (changed, gone) {
        (0, 0) => "nothing".to_owned(),
        (0, _) => return Some(format!("refresh-only: applying it drops {drops} from the state")),
        (_, 0) => format!("{records} in the state"),
        (_, _) => format!("{records} in the state and drops {drops} from it"),
    };
    Some(format!("refresh-only: applying it records {what}"))
}

impl Verdict {
    /// The counts of a plan.
    pub fn new(review: &PlanReview<'_>) -> Self {
        let mut verdict = Self {
            drift: review.drift.len(),
            outputs: review.outputs.len(),
            deferred: review.deferred.len(),
            invocations: review.invocations.len(),
            deferred_invocations: review.deferred_invocations.len(),
            failed_checks: review.checks.iter().filter(|check| check.is_failure()).count(),
            errored: review.errored,
            failed_plans: if review.errored { vec![review.title().to_owned()] } else { Vec::new() },
            level: review.level,
            refresh: refresh(review),
            ..Self::default()
        };
        for PlanFinding { finding, .. } in review.findings.iter().filter(|listed| !listed.is_found()) {
            let levels = Level::of_findings().zip(&mut verdict.finding_levels);
            levels.filter(|(level, _)| *level == finding.level).for_each(|(_, number)| *number += 1);
            verdict.finding_kinds[finding.kind as usize] += 1;
        }
        for entry in review.resources.iter().filter(|entry| is_listed(entry)) {
            verdict.kinds[ChangeKind::from_entry(entry) as usize] += 1;
            verdict.imports += usize::from(ChangeKind::Import.includes(entry));
            verdict.moves += usize::from(ChangeKind::Move.includes(entry));
            verdict.cosmetic += usize::from(is_cosmetic(entry));
        }
        verdict
    }

    /// The number of resources that [count](ChangeKind::includes) for a kind.
    pub fn count(&self, kind: ChangeKind) -> usize {
        if kind == ChangeKind::Import {
            self.imports
        } else if kind == ChangeKind::Move {
            self.moves
        } else {
            self.kinds[kind as usize]
        }
    }

    /// The number of destroyed objects, including replacements.
    pub fn destroyed(&self) -> usize {
        self.count(ChangeKind::Destroy) + self.count(ChangeKind::Replace)
    }

    /// The number of resources that the plan lists.
    pub fn resources(&self) -> usize {
        self.kinds.iter().sum()
    }

    /// Whether there is something to apply.
    pub fn has_changes(&self) -> bool {
        self.resources() + self.outputs + self.invocations > 0
    }

    /// The sum of the counts of several plans.
    pub fn total<'v>(all: impl Iterator<Item = &'v Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            for (total, kind) in sum.kinds.iter_mut().zip(one.kinds) {
                *total += kind;
            }
            sum.imports += one.imports;
            sum.moves += one.moves;
            sum.drift += one.drift;
            sum.outputs += one.outputs;
            sum.deferred += one.deferred;
            sum.invocations += one.invocations;
            sum.deferred_invocations += one.deferred_invocations;
            sum.failed_checks += one.failed_checks;
            sum.errored |= one.errored;
            sum.failed_plans.extend_from_slice(&one.failed_plans);
            sum.cosmetic += one.cosmetic;
            sum.level = sum.level.max(one.level);
            let add =
                |sum: &mut [usize], one: &[usize]| sum.iter_mut().zip(one).for_each(|(sum, n)| *sum += n);
            add(&mut sum.finding_levels, &one.finding_levels);
            add(&mut sum.finding_kinds, &one.finding_kinds);
        }
        sum
    }

    /// The changes to resources, such as `1 to destroy, 2 to replace`.
    pub fn changes(&self) -> String {
        let words = nonzero(ChangeKind::ALL.map(|kind| (self.count(kind), kind.verdict())));
        match words.is_empty() {
            true if self.has_changes() => "No resource changes".to_owned(),
            true => "No changes".to_owned(),
            false => words.join(", "),
        }
    }

    /// Everything else: outputs, actions, drift, deferred changes, failed checks. `None` if there is nothing.
    pub fn additions(&self) -> Option<String> {
        let pieces = [
            (self.outputs, format!("{} to change", count(self.outputs, "output"))),
            (self.invocations, format!("{} to invoke", count(self.invocations, "action"))),
            (
                if self.refresh.is_some() { 0 } else { self.drift },
                format!("{} changed outside of the tool", count(self.drift, "object")),
            ),
            (self.deferred, format!("{} put off", count(self.deferred, "change"))),
            (self.deferred_invocations, format!("{} put off", count(self.deferred_invocations, "action"))),
            (self.failed_checks, format!("{} failed", count(self.failed_checks, "check"))),
        ];
        let words: Vec<String> =
            pieces.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect();
        (!words.is_empty()).then(|| format!("Also {}.", words.join(", ")))
    }

    /// The verdict in words, for documents.
    pub(crate) fn headline(&self) -> Headline {
        let failed = self.failed_plans.clone();
        let changes = match &self.refresh {
            Some(refresh) if !self.has_changes() => refresh.clone(),
            Some(refresh) => format!("{refresh}; {}", self.changes()),
            None => self.changes(),
        };
        Headline { level: self.level, errored: self.errored, failed, changes, additions: self.additions() }
    }

    /// The verdict in words.
    pub fn sentence(&self) -> String {
        self.headline().sentence()
    }
}
