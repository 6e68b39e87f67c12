//! The schemas in a saved plan of OpenTofu 1.13, as the `provider_schemas` of the JSON output format.

use serde_json::{Map, Value, json};

use crate::saved::Error;
use crate::saved::protobuf::Message;

const NESTING: [&str; 6] = ["", "single", "group", "list", "set", "map"];

/// The schemas in a message `Schemas` of `tfschemas.proto`, as JSON.
pub(super) fn provider_schemas(message: &[u8]) -> Result<String, Error> {
    let providers = by_name(&Message::parse(message)?, 1, |provider| {
        let types = |number| {
            by_name(provider, number, |found| {
                let schema = found.message(1)?;
                let block = schema.map(|schema| block(schema.message(2)?)).transpose()?;
                Ok(json!({ "block": block.unwrap_or_else(|| json!({})) }))
            })
        };
        Ok(json!({ "resource_schemas": types(2)?, "data_source_schemas": types(3)? }))
    });
    Ok(providers?.to_string())
}

/// The values of a map, as JSON.
fn by_name(
    message: &Message<'_>,
    number: u64,
    value: impl Fn(&Message<'_>) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let mut all = Map::new();
    for entry in message.messages(number)? {
        let name = entry.text(1)?;
        let found = entry.message(2)?.map(|found| value(&found).map_err(|error| error.at(name)));
        all.insert(name.to_owned(), found.transpose()?.unwrap_or_else(|| json!({})));
    }
    Ok(Value::Object(all))
}

fn block(found: Option<Message<'_>>) -> Result<Value, Error> {
    let Some(found) = found else { return Ok(json!({})) };
    let mut nested = Map::new();
    for one in found.messages(2)? {
        let schema = json!({ "nesting_mode": nesting(&one, 3)?, "block": block(one.message(2)?)? });
        nested.insert(one.text(1)?.to_owned(), schema);
    }
    Ok(json!({ "attributes": attributes(&found)?, "block_types": nested }))
}

fn attributes(message: &Message<'_>) -> Result<Value, Error> {
    let mut all = Map::new();
    for one in message.messages(1)? {
        let name = one.text(1)?;
        let (kind, of) = match one.message(3)? {
            Some(nested) => {
                let attributes = attributes(&nested)?;
                ("nested_type", json!({ "attributes": attributes, "nesting_mode": nesting(&nested, 2)? }))
            }
            None => {
                let fault = |error| Error::malformed("", format!("the type of {name}: {error}"));
                ("type", serde_json::from_slice(one.bytes(2)).map_err(fault)?)
            }
        };
        let (required, sensitive, write_only) = (one.flag(4), one.flag(7), one.flag(8));
        let schema =
            json!({ kind: of, "required": required, "sensitive": sensitive, "write_only": write_only });
        all.insert(name.to_owned(), schema);
    }
    Ok(Value::Object(all))
}

fn nesting(message: &Message<'_>, number: u64) -> Result<&'static str, Error> {
    message.name(number, &NESTING, "nesting mode")
}
