//! Converts the schemas in a saved plan of OpenTofu (from 1.13 on) into the `provider_schemas` of the JSON output
//! format.
//!
//! Invariants: blocks nest at most [`MAX_DEPTH`] levels deep; a name that occurs twice in a block is an error.
//!
//! ```json
//! {"registry.opentofu.org/hashicorp/aws": {"resource_schemas": {"aws_vpc": {"block": {"attributes": {
//!   "id": {"type": "string", "required": false, "sensitive": false, "write_only": false}}}}}}}
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use prost::bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Error;
use super::message::{self, Nesting, decode, name_of};

/// The maximum depth of nested blocks and nested types.
const MAX_DEPTH: usize = 50;

/// The schemas of a provider.
#[derive(Serialize)]
struct Provider {
    resource_schemas: BTreeMap<String, Schema>,
    data_source_schemas: BTreeMap<String, Schema>,
}

/// The schema of a resource type or data source.
#[derive(Serialize)]
struct Schema {
    block: BlockSchema,
}

/// The attributes and nested blocks of a block.
#[derive(Default, Serialize)]
struct BlockSchema {
    attributes: BTreeMap<String, AttributeSchema>,
    block_types: BTreeMap<String, NestedBlock>,
}

/// The schema of an attribute, which has either a type or nested attributes.
#[derive(Serialize)]
struct AttributeSchema {
    /// The type, as JSON; absent if there are nested attributes.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    of: Option<Box<RawValue>>,
    /// The nested attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    nested_type: Option<Box<NestedType>>,
    /// Whether the configuration must set it.
    required: bool,
    /// Whether its values are always sensitive.
    sensitive: bool,
    /// Whether its value is only passed to the provider and never stored.
    write_only: bool,
}

/// The nested attributes of an attribute.
#[derive(Serialize)]
struct NestedType {
    attributes: BTreeMap<String, AttributeSchema>,
    nesting_mode: String,
}

/// The schema of a block nested in another one.
#[derive(Serialize)]
struct NestedBlock {
    block: BlockSchema,
    nesting_mode: String,
}

/// Converts the entry `tfschemas` to JSON.
///
/// # Errors
/// If a message is damaged, a type is not JSON, blocks nest too deep, or a block has two parts with the same name.
pub(super) fn provider_schemas(entry: Vec<u8>) -> Result<String, Error> {
    let schemas: message::Schemas = decode(Bytes::from(entry), "the schemas")?;
    let mut providers = BTreeMap::new();
    for (address, provider) in schemas.providers {
        let provider = Provider {
            resource_schemas: types(provider.managed_resource_types)?,
            data_source_schemas: types(provider.data_sources)?,
        };
        providers.insert(address, provider);
    }
    serde_json::to_string(&providers).map_err(|error| Error::malformed("the schemas", error))
}

/// Converts the schemas of resource types or data sources, by name.
fn types(
    messages: BTreeMap<String, message::ResourceSchema>,
) -> Result<BTreeMap<String, Schema>, Error> {
    let mut schemas = BTreeMap::new();
    for (name, resource) in messages {
        let place = format!("the schema of {name}");
        let block = resource.schema.and_then(|schema| schema.block);
        let block = block_of(block, 0).map_err(|error| error.at(&place))?;
        schemas.insert(name, Schema { block });
    }
    Ok(schemas)
}

/// Converts the schema of a block and, recursively, of the blocks in it. A missing one is empty.
fn block_of(block: Option<message::SchemaBlock>, depth: usize) -> Result<BlockSchema, Error> {
    let Some(block) = block else {
        return Ok(BlockSchema::default());
    };
    check_depth(depth)?;
    let mut block_types = BTreeMap::new();
    for bytes in block.block_types {
        let nested: message::SchemaNestedBlock = decode(bytes, "")?;
        let block = NestedBlock {
            block: block_of(nested.block, depth + 1)?,
            nesting_mode: nesting_mode(nested.nesting),
        };
        insert_once(&mut block_types, nested.type_name, block)?;
    }
    Ok(BlockSchema {
        attributes: attributes(block.attributes, depth)?,
        block_types,
    })
}

/// Converts the schemas of attributes, by name, and recursively those of their nested attributes.
fn attributes(
    messages: Vec<Bytes>,
    depth: usize,
) -> Result<BTreeMap<String, AttributeSchema>, Error> {
    check_depth(depth)?;
    let mut all = BTreeMap::new();
    for bytes in messages {
        let attribute: message::SchemaAttribute = decode(bytes, "")?;
        let (of, nested_type) = match attribute.nested_type {
            Some(nested) => {
                let nested_type = NestedType {
                    attributes: attributes(nested.attributes, depth + 1)?,
                    nesting_mode: nesting_mode(nested.nesting),
                };
                (None, Some(Box::new(nested_type)))
            }
            None => (Some(type_of(&attribute)?), None),
        };
        let schema = AttributeSchema {
            of,
            nested_type,
            required: attribute.required,
            sensitive: attribute.sensitive,
            write_only: attribute.write_only,
        };
        insert_once(&mut all, attribute.name, schema)?;
    }
    Ok(all)
}

fn type_of(attribute: &message::SchemaAttribute) -> Result<Box<RawValue>, Error> {
    serde_json::from_slice(&attribute.r#type)
        .map_err(|error| Error::malformed("", format!("the type of {:?}: {error}", attribute.name)))
}

fn nesting_mode(number: i32) -> String {
    name_of::<Nesting>(number, "nesting mode").into_owned()
}

fn check_depth(depth: usize) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let problem = format!("blocks are nested more than {MAX_DEPTH} deep");
        return Err(Error::malformed("", problem));
    }
    Ok(())
}

/// Adds a value whose name must be new: two parts with the same name could differ in whether they are sensitive.
fn insert_once<T>(all: &mut BTreeMap<String, T>, name: String, value: T) -> Result<(), Error> {
    match all.entry(name) {
        Entry::Vacant(entry) => {
            entry.insert(value);
            Ok(())
        }
        Entry::Occupied(entry) => {
            let problem = format!("{:?} occurs twice", entry.key());
            Err(Error::malformed("", problem))
        }
    }
}
