//! The kinds of changes, and the verdict of a plan: its counts, the sentence made of them, and how grave it is.

use super::kind::ChangeKind;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::slice;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::changes::Changes;
use super::entry::{Entry, FindingKind, Level, PlanFinding};
use super::names::is_made_to_be_replaced;
use super::plan::PlanReview;
use super::{Problem, count};
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::report::Headline;
use crate::text::nonzero;

impl Entry<'_> {
    /// A change that ends an object is a warning unless findings judge it, or its type is made to be replaced.
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
    /// Its counts, and how grave it is. Counts all entries at each call.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(self)
    }

    /// Findings by a rule of a found configuration file are the last.
    pub(super) fn proven(&self) -> &[PlanFinding<'a>] {
        let number = self.findings.partition_point(|listed| !listed.is_found());
        self.findings.get(..number).unwrap_or_default()
    }

    /// Findings of a found configuration file do not count, because the file may be part of the change under review.
    pub(super) fn gravest(&self) -> Level {
        let findings = self.proven().iter().map(|listed| listed.finding.level);
        findings
            .chain([self.level_of_changes()])
            .max()
            .unwrap_or(Level::None)
    }

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
            || self.says_more();
        let rest = match (failed, others) {
            (true, _) => Level::Warning,
            (false, true) => Level::Notice,
            (false, false) => Level::None,
        };
        changes.chain([rest]).max().unwrap_or(Level::None)
    }
}

/// How many changes there are of each kind. They include everything that the plans list, regardless of filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "VerdictJson"))]
pub struct Verdict {
    /// The verdict in words.
    pub sentence: String,
    /// How grave it is: the worst of all findings and changes.
    #[serde(serialize_with = "level_name")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = Level::ALL.map(Level::name))))]
    pub level: Level,
    /// How many findings there are.
    pub findings: FindingNumbers,
    /// Planning failed; the plan is not complete.
    pub errored: bool,
    /// The resources. Imports and moves count also where more happens.
    #[serde(flatten)]
    pub kinds: KindNumbers,
    /// How many of the updates change tags or labels alone; not there if none.
    #[serde(rename = "update_tags_only", skip_serializing_if = "is_zero")]
    pub tags_only: usize,
    /// Objects that changed outside of the tool.
    pub drift: usize,
    /// Outputs that change.
    pub outputs: usize,
    /// Changes that are deferred to a later plan.
    pub deferred: usize,
    /// Actions to invoke.
    #[serde(rename = "action_invocations")]
    pub invocations: usize,
    /// Actions whose invocation is deferred to a later plan.
    #[serde(rename = "deferred_action_invocations")]
    pub deferred_invocations: usize,
    /// Checks that failed.
    pub failed_checks: usize,
    /// The names of plans whose planning failed.
    #[serde(skip)]
    failed_plans: Vec<String>,
    /// The number of resources, of any kind.
    #[serde(skip)]
    pub resources: usize,
    /// What applying the plan does to the state, for a refresh-only plan.
    #[serde(skip)]
    refresh: Option<String>,
}

/// The numbers of findings; one about several objects counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FindingNumbers {
    pub(super) by_level: BTreeMap<&'static str, usize>,
    pub(super) by_kind: BTreeMap<&'static str, usize>,
    /// How many of them a named configuration accepts; not there if none.
    #[serde(skip_serializing_if = "is_zero")]
    pub accepted: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindNumbers([usize; 10]);

impl Serialize for KindNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            ChangeKind::ALL
                .into_iter()
                .map(ChangeKind::word)
                .zip(self.0),
        )
    }
}

pub(super) fn level_name<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

impl Verdict {
    /// The counts of a plan.
    pub fn new(review: &PlanReview<'_>) -> Self {
        Self::of(slice::from_ref(review), refresh(review))
    }

    /// The counts of several plans together.
    pub fn total(reviews: &[PlanReview<'_>]) -> Self {
        Self::of(reviews, None)
    }

    fn of(reviews: &[PlanReview<'_>], refresh: Option<String>) -> Self {
        let mut sum = Self {
            refresh,
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

    /// The number of resources that count for a kind.
    pub fn count(&self, kind: ChangeKind) -> usize {
        self.kinds.0[kind as usize]
    }

    /// Whether there is something to apply.
    pub fn has_changes(&self) -> bool {
        self.resources + self.outputs + self.invocations > 0
    }

    fn changes(&self) -> String {
        let words = nonzero(ChangeKind::ALL.map(|kind| (self.count(kind), self.words(kind))));
        match words.is_empty() {
            true if self.has_changes() => "No resource changes".to_owned(),
            true => "No changes".to_owned(),
            false => words.join(", "),
        }
    }

    fn words(&self, kind: ChangeKind) -> Cow<'static, str> {
        if kind == ChangeKind::Update && self.tags_only > 0 {
            format!("{} ({} only in tags)", kind.verdict(), self.tags_only).into()
        } else {
            kind.verdict().into()
        }
    }

    /// `None` if there is nothing but changes to resources.
    pub(super) fn additions(&self) -> Option<String> {
        let drift = if self.refresh.is_some() {
            0
        } else {
            self.drift
        };
        let pieces = [
            (self.outputs, "output", "to change"),
            (self.invocations, "action", "to invoke"),
            (drift, "object", "changed outside of the tool"),
            (self.deferred, "change", "deferred"),
            (self.deferred_invocations, "action", "deferred"),
            (self.failed_checks, "check", "failed"),
        ];
        let pieces = pieces.into_iter().filter(|(number, ..)| *number > 0);
        let words: Vec<String> = pieces
            .map(|(number, noun, what)| format!("{} {what}", count(number, noun)))
            .collect();
        (!words.is_empty()).then(|| format!("Also {}.", words.join(", ")))
    }

    pub(super) fn headline(&self) -> Headline {
        let failed = self.failed_plans.clone();
        let changes = match &self.refresh {
            Some(refresh) if !self.has_changes() => refresh.clone(),
            Some(refresh) => format!("{refresh}; {}", self.changes()),
            None => self.changes(),
        };
        Headline {
            level: self.level,
            names_level: true,
            errored: self.errored,
            failed,
            changes,
            additions: self.additions(),
        }
    }
}

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
