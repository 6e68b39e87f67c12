//! Each case of `fixtures/compare` has the verdict of its name: it is the approved plan with one difference.

use std::fs;

use serde_json::json;
use tfview::internals::compare::{Class, Options, Verdict};
use tfview::internals::report::Budget;

use super::{compare, fingerprint, read, root};
use crate::plan::{Change, PlanBuilder};

/// The prefix of every secret in the cases.
const SECRET: &str = "s3cr3t";

fn cases() -> Vec<(String, String)> {
    let files = fs::read_dir(root().join("fixtures/compare"))
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut cases: Vec<(String, String)> = files
        .map(|path| {
            (
                path.file_stem().unwrap().to_string_lossy().into_owned(),
                read(&path),
            )
        })
        .collect();
    cases.sort();
    assert!(cases.len() > 30);
    cases
}

fn case(name: &str) -> String {
    read(&root().join(format!("fixtures/compare/{name}.json")))
}

#[test]
fn each_case_has_the_verdict_of_its_name() {
    let approved = case("approved");
    for (name, now) in cases() {
        let outcome = compare(&approved, &now, None, &Options::default());
        let expected = match name.split('-').next().unwrap() {
            "approved" | "same" => Verdict::Same,
            "within" => Verdict::Within,
            "wider" => Verdict::Wider,
            other => panic!("{other}"),
        };
        assert_eq!(outcome.verdict, expected, "{name}\n{}", outcome.terminal);
        for text in outcome.all() {
            assert!(!text.contains(SECRET), "{name}: {text}");
        }
        assert_eq!(
            fingerprint(&approved, None, true) == fingerprint(&now, None, true),
            expected == Verdict::Same || name == "within-world-changed",
            "{name}"
        );
        let back = compare(&now, &approved, None, &Options::default());
        if name == "wider-moved" {
            // The object has a different address in each plan.
            continue;
        }
        assert_eq!(
            outcome.places, back.places,
            "{name}: the other direction finds the same places"
        );
    }
}

#[test]
fn differences_have_their_classes() {
    let approved = case("approved");
    for (name, class) in [
        ("wider-destroy", Class::Destroy),
        ("wider-replace", Class::Destroy),
        ("wider-action", Class::Action),
        ("wider-moved", Class::Action),
        ("wider-import", Class::Action),
        ("wider-value", Class::Value),
        ("wider-secret", Class::Value),
        ("wider-set-back", Class::Value),
        ("wider-became-unknown", Class::Unknown),
        ("within-less", Class::Reduced),
        ("within-unknown-filled-in", Class::Known),
        ("within-order-in-a-policy", Class::NotationOnly),
        ("within-json-written-otherwise", Class::NotationOnly),
        ("within-world-changed", Class::Drifted),
    ] {
        let outcome = compare(&approved, &case(name), None, &Options::default());
        assert_eq!(outcome.classes, [class], "{name}\n{}", outcome.terminal);
    }
}

