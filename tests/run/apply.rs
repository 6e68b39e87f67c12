//! `run tofu apply` shows the plan, asks for approval, and applies exactly the plan that was approved.

use std::collections::BTreeSet;
use std::fs;

use super::standin::{StandIn, text};
use crate::cli::harness::{SUMMARY, after};
use crate::pty::OnTerminal;

fn start(tool: &StandIn, arguments: &[&str]) -> OnTerminal {
    OnTerminal::start(arguments, &tool.work(), &tool.variables())
}

#[test]
fn an_approved_plan_is_applied() {
    let tool = StandIn::new("approve", "");
    let mut run = start(
        &tool,
        &["run", "--no-color", "--progress", "log", "tofu", "apply"],
    );
    run.wait_for("Enter a value: ");
    assert_eq!(
        fs::read_dir(tool.folder.join("tmp")).unwrap().count(),
        1,
        "the plan is kept until the question is answered"
    );
    run.type_text("yes\n");
    let (code, stdout) = run.end();
    assert_eq!(code, Some(0), "{stdout}");
    insta::assert_snapshot!(stdout);
    assert_eq!(
        tool.calls(),
        [
            "plan -json -out=PRIVATE",
            "show -json PRIVATE",
            "apply -json PRIVATE"
        ]
    );
    assert_eq!(tool.recorded("modes"), "drwx------\n-rw-------\n");
    tool.assert_removed();
}

#[test]
fn anything_but_yes_cancels() {
    for answer in ["no\n", "\n", "y\n", "YES\n", " yes\n"] {
        let tool = StandIn::new("refuse", "");
        let mut run = start(
            &tool,
            &["run", "--no-color", "--progress", "log", "tofu", "apply"],
        );
        run.wait_for("Enter a value: ");
        run.type_text(answer);
        let (code, stdout) = run.end();
        assert_eq!(code, Some(1), "{answer:?}: {stdout}");
        assert!(
            stdout.ends_with("\n\nApply cancelled.\n"),
            "{answer:?}: {stdout}"
        );
        assert_eq!(tool.calls().len(), 2, "{answer:?}: nothing is applied");
        tool.assert_removed();
    }
}

