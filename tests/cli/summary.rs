//! `--format text-summary` is short and says what is grave, whatever the plan; changes of tags alone are counted apart.

use serde_json::{Value, json};

use super::harness::tfview;
use crate::plan::{Change, PlanBuilder};

/// A database that is destroyed, whose type is not that of its address.
fn destroyed(address: &str) -> Change {
    let database = json!({ "id": "db", "engine": "postgres", "skip_final_snapshot": true });
    Change::destroyed(address, database).with("type", json!("aws_db_instance"))
}

fn summary(plan: &str, more: &str) -> String {
    let output = tfview(&format!("review --no-config --format text-summary {more}"))
        .stdin(plan)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    output.stdout
}

#[test]
fn a_summary_has_the_verdict_what_is_grave_and_the_link() {
    let plan = PlanBuilder::of([destroyed("aws_db_instance.a")]).json();
    let text = summary(&plan, "--run-url https://ci.example/runs/1");
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("CRITICAL: 1 to destroy")
            && lines[1].starts_with("- critical data-loss: aws_db_instance.a: "),
        "{text}"
    );
    assert_eq!(lines.last(), Some(&"https://ci.example/runs/1"), "{text}");
    assert_eq!(
        summary(r#"{"format_version":"1.2","resource_changes":[]}"#, ""),
        "No changes.\n"
    );
}

#[test]
fn a_summary_of_many_changes_fits_and_counts_the_rest() {
    let key = |index: usize| {
        format!(
            "aws_db_instance.a[\"{}-{index}\"]",
            "long".repeat(index % 90)
        )
    };
    let changes = (0..300).map(|index| {
        // Other values, so that each has a finding of its own.
        let database = json!({
            "id": "db", "engine": format!("engine {index}"), "skip_final_snapshot": index % 2 == 0,
        });
        let change = destroyed(&key(index)).in_change("before", database);
        if index % 3 == 0 {
            change.with("type", json!("x_unknown"))
        } else {
            change
        }
    });
    let text = summary(
        &PlanBuilder::of(changes).json(),
        "--run-url https://ci.example/runs/1",
    );
    assert!(
        text.chars().count() <= 1_500,
        "{}\n{text}",
        text.chars().count()
    );
    insta::assert_snapshot!(text);
}

#[test]
fn nothing_in_a_summary_acts_in_a_chat() {
    let hostile = "x_a.a[\"<!channel> @all [x](https://evil.example) ![y](z) `c` *b* #1 \u{1b}[31m\u{202e}\n::error::x\"]";
    let text = summary(&PlanBuilder::of([destroyed(hostile)]).json(), "");
    for active in [
        "<", "@", "](", "://", "`", "*", "#", "\u{1b}", "\u{202e}", "\n::",
    ] {
        assert!(!text.contains(active), "{active:?}\n{text}");
    }
    insta::assert_snapshot!(text, @r#"
    CRITICAL: 1 to destroy.
    - critical data-loss: x_a.a["‹ǃchannel› ＠all [x] (https: //evil.example) ǃ[y] (z) ˋcˋ ∗b∗ ＃1 ␛[31m‹U+202E›␊::error::x"]: database destroyed; engine = postgres, skip_final_snapshot = true
    - warning downtime: x_a.a["‹ǃchannel› ＠all [x] (https: //evil.example) ǃ[y] (z) ˋcˋ ∗b∗ ＃1 ␛[31m‹U+202E›␊::error::x"]: destroyed
    "#);
}

#[test]
fn changes_of_tags_alone_are_counted_apart() {
    let object = |size: u64, tag: &str| json!({ "id": "1", "size": size, "tags": { "t": tag }, "tags_all": { "t": tag } });
    let update =
        |index: usize, before, after| Change::updated(&format!("x_a.a[{index}]"), before, after);
    let plan = PlanBuilder::of([
        update(0, object(1, "a"), object(1, "b")),
        update(1, object(1, "a"), object(1, "b")),
        update(2, object(1, "a"), object(2, "b")),
    ])
    .json();
    let output = tfview("review --no-config --format json")
        .stdin(&plan)
        .output();
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let verdict = &document["verdict"];
    assert_eq!(
        (&verdict["update"], &verdict["update_tags_only"]),
        (&json!(3), &json!(2))
    );
    let sentence = verdict["sentence"].as_str().unwrap();
    insta::assert_snapshot!(sentence, @"3 to change (2 only in tags).");
}
