//! Validates the JSON of reviews against the published `docs/review.schema.json`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

fn schema() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/review.schema.json");
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    })
}

/// Panics if a document does not match the schema, or has a member that the schema does not describe.
pub(crate) fn validate(document: &str, name: &str) {
    let document: Value = serde_json::from_str(document).unwrap();
    assert_eq!(check(&document, schema()), Ok(()), "{name}");
}

/// The same for a schema of another format.
pub(crate) fn validate_with(root: &Value, document: &str, name: &str) {
    let document: Value = serde_json::from_str(document).unwrap();
    assert_eq!(check_in(root, &document, root), Ok(()), "{name}");
}

fn check(value: &Value, schema: &Value) -> Result<(), String> {
    check_in(self::schema(), value, schema)
}

/// The keywords of JSON Schema that this validator supports. Any other keyword in the schema fails the test.
const KEYWORDS: &[&str] = &[
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
];

fn check_in(root: &Value, value: &Value, schema: &Value) -> Result<(), String> {
    let keywords = schema.as_object().unwrap();
    assert!(keywords.keys().all(|keyword| KEYWORDS.contains(&keyword.as_str())), "{schema}");
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        let found = root["$defs"].get(name).unwrap();
        return check_in(root, value, found).map_err(|fault| format!("{name}: {fault}"));
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let faults: Vec<String> =
            choices.iter().filter_map(|choice| check_in(root, value, choice).err()).collect();
        return if faults.len() < choices.len() { Ok(()) } else { Err(faults.join(" | ")) };
    }
    let is_type = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => unreachable!("type {other}"),
    };
    let types = schema.get("type");
    let has_type = types
        .is_none_or(|types| types.as_array().map_or_else(|| is_type(types), |all| all.iter().any(is_type)));
    let is_allowed = schema["enum"].as_array().is_none_or(|values| values.contains(value))
        && schema.get("const").is_none_or(|constant| constant == value);
    if !has_type || !is_allowed {
        return Err(format!("{value} is not {schema}"));
    }
    if let Some(items) = schema.get("items") {
        value.as_array().into_iter().flatten().try_for_each(|item| check_in(root, item, items))?;
    }
    let (Some(members), Some(properties)) = (value.as_object(), schema["properties"].as_object()) else {
        return Ok(());
    };
    for name in schema["required"].as_array().unwrap() {
        if !members.contains_key(name.as_str().unwrap()) {
            return Err(format!("{name} is missing in {value}"));
        }
    }
    for (name, member) in members {
        let property = properties.get(name).ok_or_else(|| format!("{name} is not described"))?;
        check_in(root, member, property).map_err(|fault| format!("{name}: {fault}"))?;
    }
    Ok(())
}

#[test]
fn violations_of_the_schema_are_found() {
    let slot = &schema()["$defs"]["slot"];
    for value in [json!({"absent": true}), json!({"value": null, "unknown": [[]]}), json!({"value": [1]})] {
        assert_eq!(check(&value, slot), Ok(()));
    }
    for value in [json!({}), json!({"absent": false}), json!({"value": 1, "other": 1}), json!(1)] {
        assert!(check(&value, slot).is_err(), "{value}");
    }
}

#[test]
fn every_definition_is_used() {
    let text = schema().to_string();
    let defined: BTreeSet<&String> = schema()["$defs"].as_object().unwrap().keys().collect();
    let unused: Vec<_> = defined.iter().filter(|name| !text.contains(&format!("#/$defs/{name}\""))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
