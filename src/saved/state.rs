//! A raw state (`terraform.tfstate`, `state pull`) as the document that `show -json` writes of it.

use std::collections::BTreeMap;

use bumpalo::Bump;
use serde::Deserialize;

use super::address::{Key, module_prefixes, quote_key};
use super::json;
use super::plan::{key_json, provider_name, raw};
use super::value::{Node, SetMarks, Step};
use super::{Error, Knowledge};
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str, Value, from_str};
use crate::schema::{Attribute, AttributeKind, Position, Type, cty_type};

/// The only version of the format that is read.
const VERSION: u64 = 4;

/// A raw state.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawState<'a> {
    version: u64,
    #[serde(borrow)]
    terraform_version: Str<'a>,
    outputs: Pairs<'a, Output<'a>>,
    resources: Vec<Resource<'a>>,
    /// An encrypted state of OpenTofu has nothing else.
    encrypted_data: Option<Raw<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow)]
    value: Option<Raw<'a>>,
    #[serde(rename = "type")]
    kind: Option<Raw<'a>>,
    sensitive: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resource<'a> {
    #[serde(borrow)]
    module: Str<'a>,
    mode: Str<'a>,
    #[serde(rename = "type")]
    kind: Str<'a>,
    name: Str<'a>,
    provider: Str<'a>,
    instances: Vec<Instance<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Instance<'a> {
    #[serde(borrow)]
    index_key: Option<Raw<'a>>,
    status: Str<'a>,
    deposed: Str<'a>,
    schema_version: u64,
    attributes: Option<Raw<'a>>,
    attributes_flat: Option<Raw<'a>>,
    sensitive_attributes: Vec<Vec<PathStep<'a>>>,
}

/// A step of a sensitive path.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PathStep<'a> {
    #[serde(borrow, rename = "type")]
    kind: Str<'a>,
    value: Option<Raw<'a>>,
}

impl<'a> RawState<'a> {
    /// Reads a raw state.
    ///
    /// # Errors
    /// If it is not in the format.
    pub fn parse(text: &'a str) -> Result<Self, crate::json::Error> {
        from_str(text)
    }

    /// The types of the objects in the state: provider, mode, type.
    pub fn types(&self) -> impl Iterator<Item = (String, String, String)> {
        self.resources.iter().filter_map(|resource| {
            let provider = provider_name(&resource.provider).ok()?;
            Some((provider, resource.mode.to_string(), resource.kind.to_string()))
        })
    }

    /// The document of `show -json`.
    ///
    /// # Errors
    /// If the state is encrypted, of another version, or holds a value that is malformed.
    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        if self.encrypted_data.is_some() {
            return Err(Error::Encrypted);
        }
        if self.version != VERSION {
            return Err(Error::Version { what: "state", version: self.version, supported: VERSION });
        }
        let mut values = json::StateValues::default();
        for (name, output) in self.outputs.iter() {
            values.outputs.insert(name.to_string(), output.to_json().map_err(|error| error.at(name))?);
        }
        let mut root = Tree::default();
        for resource in &self.resources {
            let module = root.at(&resource.module)?;
            for instance in &resource.instances {
                module.resources.push(instance.to_json(resource, knowledge)?);
            }
        }
        values.root_module = root.into_module(String::new());
        let is_empty = values.outputs.is_empty()
            && values.root_module.resources.is_empty()
            && values.root_module.child_modules.is_empty();
        let document = json::State {
            format_version: "1.0",
            terraform_version: self.terraform_version.to_string(),
            values: (!is_empty).then_some(values),
        };
        serde_json::to_string(&document).map_err(|error| Error::malformed("the state", error))
    }
}

impl<'a> Output<'a> {
    fn to_json(&self) -> Result<json::Output, Error> {
        let text = |found: Option<Raw<'a>>, otherwise: &str| {
            raw(found.map_or_else(|| otherwise.to_owned(), |found| found.text().to_owned()))
        };
        let (value, kind) = (text(self.value, "null")?, text(self.kind, "\"dynamic\"")?);
        Ok(json::Output { sensitive: self.sensitive, value, kind })
    }
}

impl<'a> Instance<'a> {
    fn to_json(
        &self,
        resource: &Resource<'a>,
        knowledge: &Knowledge<'_, '_>,
    ) -> Result<json::StateResource, Error> {
        let arena = Bump::new();
        let key = self.key(&arena)?;
        let address = address(resource, key.as_ref());
        let at = |error: Error| error.at(&address);
        if self.attributes_flat.is_some() {
            return Err(Error::FlatAttributes(address));
        }
        let provider = provider_name(&resource.provider).map_err(at)?;
        let position = knowledge.resource(&provider, &resource.mode, &resource.kind).map_err(at)?;
        let attributes = match self.attributes {
            Some(found) => node(value_of(found, &arena)?, position, &arena),
            None => Node::Members(&[]),
        };
        let sets = SetMarks::new(Tool::from_providers(std::iter::once(&*provider)).unwrap_or_default());
        let paths =
            self.sensitive_attributes.iter().map(|path| path.iter().map(|one| step(one, &arena)).collect());
        let paths = paths.collect::<Result<Vec<Vec<Step<'_>>>, Error>>().map_err(at)?;
        Ok(json::StateResource {
            mode: resource.mode.to_string(),
            kind: resource.kind.to_string(),
            name: resource.name.to_string(),
            index: key.as_ref().map(key_json).transpose()?.flatten(),
            provider_name: provider,
            schema_version: self.schema_version,
            values: raw(attributes.known())?,
            sensitive_values: raw(attributes.sensitive(position, &paths, sets))?,
            tainted: &*self.status == "tainted",
            deposed_key: self.deposed.to_string(),
            address,
        })
    }

