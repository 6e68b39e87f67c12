//! Gates and exit codes: decided before anything is written, whatever becomes of the output.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bumpalo::Bump;
use tfview::json;
use tfview::model::Dialect;
use tfview::model::plan::Plan;
use tfview::schema::Schemas;
use tfview::show::{self, Options, PlanMode};
use tfview::term::Out;

use super::harness::{PLAN, folder, tfview};
use crate::corpus::documents;

/// A plan whose text is longer than any pipe holds.
fn long_plan() -> String {
    let long = "many lines\\n".repeat(50_000);
    PLAN.replace(r#""input":"é""#, &format!(r#""input":"{long}""#))
}

/// Ways in which standard output can be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lost {
    /// The reader of the pipe is gone before anything is written.
    ClosedPipe,
    /// The disk is full.
    FullDisk,
    /// The stream is closed.
    ClosedStream,
    /// The pager ends at once.
    Pager,
}

/// Runs `args` on `plan` with standard output lost; gives the exit code and standard error.
fn run_losing(lost: Lost, args: &str, plan: &str, folder: &Path) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    let redirect = if lost == Lost::ClosedStream { ">&-" } else { "" };
    let pager = if lost == Lost::Pager { "--pager always" } else { "" };
    command
        .args(["-c", &format!("exec \"$0\" {args} {pager} {redirect}"), env!("CARGO_BIN_EXE_tfview")])
        .env_clear()
        .env("PAGER", "/bin/true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if lost == Lost::FullDisk {
        command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
    }
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(plan.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn exit_codes_survive_a_lost_output() {
    let plan = long_plan();
    let folder = folder("lost-output", &[]);
    for lost in [Lost::ClosedPipe, Lost::FullDisk, Lost::ClosedStream, Lost::Pager] {
        let fine = if lost == Lost::FullDisk { 1 } else { 0 };
        for (args, expected) in [
            ("show", fine),
            ("show --detailed-exitcode", 2),
            ("review", fine),
            ("review --detailed-exitcode", 2),
            ("review --fail-on create", 3),
            ("review --fail-on create --detailed-exitcode", 3),
            ("review --fail-on create --format json", 3),
            ("review --fail-on create --format markdown", 3),
            ("review --fail-on destroy", fine),
        ] {
            let (code, stderr) = run_losing(lost, args, &plan, &folder);
            assert_eq!(code, Some(expected), "{args}, {lost:?}: {stderr}");
            assert_eq!(
                stderr.contains("No space left"),
                lost == Lost::FullDisk,
                "{args}, {lost:?}: {stderr}"
            );
            assert_eq!(stderr.contains("--fail-on create: 1"), expected == 3, "{args}, {lost:?}: {stderr}");
        }
    }
}

#[cfg(unix)]
#[test]
fn side_files_are_written_when_the_output_is_lost() {
    for lost in [Lost::ClosedPipe, Lost::FullDisk, Lost::ClosedStream, Lost::Pager] {
        let folder = folder("lost-side-files", &[]);
        let args = "review --fail-on create --out markdown=a.md --out json=a.json";
        let (code, stderr) = run_losing(lost, args, &long_plan(), &folder);
        assert_eq!(code, Some(3), "{lost:?}: {stderr}");
        assert!(stderr.contains("::error title=tfview review::--fail-on create"), "{lost:?}: {stderr}");
        for file in ["a.md", "a.json", "summary.md"] {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            assert!(text.contains("terraform_data"), "{lost:?}: {file}: {text}");
        }
    }
}

#[test]
fn a_side_file_that_cannot_be_written_stops_no_other_one() {
    let folder = folder("lost-side-file", &[]);
    let outs = "--out markdown=missing/a.md --out json=a.json";
    for (args, code) in [("review", 1), ("review --fail-on create", 3), ("review --fail-on destroy", 1)] {
        let ended = tfview(&format!("{args} {outs}")).folder(&folder).stdin(PLAN).end();
        assert_eq!(ended.code, Some(code), "{ended}");
        assert!(ended.stdout.contains("terraform_data.a"), "{ended}");
        assert!(ended.stderr.contains("missing/a.md"), "{ended}");
        assert!(fs::remove_file(folder.join("a.json")).is_ok(), "{ended}");
    }
}

/// `--detailed-exitcode` is decided apart from the text; both must find the same.
#[test]
fn the_exit_code_agrees_with_the_text() {
    let (mut with, mut without) = (0, 0);
    for document in documents(usize::MAX) {
        if document.is_stream || !document.text.contains("\"planned_values\"") {
            continue;
        }
        let arena = Bump::new();
        let plan: Plan<'_> = json::from_str(&document.text).unwrap();
        for plan_mode in [None, Some(PlanMode::Destroy), Some(PlanMode::RefreshOnly)] {
            let dialect = Dialect::OpenTofu;
            let options = Options { dialect, plan_mode, show_sensitive: false, width: 78, automation: false };
            let decided = show::has_changes(&plan, &options).unwrap();
            let mut bytes = Vec::new();
            let mut out = Out::new(&mut bytes, false);
            let shown = show::plan(&plan, &Schemas::new(), &options, &mut out, &arena).unwrap();
            assert_eq!(decided, shown.has_changes, "{}", &document.text[..document.text.len().min(300)]);
            if decided { with += 1 } else { without += 1 }
        }
    }
    assert!(with > 100 && without > 20, "{with} with changes, {without} without");
}
