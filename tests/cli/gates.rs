//! Exit codes and gates are decided before the first byte is written, and do not change if the output is
//! lost.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bumpalo::Bump;
use serde_json::json;
use tfview::internals::dialect::Dialect;
use tfview::internals::json as reader;
use tfview::internals::model::plan::Plan;
use tfview::internals::schema::Schemas;
use tfview::internals::show::{self, Options, PlanMode};
use tfview::internals::term::Out;

use super::harness::{NO_CHANGES, PLAN, folder, tfview};
use crate::corpus::documents;
use crate::random::{some_fixtures, some_ways};

/// A plan whose text is larger than any pipe buffer.
fn long_plan() -> String {
    let long = "many lines\\n".repeat(10_000);
    PLAN.replace(r#""input":"é""#, &format!(r#""input":"{long}""#))
}

/// Ways in which standard output can be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lost {
    /// The reader closes the pipe before anything is written.
    ClosedPipe,
    /// The disk is full.
    FullDisk,
    /// The stream is closed.
    ClosedStream,
    /// The pager exits immediately.
    Pager,
}

/// Runs `args` on `plan` with standard output lost; returns the exit code and standard error.
fn run_losing(lost: Lost, args: &str, plan: &str, folder: &Path) -> (Option<i32>, String) {
    let mut command = Command::new("/bin/sh");
    let redirect = if lost == Lost::ClosedStream {
        ">&-"
    } else {
        ""
    };
    let pager = if lost == Lost::Pager {
        "--pager always"
    } else {
        ""
    };
    command
        .args([
            "-c",
            &format!("exec \"$0\" {args} {pager} {redirect}"),
            env!("CARGO_BIN_EXE_tfview"),
        ])
        .env_clear()
        .env("PAGER", "/bin/true")
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if lost == Lost::FullDisk {
        command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
    }
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(plan.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[cfg(unix)]
#[test]
fn exit_codes_survive_a_lost_output() {
    let plan = long_plan();
    let folder = folder("lost-output", &[]);
    let ways = [
        Lost::ClosedPipe,
        Lost::FullDisk,
        Lost::ClosedStream,
        Lost::Pager,
    ];
    for (turn, lost) in ways.into_iter().enumerate() {
        let fine = if lost == Lost::FullDisk { 1 } else { 0 };
        let commands = vec![
            ("show", fine),
            ("show --detailed-exitcode", 2),
            ("review", fine),
            ("review --detailed-exitcode", 2),
            ("review --fail-on create", 3),
            ("review --fail-on create --detailed-exitcode", 3),
            ("review --fail-on create --format json", 3),
            ("review --fail-on create --format markdown", 3),
            ("review --fail-on destroy", fine),
        ];
        for (args, expected) in some_ways(commands, 2 * turn, 4) {
            let (code, stderr) = run_losing(lost, args, &plan, &folder);
            assert_eq!(code, Some(expected), "{args}, {lost:?}: {stderr}");
            assert_eq!(
                stderr.contains("No space left"),
                lost == Lost::FullDisk,
                "{args}, {lost:?}: {stderr}"
            );
            assert_eq!(
                stderr.contains("--fail-on create: 1"),
                expected == 3,
                "{args}, {lost:?}: {stderr}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn side_files_are_written_when_the_output_is_lost() {
    let mut outputs = String::new();
    for lost in [
        Lost::ClosedPipe,
        Lost::FullDisk,
        Lost::ClosedStream,
        Lost::Pager,
    ] {
        let folder = folder("lost-side-files", &[]);
        let args = "review --fail-on create --out markdown=a.md --out json=a.json";
        let (code, stderr) = run_losing(lost, args, &long_plan(), &folder);
        assert_eq!(code, Some(3), "{lost:?}: {stderr}");
        outputs += &format!("{lost:?}:\n{stderr}");
        for file in ["a.md", "a.json", "summary.md"] {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            assert!(text.contains("terraform_data"), "{lost:?}: {file}: {text}");
        }
    }
    insta::assert_snapshot!(outputs, @r"
    ClosedPipe:
    ::error title=tfview review::--fail-on create: 1 to create: terraform_data.a
    error: --fail-on create: 1 to create: terraform_data.a
    FullDisk:
    ::error title=tfview review::--fail-on create: 1 to create: terraform_data.a
    error: --fail-on create: 1 to create: terraform_data.a
    error: No space left on device
    ClosedStream:
    ::error title=tfview review::--fail-on create: 1 to create: terraform_data.a
    error: --fail-on create: 1 to create: terraform_data.a
    Pager:
    ::error title=tfview review::--fail-on create: 1 to create: terraform_data.a
    error: --fail-on create: 1 to create: terraform_data.a
    ");
}

#[test]
fn failing_side_file_does_not_prevent_the_others() {
    let folder = folder("lost-side-file", &[]);
    let outs = "--out markdown=missing/a.md --out json=a.json";
    let mut outputs = String::new();
    for (args, code) in [
        ("review", 1),
        ("review --fail-on create", 3),
        ("review --fail-on destroy", 1),
    ] {
        let output = tfview(&format!("{args} {outs}"))
            .folder(&folder)
            .stdin(PLAN)
            .output();
        assert_eq!(output.code, Some(code), "{output}");
        outputs += &format!("{args}: {output}\n");
        assert!(fs::remove_file(folder.join("a.json")).is_ok(), "{output}");
    }
    insta::assert_snapshot!(outputs);
}

/// `--detailed-exitcode` is decided separately from the text; both must agree.
#[test]
fn exit_code_agrees_with_the_text() {
    let (mut with, mut without) = (0, 0);
    for document in documents(usize::MAX) {
        if document.is_stream || !document.text.contains("\"planned_values\"") {
            continue;
        }
        let arena = Bump::new();
        let plan: Plan<'_> = reader::from_str(&document.text).unwrap();
        for plan_mode in [None, Some(PlanMode::Destroy), Some(PlanMode::RefreshOnly)] {
            let dialect = Dialect::OPENTOFU;
            let options = Options {
                dialect,
                plan_mode,
                show_sensitive: false,
                width: 78,
                automation: false,
            };
            let decided = show::has_changes(&plan, &options).unwrap();
            let mut bytes = Vec::new();
            let mut out = Out::new(&mut bytes, false);
            show::plan(&plan, &Schemas::new(), &options, &mut out, &arena).unwrap();
            out.flush().unwrap();
            drop(out);
            let text = String::from_utf8_lossy(&bytes);
            let says = [
                "\nPlan: ",
                "\nChanges to Outputs:\n",
                "\nThis is a refresh-only plan,",
            ];
            let shown = says.iter().any(|words| text.contains(words));
            assert_eq!(
                decided,
                shown,
                "{}",
                &document.text[..document.text.len().min(300)]
            );
            if decided { with += 1 } else { without += 1 }
        }
    }
    assert!(
        with > 100 && without > 20,
        "{with} with changes, {without} without"
    );
}

/// A gate must consider every plan of the input, regardless of its position and of the text around it.
#[test]
fn no_plan_of_the_input_is_skipped() {
    let log = r#"{"level":"info","msg":"starting"}"#;
    for (name, input) in [
        ("two plans", format!("{NO_CHANGES}\n{PLAN}\n")),
        (
            "text and two plans",
            format!("[command]terraform show\n{NO_CHANGES}\n{PLAN}\n"),
        ),
        (
            "text, two plans, text",
            format!("x\n{NO_CHANGES}\n\n{PLAN}\ny\n"),
        ),
        (
            "text between",
            format!("{NO_CHANGES}\n::debug::next\n{PLAN}\n"),
        ),
        (
            "JSON log lines",
            format!("{log}\n{NO_CHANGES}\n{log}\n{PLAN}\n{log}\n"),
        ),
        ("no line ends", format!("x {NO_CHANGES}{PLAN}{NO_CHANGES}")),
        (
            "in an array after text",
            format!("plans:\n[{NO_CHANGES},\n{PLAN}\n"),
        ),
        (
            "CR LF and blanks",
            format!("{NO_CHANGES}\r\n   \r\n{PLAN}\r\n"),
        ),
    ] {
        let output = tfview("review --fail-on create").stdin(&input).output();
        // Logs do not separate documents like this, so it is an error. It must not let the gate pass.
        let code = if name == "in an array after text" {
            1
        } else {
            3
        };
        assert_eq!(output.code, Some(code), "{name}: {output}");
    }
}

/// Unreadable text beside a plan may be a plan that violates the gate.
#[test]
fn possibly_broken_plan_is_an_error() {
    let cut = &PLAN[..PLAN.len() - 9];
    let in_string = serde_json::Value::from(PLAN).to_string();
    let wrapped = format!(r#"{{"level":"info","plan":{PLAN}}}"#);
    for (name, input) in [
        ("cut", format!("{NO_CHANGES}\n{cut}")),
        ("cut before another one", format!("{cut}\n{NO_CHANGES}\n")),
        ("text, cut, plan", format!("x\n{cut}\n{NO_CHANGES}\n")),
        ("text, plan, cut", format!("x\n{NO_CHANGES}\n{cut}\n")),
        (
            "without its beginning",
            format!("{NO_CHANGES}\n{}\n", &PLAN[1..]),
        ),
        (
            "text, without its beginning",
            format!("x\n{}\n{NO_CHANGES}\n", &PLAN[1..]),
        ),
        (
            "a word in it",
            format!("{NO_CHANGES}\n{}\n", PLAN.replace("null", "nope")),
        ),
        ("in a string", format!("{NO_CHANGES}\n{in_string}\n")),
        (
            "text, in a string",
            format!("x {in_string}\n{NO_CHANGES}\n"),
        ),
        (
            "in an object of a log",
            format!("{wrapped}\n{NO_CHANGES}\n"),
        ),
        ("in an array", format!("{NO_CHANGES}\n[{PLAN}]\n")),
        (
            "after a quote",
            format!("msg={{\"text: {PLAN}\n{NO_CHANGES}\n"),
        ),
        ("broken JSON", format!("{NO_CHANGES}\n{{\"a\": nope\n")),
        ("a bracket too many", format!("{NO_CHANGES}}}\n")),
        (
            "a state",
            format!("{NO_CHANGES}\n{{\"format_version\":\"1.0\",\"values\":{{}}}}\n"),
        ),
        (
            "messages",
            format!("{NO_CHANGES}\n{{\"@level\":\"info\",\"@message\":\"x\"}}\n"),
        ),
    ] {
        for args in [
            "review",
            "review --fail-on create",
            "review --fail-on create --format json",
        ] {
            let output = tfview(args).stdin(&input).output();
            assert_eq!(
                (output.code, &*output.stdout),
                (Some(1), ""),
                "{name}, {args}: {output}"
            );
        }
    }
}

#[test]
fn show_refuses_several_documents() {
    let mut refused = String::new();
    for input in [
        format!("{NO_CHANGES}\n{PLAN}\n"),
        format!("x\n{NO_CHANGES}\n{PLAN}\n"),
    ] {
        let output = tfview("show").stdin(input).output();
        assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{output}");
        refused += &output.stderr;
    }
    insta::assert_snapshot!(refused, @r"
    error: cannot read standard input: it holds 2 documents
      tip: `tfview show` shows one, `tfview review` takes several plans
    note: ignored 1 byte of other text around the documents in standard input
    error: cannot read standard input: it holds 2 documents
      tip: `tfview show` shows one, `tfview review` takes several plans
    ");
    let plain = tfview("show").stdin(PLAN).output();
    let output = tfview("show")
        .stdin(format!("{PLAN}\n::debug::exit 0\n"))
        .output();
    assert_eq!(
        (output.code, &output.stdout),
        (Some(0), &plain.stdout),
        "{output}"
    );
    insta::assert_snapshot!(output.stderr, @"note: ignored 15 bytes of other text around the document in standard input");
}

/// A plan with one change of this mode and these actions.
fn plan_of(mode: &str, actions: &[&str]) -> String {
    let value = json!({ "input": "x" });
    let change = json!({
        "address": format!("{}terraform_data.a", if mode == "data" { "data." } else { "" }),
        "mode": mode, "type": "terraform_data", "name": "a",
        "provider_name": "terraform.io/builtin/terraform",
        "change": { "actions": actions, "before": value, "after": null, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": false },
    });
    json!({ "format_version": "1.2", "planned_values": {}, "resource_changes": [change] })
        .to_string()
}

#[test]
fn unknown_modes_and_actions_violate_the_gates() {
    const DESTROY: &[&str] = &["delete", "destroy", "any"];
    const UPDATE: &[&str] = &["update", "any"];
    // An unknown list may be anything.
    const EACH: &[&str] = &["delete", "destroy", "update", "any"];
    for (mode, actions, violated) in [
        ("weird", &["delete"][..], DESTROY),
        ("Managed", &["delete"], DESTROY),
        ("list", &["delete"], DESTROY),
        ("weird", &["update"], UPDATE),
        ("managed", &["delete", "frobnicate"], EACH),
        ("managed", &["frobnicate", "Delete"], EACH),
        ("managed", &["frobnicate-delete"], EACH),
        ("managed", &["frobnicate", "destroy"], EACH),
        ("data", &["delete", "frobnicate"], EACH),
        ("ephemeral", &["delete", "frobnicate"], EACH),
        ("managed", &["frobnicate"], EACH),
        ("data", &["frobnicate"], EACH),
        ("ephemeral", &["frobnicate"], EACH),
        ("weird", &["frobnicate"], EACH),
        // These are known, and no tool lists them.
        ("data", &["delete"], &[]),
        ("ephemeral", &["open"], &[]),
    ] {
        let plan = plan_of(mode, actions);
        for gate in ["delete", "destroy", "update", "any"] {
            let output = tfview(&format!("review --fail-on {gate}"))
                .stdin(&plan)
                .output();
            let code = if violated.contains(&gate) { 3 } else { 0 };
            assert_eq!(
                output.code,
                Some(code),
                "{mode} {actions:?} {gate}: {output}"
            );
        }
        for args in ["show --detailed-exitcode", "review --detailed-exitcode"] {
            let output = tfview(args).stdin(&plan).output();
            let listed = !violated.is_empty();
            assert_eq!(
                output.code,
                Some(if listed { 2 } else { 0 }),
                "{mode} {actions:?} {args}: {output}"
            );
            assert_eq!(
                output.stdout.contains("terraform_data.a"),
                listed,
                "{mode} {actions:?}: {output}"
            );
            if listed && actions.contains(&"frobnicate") {
                assert!(
                    output.stdout.contains(&actions.join(",")),
                    "{mode} {actions:?}: {output}"
                );
            }
        }
    }
}

/// `["destroy"]`, `["Delete"]` and `["create","destroy"]` counted as a destroy, but had no finding of lost data.
#[test]
fn actions_that_may_destroy_are_lost_data() {
    let mut lists: Vec<Vec<&str>> = vec![
        Vec::new(),
        vec!["create", "update"],
        vec!["forget", "update"],
    ];
    for one in [
        "Create", "Delete", "Forget", "destroy", "DESTROY ", "purge", "",
    ] {
        lists.extend([
            vec![one],
            vec!["create", one],
            vec![one, "create"],
            vec![one, one],
        ]);
    }
    let folder = folder("may-destroy", &[]);
    for list in some_fixtures(lists, 0) {
        let change = json!({ "address": "aws_db_instance.m", "mode": "managed", "type": "aws_db_instance",
            "name": "m", "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": { "actions": list, "before": {"id": "d", "engine": "postgres"}, "after": null } });
        let plan = json!({ "format_version": "1.2", "resource_changes": [change] }).to_string();
        fs::write(folder.join("plan.json"), plan).unwrap();
        let is = |word: &str, known: &str| word.trim().eq_ignore_ascii_case(known);
        let keeps = |word: &&str| {
            ["create", "update", "forget"]
                .iter()
                .any(|known| is(word, known))
        };
        let destroys = list.is_empty() || !list.iter().all(keeps);
        let run = |args: &str| {
            tfview(&format!("{args} plan.json"))
                .folder(&folder)
                .output()
        };
        for (gate, holds) in [
            // An object that is removed from the state keeps its data.
            ("finding:data-loss", destroys),
            ("destroy", true),
            ("update", true),
            ("any", true),
        ] {
            let output = run(&format!("review --fail-on {gate}"));
            assert_eq!(
                output.code,
                Some(if holds { 3 } else { 0 }),
                "{list:?} {gate}: {output}"
            );
        }
        for command in ["show", "review"] {
            let output = run(command);
            assert_eq!(
                output.stdout.contains("1 to destroy"),
                destroys,
                "{list:?} {command}: {output}"
            );
        }
    }
}

/// A plan whose planning failed passed `--fail-on any` and `--detailed-exitcode`, if it had no changes.
#[test]
fn a_plan_that_is_not_complete_shuts_the_gates() {
    for (members, any) in [
        (r#""errored":true"#, true),
        (r#""errored":true,"complete":false,"applyable":false"#, true),
        (r#""complete":false,"applyable":false"#, true),
        (r#""complete":true,"applyable":true"#, true),
        (r#""complete":true,"applyable":false"#, false),
        (r#""errored":false"#, false),
    ] {
        let plan = format!(r#"{{"format_version":"1.2",{members},"resource_changes":[]}}"#);
        for (args, code) in [
            ("show", 0),
            ("review", 0),
            ("review --fail-on any", if any { 3 } else { 0 }),
            ("show --detailed-exitcode", if any { 2 } else { 0 }),
            ("review --detailed-exitcode", if any { 2 } else { 0 }),
            ("review --fail-on destroy", 0),
        ] {
            let output = tfview(args).stdin(&plan).output();
            assert_eq!(output.code, Some(code), "{members} {args}: {output}");
        }
    }
}

/// Changes whose `actions` were missing or null counted as no-ops.
#[test]
fn a_change_without_actions_shuts_the_gates() {
    let plan = plan_of("managed", &["update"]);
    let approved = plan_of("managed", &["no-op"]);
    let noop =
        folder("no-actions", &[("approved.json", approved.as_bytes())]).join("approved.json");
    for instead in ["", r#""actions":null,"#] {
        let changed = plan.replace(r#""actions":["update"],"#, instead);
        assert_ne!(changed, plan);
        let approved = noop.display();
        for (args, code) in [
            ("review --fail-on any".to_owned(), 3),
            ("review --fail-on update".to_owned(), 3),
            ("review --detailed-exitcode".to_owned(), 2),
            ("show --detailed-exitcode".to_owned(), 2),
            (format!("diff --fail-on wider {approved} -"), 3),
        ] {
            let ended = tfview(&args).stdin(&changed).output();
            assert_eq!(ended.code, Some(code), "{instead:?} {args}: {ended}");
        }
    }
    let output = r#"{"format_version":"1.2","planned_values":{},"output_changes":{"o":{"before":1,"after":2}}}"#;
    let ended = tfview("review --fail-on output").stdin(output).output();
    assert_eq!(ended.code, Some(3), "{ended}");
}

#[test]
fn show_prints_and_counts_unknown_modes_and_actions() {
    let mut outputs = String::new();
    for (mode, actions) in [
        ("weird", &["delete"][..]),
        ("managed", &["delete", "x"]),
        ("managed", &["x"]),
        ("managed", &["Update"]),
        ("a\u{1b}[2J", &["update"]),
    ] {
        let output = tfview("show").stdin(plan_of(mode, actions)).output();
        let (_, changes) = output.stdout.split_once("following actions:\n").unwrap();
        outputs += &format!("{mode:?} {actions:?}:{changes}");
    }
    insta::assert_snapshot!(outputs);
}

#[test]
fn change_without_address_or_type_is_named_by_its_other_parts() {
    let without = |member: &str| {
        let mut plan: serde_json::Value =
            serde_json::from_str(&plan_of("managed", &["delete"])).unwrap();
        let change = plan["resource_changes"][0].as_object_mut().unwrap();
        change.remove(member);
        change.insert("index".into(), json!("k"));
        if member == "type" {
            change.insert(
                "address".into(),
                json!("module.m[\"a.b\"].terraform_data.a[\"k\"]"),
            );
        }
        plan["resource_drift"] = plan["resource_changes"].clone();
        plan.to_string()
    };
    for (member, address) in [
        ("address", "terraform_data.a[\"k\"]"),
        ("type", "module.m[\"a.b\"].terraform_data.a[\"k\"]"),
    ] {
        for (args, count) in [("show --plan-mode refresh-only", 2), ("review", 1)] {
            let output = tfview(args).stdin(without(member)).output();
            assert!(
                output.stdout.matches(address).count() >= count,
                "{member}, {args}: {output}"
            );
            assert!(
                !output.stdout.contains("resource \"\""),
                "{member}, {args}: {output}"
            );
        }
    }
}

/// Development builds of 2022 wrote booleans where the format has a key and an object.
#[test]
fn deposed_and_importing_as_booleans_are_shown() {
    let plan = plan_of("managed", &["delete"]).replace("\"mode\"", "\"deposed\":true,\"mode\"");
    let plan = plan.replace("\"actions\"", "\"importing\":true,\"actions\"");
    let mut outputs = String::new();
    for args in ["show", "review"] {
        let output = tfview(args).stdin(&plan).output();
        assert_eq!(output.code, Some(0), "{output}");
        let line = output
            .stdout
            .lines()
            .find(|line| line.contains("unknown key"));
        outputs += &format!("{args}: {}\n", line.unwrap());
    }
    let output = tfview("review --format json").stdin(&plan).output();
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(
        document["plans"][0]["resources"][0]["deposed"],
        "of unknown key"
    );
    insta::assert_snapshot!(outputs, @r"
    show:   # terraform_data.a (deposed object of unknown key) will be destroyed
    review:    - terraform_data.a (deposed object of unknown key)  (left over from an earlier replacement; imported by its identity)
    ");
}

/// A check of an unexpected shape made all checks unreadable, and the gate opened.
#[test]
fn checks_that_cannot_be_read_or_explained_count_as_failed() {
    let check = |status: &str, instances: serde_json::Value| json!({ "address": { "to_display": "check.a" }, "status": status, "instances": instances });
    let instance =
        |status: &str| json!({ "address": { "to_display": "check.a" }, "status": status });
    let mut outputs = String::new();
    for (checks, code) in [
        (json!([check("pass", json!([instance("pass")]))]), 0),
        (json!([check("unknown", json!([instance("unknown")]))]), 0),
        (json!("fail"), 3),
        (json!([check("pass", json!([])), 1]), 3),
        (
            json!([check("pass", json!(5)), check("fail", json!([]))]),
            3,
        ),
        (json!([check("fail", json!([instance("pass")]))]), 3),
        (json!([check("fail", json!([instance("unknown")]))]), 3),
    ] {
        let plan = json!({ "format_version": "1.2", "resource_changes": [], "checks": checks })
            .to_string();
        let ended = tfview("review --fail-on warning").stdin(&plan).output();
        assert_eq!(ended.code, Some(code), "{plan} {ended}");
        outputs += &format!("{checks}\n{}{}\n", ended.stdout, ended.stderr);
    }
    insta::assert_snapshot!(outputs);
}

/// A name with a line break began a line of standard error, where a CI system looks for commands.
#[test]
fn names_in_the_message_of_a_gate_are_no_commands() {
    let address = "x_a.a\n::add-mask::x\n##vso[task.setvariable variable=a]b";
    let plan =
        plan_of("managed", &["update"]).replace("terraform_data.a", &address.replace('\n', "\\n"));
    let mut outputs = String::new();
    for args in [
        "review --fail-on any",
        "review --fail-on any --ci azure",
        "review --fail-on any --ci none",
    ] {
        let ended = tfview(args).stdin(&plan).output();
        assert_eq!(ended.code, Some(3), "{ended}");
        outputs += &format!("{args}:\n{}", ended.stderr);
        let is_command =
            |line: &&str| line.starts_with("::add-mask") || line.contains("##vso[task.set");
        assert_eq!(ended.stderr.lines().find(is_command), None, "{ended}");
    }
    insta::assert_snapshot!(outputs, @r"
    review --fail-on any:
    error: --fail-on any: 1 change: x_a.a␊::add-mask::x␊##vso [task.setvariable variable=a]b
    review --fail-on any --ci azure:
    ##vso[task.logissue type=error]tfview review: --fail-on any: 1 change: x_a.a␊::add-mask::x␊##vso [task.setvariable variable=a]b
    error: --fail-on any: 1 change: x_a.a␊::add-mask::x␊##vso [task.setvariable variable=a]b
    review --fail-on any --ci none:
    error: --fail-on any: 1 change: x_a.a␊::add-mask::x␊##vso [task.setvariable variable=a]b
    ");
}
