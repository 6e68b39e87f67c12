//! Runs: what is pushed is shown, in whatever pieces it comes.

use std::fs;
use std::time::Duration;

use tfview::{InputEnd, Plan, Run, RunEventKind, RunOptions, RunStage, Schemas};

use super::golden;
use crate::cli::harness::without_identity;
use crate::page::{lines_of, with_page};

/// Follows a log that is cut into pieces. Returns the text, the number of events, and whether the run failed.
fn follow(log: &[u8], size: usize) -> (String, usize, bool) {
    let mut run = Run::new(RunOptions::default());
    let (mut text, mut events) = (String::new(), 0);
    for piece in log.chunks(size) {
        let update = run.push(piece).unwrap();
        text.push_str(&update.text);
        events += update.events.len();
        run.tick(Duration::ZERO).unwrap();
    }
    let outcome = run.finish(InputEnd::Closed).unwrap();
    text.push_str(&outcome.update().text);
    events += outcome.update().events.len();
    (text, events, outcome.failed())
}

#[test]
fn text_and_events_do_not_depend_on_the_pieces() {
    let mut compared = 0;
    for entry in fs::read_dir(golden("")).unwrap().take(40) {
        let folder = entry.unwrap().path();
        let Ok(log) = fs::read(folder.join("apply.jsonl")) else {
            continue;
        };
        let whole = follow(&log, usize::MAX >> 1);
        assert!(whole.1 > 0, "{}", folder.display());
        assert_eq!(follow(&log, 7), whole, "{}", folder.display());
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

fn message(kind: &str, rest: &str) -> String {
    format!(
        r#"{{"@level":"info","@message":"m","@timestamp":"2026-11-21T02:26:49Z","type":"{kind}",{rest}}}"#
    )
}

fn hook(kind: &str, address: &str) -> String {
    let hook = format!(
        r#""hook":{{"resource":{{"addr":"{address}"}},"action":"create","elapsed_seconds":3}}"#
    );
    message(kind, &hook)
}

#[test]
fn events_and_progress_say_what_runs() {
    let mut run = Run::new(RunOptions::default());
    let planned =
        r#""change":{"resource":{"addr":"aws_vpc.a"},"action":"create","reason":"tainted"}"#;
    let update = run.push_line(&message("planned_change", planned)).unwrap();
    let RunEventKind::PlannedChange {
        address,
        action,
        reason,
        ..
    } = &update.events[0].kind
    else {
        unreachable!("{update:?}")
    };
    assert_eq!(
        (&**address, &**action, reason.as_deref()),
        ("aws_vpc.a", "create", Some("tainted"))
    );
    run.push_line(&hook("apply_start", "aws_vpc.a")).unwrap();
    run.tick(Duration::from_secs(5)).unwrap();
    let progress = run.progress();
    assert_eq!(progress.planned, Some(1));
    assert_eq!(progress.running[0].address, "aws_vpc.a");
    assert_eq!(progress.running[0].elapsed, Duration::from_secs(5));
    assert!(run.quiet_at_end().is_none());
    let update = run.push_line(&hook("apply_complete", "aws_vpc.a")).unwrap();
    assert!(matches!(
        &update.events[0].kind,
        RunEventKind::Operation {
            stage: RunStage::Complete,
            operation: "create",
            ..
        }
    ));
    insta::assert_snapshot!(update.text, @"aws_vpc.a: Creation complete after 3s");
    assert_eq!(run.progress().done, 1);
    let summary = r#""changes":{"add":1,"operation":"apply"}"#;
    run.push_line(&message("change_summary", summary)).unwrap();
    let outcome = run.finish(InputEnd::Closed).unwrap();
    assert!(!outcome.failed(), "{outcome:?}");
    assert_eq!(outcome.summary(), Some("m"));
}

#[test]
fn cut_off_run_has_failed_and_says_what_was_running() {
    let mut run = Run::new(RunOptions::default());
    run.push_line(&hook("apply_start", "aws_vpc.a")).unwrap();
    let outcome = run.finish(InputEnd::Closed).unwrap();
    assert!(outcome.failed());
    insta::assert_snapshot!(outcome.recap(), @r"

    The run was cut off: its messages end in the middle. Done: nothing.
      not finished: aws_vpc.a (creation)
    ");
    assert!(outcome.junit().is_err() && outcome.write_page(std::io::sink()).is_err());
}

#[test]
fn page_and_report_are_kept_on_request() {
    let mut options = RunOptions::default();
    options.keeps_page = true;
    options.keeps_report = true;
    let mut run = Run::new(options);
    run.push_line(&hook("apply_start", "aws_vpc.a")).unwrap();
    run.push_line(&hook("apply_complete", "aws_vpc.a")).unwrap();
    let outcome = run.finish(InputEnd::Closed).unwrap();
    let mut page = Vec::new();
    outcome.write_page(&mut page).unwrap();
    with_page(&String::from_utf8(page).unwrap(), "a run", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)), @r"
        A run
        A run
        ✗ The run was cut off: its messages end in the middle. Done: 1 created.
        Started 2026-11-21T02:26:49Z, took 0ms.
        Timeline
        Result | Operation | Resource or test | Start | Duration | 0ms to 1ms
        ✓ done | Creation | aws_vpc.a | 0ms | 0ms
        ");
    });
    insta::assert_snapshot!(outcome.junit().unwrap(), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="0" errors="1" skipped="0">
      <testsuite name="(no test file)" tests="1" failures="0" errors="1" skipped="0">
        <testcase name="(itself)" classname="(no test file)">
          <error message="the run failed or did not finish"></error>
        </testcase>
      </testsuite>
    </testsuites>
    "#);
}

/// The text of the plan replaces the list of messages.
#[test]
fn given_plan_is_shown_in_full() {
    let text = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{
        "address":"shop_order.a","mode":"managed","type":"shop_order","name":"a",
        "provider_name":"example.com/acme/shop",
        "change":{"actions":["create"],"before":null,"after":{"size":7}}}]}"#;
    let mut options = RunOptions::default();
    options.plan = Some(Plan::parse(text, &Schemas::new()).unwrap());
    let mut run = Run::new(options);
    let change = r#""change":{"resource":{"addr":"shop_order.a"},"action":"create"}"#;
    run.push_line(&message("planned_change", change)).unwrap();
    let summary = r#""changes":{"add":1,"operation":"plan"}"#;
    let mut shown = run
        .push_line(&message("change_summary", summary))
        .unwrap()
        .text;
    shown.push_str(&run.finish(InputEnd::Closed).unwrap().update().text);
    insta::assert_snapshot!(shown);
}

