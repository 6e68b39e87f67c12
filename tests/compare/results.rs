//! Comparing a plan with the run that applied it, and with the state after it: every deviation is found.

use std::fs;

use serde_json::{Value, json};
use tfview::internals::compare::{Class, Options, Verdict};

use super::{compare_result, read, root};
use crate::random::{Random, cases, some_fixtures};

/// A golden case: a plan, the messages of its apply, and the state after it.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) plan: String,
    pub(super) schema: Option<String>,
    pub(super) run: Option<String>,
    pub(super) state: Option<String>,
    /// Whether the apply succeeded.
    succeeded: bool,
}

pub(super) fn goldens() -> Vec<Case> {
    let folders = fs::read_dir(root().join("fixtures/goldens")).unwrap();
    let mut folders: Vec<_> = folders.map(|folder| folder.unwrap().path()).collect();
    folders.sort();
    let case = |folder: std::path::PathBuf| {
        let file = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let meta: Value = serde_json::from_str(&file("meta.json")?).unwrap();
        Some(Case {
            name: folder.file_name()?.to_string_lossy().into_owned(),
            plan: file("plan.json")?,
            schema: file("schema.json"),
            run: file("apply.jsonl"),
            state: file("state.json"),
            succeeded: meta["apply_exit"] == json!(0),
        })
    };
    let cases: Vec<Case> = folders.into_iter().filter_map(case).collect();
    assert!(cases.len() > 150, "fixtures are part of the project");
    cases
}

fn golden(name: &str) -> Case {
    goldens()
        .into_iter()
        .find(|case| case.name == name)
        .unwrap()
}

#[test]
fn results_of_the_tools_match_their_plans() {
    let (mut runs, mut states) = (0, 0);
    for case in some_fixtures(goldens(), 0) {
        for schema in [None, case.schema.as_deref()] {
            for result in [&case.run, &case.state].into_iter().flatten() {
                let outcome =
                    compare_result(&case.plan, result, schema, &Options::default()).unwrap();
                let is_run = case.run.as_ref() == Some(result);
                let expected = match (case.succeeded, is_run) {
                    (true, _) => Some(Verdict::Same),
                    (false, true) => Some(Verdict::Within),
                    // A state does not show that a run failed after it had done everything.
                    (false, false) => None,
                };
                assert_ne!(
                    outcome.verdict,
                    Verdict::Wider,
                    "{}\n{}",
                    case.name,
                    outcome.terminal
                );
                if let Some(expected) = expected {
                    assert_eq!(
                        outcome.verdict, expected,
                        "{}\n{}",
                        case.name, outcome.terminal
                    );
                }
                *(if is_run { &mut runs } else { &mut states }) += 1;
            }
        }
    }
    assert!(runs > 100 && states > 100, "{runs} {states}");
}

#[test]
fn truncated_messages_are_never_complete() {
    let mut random = Random::new(11);
    let mut cut = 0;
    for case in some_fixtures(goldens(), 2) {
        let Some(run) = case.run.filter(|_| case.succeeded) else {
            continue;
        };
        let Some(last) = run
            .find("\"operation\":\"apply\"")
            .or_else(|| run.find("\"operation\":\"destroy\""))
        else {
            continue;
        };
        let end = run[..last].rfind('\n').unwrap_or(0);
        for _ in 0..cases(2).min(4) {
            let mut length = random.below(last);
            while !run.is_char_boundary(length) {
                length -= 1;
            }
            for length in [length, end] {
                match compare_result(&case.plan, &run[..length], None, &Options::default()) {
                    Ok(outcome) => {
                        assert_eq!(
                            outcome.verdict,
                            Verdict::Wider,
                            "{} {length}\n{}",
                            case.name,
                            outcome.terminal
                        );
                        assert!(
                            outcome.classes.contains(&Class::Unproven),
                            "{} {length}",
                            case.name
                        );
                    }
                    Err(error) => assert!(error.contains("no message"), "{error}"),
                }
                cut += 1;
            }
        }
    }
    assert!(cut > 200, "{cut}");
}

