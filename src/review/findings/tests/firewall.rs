//! Tests what firewall rules open, with one rule and with many.

use super::{ObjectOutcome, findings, texts};

#[test]
fn a_rule_of_a_firewall_opens_only_what_was_closed() {
    let group = |from: u16, to: u16, cidr: &str| {
        format!(
            r#"{{"ingress": [{{"from_port": {from}, "to_port": {to}, "protocol": "tcp", "cidr_blocks": ["{cidr}"]}}], "egress": [{{"cidr_blocks": ["0.0.0.0/0"]}}]}}"#
        )
    };
    let found = |before: String, after: String| {
        texts(&findings(
            "aws_security_group",
            ObjectOutcome::Updated,
            &before,
            &after,
        ))
    };
    assert_eq!(
        found(group(443, 443, "10.0.0.0/8"), group(443, 443, "0.0.0.0/0")),
        ["exposure https open to the world (10.0.0.0/8 -> 0.0.0.0/0)"]
    );
    assert_eq!(
        found(group(443, 443, "0.0.0.0/0"), group(80, 90, "0.0.0.0/0")),
        ["exposure tcp 80-90 (with http) open to the world (0.0.0.0/0)"]
    );
    // A range that becomes narrower is not reported, but a new peer is.
    assert_eq!(
        found(group(0, 65_535, "0.0.0.0/0"), group(443, 443, "0.0.0.0/0")),
        [""; 0]
    );
    assert_eq!(
        found(group(443, 443, "0.0.0.0/0"), group(443, 443, "10.0.0.0/8")),
        [""; 0]
    );
}

/// Rules of a firewall are compared with everything that was open before, even if there are many.
#[test]
fn a_rule_inside_one_of_many_open_rules_opens_nothing() {
    let rule = |from: usize, to: usize| serde_json::json!({"cidr_blocks": ["0.0.0.0/0"], "from_port": from, "to_port": to, "protocol": "tcp"});
    let open: Vec<_> = (1..400).map(|at| rule(at * 3, at * 3 + 1)).collect();
    let narrower: Vec<_> = (1..400).map(|at| rule(at * 3 + 1, at * 3 + 1)).collect();
    let wider = [&narrower[..], &[rule(1_000, 1_002)]].concat();
    let object = |rules: &[serde_json::Value]| serde_json::json!({"ingress": rules}).to_string();
    let opened = |after: &[serde_json::Value]| {
        texts(&findings(
            "aws_security_group",
            ObjectOutcome::Updated,
            &object(&open),
            &object(after),
        ))
    };
    assert_eq!(opened(&narrower), [""; 0]);
    assert_eq!(
        opened(&wider),
        ["exposure tcp 1000-1002 open to the world (0.0.0.0/0)"]
    );
}
