//! The positions of resource types in schemas.

use std::collections::BTreeSet;

use bumpalo::Bump;

use crate::diff::Error;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::schema::{Position, Schemas};

/// The schemas of resource types: those that are given, and the built-in ones.
pub(crate) struct Positions<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
    inferred: BTreeSet<String>,
}

impl<'s, 'a> Positions<'s, 'a> {
    /// Prepares the lookup in these schemas.
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self { schemas, arena, inferred: BTreeSet::new() }
    }

    /// The position of the resource of a change.
    ///
    /// # Errors
    /// If its schema is malformed.
    pub(crate) fn position(&mut self, change: &ResourceChange<'_>) -> Result<Position<'a>, Error> {
        self.of_type(&change.provider_name, &change.mode, &change.resource_type)
    }

    /// The position of the resources of a type.
    ///
    /// # Errors
    /// If its schema is malformed.
    pub(crate) fn of_type(&mut self, provider: &str, mode: &str, kind: &str) -> Result<Position<'a>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena)?;
        if !self.inferred.contains(kind) && known.is_guess(provider, kind) {
            self.inferred.insert(kind.to_owned());
        }
        Ok(known.position())
    }

    /// The position of an action's configuration.
    ///
    /// # Errors
    /// If its schema is malformed.
    pub(crate) fn action(&self, action: &ActionInvocation<'a>) -> Result<Position<'a>, Error> {
        let known = self.schemas.known(&action.provider_name, "action", &action.action_type, self.arena)?;
        Ok(known.position())
    }

    /// The resource types whose layout is a guess, so far.
    pub(super) fn inferred(self) -> Vec<String> {
        self.inferred.into_iter().collect()
    }
}
