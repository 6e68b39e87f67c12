//! The page of a run shows every operation, test and error, is written even if the output is lost, and no
//! text becomes markup.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use roxmltree::Node;
use serde_json::{Value, json};
use tfview::internals::dialect::Dialect;

use super::{HOSTILE, hostile, lines_of, text_of, with_page};
use crate::cli::harness::without_identity;
use crate::display::{Display, Streaming};
use crate::random::some_fixtures;

fn streaming(plan: Option<&str>) -> Streaming<'_> {
    Streaming {
        display: Display::plain(Dialect::OPENTOFU),
        cut: 4096,
        plan,
        live: false,
    }
}

/// The golden cases that have messages: the folder, and the file of the messages.
pub(crate) fn cases() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens");
    let mut cases = Vec::new();
    for case in fs::read_dir(root).unwrap() {
        let case = case.unwrap().path();
        for name in ["apply.jsonl", "stream.jsonl", "plan.jsonl"] {
            if case.join(name).exists() {
                cases.push((case.clone(), case.join(name)));
            }
        }
    }
    cases.sort();
    assert!(cases.len() > 50, "{} cases", cases.len());
    cases
}

pub(crate) fn messages(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The part of the page with this id.
fn part<'a, 'i>(page: Node<'a, 'i>, id: &str) -> Option<Node<'a, 'i>> {
    page.descendants()
        .find(|node| node.attribute("id") == Some(id))
}

/// The result, the operation and the address in each table row.
fn rows(page: Node<'_, '_>) -> Vec<(String, String, String)> {
    let rows = page.descendants().filter(|node| node.has_tag_name("tr"));
    rows.filter_map(|row| {
        let mut cells = row
            .children()
            .filter(|node| node.has_tag_name("td"))
            .map(text_of);
        Some((cells.next()?, cells.next()?, cells.next()?))
    })
    .collect()
}

#[test]
fn pages_of_all_golden_runs_are_valid_and_complete() {
    let (mut ran, mut failed, mut tests, mut reviews) = (0, 0, 0, 0);
    for (case, file) in some_fixtures(cases(), 0) {
        let name = file.display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        let read = |name: &str| fs::read_to_string(case.join(name)).ok();
        let (plan, schema) = (read("plan.json"), read("schema.json"));
        let page = streaming(plan.as_deref())
            .page(text.as_bytes(), schema.as_deref())
            .unwrap();
        with_page(&page, &name, |page| {
            let rows = rows(page);
            for message in messages(&text) {
                let address = message["hook"]["resource"]["addr"]
                    .as_str()
                    .unwrap_or_default();
                let is_there = |result: &str| {
                    rows.iter().any(|(outcome, _, of)| {
                        of == address && (result.is_empty() || outcome == result)
                    })
                };
                match message["type"].as_str().unwrap_or_default() {
                    "apply_start" | "refresh_start" | "provision_start" => {
                        assert!(is_there(""), "{name}: {message}\n{rows:?}");
                        ran += 1;
                    }
                    "test_run" if message["test_run"]["status"].is_string() => {
                        let run = &message["test_run"];
                        let text = |name: &str| run[name].as_str().unwrap();
                        let row = (text("path").to_owned() + "/" + text("run"), text("status"));
                        let result = match row.1 {
                            "pass" => "✓ done",
                            "fail" | "error" => "✗ failed",
                            "skip" => "– skipped",
                            other => panic!("{name}: {other}"),
                        };
                        assert!(
                            rows.iter().any(|(outcome, task, of)| (&**outcome, &**task)
                                == (result, "Test")
                                && *of == row.0),
                            "{name}: {message}\n{rows:?}"
                        );
                        tests += 1;
                    }
                    "apply_complete" => assert!(is_there("✓ done"), "{name}: {message}\n{rows:?}"),
                    "apply_errored" => {
                        assert!(is_there("✗ failed"), "{name}: {message}\n{rows:?}");
                        assert!(
                            text_of(part(page, "failures").unwrap()).contains(address),
                            "{name}"
                        );
                        failed += 1;
                    }
                    "diagnostic" if message["@level"] == "error" => {
                        let summary = message["diagnostic"]["summary"].as_str().unwrap();
                        let first = summary.lines().next().unwrap();
                        let section =
                            part(page, "failures").unwrap_or_else(|| panic!("{name}: {message}"));
                        assert!(text_of(section).contains(first), "{name}: {message}");
                    }
                    _ => {}
                }
            }
            reviews += usize::from(part(page, "review").is_some());
        });
    }
    assert!(
        ran > 200 && failed > 0 && tests > 10 && reviews > 30,
        "{ran} operations, {failed} failed, {tests} tests, {reviews} reviews"
    );
}

fn line(kind: &str, second: u64, members: &Value) -> String {
    let mut message = json!({ "@level": "info", "@message": kind, "@module": "tofu.ui", "type": kind,
        "@timestamp": format!("2026-01-01T00:{:02}:{:02}.500000Z", second / 60, second % 60) });
    for (name, value) in members.as_object().unwrap() {
        message[name] = value.clone();
    }
    format!("{message}\n")
}

fn hook(kind: &str, second: u64, address: &str, action: &str) -> String {
    line(
        kind,
        second,
        &json!({ "hook": { "resource": { "addr": address }, "action": action, "elapsed_seconds": 2 } }),
    )
}

fn planned_change(address: &str, action: &str) -> String {
    line(
        "planned_change",
        0,
        &json!({ "change": { "resource": { "addr": address }, "action": action, "reason": "tainted" } }),
    )
}

fn error(second: u64, address: &str, summary: &str) -> String {
    let diagnostic =
        json!({ "severity": "error", "summary": summary, "detail": "why", "address": address });
    line(
        "diagnostic",
        second,
        &json!({ "@level": "error", "diagnostic": diagnostic }),
    )
}

fn version() -> String {
    line("version", 0, &json!({ "tofu": "1.12.6", "ui": "1.2" }))
}

fn page_of(messages: &str) -> String {
    streaming(None).page(messages.as_bytes(), None).unwrap()
}

#[test]
fn page_of_a_failed_run_shows_failures_and_what_never_started() {
    let run = [
        version(),
        planned_change("x.a", "replace"),
        planned_change("x.b", "create"),
        planned_change("x.c", "create"),
        planned_change("x.d", "replace"),
        hook("apply_start", 1, "x.a", "delete"),
        hook("apply_complete", 3, "x.a", "delete"),
        hook("apply_start", 3, "x.a", "create"),
        hook("apply_start", 3, "x.d", "delete"),
        hook("apply_complete", 63, "x.a", "create"),
        hook("apply_start", 4, "x.b", "create"),
        hook("apply_errored", 7, "x.b", "create"),
        error(7, "x.b", "no such region"),
        error(8, "", "something else"),
    ]
    .concat();
    let page = page_of(&run);
    assert!(page.contains(r#"<div class="band critical">"#), "{page}");
    with_page(&page, "a failed run", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)));
    });
}

