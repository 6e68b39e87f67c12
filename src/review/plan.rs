//! The review of one plan: its changes and findings, grouped and counted. It is [built](super::build) once and then
//! never changed.
//!
//! ```text
//! PlanReview { changes: { resources: [3 entries], drift: [1 entry], … }, findings: [2], groups: [1], verdict, … }
//!
//! CRITICAL  aws_db_instance.orders may lose data; aws_security_group.api opens access.
//!           1 to destroy, 2 to change. Terraform 1.15.0.
//! ```

use std::collections::BTreeSet;

use super::changes::Changes;
use super::entry::{Group, PlanFinding, Rename};
use super::inputs::{InputVariable, Problem};
use super::masks::Masks;
use super::verdict::Verdict;
use crate::dialect::Tool;
use crate::model::plan::{PlanMode, has_unlisted_changes};
use crate::report::SectionKind;
use crate::term::StyledText;
use crate::with::tie::Tied;

/// The review of one plan. Lists are in the order of the plan, except for the findings.
#[derive(Debug)]
pub struct PlanReview<'a> {
    /// The name of the file, with `:N` for the Nth plan in it.
    pub name: String,
    /// The name of the unit, if the plan is one of several.
    pub unit: Option<String>,
    /// The tool that wrote the plan, if the plan says it.
    pub tool: Option<Tool>,
    /// The version of that tool; empty if the plan does not say it.
    pub tool_version: &'a str,
    /// The version of the plan's format; empty if the plan does not say it.
    pub format_version: &'a str,
    /// The time when the plan was made, as RFC 3339; empty if the plan does not say it.
    pub timestamp: &'a str,
    /// The input variables, in the order of the plan.
    pub variables: Vec<InputVariable<'a>>,
    /// Whether planning failed, so that the plan is incomplete.
    pub errored: bool,
    /// Whether the plan has everything that the configuration needs; `None` if the plan does not
    /// say it.
    pub complete: Option<bool>,
    /// Whether an apply would do anything; `None` if the plan does not say it.
    pub applyable: Option<bool>,
    /// Whether the plan is a normal one, destroys everything, or only refreshes the state.
    pub mode: PlanMode,
    /// The number of managed objects that the plan lists and does not change.
    pub unchanged_objects: usize,
    /// The entries of all changes.
    pub changes: Changes<'a>,
    /// The findings in rank order. A finding about several objects is listed once. Those by a rule of a found
    /// configuration file come last, and are not in the JSON.
    pub findings: Vec<PlanFinding<'a>>,
    /// The types of changed objects that no rule looks at.
    pub unjudged: BTreeSet<&'a str>,
    /// The checks that did not pass.
    pub checks: Vec<Problem>,
    /// The groups of entries with equal edits, which texts show once.
    pub groups: Vec<Group<'a>>,
    /// The pairs of a destroyed and a created object that look like one renamed object.
    pub renames: Vec<Rename<'a>>,
    /// The results of other tools.
    pub results: Tied<'a>,
    /// Remarks for the reader, each a sentence without a full stop.
    pub notes: Vec<String>,
    /// The fingerprint of the plan; empty if none was computed.
    pub fingerprint: String,
    /// The counts of changes and findings, and the level.
    pub(super) verdict: Verdict,
    /// The masks of the credentials in the plan.
    pub(super) masks: Masks,
}

impl<'a> PlanReview<'a> {
    /// Returns the tool's text of a change as texts of a review show it: with masks for credentials and for copies of
    /// sensitive values. It is for readers who may not see them.
    pub fn masked(&self, kind: SectionKind, index: usize, text: &StyledText) -> StyledText {
        let entry = self.changes.list(kind).get(index);
        let hiding = entry
            .and_then(|entry| entry.secrets.as_ref())
            .map(|secrets| secrets.hiding())
            .unwrap_or_default();
        self.masks.styled(text, hiding).into_owned()
    }

    /// Returns the counts and the level of the plan.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Returns the name of the unit, or that of the file if the plan is the only one.
    pub fn title(&self) -> &str {
        self.unit.as_deref().unwrap_or(&self.name)
    }

    /// Whether the plan itself says that there is more to do than its changes show.
    pub fn has_unlisted_changes(&self) -> bool {
        has_unlisted_changes(self.errored, self.complete, self.applyable)
            || !self.changes.deferred.is_empty()
            || !self.changes.deferred_invocations.is_empty()
    }
}
