//! Counts the changes and findings of plans, and determines their levels.
//!
//! Invariant: counts are those of the whole plan. Filters, groups and acceptances do not change them.
//!
//! ```text
//! [1 entry that is destroyed, 2 that are updated, 1 critical finding]
//!
//! Verdict { level: Critical, kinds: { destroy: 1, update: 2 }, findings: { by_level: { critical: 1 } }, … }
//! ```

use std::slice;

use super::allow::Allow;
use super::changes::Changes;
use super::entry::{Entry, FindingKind, Level, PlanFinding};
use super::kind::ChangeKind;
use super::names::is_made_to_be_replaced;
use super::plan::PlanReview;
use super::verdict::Verdict;
use super::{Problem, count};
use crate::model::Action;
use crate::model::plan::PlanMode;

impl Entry<'_> {
    /// Returns the level of the change itself.
    ///
    /// A change that ends an object (it is destroyed, replaced or forgotten, or its action is unknown) is a warning,
    /// unless a finding judges it or its type is made to be replaced. Any other change is a notice.
    pub(super) fn level_of_change(&self) -> Level {
        use ChangeKind::{Destroy, Forget, Other, Replace, ReplaceForget};
        let ends = matches!(
            self.kind(),
            Destroy | Replace | ReplaceForget | Forget | Other
        );
        let is_judged = self.level != Level::None || is_made_to_be_replaced(self.resource_type);
        if ends && !is_judged {
            Level::Warning
        } else {
            Level::Notice
        }
    }
}

impl<'a> PlanReview<'a> {
    /// Returns the findings that do not depend on a configuration file found in the working tree. Findings by a rule of
    /// such a file come last in the list, so this is the list up to the first of them.
    pub(super) fn proven(&self) -> &[PlanFinding<'a>] {
        let number = self.findings.partition_point(|listed| !listed.is_found());
        self.findings.get(..number).unwrap_or_default()
    }

    /// Returns the level of the plan: the gravest of its findings and changes. Findings of a found configuration file
    /// do not count, because the file may be part of the change under review.
    pub(super) fn gravest(&self) -> Level {
        let findings = self.proven().iter().map(|listed| listed.finding.level);
        findings
            .chain([self.level_of_changes()])
            .max()
            .unwrap_or(Level::None)
    }

    /// Returns the level of the changes by themselves, without findings. Failed planning and failed checks are
    /// warnings.
    pub(super) fn level_of_changes(&self) -> Level {
        let Changes {
            drift,
            deferred,
            invocations,
            deferred_invocations,
            outputs,
            ..
        } = &self.changes;
        let changes = self
            .changes
            .listed()
            .chain(deferred)
            .map(Entry::level_of_change);
        let failed = self.errored || self.checks.iter().any(Problem::is_failure);
        let recorded = self.mode == PlanMode::RefreshOnly && !drift.is_empty();
        let is_lost = |entry: &Entry<'_>| *entry.action.worst_case() == Action::Delete;
        let others = recorded
            || drift.iter().any(is_lost)
            || !outputs.is_empty()
            || !invocations.is_empty()
            || !deferred_invocations.is_empty()
            || self.has_unlisted_changes();
        let rest = match (failed, others) {
            (true, _) => Level::Warning,
            (false, true) => Level::Notice,
            (false, false) => Level::None,
        };
        changes.chain([rest]).max().unwrap_or(Level::None)
    }
}

impl Verdict {
    /// Counts the changes and findings of a plan.
    pub fn new(review: &PlanReview<'_>) -> Self {
        Self::of(slice::from_ref(review), refresh(review))
    }

    /// Counts the changes and findings of several plans together. The result has no sentence about a refresh.
    pub fn total(reviews: &[PlanReview<'_>]) -> Self {
        Self::of(reviews, None)
    }

    /// Counts the changes and findings of several plans. `refresh` is the sentence for a refresh-only plan.
    fn of(reviews: &[PlanReview<'_>], refresh: Option<String>) -> Self {
        let mut sum = Self {
            refresh,
            harmless: true,
            ..Self::default()
        };
        sum.findings
            .by_level
            .extend(Level::of_findings().map(|level| (level.name(), 0)));
        sum.findings
            .by_kind
            .extend(FindingKind::ALL.map(|kind| (kind.name(), 0)));
        for review in reviews {
            sum.level = sum.level.max(review.gravest());
            sum.harmless &= Allow::harmless().check(review).is_allowed();
            for PlanFinding {
                finding, accepted, ..
            } in review.proven()
            {
                sum.findings.accepted += usize::from(accepted.is_some());
                *sum.findings
                    .by_level
                    .entry(finding.level.name())
                    .or_default() += 1;
                *sum.findings.by_kind.entry(finding.kind.name()).or_default() += 1;
            }
            for entry in review.changes.listed() {
                sum.resources += 1;
                sum.tags_only += usize::from(entry.changes_only_tags());
                for (kind, number) in ChangeKind::ALL.into_iter().zip(&mut sum.kinds.0) {
                    *number += usize::from(entry.counts_as(kind));
                }
            }
            sum.drift += review
                .changes
                .drift
                .iter()
                .filter(|entry| entry.is_drift())
                .count();
            sum.outputs += review.changes.outputs.len();
            sum.deferred += review.changes.deferred.len();
            sum.invocations += review.changes.invocations.len();
            sum.deferred_invocations += review.changes.deferred_invocations.len();
            sum.failed_checks += review
                .checks
                .iter()
                .filter(|check| check.is_failure())
                .count();
            sum.failed_plans
                .extend(review.errored.then(|| review.title().to_owned()));
        }
        sum.errored = !sum.failed_plans.is_empty();
        sum.sentence = sum.headline().sentence();
        sum
    }
}

/// Returns the sentence for what applying a refresh-only plan writes to the state; `None` for other plans.
fn refresh(review: &PlanReview<'_>) -> Option<String> {
    if review.mode != PlanMode::RefreshOnly {
        return None;
    }
    let is_gone = |entry: &&Entry<'_>| *entry.action.worst_case() == Action::Delete;
    let gone = review.changes.drift.iter().filter(is_gone).count();
    let changed = review.changes.drift.len() - gone;
    let (records, drops) = (count(changed, "change"), count(gone, "object"));
    let what = match (changed, gone) {
        (0, 0) => "records nothing".to_owned(),
        (0, _) => format!("drops {drops} from the state"),
        (_, 0) => format!("records {records} in the state"),
        (_, _) => format!("records {records} in the state and drops {drops} from it"),
    };
    Some(format!("refresh-only: applying it {what}"))
}
