//! Nobody can make time or memory grow faster than the input does: for each place where many things
//! meet many others there is a document in which they do. Nothing is timed; with time that grows as
//! the square, a case would take minutes at these sizes, and the test would say that it hangs.
#![allow(clippy::needless_pass_by_value, reason = "JSON that is made up goes into more of it")]

use serde_json::{Value, json};
use tfview::model::Dialect;

use super::display::{self, Display};
use super::robust;

/// How many of each.
const MANY: usize = 60_000;

fn many(of: impl Fn(usize) -> Value) -> Value {
    (0..MANY).map(of).collect()
}

fn names(letter: &str) -> Value {
    many(|at| json!(format!("{letter}{at}")))
}

fn resource(at: usize, before: Value, after: Value) -> Value {
    json!({
        "address": format!("test_a.a[{at}]"), "mode": "managed", "type": "test_a", "name": "a", "index": at,
        "provider_name": "registry.example/acme/test",
        "change": { "actions": ["update"], "before": before, "after": after, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {} },
    })
}

fn small(at: usize) -> Value {
    resource(at, json!({ "a": "1" }), json!({ "a": "2" }))
}

fn plan(changes: Value) -> Value {
    json!({ "format_version": "1.2", "planned_values": {}, "resource_changes": changes })
}

/// One change with something more in it.
fn change(before: Value, after: Value, more: &[(&str, Value)]) -> Value {
    let mut resource = resource(0, before, after);
    for (key, value) in more {
        resource["change"][key] = value.clone();
    }
    plan(json!([resource]))
}

fn drifted(relevant: Value) -> Value {
    let mut plan = plan(json!([small(0)]));
    plan["resource_drift"] = many(small);
    plan["relevant_attributes"] = relevant;
    plan
}

/// Plans in which many meet many.
fn plans() -> Vec<(&'static str, Value)> {
    let lists = |more: &[(&str, Value)]| change(json!({ "l": names("x") }), json!({ "l": names("y") }), more);
    let map = |value: usize| -> Value {
        Value::Object((0..MANY).map(|at| (format!("k{at}"), json!(value))).collect())
    };
    let keys = |inner: Value| {
        ["a", "b", "c", "d", "e", "f"]
            .iter()
            .fold(inner, |value, letter| json!({ letter.repeat(MANY): value }))
    };
    let lines = |letter: &str| json!({ "l": many(|at| json!(format!("{letter}{at}\n{letter}{at}"))) });
    let long = |letter: &str| {
        let lines: Vec<String> = (0..MANY).map(|at| format!("{letter}{at}")).collect();
        json!({ "l": [lines.join("\n")] })
    };
    let mut actions = plan(many(small));
    actions["action_invocations"] = many(|at| {
        json!({ "address": format!("action.test_b.b[{at}]"), "type": "test_b", "name": "b",
            "lifecycle_action_trigger": { "triggering_resource_address": format!("test_a.a[{at}]"),
                "action_trigger_event": "AfterUpdate" } })
    });
    let half: Value = (0..MANY / 2).map(|_| json!(false)).collect();
    let brackets = format!("test_a.a[\"{}]", "[".repeat(MANY * 50));
    let mut address = plan(json!([small(0)]));
    address["resource_changes"][0]["address"] = json!(brackets);
    let mut colours = plan(json!([small(0)]));
    colours["resource_changes"][0]["address"] = json!("[red]x[bold]".repeat(MANY * 5));
    let written =
        |name: &str| json!({ "mode": "managed", "type": "test_a", "name": name, "expressions": {} });
    let mut module = json!({ "resources": many(|at| written(&format!("r{at}"))) });
    for letter in ["a", "b", "c", "d", "e", "f"] {
        module = json!({ "module_calls": { letter.repeat(MANY): { "module": module } } });
    }
    let mut modules = plan(json!([small(0)]));
    modules["configuration"] = json!({ "root_module": module });
    vec![
        ("long names of modules", modules),
        ("paths to elements", lists(&[("replace_paths", many(|at| json!(["l", at])))])),
        ("paths to one element", lists(&[("replace_paths", many(|_| json!(["l", "0"])))])),
        (
            "paths to members",
            change(
                json!({ "m": map(1) }),
                json!({ "m": map(2) }),
                &[("replace_paths", many(|at| json!(["m", format!("k{at}")])))],
            ),
        ),
        (
            "marks for half of a list",
            lists(&[("before_sensitive", json!({ "l": half })), ("after_sensitive", json!({ "l": half }))]),
        ),
        (
            "relevant attributes of each",
            drifted(many(|at| json!({ "resource": format!("test_a.a[{at}]"), "attribute": ["b"] }))),
        ),
        ("relevant attributes of any", drifted(many(|at| json!({ "resource": "", "attribute": ["b", at] })))),
        (
            "relevant attributes of any and of each",
            drifted(many(|at| match at % 2 {
                0 => json!({ "resource": "", "attribute": ["b", at] }),
                _ => json!({ "resource": format!("test_a.a[{at}]"), "attribute": ["b"] }),
            })),
        ),
        ("actions", actions),
        ("texts against one long text", change(lines("x"), long("y"), &[])),
        ("one long text against texts", change(long("x"), lines("y"), &[])),
        ("brackets", address),
        ("colours", colours),
        ("long keys around many", change(json!({ "k": keys(map(1)) }), json!({ "k": keys(map(2)) }), &[])),
        ("members of an element", change(json!({ "s": [map(1)] }), json!({ "s": [map(2)] }), &[])),
        ("numbers", change(json!({ "n": 0 }), json!({ "n": 1 }), &[])),
    ]
}

