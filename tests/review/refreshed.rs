//! Drift that only shows what other resources of the same state make is no change outside of the tool.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values are written where they are given"
)]

use serde_json::{Value, json};

use super::{options, terminal_of, with_findings};
use crate::plan::{Change, PlanBuilder};

/// The objects that changed outside of the tool, and the text of the review.
fn drifted(plan: &Value) -> (usize, String) {
    with_findings(&[&plan.to_string()], &options(), |reviews| {
        let drift = reviews[0].verdict().drift;
        (drift, terminal_of(&reviews[0], &options()).0)
    })
}

/// A refreshed object, and the other objects of the state.
fn plan(refreshed: (&str, Value, Value), others: &[(&str, Value)]) -> Value {
    let (kind, before, after) = refreshed;
    let resources = others.iter().map(|(kind, values)| {
        json!({"address": format!("{kind}.o"), "mode": "managed", "type": kind, "name": "o", "values": values})
    });
    let resources: Vec<Value> = resources.collect();
    let state =
        json!({"format_version": "1.0", "values": {"root_module": {"resources": resources}}});
    PlanBuilder::new()
        .change(Change::created("a.other", json!({"a": 1})))
        .drift(Change::updated(&format!("{kind}.x"), before, after))
        .with("prior_state", state)
        .value()
}

/// What a refreshed object shows, and the parts that make it; then a part that does not.
#[track_caller]
fn assert_is_own(refreshed: (&str, Value, Value), part: &str, made: Value, other: Value) {
    let (number, text) = drifted(&plan(refreshed.clone(), &[(part, made)]));
    assert_eq!(number, 0, "{text}");
    let said = format!("of this state make: {}.x; --drift all", refreshed.0);
    assert!(text.contains(&said), "{text}");
    for others in [&[(part, other)][..], &[]] {
        let (number, text) = drifted(&plan(refreshed.clone(), others));
        assert_eq!(number, 1, "{others:?}: {text}");
    }
}

