//! The schemas at hand, by provider, kind and type.
//!
//! Source: the JSON output format (`providers schema -json`); redacted remote plans hold the same
//! object as `provider_schemas`. Reading a file indexes it: provider → kind → type → text. A type's
//! shape is only built when it is asked for, once, so that types which a plan does not use cost a
//! skip over their text.
//!
//! Several sources merge: a type is looked for first under the provider's exact source address, then
//! under the same namespace and type of another registry, then by the provider's type alone where
//! one of the two has no more than that (plans of Terraform 0.12; specifications). Among equals the
//! source that was added first wins.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;
use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::specification::Specification;
use super::{Block, Error, build};
use crate::json::{self, Pairs, Raw, Str, Value};

/// The schemas at hand. See the module for how a type is found.
#[derive(Debug, Default)]
pub struct Schemas<'s> {
    providers: Vec<Provider<'s>>,
    /// The places of the providers by their names, and by the last part of them.
    by_name: HashMap<String, Vec<usize>>,
    by_last: HashMap<String, Vec<usize>>,
    /// What was built, by the address of its text: a text stands for one type of one provider.
    built: Mutex<FxHashMap<usize, Block<'s>>>,
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

/// So many providers of the same last name are looked at for a type. There are no more than a few
/// registries; a document that names a hundred thousand would have each of its types sought in all.
const MOST_ALIKE: usize = 100;

/// What kind of object a type is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Managed,
    Data,
    Ephemeral,
    Action,
}

impl Kind {
    /// The kind of a resource's mode; documents leave `managed` out.
    pub(super) fn from_mode(mode: &str) -> Option<Self> {
        match mode {
            "managed" | "" => Some(Self::Managed),
            "data" => Some(Self::Data),
            "ephemeral" => Some(Self::Ephemeral),
            _ => None,
        }
    }

    /// The member that holds the kind's schemas.
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
    fn of(&self, kind: Kind) -> &Pairs<'s, Raw<'s>> {
        match kind {
            Kind::Managed => &self.resource_schemas,
            Kind::Data => &self.data_source_schemas,
            Kind::Ephemeral => &self.ephemeral_resource_schemas,
            Kind::Action => &self.action_schemas,
        }
    }
}

/// The members by which a document is recognised. What is not looked into stays text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    #[serde(borrow)]
    format_version: Option<Raw<'s>>,
    #[serde(borrow)]
    provider_format_version: Option<Raw<'s>>,
    #[serde(borrow)]
    provider_schemas: Option<Raw<'s>>,
    // A Provider Code Specification:
    #[serde(borrow)]
    provider: Option<Raw<'s>>,
    #[serde(borrow)]
    version: Option<Raw<'s>>,
    #[serde(borrow)]
    resources: Option<Raw<'s>>,
    #[serde(borrow)]
    datasources: Option<Raw<'s>>,
    // Documents that people take for a schema:
    #[serde(borrow)]
    resource_changes: Option<Raw<'s>>,
    #[serde(borrow)]
    planned_values: Option<Raw<'s>>,
    #[serde(borrow)]
    values: Option<Raw<'s>>,
    #[serde(borrow)]
    root_module: Option<Raw<'s>>,
    #[serde(borrow)]
    terraform_version: Option<Raw<'s>>,
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'s>>,
}

impl<'s> Schemas<'s> {
    /// No schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether no provider is known at all.
    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// Notes that schemas were kept from earlier: they may be of another version of the provider than the
    /// plan is, so that what they do not know is treated as without a schema.
    pub fn set_cached(&mut self) {
        self.cached = true;
    }

    /// Whether the schemas may be of another version of the provider.
    pub fn is_cached(&self) -> bool {
        self.cached
    }

