//! No text of a plan, a run or a state is interpreted by a terminal, a CI system or a Markdown renderer.

use serde_json::{Value, json};
use tfview::internals::compare::Options;

use super::{Outcome, compare, compare_result};
use crate::terminal::fault;

const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{202e}\u{0}\r\n::error::x ##vso[task.complete] ##[error]y\n```\n````\n</details><img src=x onerror=alert(1)> @team [a](http://b)";

fn change(name: &str, actions: &[&str], before: &Value, after: &Value, more: &Value) -> Value {
    let mut change = json!({
        "address": format!("a.{name}[\"{HOSTILE}\"]"), "mode": "managed", "type": "a", "name": name,
        "provider_name": "x", "deposed": format!("d{HOSTILE}"), "action_reason": more["reason"],
        "previous_address": more["previous"],
        "change": {"actions": actions, "before": before, "after": after, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {}, "replace_paths": more["paths"],
            "importing": more["importing"]}});
    for name in ["action_reason", "previous_address"] {
        if change[name].is_null() {
            change.as_object_mut().unwrap().remove(name);
        }
    }
    change
}

fn plan(value: &str, more: &Value, extra: Option<Value>) -> String {
    let policy = |text: &str| json!({"Statement": [{"Sid": text, HOSTILE: text}]}).to_string();
    let mut changes = vec![
        change(
            "value",
            &["update"],
            &json!({HOSTILE: "x", "doc": policy("x"), "lines": format!("a\n{HOSTILE}\nb")}),
            &json!({HOSTILE: value, "doc": policy(value), "lines": format!("a\n{value}\nb")}),
            &Value::Null,
        ),
        change(
            "more",
            &["delete", "create"],
            &json!({"a": 1}),
            &json!({"a": 2}),
            more,
        ),
    ];
    changes.extend(extra);
    json!({
        "format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": changes,
        "output_changes": {HOSTILE: {"actions": ["create"], "before": null, "after": value, "after_unknown": false}},
        "variables": {HOSTILE: {"value": value}},
    })
    .to_string()
}

fn assert_harmless(outcome: &Outcome) {
    assert!(outcome.classes.len() > 3, "{}", outcome.terminal);
    assert_eq!(fault(&outcome.terminal, false), None);
    assert_eq!(fault(&outcome.in_ci, true), None);
    for line in outcome.in_ci.lines() {
        let is_command =
            line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[");
        assert!(!is_command, "{line}");
    }
    assert_eq!(fault(&outcome.markdown, false), None);
    crate::review::markdown::check_markup(&outcome.markdown, "a comparison");
    assert_eq!(fault(&outcome.json, false), None);
}

#[test]
fn text_of_a_plan_is_never_interpreted() {
    let old = plan(
        "y",
        &json!({"paths": [["a"]], "reason": "x", "importing": {"id": "x"}}),
        None,
    );
    let more = json!({"paths": [[HOSTILE]], "reason": HOSTILE, "importing": {"id": HOSTILE}, "previous": format!("a.{HOSTILE}")});
    let extra = change(
        "new",
        &["delete"],
        &json!({"a": HOSTILE}),
        &Value::Null,
        &Value::Null,
    );
    let new = plan(HOSTILE, &more, Some(extra));
    assert_harmless(&compare(&old, &new, None, &Options::default()));
    assert_harmless(&compare(&new, &old, None, &Options::default()));
}

#[test]
fn text_of_a_result_is_never_interpreted() {
    let planned = plan("y", &json!({}), None).replace("\"deposed\"", "\"not_deposed\"");
    let address = |name: &str| format!("a.{name}[\"{HOSTILE}\"]");
    let message = |kind: &str, word: &str, name: &str| {
        json!({"@level": "info", "@message": HOSTILE, "type": kind, "hook": {"resource": {"addr": address(name)},
            "action": word, "id_key": HOSTILE, "id_value": HOSTILE}})
        .to_string()
    };
    let run = [
        message("apply_start", "update", "value"),
        message("apply_errored", "update", "value"),
        message("apply_start", "delete", "more"),
        message("apply_complete", "delete", "more"),
        message("apply_start", HOSTILE, "other"),
        message("apply_complete", "delete", "another"),
        json!({"@level": "error", "@message": "m", "type": "diagnostic", "diagnostic":
            {"severity": "error", "summary": HOSTILE, "address": address("value")}})
        .to_string(),
        json!({"@level": "error", "@message": "m", "type": "diagnostic", "diagnostic":
            {"severity": "error", "summary": HOSTILE}})
        .to_string(),
        json!({"@level": "info", "@message": "m", "type": "outputs", "outputs":
            {HOSTILE: {"sensitive": false, "value": HOSTILE}, "more": {"sensitive": false, "value": HOSTILE}}})
        .to_string(),
    ]
    .join("\n");
    assert_harmless(&compare_result(&planned, &run, None, &Options::default()).unwrap());
    let resource = |name: &str, deposed: &str| {
        json!({"address": address(name), "mode": "managed", "type": "a", "name": name, "provider_name": "x",
            "deposed_key": deposed, "values": {HOSTILE: HOSTILE, "doc": HOSTILE, "lines": HOSTILE, "a": 3},
            "sensitive_values": {}})
    };
    let state = json!({"format_version": "1.0", "terraform_version": HOSTILE, "values": {
        "outputs": {HOSTILE: {"sensitive": false, "value": HOSTILE}},
        "root_module": {"resources": [resource("value", ""), resource("more", ""), resource("more", HOSTILE),
            resource("other", "")]}}})
    .to_string();
    assert_harmless(&compare_result(&planned, &state, None, &Options::default()).unwrap());
}
