//! SARIF is valid, stays the same for a finding that moves, and is read back.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::harness::{folder, tfview};

/// Holds a document to the official schema of SARIF 2.1.0.
fn validate(document: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/with/sarif-2.1.0.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{error}, at {}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

fn shop(name: &str, main: impl FnOnce(String) -> String) -> std::path::PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/with/shop");
    let folder = folder(name, &[]);
    fs::create_dir_all(folder.join("modules/store")).unwrap();
    for file in ["plan.json", "modules/store/main.tf"] {
        fs::copy(from.join(file), folder.join(file)).unwrap();
    }
    fs::write(
        folder.join("main.tf"),
        main(fs::read_to_string(from.join("main.tf")).unwrap()),
    )
    .unwrap();
    folder
}

fn sarif(folder: &Path, args: &str) -> Value {
    let output = tfview(&format!(
        "review --no-config {args} --format sarif plan.json"
    ))
    .folder(folder)
    .output();
    assert_eq!(output.code, Some(0), "{output}");
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    validate(&document);
    document
}

fn fingerprints(document: &Value) -> Vec<String> {
    let results = document["runs"][0]["results"].as_array().unwrap();
    results
        .iter()
        .map(|result| result["partialFingerprints"]["primaryLocationLineHash"].to_string())
        .collect()
}

#[test]
fn findings_are_valid_and_keep_their_fingerprints() {
    let here = shop("sarif", |text| text);
    let document = sarif(&here, "--source .");
    let results = document["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    assert_eq!(
        (results[0]["ruleId"].as_str(), results[0]["level"].as_str()),
        (Some("data-loss"), Some("error"))
    );
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (
            location["artifactLocation"]["uri"].as_str(),
            location["region"]["startLine"].as_u64()
        ),
        (Some("main.tf"), Some(30))
    );
    let mut unique = fingerprints(&document);
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), results.len());
    // The lines move, and the findings stay the same.
    let moved = sarif(
        &shop("sarif-moved", |text| format!("# a line\n\n{text}")),
        "--source .",
    );
    assert_ne!(
        moved["runs"][0]["results"][0]["locations"],
        results[0]["locations"]
    );
    assert_eq!(fingerprints(&moved), fingerprints(&document));
    // Without the configuration, the place is the plan.
    let without = sarif(&here, "");
    assert_eq!(
        without["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            .as_str(),
        Some("plan.json")
    );
    assert_eq!(fingerprints(&without), fingerprints(&document));
}

#[test]
fn rules_have_what_code_scanning_needs() {
    let document = sarif(&shop("sarif-rules", |text| text), "");
    for rule in document["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
    {
        for text in [
            "/shortDescription/text",
            "/fullDescription/text",
            "/help/text",
        ] {
            let text = rule.pointer(text).and_then(Value::as_str).unwrap();
            assert!(!text.is_empty() && text.len() <= 1_024, "{rule}");
        }
    }
}

#[test]
fn own_sarif_is_read_back() {
    let folder = shop("sarif-back", |text| text);
    let args = "review --no-config --out sarif=own.sarif plan.json";
    assert_eq!(tfview(args).folder(&folder).output().code, Some(0));
    let output = tfview("review --no-config --format json --with own.sarif plan.json")
        .folder(&folder)
        .output();
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let results = document["plans"][0]["with"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    assert!(
        results
            .iter()
            .all(|result| !result["addresses"].as_array().unwrap().is_empty()),
        "{results:?}"
    );
}
