//! A closed pipe or a pager loses no text and causes no error.

use std::io::{Read, Write};

use super::harness::{PLAN, SUMMARY, tfview};

#[test]
fn closed_pipe_is_not_an_error() {
    let mut child = tfview("show -").command().spawn().unwrap();
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(PLAN.as_bytes())
        .unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{stderr}");
    assert!(
        !stderr.contains("rror") && !stderr.contains("panicked"),
        "{stderr}"
    );
}

#[cfg(unix)]
#[test]
fn pager_receives_the_text() {
    let plain = tfview("show").stdin(PLAN).output().stdout;
    for (pager, expected) in [
        ("cat", plain.clone()),
        ("/bin/cat -", plain.clone()),
        ("/bin/cat | /bin/cat", plain.clone()),
    ] {
        let output = tfview("show --pager always")
            .variable("PATH", "/bin:/usr/bin")
            .variable("TFVIEW_PAGER", pager)
            .stdin(PLAN)
            .output();
        assert_eq!((output.code, output.stdout), (Some(0), expected), "{pager}");
    }
    let output = tfview("show --pager always")
        .variable("TFVIEW_PAGER", "/bin/wc -l")
        .stdin(PLAN)
        .output();
    assert_eq!(
        output.stdout.trim(),
        plain.matches('\n').count().to_string()
    );
}

#[test]
fn missing_pager_or_one_that_exits_early_loses_no_text() {
    let output = tfview("show --pager always")
        .variable("PAGER", "/nonexistent/pager")
        .stdin(PLAN)
        .output();
    insta::assert_snapshot!(output.stdout);
    insta::assert_snapshot!(output.stderr, @"note: running the pager `/nonexistent/pager`: No such file or directory; printing instead");
    #[cfg(unix)]
    {
        let output = tfview("show --pager always")
            .variable("PAGER", "/bin/true")
            .stdin(PLAN)
            .output();
        assert_eq!(output.code, Some(0), "{output}");
    }
}

/// An interrupt on a terminal reaches tfview and the pager. The pager handles it, so tfview must keep
/// writing.
#[cfg(unix)]
#[test]
fn interrupt_does_not_stop_output_to_the_pager() {
    use std::fs;
    use std::io::{BufRead, BufReader};
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pager");
    fs::create_dir_all(&folder).unwrap();
    let pager = folder.join("pager.sh");
    fs::write(
        &pager,
        "trap 'echo interrupted' INT\necho ready\nread line\nread word < go\ncat\necho done\n",
    )
    .unwrap();
    let go = folder.join("go");
    // A named pipe: the fake pager blocks on it until the test has sent its signals.
    if !go.exists() {
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&go)
                .status()
                .unwrap()
                .success()
        );
    }
    let mut child = tfview("show --pager always")
        .variable("PATH", "/bin:/usr/bin")
        .variable("TFVIEW_PAGER", "sh pager.sh")
        .folder(&folder)
        .command()
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(PLAN.as_bytes())
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::QUIT] {
        rustix::process::kill_process(id, signal).unwrap();
    }
    fs::write(&go, "on\n").unwrap();
    let rest: Vec<String> = lines.map(|line| line.unwrap()).collect();
    assert_eq!(rest.last().map(String::as_str), Some("done"), "{rest:?}");
    assert!(rest.contains(&SUMMARY.trim_end().to_owned()), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The recap is tfview's own, and is read by CI systems also where none is detected.
#[test]
fn names_and_errors_begin_no_line_of_the_recap() {
    let message = |rest: serde_json::Value| {
        let mut message =
            serde_json::json!({ "@level": "info", "@message": "m", "@module": "terraform.ui" });
        message
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        format!("{message}\n")
    };
    let name = |index: usize| format!("a.b{index}\n::error::forged {index}\n##vso[x]");
    let hook = |index: usize| serde_json::json!({ "resource": { "addr": name(index) }, "action": "create", "elapsed_seconds": 1 });
    let position = serde_json::json!({ "line": 1, "column": 1, "byte": 0 });
    let error = |address: &str, summary: &str| {
        message(
            serde_json::json!({ "@level": "error", "type": "diagnostic", "diagnostic": {
            "severity": "error", "summary": summary, "detail": "d", "address": address,
            "range": { "filename": "main.tf\n::error::forged", "start": position, "end": position } } }),
        )
    };
    let planned = |index: usize| {
        message(serde_json::json!({ "type": "planned_change",
            "change": { "resource": { "addr": name(index) }, "action": "create" } }))
    };
    let started = |kind: &str, index: usize| {
        message(serde_json::json!({ "type": kind, "hook": hook(index) }))
    };
    let run = [
        message(serde_json::json!({ "type": "version", "terraform": "1.12.0", "ui": "1.2" })),
        (0..4).map(planned).collect(),
        started("apply_start", 0),
        started("apply_start", 1),
        started("apply_start", 2),
        started("apply_complete", 1),
        started("apply_errored", 0),
        error(&name(0), "reason\n::error::forged"),
        error("", "other\n##vso[forged]"),
    ];
    let output = tfview("stream --slowest 5").stdin(run.concat()).output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @r"

    The run failed. Done: 1 created. Failed: 1.
      failed: a.b0␊::error::forged 0␊##vso[x] (creation after 1s): reason
      error: other (main.tf␊::error::forged line 1)
      not finished: a.b2␊::error::forged 2␊##vso[x] (creation)
      never started: a.b3␊::error::forged 3␊##vso[x]

    Slowest:
            1s  a.b1␊::error::forged 1␊##vso[x] (creation)
    ");
    let forged =
        |line: &&str| line.trim_start().starts_with("::") || line.trim_start().starts_with("##");
    assert_eq!(output.stderr.lines().find(forged), None, "{output}");
}
