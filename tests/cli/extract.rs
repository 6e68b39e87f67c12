//! Extracts and short texts keep the gravest, count the rest, and keep within their size.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::harness::{folder, tfview};
use crate::json_schema::validate;

fn plan(name: &str) -> std::path::PathBuf {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/with/shop/plan.json");
    let folder = folder(name, &[]);
    fs::copy(plan, folder.join("plan.json")).unwrap();
    folder
}

#[test]
fn an_extract_keeps_what_has_findings_and_counts_the_rest() {
    let folder = plan("extract-json");
    let review = |args: &str| {
        tfview(&format!("review --no-config {args} plan.json"))
            .folder(&folder)
            .output()
            .stdout
    };
    let whole: Value = serde_json::from_str(&review("--format json")).unwrap();
    let number =
        |document: &Value, list: &str| document["plans"][0][list].as_array().map_or(0, Vec::len);
    let text = review("--format json --only-findings");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&document["extract"], &document["verdict"]),
        (&Value::Bool(true), &whole["verdict"])
    );
    for list in ["findings", "resources", "outputs"] {
        let left_out = usize::try_from(document["left_out"][list].as_u64().unwrap()).unwrap();
        assert_eq!(
            number(&document, list) + left_out,
            number(&whole, list),
            "{list}"
        );
    }
    assert_eq!(
        document["plans"][0]["findings"][0],
        whole["plans"][0]["findings"][0]
    );
    assert_eq!(number(&document, "findings"), number(&whole, "findings"));
    let entries = document["plans"][0]["resources"].as_array().unwrap();
    assert!(
        entries
            .iter()
            .all(|entry| !entry["findings"].as_array().unwrap().is_empty())
            && entries.len() == 5
    );
    assert_eq!(entries[0]["address"], "aws_db_instance.orders");
}

#[test]
fn json_is_not_cut_to_a_size() {
    let folder = plan("extract-size");
    let output = tfview("review --no-config --format json --max-bytes 8000 plan.json")
        .folder(&folder)
        .output();
    assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{output}");
    insta::assert_snapshot!(output.stderr, @r"
    error: --max-bytes: JSON is not cut to a size, only texts are
      tip: --only-findings leaves out what has no findings
    ");
}

#[test]
fn the_document_of_the_contract_is_never_cut() {
    let folder = plan("extract-whole");
    let args =
        "review --no-config --format markdown --max-bytes 2048 --out json=review.json plan.json";
    assert_eq!(tfview(args).folder(&folder).output().code, Some(0));
    let text = fs::read_to_string(folder.join("review.json")).unwrap();
    validate("review", &text, "--out json");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document.get("extract").is_none());
    assert_eq!(
        document["plans"][0]["resources"].as_array().unwrap().len(),
        16
    );
}

#[test]
fn text_keeps_within_its_size() {
    let folder = folder("extract-text", &[]);
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/words/eks_upgrade.json");
    fs::copy(plan, folder.join("plan.json")).unwrap();
    let review = |args: &str| {
        tfview(&format!("review --no-config {args} plan.json"))
            .folder(&folder)
            .output()
            .stdout
    };
    let whole = review("");
    assert_eq!(review("--max-bytes 1000000"), whole);
    for bytes in [2_048, 2_056, 2_064] {
        let text = review(&format!("--max-bytes {bytes}"));
        assert!(
            text.len() <= bytes && text.len() < whole.len(),
            "{bytes}: {}",
            text.len()
        );
        assert!(text.starts_with(whole.lines().next().unwrap()), "{text}");
    }
    insta::assert_snapshot!(review("--max-bytes 2048"));
}
