//! What the forms of grants say of single changes.

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::{all_forms, form_of, judge};
use crate::diff::value::Builder;
use crate::direction::Direction;
use crate::meaning::{Documents, ObjectChange};

/// The directions of a place of a change, or of the object as a whole (an empty place), as words; empty if nothing is
/// said of it.
fn told(resource_type: &str, before: &str, after: &str, place: &str) -> String {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let documents = Documents::new(build);
    let change = ObjectChange {
        resource_type,
        before: build.parse(Some(before)).unwrap(),
        after: build.parse(Some(after)).unwrap(),
        documents: &documents,
    };
    let judgements = judge(&change).unwrap();
    let found = judgements
        .iter()
        .find(|judgement| judgement.place.join(".") == place);
    let directions = found.map(|judgement| judgement.directions.iter().map(Direction::word));
    directions
        .map(|words| words.collect::<Vec<_>>().join("+"))
        .unwrap_or_default()
}

/// Asserts what a change and its reverse say of a place.
fn assert_told(resource_type: &str, place: &str, before: &str, after: &str, direction: &str) {
    let object = |value: &str| {
        let names: Vec<&str> = place.split('.').collect();
        let (first, rest) = names.split_first().unwrap();
        let inner = rest.iter().rev().fold(value.to_owned(), |inner, name| {
            format!(r#"[{{"{name}": {inner}}}]"#)
        });
        format!(r#"{{"{first}": {inner}}}"#)
    };
    let (before, after) = (object(before), object(after));
    let reversed: Vec<String> = direction
        .split('+')
        .map(|word| {
            Direction::from_word(word)
                .unwrap()
                .reverse()
                .word()
                .to_owned()
        })
        .collect();
    assert_eq!(
        told(resource_type, &before, &after, place),
        direction,
        "{resource_type}: {before} -> {after}"
    );
    let mut reversed: Vec<&str> = reversed.iter().map(String::as_str).collect();
    reversed.sort_by_key(|word| Direction::from_word(word));
    assert_eq!(
        told(resource_type, &after, &before, place),
        reversed.join("+"),
        "{resource_type}: {after} -> {before}"
    );
}

#[test]
fn each_dimension_is_judged_by_its_own_order_and_reversed_when_turned_round() {
    let changes = [
        (
            "google_project_iam_member",
            "role",
            r#""roles/viewer""#,
            r#""roles/editor""#,
            "wider",
        ),
        (
            "google_project_iam_member",
            "role",
            r#""roles/a.b""#,
            r#""roles/c.d""#,
            "wider+narrower",
        ),
        (
            "google_project_iam_member",
            "member",
            r#""domain:x.org""#,
            r#""allUsers""#,
            "wider",
        ),
        (
            "google_storage_bucket_iam_member",
            "bucket",
            r#""a""#,
            r#""b""#,
            "wider+narrower",
        ),
        (
            "google_project_iam_binding",
            "members",
            r#"["user:a@x.org"]"#,
            r#"["domain:x.org"]"#,
            "wider",
        ),
        (
            "azurerm_role_assignment",
            "scope",
            r#""/subscriptions/1/resourceGroups/a""#,
            r#""/subscriptions/1""#,
            "wider",
        ),
        (
            "azurerm_role_assignment",
            "condition",
            r#""a""#,
            "null",
            "wider",
        ),
        (
            "azurerm_role_assignment",
            "condition",
            r#""a""#,
            r#""b""#,
            "another",
        ),
        (
            "azurerm_role_assignment",
            "role_definition_name",
            r#""Reader""#,
            r#""Owner""#,
            "wider",
        ),
        (
            "azurerm_role_definition",
            "permissions.actions",
            r#"["Microsoft.Storage/*/read"]"#,
            r#"["*"]"#,
            "wider",
        ),
        (
            "azurerm_role_definition",
            "permissions.not_actions",
            r#"["a/delete"]"#,
            "[]",
            "wider",
        ),
        (
            "azuread_conditional_access_policy",
            "state",
            r#""enabled""#,
            r#""disabled""#,
            "weaker",
        ),
        (
            "azuread_conditional_access_policy",
            "conditions.users.excluded_users",
            "[]",
            r#"["a"]"#,
            "weaker",
        ),
        (
            "aws_lambda_permission",
            "principal_org_id",
            r#""o-a""#,
            "null",
            "wider",
        ),
        (
            "aws_lambda_permission",
            "source_arn",
            r#""arn:aws:s3:::a""#,
            r#""arn:aws:s3:::*""#,
            "wider",
        ),
        (
            "aws_lambda_permission",
            "principal",
            r#""111111111111""#,
            r#""*""#,
            "wider",
        ),
        (
            "aws_db_snapshot",
            "shared_accounts",
            "[]",
            r#"["all"]"#,
            "wider",
        ),
        (
            "aws_s3_bucket_public_access_block",
            "block_public_acls",
            "true",
            "false",
            "wider",
        ),
        (
            "aws_s3_bucket_acl",
            "acl",
            r#""private""#,
            r#""public-read""#,
            "wider",
        ),
        (
            "postgresql_grant",
            "objects",
            r#"["orders"]"#,
            "[]",
            "wider",
        ),
        (
            "postgresql_grant",
            "privileges",
            r#"["SELECT"]"#,
            r#"["ALL"]"#,
            "wider",
        ),
        ("postgresql_role", "superuser", "false", "true", "wider"),
        (
            "kafka_acl",
            "acl_principal",
            r#""User:a""#,
            r#""User:*""#,
            "wider",
        ),
        (
            "snowflake_network_policy",
            "allowed_ip_list",
            r#"["10.0.0.0/8"]"#,
            r#"["0.0.0.0/0", "10.0.0.0/8"]"#,
            "wider",
        ),
        (
            "github_repository",
            "visibility",
            r#""private""#,
            r#""public""#,
            "wider",
        ),
        (
            "github_team_repository",
            "permission",
            r#""pull""#,
            r#""admin""#,
            "wider",
        ),
        (
            "github_branch_protection",
            "enforce_admins",
            "true",
            "false",
            "weaker",
        ),
        (
            "github_repository_environment",
            "reviewers.teams",
            "[1]",
            "[]",
            "weaker",
        ),
        (
            "okta_app_signon_policy_rule",
            "factor_mode",
            r#""2FA""#,
            r#""1FA""#,
            "weaker",
        ),
        (
            "okta_app_signon_policy_rule",
            "re_authentication_frequency",
            r#""PT2H""#,
            r#""P5Y""#,
            "weaker",
        ),
        (
            "cloudflare_zero_trust_access_policy",
            "decision",
            r#""allow""#,
            r#""bypass""#,
            "wider",
        ),
        (
            "cloudflare_zero_trust_access_policy",
            "include",
            r#"[{"email_domain": {"domain": "x.org"}}]"#,
            r#"[{"everyone": {}}]"#,
            "wider",
        ),
        (
            "cloudflare_zero_trust_access_policy",
            "require",
            r#"[{"auth_method": {"auth_method": "mfa"}}]"#,
            "[]",
            "wider",
        ),
        (
            "tfe_team_access",
            "access",
            r#""read""#,
            r#""admin""#,
            "wider",
        ),
    ];
    for (resource_type, place, before, after, direction) in changes {
        assert_told(resource_type, place, before, after, direction);
    }
}

#[test]
fn an_object_that_comes_or_goes_is_judged_by_its_purpose() {
    let objects = [
        (
            "google_project_iam_member",
            r#"{"role": "roles/viewer", "member": "user:a@x.org"}"#,
            "wider",
        ),
        (
            "google_project_iam_binding",
            r#"{"role": "roles/viewer", "members": []}"#,
            "new",
        ),
        (
            "google_iam_deny_policy",
            r#"{"rules": [{"deny_rule": [{"denied_principals": ["a"], "denied_permissions": ["b"]}]}]}"#,
            "narrower",
        ),
        (
            "google_project_iam_audit_config",
            r#"{"service": "allServices", "audit_log_config": [{"log_type": "DATA_READ"}]}"#,
            "stronger",
        ),
        (
            "google_service_account_key",
            r#"{"service_account_id": "a"}"#,
            "wider",
        ),
        (
            "azurerm_management_lock",
            r#"{"scope": "/subscriptions/1", "lock_level": "CanNotDelete"}"#,
            "stronger",
        ),
        (
            "kafka_acl",
            r#"{"acl_principal": "User:a", "acl_permission_type": "Deny", "acl_operation": "Read", "acl_host": "*"}"#,
            "narrower",
        ),
        (
            "aws_ssm_document",
            r#"{"permissions": {"type": "Share", "account_ids": "all"}}"#,
            "wider",
        ),
        ("aws_ssm_document", r#"{"permissions": null}"#, ""),
    ];
    for (resource_type, object, direction) in objects {
        assert_eq!(
            told(resource_type, "null", object, ""),
            direction,
            "{resource_type}"
        );
        if resource_type != "aws_ssm_document" {
            let reverse = Direction::from_word(direction).unwrap().reverse().word();
            assert_eq!(
                told(resource_type, object, "null", ""),
                reverse,
                "{resource_type}"
            );
        }
    }
}

#[test]
fn bindings_of_a_policy_are_compared_as_a_set_of_grants() {
    let policy = |bindings: &str| {
        let text = format!(r#"{{"bindings": [{bindings}]}}"#);
        format!(
            r#"{{"policy_data": {}}}"#,
            serde_json::to_string(&text).unwrap()
        )
    };
    let both = policy(r#"{"role": "roles/viewer", "members": ["user:a@x.org", "user:b@x.org"]}"#);
    let apart = policy(
        r#"{"role": "roles/viewer", "members": ["user:b@x.org"]}, {"role": "roles/viewer", "members": ["user:a@x.org"]}"#,
    );
    let more = policy(r#"{"role": "roles/editor", "members": ["user:a@x.org", "user:b@x.org"]}"#);
    let limited = policy(
        r#"{"role": "roles/viewer", "members": ["user:a@x.org"], "condition": {"expression": "a == 'b'"}}"#,
    );
    let told = |before: &str, after: &str| {
        told(
            "google_project_iam_policy",
            before,
            after,
            "policy_data.bindings",
        )
    };
    assert_eq!(told(&both, &apart), "same");
    assert_eq!(told(&both, &more), "wider");
    assert_eq!(told(&more, &both), "narrower");
    assert_eq!(told(&both, &limited), "narrower");
}

#[test]
fn a_role_that_is_known_only_after_apply_has_the_direction_of_its_name() {
    let arena = Bump::new();
    let hasher = RandomState::default();
    let build = Builder::new(&arena, &hasher);
    let documents = Documents::new(build);
    let change = ObjectChange {
        resource_type: "azurerm_role_assignment",
        before: build
            .parse(Some(r#"{"role_definition_name": "Contributor", "role_definition_id": "/x/b24988ac-6180-42a0-ab88-20f7382dd24c"}"#))
            .unwrap(),
        after: build.parse(Some(r#"{"role_definition_name": "Owner"}"#)).unwrap(),
        documents: &documents,
    };
    let judgements = judge(&change).unwrap();
    assert_eq!(judgements.len(), 2);
    for judgement in judgements {
        assert_eq!(
            judgement.directions,
            Direction::Wider.into(),
            "{:?}",
            judgement.place
        );
    }
}

#[test]
fn what_cannot_be_told_is_neither_the_same_nor_narrower() {
    let changes = [
        (
            "azurerm_role_assignment",
            "scope",
            r#""/providers/Microsoft.Management/managementGroups/a""#,
            r#""/subscriptions/1""#,
            "another+narrower",
        ),
        (
            "google_project_iam_member",
            "condition.expression",
            r#""f(x)""#,
            r#""g(x)""#,
            "another",
        ),
        (
            "aws_kms_grant",
            "constraints.encryption_context_equals",
            r#"{"a": "1"}"#,
            r#"{"a": "2"}"#,
            "another",
        ),
    ];
    for (resource_type, place, before, after, direction) in changes {
        let object = |value: &str| match place.split_once('.') {
            Some((first, rest)) => format!(r#"{{"{first}": [{{"{rest}": {value}}}]}}"#),
            None => format!(r#"{{"{place}": {value}}}"#),
        };
        assert_eq!(
            told(resource_type, &object(before), &object(after), place),
            direction
        );
    }
}

#[test]
fn each_type_is_listed_once_and_each_twin_exists() {
    let mut seen = std::collections::HashSet::new();
    for form in all_forms() {
        for name in form.types {
            assert!(seen.insert(*name), "{name} is listed twice");
            assert!(
                form_of(name).is_some_and(|found| found.types == form.types),
                "{name}"
            );
        }
        for part in form.parts {
            let twin = part.twin.unwrap_or(part.place);
            assert!(form.parts.iter().any(|other| other.place == twin), "{twin}");
        }
    }
}
