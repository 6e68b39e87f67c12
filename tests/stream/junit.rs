//! JUnit reports are valid XML, agree with the summary of the tests, and escape all texts.

use std::fs;
use std::path::Path;

use roxmltree::{Document, Node};
use tfview::internals::stream::{End, Ending, Options, Stream, junit};
use tfview::internals::term::Out;

use super::harness::{NoDocuments, plain};

fn ending(input: &str) -> Ending {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut documents = NoDocuments::default();
    let options = Options {
        report: true,
        ..plain()
    };
    let (out, notes) = (Out::new(&mut text, false), Out::new(&mut notes, false));
    let mut stream = Stream::new(options, out, notes, &mut documents);
    stream.push(input.as_bytes()).unwrap();
    stream.finish(End::Closed).unwrap()
}

fn xml(input: &str) -> (String, bool) {
    let ending = ending(input);
    (
        junit(ending.report.as_ref().unwrap(), ending.failed),
        ending.failed,
    )
}

fn number(node: Node<'_, '_>, name: &str) -> usize {
    node.attribute(name).unwrap().parse().unwrap()
}

fn cases<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.descendants()
        .filter(|node| node.has_tag_name("testcase"))
}

fn cases_with(node: Node<'_, '_>, child: &str) -> usize {
    cases(node)
        .filter(|case| case.children().any(|node| node.has_tag_name(child)))
        .count()
}

/// A count in the summary message of a run of tests.
fn summary_count(input: &str, name: &str) -> usize {
    let summary = input
        .lines()
        .rfind(|line| line.contains("\"test_summary\""))
        .unwrap_or("{}");
    let summary: serde_json::Value = serde_json::from_str(summary).unwrap();
    summary["test_summary"][name].as_u64().unwrap_or_default() as usize
}

#[test]
fn every_report_agrees_with_its_summary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens");
    let mut reports = 0;
    for case in fs::read_dir(root).unwrap() {
        let case = case.unwrap().path();
        let Ok(input) = fs::read_to_string(case.join("stream.jsonl")) else {
            continue;
        };
        let (text, failed) = xml(&input);
        let document =
            Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
        let root = document.root_element();
        let case_path = case.display();
        for node in document
            .descendants()
            .filter(|node| node.has_attribute("tests"))
        {
            for (name, counted) in [
                ("tests", cases(node).count()),
                ("failures", cases_with(node, "failure")),
                ("errors", cases_with(node, "error")),
                ("skipped", cases_with(node, "skipped")),
            ] {
                assert_eq!(number(node, name), counted, "{case_path} {name}");
            }
        }
        assert_eq!(
            number(root, "failures") + number(root, "errors") > 0,
            failed,
            "{case_path}"
        );
        if !input.contains("\"test_summary\"") {
            continue;
        }
        reports += 1;
        let passed = number(root, "tests")
            - number(root, "failures")
            - number(root, "errors")
            - number(root, "skipped");
        assert_eq!(passed, summary_count(&input, "passed"), "{case_path}");
        assert_eq!(
            number(root, "failures"),
            summary_count(&input, "failed"),
            "{case_path}"
        );
        assert_eq!(
            number(root, "skipped"),
            summary_count(&input, "skipped"),
            "{case_path}"
        );
    }
    assert!(reports >= 10, "{reports}");
}

#[test]
fn report_has_the_displayed_texts() {
    for tool in ["terraform", "opentofu"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/goldens/test-fail-".to_owned() + tool);
        let (text, _) = xml(&fs::read_to_string(root.join("stream.jsonl")).unwrap());
        insta::assert_snapshot!(format!("junit-{tool}"), text);
    }
}

#[test]
fn names_and_texts_are_escaped() {
    let hostile = "a\\\"<b>&]]>\\u0000\\u001b[31m\\uffff\\n\\té";
    let visible = "a\"<b>&]]>␀␛[31m\u{fffd}\n\té";
    let input = format!(
        "{{\"@level\":\"info\",\"@message\":\"m\",\"@testfile\":\"{hostile}\",\"@testrun\":\"{hostile}\",\
         \"test_run\":{{\"run\":\"{hostile}\",\"status\":\"fail\"}},\"type\":\"test_run\"}}\n\
         {{\"@level\":\"error\",\"@message\":\"m\",\"@testfile\":\"{hostile}\",\"@testrun\":\"{hostile}\",\
         \"diagnostic\":{{\"severity\":\"error\",\"summary\":\"{hostile}\",\"detail\":\"d\"}},\"type\":\"diagnostic\"}}\n"
    );
    let (text, failed) = xml(&input);
    let document = Document::parse(&text).unwrap();
    let case = cases(document.root()).next().unwrap();
    assert!(failed);
    assert_eq!(
        (case.attribute("name"), case.attribute("classname")),
        (Some(visible), Some(visible))
    );
    let failure = case.first_element_child().unwrap();
    assert_eq!(
        (failure.tag_name().name(), failure.attribute("message")),
        ("failure", Some(visible))
    );
    insta::assert_snapshot!(failure.text().unwrap().replace('\t', "<TAB>"), @r#"
    Error: a"<b>&]]>␀␛[31m�
    <TAB>é

    d
    "#);
    // The test file was not completed.
    assert_eq!(number(document.root_element(), "errors"), 1);
}

/// The suite, the name and the result of each test case.
fn outcomes(text: &str) -> Vec<(String, String, String)> {
    let document = Document::parse(text).unwrap();
    let name = |node: Node<'_, '_>| node.attribute("name").unwrap().to_owned();
    let outcome = |case: Node<'_, '_>| {
        let child = case.children().find(Node::is_element);
        child.map_or("pass".to_owned(), |child| {
            child.tag_name().name().to_owned()
        })
    };
    cases(document.root())
        .map(|case| (name(case.parent().unwrap()), name(case), outcome(case)))
        .collect()
}

#[test]
fn truncated_run_reports_tests_that_never_began() {
    let announced = r#"{"@message":"m","test_abstract":{"a.hcl":["one","two"],"b.hcl":["three"]},"type":"test_abstract"}"#;
    let starting = r#"{"@message":"m","@testfile":"a.hcl","@testrun":"one","test_run":{"run":"one","progress":"starting"},"type":"test_run"}"#;
    let row = |suite: &str, case: &str, outcome: &str| (suite.into(), case.into(), outcome.into());
    // Terraform announces a run when it begins; OpenTofu prints nothing before a file is complete.
    let (text, failed) = xml(&format!("{announced}\n{starting}\n"));
    assert!(failed);
    assert_eq!(
        outcomes(&text),
        [
            row("a.hcl", "one", "error"),
            row("a.hcl", "two", "skipped"),
            row("a.hcl", "(itself)", "error"),
            row("b.hcl", "three", "skipped"),
        ]
    );
    let (text, failed) = xml(&format!("{announced}\n"));
    assert!(failed);
    assert_eq!(
        outcomes(&text),
        [
            row("a.hcl", "one", "skipped"),
            row("a.hcl", "two", "skipped"),
            row("b.hcl", "three", "skipped"),
            row("(no test file)", "(itself)", "error"),
        ]
    );
}

#[test]
fn report_is_made_only_on_request() {
    assert!(ending("").report.is_some());
    assert!(plain().report == Options::default().report && !plain().report);
}
