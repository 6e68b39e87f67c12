//! Updates, creations and removals of single objects, with the levels and kinds of the findings that an approver wants.

use super::{options, with_findings};
use crate::plan::{Change, PlanBuilder};

/// What happens to one object, and its findings as `level kind`, in any order.
#[derive(serde::Deserialize)]
struct Case {
    name: String,
    #[serde(rename = "type")]
    resource_type: String,
    #[serde(default)]
    before: serde_json::Value,
    #[serde(default)]
    after: serde_json::Value,
    #[serde(default)]
    unknown: serde_json::Value,
    #[serde(default)]
    deposed: String,
    #[serde(default)]
    findings: Vec<String>,
}

#[test]
fn each_small_change_has_the_findings_that_an_approver_wants() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/findings/updates.json"
    );
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let mut change = Change::between(
            &format!("{}.x", case.resource_type),
            case.before.clone(),
            case.after.clone(),
        )
        .unknown(&case.unknown);
        if !case.deposed.is_empty() {
            change = change.deposed(&case.deposed);
        }
        let plan = PlanBuilder::of([change]).json();
        let mut findings = with_findings(&[&plan], &options(), |reviews| {
            let findings = reviews
                .iter()
                .flat_map(|review| &review.findings)
                .map(|reported| &reported.finding);
            findings
                .map(|one| format!("{} {}", one.level.name(), one.kind.name()))
                .collect::<Vec<_>>()
        });
        let mut expected = case.findings.clone();
        findings.sort();
        expected.sort();
        if findings != expected {
            wrong.push(format!(
                "{}: {findings:?} instead of {expected:?}",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.len() > 20);
}
