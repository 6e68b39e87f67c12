//! The comparison of policies against documentation and a naive evaluator, and what types of objects add to it.

mod anchors;
mod evaluator;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::judge;
use crate::diff::value::{Builder, MarkedValue};
use crate::direction::Directions;
use crate::meaning::{Documents, ObjectChange};

/// Judges a change of an object that is given as JSON (`null` for none). Returns each place with the words of its
/// directions, the gravest first: `policy: wider narrower`.
fn judged(resource_type: &str, before: &str, after: &str) -> Vec<String> {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let documents = Documents::new(build);
    let [before, after]: [MarkedValue<'_>; 2] =
        [before, after].map(|text| build.parse(&*arena.alloc_str(text)).unwrap());
    let change = ObjectChange {
        resource_type,
        before,
        after,
        documents: &documents,
    };
    let judgements = judge(&change).unwrap_or_default();
    judgements
        .iter()
        .map(|judgement| {
            format!(
                "{}: {}",
                judgement.place.join("."),
                words(judgement.directions)
            )
        })
        .collect()
}

/// Returns the words of directions, the gravest first.
fn words(directions: Directions) -> String {
    let words: Vec<&str> = directions
        .iter()
        .map(|direction| direction.word())
        .collect();
    words.join(" ")
}

/// Returns an object as JSON with a document in the string of an attribute.
fn with_document(attribute: &str, document: &str) -> String {
    serde_json::json!({ attribute: document }).to_string()
}

/// Returns a policy with these statements, which are members of JSON objects without the braces.
fn policy(statements: &[&str]) -> String {
    let statements: Vec<String> = statements
        .iter()
        .map(|text| format!("{{{text}}}"))
        .collect();
    format!(
        r#"{{"Version": "2012-10-17", "Statement": [{}]}}"#,
        statements.join(", ")
    )
}

/// Judges a change of the policy of a user, a role or a resource.
fn judged_policy(before: &[&str], after: &[&str]) -> String {
    let [before, after] =
        [before, after].map(|statements| with_document("policy", &policy(statements)));
    let judged = judged("aws_iam_policy", &before, &after);
    match judged.as_slice() {
        [] => "same".to_owned(),
        [only] => only.replace("policy: ", ""),
        several => several.join(", "),
    }
}

const READ: &str = r#""Effect": "Allow", "Action": "s3:GetObject", "Resource": "*""#;
const DENY: &str = r#""Effect": "Deny", "Action": "s3:GetObject", "Resource": "*""#;

#[test]
fn a_policy_that_comes_or_goes_is_judged_by_what_it_is_for() {
    let allows = with_document("policy", &policy(&[READ]));
    let denies = with_document("policy", &policy(&[DENY]));
    let content = with_document("content", &policy(&[DENY]));
    for (resource_type, attributes, created) in [
        ("aws_iam_policy", &allows, ": wider"),
        ("aws_s3_bucket_policy", &denies, ": narrower"),
        ("aws_glacier_vault", &allows, "policy: wider"),
        ("aws_organizations_policy", &content, ": narrower"),
        ("aws_vpc_endpoint_policy", &allows, ": narrower"),
    ] {
        assert_eq!(
            judged(resource_type, "null", attributes),
            [created],
            "{resource_type}"
        );
        let turn = |word: &str| match word {
            "wider" => "narrower",
            _ => "wider",
        };
        let (place, word) = created.split_once(": ").unwrap();
        let destroyed = format!("{place}: {}", turn(word));
        assert_eq!(
            judged(resource_type, attributes, "null"),
            [destroyed],
            "{resource_type}"
        );
    }
    // What is limited comes with its limit, and goes with it.
    assert!(judged("aws_vpc_endpoint", "null", &allows).is_empty());
    assert!(judged("aws_iam_role", r#"{"permissions_boundary": "a"}"#, "null").is_empty());
}

#[test]
fn a_limit_that_is_removed_from_what_stays_is_wider() {
    let limited = with_document("policy", &policy(&[READ]));
    let other = with_document("policy", &policy(&[DENY]));
    for (resource_type, before, after, expected) in [
        (
            "aws_vpc_endpoint",
            &limited[..],
            r#"{"policy": ""}"#,
            "policy: wider",
        ),
        (
            "aws_vpc_endpoint",
            r#"{"policy": null}"#,
            &limited,
            "policy: narrower",
        ),
        (
            "aws_glacier_vault",
            &limited,
            r#"{"policy": ""}"#,
            "policy: narrower",
        ),
        (
            "aws_glacier_vault",
            r#"{"policy": ""}"#,
            &limited,
            "policy: wider",
        ),
        ("aws_glacier_vault", &limited, &other, "policy: narrower"),
    ] {
        assert_eq!(
            judged(resource_type, before, after),
            [expected],
            "{resource_type}"
        );
    }
}

#[test]
fn a_policy_for_somebody_else_is_judged_by_both_halves() {
    let of = |role: &str| {
        serde_json::json!({ "role": role, "policy": policy(&[READ]), "id": role }).to_string()
    };
    assert_eq!(
        judged("aws_iam_role_policy", &of("a"), &of("b")),
        ["role: wider narrower"]
    );
    let other = serde_json::json!({ "role": "b", "policy": policy(&[READ, DENY]) }).to_string();
    assert_eq!(
        judged("aws_iam_role_policy", &of("a"), &other),
        ["policy: narrower", "role: narrower"]
    );
}

#[test]
fn attachments_are_links() {
    let attached = |arn: &str| serde_json::json!({ "role": "r", "policy_arn": arn }).to_string();
    let (admin, power, own) = (
        attached("arn:aws:iam::aws:policy/AdministratorAccess"),
        attached("arn:aws:iam::aws:policy/PowerUserAccess"),
        attached("arn:aws:iam::111111111111:policy/own"),
    );
    let attachment = "aws_iam_role_policy_attachment";
    let scp = r#"{"policy_id": "p-1", "target_id": "ou-1"}"#;
    let full = r#"{"policy_id": "p-FullAWSAccess", "target_id": "ou-1"}"#;
    for (resource_type, before, after, expected) in [
        (attachment, "null", &power[..], ": wider"),
        (attachment, &power, "null", ": narrower"),
        (attachment, &power, &admin, "policy_arn: wider"),
        (attachment, &admin, &own, "policy_arn: narrower"),
        (attachment, &power, &own, "policy_arn: wider narrower"),
        (
            "aws_organizations_policy_attachment",
            "null",
            scp,
            ": narrower",
        ),
        (
            "aws_organizations_policy_attachment",
            scp,
            "null",
            ": wider",
        ),
        (
            "aws_organizations_policy_attachment",
            full,
            "null",
            ": narrower",
        ),
        (
            "aws_iam_policy_attachment",
            r#"{"roles": ["a"]}"#,
            r#"{"roles": ["a", "b"]}"#,
            "roles: wider",
        ),
        (
            "aws_iam_role",
            r#"{"managed_policy_arns": ["a", "b"]}"#,
            r#"{"managed_policy_arns": ["a"]}"#,
            "managed_policy_arns: narrower",
        ),
        (
            "aws_iam_role",
            r#"{"permissions_boundary": "a"}"#,
            r#"{"permissions_boundary": null}"#,
            "permissions_boundary: wider",
        ),
        (
            "aws_iam_user",
            r#"{"permissions_boundary": null}"#,
            r#"{"permissions_boundary": "a"}"#,
            "permissions_boundary: narrower",
        ),
        (
            "aws_iam_role",
            r#"{"permissions_boundary": "a"}"#,
            r#"{"permissions_boundary": "b"}"#,
            "permissions_boundary: another",
        ),
    ] {
        assert_eq!(
            judged(resource_type, before, after),
            [expected],
            "{before} {after}"
        );
    }
}

#[test]
fn the_policies_of_a_role_are_compared_together() {
    let role = |policies: &[&str]| {
        let blocks: Vec<_> = policies
            .iter()
            .enumerate()
            .map(|(number, text)| serde_json::json!({ "name": number, "policy": policy(&[text]) }))
            .collect();
        serde_json::json!({ "inline_policy": blocks }).to_string()
    };
    let wide = READ.replace("GetObject", "Get*");
    assert_eq!(
        judged("aws_iam_role", &role(&[READ, &wide]), &role(&[&wide])),
        ["inline_policy: same"]
    );
    assert_eq!(
        judged("aws_iam_role", &role(&[READ]), &role(&[DENY, READ])),
        ["inline_policy: narrower"]
    );
}

#[test]
fn what_cannot_be_read_is_never_harmless() {
    let known = with_document("policy", &policy(&[READ]));
    for after in [
        // Both forms in one statement, an effect that is none, and a member that nobody knows.
        with_document(
            "policy",
            &policy(&[r#""Effect": "Allow", "Action": "a", "NotAction": "b""#]),
        ),
        with_document(
            "policy",
            &policy(&[r#""Effect": "allow", "Action": "a:b", "Resource": "*""#]),
        ),
        with_document("policy", &policy(&[&format!(r#"{READ}, "Until": "2030""#)])),
        with_document("policy", r#"{"Statement": [], "Include": "other"}"#),
        with_document("policy", "not a policy"),
    ] {
        let judged = judged("aws_iam_policy", &known, &after);
        assert!(judged[0].contains("another"), "{after}: {judged:?}");
    }
}

#[test]
fn names_of_statements_are_words_and_formatting_is_the_same() {
    let named = format!(r#""Sid": "Old", {READ}"#);
    assert_eq!(
        judged_policy(&[&named], &[&named.replace("Old", "New")]),
        "words"
    );
    let listed = READ.replace(r#""s3:GetObject""#, r#"["s3:GetObject"]"#);
    assert_eq!(judged_policy(&[READ, DENY], &[DENY, &listed]), "same");
}

#[test]
fn variables_of_policies_are_whatever_they_may_be() {
    let on = |resource: &str| READ.replace(r#""*""#, &format!("{resource:?}"));
    let own = on("arn:aws:s3:::home/${aws:username}/*");
    for (before, after, expected) in [
        (&own, &on("arn:aws:s3:::home/*"), "wider"),
        (
            &own,
            &on("arn:aws:s3:::home/${aws:username}/docs/*"),
            "narrower",
        ),
        (
            &own,
            &on("arn:aws:s3:::home/${aws:userid}/*"),
            "wider narrower",
        ),
        (&own, &on("arn:aws:s3:::home/ana/*"), "wider narrower"),
        (&on("arn:aws:s3:::a/${*}"), &on("arn:aws:s3:::a/*"), "wider"),
    ] {
        assert_eq!(
            judged_policy(&[before], &[after]),
            expected,
            "{before} {after}"
        );
    }
    // Without its version, the language has no variables.
    let [old, new] = ["2012-10-17", "2008-10-17"]
        .map(|version| with_document("policy", &policy(&[&own]).replace("2012-10-17", version)));
    assert_eq!(
        judged("aws_iam_policy", &old, &new),
        ["policy: wider narrower"]
    );
}

#[test]
fn large_policies_are_compared_in_time() {
    let statement = |number: usize| {
        format!(
            r#""Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::bucket-{number}/*""#
        )
    };
    let of = |texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        with_document("policy", &policy(&texts))
    };
    let many: Vec<String> = (0..4_000).map(statement).collect();
    let mut fewer = many.clone();
    fewer.remove(2_000);
    assert_eq!(
        judged("aws_iam_policy", &of(&many), &of(&fewer)),
        ["policy: narrower"]
    );
    let renamed: Vec<String> = (4_000..8_000).map(statement).collect();
    assert_eq!(
        judged("aws_iam_policy", &of(&many), &of(&renamed)),
        ["policy: wider narrower"]
    );
    let actions = |count: usize| {
        let list: Vec<String> = (0..count)
            .map(|number| format!("s{}:Do{number}", number % 90))
            .collect();
        let action = format!(r#""Effect": "Allow", "Action": {list:?}, "Resource": "*""#);
        with_document("policy", &policy(&[&action]))
    };
    assert_eq!(
        judged("aws_iam_policy", &actions(8_000), &actions(7_999)),
        ["policy: narrower"]
    );
    // Patterns whose combinations are too many are given up, and that is said.
    let stars: Vec<String> = (0..200)
        .map(|number| format!("s3:*a{number}*b*{number}*"))
        .collect();
    let starred = |names: &[String]| {
        let text = format!(r#""Effect": "Allow", "Action": {names:?}, "Resource": "*""#);
        with_document("policy", &policy(&[&text]))
    };
    assert_eq!(
        judged("aws_iam_policy", &starred(&stars), &starred(&stars[1..])),
        ["policy: another"]
    );
}
