//! `--format text-summary` is short and says what is grave, whatever the plan; changes of tags alone are counted apart.

use serde_json::{Value, json};

use super::harness::tfview;

#[expect(clippy::needless_pass_by_value, reason = "calls have literals")]
fn change(address: &str, kind: &str, actions: &[&str], before: Value, after: Value) -> Value {
    json!({
        "address": address, "mode": "managed", "type": kind, "name": "a",
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": { "actions": actions, "before": before, "after": after, "after_unknown": {},
            "before_sensitive": {}, "after_sensitive": {} },
    })
}

#[expect(clippy::needless_pass_by_value, reason = "calls have literals")]
fn plan(changes: Vec<Value>) -> String {
    json!({ "format_version": "1.2", "terraform_version": "1.15.0", "resource_changes": changes })
        .to_string()
}

fn destroyed(address: &str) -> Value {
    let database = json!({ "id": "db", "engine": "postgres", "skip_final_snapshot": true });
    change(
        address,
        "aws_db_instance",
        &["delete"],
        database,
        Value::Null,
    )
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
    let plan = plan(vec![destroyed("aws_db_instance.a")]);
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
    let key = |at: usize| format!("aws_db_instance.a[\"{}-{at}\"]", "long".repeat(at % 90));
    let changes = (0..300).map(|at| {
        let mut object = destroyed(&key(at));
        // Other values, so that each has a finding of its own.
        object["change"]["before"]["engine"] = json!(format!("engine {at}"));
        object["change"]["before"]["skip_final_snapshot"] = json!(at % 2 == 0);
        if at % 3 == 0 {
            object["type"] = json!("x_unknown");
        }
        object
    });
    let text = summary(
        &plan(changes.collect()),
        "--run-url https://ci.example/runs/1",
    );
    assert!(
        text.chars().count() <= 1_500,
        "{}\n{text}",
        text.chars().count()
    );
    assert!(
        text.contains("- and ") && text.ends_with(" more\nhttps://ci.example/runs/1\n"),
        "{text}"
    );
}

#[test]
fn nothing_in_a_summary_acts_in_a_chat() {
    let hostile = "x_a.a[\"<!channel> @all [x](https://evil.example) ![y](z) `c` *b* #1 \u{1b}[31m\u{202e}\n::error::x\"]";
    let text = summary(&plan(vec![destroyed(hostile)]), "");
    for active in [
        "<", "@", "](", "://", "`", "*", "#", "\u{1b}", "\u{202e}", "\n::",
    ] {
        assert!(!text.contains(active), "{active:?}\n{text}");
    }
    assert!(text.contains("x_a.a[\""), "{text}");
}

#[test]
fn changes_of_tags_alone_are_counted_apart() {
    let object = |size: u64, tag: &str| json!({ "id": "1", "size": size, "tags": { "t": tag }, "tags_all": { "t": tag } });
    let update = |at: usize, before, after| {
        change(&format!("x_a.a[{at}]"), "x_a", &["update"], before, after)
    };
    let plan = plan(vec![
        update(0, object(1, "a"), object(1, "b")),
        update(1, object(1, "a"), object(1, "b")),
        update(2, object(1, "a"), object(2, "b")),
    ]);
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
    assert!(
        sentence.starts_with("3 to change (2 only in tags)"),
        "{sentence}"
    );
}
