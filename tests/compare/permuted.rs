//! A plan equals itself, and has the same result, if lists, sets and object members are written in another order.

use serde_json::{Map, Value};
use tfview::internals::compare::{Class, Options, Verdict};

use super::results::goldens;
use super::{Outcome, compare_result, fingerprint, plans, verdict_of};
use crate::random::{Random, some_fixtures};

/// The part of a schema that is needed to find the sets of a value.
#[derive(Clone, Copy)]
enum Shape<'s> {
    Block(&'s Value),
    Blocks(&'s Value),
    Nested(&'s Value),
    NestedItem(&'s Value),
    Type(&'s Value),
    Unknown,
}

impl<'s> Shape<'s> {
    fn member(self, name: &str) -> Self {
        match self {
            Self::Block(block) => attribute(&block["attributes"][name])
                .or_else(|| block["block_types"].get(name).map(Self::Blocks))
                .unwrap_or(Self::Unknown),
            Self::Blocks(blocks) if blocks["nesting_mode"] == "map" => {
                Self::Block(&blocks["block"])
            }
            Self::Blocks(blocks) => Self::Block(&blocks["block"]).member(name),
            Self::Nested(nested) if nested["nesting_mode"] == "map" => Self::NestedItem(nested),
            Self::Nested(nested) | Self::NestedItem(nested) => {
                attribute(&nested["attributes"][name]).unwrap_or(Self::Unknown)
            }
            Self::Type(of) if of[0] == "map" => Self::Type(&of[1]),
            Self::Type(of) if of[0] == "object" => Self::Type(&of[1][name]),
            Self::Type(_) | Self::Unknown => Self::Unknown,
        }
    }

    fn element(self) -> Self {
        match self {
            Self::Blocks(blocks) => Self::Block(&blocks["block"]),
            Self::Nested(nested) => Self::NestedItem(nested),
            Self::Type(of) if of[0] == "set" || of[0] == "list" => Self::Type(&of[1]),
            Self::Block(_) | Self::NestedItem(_) | Self::Type(_) | Self::Unknown => Self::Unknown,
        }
    }

    fn is_set(self) -> bool {
        match self {
            Self::Blocks(of) | Self::Nested(of) => of["nesting_mode"] == "set",
            Self::Type(of) => of[0] == "set",
            Self::Block(_) | Self::NestedItem(_) | Self::Unknown => false,
        }
    }
}

fn attribute(attribute: &Value) -> Option<Shape<'_>> {
    attribute
        .get("nested_type")
        .map(Shape::Nested)
        .or_else(|| attribute.get("type").map(Shape::Type))
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for index in (1..items.len()).rev() {
        items.swap(index, random.below(index + 1));
    }
}

/// Shuffles the sets of the first tree, and the corresponding parts of the others in the same way. Returns
/// the number of shuffled sets.
fn shuffle_sets(random: &mut Random, trees: &mut [&mut Value], shape: Shape<'_>) -> usize {
    let mut count = 0;
    if let Some(members) = trees[0].as_object() {
        for name in members.keys().cloned().collect::<Vec<_>>() {
            let mut below: Vec<&mut Value> = trees
                .iter_mut()
                .filter_map(|tree| tree.get_mut(&name))
                .collect();
            count += shuffle_sets(random, &mut below, shape.member(&name));
        }
        return count;
    }
    let Some(length) = trees[0].as_array().map(Vec::len) else {
        return 0;
    };
    for index in 0..length {
        let mut below: Vec<&mut Value> = trees
            .iter_mut()
            .filter_map(|tree| tree.get_mut(index))
            .collect();
        count += shuffle_sets(random, &mut below, shape.element());
    }
    let is_parallel = trees
        .iter()
        .all(|tree| !tree.is_array() || tree.as_array().unwrap().len() == length);
    if shape.is_set() && length > 1 && is_parallel {
        let mut order: Vec<usize> = (0..length).collect();
        shuffle(random, &mut order);
        for tree in trees.iter_mut().filter(|tree| tree.is_array()) {
            let old = tree.as_array().unwrap().clone();
            **tree = order.iter().map(|index| old[*index].clone()).collect();
        }
        count += 1;
    }
    count
}

/// Writes JSON with the members of objects in a random order.
fn write(random: &mut Random, value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write(random, item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            shuffle(random, &mut members);
            text.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                text.push_str(if index > 0 { ",\n" } else { "" });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(random, member, text);
            }
            text.push('}');
        }
        other => text.push_str(&other.to_string()),
    }
}

fn permuted(random: &mut Random, plan: &Value, schema: Option<&Value>) -> (String, usize) {
    let mut plan = plan.clone();
    let mut sets = 0;
    for list in ["resource_changes", "resource_drift", "deferred_changes"] {
        let Some(changes) = plan.get_mut(list).and_then(Value::as_array_mut) else {
            continue;
        };
        shuffle(random, changes);
        for change in changes {
            let change = if list == "deferred_changes" {
                &mut change["resource_change"]
            } else {
                change
            };
            let mode = if change["mode"] == "data" {
                "data_source_schemas"
            } else {
                "resource_schemas"
            };
            let (provider, kind) = (
                change["provider_name"].to_string(),
                change["type"].to_string(),
            );
            let name = |text: String| text.trim_matches('"').to_owned();
            let (provider, kind) = (name(provider), name(kind));
            let shape = schema
                .map(|schema| &schema["provider_schemas"][&provider][mode][&kind]["block"])
                .map_or(Shape::Unknown, Shape::Block);
            let mut taken: Map<String, Value> = match change["change"].take() {
                Value::Object(members) => members,
                _ => continue,
            };
            for (side, beside) in [
                ("before", &["before_sensitive"][..]),
                ("after", &["after_unknown", "after_sensitive"]),
            ] {
                let mut trees: Vec<Value> = vec![taken.get(side).cloned().unwrap_or_default()];
                trees.extend(
                    beside
                        .iter()
                        .map(|name| taken.get(*name).cloned().unwrap_or_default()),
                );
                let mut references: Vec<&mut Value> = trees.iter_mut().collect();
                sets += shuffle_sets(random, &mut references, shape);
                for (name, tree) in std::iter::once(&side).chain(beside).zip(trees) {
                    taken.insert((*name).to_owned(), tree);
                }
            }
            if let Some(paths) = taken.get_mut("replace_paths").and_then(Value::as_array_mut) {
                shuffle(random, paths);
            }
            change["change"] = Value::Object(taken);
        }
    }
    let mut text = String::new();
    write(random, &plan, &mut text);
    (text, sets)
}

#[test]
fn order_of_lists_sets_and_members_does_not_matter() {
    let mut random = Random::new(20);
    let mut sets = 0;
    for (name, plan, schema) in some_fixtures(plans(600_000), 0) {
        // Numbers are compared as text, so `serde_json` must write both sides.
        let written = plan.to_string();
        let parsed: Option<Value> = schema
            .as_deref()
            .map(|schema| serde_json::from_str(schema).unwrap());
        let (other, shuffled) = permuted(&mut random, &plan, parsed.as_ref());
        sets += shuffled;
        let (verdict, text) = verdict_of(&written, &other, schema.as_deref());
        // A plan whose planning failed is never as approved.
        let expected = if plan["errored"] == Value::Bool(true) {
            Verdict::Within
        } else {
            Verdict::Same
        };
        assert_eq!(verdict, expected, "{name}\n{text}");
        let schema = schema.as_deref();
        assert_eq!(
            fingerprint(&written, schema, true),
            fingerprint(&other, schema, true),
            "{name}"
        );
    }
    assert!(sets > 50, "only {sets} sets were shuffled");
}

/// Shuffles the resources and modules of a state.
fn shuffle_module(random: &mut Random, module: &mut Value) {
    for list in ["resources", "child_modules"] {
        let Some(items) = module.get_mut(list).and_then(Value::as_array_mut) else {
            continue;
        };
        shuffle(random, items);
        items
            .iter_mut()
            .for_each(|item| shuffle_module(random, item));
    }
}

#[test]
fn order_of_members_and_log_prefixes_do_not_change_a_result() {
    let mut random = Random::new(23);
    let mut compared = 0;
    for case in some_fixtures(goldens(), 1)
        .into_iter()
        .filter(|case| case.plan.len() < 200_000)
    {
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let schema: Option<Value> = case
            .schema
            .as_deref()
            .map(|schema| serde_json::from_str(schema).unwrap());
        let (other_plan, _) = permuted(&mut random, &plan, schema.as_ref());
        for result in [&case.run, &case.state].into_iter().flatten() {
            let mut other = String::new();
            if case.state.as_ref() == Some(result) {
                let mut state: Value = serde_json::from_str(result).unwrap();
                shuffle_module(&mut random, &mut state["values"]["root_module"]);
                write(&mut random, &state, &mut other);
            } else {
                for line in result.lines() {
                    let mut text = String::new();
                    write(&mut random, &serde_json::from_str(line).unwrap(), &mut text);
                    other.push_str(&format!(
                        "2026-11-21T00:00:00Z stdout {}\nanother line\n",
                        text.replace('\n', " ")
                    ));
                }
            }
            let schema = case.schema.as_deref();
            let one = compare_result(&case.plan, result, schema, &Options::default()).unwrap();
            let two = compare_result(&other_plan, &other, schema, &Options::default()).unwrap();
            let counts = |outcome: &Outcome| {
                let mut classes: Vec<Class> = outcome
                    .classes
                    .iter()
                    .copied()
                    .filter(|class| *class != Class::Known)
                    .collect();
                classes.sort_unstable();
                classes
            };
            assert_eq!(
                counts(&one),
                counts(&two),
                "{}\n{}\n{}",
                case.name,
                one.terminal,
                two.terminal
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
