//! What an approver must be told, and must not be told: findings of plans as they come, each named after what was missing or
//! wrong. Inputs are plans of one change; what was reported with a plan is in `tests/defects/`.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values are written where they are given"
)]

use serde_json::{Value, json};

use super::{options, with_findings};
use crate::plan::{Change, PlanBuilder};

/// The findings of a plan as `LEVEL KIND ADDRESS: TEXT`, one for each object.
fn findings(plan: &str) -> Vec<String> {
    with_findings(&[plan], &options(), |reviews| {
        let all = reviews[0].findings.iter();
        all.flat_map(|finding| {
            finding.addresses.iter().map(|address| {
                format!(
                    "{} {} {address}: {}",
                    finding.finding.level.name(),
                    finding.finding.kind.name(),
                    finding.finding.text
                )
            })
        })
        .collect()
    })
}

#[track_caller]
fn assert_not_found(findings: &[String], parts: &[&str]) {
    for part in parts {
        let other = findings.iter().find(|text| text.contains(part));
        assert!(other.is_none(), "{part}: {findings:#?}");
    }
}

/// An object with its name, before and after.
fn object(resource_type: &str, name: &str, before: Value, after: Value) -> Change {
    Change::between(&format!("{resource_type}.{name}"), before, after)
}

fn plan(changes: Vec<Change>) -> String {
    PlanBuilder::of(changes).json()
}

fn of_update(resource_type: &str, before: Value, after: Value) -> Vec<String> {
    findings(&plan(vec![object(resource_type, "x", before, after)]))
}

fn of_creation(resource_type: &str, after: Value) -> Vec<String> {
    of_update(resource_type, Value::Null, after)
}

#[test]
fn a_change_in_the_maintenance_window_is_told_apart_from_one_now() {
    let class = |class: &str, now: bool| json!({"instance_class": class, "apply_immediately": now});
    let findings = of_update("aws_db_instance", class("a", false), class("b", false));
    insta::assert_snapshot!(findings.join("\n"), @"notice downtime aws_db_instance.x: the database restarts in the maintenance window (instance_class: a -> b)");
    let findings = of_update("aws_db_instance", class("a", true), class("b", true));
    insta::assert_snapshot!(findings.join("\n"), @"warning downtime aws_db_instance.x: the database restarts, now (instance_class: a -> b)");
    // A database that is created or replaced does not restart.
    assert_not_found(
        &of_creation("aws_db_instance", class("b", true)),
        &["restarts"],
    );
}

#[test]
fn columns_in_another_order_lose_nothing() {
    let columns = |names: &[&str]| {
        let columns: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"column": columns})
    };
    // Another order, and one more, lose nothing.
    let findings = of_update(
        "snowflake_table",
        columns(&["A", "B"]),
        columns(&["B", "C", "A"]),
    );
    assert_not_found(&findings, &["data-loss"]);
    let families = |names: &[&str]| {
        let all: Vec<Value> = names.iter().map(|name| json!({"family": name})).collect();
        json!({"column_family": all})
    };
    let findings = of_update(
        "google_bigtable_table",
        families(&["a", "b"]),
        families(&["b"]),
    );
    insta::assert_snapshot!(findings.join("\n"), @"critical data-loss google_bigtable_table.x: column family a is deleted with its data");
}

