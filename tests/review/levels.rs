//! Findings of a plan: one list in rank order, the level of the plan, gates, and where texts say them.

use serde_json::{Value, json};
use tfview::internals::model::plan::PlanMode;
use tfview::internals::report::Budget;
use tfview::internals::review::entry::{FindingKind, Level};
use tfview::internals::review::formats;
use tfview::internals::review::gate::Gate;
use tfview::internals::review::plan::PlanReview;

use crate::cli::harness::without_identity;
use crate::plan::{Change, PlanBuilder};

use super::{markdown_of, options, terminal_of, with_findings};

fn plan(changes: &[Change], more: &[(&str, Value)]) -> String {
    let plan = PlanBuilder::of(changes.iter().cloned())
        .with("complete", json!(true))
        .with("errored", json!(false));
    more.iter()
        .fold(plan, |plan, (name, value)| plan.with(name, value))
        .json()
}

fn database(is_protected: bool) -> Value {
    json!({ "engine": "postgres", "deletion_protection": is_protected })
}

fn look<R>(plan: &str, look: impl FnOnce(&PlanReview<'_>) -> R) -> R {
    with_findings(&[plan], &options(), |reviews| look(&reviews[0]))
}

fn json_of(plan: &str) -> Value {
    with_findings(&[plan], &options(), |reviews| {
        let mut out = Vec::new();
        formats::json(reviews, &[], &[], None, &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    })
}

fn terminal(plan: &str) -> String {
    look(plan, |review| terminal_of(review, &options()).0)
}

fn markdown(plan: &str, budget: Budget) -> String {
    look(plan, |review| markdown_of(review, &options(), budget).0)
}

fn violates(plan: &str, gate: &str) -> bool {
    look(plan, |review| {
        !Gate::from_word(gate).unwrap().hits(review).is_empty()
    })
}

/// Twenty-one opened rules were one of them in the head (`head_count_missing.json`).
#[test]
fn the_same_finding_about_several_objects_is_listed_once() {
    let protect = |index: usize, engine: &str| {
        let side = |is_protected| json!({ "engine": engine, "deletion_protection": is_protected });
        Change::updated(
            &format!("aws_db_instance.d[{index}]"),
            side(true),
            side(false),
        )
    };
    let text = plan(
        &[
            protect(0, "postgres"),
            protect(1, "mysql"),
            protect(2, "postgres"),
        ],
        &[],
    );
    let document = json_of(&text);
    let findings = &document["plans"][0]["findings"];
    assert_eq!(findings.as_array().unwrap().len(), 1, "{findings}");
    assert_eq!(findings[0]["count"], 3);
    assert_eq!(findings[0]["addresses"][2], "aws_db_instance.d[2]");
    assert_eq!(findings[0]["address"], "aws_db_instance.d[0]");
    assert_eq!(findings[0]["in"], "resources");
    for entry in document["plans"][0]["resources"].as_array().unwrap() {
        assert_eq!(entry["findings"], json!([0]));
    }
    assert_eq!(document["verdict"]["findings"]["by_kind"]["protection"], 1);
    let text = terminal(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn findings_are_in_rank_order_and_raise_the_level_of_the_plan() {
    let text = plan(
        &[
            Change::updated("aws_db_instance.a", database(true), database(false)),
            Change::destroyed("aws_db_instance.b", database(true)),
        ],
        &[],
    );
    look(&text, |review| {
        let ranks: Vec<_> = review
            .findings
            .iter()
            .map(|listed| (std::cmp::Reverse(listed.finding.level), listed.finding.kind))
            .collect();
        assert!(ranks.is_sorted() && ranks.len() == 3, "{ranks:?}");
        assert_eq!(review.findings[0].finding.kind, FindingKind::DataLoss);
        assert_eq!(review.verdict().level, Level::Critical);
    });
    insta::assert_snapshot!(terminal(&text));
    insta::assert_snapshot!(without_identity(&markdown(&text, Budget::default())));
}

#[test]
fn the_level_of_a_plan_without_findings_is_that_of_its_changes() {
    let lost =
        |resource_type: &str| Change::destroyed(&format!("{resource_type}.x"), json!({"a": 1}));
    let check =
        json!([{ "address": { "to_display": "check.c", "kind": "check" }, "status": "fail" }]);
    let update = Change::updated("a.b", json!({"a": 1}), json!({"a": 2}));
    for (text, level) in [
        (plan(&[], &[]), Level::None),
        (plan(std::slice::from_ref(&update), &[]), Level::Notice),
        (plan(&[lost("some_thing")], &[]), Level::Warning),
        (plan(&[lost("null_resource")], &[]), Level::Notice),
        (plan(&[lost("random_password")], &[]), Level::Notice),
        (
            plan(
                &[Change::new("a.b", &["purge"], json!({"a": 1}), Value::Null)],
                &[],
            ),
            Level::Warning,
        ),
        (plan(&[], &[("checks", check)]), Level::Warning),
        (plan(&[update], &[("errored", json!(true))]), Level::Warning),
        (
            plan(
                &[],
                &[(
                    "deferred_changes",
                    json!([{ "reason": "x", "resource_change": lost("some_thing") }]),
                )],
            ),
            Level::Warning,
        ),
    ] {
        assert_eq!(
            look(&text, |review| review.verdict().level),
            level,
            "{text}"
        );
        for (name, reached) in [
            ("notice", Level::Notice),
            ("warning", Level::Warning),
            ("critical", Level::Critical),
        ] {
            assert_eq!(
                violates(&text, &format!("level:{name}")),
                level >= reached,
                "{name} {text}"
            );
        }
    }
}

/// Drift that opened the bastion was `✓ No changes`, and no gate held (`drift_hidden_green.json`).
#[test]
fn drift_has_findings_and_gates_and_is_never_green() {
    let drift = Change::updated("aws_db_instance.d", database(true), database(false));
    let kept = Change::new(
        "aws_db_instance.d",
        &["no-op"],
        database(false),
        database(false),
    );
    let text = plan(&[kept], &[("resource_drift", json!([drift]))]);
    assert!(look(&text, |review| review.verdict().level) >= Level::Warning);
    assert!(violates(&text, "finding:protection") && violates(&text, "level:warning"));
    let shown = terminal(&text);
    insta::assert_snapshot!(shown);

    let refresh = plan(
        &[],
        &[(
            "resource_drift",
            json!([drift, Change::destroyed("a.b", json!({"a": 1}))]),
        )],
    );
    look(&refresh, |review| {
        assert_eq!(review.mode, PlanMode::RefreshOnly);
    });
    let shown = terminal(&refresh);
    insta::assert_snapshot!(shown);
    assert_eq!(json_of(&refresh)["plans"][0]["mode"], "refresh-only");
}

#[test]
fn drift_that_the_plan_undoes_is_one_level_lower_and_violates_no_gate() {
    let drift = json!([Change::updated(
        "aws_db_instance.d",
        database(true),
        database(false)
    )]);
    let with = |planned: Change| plan(&[planned], &[("resource_drift", drift.clone())]);
    let back = with(Change::updated(
        "aws_db_instance.d",
        database(false),
        database(true),
    ));
    let stays = with(Change::updated(
        "aws_db_instance.d",
        database(false),
        database(false),
    ));
    let unknown = Change::updated("aws_db_instance.d", database(false), database(true));
    let unknown = unknown.unknown(json!({ "deletion_protection": true }));
    let level = |text: &str| look(text, |review| review.findings[0].finding.level);
    assert_eq!(level(&back), level(&stays).lowered());
    assert!(look(&back, |review| review.findings[0].finding.is_undone));
    assert!(!violates(&back, "finding:protection") && !violates(&back, "level:warning"));
    insta::assert_snapshot!(terminal(&back));
    for text in [stays, with(unknown)] {
        assert!(
            !look(&text, |review| review.findings[0].finding.is_undone),
            "{text}"
        );
        assert!(violates(&text, "finding:protection"), "{text}");
    }
    // What was lost does not come back with a new object.
    let lost = json!([Change::destroyed("aws_db_instance.d", database(true))]);
    let again = Change::created("aws_db_instance.d", database(true));
    let lost = plan(&[again], &[("resource_drift", lost)]);
    assert!(violates(&lost, "finding:data-loss"));
}

/// A destroy that is deferred had no finding (`deferred_destroy_no_fact.json`).
#[test]
fn a_destroy_that_is_deferred_has_its_findings() {
    let destroy = Change::destroyed("aws_db_instance.d", database(true));
    let text = PlanBuilder::new()
        .deferred("deferred_prereq", destroy)
        .json();
    assert!(violates(&text, "finding:data-loss") && violates(&text, "level:critical"));
    assert_eq!(json_of(&text)["plans"][0]["findings"][0]["in"], "deferred");
    insta::assert_snapshot!(terminal(&text));
}

/// The invoked stop of production came last (`action_last.json`).
#[test]
fn actions_that_stop_something_come_where_replacements_come() {
    let action = |resource_type: &str, config: Value| {
        json!({
            "address": format!("action.{resource_type}.x"), "type": resource_type, "name": "x",
            "provider_name": "registry.terraform.io/hashicorp/aws", "config_values": config,
            "config_sensitive": {}, "config_unknown": {}, "invoke_action_trigger": {},
        })
    };
    let update = Change::updated("a.b", json!({"a": 1}), json!({"a": 2}));
    let actions = json!([
        action("aws_lambda_invoke", json!({})),
        action("aws_ec2_stop_instance", json!({"instance_id": "i"}))
    ]);
    let text = plan(&[update], &[("action_invocations", actions)]);
    assert!(violates(&text, "finding:downtime"));
    let shown = terminal(&text);
    insta::assert_snapshot!(shown);
    let started = json!([action(
        "azurerm_virtual_machine_power",
        json!({"power_action": "power_on"})
    )]);
    assert!(!violates(
        &plan(&[], &[("action_invocations", started)]),
        "finding:downtime"
    ));
    let off = json!([action(
        "azurerm_virtual_machine_power",
        json!({"power_action": "power_off"})
    )]);
    assert!(violates(
        &plan(&[], &[("action_invocations", off)]),
        "finding:downtime"
    ));
}

#[test]
fn critical_findings_fold_by_kind_and_type_where_there_is_no_space() {
    let destroyed = |index: usize, name: &str| {
        Change::destroyed(
            &format!("{name}.d{index}_{}", "x".repeat(40)),
            json!({"id": format!("i-{index}"), "engine": format!("e{index}")}),
        )
    };
    let changes: Vec<Change> = (0..300)
        .map(|index| {
            destroyed(
                index,
                if index % 3 == 0 {
                    "aws_s3_bucket"
                } else {
                    "aws_db_instance"
                },
            )
        })
        .collect();
    let text = plan(&changes, &[]);
    let shown = markdown(
        &text,
        Budget {
            bytes: 3_000,
            details: true,
        },
    );
    assert!(shown.len() <= 3_000, "{}", shown.len());
    let number = |words: &str| -> usize {
        let rest = shown
            .split(words)
            .nth(1)
            .unwrap_or_else(|| panic!("{words}: {shown}"));
        rest.chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .parse()
            .unwrap()
    };
    let unnamed: usize = shown
        .split("**")
        .find_map(|part| part.split_once(" destroyed objects are not named"))
        .unwrap()
        .0
        .parse()
        .unwrap();
    let folded =
        number("**data-loss** `aws_db_instance` × ") + number("**data-loss** `aws_s3_bucket` × ");
    assert_eq!(folded, unnamed, "{shown}");
    let named = shown
        .lines()
        .filter(|line| line.starts_with("| `-`"))
        .count();
    assert_eq!(named + unnamed, 300, "{shown}");
}

/// `-/+` was written for create before destroy (`cbd_sign.json`).
#[test]
fn a_replacement_that_creates_first_has_its_own_sign() {
    let replaced = |actions: &[&str]| {
        terminal(&plan(
            &[Change::new(
                "a.b",
                actions,
                json!({"a": 1}),
                json!({"a": 2}),
            )],
            &[],
        ))
    };
    insta::assert_snapshot!(replaced(&["create", "delete"]));
    insta::assert_snapshot!(replaced(&["delete", "create"]));
}

/// Unchanged addresses were one line each (`no_op_reason_noise.json`).
#[test]
fn objects_without_a_difference_are_counted_on_one_line() {
    let changes: Vec<Change> = (0..20)
        .map(|index| Change::updated(&format!("a.b{index}"), json!({"a": 1}), json!({"a": 1})))
        .collect();
    let shown = terminal(&plan(&changes, &[]));
    insta::assert_debug_snapshot!(shown.lines().filter(|line| line.contains("a.b7")).count());
    insta::assert_snapshot!(shown);
}
