//! Changes inside values: elements are paired by similarity, structured text in strings is compared by its
//! content, and changes without an effect are labelled.

use serde_json::json;

use crate::cli::harness::without_identity;
use tfview::internals::report::Budget;

use super::{markdown_of, options, terminal, update, with_review};
use crate::plan::{Change, PlanBuilder};

#[test]
fn structured_strings_are_compared_by_content() {
    let text = update(
        r##"{"yaml":"a: 1\nlist:\n- name: x\n  port: 1\n","b":"eyJhIjoxLCJiYiI6ImNjYyJ9","same":"{\"a\":1}","sp":"a b","crlf":"a\r\nb"}"##,
        r##"{"yaml":"a: 1\nlist:\n- name: x\n  port: 2\n","b":"eyJhIjoyLCJiYiI6ImNjYyJ9","same":"{ \"a\": 1 }","sp":"a\u00a0b","crlf":"a\nb"}"##,
    );
    insta::assert_snapshot!(terminal(&text, &options()));
}

#[test]
fn elements_are_paired_by_similarity() {
    let text = update(
        r#"{"rules":[{"description":"ssh","port":22,"cidr":"10.0.0.0/8","proto":"tcp"},{"description":"web","port":80,"cidr":"0.0.0.0/0","proto":"tcp"}]}"#,
        r#"{"rules":[{"description":"new","port":53,"cidr":"10.1.0.0/16","proto":"udp"},{"description":"ssh","port":22,"cidr":"10.9.0.0/16","proto":"tcp"},{"description":"web","port":80,"cidr":"0.0.0.0/0","proto":"tcp"}]}"#,
    );
    let text = text.replace(r#""type":"a""#, r#""type":"sets_a""#).replace(
        r#""provider_name":"x""#,
        r#""provider_name":"registry.example/x/sets""#,
    );
    insta::assert_snapshot!(terminal(&text, &options()));
}

/// Blocks and lists, which the tools pair by index.
#[test]
fn list_elements_are_paired_by_similarity() {
    let rule = |name: &str, port: usize, to: &str| {
        format!(r#"{{"name":"{name}","port":{port},"proto":"tcp","to":"{to}"}}"#)
    };
    let (a, b, c) = (rule("a", 1, "x"), rule("b", 2, "x"), rule("c", 3, "x"));
    let mut shown = String::new();
    for (what, before, after) in [
        ("one in front", format!("{a},{b}"), format!("{c},{a},{b}")),
        (
            "one in front, one changed",
            format!("{a},{b}"),
            format!("{c},{a},{}", rule("b", 2, "y")),
        ),
        ("swapped", format!("{a},{b},{c}"), format!("{c},{b},{a}")),
        (
            "swapped and changed",
            format!("{a},{b}"),
            format!("{},{a}", rule("b", 9, "x")),
        ),
        (
            "another name",
            format!("{a},{b}"),
            format!("{},{b}", rule("renamed", 1, "x")),
        ),
        (
            "nothing alike",
            format!("{a},{b}"),
            r#"{"name":"q","port":7,"proto":"udp","to":"z"},"#.to_owned() + &b,
        ),
        (
            "looks alike",
            "\"caf\u{e9}\",\"x\"".to_owned(),
            "\"y\",\"z\",\"cafe\u{301}\"".to_owned(),
        ),
        (
            "one value for another",
            "1,2,3".to_owned(),
            "1,5,3".to_owned(),
        ),
    ] {
        let plan = update(
            &format!(r#"{{"rules":[{before}]}}"#),
            &format!(r#"{{"rules":[{after}]}}"#),
        );
        shown.push_str(&format!("== {what}\n{}", terminal(&plan, &options())));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn changes_without_an_effect_are_labelled() {
    let text = update(
        r#"{"list":[],"map":{"a":1},"text":"","doc":"{\"a\":1}","order":["a","b"],"objects":[{"name":"a","x":1},{"name":"b","x":2}]}"#,
        r#"{"list":null,"map":{"a":1},"text":null,"doc":"{ \"a\": 1 }","order":["b","a"],"objects":[{"name":"b","x":2},{"name":"a","x":1}]}"#,
    );
    let shown = terminal(&text, &options());
    insta::assert_snapshot!(shown);
}

#[test]
fn equal_changes_are_grouped() {
    let one = |key: usize| {
        let side = |size: &str| json!({"name": format!("web-{key}"), "size": size});
        Change::updated(&format!("a.b[{key}]"), side("small"), side("large"))
    };
    let text = PlanBuilder::of((0..48).map(one)).json();
    let markdown = with_review(&text, &options(), |review| {
        assert_eq!(review.groups.len(), 1);
        assert_eq!(review.groups[0].members.len(), 48);
        markdown_of(review, &options(), Budget::default()).0
    });
    insta::assert_snapshot!(without_identity(&markdown));
}
