//! A plan in another document is read where it is the only one, and gates hold for it.

use std::fs;

use super::harness::{folder, tfview};

const PLAN: &str = r#"{"format_version":"1.2","terraform_version":"1.15.0","resource_changes":[{"address":"x_a.a","mode":"managed","type":"x_a","name":"a","provider_name":"x","change":{"actions":["delete"],"before":{"id":"1"},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}}]}"#;

fn pretty(plan: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(plan).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

#[test]
fn gates_hold_for_a_plan_in_another_document() {
    let string = serde_json::to_string(PLAN).unwrap();
    let behind = |time: &str| -> String {
        let lines: Vec<String> = pretty(PLAN)
            .lines()
            .map(|line| format!("{time}{line}"))
            .collect();
        format!(
            "{time}##[group]Run terraform show -json\n{}\n",
            lines.join("\n")
        )
    };
    let mut notes = String::new();
    for document in [
        format!(r#"{{"plan": {PLAN}}}"#),
        format!(r#"{{"input":{{"plan":{}}}}}"#, pretty(PLAN)),
        string.clone(),
        format!(r#"{{"plan_json":{string}}}"#),
        format!("Running show\n{{\"tfplan\":{PLAN}}}\n"),
        behind("2026-11-20T09:05:00.1234567Z "),
        behind("2026-11-20T09:05:00.123456Z 00O "),
        behind("[2026-11-20T09:05:00.123Z] "),
    ] {
        for command in ["review --fail-on destroy", "show --detailed-exitcode"] {
            let ended = tfview(command).stdin(&document).output();
            let code = if command.starts_with("show") { 2 } else { 3 };
            assert_eq!(ended.code, Some(code), "{command} {document}\n{ended}");
            notes += &format!("{command}: {}", ended.stderr);
            assert!(
                ended.stdout.contains("x_a.a"),
                "{command} {document}\n{ended}"
            );
        }
    }
    insta::assert_snapshot!(notes);
}

#[test]
fn what_could_be_several_plans_is_an_error() {
    let unchanged = PLAN.replace("delete", "no-op");
    let mut errors = String::new();
    for document in [
        format!(r#"{{"plan":{unchanged},"input":{PLAN}}}"#),
        format!(r#"{{"approved":{PLAN}}}"#),
        format!(r#"{{"plan":{unchanged}}}{{"plan":{PLAN}}}"#),
        format!("log\n{{\"plan\":{unchanged}}}\nlog\n{{\"plan\":{PLAN}}}\n"),
        format!("log\n{{\"plan\":{unchanged}}}\nlog {{\"x\":{PLAN}\n"),
    ] {
        for command in ["review --fail-on destroy", "show"] {
            let ended = tfview(command).stdin(&document).output();
            assert_eq!(ended.code, Some(1), "{command} {document}\n{ended}");
            errors += &format!("{command}: {}", ended.stderr);
            assert_eq!(ended.stdout, "", "{command} {document}\n{ended}");
        }
    }
    insta::assert_snapshot!(errors);
}

#[test]
fn gates_hold_for_plans_in_other_documents_in_folders_and_globs() {
    let string = serde_json::to_string(PLAN).unwrap();
    let time = "2026-11-20T09:05:00.123Z ";
    let logged: String = pretty(PLAN)
        .lines()
        .map(|line| format!("{time}{line}\n"))
        .collect();
    let member = format!(r#"{{"plan": {PLAN}}}"#);
    let folder = folder(
        "nested-units",
        &[
            ("a/plan.json", member.as_bytes()),
            ("b/plan.json", string.as_bytes()),
            ("c/plan.json", logged.as_bytes()),
        ],
    );
    let mut outputs = String::new();
    for argument in [folder.clone(), folder.join("*/plan.json")] {
        let run = tfview("review --fail-on destroy").argument(argument.to_str().unwrap());
        let ended = run.output();
        assert_eq!(ended.code, Some(3), "{ended}");
        outputs += &format!(
            "{}\n",
            ended.stderr.replace(folder.to_str().unwrap(), "[folder]")
        );
    }
    insta::assert_snapshot!(outputs, @r#"
    note: read the plan in "plan" of [folder]/a/plan.json
    note: read the plan in a JSON string of [folder]/b/plan.json
    note: left out the times before 25 lines of [folder]/c/plan.json
    error: --fail-on destroy: 3 objects are destroyed, replacements included: a: x_a.a, b: x_a.a, c: x_a.a

    note: read the plan in "plan" of [folder]/a/plan.json
    note: read the plan in a JSON string of [folder]/b/plan.json
    note: left out the times before 25 lines of [folder]/c/plan.json
    error: --fail-on destroy: 3 objects are destroyed, replacements included: a: x_a.a, b: x_a.a, c: x_a.a
    "#);
    // What could be two plans shuts the gate of its folder.
    let both = format!(r#"{{"plan": {PLAN}, "input": {PLAN}}}"#);
    let unchanged = PLAN.replace("delete", "no-op");
    fs::write(folder.join("a/plan.json"), &unchanged).unwrap();
    fs::write(folder.join("b/plan.json"), both).unwrap();
    fs::write(folder.join("c/plan.json"), &unchanged).unwrap();
    let run = tfview("review --fail-on destroy").argument(folder.to_str().unwrap());
    let ended = run.output();
    assert_eq!(ended.code, Some(3), "{ended}");
    insta::assert_snapshot!(ended, @r#"
    exit Some(3)
    --- stdout
    3 units: FAILED  1 unit not reviewed. The others: No changes.
      1 cannot be read, 2 unchanged
        ✗ b cannot be read: a plan is at "plan" and at "input": it is not clear which one is meant
    --- stderr
    error: --fail-on destroy: not known of 1 unit: b (cannot be read)
    [EOF]
    "#);
}
