use bumpalo::Bump;

use super::ResultLevel;
use super::tie::{KnownResources, PlanToTie, is_same_file, tie};
use super::{Amount, Results, read};

/// The results in a text, each as `TOOL SEVERITY LEVEL RULE TEXT → ADDRESSES`, tied to a plan with these instances.
fn tied(text: &str, instances: &[(&str, &str, &str)], plan: &str) -> Vec<String> {
    let arena = Bump::new();
    let results: Results<'_> = read(text, "file", 0, &arena).unwrap();
    let known = KnownResources::new(instances.iter().copied(), &arena);
    let mut plans = [PlanToTie::new("out/plan.json", plan, known)];
    tie(vec![results], &mut plans, &mut |_, _| Vec::new());
    let results = plans.iter().flat_map(|plan| &plan.tied.results);
    let line = |result: &super::ToolResult<'_>| {
        let (tool, rule, text) = (result.tool, result.rule, result.text);
        let (severity, level) = (result.severity, result.level.name());
        format!(
            "{tool} {severity} {level} {rule} {text} → {}",
            result.addresses.join(", ")
        )
    };
    results.map(line).collect()
}

const INSTANCES: [(&str, &str, &str); 4] = [
    ("aws_vpc.a", "aws_vpc", "a"),
    ("module.m[\"x.y\"].aws_vpc.b[0]", "aws_vpc", "b"),
    ("module.m[\"z\"].aws_vpc.b[0]", "aws_vpc", "b"),
    ("module.n.aws_vpc.a", "aws_vpc", "a"),
];

#[test]
fn sarif_says_the_same_in_several_ways() {
    let text = r#"{"runs":[{"tool":{"driver":{"name":"t","rules":[
            {"id":"r0","helpUri":"https://e/r0","defaultConfiguration":{"level":"error"},"properties":{"security-severity":"9.8"}},
            {"id":"r1","shortDescription":{"text":"short"},"messageStrings":{"m":{"text":"is {0}, not {1}"}}}]},
            "extensions":[{"rules":[{"id":"x","defaultConfiguration":{"level":"note"}}]}]},
        "artifacts":[{"location":{"uri":"plan.json"}}],
        "results":[
            {"ruleIndex":0,"message":{"text":"one"},"locations":[{"logicalLocations":[{"fullyQualifiedName":"aws_vpc.a.tags"}]}]},
            {"rule":{"index":1},"message":{"id":"m","arguments":["a","b"]},"properties":{"resource":"module.m[\"z\"].aws_vpc.b[0]"}},
            {"ruleId":"x","ruleIndex":0,"message":{"text":"about `module.m.aws_vpc.b`."}},
            {"ruleId":"none","level":"none","message":{"text":"aws_vpc.a or module.n.aws_vpc.a"}},
            {"message":{"text":"lines"},"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":4}}}]},
            {"kind":"pass","message":{"text":"p"}},
            {"suppressions":[{"status":"accepted"}],"message":{"text":"s"}},
            {"suppressions":[{"status":"rejected"}],"message":{"text":"rejected"}},
            {"ruleId":"gone","baselineState":"absent","message":{"text":"a"}}]}]}"#;
    let plan = "{\n \"resource_changes\": [\n  {\n   \"mode\": \"managed\",\n   \"values\": {\n    \"x\": 1\n   }\n  }\n ]\n}";
    let plan = plan.replace("   \"mode\"", "   \"address\": \"aws_vpc.a\",\n   \"mode\"");
    assert_eq!(
        tied(text, &INSTANCES, &plan),
        [
            "t critical error r0 one → aws_vpc.a",
            "t warning warning r1 is a, not b → module.m[\"z\"].aws_vpc.b[0]",
            "t note note x about `module.m.aws_vpc.b`. → module.m.aws_vpc.b",
            "t none note none aws_vpc.a or module.n.aws_vpc.a → ",
            "t warning warning  lines → aws_vpc.a",
            "t warning warning  rejected → ",
        ]
    );
}

