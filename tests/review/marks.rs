//! A finding is said once, at the rule, statement, line or edit that proves it, with what its values do not say.

use serde_json::{Value, json};

use super::{options, terminal_of, with_findings};
use crate::plan::{Change, PlanBuilder};

/// The entries of the review of a plan with these changes.
pub(super) fn entries(changes: &[Change]) -> String {
    let plan = PlanBuilder::of(changes.iter().cloned()).json();
    let options = options();
    with_findings(&[&plan], &options, |reviews| {
        let (text, _) = terminal_of(&reviews[0], &options);
        let (_, entries) = text.split_once("\n\n").unwrap();
        entries.to_owned()
    })
}

fn rule(port: u16, cidr: &str) -> Value {
    json!({"from_port": port, "to_port": port, "protocol": "tcp", "cidr_blocks": [cidr], "ipv6_cidr_blocks": [],
        "prefix_list_ids": [], "security_groups": [], "self": false, "description": ""})
}

fn statement(sid: &str, effect: &str, action: &str) -> Value {
    json!({"Sid": sid, "Effect": effect, "Action": action, "Resource": "*"})
}

fn policy(statements: &[Value]) -> Value {
    json!({"name": "p", "policy": json!({"Version": "2012-10-17", "Statement": statements}).to_string()})
}

#[test]
fn a_finding_is_marked_at_its_rule_and_not_at_the_first_one() {
    let old = json!({"name": "g", "ingress": [rule(80, "10.0.0.0/8")]});
    let new = json!({"name": "g", "ingress":
        [rule(443, "10.0.0.0/8"), rule(8443, "10.0.0.0/8"), rule(22, "0.0.0.0/0"), rule(80, "10.0.0.0/8")]});
    insta::assert_snapshot!(entries(&[
        Change::updated("aws_security_group.changed", &old, &new),
        Change::created("aws_security_group.new", &new),
    ]));
}

#[test]
fn a_finding_is_marked_at_its_statement() {
    let old = policy(&[
        statement("Read", "Allow", "s3:GetObject"),
        statement("Keep", "Deny", "s3:DeleteBucket"),
    ]);
    let new = policy(&[
        statement("Read", "Allow", "s3:GetObject"),
        statement("List", "Allow", "s3:ListBucket"),
        statement("All", "Allow", "*"),
    ]);
    let policies = [Change::updated("aws_iam_policy.p", &old, &new)];
    insta::assert_snapshot!(entries(&policies));
}

#[test]
fn a_finding_is_marked_at_its_line_of_a_text() {
    let text = |election: &str| format!("a=1\nb=2\nunclean.leader.election.enable={election}\n");
    let object = |election| json!({"name": "c", "server_properties": text(election)});
    insta::assert_snapshot!(entries(&[Change::updated(
        "aws_msk_configuration.c",
        object("false"),
        object("true")
    )]));
}

