//! Nothing that is marked reaches a format; nothing in a plan forges markup or commands.

use std::collections::BTreeMap;

use serde_json::Value;
use tfview::review::Options;
use tfview::review::entry::PlanReview;
use tfview::review::formats::{self, Budget};

use super::markdown::check_markdown;
use super::{Case, SCHEMA, cases, json_of, markdown_of, options, terminal_of, with_review, with_reviews};

/// Every format of a review.
fn formats_of(review: &PlanReview<'_>, options: &Options) -> Vec<(&'static str, String)> {
    let reviews = std::slice::from_ref(review);
    vec![
        ("terminal", terminal_of(review, options).0),
        ("markdown", markdown_of(review, options, Budget::default()).0),
        ("small markdown", markdown_of(review, options, Budget { bytes: 4_096, details: false }).0),
        ("json", json_of(reviews)),
        ("gitlab-report", formats::gitlab_report(reviews)),
    ]
}

/// Puts a token of its own into the place of each text that a mark covers.
fn plant(value: &mut Value, mark: &Value, covered: bool, tokens: &mut BTreeMap<String, String>) {
    let covered = covered || *mark == Value::Bool(true);
    match value {
        Value::String(text) if covered => {
            let next = format!("planted{:04}z", tokens.len());
            // Equal texts stay equal, so that what changes stays what it is.
            *text = tokens.entry(text.clone()).or_insert(next).clone();
        }
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                plant(item, mark.get(at).unwrap_or(&Value::Null), covered, tokens);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                plant(member, mark.get(key).unwrap_or(&Value::Null), covered, tokens);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A plan with tokens under its marks, and the tokens.
pub(crate) fn planted(plan: &str) -> (String, Vec<String>) {
    let mut plan: Value = serde_json::from_str(plan).unwrap();
    let mut tokens = BTreeMap::new();
    let mut sides = |holder: &mut Value, pairs: [(&str, &str); 2]| {
        for (value, mark) in pairs {
            let mark = holder[mark].clone();
            if let Some(value) = holder.get_mut(value) {
                plant(value, &mark, false, &mut tokens);
            }
        }
    };
    let change = [("before", "before_sensitive"), ("after", "after_sensitive")];
    for name in ["resource_changes", "resource_drift", "deferred_changes", "action_invocations"] {
        for entry in plan.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
            match name {
                "deferred_changes" => sides(&mut entry["resource_change"]["change"], change),
                "action_invocations" => sides(entry, [("config_values", "config_sensitive"); 2]),
                _ => sides(&mut entry["change"], change),
            }
        }
    }
    if let Some(outputs) = plan.get_mut("output_changes").and_then(Value::as_object_mut) {
        outputs.values_mut().for_each(|output| sides(output, change));
    }
    (plan.to_string(), tokens.into_values().collect())
}

#[test]
fn no_fixture_tells_what_it_marks_in_any_format() {
    let mut looked_for = 0;
    for case in cases() {
        let (plan, tokens) = planted(&case.plan);
        looked_for += tokens.len();
        if tokens.is_empty() {
            continue;
        }
        let case = Case { plan, ..case };
        for options in [
            options(),
            Options { unchanged: true, context: usize::MAX, ..options() },
            Options { tree: true, depth: Some(2), ..options() },
        ] {
            for (format, text) in case.review(&options, |review| formats_of(review, &options)) {
                for token in &tokens {
                    assert!(!text.contains(token.as_str()), "{} as {format}: {token}\n{text}", case.name);
                }
            }
        }
    }
    assert!(looked_for > 100, "fixtures hold secrets: {looked_for}");
}

const SECRET: &str = "hunter2hunter2hunter2";

/// A plan with a secret in every kind of place: elements that are paired, names that identify,
/// strings of JSON and base64, replacements, outputs.
fn secretive() -> String {
    r#"{"format_version":"1.2","resource_changes":[
      {"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"registry.terraform.io/x/a","change":{
        "actions":["delete","create"],
        "before":{"plain":"SECRET1","rules":[{"name":"SECRET2","port":1,"z":"q"},{"name":"b","port":2,"z":"q"}],
                  "doc":"{\"k\":\"SECRET3\"}","multi":"a\nSECRET4\nb","all":{"x":"SECRET5"}},
        "after":{"plain":"SECRET6","rules":[{"name":"SECRET7","port":3,"z":"q"},{"name":"b","port":4,"z":"q"}],
                 "doc":"{\"k\":\"SECRET8\"}","multi":"a\nSECRET9\nb","all":{"x":"SECRET0"}},
        "after_unknown":{},
        "before_sensitive":{"plain":true,"rules":[{"name":true},{}],"doc":true,"multi":true,"all":true},
        "after_sensitive":{"plain":true,"rules":[{"name":true},{}],"doc":true,"multi":true,"all":true},
        "replace_paths":[["plain"],["rules",0,"name"]]}}],
     "output_changes":{"o":{"actions":["update"],"before":"SECRETa","after":"SECRETb","after_unknown":false,
        "before_sensitive":true,"after_sensitive":true}}}"#
        .replace("SECRET", SECRET)
}

