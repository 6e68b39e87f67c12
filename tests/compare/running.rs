//! What an approved plan runs is part of the approval; what is hidden in it is in no text and no fingerprint.

#![allow(clippy::needless_pass_by_value, reason = "values of the macro `json!` are used once")]

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
        ("create", json!(["create"]), run("echo 1", "TOKEN1"), run("curl TOKEN2", "TOKEN1"), 3, true),
        ("replace", json!(["delete", "create"]), run("echo 1", "a"), run("echo 2", "a"), 3, true),
        ("destroy", json!(["delete"]), run("echo 1", "a"), run("echo 2", "a"), 3, true),
        ("update", json!(["update"]), run("echo 1", "a"), run("echo 2", "a"), 0, false),
        ("secret", json!(["create"]), run("echo 1", "TOKEN1"), run("echo 1", "TOKEN2"), 3, false),
    ];
    for (case, actions, old, new, exit, differs) in cases {
        write(&folder, "a.json", &with_provisioner(actions.clone(), old, region("eu")));
        write(&folder, "b.json", &with_provisioner(actions, new, region("eu")));
        check(&folder, case, exit, differs);
    }
    let create = json!(["create"]);
    write(&folder, "a.json", &with_provisioner(create.clone(), run("echo", "a"), region("eu")));
    write(&folder, "b.json", &with_provisioner(create, run("echo", "a"), region("us")));
    check(&folder, "provider", 3, true);
}

fn check(folder: &Path, case: &str, exit: i32, differs: bool) {
    for format in ["terminal", "markdown", "json", "html"] {
        let (code, text) =
            tfview(folder, &["diff", "--fail-on=wider", "--format", format, "a.json", "b.json"]);
        assert_eq!(code, exit, "{case} {format}: {text}");
        assert!(!text.contains("TOKEN"), "{case} {format}: {text}");
    }
    let [a, b] = ["a.json", "b.json"].map(|file| tfview(folder, &["diff", "--fingerprint", file]).1);
    assert_eq!(a != b, differs, "{case}: {a}{b}");
}

#[test]
fn destroy_provisioners_run_only_when_something_is_destroyed() {
    let folder = folder("when");
    let run = |command: &str| {
        json!({"type": "local-exec", "when": "destroy",
        "expressions": {"command": {"constant_value": command}}})
    };
    for (actions, exit) in [(json!(["create"]), 0), (json!(["delete"]), 3), (json!(["create", "delete"]), 3)]
    {
        write(&folder, "a.json", &with_provisioner(actions.clone(), run("1"), json!({})));
        write(&folder, "b.json", &with_provisioner(actions, run("2"), json!({})));
        check(&folder, "when", exit, exit != 0);
    }
}

#[test]
fn a_key_inside_a_hidden_value_is_in_no_path() {
    let folder = folder("keys");
    for (file, key) in [("a.json", "TOKEN1"), ("b.json", "TOKEN2")] {
        for (name, marks) in [("tags", [true, false]), ("tags", [false, true]), ("password", [false, false])]
        {
            let value = json!({"id": "1", name: {key: {"deep": "x"}}});
            let mark = |is: bool| if is { json!({name: true}) } else { json!({}) };
            let change = json!({"actions": ["delete", "create"], "before": value, "after": value,
                "before_sensitive": mark(marks[0]), "after_sensitive": mark(marks[1]),
                "replace_paths": [[name, key], [name, key, "deep"], ["id"]]});
            write(&folder, file, &plan(change, json!({})));
            for format in ["terminal", "markdown", "json", "html", "sarif"] {
                let (code, text) = tfview(&folder, &["review", "--format", format, file]);
                assert!(code < 2 && !text.contains("TOKEN"), "{name} {format}: {text}");
            }
        }
    }
    check(&folder, "keys", 0, false);
}

#[test]
fn a_schema_that_leaves_sensitive_out_shows_nothing() {
    let folder = folder("schemas");
    let schemas = json!({"registry.terraform.io/hashicorp/aws": {"resource_schemas": {"aws_db_instance": {
        "version": 0, "block": {"attributes": {"id": {"type": "string"}, "password": {"type": "string"}}}}}}});
    write(&folder, "schema.json", &json!({"format_version": "1.0", "provider_schemas": schemas}));
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
                for command in [&["show"][..], &["review"], &["review", "--format=json"], &["diff", "a.json"]]
                {
                    let (code, text) = tfview(&folder, &[command, given, &["b.json"]].concat());
                    assert!(code == 0 && !text.contains("TOKEN"), "{command:?} {given:?}: {text}");
                }
                let [a, b] = ["a.json", "b.json"]
                    .map(|file| tfview(&folder, &[&["diff", "--fingerprint"], given, &[file]].concat()).1);
                assert_eq!(a, b);
            }
        }
    }
}
