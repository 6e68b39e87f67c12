//! What the text of a review says of small plans as pipelines hand them over, each named after what it said before.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values are written where they are given"
)]

use serde_json::{Value, json};

use crate::plan::{Change, PlanBuilder};

use super::{options, terminal_of, with_findings};

fn text(changes: Vec<Change>) -> String {
    let plan = PlanBuilder::of(changes).json();
    with_findings(&[&plan], &options(), |reviews| {
        terminal_of(&reviews[0], &options()).0
    })
}

#[test]
fn a_policy_that_was_empty_before_is_told_by_its_statements() {
    let policy = r#"{"Version": "2012-10-17", "Statement": [{"Sid": "Read", "Effect": "Allow", "Principal": "*",
        "Action": "s3:GetObject", "Resource": "arn:aws:s3:::site/*"}]}"#;
    for empty in ["", "{}"] {
        let [no, yes] = [empty, policy].map(|policy| json!({"bucket": "site", "policy": policy}));
        let added = text(vec![Change::between(
            "aws_s3_bucket.site",
            no.clone(),
            yes.clone(),
        )]);
        insta::assert_snapshot!(added);
        let removed = text(vec![Change::between("aws_s3_bucket.site", yes, no)]);
        insta::assert_snapshot!(removed);
    }
}

