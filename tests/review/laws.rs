//! The edits in the JSON of a review are true, complete and minimal, as `docs/review.md` defines it. Checked
//! with the plans of the fixtures and with generated plans.

use std::collections::BTreeMap;

use bumpalo::Bump;
use serde_json::{Value, json};
use tfview::internals::json as document;

use super::{generated, some_cases};
use crate::display::review_json;
use crate::random;

/// A value with its unknown and sensitive parts.
#[derive(Clone, Debug)]
enum Marked {
    Absent,
    Unknown,
    Scalar(Value),
    Array(Vec<Self>),
    Object(BTreeMap<String, Self>),
    Sensitive(Box<Self>),
}

use Marked::{Absent, Array, Object, Scalar, Sensitive, Unknown};

/// Parses a document with each number as a string, so that `1.0` differs from `1`.
fn read(text: &str) -> Value {
    fn of(value: document::Value<'_>) -> Value {
        match value {
            document::Value::Null => Value::Null,
            document::Value::Bool(value) => Value::Bool(value),
            document::Value::Number(text) => Value::String(format!("{NUMBER}{text}")),
            document::Value::String(text) => Value::String(text.to_owned()),
            document::Value::Array(items) => items.iter().map(|item| of(*item)).collect(),
            document::Value::Object(object) => Value::Object(
                object
                    .members()
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), of(*value)))
                    .collect(),
            ),
        }
    }
    let arena = Bump::new();
    of(document::parse(text, &arena).unwrap())
}

/// The prefix of a number that is read as a string.
const NUMBER: &str = "\0number ";

fn number(value: &Value) -> Option<usize> {
    value.as_str()?.strip_prefix(NUMBER)?.parse().ok()
}

fn any_true(tree: &Value) -> bool {
    match tree {
        Value::Bool(value) => *value,
        Value::Array(items) => items.iter().any(any_true),
        Value::Object(members) => members.values().any(any_true),
        Value::Null | Value::Number(_) | Value::String(_) => false,
    }
}

/// Combines the three trees of a plan: a value, its unknown parts and its sensitivity marks.
fn marked(value: &Value, unknown: &Value, mark: &Value) -> Marked {
    let null = Value::Null;
    let plain = match (value, unknown) {
        (_, Value::Bool(true)) => Unknown,
        (_, Value::Object(parts)) if any_true(unknown) => {
            let empty = serde_json::Map::new();
            let members = value.as_object().unwrap_or(&empty);
            let names = members.keys().chain(
                parts
                    .iter()
                    .filter(|(_, part)| any_true(part))
                    .map(|(name, _)| name),
            );
            let of = |name: &String| {
                let get = |tree: &Value| tree.get(name).unwrap_or(&null).clone();
                (
                    name.clone(),
                    marked(
                        members.get(name).unwrap_or(&null),
                        &get(unknown),
                        &get(mark),
                    ),
                )
            };
            Object(names.map(of).collect())
        }
        (_, Value::Array(parts)) if any_true(unknown) => {
            let items = value.as_array().map_or(&[][..], Vec::as_slice);
            let last = parts.iter().rposition(any_true).map_or(0, |last| last + 1);
            let item_at = |tree: &Value, index: usize| tree.get(index).unwrap_or(&null).clone();
            let of = |index| {
                marked(
                    items.get(index).unwrap_or(&null),
                    &item_at(unknown, index),
                    &item_at(mark, index),
                )
            };
            Array((0..items.len().max(last)).map(of).collect())
        }
        (Value::Null, _) => Absent,
        (Value::Object(members), _) => {
            let of = |(name, member): (&String, &Value)| {
                (
                    name.clone(),
                    marked(member, &null, mark.get(name).unwrap_or(&null)),
                )
            };
            Object(members.iter().map(of).collect())
        }
        (Value::Array(items), _) => {
            let of = |(item_at, item): (usize, &Value)| {
                marked(item, &null, mark.get(item_at).unwrap_or(&null))
            };
            Array(items.iter().enumerate().map(of).collect())
        }
        (scalar, _) => Scalar(scalar.clone()),
    };
    if *mark == Value::Bool(true) && !matches!(plain, Absent) {
        Sensitive(Box::new(plain))
    } else {
        plain
    }
}

