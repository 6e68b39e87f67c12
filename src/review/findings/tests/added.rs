//! Tests rules of a project: which are refused, and that they hide nothing.

use super::{ObjectOutcome, Rules, findings_by};
use crate::review::entry::RuleOrigin;
use crate::review::findings::{RuleError, RuleLine};

#[test]
fn a_rule_of_a_user_is_checked() {
    for (text, part) in [
        (r#"type = "x""#, "`finding`"),
        (
            r#"finding = "nothing", type = "x""#,
            "unknown variant `nothing`",
        ),
        (
            r#"finding = "unknown", type = "x", path = "a", level = "none""#,
            "unknown variant `none`",
        ),
        (r#"finding = "data-loss""#, "`type`"),
        (r#"finding = "data-loss", type = "x""#, "`what`"),
        (
            &format!(
                r#"finding = "data-loss", type = "x", what = "{}""#,
                "x".repeat(101)
            ),
            "longer than 100",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a""#,
            "condition",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a", on = true, off = true"#,
            "more than one",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a..b", on = true"#,
            "not a path",
        ),
    ] {
        let rule = toml::from_str::<RuleLine>(&text.replace(", ", "\n"))
            .map_err(|error| error.to_string());
        let add = |rule| Rules::default().add(&rule, RuleOrigin::Given);
        let error = rule
            .and_then(|rule| add(rule).map_err(|error| error.to_string()))
            .unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_added_rule_hides_no_built_in_finding() {
    let mut rules = Rules::built_in();
    let rule =
        r#"r = { finding = "protection", type = "aws_s3_bucket_versioning", destroyed = true }"#;
    let mut rule: std::collections::BTreeMap<String, RuleLine> = toml::from_str(rule).unwrap();
    rules
        .add(&rule.remove("r").unwrap(), RuleOrigin::Found)
        .unwrap();
    let guard = [r#"{"id": "logs"}"#, "null", "null"];
    let findings = findings_by(
        &rules,
        "aws_s3_bucket_versioning",
        ObjectOutcome::Destroyed,
        guard,
        ["null"; 3],
    );
    assert_eq!(
        findings
            .iter()
            .map(|(_, origin, _)| *origin)
            .collect::<Vec<_>>(),
        [RuleOrigin::BuiltIn]
    );
}

#[test]
fn the_number_of_rules_and_of_their_items_is_limited() {
    let read = |text: &str| {
        let table: std::collections::BTreeMap<String, RuleLine> = toml::from_str(text).unwrap();
        table.into_values().next().unwrap()
    };
    let mut rules = Rules::default();
    let rule = r#"r = { finding = "data-loss", type = "*", what = "x" }"#;
    let error = (0..101)
        .find_map(|_| rules.add(&read(rule), RuleOrigin::Found).err())
        .unwrap();
    assert!(matches!(error, RuleError::TooMany), "{error}");
    let show = serde_json::json!(vec!["a"; 101]);
    let rule = format!(r#"r = {{ finding = "data-loss", type = "*", what = "x", show = {show} }}"#);
    let error = Rules::default()
        .add(&read(&rule), RuleOrigin::Found)
        .unwrap_err()
        .to_string();
    assert!(error.contains("more than 100 items"), "{error}");
}
