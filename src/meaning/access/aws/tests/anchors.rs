//! Pairs of policies whose answer the documentation decides.
//!
//! `CheckNoNewAccess` of IAM Access Analyzer answers whether the second policy grants anything that the first one does
//! not: its `FAIL` is wider here, its `PASS` is not. Which of two policies gives more follows from how IAM evaluates
//! them, which the pages of the IAM User Guide say that are named with each group.

use super::judged_policy;

/// The statements before and after, without the braces of the objects, and the directions.
type Pair<'p> = (&'p [&'p str], &'p [&'p str], &'p str);

/// Checks the pairs that a page decides, and that the pairs turned round have the reverse.
fn check(page: &str, pairs: &[Pair<'_>]) {
    for (before, after, expected) in pairs {
        assert_eq!(
            judged_policy(before, after),
            *expected,
            "{page}: {before:?} {after:?}"
        );
        let reverse = match *expected {
            "wider" => "narrower",
            "narrower" => "wider",
            other => other,
        };
        assert_eq!(judged_policy(after, before), reverse, "{page}, reversed");
    }
}

/// Writes a statement that allows or denies.
fn statement(effect: &str, action: &str, resource: &str, more: &str) -> String {
    let more = if more.is_empty() {
        String::new()
    } else {
        format!(", {more}")
    };
    format!(r#""Effect": "{effect}", {action}, {resource}{more}"#)
}

fn allow(action: &str, resource: &str) -> String {
    statement(
        "Allow",
        &format!(r#""Action": {action}"#),
        &format!(r#""Resource": {resource}"#),
        "",
    )
}

fn deny(action: &str, resource: &str) -> String {
    allow(action, resource).replace("Allow", "Deny")
}

/// Writes a statement that allows something under a condition.
fn when(condition: &str) -> String {
    let more = format!(r#""Condition": {{{condition}}}"#);
    statement("Allow", r#""Action": "s3:*""#, r#""Resource": "*""#, &more)
}

/// Writes a statement that allows something to principals.
fn to(principal: &str) -> String {
    let more = format!(r#""Principal": {principal}"#);
    statement("Allow", r#""Action": "s3:*""#, r#""Resource": "*""#, &more)
}

const ANY: &str = r#""*""#;

#[test]
fn actions_and_resources_are_as_access_analyzer_compares_them() {
    let get = allow(r#""s3:GetObject""#, r#""arn:aws:s3:::a/*""#);
    let list = allow(r#""s3:ListBucket""#, r#""arn:aws:s3:::a""#);
    let both = allow(
        r#"["s3:GetObject", "s3:PutObject"]"#,
        r#""arn:aws:s3:::a/*""#,
    );
    let put = allow(r#""s3:PutObject""#, r#""arn:aws:s3:::a/*""#);
    let all = allow(r#""s3:*""#, r#""arn:aws:s3:::a/*""#);
    check(
        "IAM Access Analyzer: Validate policies with custom policy checks, CheckNoNewAccess",
        &[
            (&[&get], &[&get, &list], "wider"),
            (&[&get], &[&both], "wider"),
            (&[&get], &[&all], "wider"),
            (&[&get], &[&put], "wider narrower"),
            (&[&both], &[&get, &put], "same"),
            (&[&get, &all], &[&all], "same"),
            (
                &[&get],
                &[&allow(r#""s3:GetObject""#, r#""arn:aws:s3:::a/b/*""#)],
                "narrower",
            ),
        ],
    );
    check(
        "IAM JSON policy elements: Action",
        &[
            (
                &[&get],
                &[&get.replace("s3:GetObject", "S3:getobject")],
                "same",
            ),
            (&[&get], &[&get.replace("s3:GetObject", "s3:Get*")], "wider"),
            (
                &[&get],
                &[&get.replace("s3:GetObject", "s3:?etObject")],
                "wider",
            ),
            (
                &[&get.replace("GetObject", "*")],
                &[&get.replace("s3:GetObject", "*")],
                "wider",
            ),
        ],
    );
    let but = |actions: &str| {
        statement(
            "Allow",
            &format!(r#""NotAction": {actions}"#),
            r#""Resource": "*""#,
            "",
        )
    };
    check(
        "IAM JSON policy elements: NotAction",
        &[
            (
                &[&but(r#""iam:*""#)],
                &[&but(r#"["iam:*", "ec2:*"]"#)],
                "narrower",
            ),
            (&[&allow(r#""s3:*""#, ANY)], &[&but(r#""iam:*""#)], "wider"),
            (
                &[&allow(r#""iam:*""#, ANY)],
                &[&but(r#""iam:*""#)],
                "wider narrower",
            ),
            (
                &[&but(r#""iam:*""#), &allow(r#""iam:*""#, ANY)],
                &[&allow(ANY, ANY)],
                "same",
            ),
        ],
    );
    let elsewhere = statement(
        "Allow",
        r#""Action": "s3:GetObject""#,
        r#""NotResource": "arn:aws:s3:::b/*""#,
        "",
    );
    check(
        "IAM JSON policy elements: Resource, NotResource",
        &[
            (&[&get], &[&elsewhere], "wider"),
            (&[&elsewhere], &[&allow(r#""s3:GetObject""#, ANY)], "wider"),
            (&[&get], &[&get.replace("s3:::a/*", "s3:::a*")], "wider"),
            (&[&get], &[&get.replace("s3:::a/*", "s3:::a/?")], "narrower"),
        ],
    );
}

#[test]
fn explicit_denials_win_as_the_evaluation_logic_says() {
    let all = allow(r#""s3:*""#, ANY);
    let deny_put = deny(r#""s3:PutObject""#, ANY);
    check(
        "Policy evaluation logic: the difference between explicit and implicit denies",
        &[
            (&[&all, &deny_put], &[&all], "wider"),
            (&[&all, &deny_put], &[&deny_put, &all], "same"),
            // A denial holds against every other policy.
            (&[&all, &deny(r#""iam:*""#, ANY)], &[&all], "wider"),
            (&[&deny(r#""iam:*""#, ANY)], &[&deny(ANY, ANY)], "narrower"),
            (&[&deny_put], &[&allow(r#""s3:PutObject""#, ANY)], "wider"),
            // What is denied is not allowed, whoever allows it.
            (
                &[&all, &deny(r#""s3:*""#, ANY)],
                &[&deny(r#""s3:*""#, ANY)],
                "same",
            ),
            (
                &[&all, &deny_put],
                &[&allow(r#""s3:Get*""#, ANY), &deny_put],
                "narrower",
            ),
            (&[], &[&all], "wider"),
            (&[], &[&deny_put], "narrower"),
        ],
    );
    let deny_others = deny(r#""s3:*""#, ANY).replace(r#""Action""#, r#""NotAction""#);
    check(
        "IAM JSON policy elements: NotAction, with Deny",
        &[(
            &[&deny_others],
            &[&deny_others.replace(r#""s3:*""#, r#"["s3:*", "iam:*"]"#)],
            "wider",
        )],
    );
}

#[test]
fn principals_are_as_their_pages_say() {
    let account = r#"{"AWS": "111111111111"}"#;
    let root = r#"{"AWS": "arn:aws:iam::111111111111:root"}"#;
    let role = r#"{"AWS": "arn:aws:iam::111111111111:role/app"}"#;
    let session = r#"{"AWS": "arn:aws:sts::111111111111:assumed-role/app/job"}"#;
    check(
        "AWS JSON policy elements: Principal",
        &[
            (&[&to(ANY)], &[&to(r#"{"AWS": "*"}"#)], "same"),
            (&[&to(account)], &[&to(root)], "same"),
            (&[&to(role)], &[&to(root)], "wider"),
            (&[&to(root)], &[&to(ANY)], "wider"),
            (&[&to(session)], &[&to(role)], "wider"),
            (&[&to(session)], &[&to(account)], "wider"),
            (
                &[&to(role)],
                &[&to(&role.replace("111111111111", "222222222222"))],
                "wider narrower",
            ),
            (
                &[&to(r#"{"Service": "ec2.amazonaws.com"}"#)],
                &[&to(
                    r#"{"Service": ["ec2.amazonaws.com", "lambda.amazonaws.com"]}"#,
                )],
                "wider",
            ),
        ],
    );
    let spare = |names: &str| {
        let more = format!(r#""NotPrincipal": {{"AWS": {names}}}"#);
        statement("Deny", r#""Action": "s3:*""#, r#""Resource": "*""#, &more)
    };
    let (one, app) = (
        "arn:aws:iam::111111111111:root",
        "arn:aws:iam::111111111111:role/app",
    );
    check(
        "AWS JSON policy elements: NotPrincipal, with Deny",
        &[
            (
                &[&spare(&format!(r#"["{one}", "{app}"]"#))],
                &[&spare(&format!(
                    r#"["{one}", "{app}", "arn:aws:iam::111111111111:user/ana"]"#
                ))],
                "wider",
            ),
            // A principal is spared only if its account is, too.
            (
                &[&spare(&format!(r#""{app}""#))],
                &[&spare(&format!(r#"["{one}", "{app}"]"#))],
                "wider",
            ),
        ],
    );
}

#[test]
fn conditions_are_as_their_pages_say() {
    let mfa = when(r#""Bool": {"aws:MultiFactorAuthPresent": "true"}"#);
    let free = allow(r#""s3:*""#, ANY);
    let org = when(r#""StringEquals": {"aws:PrincipalOrgID": "o-1"}"#);
    let not_org = org.replace("StringEquals", "StringNotEquals");
    let ip = |network: &str| when(&format!(r#""IpAddress": {{"aws:SourceIp": {network}}}"#));
    check(
        "IAM JSON policy elements: Condition operators",
        &[
            (&[&mfa], &[&free], "wider"),
            (&[&mfa], &[&mfa.replace("Bool", "BoolIfExists")], "wider"),
            (
                &[&org],
                &[&org.replace("StringEquals", "StringEqualsIfExists")],
                "wider",
            ),
            (
                &[&org],
                &[&org.replace(r#""o-1""#, r#"["o-1", "o-2"]"#)],
                "wider",
            ),
            (
                &[&org],
                &[&org.replace("StringEquals", "StringLike")],
                "same",
            ),
            (
                &[&org],
                &[&org.replace("StringEquals", "StringEqualsIgnoreCase")],
                "wider",
            ),
            (
                &[&org],
                &[&org.replace("PrincipalOrgID", "principalorgid")],
                "same",
            ),
            (&[&org], &[&not_org], "wider narrower"),
            (&[&org, &not_org], &[&free], "same"),
            (
                &[&not_org],
                &[&not_org.replace("NotEquals", "NotEqualsIfExists")],
                "same",
            ),
            (
                &[&not_org],
                &[&not_org.replace(r#""o-1""#, r#"["o-1", "o-2"]"#)],
                "narrower",
            ),
            (
                &[&ip(r#""10.0.0.0/8""#)],
                &[&ip(r#""10.0.0.0/16""#)],
                "narrower",
            ),
            (
                &[&ip(r#"["10.0.0.0/9", "10.128.0.0/9"]"#)],
                &[&ip(r#""10.0.0.0/8""#)],
                "same",
            ),
            (&[&ip(r#"["0.0.0.0/0", "::/0"]"#)], &[&free], "wider"),
            (
                &[&when(r#""StringLike": {"aws:PrincipalTag/team": "*"}"#)],
                &[&when(r#""Null": {"aws:PrincipalTag/team": "false"}"#)],
                "same",
            ),
            (
                &[&when(
                    r#""NumericLessThan": {"aws:MultiFactorAuthAge": "900"}"#,
                )],
                &[&when(
                    r#""NumericLessThanEquals": {"aws:MultiFactorAuthAge": "900"}"#,
                )],
                "wider",
            ),
            (
                &[&when(
                    r#""DateLessThan": {"aws:CurrentTime": "2030-01-01T00:00:00Z"}"#,
                )],
                &[&when(
                    r#""DateLessThan": {"aws:CurrentTime": "2031-01-01T00:00:00Z"}"#,
                )],
                "wider",
            ),
            (
                &[&when(r#""ArnLike": {"aws:SourceArn": "arn:aws:s3:::a"}"#)],
                &[&when(r#""ArnEquals": {"aws:SourceArn": "arn:aws:s3:::*"}"#)],
                "wider",
            ),
        ],
    );
    let tags = |test: &str, values: &str| {
        when(&format!(
            r#""{test}:StringEquals": {{"aws:TagKeys": {values}}}"#
        ))
    };
    check(
        "Multivalued context keys",
        &[
            (&[&tags("ForAllValues", r#""a""#)], &[&free], "wider"),
            (
                &[&tags("ForAllValues", r#""a""#)],
                &[&tags("ForAllValues", r#"["a", "b"]"#)],
                "wider",
            ),
            (
                &[&tags("ForAnyValue", r#""a""#)],
                &[&tags("ForAnyValue", r#"["a", "b"]"#)],
                "wider",
            ),
            (
                &[&tags("ForAnyValue", r#""a""#)],
                &[&tags("ForAllValues", r#""a""#)],
                "wider narrower",
            ),
        ],
    );
    check(
        "Conditions with multiple context keys or values: all operators and keys must hold",
        &[(
            &[&when(
                r#""StringEquals": {"aws:PrincipalOrgID": "o-1"}, "Bool": {"aws:SecureTransport": "true"}"#,
            )],
            &[&org],
            "wider",
        )],
    );
}
