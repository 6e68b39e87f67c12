//! The state document (`show -json` of a state), and the one object that `state show -json` writes.
//!
//! Source: the JSON output format, versions 0.1 to 1.x. Remote states have the root module at the top level, where
//! OpenTofu calls it `root`.

use serde::{Deserialize, Deserializer, Serialize};

use super::ResourceMode;
use crate::json::{Pairs, Raw, Str};

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct StateDocument<'a> {
    /// Remote states call it `state_format_version`.
    #[serde(borrow, alias = "state_format_version")]
    pub format_version: Str<'a>,
    pub terraform_version: Str<'a>,
    /// Absent for an empty state.
    pub values: Option<State<'a>>,
    /// In remote states and in test messages.
    #[serde(alias = "root", skip_serializing)]
    pub root_module: Option<Module<'a>>,
    /// The only object, in the output of `state show -json`.
    #[serde(
        rename = "resource",
        deserialize_with = "only_resource",
        skip_serializing
    )]
    pub only: Option<Module<'a>>,
    /// In remote states and in test messages.
    #[serde(alias = "root_module_outputs")]
    pub outputs: Pairs<'a, Output<'a>>,
    /// In remote states and in test messages.
    pub provider_schemas: Option<Raw<'a>>,
}

impl<'a> StateDocument<'a> {
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.root().into_iter().flat_map(Module::providers)
    }

    /// `None` for an empty state.
    pub fn root(&self) -> Option<&Module<'a>> {
        let values = self.values.as_ref().map(|values| &values.root_module);
        values.or(self.root_module.as_ref()).or(self.only.as_ref())
    }

    pub fn all_outputs(&self) -> &Pairs<'a, Output<'a>> {
        self.values
            .as_ref()
            .map_or(&self.outputs, |values| &values.outputs)
    }
}

/// `state show -json` writes an object without an address if it fails.
fn only_resource<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Module<'a>>, D::Error> {
    let resource = Option::<Resource<'a>>::deserialize(deserializer)?;
    let resource = resource.filter(|resource| !resource.address.is_empty());
    Ok(resource.map(|resource| Module {
        resources: vec![resource],
        ..Module::default()
    }))
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct State<'a> {
    #[serde(borrow)]
    pub outputs: Pairs<'a, Output<'a>>,
    pub root_module: Module<'a>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Module<'a> {
    /// Empty for the root module.
    #[serde(borrow)]
    pub address: Str<'a>,
    pub resources: Vec<Resource<'a>>,
    pub child_modules: Vec<Self>,
}

impl Module<'_> {
    pub fn providers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        let own = self
            .resources
            .iter()
            .map(|resource| &*resource.provider_name);
        Box::new(own.chain(self.child_modules.iter().flat_map(Module::providers)))
    }
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Resource<'a> {
    #[serde(borrow)]
    pub address: Str<'a>,
    pub mode: ResourceMode<'a>,
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    pub name: Str<'a>,
    pub provider_name: Str<'a>,
    pub values: Option<Raw<'a>>,
    pub sensitive_values: Option<Raw<'a>>,
    pub tainted: bool,
    /// Empty for the current object.
    pub deposed_key: Str<'a>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Output<'a> {
    #[serde(borrow)]
    pub value: Option<Raw<'a>>,
    /// In cty's JSON encoding; absent in older formats.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    pub sensitive: bool,
}
