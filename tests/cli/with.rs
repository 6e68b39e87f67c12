//! `--with` ties the results of other tools to resources, drops none of them, and is harmed by none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::harness::{Output, folder, tfview, without_identity};
use crate::json_schema::validate;
use crate::review::markdown::check_markdown;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/with")
}

/// A copy of the configuration and its plan, as a repository.
fn shop(name: &str) -> PathBuf {
    let files = [
        "plan.json",
        "main.tf",
        "modules/store/main.tf",
        ".github/CODEOWNERS",
    ];
    let shop = folder(name, &[]);
    for file in files {
        fs::create_dir_all(shop.join(file).parent().unwrap()).unwrap();
        fs::copy(fixtures().join("shop").join(file), shop.join(file)).unwrap();
    }
    fs::create_dir(shop.join(".git")).unwrap();
    shop
}

/// Runs `review` on the plan of the shop.
fn review(name: &str, args: &str) -> Output {
    tfview(&format!("review --no-config {args} plan.json"))
        .folder(&shop(name))
        .output()
}

fn results_of(file: &str) -> String {
    fixtures()
        .join("results")
        .join(file)
        .to_str()
        .unwrap()
        .to_owned()
}

/// The JSON of a review with the results in a file.
fn with(name: &str, file: &str) -> Value {
    let output = review(
        name,
        &format!("--source . --format json --with {}", results_of(file)),
    );
    assert_eq!(output.code, Some(0), "{output}");
    validate("review", &output.stdout, file);
    serde_json::from_str(&output.stdout).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

/// The addresses that are tied by each rule, and the number of results that fit nothing.
fn tied(document: &Value) -> (Vec<(&str, Vec<&str>)>, usize) {
    let all = document["plans"][0]["with"].as_array().unwrap();
    let tied: Vec<_> = all
        .iter()
        .map(|result| {
            (
                result["rule"].as_str().unwrap_or(""),
                texts(&result["addresses"]),
            )
        })
        .filter(|(_, addresses)| !addresses.is_empty())
        .collect();
    let loose = all.len() - tied.len();
    (tied, loose)
}

/// What real scanners report about resources is tied to the right ones. The addresses in Checkov's own words are
/// compared; Semgrep and TFLint know lines only.
#[test]
fn results_of_scanners_are_tied_to_their_resources() {
    let document = with("with-checkov-plan", "checkov-plan.json");
    let (own, loose) = tied(&document);
    let scanner: Value =
        serde_json::from_str(&fs::read_to_string(results_of("checkov-plan.json")).unwrap())
            .unwrap();
    let failed = scanner["results"]["failed_checks"].as_array().unwrap();
    assert!(failed.len() >= 18 && loose == 0, "{loose}");
    for (check, (rule, addresses)) in failed.iter().zip(&own) {
        let address = check["resource_address"].as_str().unwrap();
        assert_eq!(
            (check["check_id"].as_str().unwrap(), &[address][..]),
            (*rule, &**addresses)
        );
    }
    // Its SARIF has only the lines of the plan, in another order.
    let sorted = |mut tied: Vec<(String, Vec<String>)>| {
        tied.sort();
        tied
    };
    let owned = |tied: Vec<(&str, Vec<&str>)>| {
        let words = |addresses: Vec<&str>| addresses.into_iter().map(str::to_owned).collect();
        sorted(
            tied.into_iter()
                .map(|(rule, addresses)| (rule.to_owned(), words(addresses)))
                .collect(),
        )
    };
    let sarif = with("with-checkov-plan-sarif", "checkov-plan.sarif");
    let (lines, loose) = tied(&sarif);
    assert_eq!((owned(lines), loose), (owned(own), 0));
    // Of a scanned configuration, it knows blocks.
    let json = with("with-checkov-source", "checkov-source.json");
    let sarif = with("with-checkov-source-sarif", "checkov-source.sarif");
    for document in [&json, &sarif] {
        let (tied, loose) = tied(document);
        assert!(tied.len() > 10 && loose == 0, "{loose} {tied:?}");
        assert!(
            tied.contains(&("CKV_AWS_24", vec!["aws_security_group.web"])),
            "{tied:?}"
        );
    }
    let semgrep = with("with-semgrep", "semgrep.sarif");
    let (tied_lines, loose) = tied(&semgrep);
    assert_eq!(
        loose, 1,
        "the version of the provider belongs to no resource"
    );
    let store = [
        "module.store.aws_s3_bucket.assets",
        "module.replica.aws_s3_bucket.assets",
    ];
    assert_eq!(
        tied_lines,
        [
            ("shop.bucket-without-tags", vec!["aws_s3_bucket.logs"]),
            ("shop.bucket-without-tags", vec!["aws_s3_bucket.data"]),
            ("shop.public-database", vec!["aws_db_instance.orders"]),
            ("shop.bucket-without-tags", store.to_vec()),
        ]
    );
    let tflint = with("with-tflint", "tflint.sarif");
    let (tied_lines, loose) = tied(&tflint);
    let provider = (
        "terraform_required_providers",
        vec!["module.store.aws_lb.front", "module.replica.aws_lb.front"],
    );
    assert!(
        tied_lines.iter().all(|tied| *tied == provider),
        "{tied_lines:?}"
    );
    assert_eq!(tied_lines.len() + loose, 3);
}

/// Trivy names resources, but only the call of a module for those of the module, with their lines.
#[test]
fn results_of_a_configuration_are_tied_to_their_resources() {
    let text = fs::read_to_string(results_of("trivy-source.json")).unwrap();
    let trivy: Value = serde_json::from_str(&text).unwrap();
    let results: Vec<(&Value, &Value)> = trivy["Results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|file| file["Misconfigurations"].as_array())
        .flatten()
        .map(|result| (&result["ID"], &result["CauseMetadata"]["Resource"]))
        .collect();
    let document = with("with-configuration", "trivy-source.json");
    let (own, loose) = tied(&document);
    assert_eq!((own.len(), loose), (results.len(), 0));
    for ((rule, resource), (own_rule, addresses)) in results.iter().zip(&own) {
        assert_eq!(rule.as_str().unwrap(), *own_rule);
        let resource = resource.as_str().unwrap();
        let [address] = addresses.as_slice() else {
            panic!("{resource}: {addresses:?}")
        };
        let is_in = address
            .strip_prefix(resource)
            .is_some_and(|rest| rest.starts_with('.'));
        assert!(
            *address == resource || resource.starts_with("module.") && is_in,
            "{resource}: {address}"
        );
    }
}

#[test]
fn each_tool_names_resources_in_its_own_way() {
    // Of a module, Trivy knows the instance by its digest.
    let trivy = with("with-trivy", "trivy-plan.json");
    let (found, loose) = tied(&trivy);
    assert_eq!((found.len(), loose), (29, 0));
    let queues: Vec<&str> = found
        .iter()
        .filter(|(rule, _)| *rule == "AVD-AWS-0096")
        .flat_map(|(_, addresses)| addresses.clone())
        .collect();
    let queue = |module: &str| format!("{module}.aws_sqs_queue.jobs");
    let expected = [
        r#"module.replica["eu"]"#,
        r#"module.replica["us"]"#,
        "module.store",
    ]
    .map(queue);
    assert_eq!(
        queues.into_iter().collect::<BTreeSet<_>>(),
        expected.iter().map(String::as_str).collect()
    );
    let excepted = r#"{"SchemaVersion":2,"ArtifactName":"plan.json","Results":[{"Type":"terraformplan","Misconfigurations":[
        {"ID":"a","Status":"EXCEPTION","CauseMetadata":{"Resource":"aws_s3_bucket.logs"}},
        {"ID":"b","Status":"FAIL","Severity":"LOW","CauseMetadata":{"Resource":"aws_s3_bucket.none"}}]}]}"#;
    let excepted = review_with("with-trivy-exception", excepted, "--format json").stdout;
    let excepted: Value = serde_json::from_str(&excepted).unwrap();
    assert_eq!(
        excepted["plans"][0]["with_tools"][0]["suppressed"],
        json!(1)
    );
    assert_eq!(tied(&excepted), (Vec::new(), 1));
    let conftest = with("with-conftest", "conftest.json");
    let (found, loose) = tied(&conftest);
    let addresses: Vec<&str> = found
        .iter()
        .flat_map(|(_, addresses)| addresses.clone())
        .collect();
    assert_eq!(
        (addresses, loose),
        (
            vec![
                "aws_db_instance.orders",
                r#"module.replica["us"].aws_lb.front"#,
                "aws_instance.app[1]",
                r#"aws_s3_bucket.data["exports"]"#,
                r#"aws_s3_bucket.data["imports.v2"]"#,
            ],
            1
        )
    );
    let policies = with("with-policies", "terraform-policies.jsonl");
    let expected = [
        ("encrypted", vec!["aws_db_instance.orders"]),
        ("internal", vec!["module.store.aws_lb.front"]),
    ];
    assert_eq!(tied(&policies), (expected.to_vec(), 0));
    assert_eq!(policies["plans"][0]["with"][1]["level"], json!("warning"));
}

