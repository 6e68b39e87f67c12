//! Signals reach every process of the tool, on a terminal and without one, and the saved plan is removed.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use super::standin::{StandIn, text};
use crate::pty::OnTerminal;

/// The signals that end a run.
const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];

/// A wrapper that a signal ends immediately, and the tool behind it, which takes time to stop.
const WRAPPER: &str = "#!/bin/sh\n\"$(dirname \"$0\")/slow\" \"$@\"\n";
const SLOW: &str = "#!/bin/sh\ntrap 'echo \"{\\\"@level\\\":\\\"info\\\",\\\"@message\\\":\\\"stopping\\\"}\"; sleep 0.5; echo \"{\\\"@level\\\":\\\"info\\\",\\\"@message\\\":\\\"stopped\\\"}\"; echo gone > \"$CALLS\"; exit 4' INT TERM HUP\n\
                    echo '{\"@level\":\"info\",\"@message\":\"started\"}'\ni=0; while [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done\n";

fn with_programs(name: &str, programs: &[(&str, &str)]) -> StandIn {
    let tool = StandIn::new(name, "");
    for (file, script) in programs {
        let path = tool.folder.join("bin").join(file);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    tool
}

fn wrapped(name: &str) -> StandIn {
    with_programs(name, &[("wrapper", WRAPPER), ("slow", SLOW)])
}

fn signal(id: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(id).unwrap()).unwrap(), signal).unwrap();
}

#[test]
fn signal_reaches_the_tool_behind_a_wrapper_without_a_terminal() {
    thread::scope(|scope| {
        for sent in SIGNALS {
            scope.spawn(move || end_behind_a_wrapper_without_a_terminal(sent));
        }
    });
}

