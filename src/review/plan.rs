//! The review of one plan: its changes, and what was found, grouped and counted. It is [built](super::build) once, and
//! nothing changes it.

use std::collections::BTreeSet;

use super::changes::Changes;
use super::entry::{Group, PlanFinding, Rename};
use super::inputs::{InputVariable, Problem};
use super::masks::Masks;
use super::verdict::Verdict;
use crate::dialect::Tool;
use crate::model::plan::{PlanMode, says_more};
use crate::report::SectionKind;
use crate::term::StyledText;
use crate::with::tie::Tied;

/// The review of one plan. All lists are in the order of the plan.
#[derive(Debug)]
pub struct PlanReview<'a> {
    /// The file, with `:N` for the Nth plan in it.
    pub name: String,
    /// The name of the unit, if the plan is one of several.
    pub unit: Option<String>,
    pub tool: Option<Tool>,
    /// These three are empty if the plan does not say them.
    pub tool_version: &'a str,
    pub format_version: &'a str,
    pub timestamp: &'a str,
    /// Sorted by name.
    pub variables: Vec<InputVariable<'a>>,
    pub errored: bool,
    pub complete: Option<bool>,
    pub applyable: Option<bool>,
    pub mode: PlanMode,
    /// The number of managed objects that the plan lists and does not change.
    pub unchanged_objects: usize,
    pub changes: Changes<'a>,
    /// In rank order; the same finding about several objects once. Those by a rule of a found configuration file are the
    /// last, and not in the JSON.
    pub findings: Vec<PlanFinding<'a>>,
    /// The types of changed objects at which no rule looks.
    pub unjudged: BTreeSet<&'a str>,
    /// The checks that did not pass.
    pub checks: Vec<Problem>,
    pub groups: Vec<Group<'a>>,
    pub renames: Vec<Rename<'a>>,
    /// The results of other tools.
    pub results: Tied<'a>,
    pub notes: Vec<String>,
    /// Empty if none was computed.
    pub fingerprint: String,
    pub(super) verdict: Verdict,
    /// What texts show instead of credentials.
    pub(super) masks: Masks,
}

impl<'a> PlanReview<'a> {
    /// The text of a change as texts of a review show it: without credentials, and without copies of what is
    /// sensitive. It is for readers that may not see them.
    pub fn masked(&self, kind: SectionKind, index: usize, text: &StyledText) -> StyledText {
        let entry = self.changes.list(kind).get(index);
        let hiding = entry
            .and_then(|entry| entry.secrets.as_ref())
            .map(|secrets| secrets.hiding())
            .unwrap_or_default();
        self.masks.styled(text, hiding).into_owned()
    }

    /// Its counts, and how grave it is.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The name of its unit, if it is one of several.
    pub fn title(&self) -> &str {
        self.unit.as_deref().unwrap_or(&self.name)
    }

    /// The plan itself says that there is more to do than its changes show.
    pub fn says_more(&self) -> bool {
        says_more(self.errored, self.complete, self.applyable)
            || !self.changes.deferred.is_empty()
            || !self.changes.deferred_invocations.is_empty()
    }
}
