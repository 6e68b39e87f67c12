//! A group of equal changes is written once, as its first member, so everything shown for that member must be
//! true for all members.

use serde_json::{Value, json};

use crate::cli::harness::without_identity;
use crate::plan::{Change, PlanBuilder, Side};
use tfview::internals::report::Budget;
use tfview::internals::review::Options;
use tfview::internals::review::entry::Sameness;

use super::{markdown_of, options, some_cases, terminal_of, with_findings};

/// A change of `KIND.p["KEY"]`.
fn instance(kind: &str, key: &str, before: impl Side, after: impl Side) -> Change {
    Change::between(&format!("{kind}.p[\"{key}\"]"), before, after)
}

/// A plan in which the configuration of `a.p` has these expressions.
fn plan(changes: &[Change], expressions: &str) -> String {
    PlanBuilder::of(changes.iter().cloned())
        .configuration(json!({"resources": [{"mode": "managed", "type": "a", "name": "p", "expressions": expressions.value()}]}))
        .json()
}

/// A review as text and as Markdown.
fn texts(plan: &str, options: &Options) -> [String; 2] {
    with_findings(&[plan], options, |reviews| {
        let markdown = markdown_of(&reviews[0], options, Budget::default()).0;
        [terminal_of(&reviews[0], options).0, markdown]
    })
}

fn rule(port: u16, cidr: &str) -> String {
    format!(
        r#"{{"id":"r","type":"ingress","protocol":"tcp","from_port":{port},"to_port":{port},"cidr_blocks":["{cidr}"]}}"#
    )
}

#[test]
fn finding_of_any_member_is_shown_if_its_key_is_a_network() {
    let create = |cidr: &str| {
        instance(
            "aws_security_group_rule",
            cidr,
            Value::Null,
            &rule(22, cidr),
        )
    };
    for keys in [["10.0.0.0/8", "0.0.0.0/0"], ["0.0.0.0/0", "10.0.0.0/8"]] {
        for text in texts(&plan(&keys.map(create), "{}"), &options()) {
            let marked = text
                .lines()
                .filter(|line| line.contains("exposure") || line.contains("**critical**"));
            let mut named = marked.filter(|line| line.contains("tcp/22 from 0.0.0.0/0"));
            assert!(named.next().is_some(), "{text}");
        }
    }
    // Members without a finding of their own stay in the group.
    let [text, _] = texts(
        &plan(&["10.1.0.0/16", "10.2.0.0/16"].map(create), "{}"),
        &options(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn members_of_a_group_have_equal_unchanged_ports() {
    let update = |(key, port): (&str, u16)| {
        let (before, after) = (rule(port, "10.0.0.0/8"), rule(port, "0.0.0.0/0"));
        instance("aws_security_group_rule", key, &before, &after)
    };
    for text in texts(
        &plan(&[("c", 22), ("d", 443), ("e", 443)].map(update), "{}"),
        &options(),
    ) {
        insta::assert_snapshot!(without_identity(&text));
    }
}

#[test]
fn unchanged_values_are_shown_for_each_member() {
    let update = |(key, id): (&str, &str)| {
        let side = |ami: &str| format!(r#"{{"id":"{id}","ami":"{ami}"}}"#);
        instance("a", key, &side("old"), &side("new"))
    };
    let plan = plan(&[("a", "i-1"), ("b", "i-2")].map(update), "{}");
    let [text, _] = texts(&plan, &options());
    insta::assert_snapshot!(text);
    let [text, _] = texts(
        &plan,
        &Options {
            unchanged: true,
            ..options()
        },
    );
    insta::assert_snapshot!(text);
}

#[test]
fn members_of_a_group_have_equal_causes() {
    let member =
        |key: &str| instance("a", key, r#"{"target":"x"}"#, "{}").unknown(r#"{"target":true}"#);
    let source =
        |key: &str| Change::created(&format!("b.s[\"{key}\"]"), "{}").unknown(r#"{"id":true}"#);
    let changes = [member("one"), member("two"), source("one"), source("two")];
    let [text, _] = texts(
        &plan(&changes, r#"{"target":{"references":["b.s","each.key"]}}"#),
        &options(),
    );
    insta::assert_snapshot!(text);
    // With the same source for all members, the changes are exactly equal.
    let one = plan(
        &[member("x"), member("y"), source("z")],
        r#"{"target":{"references":["b.s[\"z\"].id"]}}"#,
    );
    let [text, _] = texts(&one, &options());
    insta::assert_snapshot!(text);
}

#[test]
fn edits_that_only_look_alike_are_not_grouped() {
    let rules = |name: &str, priority: u8| {
        format!(r#"{{"v":[{{"name":"{name}","priority":{priority}}}]}}"#)
    };
    for sides in [
        [
            (r#"{"v":[]}"#, r#"{"v":null}"#),
            (r#"{"v":null}"#, r#"{"v":[]}"#),
        ],
        [
            (r#"{"v":["a","b"]}"#, r#"{"v":["b"]}"#),
            (r#"{"v":["a"]}"#, r#"{"v":[]}"#),
        ],
        [
            (&rules("one", 1), &rules("one", 2)),
            (&rules("two", 1), &rules("two", 2)),
        ],
    ] {
        let [one, two] = sides;
        let changes = [("x", one), ("y", two)]
            .map(|(key, (before, after))| instance("a", key, before, after));
        for text in texts(&plan(&changes, "{}"), &options()) {
            assert!(!text.contains("same change"), "{text}");
        }
    }
    // Elements that are named after the key of their own instance count as equal.
    let changes = ["one", "two"].map(|key| instance("a", key, &rules(key, 1), &rules(key, 2)));
    let [text, _] = texts(&plan(&changes, "{}"), &options());
    insta::assert_snapshot!(text);
}

/// The lines about the change of `address` in a review, with the address replaced.
fn lines_of_change(text: &str, address: &str) -> Vec<String> {
    let blocks = text
        .split("\n\n")
        .find(|block| block.contains(&format!(" {address} ")));
    blocks
        .unwrap_or_default()
        .lines()
        .map(|line| line.replace(address, "ADDRESS"))
        .collect()
}

#[test]
fn each_member_of_a_group_has_equal_lines_when_reviewed_alone() {
    let options = options();
    let mut compared = 0;
    for case in some_cases(1) {
        let plan: Value = serde_json::from_str(&case.plan).unwrap();
        let groups: Vec<Vec<String>> = with_findings(&[&case.plan], &options, |reviews| {
            let exact = reviews[0]
                .groups
                .iter()
                .filter(|group| group.same == Sameness::Exactly);
            exact
                .map(|group| {
                    group
                        .members
                        .iter()
                        .map(|member| (*member).to_owned())
                        .collect()
                })
                .collect()
        });
        for members in groups {
            let alone = |address: &String| {
                let mut plan = plan.clone();
                plan["resource_drift"] = Value::Null;
                let changes = plan["resource_changes"].as_array_mut().unwrap();
                changes.retain(|change| change["address"] == address.as_str());
                (changes.len() == 1)
                    .then(|| lines_of_change(&texts(&plan.to_string(), &options)[0], address))
            };
            let lines: Vec<_> = members
                .iter()
                .filter_map(alone)
                .filter(|lines| !lines.is_empty())
                .collect();
            for other in lines.iter().skip(1) {
                assert_eq!(other, &lines[0], "{}: {members:?}", case.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared}");
}
