//! Actions whose invocation a plan defers are gated, shown and compared.

use serde_json::{Value, json};

use super::harness::{folder, tfview, without_identity};
use crate::page::{lines_of, with_page};

const ADDRESS: &str = "action.x_notify.n";
const SECRET: &str = "s3cr3t";

/// An action with this configuration.
fn action(config: &Value) -> Value {
    json!({ "address": ADDRESS, "type": "x_notify", "name": "n", "provider_name": "registry.example/x/notify",
        "config_values": config, "config_sensitive": { "token": true },
        "lifecycle_action_trigger": { "triggering_resource_address": "x_a.a", "action_trigger_event": "AfterUpdate" } })
}

/// A plan that defers it for this reason.
fn plan(reason: &str, config: &Value) -> String {
    let deferred = json!([{ "reason": reason, "action_invocation": action(config) }]);
    json!({ "format_version": "1.2", "complete": false, "deferred_action_invocations": deferred })
        .to_string()
}

fn config(url: &str) -> Value {
    json!({ "token": SECRET, "url": url })
}

#[test]
fn deferred_actions_shut_the_gates() {
    let plan = plan("deferred_prereq", &config("a"));
    for (gate, code) in [("deferred", 3), ("any", 3), ("action", 0), ("destroy", 0)] {
        let ended = tfview(&format!("review --fail-on {gate}"))
            .stdin(&plan)
            .output();
        assert_eq!(ended.code, Some(code), "{gate}: {ended}");
        assert_eq!(ended.stderr.contains(ADDRESS), code == 3, "{gate}: {ended}");
    }
}

#[test]
fn deferred_changes_shut_the_gate_for_any_change() {
    let change = json!({ "address": "x_a.a", "mode": "managed", "type": "x_a", "name": "a",
        "change": { "actions": ["create"], "before": null, "after": {} } });
    let deferred = json!([{ "reason": "deferred_prereq", "resource_change": change }]);
    let plan = json!({ "format_version": "1.2", "deferred_changes": deferred }).to_string();
    let ended = tfview("review --fail-on any").stdin(&plan).output();
    assert_eq!(ended.code, Some(3), "{ended}");
}

#[test]
fn every_format_shows_deferred_actions_without_their_secrets() {
    let plan = plan("deferred_prereq", &config("https://hook"));
    let mut outputs = String::new();
    for args in [
        "",
        "--list",
        "--tree",
        "--format markdown",
        "--format html",
        "--format json",
        "--address action.x_notify.n",
    ] {
        let ended = tfview(&format!("review {args}")).stdin(&plan).output();
        assert_eq!(ended.code, Some(0), "{args}: {ended}");
        match args {
            "--format html" => with_page(&ended.stdout, args, |page| {
                outputs += &format!("{args}:\n{}\n", without_identity(&lines_of(page)));
            }),
            "--format json" => {
                assert!(ended.stdout.contains(ADDRESS) && ended.stdout.contains("https://hook"));
            }
            "--tree" | "--address action.x_notify.n" => {
                assert!(
                    outputs.starts_with(&format!(":\n{}", ended.stdout)),
                    "{ended}"
                );
            }
            _ => outputs += &format!("{args}:\n{}\n", without_identity(&ended.stdout)),
        }
        assert!(!ended.stdout.contains(SECRET), "{args}: {ended}");
    }
    insta::assert_snapshot!(outputs);
    let ended = tfview("review --format json").stdin(&plan).output();
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let plan = &document["plans"][0];
    assert_eq!(plan["action_invocations"], json!([]));
    assert_eq!(
        plan["deferred_action_invocations"][0]["deferred_reason"],
        "deferred_prereq"
    );
    assert_eq!(plan["verdict"]["deferred_action_invocations"], 1);
}

/// The tools print nothing for them.
#[test]
fn selected_deferred_action_is_noted_by_show() {
    let plan = plan("deferred_prereq", &config("https://hook"));
    let ended = tfview(&format!("show --address {ADDRESS}"))
        .stdin(&plan)
        .output();
    assert_eq!((ended.code, &*ended.stdout), (Some(0), ""), "{ended}");
    insta::assert_snapshot!(ended.stderr, @"note: action.x_notify.n is deferred to a later plan; `tfview review --address` shows it");
}

#[test]
fn deferred_actions_are_compared() {
    let old = plan("deferred_prereq", &config("a"));
    let folder = folder("deferred-actions", &[("old.json", old.as_bytes())]);
    let none =
        json!({ "format_version": "1.2", "complete": false, "resource_changes": [] }).to_string();
    let invoked = json!({ "format_version": "1.2", "complete": false, "action_invocations": [action(&config("a"))] });
    let mut outputs = String::new();
    for now in [
        old.clone(),
        plan("deferred_prereq", &config("b")),
        plan("instance_count_unknown", &config("a")),
        none,
        invoked.to_string(),
    ] {
        let run = |command: &str| tfview(command).folder(&folder).stdin(&now).output();
        let (diff, review) = (run("diff old.json -"), run("review --since old.json"));
        outputs += &format!("{}\n", diff.stdout);
        assert!(review.stdout.starts_with(&diff.stdout), "{review}");
        for ended in [diff, review] {
            assert!(!ended.stdout.contains(SECRET), "{ended}");
        }
        let fingerprint = |plan: &str| tfview("diff --fingerprint -").stdin(plan).output().stdout;
        assert_eq!(fingerprint(&now) == fingerprint(&old), now == old, "{now}");
    }
    insta::assert_snapshot!(outputs);
}

/// Without the members of later releases, it was 0.
#[test]
fn detailed_exit_code_of_a_plan_of_deferred_changes_is_2() {
    for actions in [r#"["create"]"#, r#"["no-op"]"#, r#"["read"]"#] {
        let plan = format!(
            r#"{{"format_version":"1.2","deferred_changes":[{{"reason":"provider_config_unknown","resource_change":{{
            "address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"x/y/z",
            "change":{{"actions":{actions},"before":null,"after":{{"x":1}},"after_unknown":{{}}}}}}}}]}}"#
        );
        for command in ["show", "review"] {
            let output = tfview(&format!("{command} --detailed-exitcode"))
                .stdin(&plan)
                .output();
            assert_eq!(output.code, Some(2), "{command} {actions}: {output}");
        }
    }
}
