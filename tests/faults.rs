//! Problems of the environment cause clear errors and never a crash: full disks, closed streams, odd
//! variables, widths and file names.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::cli::harness::{PLAN, SUMMARY};

fn tfview(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
    command
        .args(args)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env_clear();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command with `input` on standard input.
fn run(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // A process that exits early does not read all of its input.
    let _: std::io::Result<()> = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn has_crashed(output: &Output) -> bool {
    stderr(output).contains("fault of tfview") || output.status.code().is_none()
}

#[test]
fn full_disk_is_an_error() {
    let mut errors = String::new();
    for subcommand in ["show", "completions", "man"] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let args: &[&str] = if subcommand == "completions" {
            &["completions", "bash"]
        } else {
            &[subcommand]
        };
        let mut command = tfview(args);
        command.stdout(full);
        let output = run(command, PLAN.as_bytes());
        assert_eq!(
            output.status.code(),
            Some(1),
            "{subcommand}: {}",
            stderr(&output)
        );
        errors += &format!("{subcommand}: {}", stderr(&output));
    }
    insta::assert_snapshot!(errors, @r"
    show: error: cannot write the text: No space left on device
    completions: error: writing to standard output: No space left on device
    man: error: writing to standard output: No space left on device
    ");
}

#[test]
fn closed_streams_cause_no_crash() {
    for redirect in [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        for subcommand in ["show", "stream", "review", "man", "--help", "nonsense"] {
            let script = format!("exec \"$0\" {subcommand} {redirect}");
            let mut command = Command::new("/bin/sh");
            command
                .args(["-c", &script, env!("CARGO_BIN_EXE_tfview")])
                .env_clear();
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let output = run(command, PLAN.as_bytes());
            assert!(
                !has_crashed(&output),
                "{subcommand} {redirect}: {:?} {}",
                output.status,
                stderr(&output)
            );
        }
    }
}

#[test]
fn home_and_a_writable_folder_are_not_needed() {
    for home in [
        None,
        Some(""),
        Some("/nonexistent"),
        Some("/proc"),
        Some("relative"),
    ] {
        let mut command = tfview(&["show"]);
        command.current_dir("/proc");
        if let Some(home) = home {
            command
                .env("HOME", home)
                .env("XDG_CONFIG_HOME", home)
                .env("XDG_CACHE_HOME", home)
                .env("TMPDIR", home);
        }
        let output = run(command, PLAN.as_bytes());
        assert!(output.status.success(), "{home:?}: {}", stderr(&output));
        assert!(
            String::from_utf8_lossy(&output.stdout).ends_with(SUMMARY),
            "{home:?}"
        );
    }
}

#[test]
fn odd_terminals_and_locales_do_not_change_the_output() {
    let plain = run(tfview(&["show"]), PLAN.as_bytes());
    for (name, value) in [
        ("TERM", ""),
        ("TERM", "dumb"),
        ("TERM", "no-such-terminal"),
        ("TERM", "\u{1b}[2J"),
        ("TERM", &"x".repeat(100_000)),
        ("COLUMNS", "0"),
        ("COLUMNS", "-1"),
        ("COLUMNS", "99999999999999999999"),
        ("COLUMNS", "many"),
        ("LC_ALL", "C"),
        ("LC_ALL", "no_SUCH.locale"),
        ("LANG", "de_DE.ISO-8859-1"),
        ("NO_COLOR", "1"),
        ("PAGER", "false"),
    ] {
        let mut command = tfview(&["show"]);
        command.env(name, value);
        let output = run(command, PLAN.as_bytes());
        assert_eq!(output.stdout, plain.stdout, "{name}={value}");
        assert!(output.status.success(), "{name}={value}");
    }
}

#[test]
fn extreme_widths_cause_no_crash() {
    for width in [
        "0",
        "1",
        "2",
        "3",
        "65536",
        "4294967295",
        "18446744073709551615",
        "99999999999999999999",
    ] {
        for subcommand in ["show", "stream", "review"] {
            let output = run(tfview(&[subcommand, "--width", width]), PLAN.as_bytes());
            assert!(
                !has_crashed(&output),
                "{subcommand} --width {width}: {}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn windows_line_ends_give_the_same_text() {
    let pretty = |end: &str| PLAN.replace(',', &format!(",{end}  ")).into_bytes();
    let unix = run(tfview(&["show"]), &pretty("\n"));
    let windows = run(tfview(&["show"]), &pretty("\r\n"));
    assert!(unix.status.success());
    assert_eq!(unix.stdout, windows.stdout);

    let root = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/goldens/smoke-terraform/apply.jsonl"
    );
    let messages = fs::read_to_string(root).unwrap();
    let unix = run(tfview(&["stream"]), messages.as_bytes());
    let windows = run(
        tfview(&["stream"]),
        messages.replace('\n', "\r\n").as_bytes(),
    );
    assert!(unix.status.success(), "{}", stderr(&unix));
    assert_eq!(unix.stdout, windows.stdout);
}

#[test]
fn file_names_and_arguments_are_escaped() {
    let name = "\u{1b}]52;c;x\u{7}\u{202e}.json";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd-names");
    fs::create_dir_all(&folder).unwrap();
    File::create(folder.join(name))
        .unwrap()
        .write_all(b"{\"a\": nope}")
        .unwrap();
    let calls: [&[&str]; 8] = [
        &["show", name],
        &["show", "missing\u{1b}[2J"],
        &["show", "a.json", name],
        &["show", "--schemas", name, name],
        &["stream", "missing\u{9b}2J\r"],
        &["stream", "--plan", name, name],
        &["--\u{1b}[2J"],
        &["show", "--color", "\u{1b}[2J"],
    ];
    for args in calls {
        let mut command = tfview(args);
        command.current_dir(&folder);
        let output = run(command, b"");
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(text.clone()).unwrap();
            assert_eq!(
                super::terminal::fault(&text, false),
                None,
                "{args:?}: {text:?}"
            );
        }
    }
}

/// A value with a line break began a line of the usage error, where a CI system looks for commands.
#[test]
fn arguments_in_a_usage_error_are_no_commands() {
    let value = "x\n::error::y\n##vso[task.setvariable variable=a]b";
    let mut errors = String::new();
    for args in [
        &["review", "--only", value][..],
        &["review", "--fail-on", value],
        &["review", "--source-url", value],
        &["show", "--dialect", value],
        &[&format!("--{value}")],
    ] {
        let error = stderr(&run(tfview(args), b""));
        let is_command = |line: &&str| line.starts_with("::error") || line.contains("##vso[");
        assert_eq!(error.lines().find(is_command), None, "{args:?}: {error}");
        errors += &error;
    }
    insta::assert_snapshot!(errors);
}

#[test]
fn errors_contain_no_values_of_broken_documents() {
    let token = "Secret00001z";
    for document in [
        format!(r#"{{"resource_changes":[{{"change":{{"after":{{"a":{{"{token}":nope}}}}}}}}]}}"#),
        format!(r#"{{"resource_changes":[{{"change":{{"after":{{"a":"{token}"#),
        format!(r#"{{"resource_changes":[{{"change":"{token}"}}]}}"#),
        format!(r#"{{"resource_changes":"{token}"}}"#),
        format!(r#"{{"output_changes":{{"a":{{"actions":"{token}","after_sensitive":true}}}}}}"#),
        format!(
            r#"{{"format_version":"1.0","values":{{"outputs":{{"a":{{"sensitive":"{token}"}}}}}}}}"#
        ),
        format!(r#"cret":"{token}","b":1}},"after_sensitive":{{"a":true}}}}"#),
        format!(r#"{token}","b":1}}"#),
        format!("\"{token}\""),
        format!("[\"{token}\", nope]"),
        format!("{{\"a\":\"{token}\\q\"}}"),
    ] {
        for subcommand in ["show", "review"] {
            let output = run(tfview(&[subcommand]), document.as_bytes());
            let text = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{subcommand} {document}");
            assert!(!text.contains(token), "{subcommand} {document}: {text}");
        }
    }
}
