//! What reviews of real documents told wrongly or left out, each as the smallest plan of its shape in `fixtures/corpus/`
//! (saved plans and states: `fixtures/regressions/kinds/`).

use super::Case;

/// A rule, route or policy that is a resource of the same state was drift of its parent.
#[test]
fn drift_sg_rule() {
    let case = Case("corpus/drift-sg-rule");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_no_warning();
    assert!(!case.is_held("drift"), "{text}");
}

/// A rule, route or policy that is a resource of the same state was drift of its parent.
#[test]
fn drift_route() {
    let case = Case("corpus/drift-route");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_no_warning();
    assert!(!case.is_held("drift"), "{text}");
}

/// A rule, route or policy that is a resource of the same state was drift of its parent.
#[test]
fn drift_bucket_policy() {
    let case = Case("corpus/drift-bucket-policy");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_no_warning();
    assert!(!case.is_held("drift"), "{text}");
}

/// A rule that no resource of the state makes stays critical.
#[test]
fn drift_sg_foreign_rule() {
    let case = Case("corpus/drift-sg-foreign-rule");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical exposure aws_security_group.web: ssh open to the world (0.0.0.0/0)");
}

/// The ranges of an endpoint that is off were an exposure.
#[test]
fn eks_private_endpoint() {
    let case = Case("corpus/eks-private-endpoint");
    case.assert_no_warning();
}

/// The endpoint is public.
#[test]
fn eks_public_endpoint() {
    let case = Case("corpus/eks-public-endpoint");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical exposure aws_eks_cluster.c: vpc_config.public_access_cidrs open to the world (0.0.0.0/0)");
}

/// The public endpoint is on, and the default of its ranges is the world.
#[test]
fn eks_public_default_range() {
    let case = Case("corpus/eks-public-default-range");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning exposure aws_eks_cluster.c: open to the world where no range is configured (vpc_config.endpoint_public_access: true)");
}

/// What the cloud has by default was an exposure.
#[test]
fn default_nacl_adopted() {
    let case = Case("corpus/default-nacl-adopted");
    case.assert_no_warning();
}

/// From a private network to the world is one.
#[test]
fn default_nacl_opened() {
    let case = Case("corpus/default-nacl-opened");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning exposure aws_default_network_acl.d: all traffic open to the world (10.0.0.0/8 -> 0.0.0.0/0)");
}

/// An access list that another object of the plan makes void was critical.
#[test]
fn acl_behind_access_block() {
    let case = Case("corpus/acl-behind-access-block");
    case.assert_not_found(&["critical "]);
    insta::assert_snapshot!(case.findings().join("\n"), @"warning exposure aws_s3_bucket_acl.a: acl: public-read, blocked by aws_s3_bucket_public_access_block.b");
}

/// The ID of an object in the same plan was unknown.
#[test]
fn unknown_id_of_the_plan() {
    let case = Case("corpus/unknown-id-of-the-plan");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_not_found(&[" unknown "]);
}

/// A policy that is expected to be the old one was unknown.
#[test]
fn expected_is_the_old_policy() {
    let case = Case("corpus/expected-is-the-old-policy");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_not_found(&[" unknown "]);
}

/// A block that becomes unknown was told as removed.
#[test]
fn block_unknown_is_not_null() {
    let case = Case("corpus/block-unknown-is-not-null");
    let text = case.review();
    insta::assert_snapshot!(text);
    case.assert_not_found(&["warning protection", "-> null"]);
}

/// A wildcard that only reads was a warning.
#[test]
fn policy_describe_added() {
    let case = Case("corpus/policy-describe-added");
    case.assert_no_warning();
}

/// A change in place that stops the machine was no finding.
#[test]
fn resize_aws_instance() {
    let case = Case("corpus/resize-aws-instance");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime aws_instance.a: the machine stops and starts, now (instance_type: t3.micro -> t3.large)");
}

/// A change in place that stops the machine was no finding.
#[test]
fn resize_azure_vm() {
    let case = Case("corpus/resize-azure-vm");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime azurerm_linux_virtual_machine.a: the machine restarts, now (size: Standard_B2s -> Standard_D4s_v5)");
}

/// A change in place that stops the machine was no finding.
#[test]
fn resize_google_instance() {
    let case = Case("corpus/resize-google-instance");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime google_compute_instance.a: the machine stops and starts, now (machine_type: e2-medium -> n2-standard-4)");
}

/// A host that is served no more was no finding.
#[test]
fn cloudfront_alias_removed() {
    let case = Case("corpus/cloudfront-alias-removed");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime aws_cloudfront_distribution.d: www.example.com is no longer served");
}

/// All rights in a cluster were no finding.
#[test]
fn aws_auth_masters() {
    let case = Case("corpus/aws-auth-masters");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical exposure kubernetes_config_map_v1_data.aws_auth: system:masters for arn:aws:iam::111111111111:role/ci");
}

