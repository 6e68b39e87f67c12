//! The positions of resource types in schemas.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;

use crate::diff::Error;
use crate::model::plan::ResourceChange;
use crate::schema::{Block, Position, Schemas, infer};

/// The schemas of resource types: those that are given, and the built-in ones.
pub(crate) struct Positions<'s, 'a> {
    pub(super) schemas: &'s Schemas<'a>,
    pub(super) arena: &'a Bump,
    known: HashMap<(String, String, String), Position<'a>>,
    pub(super) inferred: BTreeSet<String>,
}

impl<'s, 'a> Positions<'s, 'a> {
    /// Prepares the lookup in these schemas.
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
            // A cached schema may belong to another provider version, so an attribute that it lacks is not an
            // error.
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
