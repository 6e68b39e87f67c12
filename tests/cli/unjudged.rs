//! What a review could not judge, and what did not change, at the gates.

use serde_json::Value;

use super::harness::{folder, tfview};

fn regression(name: &str, file: &str) -> Vec<u8> {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read(format!("{root}/fixtures/regressions/{name}/{file}")).unwrap()
}

#[test]
fn what_no_schema_knows_is_not_judged_and_shuts_every_gate_on_findings() {
    let plan = regression("saved-plan-without-a-schema", "plan.tfplan");
    let folder = folder("cli-unjudged", &[("tfplan", &plan)]);
    let run = |options: &str| {
        tfview(&format!("review {options} tfplan"))
            .folder(&folder)
            .output()
    };
    let mut errors = String::new();
    for gate in [
        "finding:exposure",
        "finding:data-loss",
        "finding:unknown",
        "level:critical",
        "level:warning",
        "warning",
    ] {
        let output = run(&format!("--fail-on {gate}"));
        assert_eq!(output.code, Some(3), "{gate}: {output}");
        errors += &output.stderr;
    }
    insta::assert_snapshot!(errors, @r"
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on finding:exposure: 1 object with a finding `exposure`: azurerm_sql_firewall_rule.azure
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on finding:data-loss: 1 object with a finding `data-loss`: azurerm_sql_firewall_rule.azure
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on finding:unknown: 1 object with a finding `unknown`: azurerm_sql_firewall_rule.azure
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on level:critical: 1 entry of level `critical`: azurerm_sql_firewall_rule.azure
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on level:warning: 1 entry of level `warning` or worse: azurerm_sql_firewall_rule.azure
    note: values of azurerm_sql_firewall_rule in tfplan are hidden, because no schema says what is sensitive: --show-sensitive shows them
    error: --fail-on warning: 1 check or object failed or not judged: azurerm_sql_firewall_rule.azure
    ");
    let output = run("--format json");
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let finding = &json["plans"][0]["findings"][0];
    assert_eq!(finding["rule"], "no-schema");
    assert_eq!(finding["level"], "warning");
    assert_eq!(json["verdict"]["level"], "warning");
    // With the values, the rules judge the object.
    let output = run("--show-sensitive --format json");
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let findings = json["plans"][0]["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .all(|finding| finding["rule"] != "no-schema"),
        "{output}"
    );
}

#[test]
fn null_that_became_empty_is_no_drift() {
    let plan = regression("drift-null-became-empty", "plan.json");
    let changed = String::from_utf8(plan.clone())
        .unwrap()
        .replace("\"annotations\": {}", "\"annotations\": {\"a\":\"b\"}");
    assert!(changed.as_bytes() != plan);
    let files = [("plan.json", &*plan), ("changed.json", changed.as_bytes())];
    let folder = folder("cli-drift-empty", &files);
    for (file, code) in [("plan.json", 0), ("changed.json", 3)] {
        let output = tfview(&format!("review --fail-on drift {file}"))
            .folder(&folder)
            .output();
        assert_eq!(output.code, Some(code), "{output}");
    }
    let output = tfview("review --format json plan.json")
        .folder(&folder)
        .output();
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["verdict"]["drift"], 0);
    // The edits are in the JSON.
    assert!(!json["plans"][0]["drift"].as_array().unwrap().is_empty());
}
