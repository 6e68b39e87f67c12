//! A configuration file that was found automatically may add findings and gates. It may not change JSON or
//! fingerprints, nor disable a gate of the command line.

use std::path::{Path, PathBuf};

use serde_json::Value;

use serde_json::json;

use super::harness::{PLAN, folder, tfview, without_identity};
use crate::plan::{Change, PlanBuilder};

/// A rule that reports the change of [`PLAN`] as a finding, and a gate on created resources.
const CONFIG: &str = r#"
fail-on = ["create"]
[[rules]]
finding = "exposure"
type = "terraform_data"
path = "input"
is = ["é"]
"#;

fn project(name: &str, config: &str) -> PathBuf {
    let root = folder(
        name,
        &[
            (".tfview.toml", config.as_bytes()),
            ("plan.json", PLAN.as_bytes()),
        ],
    );
    std::fs::create_dir_all(root.join("envs/prod")).unwrap();
    root
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn found_file_adds_findings_and_gates_and_is_named() {
    let root = project("config-found", CONFIG);
    let output = tfview("review ../../plan.json")
        .folder(&root.join("envs/prod"))
        .output();
    assert_eq!(output.code, Some(3), "{output}");
    insta::assert_snapshot!(output);
    let output = tfview("review --format markdown plan.json")
        .folder(&root)
        .output();
    insta::assert_snapshot!(without_identity(&output.stdout));

    let output = tfview("review --fail-on finding:exposure --no-config plan.json")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    let output = tfview("review --fail-on finding:exposure plan.json")
        .folder(&root)
        .output();
    assert_eq!(
        output.code,
        Some(3),
        "a gate of the command line considers the findings of the file: {output}"
    );
}

/// A rule of a file that is part of the change could call the way back of its edit a protection that is raised.
#[test]
fn found_file_makes_no_edit_harmless() {
    let plan = PLAN
        .replace(r#"["create"]"#, r#"["update"]"#)
        .replace(r#""after_unknown":{"id":true}"#, r#""after_unknown":{}"#)
        .replace(
            r#""before":null,"after":{"input":"é"}"#,
            r#""before":{"input":"é"},"after":{"input":"x"}"#,
        );
    let config = CONFIG.replace("exposure", "protection");
    let root = folder(
        "config-harmless",
        &[
            (".tfview.toml", config.as_bytes()),
            ("plan.json", plan.as_bytes()),
        ],
    );
    for (arguments, expected) in [("", 3), ("--config .tfview.toml", 0)] {
        let output = tfview(&format!("review --allow harmless {arguments} plan.json"))
            .folder(&root)
            .output();
        assert_eq!(output.code, Some(expected), "{arguments}: {output}");
    }
}

#[test]
fn found_file_does_not_change_json_fingerprints_or_diffs() {
    let root = project("config-json", CONFIG);
    for args in [
        "review --format json --fail-on update plan.json",
        "diff --fingerprint plan.json",
        "diff --format json plan.json plan.json",
        "review --format gitlab-report plan.json",
    ] {
        let with = tfview(args).folder(&root).output();
        let without = tfview(args).argument("--no-config").folder(&root).output();
        let without = if args.starts_with("diff") {
            tfview(args)
                .folder(root.parent().unwrap())
                .argument("--chdir")
                .argument(root.to_str().unwrap())
                .output()
        } else {
            without
        };
        assert_eq!(with.stdout, without.stdout, "{args}");
    }
    let noted = tfview("review --format json plan.json")
        .folder(&root)
        .output();
    assert!(
        noted.code == Some(3)
            && noted
                .stderr
                .contains("the configuration .tfview.toml was read"),
        "{noted}"
    );
    let named = tfview("review --format json --config .tfview.toml plan.json")
        .folder(&root)
        .output();
    let named = json(&named.stdout);
    assert_eq!(named["gates"][0]["name"], "create");
    assert_eq!(named["plans"][0]["findings"][0]["kind"], "exposure");
}

#[test]
fn file_does_not_disable_gates_of_the_command_line() {
    let root = project(
        "config-gates",
        "fail-on = []\n[text]\ncontext = 0\nmax-bytes = 2048\ndrift = \"relevant\"",
    );
    let output = tfview("review --fail-on create plan.json")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(3), "{output}");
    insta::assert_snapshot!(output.stderr, @r"
    note: ignored `context` and `max-bytes` in .tfview.toml: a configuration that is found, not named, can only add to a review
      tip: `--config .tfview.toml` takes all of it
    error: --fail-on create: 1 to create: terraform_data.a
    ");
}

/// A found file with `max-bytes` left destroyed objects out of Markdown.
#[test]
fn found_file_set_a_limit_that_left_out_what_is_destroyed() {
    let destroyed = |index: usize| {
        Change::destroyed(&format!("t_x.n{index}"), json!({"id": index.to_string()}))
    };
    let plan = PlanBuilder::of((0..60).map(destroyed)).json();
    let config = "[text]\nmax-bytes = 2048\ncontext = 0\n";
    let root = folder(
        "config-limit",
        &[
            (".tfview.toml", config.as_bytes()),
            ("plan.json", plan.as_bytes()),
        ],
    );
    let run = |options: &str| {
        tfview(&format!("review --format markdown {options} plan.json"))
            .folder(&root)
            .output()
    };
    let (found, none) = (run(""), run("--no-config"));
    insta::assert_snapshot!(found.stderr, @r"
    note: ignored `context` and `max-bytes` in .tfview.toml: a configuration that is found, not named, can only add to a review
      tip: `--config .tfview.toml` takes all of it
    ");
    for index in 0..60 {
        assert!(
            found.stdout.contains(&format!("t_x.n{index}")),
            "{index}: {found}"
        );
    }
    assert!(found.stdout.len() >= none.stdout.len(), "{found}");
    let given = run("--config .tfview.toml");
    assert!(
        given.stdout.len() <= 2048 && !given.stderr.contains("ignored"),
        "{given}"
    );
    assert!(run("--max-bytes 2048").stdout.len() <= 2048);
}

#[test]
fn broken_file_is_an_error_with_file_and_line() {
    for (name, config, message) in [
        (
            "gate",
            "fail-on = [\n\"everything\"]",
            ".tfview.toml, line 2: fail-on: there is no condition `everything`",
        ),
        (
            "key",
            "\npermit = [\"destroy\"]",
            ".tfview.toml, line 2: unknown field `permit`",
        ),
        (
            "rule",
            "[[rules]]\nfinding = \"data-loss\"\ntype = \"x\"",
            ".tfview.toml, line 1: a rule of `data-loss` needs `what`",
        ),
        (
            "hostile",
            "\"\\u001b]0;x\\u0007\" = 1",
            ".tfview.toml, line 1: unknown field",
        ),
    ] {
        let root = project(&format!("config-broken-{name}"), config);
        let output = tfview("review plan.json").folder(&root).output();
        assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{output}");
        assert!(
            output.stderr.contains(message) && !output.stderr.contains('\u{1b}'),
            "{output}"
        );
    }
    let output = tfview("review --config nowhere.toml").stdin(PLAN).output();
    assert!(
        output.code == Some(1)
            && output
                .stderr
                .contains("cannot read the configuration nowhere.toml"),
        "{output}"
    );
    let root = folder("config-directory", &[("plan.json", PLAN.as_bytes())]);
    std::fs::create_dir_all(root.join(".tfview.toml")).unwrap();
    let output = tfview("review plan.json").folder(&root).output();
    assert!(
        output.code == Some(1) && output.stderr.contains("--no-config reads none"),
        "{output}"
    );
}

#[test]
fn built_in_findings_are_not_displaced_by_findings_of_a_file() {
    let destroyed = |kind: &str, index: usize| {
        Change::destroyed(
            &format!("{kind}.n{index}"),
            json!({"id": index.to_string()}),
        )
    };
    let plan = PlanBuilder::of((0..50).map(|index| destroyed("x_y", index)))
        .change(destroyed("aws_flow_log", 50))
        .json();
    let config =
        "[[rules]]\nfinding = \"data-loss\"\ntype = \"x_y\"\nwhat = \"nothing\"\nshow = [\"id\"]";
    let root = folder(
        "config-flood",
        &[
            (".tfview.toml", config.as_bytes()),
            ("plan.json", plan.as_bytes()),
        ],
    );
    for format in ["terminal", "markdown"] {
        let output = tfview("review plan.json --format")
            .argument(format)
            .folder(&root)
            .output();
        assert!(output.stdout.contains("protection"), "{output}");
    }
    let page = tfview("review plan.json --format html")
        .folder(&root)
        .output()
        .stdout;
    let position_of = |text: &str| page.find(text).unwrap();
    assert!(
        position_of(" protection</strong>") < position_of("<details id=\"r"),
        "the built-in finding is not in the visible part"
    );
}

#[test]
fn documented_example_is_read() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config.md"))
            .unwrap();
    let example = text
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let root = project("config-docs", example);
    let plan = r#"{"format_version":"1.2","resource_changes":[{"address":"acme_ledger.a","mode":"managed","type":"acme_ledger","name":"a","provider_name":"registry.terraform.io/a/acme","change":{"actions":["delete"],"before":{"engine":"x","settings":[{"audit":true}]},"after":null,"after_unknown":false,"before_sensitive":{},"after_sensitive":false}}]}"#;
    let output = tfview("review").folder(&root).stdin(plan).output();
    insta::assert_snapshot!(output.stdout, @"
    WARNING  Data is lost: 1 ledger.
             1 to destroy.
      configuration .tfview.toml (its findings do not change the level)

    root module
    !!   - acme_ledger.a  x                                              data-loss
    (no rules for: acme_ledger)
    ");
    assert_eq!(output.code, Some(3), "{output}");
    insta::assert_snapshot!(output.stderr, @"
    note: ignored `max-bytes` and `ignore` in .tfview.toml: a configuration that is found, not named, can only add to a review
      tip: `--config .tfview.toml` takes all of it
    error: fail-on finding:data-loss of .tfview.toml: 1 object with a finding `data-loss`: acme_ledger.a
    error: fail-on delete of .tfview.toml: 1 to destroy: acme_ledger.a
    error: allow *,-loses of .tfview.toml: 1 edit, 0 allowed; not: acme_ledger.a (loses)
    ");
}

/// Each edit was compared with any number of patterns.
#[test]
fn a_list_of_patterns_without_an_end_is_an_error() {
    for (number, code) in [(1_000, Some(0)), (1_001, Some(1))] {
        let patterns: Vec<String> = (0..number).map(|index| format!("\"x*{index}\"")).collect();
        let config = format!("ignore = [{}]\n", patterns.join(","));
        let root = project("config-patterns", &config);
        let output = tfview("review --config .tfview.toml plan.json")
            .folder(&root)
            .output();
        assert_eq!(output.code, code, "{output}");
    }
}
