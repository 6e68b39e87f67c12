//! The schemas that were given or stored, by provider, kind and type.
//!
//! Adding a file only indexes it. The shape of a type is built once, when it is first needed.
//!
//! A type is looked up under the exact source address of the provider, then under the same namespace and provider type
//! in another registry, then by provider type alone if one of the two names has nothing more (plans of Terraform 0.12;
//! specifications). Among equal matches the source added first wins.
//!
//! Invariant: only the layout of a type comes from one source. What is sensitive is the union of all sources that match
//! and of the built-in schema (`sensitive`), so that no source can make a value visible.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bumpalo::Bump;
use foldhash::HashMap as FoldMap;

use super::address::{namespace, provider_type, type_prefix};
use super::kind::SchemaKind;
use super::source::{self, ProviderSource};
use super::{Block, Error, Inside as _, Position, builtin, read, sensitive};
use crate::json::{Raw, Value};

/// The index of the schemas that were given or stored, which builds the shapes of types.
#[derive(Debug, Default)]
pub struct Schemas<'s> {
    /// The providers, in the order in which they were added.
    providers: Vec<Provider<'s>>,
    /// The indices of the providers by source address, in ascending order.
    by_name: HashMap<String, Vec<usize>>,
    /// The indices of the providers by the last part of the source address, the provider type.
    by_last: HashMap<String, Vec<usize>>,
    /// The results of earlier lookups.
    lookups: Mutex<Lookups<'s>>,
}

/// The results of lookups, so that each shape is built once.
#[derive(Debug, Default)]
struct Lookups<'s> {
    /// The results by provider name, kind and type. Adding or removing sources clears them.
    by_name: FoldMap<(String, SchemaKind, String), Known<'s>>,
    /// The shapes by the addresses of the schema texts that they were built from: many names of a provider may lead to
    /// the same texts.
    by_texts: FoldMap<Vec<usize>, Block<'s>>,
    /// The shapes of built-in schemas, by the addresses of their texts. The plans of many units have the same types.
    built_in: FoldMap<usize, Option<Block<'s>>>,
}

/// The schema of a type, by its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known<'s> {
    /// A schema that the user gave or that is in the document.
    Given(Block<'s>),
    /// A schema that was stored by an earlier run for the same version of the provider.
    Stored(Block<'s>),
    /// A block that only says what is sensitive, because no source has the layout.
    Marks(Block<'s>),
    /// A built-in schema, which may be of another version.
    BuiltIn(Block<'s>),
    /// Nothing, because no source has the type.
    Nothing,
}

/// The purpose for which the schemas of a file are used. Earlier variants are preferred for the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// The schemas have the layout of the document.
    Layout,
    /// The schemas have the layout, but members that they lack are treated as if there were no schema.
    StoredLayout,
    /// The schemas only say what is sensitive.
    Marks,
}

/// A provider with schemas, from one file.
#[derive(Clone, Debug)]
struct Provider<'s> {
    source: Arc<ProviderSource<'s>>,
    used_for: Use,
}

/// Sources that were read once, for any number of [`Schemas`]. It keeps no shapes, so threads can share it, and it can
/// outlive their arenas.
#[derive(Clone, Debug, Default)]
pub struct SchemaIndex<'s>(Vec<Provider<'s>>);

/// The maximum number of providers with the same provider type that are looked at. There are only a few registries, but
/// a hostile document could name a hundred thousand.
const MAX_ALIKE: usize = 100;

impl<'s> Schemas<'s> {
    /// Makes an index without schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no sources were added.
    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// Adds the schemas of a document that the user gave.
    ///
    /// # Errors
    ///
    /// If the text is not a document with schemas, or its format version is not supported.
    pub fn add(&mut self, text: &'s str) -> Result<(), Error> {
        source::read(text).map(|found| self.push(found, Use::Layout))
    }

    /// Adds the schemas of a document that an earlier run stored. `only_marks` says that they are used only for what is
    /// sensitive.
    ///
    /// # Errors
    ///
    /// If the text is not a document with schemas, or its format version is not supported.
    pub fn add_stored(&mut self, text: &'s str, only_marks: bool) -> Result<(), Error> {
        let used_for = if only_marks {
            Use::Marks
        } else {
            Use::StoredLayout
        };
        source::read(text).map(|found| self.push(found, used_for))
    }

    /// Adds the schemas in the member `provider_schemas` of a document.
    ///
    /// # Errors
    ///
    /// If the member is not an object of providers with their schemas.
    pub fn add_provider_schemas(&mut self, schemas: Raw<'s>) -> Result<(), Error> {
        source::providers(schemas).map(|found| self.push(found, Use::Layout))
    }

    /// Adds the schemas in the member `provider_schemas` of a document, but uses them only for what is sensitive.
    ///
    /// # Errors
    ///
    /// If the member is not an object of providers with their schemas.
    pub fn add_provider_marks(&mut self, schemas: Raw<'s>) -> Result<(), Error> {
        source::providers(schemas).map(|found| self.push(found, Use::Marks))
    }