#[test]
fn costs_are_a_total_and_a_column() {
    let document = with("with-infracost", "infracost.json");
    let cost = &document["plans"][0]["cost"];
    assert_eq!(
        (&cost["currency"], &cost["difference"]),
        (&json!("USD"), &json!("240.9"))
    );
    let args = format!("--with {}", results_of("infracost.json"));
    let text = review("with-cost-text", &args).stdout;
    insta::assert_snapshot!(text);

    let markdown = review("with-cost-markdown", &format!("{args} --format markdown")).stdout;
    insta::assert_snapshot!(without_identity(&markdown));
    assert!(!text.contains("example.com") && !markdown.contains("example.com"));
}

#[test]
fn results_change_no_level_and_no_count_and_close_their_own_gate() {
    let plain = review("with-nothing", "--format json").stdout;
    let plain: Value = serde_json::from_str(&plain).unwrap();
    let document = with("with-level", "checkov-plan.json");
    assert_eq!(document["verdict"], plain["verdict"]);
    let gate = |file: &str, gate: &str| {
        review(
            "with-gate",
            &format!("--with {} --fail-on {gate}", results_of(file)),
        )
    };
    let closed = gate("checkov-plan.json", "with:error");
    assert_eq!(closed.code, Some(3), "{closed}");
    insta::assert_snapshot!(closed.stderr, @r#"error: --fail-on with:error: 18 results of other tools at level `error` or above: aws_security_group.web, aws_db_instance.orders, aws_instance.app[0, 1], aws_ebs_volume.archive, module.store.aws_sqs_queue.jobs, module.store.aws_lb.front, module.replica["eu", "us"].aws_sqs_queue.jobs, module.replica["eu", "us"].aws_lb.front, aws_s3_bucket.logs, aws_s3_bucket.data["imports.v2", "exports"] and 2 more"#);
    assert_eq!(gate("semgrep.sarif", "with:error").code, Some(3));
    assert_eq!(gate("infracost.json", "with:note").code, Some(0));
    assert_eq!(
        review("with-gate-alone", "--fail-on with:note").code,
        Some(0)
    );
    let only_warnings = r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"y"}}]}]}"#;
    for (gate, code) in [("with:error", 0), ("with:warning", 3), ("with:note", 3)] {
        let output = review_with(
            "with-gate-levels",
            only_warnings,
            &format!("--fail-on {gate}"),
        );
        assert_eq!(output.code, Some(code), "{output}");
    }
    // What did not look has not found nothing.
    let failed = r#"{"runs":[{"tool":{"driver":{"name":"x"}},"invocations":[{"executionSuccessful":false}]}]}"#;
    assert_eq!(
        review_with("with-gate-failed", failed, "--fail-on with:error").code,
        Some(3)
    );
}

