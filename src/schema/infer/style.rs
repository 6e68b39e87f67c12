//! The provider SDK that a type is declared with, as far as its values show it.
//!
//! A state, or a plan that only deletes, has no configuration that distinguishes blocks from attributes.
//! SDKv2 has no object attributes: collections of objects are blocks, unless they are computed. A type with
//! an object that is neither a map nor a block is declared with the plugin framework, where collections of
//! objects are usually nested attributes. Their names are plural, while those of blocks are singular.

use super::decide::{self, Container};
use super::evidence::{Config, Evidence};

/// Indications of the provider SDK of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether the type is not in the configuration.
    is_unwritten: bool,
    /// Whether there is an object that is neither a map nor a block.
    has_objects: bool,
}

impl Style {
    /// The style of a type with this `evidence`.
    pub(super) fn new(evidence: &Evidence<'_>) -> Self {
        let members = evidence.objects.iter().flat_map(|objects| &objects.members);
        let is_unwritten = members.clone().all(|(_, member)| member.config == Config::Silent);
        let has_objects = is_unwritten
            && members.into_iter().any(|(name, member)| {
                let objects = member.objects.as_ref().filter(|_| !member.is_mixed());
                // `timeouts` is a block with both SDKs.
                *name != "timeouts"
                    && objects.is_some_and(|objects| {
                        !decide::is_map(name, objects, Container::Alone, Self::default())
                    })
            });
        Self { is_unwritten, has_objects }
    }

    /// Whether collections of objects are probably nested attributes. Only used without a configuration.
    pub(super) fn prefers_attributes(self) -> bool {
        self.is_unwritten && self.has_objects
    }

    /// Whether there is no configuration of the type.
    pub(super) fn is_unwritten(self) -> bool {
        self.is_unwritten
    }
}
