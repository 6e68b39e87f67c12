//! What a reviewer must be told of a plan. Each fixture is a plan of which something was missed.

use tfview::review::entry::{Entry, Finding, FindingKind, Level, PlanReview};

use super::{options, with_findings};

/// What `look` sees of the findings of each change in a fixture, by address.
fn of<R>(name: &str, look: impl Fn(&str, &Finding<'_>) -> Option<R>) -> Vec<R> {
    let path = format!("{}/fixtures/findings/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    with_findings(&[&text], &options(), |reviews| {
        let of_review = |review: &PlanReview<'_>| {
            let of_entry = |entry: &Entry<'_>| {
                let own = entry.findings.iter().map(|at| &review.findings[*at].finding);
                own.filter_map(|finding| look(entry.address, finding)).collect::<Vec<_>>()
            };
            review.resources.iter().flat_map(of_entry).collect::<Vec<_>>()
        };
        reviews.iter().flat_map(of_review).collect()
    })
}

fn texts(name: &str, kind: FindingKind) -> Vec<String> {
    of(name, |_, finding| (finding.kind == kind).then(|| finding.text.clone()))
}

#[test]
fn an_arrow_is_used_only_where_the_left_side_is_gone() {
    let found = texts("fact_arrow_lies", FindingKind::Exposure);
    assert!(!found.is_empty(), "{found:?}");
    assert!(found.iter().all(|text| text.ends_with("open to the world (adds 0.0.0.0/0)")), "{found:?}");
}

#[test]
fn a_condition_that_decides_is_named() {
    let found = texts("fact_condition_unnamed", FindingKind::Exposure);
    assert!(found.iter().any(|text| text.ends_with(r#" if StringLike t:sub = "repo:*""#)), "{found:?}");
}

#[test]
fn statements_that_the_configuration_proves_are_expected() {
    let found = of("iam_doc_expected_not_fact", |address, finding| {
        finding.is_expected.then(|| (address.to_owned(), finding.text.clone()))
    });
    assert_eq!(
        found,
        [("aws_iam_policy.deploy".to_owned(), r#"Allow "s3:*", "iam:PassRole" on "*""#.to_owned())]
    );
}

#[test]
fn a_credential_in_a_document_is_found_and_not_shown() {
    let found = of("ecs_privileged_secret_no_fact", |_, finding| {
        (finding.kind == FindingKind::Secret).then(|| (finding.level, finding.text.clone()))
    });
    let [(level, text)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(*level, Level::Critical);
    assert_eq!(text, "container_definitions.environment[3].value: AWS secret access key in plain text");
}

#[test]
fn only_the_object_that_a_guard_protects_excuses_its_removal() {
    for name in [
        "guard-alone",
        "guard-and-other",
        "guard-suppressed-by-bucket-policy",
        "flow-log-suppressed-by-its-role",
    ] {
        let found = texts(name, FindingKind::Protection);
        assert!(found.iter().any(|text| text.contains("while what it protects stays")), "{name}: {found:?}");
    }
}

#[test]
fn a_firewall_of_a_database_is_read_as_a_range() {
    let found = of("sqlfw", |address, finding| {
        address.contains("firewall_rule").then(|| (finding.level, finding.text.clone()))
    });
    let expected = [
        (Level::Critical, "database open to the world (0.0.0.0-255.255.255.255)"),
        (Level::Warning, "database open to everything in Azure (0.0.0.0)"),
        (Level::Critical, "database open to the world (10.0.0.1 -> 0.0.0.0-255.255.255.255)"),
    ];
    assert_eq!(found, expected.map(|(level, text)| (level, text.to_owned())));
}
