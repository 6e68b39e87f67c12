//! The parts of a plan that must be known before the findings of its changes can be found.

use std::collections::HashMap;

use bumpalo::Bump;

use super::guard::{Guarded, Objects};
use super::{Applicable, Rules};
use crate::diff::Error;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;
use crate::review::error::ReviewError;

/// The rules that apply to the resource types of a plan.
pub(in crate::review) struct Finder<'r> {
    pub(in crate::review) rules: HashMap<String, Applicable<'r>>,
    /// The objects that guards protect: among the planned changes, the drift, and the planned and deferred ones.
    objects: [Objects; 3],
}

impl<'r> Finder<'r> {
    pub(in crate::review) fn new<'a>(
        rules: &'r Rules,
        plan: &Plan<'a>,
        arena: &'a Bump,
    ) -> Result<Self, ReviewError> {
        let mut found: HashMap<String, Applicable<'r>> = HashMap::new();
        let planned: Vec<&ResourceChange<'a>> = plan.resource_changes.iter().collect();
        let drifted: Vec<&ResourceChange<'a>> = plan.resource_drift.iter().collect();
        let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        let at_last: Vec<&ResourceChange<'a>> = planned.iter().copied().chain(deferred).collect();
        let changes = at_last.iter().chain(&drifted).map(|change| &*change.resource_type);
        let deferred = plan.deferred_action_invocations.iter().map(|deferred| &deferred.action_invocation);
        let actions = plan.action_invocations.iter().chain(deferred).map(|action| &*action.action_type);
        for name in changes.chain(actions) {
            if !found.contains_key(name) {
                found.insert(name.to_owned(), rules.for_type(name)?);
            }
        }
        let objects = |list: &[_]| Objects::new(&found, plan, list, arena).map_err(Error::from);
        let deferred = if plan.deferred_changes.is_empty() { Objects::default() } else { objects(&at_last)? };
        let objects = [objects(&planned)?, objects(&drifted)?, deferred];
        Ok(Self { rules: found, objects })
    }

    /// The objects that the object of a change in a list may protect.
    pub(in crate::review) fn guarded(&self, list: SectionKind, change: &ResourceChange<'_>) -> Guarded<'_> {
        let [planned, drifted, at_last] = &self.objects;
        let objects = match list {
            SectionKind::Drift => drifted,
            SectionKind::Deferred => at_last,
            SectionKind::Resources
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => planned,
        };
        objects.of(change)
    }
}
