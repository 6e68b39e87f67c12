//! What the text said wrongly once, or not at all. Each test is named after what broke.

use tfview::review::Options;
use tfview::review::formats::Budget;

use super::{markdown_of, options, terminal, update, with_review};

/// A change of `a.b` with these actions; `more` are further members of the change.
fn change(actions: &str, before: &str, after: &str, more: &str) -> String {
    let more = if more.is_empty() { String::new() } else { format!(",{more}") };
    format!(
        r#"{{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"x","change":{{"actions":{actions},
        "before":{before},"after":{after}{more}}}}}"#
    )
}

fn plan(changes: &[String]) -> String {
    format!(r#"{{"format_version":"1.2","resource_changes":[{}]}}"#, changes.join(","))
}

fn shows(text: &str, expected: &[&str]) {
    expected.iter().for_each(|line| assert!(text.contains(line), "{line}\n{text}"));
}

#[test]
fn an_empty_block_that_is_added_or_removed_is_shown() {
    let text = terminal(
        &update(r#"{"d":[{"block":[{}],"allow":[]}]}"#, r#"{"d":[{"block":[],"allow":[{}]}]}"#),
        &options(),
    );
    shows(&text, &["+ d[0].allow[0] added: {}", "- d[0].block[0] removed: {} (now empty)"]);
}

#[test]
fn the_order_of_a_list_is_not_cosmetic() {
    let text =
        terminal(&update(r#"{"rules":["allow","deny"]}"#, r#"{"rules":["deny","allow"]}"#), &options());
    shows(&text, &["rules[0 -> 1]: \"allow\" (moved)"]);
    assert!(!text.contains("in form only"), "{text}");
}

#[test]
fn a_removed_block_and_an_emptied_list_are_told_apart() {
    let removed = terminal(&update(r#"{"m":[{"c":[{"x":"1"}]}]}"#, r#"{"m":[]}"#), &options());
    let emptied = terminal(&update(r#"{"m":[{"c":[{"x":"1"}]}]}"#, r#"{"m":[{"c":[]}]}"#), &options());
    shows(&removed, &["- m[0] removed: { c = [{ x = \"1\" }] } (now empty)"]);
    shows(&emptied, &["- m[0].c[0] removed: { x = \"1\" } (now empty)"]);
}

#[test]
fn what_becomes_unknown_keeps_its_old_value() {
    let text =
        plan(&[change(r#"["update"]"#, r#"{"policy":"old"}"#, "{}", r#""after_unknown":{"policy":true}"#)]);
    shows(&terminal(&text, &options()), &["~ policy: \"old\" -> (known after apply)"]);
}

#[test]
fn different_numbers_are_no_group_and_a_number_that_equals_the_key_splits_none() {
    let one = |key: usize, from: usize, to: usize| {
        change(
            r#"["update"]"#,
            &format!("{{\"n\":{from},\"name\":\"w-{key}\"}}"),
            &format!("{{\"n\":{to},\"name\":\"w-{key}\"}}"),
            "",
        )
        .replace(r#""address":"a.b","#, &format!(r#""address":"a.b[{key}]","index":{key},"#))
    };
    let text = terminal(&plan(&[one(0, 5, 0), one(1, 5, 1), one(2, 5, 2)]), &options());
    shows(&text, &["n: 5 -> 0", "n: 5 -> 1", "n: 5 -> 2"]);
    let text = terminal(&plan(&[one(0, 2, 1), one(1, 2, 1), one(2, 2, 1)]), &options());
    shows(&text, &["a.b[0…2] changes — same change × 3", "n: 2 -> 1"]);
}

#[test]
fn a_destroyed_object_shows_what_it_was() {
    let before = r#"{"id":"db-1","engine":"postgres","allocated_storage":500,"deletion_protection":false,"a":1,"b":2,"c":3,"d":4,"e":5,"tags":{"x":"y"}}"#;
    let text = plan(&[change(r#"["delete"]"#, before, "null", "")]);
    shows(
        &terminal(&text, &options()),
        &[
            "engine = \"postgres\"",
            "allocated_storage = 500",
            "deletion_protection = false",
            "is destroyed\n",
        ],
    );
    let all = terminal(&text, &Options { unchanged: true, ..options() });
    shows(&all, &["id: \"db-1\"", "tags: { x = \"y\" }"]);
    assert!(!all.contains("for good"), "{all}");
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
    let place = |name: &str| text.find(name).unwrap();
    assert!(place("publicly_accessible") < place("a_tag"), "{text}");
}

#[test]
fn drift_without_effect_is_one_line() {
    let drift = change(r#"["update"]"#, r#"{"tags":null,"x":1}"#, r#"{"tags":{},"x":2}"#, "");
    let text = format!(r#"{{"format_version":"1.2","resource_changes":[],"resource_drift":[{drift}]}}"#);
    let shown = terminal(&text, &options());
    shows(
        &shown,
        &["1 object changed outside of the tool without an effect on this plan: a.b; --drift all shows them"],
    );
    assert!(!shown.contains("x: 1 -> 2"), "{shown}");
    shows(&terminal(&text, &Options { all_drift: true, ..options() }), &["x: 1 -> 2"]);
}

#[test]
fn long_strings_are_cut_around_what_differs() {
    let long = "abcdefghij, ".repeat(60);
    let text = terminal(
        &update(&format!("{{\"s\":\"{long}old{long}\"}}"), &format!("{{\"s\":\"{long}new{long}\"}}")),
        &options(),
    );
    shows(&text, &["old", "new", "the same"]);
    assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
}

#[test]
fn a_replacement_without_paths_says_that_the_plan_does_not_say_why() {
    let text =
        plan(&[change(r#"["delete","create"]"#, r#"{"id":"1"}"#, "{}", r#""after_unknown":{"id":true}"#)]);
    shows(&terminal(&text, &options()), &["the plan does not say why", "id: new (known after apply)"]);
}

#[test]
fn an_update_without_a_difference_says_so() {
    shows(&terminal(&update("{\"a\":1}", "{\"a\":1}"), &options()), &["the plan shows no difference"]);
}

#[test]
fn planning_that_failed_names_its_plan() {
    let text = r#"{"format_version":"1.2","errored":true,"resource_changes":[]}"#;
    shows(&terminal(text, &options()), &["PLANNING FAILED: plan.json. So far: No changes."]);
}

#[test]
fn unknown_actions_that_delete_are_a_destroy_and_their_words_are_no_markup() {
    let text = plan(&[change(r#"["delete","[x](http://y)"]"#, r#"{"a":1}"#, "null", "")]);
    shows(&terminal(&text, &options()), &["! 1 to destroy"]);
    let (markdown, _) =
        with_review(&text, &options(), |review| markdown_of(review, &options(), Budget::default()));
    super::markdown::check_markdown(&markdown, "unknown actions");
}

#[test]
fn markdown_previews_what_a_fold_hides_and_lists_many_resources_first() {
    let changes: Vec<String> = (0..8)
        .map(|at| {
            change(
                r#"["update"]"#,
                &format!("{{\"size\":{at},\"public\":false}}"),
                &format!("{{\"size\":{},\"public\":true}}", at + 1),
                "",
            )
            .replace("\"a.b\"", &format!("\"a.b{at}\""))
        })
        .collect();
    let (text, _) =
        with_review(&plan(&changes), &options(), |review| markdown_of(review, &options(), Budget::default()));
    shows(
        &text,
        &[
            "| `~`\u{a0}update | `a.b0` | `public, size` |  |",
            "#### 8 to change",
            "<code>a.b0</code> changes: <code>public, size</code></summary>",
        ],
    );
}
