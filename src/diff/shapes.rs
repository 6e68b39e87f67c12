//! The shape of each resource: from the given schemas, otherwise inferred.

use bumpalo::Bump;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Cursor, Error, Mark, Unknown};
use crate::json::Value;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{self, Inference, Values};
use crate::schema::{Block, Known, Nesting, Schemas};

/// The document from which shapes are inferred if no schema has them.
#[derive(Clone, Copy)]
pub enum Source<'s, 'a> {
    /// A plan: its configuration, and the values of its changes.
    Plan(&'s Plan<'a>),
    /// A state: its values, and those of a plan given with it.
    State(&'s StateDocument<'a>, Option<&'s Plan<'a>>),
}

/// The source of the shapes of a document's resources.
pub struct Shapes<'s, 'a> {
    schemas: &'s Schemas<'a>,
    source: Source<'s, 'a>,
    inference: OnceCell<Inference<'s, 'a>>,
    arena: &'a Bump,
    inferred: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Shapes from `schemas`, otherwise inferred from `source`, allocated in `arena`.
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self { schemas, source, inference: OnceCell::new(), arena, inferred: RefCell::default() }
    }

    /// The shape of the resource of a change.
    pub fn for_change(&self, change: &ResourceChange<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(&change.mode, &change.provider_name, &change.resource_type)
    }

    /// The shape of a resource of a state.
    pub fn for_state(&self, resource: &Resource<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(&resource.mode, &resource.provider_name, &resource.resource_type)
    }

    fn for_type(&self, mode: &str, provider: &str, kind: &str) -> Result<Shape<'a>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena)?;
        self.note(known, provider, kind);
        Ok(match known {
            Known::Given(block) => Shape::Known(block),
            Known::Stored(block) => Shape::Inferred(infer::Shape::from_schema(block)),
            Known::Marks(block) => Shape::Inferred(self.inference().shape(mode, provider, kind, Some(block))),
            // Inference has the built-in schema, adjusted to the version of the provider.
            Known::BuiltIn(_) | Known::Nothing => {
                Shape::Inferred(self.inference().shape(mode, provider, kind, None))
            }
        })
    }

    /// Records the type as inferred if its layout is a guess.
    fn note(&self, known: Known<'_>, provider: &str, kind: &str) {
        if !self.inferred.borrow().contains(kind) && known.is_guess(provider, kind) {
            self.inferred.borrow_mut().insert(kind.to_owned());
        }
    }

    /// The shape of an action's configuration.
    pub fn for_action(&self, action: &ActionInvocation<'a>) -> Result<Shape<'a>, Error> {
        let known = self.schemas.known(&action.provider_name, "action", &action.action_type, self.arena)?;
        self.note(known, &action.provider_name, &action.action_type);
        Ok(match known {
            Known::Given(block) => Shape::Known(block),
            Known::Stored(block) | Known::Marks(block) | Known::BuiltIn(block) => {
                Shape::Inferred(infer::Shape::from_schema(block))
            }
            Known::Nothing => Shape::OfValues,
        })
    }

    fn inference(&self) -> &Inference<'s, 'a> {
        self.inference.get_or_init(|| match self.source {
            Source::Plan(plan) => Inference::from_plan(plan, self.arena),
            Source::State(state, plan) => Inference::from_state(state, plan, self.arena),
        })
    }

    /// The types whose shape has been inferred so far.
    pub fn inferred(&self) -> Vec<String> {
        self.inferred.borrow().iter().cloned().collect()
    }
}

/// The shape of the instances of a resource type.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// From a schema.
    Known(Block<'a>),
    /// Inferred; an instance may have more attributes.
    Inferred(infer::Shape<'a>),
    /// Inferred separately from the values of each instance.
    OfValues,
}

impl<'a> Shape<'a> {
    /// The shape of the instance of type `kind` at `cursor`. An inferred shape covers all values of the
    /// instance, including unknown ones. Values that a given schema does not have are recorded in `notes`.
    pub fn block(self, kind: &str, cursor: &Cursor<'a>, notes: &Notes, arena: &'a Bump) -> Block<'a> {
        match self {
            Self::Known(block) => {
                notes.search(kind, cursor, block, arena);
                block
            }
            Self::Inferred(shape) => shape.widened(values(cursor), arena),
            Self::OfValues => infer::block_of_values(values(cursor), arena),
        }
    }
}

/// What is to be noted about the trees of a document, which several threads make.
#[derive(Debug, Default)]
pub struct Notes {
    /// The attributes and blocks of changes that are not in the given schema, as `TYPE.ATTRIBUTE`. They occur if the
    /// schema is from another version of the provider.
    not_in_schema: Mutex<BTreeSet<String>>,
    is_approximate: AtomicBool,
}

impl Notes {
    fn search<'a>(&self, kind: &str, cursor: &Cursor<'a>, block: Block<'_>, arena: &'a Bump) {
        let mut found = BTreeSet::new();
        let values = values(cursor);
        let is_unmarked = |mark: Value<'_>| is_empty(mark) || mark == Value::Bool(false);
        // A mark on one side hides the value on both.
        let marks = [cursor.before_sensitive, cursor.after_sensitive];
        let mut search = Search { kind, is_nothing: &is_empty, arena, found: &mut found };
        search.visit(values.before, marks, block);
        search.visit(values.after, marks, block);
        search.is_nothing = &is_unmarked;
        search.visit(values.unknown, marks, block);
        if !found.is_empty() {
            self.not_in_schema.lock().unwrap_or_else(PoisonError::into_inner).append(&mut found);
        }
    }

    /// What is not in the schema so far, sorted.
    pub fn not_in_schema(&self) -> Vec<String> {
        self.not_in_schema.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Records whether an alignment exceeded its step limit.
    pub fn add_approximate(&self, is_approximate: bool) {
        self.is_approximate.fetch_or(is_approximate, Ordering::Relaxed);
    }

    /// Whether an alignment exceeded its step limit, so that elements may be paired differently from the tools.
    pub fn are_approximate(&self) -> bool {
        self.is_approximate.load(Ordering::Relaxed)
    }
}

/// Collects the members of a block's value that are not in its shape. Empty members are ignored, because
/// nothing is lost with them. Members below a sensitive value are not named, because keys may be sensitive.
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
                // The keys of a map of blocks come from the document, not from the schema.
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

fn values<'a>(cursor: &Cursor<'a>) -> Values<'a> {
    let unknown = match cursor.unknown {
        Unknown::Marked(marks) => marks,
        Unknown::EveryChild => Value::Null,
    };
    Values { before: cursor.before.value(), after: cursor.after.value(), unknown }
}
