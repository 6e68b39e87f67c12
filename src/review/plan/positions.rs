//! The positions of resource types: what schemas prove of their shape.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;

use crate::diff::Error;
use crate::model::plan::ResourceChange;
use crate::schema::{Block, Position, Schemas, infer};

/// What is proven of the shape of resource types: by a schema, or by what is built in.
pub(crate) struct Positions<'s, 'a> {
    pub(super) schemas: &'s Schemas<'a>,
    pub(super) arena: &'a Bump,
    known: HashMap<(String, String, String), Position<'a>>,
    pub(super) inferred: BTreeSet<String>,
}

impl<'s, 'a> Positions<'s, 'a> {
    /// What the schemas at hand, and what is built in, prove.
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena, known: HashMap::new(), inferred: BTreeSet::new() }
    }

    pub(crate) fn position(&mut self, change: &ResourceChange<'a>) -> Result<Position<'a>, Error> {
        let (mode, provider, kind) = (&*change.mode, &*change.provider_name, &*change.resource_type);
        let key = (mode.to_owned(), provider.to_owned(), kind.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let given: Option<Block<'a>> = self.schemas.resource(provider, mode, kind, self.arena)?;
        let position = match given {
            // A cached schema may be of another version: what it does not have is not missing.
            Some(block) if self.schemas.is_cached() => Position::BuiltIn(block),
            Some(block) => Position::Block(block),
            None => {
                self.inferred.insert(kind.to_owned());
                infer::built_in(mode, provider, kind, self.arena)
                    .map_or(Position::Inferred, Position::BuiltIn)
            }
        };
        self.known.insert(key, position);
        Ok(position)
    }
}
