//! Converts a raw state (`terraform.tfstate`, the output of `state pull`) into the document that `show -json` writes of
//! it.
//!
//! Only version 4 of the state format is read, and no state that OpenTofu has encrypted. The values that no available
//! schema knows are marked as sensitive.
//!
//! ```text
//! {"version": 4, "resources": [{"mode": "managed", "type": "aws_vpc", "name": "main", "instances": [{"attributes": {…}}]}]}
//!
//! {"values": {"root_module": {"resources": [{"address": "aws_vpc.main", "values": {…}, "sensitive_values": {…}}]}}}
//! ```

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;
use serde::Deserialize;

use super::address::{Key, module_prefixes, provider_name, quote_key};
use super::value::{Node, Step};
use super::{Error, Knowledge, OTHER_VERSION, ObjectType, json};
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str, Value, from_str};
use crate::model::ResourceMode;
use crate::model::address::instance_address;
use crate::model::state::{self, Module, Output, State, StateDocument};
use crate::schema::{Position, Type, cty_type};

/// The only version of the format that is read.
const VERSION: u64 = 4;

/// A raw state, in the form in which backends store it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawState<'a> {
    /// The version of the format.
    version: u64,
    /// The version of the tool that wrote it, which may be either tool.
    #[serde(borrow)]
    terraform_version: Str<'a>,
    /// The outputs of the root module.
    outputs: Pairs<'a, Output<'a>>,
    /// The resources of all modules, each with its instances.
    resources: Vec<Resource<'a>>,
    /// The encrypted content; an encrypted state of OpenTofu has nothing else.
    encrypted_data: Option<Raw<'a>>,
}

/// A resource with all its objects.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resource<'a> {
    /// The address of the module instance; empty for the root module.
    #[serde(borrow)]
    module: Str<'a>,
    /// The mode, `managed` or `data`.
    mode: Str<'a>,
    /// The resource type.
    #[serde(rename = "type")]
    kind: Str<'a>,
    /// The name of the block.
    name: Str<'a>,
    /// The address of the provider, as `provider["HOST/NAMESPACE/TYPE"]`.
    provider: Str<'a>,
    /// The objects, both current and deposed ones.
    instances: Vec<Instance<'a>>,
}

/// An object of a resource: a current or a deposed one of one instance.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Instance<'a> {
    /// The instance key; `None` without `count` and `for_each`.
    index_key: Option<Key>,
    /// The address of the provider, which OpenTofu writes here if the provider's configuration has `for_each`;
    /// otherwise empty. The resource itself has none then.
    #[serde(borrow)]
    provider: Str<'a>,
    /// The status: `tainted`, or empty.
    status: Str<'a>,
    /// The key of a deposed object; empty for a current one.
    deposed: Str<'a>,
    /// The values of the object.
    attributes: Option<Raw<'a>>,
    /// The values in the form of releases before 0.12, which is not supported.
    attributes_flat: Option<Raw<'a>>,
    /// The paths of sensitive values, in addition to those that the schema marks.
    sensitive_attributes: Vec<Vec<PathStep<'a>>>,
    /// The addresses of the resources that it depends on.
    dependencies: Vec<Str<'a>>,
}

/// A step of a path to a sensitive value: `get_attr` with a name, or `index` with a key.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PathStep<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    value: Option<Raw<'a>>,
}

impl<'a> RawState<'a> {
    /// Parses a raw state without checking its version.
    ///
    /// # Errors
    /// If the text is not JSON, or does not have the form of a state.
    pub fn parse(text: &'a str) -> Result<Self, crate::json::Error> {
        from_str(text)
    }

    /// Returns the types of all objects, sorted and each once. Objects whose provider is not understood are left out.
    pub fn types(&self) -> impl Iterator<Item = ObjectType> {
        let mut types = BTreeSet::new();
        for resource in &self.resources {
            for instance in &resource.instances {
                if let Ok(provider) = provider_name(instance.provider_in(resource)) {
                    types.insert(ObjectType {
                        provider: provider.into_owned(),
                        mode: resource.mode.to_string(),
                        name: resource.kind.to_string(),
                    });
                }
            }
        }
        types.into_iter()
    }

