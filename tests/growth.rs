//! Nobody can make time or memory grow faster than the input does: for each place where many things meet many
//! others there is a document in which they do. The program shows it at two sizes, one four times the other, and
//! the processor time of the two is compared: about 4 is linear, 16 is the square. The peak of the memory has to
//! stay within the budget of `SECURITY.md`.
#![cfg(target_os = "linux")]
#![allow(clippy::needless_pass_by_value, reason = "JSON that is made up goes into more of it")]
#![allow(clippy::panic, reason = "tests fail by it, also those that share a function")]

use serde_json::{Value, json};

#[path = "growth/measure.rs"]
mod measure;
#[path = "growth/memory.rs"]
mod memory;
#[path = "growth/review.rs"]
mod review;
#[path = "growth/show.rs"]
mod show;
#[path = "growth/stream.rs"]
mod stream;

use measure::{Input, Shape, check};

fn many(count: usize, of: impl Fn(usize) -> Value) -> Value {
    (0..count).map(of).collect()
}

/// An object of so many members.
fn object(count: usize, of: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..count).map(of).collect())
}

fn lines(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join("\n")
}

/// A change of the resource `test_a.a[at]`.
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

/// A plan of one change, with something more in it.
fn change(before: Value, after: Value, more: &[(&str, Value)]) -> Value {
    let mut resource = resource(0, before, after);
    for (key, value) in more {
        resource["change"][key] = value.clone();
    }
    plan(json!([resource]))
}

/// An object of one member. (`json!` would copy the value, for each level of a nest.)
fn member(name: &str, value: Value) -> Value {
    Value::Object([(name.to_owned(), value)].into_iter().collect())
}

/// `value` inside so many objects.
fn nested(levels: usize, value: Value) -> Value {
    (0..levels).fold(value, |value, _| member("d", value))
}

/// A schema whose `test_a` is this block.
fn schema(block: Value) -> String {
    json!({ "format_version": "1.0", "provider_schemas": { "registry.example/acme/test": {
        "resource_schemas": { "test_a": { "block": block } } } } })
    .to_string()
}
