//! What an approved plan runs is part of the approval; what is hidden in it is in no text and no fingerprint.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values of the macro `json!` are used once"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("running-{name}"));
    let _: std::io::Result<()> = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn tfview(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(args)
        .env_clear()
        .env("XDG_DATA_HOME", folder)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap(), text)
}

fn plan(change: Value, configuration: Value) -> Value {
    json!({"format_version": "1.2", "terraform_version": "1.9.0", "configuration": configuration,
        "resource_changes": [{"address": "aws_db_instance.d", "mode": "managed", "type": "aws_db_instance",
            "name": "d", "provider_name": "registry.terraform.io/hashicorp/aws", "change": change}]})
}

fn write(folder: &Path, name: &str, document: &Value) {
    fs::write(folder.join(name), document.to_string()).unwrap();
}

fn with_provisioner(actions: Value, provisioner: Value, provider: Value) -> Value {
    let change = json!({"actions": actions, "before": {"id": "1"}, "after": {"id": "1"}});
    plan(
        change,
        json!({
        "provider_config": {"aws": {"name": "aws", "full_name": "registry.terraform.io/hashicorp/aws",
            "expressions": provider}},
        "root_module": {"resources": [{"address": "aws_db_instance.d", "mode": "managed",
            "type": "aws_db_instance", "name": "d", "expressions": {}, "provisioners": [provisioner]}]}}),
    )
}

#[test]
fn a_command_that_changed_after_the_approval_is_wider() {
    let folder = folder("commands");
    let run = |command: &str, secret: &str| {
        json!({"type": "local-exec", "expressions": {
        "command": {"constant_value": command}, "environment": {"constant_value": {"DB_PASSWORD": secret}}}})
    };
    let region = |region: &str| {
        json!({"region": {"constant_value": region},
        "secret_key": {"constant_value": format!("TOKEN-{region}")}})
    };
    let cases = [
        (
            "create",
            json!(["create"]),
            run("echo 1", "TOKEN1"),
            run("curl TOKEN2", "TOKEN1"),
            3,
            true,
        ),
        (
            "replace",
            json!(["delete", "create"]),
            run("echo 1", "a"),
            run("echo 2", "a"),
            3,
            true,
        ),
        (
            "destroy",
            json!(["delete"]),
            run("echo 1", "a"),
            run("echo 2", "a"),
            3,
            true,
        ),
        (
            "update",
            json!(["update"]),
            run("echo 1", "a"),
            run("echo 2", "a"),
            0,
            false,
        ),
        (
            "secret",
            json!(["create"]),
            run("echo 1", "TOKEN1"),
            run("echo 1", "TOKEN2"),
            3,
            false,
        ),
    ];
    for (case, actions, old, new, exit, differs) in cases {
        write(
            &folder,
            "a.json",
            &with_provisioner(actions.clone(), old, region("eu")),
        );
        write(
            &folder,
            "b.json",
            &with_provisioner(actions, new, region("eu")),
        );
        check(&folder, case, exit, differs);
    }
    let create = json!(["create"]);
    write(
        &folder,
        "a.json",
        &with_provisioner(create.clone(), run("echo", "a"), region("eu")),
    );
    write(
        &folder,
        "b.json",
        &with_provisioner(create, run("echo", "a"), region("us")),
    );
    check(&folder, "provider", 3, true);
}

fn check(folder: &Path, case: &str, exit: i32, differs: bool) {
    for format in ["terminal", "markdown", "json", "html"] {
        let (code, text) = tfview(
            folder,
            &[
                "diff",
                "--fail-on=wider",
                "--format",
                format,
                "a.json",
                "b.json",
            ],
        );
        assert_eq!(code, exit, "{case} {format}: {text}");
        assert!(!text.contains("TOKEN"), "{case} {format}: {text}");
    }
    let [a, b] =
        ["a.json", "b.json"].map(|file| tfview(folder, &["diff", "--fingerprint", file]).1);
    assert_eq!(a != b, differs, "{case}: {a}{b}");
}

#[test]
fn destroy_provisioners_run_only_when_something_is_destroyed() {
    let folder = folder("when");
    let run = |command: &str| {
        json!({"type": "local-exec", "when": "destroy",
        "expressions": {"command": {"constant_value": command}}})
    };
    for (actions, exit) in [
        (json!(["create"]), 0),
        (json!(["delete"]), 3),
        (json!(["create", "delete"]), 3),
    ] {
        write(
            &folder,
            "a.json",
            &with_provisioner(actions.clone(), run("1"), json!({})),
        );
        write(
            &folder,
            "b.json",
            &with_provisioner(actions, run("2"), json!({})),
        );
        check(&folder, "when", exit, exit != 0);
    }
}

