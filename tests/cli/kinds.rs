//! Every kind of file in the table of docs/reading.md is read, or refused with a way out, whatever release wrote it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::{Compression, write::GzEncoder};

use super::harness::{PLAN, folder, tfview};
use crate::archive;

/// What a kind is read by, and what must be said.
struct Kind {
    /// The beginning of its row in the table.
    row: &'static str,
    /// Inputs of this kind, each with a text that the commands have to print.
    inputs: Vec<(Vec<u8>, &'static str)>,
    /// Commands with their exit code.
    commands: &'static [(&'static str, i32)],
}

const READ: &[(&str, i32)] = &[("show", 0), ("review", 0), ("review --fail-on create", 3)];
const REFUSED: &[(&str, i32)] = &[("show", 1), ("review", 1), ("review --fail-on create", 1)];

fn fixture(name: &str) -> Vec<u8> {
    let root = env!("CARGO_MANIFEST_DIR");
    fs::read(format!("{root}/fixtures/{name}")).unwrap()
}

fn kind_fixture(name: &str) -> Vec<u8> {
    fixture(&format!("regressions/kinds/{name}"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The plan as releases since 0.12 write it.
fn plans() -> Vec<(Vec<u8>, &'static str)> {
    let formats = [
        ("0.1", "0.12.31"),
        ("0.1", "0.13.7"),
        ("0.1", "0.15.5"),
        ("0.2", "1.0.11"),
        ("1.0", "1.1.9"),
        ("1.1", "1.3.10"),
        ("1.2", "1.14.0"),
    ];
    let of_format = |(format, release): (&str, &str)| {
        let format = format!("\"format_version\":\"{format}\"");
        let text = PLAN.replace("\"format_version\":\"1.2\"", &format);
        (
            text.replace("1.15.0", release).into_bytes(),
            "terraform_data",
        )
    };
    let mut plans: Vec<_> = formats.into_iter().map(of_format).collect();
    let redacted = PLAN.replace("\"format_version\"", "\"plan_format_version\"");
    plans.push((redacted.into_bytes(), "terraform_data"));
    plans
}

fn rows() -> Vec<Kind> {
    let pretty = || {
        let value: serde_json::Value = serde_json::from_str(PLAN).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let saved = |name: &str| fixture(&format!("saved/{name}/plan.tfplan"));
    let bytes = |texts: &[(&str, &'static str)]| -> Vec<(Vec<u8>, &'static str)> {
        let pair = |(text, said): &(&str, &'static str)| (text.as_bytes().to_vec(), *said);
        texts.iter().map(pair).collect()
    };
    let plan = PLAN.as_bytes();
    let times: String = pretty()
        .lines()
        .map(|line| format!("2026-11-20T09:05:00.1234567Z {line}\n"))
        .collect();
    let string = serde_json::to_string(PLAN).unwrap();
    let quoted = format!(r#"{{"payload": {string}}}"#);
    let [in_plan, in_input, in_terraform] = [
        format!(r#"{{"plan": {PLAN}}}"#),
        format!(r#"{{"input": {{"plan": {PLAN}}}}}"#),
        format!(r#"{{"terraform": {PLAN}, "spacelift": {{"run": {{}}}}}}"#),
    ];
    let state = r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{"resources":[{"address":"terraform_data.a","mode":"managed","type":"terraform_data","name":"a","provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":{"id":"1","input":"x","output":"x","triggers_replace":null},"sensitive_values":{}}]}}}"#;
    vec![
        Kind {
            row: "a saved plan (`plan -out=tfplan`) of Terraform 1.1 and later",
            inputs: vec![
                (kind_fixture("saved-plan-1.5.7.tfplan"), "terraform_data"),
                (
                    kind_fixture("saved-plan-1.9-incomplete.tfplan"),
                    "terraform_data",
                ),
                (kind_fixture("saved-plan-windows.tfplan"), "terraform_data"),
                (saved("lifecycle-1-terraform"), "tfcoremock"),
                (saved("lifecycle-1-opentofu"), "tfcoremock"),
                (saved("lifecycle-1-opentofu-1.13"), "tfcoremock"),
            ],
            commands: &[
                ("show", 0),
                ("review", 0),
                ("review --fail-on create,any", 3),
            ],
        },
        Kind {
            row: "an archive (zip) that holds one saved plan",
            inputs: vec![
                (
                    archive::zip(&[
                        ("readme.txt", b"x".as_slice()),
                        ("out/tfplan", &kind_fixture("saved-plan-1.5.7.tfplan")),
                    ]),
                    "terraform_data",
                ),
                (archive::zip(&[("plan.json", plan)]), "terraform_data"),
            ],
            commands: READ,
        },
        Kind {
            row: "`show -json` of a plan, of any release",
            inputs: plans(),
            commands: READ,
        },
        Kind {
            row: "a saved plan of Terraform 0.12 to 1.0",
            inputs: vec![(
                kind_fixture("saved-plan-0.14.tfplan"),
                "a saved plan of Terraform 0.14.11",
            )],
            commands: REFUSED,
        },
        Kind {
            row: "a raw state (`terraform.tfstate`, `state pull`), version 4",
            inputs: vec![
                (kind_fixture("state-0.12.tfstate"), "aws_sqs_queue"),
                (
                    kind_fixture("state-provider-for-each.tfstate"),
                    "tfcoremock_simple_resource",
                ),
            ],
            commands: &[("show", 0), ("review", 1)],
        },
        Kind {
            row: "`show -json` of a state, `state show -json`",
            inputs: bytes(&[(state, "terraform_data")]),
            commands: &[("show", 0), ("review", 1)],
        },
        Kind {
            row: "the messages of a run",
            inputs: bytes(&[(
                "{\"@level\":\"info\",\"@message\":\"Terraform 1.9.0\",\"@module\":\"terraform.ui\",\"@timestamp\":\"2026-01-01T00:00:00Z\",\"terraform\":\"1.9.0\",\"type\":\"version\",\"ui\":\"1.2\"}\n",
                "stream",
            )]),
            commands: REFUSED,
        },
        Kind {
            row: "`providers schema -json`, a Provider Code Specification",
            inputs: bytes(&[
                (
                    r#"{"format_version":"1.0","provider_schemas":{}}"#,
                    "--schemas",
                ),
                (
                    r#"{"version":"0.1","provider":{"name":"x"},"resources":[]}"#,
                    "--schemas",
                ),
            ]),
            commands: REFUSED,
        },
        Kind {
            row: "a plan in another document",
            inputs: bytes(&[
                (&in_plan, "terraform_data"),
                (&in_input, "terraform_data"),
                (&in_terraform, "terraform_data"),
                (&string, "terraform_data"),
                (&quoted, "terraform_data"),
            ]),
            commands: READ,
        },
        Kind {
            row: "any of these in gzip, UTF-16",
            inputs: vec![
                (gzip(plan), "terraform_data"),
                (utf_16(PLAN), "terraform_data"),
                (
                    format!("Running show\n{PLAN}\ndone\n").into_bytes(),
                    "terraform_data",
                ),
                (times.into_bytes(), "terraform_data"),
                (gzip(string.as_bytes()), "terraform_data"),
            ],
            commands: READ,
        },
        Kind {
            row: "the bookmark of a plan",
            inputs: bytes(&[(
                r#"{"remote_plan_format":1,"run_id":"run-x","hostname":"app.example.com"}"#,
                "the run run-x on app.example.com",
            )]),
            commands: REFUSED,
        },
        Kind {
            row: "a plan or state that OpenTofu encrypted",
            inputs: bytes(&[(
                r#"{"meta":{},"encrypted_data":"x","encryption_version":"v0"}"#,
                "tofu show -json",
            )]),
            commands: REFUSED,
        },
        Kind {
            row: "a state of version 1 to 3",
            inputs: bytes(&[
                (
                    r#"{"version":1,"serial":1,"modules":[]}"#,
                    "state of version 1",
                ),
                (
                    r#"{"version":3,"serial":1,"lineage":"x","modules":[]}"#,
                    "state of version 3",
                ),
                (
                    r#"{"version":4,"terraform_version":"0.12.0","serial":1,"lineage":"x","outputs":{},"resources":[{"mode":"managed","type":"a","name":"b","provider":"provider.a","instances":[{"schema_version":0,"attributes_flat":{"id":"1"}}]}]}"#,
                    "of a release that reads it",
                ),
            ]),
            commands: &[("show", 1), ("review", 1)],
        },
        Kind {
            row: "`version -json`, `metadata functions -json`",
            inputs: bytes(&[
                (
                    r#"{"terraform_version":"1.9.0","platform":"linux_amd64","provider_selections":{},"terraform_outdated":false}"#,
                    "version -json",
                ),
                (
                    r#"{"format_version":"1.0","function_signatures":{}}"#,
                    "metadata functions -json",
                ),
                (
                    r#"{"format_version":"1.0","modules":[{"key":"","source":"","version":""}]}"#,
                    "modules -json",
                ),
                (
                    r#"{"format_version":"1.0","provider_config":{},"root_module":{"resources":[]}}"#,
                    "configuration",
                ),
            ]),
            commands: REFUSED,
        },
    ]
}

/// The first cells of the table.
fn documented() -> BTreeSet<String> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reading.md")).unwrap();
    let (_, table) = text.split_once("|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let first = |line: &str| line.split('|').nth(1).unwrap_or_default().trim().to_owned();
    rows.map(first).collect()
}

#[test]
fn the_table_of_kinds_of_files_is_true() {
    let mut rows_left = documented();
    for Kind {
        row,
        inputs,
        commands,
    } in rows()
    {
        let cell_of_row = rows_left.iter().find(|cell| cell.starts_with(row)).cloned();
        rows_left.remove(&cell_of_row.unwrap_or_else(|| panic!("no row begins with {row}")));
        for (number, (bytes, said)) in inputs.iter().enumerate() {
            let folder: PathBuf = folder("kinds", &[("input", bytes)]);
            let path = folder.join("input");
            for (command, code) in commands {
                assert_said(row, number, (command, *code, said), &path);
            }
        }
    }
    assert!(rows_left.is_empty(), "no case for {rows_left:?}");
}

#[track_caller]
fn assert_said(row: &str, number: usize, (command, code, said): (&str, i32, &str), path: &Path) {
    let run = tfview(command).argument(path.to_str().unwrap());
    let output = run.output();
    assert_eq!(
        output.code,
        Some(code),
        "{row} {number}, {command}: {output}"
    );
    let is_said = output.stdout.contains(said) || output.stderr.contains(said);
    let is_of_state = code == 1 && output.stderr.contains("a state");
    assert!(
        is_said || is_of_state,
        "{row} {number}, {command}: {output}"
    );
}
