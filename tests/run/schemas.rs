//! The tool is asked for the schemas of types that tfview does not know.

use std::fs;

use super::standin::{StandIn, text};
use crate::cli::harness::after;

/// The stand-in's plan with types of a provider that no schema at hand has.
pub(super) fn with_unknown_provider(tool: &StandIn) {
    let plan = fs::read_to_string(tool.folder.join("calls.plan")).unwrap();
    let plan = plan
        .replace(
            "registry.opentofu.org/hashicorp/terraform",
            "example.com/own/own",
        )
        .replace("terraform_data", "own_thing");
    assert!(
        plan.contains("\"own_thing\"") && plan.contains("example.com/own/own"),
        "{plan}"
    );
    fs::write(tool.folder.join("calls.plan"), plan).unwrap();
    let schema = r#"{"format_version":"1.0","provider_schemas":{"example.com/own/own":{"resource_schemas":{
        "own_thing":{"version":0,"block":{"attributes":{"input":{"type":"string","optional":true,"sensitive":true},
        "only_in_the_schema":{"type":"string","computed":true}}}},
        "own_other":{"version":0,"block":{}}}}}}"#;
    fs::write(tool.folder.join("calls.schemas"), schema).unwrap();
}

#[test]
fn tool_is_asked_once_for_schemas_that_are_not_known() {
    let tool = StandIn::new("schemas", "schemas");
    let tool = {
        let home = tool.folder.join("home");
        tool.variable("XDG_DATA_HOME", home)
    };
    with_unknown_provider(&tool);
    let asked = |tool: &StandIn| {
        tool.calls()
            .iter()
            .filter(|call| *call == "providers schema -json")
            .count()
    };
    for (lock, expected) in [("a", 1), ("a", 1), ("b", 2), ("b", 2)] {
        fs::write(tool.work().join(".terraform.lock.hcl"), lock).unwrap();
        let stdout = text(&tool.tfview(&["run", "tofu", "plan"], "").stdout);
        insta::allow_duplicates! {
            insta::assert_snapshot!(stdout, @r#"

            OpenTofu used the selected providers to generate the following execution
            plan. Resource actions are indicated with the following symbols:
              + create

            OpenTofu will perform the following actions:

              # own_thing.a will be created
              + resource "own_thing" "a" {
                  + input = (sensitive value)
                }

            Plan: 1 to add, 0 to change, 0 to destroy.
            "#);
        }
        assert_eq!(asked(&tool), expected, "lock file {lock}");
    }
    // One folder for the working directory, one for its lock file, one file for the provider.
    let mut stored = tool.folder.join("home/tfview/run-schemas");
    while stored.is_dir() {
        let inside: Vec<_> = fs::read_dir(&stored)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(inside.len(), 1, "{inside:?}");
        stored.clone_from(&inside[0]);
    }
    let stored = fs::read_to_string(stored).unwrap();
    assert!(
        stored.contains("own_thing") && !stored.contains("own_other"),
        "{stored}"
    );
    // Without a lock file, it is not known whether an answer still holds.
    fs::remove_file(tool.work().join(".terraform.lock.hcl")).unwrap();
    tool.tfview(&["run", "tofu", "plan"], "");
    assert_eq!(asked(&tool), 3);
    tool.assert_removed();
}

#[test]
fn schemas_that_the_tool_does_not_have_do_not_fail_the_run() {
    for answer in [
        None,
        Some(""),
        Some("no JSON"),
        Some("{\"provider_schemas\":1}"),
        Some("{\"format_version\":\"9.0\"}"),
    ] {
        let tool = StandIn::new("no-schemas", if answer.is_some() { "schemas" } else { "" });
        with_unknown_provider(&tool);
        if let Some(answer) = answer {
            fs::write(tool.folder.join("calls.schemas"), answer).unwrap();
        }
        let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve"], "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "{answer:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(after(&text(&output.stdout), "following actions:"), @r#"


              # own_thing.a will be created
              + resource "own_thing" "a" {
                  + id    = (known after apply)
                  + input = "é"
                }

            Plan: 1 to add, 0 to change, 0 to destroy.
            terraform_data.a: Creating...
            terraform_data.a: Creation complete after 0s

            Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
            "#);
        }
    }
}