#[test]
fn a_key_inside_a_hidden_value_is_in_no_path() {
    let folder = folder("keys");
    for (file, key) in [("a.json", "TOKEN1"), ("b.json", "TOKEN2")] {
        for (name, marks) in [
            ("tags", [true, false]),
            ("tags", [false, true]),
            ("password", [false, false]),
        ] {
            let value = json!({"id": "1", name: {key: {"deep": "x"}}});
            let mark = |is: bool| if is { json!({name: true}) } else { json!({}) };
            let change = json!({"actions": ["delete", "create"], "before": value, "after": value,
                "before_sensitive": mark(marks[0]), "after_sensitive": mark(marks[1]),
                "replace_paths": [[name, key], [name, key, "deep"], ["id"]]});
            write(&folder, file, &plan(change, json!({})));
            for format in ["terminal", "markdown", "json", "html", "sarif"] {
                let (code, text) = tfview(&folder, &["review", "--format", format, file]);
                assert!(
                    code < 2 && !text.contains("TOKEN"),
                    "{name} {format}: {text}"
                );
            }
        }
    }
    // The object that is created gets another value.
    check(&folder, "keys", 3, false);
}

#[test]
fn a_schema_that_leaves_sensitive_out_shows_nothing() {
    let folder = folder("schemas");
    let schemas = json!({"registry.terraform.io/hashicorp/aws": {"resource_schemas": {"aws_db_instance": {
        "version": 0, "block": {"attributes": {"id": {"type": "string"}, "password": {"type": "string"}}}}}}});
    write(
        &folder,
        "schema.json",
        &json!({"format_version": "1.0", "provider_schemas": schemas}),
    );
    for is_embedded in [false, true] {
        for (file, secret) in [("a.json", "TOKEN1"), ("b.json", "TOKEN2")] {
            let change = json!({"actions": ["update"], "before": {"id": "1", "password": "x"},
                "after": {"id": "2", "password": secret}});
            let mut plan = plan(change, json!({}));
            if is_embedded {
                plan["provider_schemas"] = schemas.clone();
            }
            write(&folder, file, &plan);
        }
        for stored in [false, true] {
            if stored {
                assert_eq!(tfview(&folder, &["schema", "add", "schema.json"]).0, 0);
            }
            for given in [&[][..], &["--schemas", "schema.json"]] {
                for command in [
                    &["show"][..],
                    &["review"],
                    &["review", "--format=json"],
                    &["diff", "a.json"],
                ] {
                    let (code, text) = tfview(&folder, &[command, given, &["b.json"]].concat());
                    assert!(
                        code == 0 && !text.contains("TOKEN"),
                        "{command:?} {given:?}: {text}"
                    );
                }
                let [a, b] = ["a.json", "b.json"].map(|file| {
                    tfview(
                        &folder,
                        &[&["diff", "--fingerprint"], given, &[file]].concat(),
                    )
                    .1
                });
                assert_eq!(a, b);
            }
        }
    }
}

