//! Attacks: what somebody writes into a plan, a log or a name so that a reader sees something else. Those with an area of
//! their own are tested there.

use super::{Case, assert_in_order};
use crate::cli::harness::without_identity;

/// Formats for people.
const FORMATS: [&str; 3] = ["terminal", "markdown", "html"];

/// No format for people shows the text, and the terminal's text is returned.
#[track_caller]
fn assert_hidden(case: Case, secret: &str) -> String {
    for format in FORMATS {
        for options in ["", "--context all"] {
            let command = format!("review --format {format} {options} plan.json");
            let output = case.run(&command);
            assert_eq!(output.code, Some(0), "{command}: {output}");
            assert!(!output.stdout.contains(secret), "{command}: {output}");
        }
    }
    case.review()
}

/// A token in base64 in YAML was printed.
#[test]
fn credential_base64_in_yaml() {
    let case = Case("regressions/credential-base64-in-yaml");
    let text = assert_hidden(case, "Z2hwX2FCM2RFNWZHN2hhQjNkRTVmRz");
    assert_in_order(
        &text,
        &["CRITICAL", "yaml_body.data.token token in plain text"],
    );
    insta::assert_snapshot!(case.findings().join("\n"), @"
    critical secret kubectl_manifest.s: yaml_body.data.token: token in plain text
    critical secret kubectl_manifest.s: yaml_body: GitHub token in plain text
    ");
}

/// A token that is the key of a map was printed.
#[test]
fn credential_map_key() {
    let text = assert_hidden(Case("regressions/credential-map-key"), "ghp_");
    assert_in_order(&text, &["variables[\"(GitHub token)\"] x -> y"]);
}

/// The version of a plan was markup in a comment.
#[test]
fn markdown_image_in_version() {
    let case = Case("regressions/markdown-image-in-version");
    let comment = case.run("review --format markdown plan.json").stdout;
    assert!(
        !comment.contains("![") && !comment.contains("https://zz"),
        "{comment}"
    );
    insta::assert_snapshot!(without_identity(&comment));
}

/// A document of a unit without messages was printed from the JSON log of Terragrunt.
#[test]
fn stream_json_log_unknown_unit() {
    let case = Case("regressions/stream-json-log-unknown-unit");
    let output = case.run("stream log.jsonl");
    assert!(!output.to_string().contains("SECRET"), "{output}");
    assert_in_order(&output.stdout, &["0 to add, 1 to change, 0 to destroy"]);
}

/// A second cluster whose configuration names a range took the finding of the first one away, and the gate opened.
#[test]
fn another_cluster() {
    let case = Case("reports/another-cluster");
    for plan in ["one.json", "two.json"] {
        let output = case.run(&format!("review --fail-on finding:exposure {plan}"));
        assert_eq!(output.code, Some(3), "{plan}: {output}");
        assert_in_order(
            &output.stdout,
            &[
                "aws_eks_cluster.a",
                "open to the world where no range is configured",
            ],
        );
    }
}