    /// Adds a file: provider schemas, a document that carries them, or a specification.
    ///
    /// # Errors
    /// The text is not JSON, is something else, or of a newer major version. Faults inside a type's
    /// schema are found when the type is asked for.
    pub fn add(&mut self, text: &'s str) -> Result<(), Error> {
        if !text.trim_start().starts_with('{') {
            json::from_str::<serde::de::IgnoredAny>(text)?;
            return Err(Error::NotASchema("a JSON document that is no object"));
        }
        let document: Document<'s> = json::from_str(text)?;
        if let Some(schemas) = document.provider_schemas {
            let own = document.provider_format_version.or(document.format_version);
            // A plan's or state's own version says nothing about the schemas that it carries.
            let carried = document.resource_changes.is_some() || document.root_module.is_some();
            check_version(if carried { document.provider_format_version } else { own })?;
            return self.add_provider_schemas(schemas);
        }
        if let Some(provider) = document.provider.filter(|_| document.is_specification()) {
            let found = Specification::read(provider, document.resources, document.datasources)?;
            self.push(Provider { name: found.provider.clone(), types: Types::Specification(found) });
            return Ok(());
        }
        match document.looks_like() {
            // What `providers schema -json` writes where no provider is used.
            None if document.format_version.is_some() => check_version(document.format_version),
            None => Err(Error::NotASchema("some other JSON document")),
            Some(other) => Err(Error::NotASchema(other)),
        }
    }

    /// Adds the object that a document carries as `provider_schemas`.
    ///
    /// # Errors
    /// The object's outer form is not that of provider schemas.
    pub fn add_provider_schemas(&mut self, schemas: Raw<'s>) -> Result<(), Error> {
        let wrong = |error: json::Error| Error::from(error).inside("provider_schemas");
        let providers: Pairs<'s, Option<ProviderDocument<'s>>> = schemas.read().map_err(wrong)?;
        for (name, document) in providers.into_pairs() {
            let types = Types::Schemas(document.unwrap_or_default());
            self.push(Provider { name, types });
        }
        Ok(())
    }

    /// How many providers were added.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Removes the providers that were added after the first `count`: the work is theirs alone, however many
    /// there are before them.
    pub fn truncate(&mut self, count: usize) {
        self.cached = false;
        while self.providers.len() > count
            && let Some(provider) = self.providers.pop()
        {
            let place = self.providers.len();
            for places in [self.by_name.get_mut(&*provider.name), self.by_last.get_mut(last(&provider.name))]
            {
                // Places are in order, so this one is the last, if it is there.
                places.and_then(|places| places.pop_if(|last| *last == place));
            }
        }
    }

    fn push(&mut self, provider: Provider<'s>) {
        let place = self.providers.len();
        self.by_name.entry(provider.name.to_string()).or_default().push(place);
        let alike = self.by_last.entry(last(&provider.name).to_owned()).or_default();
        if alike.len() < MOST_ALIKE {
            alike.push(place);
        }
        self.providers.push(provider);
    }

