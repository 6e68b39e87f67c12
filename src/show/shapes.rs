//! The shape of each resource: from the schemas at hand, else inferred.

use bumpalo::Bump;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use super::Error;
use crate::change::{Change, Unknown};
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{Inference, Values};
use crate::schema::{Block, Schemas};

/// The document that shapes are inferred from where no schema has them.
#[derive(Clone, Copy)]
pub enum Source<'s, 'a> {
    /// A plan: its configuration, and the values of its changes.
    Plan(&'s Plan<'a>),
    /// A state: its values.
    State(&'s StateDocument<'a>),
}

/// Where the shapes of a document's resources come from.
pub struct Shapes<'s, 'a> {
    schemas: &'s Schemas<'a>,
    source: Source<'s, 'a>,
    inference: OnceCell<Inference<'a>>,
    arena: &'a Bump,
    inferred: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Shapes by `schemas`, else by `source`, built in `arena`.
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self { schemas, source, inference: OnceCell::new(), arena, inferred: RefCell::default() }
    }

    /// The shape of a planned change's resource. What is inferred holds all values of `cursor`.
    pub fn of_change(&self, change: &ResourceChange<'a>, cursor: &Change<'a>) -> Result<Block<'a>, Error> {
        let (mode, provider, kind) = (&change.mode, &change.provider_name, &change.kind);
        if let Some(block) = self.schemas.resource(provider, mode, kind, self.arena)? {
            return Ok(block);
        }
        Ok(self.infer(kind).resource(mode, provider, kind, values(cursor)))
    }

    /// The shape of a resource of a state. What is inferred holds all values of `cursor`.
    pub fn of_state(&self, resource: &Resource<'a>, cursor: &Change<'a>) -> Result<Block<'a>, Error> {
        let (mode, provider, kind) = (&resource.mode, &resource.provider_name, &resource.kind);
        if let Some(block) = self.schemas.resource(provider, mode, kind, self.arena)? {
            return Ok(block);
        }
        Ok(self.infer(kind).resource(mode, provider, kind, values(cursor)))
    }

    /// The shape of an action's configuration. What is inferred holds all values of `cursor`.
    pub fn of_action(&self, action: &ActionInvocation<'a>, cursor: &Change<'a>) -> Result<Block<'a>, Error> {
        if let Some(block) = self.schemas.action(&action.provider_name, &action.kind, self.arena)? {
            return Ok(block);
        }
        Ok(self.infer(&action.kind).values(values(cursor)))
    }

    /// The inference, for a type that no schema has.
    fn infer(&self, kind: &str) -> &Inference<'a> {
        if !self.inferred.borrow().contains(kind) {
            self.inferred.borrow_mut().insert(kind.to_owned());
        }
        self.inference.get_or_init(|| match self.source {
            Source::Plan(plan) => Inference::of_plan(plan, self.arena),
            Source::State(state) => Inference::of_state(state, self.arena),
        })
    }

    /// The types whose shape was inferred so far.
    pub fn inferred(&self) -> Vec<String> {
        self.inferred.borrow().iter().cloned().collect()
    }
}

fn values<'a>(cursor: &Change<'a>) -> Values<'a> {
    let unknown = match cursor.unknown {
        Unknown::Marked(marks) => marks,
        Unknown::EveryChild => crate::json::Value::Null,
    };
    Values { before: cursor.before.value(), after: cursor.after.value(), unknown }
}
