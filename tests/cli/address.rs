//! `--address` shows the selected resources completely. Gates and exit codes still consider the whole plan.

use std::path::Path;

use super::harness::{Output, tfview};

fn golden(args: &str, name: &str) -> Output {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/goldens")
        .join(name)
        .join("plan.json");
    let folder = plan.parent().unwrap().to_owned();
    tfview(args).argument("plan.json").folder(&folder).output()
}

#[test]
fn show_prints_selected_resources_completely() {
    let output = golden(
        "show --schemas schema.json --address tfcoremock_vpc.main --address tfcoremock_bucket.old",
        "kitchen-sink-opentofu",
    );
    insta::assert_snapshot!(output);
    let one = golden(
        "show --schemas schema.json --address tfcoremock_simple_resource.node",
        "replace-flag-terraform",
    );
    insta::assert_snapshot!(one.stdout);
}

#[test]
fn show_exit_code_considers_the_whole_plan() {
    let output = golden(
        r#"show --detailed-exitcode --address tfcoremock_bucket.untouched"#,
        "update-tags-opentofu",
    );
    assert_eq!(output.code, Some(2), "{output}");
    insta::assert_snapshot!(output.stdout, @r#"
    # tfcoremock_bucket.untouched will not change
      resource "tfcoremock_bucket" "untouched" {
          bucket = "acme-untouched"
          id     = "b"
      }
    "#);
}

#[test]
fn review_shows_the_selected_entries_with_all_values() {
    let output = golden(
        "review --address tfcoremock_subnet.a --fail-on forget",
        "kitchen-sink-opentofu",
    );
    assert_eq!(
        output.code,
        Some(3),
        "the gate considers the whole plan: {output}"
    );
    insta::assert_snapshot!(output);
    let json = golden(
        "review --format json --address tfcoremock_subnet.a",
        "kitchen-sink-opentofu",
    );
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let entries = json["plans"][0]["resources"].as_array().unwrap();
    let shown = entries.iter().filter(|entry| entry["hidden"].is_null());
    let shown: Vec<&str> = shown
        .map(|entry| entry["address"].as_str().unwrap())
        .collect();
    assert_eq!(
        (entries.len() > 5, &*shown),
        (true, &["tfcoremock_subnet.a"][..])
    );
}

#[test]
fn unknown_address_is_an_error_with_a_suggestion() {
    for command in ["show", "review"] {
        let output = golden(
            &format!("{command} --address tfcoremock_simple_resource.node[c]"),
            "replace-flag-opentofu",
        );
        assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{output}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(output.stderr, @r#"
            error: --address tfcoremock_simple_resource.node[c]: the plan has no module, resource or action of this address
              tip: a similar address exists: --address 'tfcoremock_simple_resource.node["c"]'
            "#);
        }
        let output = golden(
            &format!("{command} --address nothing.like_it"),
            "replace-flag-opentofu",
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(output.stderr, @r"
            error: --address nothing.like_it: the plan has no module, resource or action of this address
              tip: `tfview review --list` prints the addresses of what changes
            ");
        }
    }
}

#[test]
fn review_notes_that_a_selected_resource_does_not_change() {
    let output = golden(
        "review --address tfcoremock_bucket.untouched",
        "update-tags-opentofu",
    );
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stderr, @"note: tfcoremock_bucket.untouched does not change; `tfview show --address` prints its values");
}

#[test]
fn selected_resources_are_hidden_and_escaped_as_others() {
    let change = |value: &str, marks: &str| {
        format!(
            r#"{{"format_version":"1.2","resource_changes":[{{"address":"t_x.a[\"\u001b]0;k\"]","mode":"managed","type":"t_x","name":"a","index":"\u001b]0;k","provider_name":"registry.terraform.io/a/t","change":{{"actions":["update"],"before":{value},"after":{{"id":"1","n":2,"s":"planted","o":"\u001b[2J"}},"after_unknown":{{}},"before_sensitive":{marks},"after_sensitive":{marks}}}}}]}}"#
        )
    };
    let plan = change(
        r#"{"id":"1","n":1,"s":"planted","o":"\u001b[2J"}"#,
        r#"{"s":true}"#,
    );
    for args in [
        "show --address t_x.a",
        "review --address t_x.a",
        "review --format markdown --address t_x.a",
        "review --format html --address t_x.a",
        "review --address t_x.b",
    ] {
        let output = tfview(args).stdin(&plan).output();
        assert!(
            !format!("{output}").contains("planted") && !format!("{output}").contains('\u{1b}'),
            "{output}"
        );
        assert!(
            output.stdout.contains("(sensitive value)") || output.code == Some(1),
            "{output}"
        );
    }
}

#[test]
fn address_is_rejected_for_a_state() {
    let output = tfview("show --address a.b")
        .stdin(r#"{"format_version":"1.0","values":{}}"#)
        .output();
    insta::assert_snapshot!(output.stderr, @"error: standard input is a state: --address selects changes of a plan");
}