/// Rights that come with a new policy were no finding.
#[test]
fn role_policy_passrole() {
    let case = Case("corpus/role-policy-passrole");
    insta::assert_snapshot!(case.findings().join("\n"), @r#"warning exposure aws_iam_role_policy.p: Allow "iam:PassRole", "ec2:RunInstances" on "*""#);
}

/// Rights that come with a new policy were no finding.
#[test]
fn permission_set_ec2_all() {
    let case = Case("corpus/permission-set-ec2-all");
    insta::assert_snapshot!(case.findings().join("\n"), @r#"warning exposure aws_ssoadmin_permission_set_inline_policy.p: Allow "ec2:*" on "*""#);
}

/// Rights that come with a new policy were no finding.
#[test]
fn project_service_account_user() {
    let case = Case("corpus/project-service-account-user");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning exposure google_project_iam_member.m: roles/iam.serviceAccountUser for serviceAccount:ci@p.iam.gserviceaccount.com");
}

/// What forces a replacement was kept back because its value is the same.
#[test]
fn forced_by_an_equal_value() {
    let case = Case("corpus/forced-by-an-equal-value");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// An object without an action was told to be replaced.
#[test]
fn no_action_no_replacement() {
    let case = Case("corpus/no-action-no-replacement");
    let text = case.review();
    insta::assert_snapshot!(text);
    insta::assert_snapshot!(case.findings().join("\n"), @r"
    critical data-loss aws_db_instance.main: database may be destroyed: its action is unknown; engine = postgres
    warning downtime aws_db_instance.main: may be destroyed: its action is unknown
    ");
}

/// One type had "their" layout.
#[test]
fn note_of_one_type() {
    let case = Case("corpus/note-of-one-type");
    let output = case.run("review --ci none plan.json");
    assert!(
        !output.to_string().contains("1 type (acme_thing): their"),
        "{output}"
    );
}

/// A configuration that cannot be read was an error without a place, or hid the review.
#[test]
fn configuration_list() {
    let case = Case("corpus/configuration-list");
    assert_eq!(case.run("show plan.json").code, Some(0));
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// Computed attributes of a replaced object had a line each.
#[test]
fn replaced_computed() {
    let case = Case("corpus/replaced-computed");
    let text = case.review();
    insta::assert_snapshot!(text);
    for computed in ["tenancy", "key_name", "throughput"] {
        assert!(!text.contains(computed), "{computed}: {text}");
    }
}

/// Empty strings that are not set any more had a line each.
#[test]
fn replaced_empty_to_null() {
    let case = Case("corpus/replaced-empty-to-null");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// The empty members of an added block had a line each.
#[test]
fn added_block_of_empties() {
    let case = Case("corpus/added-block-of-empties");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// Names that count from 1 kept objects with keys from 0 apart.
#[test]
fn count_index_plus_one() {
    let case = Case("corpus/count-index-plus-one");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// Objects of one resource that go for the same reason had an entry each.
#[test]
fn destroyed_instances_of_one_resource() {
    let case = Case("corpus/destroyed-instances-of-one-resource");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// Empty values were in a summary.
#[test]
fn summary_of_empties() {
    let case = Case("corpus/summary-of-empties");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// The members of a rule were in the summary of its group, where a rule is a line.
#[test]
fn summary_of_a_replaced_group() {
    let case = Case("corpus/summary-of-a-replaced-group");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// What every bucket has was told of a destroyed one.
#[test]
fn summary_of_a_destroyed_bucket() {
    let case = Case("corpus/summary-of-a-destroyed-bucket");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// A hash that nobody can read was in a summary.
#[test]
fn summary_hash() {
    let case = Case("corpus/summary-hash");
    let text = case.review();
    insta::assert_snapshot!(text);
    let is_hash =
        |word: &str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(!text.split_whitespace().any(is_hash), "{text}");
}

/// A policy that was empty before was escaped JSON.
#[test]
fn policy_from_empty() {
    let case = Case("corpus/policy-from-empty");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// The side of a rule that means nothing was told as unknown.
#[test]
fn firewall_to_unknown() {
    let case = Case("corpus/firewall-to-unknown");
    let text = case.review();
    insta::assert_snapshot!(text);
}

/// A summary was wider than the text.
#[test]
fn width_of_a_summary() {
    let case = Case("corpus/width-of-a-summary");
    let text = case.review();
    insta::assert_snapshot!(text);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
}

/// The row of a rule in a table did not say the rule.
#[test]
fn table_row_of_a_rule() {
    let case = Case("corpus/table-row-of-a-rule");
    let comment = case.run("review --format markdown plan.json").stdout;
    let row = comment.lines().find(|line| {
        line.starts_with("| `+`") && line.contains("aws_vpc_security_group_ingress_rule.office")
    });
    insta::assert_snapshot!(row.unwrap(), @"| `+` | `aws_vpc_security_group_ingress_rule.office` | `tcp/8443 from 203.0.113.0/24` |");
}

const KINDS: Case = Case("regressions/kinds");

/// A release that does not write whether a plan is complete had partial plans.
#[test]
fn saved_plan_1_5_7() {
    let output = KINDS.run("review --ci none saved-plan-1.5.7.tfplan");
    insta::assert_snapshot!(output.stdout);
    let json = KINDS
        .run("review --format json saved-plan-1.5.7.tfplan")
        .stdout;
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let plan = &document["plans"][0];
    assert!(
        plan["complete"].is_null() && plan["applyable"].is_null(),
        "{json}"
    );
}

/// A release that writes it, and a plan that is not complete.
#[test]
fn saved_plan_1_9_incomplete() {
    let output = KINDS.run("review --ci none saved-plan-1.9-incomplete.tfplan");
    insta::assert_snapshot!(output.stdout);
}

/// The error asked whether the file of an old release is complete.
#[test]
fn saved_plan_0_14() {
    let output = KINDS.run("review --ci none saved-plan-0.14.tfplan");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr);
}

/// Paths of Windows were no paths.
#[test]
fn saved_plan_windows() {
    let output = KINDS.run("review --ci none saved-plan-windows.tfplan");
    insta::assert_snapshot!(output.stdout);
}

/// A state that names no source of its providers was an error.
#[test]
fn state_0_12() {
    let output = KINDS.run("show state-0.12.tfstate");
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout);
}

/// Values that no schema knows were hidden, and not judged in silence.
#[test]
fn saved_plan_unjudged() {
    let case = Case("regressions/saved-plan-without-a-schema");
    let output = case.run("review --ci none --fail-on warning plan.tfplan");
    assert_eq!(output.code, Some(3), "{output}");
    insta::assert_snapshot!(output.stdout);
}
