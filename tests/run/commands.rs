//! Only commands with a JSON output are taken over, all others run untouched. The tool is found in PATH only.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::standin::{StandIn, text};

#[test]
fn commands_without_messages_run_untouched() {
    let tool = StandIn::new("untouched", "");
    for arguments in [
        "output",
        "console",
        "fmt -check",
        "workspace select plan",
        "login",
        "import a b",
        "-version",
        "plan-something",
        "providers schema -json",
    ] {
        let mut words = vec!["run", "terraform"];
        words.extend(arguments.split(' '));
        let output = tool.tfview(&words, "");
        assert_eq!(output.status.code(), Some(9), "{arguments}");
        assert_eq!(text(&output.stdout), format!("UNTOUCHED {arguments}\n"));
        assert_eq!(
            text(&output.stderr),
            "\u{1b}[31mred\u{1b}[0m\n",
            "its colours are unchanged, and there is no note"
        );
    }
    for arguments in [
        "apply -json=false",
        "apply -help",
        "apply -json-into=f -auto-approve",
    ] {
        let mut words = vec!["run", "terraform"];
        words.extend(arguments.split(' '));
        let output = tool.tfview(&words, "");
        assert_eq!(output.status.code(), Some(5), "{arguments}");
        assert!(text(&output.stdout).starts_with(&format!("UNTOUCHED {arguments}\n")));
    }
}

/// The standard error of a wrapper is as untrusted as any other input.
#[test]
fn standard_error_of_a_wrapper_is_escaped() {
    let tool = StandIn::new("stderr", "");
    let wrapper = tool.folder.join("bin/wrapper");
    let script = "#!/bin/sh\nprintf 'a\\033]0;title\\007\\n::error::forged\\n##vso[task.x]\\nhalf \\303' >&2; sleep 0.1; printf '\\251\\n' >&2\necho '{\"@level\":\"info\",\"@message\":\"m\"}'\n";
    fs::write(&wrapper, script).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    for (options, variable) in [
        (&["run", "wrapper", "apply", "-json"][..], "GITHUB_ACTIONS"),
        (
            &["run", "--progress", "live", "wrapper", "apply", "-json"],
            "CI",
        ),
    ] {
        let tool = StandIn::new("stderr-run", "").variable(variable, "true");
        let bin = tool.folder.join("bin/wrapper");
        fs::copy(&wrapper, &bin).unwrap();
        let output = tool.tfview(options, "");
        let stderr = text(&output.stderr);
        assert!(
            !stderr.contains('\u{1b}') && !stderr.contains('\u{7}'),
            "{stderr:?}"
        );
        assert!(
            !stderr.lines().any(|line| line.starts_with("::")) && !stderr.contains("##vso["),
            "{stderr:?}"
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(stderr, @r"
            a␛]0;title␇
            : :error::forged
            ##vso [task.x]
            half é
            note: the input has no messages of a run
              tip: was the tool started with -json?
            ");
        }
    }
}

#[test]
fn tool_is_not_searched_in_the_current_directory() {
    let tool = StandIn::new("path", "");
    fs::copy(tool.folder.join("bin/tofu"), tool.work().join("tofu")).unwrap();
    for path in [".", "", ":.:", "./"] {
        let tool = StandIn::new("path", "");
        fs::copy(tool.folder.join("bin/tofu"), tool.work().join("tofu")).unwrap();
        let tool = tool.variable("PATH", path);
        let output = tool.tfview(&["run", "tofu", "output"], "");
        assert_eq!(output.status.code(), Some(1), "PATH={path:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(text(&output.stderr), @"error: cannot start tofu: it is not in PATH (directories that are not absolute are not searched)");
        }
        assert!(tool.calls().is_empty());
    }
}
