//! What the project's pages say of the review: each excerpt is a real run, each member of the JSON
//! document is described.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tfview::review::Options;
use tfview::review::formats;

use super::{cases, options};
use crate::cli::harness::tfview;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A run that a page shows: the command of the comment `<!-- run: COMMAND -->`, and the block below.
struct Run {
    command: String,
    shown: String,
}

fn runs(page: &str) -> Vec<Run> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let mut runs = Vec::new();
    for piece in text.split("<!-- run: tfview ").skip(1) {
        let (command, rest) = piece.split_once(" -->").expect("the comment ends");
        let rest = rest.trim_start_matches('\n').strip_prefix("```").expect("a block stands below it");
        let (_, rest) = rest.split_once('\n').unwrap();
        let (shown, _) = rest.split_once("\n```").expect("the block ends");
        runs.push(Run { command: command.to_owned(), shown: shown.to_owned() });
    }
    runs
}

/// A line of `…` stands for lines that the page leaves out; all others are the program's, in order.
fn check(page: &str, run: &Run) {
    let ended = tfview(&run.command).folder(root()).end();
    let output: Vec<&str> = ended.stdout.lines().collect();
    let mut at = None;
    for block in run.shown.split("\n…\n") {
        let block: Vec<&str> = block.lines().collect();
        let from = at.unwrap_or(0);
        let found = (from..output.len()).find(|at| output[*at..].starts_with(&block));
        let shown = block.join("\n");
        assert!(found.is_some(), "{page}: `tfview {}` does not print\n{shown}\n\nbut {ended}", run.command);
        let found = found.unwrap();
        at = Some(found + block.len());
    }
}

#[test]
fn excerpts_are_real_runs() {
    let mut found = BTreeMap::new();
    for page in ["README.md", "docs/review.md"] {
        let runs = runs(page);
        runs.iter().for_each(|run| check(page, run));
        found.insert(page, runs.len());
    }
    assert!(found["README.md"] >= 2 && found["docs/review.md"] >= 5, "{found:?}");
}

/// The members of each kind of object in a document of the review.
#[derive(Default)]
struct Members(BTreeMap<&'static str, BTreeSet<String>>);

impl Members {
    fn object(&mut self, kind: &'static str, value: &Value) {
        for (name, member) in value.as_object().unwrap() {
            self.0.entry(kind).or_default().insert(name.clone());
            self.member(kind, name, member);
        }
    }

    fn member(&mut self, kind: &'static str, name: &str, member: &Value) {
        let below = match (kind, name) {
            (_, "verdict") => return self.object("verdict", member),
            ("the document", "plans") => "plans[]",
            ("plans[]", "resources" | "drift" | "deferred" | "invocations") => "resources[]",
            ("plans[]", "outputs") | ("resources[]" | "changes[]", "changes") => "changes[]",
            ("plans[]", "checks") => "checks[]",
            ("changes[]", "before" | "after") if member.is_object() => return self.object("a value", member),
            _ => return,
        };
        member.as_array().unwrap().iter().for_each(|item| self.object(below, item));
    }
}

#[test]
fn every_member_of_the_json_is_described() {
    let mut found = Members::default();
    for case in cases() {
        for unchanged in [false, true] {
            let options = Options { unchanged, ..options() };
            let document: Value = serde_json::from_str(&formats::json(&[case.review(&options)])).unwrap();
            assert_eq!(document["format_version"], "1.0");
            found.object("the document", &document);
        }
    }
    let page = fs::read_to_string(root().join("docs/review.md")).unwrap();
    let (_, section) = page.split_once("## JSON").expect("a section on the JSON");
    let section = section.split("\n## ").next().unwrap();
    let mut described: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut kind = "";
    for line in section.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            kind = name.trim_matches('`');
        } else if let Some((name, _)) = line.strip_prefix("| `").and_then(|rest| rest.split_once("` |")) {
            let names = name.split("`, `").map(str::to_owned);
            described.entry(kind).or_default().extend(names);
        }
    }
    let found: BTreeMap<&str, BTreeSet<String>> = found.0.into_iter().collect();
    assert_eq!(described, found, "docs/review.md against what the fixtures give");
}
