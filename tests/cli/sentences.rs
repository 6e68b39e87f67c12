//! Sentences of reviews that real documents showed to be wrong or empty.

use serde_json::json;

use super::harness::tfview;
use crate::plan::{Change, PlanBuilder};

fn review(change: Change) -> String {
    let plan = PlanBuilder::of([change]).with("terraform_version", json!("1.15.0"));
    let output = tfview("review --no-config").stdin(plan.json()).output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

/// It was "forced by what does not differ in the plan".
#[test]
fn a_path_that_forces_a_replacement_and_does_not_differ_is_named() {
    let object = json!({ "id": "1", "name": "x" });
    let change = Change::replaced("x_a.a", object, json!({ "name": "x" }))
        .unknown(json!({ "id": true }))
        .forced_by(json!([["name"], ["rules", 0, "port"]]));
    let text = review(change);
    insta::assert_snapshot!(text, @r"
    WARNING  1 to replace. Terraform 1.15.0.

       -/+ x_a.a  (forced by name, rules[0].port, which do not differ in the plan)
    (no rules for: x_a) (1 value of replaced objects known after apply)
    ");
}

/// Empty texts took places of a summary.
#[test]
fn a_summary_of_what_is_created_has_no_empty_values() {
    let after =
        json!({ "name": "app:1", "build": [{ "context": ".", "version": "", "args": {} }] });
    let text = review(Change::created("x_image.a", after));
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to create. Terraform 1.15.0.

       + x_image.a  app:1, build.context = .
    (no rules for: x_image)
    ");
}

/// It was "from 10.0.0.0/8 to (known after apply)".
#[test]
fn an_incoming_rule_has_no_destination_that_is_computed() {
    let rule = json!({
        "name": "ssh", "direction": "INGRESS", "source_ranges": ["10.0.0.0/8"], "priority": 1000,
        "allow": [{ "protocol": "tcp", "ports": ["22"] }],
    });
    let change = Change::created("google_compute_firewall.a", rule)
        .unknown(json!({ "destination_ranges": true, "id": true }));
    let text = review(change);
    insta::assert_snapshot!(text, @"
    NOTICE  Access is wider: 1 compute firewall.
            1 to create. Terraform 1.15.0.

       + google_compute_firewall.a  ssh
         + 1000 INGRESS allow tcp/22 from 10.0.0.0/8
    ");
}
