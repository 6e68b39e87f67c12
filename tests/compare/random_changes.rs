//! A random change of one value of a plan is always found, and no secret is shown.

use serde_json::{Value, json};
use tfview::internals::compare::{Class, Options, Verdict};

use super::{compare, fingerprint, plans, verdict_of};
use crate::random::{Random, some_fixtures, some_ways};

/// Collects the JSON pointers of all leaves of a value.
fn leaves(value: &Value, here: &mut Vec<String>, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                here.push(name.replace('~', "~0").replace('/', "~1"));
                leaves(member, here, pointers);
                here.pop();
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                here.push(index.to_string());
                leaves(item, here, pointers);
                here.pop();
            }
        }
        _ => pointers.push(here.iter().map(|step| format!("/{step}")).collect()),
    }
}

/// A different value for a leaf.
fn other(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}-{}", "tok3n")),
        Value::Bool(value) => json!(!value),
        Value::Number(_) => json!(987_654),
        _ => json!("tok3n"),
    }
}

/// The indices of the changes that a plan lists.
fn listed(plan: &Value) -> Vec<usize> {
    let changes = plan["resource_changes"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let is_listed = |change: &Value| change["change"]["actions"] != json!(["no-op"]);
    (0..changes.len())
        .filter(|index| is_listed(&changes[*index]))
        .collect()
}

#[test]
fn one_changed_leaf_is_found() {
    let mut random = Random::new(4);
    let mut leaves_changed = 0;
    for (name, plan, schema) in some_fixtures(plans(100_000), 0) {
        let text = plan.to_string();
        let listed = listed(&plan);
        for _ in some_ways(vec![(); 4], 0, 1) {
            if listed.is_empty() {
                continue;
            }
            let index = *random.pick(&listed);
            let side = if random.one_in(3) { "before" } else { "after" };
            let root = format!("/resource_changes/{index}/change/{side}");
            let mut paths = Vec::new();
            let value = plan.pointer(&root).unwrap_or(&Value::Null);
            leaves(value, &mut Vec::new(), &mut paths);
            let path = format!("{root}{}", random.pick(&paths));
            // An unknown value cannot change.
            let unknown = path.replacen(&format!("change/{side}"), "change/after_unknown", 1);
            let is_unknown = side == "after" && is_unknown(&plan, &unknown);
            let Some(leaf) = plan
                .pointer(&path)
                .filter(|leaf| !leaf.is_null() && !is_unknown)
            else {
                continue;
            };
            let mut changed = plan.clone();
            *changed.pointer_mut(&path).unwrap() = other(leaf);
            let changed = changed.to_string();
            let schema = schema.as_deref();
            let outcome = compare(&text, &changed, schema, &Options::default());
            assert_ne!(outcome.verdict, Verdict::Same, "{name} {path}");
            let back = compare(&changed, &text, schema, &Options::default());
            assert_eq!(
                outcome.places, back.places,
                "{name} {path}\n{}\n{}",
                outcome.terminal, back.terminal
            );
            let differs = fingerprint(&text, schema, true) != fingerprint(&changed, schema, true);
            // What changed outside of the plans is no part of what is approved.
            let is_outside = outcome
                .classes
                .iter()
                .all(|class| matches!(class, Class::Drifted | Class::Failed));
            assert_eq!(differs, !is_outside, "{name} {path}\n{}", outcome.terminal);
            if is_marked(&plan, index, side) {
                for format in outcome.all().into_iter().chain(back.all()) {
                    assert!(!format.contains("tok3n"), "{name} {path}: {format}");
                }
            }
            leaves_changed += 1;
        }
    }
    assert!(
        leaves_changed > 40,
        "only {leaves_changed} leaves were changed"
    );
}

/// Whether the value at `path`, one of its parents or a part of it is unknown. Its written value is ignored
/// then.
fn is_unknown(plan: &Value, path: &str) -> bool {
    let ends = path
        .match_indices('/')
        .map(|(index, _)| index)
        .chain([path.len()]);
    let is_below = plan
        .pointer(path)
        .is_some_and(|below| below.to_string().contains("true"));
    is_below
        || ends
            .into_iter()
            .any(|end| plan.pointer(&path[..end]) == Some(&Value::Bool(true)))
}

/// Whether the whole side of a change is sensitive.
fn is_marked(plan: &Value, index: usize, side: &str) -> bool {
    plan["resource_changes"][index]["change"][format!("{side}_sensitive")] == Value::Bool(true)
}

#[test]
fn no_secret_is_in_any_format() {
    let mut random = Random::new(7);
    let mut planted = 0;
    for (name, mut plan, schema) in some_fixtures(plans(100_000), 1) {
        for index in listed(&plan) {
            let change = &mut plan["resource_changes"][index]["change"];
            // Mark the whole change as sensitive.
            for (side, mark) in [("before", "before_sensitive"), ("after", "after_sensitive")] {
                if !change[side].is_null() {
                    change[mark] = json!(true);
                }
            }
        }
        let text = plan.to_string();
        let mut changed = plan.clone();
        for index in listed(&plan) {
            for side in ["before", "after"] {
                let mut paths = Vec::new();
                let root = format!("/resource_changes/{index}/change/{side}");
                let Some(value) = plan.pointer(&root).filter(|value| value.is_object()) else {
                    continue;
                };
                leaves(value, &mut Vec::new(), &mut paths);
                let leaf = changed
                    .pointer_mut(&format!("{root}{}", random.pick(&paths)))
                    .unwrap();
                *leaf = json!("tok3n");
                planted += 1;
            }
        }
        let outcome = compare(
            &text,
            &changed.to_string(),
            schema.as_deref(),
            &Options::default(),
        );
        for format in outcome.all() {
            assert!(!format.contains("tok3n"), "{name}: {format}");
        }
    }
    assert!(planted > 100, "only {planted} secrets were planted");
}

#[test]
fn unknown_values_that_become_known_are_within() {
    let mut filled = 0;
    for (name, plan, schema) in some_fixtures(plans(100_000), 2) {
        let mut known = plan.clone();
        let mut here = 0;
        for index in listed(&plan) {
            let change = &mut known["resource_changes"][index]["change"];
            let Some(unknown) = change["after_unknown"].as_object().cloned() else {
                continue;
            };
            for (attribute, is_unknown) in unknown {
                if is_unknown == json!(true) {
                    change["after"][&attribute] = json!("known");
                    change["after_unknown"]
                        .as_object_mut()
                        .unwrap()
                        .remove(&attribute);
                    here += 1;
                }
            }
        }
        if here == 0 {
            continue;
        }
        let (text, known) = (plan.to_string(), known.to_string());
        let (verdict, said) = verdict_of(&text, &known, schema.as_deref());
        assert_eq!(verdict, Verdict::Within, "{name}\n{said}");
        let (verdict, said) = verdict_of(&known, &text, schema.as_deref());
        assert_eq!(verdict, Verdict::Wider, "{name}\n{said}");
        filled += here;
    }
    assert!(filled > 50, "only {filled} unknown values were filled in");
}