/// Removes the marks that the plan does not have: a schema may add some, and a mark that does not fit the
/// shape of its value hides the whole value.
fn trimmed(value: Marked, plan: &Marked) -> Marked {
    match (value, plan) {
        (Sensitive(inner), Sensitive(plan)) => Sensitive(Box::new(trimmed(*inner, plan))),
        (Sensitive(inner), plan) => trimmed(*inner, plan),
        (Array(items), plan) => {
            let element = |index: usize| {
                if let Array(items) = plan {
                    items.get(index)
                } else {
                    None
                }
            };
            let items = items.into_iter().enumerate();
            Array(
                items
                    .map(|(index, item)| trimmed(item, element(index).unwrap_or(&Absent)))
                    .collect(),
            )
        }
        (Object(members), plan) => {
            let get = |name: &str| {
                if let Object(members) = plan {
                    members.get(name)
                } else {
                    None
                }
            };
            let of = |(name, member): (String, Marked)| {
                let member = trimmed(member, get(&name).unwrap_or(&Absent));
                (name, member)
            };
            Object(members.into_iter().map(of).collect())
        }
        (value @ (Absent | Unknown | Scalar(_)), _) => value,
    }
}

fn same(a: &Marked, b: &Marked) -> bool {
    match (a, b) {
        (Absent, Absent) | (Unknown, Unknown) => true,
        (Scalar(a), Scalar(b)) => a == b,
        (Sensitive(a), Sensitive(b)) => same(a, b),
        (Array(a), Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Object(a), Object(b)) => a.keys().chain(b.keys()).all(|name| {
            same(
                a.get(name).unwrap_or(&Absent),
                b.get(name).unwrap_or(&Absent),
            )
        }),
        _ => false,
    }
}

/// Whether both contain the same elements in any order.
fn same_set(a: &Marked, b: &Marked) -> bool {
    let (Array(a), Array(b)) = (a, b) else {
        return same(a, b);
    };
    let mut rest: Vec<&Marked> = b.iter().collect();
    let all_matched = a.iter().all(|item| {
        let index = rest.iter().position(|other| same(item, other));
        index.map(|index| rest.swap_remove(index)).is_some()
    });
    all_matched && rest.is_empty()
}

fn slot(slot: &Value) -> Marked {
    if slot.get("absent").is_some() {
        return Absent;
    }
    let mut value = marked(&slot["value"], &Value::Null, &Value::Null);
    let paths = |name: &str| {
        slot.get(name)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    for path in paths("unknown") {
        *at_mut(&mut value, path.as_array().unwrap()) = Unknown;
    }
    for path in paths("sensitive") {
        let target = at_mut(&mut value, path.as_array().unwrap());
        if !matches!(target, Absent) {
            *target = Sensitive(Box::new(target.clone()));
        }
    }
    value
}

fn at_mut<'v>(value: &'v mut Marked, path: &[Value]) -> &'v mut Marked {
    let Some((step, rest)) = path.split_first() else {
        return value;
    };
    match value {
        Array(items) => at_mut(&mut items[number(step).unwrap()], rest),
        Object(members) => at_mut(members.get_mut(step.as_str().unwrap()).unwrap(), rest),
        Absent | Unknown | Scalar(_) | Sensitive(_) => unreachable!("{step} leads into {value:?}"),
    }
}

fn place(step: &Value, side: &str) -> Option<usize> {
    number(&step[side])
}

/// The value of a plan at the path of an edit.
fn at(value: &Marked, path: &[Value], side: &str) -> Marked {
    let Some((step, rest)) = path.split_first() else {
        return value.clone();
    };
    let next = match (value, step["name"].as_str()) {
        (Object(members), Some(name)) => members.get(name),
        (Array(items), None) => place(step, side).and_then(|index| items.get(index)),
        (Sensitive(_) | Unknown, _) => return value.clone(),
        _ => None,
    };
    next.map_or(Absent, |next| at(next, rest, side))
}

/// Applies edits to `value`, which is at the first `depth` steps of their paths.
fn rebuilt(value: &Marked, edits: &[&Value], depth: usize) -> Result<Marked, String> {
    let path = |edit: &Value| edit["path"].as_array().unwrap().clone();
    if let Some(whole) = edits.iter().find(|edit| path(edit).len() == depth) {
        return if edits.len() == 1 {
            Ok(slot(&whole["after"]))
        } else {
            Err("edits below an edit".to_owned())
        };
    }
    let mut names: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    let mut elements: BTreeMap<(Option<usize>, Option<usize>), Vec<&Value>> = BTreeMap::new();
    for edit in edits {
        let step = &path(edit)[depth];
        match step["name"].as_str() {
            Some(name) => names.entry(name.to_owned()).or_default().push(edit),
            None => elements
                .entry((place(step, "before"), place(step, "after")))
                .or_default()
                .push(edit),
        }
    }
    if elements.is_empty() {
        let mut members = if let Object(members) = value {
            members.clone()
        } else {
            BTreeMap::new()
        };
        for (name, edits) in names {
            let member = rebuilt(members.get(&name).unwrap_or(&Absent), &edits, depth + 1)?;
            members.insert(name, member);
        }
        return Ok(Object(members));
    }
    if !names.is_empty() {
        return Err("names and places at one path".to_owned());
    }
    let old = if let Array(items) = value {
        items.clone()
    } else {
        Vec::new()
    };
    let (mut mentioned, mut placed) = (vec![false; old.len()], BTreeMap::new());
    for ((before, after), edits) in elements {
        if let Some(before) = before
            && std::mem::replace(&mut mentioned[before], true)
        {
            return Err(format!("place {before} twice"));
        }
        let new = rebuilt(
            before.map_or(&Absent, |before| &old[before]),
            &edits,
            depth + 1,
        )?;
        match after {
            Some(after) => drop(placed.insert(after, new)),
            None if matches!(new, Absent) => {}
            None => return Err("a removed element with a value".to_owned()),
        }
    }
    let mut rest = old
        .into_iter()
        .zip(mentioned)
        .filter(|(_, mentioned)| !mentioned)
        .map(|(item, _)| item);
    let mut items = Vec::new();
    loop {
        match placed
            .remove(&items.len())
            .map(Some)
            .unwrap_or_else(|| rest.next())
        {
            Some(item) => items.push(item),
            None if placed.is_empty() => break,
            None => return Err("places that leave holes".to_owned()),
        }
    }
    Ok(Array(items))
}

