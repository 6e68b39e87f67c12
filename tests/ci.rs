//! In CI logs, folds add lines to the text of plans, states and reviews and change none, and no text of a
//! document becomes a CI command.

use tfview::internals::dialect::Dialect;
use tfview::internals::term::CiSystem;
use tfview::internals::term::ci::{CiLog, harmless};

use crate::cli::harness::{folder, tfview};
use crate::corpus::documents;
use crate::display::{Display, reviewed, shown, unfolded};
use crate::random::{some_fixtures, some_ways};

const SYSTEMS: [CiSystem; 4] = [
    CiSystem::GitHub,
    CiSystem::GitLab,
    CiSystem::Azure,
    CiSystem::Other,
];

fn log(document: &str, schema: Option<&str>, system: CiSystem) -> Result<String, String> {
    let ci = Some(CiLog {
        system,
        time: 1_700_000_000,
    });
    shown(
        document,
        schema,
        Display {
            ci,
            ..Display::plain(Dialect::TERRAFORM)
        },
    )
}

#[test]
fn folds_add_lines_and_change_none() {
    let mut folded = 0;
    let documents = documents(200_000)
        .into_iter()
        .filter(|document| !document.is_stream);
    let some = some_fixtures(documents.collect(), 0);
    for (index, document) in some.iter().enumerate() {
        let schema = document.schema.as_deref();
        let Ok(plain) = shown(&document.text, schema, Display::plain(Dialect::TERRAFORM)) else {
            continue;
        };
        for system in some_ways(SYSTEMS.to_vec(), index, 1) {
            let (rest, folds) = unfolded(&log(&document.text, schema, system).unwrap());
            assert_eq!(rest, harmless(&plain), "{system:?}");
            assert!(folds == 0 || system.folds(), "{system:?}");
            folded += folds;
        }
    }
    assert!(folded > 100, "{folded}");
}

/// A change whose value, attribute name and key try to forge CI commands.
const FORGED: &str = r###"{"format_version":"1.2","resource_changes":[
  {"address":"a.b[\"\n::error::k ##vso[task.complete]\"]","mode":"managed","type":"a","name":"b","provider_name":"x",
   "change":{"actions":["update"],"before":{"t":"x\n::error::1","::warning::n":"1"},
    "after":{"t":"x\n::error::2 ##[error]3\n\u001b[0Ksection_start:1:x\r\u001b[0K","::warning::n":"##vso[x]"},
    "after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}],
  "output_changes":{"o":{"actions":["create"],"before":null,"after":"a\n::set-output name=x::y\n##[command]z",
    "after_unknown":false,"before_sensitive":false,"after_sensitive":false}}}"###;

#[test]
fn each_system_gets_its_own_log() {
    for (name, system) in [
        ("github", CiSystem::GitHub),
        ("gitlab", CiSystem::GitLab),
        ("azure", CiSystem::Azure),
    ] {
        let text = log(FORGED, None, system).unwrap();
        insta::assert_snapshot!(
            format!("show-{name}"),
            text.replace('\u{1b}', "<ESC>").replace('\r', "<CR>")
        );
    }
}

#[test]
fn no_document_forges_a_command() {
    for system in SYSTEMS {
        let ci = Some(CiLog { system, time: 1 });
        let display = Display {
            ci,
            ..Display::plain(Dialect::TERRAFORM)
        };
        let review = reviewed(FORGED, None, display)
            .into_iter()
            .find(|(name, _)| *name == "review")
            .unwrap()
            .1;
        for text in [log(FORGED, None, system).unwrap(), review] {
            let (rest, _) = unfolded(&text);
            for line in rest.split(['\n', '\r']) {
                assert!(
                    !is_command(line) && !line.contains('\u{1b}'),
                    "{system:?} {line:?}"
                );
            }
        }
    }
}

/// Whether a CI system may take a line for a command.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("::") || line.contains("##[") || line.contains("##vso[")
}

/// The log may be that of a system that tfview cannot see, for example from within a container.
#[test]
fn reviews_and_comparisons_have_no_commands_where_no_system_is_known() {
    let approved = FORGED.replace("error::2", "error::4");
    let files = folder(
        "unknown-ci",
        &[
            ("approved.json", approved.as_bytes()),
            ("now.json", FORGED.as_bytes()),
        ],
    );
    for command in [
        "review now.json",
        "diff approved.json now.json",
        "review --since approved.json now.json",
    ] {
        for format in ["terminal", "markdown", "json"] {
            let output = tfview(&format!("{command} --format {format}"))
                .folder(&files)
                .output();
            assert_eq!(output.code, Some(0), "{}", output.stderr);
            assert!(output.stdout.contains("error::2"), "{command} {format}");
            let commands: Vec<&str> = output
                .stdout
                .split(['\n', '\r'])
                .filter(|line| is_command(line))
                .collect();
            assert!(commands.is_empty(), "{command} {format}: {commands:?}");
            if format == "json" {
                let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
                assert!(
                    document.to_string().contains("##[error]3"),
                    "the values in JSON are exact"
                );
            }
        }
    }
}
