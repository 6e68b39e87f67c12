//! The shape of each resource, which determines how its values are laid out and paired.
//!
//! A schema that the user gives is the shape. Without one, the shape is inferred from all values of the document, with
//! the stored or built-in schema of the type as further evidence:
//!
//! ```text
//! --schemas FILE has aws_instance        Shape::Known      exactly the tool's layout
//! schema add stored aws_instance         Shape::Inferred   the stored schema, widened by the values
//! nothing is known of acme_thing         Shape::Inferred   attributes and blocks guessed from all instances
//! an action without a schema             Shape::OfValues   the values of this invocation alone
//! ```
//!
//! Invariant: a shape that is inferred covers every value of its change, so nothing that the plan contains is lost.
//! Attributes that a given schema lacks are noted.

use std::cell::OnceCell;

use bumpalo::Bump;

use super::notes::Notes;
use super::{Cursor, Error};
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{self, Inference};
use crate::schema::{Block, Known, Position, Schemas};

/// The document whose values are the evidence for inferred shapes.
#[derive(Clone, Copy)]
pub enum Source<'s, 'a> {
    /// A plan.
    Plan(&'s Plan<'a>),
    /// A state, with a plan of the same objects if there is one.
    State(&'s StateDocument<'a>, Option<&'s Plan<'a>>),
}

/// A lookup of schemas by type, which returns positions in them.
pub(crate) struct Positions<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
}

impl<'s, 'a> Positions<'s, 'a> {
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena }
    }

    fn known(&self, provider: &str, mode: &str, kind: &str) -> Result<Known<'a>, Error> {
        Ok(self.schemas.known(provider, mode, kind, self.arena)?)
    }

    /// Returns the root of the schema of a change. It is unspecified if no schema contains the type.
    pub(crate) fn position(&self, change: &ResourceChange<'_>) -> Result<Position<'a>, Error> {
        self.of_type(&change.provider_name, &change.mode, &change.resource_type)
    }

    /// Returns the names of the attributes that identify the object of a change: those of the identity schema, and
    /// `id`.
    pub(crate) fn identity_names(
        &self,
        change: &ResourceChange<'_>,
    ) -> Result<Vec<&'a str>, Error> {
        let mut names = self.schemas.identity_names(
            &change.provider_name,
            &change.resource_type,
            self.arena,
        )?;
        if !names.contains(&"id") {
            names.push("id");
        }
        Ok(names)
    }

    /// Returns the root of the schema of a type. `mode` is the word of the plan (`managed`, `data`, …).
    pub(crate) fn of_type(
        &self,
        provider: &str,
        mode: &str,
        kind: &str,
    ) -> Result<Position<'a>, Error> {
        self.known(provider, mode, kind).map(Known::position)
    }

    /// Returns the root of the schema of an action's configuration.
    pub(crate) fn action(&self, action: &ActionInvocation<'a>) -> Result<Position<'a>, Error> {
        let known = self.schemas.known(
            &action.provider_name,
            "action",
            &action.action_type,
            self.arena,
        )?;
        Ok(known.position())
    }
}

/// The shapes of all changes, objects and actions of a document. Values are read for inference when the first type
/// needs it.
pub struct Shapes<'s, 'a> {
    positions: Positions<'s, 'a>,
    source: Source<'s, 'a>,
    inference: OnceCell<Inference<'s, 'a>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    /// Creates the shapes for a document. `schemas` are used for the types that they contain.
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self {
            positions: Positions::new(schemas, arena),
            source,
            inference: OnceCell::new(),
        }
    }

    /// Returns the shape of a planned change.
    pub fn for_change(&self, change: &ResourceChange<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(&change.mode, &change.provider_name, &change.resource_type)
    }

    /// Returns the shape of an object in a state.
    pub fn for_state(&self, resource: &Resource<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(
            &resource.mode,
            &resource.provider_name,
            &resource.resource_type,
        )
    }

    /// Returns the shape of a type, by the best schema that is known.
    fn for_type(&self, mode: &str, provider: &str, kind: &str) -> Result<Shape<'a>, Error> {
        let (schemas, arena) = (self.positions.schemas, self.positions.arena);
        let inferred = |marks| {
            let built_in = || schemas.built_in(provider, mode, kind, arena);
            let of_type = (mode, provider, kind);
            Shape::Inferred(self.inference().shape(of_type, marks, built_in))
        };
        Ok(match self.positions.known(provider, mode, kind)? {
            Known::Given(block) => Shape::Known(block),
            Known::Stored(block) => Shape::Inferred(infer::Shape::from_schema(block)),
            Known::Marks(block) => inferred(Some(block)),
            // Inference itself uses the built-in schema, adjusted to the version of the provider.
            Known::BuiltIn(_) | Known::Nothing => inferred(None),
        })
    }

    /// Returns the shape of an action's configuration. It can only be inferred from its own values.
    pub fn for_action(&self, action: &ActionInvocation<'a>) -> Result<Shape<'a>, Error> {
        Ok(
            match self
                .positions
                .known(&action.provider_name, "action", &action.action_type)?
            {
                Known::Given(block) => Shape::Known(block),
                Known::Stored(block) | Known::Marks(block) | Known::BuiltIn(block) => {
                    Shape::Inferred(infer::Shape::from_schema(block))
                }
                Known::Nothing => Shape::OfValues,
            },
        )
    }

    /// Returns the inference, which reads the values of the document when it is first called.
    fn inference(&self) -> &Inference<'s, 'a> {
        let arena = self.positions.arena;
        self.inference.get_or_init(|| match self.source {
            Source::Plan(plan) => Inference::from_plan(plan, arena),
            Source::State(state, plan) => Inference::from_state(state, plan, arena),
        })
    }
}

/// The layout of the values of one type.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// A schema that the user has given. It is the only shape that is not a guess.
    Known(Block<'a>),
    /// A shape that is inferred from all values of the type in the document.
    Inferred(infer::Shape<'a>),
    /// A shape that is inferred from the values of the change alone.
    OfValues,
}

impl<'a> Shape<'a> {
    /// Returns the block schema by which a change is compared.
    ///
    /// An inferred shape is widened until it covers all values of the instance, including unknown ones. `notes` records
    /// the attributes that a given schema lacks, and the types whose layout is a guess.
    pub fn block(
        self,
        kind: &str,
        cursor: &Cursor<'a>,
        notes: &Notes,
        arena: &'a Bump,
    ) -> Block<'a> {
        match self {
            Self::Known(block) => {
                notes.search(kind, cursor, block, arena);
                block
            }
            Self::Inferred(shape) => {
                let (block, is_guess) = shape.widened_or_guessed(cursor.inferable(), arena);
                notes.add_inferred(kind, is_guess);
                block
            }
            Self::OfValues => {
                notes.add_inferred(kind, true);
                infer::block_of_values(cursor.inferable(), arena)
            }
        }
    }
}
