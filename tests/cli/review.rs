//! `tfview review` has the documented exit codes, accepts several plans, and writes every output file and CI
//! annotation.

use std::fs;
use std::path::Path;

use super::harness::{NO_CHANGES, PLAN, folder, tfview, without_identity};
use crate::page::{lines_of, with_page};

#[test]
fn exit_codes_report_gates_and_changes() {
    for (args, stdin, code) in [
        ("review", PLAN, 0),
        ("review --detailed-exitcode", PLAN, 2),
        ("review --detailed-exitcode", NO_CHANGES, 0),
        ("review --fail-on destroy,replace", PLAN, 0),
        ("review --fail-on destroy,create", PLAN, 3),
        ("review --fail-on create --exclude *", PLAN, 3),
        ("review --fail-on create --detailed-exitcode", PLAN, 3),
        ("review --fail-on nonsense", PLAN, 1),
        ("review --only nonsense", PLAN, 1),
        ("review --max-bytes 10", PLAN, 1),
        ("review --out nonsense", PLAN, 1),
        ("review", "[]", 1),
        ("review", r#"{"format_version":"1.0","values":{}}"#, 1),
    ] {
        let output = tfview(args).stdin(stdin).output();
        assert_eq!(output.code, Some(code), "{args}\n{output}");
    }
    let output = tfview("review --fail-on create").stdin(PLAN).output();
    insta::assert_snapshot!(output.stderr, @"error: --fail-on create: 1 to create: terraform_data.a");
}

/// The message was on one line of 450 columns.
#[test]
fn the_message_of_a_check_is_wrapped() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/goldens/diag-wrap-terraform/plan.json");
    let output = tfview("review --no-config --width 60")
        .stdin(fs::read_to_string(plan).unwrap())
        .output();
    let checks = output.stdout.lines().skip_while(|line| *line != "Checks");
    let checks: Vec<&str> = checks.take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(checks.join("\n"));
}

/// Line breaks of a message were shown as signs in one long line. No line of a message is a command for a CI system.
#[test]
fn the_lines_of_the_message_of_a_check_are_lines() {
    let message = "Tagging policy\\n\\n  - owner is missing\\n::error::x\\n##vso[task.complete result=Succeeded]\\n# [a](https://evil.example)\\n\\n\\t<script>x</script>\\n===\\n1. ![b](c)\\n";
    let plan = PLAN.replacen(
        '{',
        &format!(
            r#"{{"checks":[{{"address":{{"to_display":"check.a"}},"status":"fail","instances":[
            {{"address":{{"to_display":"check.a"}},"status":"fail","problems":[{{"message":"{message}"}}]}}]}}],"#
        ),
        1,
    );
    let folder = folder("cli-check-lines", &[]);
    let args = "review --no-config --width 60 --out markdown=a.md --out html=a.html --out json=a.json --out text-summary=a.txt";
    let output = tfview(args).folder(&folder).stdin(&plan).output();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let lines_of_check = |text: &str| -> String {
        let lines = text.lines().skip_while(|line| !line.contains("check.a"));
        let lines = lines.take_while(|line| !line.is_empty());
        lines.flat_map(|line| [line, "\n"]).collect()
    };
    let page = read("a.html");
    let (_, page) = page.split_once("check.a").unwrap();
    let (page, _) = page.split_once("</li>").unwrap();
    let json = read("a.json");
    let (_, json) = json.split_once(r#""messages":"#).unwrap();
    let (json, _) = json.split_once(']').unwrap();
    insta::assert_snapshot!(format!(
        "{}\n{}\n{page}\n\n{json}\n\n{}",
        lines_of_check(&output.stdout),
        lines_of_check(&read("a.md")),
        lines_of_check(&read("a.txt"))
    ));
    for ci in ["github", "azure"] {
        let output = tfview(&format!("review --no-config --width 60 --ci {ci}"))
            .stdin(&plan)
            .output();
        insta::assert_snapshot!(lines_of_check(&output.stdout) + &output.stderr);
    }
}

