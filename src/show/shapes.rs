//! The shape of each resource: from the schemas at hand, else inferred.

use bumpalo::Bump;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use super::Error;
use crate::change::{Change, Unknown};
use crate::json::Value;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{Inference, Values};
use crate::schema::{Block, Nesting, Schemas};

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
    unlisted: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Shapes by `schemas`, else by `source`, built in `arena`.
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self {
            schemas,
            source,
            inference: OnceCell::new(),
            arena,
            inferred: RefCell::default(),
            unlisted: RefCell::default(),
        }
    }

    /// The shape of a planned change's resource. What is inferred holds all values of `cursor`.
    pub fn of_change(&self, change: &ResourceChange<'a>, cursor: &Change<'a>) -> Result<Block<'a>, Error> {
        let (mode, provider, kind) = (&change.mode, &change.provider_name, &change.kind);
        if let Some(block) = self.schemas.resource(provider, mode, kind, self.arena)? {
            self.note_unlisted(kind, cursor, block);
            return Ok(block);
        }
        Ok(self.infer(kind).resource(mode, provider, kind, values(cursor)))
    }

    /// The shape of a resource of a state. What is inferred holds all values of `cursor`.
    pub fn of_state(&self, resource: &Resource<'a>, cursor: &Change<'a>) -> Result<Block<'a>, Error> {
        let (mode, provider, kind) = (&resource.mode, &resource.provider_name, &resource.kind);
        if let Some(block) = self.schemas.resource(provider, mode, kind, self.arena)? {
            self.note_unlisted(kind, cursor, block);
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

    /// Notes what the values have but the schema does not: the text leaves it out, as the tool's does.
    fn note_unlisted(&self, path: &str, cursor: &Change<'a>, block: Block<'a>) {
        for side in [cursor.before, cursor.after] {
            unlisted(path, side.value(), block, &mut self.unlisted.borrow_mut());
        }
    }

    /// The attributes and blocks that values have, but their schema does not, so far.
    pub fn unlisted(&self) -> Vec<String> {
        self.unlisted.borrow().iter().cloned().collect()
    }

    /// The types whose shape was inferred so far.
    pub fn inferred(&self) -> Vec<String> {
        self.inferred.borrow().iter().cloned().collect()
    }
}

/// Gathers the members of a block's values that its schema does not have; empty ones are no loss.
fn unlisted(path: &str, value: Value<'_>, block: Block<'_>, found: &mut BTreeSet<String>) {
    if let Value::Array(items) = value {
        return items.iter().for_each(|item| unlisted(path, *item, block, found));
    }
    for (key, member) in value.as_object().unwrap_or_default().members() {
        if block.attributes.binary_search_by_key(key, |(name, _)| name).is_ok() {
            continue;
        }
        match block.blocks.binary_search_by_key(key, |(name, _)| name) {
            // The keys of a map of blocks are the document's, not the schema's.
            Ok(at) if block.blocks[at].1.nesting == Nesting::Map => {}
            Ok(at) => unlisted(path, *member, block.blocks[at].1.block, found),
            Err(_) if is_empty(*member) => {}
            Err(_) => {
                found.insert(format!("{path}.{key}"));
            }
        }
    }
}

fn is_empty(value: Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.members().is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn values<'a>(cursor: &Change<'a>) -> Values<'a> {
    let unknown = match cursor.unknown {
        Unknown::Marked(marks) => marks,
        Unknown::EveryChild => Value::Null,
    };
    Values { before: cursor.before.value(), after: cursor.after.value(), unknown }
}
