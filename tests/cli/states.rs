//! `tfview diff STATE STATE`: what changed between two states, in any form.

use std::fs;
use std::path::Path;

use super::harness::{folder, tfview};

const OLD: &str = r#"{"version": 4, "terraform_version": "1.12.0", "serial": 1, "lineage": "l", "outputs": {
    "o": {"value": "x", "type": "string"}, "s": {"value": "hunter2", "type": "string", "sensitive": true}},
  "resources": [
    {"mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "1", "input": {"value": "old", "type": "string"}}}]},
    {"mode": "managed", "type": "terraform_data", "name": "b", "provider": "provider[\"terraform.io/builtin/terraform\"]",
     "instances": [{"attributes": {"id": "2"}}]},
    {"mode": "managed", "type": "acme_thing", "name": "c", "provider": "provider[\"registry.terraform.io/acme/acme\"]",
     "instances": [{"attributes": {"token": "hunter2", "id": "3"}}]}]}"#;

fn new() -> String {
    OLD.replace("\"old\"", "\"new\"")
        .replace("\"name\": \"b\"", "\"name\": \"d\"")
        .replace("hunter2", "hunter3")
        .replace("\"value\": \"x\"", "\"value\": \"y\"")
}

#[test]
fn what_changed_is_listed_and_secrets_stay_hidden() {
    let folder = folder(
        "cli-states",
        &[
            ("old.tfstate", OLD.as_bytes()),
            ("new.tfstate", new().as_bytes()),
        ],
    );
    let output = tfview("diff old.tfstate new.tfstate")
        .folder(&folder)
        .output();
    assert_eq!(
        output.stdout,
        "! The state changed: 1 object is gone, 1 object is new, 4 values differ.\n  \
         Before: old.tfstate, Terraform 1.12.0\n  \
         Now: new.tfstate, Terraform 1.12.0\n\n  \
         - terraform_data.b is gone from the state\n  \
         ! terraform_data.d is new in the state\n  \
         ~ acme_thing.c token: (value hidden: no schema says what is sensitive) differs\n  \
         ~ terraform_data.a input: before \"old\", now \"new\"\n  \
         ~ output.o before \"x\", now \"y\"\n  \
         ~ output.s (sensitive value) differs\n"
    );
    insta::assert_snapshot!(output.stderr, @r"
    note: values of acme_thing in old.tfstate are hidden, because no schema says what is sensitive: --show-sensitive shows them
    note: values of acme_thing in new.tfstate are hidden, because no schema says what is sensitive: --show-sensitive shows them
    ");
    assert_eq!(output.code, Some(0));
    for format in ["terminal", "markdown", "html", "json"] {
        let output = tfview("diff old.tfstate new.tfstate --format")
            .argument(format)
            .folder(&folder)
            .output();
        assert!(!output.to_string().contains("hunter"), "{output}");
    }
}

#[test]
fn the_exit_codes_are_those_of_a_comparison() {
    let folder = folder(
        "cli-states-codes",
        &[
            ("old.tfstate", OLD.as_bytes()),
            ("new.tfstate", new().as_bytes()),
        ],
    );
    for (args, code) in [
        ("diff old.tfstate new.tfstate", 0),
        ("diff --detailed-exitcode old.tfstate new.tfstate", 2),
        ("diff --detailed-exitcode old.tfstate old.tfstate", 0),
        ("diff --fail-on destroy old.tfstate new.tfstate", 3),
        ("diff --fail-on any old.tfstate old.tfstate", 0),
        ("diff --fail-on wider old.tfstate new.tfstate", 3),
        ("diff --fingerprint old.tfstate", 1),
    ] {
        assert_eq!(
            tfview(args).folder(&folder).output().code,
            Some(code),
            "{args}"
        );
    }
}

#[test]
fn a_raw_state_equals_its_json() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    for case in [
        "nested-state-terraform",
        "big-state-opentofu",
        "strings-state-opentofu",
        "providers-state-terraform",
    ] {
        let case = root.join(case);
        assert!(case.join("state.json").exists(), "{}", case.display());
        for (one, other) in [
            ("terraform.tfstate", "state.json"),
            ("state.json", "terraform.tfstate"),
        ] {
            let output = tfview("diff --detailed-exitcode --schemas schema.json")
                .argument(one)
                .argument(other)
                .folder(&case)
                .output();
            assert!(
                output.stdout.starts_with("✓ The states are the same.\n"),
                "{output}"
            );
        }
    }
}

#[test]
fn the_output_of_state_show_is_a_state_of_one_object() {
    let one = r#"{"format_version": "1.0", "resource": {"address": "terraform_data.a", "mode": "managed",
        "type": "terraform_data", "name": "a", "provider_name": "terraform.io/builtin/terraform", "schema_version": 0,
        "values": {"id": "1", "input": "x", "output": "x", "triggers_replace": null}, "sensitive_values": {}},
        "diagnostics": []}"#;
    let other = one.replace("\"x\"", "\"y\"");
    let folder = folder(
        "cli-states-one",
        &[
            ("one.json", one.as_bytes()),
            ("other.json", other.as_bytes()),
        ],
    );
    let output = tfview("show one.json").folder(&folder).output();
    assert_eq!(
        output.stdout,
        "# terraform_data.a:\nresource \"terraform_data\" \"a\" {\n    id     = \"1\"\n    input  = \"x\"\n    output = \"x\"\n}\n",
        "{output}"
    );
    let output = tfview("diff one.json other.json").folder(&folder).output();
    insta::assert_snapshot!(output.stdout, @r#"
    ! The state changed: 2 values differ.
      Before: one.json
      Now: other.json

      ~ terraform_data.a input: before "x", now "y"
      ~ terraform_data.a output: before "x", now "y"
    "#);
    let _: Result<_, _> = fs::remove_dir_all(folder);
}
