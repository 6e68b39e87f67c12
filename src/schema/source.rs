//! Reads documents with schemas, recognizes documents that users mistake for them, and parses the JSON of a schema.
//!
//! Redacted remote plans contain the object of `providers schema -json` as `provider_schemas`. In a specification, the
//! provider's `name` is the last part of its source address, and resource `r` of provider `p` is the type `p_r`.
//!
//! Invariants: reading a document only indexes the texts of its schemas. Nothing is guessed: an unknown nesting mode or
//! type is an error with its path; members that are not needed are ignored.

use std::collections::BTreeMap;
use std::fmt;

use bumpalo::Bump;
use serde::Deserialize;
use serde::de::{self, IgnoredAny, MapAccess, Visitor};

use super::kind::SchemaKind;
use super::{Error, Inside as _, specification};
use crate::json::{self, Pairs, Raw, Str, Value};

/// A provider in a document, with the texts of its schemas.
#[derive(Debug)]
pub(super) struct ProviderSource<'s> {
    pub(super) name: Str<'s>,
    pub(super) is_specification: bool,
    pub(super) kinds: Kinds<'s>,
}

/// The texts of the schemas of a provider, by kind and name. The schema of the provider's own configuration has an
/// empty name.
#[derive(Debug, Default)]
pub(super) struct Kinds<'s> {
    /// The schemas of the known kinds, each kind at most once.
    pub(super) known: Vec<(SchemaKind, Pairs<'s, Raw<'s>>)>,
    /// The names of the members that are not a known kind.
    pub(super) unknown: Vec<Str<'s>>,
}

impl<'s> Kinds<'s> {
    pub(super) fn get(&self, kind: SchemaKind, name: &str) -> Option<Raw<'s>> {
        self.known
            .iter()
            .find(|(known, _)| *known == kind)?
            .1
            .get(name)
            .copied()
    }
}

/// Wraps the schema of a provider's own configuration as the schemas of a kind.
fn of_provider(schema: Raw<'_>) -> (SchemaKind, Pairs<'_, Raw<'_>>) {
    (
        SchemaKind::Provider,
        Pairs(BTreeMap::from([(Str::default(), schema)])),
    )
}

impl<'de: 's, 's> Deserialize<'de> for Kinds<'s> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// The visitor that reads the members of a provider, each of which has the schemas of a kind.
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Kinds<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut kinds = Kinds::default();
                while let Some(name) = map.next_key::<Str<'de>>()? {
                    let Some(kind) = SchemaKind::from_member(&name) else {
                        map.next_value::<IgnoredAny>()?;
                        kinds.unknown.push(name);
                        continue;
                    };
                    if kinds.known.iter().any(|(known, _)| *known == kind) {
                        return Err(de::Error::duplicate_field(kind.member()));
                    }
                    kinds.known.extend(if kind == SchemaKind::Provider {
                        map.next_value::<Option<Raw<'de>>>()?.map(of_provider)
                    } else {
                        map.next_value::<Option<Pairs<'de, Raw<'de>>>>()?
                            .map(|named| (kind, named))
                    });
                }
                Ok(kinds)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Reads a document with schemas. If it has none, the error says what the document is.
pub(super) fn read(text: &str) -> Result<Vec<ProviderSource<'_>>, Error> {
    if !text.trim_start().starts_with('{') {
        json::from_str::<IgnoredAny>(text)?;
        return Err(Error::NotASchema("a JSON document that is no object"));
    }
    let document: Document<'_> = json::from_str(text)?;
    if let Some(schemas) = document.provider_schemas {
        let version = document.provider_format_version.or(document.format_version);
        // The version of a plan or state does not apply to the schemas in it.
        let carried = document.resource_changes.is_some() || document.root_module.is_some();
        check_version(if carried {
            document.provider_format_version
        } else {
            version
        })?;
        return providers(schemas);
    }
    if let Some(provider) = document.provider.filter(|_| document.is_specification()) {
        return specified(provider, document.resources, document.datasources).map(|one| vec![one]);
    }
    match document.likely_kind() {
        // `providers schema -json` writes this if no provider is used.
        None if document.format_version.is_some() => {
            check_version(document.format_version).map(|()| Vec::new())
        }
        None => Err(Error::NotASchema("some other JSON document")),
        Some(other) => Err(Error::NotASchema(other)),
    }
}

