//! Details of the tools' text that no golden case covers, each with a minimal plan.

use serde_json::{Value, json};
use tfview::internals::dialect::{Dialect, DialectChoice};

use super::cli::harness::after;
use super::display::{Display, shown};

const SCHEMA: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.example/acme/test":{
    "resource_schemas":{"test_a":{"version":0,"block":{"attributes":{
        "id":{"type":"string","computed":true},
        "items":{"type":["list","string"],"optional":true},
        "objects":{"nested_type":{"nesting_mode":"map","attributes":{"name":{"type":"string","optional":true}}},
            "optional":true},
        "text":{"type":"string","optional":true},
        "wo":{"type":"string","optional":true,"write_only":true}},
        "block_types":{"item":{"nesting_mode":"list","block":{"attributes":{"v":{"type":"string","optional":true}}}}}}}},
    "action_schemas":{"test_act":{"block":{"attributes":{
        "a":{"type":"string","optional":true},"b":{"type":"string","optional":true}}}}}}}}"#;

fn plan(change: &Value) -> Value {
    json!({ "format_version": "1.2", "resource_changes": [{
        "address": "test_a.x", "mode": "managed", "type": "test_a", "name": "x",
        "provider_name": "registry.example/acme/test", "change": change }] })
}

fn update(before: &Value, after: &Value) -> Value {
    json!({ "actions": ["update"], "before": before, "after": after, "after_unknown": {} })
}

fn text(plan: &Value, dialect: &str) -> String {
    let choice: DialectChoice = dialect.parse().unwrap();
    shown(
        &plan.to_string(),
        Some(SCHEMA),
        Display::plain(choice.for_document(None, "")),
    )
    .unwrap()
}

/// The changes in a text.
fn changes(text: &str) -> &str {
    after(text, "will perform the following actions:\n\n")
}

