//! Details of the tools' text that no golden case covers, each with a minimal plan.

use serde_json::{Value, json};
use tfview::dialect::{Dialect, DialectChoice};

use super::display::{Display, shown};

const SCHEMA: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.example/acme/test":{
    "resource_schemas":{"test_a":{"version":0,"block":{"attributes":{
        "id":{"type":"string","computed":true},
        "items":{"type":["list","string"],"optional":true},
        "objects":{"nested_type":{"nesting_mode":"map","attributes":{"name":{"type":"string","optional":true}}},
            "optional":true},
        "text":{"type":"string","optional":true},
        "wo":{"type":"string","optional":true,"write_only":true}},
        "block_types":{"item":{"nesting_mode":"list","block":{"attributes":{"v":{"type":"string","optional":true}}}}}}}},
    "action_schemas":{"test_act":{"block":{"attributes":{
        "a":{"type":"string","optional":true},"b":{"type":"string","optional":true}}}}}}}}"#;

fn plan(change: &Value) -> Value {
    json!({ "format_version": "1.2", "resource_changes": [{
        "address": "test_a.x", "mode": "managed", "type": "test_a", "name": "x",
        "provider_name": "registry.example/acme/test", "change": change }] })
}

fn update(before: &Value, after: &Value) -> Value {
    json!({ "actions": ["update"], "before": before, "after": after, "after_unknown": {} })
}

fn text(plan: &Value, dialect: &str) -> String {
    let choice: DialectChoice = dialect.parse().unwrap();
    shown(
        &plan.to_string(),
        Some(SCHEMA),
        Display::plain(choice.for_document(None, "")),
    )
    .unwrap()
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "{text}\n\ndoes not contain\n\n{part}");
}

#[test]
fn whitespace_changes_of_json_on_one_line_are_noted() {
    let change = update(&json!({ "text": "{ }" }), &json!({ "text": "{}" }));
    assert_has(
        &text(&plan(&change), "terraform"),
        "~ text = jsonencode({}) # whitespace changes\n",
    );
}

/// A string with several lines is compared by line, even if its lines are equal.
#[test]
fn long_string_of_equal_lines_is_a_heredoc() {
    let line = "A".repeat(200);
    let change = update(
        &json!({ "items": [format!("{line}\n{line}")] }),
        &json!({ "items": [line] }),
    );
    let shown = text(&plan(&change), "opentofu");
    assert_has(&shown, "~ <<-EOT");
}

#[test]
fn moved_import_has_its_id() {
    let mut plan = plan(
        &json!({ "actions": ["no-op"], "before": { "id": "i" }, "after": { "id": "i" },
        "after_unknown": {}, "importing": { "id": "i-1" } }),
    );
    let import = "will be imported\n    resource";
    assert_has(&text(&plan, "terraform"), import);
    assert_has(&text(&plan, "opentofu@1.11"), import);
    assert_has(
        &text(&plan, "opentofu"),
        "will be imported\n  # (imported from \"i-1\")\n",
    );
    plan["resource_changes"][0]["previous_address"] = json!("test_a.y");
    assert_has(
        &text(&plan, "terraform"),
        "# test_a.y has moved to test_a.x\n  # (imported from \"i-1\")\n",
    );
}

#[test]
fn unknown_nested_map_compares_attribute_names_with_keys() {
    let objects = json!({ "objects": { "k": { "name": "a" }, "name": { "name": "b" } } });
    let mut change = update(&objects, &json!({}));
    change["after_unknown"] = json!({ "objects": true });
    let shown = text(&plan(&change), "terraform");
    assert_has(
        &shown,
        "- \"k\" = {\n              - name = \"a\" -> null\n",
    );
    assert_has(
        &shown,
        "~ \"name\" = {\n              ~ name = \"b\" -> (known after apply)\n",
    );
}

#[test]
fn the_unknown_configuration_of_an_action_has_no_symbols() {
    let plan = json!({ "format_version": "1.2", "resource_changes": [], "action_invocations": [{
        "address": "action.test_act.x", "type": "test_act", "name": "x",
        "provider_name": "registry.example/acme/test", "config_values": { "a": "v" },
        "config_unknown": { "b": true } }] });
    assert_has(
        &text(&plan, "terraform"),
        "config {\n            a = \"v\"\n            b = (known after apply)\n",
    );
    assert!(!text(&plan, "terraform@1.15").contains("    # action.test_act.x\n"));
    assert_has(&text(&plan, "terraform@1.16"), "    # action.test_act.x\n");
}

/// Releases without write-only attributes treat them as null. A value that is present nevertheless stays
/// hidden.
#[test]
fn a_write_only_attribute_is_null_to_older_releases() {
    let create = |wo: Value| {
        let after = json!({ "text": "t", "wo": wo });
        plan(&json!({ "actions": ["create"], "before": null, "after": after, "after_unknown": {} }))
    };
    assert_has(
        &text(&create(Value::Null), "terraform@1.11"),
        "+ wo   = (write-only attribute)",
    );
    assert!(!text(&create(Value::Null), "terraform@1.10").contains("wo "));
    let shown = text(&create(json!("hunter2")), "opentofu@1.10");
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn newest_release_is_the_default() {
    let plan = plan(&update(&json!({ "text": "a" }), &json!({ "text": "b" })));
    let newest = shown(
        &plan.to_string(),
        Some(SCHEMA),
        Display::plain(Dialect::OPENTOFU),
    )
    .unwrap();
    assert_has(&newest, "update in-place (current -> planned)");
    assert_eq!(text(&plan, "opentofu@next"), newest);
    assert_ne!(text(&plan, "opentofu@1.10"), newest);
}

#[test]
fn a_relevant_element_is_shown_in_a_list_of_any_length() {
    for length in [50, 20_000] {
        let side = |mark: &str| {
            let items: Vec<_> = (0..length)
                .map(|at| json!({ "v": format!("{mark}{at}") }))
                .collect();
            json!({ "id": "1", "item": items })
        };
        let mut plan =
            plan(&json!({ "actions": ["create"], "before": null, "after": { "id": "2" } }));
        plan["resource_drift"] = json!([{
            "address": "test_a.y", "mode": "managed", "type": "test_a", "name": "y",
            "provider_name": "registry.example/acme/test", "change": update(&side("old-value-"), &side("new-value-")) }]);
        for path in [json!(["item", 7]), json!(["item", 7, "v"])] {
            plan["relevant_attributes"] = json!([{ "resource": "test_a.y", "attribute": path }]);
            let text = text(&plan, "terraform@1.13");
            assert_has(
                &text,
                "      ~ item {\n          ~ v = \"old-value-7\" -> \"new-value-7\"\n        }\n",
            );
            assert_has(
                &text,
                &format!("# ({} unchanged blocks hidden)", length - 1),
            );
        }
    }
}
