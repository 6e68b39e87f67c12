//! What the text of a review says of small plans as pipelines hand them over, each named after what it said before.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values are written where they are given"
)]

use serde_json::{Value, json};

use super::{options, terminal};

/// A change of an object with this address: created, destroyed or updated.
fn change(address: &str, before: Value, after: Value) -> Value {
    let (kind, rest) = address.split_once('.').unwrap();
    let (name, key) = rest.split_once('[').unwrap_or((rest, ""));
    let index: Value = serde_json::from_str(key.trim_end_matches(']')).unwrap_or_default();
    let action = match (before.is_null(), after.is_null()) {
        (true, _) => "create",
        (_, true) => "delete",
        _ => "update",
    };
    json!({"address": address, "mode": "managed", "type": kind, "name": name, "index": index,
        "provider_name": "registry.terraform.io/x/x",
        "change": {"actions": [action], "before": before, "after": after, "after_unknown": {}}})
}

fn text(changes: Vec<Value>) -> String {
    let plan = json!({"format_version": "1.2", "resource_changes": changes});
    terminal(&plan.to_string(), &options())
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "lacks {part}:\n{text}");
    }
}

#[test]
fn a_policy_that_was_empty_before_was_escaped_json() {
    let policy = r#"{"Version": "2012-10-17", "Statement": [{"Sid": "Read", "Effect": "Allow", "Principal": "*",
        "Action": "s3:GetObject", "Resource": "arn:aws:s3:::site/*"}]}"#;
    for empty in ["", "{}"] {
        let [no, yes] = [empty, policy].map(|policy| json!({"bucket": "site", "policy": policy}));
        let added = text(vec![change("aws_s3_bucket.site", no.clone(), yes.clone())]);
        assert_has(
            &added,
            &["+ policy: Read: Allow s3:GetObject on arn:aws:s3:::site/*"],
        );
        let removed = text(vec![change("aws_s3_bucket.site", yes, no)]);
        assert_has(
            &removed,
            &["- policy: Read: Allow s3:GetObject on arn:aws:s3:::site/*"],
        );
        assert!(
            !added.contains("\\\"") && !removed.contains("\\\""),
            "{added}{removed}"
        );
    }
}

#[test]
fn a_word_of_all_objects_that_is_the_key_of_one_kept_it_apart() {
    let node = |index: usize| {
        let name = format!("node-{}", index + 1);
        let after = json!({"ami": "ami-1", "instance_type": "m5.large", "tags": {"Name": name}});
        change(&format!("aws_instance.n[{index}]"), Value::Null, after)
    };
    assert_has(
        &text((0..4).map(node).collect()),
        &["+ 4 × aws_instance.n[0…3]  ami-1, m5.large"],
    );
}

#[test]
fn empty_values_of_what_is_created_were_in_its_summary() {
    let image = json!({"name": "app:1", "build": [{"context": ".", "version": "", "args": {}}]});
    let text = text(vec![change("docker_image.app", Value::Null, image)]);
    assert_has(&text, &["app:1"]);
    assert!(!text.contains("\"\""), "{text}");
}

#[test]
fn the_place_of_a_rule_was_not_said_where_the_order_decides() {
    let rules = |names: &[&str]| {
        let rules = names
            .iter()
            .map(|name| json!({"name": name, "action": format!("do-{name}")}));
        json!({"rules": rules.collect::<Vec<_>>()})
    };
    let moved = |kind: &str, before: &[&str], after: &[&str]| {
        text(vec![change(
            &format!("{kind}.r"),
            rules(before),
            rules(after),
        )])
    };
    let (before, after) = (
        ["block-bad", "allow-app", "deny-all"],
        ["allow-app", "deny-all", "block-bad"],
    );
    let policy = "panos_security_policy_rules";
    assert_has(
        &moved(policy, &before, &after),
        &["rules[\"block-bad\", 0 -> 2]", "moved; last"],
    );
    assert_has(
        &moved(policy, &after, &before),
        &["rules[\"block-bad\", 2 -> 0]", "moved; first"],
    );
    assert_has(
        &moved(policy, &before[1..], &before),
        &["+ rules[\"block-bad\"]", "(first)"],
    );
    assert_has(
        &moved(policy, &after[..2], &after),
        &["+ rules[\"block-bad\"]", "(last)"],
    );
    let between = ["allow-app", "block-bad", "deny-all"];
    assert_has(&moved(policy, &after[..2], &between), &["(place 2 of 3)"]);
    // Elsewhere the order of named elements is a matter of form.
    let form = moved("aws_s3_bucket_lifecycle_configuration", &before, &after);
    assert_has(&form, &["formatting only: rules[\"block-bad\"]"]);
}