/// Runs a review with these results.
fn review_with(name: &str, results: &str, args: &str) -> Output {
    let shop = shop(name);
    fs::write(shop.join("results.json"), results).unwrap();
    tfview(&format!(
        "review --no-config --with results.json {args} plan.json"
    ))
    .folder(&shop)
    .output()
}

#[test]
fn unknown_files_are_refused() {
    for (text, message) in [
        ("", "the file is empty"),
        ("{", "is the file complete?"),
        ("{}", "not the output of a tool"),
        ("[1]", "not the output of a tool"),
        (r#"{"results":{}}"#, "not the output of a tool"),
    ] {
        let output = review_with("with-unknown", text, "");
        assert!(
            output.code == Some(1) && output.stderr.contains(message),
            "{text}: {output}"
        );
    }
}

/// A result whose texts try everything.
fn hostile(address: &str) -> Value {
    let evil = "\u{1b}]0;x\u{7}\u{1b}[2J\r\n::error::x\n##vso[task.x]\n<script>alert(1)</script>|`x`](javascript:alert(1)) @all ![x](http://e/x.png)\u{202e}";
    json!({
        "ruleId": evil, "level": "error", "message": { "text": format!("{evil} {address}") },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": format!("../../etc/{evil}") }, "region": { "startLine": -1 } },
            "logicalLocations": [{ "fullyQualifiedName": address, "kind": evil }],
        }],
    })
}