#[test]
fn a_rule_with_a_finding_is_not_left_out_before_others() {
    let mut rules: Vec<Value> = (0..200)
        .map(|index| rule(1000 + index, "10.0.0.0/8"))
        .collect();
    rules.push(rule(22, "0.0.0.0/0"));
    let old = json!({"name": "g", "ingress": []});
    let new = json!({"name": "g", "ingress": rules});
    let mut texts = String::new();
    for (actions, before) in [("update", &old), ("create", &Value::Null)] {
        let text = entries(&[Change::new(
            "aws_security_group.g",
            &[actions],
            before,
            &new,
        )]);
        let lines: Vec<&str> = text.lines().collect();
        let [first, .., marked, more] = &*lines else {
            unreachable!("{text}")
        };
        texts += &format!("{first}\n[…]\n{marked}\n{more}\n");
    }
    insta::assert_snapshot!(texts, @r"
       ~ aws_security_group.g  ingress:
    […]
    !!     + tcp/22 from 0.0.0.0/0                                                              exposure
             … 141 more lines; --context all shows all
       + aws_security_group.g  ingress:
    […]
    !!     + tcp/22 from 0.0.0.0/0                                                              exposure
             … 189 more lines; --context all shows all
    ");
}

#[test]
fn the_gravest_rule_is_kept_among_more_rules_with_findings_than_lines() {
    let mut rules: Vec<Value> = (0..80)
        .map(|index| rule(3000 + index, "0.0.0.0/0"))
        .collect();
    rules.push(rule(22, "0.0.0.0/0"));
    let old = json!({"name": "g", "ingress": []});
    let new = json!({"name": "g", "ingress": rules});
    let text = entries(&[Change::updated("aws_security_group.g", &old, &new)]);
    let is_other = |line: &&str| !line.contains("tcp 30") && !line.contains("tcp/30");
    let lines: Vec<&str> = text.lines().filter(is_other).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
       ~ aws_security_group.g
         + ingress:
    !!     + tcp/22 from 0.0.0.0/0                                                              exposure
             … 21 more lines; --context all shows all
    ");
}

#[test]
fn what_values_do_not_say_is_behind_them() {
    let object = |policy: &str| json!({"name": "dns", "chart": "external-dns", "set": [{"name": "policy", "value": policy}]});
    let changes = [
        Change::updated("helm_release.dns", object("upsert-only"), object("sync")),
        Change::updated(
            "aws_api_gateway_method_settings.all",
            json!({"settings": [{"data_trace_enabled": false}]}),
            json!({"settings": [{"data_trace_enabled": true}]}),
        ),
    ];
    insta::assert_snapshot!(entries(&changes));
}

#[test]
fn a_deny_that_moves_behind_an_allow_says_what_it_opens() {
    let nsg = |name: &str, access: &str, priority: u16| {
        json!({"name": name, "access": access, "direction": "Inbound", "priority": priority, "protocol": "Tcp",
            "source_address_prefix": "Internet", "destination_address_prefix": "*", "source_port_range": "*",
            "destination_port_range": "1433", "network_security_group_name": "nsg", "resource_group_name": "rg"})
    };
    let allow = nsg("AllowSqlVendors", "Allow", 300);
    let stays = Change::new(
        "azurerm_network_security_rule.allow",
        &["no-op"],
        &allow,
        &allow,
    );
    let moved = Change::updated(
        "azurerm_network_security_rule.deny",
        nsg("DenySql", "Deny", 200),
        nsg("DenySql", "Deny", 4090),
    );
    insta::assert_snapshot!(entries(&[stays, moved]));
}

#[test]
fn somebody_who_gets_more_rights_is_named_behind_them() {
    let object = |rights: &[&str]| json!({"object_id": "4b1e", "key_vault_id": "kv", "secret_permissions": rights});
    insta::assert_snapshot!(entries(&[Change::updated(
        "azurerm_key_vault_access_policy.app",
        object(&["Get"]),
        object(&["Get", "Set", "Purge"])
    )]));
}

#[test]
fn a_row_that_does_not_fit_has_a_line_for_each_difference() {
    let release = |version: &str, policy: &str, long: &str| {
        json!({"chart": "c", "version": version, "set": [
            {"name": "policy", "value": policy}, {"name": "a.very.long.name.of.a.value.of.the.chart", "value": long}]})
    };
    let changes = [
        Change::updated(
            "helm_release.this[\"dns\"]",
            release("1.0.0", "upsert-only", "first"),
            release("1.0.1", "sync", "second"),
        ),
        Change::updated(
            "helm_release.this[\"web\"]",
            release("2.0.0", "sync", "first"),
            release("2.0.1", "sync", "first"),
        ),
    ];
    insta::assert_snapshot!(entries(&changes));
}

#[test]
fn members_of_one_value_are_on_one_line_with_their_signs() {
    let old = json!({"name": "f", "environment": [{"variables": {"A": "1", "OLD": "x"}}], "memory_size": 128, "timeout": 3});
    let new = json!({"name": "f", "environment": [{"variables": {"A": "2", "NEW": "y"}}], "memory_size": 256, "timeout": 9});
    let of_text_with_commas = |text: &str| json!({"name": "c", "a": text, "b": text});
    insta::assert_snapshot!(entries(&[
        Change::updated("example_function.f", &old, &new),
        // A comma in a text would look like the next member.
        Change::updated(
            "example_note.n",
            of_text_with_commas("x"),
            of_text_with_commas("x, b 1 -> 2")
        ),
    ]));
}

#[test]
fn what_does_not_fit_on_a_screen_begins_with_a_list_of_what_is_grave() {
    let group = |port: u16, cidr: &str| {
        let name = format!("aws_security_group.g{port}");
        let old = json!({"name": "g", "ingress": []});
        let new = json!({"name": "g", "ingress": [rule(port, cidr), rule(port + 1, "10.0.0.0/8")]});
        Change::updated(&name, &old, &new)
    };
    let mut changes: Vec<Change> = (0..14)
        .map(|index| group(3000 + 2 * index, "0.0.0.0/0"))
        .collect();
    changes.push(group(22, "0.0.0.0/0"));
    let text = entries(&changes);
    let (list, below) = text.split_once("\n\n").unwrap();
    assert_eq!(list.lines().count(), 15, "{text}");
    // The gravest is first, and all of it is below.
    insta::assert_snapshot!(list);
    insta::assert_snapshot!(below);

    changes.truncate(10);
    let short = entries(&changes);
    assert!(!short.contains("\n\n"), "{short}");
}
