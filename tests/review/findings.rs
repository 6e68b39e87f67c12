//! Regression tests for wrong or missing text in reviews. Each test is named after what broke.

use serde_json::{Value, json};

use crate::cli::harness::without_identity;
use crate::plan::{Change, PlanBuilder};
use tfview::internals::report::Budget;
use tfview::internals::review::Options;

use super::{markdown_of, options, terminal, update, with_findings, with_review};

#[test]
fn an_empty_block_that_is_added_or_removed_is_shown() {
    let text = terminal(
        &update(
            r#"{"d":[{"block":[{}],"allow":[]}]}"#,
            r#"{"d":[{"block":[],"allow":[{}]}]}"#,
        ),
        &options(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn the_order_of_a_list_is_not_cosmetic() {
    let text = terminal(
        &update(
            r#"{"rules":["allow","deny"]}"#,
            r#"{"rules":["deny","allow"]}"#,
        ),
        &options(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn removed_block_differs_from_an_emptied_list() {
    let removed = terminal(
        &update(r#"{"m":[{"c":[{"x":"1"}]}]}"#, r#"{"m":[]}"#),
        &options(),
    );
    let emptied = terminal(
        &update(r#"{"m":[{"c":[{"x":"1"}]}]}"#, r#"{"m":[{"c":[]}]}"#),
        &options(),
    );
    insta::assert_snapshot!(removed);
    insta::assert_snapshot!(emptied);
}

#[test]
fn value_that_becomes_unknown_has_its_old_value() {
    let text =
        plan(&[Change::updated("a.b", r#"{"policy":"old"}"#, "{}").unknown(r#"{"policy":true}"#)]);
    insta::assert_snapshot!(terminal(&text, &options()));
}

#[test]
fn numbers_are_grouped_by_value_even_if_one_equals_the_key() {
    let one = |key: usize, from: usize, to: usize| {
        Change::updated(
            &format!("a.b[{key}]"),
            json!({"n": from, "name": format!("w-{key}")}),
            json!({"n": to, "name": format!("w-{key}")}),
        )
    };
    let text = terminal(
        &plan(&[one(0, 5, 0), one(1, 5, 1), one(2, 5, 2)]),
        &options(),
    );
    insta::assert_snapshot!(text);
    let text = terminal(
        &plan(&[one(0, 2, 1), one(1, 2, 1), one(2, 2, 1)]),
        &options(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn destroyed_object_has_its_attributes() {
    let before = r#"{"id":"db-1","engine":"postgres","allocated_storage":500,"deletion_protection":false,"a":1,"b":2,"c":3,"d":4,"e":5,"tags":{"x":"y"}}"#;
    let text = plan(&[Change::destroyed("a.b", before)]);
    insta::assert_snapshot!(terminal(&text, &options()));
    let all = terminal(
        &text,
        &Options {
            unchanged: true,
            ..options()
        },
    );
    insta::assert_snapshot!(all);
}

#[test]
fn tags_do_not_come_before_public_access() {
    let text = terminal(
        &update(
            r#"{"a_tag":"x","publicly_accessible":false}"#,
            r#"{"a_tag":"y","publicly_accessible":true}"#,
        ),
        &options(),
    );
    let position_of = |name: &str| text.find(name).unwrap();
    assert!(
        position_of("publicly_accessible") < position_of("a_tag"),
        "{text}"
    );
}

#[test]
fn drift_without_effect_is_one_line() {
    let drift = Change::updated("a.b", r#"{"tags":null,"x":1}"#, r#"{"tags":{},"x":2}"#);
    let kept = Change::new(
        "a.b",
        &["no-op"],
        r#"{"tags":{},"x":2}"#,
        r#"{"tags":{},"x":2}"#,
    );
    let text = PlanBuilder::of([kept]).drift(drift).json();
    let shown = terminal(&text, &options());
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!(terminal(
        &text,
        &Options {
            all_drift: true,
            ..options()
        },
    ));
}

#[test]
fn long_strings_are_cut_around_what_differs() {
    let long = "abcdefghij, ".repeat(60);
    let text = terminal(
        &update(
            &format!("{{\"s\":\"{long}old{long}\"}}"),
            &format!("{{\"s\":\"{long}new{long}\"}}"),
        ),
        &options(),
    );
    insta::assert_snapshot!(text);
    assert!(
        text.lines().all(|line| line.chars().count() < 200),
        "{text}"
    );
}

#[test]
fn replacement_without_paths_has_a_note() {
    let text = plan(&[Change::replaced("a.b", r#"{"id":"1"}"#, "{}").unknown(r#"{"id":true}"#)]);
    insta::assert_snapshot!(terminal(&text, &options()));
}

#[test]
fn update_without_a_difference_has_a_note() {
    insta::assert_snapshot!(terminal(&update("{\"a\":1}", "{\"a\":1}"), &options()));
}

#[test]
fn failed_planning_has_the_name_of_the_plan() {
    let text = r#"{"format_version":"1.2","errored":true,"resource_changes":[]}"#;
    insta::assert_snapshot!(terminal(text, &options()));
}

#[test]
fn unknown_actions_that_delete_are_destroys_and_are_escaped() {
    let actions = ["delete", "[x](http://y)"];
    let text = plan(&[Change::new("a.b", &actions, r#"{"a":1}"#, Value::Null)]);
    insta::assert_snapshot!(terminal(&text, &options()));
    let (markdown, _) = with_review(&text, &options(), |review| {
        markdown_of(review, &options(), Budget::default())
    });
    super::markdown::check_markdown(&markdown, "unknown actions");
}

#[test]
fn markdown_has_an_index_and_folds_have_previews() {
    let changes: Vec<Change> = (0..8)
        .map(|index| {
            Change::updated(
                &format!("a.b{index}"),
                json!({"size": index, "public": false, "a": 1, "b": 1}),
                json!({"size": index + 1, "public": true, "a": 2, "b": 2}),
            )
        })
        .collect();
    let (text, _) = with_review(&plan(&changes), &options(), |review| {
        markdown_of(review, &options(), Budget::default())
    });
    insta::assert_snapshot!(without_identity(&text));
}

fn plan(changes: &[Change]) -> String {
    PlanBuilder::of(changes.iter().cloned()).json()
}

fn destroyed(kind: &str, name: &str, before: &str) -> Change {
    Change::destroyed(&format!("{kind}.{name}"), before)
}

fn kept(kind: &str, name: &str, value: &str) -> Change {
    Change::new(&format!("{kind}.{name}"), &["no-op"], value, value)
}

/// The addresses of the guards that a plan destroys while what they protect stays.
fn unguarded(changes: &[Change], configured: &str) -> Vec<String> {
    let text = PlanBuilder::of(changes.iter().cloned())
        .configuration(&format!(r#"{{"resources":[{configured}]}}"#))
        .json();
    let gate = tfview::internals::review::gate::Gate::from_word("finding:protection").unwrap();
    with_findings(&[&text], &options(), |reviews| gate.hits(&reviews[0]))
}

fn configured(kind: &str, name: &str, attribute: &str, reference: &str) -> String {
    let resource = reference
        .rsplit_once('.')
        .map_or(reference, |(resource, _)| resource);
    format!(
        r#"{{"mode":"managed","type":"{kind}","name":"{name}","expressions":{{"{attribute}":{{"references":["{reference}","{resource}"]}}}}}}"#
    )
}

const BLOCK: &str = "aws_s3_bucket_public_access_block";
const NAMED: &str = r#"{"id":"prod","bucket":"prod"}"#;

#[test]
fn guard_is_excused_only_by_what_it_guards() {
    let guard = destroyed(BLOCK, "g", NAMED);
    let hit = [format!("{BLOCK}.g")];
    let bucket = destroyed("aws_s3_bucket", "b", NAMED);
    assert_eq!(unguarded(&[guard.clone(), bucket.clone()], ""), [""; 0]);
    for other in [
        "null_resource",
        "random_id",
        "aws_s3_bucket_policy",
        "aws_s3_bucket_versioning",
        "aws_iam_role",
        "aws_vpc",
    ] {
        let findings = unguarded(&[guard.clone(), destroyed(other, "o", NAMED)], "");
        assert!(findings.contains(&hit[0]), "{other}: {findings:?}");
    }
    // A bucket of the same name stays, or is created again.
    let moved = Change::created("aws_s3_bucket.new", NAMED);
    assert_eq!(unguarded(&[guard.clone(), bucket.clone(), moved], ""), hit);
    assert_eq!(
        unguarded(
            &[guard.clone(), bucket, kept("aws_s3_bucket", "c", NAMED)],
            ""
        ),
        hit
    );
    let replaced = Change::replaced("aws_s3_bucket.b", NAMED, NAMED);
    assert_eq!(unguarded(&[guard.clone(), replaced], ""), hit);
    let forgotten = Change::new("aws_s3_bucket.b", &["forget"], NAMED, "null");
    assert_eq!(unguarded(&[guard, forgotten], ""), hit);
}

#[test]
fn flow_log_is_not_excused_by_its_role() {
    let log = destroyed(
        "aws_flow_log",
        "l",
        r#"{"id":"fl-1","vpc_id":"vpc-1","iam_role_arn":"arn:role"}"#,
    );
    let role = destroyed(
        "aws_iam_role",
        "r",
        r#"{"id":"flow","name":"flow","arn":"arn:role"}"#,
    );
    let [gone, stays] = [destroyed, kept].map(|make| make("aws_vpc", "v", r#"{"id":"vpc-1"}"#));
    assert_eq!(
        unguarded(&[log.clone(), role.clone(), stays], ""),
        ["aws_flow_log.l"]
    );
    assert_eq!(unguarded(&[log, role, gone], ""), [""; 0]);
}

#[test]
fn guard_is_excused_by_the_object_that_its_configuration_refers_to() {
    let alarm = destroyed(
        "aws_cloudwatch_metric_alarm",
        "a",
        r#"{"dimensions":{"Thing":"t-1"}}"#,
    );
    let [gone, stays] = [destroyed, kept].map(|make| make("acme_thing", "t", r#"{"id":"t-1"}"#));
    let refers = configured(
        "aws_cloudwatch_metric_alarm",
        "a",
        "dimensions",
        "acme_thing.t.id",
    );
    let hit = ["aws_cloudwatch_metric_alarm.a"];
    assert_eq!(unguarded(&[alarm.clone(), gone.clone()], &refers), [""; 0]);
    assert_eq!(unguarded(&[alarm.clone(), gone], ""), hit);
    assert_eq!(unguarded(&[alarm.clone(), stays], &refers), hit);
    // The object of that name is another one than the configuration refers to.
    let other = destroyed("acme_thing", "other", r#"{"id":"t-1"}"#);
    assert_eq!(unguarded(&[alarm, other], &refers), hit);
    // Two databases of one name, in two regions.
    let alarm = destroyed(
        "aws_cloudwatch_metric_alarm",
        "a",
        r#"{"dimensions":{"DBInstanceIdentifier":"main"}}"#,
    );
    let database = |name: &str| {
        destroyed(
            "aws_db_instance",
            name,
            r#"{"id":"db-1","identifier":"main"}"#,
        )
    };
    let refers = configured(
        "aws_cloudwatch_metric_alarm",
        "a",
        "dimensions",
        "aws_db_instance.eu.identifier",
    );
    assert_eq!(unguarded(&[alarm.clone(), database("us")], &refers), hit);
    assert_eq!(unguarded(&[alarm, database("eu")], &refers), [""; 0]);
}

#[test]
fn guard_of_several_objects_is_excused_by_all_of_them() {
    let selection = destroyed(
        "aws_backup_selection",
        "s",
        r#"{"resources":["arn:a","arn:b"]}"#,
    );
    let table = |name: &str| {
        destroyed(
            "aws_dynamodb_table",
            name,
            &format!(r#"{{"arn":"arn:{name}"}}"#),
        )
    };
    assert_eq!(
        unguarded(&[selection.clone(), table("a")], ""),
        ["aws_backup_selection.s"]
    );
    assert_eq!(unguarded(&[selection, table("a"), table("b")], ""), [""; 0]);
}

/// A limit that means none overflowed, and cut quoted words to 39 characters.
#[test]
fn quoted_words_of_a_list_are_whole_with_all_context() {
    let word = |end: &str| format!("({}{end})", "w".repeat(80));
    let after = format!(r#"{{"l":["a","{}","{}"]}}"#, word("1"), word("2"));
    let text = terminal(
        &update(r#"{"l":["a"]}"#, &after),
        &Options {
            unchanged: true,
            ..options()
        },
    );
    insta::assert_snapshot!(text, @r#"
    NOTICE  1 to change.

       ~ a.b
           l  + "(wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww1)", "(wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww2)"
           l[0]: "a"
    "#);
}
