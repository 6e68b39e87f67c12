//! Marks of raw states that do not fit their values: what was meant is unknown, so all of the value is hidden.

use bumpalo::Bump;
use serde_json::{Value, json};
use tfview::internals::dialect::Dialect;
use tfview::internals::saved::{Knowledge, RawState};
use tfview::internals::schema::Schemas;

use crate::display::{self, Display};

fn attribute(name: &str) -> Value {
    json!({ "type": "get_attr", "value": name })
}

fn index(value: &Value, of: &str) -> Value {
    json!({ "type": "index", "value": { "value": value, "type": of } })
}

/// The text of a state with one resource that has this attribute, with one mark.
fn shown(value: &Value, path: &[Value]) -> String {
    let state = json!({
        "version": 4, "terraform_version": "1.9.0", "outputs": {},
        "resources": [{
            "mode": "managed", "type": "a_b", "name": "c", "provider": "provider[\"registry.terraform.io/x/a\"]",
            "instances": [{
                "schema_version": 0, "attributes": { "id": "x", "v": value }, "sensitive_attributes": [path],
            }],
        }],
    });
    let schema = json!({
        "format_version": "1.0",
        "provider_schemas": { "registry.terraform.io/x/a": { "resource_schemas": { "a_b": { "version": 0, "block": {
            "attributes": {
                "id": { "type": "string", "computed": true },
                "v": { "type": "dynamic", "optional": true },
            },
        } } } } },
    })
    .to_string();
    let (text, arena) = (state.to_string(), Bump::new());
    let mut schemas = Schemas::new();
    schemas.add(&schema).unwrap();
    let state = RawState::parse(&text).unwrap();
    let document = state.to_json(&Knowledge::new(&schemas, &arena)).unwrap();
    display::shown(&document, Some(&schema), Display::plain(Dialect::TERRAFORM)).unwrap()
}

fn typed(value: &Value, of: &Value) -> Value {
    json!({ "value": value, "type": of })
}

#[test]
fn state_mark_deeper_than_value() {
    let text = || typed(&json!("planted"), &json!("string"));
    let list = || typed(&json!(["planted"]), &json!(["list", "string"]));
    let map = || typed(&json!({ "k": "planted" }), &json!(["map", "string"]));
    for (value, below) in [
        (text(), vec![attribute("k")]),
        (text(), vec![index(&json!("k"), "string")]),
        (text(), vec![index(&json!(0), "number")]),
        (list(), vec![attribute("k")]),
        (list(), vec![index(&json!(7), "number")]),
        (list(), vec![index(&json!("0"), "string")]),
        (list(), vec![index(&json!(0), "number"), attribute("k")]),
        (map(), vec![attribute("other")]),
        (map(), vec![index(&json!(0), "number")]),
        (
            map(),
            vec![index(&json!("k"), "string"), index(&json!(0), "number")],
        ),
    ] {
        let path = [vec![attribute("v")], below].concat();
        let text = shown(&value, &path);
        assert!(!text.contains("planted"), "{path:?}\n{text}");
    }
    let shown_beside = shown(
        &typed(&json!(["planted", "b"]), &json!(["list", "string"])),
        &[attribute("v"), index(&json!(1), "number")],
    );
    assert!(shown_beside.contains("planted"), "{shown_beside}");
}