#[test]
fn a_word_of_all_objects_that_is_the_key_of_one_kept_it_apart() {
    let node = |index: usize| {
        let name = format!("node-{}", index + 1);
        let after = json!({"ami": "ami-1", "instance_type": "m5.large", "tags": {"Name": name}});
        Change::created(&format!("aws_instance.n[{index}]"), after)
    };
    insta::assert_snapshot!(text((0..4).map(node).collect()), @"
    NOTICE  4 to create.

       + 4 × aws_instance.n[0…3]  ami-1, m5.large  each has its own tags
    ");
}

#[test]
fn empty_values_of_what_is_created_are_not_in_its_summary() {
    let image = json!({"name": "app:1", "build": [{"context": ".", "version": "", "args": {}}]});
    let text = text(vec![Change::created("docker_image.app", image)]);
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to create.

       + docker_image.app  app:1, build.context = .
    (no rules for: docker_image)
    ");
}

#[test]
fn the_place_of_a_rule_is_said_where_the_order_decides() {
    let rules = |names: &[&str]| {
        let rules = names
            .iter()
            .map(|name| json!({"name": name, "action": format!("do-{name}")}));
        json!({"rules": rules.collect::<Vec<_>>()})
    };
    let moved = |kind: &str, before: &[&str], after: &[&str]| {
        text(vec![Change::between(
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
    insta::assert_snapshot!(moved(policy, &before, &after), @r#"
    NOTICE  1 to change.

       ~ panos_security_policy_rules.r
           rules["block-bad", 0 -> 2] { action = do-block-bad, name = block-bad } (moved; last)
    (no rules for: panos_security_policy_rules)
    "#);
    insta::assert_snapshot!(moved(policy, &after, &before), @r#"
    NOTICE  1 to change.

       ~ panos_security_policy_rules.r
           rules["block-bad", 2 -> 0] { action = do-block-bad, name = block-bad } (moved; first)
    (no rules for: panos_security_policy_rules)
    "#);
    insta::assert_snapshot!(moved(policy, &before[1..], &before), @r#"
    NOTICE  1 to change.

       ~ panos_security_policy_rules.r  + rules["block-bad"] { action = do-block-bad } (first)
    (no rules for: panos_security_policy_rules)
    "#);
    insta::assert_snapshot!(moved(policy, &after[..2], &after), @r#"
    NOTICE  1 to change.

       ~ panos_security_policy_rules.r  + rules["block-bad"] { action = do-block-bad } (last)
    (no rules for: panos_security_policy_rules)
    "#);
    let between = ["allow-app", "block-bad", "deny-all"];
    insta::assert_snapshot!(moved(policy, &after[..2], &between), @r#"
    NOTICE  1 to change.

       ~ panos_security_policy_rules.r  + rules["block-bad"] { action = do-block-bad } (place 2 of 3)
    (no rules for: panos_security_policy_rules)
    "#);
    // Elsewhere the order of named elements is a matter of form.
    let form = moved("aws_s3_bucket_lifecycle_configuration", &before, &after);
    insta::assert_snapshot!(form, @r#"
    NOTICE  1 to change.

       ~ aws_s3_bucket_lifecycle_configuration.r  formatting only: rules["block-bad"]
    "#);
}

#[test]
fn a_policy_of_google_is_compared_by_its_bindings() {
    let policy = |bindings: Value| json!({"project": "p", "policy_data": json!({"bindings": bindings}).to_string()});
    let binding = |role: &str, members: &[&str]| json!({"role": role, "members": members});
    let night = json!({"title": "night", "expression": "request.time.getHours() < 6"});
    let mut bound = binding("roles/editor", &["user:c@example.com"]);
    bound["condition"] = night;
    let before = policy(json!([
        binding("roles/metadataViewer", &["user:n@example.com"]),
        binding(
            "roles/viewer",
            &["user:a@example.com", "user:b@example.com"]
        ),
        bound,
    ]));
    let after = policy(json!([
        binding("roles/viewer", &["user:b@example.com", "allUsers"]),
        binding("roles/viewer", &["user:a@example.com"]),
        binding("roles/editor", &["user:c@example.com"]),
    ]));
    let updated = text(vec![Change::between(
        "google_project_iam_policy.p",
        before.clone(),
        after.clone(),
    )]);
    insta::assert_snapshot!(updated, @r#"
    CRITICAL  project iam policy p: roles/viewer for allUsers; project iam policy p: roles/editor for user:c@example.com.
              1 to change.

       ~ google_project_iam_policy.p  policy_data:
           - roles/metadataViewer for user:n@example.com
           - roles/editor for user:c@example.com if "request.time.getHours() < 6", night
    !!     + roles/viewer for allUsers                                                          exposure
    !!     + roles/editor for user:c@example.com                                                exposure
    "#);
    assert_eq!(
        updated.matches("user:n@example.com").count(),
        1,
        "{updated}"
    );
    assert!(!updated.contains("user:a@example.com"), "{updated}");
    let address = "google_project_iam_policy.p";
    let created = text(vec![Change::created(address, after)]);
    insta::assert_snapshot!(created, @"
    CRITICAL  project iam policy p: roles/viewer for allUsers; project iam policy p: roles/editor for user:c@example.com.
              1 to create.

       + google_project_iam_policy.p  policy_data:
    !!     + roles/viewer for allUsers, user:a@example.com, user:b@example.com                  exposure
    !!     + roles/editor for user:c@example.com                                                exposure
    ");
    // Members that no line mentions are shown by their edits.
    let mut other = before.clone();
    other["policy_data"] = json!({"bindings": [], "auditConfigs": [{"service": "allServices"}]})
        .to_string()
        .into();
    let audited = text(vec![Change::between(address, before, other)]);
    insta::assert_snapshot!(audited, @r#"
    NOTICE  Access is narrowed.
            1 to change.

       ~ google_project_iam_policy.p  policy_data:
           - roles/metadataViewer for user:n@example.com
           - roles/viewer for user:a@example.com, user:b@example.com
           - roles/editor for user:c@example.com if "request.time.getHours() < 6", night
           + auditConfigs { service = allServices }
    "#);
}

#[test]
fn whom_a_destroyed_binding_takes_its_role_is_said() {
    let binding = json!({"project": "p", "role": "roles/owner", "members": ["user:a@example.com", "user:b@example.com"]});
    let text = text(vec![Change::destroyed(
        "google_project_iam_binding.p",
        binding,
    )]);
    insta::assert_snapshot!(text, @"
    WARNING  project iam binding p: roles/owner is taken from user:a@example.com, user:b@example.com.
             1 to destroy.

       - google_project_iam_binding.p  for [user:a@example.com, user:b@example.com]
     !     roles/owner is taken from user:a@example.com, user:b@example.com                     downtime
    ");
}

#[test]
fn which_port_an_added_rule_opens_is_shown() {
    let rule = |source: &str, port: u32| {
        json!({"description": "", "icmp_options": [], "protocol": "6", "source": source, "source_type": "CIDR_BLOCK",
            "stateless": false, "tcp_options": [{"min": port, "max": port, "source_port_range": []}], "udp_options": []})
    };
    let rules = |rules: Value| json!({"ingress_security_rules": rules});
    let text = text(vec![Change::between(
        "oci_core_security_list.s",
        rules(json!([rule("10.0.0.0/8", 22)])),
        rules(json!([rule("10.0.0.0/8", 22), rule("0.0.0.0/0", 3389)])),
    )]);
    insta::assert_snapshot!(text, @"
    CRITICAL  core security list s: rdp open to the world (0.0.0.0/0).
              1 to change.

       ~ oci_core_security_list.s
    !!   + ingress_security_rules[1]: rdp open to the world (0.0.0.0/0)                         exposure
    ");
}

#[test]
fn the_same_document_as_text_and_as_value_is_no_change() {
    let object =
        json!({"kind": "MarketPlace", "plan": {"name": "p"}, "parameters": [1, {"a": null}]});
    let written =
        r#"{"parameters": [1, {}], "plan": {"name": "p", "version": null}, "kind": "MarketPlace"}"#;
    let [before, after] =
        [json!(written), object.clone()].map(|body| json!({"body": body, "name": "a"}));
    for (before, after) in [(before.clone(), after.clone()), (after, before.clone())] {
        let text = text(vec![Change::between("azapi_resource.app", before, after)]);
        insta::assert_snapshot!(text);
    }
    let mut other = object;
    other["plan"]["name"] = json!("q");
    let text = text(vec![Change::between(
        "azapi_resource.app",
        before,
        json!({"body": other, "name": "a"}),
    )]);
    assert!(!text.contains("formatting only"), "{text}");
}

#[test]
fn what_was_never_there_is_not_lost() {
    let findings = |kind: &str, before: Value, after: Value| {
        let text = text(vec![Change::between(&format!("{kind}.x"), before, after)]);
        let kinds = ["data-loss", "protection", "secret"];
        assert!(!kinds.iter().any(|kind| text.contains(kind)), "{text}");
    };
    // A literal of JSON is no password.
    let written = r#"{"tls": {"certificatePassword": null, "dnsSuffix": null}, "adminPassword": false, "a": 1}"#;
    findings(
        "azapi_resource",
        json!({"output": "{}"}),
        json!({"output": written}),
    );
    // It told nobody before.
    findings(
        "datadog_monitor",
        json!({"message": "some text"}),
        json!({"message": null}),
    );
    // What a provider records of a rule is not the rule.
    let rules = |version: &str| json!({"rules": [{"action": "block", "expression": "a", "version": version, "last_updated": version}]});
    findings("cloudflare_ruleset", rules("1"), rules("2"));
    let disk = |label: &str| json!({"disk": [{"key": 2001, "label": label}]});
    findings(
        "vsphere_virtual_machine",
        disk("<deleted>"),
        disk("data.vmdk"),
    );
}

#[test]
fn what_all_objects_share_in_form_alone_is_not_the_sentence_of_the_plan() {
    let objects = (0..4).map(|index| {
        let side = |text: Value, note: Value| json!({"text": text, "note": note});
        let address = format!("a_thing.t{index}");
        Change::between(
            &address,
            side(json!(format!("{index}")), json!("")),
            side(json!(format!("new {index}")), Value::Null),
        )
    });
    let text = text(objects.collect());
    insta::assert_snapshot!(text);
}

#[test]
fn a_shift_of_count_is_told_once() {
    let names = ["alice", "bar", "carol", "dave", "erin"];
    let zone = |name: &str| json!({"name": format!("{name}.example.com"), "force_destroy": false});
    let mut changes: Vec<Change> = (1..4)
        .map(|index| {
            let address = format!("aws_route53_zone.z[{index}]");
            Change::replaced(&address, zone(names[index]), zone(names[index + 1]))
                .forced_by(json!([["name"]]))
        })
        .collect();
    changes.push(Change::destroyed("aws_route53_zone.z[4]", zone("erin")));
    let text = text(changes);
    insta::assert_snapshot!(text);
    assert_eq!(text.matches("shift of `count`").count(), 1, "{text}");
    assert_eq!(
        text.matches("the old one is destroyed").count(),
        1,
        "{text}"
    );
}

/// A policy of one statement, or of none.
fn policy(statement: Value) -> String {
    json!({"Version": "2012-10-17", "Statement": [statement]}).to_string()
}

#[test]
fn a_principal_of_another_account_is_a_finding_where_a_policy_is_new() {
    let trust = |principal: Value, condition: Value| {
        let mut statement =
            json!({"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": principal});
        if !condition.is_null() {
            statement["Condition"] = condition;
        }
        let role = json!({"name": "vendor", "assume_role_policy": policy(statement)});
        Change::created("aws_iam_role.vendor", role)
    };
    let own_topic = || {
        let topic = |name: &str| json!({"arn": "arn:aws:sns:eu-west-1:111111111111:t", "display_name": name});
        Change::between("aws_sns_topic.own", topic("a"), topic("b"))
    };
    let other = json!({"AWS": "arn:aws:iam::999999999999:root"});
    let stranger = text(vec![own_topic(), trust(other.clone(), Value::Null)]);
    insta::assert_snapshot!(stranger, @r#"
    WARNING  iam role vendor: Allow "sts:AssumeRole" for "arn:aws:iam::999999999999:root", of another ….
             1 to change, 1 to create.

       + aws_iam_role.vendor
     !   + assume_role_policy: Allow sts:AssumeRole for AWS arn:aws:iam::999999999999:root (of another account)  exposure
       ~ aws_sns_topic.own  display_name a -> b
    "#);
    let bound = json!({"StringEquals": {"sts:ExternalId": "x"}});
    let bound = text(vec![own_topic(), trust(other.clone(), bound)]);
    insta::assert_snapshot!(bound, @"
    NOTICE  Access is wider: 1 iam role.
            1 to change, 1 to create.

       + aws_iam_role.vendor
     ·   + assume_role_policy: Allow sts:AssumeRole for AWS arn:aws:iam::999999999999:root if StringEquals sts:ExternalId = x (of another account)  exposure
       ~ aws_sns_topic.own  display_name a -> b
    ");
    for quiet in [
        // Nothing says which account is one's own.
        vec![trust(other, Value::Null)],
        vec![
            own_topic(),
            trust(json!({"AWS": "111111111111"}), Value::Null),
        ],
        vec![
            own_topic(),
            trust(json!({"Service": "ec2.amazonaws.com"}), Value::Null),
        ],
    ] {
        let text = text(quiet);
        assert!(!text.contains("another account"), "{text}");
    }
}

#[test]
fn a_policy_that_locks_its_administrators_out_is_a_finding() {
    let bucket = |statement: Value| json!({"bucket": "b", "policy": policy(statement)});
    let allow = json!({"Effect": "Allow", "Action": "s3:GetObject", "Principal": {"AWS": "111111111111"}, "Resource": "arn:aws:s3:::b/*"});
    let deny = |resource: &str, condition: Value| {
        let mut deny =
            json!({"Effect": "Deny", "Action": "s3:*", "Principal": "*", "Resource": resource});
        if !condition.is_null() {
            deny["Condition"] = condition;
        }
        let address = "aws_s3_bucket_policy.b";
        text(vec![Change::between(
            address,
            bucket(allow.clone()),
            bucket(deny),
        )])
    };
    let everybody = deny("arn:aws:s3:::b", Value::Null);
    insta::assert_snapshot!(everybody, @r#"
    CRITICAL  s3 bucket policy b: Deny "s3:*" on "arn:aws:s3:::b" for everybody also holds for its ….
              1 to change.

       ~ aws_s3_bucket_policy.b  policy:
           - Allow s3:GetObject on arn:aws:s3:::b/* for AWS 111111111111
    !!     + Deny s3:* on arn:aws:s3:::b for * (also holds for its administrators)              downtime
    "#);
    let endpoint = json!({"StringNotEquals": {"aws:SourceVpce": "vpce-1"}});
    insta::assert_snapshot!(deny("*", endpoint), @"
    NOTICE  Access is narrowed.
            1 to change.

       ~ aws_s3_bucket_policy.b  policy:
           - Allow s3:GetObject on arn:aws:s3:::b/* for AWS 111111111111
     ·     + Deny s3:* on * for * if StringNotEquals aws:SourceVpce = vpce-1 (also holds for its administrators)  downtime
    ");
    for quiet in [
        deny("arn:aws:s3:::b/*", Value::Null),
        deny("*", json!({"Bool": {"aws:SecureTransport": "false"}})),
        deny(
            "*",
            json!({"ArnNotLike": {"aws:PrincipalArn": "arn:aws:iam::1:role/admin"}}),
        ),
    ] {
        assert!(!quiet.contains("administrators"), "{quiet}");
    }
    let key = |actions: Value| {
        let statement = json!({"Effect": "Allow", "Action": actions, "Principal": {"AWS": "111111111111"}, "Resource": "*"});
        json!({"description": "k", "policy": policy(statement)})
    };
    let change_of_key = |after: Value| {
        text(vec![Change::between(
            "aws_kms_key.k",
            key(json!("kms:*")),
            key(after),
        )])
    };
    let lost = change_of_key(json!(["kms:Decrypt"]));
    insta::assert_snapshot!(lost, @"
    CRITICAL  kms key k: nobody may change the policy of the key any more.
              1 to change.

       ~ aws_kms_key.k
    !!     policy: Allow on * for AWS 111111111111  - action kms:*  + action kms:Decrypt (nobody may change the policy of the key any more)  downtime
    ");
    let kept = change_of_key(json!(["kms:Decrypt", "kms:Put*"]));
    assert!(!kept.contains("nobody may"), "{kept}");
}

#[test]
fn a_service_that_may_use_a_role_is_no_stranger() {
    let role = |services: Value| {
        let statement = json!({"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": services}});
        json!({"name": "app", "assume_role_policy": policy(statement)})
    };
    let before = role(json!(["ec2.amazonaws.com"]));
    let after = role(json!(["ec2.amazonaws.com", "ecs-tasks.amazonaws.com"]));
    let text = text(vec![Change::between("aws_iam_role.app", before, after)]);
    insta::assert_snapshot!(text, @"
    NOTICE  Access is wider: 1 iam role.
            1 to change.

       ~ aws_iam_role.app
     ·     assume_role_policy: Allow sts:AssumeRole  + principal Service ecs-tasks.amazonaws.com  exposure
    ");
}

#[test]
fn whom_a_list_of_members_leaves_out_is_said() {
    let group = |users: Value| json!({"name": "m", "group": "admins", "users": users});
    let (before, after) = (group(json!(["a", "b"])), group(json!(["a"])));
    let text = text(vec![Change::between(
        "aws_iam_group_membership.m",
        before,
        after,
    )]);
    insta::assert_snapshot!(text, @"
    NOTICE  Access is narrowed.
            1 to change.

     · ~ aws_iam_group_membership.m  - users[1] = b                                             downtime
    ");
}

#[test]
fn what_one_object_of_many_alone_changes_came_behind_what_all_have() {
    let record = |index: usize| {
        let mut before = json!({"name": format!("h{index}"), "content": "a.example.net", "modified_on": format!("t{index}")});
        let mut after = json!({"name": format!("h{index}"), "content": "a.example.net", "settings": {"flatten": false}});
        if index.is_multiple_of(2) {
            before["settings"] = json!({"ipv4": true});
            after["settings"] = json!({"ipv4": true, "flatten": false});
        }
        if index == 5 {
            after["content"] = json!("evil.example.org");
        }
        Change::between(
            &format!("cloudflare_dns_record.r[\"h{index}\"]"),
            before,
            after,
        )
        .unknown(json!({"modified_on": true}))
    };
    let text = text((0..20).map(record).collect());
    insta::assert_snapshot!(text, @r#"
    NOTICE  20 to change.

       ~ cloudflare_dns_record.r["h5"]  (and as the 9 below)  content a.example.net -> evil.example.org
       ~ 19 × cloudflare_dns_record.r
           ≠ h1, h11, h13, h15, h17, h19 and 3 more  + settings { flatten = false }
           h0, h10, h12, h14, h16, h18 and 4 more  + settings.flatten = false
    (also known after apply: modified_on)
    "#);
}
