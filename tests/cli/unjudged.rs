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
        assert!(
            output.stderr.contains("azurerm_sql_firewall_rule"),
            "{gate}: {output}"
        );
    }
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
fn a07_drift_null_to_empty() {
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
