//! The given schemas, by provider, kind and type.
//!
//! Source: the JSON output format (`providers schema -json`); redacted remote plans contain the same
//! object as `provider_schemas`. Adding a file indexes it: provider → kind → type → text. The shape of a
//! type is built once, when it is first needed; for unused types only their text is skipped.
//!
//! Several sources are merged. A type is looked up under the exact source address of the provider, then
//! under the same namespace and provider type in another registry, then by provider type alone if one of
//! the two names has nothing more (plans of Terraform 0.12; specifications). Among equal matches the source
//! added first wins.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
use serde::Deserialize;

use super::document::{Document, check_version};
use super::provider_name::{ProviderMatch, last, prefix, provider_match};
use super::specification::Specification;
use super::{Block, Error, build};
use crate::json::{self, Pairs, Raw, Str, Value};

/// The given schemas. See the module documentation for how types are looked up.
#[derive(Debug, Default)]
pub struct Schemas<'s> {
    providers: Vec<Provider<'s>>,
    /// The indices of providers, by name and by the last part of the name.
    by_name: HashMap<String, Vec<usize>>,
    by_last: HashMap<String, Vec<usize>>,
    /// The shapes built so far, by the address of the schema text, which identifies a type of a provider.
    built: Mutex<HashMap<usize, Block<'s>>>,
    cached: bool,
}

#[derive(Debug)]
struct Provider<'s> {
    name: Str<'s>,
    types: Types<'s>,
}

#[derive(Debug)]
enum Types<'s> {
    Schemas(ProviderDocument<'s>),
    Specification(Specification<'s>),
}

/// The maximum number of providers with the same last name part that are searched for a type. There are
/// only a few registries, but a hostile document could name a hundred thousand.
const MAX_ALIKE: usize = 100;

/// The kind of object that a type is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResourceKind {
    Managed,
    Data,
    Ephemeral,
    Action,
}

impl ResourceKind {
    /// The kind for a resource mode; documents may omit `managed`.
    pub(super) fn from_mode(mode: &str) -> Option<Self> {
        match mode {
            "managed" | "" => Some(Self::Managed),
            "data" => Some(Self::Data),
            "ephemeral" => Some(Self::Ephemeral),
            _ => None,
        }
    }

    /// The member that contains the schemas of this kind.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Managed => "resource_schemas",
            Self::Data => "data_source_schemas",
            Self::Ephemeral => "ephemeral_resource_schemas",
            Self::Action => "action_schemas",
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ProviderDocument<'s> {
    #[serde(borrow)]
    resource_schemas: Pairs<'s, Raw<'s>>,
    #[serde(borrow)]
    data_source_schemas: Pairs<'s, Raw<'s>>,
    #[serde(borrow)]
    ephemeral_resource_schemas: Pairs<'s, Raw<'s>>,
    #[serde(borrow)]
    action_schemas: Pairs<'s, Raw<'s>>,
}

impl<'s> ProviderDocument<'s> {
    fn schemas(&self, kind: ResourceKind) -> &Pairs<'s, Raw<'s>> {
        match kind {
            ResourceKind::Managed => &self.resource_schemas,
            ResourceKind::Data => &self.data_source_schemas,
            ResourceKind::Ephemeral => &self.ephemeral_resource_schemas,
            ResourceKind::Action => &self.action_schemas,
        }
    }
}

impl<'s> Schemas<'s> {
    /// No schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are no providers.
    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// Marks the schemas as taken from the cache. They may be from another version of the provider than the
    /// plan, so members that they do not have are treated as if there were no schema.
    pub fn set_cached(&mut self) {
        self.cached = true;
    }

    /// Whether the schemas are from the cache, and so maybe from another version of the provider.
    pub fn is_cached(&self) -> bool {
        self.cached
    }

    /// Adds a file: provider schemas, a document that contains them, or a specification.
    ///
    /// # Errors
    /// If the text is not JSON, is another kind of document, or has a newer major version. Errors inside the
    /// schema of a type are found when the type is looked up.
    pub fn add(&mut self, text: &'s str) -> Result<(), Error> {
        if !text.trim_start().starts_with('{') {
            json::from_str::<serde::de::IgnoredAny>(text)?;
            return Err(Error::NotASchema("a JSON document that is no object"));
        }
        let document: Document<'s> = json::from_str(text)?;
        if let Some(schemas) = document.provider_schemas {
            let own = document.provider_format_version.or(document.format_version);
            // The version of a plan or state does not apply to the schemas in it.
            let carried = document.resource_changes.is_some() || document.root_module.is_some();
            check_version(if carried { document.provider_format_version } else { own })?;
            return self.add_provider_schemas(schemas);
        }
        if let Some(provider) = document.provider.filter(|_| document.is_specification()) {
            let found = Specification::read(provider, document.resources, document.datasources)?;
            self.push(Provider { name: found.provider.clone(), types: Types::Specification(found) });
            return Ok(());
        }
        match document.likely_kind() {
            // `providers schema -json` writes this if no provider is used.
            None if document.format_version.is_some() => check_version(document.format_version),
            None => Err(Error::NotASchema("some other JSON document")),
            Some(other) => Err(Error::NotASchema(other)),
        }
    }

