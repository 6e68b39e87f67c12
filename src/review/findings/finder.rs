//! The rules that apply to the objects of a plan.
//!
//! ```text
//! aws_s3_bucket_versioning.logs    the rules for aws_s3_bucket_versioning, less those that its bucket excuses
//! ```

use std::collections::HashMap;

use bumpalo::Bump;

use super::configured::PlanConfiguration;
use super::excused::{Excused, ObjectKey, key};
use super::rule::Rule;
use super::table::{Rules, RulesByType};
use super::{guard, parents};
use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::report::SectionKind;

/// The rules for a plan, with those that do not apply to some of its objects.
pub(in crate::review) struct RuleFinder<'r, 'a> {
    /// The rules for the types in the plan.
    pub(in crate::review) rules: RulesByType<'r>,
    /// The rules that do not apply to objects among the planned changes, among the drift, and among the planned and
    /// deferred changes together.
    excused: [HashMap<ObjectKey, Excused>; 3],
    /// The empty set, for objects to which all rules apply.
    none: Excused,
    /// The objects that changed outside of the tool, as the last apply left them.
    left: HashMap<ObjectKey, Raw<'a>>,
    /// The configuration of the plan.
    configuration: PlanConfiguration<'a>,
}

impl<'r, 'a> RuleFinder<'r, 'a> {
    /// Selects the rules for the types of a plan, and finds those that do not apply because of other objects.
    ///
    /// # Errors
    /// If a value of a change is malformed.
    pub(in crate::review) fn new(
        rules: &'r Rules,
        plan: &Plan<'a>,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let planned: Vec<&ResourceChange<'a>> = plan.resource_changes.iter().collect();
        let drifted: Vec<&ResourceChange<'a>> = plan.resource_drift.iter().collect();
        let with_deferred: Vec<&ResourceChange<'a>> = planned
            .iter()
            .copied()
            .chain(plan.deferred_resource_changes())
            .collect();
        let changes = plan.changes().map(|change| &*change.resource_type);
        let actions = plan.actions().map(|action| &*action.action_type);
        let by_type = RulesByType::new(rules, changes.chain(actions));
        let excused = |list: &[_]| -> Result<HashMap<ObjectKey, Excused>, Error> {
            let mut excused = guard::excused(&by_type, plan, list, arena)?;
            excused.extend(parents::excused(&by_type, list, arena)?);
            Ok(excused)
        };
        let deferred = if plan.deferred_changes.is_empty() {
            HashMap::new()
        } else {
            excused(&with_deferred)?
        };
        let excused = [excused(&planned)?, excused(&drifted)?, deferred];
        Ok(Self {
            rules: by_type,
            excused,
            none: Excused::new(),
            left: left(&drifted),
            configuration: PlanConfiguration::new(plan.configuration),
        })
    }

    /// Returns the arguments of the block of an object, if a rule for its type asks what is configured.
    pub(in crate::review) fn arguments(
        &self,
        change: &ResourceChange<'_>,
        arena: &'a Bump,
    ) -> Option<Value<'a>> {
        let mut rules = self.rules.of(&change.resource_type).iter();
        if rules.any(Rule::asks_configuration) {
            self.configuration.arguments(change, arena)
        } else {
            None
        }
    }

    /// Returns the object of a change as the last apply left it; `None` if it has not changed outside of the tool since
    /// then.
    pub(in crate::review) fn left(&self, change: &ResourceChange<'_>) -> Option<Raw<'a>> {
        let state = (!self.left.is_empty()).then(|| self.left.get(&key(change)))?;
        state.copied()
    }

    /// Returns the rules that do not apply to the object of a change: it guards what is destroyed too, or belongs to what
    /// is created too.
    pub(in crate::review) fn excused(
        &self,
        list: SectionKind,
        change: &ResourceChange<'_>,
    ) -> &Excused {
        let [planned, drifted, at_last] = &self.excused;
        let excused = match list {
            SectionKind::Drift => drifted,
            SectionKind::Deferred => at_last,
            SectionKind::Resources
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => planned,
        };
        if excused.is_empty() {
            &self.none
        } else {
            excused.get(&key(change)).unwrap_or(&self.none)
        }
    }
}

/// Returns the objects that changed outside of the tool, as the last apply left them.
fn left<'a>(drifted: &[&ResourceChange<'a>]) -> HashMap<ObjectKey, Raw<'a>> {
    let changed = drifted
        .iter()
        .filter(|drift| drift.change.actions == Action::Update);
    changed
        .filter_map(|drift| Some((key(drift), drift.change.before?)))
        .collect()
}
