//! Tests small changes that an approver must see, each next to a harmless one that looks like it.

use serde_json::{Value, json as j};

use super::{ObjectOutcome, findings, texts};

fn reported(resource_type: &str, before: &Value, after: &Value) -> Vec<String> {
    let outcome = if before.is_null() {
        ObjectOutcome::Created
    } else {
        ObjectOutcome::Updated
    };
    texts(&findings(
        resource_type,
        outcome,
        &before.to_string(),
        &after.to_string(),
    ))
}

/// Returns a trust policy for identities of GitHub, under this condition.
#[allow(clippy::needless_pass_by_value, reason = "the values are literals")]
fn trust(condition: Value) -> Value {
    let provider = "arn:aws:iam::1:oidc-provider/token.actions.githubusercontent.com";
    let statement = j!({
        "Effect": "Allow", "Action": "sts:AssumeRoleWithWebIdentity",
        "Principal": {"Federated": provider}, "Condition": condition,
    });
    j!({ "assume_role_policy": j!({ "Statement": [statement] }).to_string() })
}

#[test]
fn a_narrower_condition_grants_nothing_and_one_that_all_meet_does() {
    let wide = trust(j!({"StringLike": {"t:sub": "repo:a/b:*"}}));
    let narrow =
        trust(j!({"StringEquals": {"t:sub": "repo:a/b:ref:refs/heads/main", "t:aud": "sts"}}));
    assert_eq!(reported("aws_iam_role", &wide, &narrow), [""; 0]);
    assert_eq!(reported("aws_iam_role", &narrow, &wide).len(), 1);
    assert_eq!(reported("aws_iam_role", &Value::Null, &wide), [""; 0]);
    // Everybody can ask GitHub for an identity with this audience.
    assert_eq!(
        reported(
            "aws_iam_role",
            &Value::Null,
            &trust(j!({"StringEquals": {"t:aud": "sts"}}))
        )
        .len(),
        1
    );
}

#[test]
fn not_action_is_administration_unless_it_leaves_out_iam() {
    let policy = |except: &str| {
        let statement = j!({"Effect": "Allow", "NotAction": [except], "Resource": "*"});
        j!({ "policy": j!({ "Statement": statement }).to_string() })
    };
    assert_eq!(
        reported("aws_iam_policy", &Value::Null, &policy("aws-portal:*")).len(),
        1
    );
    // All other rights, as `PowerUserAccess` has them.
    let found = reported("aws_iam_policy", &Value::Null, &policy("iam:*"));
    assert_eq!(found, [r#"exposure Allow all but "iam:*" on "*""#]);
}

#[test]
fn ports_that_end_before_they_begin_open_nothing() {
    let rule = |from: u32, to: u32| j!({"type": "ingress", "protocol": "tcp", "from_port": from, "to_port": to, "cidr_blocks": ["0.0.0.0/0"]});
    assert_eq!(
        reported("aws_security_group_rule", &Value::Null, &rule(443, 22)),
        [""; 0]
    );
    assert_eq!(
        reported("aws_security_group_rule", &Value::Null, &rule(22, 443)).len(),
        1
    );
}

#[test]
fn a_text_that_is_no_document_hides_only_itself() {
    let files = |enabled: bool, script: &str| j!({"data": {"a.yaml": format!("tls:\n  enabled: {enabled}\n"), "run.sh": script}});
    let (script, other) = ("#!/bin/sh\n{", "#!/bin/sh\n{ a");
    let found = reported(
        "kubernetes_config_map_v1",
        &files(true, script),
        &files(false, other),
    );
    assert_eq!(found, ["protection data.a.yaml.tls.enabled: true -> false"]);
    assert_eq!(
        reported(
            "kubernetes_config_map_v1",
            &files(true, script),
            &files(true, other)
        ),
        [""; 0]
    );
    // A switch that was on may still be on, in a part that cannot be read.
    let broken = j!({"data": {"a.yaml": "{{ tls }}\nx: [", "run.sh": script}});
    assert_eq!(
        reported("kubernetes_config_map_v1", &files(true, script), &broken),
        [""; 0]
    );
}

#[test]
fn rules_of_manifests_hold_in_yaml() {
    let binding = |role: &str| {
        let text =
            format!("kind: ClusterRoleBinding\nroleRef:\n  name: {role}\nsubjects:\n- name: bob\n");
        j!({ "yaml_body": text })
    };
    assert_eq!(
        reported("kubectl_manifest", &Value::Null, &binding("cluster-admin")),
        ["exposure cluster-admin for bob"]
    );
    assert_eq!(
        reported("kubectl_manifest", &Value::Null, &binding("view")),
        [""; 0]
    );
    let deployment = |replicas: u8| j!({ "yaml_body": format!("kind: Deployment\nspec:\n  replicas: {replicas}\n") });
    assert_eq!(
        reported("kubectl_manifest", &deployment(2), &deployment(0)).len(),
        1
    );
    assert_eq!(
        reported("kubectl_manifest", &deployment(2), &deployment(1)),
        [""; 0]
    );
    let set = |value: &str| j!({"set": [{"name": "web.replicaCount", "value": value}]});
    assert_eq!(reported("helm_release", &set("2"), &set("0")).len(), 1);
    assert_eq!(reported("helm_release", &set("2"), &set("1")), [""; 0]);
}
