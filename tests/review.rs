//! The review: what it says of real plans, that nothing is lost or leaks, that markdown fits.

mod accounting;
mod documents;
mod elements;
mod laws;
mod markdown;
mod options;
mod schema;
mod secrecy;

use std::fs;
use std::path::Path;

use bumpalo::Bump;
use tfview::json;
use tfview::model::plan::Plan;
use tfview::review::formats;
use tfview::review::{self, Filter, Options, Review};
use tfview::schema::Schemas;

fn options() -> Options {
    Options {
        dialect: tfview::model::Dialect::default(),
        show_sensitive: false,
        filter: Filter::default(),
        depth: None,
        context: 2,
        unchanged: false,
        list: false,
        tree: false,
    }
}

/// `rules` is a set of objects; all else is inferred.
const SCHEMA: &str = r#"{"provider_schemas":{"registry.example/x/sets":{"resource_schemas":{"sets_a":{"block":{"attributes":{
    "rules":{"type":["set",["object",{"description":"string","port":"number","cidr":"string","proto":"string"}]]}}}}}}}}"#;

fn review_with(text: &str, schema: &str, options: &Options) -> Review {
    let arena = Bump::new();
    let plan: Plan<'_> = json::from_str(text).unwrap();
    let mut schemas = Schemas::new();
    schemas.add(schema).unwrap();
    review::collapse(review::read("plan.json", &plan, &schemas, options, &arena).unwrap(), options)
}

fn review(text: &str, options: &Options) -> Review {
    review_with(text, SCHEMA, options)
}

fn terminal_of(review: &Review, options: &Options) -> String {
    let mut bytes = Vec::new();
    formats::terminal(std::slice::from_ref(review), options, false, None, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn terminal(text: &str, options: &Options) -> String {
    terminal_of(&review(text, options), options)
}

/// A plan of the fixtures.
struct Case {
    name: String,
    plan: String,
    schema: String,
}

impl Case {
    fn review(&self, options: &Options) -> Review {
        review_with(&self.plan, &self.schema, options)
    }
}

/// All plans of the fixtures, in the order of their names.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found = Vec::new();
    for kind in ["goldens", "fuzz", "review"] {
        for entry in fs::read_dir(root.join(kind)).unwrap() {
            let folder = entry.unwrap().path();
            if let Ok(plan) = fs::read_to_string(folder.join("plan.json")) {
                let name = folder.strip_prefix(&root).unwrap().display().to_string();
                let schema = fs::read_to_string(folder.join("schema.json"));
                found.push(Case { name, plan, schema: schema.unwrap_or_else(|_| SCHEMA.to_owned()) });
            }
        }
    }
    assert!(found.len() > 250, "the fixtures are there: {}", found.len());
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn golden(case: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens").join(case);
    fs::read_to_string(folder.join("plan.json")).unwrap()
}

/// A plan of one update with these sides.
fn update(before: &str, after: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a.b","mode":"managed","type":"a","name":"b",
        "provider_name":"x","change":{{"actions":["update"],"before":{before},"after":{after},"after_unknown":{{}},
        "before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}
