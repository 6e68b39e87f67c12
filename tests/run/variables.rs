//! A variable without a value: the tool asks where somebody can answer.

use super::standin::{StandIn, text};
use crate::cli::harness::after;
use crate::pty::OnTerminal;

#[test]
fn tool_asks_for_variables() {
    let tool = StandIn::new("variable", "variable");
    let arguments = ["run", "--no-color", "--progress", "log", "tofu", "apply"];
    let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
    run.wait_for("var.v\r\n  Enter a value: ");
    run.type_text("seven\n");
    run.wait_for("Do you want to perform these actions?");
    run.wait_for("Enter a value: ");
    run.type_text("yes\n");
    let (code, printed) = run.end();
    assert_eq!(code, Some(0), "{printed}");
    insta::assert_snapshot!(after(&printed, "seven\n"));
    let calls = tool.calls();
    assert!(
        calls.contains(&"value=seven".to_owned()) && calls.contains(&"automation=1".to_owned()),
        "{calls:?}"
    );
    assert_eq!(calls.last().unwrap(), "apply -json PRIVATE");
    tool.assert_removed();
}

/// Nobody can answer, so the tool is not started again without `-json`, which would pass its text through.
#[test]
fn no_second_raw_run_where_nobody_can_answer() {
    let mut outputs = String::new();
    for (options, variable) in [
        (
            &["run", "--no-color", "--ci", "github", "tofu", "plan"][..],
            ("X", ""),
        ),
        (&["run", "tofu", "plan"], ("X", "")),
        (&["run", "tofu", "apply"], ("CI", "true")),
        (&["run", "tofu", "apply", "-auto-approve"], ("X", "")),
    ] {
        let tool = StandIn::new("no-answer", "variable").variable(variable.0, variable.1);
        let output = tool.tfview(options, "value\nyes\n");
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        outputs += &format!("{variable:?} {options:?}\n{printed}");
        assert_eq!(tool.calls().len(), 1, "{options:?}");
        tool.assert_removed();
    }
    insta::assert_snapshot!(outputs);
    for (arguments, name, value) in [
        (&["run", "--ci", "github", "tofu", "plan"][..], "X", ""),
        (&["run", "tofu", "plan"], "CI", "true"),
        (&["run", "tofu", "plan"], "TF_INPUT", "false"),
        (&["run", "tofu", "plan", "-input=false"], "X", ""),
    ] {
        let tool = StandIn::new("no-answer-terminal", "variable").variable(name, value);
        let (code, printed) = OnTerminal::start(arguments, &tool.work(), &tool.variables()).end();
        assert_eq!(code, Some(1), "{printed}");
        assert!(
            printed.contains("No value for required variable") && !printed.contains("raw"),
            "{name}: {printed}"
        );
        assert_eq!(tool.calls().len(), 1, "{arguments:?} {name}");
    }
}
