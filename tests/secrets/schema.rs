//! The schema and the configuration of generated blocks.

use serde_json::{Map, Value, json};

use super::maker::{Attribute, Block, Kind, Type};

pub(super) fn type_json(of: &Type) -> Value {
    match of {
        Type::String => json!("string"),
        Type::Number => json!("number"),
        Type::Bool => json!("bool"),
        Type::Dynamic => json!("dynamic"),
        Type::List(inner) => json!(["list", type_json(inner)]),
        Type::Set(inner) => json!(["set", type_json(inner)]),
        Type::Map(inner) => json!(["map", type_json(inner)]),
        Type::Object(members) => {
            let members: Map<String, Value> = members
                .iter()
                .map(|(key, of)| (key.clone(), type_json(of)))
                .collect();
            json!(["object", members])
        }
        Type::Tuple(items) => json!(["tuple", items.iter().map(type_json).collect::<Vec<_>>()]),
    }
}

pub(super) fn attributes_json(attributes: &[Attribute]) -> Value {
    let one = |attribute: &Attribute| {
        let mut shape = json!({ "optional": true });
        match &attribute.kind {
            Kind::Type(of) => shape["type"] = type_json(of),
            Kind::Nested(nesting, members) => {
                shape["nested_type"] =
                    json!({ "nesting_mode": nesting, "attributes": attributes_json(members) });
            }
        }
        if attribute.sensitive {
            shape["sensitive"] = json!(true);
        }
        if attribute.write_only {
            shape["write_only"] = json!(true);
        }
        (attribute.name.clone(), shape)
    };
    Value::Object(attributes.iter().map(one).collect())
}

pub(super) fn block_json(block: &Block) -> Value {
    let blocks: Map<String, Value> = block
        .blocks
        .iter()
        .map(|(name, nesting, block)| {
            (
                name.clone(),
                json!({ "nesting_mode": nesting, "block": block_json(block) }),
            )
        })
        .collect();
    json!({ "attributes": attributes_json(&block.attributes), "block_types": blocks })
}

pub(super) fn schema(blocks: &[Block]) -> Value {
    let resources: Map<String, Value> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            (
                format!("test_thing{index}"),
                json!({ "version": 0, "block": block_json(block) }),
            )
        })
        .collect();
    json!({ "format_version": "1.0", "provider_schemas": { "registry.example/acme/test": {
        "resource_schemas": resources,
        "data_source_schemas": resources,
        "ephemeral_resource_schemas": resources,
        "action_schemas": { "test_action": { "block": block_json(&blocks[0]) } },
    } } })
}

/// The configuration of the blocks.
pub(super) fn configuration(blocks: &[Block]) -> Value {
    pub(super) fn expressions(block: &Block) -> Value {
        let attributes = block
            .attributes
            .iter()
            .map(|attribute| (attribute.name.clone(), json!({ "references": ["var.x"] })));
        let blocks = block.blocks.iter().map(|(name, nesting, block)| {
            let inner = expressions(block);
            let single = matches!(*nesting, "single" | "group");
            (name.clone(), if single { inner } else { json!([inner]) })
        });
        Value::Object(attributes.chain(blocks).collect())
    }
    let resources: Vec<Value> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            json!({
                "address": format!("test_thing{index}.x"), "mode": "managed", "type": format!("test_thing{index}"),
                "name": "x", "provider_config_key": "test", "expressions": expressions(block),
            })
        })
        .collect();
    json!({ "root_module": { "resources": resources } })
}
