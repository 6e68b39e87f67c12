//! A member that decides and occurs twice: a second `after_sensitive` showed a hidden value, and a second
//! `resource_changes` passed the gates.

use serde_json::{Value, json};

use super::harness::{folder, tfview};

/// A plan with every member that decides.
fn plan() -> Value {
    let change = json!({ "actions": ["delete", "create"], "before": {"a": "1"}, "after": {"a": "2"},
        "after_unknown": {"id": true}, "before_sensitive": {}, "after_sensitive": {}, "replace_paths": [["a"]],
        "importing": {"id": "i"} });
    let resource = json!({ "address": "t_a.a", "previous_address": "t_a.b", "mode": "managed", "type": "t_a",
        "name": "a", "provider_name": "registry.terraform.io/a/t", "deposed": "ab", "change": change,
        "action_reason": "replace_by_request" });
    let invocation = json!({ "address": "action.t_b.b", "type": "t_b", "name": "b",
        "config_sensitive": {}, "config_unknown": {} });
    json!({
        "format_version": "1.2", "terraform_version": "1.15.0", "timestamp": "2026-01-01T00:00:00Z",
        "errored": false, "applyable": true, "complete": true,
        "resource_changes": [resource], "resource_drift": [resource],
        "deferred_changes": [{ "reason": "provider_config_unknown", "resource_change": resource }],
        "action_invocations": [invocation],
        "deferred_action_invocations": [{ "reason": "x", "action_invocation": invocation }],
        "output_changes": { "o": { "actions": ["create"], "before": null, "after": 1, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false } },
        "checks": [{ "address": { "kind": "check", "name": "c", "to_display": "check.c" }, "status": "pass" }],
        "relevant_attributes": [{ "resource": "t_a.a", "attribute": ["a"] }],
    })
}

fn state() -> Value {
    json!({ "format_version": "1.0", "terraform_version": "1.15.0", "values": {
        "outputs": { "o": { "sensitive": false, "value": 1, "type": "number" } },
        "root_module": { "resources": [{ "address": "t_a.a", "mode": "managed", "type": "t_a", "name": "a",
            "provider_name": "registry.terraform.io/a/t", "values": {"a": 1}, "sensitive_values": {} }],
            "child_modules": [{ "address": "module.m", "resources": [] }] } } })
}