/// The head said `version 1.15.0`, and a comparison nothing.
#[test]
fn a_plan_of_a_built_in_provider_is_of_either_tool() {
    let other = PLAN.replace("1.15.0", "1.15.1");
    let files = [("a.json", PLAN.as_bytes()), ("b.json", other.as_bytes())];
    let folder = folder("cli-either-tool", &files);
    let review = tfview("review --no-config a.json").folder(&folder).output();
    let diff = tfview("diff a.json b.json").folder(&folder).output();
    insta::assert_snapshot!(review.stdout + &diff.stdout);
}

#[test]
fn several_plans_have_one_verdict() {
    let output = tfview("review")
        .stdin(format!("{PLAN}\n{PLAN}\n{NO_CHANGES}\n"))
        .output();
    insta::assert_snapshot!(output.stdout, @r#"
    3 units: NOTICE  2 to create.
      no rules for: terraform_data
      1 unchanged

    The same change in several units
       + terraform_data.a  input = "é"  (same change in 2 units)
           in standard input:1, standard input:2
      2 units have no other changes
    "#);
}

#[test]
fn error_in_one_of_several_plans_has_its_number_and_position() {
    let broken = r#"{"format_version":"1.2","resource_changes":7}"#;
    let output = tfview("review")
        .stdin(format!("{NO_CHANGES}\n{broken}\n{PLAN}\n"))
        .output();
    let position = "at line 2, column 44 (resource_changes)";
    let message = format!(
        "error: plan 2 of 3: cannot read standard input: expected an array, found a number {position}\n"
    );
    assert_eq!(
        (output.code, &*output.stdout, &*output.stderr),
        (Some(1), "", &*message),
        "{output}"
    );
}

#[test]
fn one_run_writes_several_formats_to_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-formats");
    fs::create_dir_all(&folder).unwrap();
    let args =
        "review --format json --out markdown=c.md --out gitlab-report=r.json --out terminal=t.txt";
    let output = tfview(args).folder(&folder).stdin(PLAN).output();
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        serde_json::from_str::<serde_json::Value>(&output.stdout).is_ok(),
        "{output}"
    );
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(without_identity(&read("c.md")).starts_with(
        "<!-- tfview:review standard_input [identity] -->\n\n## 🔵 NOTICE: 1 to create\n"
    ));
    assert_eq!(read("r.json"), "{\"create\":1,\"update\":0,\"delete\":0}\n");
    insta::assert_snapshot!(read("t.txt"), @r#"
    NOTICE  1 to create. Terraform or OpenTofu 1.15.0.

       + terraform_data.a  input = "é"
    (no rules for: terraform_data)
    "#);
}

