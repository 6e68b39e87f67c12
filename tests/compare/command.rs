//! `tfview diff` and `tfview review --since` have the documented exit codes, and reject everything that is
//! not a plan.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::root;
use crate::cli::harness::without_identity;

/// Runs the program in `fixtures/compare`; returns the exit code, standard output and standard error.
fn tfview(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(args)
        .env_clear()
        // The age of a plan is computed with this time, so that it is the same in every run.
        .env("SOURCE_DATE_EPOCH", "1795284000")
        .current_dir(root().join("fixtures/compare"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Replaces the folder of the golden cases.
fn without_root(text: &str) -> String {
    let folder = root().join("fixtures/goldens");
    text.replace(folder.to_str().unwrap(), "[goldens]")
}

#[test]
fn exit_code_reports_gates() {
    for (now, options, expected) in [
        (
            "same-timestamp.json",
            "--fail-on=any --detailed-exitcode",
            0,
        ),
        ("within-less.json", "--fail-on=wider,destroy", 0),
        ("within-less.json", "--detailed-exitcode", 2),
        ("within-less.json", "--fail-on=any", 3),
        ("wider-value.json", "", 0),
        ("wider-value.json", "--detailed-exitcode", 2),
        ("wider-value.json", "--fail-on=destroy", 0),
        ("wider-value.json", "--fail-on=wider --detailed-exitcode", 3),
        ("wider-destroy.json", "--fail-on=destroy", 3),
        ("wider-replace.json", "--fail-on=destroy", 3),
        ("wider-value.json", "--fail-on=wider --ignore=ami", 0),
        ("wider-value.json", "--fail-on=other", 1),
    ] {
        for format in ["terminal", "markdown", "json", "html"] {
            let mut args = vec!["diff", "approved.json", now, "--format", format];
            args.extend(options.split_whitespace());
            let (code, _, stderr) = tfview(&args);
            assert_eq!(code, expected, "{now} {options} {format}: {stderr}");
        }
    }
}

#[test]
fn a_fingerprint_is_compared() {
    let (code, fingerprint, _) = tfview(&["diff", "--fingerprint", "approved.json"]);
    assert_eq!(code, 0);
    let fingerprint = fingerprint.trim();
    for (now, answer, expected) in [
        ("same-order-of-resources.json", "same\n", 0),
        ("same-tool.json", "same\n", 0),
        ("wider-secret.json", "same\n", 0),
        ("wider-value.json", "differs\n", 3),
        ("within-less.json", "differs\n", 3),
    ] {
        let (code, stdout, stderr) = tfview(&["diff", "--approved", fingerprint, now]);
        assert_eq!((code, &*stdout), (expected, answer), "{now}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(stderr, @"note: sensitive values were not compared: the fingerprint leaves them out");
        }
    }
    let (_, with_secrets, _) = tfview(&[
        "diff",
        "--fingerprint",
        "--include-sensitive",
        "approved.json",
    ]);
    assert_eq!(
        tfview(&[
            "diff",
            "--approved",
            with_secrets.trim(),
            "wider-secret.json"
        ])
        .0,
        3
    );
    for wrong in [
        "",
        "x",
        "tfview-1-00",
        "tfview-3-00",
        &fingerprint.replace("-3-", "-3p-"),
    ] {
        assert_eq!(
            tfview(&["diff", "--approved", wrong, "approved.json"]).0,
            1,
            "{wrong}"
        );
    }
    let (_, review, _) = tfview(&["review", "--fingerprint", "approved.json"]);
    assert!(review.contains(fingerprint), "{review}");
}

#[test]
fn documents_other_than_plans_are_rejected() {
    let golden =
        |name: &str| -> PathBuf { root().join("fixtures/goldens/smoke-opentofu").join(name) };
    let mut errors = String::new();
    for name in ["schema.json", "plan.txt", "missing.json"] {
        let file = golden(name).display().to_string();
        for args in [
            ["diff", "approved.json", &file],
            ["diff", &file, "approved.json"],
        ] {
            let (code, stdout, stderr) = tfview(&args);
            assert_eq!((code, &*stdout), (1, ""), "{args:?}");
            errors += &stderr.replace(&file, name);
        }
    }
    insta::assert_snapshot!(errors, @r"
    error: cannot read schema.json: the output of `providers schema -json`
      tip: give it to a plan: `--schemas schema.json`
    error: cannot read schema.json: the output of `providers schema -json`
      tip: give it to a plan: `--schemas schema.json`
    error: cannot read plan.txt: the text of a plan or run, not JSON
      tip: `tofu plan -out=tfplan && tfview review tfplan`
    error: cannot read plan.txt: the text of a plan or run, not JSON
      tip: `tofu plan -out=tfplan && tfview review tfplan`
    error: cannot read missing.json: No such file or directory
      tip: for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    error: cannot read missing.json: No such file or directory
      tip: for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    ");
    for args in [
        &["diff", "approved.json"][..],
        &["diff", "-", "-"],
        &["diff"],
    ] {
        assert_eq!(tfview(args).0, 1, "{args:?}");
    }
}

#[test]
fn review_begins_with_the_differences_since_the_approval() {
    let args = ["review", "--since", "approved.json", "wider-value.json"];
    let (code, stdout, _) = tfview(&args);
    assert_eq!(code, 0);
    assert!(
        stdout.starts_with("! More than was approved: 1 value differs."),
        "{stdout}"
    );
    let (_, markdown, _) = tfview(&[
        "review",
        "--since",
        "approved.json",
        "--format",
        "markdown",
        "wider-value.json",
    ]);
    insta::assert_snapshot!(without_identity(&markdown));
    let several = [
        "review",
        "--since",
        "approved.json",
        "wider-value.json",
        "wider-output.json",
    ];
    assert_eq!(tfview(&several).0, 1);
}

#[test]
fn a_plan_is_compared_with_its_result() {
    let golden = |case: &str, file: &str| {
        root()
            .join("fixtures/goldens")
            .join(case)
            .join(file)
            .display()
            .to_string()
    };
    let (good, bad) = ("create-web-stack-terraform", "apply-error-midway-terraform");
    let mut outputs = String::new();
    for (case, result, options, expected) in [
        (good, "apply.jsonl", "--fail-on=any --detailed-exitcode", 0),
        (good, "state.json", "--fail-on=any --detailed-exitcode", 0),
        (bad, "apply.jsonl", "--fail-on=wider,destroy", 0),
        (bad, "apply.jsonl", "--detailed-exitcode", 2),
        (bad, "state.json", "--fail-on=any", 3),
        // The messages of `plan` alone do not prove that nothing else was done.
        (good, "plan.jsonl", "--fail-on=wider", 3),
        (good, "schema.json", "", 1),
    ] {
        let (plan, result) = (golden(case, "plan.json"), golden(case, result));
        let mut args = vec!["diff", &*plan, &*result];
        args.extend(options.split_whitespace());
        let (code, stdout, stderr) = tfview(&args);
        assert_eq!(code, expected, "{args:?}\n{stdout}{stderr}");
        let head = stdout.split("\n\n").next().unwrap();
        outputs += &without_root(&format!("{result} {options}\n{}\n\n", head.trim_end()));
        args.extend(["--format", "json"]);
        assert_eq!(tfview(&args).0, expected, "{args:?}");
    }
    insta::assert_snapshot!(outputs);
    let mut errors = String::new();
    for result in ["apply.jsonl", "state.json"] {
        let (code, _, stderr) =
            tfview(&["diff", &golden(good, result), &golden(good, "plan.json")]);
        assert_eq!(code, 1, "{stderr}");
        errors += &without_root(&stderr);
    }
    insta::assert_snapshot!(errors, @r"
    error: [goldens]/create-web-stack-terraform/apply.jsonl is the messages of a run, and the plan comes first
      tip: `tfview diff PLAN [goldens]/create-web-stack-terraform/apply.jsonl`
    error: [goldens]/create-web-stack-terraform/state.json is a state, and the plan comes first
      tip: `tfview diff PLAN [goldens]/create-web-stack-terraform/state.json`
    ");
}

#[test]
fn review_json_contains_the_comparison() {
    let args = [
        "review",
        "--since",
        "approved.json",
        "--format",
        "json",
        "wider-value.json",
    ];
    let (code, stdout, _) = tfview(&args);
    assert_eq!(code, 0);
    crate::json_schema::validate("review", &stdout, "a review with --since");
    let review: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(review["since"]["verdict"], "wider");
    let since = review["since"].to_string();
    crate::json_schema::validate("diff", &since, "the comparison of a review");
    let (_, alone, _) = tfview(&["review", "--format", "json", "wider-value.json"]);
    assert!(!alone.contains("\"since\""), "{alone}");
}