#[test]
fn many_that_meet_many_take_no_longer_than_they_are_long() {
    let plans = plans();
    let count = plans.len() as u64;
    robust::each(0..count, move |case| {
        let (name, plan) = &plans[case as usize];
        let display = Display { colour: true, ..Display::plain(Dialect::OpenTofu) };
        let mut document = plan.to_string();
        if *name == "numbers" {
            // Numbers that must not be written out, nor be taken apart digit by digit.
            document = document.replace("\"n\":0", "\"n\":1e999999999");
            document = document.replace("\"n\":1}", &format!("\"n\":-0.{}e-4000}}", "1".repeat(MANY * 20)));
        }
        // The JSON of a review writes the path of each edit, however long its names are.
        let outputs = if *name == "long keys around many" { display::texts } else { display::all }(
            &document, None, display,
        );
        for (output, text) in outputs {
            assert!(
                text.len() < document.len() * 40,
                "{name}: {output}: {} bytes of {}",
                text.len(),
                document.len()
            );
        }
    });
}

#[test]
fn many_providers_are_not_each_sought_in_all() {
    let providers = |name: &dyn Fn(usize) -> String| -> Value {
        Value::Object((0..MANY).map(|at| (name(at), json!({ "resource_schemas": {} }))).collect())
    };
    let documents: Vec<String> = [
        providers(&|at| format!("host{at}/acme/test")),
        providers(&|at| format!("registry.example/acme{at}/test")),
        providers(&|at| format!("registry.example/acme/test{at}")),
    ]
    .into_iter()
    .map(|schemas| json!({ "format_version": "1.0", "provider_schemas": schemas }).to_string())
    .collect();
    robust::each(0..3, move |case| {
        let plan = plan(many(small)).to_string();
        let shown = display::shown(&plan, Some(&documents[case as usize]), Display::plain(Dialect::OpenTofu));
        assert!(shown.is_ok_and(|text| text.len() > MANY));
    });
}

fn message(kind: &str, more: &[(&str, Value)]) -> String {
    let mut message = json!({ "@level": "error", "@message": kind, "type": kind });
    for (key, value) in more {
        message[key] = value.clone();
    }
    message.to_string() + "\n"
}

/// Runs in which many meet many.
fn runs() -> Vec<(&'static str, String)> {
    let hook = |kind: &str, at: usize| {
        let hook = json!({ "resource": { "addr": format!("test_a.a[{at}]") }, "action": "create",
            "elapsed_seconds": 10 });
        message(kind, &[("hook", hook)])
    };
    let each = |kind: &str| (0..MANY).map(|at| hook(kind, at)).collect::<String>();
    let diagnostic = |diagnostic: Value| message("diagnostic", &[("diagnostic", diagnostic)]);
    let place = json!({ "line": 1, "column": 1, "byte": 0 });
    let range = json!({ "filename": "main.tf", "start": place, "end": place });
    let about = |snippet: Value| {
        diagnostic(json!({ "severity": "error", "summary": "no", "range": range, "snippet": snippet }))
    };
    let text = |detail: String| diagnostic(json!({ "severity": "error", "summary": "no", "detail": detail }));
    vec![
        ("running", each("apply_start") + &each("apply_progress") + &each("apply_errored")),
        ("planned", (0..MANY)
            .map(|at| message("planned_change", &[("change",
                json!({ "resource": { "addr": format!("a{at}") }, "action": "create" }))]))
            .collect()),
        ("diagnostics", (0..MANY)
            .map(|at| diagnostic(json!({ "severity": "warning", "summary": format!("s{}", at % 1000), "range": range })))
            .collect()),
        ("code", about(json!({ "code": "x\n".repeat(MANY * 5), "start_line": 1,
            "highlight_start_offset": 3, "highlight_end_offset": MANY * 10 }))),
        ("values", about(json!({ "code": "x", "start_line": 1,
            "values": many(|at| json!({ "traversal": format!("t{at}"), "statement": "is\n1" })) }))),
        ("brackets", text("[".repeat(MANY * 50) + "]")),
        ("colours", text("[red]x[bold]".repeat(MANY * 5))),
        ("query", (0..MANY)
            .map(|at| message("list_resource_found", &[("list_resource_found",
                json!({ "address": format!("list.a{at}"), "display_name": "x", "identity": { "id": at } }))]))
            .collect()),
        ("tests", message("test_abstract", &[("test_abstract", json!({ "a.tftest.hcl": names("r") }))])
            + &(0..MANY)
                .map(|at| message("test_run", &[("@testfile", json!("a.tftest.hcl")),
                    ("test_run", json!({ "run": format!("r{at}"), "status": "pass" }))]))
                .collect::<String>()),
        ("test files", (0..MANY)
            .map(|at| message("test_file", &[("test_file", json!({ "path": format!("f{at}"), "status": "pass" }))]))
            .collect()),
    ]
}

#[test]
fn many_messages_take_no_longer_than_they_are_long() {
    let runs = runs();
    let count = runs.len() as u64;
    robust::each(0..count, move |case| {
        let (name, run) = &runs[case as usize];
        let display = Display { colour: true, ..Display::plain(Dialect::OpenTofu) };
        let (text, notes) = display::streamed(run.as_bytes(), 65_536, display).unwrap();
        let length = text.len() + notes.len();
        assert!(length > 0 && length < run.len() * 40, "{name}: {length} bytes of {}", run.len());
    });
}
