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
//!
//! Invariant: only the layout of a type comes from one source. What is sensitive is the union of all sources that
//! match and of the built-in schema (`sensitive`), so that no source can make a value visible.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
use foldhash::HashMap as FoldMap;
use serde::Deserialize;

use super::document::{Document, check_version};
use super::provider_name::{ProviderMatch, last, prefix, provider_match};
use super::specification::Specification;
use super::{Block, Error, build, builtin, sensitive};
use crate::json::{self, Pairs, Raw, Str, Value};

/// The given schemas. See the module documentation for how types are looked up.
#[derive(Debug, Default)]
pub struct Schemas<'s> {
    providers: Vec<Provider<'s>>,
    /// The indices of providers, by name and by the last part of the name.
    by_name: HashMap<String, Vec<usize>>,
    by_last: HashMap<String, Vec<usize>>,
    found: Mutex<Lookups<'s>>,
}

/// The lookups so far.
#[derive(Debug, Default)]
struct Lookups<'s> {
    /// By provider, kind and type.
    by_name: FoldMap<(String, ResourceKind), FoldMap<String, Known<'s>>>,
    /// By the addresses of the schema texts that match. Many names of a provider may lead to the same texts, and
    /// their union is large.
    by_texts: FoldMap<Vec<usize>, Block<'s>>,
}

