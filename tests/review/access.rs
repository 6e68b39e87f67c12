//! Policies are shown as statements and firewall rules as lines. Whatever does not fit these forms is shown
//! as plain edits.

use super::{markdown_of, options, terminal, terminal_of, update, with_review};
use crate::cli::harness::without_identity;
use crate::plan::{Change, PlanBuilder};
use tfview::internals::report::Budget;
use tfview::internals::report::{SectionKind, Shown};
use tfview::internals::review::Options;

/// A plan of one change of `kind.n`.
fn plan(kind: &str, before: &str, after: &str) -> String {
    PlanBuilder::of([Change::between(&format!("{kind}.n"), before, after)]).json()
}

/// The lines below the title of the resource, without their indentation.
fn lines(text: &str) -> Vec<String> {
    let below = text.lines().skip_while(|line| !line.contains(".n"));
    below
        .map(|line| line.get(3..).unwrap_or_default().to_owned())
        .collect()
}

fn changed(kind: &str, before: &str, after: &str) -> Vec<String> {
    let text = plan(kind, before, after);
    with_review(&text, &options(), |review| {
        let (text, coverage) = terminal_of(review, &options());
        let edits = &coverage.accounts(SectionKind::Resources)[0].edits;
        assert!(
            edits.iter().all(Option::is_some),
            "an edit is not reported: {edits:?}\n{text}"
        );
        lines(&text)
    })
}

/// Two policies as attributes of an object.
fn policies(before: &str, after: &str) -> Vec<String> {
    let object = |policy: &str| format!(r#"{{"policy":{policy:?}}}"#);
    changed("aws_iam_policy", &object(before), &object(after))
}

const READ: &str = r#"{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":"s3:GetObject","Resource":["b","b/*"]}]}"#;

#[test]
fn policy_is_shown_by_statement() {
    let after = r#"{"Version":"2012-10-17","Statement":[
        {"Sid":"Read","Effect":"Allow","Action":["s3:GetObject","s3:PutObject"],"Resource":["b/*"],
         "Condition":{"StringEquals":{"aws:SourceVpc":["v1","v2"]}}},
        {"Effect":"Deny","NotAction":"iam:*","Resource":"*","Principal":{"AWS":"*"}}]}"#;
    insta::assert_debug_snapshot!(policies(READ, after));
    let removed = policies(after, READ);
    insta::assert_debug_snapshot!(removed);
}

#[test]
fn deny_that_becomes_allow_is_one_changed_statement() {
    let deny = READ.replace("\"Allow\"", "\"Deny\"");
    insta::assert_debug_snapshot!(policies(&deny, READ));
}

#[test]
fn equivalent_notation_is_noted_beside_a_change() {
    let after = r#"{"Version":"2008-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":["s3:GetObject"],"Resource":["b/*","b"]}]}"#;
    insta::assert_debug_snapshot!(policies(READ, after));
}

