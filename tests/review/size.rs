//! Which values are compared as a whole because of their size. It depends on nothing but the value.

use serde_json::{Map, Value, json};
use tfview::internals::dialect::Dialect;

use super::laws;
use crate::display::{Display, review_json, reviewed};

const NOTE: &str = "value too large, compared as a whole";

/// A change of an output or of an attribute of a resource.
fn changes() -> Vec<(&'static str, Value, Value)> {
    let lines = |last: &str| format!("first\nsecond\n{last}\n");
    let policy = |action: &str| {
        json!({ "Statement": [{ "Effect": "Allow", "Action": action }] }).to_string()
    };
    vec![
        ("created_string", Value::Null, json!("3306")),
        ("created_empty", Value::Null, json!([])),
        ("created_object", Value::Null, json!({})),
        ("created_bool", Value::Null, json!(true)),
        ("created_number", Value::Null, json!(1)),
        ("removed", json!(["a", 1, null]), Value::Null),
        ("string", json!("3306"), json!("3307")),
        ("bool", json!(false), json!(true)),
        ("number", json!(1), json!(2)),
        ("kind", json!("1"), json!([1])),
        ("list", json!(["a", "b"]), json!(["b", "c"])),
        (
            "digits",
            json!([1, 1, 1, 1, 1, 1]),
            json!([2, 2, 2, 2, 2, 2]),
        ),
        (
            "object",
            json!({ "a": 1, "b": [1] }),
            json!({ "a": 2, "b": [] }),
        ),
        ("objects", json!([{ "a": 1 }, {}]), json!([{ "a": 2 }, {}])),
        ("lines", json!(lines("third")), json!(lines("fourth"))),
        ("json", json!(policy("a")), json!(policy("b"))),
        (
            "dense_json",
            json!("[1,1,1,1,1,1,1,1]"),
            json!("[1,1,1,2,1,1,1,1]"),
        ),
        ("yaml", json!("a: 1\nb: [x]\n"), json!("a: 2\nb: [x]\n")),
        (
            "base64",
            json!("Zmlyc3QgdGV4dCBvZiBtYW55"),
            json!("b3RoZXIgdGV4dCBvZiBtYW55"),
        ),
    ]
}

/// A plan with an output and a resource for each of these changes, and with a configuration of 700 KB.
fn plan_with_a_large_configuration() -> Value {
    let (mut outputs, mut resources) = (Map::new(), Vec::new());
    for (name, before, after) in changes() {
        let change = json!({ "actions": ["update"], "before": before, "after": after, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false });
        outputs.insert(name.to_owned(), change);
        let values = |value: &Value| json!({ "id": name, "value": value });
        resources.push(
            json!({ "address": format!("any_x.{name}"), "mode": "managed", "type": "any_x", "name": name,
            "provider_name": "registry.example/acme/any", "change": { "actions": ["update"],
            "before": values(&before), "after": values(&after), "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {} } }),
        );
    }
    for index in 0..300 {
        let change = json!({ "actions": ["create"], "before": null, "after": index.to_string(),
            "after_unknown": false, "before_sensitive": false, "after_sensitive": index % 3 == 0 });
        outputs.insert(format!("more_{index}"), change);
    }
    let blocks: Vec<Value> = (0..2_500)
        .map(|index| {
            json!({ "address": format!("any_x.r{index}"), "mode": "managed", "type": "any_x", "name": format!("r{index}"),
                "provider_config_key": "any", "schema_version": 0,
                "expressions": { "value": { "constant_value": "x".repeat(130) } } })
        })
        .collect();
    let plan = json!({ "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": resources,
        "output_changes": outputs, "configuration": { "root_module": { "resources": blocks } } });
    assert!(plan["configuration"].to_string().len() > 700_000);
    plan
}

#[test]
fn a_small_value_is_never_too_large() {
    let plan = plan_with_a_large_configuration().to_string();
    assert!(laws::check("a plan of 700 KB", &plan, None) > 300);
    for (format, text) in reviewed(&plan, None, Display::plain(Dialect::OPENTOFU)) {
        assert!(!text.contains("too large"), "{format}: {text}");
    }
}

/// The parts that a review compares as a whole, by the paths of the edits with the note.
fn whole(before: &str, after: &str) -> Vec<Value> {
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{{"address":"any_x.a","mode":"managed","type":"any_x","name":"a","provider_name":"registry.example/acme/any","change":{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    );
    let review: Value = serde_json::from_str(&review_json(&plan, None, true).unwrap()).unwrap();
    let edits = review["plans"][0]["resources"][0]["edits"]
        .as_array()
        .unwrap();
    let noted = edits
        .iter()
        .filter(|edit| edit["notes"].to_string().contains(NOTE));
    noted.map(|edit| edit["path"].clone()).collect()
}

#[test]
#[ignore = "takes half a minute without optimization; CI runs it with `--ignored`"]
fn more_than_two_million_parts_are_compared_as_a_whole() {
    let list = |count: usize, last: &str| format!("[{}{last}]", "1,".repeat(count - 1));
    let attribute = |value: &str| format!(r#"{{"id":"a","l":{value}}}"#);
    // The list itself is a part, and so are the object and its `id`.
    let (most, more) = (1_999_997, 2_000_000);
    let changed =
        |count: usize| whole(&attribute(&list(count, "1")), &attribute(&list(count, "2")));
    assert_eq!(changed(most), [json!(null); 0]);
    assert_eq!(changed(more), [json!([{ "name": "l" }])]);
    let halves = |last: &str| format!(r#"{{"a":{0},"b":{0},"c":{last}}}"#, list(more / 2, last));
    assert_eq!(
        whole(&halves("1"), &halves("2")),
        ["a", "b"].map(|name| json!([{ "name": name }]))
    );
}
