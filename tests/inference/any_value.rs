//! A property of inference: every member of any value fits the inferred shape.

use bumpalo::Bump;
use proptest::prelude::*;
use tfview::internals::json::{self, Value};
use tfview::internals::model::plan::Plan;
use tfview::internals::schema::infer::{Inference, Values};
use tfview::internals::schema::{Attribute, AttributeKind, Block, Nesting, Schemas, Type};

fn any_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("12".to_owned()),
        Just("\"text\"".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
    ];
    let key = prop_oneof![
        Just("a"),
        Just("b"),
        Just("rules"),
        Just("set"),
        Just("k/k"),
        Just("password")
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((key.clone(), inner), 0..4).prop_map(|members| {
                let members: Vec<String> = members
                    .iter()
                    .map(|(k, v)| format!("\"{k}\":{v}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn any_object() -> impl Strategy<Value = String> {
    prop::collection::vec(
        (
            prop_oneof!["a", "b", "things", "tags", "ingress", "triggers", "id"],
            any_value(),
        ),
        0..5,
    )
    .prop_map(|members| {
        let members: Vec<String> = members
            .iter()
            .map(|(k, v)| format!("\"{k}\":{v}"))
            .collect();
        format!("{{{}}}", members.join(","))
    })
}

/// The path of the first member of a value that does not fit the shape.
fn left_out(block: &Block<'_>, value: Value<'_>) -> Option<String> {
    let members = value.as_object()?.members();
    members
        .iter()
        .filter(|(_, value)| !value.is_null())
        .find_map(|(name, value)| {
            let attribute = block.attributes.iter().find(|(known, _)| known == name);
            let nested = block.blocks.iter().find(|(known, _)| known == name);
            let inner = match (attribute, nested) {
                (Some((_, attribute)), None) => of_attribute(attribute, *value),
                (None, Some((_, nested))) => match bodies_of(nested.nesting, *value) {
                    Some(bodies) => bodies
                        .into_iter()
                        .find_map(|body| left_out(&nested.block, body)),
                    None => Some("not nested".into()),
                },
                // Scalars are not listed in an open shape.
                (None, None)
                    if block.facts.open
                        && value.as_array().is_none()
                        && value.as_object().is_none() =>
                {
                    None
                }
                _ => Some(String::new()),
            };
            inner.map(|inner| format!("{name}.{inner}"))
        })
}

fn bodies_of(nesting: Nesting, value: Value<'_>) -> Option<Vec<Value<'_>>> {
    match (nesting, value) {
        (Nesting::List | Nesting::Set, Value::Array(items)) => Some(items.to_vec()),
        (Nesting::Map, Value::Object(object)) => {
            Some(object.members().iter().map(|(_, value)| *value).collect())
        }
        (Nesting::Single | Nesting::Group, Value::Object(_)) => Some(vec![value]),
        _ => None,
    }
}

fn of_attribute(attribute: &Attribute<'_>, value: Value<'_>) -> Option<String> {
    match attribute.kind {
        AttributeKind::Type(kind) => of_type(&kind, value),
        AttributeKind::Nested(nested) => match bodies_of(nested.nesting, value) {
            Some(bodies) => bodies.into_iter().find_map(|body| match body {
                Value::Null | Value::Object(_) => left_out(&nested.block, body),
                Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    Some("no object".into())
                }
            }),
            None => Some("not nested".into()),
        },
    }
}

fn of_type(kind: &Type<'_>, value: Value<'_>) -> Option<String> {
    match (kind, value) {
        (_, Value::Null) | (Type::Dynamic, _) => None,
        (Type::Bool, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::String, Value::String(_)) => None,
        (Type::List(item) | Type::Set(item), Value::Array(items)) => {
            items.iter().find_map(|v| of_type(item, *v))
        }
        (Type::Map(item), Value::Object(object)) => {
            object.members().iter().find_map(|(_, v)| of_type(item, *v))
        }
        (Type::Object(members), Value::Object(object)) => {
            object.members().iter().find_map(|(name, value)| {
                match members.iter().find(|(known, _)| known == name) {
                    Some((_, kind)) => of_type(kind, *value),
                    None => (!value.is_null()).then(|| name.to_string()),
                }
            })
        }
        (kind, _) => Some(format!("{kind:?}")),
    }
}

proptest! {
    #![proptest_config(crate::random::property(2))]

    /// For any values, with and without a built-in schema, every member fits the shape.
    #[test]
    fn no_value_is_left_out(before in any_object(), after in any_object(), other in any_object(), known in any::<bool>()) {
        let kind = if known { "null_resource" } else { "any_x" };
        let provider = if known { "null" } else { "any" };
        let change = |before: &str, after: &str| format!(
            r#"{{"mode":"managed","type":"{kind}","provider_name":"{provider}","name":"y","change":{{"actions":["update"],"before":{before},"after":{after}}}}}"#
        );
        let plan = format!(r#"{{"resource_changes":[{},{}]}}"#, change(&before, "null"), change("null", &other));
        let arena = Bump::new();
        let plan: Plan<'_> = json::from_str(&plan).unwrap();
        let inference = Inference::from_plan(&plan, &arena);
        let parsed = |text: &str| json::parse(arena.alloc_str(text), &arena).unwrap();
        let values = Values { before: parsed(&before), after: parsed(&after), unknown: Value::Null };
        let block = inference.shape(("managed", provider, kind), None, || Schemas::new().built_in(provider, "managed", kind, &arena)).widened(values, &arena);
        prop_assert_eq!(left_out(&block, values.before), None);
        prop_assert_eq!(left_out(&block, values.after), None);
    }
}