#[test]
fn text_matches_the_documentation() {
    let outcome = compare(
        &case("approved"),
        &case("wider-value"),
        None,
        &Options::default(),
    );
    let expected = "! More than was approved: 1 value differs.\n  4 changes are the same.\n  \
         Approved: approved.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z\n  \
         Now: now.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z\n\n  \
         ~ aws_instance.app ami: approved \"ami-1\" -> \"ami-2\", now \"ami-1\" -> \"ami-3\"\n";
    assert_eq!(outcome.terminal, expected);
    let renamed = compare(
        &case("approved"),
        &case("wider-renamed"),
        None,
        &Options::default(),
    );
    insta::assert_snapshot!(renamed.terminal, @r"
    ! More than was approved: 1 other action, 1 less than approved.
      4 changes are the same.
      Approved: approved.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z
      Now: now.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z

      ! aws_iam_policy.q is created: not in the approved plan; possibly aws_iam_policy.p under another name
      < aws_iam_policy.p is created: approved, not in the new plan
    ");
}

#[test]
fn ignored_paths_are_counted() {
    for glob in ["ami", "a*", "aws_instance.app.ami", "aws_instance.*.ami"] {
        let options = Options {
            ignored: vec![glob.to_owned()],
            ..Options::default()
        };
        let outcome = compare(&case("approved"), &case("wider-value"), None, &options);
        assert_eq!(outcome.verdict, Verdict::Same);
        insta::allow_duplicates! {
            insta::assert_snapshot!(outcome.terminal, @r"
            ✓ The same as approved.
              4 changes are the same. 1 difference ignored (--ignore).
              Approved: approved.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z
              Now: now.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z
            ");
        }
    }
    let options = Options {
        ignored: vec!["*".to_owned()],
        ..Options::default()
    };
    for name in [
        "wider-destroy",
        "wider-replace",
        "wider-action",
        "wider-import",
        "wider-errored",
    ] {
        let outcome = compare(&case("approved"), &case(name), None, &options);
        assert_eq!(
            outcome.verdict,
            Verdict::Wider,
            "{name}: no action is ignored"
        );
    }
}

#[test]
fn a_fingerprint_leaves_sensitive_values_out() {
    let approved = case("approved");
    for name in ["wider-secret", "wider-secret-variable"] {
        assert_eq!(
            fingerprint(&approved, None, false),
            fingerprint(&case(name), None, false),
            "{name}"
        );
        assert_ne!(
            fingerprint(&approved, None, true),
            fingerprint(&case(name), None, true),
            "{name}"
        );
    }
}

#[test]
fn sensitive_values_are_shown_on_request() {
    let options = Options {
        show_sensitive: true,
        ..Options::default()
    };
    let outcome = compare(&case("approved"), &case("wider-secret"), None, &options);
    insta::assert_snapshot!(outcome.terminal, @r#"
    ! More than was approved: 1 value differs.
      4 changes are the same.
      Approved: approved.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z
      Now: now.json, Terraform 1.9.0, planned at 2026-01-01T00:00:00Z

      ~ aws_instance.app user_data: approved "s3cr3t-before" -> "s3cr3t-after", now "s3cr3t-before" -> "s3cr3t-other"
    "#);
}

#[test]
fn markdown_fits_and_counts_what_it_leaves_out() {
    let mut now: serde_json::Value = serde_json::from_str(&case("approved")).unwrap();
    for number in 0..200 {
        let mut more: serde_json::Value = serde_json::from_str(&case("wider-action")).unwrap();
        let mut change = more["resource_changes"]
            .as_array_mut()
            .unwrap()
            .pop()
            .unwrap();
        change["address"] = format!("aws_instance.`more`[{number}]").into();
        now["resource_changes"].as_array_mut().unwrap().push(change);
    }
    let now = now.to_string();
    let (approved, schemas, arena) = (
        case("approved"),
        tfview::internals::schema::Schemas::new(),
        bumpalo::Bump::new(),
    );
    let mut storage = tfview::internals::diff::parallel::Storage::default();
    let (old, new) = (super::plan(&approved), super::plan(&now));
    let side = |text, plan| compare::Side {
        name: "x",
        text,
        plan,
        schemas: &schemas,
    };
    let comparison = compare::compare(
        side(&*approved, &old),
        side(&*now, &new),
        &Options::default(),
        &arena,
        &mut storage,
    )
    .unwrap();
    let budget = Budget {
        bytes: 4_000,
        ..Budget::default()
    };
    let text =
        tfview::internals::report::markdown(&mut compare::formats::report(&comparison), budget);
    assert!(text.len() <= 4_000, "{} {text}", text.len());
    let rest: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("not listed"))
        .collect();
    insta::assert_snapshot!(rest.join("\n"), @"_Cut for the size: 61 entries without details, 139 entries not listed, 2 other lines not shown. `tfview diff` prints all._");
}

#[test]
fn the_elements_of_sets_have_the_same_order_in_every_run() {
    let schema = r#"{"provider_schemas":{"registry.example/x/sets":{"resource_schemas":{"sets_a":{"block":
        {"attributes":{"names":{"type":["set","string"]}}}}}}}}"#;
    let plan = |names: &[&str]| {
        let change = Change::created("sets_a.a", json!({"names": names}))
            .provider("registry.example/x/sets");
        PlanBuilder::of([change]).json()
    };
    let (approved, now) = (plan(&["a", "b", "c"]), plan(&["x", "y", "z", "a"]));
    let text = || compare(&approved, &now, Some(schema), &Options::default()).terminal;
    let expected = text();
    assert!((0..16).all(|_| text() == expected), "{expected}");
}