#[test]
fn what_other_resources_of_the_state_make_is_no_change_outside_of_the_tool() {
    let rule = |ranges: Value, port: u32| {
        json!({"cidr_blocks": ranges, "from_port": port, "to_port": port, "protocol": "tcp", "description": "web",
            "ipv6_cidr_blocks": [], "self": false})
    };
    let group = |rules: Value| json!({"id": "sg-1", "name": "web", "ingress": rules});
    let part = |kind: &str, range: &str, port: u32| {
        json!({"security_group_id": "sg-1", "type": kind, "cidr_blocks": [range], "from_port": port, "to_port": port,
            "protocol": "tcp"})
    };
    assert_is_own(
        (
            "aws_security_group",
            group(json!([])),
            group(json!([rule(json!(["10.0.0.0/8"]), 443)])),
        ),
        "aws_security_group_rule",
        part("ingress", "10.0.0.0/8", 443),
        part("egress", "10.0.0.0/8", 443),
    );
    assert_is_own(
        (
            "aws_iam_role",
            json!({"id": "app", "managed_policy_arns": []}),
            json!({"id": "app", "managed_policy_arns": ["arn:aws:iam::aws:policy/ReadOnlyAccess"]}),
        ),
        "aws_iam_role_policy_attachment",
        json!({"role": "app", "policy_arn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}),
        json!({"role": "app", "policy_arn": "arn:aws:iam::aws:policy/PowerUserAccess"}),
    );
    assert_is_own(
        (
            "azurerm_virtual_network",
            json!({"id": "/v", "name": "hub", "subnet": []}),
            json!({"id": "/v", "name": "hub", "subnet": [{"id": "/v/a", "name": "a", "address_prefix": "10.0.1.0/24"}]}),
        ),
        "azurerm_subnet",
        json!({"id": "/v/a", "virtual_network_name": "hub", "address_prefixes": ["10.0.1.0/24"]}),
        json!({"id": "/v/b", "virtual_network_name": "hub", "address_prefixes": ["10.0.2.0/24"]}),
    );
    assert_is_own(
        (
            "aws_autoscaling_group",
            json!({"id": "g", "name": "g", "target_group_arns": []}),
            json!({"id": "g", "name": "g", "target_group_arns": ["arn:tg/1"]}),
        ),
        "aws_autoscaling_attachment",
        json!({"autoscaling_group_name": "g", "lb_target_group_arn": "arn:tg/1"}),
        json!({"autoscaling_group_name": "g", "lb_target_group_arn": "arn:tg/2"}),
    );
    assert_is_own(
        (
            "aws_iam_role",
            json!({"id": "app", "managed_policy_arns": null}),
            json!({"id": "app", "managed_policy_arns": ["arn:a"]}),
        ),
        "aws_iam_policy_attachment",
        json!({"roles": ["other", "app"], "policy_arn": "arn:a"}),
        json!({"roles": ["other"], "policy_arn": "arn:a"}),
    );
}

#[test]
fn rules_of_several_resources_that_are_shown_as_one_are_not_foreign() {
    let shown = json!([{"cidr_blocks": ["10.0.0.0/8", "192.168.0.0/16"], "from_port": 22, "to_port": 22, "protocol": "tcp"}]);
    let refreshed = (
        "aws_security_group",
        json!({"id": "sg-1", "ingress": []}),
        json!({"id": "sg-1", "ingress": shown}),
    );
    let rule = |range: &str| json!({"security_group_id": "sg-1", "cidr_ipv4": range, "from_port": 22, "to_port": 22, "ip_protocol": "tcp"});
    let kind = "aws_vpc_security_group_ingress_rule";
    let (ten, other) = ((kind, rule("10.0.0.0/8")), (kind, rule("192.168.0.0/16")));
    assert_eq!(
        drifted(&plan(refreshed.clone(), &[ten.clone(), other])).0,
        0
    );
    assert_eq!(drifted(&plan(refreshed, &[ten])).0, 1);
}

#[test]
fn what_anybody_else_did_to_an_object_is_drift_beside_its_own_parts() {
    let object = |rules: Value, tags: Value| json!({"id": "sg-1", "ingress": rules, "tags": tags});
    let all =
        json!([{"cidr_blocks": ["0.0.0.0/0"], "from_port": 0, "to_port": 0, "protocol": "-1"}]);
    let https = json!({"security_group_id": "sg-1", "type": "ingress", "cidr_blocks": ["0.0.0.0/0"], "from_port": 443,
        "to_port": 443, "protocol": "tcp"});
    let own_rule = json!([{"cidr_blocks": ["0.0.0.0/0"], "from_port": 443, "to_port": 443, "protocol": "tcp"}]);
    let part = ("aws_security_group_rule", https);
    let none = json!({});
    for (before, after) in [
        // Another rule than that of the state.
        (object(json!([]), none.clone()), object(all, none.clone())),
        // Its own rule, and another tag.
        (
            object(json!([]), none.clone()),
            object(own_rule.clone(), json!({"owner": "x"})),
        ),
        // A rule that goes.
        (object(own_rule, none.clone()), object(json!([]), none)),
    ] {
        let (number, text) = drifted(&plan(
            ("aws_security_group", before, after),
            std::slice::from_ref(&part),
        ));
        assert_eq!(number, 1, "{text}");
    }
}

#[test]
fn drift_made_by_the_tool_is_in_the_json_with_its_reason() {
    let refreshed = (
        "aws_route_table",
        json!({"id": "rtb-1", "route": []}),
        json!({"id": "rtb-1", "route": [{"cidr_block": "0.0.0.0/0", "gateway_id": "igw-1"}]}),
    );
    let route = json!({"route_table_id": "rtb-1", "destination_cidr_block": "0.0.0.0/0", "gateway_id": "igw-1"});
    let plan = plan(refreshed, &[("aws_route", route)]).to_string();
    let json = with_findings(&[&plan], &options(), super::json_of);
    let json: Value = serde_json::from_str(&json).unwrap();
    let drift = &json["plans"][0]["drift"][0];
    assert_eq!(drift["reasons"][0]["code"], "own_parts", "{drift}");
    assert_eq!(json["plans"][0]["verdict"]["drift"], 0, "{json}");
}

/// A part explains only what it has itself: another port, protocol, switch, document or map entry is drift.
#[test]
fn a_part_explains_nothing_but_its_own_values() {
    let rule = |from: i64, to: i64, protocol: &str, range: &str| json!([{"cidr_blocks": [range], "from_port": from, "to_port": to, "protocol": protocol, "self": false}]);
    let group = |rules: Value| json!({"id": "sg-1", "name": "web", "ingress": rules});
    let part = (
        "aws_security_group_rule",
        json!({"security_group_id": "sg-1", "type": "ingress", "cidr_blocks": ["10.0.0.0/8"], "from_port": 443,
            "to_port": 443, "protocol": "tcp"}),
    );
    for (from, to, protocol, range, drift) in [
        (443, 443, "tcp", "10.0.0.0/8", 0),
        (0, 443, "tcp", "10.0.0.0/8", 1),
        (443, 0, "tcp", "10.0.0.0/8", 1),
        (-1, 443, "tcp", "10.0.0.0/8", 1),
        (443, 443, "-1", "10.0.0.0/8", 1),
        (443, 443, "udp", "10.0.0.0/8", 1),
        (443, 443, "tcp", "0.0.0.0/0", 1),
    ] {
        let refreshed = (
            "aws_security_group",
            group(json!([])),
            group(rule(from, to, protocol, range)),
        );
        let (number, text) = drifted(&plan(refreshed, std::slice::from_ref(&part)));
        assert_eq!(number, drift, "{from} {to} {protocol} {range}: {text}");
    }
    let policy = |effect: &str, action: Value| {
        json!({"Version": "2012-10-17", "Statement": [{"Effect": effect, "Principal": "*", "Action": action, "Resource": "*"}]})
            .to_string()
    };
    let own = policy("Deny", json!(["s3:PutObject"]));
    for (policy, drift) in [
        (policy("Deny", json!("s3:PutObject")), 0),
        (policy("Allow", json!("s3:PutObject")), 1),
        (policy("Deny", json!("s3:GetObject")), 1),
        (policy("Deny", json!(["s3:PutObject", "s3:GetObject"])), 1),
        ("{}".to_owned(), 1),
    ] {
        let refreshed = (
            "aws_s3_bucket",
            json!({"id": "b", "bucket": "b", "policy": ""}),
            json!({"id": "b", "bucket": "b", "policy": policy}),
        );
        let part = (
            "aws_s3_bucket_policy",
            json!({"bucket": "b", "policy": own}),
        );
        let (number, text) = drifted(&plan(refreshed, &[part]));
        assert_eq!(number, drift, "{policy}: {text}");
    }
    for (enabled, status, drift) in [
        (true, "Enabled", 0),
        (false, "Suspended", 0),
        (true, "Suspended", 1),
        (false, "Enabled", 1),
    ] {
        let bucket = |enabled: bool| json!({"id": "b", "bucket": "b", "versioning": [{"enabled": enabled, "mfa_delete": false}]});
        let refreshed = ("aws_s3_bucket", bucket(!enabled), bucket(enabled));
        let part = (
            "aws_s3_bucket_versioning",
            json!({"bucket": "b", "versioning_configuration": [{"status": status, "mfa_delete": ""}]}),
        );
        let (number, text) = drifted(&plan(refreshed, &[part]));
        assert_eq!(number, drift, "{enabled} {status}: {text}");
    }
}
