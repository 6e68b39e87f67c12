//! The schemas in a saved plan of OpenTofu 1.13, as the `provider_schemas` of the JSON output format.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Error, message};

/// The schemas as JSON.
pub(super) fn provider_schemas(schemas: &message::Schemas) -> Result<String, Error> {
    let types = |types: &BTreeMap<String, message::ResourceSchema>| -> Result<Value, Error> {
        let mut all = Map::new();
        for (name, found) in types {
            let found = found.schema.as_ref().and_then(|schema| schema.block.as_ref());
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

fn block(found: Option<&message::SchemaBlock>) -> Result<Value, Error> {
    let mut nested = Map::new();
    let Some(found) = found else { return Ok(json!({})) };
    for one in &found.block_types {
        let schema = json!({
            "nesting_mode": nesting(one.nesting)?,
            "block": block(one.block.as_ref())?,
        });
        nested.insert(one.type_name.clone(), schema);
    }
    Ok(json!({ "attributes": attributes(&found.attributes)?, "block_types": nested }))
}

fn attributes(found: &[message::SchemaAttribute]) -> Result<Value, Error> {
    let mut all = Map::new();
    for one in found {
        let (kind, of) = match &one.nested_type {
            Some(nested) => {
                let attributes = attributes(&nested.attributes)?;
                ("nested_type", json!({ "attributes": attributes, "nesting_mode": nesting(nested.nesting)? }))
            }
            None => {
                let of = serde_json::from_slice(&one.r#type);
                let fault = |error| Error::malformed("", format!("the type of {}: {error}", one.name));
                ("type", of.map_err(fault)?)
            }
        };
        let (required, sensitive, write_only) = (one.required, one.sensitive, one.write_only);
        let schema =
            json!({ kind: of, "required": required, "sensitive": sensitive, "write_only": write_only });
        all.insert(one.name.clone(), schema);
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
