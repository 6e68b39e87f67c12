//! The options of the tool's command: what the tool refuses is not true, what is not known reaches the tool
//! alone, and what shapes the tool's text shapes that of tfview.

use super::standin::{StandIn, text};
use crate::cli::harness::{SUMMARY, after};
use crate::pty::OnTerminal;
use crate::random::some_ways;

/// Values that Go's `strconv.ParseBool` refuses.
const REFUSED: [&str; 12] = [
    "no", "off", "n", "", "False ", " false", "yes", "on", "tRUE", "2", "null", "-1",
];

/// `-auto-approve=no` applied without asking.
#[test]
fn run_auto_approve_no() {
    let mut said = std::collections::BTreeSet::new();
    for (index, command) in ["apply", "destroy"].into_iter().enumerate() {
        for (turn, value) in REFUSED.into_iter().enumerate() {
            let options = vec![
                format!("-auto-approve={value}"),
                format!("--auto-approve={value}"),
                format!("-input={value}"),
                format!("-json={value}"),
                format!("-refresh={value}"),
            ];
            for option in some_ways(options, 2 * (turn + index), 2) {
                let tool = StandIn::new("refused", "");
                let words = ["run", "--", "tofu", command, &*option];
                let output = tool.tfview(&words, "yes\n");
                assert_eq!(output.status.code(), Some(1), "{command} {option}");
                assert!(tool.calls().is_empty(), "{command} {option}");
                said.insert(text(&output.stderr).replace(&format!("={value}`"), "=VALUE`"));
            }
        }
    }
    let said: String = said.into_iter().collect();
    insta::assert_snapshot!(said);
}

#[test]
fn a_boolean_option_of_a_variable_that_the_tool_refuses_applies_nothing() {
    for (variable, command) in [
        ("TF_CLI_ARGS", "apply"),
        ("TF_CLI_ARGS_apply", "apply"),
        ("TF_CLI_ARGS_destroy", "destroy"),
    ] {
        for value in REFUSED {
            let tool = StandIn::new("refused-variable", "")
                .variable(variable, format!("'-auto-approve={value}'"));
            let words = ["run", "terraform", command, "-auto-approve"];
            let output = tool.tfview(&words, "yes\n");
            assert_eq!(output.status.code(), Some(1), "{variable} {value:?}");
            assert!(tool.calls().is_empty(), "{variable} {value:?}");
        }
    }
}

/// A false value asks, and a later one wins.
#[test]
fn a_boolean_option_that_is_false_asks() {
    for (options, variable) in [
        ("-auto-approve=false", ""),
        ("-auto-approve=F", ""),
        ("-auto-approve --auto-approve=0", ""),
        ("-auto-approve=FALSE", "-auto-approve"),
    ] {
        let tool = StandIn::new("false", "").variable("TF_CLI_ARGS_apply", variable);
        let words: Vec<&str> = ["run", "tofu", "apply"]
            .into_iter()
            .chain(options.split(' '))
            .collect();
        let output = tool.tfview(&words, "no\n");
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{options}: {stdout}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(after(&stdout, SUMMARY), @r"

            Do you want to perform these actions?
              OpenTofu will perform the actions described above.
              Only 'yes' will be accepted to approve.

              Enter a value: 
            Apply cancelled.
            ");
        }
        assert_eq!(tool.calls().len(), 2, "{options}");
    }
}