    /// Converts the data sources of the state into the document of `show -json`, without everything else; `{}` if there
    /// are none.
    ///
    /// # Errors
    /// Those of [`Self::to_json`].
    pub(super) fn data_sources(mut self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        self.resources.retain(|resource| &*resource.mode == "data");
        self.outputs = Pairs::default();
        if self.resources.is_empty() {
            return Ok("{}".to_owned());
        }
        self.to_json(knowledge)
    }

    /// Converts the state into the document of `show -json`.
    ///
    /// # Errors
    /// If the state is encrypted or of another version, or a value, an address or a provider is malformed.
    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        if self.encrypted_data.is_some() {
            return Err(Error::encrypted());
        }
        if self.version != VERSION {
            return Err(Error::version("state", self.version, VERSION));
        }
        let texts = Bump::new();
        let kind = Some(Raw::new("\"dynamic\""));
        let outputs = self.outputs.iter().map(
            |(
                name,
                Output {
                    value,
                    kind: of,
                    sensitive,
                },
            )| {
                (
                    name.clone(),
                    Output {
                        value: *value,
                        kind: of.or(kind),
                        sensitive: *sensitive,
                    },
                )
            },
        );
        let outputs = Pairs(BTreeMap::from_iter(outputs));
        let mut root = Tree::default();
        for resource in &self.resources {
            let module = root.at(&resource.module)?;
            for instance in &resource.instances {
                module
                    .resources
                    .push(instance.to_resource(resource, knowledge, &texts)?);
            }
        }
        let values = State {
            outputs,
            root_module: root.into_module(String::new()),
        };
        let State {
            outputs,
            root_module,
        } = &values;
        let is_empty = outputs.is_empty()
            && root_module.resources.is_empty()
            && root_module.child_modules.is_empty();
        let document = StateDocument {
            format_version: Str::from("1.0"),
            terraform_version: self.terraform_version.clone(),
            values: (!is_empty).then_some(values),
            ..StateDocument::default()
        };
        json(&document).map_err(|error| error.with_subject("the state"))
    }
}

impl<'a> Instance<'a> {
    /// Returns the address of the provider's configuration: that of the instance, or else that of its resource.
    fn provider_in<'r>(&'r self, resource: &'r Resource<'a>) -> &'r str {
        if self.provider.is_empty() {
            &resource.provider
        } else {
            &self.provider
        }
    }

    /// Converts an object, together with the marks of its sensitive values and of the values that no schema knows.
    ///
    /// # Errors
    /// If it has flat attributes, or a value, a path or the provider is malformed.
    fn to_resource<'t>(
        &self,
        resource: &Resource<'a>,
        knowledge: &Knowledge<'_, '_>,
        texts: &'t Bump,
    ) -> Result<state::Resource<'t>, Error>
    where
        'a: 't,
    {
        let arena = Bump::new();
        let key = self.index_key.as_ref().map(|key| match key {
            Key::Index(index) => index.to_string(),
            Key::Text(text) => quote_key(text),
        });
        let Resource {
            module,
            mode,
            kind,
            name,
            ..
        } = resource;
        let address = instance_address(module, mode, kind, name, key.as_deref());
        let with_address = |error: Error| error.with_subject(&address);
        if self.attributes_flat.is_some() {
            let problem = format!("{address} has the flat attributes of a release before 0.12");
            return Err(Error::Unsupported {
                problem,
                tip: OTHER_VERSION,
            });
        }
        let provider = provider_name(self.provider_in(resource)).map_err(with_address)?;
        let position = knowledge
            .position(&provider, &resource.mode, &resource.kind)
            .map_err(with_address)?;
        let attributes = match self.attributes {
            Some(value) => node(value_of(value, &arena)?, position, &arena),
            None => Node::Members(&[]),
        };
        let tool = Tool::from_providers(std::iter::once(&*provider)).unwrap_or_default();
        let paths = self
            .sensitive_attributes
            .iter()
            .map(|path| path.iter().map(|one| step(one, &arena)).collect());
        let paths = paths
            .collect::<Result<Vec<Vec<Step<'_>>>, Error>>()
            .map_err(with_address)?;
        let raw = |json: &str| Some(Raw::new(texts.alloc_str(json)));
        Ok(state::Resource {
            mode: ResourceMode::new(resource.mode.clone()),
            resource_type: resource.kind.clone(),
            name: resource.name.clone(),
            provider_name: Str::from(provider.into_owned()),
            values: raw(&attributes.known()),
            sensitive_values: raw(&attributes.sensitive(position, &paths, tool)),
            tainted: &*self.status == "tainted",
            deposed_key: self.deposed.clone(),
            depends_on: self.dependencies.clone(),
            address: Str::from(address),
        })
    }
}

