//! Validates JSON against the schemas that are published in `docs/`.

use std::path::Path;
use std::sync::OnceLock;
use std::{array, fs};

use jsonschema::Validator;
use serde_json::{Value, json};

const NAMES: [&str; 4] = ["review", "diff", "diff-units", "schema"];

/// The validator of a published schema. Members that it does not describe are errors here; readers must accept
/// them, because minor versions add some.
fn validator(name: &str) -> &'static Validator {
    static VALIDATORS: OnceLock<[Validator; 4]> = OnceLock::new();
    let all = VALIDATORS.get_or_init(|| {
        array::from_fn(|index| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("docs/{}.schema.json", NAMES[index]));
            let mut schema: Value =
                serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
                close(definition);
            }
            close(&mut schema);
            jsonschema::validator_for(&schema).unwrap()
        })
    });
    &all[NAMES.iter().position(|known| *known == name).unwrap()]
}

fn close(schema: &mut Value) {
    if ["properties", "anyOf", "oneOf"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
    {
        schema["unevaluatedProperties"] = json!(false);
    }
}

/// Panics if a document does not match `docs/SCHEMA.schema.json`, or has a member that it does not describe.
pub(crate) fn validate(schema: &str, document: &str, what: &str) {
    let document: Value = serde_json::from_str(document).unwrap();
    let faults: Vec<String> = validator(schema)
        .iter_errors(&document)
        .map(|error| format!("{error}, at {}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:?}");
}

#[test]
fn violations_of_a_schema_are_found() {
    let gate = |gate: Value| {
        let tool = json!({ "name": "a", "tool": null, "tool_version": null, "timestamp": null });
        let counts = [
            "destroy",
            "action",
            "value",
            "became-unknown",
            "unproven",
            "failed",
            "less",
        ]
        .into_iter()
        .chain([
            "became-known",
            "computed",
            "text",
            "world",
            "same",
            "ignored",
        ])
        .map(|name| (name.to_owned(), json!(0)));
        json!({ "format_version": "1.1", "tfview_version": "1", "against": "plan", "verdict": "same",
            "sentence": "", "counts": Value::Object(counts.collect()), "gates": [gate], "approved": tool,
            "now": tool, "differences": [], "notes": [] })
    };
    let is_valid = |document: Value| validator("diff").is_valid(&document);
    assert!(is_valid(gate(
        json!({ "name": "any", "violated": true, "hits": 1 })
    )));
    for wrong in [
        json!({}),
        json!({ "name": "any", "violated": true }),
        json!({ "name": "any", "violated": 1, "hits": 1 }),
        json!({ "name": "none", "violated": true, "hits": 1 }),
        json!({ "name": "any", "violated": true, "hits": 1, "more": 1 }),
    ] {
        assert!(!is_valid(gate(wrong.clone())), "{wrong}");
    }
}
