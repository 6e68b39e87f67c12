//! Tests the conditions of rules, the words of exposures and the forms of secrets on small values.

use super::{FindingKind, ObjectOutcome, RuleOrigin, Rules, findings, findings_by, texts};
use crate::review::findings::RuleLine;

const NONE: [&str; 3] = ["null"; 3];

/// Returns the texts of the findings of a user's rule.
fn by_rule(rule: &str, resource_type: &str, before: &str, after: &str) -> Vec<String> {
    let mut rules = Rules::default();
    let mut read: std::collections::BTreeMap<String, RuleLine> =
        toml::from_str(&format!("r = {{ {rule} }}")).unwrap();
    rules
        .add(&read.remove("r").unwrap(), RuleOrigin::Given)
        .unwrap();
    let outcome = if before == "null" {
        ObjectOutcome::Created
    } else {
        ObjectOutcome::Updated
    };
    let [before, after] = [before, after].map(|value| [value, "null", "null"]);
    let all = findings_by(&rules, resource_type, outcome, before, after);
    all.into_iter().map(|(.., text)| text).collect()
}

fn json(value: &serde_json::Value) -> String {
    value.to_string()
}

#[test]
fn a_rule_about_pods_holds_in_blocks_manifests_and_charts() {
    use serde_json::json as j;
    let rule = r#"finding = "exposure", type = "@pod", path = "@pod.security_context.privileged", on = true"#;
    let block = |on: bool| j!({"spec": [{"template": [{"spec": [{"container": [{"name": "a", "security_context": [{"privileged": on}]}]}]}]}]});
    let manifest = |on: bool| j!({"spec": {"containers": [{"name": "a", "securityContext": {"privileged": on}}]}});
    let yaml = |on: bool| {
        format!("spec:\n  containers:\n  - name: a\n    securityContext:\n      privileged: {on}\n")
    };
    let values =
        |on: bool| format!("controller:\n  containerSecurityContext:\n    privileged: {on}\n");
    let set = |on: bool| j!([{"name": "controller.podSecurityContext.privileged", "value": on.to_string()}]);
    for (resource_type, of) in [
        (
            "kubernetes_deployment_v1",
            &block as &dyn Fn(bool) -> serde_json::Value,
        ),
        ("kubernetes_manifest", &|on| j!({"manifest": manifest(on)})),
        ("kubectl_manifest", &|on| j!({"yaml_body": yaml(on)})),
        ("helm_release", &|on| j!({"values": [values(on)]})),
        ("helm_release", &|on| j!({"set": set(on)})),
    ] {
        let finding_texts = |before: bool, after: bool| {
            by_rule(rule, resource_type, &json(&of(before)), &json(&of(after)))
        };
        assert_eq!(
            finding_texts(false, true).len(),
            1,
            "{resource_type}: {:?}",
            finding_texts(false, true)
        );
        assert!(
            finding_texts(false, true)[0].ends_with("false -> true"),
            "{:?}",
            finding_texts(false, true)
        );
        assert!(
            finding_texts(true, false).is_empty() && finding_texts(true, true).is_empty(),
            "{resource_type}"
        );
        assert_eq!(
            by_rule(rule, resource_type, "null", &json(&of(true))).len(),
            1,
            "{resource_type}"
        );
    }
}

#[test]
fn a_path_leads_into_the_document_that_a_string_holds() {
    use serde_json::json as j;
    let rule = r#"finding = "exposure", type = "x", path = "tasks[*].privileged", on = true"#;
    let of = |text: &str| json(&j!({ "tasks": text }));
    let json_text = |on: bool| json(&j!([{"name": "a", "privileged": on}]));
    let finding_texts = by_rule(rule, "x", &of(&json_text(false)), &of(&json_text(true)));
    assert_eq!(finding_texts, ["tasks.privileged: false -> true"]);
    // Base64 of `- name: a\n  privileged: false`, and of the same text with true.
    let [off, on] = [
        "LSBuYW1lOiBhCiAgcHJpdmlsZWdlZDogZmFsc2UK",
        "LSBuYW1lOiBhCiAgcHJpdmlsZWdlZDogdHJ1ZQo=",
    ];
    assert_eq!(
        by_rule(rule, "x", &of(off), &of(on)),
        ["tasks.privileged: false -> true"]
    );
    // A text before that is not a document may have meant the same.
    assert!(by_rule(rule, "x", &of("{{ template }}"), &of(&json_text(true))).is_empty());
}

