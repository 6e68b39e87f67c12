//! Errors in a document are found before the first byte of its text is printed.
//!
//! Each case has far more text before its error than any buffer holds.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tfview::internals::dialect::Dialect;
use tfview::internals::json;

use super::corpus::{documents, mutate_bytes};
use super::display::{self, Display};
use super::plan::Change;
use super::random::{Random, assert_tried, cases, first_seed, some_ways};

/// A change of a resource. The schema of the type `test_bad` is invalid.
fn change(kind: &str, action: &str, text: &str) -> Change {
    let address = format!("{kind}.x");
    let value = json!({ "a": text });
    let change = match action {
        "create" => Change::created(&address, value),
        "delete" => Change::destroyed(&address, value),
        _ => Change::updated(&address, json!({ "a": "old" }), value),
    };
    change.provider("registry.example/acme/test")
}

fn resource(kind: &str, text: &str) -> Value {
    json!({
        "address": format!("{kind}.x"), "mode": "managed", "type": kind, "name": "x",
        "provider_name": "registry.example/acme/test", "values": { "a": text }, "sensitive_values": {},
    })
}

/// Documents whose last resource has the type with the invalid schema.
fn late_errors() -> Vec<(&'static str, Value)> {
    let long = "x\n".repeat(100_000);
    let good = |action| change("test_good", action, &long);
    let bad = || change("test_bad", "update", "new");
    let plan = |changes: Value, drift: Value, deferred: Value| {
        json!({ "format_version": "1.2", "planned_values": {}, "resource_changes": changes,
            "resource_drift": drift, "relevant_attributes": [{ "resource": "", "attribute": [] }],
            "deferred_changes": deferred })
    };
    let deferred_change =
        |change: Change| json!({ "reason": "provider_config_unknown", "resource_change": change });
    let mut actions = plan(json!([good("create")]), json!([]), json!([]));
    actions["action_invocations"] = json!([{
        "address": "action.test_bad.a", "type": "test_bad", "name": "a",
        "provider_name": "registry.example/acme/test", "config_values": { "a": "x" },
    }]);
    vec![
        (
            "changes",
            plan(json!([good("create"), bad()]), json!([]), json!([])),
        ),
        (
            "changes after drift",
            plan(json!([bad()]), json!([good("update")]), json!([])),
        ),
        (
            "drift",
            plan(
                json!([good("create")]),
                json!([good("update"), bad()]),
                json!([]),
            ),
        ),
        (
            "deferred",
            plan(
                json!([good("create")]),
                json!([]),
                json!([deferred_change(good("create")), deferred_change(bad())]),
            ),
        ),
        (
            "deferred after drift",
            plan(
                json!([good("create")]),
                json!([good("update")]),
                json!([deferred_change(bad())]),
            ),
        ),
        (
            "only deferred",
            plan(
                json!([]),
                json!([]),
                json!([deferred_change(good("create")), deferred_change(bad())]),
            ),
        ),
        ("actions", actions),
        (
            "state",
            json!({ "format_version": "1.0", "values": { "root_module": {
            "resources": [resource("test_good", &long)],
            "child_modules": [{ "address": "module.m", "resources": [resource("test_bad", "x")] }],
        } } }),
        ),
    ]
}

const SCHEMA: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.example/acme/test":{
    "resource_schemas":{
        "test_good":{"block":{"attributes":{"a":{"type":"string","optional":true}}}},
        "test_bad":{"block":{"attributes":{"a":{"type":"nonsense"}}}}},
    "action_schemas":{"test_bad":{"block":{"attributes":{"a":{"type":"nonsense"}}}}}}}}"#;

#[test]
fn late_error_prints_no_partial_text() {
    let mut errors = BTreeSet::new();
    for (index, (place, document)) in late_errors().into_iter().enumerate() {
        let document = document.to_string();
        let dialects = vec![Dialect::TERRAFORM, Dialect::OPENTOFU];
        for dialect in some_ways(dialects, index, 1) {
            let mut written = Vec::new();
            let shown = display::show_to(
                &document,
                Some(SCHEMA),
                Display::plain(dialect),
                &mut written,
            );
            errors.insert(shown.unwrap_err() + "\n");
            assert!(
                written.is_empty(),
                "{place}: {} bytes were written before the error",
                written.len()
            );
            let whole = display::shown(&document, None, Display::plain(dialect)).unwrap();
            assert!(
                whole.len() > 64 << 10,
                "{place}: {} bytes are too few for this test",
                whole.len()
            );
        }
    }
    let errors: String = errors.into_iter().collect();
    insta::assert_snapshot!(errors, @r#"
    registry.example/acme/test.action_schemas.test_bad.block.attributes.a.type: unknown type "nonsense"
    registry.example/acme/test.resource_schemas.test_bad.block.attributes.a.type: unknown type "nonsense"
    "#);
}

/// Values are skipped when a document is read, and built later. A text that can be skipped can always be
/// built, so building a value cannot fail halfway through the output.
#[test]
fn skipped_values_can_always_be_built() {
    let documents = documents(4_000);
    let arena = bumpalo::Bump::new();
    let (mut fine, mut refused) = (0, 0);
    for seed in first_seed()..first_seed() + cases(100) {
        let mut random = Random::new(seed ^ 0x0000_5417);
        let text = &random.pick(&documents).text;
        let mut bytes = text.lines().next().unwrap_or_default().as_bytes().to_vec();
        mutate_bytes(&mut random, &mut bytes);
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let skipped = json::from_str::<json::Raw<'_>>(&text).is_ok();
        let built = json::parse(&text, &arena).is_ok();
        assert_eq!(skipped, built, "TFVIEW_SEED={seed}: {text}");
        if built { fine += 1 } else { refused += 1 }
    }
    assert_tried(
        fine > 0 && refused > 0,
        &format!("{fine} fine, {refused} refused"),
    );
}
