//! `run tofu apply` shows the plan, asks for approval, and applies exactly the plan that was approved.

use std::fs;

use super::standin::{StandIn, text};
use crate::cli::harness::SUMMARY;
use crate::pty::OnTerminal;

const QUESTION: &str = "\nDo you want to perform these actions?\n  OpenTofu will perform the actions described above.\n  \
                        Only 'yes' will be accepted to approve.\n\n  Enter a value: ";

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
    let (code, seen) = run.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(
        seen.contains("# terraform_data.a will be created"),
        "{seen}"
    );
    assert!(
        seen.contains(&format!(
            "{SUMMARY}{QUESTION}yes\n\nterraform_data.a: Creating...\n"
        )),
        "{seen}"
    );
    assert!(
        seen.contains("\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.\n"),
        "{seen}"
    );
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
        let (code, seen) = run.end();
        assert_eq!(code, Some(1), "{answer:?}: {seen}");
        assert!(
            seen.ends_with("\n\nApply cancelled.\n"),
            "{answer:?}: {seen}"
        );
        assert_eq!(tool.calls().len(), 2, "{answer:?}: nothing is applied");
        tool.assert_removed();
    }
}

#[test]
fn an_interrupt_or_the_end_of_the_input_cancels() {
    for (typed, message) in [("\u{3}", "interrupted"), ("\u{4}", "EOF")] {
        let tool = StandIn::new("interrupt", "");
        let mut run = start(
            &tool,
            &["run", "--no-color", "--progress", "log", "tofu", "apply"],
        );
        run.wait_for("Enter a value: ");
        run.type_text(typed);
        let (code, seen) = run.end();
        assert_eq!(code, Some(1), "{seen}");
        assert!(
            seen.contains(&format!("Error: error asking for approval: {message}\n")),
            "{seen}"
        );
        assert_eq!(tool.calls().len(), 2, "nothing is applied");
        tool.assert_removed();
    }
}

#[test]
fn answer_is_read_from_a_pipe_as_by_the_tool() {
    for (input, code, message) in [
        ("", 1, "Error: error asking for approval: EOF"),
        ("yes\n", 0, "Apply complete!"),
        ("no\n", 1, "Apply cancelled."),
    ] {
        let tool = StandIn::new("piped", "");
        let output = tool.tfview(&["run", "tofu", "apply"], input);
        let seen = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{input:?}: {seen}");
        assert!(
            seen.contains(QUESTION) && seen.contains(message),
            "{input:?}: {seen}"
        );
        tool.assert_removed();
    }
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
    let (code, seen) = run.end();
    assert_eq!(code, Some(1), "{seen}");
    assert!(seen.contains("Error: Interrupted by the user"), "{seen}");
    tool.assert_removed();
}

#[test]
fn failure_of_plan_or_apply_is_that_of_the_tool() {
    for (mode, calls) in [("fail-plan", 1), ("fail-apply", 3)] {
        let tool = StandIn::new(mode, mode);
        let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
        assert_eq!(output.status.code(), Some(1));
        let seen = text(&output.stdout);
        assert!(
            seen.contains("Error: Invalid reference")
                || seen.contains("Error: The provider refused"),
            "{seen}"
        );
        assert_eq!(tool.calls().len(), calls, "{mode}");
        tool.assert_removed();
    }
}

#[test]
fn a_plan_that_cannot_be_shown_is_not_applied() {
    let tool = StandIn::new("fail-show", "fail-show");
    let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
    assert_eq!(output.status.code(), Some(1));
    let seen = text(&output.stderr);
    assert!(
        seen.contains("cannot read it") && seen.contains("so it is not applied"),
        "{seen}"
    );
    assert!(!tool.calls().iter().any(|call| call.starts_with("apply")));
}

#[test]
fn plan_without_changes_needs_no_approval() {
    let tool = StandIn::new("nothing", "nothing");
    let output = tool.tfview(&["run", "tofu", "apply"], "");
    let seen = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{seen}");
    assert!(!seen.contains("Enter a value"), "{seen}");
    assert!(
        seen.contains("Apply complete! Resources: 0 added"),
        "{seen}"
    );
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
        assert!(text(&output.stdout).contains("Apply complete!"));
        assert_eq!(tool.calls().last().unwrap(), "apply -json tfplan");
    }
}

#[test]
fn a_backend_that_cannot_save_a_plan_runs_untouched() {
    let tool = StandIn::new("backend", "backend");
    let output = tool.tfview(&["run", "tofu", "apply", "-lock=false"], "an answer\n");
    let seen = text(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{seen}");
    assert!(
        seen.contains("UNTOUCHED apply -lock=false\nread an answer\n"),
        "{seen}"
    );
    insta::assert_snapshot!(text(&output.stderr), @"note: the backend cannot save a plan, so `tofu` runs untouched");
    tool.assert_removed();
}

/// With `-auto-approve`, the backend was not looked at, and `-json` was passed.
#[test]
fn remote_and_cloud_backends_run_untouched() {
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
            assert!(
                text(&output.stderr)
                    .contains(&format!("the backend `{kind}` runs plans elsewhere"))
            );
        }
    }
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
    let seen = tool.recorded("env");
    let seen: Vec<&str> = seen.lines().collect();
    assert!(
        seen[0].starts_with("args= plan= "),
        "they are passed as arguments: {seen:?}"
    );
    assert!(
        seen[2].starts_with("args= ") && seen[2].ends_with(" apply="),
        "{seen:?}"
    );
}

#[test]
fn question_of_destroy_names_the_selected_workspace() {
    let tool = StandIn::new("destroy", "");
    fs::create_dir(tool.work().join(".terraform")).unwrap();
    fs::write(tool.work().join(".terraform/environment"), "blue").unwrap();
    let output = tool.tfview(&["run", "tofu", "destroy"], "no\n");
    let seen = text(&output.stdout);
    assert!(
        seen.contains("Do you really want to destroy all resources in workspace \"blue\"?\n"),
        "{seen}"
    );
    assert!(seen.ends_with("Destroy cancelled.\n"), "{seen}");
    assert_eq!(tool.calls()[0], "plan -json -out=PRIVATE -destroy");
    let tool = tool.variable("TF_WORKSPACE", "default");
    let seen = text(
        &tool
            .tfview(&["run", "tofu", "apply", "-destroy"], "no\n")
            .stdout,
    );
    assert!(
        seen.contains("Do you really want to destroy all resources?\n"),
        "{seen}"
    );
}

#[test]
fn destroy_ends_with_destroy_complete() {
    let tool = StandIn::new("destroyed", "");
    let seen = text(&tool.tfview(&["run", "tofu", "destroy"], "yes\n").stdout);
    assert!(
        seen.contains("\nDestroy complete! Resources: 0 destroyed.\n"),
        "{seen}"
    );
    let seen = text(
        &tool
            .tfview(&["run", "tofu", "apply", "-destroy"], "yes\n")
            .stdout,
    );
    assert!(
        seen.contains("\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.\n"),
        "{seen}"
    );
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
    let seen = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{seen}");
    assert!(
        seen.contains("to create") && !seen.contains("will be created"),
        "{seen}"
    );
    assert!(
        seen.contains(QUESTION) && seen.contains("Apply complete!"),
        "{seen}"
    );
}