#[test]
fn what_did_not_look_is_an_error() {
    for (text, expected) in [
        (
            r#"{"runs":[{"tool":{"driver":{"name":"t"}}}]}"#,
            "t failed error",
        ),
        (
            r#"{"runs":[{"invocations":[{"executionSuccessful":false}],"results":[]}]}"#,
            "SARIF failed error",
        ),
        (
            r#"{"check_type":"terraform","results":{"parsing_errors":["a.tf"]}}"#,
            "checkov failed error",
        ),
        (
            r#"{"passed":0,"failed":0,"skipped":0,"parsing_errors":0,"resource_count":0,"checkov_version":"3.3.30"}"#,
            "checkov failed error",
        ),
        (
            r#"{"SchemaVersion":2,"ArtifactName":"x"}"#,
            "trivy failed error",
        ),
        ("[]", "conftest failed error"),
        (
            r#"[{"filename":"plan.json","namespace":"main","successes":0}]"#,
            "conftest failed error",
        ),
        (
            r#"{"@level":"info","@message":"x","type":"version"}"#,
            "terraform policy failed error",
        ),
    ] {
        let texts = tied(text, &[], "");
        assert!(
            !texts.is_empty() && texts.iter().all(|line| line.starts_with(expected)),
            "{texts:?}"
        );
    }
}

#[test]
fn empty_outputs_of_tools_are_known() {
    let empty = [
        (
            r#"{"runs":[{"tool":{"driver":{"name":"t"}},"results":[]}]}"#,
            1,
        ),
        (
            r#"{"passed":0,"failed":0,"resource_count":2,"checkov_version":"3.3.30"}"#,
            1,
        ),
        (
            r#"{"SchemaVersion":2,"ArtifactName":"x","Results":[{"Target":"plan.json"}]}"#,
            1,
        ),
        (
            r#"[{"filename":"plan.json","namespace":"main","successes":3}]"#,
            1,
        ),
        (
            r#"{"version":"0.2","currency":"EUR","projects":[{"name":"x"}]}"#,
            0,
        ),
    ];
    for (text, reports) in empty {
        let arena = Bump::new();
        let read = read(text, "file", 0, &arena).unwrap();
        assert_eq!(
            (read.reports.len(), read.results.len()),
            (reports, 0),
            "{text}"
        );
    }
}

#[test]
fn paths_are_compared_from_their_ends() {
    for (one, other, expected) in [
        ("plan.json", "out/plan.json", true),
        ("/ci/out/plan.json", "./out/plan.json", true),
        ("other/plan.json", "out/plan.json", false),
        ("C:\\ci\\plan.json", "plan.json", true),
        ("xplan.json", "plan.json", false),
        ("", "plan.json", false),
    ] {
        assert_eq!(is_same_file(one, other), expected, "{one} {other}");
    }
}

#[test]
fn any_value_is_read_or_refused() {
    let texts = [
        r#"{"runs":[1,{"tool":[],"results":[1,{"ruleIndex":99,"locations":[{"physicalLocation":{"region":{"startLine":1e99}}}]}]}]}"#,
        r#"{"check_type":1,"results":{"failed_checks":[[],{"file_line_range":[{},"x"]}]}}"#,
        r#"{"SchemaVersion":{},"ArtifactName":[],"Results":[{"Misconfigurations":[{"Severity":[],"CauseMetadata":1}]}]}"#,
        r#"[{"filename":1,"failures":[1,{"msg":{}}]}]"#,
        r#"{"projects":[1,{"diff":{"resources":[{"name":[],"monthlyCost":"x"}]}}],"currency":{}}"#,
        "{\"@message\":1,\"type\":\"policy_result\"}\n{\"@message\":\"policy_\", broken",
    ];
    for text in texts {
        tied(text, &INSTANCES, text);
    }
}

#[test]
fn amounts_are_read_and_written() {
    for (text, expected) in [
        ("312", "+ 312 $/month"),
        ("742.64", "+ 743 $/month"),
        ("-4.0849999", "- 4.08 $/month"),
        ("0.0000012345678901234567890", "± 0 $/month"),
        ("1234567.89", "+ 1,234,568 $/month"),
        ("99.999", "+ 100 $/month"),
    ] {
        assert_eq!(Amount::parse(text).unwrap().signed("USD"), expected);
    }
    for text in [
        "",
        "-",
        ".5",
        "1.",
        "1e9",
        "+1",
        "NaN",
        "1 000",
        "12345678901234567890123456789012345",
        "1_000",
        "\u{1b}[1m",
    ] {
        assert_eq!(Amount::parse(text), None, "{text}");
    }
    let sum = Amount::parse("0.1")
        .unwrap()
        .plus(Amount::parse("0.2").unwrap());
    assert_eq!(
        (sum.signed("EUR"), sum.signed("\u{1b}x")),
        ("+ 0.30 €/month".into(), "+ 0.30 units/month".into())
    );
}

