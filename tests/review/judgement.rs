//! What a reviewer must be told of a plan. Each fixture is a plan of which something was missed.

use tfview::internals::review::entry::{Entry, Finding, FindingKind, Level};
use tfview::internals::review::plan::PlanReview;

use super::{options, with_findings};
use crate::plan::{Change, PlanBuilder};

/// What `look` sees of the findings of each change in a fixture, by address.
fn of<R>(name: &str, look: impl Fn(&str, &Finding<'_>) -> Option<R>) -> Vec<R> {
    let path = format!(
        "{}/fixtures/findings/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    with_findings(&[&text], &options(), |reviews| {
        let of_review = |review: &PlanReview<'_>| {
            let of_entry = |entry: &Entry<'_>| {
                let findings = entry
                    .findings
                    .iter()
                    .map(|index| &review.findings[*index].finding);
                findings
                    .filter_map(|finding| look(entry.address, finding))
                    .collect::<Vec<_>>()
            };
            review
                .changes
                .resources
                .iter()
                .flat_map(of_entry)
                .collect::<Vec<_>>()
        };
        reviews.iter().flat_map(of_review).collect()
    })
}

fn texts(name: &str, kind: FindingKind) -> Vec<String> {
    of(name, |_, finding| {
        (finding.kind == kind).then(|| finding.text.clone())
    })
}

#[test]
fn an_arrow_is_used_only_where_the_left_side_is_gone() {
    let findings = texts("fact_arrow_lies", FindingKind::Exposure);
    assert!(!findings.is_empty(), "{findings:?}");
    assert!(
        findings
            .iter()
            .all(|text| text.ends_with("open to the world (adds 0.0.0.0/0)")),
        "{findings:?}"
    );
}

