//! Sentences of reviews that real documents showed to be wrong or empty.

use serde_json::{Value, json};

use super::harness::tfview;

#[expect(clippy::needless_pass_by_value, reason = "calls have literals")]
fn review(kind: &str, change: Value) -> String {
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.15.0",
        "resource_changes": [{
            "address": format!("{kind}.a"), "mode": "managed", "type": kind, "name": "a",
            "provider_name": "registry.terraform.io/x/x", "change": change,
        }],
    });
    let output = tfview("review --no-config")
        .stdin(plan.to_string())
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

/// It was "forced by what does not differ in the plan".
#[test]
fn a_path_that_forces_a_replacement_and_does_not_differ_is_named() {
    let object = json!({ "id": "1", "name": "x" });
    let text = review(
        "x_a",
        json!({
            "actions": ["delete", "create"], "before": object, "after": { "name": "x" },
            "after_unknown": { "id": true }, "replace_paths": [["name"], ["rules", 0, "port"]],
        }),
    );
    let said = "forced by name, rules[0].port, which do not differ in the plan";
    assert!(text.contains(said), "{text}");
}

/// Empty texts took places of a summary.
#[test]
fn a_summary_of_what_is_created_has_no_empty_values() {
    let after =
        json!({ "name": "app:1", "build": [{ "context": ".", "version": "", "args": {} }] });
    let text = review(
        "x_image",
        json!({ "actions": ["create"], "before": null, "after": after }),
    );
    assert!(text.contains("app:1") && !text.contains("\"\""), "{text}");
}

/// It was "from 10.0.0.0/8 to (known after apply)".
#[test]
fn an_incoming_rule_has_no_destination_that_is_computed() {
    let rule = json!({
        "name": "ssh", "direction": "INGRESS", "source_ranges": ["10.0.0.0/8"], "priority": 1000,
        "allow": [{ "protocol": "tcp", "ports": ["22"] }],
    });
    let text = review(
        "google_compute_firewall",
        json!({
            "actions": ["create"], "before": null, "after": rule,
            "after_unknown": { "destination_ranges": true, "id": true },
        }),
    );
    let has_rule = text.contains("tcp/22 from 10.0.0.0/8");
    assert!(
        has_rule && !text.contains("to (known after apply)"),
        "{text}"
    );
}