    fn key(&self, arena: &Bump) -> Result<Option<Key>, Error> {
        let Some(found) = self.index_key else { return Ok(None) };
        match value_of(found, arena)? {
            Value::String(text) => Ok(Some(Key::Text(text.to_owned()))),
            Value::Number(text) => {
                let index = text.parse().map_err(|error| Error::malformed("an index key", error))?;
                Ok(Some(Key::Index(index)))
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                Err(Error::malformed("", "an index key is neither a number nor a string"))
            }
        }
    }
}

fn value_of<'v>(found: Raw<'v>, arena: &'v Bump) -> Result<Value<'v>, Error> {
    found.value(arena).map_err(|error| Error::malformed("", error))
}

/// The address of a resource instance.
fn address(resource: &Resource<'_>, key: Option<&Key>) -> String {
    let mut address = String::new();
    if !resource.module.is_empty() {
        address.push_str(&resource.module);
        address.push('.');
    }
    if &*resource.mode != "managed" {
        address.push_str(&resource.mode);
        address.push('.');
    }
    address.push_str(&format!("{}.{}", resource.kind, resource.name));
    match key {
        None | Some(Key::None { .. }) => {}
        Some(Key::Index(index)) => address.push_str(&format!("[{index}]")),
        Some(Key::Text(text)) => address.push_str(&format!("[{}]", quote_key(text))),
    }
    address
}

fn step<'v>(found: &PathStep<'v>, arena: &'v Bump) -> Result<Step<'v>, Error> {
    let malformed = || Error::malformed("", "a path in `sensitive_attributes` is not understood");
    let value = value_of(found.value.ok_or_else(malformed)?, arena)?;
    match (&*found.kind, value) {
        ("get_attr", Value::String(name)) => Ok(Step::Attribute(name)),
        ("index", Value::Object(_)) => Ok(Step::Element(dynamic(value, arena))),
        _ => Err(malformed()),
    }
}

/// A value of dynamic type, which is written with its type: `{"value": …, "type": …}`.
fn dynamic<'v>(value: Value<'v>, arena: &'v Bump) -> Node<'v> {
    if let Value::Object(members) = value
        && let [("type", of), ("value", inner)] = members.members()
    {
        return node(*inner, Position::Type(cty_type(*of, arena)), arena);
    }
    node(value, Position::Unspecified, arena)
}

/// A value of the state with its types.
fn node<'v>(value: Value<'v>, position: Position<'v>, arena: &'v Bump) -> Node<'v> {
    if is_dynamic(position) && matches!(value, Value::Object(_)) {
        return dynamic(value, arena);
    }
    match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(value),
        Value::Number(text) => text.parse().map_or(Node::Number(text), Node::Unsigned),
        Value::String(text) => Node::String(text),
        Value::Array(items) => {
            let items = items.iter().enumerate().map(|(at, item)| node(*item, position.element(at), arena));
            let items = arena.alloc_slice_fill_iter(items.collect::<Vec<_>>());
            if position.is_set() { Node::Set(items) } else { Node::List(items) }
        }
        Value::Object(members) => {
            let members = members.members().iter();
            let members = members.map(|(key, member)| (*key, node(*member, position.member(key), arena)));
            Node::Members(arena.alloc_slice_fill_iter(members.collect::<Vec<_>>()))
        }
    }
}

fn is_dynamic(position: Position<'_>) -> bool {
    matches!(
        position,
        Position::Type(Type::Dynamic)
            | Position::Attribute(Attribute { kind: AttributeKind::Type(Type::Dynamic), .. })
    )
}

/// The modules of a state, by their place in the tree.
#[derive(Default)]
struct Tree {
    resources: Vec<json::StateResource>,
    /// By address. The tools order them as texts.
    children: BTreeMap<String, Self>,
}

impl Tree {
    /// The module with this address, and those around it.
    fn at(&mut self, address: &str) -> Result<&mut Self, Error> {
        let mut module = self;
        for prefix in module_prefixes(address)? {
            module = module.children.entry(prefix.to_owned()).or_default();
        }
        Ok(module)
    }

    fn into_module(self, address: String) -> json::Module {
        let children = self.children.into_iter().map(|(address, child)| child.into_module(address));
        json::Module { resources: self.resources, address, child_modules: children.collect() }
    }
}