#[test]
fn hostile_results_are_harmless() {
    let rules = json!([{ "id": "\u{1b}x", "helpUri": "javascript:alert(1)" }, { "id": "y", "helpUri": "https://e/a)[x](http://f" }]);
    let results: Vec<Value> = [
        "aws_db_instance.orders",
        "aws_nothing.x[\"\u{1b}\"]",
        "",
        ".",
    ]
    .map(hostile)
    .to_vec();
    let document = json!({ "version": "2.1.0", "runs": [{
        "tool": { "driver": { "name": "evil\u{1b}[1m\n<b>", "version": "\u{9b}1", "rules": rules } }, "results": results }] });
    for format in ["terminal", "markdown", "html", "json", "sarif"] {
        let output = review_with(
            "with-hostile",
            &document.to_string(),
            &format!("--source . --format {format}"),
        );
        let text = &output.stdout;
        assert_eq!(output.code, Some(0), "{output}");
        assert!(
            !text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\r']),
            "{format}: {text:?}"
        );
        assert!(
            !text
                .lines()
                .any(|line| line.starts_with("::") || line.starts_with("##vso")),
            "{format}"
        );
        if format == "html" {
            assert!(
                !text.contains("<script>alert") && !text.contains("href=\"javascript"),
                "{text}"
            );
        }
        if format == "markdown" {
            check_markdown(text, "hostile");
        }
    }
}

