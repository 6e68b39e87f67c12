//! `--ci` and `--junit` add folds, annotations, summaries and reports, and change nothing else in the output.

use std::fs;
use std::path::Path;

use super::harness::{Output, PLAN, folder, tfview};

const SYSTEMS: [(&str, &str); 3] = [
    ("github", "GITHUB_ACTIONS"),
    ("gitlab", "GITLAB_CI"),
    ("azure", "TF_BUILD"),
];

fn golden(case: &str, file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens");
    fs::read_to_string(root.join(case).join(file)).unwrap()
}

/// Whether the output has folds. Their text is not compared, because it may contain the time.
fn has_folds(output: &Output) -> bool {
    ["::group::", "##[group]", "section_start:"]
        .iter()
        .any(|command| output.stdout.contains(command))
}

#[test]
fn folds_are_written_only_with_the_ci_option() {
    let apply = golden("apply-error-midway-terraform", "apply.jsonl");
    for (command, input) in [("show", PLAN), ("stream", &apply)] {
        let plain = tfview(command).stdin(input).output();
        for (system, variable) in SYSTEMS {
            let unasked = tfview(&format!("{command} --no-color"))
                .variable(variable, "true")
                .stdin(input)
                .output();
            assert_eq!(
                (unasked.stdout, unasked.stderr),
                (plain.stdout.clone(), plain.stderr.clone())
            );
            for args in [
                format!("{command} --ci auto"),
                format!("{command} --ci {system}"),
            ] {
                let output = tfview(&args)
                    .variable(variable, "true")
                    .stdin(input)
                    .output();
                assert!(has_folds(&output), "{args} {output}");
                assert_eq!(output.code, plain.code, "{args} {output}");
            }
            let none = tfview(&format!("{command} --ci none"))
                .variable(variable, "true")
                .stdin(input)
                .output();
            assert_eq!(none.stdout, plain.stdout);
        }
        assert!(!has_folds(
            &tfview(&format!("{command} --ci auto"))
                .stdin(input)
                .output()
        ));
    }
}

#[test]
fn github_gets_annotations_and_a_summary_of_the_run() {
    let folder = folder("ci-github", &[("summary.md", b"before\n")]);
    let summary = folder.join("summary.md");
    let output = tfview("stream --ci auto")
        .variable("GITHUB_ACTIONS", "true")
        .variable("GITHUB_STEP_SUMMARY", summary.as_os_str())
        .stdin(golden("apply-error-midway-terraform", "apply.jsonl"))
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    assert_eq!(output.stderr.matches("::error ").count(), 3, "{output}");
    insta::assert_snapshot!(output.stderr);
    let text = fs::read_to_string(&summary).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn a_plan_whose_checks_fail_is_annotated() {
    let plan = PLAN.replacen(
        '{',
        r#"{"errored":true,"checks":[{"address":{"to_display":"check.a"},"status":"fail","instances":[
            {"address":{"to_display":"check.a"},"status":"fail","problems":[{"message":"50%\n::error::x"}]}]}],"#,
        1,
    );
    let output = tfview("show --ci github -").stdin(&plan).output();
    insta::assert_snapshot!(output.stderr, @r"
    ::error title=standard input::planning failed
    ::warning title=check fail%3A check.a::50%25%0A: :error::x
    ");
}

#[test]
fn plan_of_a_run_is_folded_by_resource() {
    let folder = folder(
        "ci-plan",
        &[(
            "plan.json",
            golden("apply-error-midway-terraform", "plan.json").as_bytes(),
        )],
    );
    let output = tfview("stream --ci github --plan plan.json")
        .folder(&folder)
        .stdin(golden("apply-error-midway-terraform", "apply.jsonl"))
        .output();
    assert_eq!(output.stdout.matches("::group::").count(), 7, "{output}");
    assert!(!output.stdout.contains("::group::Plan"), "{output}");
}

#[test]
fn junit_report_is_written_to_a_file() {
    let folder = folder("ci-junit", &[]);
    let input = golden("test-fail-opentofu", "stream.jsonl");
    let output = tfview("stream --junit tests.xml")
        .folder(&folder)
        .stdin(&input)
        .output();
    assert_eq!(
        (output.code, output.stdout),
        (Some(1), tfview("stream").stdin(&input).output().stdout)
    );
    let xml = fs::read_to_string(folder.join("tests.xml")).unwrap();
    let suites: Vec<&str> = xml.lines().filter(|line| line.contains("<test")).collect();
    insta::assert_snapshot!(suites.join("\n"), @r#"
    <testsuites tests="5" failures="2" errors="1" skipped="1">
      <testsuite name="tests/a_fail.tftest.hcl" tests="4" failures="2" errors="1" skipped="1">
        <testcase name="wrong_number" classname="tests/a_fail.tftest.hcl">
        <testcase name="multi_line" classname="tests/a_fail.tftest.hcl">
        <testcase name="errors_out" classname="tests/a_fail.tftest.hcl">
        <testcase name="skipped_after_error" classname="tests/a_fail.tftest.hcl">
      <testsuite name="tests/b_ok.tftest.hcl" tests="1" failures="0" errors="0" skipped="0">
        <testcase name="one" classname="tests/b_ok.tftest.hcl">
    "#);
    let output = tfview("stream --junit missing/tests.xml")
        .folder(&folder)
        .stdin(&input)
        .output();
    insta::assert_snapshot!(output.stderr, @"error: writing the report of --junit to missing/tests.xml: No such file or directory");
    assert_eq!(output.code, Some(1), "{output}");
    let last = output.stdout.trim_end().rsplit('\n').next();
    insta::assert_snapshot!(last.unwrap(), @"Failure! 1 passed, 3 failed, 1 skipped.");
}
