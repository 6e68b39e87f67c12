//! If a run ends early, everything that was received is shown, and the exit code is right: interrupts at each
//! stage, a tool that is killed, a terminal that is closed.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::harness::{hook, summary};
use super::process::{signal, start, tfview, tool};

/// The messages of a complete run: versions, a plan, changes, a summary, outputs.
fn run() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/goldens/smoke-terraform/apply.jsonl"
    );
    fs::read_to_string(path).unwrap()
}

/// The numbers of lines after which a test intervenes: at the start, at the end, and between.
fn stages(lines: usize) -> impl Iterator<Item = usize> {
    (0..=lines).step_by(lines.div_ceil(8).max(1)).chain([lines])
}

/// Starts a display that has shown the first `stage` lines.
fn shown_up_to(
    stage: usize,
    args: &[&str],
) -> (std::process::Child, std::process::ChildStdin, Vec<String>) {
    let mut child = tfview(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for line in run().lines().take(stage) {
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    // Other lines are passed through in order: once this one is printed, all lines before it were shown.
    stdin.write_all(b"here\n").unwrap();
    let mut lines_shown = Vec::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    loop {
        let mut line = String::new();
        assert!(
            lines.read_line(&mut line).unwrap() > 0,
            "the display ended early: {lines_shown:?}"
        );
        if line == "here\n" {
            break;
        }
        lines_shown.push(line);
    }
    // Keep the pipe open, so that the caller can read the rest.
    child.stdout = Some(lines.into_inner());
    (child, stdin, lines_shown)
}

fn rest_of(child: &mut std::process::Child) -> String {
    let mut rest = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut rest)
        .unwrap();
    rest
}

#[test]
fn interrupt_at_any_stage_loses_no_line() {
    let whole = {
        let (mut child, mut stdin, seen) = shown_up_to(0, &["stream"]);
        stdin.write_all(run().as_bytes()).unwrap();
        drop(stdin);
        let text = seen.concat() + &rest_of(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        text
    };
    let lines = run().lines().count();
    for stage in stages(lines) {
        for sent in [Signal::INT, Signal::HUP, Signal::QUIT] {
            let (mut child, mut stdin, seen) = shown_up_to(stage, &["stream"]);
            signal(&child, sent);
            for line in run().lines().skip(stage) {
                stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
            }
            drop(stdin);
            let text = seen.concat() + &rest_of(&mut child);
            assert_eq!(text, whole, "{sent:?} after {stage} lines");
            assert_eq!(
                child.wait().unwrap().code(),
                Some(0),
                "{sent:?} after {stage} lines"
            );
        }
    }
}

#[test]
fn second_interrupt_ends_the_display_at_any_stage() {
    for stage in stages(run().lines().count()) {
        let (mut child, stdin, _) = shown_up_to(stage, &["stream"]);
        // Signals that arrive together count as one, so it is sent until a second one is received.
        let status = loop {
            signal(&child, Signal::INT);
            std::thread::sleep(Duration::from_millis(20));
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
        };
        assert_eq!(status.code(), Some(1), "after {stage} lines");
        let mut notes = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut notes)
            .unwrap();
        assert!(
            notes.contains("This display was interrupted"),
            "after {stage} lines: {notes}"
        );
        drop(stdin);
    }
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("endings");
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn killed_tool_is_reported_at_any_stage() {
    let run = run();
    let file = folder().join("run.jsonl");
    fs::write(&file, &run).unwrap();
    let tool = tool(
        "killed",
        &format!("head -c \"$3\" '{}'; kill -KILL $$", file.display()),
    );
    let lines: Vec<usize> = run
        .match_indices('\n')
        .map(|(offset, _)| offset + 1)
        .collect();
    for stage in stages(lines.len() - 1) {
        for cut in [lines[stage] - 40, lines[stage]] {
            let mut command = tfview(&["run", "--"]);
            let output = command
                .arg(&tool)
                .args(["apply", &cut.to_string()])
                .output()
                .unwrap();
            assert_eq!(
                output.status.code(),
                Some(137),
                "as in a shell, after {cut} bytes"
            );
            let mut command = tfview(&["stream"]);
            let mut child = command.spawn().unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(&run.as_bytes()[..cut])
                .unwrap();
            let streamed = child.wait_with_output().unwrap();
            assert_eq!(output.stdout, streamed.stdout, "after {cut} bytes");
            let notes = String::from_utf8_lossy(&streamed.stderr);
            // A plan without an apply is a complete run, too: the messages do not show whether an apply was
            // to follow.
            let received = &run[..cut];
            let planned = received.contains("change_summary")
                && !received.contains("\"type\":\"apply_start\"}\n");
            let is_complete =
                received.ends_with('\n') && (planned || received.contains("Apply complete!"));
            assert_eq!(
                streamed.status.code(),
                Some(i32::from(!is_complete)),
                "after {cut} bytes: {notes}"
            );
            assert_eq!(
                is_complete,
                !notes.contains("cut off") && !notes.contains("messages of a run"),
                "after {cut} bytes: {notes}"
            );
        }
    }
}

#[test]
fn closed_terminal_does_not_end_the_run() {
    for progress in ["log", "live"] {
        let mut child = tfview(&["stream", "--progress", progress]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(start("a").as_bytes()).unwrap();
        let mut first = [0; 1];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        signal(&child, Signal::HUP);
        for _ in 0..2_000 {
            stdin.write_all(start("b").as_bytes()).unwrap();
        }
        let done = ["a", "b"].map(|address| {
            let rest = r#","action":"create","elapsed_seconds":1"#;
            hook("apply_complete", address, rest)
        });
        stdin
            .write_all((done.concat() + &summary("apply", "Apply complete!")).as_bytes())
            .unwrap();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{progress}");
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test checks that nothing waits"
)]
fn display_ends_when_the_tool_has_ended() {
    for progress in ["log", "live", "none"] {
        let (mut child, stdin, _) = shown_up_to(5, &["stream", "--progress", progress]);
        let began = Instant::now();
        drop(stdin);
        child.wait().unwrap();
        // This takes less than two seconds on an idle machine.
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{progress}: {:?}",
            began.elapsed()
        );
    }
}
