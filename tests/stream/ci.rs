//! Runs in the log of a CI system have folds and annotations, and no input forges a command.

use std::fs;
use std::path::Path;

use tfview::internals::stream::{End, Options, Stream};
use tfview::internals::term::ci::CiLog;
use tfview::internals::term::{CiSystem, Out};

use super::harness::{NoDocuments, hook, plain, planned, summary};

/// The text, the notes and the annotations of a run.
fn log(input: &str, system: CiSystem, size: usize) -> [String; 3] {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut documents = NoDocuments::default();
    let ci = Some(CiLog { system, time: 0 });
    let out = Out::new(&mut text, false).for_ci(ci);
    let notes_out = Out::new(&mut notes, false).for_ci(ci);
    let mut stream = Stream::new(
        Options {
            ci: Some(system),
            ..plain()
        },
        out,
        notes_out,
        &mut documents,
    );
    input
        .as_bytes()
        .chunks(size)
        .for_each(|part| stream.push(part).unwrap());
    let ending = stream.finish(End::Closed).unwrap();
    let text_of = |bytes| String::from_utf8(bytes).unwrap();
    [
        text_of(text),
        text_of(notes),
        ending.annotations.unwrap().lines(),
    ]
}

fn diagnostic(severity: &str, number: usize, summary: &str, detail: &str) -> String {
    let range = format!(
        r#"{{"filename":"m/a,b:{number}.tf","start":{{"line":{number},"column":3,"byte":9}},"end":{{"line":{number},"column":4,"byte":10}}}}"#
    );
    let text = |text: &str| serde_json::to_string(text).unwrap();
    format!(
        "{{\"@level\":\"{severity}\",\"@message\":\"m\",\"@timestamp\":\"2026-11-21T02:27:{number:02}.000000Z\",\
         \"diagnostic\":{{\"severity\":\"{severity}\",\"summary\":{},\"detail\":{},\"address\":\"x.a\",\"range\":{range}}},\
         \"type\":\"diagnostic\"}}\n",
        text(summary),
        text(detail),
    )
}

/// A failing apply with more warnings than any system accepts, whose texts try to forge commands.
fn failing() -> String {
    let forged = "::error::forged\n::warning file=x::y ##vso[task.complete result=Succeeded]\n##[error]z\n\
                  \u{1b}[0Ksection_start:1:x\r\u{1b}[0K";
    let start = |rest| format!(",\"action\":\"create\"{rest}");
    let mut input = hook(
        "refresh_start",
        "x.a",
        ",\"id_key\":\"id\",\"id_value\":\"##[group]\"",
    );
    input.push_str(&planned("x.a", "create"));
    input.push_str(&planned("::error::x", "create"));
    input.push_str(&summary(
        "plan",
        "Plan: 2 to add, 0 to change, 0 to destroy.",
    ));
    input.push_str(&hook("apply_start", "x.a", &start("")));
    input.push_str(
        "::error::not a message\n  ::add-mask::x\nplain ##vso[task.setvariable variable=a]b\n",
    );
    input.push_str(&hook(
        "provision_progress",
        "x.a",
        ",\"provisioner\":\"local-exec\",\"output\":\"##[error]y\"",
    ));
    input.push_str(&hook(
        "apply_errored",
        "x.a",
        &start(",\"elapsed_seconds\":2"),
    ));
    (1..=12).for_each(|number| {
        input.push_str(&diagnostic(
            "warning",
            number,
            &format!("w{number}"),
            "100%, a:b",
        ));
    });
    input.push_str(&diagnostic("error", 20, "It\n::error::failed", forged));
    input
}

#[test]
fn each_system_gets_its_own_log() {
    for (name, system) in [
        ("github", CiSystem::GitHub),
        ("gitlab", CiSystem::GitLab),
        ("azure", CiSystem::Azure),
    ] {
        let [text, notes, annotations] = log(&failing(), system, usize::MAX);
        let all = format!("{text}--- notes\n{notes}--- annotations\n{annotations}");
        insta::assert_snapshot!(
            format!("log-{name}"),
            all.replace('\u{1b}', "<ESC>").replace('\r', "<CR>")
        );
    }
}

#[test]
fn input_forges_no_command_with_any_size_of_reads() {
    for system in [
        CiSystem::GitHub,
        CiSystem::GitLab,
        CiSystem::Azure,
        CiSystem::Colourful,
    ] {
        let whole = log(&failing(), system, usize::MAX);
        for size in [1, 7, 64] {
            assert_eq!(log(&failing(), system, size), whole, "{system:?} {size}");
        }
        for line in whole[..2].iter().flat_map(|text| text.split(['\n', '\r'])) {
            let is_own_command = ["::group::", "::endgroup::", "##[group]", "##[endgroup]"]
                .iter()
                .any(|command| line.starts_with(command));
            let command = line.trim_start().starts_with("::")
                || line.contains("##[")
                || line.contains("##vso[");
            assert!(is_own_command || !command, "{system:?} {line:?}");
        }
        for line in whole[2].lines() {
            assert!(
                line.starts_with("::warning ")
                    || line.starts_with("::error ")
                    || line.starts_with("##vso[task.logissue type=")
            );
            assert_eq!(
                line.matches("##").count()
                    - line.matches("## [").count()
                    - line.matches("##vso [").count(),
                usize::from(line.starts_with('#')),
                "{line}"
            );
        }
    }
}

#[test]
fn folds_add_lines_and_change_none() {
    for case in [
        "apply-error-midway-terraform",
        "apply-error-midway-opentofu",
        "big-stack-terraform",
    ] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/goldens")
            .join(case);
        let input = fs::read_to_string(root.join("apply.jsonl")).unwrap();
        let plain = super::harness::show(&input);
        for system in [
            CiSystem::GitHub,
            CiSystem::GitLab,
            CiSystem::Azure,
            CiSystem::Other,
        ] {
            let [text, notes, _] = log(&input, system, usize::MAX);
            let (rest, folds) = crate::display::unfolded(&text);
            assert_eq!(
                (rest, notes),
                (plain.text.clone(), plain.notes.clone()),
                "{case} {system:?}"
            );
            assert_eq!(folds > 0, system.folds(), "{case} {system:?}");
        }
    }
}

#[test]
fn summary_of_an_unknown_operation_is_in_no_fold() {
    let input = planned("x.a", "create") + &summary("unheard-of", "Something complete!");
    let [text, ..] = log(&input, CiSystem::GitHub, usize::MAX);
    insta::assert_snapshot!(text, @r"
    ::group::Plan

    Terraform will perform the following actions:

      + x.a will be created
    ::endgroup::
    Something complete!
    ");
}

#[test]
fn failures_and_results_are_in_no_fold() {
    let [text, ..] = log(&failing(), CiSystem::GitHub, usize::MAX);
    let mut open = false;
    for line in text.lines() {
        open = (open || line.starts_with("::group::")) && line != "::endgroup::";
        let is_result =
            line.starts_with("Plan:") || line.starts_with("Error:") || line.starts_with("Warning:");
        assert!(!(is_result && open), "{line}");
    }
    assert!(text.contains("\nError: It\n") && !open);
}