/// What is known of a type. What is sensitive in each of these is the union of all sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known<'s> {
    /// A schema of the provider version that made the document.
    Given(Block<'s>),
    /// A stored schema, which may be of another version.
    Stored(Block<'s>),
    /// No schema for the layout: the union of the built-in schema and of stored ones that only add what is
    /// sensitive.
    Marks(Block<'s>),
    /// Only a built-in schema.
    BuiltIn(Block<'s>),
    /// Nothing.
    Nothing,
}

/// What a source is used for, the best layout first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// It is of the provider version that made the document.
    Layout,
    /// It may be of another version, so members that it does not have are treated as if there were no schema.
    StoredLayout,
    /// It only adds what is sensitive.
    Marks,
}

#[derive(Debug)]
struct Provider<'s> {
    name: Str<'s>,
    types: Types<'s>,
    used_for: Use,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ResourceKind {
    Managed,
    Data,
    Ephemeral,
    Action,
}

impl ResourceKind {
    /// All kinds.
    pub(super) const ALL: [Self; 4] = [Self::Managed, Self::Data, Self::Ephemeral, Self::Action];

    /// The kind for a resource mode, or `action`; documents may omit `managed`.
    pub(super) fn from_mode(mode: &str) -> Option<Self> {
        match mode {
            "managed" | "" => Some(Self::Managed),
            "data" => Some(Self::Data),
            "ephemeral" => Some(Self::Ephemeral),
            "action" => Some(Self::Action),
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
    provider: Option<Raw<'s>>,
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

    /// Adds a stored schema, which may be of another version of the provider than the document.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_stored(&mut self, text: &'s str) -> Result<(), Error> {
        self.add_for(text, Use::StoredLayout)
    }

    /// Adds a schema that has no say in the layout, and only adds what is sensitive.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_marks(&mut self, text: &'s str) -> Result<(), Error> {
        self.add_for(text, Use::Marks)
    }

    /// Adds a file: provider schemas, a document that contains them, or a specification.
    ///
    /// # Errors
    /// If the text is not JSON, is another kind of document, or has a newer major version. Errors inside the
    /// schema of a type are found when the type is looked up.
    pub fn add(&mut self, text: &'s str) -> Result<(), Error> {
        self.add_for(text, Use::Layout)
    }

    fn add_for(&mut self, text: &'s str, used_for: Use) -> Result<(), Error> {
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
            return self.add_providers(schemas, used_for);
        }
        if let Some(provider) = document.provider.filter(|_| document.is_specification()) {
            let found = Specification::read(provider, document.resources, document.datasources)?;
            let (name, types) = (found.provider.clone(), Types::Specification(found));
            self.push(Provider { name, types, used_for });
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
        self.add_providers(schemas, Use::Layout)
    }

    /// Adds the `provider_schemas` of another document of the same infrastructure, which only add what is
    /// sensitive.
    ///
    /// # Errors
    /// If it is not an object of providers.
    pub fn add_provider_marks(&mut self, schemas: Raw<'s>) -> Result<(), Error> {
        self.add_providers(schemas, Use::Marks)
    }

    fn add_providers(&mut self, schemas: Raw<'s>, used_for: Use) -> Result<(), Error> {
        let wrong = |error: json::Error| Error::from(error).inside("provider_schemas");
        let providers: Pairs<'s, Option<ProviderDocument<'s>>> = schemas.read().map_err(wrong)?;
        for (name, document) in providers.into_pairs() {
            let types = Types::Schemas(document.unwrap_or_default());
            self.push(Provider { name, types, used_for });
        }
        Ok(())
    }

    /// The number of providers.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Removes all providers but the first `count`, in time proportional to the number removed.
    pub fn truncate(&mut self, count: usize) {
        self.lookups().by_name.clear();
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
        self.lookups().by_name.clear();
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

    /// The shape of a resource type; `None` if no source has its layout. `mode` is `managed` (or empty), `data` or
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
        self.known_resource(provider_name, mode, type_name, arena).map(Known::layout)
    }

    /// What is known of a resource type.
    ///
    /// # Errors
    /// If the schema of the type does not conform to the format.
    pub fn known_resource(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        let Some(kind) = ResourceKind::from_mode(mode) else { return Ok(Known::Nothing) };
        self.known(provider_name, kind, type_name, arena)
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
        self.known_action(provider_name, type_name, arena).map(Known::layout)
    }

    /// What is known of the configuration of an action.
    ///
    /// # Errors
    /// If the schema of the type does not conform to the format.
    pub fn known_action(
        &self,
        provider_name: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        self.known(provider_name, ResourceKind::Action, type_name, arena)
    }

    /// What is known of the configuration of a provider: the union of all sources.
    ///
    /// # Errors
    /// If a schema does not conform to the format.
    pub fn provider_configuration(
        &self,
        provider_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let mut union = None;
        for provider in self.candidates(provider_name, "") {
            let Types::Schemas(ProviderDocument { provider: Some(text), .. }) = &provider.types else {
                continue;
            };
            if provider_match(provider_name, "", &provider.name).is_none() || text.text() == "null" {
                continue;
            }
            let block = block_of(text.value(arena)?, arena)
                .map_err(|error| error.inside("provider").inside(&provider.name))?;
            union = Some(union.map_or(block, |union| sensitive::joined(union, block, arena)));
        }
        Ok(union)
    }

    fn known(
        &self,
        provider_name: &str,
        kind: ResourceKind,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        let of_provider = (provider_name.to_owned(), kind);
        if let Some(known) = self.lookups().by_name.get(&of_provider).and_then(|types| types.get(type_name)) {
            return Ok(*known);
        }
        let found = self.find(provider_name, kind, type_name, arena)?;
        self.lookups().by_name.entry(of_provider).or_default().insert(type_name.to_owned(), found);
        Ok(found)
    }

    fn find(
        &self,
        provider_name: &str,
        kind: ResourceKind,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        let mut all: Vec<((Use, ProviderMatch), &Provider<'s>, Raw<'s>)> = Vec::new();
        for provider in self.candidates(provider_name, type_name) {
            let text = match &provider.types {
                Types::Schemas(document) => document.schemas(kind).get(type_name).copied(),
                Types::Specification(found) => found.schema(kind, type_name),
            };
            let matched = provider_match(provider_name, type_name, &provider.name);
            let (Some(text), Some(matched)) = (text, matched) else { continue };
            all.push(((provider.used_for, matched), provider, text));
        }
        // Stable: among equal matches the source added first wins. Names that match exactly occur twice.
        all.sort_by_key(|(rank, ..)| *rank);
        let mut seen = foldhash::HashSet::default();
        all.retain(|(.., text)| seen.insert(text.text().as_ptr()));
        let built_in = builtin::text(provider_name, kind, type_name);
        let Some(((used_for, _), ..)) = all.first() else {
            return Ok(built_in
                .and_then(|text| builtin::block(text, arena))
                .map_or(Known::Nothing, Known::BuiltIn));
        };
        let block = self.union(&all, built_in, arena).map_err(|(provider, error)| {
            error.inside(type_name).inside(kind.member()).inside(&provider.name)
        })?;
        Ok(match used_for {
            Use::Layout => Known::Given(block),
            Use::StoredLayout => Known::Stored(block),
            Use::Marks => Known::Marks(block),
        })
    }

    /// The layout of the first source, with what is sensitive in any.
    fn union<'p>(
        &self,
        all: &[((Use, ProviderMatch), &'p Provider<'s>, Raw<'s>)],
        built_in: Option<&'static str>,
        arena: &'s Bump,
    ) -> Result<Block<'s>, (&'p Provider<'s>, Error)> {
        let place = |text: &str| text.as_ptr() as usize;
        let texts = all.iter().map(|(.., text)| text.text()).chain(built_in);
        let key: Vec<usize> = texts.map(place).collect();
        if let Some(block) = self.lookups().by_texts.get(&key) {
            return Ok(*block);
        }
        let mut union: Option<Block<'s>> = None;
        for (_, provider, text) in all {
            let block = provider.build(*text, arena).map_err(|error| (*provider, error))?;
            union = Some(union.map_or(block, |union| sensitive::joined(union, block, arena)));
        }
        let mut union = union.unwrap_or_default();
        if let Some(facts) = built_in.and_then(|text| builtin::block(text, arena)) {
            union = sensitive::joined(union, facts, arena);
        }
        self.lookups().by_texts.insert(key, union);
        Ok(union)
    }

    fn lookups(&self) -> std::sync::MutexGuard<'_, Lookups<'s>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s> Known<'s> {
    /// The shape, if a source has the layout.
    pub fn layout(self) -> Option<Block<'s>> {
        match self {
            Self::Given(block) | Self::Stored(block) => Some(block),
            Self::Marks(_) | Self::BuiltIn(_) | Self::Nothing => None,
        }
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
