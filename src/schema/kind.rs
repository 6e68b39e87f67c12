//! The kinds of schemas, and their names in documents and in output.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The kind of object that a schema describes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize, VariantArray,
)]
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
    /// All kinds of schemas, in the order of documents.
    pub const ALL: [Self; 9] = *Self::VARIANTS.as_array().expect("the number of variants");

    /// Returns the name in output, the member of a provider's schemas, and the nouns for one schema and for several.
    fn names(self) -> [&'static str; 4] {
        match self {
            Self::Provider => ["provider", "provider", "provider", "providers"],
            Self::Resource => ["resource", "resource_schemas", "resource", "resources"],
            Self::DataSource => ["data", "data_source_schemas", "data source", "data sources"],
            Self::EphemeralResource => [
                "ephemeral",
                "ephemeral_resource_schemas",
                "ephemeral resource",
                "ephemeral resources",
            ],
            Self::ListResource => [
                "list",
                "list_resource_schemas",
                "list resource",
                "list resources",
            ],
            Self::Action => ["action", "action_schemas", "action", "actions"],
            Self::Function => ["function", "functions", "function", "functions"],
            Self::Identity => [
                "identity",
                "resource_identity_schemas",
                "identity",
                "identities",
            ],
            Self::StateStore => [
                "state_store",
                "state_store_schemas",
                "state store",
                "state stores",
            ],
        }
    }

    /// Returns the name in output and on the command line.
    pub fn word(self) -> &'static str {
        self.names()[0]
    }

    /// Returns the name of the member of a provider's schemas that holds those of this kind.
    pub fn member(self) -> &'static str {
        self.names()[1]
    }

    /// Returns the `mode` of resources of this kind in plans; `None` for kinds that have no resources.
    pub fn mode(self) -> Option<&'static str> {
        match self {
            Self::Resource => Some("managed"),
            Self::DataSource | Self::EphemeralResource | Self::Action => Some(self.word()),
            Self::Provider
            | Self::ListResource
            | Self::Function
            | Self::Identity
            | Self::StateStore => None,
        }
    }

    /// Returns the kind of the resources with a `mode`. An empty mode means `managed`, which documents may omit.
    pub fn from_mode(mode: &str) -> Option<Self> {
        let mode = if mode.is_empty() { "managed" } else { mode };
        Self::ALL.into_iter().find(|kind| kind.mode() == Some(mode))
    }

    /// Returns the noun for this many schemas, without the number.
    pub fn noun(self, count: usize) -> &'static str {
        self.names()[if count == 1 { 2 } else { 3 }]
    }

    /// Returns the kind that a member of a provider's schemas holds.
    pub(super) fn from_member(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.member() == name)
    }
}
