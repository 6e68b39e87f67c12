//! The shape of each resource: from the schemas at hand, else inferred.

use bumpalo::Bump;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::{Change, Error, Mark, Unknown};
use crate::json::Value;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{self, Inference, Values};
use crate::schema::{Block, Nesting, Schemas, is_of_the_tool};

/// The document that shapes are inferred from where no schema has them.
#[derive(Clone, Copy)]
pub enum Source<'s, 'a> {
    /// A plan: its configuration, and the values of its changes.
    Plan(&'s Plan<'a>),
    /// A state: its values, and what a plan beside it shows.
    State(&'s StateDocument<'a>, Option<&'s Plan<'a>>),
}

/// Where the shapes of a document's resources come from.
pub struct Shapes<'s, 'a> {
    schemas: &'s Schemas<'a>,
    source: Source<'s, 'a>,
    inference: OnceCell<Inference<'s, 'a>>,
    arena: &'a Bump,
    inferred: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Shapes by `schemas`, else by `source`, built in `arena`.
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self { schemas, source, inference: OnceCell::new(), arena, inferred: RefCell::default() }
    }

    /// The shape of a planned change's resource.
    pub fn of_change(&self, change: &ResourceChange<'a>) -> Result<Shape<'a>, Error> {
        self.of_type(&change.mode, &change.provider_name, &change.resource_type)
    }

    /// The shape of a resource of a state.
    pub fn of_state(&self, resource: &Resource<'a>) -> Result<Shape<'a>, Error> {
        self.of_type(&resource.mode, &resource.provider_name, &resource.resource_type)
    }

    fn of_type(&self, mode: &str, provider: &str, kind: &str) -> Result<Shape<'a>, Error> {
        Ok(match self.schemas.resource(provider, mode, kind, self.arena)? {
            Some(block) => self.of_schema(block, mode, provider, kind),
            None => Shape::Inferred(self.infer(provider, kind).shape(mode, provider, kind)),
        })
    }

    fn of_schema(&self, block: Block<'a>, mode: &str, provider: &str, kind: &str) -> Shape<'a> {
        if self.schemas.is_cached() {
            Shape::Inferred(infer::Shape::of_schema(block, mode, provider, kind, self.arena))
        } else {
            Shape::Known(block)
        }
    }

    /// The shape of an action's configuration.
    pub fn of_action(&self, action: &ActionInvocation<'a>) -> Result<Shape<'a>, Error> {
        if let Some(block) = self.schemas.action(&action.provider_name, &action.action_type, self.arena)? {
            return Ok(self.of_schema(block, "action", &action.provider_name, &action.action_type));
        }
        self.inferred.borrow_mut().insert(action.action_type.to_string());
        Ok(Shape::OfValues)
    }

    /// The inference, for a type that no schema has.
    fn infer(&self, provider: &str, kind: &str) -> &Inference<'s, 'a> {
        // The built-in schema of the tools' own provider is as good as any that the user could give.
        if !is_of_the_tool(provider, kind) && !self.inferred.borrow().contains(kind) {
            self.inferred.borrow_mut().insert(kind.to_owned());
        }
        self.inference.get_or_init(|| match self.source {
            Source::Plan(plan) => Inference::of_plan(plan, self.arena),
            Source::State(state, plan) => Inference::of_state(state, plan, self.arena),
        })
    }

    /// The types whose shape was inferred so far.
    pub fn inferred(&self) -> Vec<String> {
        self.inferred.borrow().iter().cloned().collect()
    }
}

/// The shape of all instances of a type.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// From a schema.
    Known(Block<'a>),
    /// It is inferred; an instance may have more.
    Inferred(infer::Shape<'a>),
    /// Each instance has its own.
    OfValues,
}

impl<'a> Shape<'a> {
    /// The shape of the instance of `kind` at `cursor`. What is inferred holds all of its values, also
    /// those that are not known yet; what a given schema does not have of them is noted.
    pub fn of(
        self,
        kind: &str,
        cursor: &Change<'a>,
        not_in_schema: &NotInSchema,
        arena: &'a Bump,
    ) -> Block<'a> {
        match self {
            Self::Known(block) => {
                not_in_schema.note(kind, cursor, block, arena);
                block
            }
            Self::Inferred(shape) => shape.of(values(cursor), arena),
            Self::OfValues => infer::of_values(values(cursor), arena),
        }
    }
}

/// The attributes and blocks that a change has, but a given schema does not, as `TYPE.ATTRIBUTE`: it is of
/// another version of the provider.
#[derive(Debug, Default)]
pub struct NotInSchema(Mutex<BTreeSet<String>>);

impl NotInSchema {
    fn note<'a>(&self, kind: &str, cursor: &Change<'a>, block: Block<'_>, arena: &'a Bump) {
        let mut found = BTreeSet::new();
        let values = values(cursor);
        let is_unmarked = |mark: Value<'_>| is_empty(mark) || mark == Value::Bool(false);
        // What one side marks is hidden on both.
        let marks = [cursor.before_sensitive, cursor.after_sensitive];
        let mut search = Search { kind, is_nothing: &is_empty, arena, found: &mut found };
        search.visit(values.before, marks, block);
        search.visit(values.after, marks, block);
        search.is_nothing = &is_unmarked;
        search.visit(values.unknown, marks, block);
        if !found.is_empty() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).append(&mut found);
        }
    }

    /// All so far.
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Gathers the members of a block's values that its shape does not have. Those that hold nothing are
/// no loss; those below a secret are not named, because keys can be secrets too.
struct Search<'f, 'a> {
    kind: &'f str,
    arena: &'a Bump,
    is_nothing: &'f dyn Fn(Value<'_>) -> bool,
    found: &'f mut BTreeSet<String>,
}

impl<'a> Search<'_, 'a> {
    fn visit(&mut self, value: Value<'a>, marks: [Mark<'a>; 2], block: Block<'_>) {
        if marks.iter().any(|mark| mark.covers(value)) {
            return;
        }
        let marks = marks.map(|mark| mark.fitted(value, self.arena));
        for (at, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.visit(*item, marks.map(|mark| mark.index(at)), block);
        }
        for (key, member) in value.as_object().unwrap_or_default().members() {
            if block.attributes.binary_search_by_key(key, |(name, _)| name).is_ok() {
                continue;
            }
            match block.blocks.binary_search_by_key(key, |(name, _)| name) {
                // The keys of a map of blocks are the document's, not the schema's.
                Ok(at) if block.blocks[at].1.nesting == Nesting::Map => {}
                Ok(at) => self.visit(*member, marks.map(|mark| mark.key(key)), block.blocks[at].1.block),
                Err(_) if (self.is_nothing)(*member) => {}
                Err(_) => {
                    self.found.insert(format!("{}.{key}", self.kind));
                }
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
