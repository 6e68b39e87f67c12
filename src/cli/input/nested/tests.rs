use super::{Fault, Nested, NestedText, find};

const PLAN: &str = r#"{"format_version":"1.2","resource_changes":[]}"#;

/// The path of the plan that is found, and its text.
fn plan_in(document: &str) -> Result<Option<(String, String)>, Fault> {
    let plan = find(document)?;
    Ok(plan.map(|Nested { path, text }| {
        let text = match text {
            NestedText::Part(range) => document[range].to_owned(),
            NestedText::Decoded(text) => text,
        };
        (path, text)
    }))
}

fn string(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

#[test]
fn the_only_plan_below_a_known_member_is_found() {
    for (document, path) in [
        (format!(r#"{{"plan":{PLAN}}}"#), "plan"),
        (
            format!(r#"{{"tfrun":{{"id":"a"}},"tfplan": {PLAN} }}"#),
            "tfplan",
        ),
        (
            format!(r#"{{"input":{{"plan":{PLAN},"run":null}}}}"#),
            "input.plan",
        ),
        (string(PLAN), ""),
        (string(&string(PLAN)), ""),
        (format!(r#"{{"plan_json":{}}}"#, string(PLAN)), "plan_json"),
        (format!(r#"{{"\u0070lan":{PLAN}}}"#), "plan"),
    ] {
        let expected = Ok(Some((path.to_owned(), PLAN.to_owned())));
        assert_eq!(plan_in(&document), expected, "{document}");
    }
}

#[test]
fn a_plan_below_another_member_is_named() {
    for (document, path) in [
        (format!(r#"{{"approved":{PLAN}}}"#), "approved"),
        (format!(r#"{{"plan":{{"old":{PLAN}}}}}"#), "plan.old"),
        (format!("[{PLAN}]"), "[0]"),
        (format!(r#"{{"plan":[1,{{"x":{PLAN}}}]}}"#), "plan[1].x"),
    ] {
        let expected = Fault::Elsewhere(format!("\"{path}\""));
        assert_eq!(plan_in(&document), Err(expected), "{document}");
    }
}

#[test]
fn of_several_plans_none_is_read() {
    for document in [
        format!(r#"{{"plan":{PLAN},"input":{PLAN}}}"#),
        format!(r#"{{"plan":{PLAN},"plan":{PLAN}}}"#),
        format!(r#"{{"plan":{PLAN},"note":{}}}"#, string(PLAN)),
        format!(r#"[{PLAN},{PLAN}]"#),
    ] {
        assert!(
            matches!(plan_in(&document), Err(Fault::Several(paths)) if paths.len() == 2),
            "{document}"
        );
    }
}

#[test]
fn documents_without_a_plan_have_none() {
    let deep = format!(r#"{{"a":{{"a":{{"a":{{"a":{{"plan":{PLAN}}}}}}}}}}}"#);
    for document in [
        "{}",
        "[]",
        "\"text\"",
        r#"{"plan":"tfplan"}"#,
        r#"{"plan":{"x":1"#,
        &deep,
    ] {
        assert_eq!(plan_in(document), Ok(None), "{document}");
    }
}
