//! `--names` gives names to identifiers that the plan does not know.

use serde_json::{Value, json};

use super::harness::{Output, folder, tfview};
use crate::plan::{Change, PlanBuilder};

fn plan() -> String {
    let object = |subnet: &str| json!({"subnet_id": subnet, "name": "vpc-0d41f7a2"});
    let change = Change::updated(
        "aws_instance.app",
        object("subnet-0a17c09d"),
        object("subnet-0b28d1ae"),
    );
    PlanBuilder::of([change]).json()
}

fn review(test: &str, names: &str, args: &str) -> Output {
    let plan = plan();
    let files = folder(
        test,
        &[
            ("plan.json", plan.as_bytes()),
            ("names.txt", names.as_bytes()),
        ],
    );
    tfview(&format!(
        "review --no-config --names names.txt {args} plan.json"
    ))
    .folder(&files)
    .output()
}

#[test]
fn texts_write_names_and_the_json_has_identifiers() {
    let names = "# of the network team\nsubnet-0a17c09d private a\nsubnet-0b28d1ae\tprivate b\n";
    let text = review("names-text", names, "").stdout;
    insta::assert_snapshot!(text, @r"
    NOTICE  1 to change.

       ~ aws_instance.app  subnet_id private a -> private b
    ");
    let json: Value =
        serde_json::from_str(&review("names-json", names, "--format json").stdout).unwrap();
    let edit = &json["plans"][0]["resources"][0]["edits"][0];
    assert_eq!(edit["before"]["value"], "subnet-0a17c09d");
    assert_eq!(edit["after"]["value"], "subnet-0b28d1ae");
}

#[test]
fn a_name_that_is_not_text_for_a_terminal_is_escaped() {
    let text = review(
        "names-hostile",
        "subnet-0a17c09d a\u{1b}[2Jb\u{202e}c\n",
        "",
    )
    .stdout;
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(!text.contains('\u{202e}'), "{text}");
}

#[test]
fn a_list_that_cannot_be_read_is_an_error_with_its_line() {
    let output = review("names-error", "subnet-1 a\nsubnet-2\n", "");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @"error: cannot read names.txt for --names: line 2: subnet-2 has no name");
}

#[test]
fn the_review_is_not_written_onto_the_names() {
    let output = review("names-out", "subnet-1 a\n", "--out markdown=names.txt");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @r"
    error: --out would write over names.txt, which is read
      tip: name another file
    ");
}
