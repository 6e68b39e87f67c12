//! `--address` shows the selected resources completely. Gates and exit codes still consider the whole plan.

use std::path::Path;

use super::harness::{Ended, tfview};

fn golden(args: &str, name: &str) -> Ended {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens").join(name).join("plan.json");
    let folder = plan.parent().unwrap().to_owned();
    tfview(args).argument("plan.json").folder(&folder).end()
}

#[test]
fn show_prints_selected_resources_completely() {
    let ended = golden(
        "show --schemas schema.json --address tfcoremock_vpc.main --address tfcoremock_bucket.old",
        "kitchen-sink-opentofu",
    );
    insta::assert_snapshot!(ended);
    let one = golden(
        "show --schemas schema.json --address tfcoremock_simple_resource.node",
        "replace-flag-terraform",
    );
    assert!(one.stdout.contains(r#"  # tfcoremock_simple_resource.node["c"] will not change"#), "{one}");
    assert!(one.stdout.contains("as requested") && !one.stdout.contains("hidden)"), "{one}");
    assert!(!one.stdout.contains("Plan:"), "{one}");
}

#[test]
fn show_exit_code_considers_the_whole_plan() {
    let ended =
        golden(r#"show --detailed-exitcode --address tfcoremock_bucket.untouched"#, "update-tags-opentofu");
    assert_eq!(ended.code, Some(2), "{ended}");
    assert!(ended.stdout.starts_with("  # tfcoremock_bucket.untouched will not change\n"), "{ended}");
}

#[test]
fn review_shows_the_selected_entries_with_all_values() {
    let ended = golden("review --address tfcoremock_subnet.a --fail-on forget", "kitchen-sink-opentofu");
    assert_eq!(ended.code, Some(3), "the gate considers the whole plan: {ended}");
    insta::assert_snapshot!(ended);
    let json = golden("review --format json --address tfcoremock_subnet.a", "kitchen-sink-opentofu");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let entries = json["plans"][0]["resources"].as_array().unwrap();
    let shown = entries.iter().filter(|entry| entry["hidden"].is_null());
    let shown: Vec<&str> = shown.map(|entry| entry["address"].as_str().unwrap()).collect();
    assert_eq!((entries.len() > 5, &*shown), (true, &["tfcoremock_subnet.a"][..]));
}

#[test]
fn unknown_address_is_an_error_with_a_suggestion() {
    for command in ["show", "review"] {
        let ended = golden(
            &format!("{command} --address tfcoremock_simple_resource.node[c]"),
            "replace-flag-opentofu",
        );
        assert_eq!((ended.code, &*ended.stdout), (Some(1), ""), "{ended}");
        assert!(
            ended.stderr.contains(
                r#"tip: a similar address exists: --address 'tfcoremock_simple_resource.node["c"]'"#
            ),
            "{ended}"
        );
        let ended = golden(&format!("{command} --address nothing.like_it"), "replace-flag-opentofu");
        assert!(ended.stderr.contains("tip: `tfview review --list`"), "{ended}");
    }
}

#[test]
fn review_notes_that_a_selected_resource_does_not_change() {
    let ended = golden("review --address tfcoremock_bucket.untouched", "update-tags-opentofu");
    assert_eq!(ended.code, Some(0), "{ended}");
    assert!(ended.stderr.contains("tfcoremock_bucket.untouched does not change"), "{ended}");
}

#[test]
fn selected_resources_are_hidden_and_escaped_as_others() {
    let change = |value: &str, marks: &str| {
        format!(
            r#"{{"format_version":"1.2","resource_changes":[{{"address":"t_x.a[\"\u001b]0;k\"]","mode":"managed","type":"t_x","name":"a","index":"\u001b]0;k","provider_name":"registry.terraform.io/a/t","change":{{"actions":["update"],"before":{value},"after":{{"id":"1","n":2,"s":"planted","o":"\u001b[2J"}},"after_unknown":{{}},"before_sensitive":{marks},"after_sensitive":{marks}}}}}]}}"#
        )
    };
    let plan = change(r#"{"id":"1","n":1,"s":"planted","o":"\u001b[2J"}"#, r#"{"s":true}"#);
    for args in [
        "show --address t_x.a",
        "review --address t_x.a",
        "review --format markdown --address t_x.a",
        "review --format html --address t_x.a",
        "review --address t_x.b",
    ] {
        let ended = tfview(args).stdin(&plan).end();
        assert!(!format!("{ended}").contains("planted") && !format!("{ended}").contains('\u{1b}'), "{ended}");
        assert!(ended.stdout.contains("(sensitive value)") || ended.code == Some(1), "{ended}");
    }
}

#[test]
fn address_is_rejected_for_a_state() {
    let ended = tfview("show --address a.b").stdin(r#"{"format_version":"1.0","values":{}}"#).end();
    assert!(ended.stderr.contains("is a state: --address selects changes of a plan"), "{ended}");
}
