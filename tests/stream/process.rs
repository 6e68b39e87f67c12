//! `stream` and `run` as processes: closed pipes, slow producers, signals, terminals, files and the exit code
//! of the tool.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::harness::{hook, summary};

#[expect(
    clippy::disallowed_methods,
    reason = "stand-ins for the tool need other programs in PATH"
)]
fn path() -> OsString {
    std::env::var_os("PATH").unwrap()
}

pub(super) fn tfview(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
    command.env_clear().env("PATH", path()).args(args);
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(super) fn start(address: &str) -> String {
    hook("apply_start", address, r#","action":"create""#)
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

#[test]
fn lines_appear_as_they_arrive() {
    let mut child = tfview(&["stream"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for address in ["a", "b"] {
        stdin.write_all(start(address).as_bytes()).unwrap();
        // The producer pauses here, with its end of the pipe open.
        assert_eq!(
            lines.next().unwrap().unwrap(),
            format!("{address}: Creating...")
        );
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn input_is_drained_after_stdout_is_closed() {
    let mut child = tfview(&["stream"]).spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().unwrap();
    let line = start("a");
    // Far more than a pipe buffer holds: if tfview had stopped reading, writing would fail.
    for _ in 0..20_000 {
        stdin.write_all(line.as_bytes()).unwrap();
    }
    let end = hook("apply_complete", "a", ",\"action\":\"create\"")
        + &summary("apply", "Apply complete!");
    stdin.write_all(end.as_bytes()).unwrap();
    drop(stdin);
    assert_eq!(
        child.wait().unwrap().code(),
        Some(0),
        "the exit code is still that of the run"
    );
}

#[test]
fn tee_records_the_exact_input() {
    let tee = file("tee");
    let input = b"noise\xff\r\n{\"@message\":\"m\"}\nrest\n";
    let mut child = tfview(&["stream", "--tee"]).arg(&tee).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read(&tee).unwrap(), input);
    let mut child = tfview(&["stream", "--tee", "/nowhere/at/all"])
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    // The run is still shown.
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout), @r"
    noise�
    m
    rest
    ");
}

#[test]
fn unreadable_file_does_not_end_the_run() {
    let mut notes = String::new();
    for option in ["--plan", "--schemas"] {
        let mut child = tfview(&["stream", option, "/nowhere/at/all"])
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(b"{\"@message\":\"m\"}\n")
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), &*output.stdout),
            (Some(0), &b"m\n"[..])
        );
        notes += &format!("{option}: {}", String::from_utf8_lossy(&output.stderr));
    }
    insta::assert_snapshot!(notes, @r"
    --plan: warning: the run is shown without its plan: cannot read /nowhere/at/all: No such file or directory
      tip: for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    --schemas: warning: the run is shown without schemas: cannot load schemas: cannot read /nowhere/at/all: No such file or directory
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_after_the_run() {
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut child = tfview(&["stream"]).stdout(full).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"{\"@message\":\"m\"}\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"error: writing the run's text: No space left on device");
}

#[cfg(unix)]
pub(super) fn signal(child: &Child, signal: rustix::process::Signal) {
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, signal).unwrap();
}

#[cfg(unix)]
#[test]
fn first_interrupt_is_left_to_the_tool_and_second_ends_the_display() {
    use rustix::process::Signal;
    let mut child = tfview(&["stream"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut shows = |stdin: &mut std::process::ChildStdin, address: &str| {
        stdin.write_all(start(address).as_bytes()).unwrap();
        assert_eq!(
            lines.next().unwrap().unwrap(),
            format!("{address}: Creating...")
        );
    };
    shows(&mut stdin, "a"); // by now it handles signals
    signal(&child, Signal::INT);
    shows(&mut stdin, "b");
    // Signals that arrive together count as one, so it is sent until a second one is received.
    let code = loop {
        signal(&child, Signal::INT);
        std::thread::sleep(Duration::from_millis(100));
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
    };
    assert_eq!(code, Some(1));
    let mut notes = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut notes)
        .unwrap();
    insta::assert_snapshot!(notes, @r"

    This display was interrupted; the run may still be going on. Done: nothing.
      not finished: a (creation)
      not finished: b (creation)
    ");
    drop(stdin);
}

/// Runs tests that wait for seconds at the same time.
#[test]
fn what_waits_for_input_or_time_ends() {
    std::thread::scope(|scope| {
        scope.spawn(growing_file_is_followed_to_the_end_of_its_run);
        #[cfg(unix)]
        scope.spawn(tool_that_has_exited_is_not_waited_for);
        #[cfg(unix)]
        scope.spawn(sigterm_ends_a_display_that_waits_for_input);
        #[cfg(target_os = "linux")]
        scope.spawn(region_is_drawn_and_erased_on_a_terminal);
    });
}

/// Installs a stand-in for the tool that is a shell script.
#[cfg(unix)]
pub(super) fn tool(name: &str, script: &str) -> PathBuf {
    let folder = file(name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("tofu");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn tool_is_run_with_its_arguments_and_input() {
    let tool = tool(
        "run",
        "echo \"{\\\"@message\\\":\\\"$* $(cat)\\\"}\"; echo aside >&2; exit 7",
    );
    let mut command = tfview(&["run", "--"]);
    let mut child = command
        .arg(&tool)
        .args(["apply", "tfplan"])
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"from our input")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "apply -json tfplan from our input\n"
    );
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"aside");
}

#[cfg(unix)]
#[test]
fn tool_receives_each_signal_once() {
    use rustix::process::Signal;
    let script = "n=0; trap 'n=$((n+1)); echo \"{\\\"@message\\\":\\\"interrupt $n\\\"}\"' INT; \
                  echo '{\"@message\":\"ready\"}'; while [ $n -lt 1 ]; do sleep 0.05; done; sleep 0.3; \
                  echo \"{\\\"@message\\\":\\\"end $n\\\"}\"; exit 3";
    let tool = tool("signals", script);
    let mut command = tfview(&["run", "--"]);
    let mut child = command
        .arg(&tool)
        .args(["apply", "tfplan"])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    signal(&child, Signal::INT);
    assert_eq!(lines.next().unwrap().unwrap(), "interrupt 1");
    assert_eq!(lines.next().unwrap().unwrap(), "end 1");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the test checks that nothing waits"
)]
fn tool_that_has_exited_is_not_waited_for() {
    // A background process keeps the output of the tool open for much longer.
    let tool = tool("left", "sleep 30 & echo '{\"@message\":\"m\"}'; exit 0");
    let began = Instant::now();
    let mut command = tfview(&["run", "--"]);
    let output = command
        .stderr(Stdio::null())
        .arg(&tool)
        .args(["apply", "tfplan"])
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), &*output.stdout),
        (Some(0), &b"m\n"[..])
    );
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn input_is_not_overwritten() {
    let run = file("kept");
    let message = b"{\"@message\":\"m\"}\n";
    fs::write(&run, message).unwrap();
    let link = file("link");
    let _ = fs::hard_link(&run, &link);
    for option in ["--tee", "--junit"] {
        for output in [&run, &link] {
            let refused = tfview(&["stream", option])
                .arg(output)
                .arg(&run)
                .output()
                .unwrap();
            assert_eq!(refused.status.code(), Some(1));
            let error = String::from_utf8_lossy(&refused.stderr)
                .replace(output.to_str().unwrap(), "[file]");
            insta::allow_duplicates! {
                insta::assert_snapshot!(error.replace(option, "[option]"), @r"
                error: [option] would write over [file], which is read
                  tip: name another file
                ");
            }
            let mut piped = tfview(&["stream", option]);
            let refused = piped
                .arg(output)
                .stdin(fs::File::open(&run).unwrap())
                .output()
                .unwrap();
            assert_eq!(refused.status.code(), Some(1));
            assert_eq!(fs::read(&run).unwrap(), message);
        }
    }
}

fn growing_file_is_followed_to_the_end_of_its_run() {
    let run = file("growing");
    fs::write(&run, start("a")).unwrap();
    let mut child = tfview(&["stream", "--follow"]).arg(&run).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "a: Creating...");
    let mut file = fs::OpenOptions::new().append(true).open(&run).unwrap();
    let done = hook(
        "apply_complete",
        "a",
        r#","action":"create","elapsed_seconds":1"#,
    );
    let (first, second) = done.split_at(40);
    file.write_all(first.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    file.write_all(second.as_bytes()).unwrap();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "a: Creation complete after 1s"
    );
    file.write_all(summary("apply", "Apply complete!").as_bytes())
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
fn sigterm_ends_a_display_that_waits_for_input() {
    use rustix::process::Signal;
    let mut child = tfview(&["stream"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(start("a").as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "a: Creating...");
    signal(&child, Signal::TERM);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r"

    This display was interrupted; the run may still be going on. Done: nothing.
      not finished: a (creation)
    ");
    drop(stdin);
}

/// Uses a terminal by `script` of util-linux, and fails without it.
#[cfg(target_os = "linux")]
fn region_is_drawn_and_erased_on_a_terminal() {
    let messages = file("messages");
    let input = start("a")
        + &hook(
            "apply_complete",
            "a",
            r#","action":"create","elapsed_seconds":1"#,
        );
    fs::write(&messages, input + &summary("apply", "Apply complete!")).unwrap();
    let typescript = file("typescript");
    let shell = format!(
        "(head -n 1 {m}; sleep 1; tail -n +2 {m}) | TERM=xterm {bin} stream",
        m = messages.display(),
        bin = env!("CARGO_BIN_EXE_tfview")
    );
    let mut command = Command::new("script");
    command
        .args(["-q", "-e", "-c", &shell])
        .arg(&typescript)
        .env_clear()
        .env("PATH", path());
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let output = output.expect("`script` of util-linux is installed");
    assert!(output.success());
    let printed = String::from_utf8_lossy(&fs::read(&typescript).unwrap()).into_owned();
    let region = printed.find(" creating ").expect("the region is drawn");
    let erased = printed.rfind("\x1b[J").expect("and erased");
    let summary = printed.find("Apply complete!").unwrap();
    assert!(region < erased && erased < summary, "{printed:?}");
    assert!(!printed.contains("\x1b[?1049h"), "no alternate screen");
}

/// `stream` used to wait silently.
#[test]
fn stream_without_input_on_a_terminal_is_an_error() {
    let terminal = crate::pty::OnTerminal::start(&["stream"], Path::new("/"), &[]);
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(1), "{screen}");
    insta::assert_snapshot!(screen, @r"
    error: no input
      tip: name a FILE, or pipe one in, as in `tofu apply -json -auto-approve | tfview stream`; `tfview run tofu apply` runs
      the tool and shows its run
    ");
}