#[test]
fn github_gets_folds_a_summary_and_annotations() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-github");
    fs::create_dir_all(&folder).unwrap();
    let summary = folder.join("summary.md");
    fs::write(&summary, "before\n").unwrap();
    let output = tfview("review --fail-on create")
        .variable("GITHUB_ACTIONS", "true")
        .variable("GITHUB_STEP_SUMMARY", summary.as_os_str())
        .stdin(PLAN)
        .output();
    assert_eq!(output.code, Some(3), "{output}");
    // What is said in one line is no fold.
    insta::assert_snapshot!(output.stdout, @r#"
    [36;1mNOTICE[0m  [1m1 to create. Terraform or OpenTofu 1.15.0.[0m

       [32m+ [0m[1mterraform_data.a[0m  input = "é"
    [90m(no rules for: terraform_data)[0m
    "#);
    let changes = tfview("review")
        .argument(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/fixtures/words/eks_upgrade.json"
        ))
        .variable("GITHUB_ACTIONS", "true")
        .output();
    insta::assert_snapshot!(changes.stdout);
    assert_eq!(
        changes.stdout.matches("::group::").count(),
        changes.stdout.matches("::endgroup::").count()
    );
    insta::assert_snapshot!(output.stderr, @r"
    ::error title=tfview review::--fail-on create: 1 to create: terraform_data.a
    error: --fail-on create: 1 to create: terraform_data.a
    ");
    let written = fs::read_to_string(&summary).unwrap();
    assert!(without_identity(&written).starts_with(
        "before\n<!-- tfview:review standard_input [identity] -->\n\n## 🔵 NOTICE: 1 to create\n"
    ));
}

#[test]
fn page_has_its_title_and_is_written_to_a_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-page");
    fs::create_dir_all(&folder).unwrap();
    let output = tfview("review --out html=p.html --title A&B")
        .folder(&folder)
        .stdin(PLAN)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    let page = fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    with_page(&page, "a title", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r#"
        A&B
        A&B
        NOTICE 1 to create.
        1 to create
        root module
        + terraform_data.a input = "é"
        Text of the tool
          # terraform_data.a will be created
          + resource "terraform_data" "a" {
              + id    = (known after apply)
              + input = "é"
            }

        no rules for: terraform_data
        Terraform or OpenTofu 1.15.0 · fingerprint tfview-3-092b61964c314e4d3b2175aa22af2b38e097d33b9f012727f73bfa9a60c7b5ed
        Made by tfview [version]. tfview review prints the same on a terminal, and --format json all of it.
        "#);
    });
    let two = tfview("review --format html")
        .stdin(format!("{PLAN}\n{NO_CHANGES}\n"))
        .output();
    assert!(two.stdout.contains("class=\"units\""), "{two}");
    with_page(&two.stdout, "two units", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r#"
        Review of 2 units
        Review of 2 units
        NOTICE 2 units: 1 to create.
        1 unchanged
        1 unit unchanged
        standard input:2
        no rules for: terraform_data
        unit | level | destroy | replace | forget | change | create | findings
        standard input:1
        notice | 1
        NOTICE standard input:1: 1 to create.
        1 to create
        root module
        + terraform_data.a input = "é"
        Text of the tool
          # terraform_data.a will be created
          + resource "terraform_data" "a" {
              + id    = (known after apply)
              + input = "é"
            }

        Terraform or OpenTofu 1.15.0 · fingerprint tfview-3-092b61964c314e4d3b2175aa22af2b38e097d33b9f012727f73bfa9a60c7b5ed
        Made by tfview [version]. tfview review prints the same on a terminal, and --format json all of it.
        "#);
    });
}

/// A file of `--out` replaced the plan that was reviewed, or another file of `--out`.
#[test]
fn files_of_out_replace_neither_inputs_nor_each_other() {
    let files = [
        ("plan.json", PLAN.as_bytes()),
        ("old.json", PLAN.as_bytes()),
    ];
    let folder = folder("out-over-input", &files);
    fs::hard_link(folder.join("plan.json"), folder.join("link.json")).unwrap();
    let mut errors = String::new();
    for args in [
        "review --out json=plan.json plan.json",
        "review --out json=link.json plan.json",
        "review --out json=./old.json --since old.json plan.json",
        "review --out json=new --out html=new plan.json",
        "diff --out json=plan.json old.json plan.json",
    ] {
        let ended = tfview(args).folder(&folder).output();
        assert_eq!(ended.code, Some(1), "{args}: {ended}");
        errors += &format!("{args}:\n{}", ended.stderr);
        for (name, text) in files {
            assert_eq!(fs::read(folder.join(name)).unwrap(), text, "{args}");
        }
        assert!(!folder.join("new").exists());
    }
    insta::assert_snapshot!(errors, @r"
    review --out json=plan.json plan.json:
    error: --out would write over plan.json, which is read
      tip: name another file
    review --out json=link.json plan.json:
    error: --out would write over link.json, which is read
      tip: name another file
    review --out json=./old.json --since old.json plan.json:
    error: --out would write over ./old.json, which is read
      tip: name another file
    review --out json=new --out html=new plan.json:
    error: --out would write over new, which is written too
      tip: name another file
    diff --out json=plan.json old.json plan.json:
    error: --out would write over plan.json, which is read
      tip: name another file
    ");
    let ended = tfview("review --out json=/dev/null --out html=/dev/null plan.json")
        .folder(&folder)
        .output();
    assert!(cfg!(not(unix)) || ended.code == Some(0), "{ended}");
}
