//! The shape of each resource: from the schemas at hand, else inferred.

use bumpalo::Bump;
use std::cell::RefCell;
use std::collections::BTreeSet;

use super::Error;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::model::state::Resource;
use crate::schema::{Block, Schemas};

/// Where the shapes of a document's resources come from.
pub struct Shapes<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
    inferred: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Shapes by `schemas`, built in `arena`.
    pub fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena, inferred: RefCell::default() }
    }

    /// The shape of a planned change's resource.
    pub fn of_change(&self, change: &ResourceChange<'a>) -> Result<Block<'a>, Error> {
        if let Some(block) =
            self.schemas.resource(&change.provider_name, &change.mode, &change.kind, self.arena)?
        {
            return Ok(block);
        }
        self.inferred.borrow_mut().insert(change.kind.to_string());
        Ok(Block::default())
    }

    /// The shape of a resource of a state.
    pub fn of_state(&self, resource: &Resource<'a>) -> Result<Block<'a>, Error> {
        if let Some(block) =
            self.schemas.resource(&resource.provider_name, &resource.mode, &resource.kind, self.arena)?
        {
            return Ok(block);
        }
        self.inferred.borrow_mut().insert(resource.kind.to_string());
        Ok(Block::default())
    }

    /// The shape of an action's configuration.
    pub fn of_action(&self, action: &ActionInvocation<'a>) -> Result<Block<'a>, Error> {
        if let Some(block) = self.schemas.action(&action.provider_name, &action.kind, self.arena)? {
            return Ok(block);
        }
        self.inferred.borrow_mut().insert(action.kind.to_string());
        Ok(Block::default())
    }

    /// The types whose shape was inferred so far.
    pub fn inferred(&self) -> Vec<String> {
        self.inferred.borrow().iter().cloned().collect()
    }
}