#[test]
fn whitespace_changes_of_json_on_one_line_are_noted() {
    let change = update(&json!({ "text": "{ }" }), &json!({ "text": "{}" }));
    insta::assert_snapshot!(changes(&text(&plan(&change), "terraform")), @r#"
      # test_a.x will be updated in-place
      ~ resource "test_a" "x" {
          ~ text = jsonencode({}) # whitespace changes
            # (1 unchanged attribute hidden)
        }

    Plan: 0 to add, 1 to change, 0 to destroy.
    "#);
}

/// A string with several lines is compared by line, even if its lines are equal.
#[test]
fn long_string_of_equal_lines_is_a_heredoc() {
    let line = "A".repeat(200);
    let change = update(
        &json!({ "items": [format!("{line}\n{line}")] }),
        &json!({ "items": [line] }),
    );
    let shown = text(&plan(&change), "opentofu");
    insta::assert_snapshot!(changes(&shown), @r#"
      # test_a.x will be updated in-place
      ~ resource "test_a" "x" {
          ~ items = [
              ~ <<-EOT
                    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                  - AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                EOT,
            ]
          ~ wo    = (write-only attribute)
        }

    Plan: 0 to add, 1 to change, 0 to destroy.
    "#);
}

#[test]
fn moved_import_has_its_id() {
    let mut plan = plan(
        &json!({ "actions": ["no-op"], "before": { "id": "i" }, "after": { "id": "i" },
        "after_unknown": {}, "importing": { "id": "i-1" } }),
    );
    insta::assert_snapshot!(changes(&text(&plan, "terraform")), @r#"
      # test_a.x will be imported
        resource "test_a" "x" {
            id = "i"
            wo = (write-only attribute)
        }

    Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.
    "#);
    insta::assert_snapshot!(changes(&text(&plan, "opentofu@1.11")), @r#"
      # test_a.x will be imported
        resource "test_a" "x" {
            id = "i"
            wo = (write-only attribute)
        }

    Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.
    "#);
    insta::assert_snapshot!(changes(&text(&plan, "opentofu")), @r#"
      # test_a.x will be imported
      # (imported from "i-1")
        resource "test_a" "x" {
            id = "i"
            wo = (write-only attribute)
        }

    Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.
    "#);
    plan["resource_changes"][0]["previous_address"] = json!("test_a.y");
    insta::assert_snapshot!(changes(&text(&plan, "terraform")), @r#"
      # test_a.y has moved to test_a.x
      # (imported from "i-1")
        resource "test_a" "x" {
            id = "i"
            wo = (write-only attribute)
        }

    Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.
    "#);
}

#[test]
fn unknown_nested_map_compares_attribute_names_with_keys() {
    let objects = json!({ "objects": { "k": { "name": "a" }, "name": { "name": "b" } } });
    let mut change = update(&objects, &json!({}));
    change["after_unknown"] = json!({ "objects": true });
    let shown = text(&plan(&change), "terraform");
    insta::assert_snapshot!(changes(&shown), @r#"
      # test_a.x will be updated in-place
      ~ resource "test_a" "x" {
          ~ objects = {
              - "k" = {
                  - name = "a" -> null
                },
              ~ "name" = {
                  ~ name = "b" -> (known after apply)
                } -> (known after apply)
            } -> (known after apply)
            # (1 unchanged attribute hidden)
        }

    Plan: 0 to add, 1 to change, 0 to destroy.
    "#);
}

#[test]
fn the_unknown_configuration_of_an_action_has_no_symbols() {
    let plan = json!({ "format_version": "1.2", "resource_changes": [], "action_invocations": [{
        "address": "action.test_act.x", "type": "test_act", "name": "x",
        "provider_name": "registry.example/acme/test", "config_values": { "a": "v" },
        "config_unknown": { "b": true } }] });
    for release in ["terraform", "terraform@1.16"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(changes(&text(&plan, release)), @r#"
            Plan: 0 to add, 0 to change, 0 to destroy. Actions: 1 to invoke.

            Terraform will invoke the following action(s):

              # action.test_act.x will be invoked
                # action.test_act.x
                action "test_act" "x" {
                    config {
                        a = "v"
                        b = (known after apply)
                    }
                }
            "#);
        }
    }
    assert!(!text(&plan, "terraform@1.15").contains("    # action.test_act.x\n"));
}

/// Releases without write-only attributes treat them as null. A value that is present nevertheless stays
/// hidden.
#[test]
fn a_write_only_attribute_is_null_to_older_releases() {
    let create = |wo: Value| {
        let after = json!({ "text": "t", "wo": wo });
        plan(&json!({ "actions": ["create"], "before": null, "after": after, "after_unknown": {} }))
    };
    insta::assert_snapshot!(changes(&text(&create(Value::Null), "terraform@1.11")), @r#"
      # test_a.x will be created
      + resource "test_a" "x" {
          + text = "t"
          + wo   = (write-only attribute)
        }

    Plan: 1 to add, 0 to change, 0 to destroy.
    "#);
    assert!(!text(&create(Value::Null), "terraform@1.10").contains("wo "));
    let shown = text(&create(json!("hunter2")), "opentofu@1.10");
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn newest_release_is_the_default() {
    let plan = plan(&update(&json!({ "text": "a" }), &json!({ "text": "b" })));
    let newest = shown(
        &plan.to_string(),
        Some(SCHEMA),
        Display::plain(Dialect::OPENTOFU),
    )
    .unwrap();
    insta::assert_snapshot!(newest, @r#"

    OpenTofu used the selected providers to generate the following execution
    plan. Resource actions are indicated with the following symbols:
      ~ update in-place (current -> planned)

    OpenTofu will perform the following actions:

      # test_a.x will be updated in-place
      ~ resource "test_a" "x" {
          ~ text = "a" -> "b"
          ~ wo   = (write-only attribute)
        }

    Plan: 0 to add, 1 to change, 0 to destroy.
    "#);
    assert_eq!(text(&plan, "opentofu@next"), newest);
    assert_ne!(text(&plan, "opentofu@1.10"), newest);
}

#[test]
fn a_relevant_element_is_shown_in_a_list_of_any_length() {
    for length in [50, 20_000] {
        let side = |mark: &str| {
            let items: Vec<_> = (0..length)
                .map(|index| json!({ "v": format!("{mark}{index}") }))
                .collect();
            json!({ "id": "1", "item": items })
        };
        let mut plan =
            plan(&json!({ "actions": ["create"], "before": null, "after": { "id": "2" } }));
        plan["resource_drift"] = json!([{
            "address": "test_a.y", "mode": "managed", "type": "test_a", "name": "y",
            "provider_name": "registry.example/acme/test", "change": update(&side("old-value-"), &side("new-value-")) }]);
        for path in [json!(["item", 7]), json!(["item", 7, "v"])] {
            plan["relevant_attributes"] = json!([{ "resource": "test_a.y", "attribute": path }]);
            let text = text(&plan, "terraform@1.13");
            let hidden = format!("# ({} unchanged blocks hidden)", length - 1);
            let text = text.replace(&hidden, "# ([others] unchanged blocks hidden)");
            let (_, text) = text.split_once("# test_a.y has changed").unwrap();
            let (text, _) = text.split_once("\n\n\n").unwrap();
            insta::allow_duplicates! {
                insta::assert_snapshot!(text, @r#"

                ~ resource "test_a" "y" {
                      id = "1"
                      # (1 unchanged attribute hidden)

                    ~ item {
                        ~ v = "old-value-7" -> "new-value-7"
                      }

                      # ([others] unchanged blocks hidden)
                  }
                "#);
            }
        }
    }
}
