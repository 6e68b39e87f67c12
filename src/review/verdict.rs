//! The verdict of plans: their counts, and the sentence made of them. The module `counting` counts.
//!
//! ```text
//! Verdict { level: Critical, kinds: { destroy: 1, update: 2 }, … }
//!
//! 1 to destroy, 2 to change.
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::entry::Level;
use super::kind::ChangeKind;
use super::{AbsentUnit, count, failed_units};
use crate::report::Headline;
use crate::text::nonzero;

/// How many changes there are of each kind. They include everything that the plans list, regardless of filters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The verdict in words.
    pub sentence: String,
    /// How grave it is: the worst of all findings and changes.
    #[serde(serialize_with = "level_name")]
    pub level: Level,
    /// Whether every edit and every object is proven harmless, as --allow harmless asks.
    pub harmless: bool,
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
    pub(super) failed_plans: Vec<String>,
    /// The number of resources, of any kind.
    #[serde(skip)]
    pub resources: usize,
    /// What applying the plan does to the state, for a refresh-only plan.
    #[serde(skip)]
    pub(super) refresh: Option<String>,
}

/// The numbers of findings; one about several objects counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

/// The number of changes of each kind, in the order of [`ChangeKind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindNumbers(pub(super) [usize; 10]);

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

/// Serializes a level as its name.
pub(super) fn level_name<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}

impl Verdict {
    /// Returns the number of resources that count for a kind.
    pub fn count(&self, kind: ChangeKind) -> usize {
        self.kinds.0[kind as usize]
    }

    /// Whether there is something to apply: a change to a resource or an output, or an action.
    pub fn has_changes(&self) -> bool {
        self.resources + self.outputs + self.invocations > 0
    }

    /// Returns the number of changes of each kind in words, or that there are none.
    fn changes(&self) -> String {
        let words = nonzero(ChangeKind::ALL.map(|kind| (self.count(kind), self.words(kind))));
        match words.is_empty() {
            true if self.has_changes() => "No resource changes".to_owned(),
            true => "No changes".to_owned(),
            false => words.join(", "),
        }
    }

    /// Returns the words after the number of a kind. Updates of tags alone are counted among the updates.
    fn words(&self, kind: ChangeKind) -> Cow<'static, str> {
        if kind == ChangeKind::Update && self.tags_only > 0 {
            format!("{} ({} only in tags)", kind.verdict(), self.tags_only).into()
        } else {
            kind.verdict().into()
        }
    }

    /// Returns the sentence about everything except changes to resources; `None` if there is nothing else.
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

    /// Returns the parts of the verdict's sentence, so that formats can highlight them.
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
            unread: 0,
            changes,
            additions: self.additions(),
        }
    }

    /// Returns the headline of several units, some of which may have no plan to review.
    pub(super) fn headline_of_units(&self, absent: &[AbsentUnit]) -> Headline {
        Headline {
            unread: failed_units(absent).count(),
            ..self.headline()
        }
    }
}
