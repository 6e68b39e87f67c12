//! Replacements are shown as a tree of their causes, and unknown values with their source.

use serde_json::{Map, Value, json};

use crate::plan::{Change, PlanBuilder};

use super::{options, terminal_of, with_findings};
use tfview::internals::review::Options;

/// A replacement of `address` that these attributes force.
fn replaced(address: &str, forced: &[&str]) -> Change {
    let members = |value: Value| -> Map<String, Value> {
        let member = |name: &&str| ((*name).to_owned(), value.clone());
        forced.iter().map(member).collect()
    };
    let (mut before, mut unknown) = (members("old".into()), members(true.into()));
    before.insert("id".to_owned(), "i".into());
    unknown.insert("id".to_owned(), true.into());
    let paths: Vec<[&str; 1]> = forced.iter().map(|name| [*name]).collect();
    Change::replaced(address, Value::Object(before), json!({}))
        .unknown(Value::Object(unknown))
        .forced_by(json!(paths))
}

/// A resource of the configuration whose attributes refer to others.
fn resource(address: &str, references: &[(&str, &str)]) -> String {
    let (kind, name) = address.split_once('.').unwrap();
    let expressions = references
        .iter()
        .map(|(name, to)| format!(r#""{name}":{{"references":["{to}"]}}"#));
    let expressions = expressions.collect::<Vec<_>>().join(",");
    format!(
        r#"{{"mode":"managed","type":"{kind}","name":"{name}","expressions":{{{expressions}}}}}"#
    )
}

fn plan(changes: &[Change], configuration: &[String]) -> String {
    PlanBuilder::of(changes.iter().cloned())
        .configuration(&format!(r#"{{"resources":[{}]}}"#, configuration.join(",")))
        .json()
}

fn text(plan: &str) -> String {
    with_findings(&[plan], &options(), |reviews| {
        terminal_of(&reviews[0], &options()).0
    })
}

/// A list has the tree; elsewhere, entries are below their causes.
fn tree_text(plan: &str) -> String {
    let options = Options {
        list: true,
        ..options()
    };
    with_findings(&[plan], &options, |reviews| {
        terminal_of(&reviews[0], &options).0
    })
}

/// The lines from the title of the tree to the first empty one.
fn tree(text: &str) -> Vec<&str> {
    let lines = text
        .lines()
        .skip_while(|line| !line.contains(" replaced, ") || !line.contains(" cause"));
    lines.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn replacements_with_one_cause_are_a_tree() {
    let changes = [
        replaced("aws_vpc.main", &["cidr_block"]),
        replaced("aws_subnet.a", &["vpc_id"]),
        replaced("aws_subnet.b[0]", &["vpc_id"]),
        replaced("aws_subnet.b[1]", &["vpc_id"]),
        replaced("aws_db_instance.db", &["subnet_id"]),
        replaced("aws_instance.alone", &["ami"]),
    ];
    let configuration = [
        resource("aws_vpc.main", &[]),
        resource("aws_subnet.a", &[("vpc_id", "aws_vpc.main.id")]),
        resource("aws_subnet.b", &[("vpc_id", "aws_vpc.main.id")]),
        resource("aws_db_instance.db", &[("subnet_id", "aws_subnet.a.id")]),
    ];
    let plan = plan(&changes, &configuration);
    let text = tree_text(&plan);
    let expected = [
        "    5 replaced, 1 cause",
        "      aws_vpc.main cidr_block",
        "        → aws_subnet.a (vpc_id) → aws_db_instance.db (subnet_id)",
        "        → aws_subnet.b[0, 1] × 2 (vpc_id)",
    ];
    assert_eq!(tree(&text), expected, "{text}");
}

#[test]
fn replacement_with_two_causes_is_shown_once_with_both() {
    let changes = [
        replaced("a.x", &["v"]),
        replaced("a.y", &["v"]),
        replaced("b.z", &["one", "two"]),
    ];
    let configuration = [
        resource("a.x", &[]),
        resource("a.y", &[]),
        resource("b.z", &[("one", "a.x.id"), ("two", "a.y.id")]),
    ];
    let text = tree_text(&plan(&changes, &configuration));
    assert_eq!(
        tree(&text),
        [
            "    2 replaced, 2 causes",
            "      a.x v → b.z (one; also a.y)"
        ],
        "{text}"
    );
}

#[test]
fn no_cause_without_references() {
    let changes = [replaced("a.x", &["v"]), replaced("b.y", &["w"])];
    for configuration in [vec![], vec![resource("a.x", &[]), resource("b.y", &[])]] {
        let text = tree_text(&plan(&changes, &configuration));
        assert!(tree(&text).is_empty(), "{text}");
    }
}

#[test]
fn no_cause_in_a_cycle_of_references() {
    let changes = [replaced("a.x", &["v"]), replaced("b.y", &["w"])];
    let configuration = [
        resource("a.x", &[("v", "b.y.id")]),
        resource("b.y", &[("w", "a.x.id")]),
    ];
    let text = tree_text(&plan(&changes, &configuration));
    assert!(tree(&text).is_empty(), "{text}");
}

#[test]
fn a_tree_is_bounded_and_counts_the_rest() {
    let mut changes = vec![replaced("a.root", &["v"])];
    let mut configuration = vec![resource("a.root", &[])];
    for index in 0..40 {
        changes.push(replaced(&format!("b.n{index}"), &["w"]));
        configuration.push(resource(&format!("b.n{index}"), &[("w", "a.root.id")]));
    }
    let text = tree_text(&plan(&changes, &configuration));
    let tree = tree(&text);
    assert_eq!(tree[0], "    41 replaced, 1 cause", "{text}");
    assert_eq!(
        (tree.len(), tree[13].trim()),
        (14, "… 29 more replaced; --context all shows all"),
        "{text}"
    );
}

#[test]
fn long_chain_does_not_overflow_the_stack() {
    let mut changes = vec![replaced("a.n0", &["v"])];
    let mut configuration = vec![resource("a.n0", &[])];
    for index in 1..5_000 {
        changes.push(replaced(&format!("a.n{index}"), &["v"]));
        configuration.push(resource(
            &format!("a.n{index}"),
            &[("v", &format!("a.n{}.id", index - 1))],
        ));
    }
    let text = tree_text(&plan(&changes, &configuration));
    assert_eq!(tree(&text)[0], "    5000 replaced, 1 cause");
    insta::assert_snapshot!(tree(&text).last().unwrap().trim(), @"… 4915 more replaced; --context all shows all");
}

#[test]
fn unknown_value_has_its_source_and_the_expected_policy() {
    let statements = json!({"statement": [
        {"sid": "Read", "effect": "Allow", "actions": ["s3:GetObject"], "resources": [],
         "principals": [{"type": "AWS", "identifiers": ["1"]}],
         "condition": [{"test": "Bool", "variable": "aws:SecureTransport", "values": ["true"]}]},
        {"effect": "Deny", "actions": ["*"], "not_resources": ["r"], "principals": []}]});
    let document = Change::new(
        "data.aws_iam_policy_document.d[0]",
        &["read"],
        Value::Null,
        statements,
    )
    .unknown(json!({"id": true, "json": true, "statement": [{"resources": [true]}, {}]}));
    let policy = Change::updated("aws_iam_policy.p", json!({"policy": "{}"}), json!({}))
        .unknown(json!({"policy": true}));
    let configuration = r#"{"mode":"managed","type":"aws_iam_policy","name":"p","expressions":{
        "policy":{"references":["data.aws_iam_policy_document.d[0].json","data.aws_iam_policy_document.d[0]"]}}}"#;
    let text = text(&plan(&[document, policy], &[configuration.to_owned()]));
    // The source is named once.
    insta::assert_snapshot!(text);
}
