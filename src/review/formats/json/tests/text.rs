//! The text of a schema: keywords in their usual order, members of objects by name.

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::Value;

/// The keywords in the order in which they are written.
const KEYWORDS: [&str; 18] = [
    "$schema",
    "title",
    "description",
    "type",
    "$ref",
    "format",
    "minimum",
    "const",
    "enum",
    "properties",
    "additionalProperties",
    "items",
    "uniqueItems",
    "anyOf",
    "oneOf",
    "required",
    "default",
    "$defs",
];

/// Returns the text of a schema, with a line for each keyword and value.
pub(super) fn pretty(schema: &Value) -> String {
    serde_json::to_string_pretty(&Schema(schema)).unwrap() + "\n"
}

/// A schema, or a value in one that is no object.
struct Schema<'s>(&'s Value);

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(keywords) => {
                let known = KEYWORDS
                    .iter()
                    .filter(|keyword| keywords.contains_key(**keyword));
                assert_eq!(known.clone().count(), keywords.len(), "{keywords:?}");
                let mut map = serializer.serialize_map(None)?;
                for keyword in known {
                    let value = &keywords[*keyword];
                    if matches!(*keyword, "properties" | "$defs") {
                        map.serialize_entry(keyword, &Named(value))?;
                    } else {
                        map.serialize_entry(keyword, &Self(value))?;
                    }
                }
                map.end()
            }
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Self(item))?;
                }
                list.end()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.0.serialize(serializer)
            }
        }
    }
}

/// Schemas by name.
struct Named<'s>(&'s Value);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schemas = self.0.as_object().unwrap();
        serializer.collect_map(schemas.iter().map(|(name, schema)| (name, Schema(schema))))
    }
}