#[test]
fn a_failure_without_a_diagnostic_is_on_the_page() {
    let mut failures = String::new();
    for (kind, members) in [
        ("a_type_of_the_future", json!({ "@level": "error" })),
        ("migration_errored", json!({})),
        ("apply_errored", json!({ "hook": "malformed" })),
        ("", json!({ "@level": "error" })),
    ] {
        let mut members = members;
        members["@message"] = json!("the quota is used up");
        let page = page_of(&[version(), line(kind, 1, &members)].concat());
        with_page(&page, kind, |page| {
            failures += &format!("{kind}: {}", lines_of(part(page, "failures").unwrap()));
        });
    }
    insta::assert_snapshot!(failures, @r"
    a_type_of_the_future: What failed
    the quota is used up
    migration_errored: What failed
    the quota is used up
    apply_errored: What failed
    the quota is used up
    : What failed
    the quota is used up
    ");
}

#[test]
fn page_of_a_plan_lists_planned_changes() {
    let summary = json!({ "changes": { "add": 1, "change": 0, "remove": 0, "operation": "plan" },
        "@message": "Plan: 1 to add, 0 to change, 0 to destroy." });
    let page = page_of(
        &[
            version(),
            planned_change("x.c", "create"),
            line("change_summary", 1, &summary),
        ]
        .concat(),
    );
    assert!(page.contains(r#"<div class="band calm">"#), "{page}");
    with_page(&page, "a plan", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r"
        A run of OpenTofu 1.12.6
        A run of OpenTofu 1.12.6
        ✓ Plan: 1 to add, 0 to change, 0 to destroy.
        Started 2026-01-01T00:00:00Z, took 1.0s.
        Planned
        x.c will be created (tainted)
        ");
    });
}

#[test]
fn clock_that_is_set_back_does_not_change_durations() {
    let run = [
        version(),
        hook("apply_start", 50, "x.a", "create"),
        hook("apply_complete", 10, "x.a", "create"),
    ];
    with_page(&page_of(&run.concat()), "the clock", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r"
        A run of OpenTofu 1.12.6
        A run of OpenTofu 1.12.6
        ✗ The run was cut off: its messages end in the middle. Done: 1 created.
        Started 2026-01-01T00:00:00Z, took 50.0s.
        Timeline
        Result | Operation | Resource or test | Start | Duration | 50.0s to 52.0s
        ✓ done | Creation | x.a | 50.0s | 2.0s
        ");
    });
}

#[test]
fn deposed_objects_of_one_address_have_a_row_each() {
    // Two deposed objects of one resource are destroyed at the same time.
    let run = [
        version(),
        hook("apply_start", 1, "x.a", "delete"),
        hook("apply_start", 2, "x.a", "delete"),
        hook("apply_complete", 3, "x.a", "delete"),
        hook("apply_complete", 5, "x.a", "delete"),
    ];
    with_page(&page_of(&run.concat()), "deposed", |page| {
        let done = rows(page)
            .iter()
            .filter(|(outcome, ..)| outcome == "✓ done")
            .count();
        assert_eq!(done, 2);
    });
}

#[test]
fn long_run_is_truncated_with_notes() {
    let mut run = version();
    for index in 0..12_000 {
        run += &planned_change(&format!("x.planned[{index}]"), "create");
    }
    for index in 0..12_000 {
        run += &hook("apply_start", 1, &format!("x.a[{index}]"), "create");
        run += &hook("apply_complete", 2, &format!("x.a[{index}]"), "create");
    }
    run += &hook("apply_start", 3, "x.last", "create");
    run += &hook("apply_errored", 5, "x.last", "create");
    for index in 0..300 {
        run += &error(5, "", &format!("error {index}"));
    }
    let page = page_of(&run);
    with_page(&page, "a long run", |page| {
        let text = lines_of(page);
        let is_note = |line: &&str| line.contains("not listed") || line.contains("x.last");
        let notes: Vec<&str> = text.lines().filter(is_note).collect();
        insta::assert_snapshot!(notes.join("\n"), @r"
        x.last
        … 100 more errors, not listed to keep the page small; the output of the run has all of them.
        … 2000 more changes, not listed to keep the page small; the output of the run has all of them.
        ✗ failed | Creation | x.last | 3.0s | 2.0s
        … 2000 more operations, not listed to keep the page small; the output of the run has all of them.
        ");
        assert_eq!(rows(page).len(), 10_001);
    });
    assert!(page.len() < 6 << 20, "{} bytes", page.len());
}

#[test]
fn no_text_of_a_run_becomes_markup() {
    let action = json!({ "hook": { "action": { "addr": HOSTILE }, "error": HOSTILE,
        "lifecycle": { "triggering_resource": { "addr": HOSTILE } } } });
    let provisioner = json!({ "hook": { "resource": { "addr": HOSTILE }, "provisioner": HOSTILE, "output": HOSTILE } });
    let run = [
        line("version", 0, &json!({ "tofu": HOSTILE, "ui": "1.2" })),
        planned_change(HOSTILE, HOSTILE),
        planned_change(&format!("{HOSTILE}2"), "create"),
        hook("refresh_start", 0, HOSTILE, ""),
        hook("apply_start", 1, HOSTILE, "create"),
        hook("apply_errored", 2, HOSTILE, "create"),
        line("provision_start", 2, &provisioner),
        line("provision_errored", 2, &provisioner),
        line("action_start", 2, &action),
        line("action_errored", 2, &action),
        error(3, HOSTILE, HOSTILE),
        line(
            "something_new",
            3,
            &json!({ "@level": "error", "@message": HOSTILE }),
        ),
    ]
    .concat();
    let plan = hostile();
    let page = streaming(Some(&plan)).page(run.as_bytes(), None).unwrap();
    let text = with_page(&page, "hostile", text_of);
    assert!(
        text.matches("</script></pre><img src=x onerror=alert(1)>")
            .count()
            > 20,
        "{text}"
    );
    assert!(text.contains("<U+202E>"), "hidden characters are visible");
    assert_eq!(
        (
            page.matches("<script>").count(),
            page.matches("<img").count()
        ),
        (1, 0)
    );
}

#[test]
fn page_does_not_depend_on_the_sizes_of_reads() {
    for (case, file) in cases().iter().step_by(6) {
        let text = fs::read(file).unwrap();
        let pages: BTreeSet<String> = [1, 100, 1 << 20]
            .map(|cut| {
                Streaming {
                    cut,
                    ..streaming(None)
                }
                .page(&text, None)
                .unwrap()
            })
            .into();
        assert_eq!(pages.len(), 1, "{}", case.display());
    }
}

fn tfview(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
    command.args(args).env_clear().current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn folder(name: &str, messages: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("page-{name}-{}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("run.jsonl"), messages).unwrap();
    folder
}

#[test]
fn page_is_written_when_the_output_is_lost() {
    let run = [
        version(),
        hook("apply_start", 1, "x.a", "create"),
        error(2, "x.a", "no"),
    ]
    .concat();
    let folder = folder("outputs", &run);
    let args = [
        "stream",
        "--out",
        "html=page.html",
        "--out",
        "HTML=again.html",
        "run.jsonl",
    ];
    let page = || {
        let page = fs::read_to_string(folder.join("page.html")).unwrap();
        assert_eq!(page, fs::read_to_string(folder.join("again.html")).unwrap());
        fs::remove_file(folder.join("page.html")).unwrap();
        page
    };
    let output = tfview(&folder, &args).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "the run failed");
    let whole = page();
    with_page(&whole, "a lost output", |page| {
        insta::assert_snapshot!(lines_of(part(page, "failures").unwrap()), @r"
        What failed
        Error: no

          with x.a,
        why
        ");
    });
    let mut child = tfview(&folder, &args).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(page(), whole, "with a closed pipe");
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        assert_eq!(
            tfview(&folder, &args).stdout(full).status().unwrap().code(),
            Some(1)
        );
        assert_eq!(page(), whole, "with a full disk");
    }
    let nowhere = tfview(
        &folder,
        &["stream", "--out", "html=no/such/page", "run.jsonl"],
    )
    .output()
    .unwrap();
    let stderr = String::from_utf8_lossy(&nowhere.stderr).into_owned();
    assert_eq!(nowhere.status.code(), Some(1));
    insta::assert_snapshot!(stderr, @r"

    The run failed. Done: nothing.
      error: x.a: no
      not finished: x.a (creation)
    error: writing the page of --out to no/such/page: No such file or directory
    ");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn page_does_not_overwrite_the_input() {
    let folder = folder("inputs", &version());
    let mut refused = String::new();
    for args in [
        ["--out", "html=run.jsonl"],
        ["--out", "json=page.json"],
        ["--out", "html="],
    ] {
        let output = tfview(&folder, &["stream", args[0], args[1], "run.jsonl"])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{args:?}: {stderr}");
        refused += &stderr;
        assert_eq!(
            fs::read_to_string(folder.join("run.jsonl")).unwrap(),
            version()
        );
    }
    insta::assert_snapshot!(refused, @r"
    error: --out would write over run.jsonl, which is read
      tip: name another file
    error: invalid value 'json=page.json' for '--out <html=FILE>': expected FORMAT=FILE with one of these formats: html

    For more information, try '--help'.
    error: invalid value 'html=' for '--out <html=FILE>': expected FORMAT=FILE with one of these formats: html

    For more information, try '--help'.
    ");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn page_of_a_successful_run_has_no_failure() {
    let summary = json!({ "changes": { "add": 1, "change": 0, "remove": 0, "operation": "apply" },
        "@message": "Apply complete! Resources: 1 added, 0 changed, 0 destroyed." });
    let run = [
        version(),
        planned_change("x.a", "create"),
        hook("apply_start", 1, "x.a", "create"),
        hook("apply_complete", 2, "x.a", "create"),
        line("change_summary", 3, &summary),
    ];
    with_page(&page_of(&run.concat()), "fine", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r"
        A run of OpenTofu 1.12.6
        A run of OpenTofu 1.12.6
        ✓ Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
        Started 2026-01-01T00:00:00Z, took 3.0s.
        Timeline
        Result | Operation | Resource or test | Start | Duration | 1.0s to 2.0s
        ✓ done | Creation | x.a | 1.0s | 1.0s
        ");
        let bar = page
            .descendants()
            .find(|node| node.has_tag_name("rect"))
            .unwrap();
        assert_eq!(
            ["x", "width"].map(|name| bar.attribute(name)),
            [Some("0.00%"), Some("100.00%")]
        );
    });
}
