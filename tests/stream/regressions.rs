//! What streams of real tools were shown as, and must not be.

use tfview::internals::stream::{End, Stream};
use tfview::internals::term::Out;

use super::harness::{NoDocuments, plain, show};

fn coloured(input: &str) -> String {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut documents = NoDocuments::default();
    let (out, notes) = (Out::new(&mut text, true), Out::new(&mut notes, false));
    let mut stream = Stream::new(plain(), out, notes, &mut documents);
    stream.push(input.as_bytes()).unwrap();
    stream.finish(End::Closed).unwrap();
    String::from_utf8(text).unwrap()
}

/// It was "No changes. Your infrastructure matches the configuration."
#[test]
fn stream_of_an_errored_plan_does_not_say_no_changes() {
    let errored = include_str!("../../fixtures/regressions/stream-errored-plan.jsonl");
    let shown = show(errored);
    assert!(shown.failed);
    assert!(!shown.text.contains("No changes"), "{}", shown.text);
    let failed = shown
        .text
        .find("Planning failed. OpenTofu encountered an error");
    let error = shown.text.find("Error: failed to read resource");
    assert!(failed.is_some() && failed < error, "{}", shown.text);
    // An error anywhere has the same effect, and a warning has not.
    let summary = errored
        .lines()
        .find(|line| line.contains("change_summary"))
        .unwrap();
    let error = errored
        .lines()
        .find(|line| line.contains("\"diagnostic\""))
        .unwrap();
    let warning = error
        .replace("\"@level\":\"error\"", "\"@level\":\"warn\"")
        .replace("\"severity\":\"error\"", "\"severity\":\"warning\"");
    for (lines, is_failed) in [
        (vec![error, summary], true),
        (vec![summary, error], true),
        (vec![summary, &warning, error], true),
        (vec![error, summary, &warning], true),
        (vec![summary, &warning], false),
        (vec![&warning, summary], false),
        (vec![summary], false),
    ] {
        let text = show(lines.join("\n")).text;
        assert_eq!(text.contains("No changes"), !is_failed, "{lines:?}\n{text}");
    }
}

#[test]
fn query_pads_by_bytes() {
    let shown = show(include_str!(
        "../../fixtures/regressions/stream-query-bytes.jsonl"
    ))
    .text;
    let expected = include_str!("../../fixtures/regressions/stream-query-bytes.txt");
    for line in expected.lines() {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
}

#[test]
fn init_has_the_colour_of_the_backend_line() {
    let shown = coloured(include_str!(
        "../../fixtures/regressions/stream-init-backend.jsonl"
    ));
    insta::assert_snapshot!(shown);
}

/// The advice of the tool named a file that nobody had written.
#[test]
fn the_advice_after_an_emergency_dump_names_the_written_file() {
    let shown = show(include_str!(
        "../../fixtures/regressions/stream-emergency-state.jsonl"
    ));
    insta::assert_snapshot!(shown.notes, @r"
    note: the tool could not save its state; it was kept in a safe place, not shown: it holds secrets
    note: the state is not printed above, but kept in a file: `tofu state push a safe place` saves it

    The run failed. Done: 3 created.
      error: Failed to save state
      error: Failed to create local state file
      error: Failed to persist state to backend
    ");
}

/// `init`, `validate` and `test` change nothing in any case.
#[test]
fn commands_that_change_nothing_do_not_fail_before_they_changed_anything() {
    let error = "{\"@level\":\"error\",\"@message\":\"Error: a\",\"@module\":\"tofu.ui\",\"diagnostic\":{\"severity\":\"error\",\"summary\":\"a\",\"detail\":\"\"},\"type\":\"diagnostic\"}\n";
    let init = "{\"@level\":\"info\",\"@message\":\"Initializing the backend...\",\"@module\":\"terraform.ui\",\"message_code\":\"initializing_backend_message\",\"type\":\"init_output\"}\n";
    let text = |input: String| {
        let shown = show(input);
        shown.text + &shown.notes
    };
    let errors = error.repeat(2);
    assert!(!text(format!("{init}{errors}")).contains("changed anything"));
    insta::assert_snapshot!(text(errors), @r"

    Error: a


    Error: a


    The run failed before it changed anything.
      error: a (2 times)
    ");
}

/// From 1.13 on, OpenTofu merges deprecations as it merges other warnings.
#[test]
fn deprecations_are_consolidated_as_opentofu_1_13_does() {
    let input = include_str!("../../fixtures/regressions/stream-deprecations.jsonl");
    let shown = show(input).text;
    insta::assert_snapshot!(shown);

    assert_eq!(
        shown
            .matches("Value derived from a deprecated source")
            .count(),
        1
    );
    let before = show(input.replace("1.13.0-dev", "1.12.6")).text;
    assert!(!before.contains("similar warning"), "{before}");
}