    /// The providers that a type may be of: those of the very name first.
    fn candidates(&self, provider_name: &str, type_name: &str) -> impl Iterator<Item = &Provider<'s>> {
        let last = if provider_name.is_empty() { prefix(type_name) } else { last(provider_name) };
        let exact = self.by_name.get(provider_name).into_iter().flatten();
        exact.chain(self.by_last.get(last).into_iter().flatten()).filter_map(|at| self.providers.get(*at))
    }

    /// The shape of a resource type. `mode` is `managed` (as is none), `data` or `ephemeral`; `None` if no source
    /// knows the type.
    ///
    /// # Errors
    /// The type's schema is not what the format says.
    pub fn resource(
        &self,
        provider_name: &str,
        mode: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let Some(kind) = Kind::from_mode(mode) else { return Ok(None) };
        self.find(provider_name, kind, type_name, arena)
    }

    /// The shape of an action's configuration (Terraform 1.14 and later).
    ///
    /// # Errors
    /// The type's schema is not what the format says.
    pub fn action(
        &self,
        provider_name: &str,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        self.find(provider_name, Kind::Action, type_name, arena)
    }

    fn find(
        &self,
        provider_name: &str,
        kind: Kind,
        type_name: &str,
        arena: &'s Bump,
    ) -> Result<Option<Block<'s>>, Error> {
        let mut best: Option<(Likeness, &Provider<'s>, Raw<'s>)> = None;
        for provider in self.candidates(provider_name, type_name) {
            let Some(likeness) = likeness(provider_name, type_name, &provider.name) else { continue };
            if best.as_ref().is_some_and(|(best, ..)| *best <= likeness) {
                continue;
            }
            let text = match &provider.types {
                Types::Schemas(document) => document.of(kind).get(type_name).copied(),
                Types::Specification(found) => found.schema(kind, type_name),
            };
            if let Some(text) = text {
                best = Some((likeness, provider, text));
                if likeness == Likeness::Exact {
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

    fn cache(&self) -> std::sync::MutexGuard<'_, FxHashMap<usize, Block<'s>>> {
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

/// The shape that a type's schema describes.
pub(super) fn block_of<'s>(schema: Value<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    let block = build::member(schema, "block")?;
    build::block(Value::Object(block), arena).map_err(|error| error.inside("block"))
}

impl Document<'_> {
    /// A specification has a provider with a name beside a version and types; nothing else has.
    fn is_specification(&self) -> bool {
        self.format_version.is_none()
            && (self.version.is_some() || self.resources.is_some() || self.datasources.is_some())
    }

    /// What a document is that holds no schemas.
    fn looks_like(&self) -> Option<&'static str> {
        if self.resource_changes.is_some() || self.planned_values.is_some() {
            Some("a plan without provider schemas")
        } else if self.values.is_some() || self.root_module.is_some() {
            Some("a state without provider schemas")
        } else if self.terraform_version.is_some() && self.version.is_some() {
            Some("a raw state file")
        } else if self.terraform_version.is_some() {
            Some("a plan or state without provider schemas")
        } else if self.level.is_some() {
            Some("a log of messages")
        } else {
            None
        }
    }
}

/// Newer minor versions add, newer major ones change: only the latter are refused.
fn check_version(version: Option<Raw<'_>>) -> Result<(), Error> {
    let Some(version) = version else { return Ok(()) };
    let text = version.text().trim_matches('"');
    match text.split('.').next().and_then(|major| major.parse::<u64>().ok()) {
        Some(0 | 1) | None => Ok(()),
        Some(_) => Err(Error::Version(text.to_owned())),
    }
}

/// How sure it is that two names mean the same provider; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Exact,
    /// The same namespace and type of another registry.
    OtherHost,
    /// One of them says no more than the type.
    Type,
}

/// Compares a plan's provider with a source's. A plan that names none means, as the tools do, the
/// provider that the type's name begins with.
fn likeness(wanted: &str, type_name: &str, known: &str) -> Option<Likeness> {
    if wanted.is_empty() {
        return (last(known) == prefix(type_name)).then_some(Likeness::Type);
    }
    if wanted == known {
        return Some(Likeness::Exact);
    }
    if last(wanted) != last(known) {
        return None;
    }
    match (namespace(wanted), namespace(known)) {
        (Some(a), Some(b)) => (a == b).then_some(Likeness::OtherHost),
        _ => Some(Likeness::Type),
    }
}

/// The provider that a type's name begins with.
pub(super) fn prefix(type_name: &str) -> &str {
    type_name.split('_').next().unwrap_or_default()
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The namespace of a source address. `-` is that of providers which Terraform 0.12 left without one.
fn namespace(name: &str) -> Option<&str> {
    name.rsplit('/').nth(1).filter(|namespace| *namespace != "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_match_by_address_then_by_namespace_then_by_type() {
        let aws = "registry.terraform.io/hashicorp/aws";
        for (wanted, known, expected) in [
            (aws, aws, Some(Likeness::Exact)),
            ("registry.opentofu.org/hashicorp/aws", aws, Some(Likeness::OtherHost)),
            ("hashicorp/aws", aws, Some(Likeness::OtherHost)),
            ("aws", aws, Some(Likeness::Type)),
            ("registry.terraform.io/-/aws", aws, Some(Likeness::Type)),
            (aws, "aws", Some(Likeness::Type)),
            ("", aws, Some(Likeness::Type)),
            ("registry.terraform.io/other/aws", aws, None),
            ("google", aws, None),
        ] {
            assert_eq!(likeness(wanted, "aws_vpc", known), expected, "{wanted} for {known}");
        }
    }
}
