//! The parts of a plan that must be known before the facts of its changes can be found.

use std::collections::HashMap;

use bumpalo::Bump;

use super::{Applicable, Destroyed, IDENTIFIERS, Rules};
use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::Plan;
use crate::review::error::ReviewError;

/// The rules that apply to the resource types of a plan.
pub(in crate::review) struct FactFinder<'r> {
    pub(in crate::review) rules: HashMap<String, Applicable<'r>>,
    pub(in crate::review) destroyed: Destroyed,
}

impl<'r> FactFinder<'r> {
    pub(in crate::review) fn new<'a>(
        rules: &'r Rules,
        plan: &Plan<'a>,
        arena: &'a Bump,
    ) -> Result<Self, ReviewError> {
        let mut found = Self { rules: HashMap::new(), destroyed: Destroyed::default() };
        for change in &plan.resource_changes {
            if !found.rules.contains_key(&*change.resource_type) {
                found.rules.insert(change.resource_type.to_string(), rules.for_type(&change.resource_type)?);
            }
        }
        // Only a certain destroy excuses the loss of a guard.
        let destroyed =
            || plan.resource_changes.iter().filter(|change| change.change.actions == Action::Delete);
        if destroyed().any(|change| rules.is_guard(&change.resource_type)) {
            for change in destroyed().filter(|change| !rules.is_guard(&change.resource_type)) {
                let before = Raw::value_or_null(change.change.before, arena);
                let before = before.map_err(Error::from)?;
                for name in IDENTIFIERS {
                    if let Some(text) = before.get(name).and_then(Value::as_str) {
                        found.destroyed.add(text);
                    }
                }
            }
        }
        Ok(found)
    }
}
