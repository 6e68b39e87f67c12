//! No input makes time or memory grow faster than its size. For each place where many items meet many others,
//! a document with many of both is generated in two sizes, one four times the other. The ratio of the CPU
//! times must be near 4 (linear) and not 16 (quadratic), and the peak memory must stay within the budget of
//! `SECURITY.md`.
//!
//! A target of its own, because a measurement depends on what else the machine does: `cargo test --test growth`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "generated JSON values are moved into larger ones"
)]
#![allow(clippy::panic, reason = "shared helpers fail a test with a panic")]

use serde_json::{Value, json};

#[path = "growth/access.rs"]
mod access;
#[path = "support/archive.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod archive;
#[path = "support/base64.rs"]
mod base64;
#[cfg(feature = "browse")]
#[path = "growth/browse.rs"]
mod browse;
#[path = "growth/measure.rs"]
mod measure;
#[path = "growth/memory.rs"]
mod memory;
#[cfg(feature = "browse")]
#[path = "support/open_terminal.rs"]
mod open_terminal;
#[cfg(feature = "browse")]
#[path = "support/pty.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod pty;
#[path = "growth/review.rs"]
mod review;
#[path = "growth/saved.rs"]
mod saved;
#[path = "growth/show.rs"]
mod show;
#[path = "growth/stream.rs"]
mod stream;

use measure::{Input, Shape, check};

fn many(count: usize, of: impl Fn(usize) -> Value) -> Value {
    (0..count).map(of).collect()
}

/// An object with `count` members.
fn object(count: usize, of: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..count).map(of).collect())
}

fn lines(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join("\n")
}

/// A resource with a sensitive text, and what a provider computed of it.
fn repeated(secret: Value, computed: String) -> Input {
    let mut document = change(
        Value::Null,
        json!({ "s": secret, "computed": computed }),
        &[],
    );
    document["resource_changes"][0]["change"]["after_sensitive"] = json!({ "s": true });
    document.into()
}

/// A change of the resource `test_a.a[at]`.
fn resource(index: usize, before: Value, after: Value) -> Value {
    json!({
        "address": format!("test_a.a[{index}]"), "mode": "managed", "type": "test_a", "name": "a", "index": index,
        "provider_name": "registry.example/acme/test",
        "change": { "actions": ["update"], "before": before, "after": after, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {} },
    })
}

fn small(index: usize) -> Value {
    resource(index, json!({ "a": "1" }), json!({ "a": "2" }))
}

fn plan(changes: Value) -> Value {
    json!({ "format_version": "1.2", "planned_values": {}, "resource_changes": changes })
}

/// A plan of one change, with additional members in the change.
fn change(before: Value, after: Value, more: &[(&str, Value)]) -> Value {
    let mut resource = resource(0, before, after);
    for (key, value) in more {
        resource["change"][key] = value.clone();
    }
    plan(json!([resource]))
}

/// An object with one member. (`json!` would copy the value at each level of nesting.)
fn member(name: &str, value: Value) -> Value {
    Value::Object([(name.to_owned(), value)].into_iter().collect())
}

/// `value` inside `levels` objects.
fn nested(levels: usize, value: Value) -> Value {
    (0..levels).fold(value, |value, _| member("d", value))
}

/// A schema whose `test_a` is this block.
fn schema(block: Value) -> String {
    json!({ "format_version": "1.0", "provider_schemas": { "registry.example/acme/test": {
        "resource_schemas": { "test_a": { "block": block } } } } })
    .to_string()
}
