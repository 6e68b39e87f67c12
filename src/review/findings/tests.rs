//! Tests the findings of small changes: what the tests of each topic share, and tests that belong to no topic.

mod added;
mod examples;
mod firewall;
mod mechanics;
mod policies;
mod published;
mod twins;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::excused::Excused;
use super::{ObjectOutcome, Rules, Subject, find};
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json;
use crate::knowledge::{List, is_for_type};
use crate::meaning::Documents;
use crate::review::credentials::Credentials;
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::review::findings::pattern::is_loosely;
use crate::schema::Position;

/// Returns one side of a change, made of its values, unknown marks and sensitive marks.
fn side<'w>(
    [value, unknown, marks]: [&str; 3],
    arena: &'w Bump,
    hasher: &'w RandomState,
) -> MarkedValue<'w> {
    let [unknown, marks] =
        [unknown, marks].map(|text| json::parse(arena.alloc_str(text), arena).unwrap());
    let text = Some(&*arena.alloc_str(value));
    Builder::new(arena, hasher)
        .build(text, unknown, marks, Position::Unspecified)
        .unwrap()
}

/// Returns the kinds and texts of the findings of a change.
fn kinds_and_texts(
    resource_type: &str,
    outcome: ObjectOutcome,
    before: [&str; 3],
    after: [&str; 3],
) -> Vec<(FindingKind, String)> {
    let rules = Rules::built_in();
    let findings = findings_by(&rules, resource_type, outcome, before, after);
    findings
        .into_iter()
        .map(|(kind, _, text)| (kind, text))
        .collect()
}

fn findings_by(
    rules: &Rules,
    resource_type: &str,
    outcome: ObjectOutcome,
    before: [&str; 3],
    after: [&str; 3],
) -> Vec<(FindingKind, RuleOrigin, String)> {
    let (arena, kept, excused) = (Bump::new(), Bump::new(), &Excused::default());
    let hasher = &*arena.alloc(RandomState::default());
    let (before, after) = (side(before, &arena, hasher), side(after, &arena, hasher));
    let documents = &Documents::new(Builder::new(&arena, hasher));
    let credentials = &Credentials::find(None, [before, after], documents, None);
    let subject = Subject {
        outcome,
        resource_type,
        before,
        after,
        excused,
        documents,
        credentials,
        left: None,
        configuration: None,
    };
    let redactor = Redactor {
        texts: ["", "", ""],
        arena: &kept,
        show_sensitive: true,
    };
    let applicable = rules.for_type(resource_type);
    let findings = find(&subject, &applicable, redactor);
    findings
        .into_iter()
        .map(|finding| (finding.kind, finding.origin, finding.text))
        .collect()
}

fn findings(
    resource_type: &str,
    outcome: ObjectOutcome,
    before: &str,
    after: &str,
) -> Vec<(FindingKind, String)> {
    let plain = |value| [value, "null", "null"];
    kinds_and_texts(resource_type, outcome, plain(before), plain(after))
}

fn texts(findings: &[(FindingKind, String)]) -> Vec<String> {
    findings
        .iter()
        .map(|(kind, text)| format!("{} {text}", kind.name()))
        .collect()
}

#[test]
fn data_is_lost_with_what_describes_it() {
    let database =
        r#"{"engine": "postgres", "allocated_storage": 500, "deletion_protection": false}"#;
    assert_eq!(
        texts(&findings(
            "aws_db_instance",
            ObjectOutcome::Destroyed,
            database,
            "null"
        )),
        [
            "data-loss database destroyed; engine = postgres, allocated_storage = 500, deletion_protection = false",
            "downtime destroyed"
        ]
    );
    let lost = texts(&findings(
        "aws_db_instance",
        ObjectOutcome::DestroyedThenCreated,
        database,
        database,
    ));
    assert!(
        lost[0].starts_with("data-loss database replaced"),
        "{lost:?}"
    );
    assert_eq!(
        lost[1],
        "downtime destroyed before its replacement is created"
    );
    assert!(
        findings(
            "aws_db_instance",
            ObjectOutcome::Updated,
            database,
            database
        )
        .is_empty()
    );
    assert!(findings("null_resource", ObjectOutcome::Destroyed, "{}", "null").is_empty());
}

#[test]
fn a_finding_is_not_read_below_a_sensitive_mark() {
    let none = ["null", "null", "null"];
    let hidden = [r#"{"publicly_accessible": true}"#, "null", "true"];
    assert!(kinds_and_texts("aws_db_instance", ObjectOutcome::Created, none, hidden).is_empty());
    let secret = [r#"{"engine": "hunter2"}"#, "null", r#"{"engine": true}"#];
    let lost = kinds_and_texts("aws_db_instance", ObjectOutcome::Destroyed, secret, none);
    assert_eq!(
        texts(&lost),
        ["data-loss database destroyed", "downtime destroyed"]
    );
}

#[test]
fn what_decides_access_and_is_unknown_is_found() {
    let unknown = |after: &str, resource_type: &str, before: &str| {
        let outcome = if before == "null" {
            ObjectOutcome::Created
        } else {
            ObjectOutcome::Updated
        };
        texts(&kinds_and_texts(
            resource_type,
            outcome,
            [before, "null", "null"],
            ["{}", after, "null"],
        ))
    };
    let policy = r#"{"policy": true}"#;
    for before in [r#"{"policy": "{}"}"#, r#"{"policy": null}"#, "null"] {
        assert_eq!(
            unknown(policy, "aws_iam_policy", before),
            ["unknown policy is known only after apply"]
        );
    }
    // The provider computes a policy if the configuration has none.
    assert_eq!(unknown(policy, "aws_s3_bucket", "null"), [""; 0]);
    assert_eq!(
        unknown(r#"{"ingress": true}"#, "aws_security_group", "null"),
        [""; 0]
    );
}

#[test]
fn a_type_may_be_a_fragment_or_one_of_several() {
    for (types, resource_type, expected) in [
        ("@pod", "kubernetes_deployment_v1", true),
        ("@pod", "helm_release", true),
        ("@pod", "kubernetes_service", false),
        ("aws_lb|aws_alb", "aws_alb", true),
        ("aws_lb|aws_*_alb", "aws_x_alb", true),
        ("aws_lb|aws_alb", "aws_elb", false),
    ] {
        assert_eq!(
            is_for_type(List(&types.replace('|', "\u{1f}")), resource_type),
            expected,
            "{types} {resource_type}"
        );
    }
    assert!(is_loosely(
        "containerSecurityContext",
        "security_context",
        false
    ));
    assert!(!is_loosely(
        "containerSecurityContext",
        "security_context",
        true
    ));
    assert!(!is_loosely(
        "securityContext",
        "container_security_context",
        false
    ));
    assert!(
        is_loosely("host_network", "hostNetwork", true)
            && !is_loosely("host_network", "hostPID", true)
    );
}
