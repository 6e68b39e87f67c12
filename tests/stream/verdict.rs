//! The exit code and the recap report whether a run succeeded, failed or was cut off, and what was done.

use super::harness::{StreamOutput, hook, plain, planned, show, show_cut, summary};

fn start(address: &str) -> String {
    hook("apply_start", address, r#","action":"create""#)
}

fn complete(address: &str, seconds: u64) -> String {
    hook(
        "apply_complete",
        address,
        &format!(r#","action":"create","elapsed_seconds":{seconds}"#),
    )
}

fn errored(address: &str) -> String {
    hook(
        "apply_errored",
        address,
        r#","action":"create","elapsed_seconds":2"#,
    )
}

fn error(address: &str) -> String {
    format!(
        "{{\"@level\":\"error\",\"@message\":\"Error: Quota exceeded\",\"diagnostic\":{{\"severity\":\"error\",\
         \"summary\":\"Quota exceeded\",\"detail\":\"\",\"address\":\"{address}\"}},\"type\":\"diagnostic\"}}\n"
    )
}

const VERSION: &str = concat!(
    r#"{"@level":"info","@message":"Terraform 1.15.0","terraform":"1.15.0","type":"version","ui":"1.2"}"#,
    "\n"
);

const READ: &str = r#","action":"read""#;

fn refresh(kind: &str) -> String {
    hook(kind, "a.b", "")
}

fn provision(kind: &str) -> String {
    hook(kind, "a.b", r#","provisioner":"local-exec""#)
}

fn init(last: &str) -> String {
    let line = |text: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"{text}\",\"message_code\":\"x\",\"type\":\"init_output\"}}\n"
        )
    };
    VERSION.to_owned() + &line("Initializing the backend...") + &line(last)
}

#[test]
fn exit_code_reports_the_result_of_the_run() {
    let applied = summary("apply", "Apply complete!");
    let plan = summary("plan", "Plan: 1 to add.");
    let tests = r#"{"@message":"Found 1 file","test_abstract":{},"type":"test_abstract"}"#;
    let verdict = |status: &str| {
        format!(
            "{tests}\n{{\"@message\":\"Success!\",\"test_summary\":{{\"status\":\"{status}\"}},\"type\":\"test_summary\"}}\n"
        )
    };
    for (input, failed) in [
        (String::new(), true),
        ("tofu: command not found\n".to_owned(), true),
        // A diagnostic whose severity is none of the known ones did not fail the run.
        (
            VERSION.to_owned()
                + &error("").replace("\"severity\":\"error\"", "\"severity\":\"fatal\"")
                + &applied,
            true,
        ),
        (VERSION.to_owned(), true),
        (format!("{VERSION}{plan}"), false),
        (format!("{VERSION}{plan}{VERSION}"), true),
        (format!("{VERSION}{plan}{VERSION}{applied}"), false),
        (plan.clone(), false),
        (refresh("refresh_start"), true),
        (
            refresh("refresh_start") + &refresh("refresh_complete"),
            true,
        ),
        (refresh("refresh_start") + &plan, false),
        (hook("apply_start", "data.a", READ), true),
        (
            format!("{}{plan}", hook("apply_start", "data.a", READ)),
            false,
        ),
        (
            format!("{plan}{}", hook("apply_start", "data.a", READ)),
            true,
        ),
        (
            format!("{plan}{}{applied}", hook("apply_start", "data.a", READ)),
            false,
        ),
        (provision("provision_start"), true),
        (
            provision("provision_start") + &provision("provision_complete"),
            true,
        ),
        (
            provision("provision_start") + &provision("provision_complete") + &applied,
            false,
        ),
        (complete("a", 1), true),
        (applied.trim_end().to_owned(), false),
        (applied[..applied.len() - 3].to_owned(), true),
        (
            format!("{applied}{{\"@level\":\"info\",\"@message\":\"Outputs: 1\",\"outp"),
            true,
        ),
        (format!("{applied}text without an end"), true),
        (init(""), true),
        (init("Terraform has been successfully initialized!"), false),
        (init("Terraform initialized in an empty directory!"), false),
        (
            "{\"format_version\":\"1.2\",\"resource_changes\":[]}\n".to_owned(),
            true,
        ),
        ("PK\u{3}\u{4}tfplan".to_owned(), true),
        (
            format!("{}{}{applied}", start("a"), complete("a", 1)),
            false,
        ),
        (error(""), true),
        (format!("{}{}", start("a"), errored("a")), true),
        (start("a"), true),
        (format!("{}{}", start("a"), complete("a", 1)), true),
        (
            format!("{}{}", planned("a", "create"), planned("b", "create")),
            true,
        ),
        (format!("{}{plan}", planned("a", "create")), false),
        (verdict("pass"), false),
        (verdict("error"), true),
        (format!("{tests}\n"), true),
        (
            "{\"@level\":\"error\",\"@message\":\"no\",\"type\":\"tomorrow\"}\n".to_owned(),
            true,
        ),
        (
            "{\"format_version\":\"1.0\",\"valid\":false,\"diagnostics\":[]}\n".to_owned(),
            true,
        ),
        (
            "{\"format_version\":\"1.0\",\"valid\":true,\"diagnostics\":[]}\n".to_owned(),
            false,
        ),
    ] {
        assert_eq!(show(&input).failed, failed, "{input}");
    }
}

#[test]
fn failed_run_has_a_recap() {
    let input = format!(
        "{}{}{}{}{}{}{}{}{}",
        planned("a", "create"),
        planned("b", "create"),
        planned("c", "create"),
        summary("plan", "Plan: 3 to add."),
        start("a"),
        start("b"),
        complete("a", 1),
        errored("b"),
        error("b"),
    );
    let StreamOutput { notes, failed, .. } = show(input);
    assert!(failed);
    assert_eq!(
        notes,
        "\nThe run failed. Done: 1 created. Failed: 1.\n  failed: b (creation after 2s): Quota exceeded\n  never started: c\n"
    );
}

#[test]
fn truncated_run_has_a_recap() {
    let StreamOutput { notes, .. } = show(format!("{}{}", planned("b", "create"), start("a")));
    assert_eq!(
        notes,
        "\nThe run was cut off: its messages end in the middle. Done: nothing.\n  \
         not finished: a (creation)\n  never started: b\n"
    );
}

#[test]
fn object_with_a_failed_provisioner_is_created_but_tainted() {
    let begin = format!("{}{}", start("a.b"), provision("provision_start"));
    let failed = show(format!("{begin}{}{}", errored("a.b"), error("a.b"))).notes;
    assert_eq!(
        failed,
        "\nThe run failed. Done: 1 created but tainted. Failed: 1.\n  failed: a.b (creation after 2s; the object \
         exists and is tainted): Quota exceeded\n"
    );
    let cut = show(&begin).notes;
    insta::assert_snapshot!(cut, @r"

    The run was cut off: its messages end in the middle. Done: nothing.
      not finished: a.b (creation; the object exists, its provisioner did not finish)
    ");
}

#[test]
fn failed_read_in_a_check_is_not_unfinished() {
    let warning = "{\"@level\":\"warn\",\"@message\":\"Warning: no\",\"diagnostic\":{\"severity\":\"warning\",\
        \"summary\":\"no\",\"detail\":\"\",\"address\":\"data.x\",\"snippet\":{\"context\":\"check \\\"c\\\"\",\
        \"code\":\"x\"}},\"type\":\"diagnostic\"}\n";
    let notes = show(format!(
        "{}{}{}{warning}",
        hook("apply_start", "data.x", READ),
        start("a"),
        errored("a")
    ))
    .notes;
    insta::assert_snapshot!(notes, @r"

    The run failed. Done: nothing. Failed: 1.
      failed: a (creation after 2s)
    ");
}

#[test]
fn recap_does_not_repeat_what_was_shown() {
    let one = show(format!("{VERSION}{}", error(""))).notes;
    assert_eq!(one, "\nThe run failed before it changed anything.\n");
    let many = show(format!(
        "{}{}{}",
        start("a"),
        error(""),
        error("").repeat(19)
    ))
    .notes;
    insta::assert_snapshot!(many, @r"

    The run failed. Done: nothing.
      error: Quota exceeded (20 times)
      not finished: a (creation)
    ");
    let tests = r#"{"@message":"Found 1 file","test_abstract":{},"type":"test_abstract"}"#
        .to_owned()
        + "\n{\"@message\":\"Failure!\",\"test_summary\":{\"status\":\"fail\"},\"type\":\"test_summary\"}\n";
    assert_eq!(show(tests).notes, "");
}

#[test]
fn slowest_operations_are_listed_on_request() {
    let mut input = String::new();
    for (address, seconds) in [("a", 3), ("b", 70), ("c", 1), ("d", 9)] {
        input.push_str(&start(address));
        input.push_str(&complete(address, seconds));
    }
    input.push_str(&summary("apply", "Apply complete!"));
    let options = tfview::internals::stream::Options {
        slowest: 2,
        ..plain()
    };
    let notes = show_cut(input.as_bytes(), options, &[usize::MAX]).notes;
    assert_eq!(
        notes,
        "\nSlowest:\n     1m10s  b (creation)\n        9s  d (creation)\n"
    );
}

#[test]
fn quiet_progress_has_one_line_for_all_operations() {
    let progress = |address: &str, seconds: u64, minute: u64| {
        hook(
            "apply_progress",
            address,
            &format!(r#","action":"create","elapsed_seconds":{seconds}"#),
        )
        .replace("02:26:49", &format!("02:{minute}:49"))
    };
    let input = [
        start("a"),
        start("b"),
        progress("a", 10, 26),
        progress("b", 10, 26),
        progress("a", 70, 27),
        progress("b", 70, 27),
    ]
    .concat();
    let options = tfview::internals::stream::Options {
        quiet_progress: true,
        ..plain()
    };
    let text = show_cut(input.as_bytes(), options, &[usize::MAX]).text;
    assert_eq!(
        text,
        "a: Creating...\nb: Creating...\nStill running: 2 operations, the longest is a [00m10s elapsed]\n\
         Still running: 2 operations, the longest is a [01m10s elapsed]\n"
    );
}

#[test]
fn diagnostics_are_grouped_before_the_next_line() {
    let warning = |summary: &str| {
        format!(
            "{{\"@level\":\"warn\",\"@message\":\"Warning: {summary}\",\"diagnostic\":{{\"severity\":\"warning\",\"summary\":\"{summary}\",\
             \"detail\":\"d\",\"range\":{{\"filename\":\"main.tf\",\"start\":{{\"line\":1}}}}}},\"type\":\"diagnostic\"}}\n"
        )
    };
    let input = format!(
        "{}{}{}{}line\n",
        error(""),
        warning("w"),
        warning("w"),
        warning("w")
    );
    let text = show(input).text;
    let position_of = |what: &str| text.find(what).unwrap();
    assert!(
        position_of("Warning: w") < position_of("(and 2 more similar warnings elsewhere)"),
        "{text}"
    );
    assert!(
        position_of("more similar") < position_of("Error: Quota exceeded")
            && position_of("Error: Quota") < position_of("line\n"),
        "{text}"
    );
    assert_eq!(text.matches("Warning: w").count(), 1);
}

/// The plan of one run was complete when another one began, so that the summary of one apply ended the change that was
/// killed in the other.
#[test]
fn the_summary_of_one_run_ends_no_change_of_another() {
    let version = "{\"@level\":\"info\",\"@message\":\"OpenTofu 1.12.6\",\"tofu\":\"1.12.6\",\"type\":\"version\",\"ui\":\"1.2\"}\n";
    let create = ",\"action\":\"create\"";
    let plan = |name: &str| {
        let planned = planned(name, "create");
        [version, &planned, &summary("plan", "Plan: 1 to add")].concat()
    };
    let start = |name: &str| hook("apply_start", name, create);
    let end = |name: &str| hook("apply_complete", name, create);
    let done = summary("apply", "Apply complete! Resources: 1 added");
    let killed = [
        plan("a.b"),
        plan("a.c"),
        start("a.b"),
        start("a.c"),
        end("a.b"),
    ]
    .concat()
        + &done;
    for prefix in ["", "prod/x  | ", "prod/x: "] {
        let lines = |input: &str| -> String {
            let lines = input.split_inclusive('\n');
            lines.map(|line| format!("{prefix}{line}")).collect()
        };
        assert!(show(lines(&killed)).failed, "{prefix}");
        let whole = killed.clone() + &end("a.c") + &done;
        assert!(!show(lines(&whole)).failed, "{prefix}");
    }
}

/// A complete run followed by the output of `output -json`, without its last line feed, was called cut off.
#[test]
fn a_document_behind_a_complete_run_cuts_nothing_off() {
    let run = summary(
        "apply",
        "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
    );
    let outputs =
        r#"{ "o": { "sensitive": false, "type": ["list", "string"], "value": ["a{b", "c"] } }"#;
    let value: serde_json::Value = serde_json::from_str(outputs).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    for prefix in [
        "",
        "2026-01-01T00:00:00.1Z ",
        "12:00:00.000 STDOUT [u] tofu: ",
    ] {
        for document in [outputs, &*pretty] {
            let all = format!("{run}{document}");
            let lines: Vec<String> = all.lines().map(|line| format!("{prefix}{line}")).collect();
            let text = lines.join("\n");
            assert!(!show(&text).failed, "{text}");
            assert!(!show(format!("{text}\n")).failed, "{text}");
            for length in 1..document.len().min(40) {
                let cut = &text[..text.len() - length];
                assert!(show(cut).failed || cut.ends_with('\n'), "{cut}");
            }
        }
    }
}
