//! What new users type by mistake is answered with the whole way to what they want.

use super::harness::{PLAN, folder, tfview};

const STATE: &str =
    r#"{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{}}}"#;
const MESSAGES: &str = r#"{"@level":"info","@message":"Terraform 1.9.0","type":"version","terraform":"1.9.0","ui":"1.2"}"#;
const TEXT: &str =
    "\nOpenTofu used the selected providers to generate the following execution plan.\n";

/// Each tip named only the next step, so that users walked in a circle.
#[test]
fn inputs_of_other_kinds_lead_to_a_review() {
    let way = "terraform plan -out=tfplan && tfview review tfplan";
    for (input, expected) in [
        (STATE, way),
        (STATE, "tfview show -"),
        (MESSAGES, way),
        (MESSAGES, "tfview stream -"),
        (TEXT, "tofu plan -out=tfplan && tfview review tfplan"),
        (
            "resource \"null_resource\" \"a\" {\n}\n",
            "a configuration, not a plan",
        ),
        ("apiVersion: v1\nkind: Pod\n", "YAML, not JSON"),
        ("<!DOCTYPE html>", "HTML or XML, not JSON"),
    ] {
        let output = tfview("review -")
            .stdin(input.as_bytes())
            .variable("PATH", "/nonexistent")
            .output();
        assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{input}");
        assert!(output.stderr.contains(expected), "{input}: {output}");
    }
    let output = tfview("show -").stdin(b"\x89PNG\r\n\x1a\n\xff").output();
    insta::assert_snapshot!(output.stderr, @r"
    error: cannot read standard input: a PNG picture
      tip: name a plan or a state, as from `terraform plan -out=tfplan && tfview review tfplan`
    ");
}

/// They were errors that did not say what to type.
#[test]
fn options_of_other_tools_are_answered() {
    let folder = folder(
        "cli-wrong-turns",
        &[("plan.json", PLAN.as_bytes()), ("words.txt", b"some words")],
    );
    for (command, expected) in [
        ("show -json plan.json", "terraform show -json"),
        ("review -json plan.json", "`--format json` writes JSON"),
        ("--verson", "'--version'"),
        ("-v", "`tfview --version`"),
        ("run plan", "tfview run tofu plan"),
        ("man revew", "there is no subcommand `revew`"),
        ("shwo plan.json", "'show'"),
        ("apply", "`apply` is not a tfview subcommand or a file"),
        ("completions tcsh", "[possible values: bash"),
        (
            "schema list --schemas words.txt",
            "tip: use the output of `terraform providers schema -json`",
        ),
        (
            "review words.txt",
            "tip: use the output of `terraform show -json`",
        ),
        ("diff - -", "tip: write the other one to a file"),
        ("run tofoo plan", "cannot start tofoo: it is not in PATH"),
    ] {
        let output = tfview(command).folder(&folder).output();
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{command}: {output}"
        );
        assert!(output.stderr.contains(expected), "{command}: {output}");
    }
    let page = tfview("man review").output();
    assert!(
        page.code == Some(0) && page.stdout.contains(".TH tfview-review"),
        "{page}"
    );
    let help = tfview("help findings").output();
    assert!(
        help.code == Some(0) && help.stdout.contains("data-loss"),
        "{help}"
    );
}

/// Without stored schemas, the built-in ones are listed and shown.
#[test]
fn built_in_schemas_are_listed_and_shown() {
    let folder = folder("cli-built-in", &[]);
    let list = tfview("schema list").folder(&folder).output();
    assert!(
        list.code == Some(0) && list.stdout.contains("aws_db_instance"),
        "{}",
        list.stderr
    );
    let shown = tfview("schema show aws_db_instance")
        .folder(&folder)
        .output();
    assert!(
        shown.code == Some(0) && shown.stdout.contains("password"),
        "{}",
        shown.stderr
    );
}
