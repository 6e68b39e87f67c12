//! Inputs with documents between, before and after other text.

use super::*;

const PLAN: &str = r#"{"format_version":"1.2","planned_values":{}}"#;
const OTHER: &str = r#"{"format_version":"1.2","resource_changes":[]}"#;

fn texts(text: &str) -> Vec<&str> {
    let (ranges, _) = documents(text).unwrap();
    ranges.into_iter().map(|range| &text[range]).collect()
}

#[test]
fn other_text_around_a_document_is_passed_over() {
    for noise in [
        "[command]/usr/bin/terraform show -json tfplan\n",
        "10:31 INFO { starting }\n",
        "[10:31] env {} done\n",
        "{ not json\n",
        "env: {\"TF_LOG\":\"x\"}\n",
        "a { b { c\n",
        "{\"level\":\"info\",\"msg\":\"starting\"}\n",
    ] {
        let text = format!("{noise}{PLAN}\n::debug::exit 0\n{{\"level\":\"info\"}}\n[done]\n");
        assert!(!begins_as_document(&text), "{noise}");
        let (ranges, skipped) = documents(&text).unwrap();
        assert_eq!(&text[ranges[0].clone()], PLAN, "{noise}");
        assert_eq!(skipped, noise.trim().len() + 39, "{noise}");
    }
}

#[test]
fn every_document_is_found() {
    for text in [
        format!("{PLAN}{OTHER}"),
        format!("{PLAN}\n{OTHER}\n"),
        format!("noise\n{PLAN}\n{OTHER}\n"),
        format!("noise {PLAN}\n\nmore noise\n{OTHER}\nend"),
        format!("noise\n[{PLAN}\n{OTHER}\n"),
        format!("{{\"level\":\"info\"}}\n{PLAN}\n{{\"level\":\"info\"}}\n{OTHER}\n"),
    ] {
        assert_eq!(texts(&text), [PLAN, OTHER], "{text}");
    }
    let messages = "{\"@level\":\"info\"}\n {\"@level\":\"info\"}";
    assert_eq!(
        texts(&format!("{PLAN}\n{messages}\n{OTHER}")),
        [PLAN, messages, OTHER]
    );
}

#[test]
fn what_may_be_a_document_is_not_passed_over() {
    let escaped = PLAN.replace('"', "\\\"");
    for (text, index) in [
        (format!("x\n{}\n{OTHER}\n", &PLAN[..30]), 2),
        (format!("x\n{OTHER}\n{}\n", &PLAN[..30]), OTHER.len() + 3),
        (format!("{OTHER}\n{{\"a\": nope}}\n"), OTHER.len() + 1),
        (
            format!("{{\"level\":\"info\"}}\n{{\"a\": {{\"resource_changes\": nope}}\n{OTHER}\n"),
            17,
        ),
    ] {
        let fault = documents(&text).unwrap_err();
        assert!(
            matches!(fault, Fault::Json { start, .. } if start == index),
            "{text}: {fault:?}"
        );
    }
    for text in [
        format!("x\n{}\n{OTHER}\n", &PLAN[30..]) + "\"planned_values\":",
        format!("{OTHER}\n{}\n", &PLAN[1..]),
        format!("{OTHER}}}\n"),
        format!("{OTHER} {{}}\n"),
        format!("{OTHER}\n[{{}}, 1]\n"),
        format!("{OTHER}\n\"{escaped}\"\n"),
        format!("log: \"{escaped}\"\n{OTHER}\n"),
        format!("{{\"level\":\"info\",\"plan\":{{\"resource_changes\":[]}}}}\n{OTHER}\n"),
    ] {
        assert!(
            matches!(documents(&text), Err(Fault::Other(_))),
            "{text}: {:?}",
            documents(&text)
        );
    }
}

#[test]
fn a_text_that_begins_as_json_is_left_to_its_reader() {
    for text in [
        PLAN,
        " \n{\"a\":",
        "[{\"a\":1}]",
        "{",
        "[]",
        "[1]",
        "null",
        "12",
        "\"x\"",
        "{\"a\" ",
    ] {
        assert!(begins_as_document(text), "{text}");
    }
}

#[test]
fn a_document_with_a_fault_is_found_as_a_whole() {
    let broken = r#"{"format_version":"1.2","a":[{"b":{"c":1}}],"d":nope,"e":{"f":{}}}"#;
    let text = format!("{{\"level\":\"info\"}} noise {broken}");
    assert_eq!(texts(&text), [broken]);
    let cut = &text[..text.len() - 20];
    assert_eq!(texts(cut), [&broken[..broken.len() - 20]]);
}