#[test]
fn secrets_of_an_action_without_a_schema_are_hidden() {
    let plan = |secret: &str| {
        let action = json!({"address": "action.x_notify.n", "type": "x_notify", "name": "n",
            "provider_name": "registry.example/x/notify", "config_values": {"password": secret},
            "invoke_action_trigger": {"calling_resource_address": "x_a.a"}});
        json!({"format_version": "1.2", "action_invocations": [action]}).to_string()
    };
    let outcome = compare(
        &plan("s3cr3t-old"),
        &plan("s3cr3t-new"),
        None,
        &Options::default(),
    );
    assert_eq!(outcome.classes, [Class::Value]);
    for text in outcome.all() {
        assert!(!text.contains(SECRET), "{text}");
    }
}

/// A value that only one side of a change marks was shown on the other side, where it may be the same.
#[test]
fn secrets_that_one_side_of_a_change_marks_are_hidden_on_the_other() {
    let value = |secret: &str| json!({"password": secret, "list": ["x", secret], "blocks": [{"name": "a", "key": secret}]});
    let marks = json!({"password": true, "list": [false, true], "blocks": [{"key": true}]});
    let moved = |secret: &str| json!({"password": secret, "list": [secret], "blocks": [{"name": "b"}, {"name": "a", "key": secret}]});
    let plan = |member: &str,
                before: serde_json::Value,
                after: serde_json::Value,
                marks: [&serde_json::Value; 2]| {
        let change = Change::updated("x_a.a", before, after).sensitive(marks[0], marks[1]);
        PlanBuilder::new().with(member, json!([change])).json()
    };
    let none = json!({});
    for member in ["resource_changes", "resource_drift"] {
        let lost = |secret: &str| plan(member, value(secret), moved(secret), [&marks, &none]);
        let gained = |secret: &str| plan(member, moved(secret), value(secret), [&none, &marks]);
        let (old, new) = ("s3cr3t-old", "s3cr3t-new");
        for (approved, now) in [
            (lost(old), lost(new)),
            (gained(old), gained(new)),
            (lost(old), gained(new)),
            (gained(old), lost(new)),
        ] {
            let outcome = compare(&approved, &now, None, &Options::default());
            assert_ne!(outcome.verdict, Verdict::Same);
            for text in outcome.all() {
                assert!(!text.contains("s3cr3t"), "{member}: {text}");
            }
            let options = Options {
                show_sensitive: true,
                ..Options::default()
            };
            assert!(
                compare(&approved, &now, None, &options)
                    .terminal
                    .contains(old),
                "{approved}"
            );
        }
    }
}