/// Whether two values are equal, except for the order of elements that an edit labels as a set.
fn equal(a: &Marked, b: &Marked, edits: &[&Value]) -> bool {
    let mut sets: Vec<Vec<Option<String>>> = Vec::new();
    for edit in edits {
        let path = edit["path"].as_array().unwrap();
        let names: Vec<_> = path
            .iter()
            .map(|step| step["name"].as_str().map(str::to_owned))
            .collect();
        let is_set = |index: &usize| path[*index].get("set").is_some();
        sets.extend(
            (0..path.len())
                .filter(is_set)
                .map(|index| names[..index].to_vec()),
        );
    }
    fn equal_within(
        a: &Marked,
        b: &Marked,
        path: &mut Vec<Option<String>>,
        sets: &[Vec<Option<String>>],
    ) -> bool {
        let mut below = |step: Option<&String>, a: &Marked, b: &Marked| {
            path.push(step.cloned());
            let equal = equal_within(a, b, path, sets);
            path.pop();
            equal
        };
        match (a, b) {
            (Object(x), Object(y)) => x.keys().chain(y.keys()).all(|name| {
                below(
                    Some(name),
                    x.get(name).unwrap_or(&Absent),
                    y.get(name).unwrap_or(&Absent),
                )
            }),
            (Array(x), Array(y)) => {
                (x.len() == y.len() && x.iter().zip(y).all(|(x, y)| below(None, x, y)))
                    || (sets.contains(path) && same_set(a, b))
            }
            _ => same(a, b),
        }
    }
    equal_within(a, b, &mut Vec::new(), &sets)
}

/// The violations of the laws by the edits between two values.
fn faults(edits: &[Value], before: &Marked, after: &Marked) -> Vec<String> {
    let mut faults = Vec::new();
    let all: Vec<&Value> = edits.iter().collect();
    for edit in edits {
        let path = edit["path"].as_array().unwrap();
        for (side, document) in [("before", before), ("after", after)] {
            let wanted = at(document, path, side);
            if !same(&trimmed(slot(&edit[side]), &wanted), &wanted) {
                faults.push(format!("not true: {side} of {edit}"));
            }
        }
        let (b, a) = (slot(&edit["before"]), slot(&edit["after"]));
        let is_order =
            edit["labels"].as_array().unwrap().contains(&json!("order")) && same_set(&b, &a);
        if matches!((&b, &a), (Array(_), Array(_)) | (Object(_), Object(_)))
            && !same(&b, &a)
            && !is_order
        {
            faults.push(format!("not minimal: changes inside of {edit}"));
        }
        if same(&b, &a) {
            let moved = path
                .iter()
                .any(|step| place(step, "before") != place(step, "after"));
            let rest: Vec<&Value> = edits
                .iter()
                .filter(|other| !std::ptr::eq(*other, edit))
                .collect();
            let without = rebuilt(before, &rest, 0).map(|value| trimmed(value, after));
            if !moved || without.is_ok_and(|value| equal(&value, after, &all)) {
                faults.push(format!("not minimal: {edit}"));
            }
        }
        if edit["inside"]["format"] == "json" {
            let read = |side: &str| {
                marked(
                    &read(edit[side]["value"].as_str().unwrap()),
                    &Value::Null,
                    &Value::Null,
                )
            };
            let inside = edit["inside"]["edits"].as_array().unwrap();
            faults.extend(self::faults(inside, &read("before"), &read("after")));
        }
    }
    if edits.is_empty() {
        if !same(before, after) {
            faults.push("not complete: no edits".to_owned());
        }
        return faults;
    }
    match rebuilt(before, &all, 0) {
        Ok(value) if equal(&trimmed(value.clone(), after), after, &all) => {}
        Ok(value) => faults.push(format!("not complete: {value:?} instead of {after:?}")),
        Err(error) => faults.push(format!("not complete: {error}")),
    }
    faults
}

