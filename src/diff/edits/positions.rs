//! The positions of resource types in schemas.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;

use crate::diff::Error;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::schema::{Position, Schemas};

/// The schemas of resource types: those that are given, and the built-in ones.
pub(crate) struct Positions<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
    known: HashMap<(String, String, String), Position<'a>>,
    inferred: BTreeSet<String>,
}

impl<'s, 'a> Positions<'s, 'a> {
    /// Prepares the lookup in these schemas.
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena, known: HashMap::new(), inferred: BTreeSet::new() }
    }

    /// The position of the resource of a change.
    ///
    /// # Errors
    /// If its schema is malformed.
    pub(crate) fn position(&mut self, change: &ResourceChange<'a>) -> Result<Position<'a>, Error> {
        let (mode, provider, kind) = (&*change.mode, &*change.provider_name, &*change.resource_type);
        let key = (mode.to_owned(), provider.to_owned(), kind.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let known = self.schemas.known(provider, mode, kind, self.arena)?;
        if known.layout().is_none() {
            self.inferred.insert(kind.to_owned());
        }
        let position = known.position();
        self.known.insert(key, position);
        Ok(position)
    }

    /// The position of an action's configuration.
    ///
    /// # Errors
    /// If its schema is malformed.
    pub(crate) fn action(&self, action: &ActionInvocation<'a>) -> Result<Position<'a>, Error> {
        let known = self.schemas.known(&action.provider_name, "action", &action.action_type, self.arena)?;
        Ok(known.position())
    }

    /// The resource types without a given schema, so far.
    pub(super) fn inferred(self) -> Vec<String> {
        self.inferred.into_iter().collect()
    }
}
