//! The schemas in a saved plan of OpenTofu 1.13, as the `provider_schemas` of the JSON output format.

use serde_json::{Map, Value, json};

use super::{Error, message};

/// The schemas as JSON.
pub(super) fn provider_schemas(schemas: &message::Schemas) -> Result<String, Error> {
    let types =
        |types: &std::collections::BTreeMap<String, message::ResourceSchema>| -> Result<Value, Error> {
            let mut all = Map::new();
            for (name, found) in types {
                let empty = message::SchemaBlock::default();
                let found = found.schema.as_ref().and_then(|schema| schema.block.as_ref()).unwrap_or(&empty);
                all.insert(name.clone(), json!({ "block": block(found).map_err(|error| error.at(name))? }));
            }
            Ok(Value::Object(all))
        };
    let mut all = Map::new();
    for (name, provider) in &schemas.providers {
        let schemas = json!({
            "resource_schemas": types(&provider.managed_resource_types)?,
            "data_source_schemas": types(&provider.data_sources)?,
        });
        all.insert(name.clone(), schemas);
    }
    Ok(Value::Object(all).to_string())
}

fn block(found: &message::SchemaBlock) -> Result<Value, Error> {
    let mut nested = Map::new();
    for one in &found.block_types {
        let empty = message::SchemaBlock::default();
        let schema = json!({
            "nesting_mode": nesting(one.nesting)?,
            "block": block(one.block.as_ref().unwrap_or(&empty))?,
            "min_items": one.min_items,
            "max_items": one.max_items,
        });
        nested.insert(one.type_name.clone(), schema);
    }
    Ok(json!({ "attributes": attributes(&found.attributes)?, "block_types": nested }))
}

fn attributes(found: &[message::SchemaAttribute]) -> Result<Value, Error> {
    let mut all = Map::new();
    for one in found {
        let mut schema = Map::new();
        match &one.nested_type {
            Some(nested) => {
                let nested = json!({
                    "attributes": attributes(&nested.attributes)?,
                    "nesting_mode": nesting(nested.nesting)?,
                });
                schema.insert("nested_type".to_owned(), nested);
            }
            None => {
                let of: Value = serde_json::from_slice(&one.r#type)
                    .map_err(|error| Error::malformed("", format!("the type of {}: {error}", one.name)))?;
                schema.insert("type".to_owned(), of);
            }
        }
        for (name, holds) in [
            ("required", one.required),
            ("optional", one.optional),
            ("computed", one.computed),
            ("sensitive", one.sensitive),
            ("write_only", one.write_only),
        ] {
            if holds {
                schema.insert(name.to_owned(), true.into());
            }
        }
        all.insert(one.name.clone(), schema.into());
    }
    Ok(Value::Object(all))
}

fn nesting(number: i32) -> Result<&'static str, Error> {
    match number {
        1 => Ok("single"),
        2 => Ok("group"),
        3 => Ok("list"),
        4 => Ok("set"),
        5 => Ok("map"),
        _ => Err(Error::malformed("", format!("nesting mode {number} is not known; update tfview"))),
    }
}
