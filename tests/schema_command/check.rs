//! `tfview schema check` finds every kind of error in a specification, with its path, position and a hint.

use tfview::internals::schema::check::{Check, FindingLevel, check};

use super::schema;
use crate::cli::harness::folder;

/// A specification with one resource, which has these attributes and blocks.
fn resource(attributes: &str, blocks: &str) -> String {
    format!(
        r#"{{"version":"0.1","provider":{{"name":"p"}},"resources":[{{"name":"r","schema":{{"attributes":[{attributes}],"blocks":[{blocks}]}}}}]}}"#
    )
}

/// The findings in short: level, path, problem and hint.
fn findings(text: &str) -> Vec<String> {
    let lines = check(text).into_iter().map(|finding| {
        let level = match (finding.level, finding.check) {
            (FindingLevel::Error, Check::Duplicate) => "duplicate",
            (FindingLevel::Error, _) => "error",
            (FindingLevel::Warning, _) => "warning",
        };
        format!(
            "{level} {}: {}; {}",
            finding.path, finding.problem, finding.hint
        )
    });
    lines.collect()
}

#[test]
fn every_kind_of_error_is_found_with_its_path_and_a_hint() {
    let string = |name: &str| {
        format!(r#"{{"name":"{name}","string":{{"computed_optional_required":"optional"}}}}"#)
    };
    let attributes_path = "resources[r].schema.attributes";
    for (attributes, blocks, expected) in [
        (string("a"), String::new(), vec![]),
        (
            string("a").replace("optional\"}", "optinal\"}"),
            String::new(),
            vec![format!(
                "error {attributes_path}[a].string.computed_optional_required: \"optinal\" is not known here; did you mean \"optional\"?"
            )],
        ),
        (
            string("a").replace("optional\"}", "optional\",\"sensitve\":true}"),
            String::new(),
            vec![format!("error {attributes_path}[a].string: this attribute has no member `sensitve`; did you mean `sensitive`?")],
        ),
        (
            string("a") + "," + &string("a"),
            String::new(),
            vec![format!("duplicate {attributes_path}[1]: an attribute named \"a\" is declared twice; rename or remove one of them")],
        ),
        (
            string("a"),
            r#"{"name":"a","single_nested":{}}"#.to_owned(),
            vec![
                "duplicate resources[r].schema.blocks[a]: \"a\" is an attribute and a block; rename or remove one of them"
                    .to_owned(),
            ],
        ),
        (
            r#"{"name":"l","list":{"computed_optional_required":"optional","element_type":{"string":{},"bool":{}}}}"#
                .to_owned(),
            String::new(),
            vec![format!(
                "error {attributes_path}[l].list.element_type: an element type has more than one kind: `bool`, `string`; keep one of them"
            )],
        ),
        (
            r#"{"name":"A B","string":{"computed_optional_required":"optional","sensitive":"yes"}}"#.to_owned(),
            String::new(),
            vec![
                format!(
                    "error {attributes_path}[A B].name: \"A B\" is not an identifier: a lower-case letter or `_`, then lower-case \
                     letters, digits and `_`; did you mean \"a_b\"?"
                ),
                format!("error {attributes_path}[A B].string.sensitive: expected true or false, found a string; "),
            ],
        ),
        (
            r#"{"name":"a","string":{}}"#.to_owned(),
            String::new(),
            vec![format!(
                "error {attributes_path}[a].string: this attribute has no `computed_optional_required`; add \
                 `computed_optional_required`: \"computed\", \"computed_optional\", \"optional\", \"required\""
            )],
        ),
    ] {
        assert_eq!(findings(&resource(&attributes, &blocks)), expected, "{attributes} {blocks}");
    }
}

#[test]
fn unknown_member_that_the_official_schema_allows_is_a_warning() {
    let text =
        r#"{"version":"0.1","provider":{"name":"p","schmea":{}},"resource":[],"version":"0.1"}"#;
    assert_eq!(
        findings(text),
        [
            "warning provider: the provider has no member `schmea`; did you mean `schema`?",
            "warning : the specification has no member `resource`; did you mean `resources`?",
            "warning : `version` is written twice in this object; only the last one counts",
        ]
    );
}

#[test]
fn attributes_of_a_provider_use_optional_required() {
    let text = r#"{"version":"0.1","provider":{"name":"p","schema":{"attributes":[{"name":"a","bool":{"computed_optional_required":"optional"}}]}}}"#;
    let lines = findings(text);
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("did you mean `optional_required`?")),
        "{lines:?}"
    );
}

#[test]
fn findings_have_a_position_in_characters_and_an_exit_code() {
    let files = folder(
        "schema-check",
        &[
            ("good.json", br#"{"version":"0.1","provider":{"name":"p"}}"#),
            (
                "warn.json",
                br#"{"version":"0.1","provider":{"name":"p"},"extra":1}"#,
            ),
            (
                "bad.json",
                "{\n \"version\": \"0.1\",\n \"é\": 1, \"provider\": {\"name\": \"P\"}\n}"
                    .as_bytes(),
            ),
            ("broken.json", b"{\n \"version\": }"),
        ],
    );
    let run = |args: &str| schema(&format!("check {args}")).folder(&files).output();
    assert_eq!(run("good.json").code, Some(0));
    assert_eq!(run("warn.json").code, Some(0));
    assert_eq!(run("--strict warn.json").code, Some(1));
    let output = run("good.json bad.json");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stdout, @r#"
    bad.json:3:2 warning: the specification has no member `é`; known here: `version`, `provider`, `datasources`, `resources`
    bad.json:3:31 provider.name: "P" is not an identifier: a lower-case letter or `_`, then lower-case letters, digits and `_`; did you mean "p"?
    1 error, 1 warning in 2 files
    "#);

    let output = run("broken.json");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stdout, @r"
    broken.json:2:13 not JSON: expected a value
    1 error, 0 warnings in 1 file
    ");
    let output = run("--ci github bad.json");
    insta::assert_snapshot!(output.stderr, @r#"
    ::error file=bad.json,line=3,col=31,title=provider.name::"P" is not an identifier: a lower-case letter or `_`, then lower-case letters, digits and `_`; did you mean "p"?
    ::warning file=bad.json,line=3,col=2,title=bad.json::the specification has no member `é`; known here: `version`, `provider`, `datasources`, `resources`
    "#);
}

#[test]
fn provider_schemas_are_not_a_specification() {
    insta::assert_snapshot!(findings(super::SCHEMAS).join("\n"), @r"
    error : the specification has no `version`; 
    error : the specification has no `provider`; 
    error : this is the output of `providers schema -json`; `schema check` is for Provider Code Specifications; `schema show` reads this file
    warning : the specification has no member `format_version`; did you mean `version`?
    warning : the specification has no member `provider_schemas`; did you mean `provider`?
    ");
}