    /// Returns the sources without the shapes that were built, to be added elsewhere.
    pub fn into_index(self) -> SchemaIndex<'s> {
        SchemaIndex(self.providers)
    }

    /// Adds the sources of an index, after those that were added before.
    pub fn add_index(&mut self, index: &SchemaIndex<'s>) {
        self.push_all(index.0.iter().cloned());
    }

    /// Returns the number of sources. A document of several providers has a source for each of them.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Removes the sources that were added after the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.lookups().by_name.clear();
        while self.providers.len() > count
            && let Some(provider) = self.providers.pop()
        {
            let (place, name) = (self.providers.len(), &*provider.source.name);
            for places in [
                self.by_name.get_mut(name),
                self.by_last.get_mut(provider_type(name)),
            ] {
                // Indices are ascending, so this one can only be the last.
                places.and_then(|places| places.pop_if(|last| *last == place));
            }
        }
    }

    /// Adds sources of one file.
    fn push(&mut self, sources: Vec<ProviderSource<'s>>, used_for: Use) {
        self.push_all(sources.into_iter().map(|source| Provider {
            source: Arc::new(source),
            used_for,
        }));
    }

    /// Adds providers, and forgets the results of earlier lookups, because a new source may change them.
    fn push_all(&mut self, providers: impl Iterator<Item = Provider<'s>>) {
        self.lookups().by_name.clear();
        for provider in providers {
            let (place, name) = (self.providers.len(), &provider.source.name);
            self.by_name
                .entry(name.to_string())
                .or_default()
                .push(place);
            let alike = self
                .by_last
                .entry(provider_type(name).to_owned())
                .or_default();
            if alike.len() < MAX_ALIKE {
                alike.push(place);
            }
            self.providers.push(provider);
        }
    }

    /// Lists the providers that may have a type, with how well their names match. Exact matches come first, and again
    /// among the others.
    fn candidates(
        &self,
        provider_name: &str,
        type_name: &str,
    ) -> impl Iterator<Item = (ProviderMatch, &Provider<'s>)> {
        let last = if provider_name.is_empty() {
            type_prefix(type_name)
        } else {
            provider_type(provider_name)
        };
        let exact = self.by_name.get(provider_name).into_iter().flatten();
        exact
            .chain(self.by_last.get(last).into_iter().flatten())
            .filter_map(move |index| {
                let provider = self.providers.get(*index)?;
                Some((
                    provider_match(provider_name, type_name, &provider.source.name)?,
                    provider,
                ))
            })
    }

    /// Returns the layout of a type from the schemas that were given or stored, with everything as sensitive that is so
    /// in any schema for it. `mode` is as in `known`.
    ///
    /// # Errors
    ///
    /// If a schema of the type is not as the format has it.
    pub fn resource(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        self.known(provider_name, mode, type_name, arena)
            .map(Known::layout)
    }

    /// Returns the schema of the configuration of a provider, with everything as sensitive that is so in any schema for
    /// it.
    ///
    /// # Errors
    ///
    /// If such a schema is not as the format has it.
    pub fn provider_configuration(
        &self,
        provider_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let mut union = None;
        for (_, provider) in self.candidates(provider_name, "") {
            let source = &provider.source;
            let Some(text) = source.kinds.get(SchemaKind::Provider, "") else {
                continue;
            };
            let block = provider
                .build(text, arena)
                .inside("provider")
                .inside(&source.name)?;
            union = Some(union.map_or(block, |union| sensitive::joined(union, block, arena)));
        }
        Ok(union)
    }

    /// Returns the names of the attributes that identify an object of this type, sorted, from the identity schemas of
    /// the provider (Terraform 1.12 and later). Usually attributes of the resource have these names, too.
    ///
    /// # Errors
    ///
    /// If an identity schema of the type is not as the format has it.
    pub fn identity_names(
        &self,
        provider_name: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Vec<&'s str>, Error> {
        let mut names = Vec::new();
        for (_, provider) in self.candidates(provider_name, type_name) {
            let source = &provider.source;
            let Some(text) = source.kinds.get(SchemaKind::Identity, type_name) else {
                continue;
            };
            let schema = source::schema(text, source.is_specification, arena)
                .inside(type_name)
                .inside(SchemaKind::Identity.member())
                .inside(&source.name)?;
            let attributes = schema.get("attributes").and_then(|all| all.as_object());
            for (name, _) in attributes.unwrap_or_default().members() {
                names.push(*name);
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Returns the built-in schema of a type. `mode` is as in [`known`](Self::known).
    pub fn built_in(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Option<Block<'s>> {
        let text = builtin::text(provider_name, SchemaKind::from_mode(mode)?, type_name)?;
        self.built_in_block(text, arena)
    }

    /// Reads the text of a built-in schema, at most once.
    fn built_in_block(&self, text: &'static str, arena: &'s Bump) -> Option<Block<'s>> {
        let key = text.as_ptr() as usize;
        let read = || builtin::block(text, arena);
        *self.lookups().built_in.entry(key).or_insert_with(read)
    }

    /// Returns what is known of a type. `mode` is that of resources (empty for `managed`), or `action` (from Terraform
    /// 1.14 on).
    ///
    /// # Errors
    ///
    /// If a schema of the type is not as the format has it.
    pub fn known(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        let Some(kind) = SchemaKind::from_mode(mode) else {
            return Ok(Known::Nothing);
        };
        let key = (provider_name.to_owned(), kind, type_name.to_owned());
        if let Some(known) = self.lookups().by_name.get(&key) {
            return Ok(*known);
        }
        let schema = self.find(provider_name, kind, type_name, arena)?;
        self.lookups().by_name.insert(key, schema);
        Ok(schema)
    }

    /// Finds the schemas of a type, and builds the layout of the best one with what any of them calls sensitive.
    fn find(
        &self,
        provider_name: &str,
        kind: SchemaKind,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Known<'s>, Error> {
        let of_type = |(matched, provider): (ProviderMatch, _)| {
            let provider: &Provider<'s> = provider;
            Some((
                (provider.used_for, matched),
                provider,
                provider.source.kinds.get(kind, type_name)?,
            ))
        };
        let mut all: Vec<_> = self
            .candidates(provider_name, type_name)
            .filter_map(of_type)
            .collect();
        // The sort is stable: among equal matches the source added first wins. Names that match exactly occur twice.
        all.sort_by_key(|(rank, ..)| *rank);
        let mut seen = foldhash::HashSet::default();
        all.retain(|(.., text)| seen.insert(text.text().as_ptr()));
        let built_in = builtin::text(provider_name, kind, type_name);
        let marks = || built_in.and_then(|text| self.built_in_block(text, arena));
        let Some(((used_for, _), ..)) = all.first() else {
            return Ok(marks().map_or(Known::Nothing, Known::BuiltIn));
        };
        let texts = all.iter().map(|(.., text)| text.text()).chain(built_in);
        let key: Vec<usize> = texts.map(|text| text.as_ptr() as usize).collect();
        let known = self.lookups().by_texts.get(&key).copied();
        let block = match known {
            Some(block) => block,
            None => {
                // The result has the layout of the first source, with what is sensitive in any.
                let mut union: Option<Block<'s>> = None;
                for (_, provider, text) in &all {
                    let block = provider
                        .build(*text, arena)
                        .inside(type_name)
                        .inside(kind.member());
                    let block = block.inside(&provider.source.name)?;
                    union =
                        Some(union.map_or(block, |union| sensitive::joined(union, block, arena)));
                }
                let union = sensitive::joined(
                    union.unwrap_or_default(),
                    marks().unwrap_or_default(),
                    arena,
                );
                self.lookups().by_texts.insert(key, union);
                union
            }
        };
        Ok(match used_for {
            Use::Layout => Known::Given(block),
            Use::StoredLayout => Known::Stored(block),
            Use::Marks => Known::Marks(block),
        })
    }

    /// Locks the results of lookups. They are valid even after a panic, because each is inserted whole.
    fn lookups(&self) -> std::sync::MutexGuard<'_, Lookups<'s>> {
        self.lookups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'s> Known<'s> {
    /// Returns the position of an object of the type as a whole.
    pub fn position(self) -> Position<'s> {
        match self {
            Self::Given(block) => Position::Block(block),
            // These schemas may be of another version of the provider, which lacks attributes of the document.
            Self::Stored(block) | Self::Marks(block) | Self::BuiltIn(block) => {
                Position::BuiltIn(block)
            }
            Self::Nothing => Position::Inferred,
        }
    }

    /// Returns the layout, if it is that of the version of the provider in the document.
    pub fn layout(self) -> Option<Block<'s>> {
        match self {
            Self::Given(block) | Self::Stored(block) => Some(block),
            Self::Marks(_) | Self::BuiltIn(_) | Self::Nothing => None,
        }
    }
}

impl<'s> Provider<'s> {
    /// Builds the shape of a block from the JSON of its schema.
    fn build(&self, text: Raw<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
        let schema = source::schema(text, self.source.is_specification, arena)?;
        read::block(Value::Object(read::member(schema, "block")?), arena).inside("block")
    }
}

/// The way in which the name of a provider matches the one that is looked up. A better match is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ProviderMatch {
    /// The names are equal.
    Exact,
    /// The namespace and the type are equal; the registry differs.
    OtherHost,
    /// The type is equal, and one of the names has no namespace.
    Type,
}

/// Returns how the name of a provider matches, or `None` if it does not. If the plan names no provider, the prefix of
/// the type name is used, as the tools do.
fn provider_match(wanted: &str, type_name: &str, known: &str) -> Option<ProviderMatch> {
    if wanted.is_empty() {
        return (provider_type(known) == type_prefix(type_name)).then_some(ProviderMatch::Type);
    }
    if wanted == known {
        return Some(ProviderMatch::Exact);
    }
    if provider_type(wanted) != provider_type(known) {
        return None;
    }
    match (namespace(wanted), namespace(known)) {
        (Some(a), Some(b)) => (a == b).then_some(ProviderMatch::OtherHost),
        _ => Some(ProviderMatch::Type),
    }
}

#[cfg(test)]
mod tests;
