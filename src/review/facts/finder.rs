//! The parts of a plan that must be known before the facts of its changes can be found.

use std::collections::HashMap;

use bumpalo::Bump;

use super::guard::Objects;
use super::{Applicable, Rules};
use crate::diff::Error;
use crate::model::plan::Plan;
use crate::review::error::ReviewError;

/// The rules that apply to the resource types of a plan.
pub(in crate::review) struct FactFinder<'r> {
    pub(in crate::review) rules: HashMap<String, Applicable<'r>>,
    pub(in crate::review) objects: Objects,
}

impl<'r> FactFinder<'r> {
    pub(in crate::review) fn new<'a>(
        rules: &'r Rules,
        plan: &Plan<'a>,
        arena: &'a Bump,
    ) -> Result<Self, ReviewError> {
        let mut found: HashMap<String, Applicable<'r>> = HashMap::new();
        for change in &plan.resource_changes {
            if !found.contains_key(&*change.resource_type) {
                found.insert(change.resource_type.to_string(), rules.for_type(&change.resource_type)?);
            }
        }
        let objects = Objects::new(&found, plan, arena).map_err(Error::from)?;
        Ok(Self { rules: found, objects })
    }
}
