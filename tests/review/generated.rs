//! Random plans: changes of values with unknown and sensitive parts.

use serde_json::{Value, json};

use crate::random::Random;

const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "1",
    "0",
    "1.0",
    "\"a\"",
    "\"b\"",
    "\"\"",
    "\"1\"",
    "\"true\"",
    "\"no\"",
    "\"x\\ny\\nz\"",
    "\"x\\nq\\nz\"",
    "\"{\\\"a\\\":1}\"",
    "\"{\\\"a\\\": 1}\"",
    "\"[1,2]\"",
    "\"[2,1]\"",
    "\"a: 1\\nb: no\\n\"",
    "\"a: 1\\nb: 'no'\\n\"",
    "\"aGVsbG8sIHdvcmxkIQ==\"",
    "\"aGVsbG8sIHdvcmxkIGFnYWluIQ==\"",
];

const NAMES: &[&str] = &["name", "id", "a", "b", "a.b", "x[0]", "", "description"];

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 3 { 4 } else { 9 }) {
        0..=3 => serde_json::from_str(random.pick::<&str>(SCALARS)).unwrap(),
        4..=6 => (0..random.below(5))
            .map(|_| value(random, depth + 1))
            .collect(),
        _ => {
            let members = (0..random.below(5))
                .map(|_| ((*random.pick(NAMES)).to_owned(), value(random, depth + 1)))
                .collect::<serde_json::Map<_, _>>();
            Value::Object(members)
        }
    }
}

/// A value with some of its parts changed.
fn changed(random: &mut Random, mut old: Value, depth: usize) -> Value {
    if random.one_in(8) {
        return value(random, depth);
    }
    match &mut old {
        Value::Object(members) => {
            for member in members.values_mut() {
                if random.one_in(3) {
                    *member = changed(random, member.take(), depth + 1);
                }
            }
            if random.one_in(4) {
                members.insert((*random.pick(NAMES)).to_owned(), value(random, depth + 1));
            }
            if random.one_in(4) {
                members.remove(*random.pick(NAMES));
            }
        }
        Value::Array(items) => {
            for item in items.iter_mut() {
                if random.one_in(3) {
                    *item = changed(random, item.take(), depth + 1);
                }
            }
            for _ in 0..random.below(3) {
                let (from, to) = (random.below(items.len()), random.below(items.len()));
                match random.below(3) {
                    0 => items.insert(to, value(random, depth + 1)),
                    1 if !items.is_empty() => drop(items.remove(from)),
                    _ if !items.is_empty() => items.swap(from, to),
                    _ => {}
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    old
}

/// A random tree of marks for a value. It does not always have the shape of the value.
fn tree(random: &mut Random, beside: &Value) -> Value {
    match (random.below(12), beside) {
        (0, _) => json!(true),
        (1, _) => json!({"q": true}),
        (2, _) => json!([false, false, {"z": true}]),
        (3, _) => json!(["x", 1, {}, []]),
        (4..=6, _) => json!(false),
        (_, Value::Object(members)) => Value::Object(
            members
                .iter()
                .map(|(name, member)| (name.clone(), tree(random, member)))
                .collect(),
        ),
        (_, Value::Array(items)) => items.iter().map(|item| tree(random, item)).collect(),
        _ => json!(false),
    }
}

fn change(random: &mut Random) -> Value {
    let before =
        json!({"name": value(random, 0), "rules": value(random, 0), "tags": value(random, 0)});
    let mut after = changed(random, before.clone(), 0);
    if !after.is_object() {
        after = json!({});
    }
    let unknown = if random.one_in(2) {
        tree(random, &after)
    } else {
        json!({})
    };
    let marks = [tree(random, &before), tree(random, &after)];
    let [before_sensitive, after_sensitive] = if random.one_in(2) {
        marks
    } else {
        [json!(false), json!({})]
    };
    json!({
        "actions": random.pick(&[json!(["update"]), json!(["delete", "create"]), json!(["no-op"]), json!(["new"])]),
        "before": if random.one_in(9) { Value::Null } else { before },
        "after": if random.one_in(9) { Value::Null } else { after },
        "after_unknown": unknown, "before_sensitive": before_sensitive, "after_sensitive": after_sensitive,
    })
}

/// A plan with six changes, a drift and an output.
pub(super) fn plan(seed: u64) -> String {
    let mut random = Random::new(seed);
    let resources: Vec<Value> = (0..6)
        .map(|index| {
            json!({"address": format!("sets_a.b[{}]", index / 2), "mode": "managed", "type": "sets_a", "name": "b",
                "provider_name": "registry.example/x/sets", "change": change(&mut random)})
        })
        .collect();
    let plan = json!({"format_version": "1.2", "resource_changes": resources,
        "resource_drift": [resources[0]], "output_changes": {"o": change(&mut random)}});
    plan.to_string()
}
