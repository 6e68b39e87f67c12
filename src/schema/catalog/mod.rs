//! Complete schemas: every kind of schema, with descriptions, flags and deprecations.
//!
//! This is the model of `tfview schema`, separate from [`super::Schemas`], which builds only what the
//! differ needs. Sources: `providers schema -json` and the Provider Code Specification.
//!
//! Invariants: adding a file only indexes it (provider, kind, name, text); [`Entry::schema`] parses a
//! schema on demand. If several sources have a schema with the same provider, kind and name, the first one
//! is kept.

mod member;
mod provider_schemas;
mod types;

use std::collections::HashSet;

use bumpalo::Bump;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Error;
use super::document::{self, ProviderSource};
use super::provider_name::last;
use crate::json::{Raw, Str};

pub use member::{About, Body, Form, Function, Member, Parameter, Schema, Usage};
pub use types::Type;

/// The kind of object that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SchemaKind {
    /// The provider's own configuration.
    Provider,
    /// A managed resource type.
    Resource,
    /// A data source.
    #[serde(rename = "data")]
    DataSource,
    /// An ephemeral resource type.
    #[serde(rename = "ephemeral")]
    EphemeralResource,
    /// A list resource type (Terraform 1.14 and later).
    #[serde(rename = "list")]
    ListResource,
    /// An action type (Terraform 1.14 and later).
    Action,
    /// A function of a provider.
    Function,
    /// The identity of a resource type (Terraform 1.12 and later).
    Identity,
    /// A state store (Terraform 1.15 and later).
    StateStore,
}

impl SchemaKind {
    /// All kinds, in display order.
    pub const ALL: [Self; 9] = [
        Self::Provider,
        Self::Resource,
        Self::DataSource,
        Self::EphemeralResource,
        Self::ListResource,
        Self::Action,
        Self::Function,
        Self::Identity,
        Self::StateStore,
    ];

    /// The name of the kind on the command line and in output, the member of a provider's schemas that contains it, and
    /// the nouns for one schema and for several.
    fn names(self) -> [&'static str; 4] {
        match self {
            Self::Provider => ["provider", "provider", "provider", "providers"],
            Self::Resource => ["resource", "resource_schemas", "resource", "resources"],
            Self::DataSource => ["data", "data_source_schemas", "data source", "data sources"],
            Self::EphemeralResource => {
                ["ephemeral", "ephemeral_resource_schemas", "ephemeral resource", "ephemeral resources"]
            }
            Self::ListResource => ["list", "list_resource_schemas", "list resource", "list resources"],
            Self::Action => ["action", "action_schemas", "action", "actions"],
            Self::Function => ["function", "functions", "function", "functions"],
            Self::Identity => ["identity", "resource_identity_schemas", "identity", "identities"],
            Self::StateStore => ["state_store", "state_store_schemas", "state store", "state stores"],
        }
    }

    /// The name of the kind on the command line and in output.
    pub fn word(self) -> &'static str {
        self.names()[0]
    }

    /// The member of a provider's schemas that contains this kind.
    pub fn member(self) -> &'static str {
        self.names()[1]
    }

    /// The resource mode of this kind, or `action`; `None` for what is not a type of objects.
    pub fn mode(self) -> Option<&'static str> {
        match self {
            Self::Resource => Some("managed"),
            Self::DataSource | Self::EphemeralResource | Self::Action => Some(self.word()),
            Self::Provider | Self::ListResource | Self::Function | Self::Identity | Self::StateStore => None,
        }
    }

    /// The kind for a resource mode, or `action`; documents may omit `managed`.
    pub fn from_mode(mode: &str) -> Option<Self> {
        let mode = if mode.is_empty() { "managed" } else { mode };
        Self::ALL.into_iter().find(|kind| kind.mode() == Some(mode))
    }

    /// The noun for `count` schemas of this kind.
    pub fn noun(self, count: usize) -> &'static str {
        self.names()[if count == 1 { 2 } else { 3 }]
    }

    pub(super) fn from_member(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.member() == name)
    }
}

/// The schemas of several files.
#[derive(Debug, Default)]
pub struct Catalog<'a> {
    entries: Vec<Entry<'a>>,
    seen: HashSet<(String, SchemaKind, String)>,
    unknown: Vec<String>,
}

/// One schema, not parsed yet.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The provider's source address, or its name in a specification.
    pub provider: Str<'a>,
    /// The kind of object that the schema describes.
    pub kind: SchemaKind,
    /// The name of the type or function; for a provider's own configuration, the name of the provider.
    pub name: Str<'a>,
    raw: Raw<'a>,
    /// Whether it comes from a Provider Code Specification.
    pub is_of_specification: bool,
}

impl<'a> Catalog<'a> {
    /// An empty catalog.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file: provider schemas, a document that contains them, or a specification.
    ///
    /// # Errors
    /// If the text is not JSON, is another kind of document, or has a newer major version. Errors inside a
    /// schema are found by [`Entry::schema`].
    pub fn add(&mut self, text: &'a str) -> Result<(), Error> {
        for ProviderSource { name: provider, is_specification, kinds } in document::read(text)? {
            self.unknown.extend(kinds.unknown.iter().map(|member| format!("{provider}.{member}")));
            for (kind, named) in kinds.known {
                for (name, raw) in named.0 {
                    let is_own = kind == SchemaKind::Provider;
                    let name = if is_own { Str::from(last(&provider).to_owned()) } else { name };
                    if self.seen.insert((provider.to_string(), kind, name.to_string())) {
                        let (provider, is_of_specification) = (provider.clone(), is_specification);
                        self.entries.push(Entry { provider, kind, name, raw, is_of_specification });
                    }
                }
            }
        }
        Ok(())
    }

    /// All schemas, sorted by provider, kind and name.
    pub fn into_entries(mut self) -> Vec<Entry<'a>> {
        crate::sort::by(&mut self.entries, |a, b| {
            (&*a.provider, a.kind, &*a.name).cmp(&(&*b.provider, b.kind, &*b.name))
        });
        self.entries
    }

    /// Members of providers that are not a known kind of schema, as `PROVIDER.MEMBER`.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }
}

impl<'a> Entry<'a> {
    /// Parses the schema.
    ///
    /// # Errors
    /// If the schema does not conform to its format; the error has the path.
    pub fn schema(&self, arena: &'a Bump) -> Result<Schema<'a>, Error> {
        let value = document::schema(self.raw, self.is_of_specification, arena);
        let schema = value.and_then(|value| provider_schemas::schema(self.kind, value));
        schema.map_err(|error| error.inside(&self.name).inside(self.kind.member()).inside(&self.provider))
    }

    /// The JSON text of the schema, as in the source.
    pub fn text(&self) -> &'a str {
        self.raw.text()
    }
}