#[test]
fn missing_message_is_found() {
    let mut messages_removed = 0;
    for case in goldens() {
        let Some(run) = case.run.filter(|_| case.succeeded) else {
            continue;
        };
        let Some(at) = run.lines().position(|line| {
            line.contains("\"type\":\"apply_complete\"") && !line.contains("\"action\":\"read\"")
        }) else {
            continue;
        };
        let lines = run
            .lines()
            .enumerate()
            .filter(|(place, _)| *place != at)
            .map(|(_, line)| line);
        let outcome = compare_result(
            &case.plan,
            &lines.collect::<Vec<_>>().join("\n"),
            None,
            &Options::default(),
        )
        .unwrap();
        assert_ne!(
            outcome.verdict,
            Verdict::Same,
            "{}\n{}",
            case.name,
            outcome.terminal
        );
        messages_removed += 1;
    }
    assert!(messages_removed > 60, "{messages_removed}");
}

#[test]
fn unplanned_operation_is_wider() {
    let case = golden("create-web-stack-opentofu");
    let run = case.run.unwrap();
    let more = |word: &str, address: &str| {
        let hook = json!({"resource": {"addr": address}, "action": word});
        let message =
            |kind: &str| json!({"@level": "info", "@message": "m", "type": kind, "hook": hook});
        let summary = run
            .lines()
            .position(|line| line.contains("\"operation\":\"apply\""))
            .unwrap();
        let mut lines: Vec<String> = run.lines().map(str::to_owned).collect();
        lines.insert(summary, message("apply_complete").to_string());
        lines.insert(summary, message("apply_start").to_string());
        lines.join("\n")
    };
    let mut outputs = String::new();
    for (word, address, class) in [
        ("delete", "aws_route53_zone.prod", Class::Destroy),
        ("create", "aws_route53_zone.prod", Class::Action),
        ("update", "aws_route53_zone.prod", Class::Action),
        // An unknown operation counts as the gravest.
        ("something", "aws_route53_zone.prod", Class::Destroy),
        // The plan creates this object.
        ("delete", "tfcoremock_bucket.logs", Class::Destroy),
        ("update", "tfcoremock_bucket.logs", Class::Action),
    ] {
        let outcome =
            compare_result(&case.plan, &more(word, address), None, &Options::default()).unwrap();
        assert_eq!(
            outcome.verdict,
            Verdict::Wider,
            "{word} {address}\n{}",
            outcome.terminal
        );
        assert_eq!(
            outcome.classes[0], class,
            "{word} {address}\n{}",
            outcome.terminal
        );
        let about: Vec<&str> = outcome
            .terminal
            .lines()
            .filter(|line| line.contains(address))
            .collect();
        outputs += &format!("{word}:\n{}\n", about.join("\n"));
    }
    insta::assert_snapshot!(outputs, @r"
    delete:
      - aws_route53_zone.prod is destroyed: not in the approved plan
    create:
      ! aws_route53_zone.prod is created: not in the approved plan
    update:
      ! aws_route53_zone.prod changes: not in the approved plan
    something:
      - aws_route53_zone.prod is destroyed: not in the approved plan
    delete:
      - tfcoremock_bucket.logs actions: approved: create; now: create replacement and then destroy
    update:
      ! tfcoremock_bucket.logs actions: approved: create; now: create, then update in-place
    ");
    let outcome = compare_result(
        &case.plan,
        &more("read", "data.aws_ami.a"),
        None,
        &Options::default(),
    )
    .unwrap();
    assert_eq!(
        outcome.verdict,
        Verdict::Same,
        "reading changes nothing\n{}",
        outcome.terminal
    );
}

#[test]
fn ids_and_outputs_of_a_run_are_compared() {
    let case = golden("update-tags-opentofu");
    let run = case.run.unwrap();
    let id = run
        .split("\"id_value\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let other = run.replace(
        &format!("\"id_value\":\"{id}\""),
        "\"id_value\":\"another\"",
    );
    let outcome = compare_result(&case.plan, &other, None, &Options::default()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Wider, "{}", outcome.terminal);
    let case = golden("outputs-only-terraform");
    let run: Vec<String> = case
        .run
        .unwrap()
        .lines()
        .map(|line| {
            let mut message: Value = serde_json::from_str(line).unwrap();
            for output in message["outputs"]
                .as_object_mut()
                .into_iter()
                .flat_map(|outputs| outputs.values_mut())
            {
                if output["type"] == json!("string") && output.get("value").is_some() {
                    output["value"] = json!("another");
                }
            }
            message.to_string()
        })
        .collect();
    let outcome = compare_result(&case.plan, &run.join("\n"), None, &Options::default()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Wider, "{}", outcome.terminal);
}

/// The managed resources of a state, as JSON pointers.
fn resources(module: &Value, here: &str, pointers: &mut Vec<String>) {
    for (index, resource) in module["resources"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        if resource["mode"] == "managed" {
            pointers.push(format!("{here}/resources/{index}"));
        }
    }
    for (index, child) in module["child_modules"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        resources(child, &format!("{here}/child_modules/{index}"), pointers);
    }
}

#[test]
fn changed_value_and_missing_or_added_object_are_found() {
    let mut random = Random::new(3);
    let (mut values, mut objects) = (0, 0);
    for case in some_fixtures(goldens(), 1) {
        let Some(state) = case.state.filter(|_| case.succeeded) else {
            continue;
        };
        let state: Value = serde_json::from_str(&state).unwrap();
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let mut places = Vec::new();
        resources(
            &state["values"]["root_module"],
            "/values/root_module",
            &mut places,
        );
        if places.is_empty() {
            continue;
        }
        let pointer = random.pick(&places).clone();
        let resource = state.pointer(&pointer).unwrap();
        let is_deposed = resource.get("deposed_key").is_some();
        let unknown = plan["resource_changes"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|change| change["address"] == resource["address"])
            .map_or(Value::Null, |change| {
                change["change"]["after_unknown"].clone()
            });
        let known = resource["values"]
            .as_object()
            .unwrap()
            .iter()
            .find(|(name, value)| value.is_string() && unknown[name.as_str()].is_null());
        let compare = |state: &Value| {
            compare_result(
                &case.plan,
                &state.to_string(),
                case.schema.as_deref(),
                &Options::default(),
            )
        };
        if let Some((name, _)) = known.filter(|_| !is_deposed) {
            let mut other = state.clone();
            other.pointer_mut(&pointer).unwrap()["values"][name] =
                json!("tok3n, and something else");
            let outcome = compare(&other).unwrap();
            assert_eq!(
                outcome.verdict,
                Verdict::Wider,
                "{} {pointer} {name}\n{}",
                case.name,
                outcome.terminal
            );
            let is_secret = resource["sensitive_values"][name] == json!(true);
            assert!(
                !is_secret || !outcome.all().iter().any(|text| text.contains("tok3n")),
                "{}",
                case.name
            );
            values += 1;
        }
        let (list, index) = pointer.rsplit_once('/').unwrap();
        let mut fewer = state.clone();
        fewer
            .pointer_mut(list)
            .unwrap()
            .as_array_mut()
            .unwrap()
            .remove(index.parse().unwrap());
        let outcome = compare(&fewer).unwrap();
        assert_ne!(
            outcome.verdict,
            Verdict::Same,
            "{} without {pointer}\n{}",
            case.name,
            outcome.terminal
        );
        let mut more = state.clone();
        let mut another = resource.clone();
        another["address"] = json!("tfcoremock_other.thing");
        more.pointer_mut(list)
            .unwrap()
            .as_array_mut()
            .unwrap()
            .push(another);
        let outcome = compare(&more).unwrap();
        assert_eq!(
            outcome.verdict,
            Verdict::Wider,
            "{} and another\n{}",
            case.name,
            outcome.terminal
        );
        objects += 1;
    }
    assert!(values > 40 && objects > 40, "{values} {objects}");
}

#[test]
fn nothing_is_done_if_the_state_did_not_change() {
    let mut compared = 0;
    for case in goldens() {
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let changes = plan["resource_changes"].as_array().into_iter().flatten();
        let mut changes = changes
            .filter(|change| change["change"]["actions"] != json!(["no-op"]))
            .peekable();
        let is_new = changes
            .clone()
            .all(|change| change["change"]["actions"] == json!(["create"]));
        if changes.peek().is_none() || !is_new || plan.get("prior_state").is_some() {
            continue;
        }
        let outcome = compare_result(
            &case.plan,
            r#"{"format_version":"1.0"}"#,
            None,
            &Options::default(),
        )
        .unwrap();
        assert_eq!(
            outcome.verdict,
            Verdict::Within,
            "{}\n{}",
            case.name,
            outcome.terminal
        );
        assert!(
            outcome.json.contains("\"never-started\"")
                && !outcome.json.contains("\"outcome\":\"done\"")
        );
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_run_or_state_of_another_plan_is_refused() {
    let (one, other) = (
        golden("create-web-stack-terraform"),
        golden("yaml-manifests-terraform"),
    );
    let mut errors = String::new();
    for result in [other.run.unwrap(), other.state.unwrap()] {
        let error = compare_result(&one.plan, &result, None, &Options::default()).unwrap_err();
        errors += &format!("{error}\n");
    }
    insta::assert_snapshot!(errors, @r"
    the run acts on no object of the plan
    the state has no object of the plan
    ");
    let tests = golden_stream("test-pass-terraform");
    let error = compare_result(&one.plan, &tests, None, &Options::default()).unwrap_err();
    insta::assert_snapshot!(error, @"the messages are those of `test -json`, which applies no plan");
}

fn golden_stream(name: &str) -> String {
    let folder = root().join("fixtures/goldens").join(name);
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    read(
        &files
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .min()
            .unwrap(),
    )
}

#[test]
fn set_elements_that_become_known_may_move() {
    let plan = json!({"format_version": "1.2", "resource_changes": [
        {"address": "a.b", "mode": "managed", "type": "a", "name": "b", "provider_name": "x", "change": {
            "actions": ["create"], "before": null,
            "after": {"rules": [{"port": 1}, {"port": 2}]},
            "after_unknown": {"rules": [{"id": true}, {"id": true}]},
            "before_sensitive": false, "after_sensitive": {}}}]})
    .to_string();
    let state = |rules: Value| {
        json!({"format_version": "1.0", "values": {"root_module": {"resources": [
            {"address": "a.b", "mode": "managed", "type": "a", "name": "b", "provider_name": "x",
             "values": {"rules": rules}, "sensitive_values": {}}]}}})
        .to_string()
    };
    let verdict = |rules| {
        compare_result(&plan, &state(rules), None, &Options::default())
            .unwrap()
            .verdict
    };
    assert_eq!(
        verdict(json!([{"port": 2, "id": "y"}, {"port": 1, "id": "x"}])),
        Verdict::Same
    );
    assert_eq!(
        verdict(json!([{"port": 2, "id": "y"}, {"port": 3, "id": "x"}])),
        Verdict::Wider
    );
    assert_eq!(verdict(json!([{"port": 2, "id": "y"}])), Verdict::Wider);
}

#[test]
fn half_done_replacement_is_reported() {
    let case = golden("replace-cbd-terraform");
    let run = case.run.unwrap();
    let lines: Vec<&str> = run.lines().collect();
    // The bucket is destroyed, and then the run fails.
    let is_after = |line: &&str| {
        line.contains("tfcoremock_bucket.b: Creat") || line.contains("\"operation\":\"apply\"")
    };
    let failed: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !is_after(line))
        .collect();
    let error = r#"{"@level":"error","@message":"Error: no","type":"diagnostic","diagnostic":{"severity":"error","summary":"no"}}"#;
    let outcome = compare_result(
        &case.plan,
        &format!("{}\n{error}", failed.join("\n")),
        None,
        &Options::default(),
    )
    .unwrap();
    assert_eq!(outcome.verdict, Verdict::Within, "{}", outcome.terminal);
    insta::assert_snapshot!(outcome.terminal, @r"
    ~ Not all of what was approved is done: 1 partly done.
      2 changes are done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:15:32Z
      Result: apply.jsonl, Terraform 1.17.0-dev, started at 2026-11-21T02:15:39Z

      ✗ tfcoremock_bucket.b is replaced: approved, partly done: delete done, create never started
    (error of the run: no)
    ");
    let state: Value = serde_json::from_str(&case.state.unwrap()).unwrap();
    let mut left = state.clone();
    let list = left["values"]["root_module"]["resources"]
        .as_array_mut()
        .unwrap();
    let mut deposed = list
        .iter()
        .find(|resource| resource["type"] == "tfcoremock_instance")
        .unwrap()
        .clone();
    deposed["deposed_key"] = json!("00000001");
    list.push(deposed);
    let outcome = compare_result(&case.plan, &left.to_string(), None, &Options::default()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Within, "{}", outcome.terminal);
    insta::assert_snapshot!(outcome.terminal, @r"
    ~ Not all of what was approved is done: 1 partly done, 1 unknown value is known now.
      2 changes are done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:15:32Z
      Result: state.json, Terraform 1.17.0

      ✗ tfcoremock_instance.web is replaced: approved, partly done: the object before is still there, deposed as 00000001
    ");
    let mut tainted = state;
    for resource in tainted["values"]["root_module"]["resources"]
        .as_array_mut()
        .unwrap()
    {
        resource["tainted"] = json!(true);
    }
    let outcome =
        compare_result(&case.plan, &tainted.to_string(), None, &Options::default()).unwrap();
    insta::assert_snapshot!(outcome.terminal, @r"
    ~ Not all of what was approved is done: 2 failed.
      1 change is done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:15:32Z
      Result: state.json, Terraform 1.17.0

      ✗ tfcoremock_bucket.b is replaced: approved, failed: the object is tainted: it was not created completely
      ✗ tfcoremock_instance.web is replaced: approved, failed: the object is tainted: it was not created completely
    ");
    assert_eq!(outcome.verdict, Verdict::Within, "{}", outcome.terminal);
}

#[test]
fn imports_that_the_tool_does_not_count_are_not_done() {
    let case = golden("import-mix-terraform");
    let run = case.run.unwrap().replace("\"import\":4", "\"import\":3");
    let outcome = compare_result(&case.plan, &run, None, &Options::default()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Within, "{}", outcome.terminal);
    insta::assert_snapshot!(outcome.terminal, @r#"
    ~ Not all of what was approved is shown to be done: 2 not shown.
      3 changes are done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:18:01Z
      Result: apply.jsonl, Terraform 1.17.0-dev, started at 2026-11-21T02:18:09Z

      < tfcoremock_simple_resource.many["red"] is imported: approved, not shown
      < tfcoremock_simple_resource.same is imported: approved, not shown
    "#);
}

/// The messages of a failed run have no outputs, which a state has; and a state does not show what was started.
#[test]
fn what_a_result_cannot_show_is_not_said() {
    let case = golden("apply-error-midway-terraform");
    let compared = |result: &str| {
        let outcome = compare_result(&case.plan, result, None, &Options::default()).unwrap();
        assert_eq!(outcome.verdict, Verdict::Within, "{}", outcome.terminal);
        outcome.terminal
    };
    insta::assert_snapshot!(compared(case.run.as_deref().unwrap()), @r"
    ~ Not all of what was approved is done: 3 failed, 1 not done, 2 not shown.
      1 change is done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:34:42Z
      Result: apply.jsonl, Terraform 1.17.0-dev, started at 2026-11-21T02:34:49Z

      ✗ tfcoremock_simple_resource.broken is created: approved, failed: failed to create resource
      ✗ tfcoremock_simple_resource.del is destroyed: approved, failed
      ✗ tfcoremock_simple_resource.upd changes: approved, failed: failed to update resource
      < tfcoremock_simple_resource.dependent is created: approved, never started
      < output.missing is created: approved, not shown: the run ended without a message about its outputs
      < output.partial is created: approved, not shown: the run ended without a message about its outputs
    (error of the run: failed to delete resource)
    ");
    insta::assert_snapshot!(compared(case.state.as_deref().unwrap()), @r"
    ~ Not all of what was approved is done: 4 not done.
      3 changes are done.
      Approved: plan.json, Terraform 1.17.0-dev, planned at 2026-11-21T02:34:42Z
      Result: state.json, Terraform 1.17.0

      < tfcoremock_simple_resource.broken is created: approved, not done: it is not in the state
      < tfcoremock_simple_resource.del is destroyed: approved, not done: it is still in the state
      < tfcoremock_simple_resource.dependent is created: approved, not done: it is not in the state
      < tfcoremock_simple_resource.upd changes: approved, not done: the object is as before
    ");
}

/// A run that did everything, and then failed, counted as done.
#[test]
fn run_with_an_error_after_its_last_change_is_not_done() {
    let case = golden("replace-cbd-terraform");
    let run = case.run.unwrap();
    let outcome = |more: &str| {
        compare_result(
            &case.plan,
            &format!("{run}\n{more}"),
            None,
            &Options::default(),
        )
        .unwrap()
    };
    assert_eq!(outcome("").verdict, Verdict::Same);
    for more in [
        r#"{"@level":"error","@message":"Error: no","type":"diagnostic","diagnostic":{"severity":"error","summary":"no"}}"#,
        r#"{"@level":"error","@message":"no state was saved"}"#,
        r#"{"@level":"FATAL","@message":"no state was saved","type":"new"}"#,
    ] {
        let ended = outcome(more);
        assert_eq!(ended.verdict, Verdict::Within, "{more} {}", ended.terminal);
        assert_eq!(ended.classes, [Class::Failed], "{more} {}", ended.terminal);
    }
}
