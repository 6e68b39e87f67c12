//! Findings that a named configuration accepts: counted everywhere, in no gate on findings, and only until their day.

use serde_json::{Value, json};

use super::harness::{Output, folder, tfview};
use crate::json_schema::validate;
use crate::plan::{Change, PlanBuilder};

/// A plan that opens SSH to the world in two groups, and destroys a database.
fn plan() -> String {
    let ssh =
        json!({"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]});
    let open =
        |address: &str| Change::updated(address, json!({"ingress": []}), json!({"ingress": [ssh]}));
    PlanBuilder::of([
        open("aws_security_group.a"),
        open("aws_security_group.b"),
        Change::destroyed("aws_db_instance.d", json!({"engine": "postgres"})),
    ])
    .json()
}

fn accept(finding: &str, address: &str, path: &str, until: &str) -> String {
    format!(
        "[[accept]]\nfinding = \"{finding}\"\naddress = \"{address}\"\n{path}\nreason = \"known <b>\\u001b[31m`noise`\"\nuntil = \"{until}\"\n"
    )
}

/// Reviews the plan with a configuration that is named.
fn review(config: &str, arguments: &str) -> Output {
    use std::sync::atomic::{AtomicUsize, Ordering};
    /// Tests run side by side.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let plan = plan();
    let files = [
        ("plan.json", plan.as_bytes()),
        ("known.toml", config.as_bytes()),
    ];
    tfview(&format!("review plan.json --config known.toml {arguments}"))
        .folder(&folder(&format!("accepted-{number}"), &files))
        .output()
}

#[test]
fn what_is_accepted_violates_no_gate_on_findings() {
    let exposure = |address: &str| accept("exposure", address, "path = \"ingress*\"", "2099-01-31");
    let both = exposure("aws_security_group.*");
    let data = accept("data-loss", "aws_db_instance.d", "", "2099-01-31");
    for (config, gate, code) in [
        (&*both, "finding:exposure", 0),
        (&exposure("aws_security_group.a"), "finding:exposure", 3),
        ("", "finding:exposure", 3),
        // By kind, by address, by path, and by day.
        (
            &accept("protection", "*", "path = \"ingress*\"", "2099-01-31"),
            "finding:exposure",
            3,
        ),
        (&exposure("aws_security_group"), "finding:exposure", 3),
        (
            &accept("exposure", "*", "path = \"egress*\"", "2099-01-31"),
            "finding:exposure",
            3,
        ),
        (
            &accept("exposure", "*", "", "2099-01-31"),
            "finding:exposure",
            3,
        ),
        (
            &accept("exposure", "*", "path = \"ingress*\"", "2026-11-20"),
            "finding:exposure",
            3,
        ),
        (&data, "finding:data-loss", 0),
        // Gates on actions do not know of it.
        (&data, "destroy", 3),
        (&data, "any", 3),
        (&both, "update", 3),
        (&both, "level:critical", 3),
    ] {
        let output = review(config, &format!("--fail-on {gate}"));
        assert_eq!(output.code, Some(code), "{gate}\n{config}\n{output}");
    }
}

#[test]
fn what_is_accepted_is_counted_in_every_output() {
    let config = accept(
        "exposure",
        "aws_security_group.a",
        "path = \"ingress*\"",
        "2099-01-31",
    );
    let json = review(&config, "--format json");
    validate("review", &json.stdout, "accepted findings");
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    let findings = document["plans"][0]["findings"].as_array().unwrap();
    let of = |address: &str| {
        findings
            .iter()
            .find(|finding| finding["kind"] == "exposure" && finding["address"] == address)
            .unwrap()
    };
    assert_eq!(
        of("aws_security_group.a")["accepted"]["until"],
        "2099-01-31"
    );
    assert!(
        of("aws_security_group.a")["accepted"]["reason"]
            .as_str()
            .unwrap()
            .starts_with("known")
    );
    assert_eq!(of("aws_security_group.b")["accepted"], Value::Null);
    assert_eq!(document["verdict"]["findings"]["accepted"], 1);
    assert_eq!(document["verdict"]["level"], "critical", "the level stays");
    let mut counts = String::new();
    for format in ["terminal", "markdown", "html", "sarif"] {
        let output = review(&config, &format!("--format {format}"));
        let mut lines = output.stdout.lines();
        let line = lines.find(|line| line.contains("2099-01-31")).unwrap();
        // SARIF is one line.
        if format != "sarif" {
            counts += &format!("{format}: {}\n", line.trim());
        }
        assert!(!output.stdout.contains('\u{1b}'), "{format}: {output}");
        if format == "html" {
            assert!(!output.stdout.contains("known <b>"), "{output}");
        }
    }
    insta::assert_snapshot!(counts, @r#"
    terminal: accepted until 2099-01-31: 1 finding: known <b>␛[31m`noise`
    markdown: - accepted until `2099-01-31`: 1 finding: known `` <b>␛[31m`noise` ``
    html: <p class="m">accepted until 2099-01-31: 1 finding: known &lt;b&gt;␛[31m`noise`</p>
    "#);
}

#[test]
fn a_file_that_was_found_accepts_nothing() {
    let config = accept("exposure", "*", "path = \"*\"", "2099-01-31");
    let folder = folder(
        "accepted-found",
        &[
            ("plan.json", plan().as_bytes()),
            (".tfview.toml", config.as_bytes()),
        ],
    );
    let run = |arguments: &str| {
        tfview(&format!(
            "review plan.json --fail-on finding:exposure {arguments}"
        ))
        .folder(&folder)
        .output()
    };
    assert_eq!(run("").code, Some(3));
    assert!(!run("--format json").stdout.contains("2099-01-31"));
    insta::assert_snapshot!(run("").stderr, @r"
    note: ignored `accept` in .tfview.toml: a configuration that is found, not named, can only add to a review
      tip: `--config .tfview.toml` takes all of it
    error: --fail-on finding:exposure: 2 objects with a finding `exposure`: aws_security_group.a, aws_security_group.b
    ");
    assert_eq!(run("--config .tfview.toml").code, Some(0));
}

#[test]
fn what_is_accepted_has_a_reason_and_a_day() {
    let mut said = String::new();
    for config in [
        "[[accept]]\nfinding = \"exposure\"\naddress = \"x\"\nuntil = \"2099-01-31\"\n",
        "[[accept]]\nfinding = \"exposure\"\naddress = \"x\"\nreason = \" \"\nuntil = \"2099-01-31\"\n",
        "[[accept]]\nfinding = \"exposure\"\naddress = \"x\"\nreason = \"r\"\nuntil = \"soon\"\n",
        "[[accept]]\nfinding = \"exposure\"\naddress = \"x\"\nreason = \"r\"\nuntil = \"2099-02-31\"\n",
        "[[accept]]\nfinding = \"exposed\"\naddress = \"x\"\nreason = \"r\"\nuntil = \"2099-01-31\"\n",
        "[[accept]]\nfinding = \"exposure\"\nadress = \"x\"\nreason = \"r\"\nuntil = \"2099-01-31\"\n",
    ] {
        let output = review(config, "");
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{config}: {output}"
        );
        said += &format!("{config}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
    let config = accept("exposure", "*", "path = \"*\"", "2026-11-20");
    let output = review(&config, "");
    insta::assert_snapshot!(output.stderr, @"note: known.toml: the finding `exposure` of * is no longer accepted: the acceptance ended on 2026-11-20 (known <b>␛[31m`noise`)");
}
