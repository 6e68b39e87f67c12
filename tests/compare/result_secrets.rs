//! Comparing a plan with its result compares sensitive values, and shows none.

use serde_json::json;
use tfview::internals::compare::{Options, Verdict};

use super::compare_result;

/// A plan with every kind of sensitive value.
fn secret_plan() -> String {
    json!({
        "format_version": "1.2", "terraform_version": "1.9.0",
        "resource_changes": [
            {"address": "a.marked", "mode": "managed", "type": "a", "name": "marked", "provider_name": "x", "change": {
                "actions": ["update"], "before": {"id": "tok3n-id", "v": "tok3n-0", "l": [{"p": "x"}, {"p": "tok3n-1"}]},
                "after": {"id": "tok3n-id", "v": "tok3n-1", "l": [{"p": "x"}, {"p": "tok3n-2"}]}, "after_unknown": {"n": true},
                "before_sensitive": {"id": true, "v": true, "l": [{}, {"p": true}]},
                "after_sensitive": {"id": true, "v": true, "l": [{}, {"p": true}]}}},
            {"address": "a.unknown", "mode": "managed", "type": "a", "name": "unknown", "provider_name": "x", "change": {
                "actions": ["create"], "before": null, "after": {}, "after_unknown": {"id": true, "v": true, "l": true},
                "before_sensitive": false, "after_sensitive": {"id": true, "l": true}}}],
        "output_changes": {"s": {"actions": ["create"], "before": null, "after": "tok3n-3", "after_unknown": false,
            "before_sensitive": true, "after_sensitive": true},
            "t": {"actions": ["update"], "before": "tok3n-4", "after": "tok3n-4", "after_unknown": false,
            "before_sensitive": true, "after_sensitive": false}}
    })
    .to_string()
}

#[test]
fn secrets_of_a_result_are_compared_and_hidden() {
    let plan = secret_plan();
    let state = json!({"format_version": "1.0", "values": {
        "outputs": {"s": {"sensitive": false, "value": "tok3n-9"}, "t": {"sensitive": false, "value": "tok3n-5"}},
        "root_module": {"resources": [
            {"address": "a.marked", "mode": "managed", "type": "a", "name": "marked", "provider_name": "x",
             "values": {"id": "tok3n-x", "v": "tok3n-7", "l": [{"p": "tok3n-8"}, {"p": "x"}], "n": "tok3n-n"},
             "sensitive_values": {"n": true}},
            {"address": "a.unknown", "mode": "managed", "type": "a", "name": "unknown", "provider_name": "x",
             "values": {"id": "tok3n-u", "v": "tok3n-v", "l": ["tok3n-w"]}, "sensitive_values": {"v": true}}]}}})
    .to_string();
    let message = |kind: &str, action: &str, address: &str| {
        let id = format!("tok3n-{action}");
        json!({"@level": "info", "@message": "m", "type": kind, "hook": {"resource": {"addr": address},
            "action": action, "id_key": "id", "id_value": id}})
        .to_string()
    };
    let run = [
        message("apply_start", "update", "a.marked"),
        message("apply_complete", "update", "a.marked"),
        message("apply_start", "create", "a.unknown"),
        message("apply_complete", "create", "a.unknown"),
        json!({"@level": "info", "@message": "m", "type": "change_summary",
            "changes": {"add": 1, "change": 1, "remove": 0, "operation": "apply"}})
        .to_string(),
        json!({"@level": "info", "@message": "m", "type": "outputs",
            "outputs": {"s": {"sensitive": false, "type": "string", "value": "tok3n-9"}}})
        .to_string(),
    ]
    .join("\n");
    let mut outputs = String::new();
    for result in [state, run] {
        let outcome = compare_result(&plan, &result, None, &Options::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Wider, "{}", outcome.terminal);
        for text in outcome.all() {
            assert!(!text.contains("tok3n"), "{text}");
        }
        outputs += &outcome.terminal;
        let shown = Options {
            show_sensitive: true,
            ..Options::default()
        };
        let outcome = compare_result(&plan, &result, None, &shown).unwrap();
        outputs += &format!("{}\n", outcome.terminal);
    }
    insta::assert_snapshot!(outputs, @r#"
    ! Not what was approved: 5 values differ, 4 unknown values are known now.
      1 change is done.
      Approved: plan.json, Terraform or OpenTofu 1.9.0
      Result: state.json

      ~ a.marked id: (sensitive value) differs
      ~ a.marked l: (sensitive value) differs
      ~ a.marked v: (sensitive value) differs
      ~ output.s (sensitive value) differs
      ~ output.t (sensitive value) differs
    ! Not what was approved: 5 values differ, 4 unknown values are known now.
      1 change is done.
      Approved: plan.json, Terraform or OpenTofu 1.9.0
      Result: state.json

      ~ a.marked id: approved "tok3n-id", now "tok3n-x"
      ~ a.marked l: approved [{ p = "x" }, { p = "tok3n-2" }], now [{ p = "tok3n-8" }, { p = "x" }]
      ~ a.marked v: approved "tok3n-1", now "tok3n-7"
      ~ output.s approved "tok3n-3", now "tok3n-9"
      ~ output.t approved "tok3n-4", now "tok3n-5"

    ! Not what was approved: 2 values differ, 1 not done, 1 unknown value is known now.
      1 change is done.
      Approved: plan.json, Terraform or OpenTofu 1.9.0
      Result: apply.jsonl

      ~ a.marked id: (sensitive value) differs
      ~ output.s (sensitive value) differs
      < output.t changes: approved, never started
    ! Not what was approved: 2 values differ, 1 not done, 1 unknown value is known now.
      1 change is done.
      Approved: plan.json, Terraform or OpenTofu 1.9.0
      Result: apply.jsonl

      ~ a.marked id: approved "tok3n-id", now "tok3n-update"
      ~ output.s approved "tok3n-3", now "tok3n-9"
      < output.t changes: approved, never started
    "#);
}
