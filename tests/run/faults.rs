//! A panic of the display ends neither the run nor its exit code, and no failure to write a file does.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::standin::{StandIn, text};

/// Replaces the place in our code that a message about a panic names.
fn without_place(notes: &str) -> String {
    let line = |line: &str| match line.split_once(" at src") {
        Some((said, rest)) => {
            let (_, rest) = rest.split_once(';').unwrap();
            format!("{said} at [place];{rest}")
        }
        None => line.to_owned(),
    };
    notes.split_inclusive('\n').map(line).collect()
}

/// The variable that injects a panic into the display, only in builds with debug assertions.
const FAULT: &str = "TFVIEW_TEST_FAULT";

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "faults are injected only into builds with debug assertions"
)]
fn panic_of_the_display_passes_the_rest_through() {
    let tool = StandIn::new("fault", "").variable(FAULT, "apply_start");
    let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve"], "");
    assert_eq!(output.status.code(), Some(0), "the tool's own code");
    let (shown, notes) = (text(&output.stdout), text(&output.stderr));
    insta::assert_snapshot!(without_place(&notes), @"error: internal error in tfview at [place]; please report it with this line");
    let raw: Vec<&str> = shown.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(
        raw.len(),
        3,
        "the line of the panic and all lines after it: {shown}"
    );
    insta::assert_snapshot!(shown);
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "faults are injected only into builds with debug assertions"
)]
fn panic_while_planning_applies_nothing() {
    let tool = StandIn::new("fault-plan", "").variable(FAULT, "planned_change");
    let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(without_place(&text(&output.stderr)), @r"
    error: internal error in tfview at [place]; please report it with this line
    error: the plan could not be shown, so it is not applied
    ");
    assert!(!tool.calls().iter().any(|call| call.starts_with("apply")));
    tool.assert_removed();
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "faults are injected only into builds with debug assertions"
)]
fn panic_keeps_the_exit_code_of_a_stream() {
    const SUMMARY: &str = "{\"@level\":\"info\",\"@message\":\"Apply complete!\",\"changes\":{\"add\":0,\"operation\":\"apply\"},\"type\":\"change_summary\"}\n";
    const ERROR: &str = "{\"@level\":\"error\",\"@message\":\"Error: x\",\"diagnostic\":{\"severity\":\"error\",\"summary\":\"x\",\"detail\":\"\"},\"type\":\"diagnostic\"}\n";
    for (input, fault, code) in [
        (format!("{{\"@message\":\"FAULT\"}}\n{SUMMARY}"), "FAULT", 0),
        (format!("{{\"@message\":\"FAULT\"}}\n{ERROR}"), "FAULT", 1),
        (format!("{ERROR}{SUMMARY}"), "diagnostic", 1),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tfview"))
            .arg("stream")
            .env_clear()
            .env(FAULT, fault)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stdout), input, "all lines are passed through");
        assert_eq!(output.status.code(), Some(code), "{input}");
    }
}

#[test]
fn failing_tee_does_not_change_the_exit_code() {
    let tool = StandIn::new("no-tee", "");
    let output = tool.tfview(
        &[
            "run",
            "--tee",
            "/nowhere/at/all",
            "tofu",
            "apply",
            "-auto-approve",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(text(&output.stderr), @"error: creating /nowhere/at/all for --tee: No such file or directory");
    let tool = StandIn::new("no-tee-fail", "fail-apply");
    let output = tool.tfview(
        &[
            "run",
            "--tee",
            "/nowhere/at/all",
            "tofu",
            "apply",
            "-auto-approve",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Each of the two parts of a run, the plan and the apply, reported the same error twice.
#[test]
fn a_tee_that_cannot_be_created_is_reported_once() {
    let tool = StandIn::new("no-tee-once", "");
    let args = ["run", "--tee", "/nowhere/at/all", "tofu", "apply"];
    let output = tool.tfview(&args, "yes\n");
    assert_eq!(output.status.code(), Some(0));
    let stderr = text(&output.stderr);
    let errors: Vec<&str> = stderr
        .lines()
        .filter(|line| line.contains("/nowhere/at/all"))
        .collect();
    assert_eq!(
        errors,
        ["error: creating /nowhere/at/all for --tee: No such file or directory"]
    );
}

#[test]
fn tee_records_plan_and_apply() {
    let tool = StandIn::new("tee", "");
    let output = tool.tfview(&["run", "--tee", "record", "tofu", "apply"], "yes\n");
    assert_eq!(output.status.code(), Some(0));
    let record = fs::read_to_string(tool.work().join("record")).unwrap();
    let said: Vec<serde_json::Value> = record
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let said = said
        .iter()
        .map(|message| format!("{}: {}\n", message["type"], message["@message"]));
    insta::assert_snapshot!(said.collect::<String>(), @r#"
    "version": "version"
    "planned_change": "terraform_data.a: Plan to create"
    "change_summary": "Plan: 1 to add, 0 to change, 0 to destroy."
    "version": "version"
    "planned_change": "terraform_data.a: Plan to create"
    "apply_start": "terraform_data.a: Creating..."
    "apply_complete": "terraform_data.a: Creation complete after 0s"
    "change_summary": "Apply complete! Resources: 1 added, 0 changed, 0 destroyed."
    "#);
}

/// A copy of the messages took the place of the plan that was to be applied.
#[test]
fn files_of_a_run_are_not_written_over_what_the_tool_reads() {
    let files = ["p.tfplan", "main.tf", "x.tfvars", "terraform.tfstate"];
    let mut said = BTreeSet::new();
    for (command, over) in [
        ("apply p.tfplan", "p.tfplan"),
        ("apply p.tfplan", "./p.tfplan"),
        ("plan", "main.tf"),
        ("plan -var-file=x.tfvars", "x.tfvars"),
        ("plan -var-file x.tfvars", "x.tfvars"),
        ("plan", "terraform.tfstate"),
        ("plan -out=new.tfplan", "new.tfplan"),
    ] {
        for option in ["--tee=", "--junit=", "--out=html="] {
            let tool = StandIn::new("written-over", "");
            for file in files {
                fs::write(tool.work().join(file), file).unwrap();
            }
            let written = format!("{option}{over}");
            let words: Vec<&str> = ["run", &written, "tofu"]
                .into_iter()
                .chain(command.split(' '))
                .collect();
            let output = tool.tfview(&words, "");
            assert_eq!(output.status.code(), Some(1), "{words:?}");
            assert!(tool.calls().is_empty(), "{words:?}");
            said.insert(text(&output.stderr));
            for file in files {
                let now = fs::read_to_string(tool.work().join(file)).unwrap();
                assert_eq!(now, file, "{words:?}");
            }
        }
    }
    let said: String = said.into_iter().collect();
    insta::assert_snapshot!(said);
}

#[test]
fn tee_does_not_overwrite_the_input_of_a_stream() {
    let tool = StandIn::new("tee-input", "");
    let file = tool.work().join("run.jsonl");
    fs::write(&file, "{\"@message\":\"m\"}\n").unwrap();
    let output = tool.tfview(&["stream", "--tee", "./run.jsonl", "run.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"@message\":\"m\"}\n");
}

/// For `apply`, the tools print a plan that failed only if it has changes.
#[test]
fn run_apply_of_an_errored_plan_with_nothing_says_what_the_tool_says() {
    let mut said = String::new();
    for command in ["apply", "destroy", "plan"] {
        let tool = StandIn::new("errored", "errored");
        let output = tool.tfview(&["run", "tofu", command], "yes\n");
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{command}: {stdout}");
        said += &format!("{command}:\n{stdout}");
    }
    insta::assert_snapshot!(said);
}
