//! The time and the memory of `stream` grow no faster than its input.

use super::*;

fn message(kind: &str, more: &[(&str, Value)]) -> String {
    let mut message = json!({ "@level": "error", "@message": kind, "type": kind });
    for (key, value) in more {
        message[key] = value.clone();
    }
    message.to_string() + "\n"
}

fn each(count: usize, kind: &str) -> String {
    let hook = |index: usize| {
        let hook = json!({ "resource": { "addr": format!("test_a.a[{index}]") }, "action": "create",
            "elapsed_seconds": 10 });
        message(kind, &[("hook", hook)])
    };
    (0..count).map(hook).collect()
}

fn diagnostic(diagnostic: Value) -> String {
    message("diagnostic", &[("diagnostic", diagnostic)])
}

fn range() -> Value {
    let position = json!({ "line": 1, "column": 1, "byte": 0 });
    json!({ "filename": "main.tf", "start": position, "end": position })
}

pub(crate) fn with_snippet(snippet: Value) -> Input {
    diagnostic(
        json!({ "severity": "error", "summary": "no", "range": range(), "snippet": snippet }),
    )
    .into()
}

fn with_detail(detail: String) -> Input {
    diagnostic(json!({ "severity": "error", "summary": "no", "detail": detail })).into()
}

#[test]
fn runs_grow_linearly() {
    const SHAPES: &[Shape] = &[
        ("running", 6_000, |n| {
            (each(n, "apply_start") + &each(n, "apply_progress") + &each(n, "apply_errored")).into()
        }),
        ("planned", 10_000, |n| {
            let planned =
                |index| json!({ "resource": { "addr": format!("a{index}") }, "action": "create" });
            (0..n)
                .map(|index| message("planned_change", &[("change", planned(index))]))
                .collect::<String>()
                .into()
        }),
        ("warnings of some summaries", 6_000, |n| {
            let warning = |index: usize| {
                diagnostic(
                    json!({ "severity": "warning", "summary": format!("s{}", index % 1000), "range": range() }),
                )
            };
            (0..n).map(warning).collect::<String>().into()
        }),
        ("lines of code", 30_000, |n| {
            with_snippet(json!({ "code": "x\n".repeat(n), "start_line": 1,
                "highlight_start_offset": 3, "highlight_end_offset": n }))
        }),
        ("values of code", 8_000, |n| {
            let values = many(
                n,
                |index| json!({ "traversal": format!("t{index}"), "statement": "is\n1" }),
            );
            with_snippet(json!({ "code": "x", "start_line": 1, "values": values }))
        }),
        ("brackets", 400_000, |n| with_detail("[".repeat(n) + "]")),
        ("colour words", 40_000, |n| {
            with_detail("[red]x[bold]".repeat(n))
        }),
        ("resources found", 8_000, |n| {
            let resource = |index| json!({ "address": format!("list.a{index}"), "display_name": "x", "identity": { "id": index } });
            (0..n)
                .map(|index| {
                    message(
                        "list_resource_found",
                        &[("list_resource_found", resource(index))],
                    )
                })
                .collect::<String>()
                .into()
        }),
        ("tests", 6_000, |n| {
            let runs = many(n, |index| json!(format!("r{index}")));
            let abstracted = message(
                "test_abstract",
                &[("test_abstract", json!({ "a.tftest.hcl": runs }))],
            );
            let run = |index: usize| {
                message(
                    "test_run",
                    &[
                        ("@testfile", json!("a.tftest.hcl")),
                        (
                            "test_run",
                            json!({ "run": format!("r{index}"), "status": "pass" }),
                        ),
                    ],
                )
            };
            (abstracted + &(0..n).map(run).collect::<String>()).into()
        }),
        ("test files", 8_000, |n| {
            let file = |index: usize| {
                message(
                    "test_file",
                    &[(
                        "test_file",
                        json!({ "path": format!("f{index}"), "status": "pass" }),
                    )],
                )
            };
            (0..n).map(file).collect::<String>().into()
        }),
    ];
    check("runs", "stream --color always", SHAPES);
}

#[test]
fn progress_of_many_operations_grows_linearly() {
    const SHAPES: &[Shape] = &[("heartbeats of what is running", 10_000, |n| {
        // Each message arrives when the next summary of the running operations is due.
        let beat = |index: usize| {
            let (minute, second) = (index / 6 % 60, index % 6 * 10);
            let time = format!(
                "2026-01-{:02}T{:02}:{minute:02}:{second:02}Z",
                index / 8640 + 1,
                index / 360 % 24
            );
            let hook = json!({ "resource": { "addr": format!("test_a.a[{index}]") }, "action": "create",
                    "elapsed_seconds": 10 });
            message(
                "apply_progress",
                &[("@timestamp", json!(time)), ("hook", hook)],
            )
        };
        (each(n, "apply_start") + &(0..n).map(beat).collect::<String>()).into()
    })];
    check("heartbeats", "stream --quiet-progress", SHAPES);
}
