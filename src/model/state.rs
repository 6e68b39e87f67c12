//! The state document: `show -json` of a state, and the single object that `state show -json` writes.
//!
//! Source: the JSON output format, versions 0.1 to 1.x. Remote states have the root module at the top level, where
//! OpenTofu calls it `root`.

use serde::{Deserialize, Deserializer, Serialize};

use super::ResourceMode;
use crate::json::{Pairs, Raw, Str};

/// A state, in any of the forms in which the tools write it as JSON.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct StateDocument<'a> {
    /// The version of the format. Remote states call it `state_format_version`.
    #[serde(borrow, alias = "state_format_version")]
    pub format_version: Str<'a>,
    /// The version of the tool that wrote the state last.
    pub terraform_version: Str<'a>,
    /// The objects and outputs; `None` for an empty state, and in the forms that have them elsewhere.
    pub values: Option<State<'a>>,
    /// The objects, in remote states and in test messages.
    #[serde(alias = "root", skip_serializing)]
    pub root_module: Option<Module<'a>>,
    /// The only object, in the output of `state show -json`.
    #[serde(
        rename = "resource",
        deserialize_with = "only_resource",
        skip_serializing
    )]
    pub only: Option<Module<'a>>,
    /// The outputs, in remote states and in test messages.
    #[serde(alias = "root_module_outputs")]
    pub outputs: Pairs<'a, Output<'a>>,
    /// The schemas of the providers, in remote states and in test messages.
    pub provider_schemas: Option<Raw<'a>>,
}

impl<'a> StateDocument<'a> {
    /// Returns the provider of each object, with repetitions.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.root().into_iter().flat_map(Module::providers)
    }

    /// Returns the root module; `None` for an empty state.
    pub fn root(&self) -> Option<&Module<'a>> {
        let values = self.values.as_ref().map(|values| &values.root_module);
        values.or(self.root_module.as_ref()).or(self.only.as_ref())
    }

    /// Returns the outputs, in whatever form the document has them.
    pub fn all_outputs(&self) -> &Pairs<'a, Output<'a>> {
        self.values
            .as_ref()
            .map_or(&self.outputs, |values| &values.outputs)
    }
}

/// Reads the object of `state show -json`. It is written without an address if the command fails.
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

/// The objects and outputs of a state.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct State<'a> {
    /// The outputs of the root module, by name.
    #[serde(borrow)]
    pub outputs: Pairs<'a, Output<'a>>,
    /// The root module, with the modules that it calls.
    pub root_module: Module<'a>,
}

/// The objects of a module instance.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Module<'a> {
    /// The absolute address; empty for the root module.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The resource instance objects of the module, without those of its child modules.
    pub resources: Vec<Resource<'a>>,
    /// The instances of the modules that this one calls.
    pub child_modules: Vec<Self>,
}

impl Module<'_> {
    /// Returns the provider of each object in the module and the modules below it, with repetitions.
    pub fn providers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        let direct = self
            .resources
            .iter()
            .map(|resource| &*resource.provider_name);
        Box::new(direct.chain(self.child_modules.iter().flat_map(Module::providers)))
    }
}

/// A resource instance object.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Resource<'a> {
    /// The absolute address.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The mode: a managed resource, a data source or another kind.
    pub mode: ResourceMode<'a>,
    /// The resource type.
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    /// The name of the resource in its module.
    pub name: Str<'a>,
    /// The source address of the provider.
    pub provider_name: Str<'a>,
    /// The attributes and blocks.
    pub values: Option<Raw<'a>>,
    /// The marks of the sensitive parts of the values: `true`, or a tree with `true` at such parts.
    pub sensitive_values: Option<Raw<'a>>,
    /// Whether the object is tainted, so that the next apply replaces it.
    pub tainted: bool,
    /// The deposed key; empty for the current object.
    pub deposed_key: Str<'a>,
    /// The addresses of the resources that it depends on, without instance keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<Str<'a>>,
}

/// The value of an output.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Output<'a> {
    /// The value.
    #[serde(borrow)]
    pub value: Option<Raw<'a>>,
    /// The type, in the JSON encoding of cty; `None` in older formats.
    #[serde(rename = "type")]
    pub kind: Option<Raw<'a>>,
    /// Whether the output is sensitive.
    pub sensitive: bool,
}
