//! The examples, each compiled here and run.

#[path = "../../examples/comment.rs"]
#[allow(dead_code, reason = "its `main`")]
mod comment;
#[path = "../../examples/follow.rs"]
#[allow(dead_code, reason = "its `main`")]
mod follow;
#[path = "../../examples/gate.rs"]
#[allow(dead_code, reason = "its `main`")]
mod gate;
#[path = "../../examples/spreadsheet.rs"]
#[allow(dead_code, reason = "its `main`")]
mod spreadsheet;
#[path = "../../examples/upload.rs"]
#[allow(dead_code, reason = "its `main`")]
mod upload;

use crate::cli::harness::without_identity;
use crate::page::{lines_of, with_page};
use std::fs;
use std::path::Path;
use std::time::Duration;

use tfview::{Plan, Review, ReviewOptions, Schemas};

/// A plan that opens a port, ends a database, and has a value that a spreadsheet would run.
const PLAN: &str = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[
    {"address":"aws_security_group_rule.a","mode":"managed","type":"aws_security_group_rule","name":"a",
     "provider_name":"registry.terraform.io/hashicorp/aws","change":{"actions":["update"],
     "before":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["10.0.0.0/8"]},
     "after":{"type":"ingress","protocol":"tcp","from_port":22,"to_port":22,"cidr_blocks":["0.0.0.0/0"]}}},
    {"address":"aws_db_instance.main","mode":"managed","type":"aws_db_instance","name":"main",
     "provider_name":"registry.terraform.io/hashicorp/aws",
     "change":{"actions":["delete"],"before":{"engine":"postgres"},"after":null}},
    {"address":"=cmd|' /C calc'!A0","mode":"managed","type":"shop_order","name":"a",
     "provider_name":"example.com/acme/shop","change":{"actions":["update"],
     "before":{"note":"a \"b\""},"after":{"note":"c"}}}]}"#;

fn review() -> Review {
    let plan = Plan::parse(PLAN, &Schemas::new()).unwrap();
    Review::new(&plan, ReviewOptions::default()).unwrap()
}

#[test]
fn bot_makes_a_comment() {
    let folder = std::env::temp_dir().join(format!("tfview-comment-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("plan.json");
    fs::write(&file, PLAN).unwrap();
    let mut request = Vec::new();
    comment::write_comment(&file, &mut request).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let request: serde_json::Value = serde_json::from_slice(&request).unwrap();
    let body = request["body"].as_str().unwrap();
    insta::assert_snapshot!(without_identity(body));

    assert!(comment::write_comment(Path::new("/nonexistent"), Vec::new()).is_err());
}

#[test]
fn server_turns_an_upload_into_a_page() {
    let ask = |body: &str| {
        let request = format!(
            "POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut response = Vec::new();
        upload::handle(request.as_bytes(), &mut response, &Schemas::new()).unwrap();
        String::from_utf8(response).unwrap()
    };
    let page = ask(PLAN);
    assert!(
        page.starts_with("HTTP/1.1 200 OK\r\ncontent-type: text/html"),
        "{page}"
    );
    let (_, body) = page.split_once("\r\n\r\n").unwrap();
    with_page(body, "an upload", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)));
    });
    let state =
        ask(r#"{"format_version":"1.0","values":{"outputs":{"o":{"value":1,"type":"number"}}}}"#);
    insta::assert_snapshot!(state);
    let refused = ask("<script>alert(1)</script>");
    insta::assert_snapshot!(refused, @r"
    HTTP/1.1 400 Bad Request
    content-type: text/plain; charset=utf-8
    x-content-type-options: nosniff
    content-length: 27
    connection: close

    expected a value, at byte 0
    ");
}

#[test]
fn follower_prints_the_run_and_its_end() {
    let log = br#"{"@level":"info","@message":"m","type":"apply_start","hook":{"resource":{"addr":"aws_vpc.a"},"action":"create"}}
{"@level":"error","@message":"Error: no","type":"diagnostic","diagnostic":{"severity":"error","summary":"no\u001b[31m","detail":""}}
"#;
    let mut out = Vec::new();
    let has_succeeded = follow::follow(&log[..], &mut out, || Duration::ZERO).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(!has_succeeded);
    insta::assert_snapshot!(out);
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[test]
fn gate_says_what_it_objects_to() {
    let objections = gate::objections(&review());
    insta::assert_snapshot!(objections.join("\n"), @r"
    aws_security_group_rule.a: cidr_blocks opens to everybody
    aws_db_instance.main: a database ends
    aws_db_instance.main: database destroyed; engine = postgres
    aws_security_group_rule.a: ssh open to the world (10.0.0.0/8 -> 0.0.0.0/0)
    ");
    let harmless = PLAN
        .replace("0.0.0.0/0", "10.1.0.0/16")
        .replace("aws_db_instance", "aws_iot_thing");
    let plan = Plan::parse(harmless, &Schemas::new()).unwrap();
    let review = Review::new(&plan, ReviewOptions::default()).unwrap();
    assert!(
        gate::objections(&review).is_empty(),
        "{:?}",
        gate::objections(&review)
    );
}

#[test]
fn table_has_a_row_for_each_edit_and_no_formula() {
    let mut table = Vec::new();
    spreadsheet::write_table(&review(), &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(rows.len() >= 3, "{table}");
    assert!(rows.iter().all(|row| row.len() == 7), "{table}");
    assert!(
        rows.iter()
            .any(|row| &row[3] == "note" && &row[4] == "\"a \\\"b\\\"\""),
        "{table}"
    );
    let runs = |cell: &str| cell.starts_with(['=', '+', '-', '@']);
    assert!(!rows.iter().flatten().any(runs), "{table}");
}