/// A configuration that cannot be read counted as one that runs nothing.
#[test]
fn a_configuration_that_cannot_be_read_is_an_error() {
    let folder = folder("malformed");
    let run = |command: &str| json!({"type": "local-exec", "expressions": {"command": {"constant_value": command}}});
    let good = with_provisioner(
        json!(["create"]),
        run("echo"),
        json!({"region": {"constant_value": "eu"}}),
    );
    write(&folder, "a.json", &good);
    let text = good.to_string();
    let cases = [
        ("\"root_module\":{", "\"root_module\":[],\"other\":{"),
        ("\"resources\":[{", "\"resources\":[1,{"),
        (
            "\"mode\":\"managed\",\"name\":\"d\",\"provisioners\"",
            "\"mode\":7,\"name\":\"d\",\"provisioners\"",
        ),
        ("\"root_module\":{", "\"root_module\":{},\"root_module\":{"),
        (
            "\"provisioners\":[",
            "\"provisioners\":[],\"provisioners\":[",
        ),
        (
            "\"provider_config\":{",
            "\"provider_config\":[],\"other\":{",
        ),
        ("\"provider_config\":{", "\"provider_config\":{\"aws\":{},"),
        (
            "\"constant_value\":\"echo\"",
            "\"constant_value\":\"curl\",\"constant_value\":\"echo\"",
        ),
        (
            "\"constant_value\":\"eu\"",
            "\"constant_value\":\"us\",\"constant_value\":\"eu\"",
        ),
        ("\"configuration\":{", "\"configuration\":[],\"other\":{"),
    ];
    let mut errors = std::collections::BTreeSet::new();
    for (from, to) in cases {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        fs::write(folder.join("b.json"), changed).unwrap();
        for args in [
            &["diff", "a.json", "b.json"][..],
            &["diff", "b.json", "a.json"],
            &["diff", "--fingerprint", "b.json"],
        ] {
            let (code, text) = tfview(&folder, args);
            assert_eq!(code, 1, "{to} {args:?}: {text}");
            let (_, why) = text.split_once(": the `configuration`").unwrap();
            errors.insert(format!("{from} -> {to}: the `configuration`{why}"));
        }
    }
    let errors: String = errors.into_iter().collect();
    insta::assert_snapshot!(errors);
}

/// Of two blocks with one address, and of a block of another mode, no provisioner is left out.
#[test]
fn provisioners_of_every_block_with_the_address_count() {
    let folder = folder("blocks");
    let run = |command: &str| json!({"type": "local-exec", "expressions": {"command": {"constant_value": command}}});
    let block = |mode: &str, command: &str| {
        json!({"address": "aws_db_instance.d", "mode": mode, "type": "aws_db_instance", "name": "d",
            "provisioners": [run(command)]})
    };
    let with = |blocks: [Value; 2]| {
        let change = json!({"actions": ["create"], "before": null, "after": {"id": "1"}});
        plan(change, json!({"root_module": {"resources": blocks}}))
    };
    for mode in ["managed", "Managed", ""] {
        write(
            &folder,
            "a.json",
            &with([block(mode, "echo"), block("managed", "true")]),
        );
        write(
            &folder,
            "b.json",
            &with([block(mode, "curl"), block("managed", "true")]),
        );
        check(&folder, mode, 3, true);
    }
    // A plan without its configuration does not say what it runs.
    let mut without = with([block("managed", "echo"), block("managed", "true")]);
    without.as_object_mut().unwrap().remove("configuration");
    write(&folder, "b.json", &without);
    check(&folder, "none", 3, true);
}

#[test]
fn a_plan_that_becomes_incomplete_or_applicable_is_wider() {
    let folder = folder("flags");
    for (name, old, new, exit, differs) in [
        ("applyable", json!(false), json!(true), 3, true),
        ("applyable", json!(true), json!(false), 0, true),
        ("applyable", Value::Null, json!(true), 0, true),
        ("complete", json!(true), json!(false), 3, true),
        ("complete", Value::Null, json!(false), 3, true),
        ("complete", Value::Null, json!(true), 0, true),
        ("errored", json!(false), json!(true), 3, true),
        ("errored", Value::Null, json!(true), 3, true),
    ] {
        for (file, value) in [("a.json", &old), ("b.json", &new)] {
            let mut plan = plan(
                json!({"actions": ["no-op"], "before": {}, "after": {}}),
                json!({}),
            );
            plan[name] = value.clone();
            write(&folder, file, &plan);
        }
        check(&folder, &format!("{name} {old} {new}"), exit, differs);
        let (code, text) = tfview(
            &folder,
            &["diff", "--detailed-exitcode", "a.json", "b.json"],
        );
        let is_noticed = !old.is_null() || exit == 3;
        assert_eq!(
            code,
            if is_noticed { 2 } else { 0 },
            "{name} {old} {new}: {text}"
        );
    }
}

