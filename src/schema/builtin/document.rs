//! The built-in schemas as the JSON of `providers schema -json`, so that they can be listed and shown like
//! any others. They have no descriptions.

use bumpalo::Bump;
use serde_json::{Map, Value, json};

use super::{BuiltIn, Provider, text};
use crate::schema::catalog::SchemaKind;
use crate::schema::{Attribute, AttributeKind, Block, Type};

/// The provider as in a document, with the schemas of the types with these names, or of all. `None` if it has none
/// of these types.
pub(super) fn provider(
    provider: &Provider<'_>,
    named: BuiltIn,
    names: Option<&[&str]>,
) -> Option<(String, Value)> {
    let types: Vec<(&str, SchemaKind)> = match names {
        Some(names) => names.iter().flat_map(|name| text::KINDS.map(|(_, kind)| (*name, kind))).collect(),
        None => provider.parts.iter().filter_map(super::Part::text).flat_map(text::types).collect(),
    };
    let mut members = Map::new();
    for (name, kind) in types {
        let arena = Bump::new();
        let block =
            provider.schema(kind, name).and_then(|(key, found)| text::block(found.get(key.len()..)?, &arena));
        let Some(block) = block else { continue };
        let list = members.entry(kind.member()).or_insert_with(|| json!({}));
        if let Some(list) = list.as_object_mut() {
            list.insert(name.to_owned(), json!({ "version": 0, "block": of_block(block) }));
        }
    }
    (names.is_none() || !members.is_empty()).then(|| (named.name.to_owned(), Value::Object(members)))
}

fn of_block(block: Block<'_>) -> Value {
    let nested = |(name, nested): &(&str, crate::schema::NestedBlock<'_>)| {
        (
            (*name).to_owned(),
            json!({ "nesting_mode": nested.nesting.word(), "block": of_block(nested.block) }),
        )
    };
    let blocks: Map<String, Value> = block.blocks.iter().map(nested).collect();
    json!({ "attributes": of_attributes(block.attributes), "block_types": blocks })
}

fn of_attributes(attributes: &[(&str, Attribute<'_>)]) -> Value {
    let found = attributes.iter().map(|(name, attribute)| {
        let mut members = Map::new();
        match attribute.kind {
            AttributeKind::Type(ty) => members.insert("type".to_owned(), of_type(ty)),
            AttributeKind::Nested(nested) => members.insert(
                "nested_type".to_owned(),
                json!({ "nesting_mode": nested.nesting.word(), "attributes": of_attributes(nested.attributes) }),
            ),
        };
        for (name, is_set) in [("sensitive", attribute.sensitive), ("write_only", attribute.write_only)] {
            if is_set {
                members.insert(name.to_owned(), Value::Bool(true));
            }
        }
        ((*name).to_owned(), Value::Object(members))
    });
    Value::Object(found.collect())
}

fn of_type(ty: Type<'_>) -> Value {
    match ty {
        Type::Dynamic => json!("dynamic"),
        Type::Bool => json!("bool"),
        Type::Number => json!("number"),
        Type::String => json!("string"),
        Type::List(element) => json!(["list", of_type(*element)]),
        Type::Set(element) => json!(["set", of_type(*element)]),
        Type::Map(element) => json!(["map", of_type(*element)]),
        Type::Object(members) => {
            let members: Map<String, Value> =
                members.iter().map(|(name, ty)| ((*name).to_owned(), of_type(*ty))).collect();
            json!(["object", members])
        }
        Type::Tuple(elements) => json!(["tuple", elements.iter().map(|ty| of_type(*ty)).collect::<Vec<_>>()]),
    }
}
