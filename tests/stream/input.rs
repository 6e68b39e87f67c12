//! Any input is shown or passed through unchanged: split reads, odd bytes, long lines, other lines. No secret
//! is shown.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::super::random;
use super::harness::{
    NoDocuments, hook, plain, planned, show, show_all, show_cut, show_with_plan, summary,
};

const APPLY: &str = r#""action":"create""#;

fn golden(case: &str, file: &str) -> Vec<u8> {
    fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/goldens")
            .join(case)
            .join(file),
    )
    .unwrap()
}

proptest! {
    #![proptest_config(random::property(1))]

    /// The same bytes give the same output, regardless of how they are split into reads.
    #[test]
    fn sizes_of_reads_do_not_change_the_output(sizes in prop::collection::vec(1usize..400, 1..20), case in 0usize..6) {
        let (case, file) = [
            ("warnings-terraform", "apply.jsonl"),
            ("provisioners-opentofu", "apply.jsonl"),
            ("test-fail-terraform", "stream.jsonl"),
            ("test-validate-both-opentofu", "stream.jsonl"),
            ("odd-keys-1-terraform", "apply.jsonl"),
            ("test-cleanup-error-opentofu", "stream.jsonl"),
        ][case];
        let mut input = golden(case, file);
        input.extend_from_slice(b"not a message\xff\x00\r\n{\"@level\":\"info\",\"@mess");
        let whole = show_cut(&input, plain(), &[usize::MAX]);
        prop_assert_eq!(show_cut(&input, plain(), &sizes), whole);
    }

    /// Any bytes are shown or passed through, without control characters.
    #[test]
    fn any_bytes_are_shown_without_control_characters(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let shown = show(&bytes);
        prop_assert!(!shown.text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')));
    }

    /// Broken messages cause no panic.
    #[test]
    fn mutated_messages_cause_no_panic(offset in 0usize..6000, byte in any::<u8>(), cut in 0usize..6000) {
        let mut input = golden("actions-local-command-terraform", "apply.jsonl");
        let offset = offset % input.len();
        input[offset] = byte;
        let cut = cut % input.len();
        show(&input[cut..]);
        show(&input[..cut]);
    }
}

#[test]
fn other_lines_pass_unchanged() {
    let lines = "Acquiring state lock. This may take a few moments...\r\n\n  indented {\"a\":1}\n{\"type\":\"request\",\"msg\":\"hello\"}\n{\"format_version\":\"1\",\"msg\":\"hello\"}\nf() {\n  \"x\" \\\n}\n{\n  \"Account\": \"1\"\n}\n[1,2]\n{\"a\":1}\nlast without end";
    assert_eq!(show(lines).text, lines);
}

#[test]
fn odd_bytes_are_made_visible() {
    assert_eq!(
        show(b"a\x00b\xffc\x1b[2J\rd\n").text,
        "a␀b\u{fffd}c␛[2J␍d\n"
    );
}

#[test]
fn message_may_end_with_crlf_and_begin_with_blanks() {
    let line = hook("apply_start", "a.b", &format!(",{APPLY}")).replace('\n', "\r\n");
    assert_eq!(show(format!("  {line}")).text, "a.b: Creating...\n");
}

#[test]
fn incomplete_message_is_passed_through() {
    let half = "{\"@level\":\"info\",\"@message\":\"so far";
    assert_eq!(show(half).text, half);
}

#[test]
fn long_lines_pass_and_long_messages_have_their_text() {
    let text = format!("{}\nnext\n", "é".repeat(200_000));
    assert_eq!(show(&text).text, text);
    let content = "x".repeat(70 << 20);
    let message = format!(
        "{{\"@level\":\"info\",\"@message\":\"said\",\"type\":\"log\",\"x\":\"{content}\"}}\nnext\n"
    );
    let shown = show(&message);
    assert_eq!(shown.text, "said\nnext\n");
    insta::assert_snapshot!(shown.notes, @r"
    note: showing only the @message of a line whose JSON is incomplete or too long, because the rest may contain secrets
    note: the input has no messages of a run
      tip: was the tool started with -json?
    ");
    let text = format!("{}\nnext\n", "y".repeat(50 << 20));
    assert!(show_cut(text.as_bytes(), plain(), &[65_536]).text == text);
}

#[test]
fn message_of_50_mb_is_shown_completely() {
    let output = "z".repeat(50 << 20);
    let message = hook(
        "provision_progress",
        "a.b",
        &format!(",\"provisioner\":\"local-exec\",\"output\":\"{output}\""),
    );
    let shown = show_cut(message.as_bytes(), plain(), &[65_536]);
    assert!(shown.text == format!("a.b (local-exec): {output}\n"));
}

#[test]
fn unknown_message_is_shown_by_its_text() {
    for message in [
        r#"{"@level":"info","@message":"something new","type":"tomorrow","payload":{"a":[1]}}"#,
        r#"{"@level":"info","@message":"something new"}"#,
        r#"{"@level":"info","@message":"something new","hook":5,"type":"provision_start"}"#,
        r#"{"@level":"info","@message":"something new","hook":{"resource":{"addr":"a"},"action":"teleport"},"type":"apply_progress"}"#,
        r#"{"@level":"info","@message":"something new","outputs":{"a":7},"type":"outputs"}"#,
        r#"{"@level":"info","@message":"something new","changes":{"operation":"dance"},"type":"change_summary"}"#,
        r#"{"@level":"info","@message":"something new","test_file":[],"type":"test_file"}"#,
    ] {
        assert_eq!(
            show(format!("{message}\n")).text,
            "something new\n",
            "{message}"
        );
    }
}

#[test]
fn messages_of_a_newer_major_format_are_shown_by_their_text() {
    let version =
        r#"{"@level":"info","@message":"Terraform 9","terraform":"9","type":"version","ui":"2.0"}"#;
    let start = hook("apply_start", "a.b", &format!(",{APPLY}"));
    let shown = show(format!("{version}\n{start}"));
    assert_eq!(shown.text, "a.b: …\n");
    insta::assert_snapshot!(shown.notes, @r"
    note: message format 2.0 is newer than this version of tfview; showing only the text of each message

    How the run ended cannot be read from messages of a newer format.
    ");
}

#[test]
fn sensitive_outputs_are_hidden() {
    const TOKEN: &str = "hunter2";
    let outputs = |mark: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"Outputs: 1\",\"outputs\":{{\"p\":{{\"sensitive\":{mark},\"type\":\"string\",\
             \"value\":\"{TOKEN}\"}}}},\"type\":\"outputs\"}}\n"
        )
    };
    for mark in ["true", "\"true\"", "[true]", "1", "{\"a\":true}"] {
        assert_eq!(
            show(outputs(mark)).text,
            "\nOutputs:\n\np = <sensitive>\n",
            "{mark}"
        );
    }
    assert!(show(outputs("false")).text.contains(TOKEN));
    let shown = show_cut(
        outputs("true").as_bytes(),
        tfview::internals::stream::Options {
            show_sensitive: true,
            ..plain()
        },
        &[usize::MAX],
    );
    insta::assert_snapshot!(shown.text, @r#"

    Outputs:

    p = "hunter2"
    "#);
    // A line that is truncated in the middle of a secret.
    let cut = outputs("true").split_once("hunter2").unwrap().0.to_owned() + TOKEN;
    assert!(!show(cut).text.contains(TOKEN));
    // A plan or a state on a line of its own.
    let plan = format!(
        "{{\"format_version\":\"1.2\",\"planned_values\":{{\"outputs\":{{\"p\":\"{TOKEN}\"}}}}}}\n"
    );
    assert!(!show(plan).text.contains(TOKEN));
    // A message that is too long to be buffered.
    let long = format!(
        "{{\"@level\":\"info\",\"@message\":\"m\",\"x\":\"{}{TOKEN}\"}}\n",
        "y".repeat(65 << 20)
    );
    assert!(!show(long).text.contains(TOKEN));
}

#[test]
fn unsaved_state_is_rescued_and_not_shown() {
    let message = r#"{"@level":"info","@message":"Emergency state dump","state":{"secret":"hunter2"},"type":"log"}"#;
    let mut documents = NoDocuments::default();
    let shown = show_all(
        format!("{message}\n").as_bytes(),
        plain(),
        &[usize::MAX],
        &mut documents,
    );
    assert_eq!(shown.text, "Emergency state dump\n");
    assert!(shown.failed);
    insta::assert_snapshot!(shown.notes, @r"
    note: the tool could not save its state; it was kept in a safe place, not shown: it holds secrets

    The run failed.
    ");
    assert_eq!(documents.rescued, [r#"{"secret":"hunter2"}"#]);
}

#[test]
fn plan_without_changes_is_described_as_by_the_tool() {
    let plan = summary("plan", "Plan: 0 to add.").replace(r#""add":1"#, r#""add":0"#);
    let outputs = |action: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"Outputs: 1\",\"outputs\":{{\"o\":{{\"sensitive\":false,\"action\":\"{action}\"}}}},\"type\":\"outputs\"}}\n"
        )
    };
    let nothing = "\nNo changes. Your infrastructure matches the configuration.\n\nTerraform has compared your real infrastructure \
                   against your configuration\nand found no differences, so no changes are needed.\n";
    assert_eq!(show(&plan).text, nothing);
    assert_eq!(show(plan.clone() + &outputs("noop")).text, nothing);
    assert_eq!(
        show(plan.clone() + "text\n").text,
        format!("{nothing}text\n")
    );
    let changed = show(plan.clone() + &outputs("create")).text;
    insta::assert_snapshot!(changed, @r"

    Plan: 0 to add.

    Changes to Outputs:
      + o
    ");
    let drift = planned("a.b", "update").replace("planned_change", "resource_drift");
    assert!(!show(drift + &plan).text.contains("No changes"));
}

#[test]
fn crlf_in_a_text_is_a_line_end_in_colour_too() {
    let message = "{\"@level\":\"info\",\"@message\":\"a\\r\\nb\",\"type\":\"test_retry\"}\n";
    for colour in [false, true] {
        let display = super::super::display::Display {
            colour,
            ..super::super::display::Display::plain(tfview::internals::dialect::Dialect::TERRAFORM)
        };
        let (text, _) = super::super::display::streamed(message.as_bytes(), 1000, display).unwrap();
        assert!(text.contains("\r\n") && !text.contains('␍'), "{text:?}");
    }
}

#[test]
fn plan_with_moves_and_imports_matches_its_run() {
    let plan = r#"{"format_version":"1.2","resource_changes":[
        {"address":"a.b","mode":"managed","type":"a","name":"b","previous_address":"a.c",
         "change":{"actions":["no-op"],"before":{},"after":{}}},
        {"address":"a.d","mode":"managed","type":"a","name":"d",
         "change":{"actions":["no-op"],"before":{},"after":{},"importing":{"id":"x"}}},
        {"address":"a.e","mode":"managed","type":"a","name":"e","change":{"actions":["create"],"before":null,"after":{}}}]}"#;
    let plan: tfview::internals::model::plan::Plan<'_> =
        tfview::internals::json::from_str(plan).unwrap();
    let run = planned("a.e", "create") + &hook("apply_start", "a.e", &format!(",{APPLY}"));
    let shown =
        |run: &str| show_with_plan(run, tfview::internals::stream::Expected::new(&plan)).notes;
    assert!(!shown(&run).contains("not the one of this run"));
    insta::assert_snapshot!(shown(&run.replace("a.e", "a.f")), @r"
    note: the plan given with --plan is not the one of this run: of the changes, 1 of the run are not in the plan (such as a.f), 1 of the plan are not in the run (such as a.e)

    The run was cut off: its messages end in the middle. Done: nothing.
      not finished: a.f (creation)
    ");
}

#[test]
fn plan_is_printed_before_the_first_change() {
    let shown = |run: &str| show_with_plan(run, tfview::internals::stream::Expected::default());
    let read = hook("apply_start", "data.a.b", r#","action":"read""#);
    let change = hook("apply_start", "a.b", &format!(",{APPLY}"));
    let with_summary = format!("{read}{}{change}", summary("plan", "Plan: 1 to add."));
    let expected = "data.a.b: Reading...\nTHE PLAN\na.b: Creating...\n";
    assert_eq!(shown(&with_summary).text, expected);
    let saved = format!("{read}{change}");
    assert_eq!(shown(&saved).text, expected);
    // A plan of another run is noted.
    let other = format!("{}{change}", planned("a.b", "create"));
    insta::assert_snapshot!(shown(&other).notes, @r"
    note: the plan given with --plan is not the one of this run: of the changes, 1 of the run are not in the plan (such as a.b)

    The run was cut off: its messages end in the middle. Done: nothing.
      not finished: a.b (creation)
    ");
}