/// The plan was made with `--working-dir=prod`, shown and applied without it.
#[test]
fn run_terragrunt_working_dir() {
    let mut calls = Vec::new();
    for options in [
        "--working-dir=prod",
        "-lock=false --terragrunt-config x.hcl",
    ] {
        let tool = StandIn::new("terragrunt", "");
        let words: Vec<&str> = ["run", "--", "terragrunt", "apply"]
            .into_iter()
            .chain(options.split(' '))
            .collect();
        let output = tool.tfview(&words, "yes\n");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        calls.extend(tool.calls());
    }
    insta::assert_snapshot!(calls.join("\n"), @r"
    plan --working-dir=prod -json -out=PRIVATE
    show --working-dir=prod -json PRIVATE
    apply --working-dir=prod -json PRIVATE
    plan --terragrunt-config x.hcl -json -out=PRIVATE -lock=false
    show --terragrunt-config x.hcl -json PRIVATE
    apply --terragrunt-config x.hcl -json -lock=false PRIVATE
    ");
}

/// One plan file held the plans of all units.
#[test]
fn commands_with_unknown_options_run_untouched() {
    let mut notes = String::new();
    for (command, variable) in [
        ("terragrunt apply --all", ""),
        ("terragrunt apply --graph", ""),
        ("terragrunt apply --queue-include-dir=x", ""),
        ("terragrunt apply", "true"),
        ("tofu apply --working-dir=prod", ""),
        ("terraform apply -chdir=prod", ""),
        ("terraform apply -out=x", ""),
        ("terraform apply -of-the-future", ""),
        ("terraform destroy -refresh-only", ""),
        ("terraform apply ---lock=false", ""),
    ] {
        let tool = StandIn::new("unknown-option", "").variable("TG_ALL", variable);
        let words: Vec<&str> = ["run", "--"]
            .into_iter()
            .chain(command.split(' '))
            .collect();
        let output = tool.tfview(&words, "yes\n");
        let (_, rest) = command.split_once(' ').unwrap();
        assert_eq!(tool.calls(), [rest], "{command}");
        let stderr = text(&output.stderr);
        notes += &format!("{command}: {}\n", stderr.lines().next().unwrap());
    }
    insta::assert_snapshot!(notes);
}

/// `-json` was added, so that the tool refused to plan, and nothing was asked.
#[test]
fn a_renamed_tool_is_recognized_by_run() {
    let tool = StandIn::new("renamed", "");
    let link = tool.folder.join("bin/tf");
    std::os::unix::fs::symlink("terraform1.9", link).unwrap();
    for name in ["terraform1.9", "tf"] {
        let output = tool.tfview(&["run", name, "apply"], "yes\n");
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{stdout}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(stdout, @r#"

            OpenTofu used the selected providers to generate the following execution
            plan. Resource actions are indicated with the following symbols:
              + create

            OpenTofu will perform the following actions:

              # terraform_data.a will be created
              + resource "terraform_data" "a" {
                  + id    = (known after apply)
                  + input = "é"
                }

            Plan: 1 to add, 0 to change, 0 to destroy.

            Do you want to perform these actions?
              OpenTofu will perform the actions described above.
              Only 'yes' will be accepted to approve.

              Enter a value: 
            terraform_data.a: Creating...
            terraform_data.a: Creation complete after 0s

            Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
            "#);
        }
    }
    for words in [
        &["wrapper", "apply"][..],
        &["make-a", "-C", "terraform", "apply"],
    ] {
        for wrapper in ["wrapper", "make-a"] {
            let path = tool.folder.join("bin").join(wrapper);
            drop(std::fs::remove_file(&path));
            std::os::unix::fs::symlink("/bin/echo", path).unwrap();
        }
        let output = tool.tfview(&[&["run", "--"], words].concat(), "");
        assert_eq!(text(&output.stdout), format!("{}\n", words[1..].join(" ")));
    }
}

/// The tool's own options that shape its text were ignored.
#[test]
fn run_follows_compact_warnings_and_no_color() {
    for variable in ["", "-no-color"] {
        let tool = StandIn::new("no-color", "").variable("TF_CLI_ARGS", variable);
        let option: &[&str] = if variable.is_empty() {
            &["-no-color"]
        } else {
            &[]
        };
        let words = [&["run", "tofu", "plan"], option].concat();
        let run = OnTerminal::start(&words, &tool.work(), &tool.variables());
        let (code, stdout) = run.end();
        assert_eq!(code, Some(0), "{stdout}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(stdout, @r#"

            OpenTofu used the selected providers to generate the following execution plan. Resource actions are indicated with the
            following symbols:
              + create

            OpenTofu will perform the following actions:

              # terraform_data.a will be created
              + resource "terraform_data" "a" {
                  + id    = (known after apply)
                  + input = "é"
                }

            Plan: 1 to add, 0 to change, 0 to destroy.
            "#);
        }
    }
    for (options, shown) in [("-concise", false), ("-concise=false", true)] {
        let tool = StandIn::new("concise", "");
        let output = tool.tfview(&["run", "tofu", "apply", "-auto-approve", options], "");
        let stdout = text(&output.stdout);
        assert_eq!(stdout.contains("Creating..."), shown, "{stdout}");
    }
}

/// `init` asks in its own words, and refuses `-json` where it moves the state.
#[test]
fn run_init_migrate_state_asks_as_the_tool() {
    for options in [
        "-migrate-state",
        "-migrate-state -force-copy",
        "-force-copy",
    ] {
        let tool = StandIn::new("migrate", "");
        let words: Vec<&str> = ["run", "terraform", "init"]
            .into_iter()
            .chain(options.split(' '))
            .collect();
        let output = tool.tfview(&words, "");
        assert_eq!(text(&output.stdout), format!("UNTOUCHED init {options}\n"));
    }
    for (arguments, call) in [
        (&["init"][..], "init"),
        (&["init", "-input=false"], "init -json -input=false"),
    ] {
        let tool = StandIn::new("asking-init", "");
        let words = [&["run", "terraform"], arguments].concat();
        let run = OnTerminal::start(&words, &tool.work(), &tool.variables());
        run.end();
        assert_eq!(tool.calls(), [call]);
    }
}