/// Unknown members of the policy language, and values of other types.
#[test]
fn invalid_policy_is_a_plain_edit() {
    for after in [
        r#"{"Statement":[{"Sid":"Read","Effect":"Allow","Action":"s3:GetObject","Resource":["b","b/*"],"Extra":1}]}"#,
        r#"{"Statement":[{"Sid":"Read","Effect":"Allow","Action":[],"Resource":["b","b/*"]}]}"#,
        r#"{"Statement":[{"Sid":"Read","Effect":"Allow","Action":{"a":1},"Resource":["b","b/*"]}]}"#,
        r#"{"Statement":[],"Other":1}"#,
        r#"{"Statement":["text"]}"#,
    ] {
        insta::assert_debug_snapshot!(policies(READ, after));
    }
    let text = terminal(
        &update(r#"{"a":"{\"x\":1}"}"#, r#"{"a":"{\"x\":2}"}"#),
        &options(),
    );
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to change.

       ~ a.b  a (JSON)  x 1 -> 2
    ");
}

#[test]
fn a_sensitive_policy_stays_hidden() {
    let object = |policy: &str| format!(r#"{{"policy":{policy:?}}}"#);
    let marks = r#"{"policy":true}"#;
    let after = READ.replace("GetObject", "PutSecret");
    let text =
        PlanBuilder::of([
            Change::updated("aws_iam_policy.n", &object(READ), &object(&after))
                .sensitive(marks, marks),
        ])
        .json();
    let text = terminal(&text, &options());
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to change.

       ~ aws_iam_policy.n  policy (sensitive value, changed)
    ");
    assert!(
        !text.contains("GetObject") && !text.contains("PutSecret"),
        "{text}"
    );
}

#[test]
fn sensitive_rules_stay_hidden() {
    let group = |cidr: &str| {
        format!(
            r#"{{"ingress":[{{"protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["{cidr}"]}}]}}"#
        )
    };
    for marks in [
        r#"{"ingress":true}"#,
        r#"{"ingress":[{"cidr_blocks":[true]}]}"#,
    ] {
        for (before, after) in [
            (group("10.66.0.0/16"), group("10.77.0.0/16")),
            ("null".to_owned(), group("10.66.0.0/16")),
            (group("10.66.0.0/16"), "null".to_owned()),
        ] {
            let plan =
                PlanBuilder::of([Change::between("aws_security_group.n", &before, &after)
                    .sensitive(marks, marks)])
                .json();
            let text = terminal(&plan, &options());
            assert!(!text.contains("10.66") && !text.contains("10.77"), "{text}");
        }
    }
}

#[test]
fn rules_of_security_groups_are_lines() {
    let rule = |port: u32, cidr: &str, note: &str| {
        format!(
            r#"{{"protocol":"tcp","from_port":{port},"to_port":{port},"cidr_blocks":[{cidr}],"ipv6_cidr_blocks":[],"prefix_list_ids":[],
            "security_groups":[],"self":false,"description":"{note}"}}"#
        )
    };
    let group = |rules: &[String]| format!(r#"{{"ingress":[{}]}}"#, rules.join(","));
    let before = group(&[
        rule(22, "\"10.0.0.0/8\"", "ssh"),
        rule(443, "\"10.0.0.0/8\"", ""),
        rule(80, "\"a\"", ""),
    ]);
    let after = group(&[
        rule(443, "\"10.0.0.0/8\",\"0.0.0.0/0\"", ""),
        rule(80, "\"a\"", ""),
        rule(25, "\"b\"", "mail"),
    ]);
    insta::assert_debug_snapshot!(changed("aws_security_group", &before, &after));
    // The same networks in another order, and null instead of an empty list.
    let one = group(&[rule(443, "\"a\",\"b\"", "x")]);
    let other = one
        .replace(r#""a","b""#, r#""b","a""#)
        .replace(r#""prefix_list_ids":[]"#, r#""prefix_list_ids":null"#);
    insta::assert_debug_snapshot!(changed(
        "aws_security_group",
        &one,
        &other.replace("\"x\"", "\"y\"")
    ));
}

#[test]
fn outgoing_rules_of_a_group_say_where_they_lead_to() {
    let group = |cidr: &str| {
        format!(
            r#"{{"egress":[{{"protocol":"-1","from_port":0,"to_port":0,"cidr_blocks":["{cidr}"]}}]}}"#
        )
    };
    insta::assert_debug_snapshot!(changed(
        "aws_security_group",
        &group("10.0.0.0/8"),
        &group("0.0.0.0/0")
    ));
}

#[test]
fn rule_with_an_unknown_attribute_is_a_plain_edit() {
    let group = |cidr: &str| {
        format!(
            r#"{{"ingress":[{{"protocol":"tcp","cidr_blocks":["{cidr}"],"new_attribute":1}}]}}"#
        )
    };
    let lines = changed("aws_security_group", &group("a"), &group("b"));
    insta::assert_debug_snapshot!(lines);
}

#[test]
fn rules_that_are_resources_are_lines() {
    for (kind, before, after) in [
        (
            "aws_security_group_rule",
            r#"{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["10.0.0.0/8"],"id":"i"}"#,
            r#"{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["0.0.0.0/0"],"id":"i"}"#,
        ),
        (
            "aws_vpc_security_group_egress_rule",
            r#"{"ip_protocol":"-1","cidr_ipv4":"10.0.0.0/8"}"#,
            r#"{"ip_protocol":"-1","cidr_ipv4":"0.0.0.0/0"}"#,
        ),
        (
            "aws_network_acl_rule",
            r#"{"rule_number":100,"rule_action":"deny","egress":false,"protocol":"tcp","from_port":1,"to_port":9,"cidr_block":"a"}"#,
            r#"{"rule_number":100,"rule_action":"allow","egress":false,"protocol":"tcp","from_port":1,"to_port":9,"cidr_block":"a"}"#,
        ),
        (
            "google_compute_firewall",
            r#"{"name":"f","direction":"INGRESS","allow":[{"protocol":"tcp","ports":["22"]}],"source_ranges":["10.0.0.0/8"],"priority":1000}"#,
            r#"{"name":"f","direction":"INGRESS","allow":[{"protocol":"tcp","ports":["22"]}],"source_ranges":["0.0.0.0/0"],"priority":1000}"#,
        ),
        (
            "azurerm_network_security_rule",
            r#"{"name":"r","priority":1,"access":"Allow","direction":"Inbound","protocol":"Tcp","destination_port_range":"22","source_port_range":"*","source_address_prefix":"10.0.0.0/8","destination_address_prefix":"*"}"#,
            r#"{"name":"r","priority":1,"access":"Allow","direction":"Inbound","protocol":"Tcp","destination_port_range":"22","source_port_range":"*","source_address_prefix":"*","destination_address_prefix":"*"}"#,
        ),
    ] {
        let changed = changed(kind, before, after).join("\n");
        let created = terminal(&plan(kind, "null", after), &options());
        insta::assert_snapshot!(format!("{changed}\n\n{created}"));
    }
}

#[test]
fn very_different_rule_is_removed_and_added() {
    let (before, after) = (
        r#"{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["10.0.0.0/8"]}"#,
        r#"{"type":"ingress","protocol":"-1","from_port":0,"to_port":0,"cidr_blocks":["0.0.0.0/0"]}"#,
    );
    let text =
        PlanBuilder::of(
            [Change::replaced("aws_security_group_rule.n", before, after)
                .forced_by(r#"[["protocol"]]"#)],
        )
        .json();
    let text = terminal(&text, &options());
    insta::assert_snapshot!(text);
}

#[test]
fn an_unknown_part_of_a_rule_stays_unknown() {
    let before = r#"{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"source_security_group_id":"sg-1"}"#;
    let after = r#"{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22}"#;
    let unknown = r#"{"source_security_group_id":true}"#;
    let text = terminal(
        &PlanBuilder::of([
            Change::updated("aws_security_group_rule.n", before, after).unknown(unknown)
        ])
        .json(),
        &options(),
    );
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to change.

       ~ aws_security_group_rule.n
           source_security_group_id: ingress tcp/22 from sg-1 -> (known after apply)
    ");
}

#[test]
fn options_about_parts_of_values_show_the_plain_edits() {
    let after = READ.replace("GetObject", "PutObject");
    let object = |policy: &str| format!(r#"{{"policy":{policy:?}}}"#);
    let text = plan("aws_iam_policy", &object(READ), &object(&after));
    let deep = terminal(
        &text,
        &Options {
            depth: Some(9),
            ..options()
        },
    );
    insta::assert_snapshot!(deep);
    let mut ignoring = options();
    ignoring.filter.ignored = vec!["policy".to_owned()];
    let ignored = terminal(&text, &ignoring);
    insta::assert_snapshot!(ignored, @r"
    NOTICE  1 to change.
    (1 object with nothing but changes hidden by --ignore-attr)
    ");
}

#[test]
fn markdown_has_the_same_lines_and_is_complete() {
    let after = READ.replace("GetObject", "PutObject");
    let object = |policy: &str| format!(r#"{{"policy":{policy:?}}}"#);
    let text = plan("aws_iam_policy", &object(READ), &object(&after));
    with_review(&text, &options(), |review| {
        let (text, coverage) = markdown_of(review, &options(), Budget::default());
        insta::assert_snapshot!(without_identity(&text));
        assert_eq!(
            coverage.accounts(SectionKind::Resources)[0].edits,
            [Some(Shown::InFull)]
        );
    });
}

/// Rules of which only the position changes have no effect, but are still reported.
#[test]
fn moved_rules_are_not_lost() {
    let rule = |port: u32| {
        format!(r#"{{"protocol":"tcp","from_port":{port},"to_port":{port},"cidr_blocks":["a"]}}"#)
    };
    let group = |ports: &[u32]| {
        format!(
            r#"{{"ingress":[{}]}}"#,
            ports
                .iter()
                .map(|port| rule(*port))
                .collect::<Vec<_>>()
                .join(",")
        )
    };
    let lines = changed(
        "aws_security_group",
        &group(&[1, 2, 3]),
        &group(&[3, 1, 2, 4]),
    );
    insta::assert_debug_snapshot!(lines);
    let reordered = changed("aws_security_group", &group(&[1, 2, 3]), &group(&[3, 1, 2]));
    // A change of the order is still reported.
    insta::assert_debug_snapshot!(reordered);
}

/// The lines of a project's policy that becomes another one.
fn project_policies(before: &str, after: &str) -> Vec<String> {
    let object = |policy: &str| format!(r#"{{"project":"shop","policy_data":{policy:?}}}"#);
    changed("google_project_iam_policy", &object(before), &object(after))
}

const AT_NIGHT: &str = r#"{"bindings":[{"role":"roles/editor","members":["group:ops@example.com"],
    "condition":{"title":"at night","expression":"request.time.getHours() < 6"}}]}"#;

/// A role that was given under a condition counted as the role without it.
#[test]
fn a_binding_that_loses_its_condition_gives_more() {
    let always = r#"{"bindings":[{"role":"roles/editor","members":["group:ops@example.com"]}]}"#;
    insta::assert_debug_snapshot!(project_policies(AT_NIGHT, always));
    insta::assert_debug_snapshot!(project_policies(always, AT_NIGHT));
}

/// Another member of a policy of Google was in no line if no binding was left.
#[test]
fn what_a_policy_without_bindings_holds_is_shown() {
    let audited = r#"{"bindings":[],"auditConfigs":[{"service":"allServices"}]}"#;
    insta::assert_debug_snapshot!(project_policies(AT_NIGHT, audited));
}

/// If another member changed, too, the bindings were shown as JSON, by their indices.
#[test]
fn a_policy_of_google_is_told_by_role_whatever_else_changes() {
    let before = r#"{"bindings":[{"role":"roles/viewer","members":["user:a@example.com"]},{"role":"roles/editor",
        "members":["group:ops@example.com","user:b@example.com"]}],"etag":"a",
        "auditConfigs":[{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"},{"logType":"ADMIN_READ"}]}]}"#;
    let after = r#"{"bindings":[{"role":"roles/editor","members":["group:ops@example.com","user:c@example.com"]},
        {"role":"roles/viewer","members":["user:a@example.com"]}],"etag":"b",
        "auditConfigs":[{"service":"allServices","auditLogConfigs":[{"logType":"ADMIN_READ"}]}]}"#;
    let edits = [(before, after), (after, before)].map(|(one, other)| project_policies(one, other));
    insta::assert_debug_snapshot!(edits);
    // A policy that is created or destroyed as a whole has no edits of its members.
    insta::assert_debug_snapshot!(project_policies("{}", before));
    let object = format!(r#"{{"project":"shop","policy_data":{before:?}}}"#);
    let created = Change::created("google_project_iam_policy.n", object.as_str());
    insta::assert_snapshot!(terminal(&PlanBuilder::of([created]).json(), &options()));
    // Nobody gains or loses a role.
    let reordered = r#"{"bindings":[{"role":"roles/editor","members":["user:b@example.com","group:ops@example.com"]},
        {"role":"roles/viewer","members":["user:a@example.com"]}],"etag":"a"}"#;
    insta::assert_debug_snapshot!(project_policies(before, reordered));
}
