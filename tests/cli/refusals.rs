//! Invalid input gives a clear error, exit code 1, and nothing on standard output.

use super::harness::{NO_CHANGES, PLAN, folder, tfview};

/// Checks that each input is rejected with exactly this message.
fn assert_rejected(cases: &[(&[u8], &str)]) {
    for (bytes, message) in cases {
        let output = tfview("show -").stdin(bytes).output();
        assert_eq!(output.stderr, format!("error: {message}\n"));
        assert_eq!((output.code, &*output.stdout), (Some(1), ""));
    }
}

#[test]
fn syntax_errors_have_their_position() {
    let cut = &PLAN.as_bytes()[..PLAN.find("é").unwrap() - 1];
    let word = PLAN.replace("\"é\"", "nope");
    let lines = PLAN.replace(',', ",\n").replace("\"é\"", "nope");
    let kind = PLAN.replace("\"resource_changes\":[", "\"resource_changes\":[[],");
    let deep = format!("{{\"planned_values\":{}", "[".repeat(100_000));
    let deep_message = format!(
        "cannot read standard input: values are nested more than 1000 deep at line 1, column 1019 \
         (planned_values{}…{})",
        "[0]".repeat(22),
        "[0]".repeat(27).split_off(1)
    );
    assert_rejected(&[
        (
            b"",
            "cannot read standard input: empty\n  tip: did the command that wrote it fail?",
        ),
        (
            b" \n",
            "cannot read standard input: empty\n  tip: did the command that wrote it fail?",
        ),
        (
            cut,
            "cannot read standard input: truncated at line 1, column 287 (resource_changes[0].change.after): the document \
             ends in the middle of a value\n  tip: is the file complete?",
        ),
        (
            word.as_bytes(),
            "cannot read standard input: not JSON at line 1, column 287 (resource_changes[0].change.after): \
             expected a value",
        ),
        (
            lines.as_bytes(),
            "cannot read standard input: not JSON at line 11, column 18 (resource_changes[0].change.after): \
             expected a value",
        ),
        (
            kind.as_bytes(),
            "cannot read standard input: expected an object, found an array \
             at line 1, column 94 (resource_changes[0])",
        ),
        (deep.as_bytes(), &deep_message),
        (
            b"{\"format_version\":\"1.2\",\"resource_changes\":[]} {}",
            "cannot read standard input: the text at line 1, column 48 is neither a document nor clearly log output\n  tip: \
             is a document malformed or truncated?",
        ),
        (
            b"Error: no plan\n",
            "cannot read standard input: not JSON, it begins with `Error: no plan`\n  tip: use the output of \
             `terraform show -json` or `tofu show -json`",
        ),
        (
            b"{\"a\":\"\xff\"}",
            "cannot read standard input: not valid UTF-8: byte 0xff at offset 6 begins no character\n  tip: was the file \
             converted or truncated?",
        ),
        (
            b"\x1f\x8b\x08\x00",
            "cannot read standard input: malformed gzip data: unexpected end of file\n  tip: is the file complete?",
        ),
    ]);
}

