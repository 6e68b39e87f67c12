//! The state document (`show -json` of a state), and the one object that `state show -json` writes.
//!
//! Source: the JSON output format, versions 0.1 to 1.x. Remote states have the root module at the top
//! level, where OpenTofu calls it `root`.

use serde::{Deserialize, Deserializer, Serialize};

use super::ResourceMode;
use crate::json::{Pairs, Raw, Str};

/// The state document.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct StateDocument<'a> {
    /// The version of the format. Remote states call it `state_format_version`.
    #[serde(borrow, alias = "state_format_version")]
    pub format_version: Str<'a>,
    /// The version of the tool that wrote the state.
    pub terraform_version: Str<'a>,
    /// The outputs and modules; absent for an empty state.
    pub values: Option<State<'a>>,
    /// The root module, in remote states and in test messages.
    #[serde(alias = "root", skip_serializing)]
    pub root_module: Option<Module<'a>>,
    /// The only object, in the output of `state show -json`.
    #[serde(rename = "resource", deserialize_with = "only_resource", skip_serializing)]
    pub only: Option<Module<'a>>,
    /// The outputs, in remote states and in test messages.
    #[serde(alias = "root_module_outputs")]
    pub outputs: Pairs<'a, Output<'a>>,
    /// The provider schemas, in remote states and in test messages.
    pub provider_schemas: Option<Raw<'a>>,
}

impl<'a> StateDocument<'a> {
    /// The source addresses of the providers of all resources.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.root().into_iter().flat_map(Module::providers)
    }

    /// The root module; `None` for an empty state.
    pub fn root(&self) -> Option<&Module<'a>> {
        let values = self.values.as_ref().map(|values| &values.root_module);
        values.or(self.root_module.as_ref()).or(self.only.as_ref())
    }

    /// The outputs of the root module.
    pub fn all_outputs(&self) -> &Pairs<'a, Output<'a>> {
        self.values.as_ref().map_or(&self.outputs, |values| &values.outputs)
    }
}

/// A module with the only object. `state show -json` writes one without an address if it fails.
fn only_resource<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Module<'a>>, D::Error> {
    let resource = Option::<Resource<'a>>::deserialize(deserializer)?;
    let resource = resource.filter(|resource| !resource.address.is_empty());
    Ok(resource.map(|resource| Module { resources: vec![resource], ..Module::default() }))
}

/// The values of a state.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct State<'a> {
    /// The outputs of the root module.
    #[serde(borrow)]
    pub outputs: Pairs<'a, Output<'a>>,
    /// The root module.
    pub root_module: Module<'a>,
}

/// A module of a state.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Module<'a> {
    /// The address of the module; empty for the root module.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// Its resource instance objects, in display order.
    pub resources: Vec<Resource<'a>>,
    /// The modules that it calls.
    pub child_modules: Vec<Self>,
}

impl Module<'_> {
    /// The providers of this module, then those of its child modules.
    pub fn providers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        let own = self.resources.iter().map(|resource| &*resource.provider_name);
        Box::new(own.chain(self.child_modules.iter().flat_map(Module::providers)))
    }
}

/// A resource instance object of a state.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Resource<'a> {
    /// The full address.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The kind of block that declares the resource.
    pub mode: ResourceMode<'a>,
    /// The resource type.
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    /// The resource's name.
    pub name: Str<'a>,
    /// The provider's source address.
    pub provider_name: Str<'a>,
    /// The values.
    pub values: Option<Raw<'a>>,
    /// Marks with `true` the sensitive parts of the values.
    pub sensitive_values: Option<Raw<'a>>,
    /// Whether the object is tainted.
    pub tainted: bool,
    /// The deposed key; empty for the current object.
    pub deposed_key: Str<'a>,
}

/// An output of a state.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Output<'a> {
    /// The value.
    #[serde(borrow)]
    pub value: Option<Raw<'a>>,
    /// The type, in cty's JSON encoding; absent in older formats.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// Whether the value is sensitive.
    pub sensitive: bool,
}