/// Reads the object `provider_schemas`: the schemas by provider.
pub(super) fn providers(schemas: Raw<'_>) -> Result<Vec<ProviderSource<'_>>, Error> {
    let providers = schemas
        .read()
        .map_err(Error::from)
        .inside("provider_schemas")?;
    let providers: Pairs<'_, Option<Kinds<'_>>> = providers;
    let source = |(name, kinds): (_, Option<_>)| ProviderSource {
        name,
        is_specification: false,
        kinds: kinds.unwrap_or_default(),
    };
    Ok(providers.0.into_iter().map(source).collect())
}

/// Reads a specification, which has the schemas of one provider.
fn specified<'s>(
    provider: Raw<'s>,
    resources: Option<Raw<'s>>,
    datasources: Option<Raw<'s>>,
) -> Result<ProviderSource<'s>, Error> {
    /// The provider of a specification.
    #[derive(Deserialize)]
    struct Named<'s> {
        #[serde(borrow)]
        name: Str<'s>,
        #[serde(borrow, default)]
        schema: Option<Raw<'s>>,
    }
    let provider: Named<'s> = provider.read().map_err(Error::from).inside("provider")?;
    let mut known: Vec<_> = provider.schema.map(of_provider).into_iter().collect();
    for (kind, list, part) in [
        (SchemaKind::Resource, "resources", resources),
        (SchemaKind::DataSource, "datasources", datasources),
    ] {
        let Some(part) = part else { continue };
        let all: Vec<Named<'s>> = part.read().map_err(Error::from).inside(list)?;
        // Of entries with the same name the last one wins.
        let mut named = BTreeMap::new();
        for Named { name, schema } in all {
            let schema =
                schema.ok_or_else(|| Error::shape("has no `schema`").inside(&name).inside(list))?;
            named.insert(Str::from(format!("{}_{name}", provider.name)), schema);
        }
        known.push((kind, Pairs(named)));
    }
    let kinds = Kinds {
        known,
        unknown: Vec::new(),
    };
    Ok(ProviderSource {
        name: provider.name,
        is_specification: true,
        kinds,
    })
}

/// Parses the text of a schema, in the form of `providers schema -json`. A specification is translated into it.
pub(super) fn schema<'s>(
    text: Raw<'s>,
    is_specification: bool,
    arena: &'s Bump,
) -> Result<Value<'s>, Error> {
    let value = text.value(arena)?;
    if is_specification {
        specification::translated(value, arena)
    } else {
        Ok(value)
    }
}

/// The members of a document that say whether it has schemas, or what it is otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    /// The version of a document of schemas, of a plan or of a state.
    #[serde(borrow)]
    format_version: Option<Raw<'s>>,
    /// The version of the schemas in a redacted plan.
    provider_format_version: Option<Raw<'s>>,
    /// The schemas by provider.
    provider_schemas: Option<Raw<'s>>,
    /// The provider, in a specification.
    provider: Option<Raw<'s>>,
    /// The version, in a specification and in a raw state.
    version: Option<Raw<'s>>,
    /// The resources, in a specification.
    resources: Option<Raw<'s>>,
    /// The data sources, in a specification.
    datasources: Option<Raw<'s>>,
    // These are members of documents that users mistake for schemas.
    /// The changes, in a plan.
    resource_changes: Option<Raw<'s>>,
    /// The planned values, in a plan.
    planned_values: Option<Raw<'s>>,
    /// The values, in a state.
    values: Option<Raw<'s>>,
    /// The root module, in the values of a state or plan.
    root_module: Option<Raw<'s>>,
    /// The release of the tool, in a plan, state or raw state.
    terraform_version: Option<Raw<'s>>,
    /// The level, in a message of a run.
    #[serde(borrow, rename = "@level")]
    level: Option<Raw<'s>>,
}

impl Document<'_> {
    /// Whether the document is a specification. No other document has a provider and a version or types, but no
    /// `format_version`.
    fn is_specification(&self) -> bool {
        self.format_version.is_none()
            && (self.version.is_some() || self.resources.is_some() || self.datasources.is_some())
    }

    /// Returns in words what a document without schemas is likely to be.
    fn likely_kind(&self) -> Option<&'static str> {
        let is_of_tool = self.terraform_version.is_some();
        let kinds = [
            (
                self.resource_changes.or(self.planned_values).is_some(),
                "a plan without provider schemas",
            ),
            (
                self.values.or(self.root_module).is_some(),
                "a state without provider schemas",
            ),
            (is_of_tool && self.version.is_some(), "a raw state file"),
            (is_of_tool, "a plan or state without provider schemas"),
            (self.level.is_some(), "a log of messages"),
        ];
        kinds
            .into_iter()
            .find(|(is_it, _)| *is_it)
            .map(|(_, kind)| kind)
    }
}

/// Checks that the format version is supported. Newer minor versions are, because they are backward compatible.
fn check_version(version: Option<Raw<'_>>) -> Result<(), Error> {
    let Some(version) = version else {
        return Ok(());
    };
    let text = version.text().trim_matches('"');
    match text
        .split('.')
        .next()
        .and_then(|major| major.parse::<u64>().ok())
    {
        Some(0 | 1) | None => Ok(()),
        Some(_) => Err(Error::Version(text.to_owned())),
    }
}