fn end_behind_a_wrapper_without_a_terminal(sent: Signal) {
    let tool = wrapped(&format!("signal-{}", sent.as_raw()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(["run", "wrapper", "apply", "-json"])
        .env_clear()
        .envs(tool.variables())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert_eq!(line, "started\n");
    signal(child.id(), sent);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(
        rest, "stopping\nstopped\n",
        "{sent:?}: tfview waits for the tool"
    );
    assert_ne!(child.wait().unwrap().code(), Some(0));
    assert_eq!(tool.calls(), ["gone"], "{sent:?}");
}

#[test]
fn signal_reaches_the_tool_behind_a_wrapper_on_a_terminal() {
    thread::scope(|scope| {
        for sent in [None, Some(Signal::TERM)] {
            scope.spawn(move || end_behind_a_wrapper_on_a_terminal(sent));
        }
    });
}

fn end_behind_a_wrapper_on_a_terminal(sent: Option<Signal>) {
    let name = if sent.is_some() { "sent" } else { "typed" };
    let tool = wrapped(&format!("signal-terminal-{name}"));
    let arguments = [
        "run",
        "--no-color",
        "--progress",
        "log",
        "wrapper",
        "apply",
        "-json",
    ];
    let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
    run.wait_for("started");
    match sent {
        Some(sent) => signal(run.child().id(), sent),
        None => run.type_text("\u{3}"),
    }
    let (code, seen) = run.end();
    assert_ne!(code, Some(0), "{seen}");
    assert!(
        seen.contains("stopping\n") && seen.contains("\nstopped\n"),
        "{sent:?}: {seen}"
    );
    assert_eq!(tool.calls(), ["gone"], "{sent:?}");
}

/// A tool that a real-time signal ended, which has no name, ended the run with an error of tfview.
#[test]
fn a_signal_without_a_name_is_the_exit_code_of_the_run() {
    let tool = with_programs(
        "signal-real-time",
        &[("wrapper", "#!/bin/sh\nkill -40 $$\n")],
    );
    let run = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(["run", "wrapper", "apply", "-json"])
        .env_clear()
        .envs(tool.variables())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(128 + 40), "{said}");
}

#[test]
fn a_signal_removes_the_saved_plan() {
    for sent in SIGNALS {
        let tool = StandIn::new("signal-plan", "slow-plan");
        let arguments = ["run", "--no-color", "--progress", "log", "tofu", "apply"];
        let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
        run.wait_for("Refreshing state...");
        assert!(!tool.recorded("modes").is_empty());
        signal(run.child().id(), sent);
        let (code, seen) = run.end();
        assert_ne!(code, Some(0), "{seen}");
        tool.assert_removed();
    }
    let tool = StandIn::new("signal-question", "");
    let mut run = OnTerminal::start(&["run", "tofu", "apply"], &tool.work(), &tool.variables());
    run.wait_for("Enter a value:");
    signal(run.child().id(), Signal::TERM);
    let (code, _) = run.end();
    assert_eq!(code, Some(1));
    tool.assert_removed();
}

/// What a test waits for before it sends a signal: a text on the screen, or a stage of the stand-in.
#[derive(Clone, Copy)]
enum Ready {
    Text(&'static str),
    Stage(&'static str),
}

/// The stages are waited for side by side, as most of the time is that of a tool that does not end.
///
/// While the tool's `show -json` worked, only SIGKILL ended the run.
#[test]
fn signal_ends_every_stage_and_leaves_nothing() {
    let stages: [(&'static str, &[&str], Ready); 8] = [
        ("slow-plan", &["apply"], Ready::Text("Refreshing state...")),
        ("slow-show", &["apply"], Ready::Stage("shows")),
        ("deaf-show", &["apply"], Ready::Stage("shows")),
        ("slow-show", &["plan"], Ready::Stage("shows")),
        (
            "deaf-show",
            &["apply", "-auto-approve"],
            Ready::Stage("shows"),
        ),
        ("slow-schemas", &["apply"], Ready::Stage("schemas")),
        ("", &["apply"], Ready::Text("Enter a value: ")),
        (
            "slow-apply",
            &["apply", "-auto-approve"],
            Ready::Text("Creating..."),
        ),
    ];
    thread::scope(|scope| {
        for (index, (mode, words, ready)) in stages.into_iter().enumerate() {
            for sent in SIGNALS {
                let name = format!("stages-{index}-{}", sent.as_raw());
                scope.spawn(move || {
                    let tool = StandIn::new(&name, mode);
                    if mode == "slow-schemas" {
                        super::schemas::with_unknown_provider(&tool);
                    }
                    end_at_stage(&tool, words, ready, sent);
                });
            }
        }
    });
}

/// Ends a run by a signal when it reaches a stage, on a terminal and in a pipe.
fn end_at_stage(tool: &StandIn, words: &[&str], ready: Ready, sent: Signal) {
    let arguments = [&["run", "--no-color", "--progress", "log", "tofu"], words].concat();
    let case = format!("{} {words:?} {sent:?}", tool.mode);
    let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
    match ready {
        Ready::Text(text) => run.wait_for(text),
        Ready::Stage(stage) => tool.wait_for_stage(stage),
    }
    signal(run.child().id(), sent);
    let (code, printed) = run.end();
    check(tool, &case, code, &printed);

    let mut child = tool.start(&arguments);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut printed = String::new();
    match ready {
        Ready::Text(text) => read_until(&mut output, &mut printed, text),
        Ready::Stage(stage) => tool.wait_for_stage(stage),
    }
    signal(child.id(), sent);
    output.read_to_string(&mut printed).unwrap();
    check(tool, &case, child.wait().unwrap().code(), &printed);
}

/// Checks that a run has failed, or was ended by the signal, and that nothing of it is left.
fn check(tool: &StandIn, case: &str, code: Option<i32>, seen: &str) {
    assert_ne!(code, Some(0), "{case}: {seen}");
    assert!(!seen.contains("Apply complete!"), "{case}: {seen}");
    tool.assert_removed();
    tool.assert_ended();
    fs::write(tool.folder.join("calls.stages"), "").unwrap();
}

fn read_until(output: &mut impl Read, seen: &mut String, text: &str) {
    let mut bytes = Vec::new();
    while !String::from_utf8_lossy(&bytes).contains(text) {
        let mut byte = [0];
        assert_ne!(
            output.read(&mut byte).unwrap(),
            0,
            "{}",
            String::from_utf8_lossy(&bytes)
        );
        bytes.push(byte[0]);
    }
    seen.push_str(&String::from_utf8_lossy(&bytes));
}

/// On a terminal, an interrupt reaches only the foreground, where the ended tool was left.
#[test]
fn typed_interrupt_ends_the_run_while_its_plan_is_read() {
    let interrupt = |mode: &'static str| {
        let tool = StandIn::new(&format!("typed-{mode}"), mode);
        let arguments = ["run", "--no-color", "--progress", "log", "tofu", "apply"];
        let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
        tool.wait_for_stage("shows");
        run.type_text("\u{3}");
        let (code, seen) = run.end();
        check(&tool, mode, code, &seen);
    };
    thread::scope(|scope| {
        for mode in ["slow-show", "deaf-show"] {
            scope.spawn(move || interrupt(mode));
        }
    });
}

/// The copy of a saved plan on standard input stayed.
#[test]
fn signal_removes_the_copy_of_a_saved_plan() {
    thread::scope(|scope| {
        for command in ["show", "review"] {
            for mode in ["slow-show", "deaf-show"] {
                for sent in SIGNALS {
                    let name = format!("copy-{command}-{mode}-{}", sent.as_raw());
                    scope.spawn(move || {
                        end_with_a_copy(&StandIn::new(&name, mode), command, sent);
                    });
                }
            }
        }
    });
}

/// Ends a command that has a saved plan on standard input by a signal, while the tool reads the copy of it.
fn end_with_a_copy(tool: &StandIn, command: &str, sent: Signal) {
    let mut child = tool.start(&[command, "--via-tool", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"PK\x03\x04 a saved plan").unwrap();
    drop(stdin);
    tool.wait_for_stage("shows");
    signal(child.id(), sent);
    let output = child.wait_with_output().unwrap();
    let case = format!("{command} {} {sent:?}", tool.mode);
    check(tool, &case, output.status.code(), &text(&output.stdout));
}