/// The value on the other side may be the same, and a hash of it can be guessed.
#[test]
fn a_value_that_one_side_hides_is_in_no_fingerprint() {
    let folder = folder("one-side");
    let marked = |is: bool| {
        if is {
            json!({"a": {"b": [true]}})
        } else {
            json!({})
        }
    };
    for (actions, marks) in [
        (json!(["update"]), [true, false]),
        (json!(["update"]), [false, true]),
        (json!(["delete", "create"]), [true, false]),
        (json!(["delete", "create"]), [false, true]),
    ] {
        for (file, secret) in [("a.json", "TOKEN1"), ("b.json", "TOKEN2")] {
            let value = |other: &str| json!({"id": other, "a": {"b": [secret, other]}});
            let change = json!({"actions": actions, "before": value("x"), "after": value("y"),
                "before_sensitive": marked(marks[0]), "after_sensitive": marked(marks[1])});
            let mut plan = plan(change.clone(), json!({}));
            plan["output_changes"] = json!({"o": {"actions": ["update"], "before": secret, "after": "y",
                "before_sensitive": false, "after_sensitive": true}});
            write(&folder, file, &plan);
        }
        let [a, b] =
            ["a.json", "b.json"].map(|file| tfview(&folder, &["diff", "--fingerprint", file]));
        assert_eq!(a, b, "{actions} {marks:?}");
    }
}

fn regression(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/regressions")
        .join(name)
}

fn assert_other_is_wider(name: &str, ending: &str) {
    let folder = regression(name);
    let [approved, now] = ["approved", "now"].map(|file| format!("{file}.{ending}"));
    let (code, text) = tfview(&folder, &["diff", "--fail-on=wider", &approved, &now]);
    assert_eq!(code, 3, "{name}: {text}");
    let (code, text) = tfview(&folder, &["diff", "--fail-on=any", &approved, &approved]);
    assert_eq!(code, 0, "{name}: {text}");
    if ending == "json" {
        let [old, new] =
            [approved, now].map(|file| tfview(&folder, &["diff", "--fingerprint", &file]).1);
        assert_ne!(old, new, "{name}");
    }
}

/// A replacement that created another object than the approved one counted as the same.
#[test]
fn diff_replaced_object() {
    assert_other_is_wider("diff-replaced-object", "json");
}

/// A resource that was given to another provider configuration counted as the same.
#[test]
fn diff_provider_alias() {
    assert_other_is_wider("diff-provider-alias", "json");
    assert_other_is_wider("diff-provider-alias", "tfplan");
}

/// A command that takes its text from a local value, an output of a module or `each` counted as the same.
#[test]
fn what_a_provisioner_takes_from_the_configuration_is_followed() {
    let folder = regression("diff-provisioner-from-locals");
    for (now, exit) in [("same", 0), ("local", 3), ("output", 3), ("each", 3)] {
        let now = format!("{now}.tfplan");
        let (code, text) = tfview(&folder, &["diff", "--fail-on=any", "approved.tfplan", &now]);
        assert_eq!(code, exit, "{now}: {text}");
    }
}

fn assert_done(folder: &str, words: &[&str]) -> String {
    let words = [&["diff", "--fail-on=any"], words].concat();
    let (code, text) = tfview(&regression(folder), &words);
    assert_eq!(code, 0, "{folder} {words:?}: {text}");
    text
}

/// A good apply counted as another one: a provider on the older SDK writes zeros for null, and values that nobody
/// configured move on.
#[test]
fn null_that_a_provider_makes_zero_is_as_approved() {
    assert_done("result-null-to-zero", &["plan.json", "state.json"]);
}

/// A good apply counted as another one, and its lines disagreed: the data of a check could not be read.
#[test]
fn data_of_a_check_that_cannot_be_read_is_a_warning_in_diff() {
    for result in ["state.json", "apply.jsonl"] {
        let text = assert_done("result-check-data", &["plan.json", result]);
        assert!(
            !text.contains("failed") && !text.contains("its end is unknown"),
            "{text}"
        );
    }
}

/// A value that the configuration gives is never expected to come out otherwise.
#[test]
fn a_configured_value_that_came_out_otherwise_is_wider() {
    let folder = folder("configured");
    let after = json!({"id": "1", "given": "a", "null_given": null, "unset": null, "computed": "a", "maybe_block": [{"a": "a"}]});
    let configuration = json!({"root_module": {"resources": [{"address": "aws_db_instance.d", "mode": "managed",
        "type": "aws_db_instance", "name": "d", "expressions": {"given": {"constant_value": "a"},
        "null_given": {"references": ["var.x"]}}}]}});
    let change =
        json!({"actions": ["update"], "before": {"id": "1", "given": "b"}, "after": after});
    write(&folder, "plan.json", &plan(change, configuration));
    for (name, value, exit) in [
        ("given", json!("evil"), 3),
        ("given", json!(""), 3),
        ("null_given", json!("evil"), 3),
        ("id", json!("2"), 3),
        ("maybe_block", json!([{"a": "evil"}]), 3),
        ("computed", json!("b"), 3),
        ("unset", json!("b"), 0),
        ("null_given", json!(false), 0),
    ] {
        let mut after = after.clone();
        after[name] = value.clone();
        let state = json!({"format_version": "1.0", "terraform_version": "1.9.0", "values": {"root_module": {
            "resources": [{"address": "aws_db_instance.d", "mode": "managed", "type": "aws_db_instance",
                "name": "d", "provider_name": "registry.terraform.io/hashicorp/aws", "values": after}]}}});
        write(&folder, "state.json", &state);
        let (code, text) = tfview(
            &folder,
            &["diff", "--fail-on=any", "plan.json", "state.json"],
        );
        assert_eq!(code, exit, "{name} {value}: {text}");
    }
}