/// Nothing in a run overflows the stack of a thread, however deep a message is.
#[test]
fn deep_messages_need_no_stack_of_the_caller() {
    let value = format!("{}1{}", "[".repeat(900), "]".repeat(900));
    let outputs =
        format!(r#""outputs":{{"deep":{{"sensitive":false,"type":"dynamic","value":{value}}}}}"#);
    let log = message("outputs", &outputs);
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let follow = move || follow(format!("{log}\n").as_bytes(), 100);
    let (text, events, _) = thread.spawn(follow).unwrap().join().unwrap();
    assert!(text.contains("deep") && events == 1, "{text}");
}

/// The library writes no files: the state that the tool could not save is for the caller.
#[test]
fn unsaved_state_is_kept_for_the_caller() {
    let mut run = Run::new(RunOptions::default());
    let message = r#"{"@level":"info","@message":"Terraform failed to save the state","type":"log","state":{"version":4}}"#;
    run.push_line(message).unwrap();
    let state = run.unsaved_state().map(str::to_owned);
    let outcome = run.finish(InputEnd::Closed).unwrap();
    assert_eq!(outcome.unsaved_state().map(str::to_owned), state);
    assert_eq!(
        state.as_deref(),
        Some(r#"{"version":4}"#),
        "{}",
        outcome.recap()
    );
}
