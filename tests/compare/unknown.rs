//! What is known only after apply is compared by what the configuration makes it of.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The exit code and the text of `tfview diff`, and whether both plans have the same fingerprint.
fn compared(name: &str, approved: &Value, now: &Value) -> (i32, String, bool) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unknown-{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.json"), approved.to_string()).unwrap();
    fs::write(folder.join("b.json"), now.to_string()).unwrap();
    let tfview = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_tfview"))
            .arg("diff")
            .args(args)
            .env_clear()
            .env("XDG_DATA_HOME", &folder)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let output = tfview(&["--fail-on=wider", "a.json", "b.json"]);
    let fingerprints = ["a.json", "b.json"].map(|file| tfview(&["--fingerprint", file]).stdout);
    (
        output.status.code().unwrap(),
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap(),
        fingerprints[0] == fingerprints[1],
    )
}

/// An output and an invocation, both of which use `arn` of the resource with this address.
fn plan(output_of: &str, action_of: &str) -> Value {
    let provider = "registry.terraform.io/hashicorp/aws";
    let references = |of: &str| json!({"references": [format!("{of}.arn"), of]});
    json!({
        "format_version": "1.2", "terraform_version": "1.14.0",
        "resource_changes": [{
            "address": "aws_iam_role.reader", "mode": "managed", "type": "aws_iam_role", "name": "reader",
            "provider_name": provider,
            "change": {"actions": ["create"], "before": null, "after": {"name": "reader"},
                "after_unknown": {"arn": true}}}],
        "output_changes": {"role": {"actions": ["create"], "before": null, "after_unknown": true,
            "before_sensitive": false, "after_sensitive": false}},
        "action_invocations": [{
            "address": "action.aws_lambda_invoke.hook", "type": "aws_lambda_invoke", "name": "hook",
            "provider_name": provider, "config_values": {"function_name": "hook"},
            "config_unknown": {"payload": true},
            "lifecycle_action_trigger": {"triggering_resource_address": "aws_iam_role.reader",
                "action_trigger_event": "AfterCreate", "action_trigger_block_index": 0, "actions_list_index": 0}}],
        "configuration": {"root_module": {
            "outputs": {"role": {"expression": references(output_of)}},
            "resources": [{"address": "aws_iam_role.reader", "mode": "managed", "type": "aws_iam_role",
                "name": "reader", "provider_config_key": "aws",
                "expressions": {"name": {"constant_value": "reader"}}}],
            "actions": [{"address": "action.aws_lambda_invoke.hook", "type": "aws_lambda_invoke", "name": "hook",
                "provider_config_key": "aws",
                "expressions": {"function_name": {"constant_value": "hook"},
                    "payload": references(action_of)}}]}}})
}

/// An output, and an argument of an action, that were made of another reference counted as the same.
#[test]
fn an_unknown_output_or_argument_of_an_action_may_be_made_of_something_else() {
    let (reader, admin) = ("aws_iam_role.reader", "aws_iam_role.admin");
    let approved = plan(reader, reader);
    let (exit, text, is_same) = compared("same", &approved, &plan(reader, reader));
    assert!(exit == 0 && is_same, "{exit}: {text}");
    for (name, now, line) in [
        (
            "output",
            plan(admin, reader),
            "output.role expression differs",
        ),
        (
            "action",
            plan(reader, admin),
            "action.aws_lambda_invoke.hook arguments differ",
        ),
    ] {
        let (exit, text, is_same) = compared(name, &approved, &now);
        assert!(exit == 3 && !is_same, "{name} {exit}: {text}");
        let is_line = |shown: &str| shown.trim_start_matches([' ', '~', '!']) == line;
        assert!(text.lines().any(is_line), "{name}: {text}");
    }
}