#[test]
fn nothing_that_is_marked_reaches_a_format() {
    let text = secretive();
    for unchanged in [false, true] {
        let options = Options { unchanged, ..options() };
        for (format, text) in with_review(&text, &options, |review| formats_of(review, &options)) {
            assert!(!text.contains(SECRET), "{format}:\n{text}");
            let says = format == "gitlab-report" || text.contains("sensitive");
            assert!(says, "{format} says that there is something:\n{text}");
        }
    }
    let shown =
        with_reviews(&[(&text, SCHEMA)], &options(), true, |reviews| terminal_of(&reviews[0], &options()).0);
    assert!(shown.contains(SECRET));
}

#[test]
fn input_forges_nothing() {
    let text = r#"{"format_version":"1.2","resource_changes":[
      {"address":"a.b[\"</code><img src=x>`@team [x](http://y) \n::error::x ##vso[task.complete]\"]","mode":"managed",
       "type":"a","name":"b","provider_name":"x","change":{"actions":["update"],
        "before":{"t":"x\n```\n::error::1\ny"},"after":{"t":"x\n````\n::error::1\n::error::2 ##vso[x]\ny"},
        "after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}]}"#;
    let (markdown, _) =
        with_review(text, &options(), |review| markdown_of(review, &options(), Budget::default()));
    check_markdown(&markdown, "forged");
    for system in [tfview::term::CiSystem::GitHub, tfview::term::CiSystem::Azure] {
        let mut bytes = Vec::new();
        let log = tfview::term::ci::CiLog { system, time: 1 };
        with_review(text, &options(), |review| {
            formats::terminal(std::slice::from_ref(review), &options(), false, Some(log), &mut bytes)
                .unwrap();
        });
        let text = String::from_utf8(bytes).unwrap();
        for line in text.lines() {
            let commands = ["::group::", "::endgroup::", "##[group]", "##[endgroup]"];
            let own = commands.iter().any(|command| line.starts_with(command));
            assert!(own || !line.trim_start().starts_with("::"), "{line}");
            assert!(!line.contains("##vso[") && (own || !line.contains("##[")), "{line}");
        }
    }
}

/// A fact that describes a replaced object showed what only the values after mark.
#[test]
fn facts_hide_what_the_other_side_of_a_change_marks() {
    let text = serde_json::json!({"format_version": "1.2", "resource_changes": [{
        "address": "aws_db_instance.a", "mode": "managed", "type": "aws_db_instance", "name": "a",
        "provider_name": "registry.terraform.io/hashicorp/aws", "change": {
            "actions": ["delete", "create"], "before": {"engine": "planted1z"}, "after": {"engine": "planted1z"},
            "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {"engine": true}}}]})
    .to_string();
    for (format, text) in with_review(&text, &options(), |review| formats_of(review, &options())) {
        assert!(!text.contains("planted1z"), "{format}: {text}");
    }
}
