//! Grants that are written as resources: what a plan of them is told to do, in directions and findings.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values are written where they are given"
)]

use serde_json::{Value, json};

use super::{options, with_findings};
use crate::plan::{Change, PlanBuilder};

/// The direction of each object, in the order of their addresses.
fn directions(changes: Vec<Change>) -> Vec<String> {
    with_findings(&[&PlanBuilder::of(changes).json()], &options(), |reviews| {
        let mut entries: Vec<_> = reviews[0].changes.resources.iter().collect();
        entries.sort_by_key(|entry| entry.address);
        let words = entries.iter().map(|entry| entry.meaning.direction().word());
        words.map(str::to_owned).collect()
    })
}

/// The findings of a plan as `LEVEL KIND: TEXT`.
fn findings(changes: Vec<Change>) -> Vec<String> {
    with_findings(&[&PlanBuilder::of(changes).json()], &options(), |reviews| {
        let findings = reviews[0].findings.iter().map(|finding| &finding.finding);
        findings
            .map(|finding| {
                let (level, kind) = (finding.level.name(), finding.kind.name());
                format!("{level} {kind}: {}", finding.text)
            })
            .collect()
    })
}

fn member(role: &str, member: &str, condition: Option<&str>) -> Value {
    let condition: Vec<Value> = condition
        .iter()
        .map(|expression| json!({"title": "t", "description": "", "expression": expression}))
        .collect();
    json!({"project": "p", "role": role, "member": member, "condition": condition})
}

#[test]
fn a_grant_that_another_object_takes_over_is_the_same() {
    let ana = "user:ana@acme.com";
    let moved = vec![
        Change::destroyed(
            "google_project_iam_member.a",
            member("roles/viewer", ana, None),
        ),
        Change::created(
            "google_project_iam_binding.b",
            json!({"project": "p", "role": "roles/viewer", "members": [ana], "condition": []}),
        ),
    ];
    assert_eq!(directions(moved), ["same", "same"]);
    let raised = vec![
        Change::destroyed(
            "google_project_iam_member.a",
            member("roles/viewer", ana, None),
        ),
        Change::created(
            "google_project_iam_member.b",
            member("roles/editor", ana, None),
        ),
    ];
    assert_eq!(directions(raised), ["same", "wider"]);
    let unlimited = vec![
        Change::destroyed(
            "google_project_iam_member.a",
            member("roles/viewer", ana, Some("a.b == 'c'")),
        ),
        Change::created(
            "google_project_iam_member.b",
            member("roles/viewer", ana, None),
        ),
    ];
    assert_eq!(directions(unlimited), ["same", "wider"]);
    let elsewhere = vec![
        Change::destroyed(
            "google_project_iam_member.a",
            member("roles/viewer", ana, None),
        ),
        Change::created(
            "google_storage_bucket_iam_member.b",
            json!({"bucket": "p", "role": "roles/viewer", "member": ana}),
        ),
    ];
    assert_eq!(directions(elsewhere), ["narrower", "wider"]);
}

#[test]
fn a_raised_role_of_a_member_that_is_replaced_is_an_exposure_and_no_interruption() {
    let user = "user:x@example.com";
    let found = findings(vec![Change::replaced(
        "google_project_iam_member.a",
        member("roles/viewer", user, None),
        member("roles/owner", user, None),
    )]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("critical exposure"), "{found:#?}");
}

#[test]
fn a_grant_without_the_condition_that_another_object_has_is_new() {
    let robot = "serviceAccount:ci@p.iam.gserviceaccount.com";
    let found = findings(vec![
        Change::destroyed(
            "google_project_iam_member.a",
            member(
                "roles/owner",
                robot,
                Some("request.time < timestamp(\"2020-01-01T00:00:00Z\")"),
            ),
        ),
        Change::created(
            "google_project_iam_member.b",
            member("roles/owner", robot, None),
        ),
    ]);
    assert!(
        found
            .iter()
            .any(|text| text.starts_with("critical exposure")),
        "{found:#?}"
    );
}

#[test]
fn a_scope_that_grows_is_told_with_the_role_and_its_reverse_is_not() {
    let at = |scope: &str| {
        json!({
            "scope": scope, "role_definition_name": "Owner",
            "principal_id": "11111111-0000-0000-0000-000000000001",
        })
    };
    let (group, all) = ("/subscriptions/1/resourceGroups/x", "/subscriptions/1");
    let change = |before: &str, after: &str| {
        vec![Change::replaced(
            "azurerm_role_assignment.a",
            at(before),
            at(after),
        )]
    };
    let found = findings(change(group, all));
    assert!(
        found
            .iter()
            .any(|text| text.starts_with("critical exposure: scope")),
        "{found:#?}"
    );
    assert!(findings(change(all, group)).is_empty());
    assert_eq!(directions(change(all, group)), ["narrower"]);
}

#[test]
fn a_limit_that_goes_is_told_with_what_it_limited() {
    let permission = |org: Option<&str>| {
        json!({
            "principal": "*", "action": "lambda:InvokeFunction", "function_name": "f",
            "principal_org_id": org,
        })
    };
    let found = findings(vec![Change::updated(
        "aws_lambda_permission.x",
        permission(Some("o-a1b2c3d4e5")),
        permission(None),
    )]);
    let is_told = |text: &String| text.contains("exposure") && text.contains("o-a1b2c3d4e5");
    assert!(found.iter().any(is_told), "{found:#?}");
}

#[test]
fn one_more_member_of_a_harmless_role_is_no_finding_in_any_form() {
    let binding = |members: &[&str]| json!({"project": "p", "role": "roles/browser", "members": members, "condition": []});
    let policy = |members: &[&str]| {
        let text = json!({"bindings": [{"role": "roles/browser", "members": members}]});
        json!({"project": "p", "policy_data": text.to_string()})
    };
    let (one, two) = (["user:a@acme.com"], ["user:a@acme.com", "user:b@acme.com"]);
    let changes = [
        Change::created(
            "google_project_iam_member.a",
            member("roles/browser", two[1], None),
        ),
        Change::updated("google_project_iam_binding.a", binding(&one), binding(&two)),
        Change::updated("google_project_iam_policy.a", policy(&one), policy(&two)),
    ];
    for change in changes {
        assert_eq!(directions(vec![change.clone()]), ["wider"]);
        let found = findings(vec![change]);
        assert!(
            !found.iter().any(|text| text.contains("exposure")),
            "{found:#?}"
        );
    }
}