/// The places of all objects that are read as models, as JSON pointers.
fn objects(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    const VALUES: [&str; 12] = [
        "before",
        "after",
        "after_unknown",
        "before_sensitive",
        "after_sensitive",
        "values",
        "sensitive_values",
        "config_sensitive",
        "config_unknown",
        "value",
        "checks",
        "replace_paths",
    ];
    match value {
        Value::Object(members) => {
            pointers.push(pointer.to_owned());
            for (name, member) in members {
                if !VALUES.contains(&&**name) || (pointer.is_empty() && name == "values") {
                    objects(member, &format!("{pointer}/{name}"), pointers);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{pointer}/{index}"), pointers);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text of a document with a second member in the object at `place`, before or after the first.
fn with_second(document: &Value, pointer: &str, name: &str, second: &str, first: bool) -> String {
    let mut marked = document.clone();
    let object = marked
        .pointer_mut(pointer)
        .unwrap()
        .as_object_mut()
        .unwrap();
    let value = object.get(name).unwrap().to_string();
    object.insert(name.to_owned(), json!("TWICE"));
    let pair = if first {
        [second, &value]
    } else {
        [&*value, second]
    };
    let members = format!("\"{name}\":{},\"{name}\":{}", pair[0], pair[1]);
    let text = marked.to_string();
    let doubled = text.replacen(&format!("\"{name}\":\"TWICE\""), &members, 1);
    assert_ne!(doubled, text);
    doubled
}

#[test]
fn each_member_of_a_plan_that_occurs_twice_is_an_error_that_names_it() {
    check(
        "plan",
        &plan(),
        &["show", "review --fail-on any", "diff --fingerprint"],
    );
}

#[test]
fn each_member_of_a_state_that_occurs_twice_is_an_error_that_names_it() {
    check("state", &state(), &["show"]);
}

fn check(kind: &str, document: &Value, commands: &[&str]) {
    let folder = folder(&format!("duplicates-{kind}"), &[]);
    let mut places = Vec::new();
    objects(document, "", &mut places);
    let mut tried = 0;
    for pointer in places {
        let object = document.pointer(&pointer).unwrap().as_object().unwrap();
        // The members of these are not nullable.
        let is_map = ["outputs", "output_changes", "importing"]
            .iter()
            .any(|map| pointer.ends_with(map));
        for (index, (name, value)) in object.iter().enumerate() {
            let second = if is_map || index % 2 == 0 {
                value.to_string()
            } else {
                "null".to_owned()
            };
            let text = with_second(document, &pointer, name, &second, index % 4 < 2);
            std::fs::write(folder.join("twice.json"), &text).unwrap();
            // Each command reads documents in the same way.
            let command = commands[index % commands.len()];
            let output = tfview(&format!("{command} twice.json"))
                .folder(&folder)
                .output();
            let what = format!("{command} {pointer} {name} {second}: {output}");
            assert_eq!((output.code, &*output.stdout), (Some(1), ""), "{what}");
            assert!(
                output
                    .stderr
                    .contains(&format!("the member `{name}` occurs twice at line")),
                "{what}"
            );
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

#[test]
fn a_mark_that_occurs_twice_does_not_show_what_it_hides() {
    let mut errors = std::collections::BTreeSet::new();
    for (name, marks) in [
        ("before_sensitive", r#"{"a":true,"a":false}"#),
        ("after_sensitive", r#"{"a":true,"\u0061":false}"#),
        ("after_unknown", r#"{"id":true,"id":false}"#),
    ] {
        let mut document = plan();
        document["resource_changes"][0]["change"][name] = json!("MARKS");
        let text = document.to_string().replacen("\"MARKS\"", marks, 1);
        for command in [
            "show",
            "review",
            "review --format json",
            "diff --fingerprint -",
        ] {
            let output = tfview(command).stdin(&text).output();
            assert_eq!(
                (output.code, &*output.stdout),
                (Some(1), ""),
                "{command} {name}: {output}"
            );
            errors.insert(format!("{name}: {}", output.stderr));
        }
    }
    let errors: String = errors.into_iter().collect();
    insta::assert_snapshot!(errors, @r"
    after_sensitive: error: cannot read standard input: an object has two members with the same name, which tools may read as either
    after_unknown: error: cannot read standard input: an object has two members with the same name, which tools may read as either
    before_sensitive: error: cannot read standard input: an object has two members with the same name, which tools may read as either
    ");
}

/// Values are the provider's: the last one wins, as in the tools.
#[test]
fn last_of_equal_members_of_a_value_is_used() {
    let twice = plan()
        .to_string()
        .replace(r#""after":{"a":"2"}"#, r#""after":{"a":"x","a":"2"}"#);
    let [twice, once] =
        [twice, plan().to_string()].map(|text| tfview("show").stdin(text).output().stdout);
    assert!(!once.is_empty());
    assert_eq!(twice, once);
}

/// A message of which a member occurs twice is no proof of success.
#[test]
fn a_message_with_a_member_that_occurs_twice_does_not_end_a_run_well() {
    let message = |rest: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"SECRET\",\"@module\":\"terraform.ui\",{rest}}}\n"
        )
    };
    let version = message(r#""terraform":"1.15.0","type":"version","ui":"1.2""#);
    let changes = r#"{"add":0,"change":0,"import":0,"remove":0,"operation":"apply"}"#;
    let good = message(&format!(r#""changes":{changes},"type":"change_summary""#));
    assert_eq!(
        tfview("stream")
            .stdin(format!("{version}{good}"))
            .output()
            .code,
        Some(0)
    );
    for rest in [
        format!(r#""changes":{changes},"changes":{changes},"type":"change_summary""#),
        format!(r#""changes":{changes},"type":"change_summary","type":"change_summary""#),
        format!(r#""changes":{changes},"type":"log","type":"change_summary""#),
        format!(r#""changes":{changes},"changes":null,"type":"change_summary""#),
        format!(r#""@level":"error","changes":{changes},"type":"change_summary""#),
    ] {
        let output = tfview("stream")
            .stdin(format!("{version}{}", message(&rest)))
            .output();
        assert_eq!(output.code, Some(1), "{rest}: {output}");
    }
}

/// Go's decoder takes `Resource_Changes` for `resource_changes`. They were skipped, and every gate held.
#[test]
fn a_member_in_other_letters_is_an_error() {
    let plan = plan().to_string();
    let mut errors = std::collections::BTreeSet::new();
    for (name, other) in [
        ("resource_changes", "Resource_Changes"),
        ("resource_changes", "re\u{17f}ource_changes"),
        ("output_changes", "OUTPUT_CHANGES"),
        ("change", "Change"),
        ("actions", "ACTIONS"),
        ("before_sensitive", "Before_Sensitive"),
        ("errored", "Errored"),
    ] {
        let from = format!("\"{name}\":");
        for to in [
            format!("\"{other}\":"),
            format!("\"{other}\":[],\"{name}\":"),
        ] {
            let text = plan.replacen(&from, &to, 1);
            assert_ne!(text, plan);
            for command in ["show", "review --fail-on destroy", "diff --fingerprint -"] {
                let output = tfview(command).stdin(&text).output();
                assert_eq!(
                    (output.code, &*output.stdout),
                    (Some(1), ""),
                    "{command} {to}: {output}"
                );
                errors.insert(format!("{other}: {}", output.stderr));
            }
        }
    }
    let errors: String = errors.into_iter().collect();
    insta::assert_snapshot!(errors);
}