#[test]
fn an_interrupt_or_the_end_of_the_input_cancels() {
    let mut cancelled = String::new();
    for typed in ["\u{3}", "\u{4}"] {
        let tool = StandIn::new("interrupt", "");
        let mut run = start(
            &tool,
            &["run", "--no-color", "--progress", "log", "tofu", "apply"],
        );
        run.wait_for("Enter a value: ");
        run.type_text(typed);
        let (code, stdout) = run.end();
        assert_eq!(code, Some(1), "{stdout}");
        cancelled += &format!("{typed:?}:{}", after(&stdout, "Enter a value: "));
        assert_eq!(tool.calls().len(), 2, "nothing is applied");
        tool.assert_removed();
    }
    insta::assert_snapshot!(cancelled, @r#"
    "\u{3}":^C


    Error: error asking for approval: interrupted

    "\u{4}":

    Error: error asking for approval: EOF
    "#);
}

#[test]
fn answer_is_read_from_a_pipe_as_by_the_tool() {
    let mut answered = String::new();
    for (input, code) in [("", 1), ("yes\n", 0), ("no\n", 1)] {
        let tool = StandIn::new("piped", "");
        let output = tool.tfview(&["run", "tofu", "apply"], input);
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{input:?}: {printed}");
        answered += &format!("{input:?}:{}", after(&printed, SUMMARY));
        tool.assert_removed();
    }
    insta::assert_snapshot!(answered);
}

#[test]
fn interrupt_while_applying_is_handled_by_the_tool() {
    let tool = StandIn::new("interrupt-apply", "slow-apply");
    let mut run = start(
        &tool,
        &["run", "--no-color", "--progress", "log", "tofu", "apply"],
    );
    run.wait_for("Enter a value: ");
    run.type_text("yes\n");
    run.wait_for("Creating...");
    run.type_text("\u{3}");
    let (code, stdout) = run.end();
    assert_eq!(code, Some(1), "{stdout}");
    insta::assert_snapshot!(after(&stdout, "Creating..."), @r"

    ^C
    Error: Interrupted by the user


    The run failed. Done: nothing.
      error: Interrupted by the user
      not finished: terraform_data.a (creation)
    ");
    tool.assert_removed();
}

#[test]
fn failure_of_plan_or_apply_is_that_of_the_tool() {
    let mut failed = String::new();
    for (mode, calls) in [("fail-plan", 1), ("fail-apply", 3)] {
        let tool = StandIn::new(mode, mode);
        let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
        assert_eq!(output.status.code(), Some(1));
        let stdout = text(&output.stdout);
        failed += &format!("{mode}:\n{}", after(&stdout, "Enter a value: "));
        assert_eq!(tool.calls().len(), calls, "{mode}");
        tool.assert_removed();
    }
    insta::assert_snapshot!(failed, @r"
    fail-plan:

    Error: Invalid reference

    fail-apply:

    terraform_data.a: Creating...

    Error: The provider refused
    ");
}

#[test]
fn a_plan_that_cannot_be_shown_is_not_applied() {
    let tool = StandIn::new("fail-show", "fail-show");
    let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(text(&output.stderr), @r"
    note: the plan cannot be shown: the tool's `show -json` failed (exit status: 1): cannot read it
    error: the plan could not be shown, so it is not applied
    ");
    assert!(!tool.calls().iter().any(|call| call.starts_with("apply")));
}

#[test]
fn plan_without_changes_needs_no_approval() {
    let tool = StandIn::new("nothing", "nothing");
    let output = tool.tfview(&["run", "tofu", "apply"], "");
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    insta::assert_snapshot!(stdout, @r"

    No changes. Your infrastructure matches the configuration.

    OpenTofu has compared your real infrastructure against your configuration and
    found no differences, so no changes are needed.

    Apply complete! Resources: 0 added, 0 changed, 0 destroyed.
    ");
}

#[test]
fn a_plan_file_is_applied_as_given() {
    let tool = StandIn::new("given", "");
    fs::write(tool.work().join("tfplan"), "plan").unwrap();
    for arguments in [
        &["run", "tofu", "apply", "tfplan"][..],
        &["run", "--", "tofu", "apply", "tfplan"],
    ] {
        let output = tool.tfview(arguments, "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        insta::allow_duplicates! {
            insta::assert_snapshot!(text(&output.stdout), @r"

            OpenTofu will perform the following actions:

              + terraform_data.a will be created
            terraform_data.a: Creating...
            terraform_data.a: Creation complete after 0s

            Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
            ");
        }
        assert_eq!(tool.calls().last().unwrap(), "apply -json tfplan");
    }
}

#[test]
fn a_backend_that_cannot_save_a_plan_runs_untouched() {
    let tool = StandIn::new("backend", "backend");
    let output = tool.tfview(&["run", "tofu", "apply", "-lock=false"], "an answer\n");
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{stdout}");
    insta::assert_snapshot!(stdout, @r"
    UNTOUCHED apply -lock=false
    read an answer
    ");
    insta::assert_snapshot!(text(&output.stderr), @"note: the backend cannot save a plan, so `tofu` runs untouched");
    tool.assert_removed();
}

/// With `-auto-approve`, the backend was not looked at, and `-json` was passed.
#[test]
fn remote_and_cloud_backends_run_untouched() {
    let mut notes = BTreeSet::new();
    for (kind, data, words) in [
        ("remote", "infra/.terraform", "-chdir=infra apply"),
        (
            "cloud",
            "infra/.terraform",
            "-chdir=infra apply -auto-approve",
        ),
        (
            "cloud",
            "infra/.terraform",
            "-chdir=infra destroy -auto-approve",
        ),
        ("remote", "elsewhere", "apply -auto-approve"),
        ("remote", "elsewhere", "apply -json -auto-approve"),
    ] {
        for plan in [&[][..], &["--plan", "plan.json"]] {
            let mut tool = StandIn::new("remote", "");
            if data == "elsewhere" {
                tool = tool.variable("TF_DATA_DIR", "elsewhere");
            }
            let data = tool.work().join(data);
            fs::create_dir_all(&data).unwrap();
            let state =
                format!("{{\"version\":3,\"backend\":{{\"type\":\"{kind}\",\"config\":{{}}}}}}");
            fs::write(data.join("terraform.tfstate"), state).unwrap();
            let words: Vec<&str> = words.split(' ').collect();
            let output = tool.tfview(&[&["run"], plan, &["tofu"], &words].concat(), "x\n");
            assert_eq!(tool.calls(), [words.join(" ")]);
            let stderr = text(&output.stderr);
            let note = stderr.lines().next().unwrap();
            notes.insert(format!("{kind}: {note}\n"));
        }
    }
    let notes: String = notes.into_iter().collect();
    insta::assert_snapshot!(notes, @r"
    cloud: note: the backend `cloud` runs plans elsewhere, so `tofu` runs untouched
    remote: note: the backend `remote` runs plans elsewhere, so `tofu` runs untouched
    ");
}

#[test]
fn options_are_passed_to_plan_or_apply() {
    let tool = StandIn::new("options", "")
        .variable("TF_CLI_ARGS", "-no-color")
        .variable("TF_CLI_ARGS_apply", "-parallelism=3 -var 'b=x y'")
        .variable("TF_CLI_ARGS_plan", "-bad");
    let arguments = [
        "run",
        "tofu",
        "-chdir=.",
        "apply",
        "-var",
        "a=1",
        "-target=x",
        "-refresh-only",
        "-lock-timeout",
        "5s",
        "-auto-approve=false",
    ];
    let output = tool.tfview(&arguments, "yes\n");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        tool.calls(),
        [
            "-chdir=. plan -json -out=PRIVATE -parallelism=3 -var b=x y -no-color -var a=1 -target=x -refresh-only \
             -lock-timeout 5s",
            "-chdir=. show -json PRIVATE",
            "-chdir=. apply -json -parallelism=3 -no-color -lock-timeout 5s PRIVATE",
        ]
    );
    insta::assert_snapshot!(text(&output.stdout));
    let environments = tool.recorded("env");
    let environments: Vec<&str> = environments.lines().collect();
    assert!(
        environments[0].starts_with("args= plan= "),
        "they are passed as arguments: {environments:?}"
    );
    assert!(
        environments[2].starts_with("args= ") && environments[2].ends_with(" apply="),
        "{environments:?}"
    );
}

#[test]
fn question_of_destroy_names_the_selected_workspace() {
    let tool = StandIn::new("destroy", "");
    fs::create_dir(tool.work().join(".terraform")).unwrap();
    fs::write(tool.work().join(".terraform/environment"), "blue").unwrap();
    let output = tool.tfview(&["run", "tofu", "destroy"], "no\n");
    let stdout = text(&output.stdout);
    assert_eq!(tool.calls()[0], "plan -json -out=PRIVATE -destroy");
    let tool = tool.variable("TF_WORKSPACE", "default");
    insta::assert_snapshot!(after(&stdout, SUMMARY), @r#"

    Do you really want to destroy all resources in workspace "blue"?
      OpenTofu will destroy all your managed infrastructure, as shown above.
      There is no undo. Only 'yes' will be accepted to confirm.

      Enter a value: 
    Destroy cancelled.
    "#);
    let stdout = text(
        &tool
            .tfview(&["run", "tofu", "apply", "-destroy"], "no\n")
            .stdout,
    );
    insta::assert_snapshot!(after(&stdout, SUMMARY), @r"

    Do you really want to destroy all resources?
      OpenTofu will destroy all your managed infrastructure, as shown above.
      There is no undo. Only 'yes' will be accepted to confirm.

      Enter a value: 
    Destroy cancelled.
    ");
}

#[test]
fn destroy_ends_with_destroy_complete() {
    let tool = StandIn::new("destroyed", "");
    let stdout = text(&tool.tfview(&["run", "tofu", "destroy"], "yes\n").stdout);
    insta::assert_snapshot!(after(&stdout, SUMMARY), @r"

    Do you really want to destroy all resources?
      OpenTofu will destroy all your managed infrastructure, as shown above.
      There is no undo. Only 'yes' will be accepted to confirm.

      Enter a value: 
    terraform_data.a: Creating...
    terraform_data.a: Creation complete after 0s

    Destroy complete! Resources: 0 destroyed.
    ");
    let stdout = text(
        &tool
            .tfview(&["run", "tofu", "apply", "-destroy"], "yes\n")
            .stdout,
    );
    insta::assert_snapshot!(after(&stdout, SUMMARY), @r"

    Do you really want to destroy all resources?
      OpenTofu will destroy all your managed infrastructure, as shown above.
      There is no undo. Only 'yes' will be accepted to confirm.

      Enter a value: 
    terraform_data.a: Creating...
    terraform_data.a: Creation complete after 0s

    Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
    ");
}

#[test]
fn plan_is_shown_completely() {
    let tool = StandIn::new("plan", "");
    let output = tool.tfview(&["run", "tofu", "plan", "-detailed-exitcode"], "");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(text(&output.stdout));
    tool.assert_removed();
    let output = tool.tfview(&["run", "tofu", "plan", "-out=mine"], "");
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(text(&output.stdout));
    assert!(tool.work().join("mine").exists());
    assert_eq!(
        tool.calls()[2..],
        ["plan -json -out=mine", "show -json mine"]
    );
}

#[test]
fn review_can_replace_the_plan() {
    let tool = StandIn::new("review", "");
    let output = tool.tfview(&["run", "--review", "tofu", "apply"], "yes\n");
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    insta::assert_snapshot!(stdout);
}
