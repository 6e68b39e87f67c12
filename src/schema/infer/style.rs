//! Which provider kit a type is declared with, as far as its values show it.
//!
//! A state has no configuration that would distinguish blocks from attributes, nor has a plan that only deletes.
//! The older kit (SDKv2) has no attributes that are objects: what holds objects is blocks, unless it is computed.
//! A type with an object that is neither a map nor a block is of the newer kit (the plugin framework), in which
//! collections of objects are nested attributes as a rule. Their names are plural; blocks are named after one of
//! them.

use super::decide::{self, Held};
use super::evidence::{Config, Evidence};

/// What the values of a type show of its provider kit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// The configuration does not have the type.
    is_unwritten: bool,
    /// An object is neither a map nor a block.
    has_objects: bool,
}

impl Style {
    /// The style of a type with this `evidence`.
    pub(super) fn of(evidence: &Evidence<'_>) -> Self {
        let members = evidence.objects.iter().flat_map(|objects| &objects.members);
        let is_unwritten = members.clone().all(|(_, member)| member.config == Config::Silent);
        let has_objects = is_unwritten
            && members.into_iter().any(|(name, member)| {
                let objects = member.objects.as_ref().filter(|_| !member.is_mixed());
                // `timeouts` is a block in both kits.
                *name != "timeouts"
                    && objects
                        .is_some_and(|objects| !decide::is_map(name, objects, Held::Alone, Self::default()))
            });
        Self { is_unwritten, has_objects }
    }

    /// Whether collections of objects are nested attributes as a rule, for want of a configuration.
    pub(super) fn prefers_attributes(self) -> bool {
        self.is_unwritten && self.has_objects
    }

    /// Whether there is no configuration to go by.
    pub(super) fn is_unwritten(self) -> bool {
        self.is_unwritten
    }
}
