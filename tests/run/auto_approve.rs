//! With `-auto-approve`, the plan is shown as without it, and applied without a question.

use super::standin::{StandIn, text};
use crate::cli::harness::after;

/// It used to print one line for each resource, and ignored `--review`.
#[test]
fn auto_approve_shows_the_whole_plan_and_applies_it() {
    let mut outputs = String::new();
    for (options, subcommand) in [
        (&["run"][..], "apply"),
        (&["run", "--review"], "apply"),
        (&["run"], "destroy"),
        (&["run", "--review"], "destroy"),
    ] {
        let tool = StandIn::new("auto", "");
        let words = [
            "tofu",
            subcommand,
            "-auto-approve",
            "-var",
            "a=1",
            "-parallelism=3",
        ];
        let output = tool.tfview(&[options, &words].concat(), "");
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{stdout}");
        let stdout = after(&stdout, "following actions:\n");
        outputs += &format!("{} {subcommand}:\n{stdout}", options.join(" "));
        let destroy = if subcommand == "destroy" {
            " -destroy"
        } else {
            ""
        };
        assert_eq!(
            tool.calls(),
            [
                format!("plan -json -out=PRIVATE{destroy} -var a=1 -parallelism=3"),
                "show -json PRIVATE".to_owned(),
                "apply -json -parallelism=3 PRIVATE".to_owned()
            ]
        );
        tool.assert_removed();
    }
    insta::assert_snapshot!(outputs);
}

#[test]
fn auto_approve_from_a_variable_shows_the_whole_plan() {
    let tool = StandIn::new("auto-variable", "").variable("TF_CLI_ARGS_apply", "-auto-approve");
    let output = tool.tfview(&["run", "tofu", "apply"], "");
    let stdout = text(&output.stdout);
    insta::assert_snapshot!(stdout);
    assert_eq!(tool.calls().last().unwrap(), "apply -json PRIVATE");
}

#[test]
fn auto_approve_runs_as_given_if_the_backend_cannot_save_a_plan() {
    let tool = StandIn::new("auto-backend", "backend");
    let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve"], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    insta::assert_snapshot!(text(&output.stderr), @"note: the backend cannot save a plan, so it is not shown before it is applied");
    assert_eq!(tool.calls().last().unwrap(), "apply -json -auto-approve");
    tool.assert_removed();
}

/// The user has approved any plan, so that a fault of the viewer does not stop the run.
#[test]
fn auto_approve_applies_a_plan_that_cannot_be_shown() {
    let tool = StandIn::new("auto-fail-show", "fail-show");
    let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve"], "");
    let stderr = text(&output.stderr);
    insta::assert_snapshot!(stderr, @r"
    note: the plan cannot be shown: the tool's `show -json` failed (exit status: 1): cannot read it
    error: the plan could not be shown; applying it anyway, because of -auto-approve
    ");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(tool.calls().last().unwrap(), "apply -json PRIVATE");
}

/// Warnings came twice: with the plan, and at the end.
#[test]
fn warnings_of_run_with_auto_approve_come_once() {
    let tool = StandIn::new("auto-warnings", "warn");
    let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve"], "");
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    for warning in [
        "Planned with care",
        "Check block assertion failed",
        "Applied with care",
    ] {
        assert_eq!(stdout.matches(warning).count(), 1, "{warning}: {stdout}");
        assert!(
            stdout.find("Creation complete") < stdout.find(warning),
            "{warning}: {stdout}"
        );
        assert!(
            stdout.find(warning) < stdout.find("Apply complete!"),
            "{warning}: {stdout}"
        );
    }
    // Somebody who is asked decides by the warnings.
    let tool = StandIn::new("asked-warnings", "warn");
    let output = tool.tfview(&["run", "tofu", "apply"], "yes\n");
    let stdout = text(&output.stdout);
    assert!(
        stdout.find("Planned with care") < stdout.find("Enter a value"),
        "{stdout}"
    );
}