#[test]
fn other_kinds_of_documents_are_named_with_a_tip() {
    assert_rejected(&[
        (
            b"{\"@level\":\"info\",\"@message\":\"x\",\"type\":\"version\"}\n{\"@level\":\"info\"}\n",
            "cannot read standard input: the messages of a run\n  tip: `tfview stream -` shows them",
        ),
        (
            b"{\"format_version\":\"1.0\",\"valid\":true,\"diagnostics\":[]}",
            "cannot read standard input: the output of `validate -json`\n  tip: `tfview stream -` shows it",
        ),
        (
            b"{\"format_version\":\"1.0\",\"provider_schemas\":{}}",
            "cannot read standard input: the output of `providers schema -json`\n  tip: give it to a plan: \
             `--schemas -`",
        ),
        (
            b"{\"version\":3,\"serial\":1,\"lineage\":\"x\",\"modules\":[]}",
            "cannot read standard input: a state of version 3; only version 4 is supported\n  tip: use the output of \
             `terraform show -json` (or `tofu show -json`) of a release that reads it",
        ),
        (
            b"{\"remote_plan_format\":1,\"run_id\":\"run-x\",\"hostname\":\"app.example.com\"}",
            "cannot read standard input: a bookmark of the run run-x on app.example.com, which keeps the plan itself\n  \
             tip: use the output of `terraform show -json`, with the right to read that run",
        ),
        (
            b"{\"meta\":{},\"encrypted_data\":\"x\",\"encryption_version\":\"v0\"}",
            "cannot read standard input: encrypted\n  tip: use the output of `tofu show -json`, in a folder with the key",
        ),
        (
            b"{\"a\":{\"sensitive\":false,\"type\":\"string\",\"value\":\"x\"}}",
            "cannot read standard input: the output of `output -json`\n  tip: show the output of \
             `terraform show -json` for them",
        ),
        (b"{}", "cannot read standard input: an empty object\n  tip: did the command that wrote it fail?"),
        (
            b"{\"name\":\"x\"}",
            "cannot read standard input: JSON, but neither a plan nor a state\n  tip: show the output of \
             `terraform show -json` (or `tofu show -json`)",
        ),
        (
            b"[1]",
            "cannot read standard input: JSON, but neither a plan nor a state\n  tip: show the output of \
             `terraform show -json` (or `tofu show -json`)",
        ),
    ]);
}

#[test]
fn newer_major_format_is_rejected_before_other_errors() {
    let message = "cannot read standard input: format version 2.0 is not supported, only 0.1 to 1.x\n  tip: update \
                   tfview";
    let version = NO_CHANGES.replace("1.2", "2.0");
    let shape = version.replace("[]", "{\"x\":1}");
    let state = "{\"format_version\":\"2.0\",\"values\":{}}";
    assert_rejected(&[
        (version.as_bytes(), message),
        (shape.as_bytes(), message),
        (state.as_bytes(), message),
    ]);
}

#[test]
fn missing_files_and_directories_are_named() {
    let folder = folder(
        "cli-no-files",
        &[("plan.json", PLAN.as_bytes()), ("text", b"no schema")],
    );
    for (args, message) in [
        (
            "show nope.json",
            "cannot read nope.json: No such file or directory\n  tip: for a plan: `terraform plan -out=tfplan && tfview \
             review tfplan`",
        ),
        (
            "show --schemas . plan.json",
            "cannot load schemas: cannot read .: a directory, not a file",
        ),
        (
            "show --schemas nope.json plan.json",
            "cannot load schemas: cannot read nope.json: No such file or directory",
        ),
        (
            "show --schemas text plan.json",
            "cannot load schemas: cannot read text: not JSON, it begins with `no schema`\n  tip: use the output of \
             `terraform providers schema -json` or `tofu providers schema -json`",
        ),
    ] {
        let output = tfview(args).folder(&folder).variable("PATH", "").output();
        assert_eq!(output.stderr, format!("error: {message}\n"));
        assert_eq!((output.code, &*output.stdout), (Some(1), ""));
    }
    let output = tfview("show --schemas plan.json plan.json")
        .folder(&folder)
        .output();
    insta::assert_snapshot!(output.stderr, @"error: cannot load schemas: cannot read plan.json: a plan without provider schemas, not a schema: expected the output of `providers schema -json`, or a Provider Code Specification");
    assert_eq!((output.code, &*output.stdout), (Some(1), ""));
}

#[test]
fn file_names_are_escaped_in_errors() {
    let output = tfview("show a\u{1b}[2J.json").output();
    insta::assert_snapshot!(output.stderr, @r"
    error: cannot read a␛[2J.json: No such file or directory
      tip: for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    ");
}
