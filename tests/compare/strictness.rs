//! A fingerprint is as strict as `diff`: it differs exactly where `diff` finds more than objects that changed outside
//! of the plans.

use serde_json::{Value, json};
use tfview::internals::compare::{Class, Options};

use super::{compare, fingerprint};
use crate::plan::{Change, PlanBuilder};
use crate::random::{Random, cases};

/// A small value of any type; a part of an object may be null or absent.
fn value(random: &mut Random, depth: usize) -> Value {
    let scalars = [
        json!(null),
        json!(""),
        json!("a"),
        json!("b"),
        json!(true),
        json!(1),
        json!([]),
        json!({}),
    ];
    match random.below(if depth == 0 { 2 } else { 4 }) {
        0 | 1 => random.pick(&scalars).clone(),
        2 => {
            let items: Vec<Value> = (0..random.below(3))
                .map(|_| value(random, depth - 1))
                .collect();
            json!(items)
        }
        _ => {
            let mut object = json!({});
            for name in ["k", "l", "m"] {
                if random.one_in(2) {
                    object[name] = value(random, depth - 1);
                }
            }
            object
        }
    }
}

/// The same value, or one in which something is different.
fn altered(random: &mut Random, from: &Value) -> Value {
    match from {
        Value::Object(members) if !members.is_empty() && !random.one_in(4) => {
            let mut object = from.clone();
            let names: Vec<&String> = members.keys().collect();
            let name = *random.pick(&names);
            object[name] = altered(random, &members[name]);
            object
        }
        _ if random.one_in(3) => from.clone(),
        _ => value(random, 2),
    }
}

fn plan(before: &Value, after: &Value) -> String {
    PlanBuilder::of([Change::updated("x_a.a", before, after)]).json()
}

#[test]
fn a_fingerprint_differs_exactly_where_diff_finds_a_difference() {
    let mut random = Random::new(11);
    let [mut outside, mut different] = [0, 0];
    for _ in 0..cases(100) {
        let [was_before, was_after] =
            [(); 2].map(|()| json!({ "id": "1", "v": value(&mut random, 2) }));
        let is_before = altered(&mut random, &was_before);
        let is_after = if random.one_in(3) {
            altered(&mut random, &was_after)
        } else {
            was_after.clone()
        };
        if !is_before.is_object() || !is_after.is_object() || was_before["id"] != is_before["id"] {
            continue;
        }
        let [approved, now] = [plan(&was_before, &was_after), plan(&is_before, &is_after)];
        let outcome = compare(&approved, &now, None, &Options::default());
        let is_outside = outcome.classes.iter().all(|class| *class == Class::Drifted);
        let differs = fingerprint(&approved, None, true) != fingerprint(&now, None, true);
        assert_eq!(
            differs, !is_outside,
            "{approved}\n{now}\n{}",
            outcome.terminal
        );
        outside += usize::from(is_outside && was_before != is_before);
        different += usize::from(differs);
    }
    assert!(outside > 20 && different > 20, "{outside} {different}");
}