#[test]
fn access_that_moves_between_bindings_and_members_is_not_new() {
    let member = "serviceAccount:etl@shop.iam.gserviceaccount.com";
    let binding = json!({"project": "shop", "role": "roles/storage.admin", "members": [member]});
    let single = json!({"project": "shop", "role": "roles/storage.admin", "member": member});
    let moved = vec![
        object(
            "google_project_iam_binding",
            "b",
            binding.clone(),
            Value::Null,
        ),
        object(
            "google_project_iam_member",
            "m",
            Value::Null,
            single.clone(),
        ),
    ];
    assert_not_found(&findings(&plan(moved)), &["exposure", "is taken"]);
    insta::assert_snapshot!(findings(&plan(vec![object( "google_project_iam_member", "m", Value::Null, single, )])).join("\n"), @"warning exposure google_project_iam_member.m: roles/storage.admin for serviceAccount:etl@shop.iam.gserviceaccount.com");
    let findings = of_creation("google_project_iam_binding", binding);
    insta::assert_snapshot!(findings.join("\n"), @r"
    warning exposure google_project_iam_binding.x: roles/storage.admin for serviceAccount:etl@shop.iam.gserviceaccount.com
    notice unknown google_project_iam_binding.x: whoever else has roles/storage.admin loses it: the binding is authoritative
    ");
}

#[test]
fn a_stranger_in_a_role_that_is_not_called_privileged_is_a_finding() {
    let given = |member: &str, role: &str| {
        of_creation(
            "google_project_iam_member",
            json!({"project": "shop", "role": role, "member": member}),
        )
    };
    let other = "serviceAccount:reports@bi.iam.gserviceaccount.com";
    insta::assert_snapshot!(given(other, "roles/storage.objectAdmin").join("\n"), @"warning exposure google_project_iam_member.x: roles/storage.objectAdmin for serviceAccount:reports@bi.iam.gserviceaccount.com, of project bi");
    insta::assert_snapshot!(given(other, "roles/storage.objectViewer").join("\n"), @"notice exposure google_project_iam_member.x: roles/storage.objectViewer for serviceAccount:reports@bi.iam.gserviceaccount.com, of project bi");
    let member_of_project = "serviceAccount:reports@shop.iam.gserviceaccount.com";
    assert_not_found(
        &given(member_of_project, "roles/storage.objectAdmin"),
        &["exposure"],
    );
    insta::assert_snapshot!(given("user:j@gmail.com", "roles/storage.objectAdmin").join("\n"), @"warning exposure google_project_iam_member.x: roles/storage.objectAdmin for user:j@gmail.com, a private account");
    // Google's own agents are no strangers.
    let agent = "serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com";
    assert_not_found(&given(agent, "roles/storage.objectAdmin"), &["exposure"]);
}

#[test]
fn a_downgrade_is_a_finding() {
    let engine = |version: &str| json!({"engine_version": version});
    let findings = of_update("aws_db_instance", engine("16.4"), engine("15.8"));
    insta::assert_snapshot!(findings.join("\n"), @"warning downtime aws_db_instance.x: engine_version: 16.4 -> 15.8 (downgrade)");
    let findings = of_update("aws_db_instance", engine("15"), engine("15.8"));
    assert_not_found(&findings, &["downgrade"]);
}

#[test]
fn capacity_that_is_lowered_without_drift_is_meant() {
    let count = |count: u32| json!({"desired_count": count});
    assert_not_found(
        &of_update("aws_ecs_service", count(10), count(3)),
        &["desired_count"],
    );
}

fn policy(statements: Value) -> Value {
    json!({"policy": json!({"Version": "2012-10-17", "Statement": statements}).to_string()})
}

#[test]
fn a_named_action_on_a_named_object_weighed_like_a_foreign_account() {
    let read = json!({"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "arn:aws:dynamodb:eu:1:table/a"});
    let write = json!({"Effect": "Allow", "Action": "dynamodb:PutItem", "Resource": "arn:aws:dynamodb:eu:1:table/b"});
    let findings = of_update(
        "aws_iam_role_policy",
        policy(json!([read])),
        policy(json!([read, write])),
    );
    insta::assert_snapshot!(findings.join("\n"), @r#"notice exposure aws_iam_role_policy.x: Allow "dynamodb:PutItem" on "arn:aws:dynamodb:eu:1:table/b""#);
    let wide = json!({"Effect": "Allow", "Action": "dynamodb:*", "Resource": "arn:aws:dynamodb:eu:1:table/b"});
    let findings = of_update(
        "aws_iam_role_policy",
        policy(json!([read])),
        policy(json!([read, wide])),
    );
    insta::assert_snapshot!(findings.join("\n"), @r#"warning exposure aws_iam_role_policy.x: Allow "dynamodb:*" on "arn:aws:dynamodb:eu:1:table/b""#);
    // A condition that goes away is more than a named action.
    let bound = json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*",
        "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}});
    let free = json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"});
    let findings = of_update(
        "aws_iam_policy",
        policy(json!([bound])),
        policy(json!([free])),
    );
    insta::assert_snapshot!(findings.join("\n"), @r#"warning exposure aws_iam_policy.x: Allow "s3:GetObject" on "arn:aws:s3:::b/*""#);
}

#[test]
fn a_deny_that_gains_an_exception_is_told_as_the_same_statement() {
    let regions = |regions: &[&str]| {
        json!({"Sid": "Regions", "Effect": "Deny", "NotAction": ["iam:*"], "Resource": "*",
            "Condition": {"StringNotEquals": {"aws:RequestedRegion": regions}}})
    };
    let leave = json!({"Sid": "Leave", "Effect": "Deny", "Action": "organizations:LeaveOrganization", "Resource": "*"});
    let content = |regions: Value| json!({"content": policy(json!([leave, regions]))["policy"]});
    let findings = of_update(
        "aws_organizations_policy",
        content(regions(&["eu"])),
        content(regions(&["eu", "us"])),
    );
    insta::assert_snapshot!(findings.join("\n"), @r#"warning exposure aws_organizations_policy.x: Deny Regions lets through: condition now with StringNotEquals aws:RequestedRegion "us""#);
    assert_not_found(&findings, &["LeaveOrganization"]);
}

#[test]
fn authentication_that_a_route_loses_is_a_finding() {
    let body = |delete: Value| {
        let document = json!({"openapi": "3.0.1", "paths": {"/orders": {
            "get": {"security": [{"jwt": []}]}, "delete": delete}}});
        json!({"body": document.to_string()})
    };
    let closed = body(json!({"security": [{"jwt": []}]}));
    for open in [
        json!({}),
        json!({"security": []}),
        json!({"security": [{"jwt": []}, {}]}),
    ] {
        let findings = of_update(
            "aws_api_gateway_rest_api",
            closed.clone(),
            body(open.clone()),
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(findings.join("\n"), @"warning exposure aws_api_gateway_rest_api.x: DELETE /orders needs no authentication any more");
        }
        let findings = of_update("aws_api_gateway_rest_api", body(open), closed.clone());
        assert_not_found(&findings, &["exposure"]);
    }
}

#[test]
fn switches_inside_of_documents_are_judged() {
    let addon =
        |on: &str| json!({"configuration_values": json!({"enableNetworkPolicy": on}).to_string()});
    let findings = of_update("aws_eks_addon", addon("true"), addon("false"));
    insta::assert_snapshot!(findings.join("\n"), @"warning protection aws_eks_addon.x: network policies are no longer enforced (configuration_values.enableNetworkPolicy: true -> false)");
    let chart = |persistence: &str| json!({"chart": "redis", "set": [{"name": "master.persistence.enabled", "value": persistence}]});
    let findings = of_update("helm_release", chart("true"), chart("false"));
    insta::assert_snapshot!(findings.join("\n"), @"warning protection helm_release.x: data is lost when the pod goes (set master.persistence.enabled: true -> false)");
    let values = |on: &str| json!({"chart": "redis", "values": [format!("master:\n  persistence:\n    enabled: {on}\n")]});
    let findings = of_update("helm_release", values("true"), values("false"));
    insta::assert_snapshot!(findings.join("\n"), @"warning protection helm_release.x: data is lost when the pod goes (values.master.persistence.enabled: true -> false)");
    let ingress = |annotations: Value| json!({"metadata": [{"annotations": annotations}]});
    let name = "nginx.ingress.kubernetes.io/whitelist-source-range";
    let findings = of_update(
        "kubernetes_ingress_v1",
        ingress(json!({name: "10.0.0.0/8"})),
        ingress(json!({"a": "b"})),
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning exposure kubernetes_ingress_v1.x: the list of allowed addresses (metadata.annotations.nginx.ingress.kubernetes.io/whitelist-source-range: 10.0.0.0/8 -> null)");
}

#[test]
fn lines_of_keys_and_values_are_judged() {
    let kafka = |lossy: bool| json!({"server_properties": format!("auto.create.topics.enable=false\nunclean.leader.election.enable = {lossy}\n")});
    let plan = plan(vec![object(
        "aws_msk_configuration",
        "x",
        kafka(false),
        kafka(true),
    )]);
    insta::assert_snapshot!(findings(&plan).join("\n"), @"warning protection aws_msk_configuration.x: acknowledged messages may be lost (server_properties unclean.leader.election.enable: false -> true)");
    let steps = with_findings(&[&plan], &options(), |reviews| {
        reviews[0].findings[0].finding.path.steps().len()
    });
    // The attribute, its lines, and the line.
    assert_eq!(steps, 3);
    let turned = of_update("aws_msk_configuration", kafka(true), kafka(false));
    assert_not_found(&turned, &["protection"]);
}

#[test]
fn a_database_port_that_is_open_to_a_public_network_is_a_finding() {
    let rule = |cidr: &str, port: u32| {
        of_creation(
            "aws_vpc_security_group_ingress_rule",
            json!({"cidr_ipv4": cidr, "from_port": port, "to_port": port, "ip_protocol": "tcp"}),
        )
    };
    insta::assert_snapshot!(rule("203.0.113.0/24", 5432).join("\n"), @"warning exposure aws_vpc_security_group_ingress_rule.x: postgres open to a public network (203.0.113.0/24)");
    assert_not_found(&rule("10.60.0.0/16", 5432), &["exposure"]);
    assert_not_found(&rule("172.31.0.0/16", 5432), &["exposure"]);
    assert_not_found(&rule("203.0.113.0/24", 8443), &["exposure"]);
    let firewall = json!({"start_ip_address": "198.51.100.17", "end_ip_address": "198.51.100.17"});
    insta::assert_snapshot!(of_creation("azurerm_mssql_firewall_rule", firewall).join("\n"), @"warning exposure azurerm_mssql_firewall_rule.x: database open to a public network (198.51.100.17)");
}

#[test]
fn what_a_deny_that_moves_behind_an_allow_opens_is_said() {
    let rule = |name: &str, priority: u32, access: &str, from: &str| {
        json!({"name": name, "priority": priority, "access": access, "direction": "Inbound", "protocol": "Tcp",
            "source_address_prefix": from, "source_port_range": "*", "destination_port_range": "1433",
            "destination_address_prefix": "*", "resource_group_name": "g", "network_security_group_name": "n"})
    };
    let vendors = rule("vendors", 300, "Allow", "*");
    let moved = |from: u32, to: u32| {
        let kind = "azurerm_network_security_rule";
        findings(&plan(vec![
            object(
                kind,
                "deny",
                rule("deny", from, "Deny", "Internet"),
                rule("deny", to, "Deny", "Internet"),
            ),
            Change::new(
                "azurerm_network_security_rule.v",
                &["no-op"],
                &vendors,
                &vendors,
            ),
        ]))
    };
    insta::assert_snapshot!(moved(200, 4090).join("\n"), @r"
    critical exposure azurerm_network_security_rule.deny: vendors at 300 now opens sql server to the internet
    warning exposure azurerm_network_security_rule.deny: deny sql server comes behind other rules: 200 -> 4090
    ");
    assert_not_found(&moved(4090, 200), &["now opens"]);
    assert_not_found(&moved(200, 250), &["now opens"]);
}

#[test]
fn an_enabled_deny_is_no_removed_one() {
    let rules = |on: bool| json!({"rules": [{"ref": "admin", "action": "block", "expression": "path eq \"/admin\"", "enabled": on}]});
    let findings = of_update("cloudflare_ruleset", rules(false), rules(true));
    assert_not_found(&findings, &["deny"]);
    let findings = of_update("cloudflare_ruleset", rules(true), rules(false));
    assert_not_found(&findings, &["deny is removed"]);
    insta::assert_snapshot!(findings.join("\n"), @"warning protection cloudflare_ruleset.x: deny is switched off");
}

#[test]
fn an_address_that_is_released_and_backups_that_end_are_no_downtime() {
    let findings = of_update("aws_eip", json!({"public_ip": "198.51.100.9"}), Value::Null);
    insta::assert_snapshot!(findings.join("\n"), @"warning data-loss aws_eip.x: address destroyed; public_ip = 198.51.100.9");
    assert_not_found(&findings, &["downtime"]);
    let findings = of_update(
        "helm_release",
        json!({"chart": "velero", "name": "velero"}),
        Value::Null,
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning protection helm_release.x: destroyed, while what it protects stays");
    assert_not_found(&findings, &["downtime"]);
}

#[test]
fn platforms_without_rules_are_not_silently_fine() {
    let findings = of_update(
        "mongodbatlas_advanced_cluster",
        json!({"backup_enabled": true}),
        json!({"backup_enabled": false}),
    );
    insta::assert_snapshot!(findings.join("\n"), @"critical protection mongodbatlas_advanced_cluster.x: backup_enabled: true -> false");
    let findings = of_creation(
        "snowflake_grant_account_role",
        json!({"parent_role_name": "PUBLIC", "role_name": "LOADER"}),
    );
    insta::assert_snapshot!(findings.join("\n"), @"critical exposure snowflake_grant_account_role.x: everybody of the account (PUBLIC) gets the role");
    let findings = of_creation(
        "snowflake_grant_ownership",
        json!({"account_role_name": "ANALYST"}),
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning exposure snowflake_grant_ownership.x: ownership goes to ANALYST");
    let users = json!({"access_control": [{"group_name": "users", "permission_level": "CAN_MANAGE", "user_name": ""}]});
    let findings = of_update(
        "databricks_permissions",
        json!({"access_control": []}),
        users,
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning exposure databricks_permissions.x: CAN_MANAGE for users");
    assert_not_found(&findings, &["CAN_MANAGE for \n", "for somebody"]);
    let role =
        json!({"principal_object_id": "p", "app_role_id": "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8"});
    let findings = of_creation("azuread_app_role_assignment", role);
    insta::assert_snapshot!(findings.join("\n"), @"critical exposure azuread_app_role_assignment.x: RoleManagement.ReadWrite.Directory for p");
    let loops = |loops: u32| json!({"num_loops": loops});
    let findings = of_update("pagerduty_escalation_policy", loops(2), loops(0));
    insta::assert_snapshot!(findings.join("\n"), @"warning protection pagerduty_escalation_policy.x: nobody is called again (num_loops: 2 -> 0)");
}

#[test]
fn types_without_a_rule_are_not_silently_fine() {
    let change =
        |resource_type: &str| object(resource_type, "x", json!({"a": "1"}), json!({"a": "2"}));
    let text = plan(vec![
        change("acme_thing"),
        change("aws_s3_bucket"),
        // Rules for all types of a provider look only at the attributes that they name.
        change("aws_ivs_channel"),
        object(
            "acme_lock",
            "x",
            json!({"deletion_protection": true}),
            json!({"deletion_protection": true, "a": 1}),
        ),
    ]);
    let unjudged = with_findings(&[&text], &options(), |reviews| {
        reviews[0]
            .unjudged
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(unjudged, ["acme_thing", "aws_ivs_channel"]);
}

#[test]
fn forgotten_objects_are_no_lost_data() {
    let forgotten = Change::new(
        "aws_s3_bucket.x",
        &["forget"],
        json!({"bucket": "b"}),
        Value::Null,
    );
    assert_not_found(&findings(&plan(vec![forgotten])), &["data-loss"]);
}

/// A lifecycle that deletes the objects of a bucket after a day, and old versions after three days.
fn expiry(bucket: &str) -> Value {
    let rule = json!({
        "id": "all", "status": "Enabled",
        "expiration": [{"days": 1}], "noncurrent_version_expiration": [{"noncurrent_days": 3}],
    });
    json!({"bucket": bucket, "rule": [rule]})
}

#[test]
fn a_lifecycle_that_is_created_deletes_what_an_existing_bucket_holds() {
    let findings = of_creation("aws_s3_bucket_lifecycle_configuration", expiry("logs"));
    insta::assert_snapshot!(findings.join("\n"), @"
    warning data-loss aws_s3_bucket_lifecycle_configuration.x: objects expire (rule.expiration.days: 1)
    notice data-loss aws_s3_bucket_lifecycle_configuration.x: old versions expire (rule.noncurrent_version_expiration.noncurrent_days: 3)
    ");
    let blobs = json!({"delete_after_days_since_modification_greater_than": 30});
    let rule = json!({"name": "all", "enabled": true, "actions": [{"base_blob": [blobs]}]});
    let account = "/subscriptions/1/storageAccounts/logs";
    let findings = of_creation(
        "azurerm_storage_management_policy",
        json!({"storage_account_id": account, "rule": [rule]}),
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning data-loss azurerm_storage_management_policy.x: objects expire (rule.actions.base_blob.delete_after_days_since_modification_greater_than: 30)");
    let images = r#"{"rules":[{"rulePriority":1,"selection":{"countNumber":10},"action":{"type":"expire"}}]}"#;
    let findings = of_creation(
        "aws_ecr_lifecycle_policy",
        json!({"repository": "shop", "policy": images}),
    );
    insta::assert_snapshot!(findings.join("\n"), @"warning data-loss aws_ecr_lifecycle_policy.x: images expire (policy.rules.selection.countNumber: 10)");
}

#[test]
fn a_lifecycle_of_a_bucket_that_is_created_with_it_deletes_nothing() {
    let lifecycle = "aws_s3_bucket_lifecycle_configuration";
    let bucket = object(
        "aws_s3_bucket",
        "logs",
        Value::Null,
        json!({"bucket": "logs"}),
    );
    let named = object(lifecycle, "x", Value::Null, expiry("logs"));
    assert_not_found(&findings(&plan(vec![bucket.clone(), named])), &["expire"]);
    let mut without_name = expiry("logs");
    without_name.as_object_mut().unwrap().remove("bucket");
    let referring =
        object(lifecycle, "x", Value::Null, without_name).unknown(json!({"bucket": true}));
    assert_not_found(
        &findings(&plan(vec![bucket.clone(), referring])),
        &["expire"],
    );
    // The lifecycle of another bucket is not excused.
    let other = object(lifecycle, "x", Value::Null, expiry("reports"));
    assert_eq!(findings(&plan(vec![bucket, other])).len(), 2);
}