fn value_of<'v>(raw: Raw<'v>, arena: &'v Bump) -> Result<Value<'v>, Error> {
    raw.value(arena)
        .map_err(|error| Error::malformed("", error))
}

/// Converts a step of a path.
///
/// # Errors
/// If it has another form than those of the format.
fn step<'v>(step_of_path: &PathStep<'v>, arena: &'v Bump) -> Result<Step<'v>, Error> {
    let malformed = || {
        Error::malformed(
            "",
            "a path in `sensitive_attributes` has a step of an unknown form",
        )
    };
    let value = value_of(step_of_path.value.ok_or_else(malformed)?, arena)?;
    match (&*step_of_path.kind, value) {
        ("get_attr", Value::String(name)) => Ok(Step::Attribute(name)),
        ("index", Value::Object(_)) => Ok(Step::Element(dynamic(value, arena))),
        _ => Err(malformed()),
    }
}

/// Converts a value that is written with its type, as `{"value": …, "type": …}`; any other value is converted without a
/// type.
fn dynamic<'v>(value: Value<'v>, arena: &'v Bump) -> Node<'v> {
    if let Value::Object(members) = value
        && let [("type", of), ("value", inner)] = members.members()
    {
        return node(*inner, Position::Type(cty_type(*of, arena)), arena);
    }
    node(value, Position::Unspecified, arena)
}

/// Converts a value of the state with its type in a schema, which distinguishes sets from lists.
fn node<'v>(value: Value<'v>, position: Position<'v>, arena: &'v Bump) -> Node<'v> {
    if position.value_type() == Some(Type::Dynamic) && matches!(value, Value::Object(_)) {
        return dynamic(value, arena);
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Node::Leaf(value),
        Value::Array(items) => {
            let items = items
                .iter()
                .enumerate()
                .map(|(index, item)| node(*item, position.element(index), arena));
            let items = arena.alloc_slice_fill_iter(items.collect::<Vec<_>>());
            if position.is_set() {
                Node::Set(items)
            } else {
                Node::List(items)
            }
        }
        Value::Object(members) => {
            let members = members.members().iter();
            let members =
                members.map(|(key, member)| (*key, node(*member, position.member(key), arena)));
            Node::Members(arena.alloc_slice_fill_iter(members.collect::<Vec<_>>()))
        }
    }
}

/// A module with its resources and child modules.
#[derive(Default)]
struct Tree<'a> {
    resources: Vec<state::Resource<'a>>,
    /// The child modules by address. The tools order addresses as texts.
    children: BTreeMap<String, Self>,
}

impl<'a> Tree<'a> {
    /// Returns the module with an address; creates it and the modules around it if they are missing.
    ///
    /// # Errors
    /// If it is not the address of a module.
    fn at(&mut self, address: &str) -> Result<&mut Self, Error> {
        let mut module = self;
        for prefix in module_prefixes(address)? {
            module = module.children.entry(prefix.to_owned()).or_default();
        }
        Ok(module)
    }

    /// Converts a module and, recursively, its child modules.
    fn into_module(self, address: String) -> Module<'a> {
        let children = self
            .children
            .into_iter()
            .map(|(address, child)| child.into_module(address));
        Module {
            resources: self.resources,
            address: Str::from(address),
            child_modules: children.collect(),
        }
    }
}