#[test]
fn numbers_versions_and_lists_are_tested() {
    for (condition, before, after, expected) in [
        ("higher = true", "1", "2", "a: 1 -> 2"),
        ("higher = true", "2", "1", ""),
        ("below = 7", "14", "3", "a: 14 -> 3"),
        ("below = 7", "5", "3", ""),
        ("below = 7", "14", "7", ""),
        ("above = 90", "30", "365", "a: 30 -> 365"),
        (
            "major = true",
            r#""13.15""#,
            r#""16.4""#,
            "a: 13.15 -> 16.4 (a new major version)",
        ),
        ("major = true", r#""13.15""#, r#""13.16""#, ""),
        ("major = true", r#""POSTGRES_16""#, r#""POSTGRES_15""#, ""),
        (
            "major = true",
            r#""5.7.44""#,
            r#""8.0.36""#,
            "a: 5.7.44 -> 8.0.36 (a new major version)",
        ),
        ("changed = true", r#""x""#, r#""y""#, "a: x -> y"),
        ("changed = true", "null", r#""y""#, ""),
        ("off = true", r#""true""#, r#""false""#, "a: true -> false"),
    ] {
        let rule = format!(r#"finding = "protection", type = "x", path = "a", {condition}"#);
        let object = |value: &str| format!(r#"{{"a": {value}}}"#);
        let finding_texts = by_rule(&rule, "x", &object(before), &object(after)).join("");
        assert_eq!(finding_texts, expected, "{condition} {before} {after}");
    }
    let rule = r#"finding = "protection", type = "x", path = "a[*]", fewer = true"#;
    assert_eq!(
        by_rule(rule, "x", r#"{"a": ["p", "q"]}"#, r#"{"a": ["q", "r"]}"#),
        ["a loses p"]
    );
    assert!(by_rule(rule, "x", r#"{"a": ["p"]}"#, r#"{"a": ["p", "q"]}"#).is_empty());
}

#[test]
fn what_is_created_without_a_protection_is_found_where_the_rule_says_so() {
    for (condition, after, expected) in [
        ("is = [false]", "false", "a: false"),
        ("is = [false]", "true", ""),
        ("below = 7", "1", "a: 1"),
        ("off = true", "false", "a: false"),
        ("off = true", "null", ""),
    ] {
        let after = format!(r#"{{"a": {after}}}"#);
        let rule = format!(r#"finding = "protection", type = "x", path = "a", {condition}"#);
        assert!(
            by_rule(&rule, "x", "null", &after).is_empty(),
            "{condition}"
        );
        let finding_texts =
            by_rule(&format!("{rule}, created = true"), "x", "null", &after).join("");
        assert_eq!(finding_texts, expected, "{condition} {after}");
    }
}

#[test]
fn a_privileged_role_is_found_for_whoever_did_not_have_it() {
    let rule = r#"finding = "exposure", type = "x", path = "members[*]", role = "role", is = ["owner", "/Admin"]"#;
    let object =
        |role: &str, members: &str| format!(r#"{{"role": "{role}", "members": [{members}]}}"#);
    let finding_texts = |before: String, after: String| by_rule(rule, "x", &before, &after);
    assert_eq!(
        finding_texts(object("owner", r#""a""#), object("owner", r#""a", "b""#)),
        ["owner for b"]
    );
    assert_eq!(
        finding_texts(object("viewer", r#""a""#), object("owner", r#""a""#)),
        ["owner for a"]
    );
    assert_eq!(
        finding_texts(
            "null".to_owned(),
            object("arn:aws:iam::aws:policy/Admin", r#""a""#)
        ),
        ["Admin for a"]
    );
    assert!(finding_texts(object("owner", r#""a", "b""#), object("owner", r#""b""#)).is_empty());
    assert!(finding_texts("null".to_owned(), object("viewer", r#""a""#)).is_empty());
}

#[test]
fn a_rule_that_denied_and_is_gone_or_comes_later_is_found() {
    let rule = r#"finding = "exposure", type = "x", path = "rules[*].action", deny = true"#;
    let deny = |number: u32| {
        format!(
            r#"{{"action": "deny", "rule_no": {number}, "protocol": "tcp", "from_port": 22, "to_port": 22}}"#
        )
    };
    let of = |rules: &[String]| format!(r#"{{"rules": [{}]}}"#, rules.join(","));
    let finding_texts = |after: &[String]| by_rule(rule, "x", &of(&[deny(100)]), &of(after));
    assert_eq!(finding_texts(&[]), ["deny ssh is removed"]);
    assert_eq!(
        finding_texts(&[deny(200)]),
        ["deny ssh comes behind other rules: 100 -> 200"]
    );
    assert!(finding_texts(&[deny(50)]).is_empty() && finding_texts(&[deny(100)]).is_empty());
}

/// Returns a security group with one rule for each peer.
fn group(protocol: &str, from: i32, to: i32, cidrs: &[&str]) -> String {
    json(
        &serde_json::json!({"ingress": [{"from_port": from, "to_port": to, "protocol": protocol, "cidr_blocks": cidrs}]}),
    )
}

#[test]
fn what_is_open_is_said_as_people_say_it_and_no_arrow_lies() {
    let text = |protocol: &str, from: i32, to: i32, before: &[&str], after: &[&str]| {
        let [before, after] = [before, after].map(|cidrs| group(protocol, from, to, cidrs));
        texts(&findings(
            "aws_security_group",
            ObjectOutcome::Updated,
            &before,
            &after,
        ))
        .join("")
    };
    let any_address: &[&str] = &["0.0.0.0/0"];
    for (protocol, from, to, expected) in [
        ("tcp", 22, 22, "ssh"),
        ("tcp", 3389, 3389, "rdp"),
        ("6", 5432, 5432, "postgres"),
        ("udp", 53, 53, "dns"),
        ("icmp", 8, 0, "icmp echo"),
        ("icmp", -1, -1, "icmp"),
        ("-1", 0, 0, "all traffic"),
        ("tcp", 0, 65_535, "all tcp ports"),
        ("tcp", 8_000, 8_001, "tcp 8000-8001"),
        ("udp", 22, 22, "udp 22"),
    ] {
        assert_eq!(
            text(protocol, from, to, &[], any_address),
            format!("exposure {expected} open to the world (0.0.0.0/0)")
        );
    }
    let ssh = |before: &[&str], after: &[&str]| text("tcp", 22, 22, before, after);
    assert_eq!(
        ssh(&["10.0.0.0/8"], &["10.0.0.0/8", "0.0.0.0/0"]),
        "exposure ssh open to the world (adds 0.0.0.0/0)"
    );
    assert_eq!(
        ssh(&["10.0.0.0/8"], any_address),
        "exposure ssh open to the world (10.0.0.0/8 -> 0.0.0.0/0)"
    );
    assert_eq!(
        ssh(&[], &["0.0.0.0/1", "128.0.0.0/1"]),
        "exposure ssh open to the world (0.0.0.0/1 and 128.0.0.0/1)"
    );
    assert_eq!(
        ssh(&[], &["52.0.0.0/8"]),
        "exposure ssh open to a large network (52.0.0.0/8)"
    );
    for (before, after) in [
        (&["0.0.0.0/0"][..], &["52.0.0.0/8"][..]),
        (&["0.0.0.0/0"], &["0.0.0.0/1", "128.0.0.0/1"]),
        (&["52.0.0.0/7"], &["52.0.0.0/8"]),
        (&[], &["10.0.0.0/8", "192.168.0.0/16", "52.1.0.0/16"]),
    ] {
        assert_eq!(ssh(before, after), "", "{before:?} {after:?}");
    }
}

#[test]
fn a_rule_with_fewer_protocols_opens_nothing() {
    let rule = |ports: &[&str]| {
        json(
            &serde_json::json!({"source_ranges": ["0.0.0.0/0"], "allow": [{"protocol": "tcp", "ports": ports}]}),
        )
    };
    let finding_texts = |before: &[&str], after: &[&str]| {
        texts(&findings(
            "google_compute_firewall",
            ObjectOutcome::Updated,
            &rule(before),
            &rule(after),
        ))
    };
    assert!(finding_texts(&["22", "443"], &["443"]).is_empty());
    assert_eq!(
        finding_texts(&["443"], &["22", "443"]),
        ["exposure ssh and https open to the world (0.0.0.0/0)"]
    );
}

#[test]
fn a_credential_is_found_once_where_it_is_new_and_never_shown() {
    let key = format!("AKIA{}", "IOSFODNN7EXAMPLE");
    let object = |value: &str| {
        json(&serde_json::json!({"environment": [{"name": "KEY", "value": value}], "other": value}))
    };
    let of_function = |before: [&str; 3], after: [&str; 3]| {
        super::kinds_and_texts(
            "aws_lambda_function",
            if before == NONE {
                ObjectOutcome::Created
            } else {
                ObjectOutcome::Updated
            },
            before,
            after,
        )
    };
    let (with, without) = (object(&key), object(""));
    let created = of_function(NONE, [&with, "null", "null"]);
    assert_eq!(
        texts(&created),
        ["secret environment.value: AWS access key in plain text"]
    );
    assert!(
        created
            .iter()
            .all(|(kind, text)| *kind == FindingKind::Secret && !text.contains(&key))
    );
    assert_eq!(
        of_function([&without, "null", "null"], [&with, "null", "null"]).len(),
        1
    );
    // A credential that was there before, or is marked as sensitive, is no finding.
    assert!(of_function([&with, "null", "null"], [&with, "null", "null"]).is_empty());
    assert!(of_function(NONE, [&with, "null", "true"]).is_empty());
}

#[test]
fn a_secret_access_key_is_known_by_its_name_in_variables_and_documents() {
    let value: String = "aB3dE5fG7h".chars().cycle().take(40).collect();
    let variables = serde_json::json!([{"name": "AWS_SECRET_ACCESS_KEY", "value": value}]);
    for object in [
        serde_json::json!({ "environment": variables }),
        serde_json::json!({ "container_definitions": serde_json::json!([{"environment": variables}]).to_string() }),
        serde_json::json!({ "variables": {"AWS_SECRET_ACCESS_KEY": value} }),
        serde_json::json!({ "user_data": format!("#!/bin/sh\nexport AWS_SECRET_ACCESS_KEY={value}\n") }),
    ] {
        let finding_texts = texts(&findings(
            "aws_x",
            ObjectOutcome::Created,
            "null",
            &object.to_string(),
        ));
        assert_eq!(finding_texts.len(), 1, "{object} {finding_texts:?}");
        assert!(
            finding_texts[0].contains("AWS secret access key")
                && !finding_texts[0].contains(&value),
            "{finding_texts:?}"
        );
    }
    let other = serde_json::json!({ "environment": [{"name": "CHECKSUM", "value": value}] });
    assert!(findings("aws_x", ObjectOutcome::Created, "null", &other.to_string()).is_empty());
}

/// Small changes, each with the finding that a reviewer must see.
#[test]
fn small_changes_have_the_findings_that_they_prove() {
    use serde_json::{Value, json as j};
    let policy = |statement: Value| j!({"policy": json(&j!({"Statement": statement}))});
    let service = |key: &str, value: &str| j!({"metadata": [{"annotations": {key: value}}], "spec": [{"type": "LoadBalancer"}]});
    let chart = |annotations: &str| j!({"values": [format!("service:\n  type: LoadBalancer\n{annotations}")]});
    let monitor = |message: &str, query: &str, limit: &str| j!({"message": message, "query": query, "monitor_thresholds": [{"critical": limit}]});
    let alarm = |operator: &str, threshold: u32| j!({"comparison_operator": operator, "threshold": threshold});
    let reviews = |count: u32| j!([{"required_approving_review_count": count, "dismiss_stale_reviews": true}]);
    let rule = |resource: &str, verb: &str| j!({"rule": [{"resources": ["pods", resource], "verbs": [verb]}]});
    let everybody = |range: &str| j!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*", "Principal": "*", "Condition": {"IpAddress": {"aws:SourceIp": range}}});
    let block = |value: Value| j!({"block_public_policy": value});
    let none = || Value::Null;
    let kept =
        |name: &str, days: u32| j!({"rule_name": name, "lifecycle": [{"delete_after": days}]});
    let limits = |name: &str, limit: u32| j!({"metric_name": name, "operator": "GreaterThan", "threshold": limit});
    let cases: Vec<(&str, Value, Value, &[&str])> = vec![
        // A default that is written down opens nothing.
        (
            "aws_s3_bucket_public_access_block",
            block(none()),
            block(j!(false)),
            &[],
        ),
        (
            "aws_s3_bucket_public_access_block",
            block(j!(true)),
            block(none()),
            &["exposure block_public_policy: true -> null"],
        ),
        (
            "kubernetes_service",
            none(),
            service(
                "service.beta.kubernetes.io/aws-load-balancer-internal",
                "true",
            ),
            &[],
        ),
        (
            "kubernetes_service",
            none(),
            service("a.b/c", "true"),
            &["exposure spec.type: LoadBalancer"],
        ),
        (
            "helm_release",
            none(),
            chart("  annotations:\n    networking.gke.io/load-balancer-type: Internal\n"),
            &[],
        ),
        (
            "helm_release",
            none(),
            chart(""),
            &["exposure values.service.type: LoadBalancer"],
        ),
        (
            "aws_cloudwatch_metric_alarm",
            alarm("GreaterThanThreshold", 80),
            alarm("GreaterThanThreshold", 70),
            &[],
        ),
        (
            "aws_cloudwatch_metric_alarm",
            alarm("LessThanThreshold", 80),
            alarm("LessThanThreshold", 70),
            &["protection threshold: 80 -> 70"],
        ),
        (
            "datadog_monitor",
            monitor("@a @b down", "x > 1", "1"),
            monitor("down: @b, @a, @c", "x > 1", "1"),
            &[],
        ),
        (
            "datadog_monitor",
            monitor("@a @b down", "x > 1", "1"),
            monitor("@b down", "x > 1", "1"),
            &["protection message loses @a"],
        ),
        (
            "datadog_monitor",
            monitor("", "x < 5", "5"),
            monitor("", "x < 9", "9"),
            &[],
        ),
        (
            "github_branch_protection",
            j!({"required_pull_request_reviews": reviews(2)}),
            j!({"required_pull_request_reviews": []}),
            &["protection required_pull_request_reviews is removed"],
        ),
        (
            "kubernetes_cluster_role",
            rule("pods", "get"),
            rule("secrets", "get"),
            &["exposure rule.resources[1]: adds secrets"],
        ),
        // Another order does not lower anything.
        (
            "aws_backup_plan",
            j!({"rule": [kept("a", 90), kept("b", 3)]}),
            j!({"rule": [kept("b", 3), kept("a", 90)]}),
            &[],
        ),
        (
            "aws_backup_plan",
            j!({"rule": [kept("a", 90), kept("b", 3)]}),
            j!({"rule": [kept("b", 3), kept("a", 9)]}),
            &["protection rule[\"a\"].lifecycle.delete_after: 90 -> 9"],
        ),
        (
            "azurerm_monitor_metric_alert",
            j!({"criteria": [limits("a", 80), limits("b", 95)]}),
            j!({"criteria": [limits("b", 95), limits("a", 80)]}),
            &[],
        ),
        (
            "azurerm_monitor_metric_alert",
            j!({"criteria": [limits("a", 80)]}),
            j!({"criteria": [limits("a", 80), limits("a", 95)]}),
            &[],
        ),
        (
            "aws_lambda_function",
            j!({"reserved_concurrent_executions": -1}),
            j!({"reserved_concurrent_executions": 0}),
            &["downtime reserved_concurrent_executions: -1 -> 0"],
        ),
        (
            "aws_s3_bucket_policy",
            none(),
            policy(everybody("10.0.0.0/8")),
            &[],
        ),
        (
            "aws_s3_bucket_policy",
            none(),
            policy(everybody("0.0.0.0/0")),
            &[
                r#"exposure Allow "s3:GetObject" on "*" for "*" if IpAddress aws:SourceIp = "0.0.0.0/0""#,
            ],
        ),
        (
            "aws_iam_policy",
            none(),
            policy(j!({"Effect": "Allow", "Action": "iam:Put*", "Resource": "*"})),
            &[r#"exposure Allow "iam:Put*" on "*""#],
        ),
        (
            "aws_iam_policy",
            none(),
            policy(j!({"Effect": "Allow", "Action": "iam:Get*", "Resource": "*"})),
            &[],
        ),
        (
            "aws_iam_policy",
            none(),
            policy(j!({"Effect": "Allow", "Action": "*", "NotResource": "arn:aws:s3:::a"})),
            &[r#"exposure Allow "*" on all but "arn:aws:s3:::a""#],
        ),
        (
            "aws_s3_bucket_policy",
            policy(j!({"Effect": "Deny", "Action": "*"})),
            none(),
            &["protection destroyed, while what it protects stays"],
        ),
        (
            "aws_s3_bucket_policy",
            policy(j!({"Effect": "Allow", "Action": "*"})),
            none(),
            &[],
        ),
    ];
    for (resource_type, before, after, expected) in cases {
        let outcome = match (&before, &after) {
            (Value::Null, _) => ObjectOutcome::Created,
            (_, Value::Null) => ObjectOutcome::Destroyed,
            (_, _) => ObjectOutcome::Updated,
        };
        let finding_texts = texts(&findings(
            resource_type,
            outcome,
            &json(&before),
            &json(&after),
        ));
        assert_eq!(finding_texts, expected, "{resource_type} {before} {after}");
    }
}