/// The levels of the results in a file.
fn levels(text: &str) -> Vec<ResultLevel> {
    let arena = Bump::new();
    let read = read(text, "file", 0, &arena).unwrap();
    read.results.iter().map(|result| result.level).collect()
}

#[test]
fn results_that_nobody_accepted_are_kept() {
    let sarif = |result: &str| {
        format!(
            r#"{{"runs":[{{"tool":{{"driver":{{"name":"t","rules":[{{"id":"c","properties":{{"security-severity":"9.8"}}}}]}}}},"results":[{{"ruleId":"r","level":"error","message":{{"text":"m"}},{result}}}]}}]}}"#
        )
    };
    for (result, number) in [
        (r#""suppressions":[]"#, 1),
        (r#""suppressions":[{"kind":"external"}]"#, 0),
        (r#""suppressions":[{"status":"accepted"}]"#, 0),
        (r#""suppressions":[{"status":"underReview"}]"#, 1),
        (r#""suppressions":[{"status":"rejected"}]"#, 1),
        (
            r#""suppressions":[{"status":"accepted"},{"status":"underReview"}]"#,
            1,
        ),
        (r#""suppressions":[{"status":"later"}]"#, 1),
        (r#""suppressions":[{"status":1}]"#, 1),
        (r#""suppressions":{"status":"accepted"}"#, 1),
        (r#""suppressions":[null]"#, 1),
        (r#""suppressions":["accepted"]"#, 1),
        (r#""kind":"pass""#, 0),
        (r#""kind":"open""#, 1),
        (r#""kind":"review""#, 1),
    ] {
        let levels = levels(&sarif(result));
        assert_eq!(levels, vec![ResultLevel::Error; number], "{result}");
    }
    // The graver one of level and score.
    let scored = sarif(r#""level2":"x""#).replace(
        r#""ruleId":"r","level":"error""#,
        r#""ruleId":"c","level":"note""#,
    );
    assert_eq!(levels(&scored), [ResultLevel::Error]);
}

/// The level of a rule was found only where its ID is the same, and the first list of rules has it.
#[test]
fn levels_that_sarif_gives_elsewhere_are_read() {
    let rule = r#"{"id":"r","defaultConfiguration":{"level":"error"}}"#;
    let other = r#"{"id":"q","defaultConfiguration":{"level":"note"}}"#;
    for (tool, result, run) in [
        (
            format!(r#""driver":{{"rules":[{rule}]}}"#),
            r#""ruleId":"r/part""#,
            "",
        ),
        (
            format!(r#""driver":{{"rules":[{other}]}},"extensions":[{{"rules":[{rule}]}}]"#),
            r#""rule":{"index":0,"toolComponent":{"index":0}}"#,
            "",
        ),
        (
            r#""driver":{"rules":[{"id":"r"}]}"#.to_owned(),
            r#""ruleId":"r""#,
            r#","invocations":[{"executionSuccessful":true,"ruleConfigurationOverrides":[{"descriptor":{"index":0},"configuration":{"level":"error"}}]}]"#,
        ),
        (
            r#""driver":{"rules":[{"id":"r","properties":{"security-severity":9.8}}]}"#.to_owned(),
            r#""ruleId":"r""#,
            "",
        ),
        (
            r#""driver":{}"#.to_owned(),
            r#""ruleId":"r","properties":{"security-severity":"9.1"}"#,
            "",
        ),
    ] {
        let text = format!(
            r#"{{"runs":[{{"tool":{{{tool}}},"results":[{{"message":{{"text":"m"}},{result}}}]{run}}}]}}"#
        );
        assert_eq!(levels(&text), [ResultLevel::Error], "{text}");
    }
}

/// Nobody knows which one is meant.
#[test]
fn a_member_of_results_that_occurs_twice_is_an_error() {
    let error = r#"{"ruleId":"r","level":"error","message":{"text":"m"}}"#;
    for text in [
        format!(r#"{{"runs":[{{"tool":{{}},"results":[{error}],"results":[]}}]}}"#),
        format!(
            r#"{{"runs":[{{"tool":{{}},"results":[{}]}}]}}"#,
            error.replace("error\"", "error\",\"level\":\"note\"")
        ),
    ] {
        let arena = Bump::new();
        assert!(read(&text, "file", 0, &arena).is_err(), "{text}");
    }
}

/// The messages of `terraform plan -json`, the first of which is its version.
fn of_policies(messages: &[&str]) -> Vec<ResultLevel> {
    let version = r#"{"@level":"info","@message":"Terraform 1.15","type":"version"}"#;
    levels(&format!("{version}\n{}\n", messages.join("\n")))
}

#[test]
fn what_a_policy_denies_is_a_result() {
    let result = |result: &str| {
        format!(
            r#"{{"type":"policy_result","policy_result":{{"target_address":"a.b","result":"{result}","policy_metadata":{{"policy_name":"n","enforcement_level":"mandatory"}}}}}}"#
        )
    };
    let (allowed, denied) = (result("AllowResult"), result("DenyResult"));
    let warning = r#"{"type":"policy_diagnostic","policy_diagnostic":{"severity":"warning","summary":"s","target_address":"a.b","policy_metadata":{"policy_name":"n","enforcement_level":"mandatory"}}}"#;
    let failed = r#"{"type":"diagnostic","diagnostic":{"severity":"error","summary":"policies could not be read"}}"#;
    assert_eq!(of_policies(&[&allowed]), []);
    assert!(of_policies(&[warning, &denied]).contains(&ResultLevel::Error));
    for cut in [
        r#"{"@message":"Policy den"#,
        r#"{"@message":"Policy }"#,
        failed,
    ] {
        assert_eq!(of_policies(&[&allowed, cut]), [ResultLevel::Error], "{cut}");
    }
}

#[test]
fn a_tool_that_did_not_look_is_an_error() {
    let sarif = |members: &str| {
        format!(r#"{{"runs":[{{"tool":{{"driver":{{"name":"t"}}}},"results":[],{members}}}]}}"#)
    };
    for (members, expected) in [
        (r#""invocations":[{"executionSuccessful":true}]"#, None),
        (
            r#""invocations":[{"executionSuccessful":false}]"#,
            Some(ResultLevel::Error),
        ),
        (
            r#""invocations":[{"exitSignalName":"SIGKILL"}]"#,
            Some(ResultLevel::Error),
        ),
        (
            r#""invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[{"level":"error","message":{"text":"no"}}]}]"#,
            Some(ResultLevel::Error),
        ),
        (
            r#""invocations":[{"toolConfigurationNotifications":[{"message":{"text":"no"}}]}]"#,
            Some(ResultLevel::Warning),
        ),
        (
            r#""invocations":[{"toolExecutionNotifications":[{"level":"note","message":{"text":"took 1 s"}}]}]"#,
            None,
        ),
        (
            r#""externalPropertyFileReferences":{"results":[{"itemCount":3}]}"#,
            Some(ResultLevel::Error),
        ),
        (
            r#""externalPropertyFileReferences":{"invocations":[{"itemCount":3}]}"#,
            Some(ResultLevel::Error),
        ),
        (
            r#""invocations":[{"executionSuccessful":true,"exitSignalNumber":9}]"#,
            Some(ResultLevel::Error),
        ),
    ] {
        assert_eq!(
            levels(&sarif(members)).first(),
            expected.as_ref(),
            "{members}"
        );
    }
    for text in [
        r#"{"runs":[]}"#,
        r#"{"runs":[{"results":null}]}"#,
        "[]",
        r#"{"check_type":"x","results":{"failed_checks":[]},"summary":{"failed":2}}"#,
        r#"{"checkov_version":"3","failed":1}"#,
        r#"{"check_type":"x","results":{"failed_checks":[]}}"#,
        r#"{"check_type":"x","results":{"passed_checks":[{}]},"summary":{"passed":1,"parsing_errors":2}}"#,
        r#"{"SchemaVersion":2,"ArtifactName":".","Results":[{"Target":"x","MisconfSummary":{"Successes":3,"Failures":1}}]}"#,
        r#"[{"filename":"p","namespace":"main","successes":0,"skipped":[{"msg":"s"}]}]"#,
        r#"{"version":"0.2","currency":"USD","projects":[]}"#,
    ] {
        let levels = levels(text);
        let is_error = levels.iter().all(|level| *level == ResultLevel::Error);
        assert!(!levels.is_empty() && is_error, "{text}");
    }
}

#[test]
fn every_class_of_results_of_trivy_is_read() {
    let trivy = |list: &str| {
        format!(
            r#"{{"SchemaVersion":2,"ArtifactName":"a","Results":[{{"Target":"main.tf","Class":"c",{list}}}]}}"#
        )
    };
    for name in [
        "Misconfigurations",
        "Secrets",
        "Vulnerabilities",
        "Licenses",
        "Others",
    ] {
        let text = trivy(&format!(
            r#""{name}":[{{"Severity":"CRITICAL","Title":"t"}}]"#
        ));
        assert_eq!(levels(&text), [ResultLevel::Error], "{name}");
    }
    for (status, number) in [
        ("ignored", 0),
        ("not_affected", 0),
        ("under_investigation", 1),
        ("affected", 1),
        ("", 1),
    ] {
        let text = trivy(&format!(
            r#""ExperimentalModifiedFindings":[{{"Status":"{status}","Finding":{{"Severity":"HIGH"}}}}]"#
        ));
        assert_eq!(levels(&text).len(), number, "{status}");
    }
    // What matched may be the secret.
    let arena = Bump::new();
    let text = trivy(
        r#""Secrets":[{"Severity":"HIGH","RuleID":"r","Match":"planted","Code":{"Lines":["planted"]}}]"#,
    );
    let read = read(&text, "file", 0, &arena).unwrap();
    assert!(!format!("{read:?}").contains("planted"));
}

/// Whether a gate on errors passes a file: it is read, and has no error.
fn passes(text: &str) -> bool {
    let arena = Bump::new();
    read(text, "file", 0, &arena).is_ok_and(|read| {
        let mut levels = read.results.iter().map(|result| result.level);
        levels.all(|level| level != ResultLevel::Error)
    })
}

/// Calls a function with each document that has one member of another type, or not at all, and with the path of the
/// member. Of a list, only the first item is changed.
fn with_each_change(
    document: &serde_json::Value,
    path: &str,
    change: &mut dyn FnMut(&str, &str, serde_json::Value),
) {
    use serde_json::{Value, json};
    let others = [
        ("null", Value::Null),
        ("true", json!(true)),
        ("7", json!(7)),
        ("\"x\"", json!("x")),
        ("[]", json!([])),
        ("[7]", json!([7])),
        ("{}", json!({})),
    ];
    let keys: Vec<String> = match document {
        Value::Object(members) => members.keys().cloned().collect(),
        Value::Array(items) => items.iter().take(1).map(|_| "0".to_owned()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    };
    for key in keys {
        let path = format!("{path}/{key}");
        let with = |value: Option<Value>| {
            let mut document = document.clone();
            match (&mut document, value) {
                (Value::Object(members), None) => drop(members.remove(&key)),
                (Value::Array(items), None) => drop(items.remove(0)),
                (Value::Object(members), Some(value)) => drop(members.insert(key.clone(), value)),
                (Value::Array(items), Some(value)) => items[0] = value,
                _ => {}
            }
            document
        };
        change(&path, "absent", with(None));
        for (name, other) in &others {
            change(&path, name, with(Some(other.clone())));
        }
        let inner = match document.as_object() {
            Some(members) => &members[&key],
            None => &document[0],
        };
        with_each_change(inner, &path, &mut |path, name, value| {
            change(path, name, with(Some(value)));
        });
    }
}

/// Each format, as its tool writes it, with one error, and without a result.
const WRITTEN: [(&str, &str, &str); 6] = [
    (
        "sarif",
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":"r","defaultConfiguration":{"level":"error"}}]}},
            "invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}],
            "results":[{"ruleId":"r","ruleIndex":0,"level":"error","message":{"text":"m"}}]}]}"#,
        r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[]}},
            "invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}],"results":[]}]}"#,
    ),
    (
        "checkov",
        r#"{"check_type":"terraform_plan","results":{"passed_checks":[],"failed_checks":[{"check_id":"C","check_name":"n","resource":"a.b",
            "file_path":"/p","file_line_range":[1,2],"severity":null}],"skipped_checks":[],"parsing_errors":[]},
            "summary":{"passed":0,"failed":1,"skipped":0,"parsing_errors":0,"resource_count":1,"checkov_version":"3"}}"#,
        r#"{"check_type":"terraform_plan","results":{"passed_checks":[{"check_id":"C"}],"failed_checks":[],"skipped_checks":[],
            "parsing_errors":[]},"summary":{"passed":1,"failed":0,"skipped":0,"parsing_errors":0,"resource_count":1}}"#,
    ),
    (
        "trivy",
        r#"{"SchemaVersion":2,"ArtifactName":"p","Results":[{"Target":"p","Class":"config","MisconfSummary":{"Successes":1,"Failures":1},
            "Misconfigurations":[{"ID":"I","Severity":"HIGH","Status":"FAIL","Message":"m"}]},
            {"Target":"s","Class":"secret","Secrets":[{"RuleID":"r","Severity":"CRITICAL","Title":"t"}]}]}"#,
        r#"{"SchemaVersion":2,"ArtifactName":"p","Results":[{"Target":"p","Class":"config","MisconfSummary":{"Successes":3,"Failures":0},
            "Misconfigurations":[],"Secrets":[],"Vulnerabilities":[],"Licenses":[],"ExperimentalModifiedFindings":[]}]}"#,
    ),
    (
        "conftest",
        r#"[{"filename":"p","namespace":"main","successes":2,"failures":[{"msg":"m"}],"warnings":[],"skipped":[],"exceptions":[]}]"#,
        r#"[{"filename":"p","namespace":"main","successes":2,"failures":[],"warnings":[],"skipped":[],"exceptions":[]}]"#,
    ),
    (
        "infracost",
        r#"{"currency":"USD","projects":[{"metadata":{"errors":[{"message":"m"}]},"breakdown":{"totalMonthlyCost":"1"}}]}"#,
        r#"{"currency":"USD","projects":[{"metadata":{"errors":[]},"breakdown":{"totalMonthlyCost":"1"}}]}"#,
    ),
    (
        "policies",
        r#"[{"@message":"m","type":"version"},{"@message":"m","type":"policy_result","policy_result":{"result":"DenyResult",
            "target_address":"a.b","policy_metadata":{"policy_name":"n","enforcement_level":"mandatory"}}}]"#,
        r#"[{"@message":"m","type":"version"},{"@message":"m","type":"policy_result","policy_result":{"result":"AllowResult",
            "target_address":"a.b","policy_metadata":{"policy_name":"n","enforcement_level":"mandatory"}}}]"#,
    ),
];

/// A list that was null, an object, a text or absent was a list without results; so were items that are no objects.
#[test]
fn what_is_missing_or_of_another_type_in_results_is_no_pass() {
    let mut passed = Vec::new();
    for (format, failed, clean) in WRITTEN {
        for (kind, text) in [("failed", failed), ("clean", clean)] {
            let document: serde_json::Value = serde_json::from_str(text).unwrap();
            let text_of = |document: &serde_json::Value| match (format, document) {
                ("policies", serde_json::Value::Array(messages)) => messages
                    .iter()
                    .map(|message| format!("{message}\n"))
                    .collect(),
                _ => document.to_string(),
            };
            assert_eq!(passes(&text_of(&document)), kind == "clean", "{format}");
            let mut by_path: std::collections::BTreeMap<String, Vec<String>> =
                std::collections::BTreeMap::new();
            with_each_change(&document, "", &mut |path, change, document| {
                if passes(&text_of(&document)) {
                    by_path
                        .entry(path.to_owned())
                        .or_default()
                        .push(change.to_owned());
                }
            });
            for (path, changes) in by_path {
                passed.push(format!("{format} {kind} {path}: {}", changes.join(" ")));
            }
        }
    }
    insta::assert_snapshot!(passed.join("\n"));
}
