//! Tests what policies grant, before and after.

use super::{ObjectOutcome, findings, texts};

fn policy(statements: &str) -> String {
    serde_json::json!({ "policy": format!(r#"{{"Version": "2012-10-17", "Statement": {statements}}}"#) })
        .to_string()
}

#[test]
fn a_policy_opens_where_it_allows_more() {
    let read =
        r#"[{"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::b/*"}]"#;
    let write = r#"[{"Effect": "Allow", "Action": ["s3:PutObject", "s3:GetObject"], "Resource": "arn:aws:s3:::b/*"}]"#;
    let guarded = r#"[{"Effect": "Allow", "Action": "s3:GetObject", "Resource": ["arn:aws:s3:::b/*"], "Condition": {"Bool": {"aws:SecureTransport": "true"}}}]"#;
    let narrow =
        r#"[{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/x"}]"#;
    let denied = r#"[{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}, {"Effect": "Deny", "Action": "s3:DeleteBucket", "Resource": "*"}]"#;
    let allowed = r#"[{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]"#;
    for (before, after, expected) in [
        (
            read,
            write,
            vec![r#"exposure Allow "s3:PutObject" on "arn:aws:s3:::b/*""#],
        ),
        (write, read, vec![]),
        (read, read, vec![]),
        (
            guarded,
            read,
            vec![r#"exposure Allow "s3:GetObject" on "arn:aws:s3:::b/*""#],
        ),
        (read, guarded, vec![]),
        (read, narrow, vec![]),
        (allowed, read, vec![]),
        (
            denied,
            allowed,
            vec![r#"exposure Deny "s3:DeleteBucket" on "*" is removed"#],
        ),
        (allowed, denied, vec![]),
    ] {
        let all = findings(
            "aws_iam_policy",
            ObjectOutcome::Updated,
            &policy(before),
            &policy(after),
        );
        assert_eq!(texts(&all), expected, "{before} -> {after}");
    }
}

#[test]
fn a_new_policy_opens_only_for_everybody_or_everything() {
    let created = |statements: &str| {
        texts(&findings(
            "aws_s3_bucket_policy",
            ObjectOutcome::Created,
            "null",
            &policy(statements),
        ))
    };
    let public = r#"[{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}]"#;
    assert_eq!(
        created(public),
        [r#"exposure Allow "s3:GetObject" on "arn:aws:s3:::b/*" for "*""#]
    );
    let denied = public.replace("Allow", "Deny");
    assert_eq!(created(&denied), [""; 0]);
    let service = public.replace(
        r#""Principal": "*""#,
        r#""Principal": {"Service": "s3.amazonaws.com"}"#,
    );
    assert_eq!(created(&service), [""; 0]);
    let admin = r#"[{"Effect": "Allow", "Action": "*", "Resource": "*"}]"#;
    assert_eq!(created(admin), [r#"exposure Allow "*" on "*""#]);
}

#[test]
fn a_policy_that_could_not_be_read_before_hides_no_grant_of_everything() {
    let admin = policy(r#"[{"Effect": "Allow", "Action": "*", "Resource": "*"}]"#);
    for before in [
        r#"{"policy": ""}"#,
        r#"{"policy": "{}"}"#,
        r#"{"policy": "{\"Statement\": 1"}"#,
    ] {
        let all = findings("aws_iam_policy", ObjectOutcome::Updated, before, &admin);
        assert_eq!(texts(&all), [r#"exposure Allow "*" on "*""#], "{before}");
    }
}

#[test]
fn a_policy_that_is_too_large_to_compare_is_a_finding() {
    let of = |letter: &str| {
        // Any of these patterns may match a text together with any others.
        let statement = |index: usize| serde_json::json!({"Effect": "Allow", "Action": "s3:*", "Resource": format!("arn:*{letter}{index}*{index}x*")});
        policy(
            &(0..1_200)
                .map(statement)
                .collect::<serde_json::Value>()
                .to_string(),
        )
    };
    let finding_texts = texts(&findings(
        "aws_iam_policy",
        ObjectOutcome::Updated,
        &of("a"),
        &of("b"),
    ));
    assert!(
        finding_texts
            .iter()
            .any(|text| text.contains("too large to compare")),
        "{finding_texts:?}"
    );
}