/// An errored plan counted as done, and as the same.
#[test]
fn an_errored_plan_is_not_as_approved() {
    let folder = regression("result-errored");
    for now in ["plan.json", "state.json"] {
        let (code, text) = tfview(&folder, &["diff", "--detailed-exitcode", "plan.json", now]);
        assert_eq!(code, 2, "{now}: {text}");
        let (code, text) = tfview(&folder, &["diff", "--fail-on=any", "plan.json", now]);
        assert_eq!(code, 3, "{now}: {text}");
    }
}

/// A value that is known after apply may be made of anything: another reference, constant or argument of a module call
/// counted as the same.
#[test]
fn what_an_unknown_value_is_made_of_is_compared() {
    let folder = folder("unknown-arguments");
    let role =
        |references: Value| json!({"id": {}, "role": references, "size": {"constant_value": "s"}});
    let with = |expressions: Value, unknown: Value, after: Value| {
        let change = json!({"actions": ["create"], "before": null, "after": after, "after_unknown": unknown});
        let configuration = json!({"root_module": {"resources": [{"address": "aws_db_instance.d", "mode": "managed",
            "type": "aws_db_instance", "name": "d", "provider_config_key": "aws", "expressions": expressions}]}});
        plan(change, configuration)
    };
    let of = |reference: &str| role(json!({"references": [format!("{reference}.arn"), reference]}));
    let unknown = json!({"id": true, "role": true});
    let approved = with(
        of("aws_iam_role.reader"),
        unknown.clone(),
        json!({"size": "s"}),
    );
    write(&folder, "a.json", &approved);
    for (case, now, exit) in [
        ("same", approved, 0),
        (
            "other reference",
            with(
                of("aws_iam_role.admin"),
                unknown.clone(),
                json!({"size": "s"}),
            ),
            3,
        ),
        (
            "constant",
            with(
                role(json!({"constant_value": "admin"})),
                unknown.clone(),
                json!({"size": "s"}),
            ),
            3,
        ),
        (
            "none",
            with(
                json!({"size": {"constant_value": "s"}}),
                unknown,
                json!({"size": "s"}),
            ),
            3,
        ),
        (
            "known now, of the same",
            with(
                of("aws_iam_role.reader"),
                json!({"id": true}),
                json!({"size": "s", "role": "reader"}),
            ),
            0,
        ),
        (
            "known now, of another",
            with(
                of("aws_iam_role.admin"),
                json!({"id": true}),
                json!({"size": "s", "role": "admin"}),
            ),
            3,
        ),
    ] {
        write(&folder, "b.json", &now);
        let (code, text) = tfview(&folder, &["diff", "--fail-on=wider", "a.json", "b.json"]);
        assert_eq!(code, exit, "{case}: {text}");
        let [old, new] =
            ["a.json", "b.json"].map(|file| tfview(&folder, &["diff", "--fingerprint", file]).1);
        assert_eq!(old == new, case == "same", "{case}");
    }
}

/// What nothing is done with decides nothing: the configuration was asked for before it was known that nothing changes.
#[test]
fn a_plan_without_changes_needs_no_configuration() {
    let folder = folder("no-changes");
    let plan =
        json!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": []});
    let mut configured = plan.clone();
    configured["configuration"] = json!({"root_module": {}});
    write(&folder, "approved.json", &configured);
    write(&folder, "plan.json", &plan);
    let (code, text) = tfview(&folder, &["diff", "approved.json", "plan.json"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text, @r"
    ✓ The same as approved.
      Approved: approved.json, Terraform or OpenTofu 1.9.0
      Now: plan.json, Terraform or OpenTofu 1.9.0
    ");
}
