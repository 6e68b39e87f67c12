//! Plans as a week of approving brings them, with what an approver wants to be told, written down beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::Deserialize;

use super::{json_of, options, with_findings};

/// What the JSON of a plan must say.
#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Expected {
    level: String,
    /// `LEVEL KIND ADDRESS`, with `× N` for several objects.
    findings: BTreeSet<String>,
}

#[test]
fn each_scenario_has_the_level_and_findings_that_an_approver_wants() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/review/scenarios");
    let read = |name: &str| fs::read_to_string(format!("{directory}/{name}")).unwrap();
    let expected: BTreeMap<String, Expected> = toml::from_str(&read("expected.toml")).unwrap();
    let plans = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let plans: BTreeSet<String> = plans
        .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()))
        .collect();
    assert_eq!(plans, expected.keys().cloned().collect());
    let mut wrong = Vec::new();
    for (name, expected) in &expected {
        let text = read(&format!("{name}.json"));
        let json = with_findings(&[&text], &options(), json_of);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let actual = found(&json["plans"][0]);
        if &actual != expected {
            let missing: Vec<_> = expected.findings.difference(&actual.findings).collect();
            let more: Vec<_> = actual.findings.difference(&expected.findings).collect();
            wrong.push(format!(
                "{name}: {}, missing {missing:#?}, not wanted {more:#?}",
                actual.level
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn found(plan: &serde_json::Value) -> Expected {
    let line = |finding: &serde_json::Value| {
        let text = |name: &str| finding[name].as_str().unwrap().to_owned();
        let count = finding["count"].as_u64().unwrap();
        let more = if count > 1 {
            format!(" × {count}")
        } else {
            String::new()
        };
        format!(
            "{} {} {}{more}",
            text("level"),
            text("kind"),
            text("address")
        )
    };
    let findings = plan["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(line)
        .collect();
    Expected {
        level: plan["level"].as_str().unwrap().to_owned(),
        findings,
    }
}
