//! Differences from the real tools, and what was wrong beside them. Those with an area of their own are tested there.

use serde_json::{Value, json};

use super::{Case, assert_in_order};
use crate::cli::harness::tfview;
use crate::plan::{Change, PlanBuilder};

fn read(case: Case, name: &str) -> String {
    std::fs::read_to_string(case.folder().join(name)).unwrap()
}

/// A raw state of OpenTofu whose provider has `for_each` was an error.
#[test]
fn a_raw_state_whose_provider_has_for_each_is_read() {
    let case = Case("regressions/kinds");
    let output = case.run(
        "show --color never --schemas state-provider-for-each.schema.json state-provider-for-each.tfstate",
    );
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(output.stdout, read(case, "state-provider-for-each.txt"));
}

/// Any JSON with a `format_version` was an empty state, and two of them the same.
#[test]
fn json_of_another_kind_is_no_empty_state() {
    let mut errors = String::new();
    for document in [
        json!({"format_version": "1.0", "modules": [{"key": "app", "source": "./app", "version": ""}]}),
        json!({"format_version": "1.0", "function_signatures": {}}),
        json!({"format_version": "1.0", "something": {}}),
    ] {
        for command in ["show -", "review -", "diff - -", "diff --fingerprint -"] {
            let output = tfview(command).stdin(document.to_string()).output();
            assert_eq!(output.code, Some(1), "{command} {document}: {output}");
            assert_eq!(output.stdout, "", "{command} {document}");
        }
        let output = tfview("show -").stdin(document.to_string()).output();
        errors += &output.stderr;
    }
    insta::assert_snapshot!(errors, @r"
    error: cannot read standard input: the output of `modules -json`
      tip: only plans and states are shown
    error: cannot read standard input: the output of `metadata functions -json`
      tip: only plans and states are shown
    error: cannot read standard input: JSON, but neither a plan nor a state
      tip: show the output of `terraform show -json` (or `tofu show -json`)
    ");
}

/// A whole plan and state of a provider on the older SDK: nothing but what the provider computes differs.
#[test]
fn null_that_a_provider_makes_zero_is_as_approved_for_a_whole_provider() {
    let case = Case("regressions/result-null-to-zero-of-a-provider");
    let output = case.run("diff --schemas schema.json --fail-on any plan.json state.json");
    assert_eq!(output.code, Some(0), "{output}");
    assert_in_order(
        &output.stdout,
        &["✓ Done as approved: ", "1 change is done."],
    );
    assert!(!output.stdout.contains("was known after apply"), "{output}");
}

/// `--show-sensitive` of a block that is marked as a whole shows its members, where OpenTofu keeps hiding them
/// (docs/exact.md).
#[test]
fn a_block_marked_as_a_whole_is_shown_with_show_sensitive() {
    let case = Case("regressions/show-block-marked-as-a-whole");
    let show = |options: &str| {
        let output = case.run(&format!(
            "show --color never {options} --schemas schema.json plan.json"
        ));
        assert_eq!(output.code, Some(0), "{output}");
        output.stdout
    };
    let (usual, asked) = (show(""), show("--show-sensitive"));
    let networks = |text: &str| {
        let (_, text) = text.split_once("      - network {").unwrap();
        let (text, _) = text.split_once("\n    }").unwrap();
        format!("- network {{{}", text.replace("\n      ", "\n"))
    };
    insta::assert_snapshot!(networks(&usual), @r#"
    - network {
        - cidr  = "10.0.0.0/24" -> null
        - ports = [
            - 80,
            - 443,
          ] -> null
      }
    - network {
        - cidr = "10.0.1.0/24" -> null
      }
    + network {
        # At least one attribute in this block is (or was) sensitive,
        # so its contents will not be displayed.
      }
    + network {
        # At least one attribute in this block is (or was) sensitive,
        # so its contents will not be displayed.
      }
    + network {
        # At least one attribute in this block is (or was) sensitive,
        # so its contents will not be displayed.
      }
    "#);
    insta::assert_snapshot!(networks(&asked), @r#"
    - network {
        - cidr  = "10.0.0.0/24" -> null
        - ports = [
            - 80,
            - 443,
          ] -> null
      }
    - network {
        - cidr = "10.0.1.0/24" -> null
      }
    + network {
        + cidr  = "10.0.0.0/24"
        + ports = [
            + 443,
            + 8443,
          ]
      }
    + network {
        + cidr = "10.0.1.0/25"
      }
    + network {
        + cidr  = "p1"
        + ports = []
      }
    "#);
}

/// The review of a saved plan of `-invoke` called it refresh-only.
#[test]
fn a_saved_plan_of_an_invocation_is_reviewed_as_its_json() {
    let case = Case("regressions/saved-plan-of-invoke");
    let review = |file: &str| {
        let output = case.run(&format!("review --ci none --schemas schema.json {file}"));
        assert_eq!(output.code, Some(0), "{output}");
        output.stdout
    };
    let text = review("plan.tfplan");
    assert!(!text.contains("refresh-only"), "{text}");
    assert_eq!(text, review("plan.json"));
}

fn queue(name: &str, action: &str, provider: &str) -> Change {
    let address = format!("aws_sqs_queue.{name}");
    let value = json!({"name": "orders", "fifo_queue": true, "visibility_timeout_seconds": 30});
    let change = match action {
        "delete" => Change::destroyed(&address, value),
        _ => Change::created(&address, value).unknown(json!({"id": true})),
    };
    change.provider(provider)
}

/// Whether `old`, with a configuration of a provider, looks as if it were renamed to `new`.
fn looks_like_a_rename(old: (&str, &str, &str), new: (&str, &str, &str)) -> bool {
    let block = |(name, _, key): (&str, &str, &str)| {
        json!({"mode": "managed", "type": "aws_sqs_queue", "name": name.split('[').next(), "provider_config_key": key,
            "expressions": {"name": {"constant_value": "orders"}, "fifo_queue": {"constant_value": true}}})
    };
    // The block of a destroyed object may be gone.
    let blocks = [old, new].into_iter().filter(|(_, _, key)| !key.is_empty());
    let blocks: Vec<Value> = blocks.map(block).collect();
    let plan = PlanBuilder::new()
        .change(queue(old.0, "delete", old.1))
        .change(queue(new.0, "create", new.1))
        .configuration(json!({"resources": blocks}))
        .json();
    let output = tfview("review --ci none").stdin(plan).output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout.contains("looks like a rename")
}

/// Objects of two providers, configurations or regions looked like one that was renamed.
#[test]
fn objects_of_two_provider_instances_have_no_rename_hint() {
    let aws = "registry.terraform.io/hashicorp/aws";
    for (old, new, expected) in [
        (("a", aws, ""), ("b", aws, "aws"), true),
        (("a[0]", aws, "aws"), ("b", aws, "aws"), true),
        (("a[0]", aws, "aws"), ("b", aws, "aws.us"), false),
        (
            ("a", aws, ""),
            ("b", "registry.acme.example/x/aws", "aws"),
            false,
        ),
        (
            ("a[\"eu\"]", aws, "aws.by[each.key]"),
            ("b[\"eu\"]", aws, "aws.by[each.key]"),
            true,
        ),
        (
            ("a[\"eu\"]", aws, "aws.by[each.key]"),
            ("b[\"us\"]", aws, "aws.by[each.key]"),
            false,
        ),
        (
            ("a[0]", aws, "aws.by[\"eu\"]"),
            ("b", aws, "aws.by[\"eu\"]"),
            true,
        ),
        (
            ("a[0]", aws, "aws.by[\"eu\"]"),
            ("b", aws, "aws.by[\"us\"]"),
            false,
        ),
    ] {
        assert_eq!(looks_like_a_rename(old, new), expected, "{old:?} {new:?}");
    }
}
