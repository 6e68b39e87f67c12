//! No sensitive value is in any format, and no text of a plan forges markup or CI commands.

use std::collections::BTreeMap;

use serde_json::Value;
use tfview::internals::report::Budget;
use tfview::internals::review::Options;
use tfview::internals::review::formats;
use tfview::internals::review::plan::PlanReview;

use super::markdown::check_markdown;
use super::{
    Case, SCHEMA, json_of, markdown_of, options, some_cases, terminal_of, with_review, with_reviews,
};
use crate::plan::{Change, PlanBuilder};
use crate::random::some_ways;

/// Every format of a review.
fn formats_of(review: &PlanReview<'_>, options: &Options) -> Vec<(&'static str, String)> {
    let reviews = std::slice::from_ref(review);
    vec![
        ("terminal", terminal_of(review, options).0),
        (
            "markdown",
            markdown_of(review, options, Budget::default()).0,
        ),
        (
            "small markdown",
            markdown_of(
                review,
                options,
                Budget {
                    bytes: 4_096,
                    details: false,
                },
            )
            .0,
        ),
        ("json", json_of(reviews)),
        ("gitlab-report", formats::gitlab_report(reviews)),
    ]
}

/// Replaces each text under a mark by a token.
fn plant(value: &mut Value, mark: &Value, covered: bool, tokens: &mut BTreeMap<String, String>) {
    let covered = covered || *mark == Value::Bool(true);
    match value {
        Value::String(text) if covered => {
            let next = format!("planted{:04}z", tokens.len());
            // Equal texts get equal tokens, so that the plan has the same changes.
            *text = tokens.entry(text.clone()).or_insert(next).clone();
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                plant(
                    item,
                    mark.get(index).unwrap_or(&Value::Null),
                    covered,
                    tokens,
                );
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                plant(
                    member,
                    mark.get(key).unwrap_or(&Value::Null),
                    covered,
                    tokens,
                );
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The lists of a plan whose entries have values.
const LISTS: [&str; 5] = [
    "resource_changes",
    "resource_drift",
    "deferred_changes",
    "action_invocations",
    "deferred_action_invocations",
];

/// A plan whose sensitive texts are replaced by tokens, and the tokens.
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
    const CONFIG: [(&str, &str); 2] = [("config_values", "config_sensitive"); 2];
    let change = [("before", "before_sensitive"), ("after", "after_sensitive")];
    for name in LISTS {
        for entry in plan
            .get_mut(name)
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            match name {
                "deferred_changes" => sides(&mut entry["resource_change"]["change"], change),
                "action_invocations" => sides(entry, CONFIG),
                "deferred_action_invocations" => sides(&mut entry["action_invocation"], CONFIG),
                _ => sides(&mut entry["change"], change),
            }
        }
    }
    if let Some(outputs) = plan
        .get_mut("output_changes")
        .and_then(Value::as_object_mut)
    {
        outputs
            .values_mut()
            .for_each(|output| sides(output, change));
    }
    (plan.to_string(), tokens.into_values().collect())
}

#[test]
fn no_sensitive_value_of_the_fixtures_is_in_any_format() {
    let mut looked_for = 0;
    for (index, case) in some_cases(1).into_iter().enumerate() {
        let (plan, tokens) = planted(&case.plan);
        looked_for += tokens.len();
        if tokens.is_empty() {
            continue;
        }
        let case = Case { plan, ..case };
        let variants = vec![
            options(),
            Options {
                unchanged: true,
                context: Some(usize::MAX),
                ..options()
            },
            Options {
                tree: true,
                depth: Some(2),
                ..options()
            },
        ];
        for options in some_ways(variants, index, 1) {
            for (format, text) in case.review(&options, |review| formats_of(review, &options)) {
                for token in &tokens {
                    assert!(
                        !text.contains(token.as_str()),
                        "{} as {format}: {token}\n{text}",
                        case.name
                    );
                }
            }
        }
    }
    assert!(looked_for > 100, "fixtures contain secrets: {looked_for}");
}

const SECRET: &str = "hunter2hunter2hunter2";

/// A plan with secrets in many places: paired elements, names that identify, strings of JSON, texts with
/// several lines, replacements and outputs.
fn plan_with_secrets() -> String {
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
fn no_marked_value_is_in_any_format() {
    let text = plan_with_secrets();
    for unchanged in [false, true] {
        let options = Options {
            unchanged,
            ..options()
        };
        for (format, text) in with_review(&text, &options, |review| formats_of(review, &options)) {
            assert!(!text.contains(SECRET), "{format}:\n{text}");
            let is_noted = format == "gitlab-report" || text.contains("sensitive");
            assert!(is_noted, "{format} notes the sensitive value:\n{text}");
        }
    }
    let shown = with_reviews(&[(&text, SCHEMA)], &options(), true, |reviews| {
        terminal_of(&reviews[0], &options()).0
    });
    assert!(shown.contains(SECRET));
}

#[test]
fn input_forges_no_markup_and_no_commands() {
    let text = r#"{"format_version":"1.2","resource_changes":[
      {"address":"a.b[\"</code><img src=x>`@team [x](http://y) \n::error::x ##vso[task.complete]\"]","mode":"managed",
       "type":"a","name":"b","provider_name":"x","change":{"actions":["update"],
        "before":{"t":"x\n```\n::error::1\ny"},"after":{"t":"x\n````\n::error::1\n::error::2 ##vso[x]\ny"},
        "after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}]}"#;
    let (markdown, _) = with_review(text, &options(), |review| {
        markdown_of(review, &options(), Budget::default())
    });
    check_markdown(&markdown, "forged");
    for system in [
        tfview::internals::term::CiSystem::GitHub,
        tfview::internals::term::CiSystem::Azure,
    ] {
        let mut bytes = Vec::new();
        let log = tfview::internals::term::ci::CiLog { system, time: 1 };
        with_review(text, &options(), |review| {
            formats::terminal(
                std::slice::from_ref(review),
                &options(),
                false,
                Some(log),
                None,
                &mut bytes,
            )
            .unwrap();
        });
        let text = String::from_utf8(bytes).unwrap();
        for line in text.lines() {
            let commands = ["::group::", "::endgroup::", "##[group]", "##[endgroup]"];
            let is_own_command = commands.iter().any(|command| line.starts_with(command));
            assert!(
                is_own_command || !line.trim_start().starts_with("::"),
                "{line}"
            );
            assert!(
                !line.contains("##vso[") && (is_own_command || !line.contains("##[")),
                "{line}"
            );
        }
    }
}

/// A finding that describes a replaced object showed what only the values after mark.
#[test]
fn findings_hide_what_the_other_side_of_a_change_marks() {
    let engine = serde_json::json!({"engine": "planted1z"});
    let change = Change::replaced("aws_db_instance.a", &engine, &engine)
        .sensitive(serde_json::json!({}), serde_json::json!({"engine": true}));
    let text = PlanBuilder::of([change]).json();
    for (format, text) in with_review(&text, &options(), |review| formats_of(review, &options())) {
        assert!(!text.contains("planted1z"), "{format}: {text}");
    }
}