/// Checks a plan; returns the number of its edits.
pub(super) fn check(name: &str, text: &str, schema: Option<&str>) -> usize {
    let plan = read(text);
    let review = review_json(text, schema, true).unwrap();
    crate::json_schema::validate("review", &review, name);
    let review = read(&review);
    let review = &review["plans"][0];
    let list = |holder: &Value, name: &str| holder[name].as_array().cloned().unwrap_or_default();
    let is_listed = |change: &Value| {
        let previous = &change["previous_address"];
        change["change"]["actions"] != json!(["no-op"])
            || !change["change"]["importing"].is_null()
            || (previous.is_string() && *previous != change["address"])
    };
    let planned = list(&plan, "resource_changes")
        .into_iter()
        .filter(is_listed)
        .collect();
    let deferred = list(&plan, "deferred_changes")
        .into_iter()
        .map(|it| it["resource_change"].clone())
        .collect();
    let mut checked = 0;
    for (kind, changes) in [
        ("resources", planned),
        ("drift", list(&plan, "resource_drift")),
        ("deferred", deferred),
    ] {
        let changes: Vec<Value> = changes;
        let entries = list(review, kind);
        assert_eq!(entries.len(), changes.len(), "{name}: entries in {kind}");
        for (entry, change) in entries.iter().zip(&changes) {
            assert_eq!(entry["actions"], change["change"]["actions"], "{name}");
            checked += check_edits(name, entry, &change["change"]);
        }
    }
    for output in list(review, "outputs") {
        let change = &plan["output_changes"][output["name"].as_str().unwrap()];
        checked += check_edits(name, &output, change);
    }
    checked
}

fn check_edits(name: &str, entry: &Value, change: &Value) -> usize {
    let before = marked(&change["before"], &Value::Null, &change["before_sensitive"]);
    let after = marked(
        &change["after"],
        &change["after_unknown"],
        &change["after_sensitive"],
    );
    let edits = entry["edits"].as_array().unwrap();
    let faults = faults(edits, &before, &after);
    assert!(
        faults.is_empty(),
        "{name}: {}: {faults:#?}\n{change}",
        entry["address"]
    );
    edits.len()
}

#[test]
fn edits_of_all_fixtures_are_true_complete_and_minimal() {
    let checked: usize = some_cases(2)
        .iter()
        .map(|case| check(&case.name, &case.plan, Some(&case.schema)))
        .sum();
    assert!(checked > 1_000, "{checked} edits");
}

#[test]
fn edits_of_generated_plans_are_true_complete_and_minimal() {
    for seed in (0..random::cases(1)).map(|case| random::first_seed() + case) {
        check(
            &format!("seed {seed}"),
            &generated::plan(seed),
            Some(super::SCHEMA),
        );
    }
}

#[test]
fn violations_of_the_laws_are_found() {
    let marked = |text: &str| marked(&read(text), &Value::Null, &Value::Null);
    let (before, after) = (marked(r#"{"a":[1,2,3]}"#), marked(r#"{"a":[1,3,4]}"#));
    let edit = |path: Value, before: Value, after: Value| {
        read(&json!({"path": path, "before": before, "after": after, "labels": []}).to_string())
    };
    let step =
        |before: Value, after: Value| json!([{"name": "a"}, {"before": before, "after": after}]);
    let removed = edit(
        step(json!(1), Value::Null),
        json!({"value": 2}),
        json!({"absent": true}),
    );
    let added = edit(
        step(Value::Null, json!(2)),
        json!({"absent": true}),
        json!({"value": 4}),
    );
    assert_eq!(
        faults(&[removed.clone(), added.clone()], &before, &after),
        Vec::<String>::new()
    );
    assert!(
        !faults(std::slice::from_ref(&removed), &before, &after).is_empty(),
        "an edit is missing"
    );
    let wrong = edit(
        step(Value::Null, json!(2)),
        json!({"absent": true}),
        json!({"value": 5}),
    );
    assert!(
        !faults(&[removed.clone(), wrong], &before, &after).is_empty(),
        "a value is wrong"
    );
    let whole = edit(
        json!([{"name": "a"}]),
        json!({"value": [1, 2, 3]}),
        json!({"value": [1, 3, 4]}),
    );
    assert!(
        !faults(&[whole], &before, &after).is_empty(),
        "an edit is not deep enough"
    );
    let moved = edit(
        step(json!(2), json!(1)),
        json!({"value": 3}),
        json!({"value": 3}),
    );
    assert!(
        !faults(&[removed, added, moved], &before, &after).is_empty(),
        "a shift is no move"
    );
}