    /// Adds the `provider_schemas` of a document.
    ///
    /// # Errors
    /// If it is not an object of providers.
    pub fn add_provider_schemas(&mut self, schemas: Raw<'s>) -> Result<(), Error> {
        let wrong = |error: json::Error| Error::from(error).inside("provider_schemas");
        let providers: Pairs<'s, Option<ProviderDocument<'s>>> = schemas.read().map_err(wrong)?;
        for (name, document) in providers.into_pairs() {
            let types = Types::Schemas(document.unwrap_or_default());
            self.push(Provider { name, types });
        }
        Ok(())
    }

    /// The number of providers.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Removes all providers but the first `count`, in time proportional to the number removed.
    pub fn truncate(&mut self, count: usize) {
        self.cached = false;
        while self.providers.len() > count
            && let Some(provider) = self.providers.pop()
        {
            let place = self.providers.len();
            for places in [self.by_name.get_mut(&*provider.name), self.by_last.get_mut(last(&provider.name))]
            {
                // Indices are ascending, so this one can only be the last.
                places.and_then(|places| places.pop_if(|last| *last == place));
            }
        }
    }

    fn push(&mut self, provider: Provider<'s>) {
        let place = self.providers.len();
        self.by_name.entry(provider.name.to_string()).or_default().push(place);
        let alike = self.by_last.entry(last(&provider.name).to_owned()).or_default();
        if alike.len() < MAX_ALIKE {
            alike.push(place);
        }
        self.providers.push(provider);
    }

    /// The providers that a type may belong to, those with exactly this name first.
    fn candidates(&self, provider_name: &str, type_name: &str) -> impl Iterator<Item = &Provider<'s>> {
        let last = if provider_name.is_empty() { prefix(type_name) } else { last(provider_name) };
        let exact = self.by_name.get(provider_name).into_iter().flatten();
        exact.chain(self.by_last.get(last).into_iter().flatten()).filter_map(|at| self.providers.get(*at))
    }

    /// The shape of a resource type; `None` if no source has it. `mode` is `managed` (or empty), `data` or
    /// `ephemeral`.
    ///
    /// # Errors
    /// If the schema of the type does not conform to the format.
    pub fn resource(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let Some(kind) = ResourceKind::from_mode(mode) else { return Ok(None) };
        self.find(provider_name, kind, type_name, arena)
    }

    /// The shape of the configuration of an action (Terraform 1.14 and later).
    ///
    /// # Errors
    /// If the schema of the type does not conform to the format.
    pub fn action(
        &self,
        provider_name: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        self.find(provider_name, ResourceKind::Action, type_name, arena)
    }

    fn find(
        &self,
        provider_name: &str,
        kind: ResourceKind,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let mut best: Option<(ProviderMatch, &Provider<'s>, Raw<'s>)> = None;
        for provider in self.candidates(provider_name, type_name) {
            let Some(provider_match) = provider_match(provider_name, type_name, &provider.name) else {
                continue;
            };
            if best.as_ref().is_some_and(|(best, ..)| *best <= provider_match) {
                continue;
            }
            let text = match &provider.types {
                Types::Schemas(document) => document.schemas(kind).get(type_name).copied(),
                Types::Specification(found) => found.schema(kind, type_name),
            };
            if let Some(text) = text {
                best = Some((provider_match, provider, text));
                if provider_match == ProviderMatch::Exact {
                    break;
                }
            }
        }
        let Some((_, provider, text)) = best else { return Ok(None) };
        let key = text.text().as_ptr() as usize;
        if let Some(block) = self.cache().get(&key) {
            return Ok(Some(*block));
        }
        let block = provider
            .build(text, arena)
            .map_err(|error| error.inside(type_name).inside(kind.member()).inside(&provider.name))?;
        self.cache().insert(key, block);
        Ok(Some(block))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Block<'s>>> {
        self.built.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s> Provider<'s> {
    fn build(&self, text: Raw<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
        let value = text.value(arena)?;
        match &self.types {
            Types::Schemas(_) => block_of(value, arena),
            Types::Specification(_) => super::specification::schema(value, arena),
        }
    }
}

/// Parses the schema of a type into its shape.
pub(super) fn block_of<'s>(schema: Value<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    let block = build::member(schema, "block")?;
    build::block(Value::Object(block), arena).map_err(|error| error.inside("block"))
}
