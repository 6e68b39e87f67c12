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
    let mut said = String::new();
    for input in [
        STATE,
        MESSAGES,
        TEXT,
        "resource \"null_resource\" \"a\" {\n}\n",
        "<!DOCTYPE html>",
    ] {
        let output = tfview("review -")
            .stdin(input.as_bytes())
            .variable("PATH", "/nonexistent")
            .output();
        assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{input}");
        said += &format!("{input}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
    let output = tfview("show -").stdin(b"\x89PNG\r\n\x1a\n\xff").output();
    insta::assert_snapshot!(output.stderr, @r"
    error: cannot read standard input: not valid UTF-8: byte 0x89 at offset 0 begins no character
      tip: was the file converted or truncated?
    ");
}

/// They were errors that did not say what to type.
#[test]
fn options_of_other_tools_are_answered() {
    let folder = folder(
        "cli-wrong-turns",
        &[("plan.json", PLAN.as_bytes()), ("words.txt", b"some words")],
    );
    let mut said = String::new();
    for command in [
        "show -json plan.json",
        "review -json plan.json",
        "--verson",
        "-v",
        "run plan",
        "man revew",
        "shwo plan.json",
        "apply",
        "completions tcsh",
        "schema list --schemas words.txt",
        "review words.txt",
        "diff - -",
        "run tofoo plan",
    ] {
        let output = tfview(command).folder(&folder).output();
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{command}: {output}"
        );
        said += &format!("$ tfview {command}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
    let page = tfview("man review").output();
    assert_eq!(page.code, Some(0), "{page}");
    let title = page
        .stdout
        .lines()
        .find(|line| line.starts_with(".TH"))
        .unwrap();
    assert!(title.starts_with(".TH TFVIEW-REVIEW 1 "), "{title}");
    let help = tfview("help findings").output();
    assert_eq!(help.code, Some(0), "{help}");
    insta::assert_snapshot!(help.stdout);
}

/// Without stored schemas, the built-in ones are listed and shown.
#[test]
fn built_in_schemas_are_listed_and_shown() {
    let folder = folder("cli-built-in", &[]);
    let list = tfview("schema list").folder(&folder).output();
    assert_eq!(list.code, Some(0), "{}", list.stderr);
    let databases: Vec<&str> = list
        .stdout
        .lines()
        .filter(|line| line.contains("aws_db_instance"))
        .collect();
    insta::assert_snapshot!(databases.join("\n"), @r"
    aws_db_instance                                                  resource
    aws_db_instance_automated_backups_replication                    resource
    aws_db_instance_role_association                                 resource
    aws_db_instance                                                  data source
    aws_db_instances                                                 data source
    ");
    let shown = tfview("schema show aws_db_instance")
        .folder(&folder)
        .output();
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let password: Vec<&str> = shown
        .stdout
        .lines()
        .filter(|line| line.contains("password"))
        .collect();
    insta::assert_snapshot!(password.join("\n"), @r"
    manage_master_user_password                  bool
    password                                     string        sensitive
    password_wo                                  string        write-only
    password_wo_version                          number
    ");
}