#[test]
#[ignore = "takes five seconds without optimization; .ci/run includes it"]
fn a_hundred_thousand_results_are_counted() {
    let one = hostile("aws_instance.app").to_string();
    let many = vec![one; 120_000].join(",");
    let document =
        format!(r#"{{"runs":[{{"tool":{{"driver":{{"name":"x"}}}},"results":[{many}]}}]}}"#);
    let output = review_with("with-many", &document, "--fail-on with:error");
    assert_eq!(output.code, Some(3), "{output}");
    assert!(output.stdout.len() < 100_000, "{}", output.stdout.len());
    assert!(
        output.stdout.contains("20000 only counted"),
        "{}",
        &output.stdout[..2_000]
    );
    assert!(
        output.stderr.contains("120000 results"),
        "{}",
        output.stderr
    );
}

#[test]
fn results_are_those_of_the_plan_that_they_name() {
    let shop = shop("with-several");
    for unit in ["dev", "prod"] {
        fs::create_dir(shop.join(unit)).unwrap();
        fs::copy(shop.join("plan.json"), shop.join(unit).join("plan.json")).unwrap();
    }
    let result = |file: &str| {
        json!({ "ruleId": "r", "message": { "text": "aws_s3_bucket.logs" },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": file } } }] })
    };
    let results = [
        result("prod/plan.json"),
        result("/ci/main.tf"),
        result("dev/other.json"),
    ];
    let document =
        json!({ "runs": [{ "tool": { "driver": { "name": "x" } }, "results": results }] });
    fs::write(shop.join("results.json"), document.to_string()).unwrap();
    let args = "review --no-config --format json --with results.json dev/plan.json prod/plan.json";
    let output = tfview(args).folder(&shop).output();
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let numbers: Vec<usize> = document["plans"]
        .as_array()
        .unwrap()
        .iter()
        .map(|plan| plan["with"].as_array().unwrap().len())
        .collect();
    assert_eq!(numbers, [2, 3], "what names no plan is about both");
}

#[test]
fn owners_are_needed_where_there_are_findings() {
    let output = review("with-owners", "--source .");
    let text = &output.stdout;
    insta::assert_snapshot!(text);

    let json = review("with-owners-json", "--source . --format json").stdout;
    validate("review", &json, "owners");
    let document: Value = serde_json::from_str(&json).unwrap();
    let owners = |address: &str| {
        let entries = document["plans"][0]["resources"].as_array().unwrap();
        entries
            .iter()
            .find(|entry| entry["address"] == address)
            .unwrap()["owners"]
            .clone()
    };
    assert_eq!(owners("aws_s3_bucket.logs"), json!([["@dba"]]));
    assert_eq!(
        owners("module.store.aws_sqs_queue.jobs"),
        json!([["@example/storage", "@mira"]])
    );
}

#[test]
fn a_run_is_linked_in_head_and_foot() {
    let url = "https://ci.example.com/runs/7?a=b&c";
    for (format, link) in [
        ("terminal", format!("run: {url}")),
        ("markdown", format!("[Run]({url})")),
        (
            "html",
            "<a href=\"https://ci.example.com/runs/7?a=b&amp;c\">Run</a>".to_owned(),
        ),
    ] {
        let output = review(
            "with-run-url",
            &format!("--run-url {url} --format {format}"),
        );
        assert_eq!(
            output.stdout.matches(&link).count(),
            2,
            "{format}: {}",
            output.stdout
        );
    }
    for wrong in ["javascript:alert(1)", "https://x/)", "x"] {
        let output = review("with-run-url", &format!("--run-url {wrong}"));
        assert!(
            output.code == Some(1) && output.stderr.contains("expected an http or https URL"),
            "{output}"
        );
    }
}

#[test]
fn with_dropped_results() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/regressions/with-dropped-results");
    for file in ["trivy.json", "under-review.sarif"] {
        let output = tfview(&format!("review --with {file} --fail-on with:error p.json"))
            .folder(&folder)
            .output();
        assert_eq!(output.code, Some(3), "{file}: {output}");
    }
}

/// The error named an object as often as it has results.
#[test]
fn an_error_of_a_gate_named_an_object_for_each_result() {
    let failures =
        ["one", "two", "three"].map(|rule| json!({ "msg": format!("aws_s3_bucket.logs: {rule}") }));
    let results = json!([{ "filename": "plan.json", "namespace": "main", "failures": failures }]);
    let output = review_with(
        "with-gate-names",
        &results.to_string(),
        "--fail-on with:error",
    );
    assert_eq!(output.code, Some(3), "{output}");
    insta::assert_snapshot!(output.stderr, @"error: --fail-on with:error: 3 results of other tools at level `error` or above: aws_s3_bucket.logs");
}

/// Results were before the edits with findings, and line breaks in their messages were shown as signs.
#[test]
fn results_are_between_the_edits_with_findings_and_the_others() {
    let result = json!({
        "ruleId": "RULE_1", "level": "error", "message": { "text": "Encrypt it:\n\n  storage_encrypted | true\n" },
        "locations": [{ "logicalLocations": [{ "fullyQualifiedName": "aws_db_instance.orders" }] }],
    });
    let document = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "guard" } }, "results": [result] }] });
    let entry = |format: &str, start: &str, end: &str| {
        let args = format!("--address aws_db_instance.orders --format {format}");
        let output = review_with("with-order", &document.to_string(), &args).stdout;
        let (_, entry) = output.split_once(start).unwrap();
        let (entry, _) = entry.split_once(end).unwrap();
        format!("{start}{entry}\n\n")
    };
    insta::assert_snapshot!(
        entry("terminal", " ! -/+ aws_db", "\n(")
            + &entry("markdown", "| `-/+` | `aws_db", "\n")
            + &entry("html", "<div class=\"chunk\">", "<details class=\"tool\"")
    );
}