#[test]
fn a_condition_that_decides_is_named() {
    let findings = texts("fact_condition_unnamed", FindingKind::Exposure);
    assert!(
        findings
            .iter()
            .any(|text| text.ends_with(r#" if StringLike t:sub = "repo:*""#)),
        "{findings:?}"
    );
}

#[test]
fn statements_that_the_configuration_proves_are_expected() {
    let findings = of("iam_doc_expected_not_fact", |address, finding| {
        finding
            .is_expected
            .then(|| (address.to_owned(), finding.text.clone()))
    });
    assert_eq!(
        findings,
        [(
            "aws_iam_policy.deploy".to_owned(),
            r#"Allow "s3:*", "iam:PassRole" on "*""#.to_owned()
        )]
    );
}

#[test]
fn a_credential_in_a_document_is_found_and_not_shown() {
    let findings = of("ecs_privileged_secret_no_fact", |_, finding| {
        (finding.kind == FindingKind::Secret).then(|| (finding.level, finding.text.clone()))
    });
    let [(level, text)] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!(*level, Level::Critical);
    assert_eq!(
        text,
        "container_definitions.environment[3].value: AWS secret access key in plain text"
    );
}

#[test]
fn only_the_object_that_a_guard_protects_excuses_its_removal() {
    let mut all = String::new();
    for name in [
        "guard-alone",
        "guard-and-other",
        "guard-suppressed-by-bucket-policy",
        "flow-log-suppressed-by-its-role",
    ] {
        let findings = texts(name, FindingKind::Protection);
        all += &format!("{name}:\n{}\n", findings.join("\n"));
    }
    insta::assert_snapshot!(all, @r"
    guard-alone:
    destroyed, while what it protects stays
    guard-and-other:
    destroyed, while what it protects stays
    guard-suppressed-by-bucket-policy:
    destroyed, while what it protects stays
    destroyed, while what it protects stays
    flow-log-suppressed-by-its-role:
    destroyed, while what it protects stays
    ");
}

#[test]
fn a_firewall_of_a_database_is_read_as_a_range() {
    let findings = of("sqlfw", |address, finding| {
        address
            .contains("firewall_rule")
            .then(|| (finding.level, finding.text.clone()))
    });
    let expected = [
        (
            Level::Critical,
            "database open to the world (0.0.0.0-255.255.255.255)",
        ),
        (
            Level::Warning,
            "database open to everything in Azure (0.0.0.0)",
        ),
        (
            Level::Critical,
            "database open to the world (10.0.0.1 -> 0.0.0.0-255.255.255.255)",
        ),
    ];
    assert_eq!(
        findings,
        expected.map(|(level, text)| (level, text.to_owned()))
    );
}

/// The texts of the findings of an update of one object.
fn of_update(
    resource_type: &str,
    before: &serde_json::Value,
    after: &serde_json::Value,
) -> Vec<String> {
    let change = Change::updated(&format!("{resource_type}.x"), before, after);
    let plan = PlanBuilder::of([change]).json();
    with_findings(&[&plan], &options(), |reviews| {
        reviews
            .iter()
            .flat_map(|review| &review.findings)
            .map(|finding| finding.finding.text.clone())
            .collect()
    })
}

fn of_policy(before: &serde_json::Value, after: &serde_json::Value) -> Vec<String> {
    let policy = |statement: &serde_json::Value| serde_json::json!({"policy": serde_json::json!({"Statement": statement}).to_string()});
    of_update("aws_iam_policy", &policy(before), &policy(after))
}

#[test]
fn what_is_left_out_of_a_statement_narrows_it() {
    let all_but = |actions: &[&str]| serde_json::json!([{"Effect": "Allow", "NotAction": actions, "Resource": "*"}]);
    let some =
        |action: &str| serde_json::json!([{"Effect": "Allow", "Action": action, "Resource": "*"}]);
    let all_but_one =
        serde_json::json!([{"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::b"}]);
    let none: [&str; 0] = [];
    assert_eq!(
        of_policy(&all_but(&["iam:*"]), &all_but(&["iam:*", "s3:*"])),
        none
    );
    assert_eq!(of_policy(&all_but(&["iam:*"]), &some("s3:Get*")), none);
    assert_eq!(of_policy(&some("*"), &all_but(&["iam:*"])), none);
    assert_eq!(of_policy(&some("s3:*"), &all_but_one), none);
    assert_eq!(
        of_policy(&all_but_one, &some("s3:*")),
        [r#"Allow "s3:*" on "*""#]
    );
    assert_eq!(
        of_policy(&all_but(&["iam:*"]), &some("iam:Get*")),
        [r#"Allow "iam:Get*" on "*""#]
    );
    assert_eq!(
        of_policy(&all_but(&["iam:*", "s3:*"]), &all_but(&["iam:*"])),
        [r#"Allow all but "iam:*" on "*""#]
    );
}

#[test]
fn a_denial_that_stays_in_part_is_not_called_removed() {
    let deny =
        |action: &str| serde_json::json!([{"Effect": "Deny", "Action": action, "Resource": "*"}]);
    assert_eq!(
        of_policy(&deny("s3:*"), &deny("s3:DeleteBucket")),
        [r#"Deny "s3:*" on "*" is narrowed to Deny "s3:DeleteBucket" on "*""#]
    );
    assert_eq!(
        of_policy(&deny("s3:*"), &deny("ec2:*")),
        [r#"Deny "s3:*" on "*" is removed"#]
    );
}

#[test]
fn what_is_removed_as_a_whole_is_one_finding() {
    let reviews =
        serde_json::json!([{"required_approving_review_count": 2, "dismiss_stale_reviews": true}]);
    let findings = of_update(
        "github_branch_protection",
        &serde_json::json!({"required_pull_request_reviews": reviews}),
        &serde_json::json!({"required_pull_request_reviews": []}),
    );
    assert_eq!(findings, ["required_pull_request_reviews is removed"]);
}

#[test]
fn a_load_balancer_that_is_annotated_as_internal_opens_nothing() {
    let service = |kind: &str, annotations: serde_json::Value| serde_json::json!({"metadata": [{"annotations": annotations}], "spec": [{"type": kind}]});
    let internal =
        serde_json::json!({"service.beta.kubernetes.io/aws-load-balancer-internal": "true"});
    let before = service("ClusterIP", serde_json::json!({}));
    let none: [&str; 0] = [];
    assert_eq!(
        of_update(
            "kubernetes_service",
            &before,
            &service("LoadBalancer", internal)
        ),
        none
    );
    let public = service("LoadBalancer", serde_json::json!({}));
    assert_eq!(
        of_update("kubernetes_service", &before, &public),
        ["spec.type: ClusterIP -> LoadBalancer"]
    );
}

#[test]
fn a_monitor_that_loses_a_recipient_is_found() {
    let message = |text: &str| serde_json::json!({"message": text});
    let before = message("{{#is_alert}}@pagerduty-ops{{/is_alert}} see ops@example.com, @slack-a.");
    let lost = |after| of_update("datadog_monitor", &before, &message(after));
    assert_eq!(lost("other words for @slack-a and @pagerduty-ops"), [""; 0]);
    assert_eq!(lost("@slack-a"), ["message loses @pagerduty-ops"]);
}

/// The texts of the findings of a plan of these changes: type, before, after.
fn of_changes(changes: &[(&str, serde_json::Value, serde_json::Value)]) -> Vec<String> {
    let changes = changes
        .iter()
        .zip(0..)
        .map(|((resource_type, before, after), index)| {
            Change::between(&format!("{resource_type}.x{index}"), before, after)
        });
    let plan = PlanBuilder::of(changes).json();
    with_findings(&[&plan], &options(), |reviews| {
        reviews
            .iter()
            .flat_map(|review| &review.findings)
            .map(|finding| finding.finding.text.clone())
            .collect()
    })
}

#[test]
fn a_role_has_one_name_and_level_however_it_is_given() {
    let by_id = |id: &str| serde_json::json!({"principal_id": "p", "role_definition_id": format!("/subscriptions/1/providers/Microsoft.Authorization/roleDefinitions/{id}")});
    let by_name =
        |name: &str| serde_json::json!({"principal_id": "p", "role_definition_name": name});
    for (id, name) in [
        ("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "Owner"),
        ("b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor"),
    ] {
        for role in [by_id(id), by_name(name)] {
            let findings =
                of_changes(&[("azurerm_role_assignment", serde_json::Value::Null, role)]);
            assert_eq!(findings, [format!("{name} for p")]);
        }
    }
}

#[test]
fn rights_on_a_key_vault_are_found_for_those_who_get_them() {
    let policy = |object: &str, rights: &[&str]| serde_json::json!({"object_id": object, "secret_permissions": rights});
    let alone = policy("o", &["Get", "Set", "Purge"]);
    let findings = of_changes(&[(
        "azurerm_key_vault_access_policy",
        serde_json::Value::Null,
        alone,
    )]);
    assert_eq!(findings, ["rights on secrets (Purge, Set for o)"]);
    let vault = |policies: &[serde_json::Value]| serde_json::json!({"access_policy": policies});
    let (reader, owner) = (policy("r", &["Get"]), policy("o", &["Purge"]));
    let before = vault(std::slice::from_ref(&owner));
    let findings = of_update(
        "azurerm_key_vault",
        &before,
        &vault(&[reader, owner.clone()]),
    );
    assert_eq!(findings, [""; 0]);
    let findings = of_update(
        "azurerm_key_vault",
        &before,
        &vault(&[policy("r", &["Purge"]), owner]),
    );
    assert_eq!(findings, ["rights on secrets (Purge for r)"]);
}

#[test]
fn only_those_who_are_new_are_named() {
    let trust = |accounts: &[&str]| {
        let statement = serde_json::json!([{"Effect": "Allow", "Principal": {"AWS": accounts}, "Action": "sts:AssumeRole"}]);
        serde_json::json!({"assume_role_policy": serde_json::json!({"Statement": statement}).to_string()})
    };
    let findings = of_update(
        "aws_iam_role",
        &trust(&["111111111111"]),
        &trust(&["111111111111", "222222222222"]),
    );
    assert_eq!(findings, [r#"Allow "sts:AssumeRole" for "222222222222""#]);
}

#[test]
fn all_rights_but_some_are_found_in_a_new_policy() {
    let policy = |effect: &str| {
        let statement =
            serde_json::json!([{"Effect": effect, "NotAction": "iam:*", "Resource": "*"}]);
        serde_json::json!({"policy": serde_json::json!({"Statement": statement}).to_string()})
    };
    let created =
        |effect| of_changes(&[("aws_iam_policy", serde_json::Value::Null, policy(effect))]);
    assert_eq!(created("Allow"), [r#"Allow all but "iam:*" on "*""#]);
    assert_eq!(created("Deny"), [""; 0]);
}

#[test]
fn a_policy_that_denies_is_a_guard() {
    let policy = |effect: &str| {
        let statement = serde_json::json!([{"Effect": effect, "Principal": {"AWS": "1"}, "Action": "sqs:*", "Resource": "q"}]);
        serde_json::json!({"queue_url": "q", "policy": serde_json::json!({"Statement": statement}).to_string()})
    };
    let (none, queue) = (serde_json::Value::Null, serde_json::json!({"url": "q"}));
    let destroyed = ("aws_sqs_queue_policy", policy("Deny"), none.clone());
    let stays = "destroyed, while what it protects stays";
    assert_eq!(of_changes(std::slice::from_ref(&destroyed)), [stays]);
    assert_eq!(
        of_changes(&[("aws_sqs_queue_policy", policy("Allow"), none.clone())]),
        [""; 0]
    );
    let with_queue = of_changes(&[destroyed.clone(), ("aws_sqs_queue", queue, none.clone())]);
    assert!(
        !with_queue.iter().any(|text| text == stays),
        "{with_queue:?}"
    );
    assert_eq!(
        of_changes(&[
            destroyed.clone(),
            ("aws_sqs_queue_policy", none.clone(), policy("Deny"))
        ]),
        [""; 0]
    );
    let mut formatted = policy("Deny");
    formatted["policy"] = formatted["policy"]
        .as_str()
        .unwrap()
        .replace(',', ",\n  ")
        .into();
    formatted["tags"] = serde_json::json!({"moved": "yes"});
    assert_eq!(
        of_changes(&[
            destroyed.clone(),
            ("aws_sqs_queue_policy", none.clone(), formatted)
        ]),
        [""; 0]
    );
    let mut other = policy("Deny");
    other["queue_url"] = "other".into();
    assert_eq!(
        of_changes(&[destroyed, ("aws_sqs_queue_policy", none, other)]),
        [stays]
    );
    let emptied = |policy: serde_json::Value| serde_json::json!({"policy": policy});
    let deny = policy("Deny")["policy"].clone();
    assert_eq!(
        of_update("aws_sqs_queue", &emptied(deny), &emptied("".into())),
        [r#"Deny "sqs:*" on "q" for "1" is removed"#]
    );
}

#[test]
fn a_network_rule_with_an_unknown_direction_opens_nothing() {
    let rule = |egress: serde_json::Value| serde_json::json!({"cidr_block": "0.0.0.0/0", "egress": egress, "rule_action": "allow", "protocol": "6", "from_port": 22, "to_port": 22});
    let created = |egress| {
        of_changes(&[(
            "aws_network_acl_rule",
            serde_json::Value::Null,
            rule(egress),
        )])
    };
    assert_eq!(created(false.into()), ["ssh open to the world (0.0.0.0/0)"]);
    assert_eq!(created(true.into()), [""; 0]);
    // What a plan knows only after apply is missing from its values.
    assert_eq!(created(serde_json::Value::Null), [""; 0]);
}

#[test]
fn elements_of_the_same_name_are_compared_one_by_one() {
    let containers = |privileged: &[bool]| {
        let container = |is: &bool| serde_json::json!({"name": "a", "privileged": is});
        let all: Vec<_> = privileged.iter().map(container).collect();
        serde_json::json!({"container_definitions": serde_json::json!(all).to_string()})
    };
    let disks = |encrypted: &[bool]| {
        let disk = |is: &bool| serde_json::json!({"device_name": "a", "encrypted": is});
        serde_json::json!({"ebs_block_device": encrypted.iter().map(disk).collect::<Vec<_>>()})
    };
    let counts = |before: &[bool], after: &[bool]| {
        let started = of_update(
            "aws_ecs_task_definition",
            &containers(before),
            &containers(after),
        );
        // A disk that is removed is none that is no longer encrypted.
        let ended = of_update("aws_instance", &disks(after), &disks(before));
        (
            started.len(),
            ended.iter().filter(|text| text.ends_with("false")).count(),
        )
    };
    assert_eq!(counts(&[false, false], &[false, true]), (1, 1));
    assert_eq!(counts(&[false, true], &[true, false]), (0, 0));
    assert_eq!(counts(&[false], &[true, false]), (1, 0));
    assert_eq!(counts(&[true, false], &[true]), (0, 0));
}

#[test]
fn another_order_of_elements_without_names_is_no_finding() {
    let balancer = |listeners: &[(u16, &str)]| {
        let listener = |(port, protocol): &(u16, &str)| serde_json::json!({"instance_port": 8_000, "lb_port": port, "lb_protocol": protocol});
        let listeners: Vec<_> = listeners.iter().map(listener).collect();
        serde_json::json!({"name": "e", "internal": false, "listener": listeners})
    };
    let before = balancer(&[(443, "https"), (80, "http")]);
    let findings = |after: &[(u16, &str)]| of_update("aws_elb", &before, &balancer(after));
    assert_eq!(findings(&[(80, "http"), (443, "https")]), [""; 0]);
    assert_eq!(findings(&[(80, "http"), (443, "http")]).len(), 1);
}

#[test]
fn what_is_removed_with_a_whole_element_is_not_lowered() {
    let disks = |names: &[&str]| {
        let disk = |name: &&str| serde_json::json!({"device_name": name, "encrypted": true});
        serde_json::json!({"ebs_block_device": names.iter().map(disk).collect::<Vec<_>>()})
    };
    assert_eq!(
        of_update("aws_instance", &disks(&["a", "b"]), &disks(&["a"])),
        [""; 0]
    );
    let without = serde_json::json!({"ebs_block_device": [{"device_name": "a"}]});
    assert_eq!(of_update("aws_instance", &disks(&["a"]), &without).len(), 1);
}

#[test]
fn a_statement_that_only_gains_names_shows_no_old_ones() {
    let trust = |accounts: &[&str]| {
        let statement = serde_json::json!([{"Sid": "Trust", "Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": accounts}}]);
        serde_json::json!({"assume_role_policy": serde_json::json!({"Statement": statement}).to_string()})
    };
    let findings =
        |before: &[&str], after: &[&str]| of_update("aws_iam_role", &trust(before), &trust(after));
    assert_eq!(
        findings(&["111"], &["111", "222"]),
        [r#"Allow "sts:AssumeRole" for "222""#]
    );
    assert_eq!(
        findings(&["111"], &["222"]),
        [r#"Allow "sts:AssumeRole" for "222" (was Allow "sts:AssumeRole" for "111")"#]
    );
}

#[test]
fn a_policy_of_vault_that_allows_more_is_found() {
    let policy = |text: &str| serde_json::json!({"name": "p", "policy": text});
    let created =
        |text: &str| of_changes(&[("vault_policy", serde_json::Value::Null, policy(text))]);
    assert_eq!(
        created("# all\npath \"*\" {\n  capabilities = [\"sudo\", \"read\"]\n}"),
        [r#"read, sudo on "*""#]
    );
    assert_eq!(
        created(r#"path "secret/data/app/*" { capabilities = ["read", "update"] }"#),
        [""; 0]
    );
    assert_eq!(created(r#"path "*" { capabilities = ["deny"] }"#), [""; 0]);
    let updated =
        |before: &str, after: &str| of_update("vault_policy", &policy(before), &policy(after));
    let (read, write) = (
        r#"path "secret/app/*" { capabilities = ["read"] }"#,
        r#"path "secret/app/a" { capabilities = ["read", "delete"] allowed_parameters = { "x" = ["y"] } }"#,
    );
    assert_eq!(updated(read, write), [r#"delete on "secret/app/a""#]);
    assert_eq!(
        updated(write, &format!("// less\n{read}")),
        [r#"read on "secret/app/*""#]
    );
    let deny = format!(r#"path "secret/b" {{ capabilities = ["deny"] }} {read}"#);
    assert_eq!(updated(&deny, read), [r#"deny on "secret/b" is removed"#]);
    assert_eq!(updated(read, &deny), [""; 0]);
}

#[test]
fn a_guard_that_is_created_again_as_strong_is_kept() {
    let has_finding =
        |resource_type: &str, before: &serde_json::Value, after: serde_json::Value| {
            let none = serde_json::Value::Null;
            let texts = of_changes(&[
                (resource_type, before.clone(), none.clone()),
                (resource_type, none, after),
            ]);
            texts
                .iter()
                .any(|text| text == "destroyed, while what it protects stays")
        };
    let block = |policy: bool| serde_json::json!({"bucket": "b", "block_public_acls": true, "block_public_policy": policy});
    assert!(!has_finding(
        "aws_s3_bucket_public_access_block",
        &block(false),
        block(true)
    ));
    assert!(has_finding(
        "aws_s3_bucket_public_access_block",
        &block(true),
        block(false)
    ));
    let branch = |pattern: &str, admins: bool| serde_json::json!({"repository_id": "r", "pattern": pattern, "enforce_admins": admins});
    assert!(!has_finding(
        "github_branch_protection",
        &branch("main", false),
        branch("main", true)
    ));
    assert!(has_finding(
        "github_branch_protection",
        &branch("main", true),
        branch("main", false)
    ));
    assert!(has_finding(
        "github_branch_protection",
        &branch("main", true),
        branch("dev", true)
    ));
    // What becomes known only after apply says nothing.
    let network = |uid: serde_json::Value| serde_json::json!({"metadata": [{"name": "n", "namespace": "s", "uid": uid}], "spec": [{"policy_types": ["Ingress"]}]});
    assert!(!has_finding(
        "kubernetes_network_policy_v1",
        &network("u".into()),
        network(serde_json::Value::Null)
    ));
}