/// Two moves of one object to different addresses counted as the same change.
#[test]
fn moves_of_an_object_to_different_addresses_differ() {
    let mut outputs = String::new();
    for actions in ["no-op", "update"] {
        let plan = |to: &str| {
            let change =
                Change::new(to, &[actions], json!({"a": 1}), json!({"a": 1})).moved_from("x_a.old");
            let plan = PlanBuilder::of([change]);
            plan.with("terraform_version", json!("1.9.0")).json()
        };
        let outcome = compare(
            &plan("x_a.here"),
            &plan("x_a.there"),
            None,
            &Options::default(),
        );
        assert_eq!(outcome.verdict, Verdict::Wider, "{}", outcome.terminal);
        outputs += &format!("{actions}:\n{}", outcome.terminal);
    }
    insta::assert_snapshot!(outputs, @r"
    no-op:
    ! More than was approved: 1 other action, 1 less than approved.
      Approved: approved.json, Terraform 1.9.0
      Now: now.json, Terraform 1.9.0

      ! x_a.there moves (state only): not in the approved plan; possibly x_a.here under another name
      < x_a.here moves (state only): approved, not in the new plan
    update:
    ! More than was approved: 1 other action, 1 less than approved.
      Approved: approved.json, Terraform 1.9.0
      Now: now.json, Terraform 1.9.0

      ! x_a.there changes: not in the approved plan; possibly x_a.here under another name
      < x_a.here changes: approved, not in the new plan
    ");
}

/// The ID was not compared if there was an identity too.
#[test]
fn imports_by_different_ids_differ() {
    let plan = |id: &str, identity: serde_json::Value| {
        let change = Change::new("x_a.a", &["no-op"], json!({}), json!({}))
            .in_change("importing", json!({"id": id, "identity": identity}));
        PlanBuilder::of([change]).json()
    };
    for (now, verdict) in [
        (plan("one", json!({"k": "v"})), Verdict::Same),
        (plan("two", json!({"k": "v"})), Verdict::Wider),
        (plan("one", json!({"k": "w"})), Verdict::Wider),
        (plan("one", json!(null)), Verdict::Wider),
    ] {
        let outcome = compare(
            &plan("one", json!({"k": "v"})),
            &now,
            None,
            &Options::default(),
        );
        assert_eq!(outcome.verdict, verdict, "{now} {}", outcome.terminal);
    }
}

/// Whether a run continues after the failure of an action was not read.
#[test]
fn what_the_failure_of_an_action_means_is_compared() {
    let plan = |on_failure: &str| {
        let trigger = json!({"triggering_resource_address": "x_a.a", "action_trigger_event": "AfterUpdate", "on_failure": on_failure});
        let action = json!({"address": "action.x_n.n", "type": "x_n", "name": "n", "lifecycle_action_trigger": trigger});
        json!({"format_version": "1.2", "action_invocations": [action]}).to_string()
    };
    let (approved, now) = (plan("fail"), plan("continue"));
    let outcome = compare(&approved, &now, None, &Options::default());
    assert_eq!(outcome.verdict, Verdict::Wider, "{}", outcome.terminal);
    insta::assert_snapshot!(outcome.terminal, @r"
    ! More than was approved: 1 other action.
      Approved: approved.json
      Now: now.json

      ! action.x_n.n on failure: approved fail, now continue
    ");
    assert_ne!(
        fingerprint(&approved, None, false),
        fingerprint(&now, None, false)
    );
}

/// The values of ephemeral variables, which no file may hold, were shown.
#[test]
fn values_of_ephemeral_variables_are_hidden() {
    let plan = |secret: &str| {
        let configuration = json!({"root_module": {"variables": {"token": {"ephemeral": true}}}});
        json!({"format_version": "1.2", "variables": {"token": {"value": secret}}, "configuration": configuration})
            .to_string()
    };
    let outcome = compare(
        &plan("s3cr3t-old"),
        &plan("s3cr3t-new"),
        None,
        &Options::default(),
    );
    assert_eq!(outcome.classes, [Class::Value]);
    outcome
        .all()
        .iter()
        .for_each(|text| assert!(!text.contains(SECRET), "{text}"));
}

/// The format's words for reasons were shown as they are.
#[test]
fn reasons_that_differ_are_said_in_words() {
    let plan = |reason: Option<&str>| {
        let change = json!({"address": "x_a.a", "mode": "managed", "type": "x_a", "name": "a", "action_reason": reason,
            "change": {"actions": ["delete", "create"], "before": {"v": 1}, "after": {"v": 2}, "after_unknown": {}}});
        json!({"format_version": "1.2", "resource_changes": [change]}).to_string()
    };
    let differ = |approved, now| {
        let (approved, now) = (plan(approved), plan(now));
        let text = compare(&approved, &now, None, &Options::default()).terminal;
        text.lines().last().unwrap_or_default().trim().to_owned()
    };
    let differences = [
        differ(
            Some("replace_because_tainted"),
            Some("replace_because_cannot_update"),
        ),
        differ(Some("replace_by_request"), None),
        differ(None, Some("a_new_reason")),
    ];
    insta::assert_snapshot!(differences.join("\n"), @r"
    = x_a.a reason: approved: it is tainted: the last apply did not finish it; now: it cannot be changed in place
    = x_a.a reason: approved: its replacement was requested (-replace); now: none
    = x_a.a reason: approved: none; now: a new reason
    ");
}
